"""worldwise: what should I play when I cannot see everything?

>>> import worldwise
>>> tree = worldwise.tree("fb01/fig-18")
>>> worldwise.solve(tree, "vector-mm").value, worldwise.solve(tree, "prm").value
(0.0, 0.3333333333333333)
"""

from importlib.metadata import version as _version

from worldwise.catalog import tree
from worldwise.core.belief import Belief
from worldwise.core.front import Front
from worldwise.core.game import Game, Side, WorldGame
from worldwise.core.result import Limit, SearchResult, Stats
from worldwise.core.scale import Reals, Thermometer
from worldwise.core.vector import Vector
from worldwise.engines.solve import judge, solve
from worldwise.engines.trees import compiled, kernels
from worldwise.games.trees import (
    WorldTree,
    clique_of,
    clique_tree,
    random_tree,
    read_tree,
    tree_from_dict,
    unroll,
    write_tree,
)
from worldwise.search.algorithms import ALGORITHMS, algorithm
from worldwise.search.exact import Exact
from worldwise.search.heuristics import AlphaBeta, VectorMinimax
from worldwise.search.knowledge import known_worlds
from worldwise.search.monte_carlo import MonteCarlo
from worldwise.search.strategy import BruteForce, evaluate, strategies
from worldwise.search.ties import Ties

__version__ = _version("worldwise")

__all__ = [
    "ALGORITHMS",
    "AlphaBeta",
    "Belief",
    "BruteForce",
    "Exact",
    "Front",
    "Game",
    "Limit",
    "MonteCarlo",
    "Reals",
    "SearchResult",
    "Side",
    "Stats",
    "Thermometer",
    "Ties",
    "Vector",
    "VectorMinimax",
    "WorldGame",
    "WorldTree",
    "algorithm",
    "clique_of",
    "clique_tree",
    "compiled",
    "evaluate",
    "judge",
    "kernels",
    "known_worlds",
    "random_tree",
    "read_tree",
    "solve",
    "strategies",
    "tree",
    "tree_from_dict",
    "unroll",
    "write_tree",
]
