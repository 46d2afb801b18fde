"""worldwise: what should I play when I cannot see everything?

>>> import worldwise
>>> tree = worldwise.tree("fb01/fig-18")
>>> worldwise.solve(tree, "vector-mm").value, worldwise.solve(tree, "prm").value
(0.0, 0.3333333333333333)
"""

from worldwise.lazy_exports import export

NAMES = {
    "catalog": ("game", "tree"),
    "core.belief": ("Belief",),
    "core.front": ("Front",),
    "core.game": ("ExtensiveForm", "Game", "Side", "WorldGame"),
    "core.result": ("Limit", "SearchResult", "Stats"),
    "core.solution": ("Solution",),
    "core.vector": ("Vector",),
    "extensive.efg": ("read_efg",),
    "extensive.game": ("ExtensiveGame",),
    "extensive.solving": ("solve_game",),
    "search.algorithms": ("ALGORITHMS", "algorithm"),
    "search.alphamu": ("AlphaMu",),
    "search.exact": ("Exact",),
    "search.heuristics": ("AlphaBeta", "VectorMinimax"),
    "search.information_set": ("InformationSetSearch",),
    "search.monte_carlo": ("MonteCarlo",),
    "search.strategy": ("evaluate",),
    "search.random_ties": ("Ties",),
    "trees.generator": ("random_tree",),
    "trees.notation": ("read_tree", "tree_from_dict", "write_tree"),
    "trees.solving": ("judge", "solve"),
    "trees.world_tree": ("WorldTree", "unroll"),
}
"""Where each public name is defined; ``__init__.pyi`` tells the same to type checkers."""

ROOMS = ("bridge", "catalog", "core", "extensive", "kriegspiel", "openspiel", "players", "search", "trees")
"""What exports names of its own: ``worldwise.bridge.advise`` and so on."""

__all__, __getattr__, __dir__ = export(__name__, NAMES, (*ROOMS, "kernels", "phantom", "testing"))
