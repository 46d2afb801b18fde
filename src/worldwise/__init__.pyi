# The public names, for type checkers; __init__.py imports them when they are asked for.

from worldwise.catalog import game as game
from worldwise.catalog import tree as tree
from worldwise.core.belief import Belief as Belief
from worldwise.core.front import Front as Front
from worldwise.core.game import ExtensiveForm as ExtensiveForm
from worldwise.core.game import Game as Game
from worldwise.core.game import Side as Side
from worldwise.core.game import WorldGame as WorldGame
from worldwise.core.result import Limit as Limit
from worldwise.core.result import SearchResult as SearchResult
from worldwise.core.result import Stats as Stats
from worldwise.core.solution import Solution as Solution
from worldwise.core.vector import Vector as Vector
from worldwise.extensive.efg import read_efg as read_efg
from worldwise.extensive.game import ExtensiveGame as ExtensiveGame
from worldwise.extensive.solving import solve_game as solve_game
from worldwise.search.algorithms import ALGORITHMS as ALGORITHMS
from worldwise.search.algorithms import algorithm as algorithm
from worldwise.search.alphamu import AlphaMu as AlphaMu
from worldwise.search.exact import Exact as Exact
from worldwise.search.heuristics import AlphaBeta as AlphaBeta
from worldwise.search.heuristics import VectorMinimax as VectorMinimax
from worldwise.search.information_set import InformationSetSearch as InformationSetSearch
from worldwise.search.monte_carlo import MonteCarlo as MonteCarlo
from worldwise.search.random_ties import Ties as Ties
from worldwise.search.strategy import evaluate as evaluate
from worldwise.trees.generator import random_tree as random_tree
from worldwise.trees.notation import read_tree as read_tree
from worldwise.trees.notation import tree_from_dict as tree_from_dict
from worldwise.trees.notation import write_tree as write_tree
from worldwise.trees.solving import judge as judge
from worldwise.trees.solving import solve as solve
from worldwise.trees.world_tree import WorldTree as WorldTree
from worldwise.trees.world_tree import unroll as unroll

__version__: str
