# The public names, for type checkers; __init__.py imports them when they are asked for.

from worldwise.trees.compiled import compile_game as compile_game
from worldwise.trees.generator import random_tree as random_tree
from worldwise.trees.notation import read_tree as read_tree
from worldwise.trees.notation import tree_from_dict as tree_from_dict
from worldwise.trees.notation import write_tree as write_tree
from worldwise.trees.reductions import clique_of as clique_of
from worldwise.trees.reductions import clique_tree as clique_tree
from worldwise.trees.solving import judge as judge
from worldwise.trees.solving import solve as solve
from worldwise.trees.world_tree import WorldTree as WorldTree
from worldwise.trees.world_tree import unroll as unroll
