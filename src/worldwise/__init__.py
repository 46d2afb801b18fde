"""worldwise: what should I play when I cannot see everything?

>>> import worldwise
>>> tree = worldwise.tree("fb01/fig-18")
>>> worldwise.solve(tree, "vector-mm").value, worldwise.solve(tree, "prm").value
(0.0, 0.3333333333333333)
"""

from importlib.metadata import version as _version

from worldwise.catalog import game, tree
from worldwise.core.belief import Belief
from worldwise.core.front import Front
from worldwise.core.game import ExtensiveForm, Game, Side, WorldGame
from worldwise.core.result import Limit, SearchResult, Stats
from worldwise.core.scale import Reals, Thermometer
from worldwise.core.solution import Solution
from worldwise.core.vector import Vector
from worldwise.engines.alphamu import BridgeAlphaMu
from worldwise.engines.double_dummy import double_dummy
from worldwise.engines.efg import read_efg
from worldwise.engines.games import GAME_ALGORITHMS, solve_game
from worldwise.engines.pimc import Pimc
from worldwise.engines.solve import judge, solve
from worldwise.engines.suit import SuitSolver
from worldwise.engines.trees import compiled, kernels
from worldwise.games.bridge.board import Board
from worldwise.games.bridge.constraints import HandRange
from worldwise.games.bridge.contract import Contract, Strain, Vulnerability
from worldwise.games.bridge.deal import Deal, Seat
from worldwise.games.bridge.deal_game import DealGame
from worldwise.games.bridge.files import read_boards, write_boards
from worldwise.games.bridge.goal import Aim, Goal
from worldwise.games.bridge.play import Play, Position
from worldwise.games.bridge.sampler import Layouts
from worldwise.games.bridge.suit import Suit, SuitGame
from worldwise.games.bridge.view import View, view_of
from worldwise.games.extensive import (
    ExtensiveGame,
    ImpModel,
    check_sampler,
    forgotten,
    from_game,
    from_world_game,
    game_of,
    load_open_spiel,
    measures,
    partition_of,
    perfect_recall,
    three_partition_game,
    to_open_spiel,
    write_efg,
    written_out,
)
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
from worldwise.search.alphamu import AlphaMu
from worldwise.search.best_response import TryAll, best_response
from worldwise.search.chance_minimax import ChanceMinimax
from worldwise.search.equilibrium import PureEquilibrium, is_equilibrium
from worldwise.search.exact import Exact
from worldwise.search.heuristics import AlphaBeta, VectorMinimax
from worldwise.search.imp import ImpAlphaBeta, ImpMinimax
from worldwise.search.knowledge import known_worlds
from worldwise.search.monte_carlo import MonteCarlo
from worldwise.search.profiles import expected_payoffs
from worldwise.search.strategy import BruteForce, evaluate, strategies
from worldwise.search.ties import Ties

__version__ = _version("worldwise")

__all__ = [
    "ALGORITHMS",
    "GAME_ALGORITHMS",
    "Aim",
    "AlphaBeta",
    "AlphaMu",
    "Belief",
    "Board",
    "BridgeAlphaMu",
    "BruteForce",
    "ChanceMinimax",
    "Contract",
    "Deal",
    "DealGame",
    "Exact",
    "ExtensiveForm",
    "ExtensiveGame",
    "Front",
    "Game",
    "Goal",
    "HandRange",
    "ImpAlphaBeta",
    "ImpMinimax",
    "ImpModel",
    "Layouts",
    "Limit",
    "MonteCarlo",
    "Pimc",
    "Play",
    "Position",
    "PureEquilibrium",
    "Reals",
    "SearchResult",
    "Seat",
    "Side",
    "Solution",
    "Stats",
    "Strain",
    "Suit",
    "SuitGame",
    "SuitSolver",
    "Thermometer",
    "Ties",
    "TryAll",
    "Vector",
    "VectorMinimax",
    "View",
    "Vulnerability",
    "WorldGame",
    "WorldTree",
    "algorithm",
    "best_response",
    "check_sampler",
    "clique_of",
    "clique_tree",
    "compiled",
    "double_dummy",
    "evaluate",
    "expected_payoffs",
    "forgotten",
    "from_game",
    "from_world_game",
    "game",
    "game_of",
    "is_equilibrium",
    "judge",
    "kernels",
    "known_worlds",
    "load_open_spiel",
    "measures",
    "partition_of",
    "perfect_recall",
    "random_tree",
    "read_boards",
    "read_efg",
    "read_tree",
    "solve",
    "solve_game",
    "strategies",
    "three_partition_game",
    "to_open_spiel",
    "tree",
    "tree_from_dict",
    "unroll",
    "view_of",
    "write_boards",
    "write_efg",
    "write_tree",
    "written_out",
]
