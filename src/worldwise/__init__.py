"""worldwise: what should I play when I cannot see everything?

>>> import worldwise
>>> tree = worldwise.tree("fb01/fig-18")
>>> worldwise.solve(tree, "vector-mm").value, worldwise.solve(tree, "prm").value
(0.0, 0.3333333333333333)
"""

from importlib import import_module

_NAMES = {
    "bridge.advice.advice": ("Advice",),
    "bridge.advice.advise": ("advise",),
    "bridge.files.any_format": ("read_boards", "write_boards"),
    "bridge.layouts.carding": ("Carding", "carding_weights"),
    "bridge.layouts.constraints": ("HandRange",),
    "bridge.layouts.drawing": ("draw_worlds",),
    "bridge.layouts.sampler": ("Layouts",),
    "bridge.rules.board": ("Board",),
    "bridge.rules.contract": ("Contract", "Strain", "Vulnerability"),
    "bridge.rules.deal": ("Deal", "Seat"),
    "bridge.rules.goal": ("Aim", "Goal"),
    "bridge.rules.play": ("Play", "Position"),
    "bridge.rules.view": ("View", "view_of"),
    "bridge.solvers.alphamu": ("BridgeAlphaMu",),
    "bridge.solvers.deal_game": ("DealGame",),
    "bridge.solvers.double_dummy": ("double_dummy",),
    "bridge.solvers.pimc": ("Pimc",),
    "bridge.suit.rules": ("Suit", "SuitGame"),
    "bridge.suit.solver": ("SuitSolver",),
    "catalog": ("game", "tree"),
    "core.belief": ("AllHistories", "Belief"),
    "core.front": ("Front",),
    "core.game": ("ExtensiveForm", "Game", "Side", "WorldGame"),
    "core.result": ("Limit", "SearchResult", "Stats"),
    "core.scale": ("Reals", "Thermometer"),
    "core.solution": ("Solution",),
    "core.vector": ("Vector",),
    "extensive": (
        "ExtensiveGame",
        "ImpModel",
        "check_sampler",
        "forgotten",
        "from_game",
        "from_world_game",
        "game_of",
        "measures",
        "partition_of",
        "perfect_recall",
        "three_partition_game",
        "write_efg",
        "written_out",
    ),
    "extensive.fast_efg": ("read_efg",),
    "extensive.form_game": ("FormGame",),
    "extensive.solve": ("GAME_ALGORITHMS", "solve_game"),
    "openspiel": ("load_open_spiel", "to_open_spiel"),
    "phantom": ("Phantom",),
    "search.algorithms": ("ALGORITHMS", "algorithm"),
    "search.alphamu": ("AlphaMu", "FaceUp", "Root", "ValueKind"),
    "search.best_response": ("TryAll", "best_response"),
    "search.chance_minimax": ("ChanceMinimax",),
    "search.equilibrium": ("PureEquilibrium", "is_equilibrium"),
    "search.exact": ("Exact",),
    "search.heuristics": ("AlphaBeta", "VectorMinimax"),
    "search.imp": ("ImpAlphaBeta", "ImpMinimax"),
    "search.information_set": ("OVERCONFIDENT", "PARANOID", "InformationSetSearch", "Model", "mixed"),
    "search.knowledge": ("known_worlds",),
    "search.monte_carlo": ("MonteCarlo",),
    "search.profiles": ("expected_payoffs",),
    "search.strategy": ("BruteForce", "evaluate", "strategies"),
    "search.ties": ("Ties",),
    "trees": (
        "WorldTree",
        "clique_of",
        "clique_tree",
        "random_tree",
        "read_tree",
        "tree_from_dict",
        "unroll",
        "write_tree",
    ),
    "trees.compiled": ("compiled",),
    "trees.solve": ("judge", "solve"),
}
"""Where each public name is defined; ``__init__.pyi`` tells the same to type checkers."""

_HOMES = {name: module for module, names in _NAMES.items() for name in names}
_PACKAGES = {module.partition(".")[0] for module in _NAMES}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    """What has this name, imported when it is first asked for: nobody waits for what he does not use."""
    found = globals()[name] = _found(name)
    return found


def _found(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("worldwise")
    if name in _HOMES:
        return getattr(import_module(f"worldwise.{_HOMES[name]}"), name)
    if name in _PACKAGES:
        return import_module(f"worldwise.{name}")
    raise AttributeError(f"module 'worldwise' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
