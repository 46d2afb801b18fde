"""Possible-world game trees: FB01's flattened form, read, written, generated and made from other games."""

from worldwise.trees.notation import read_tree, tree_from_dict, write_tree
from worldwise.trees.random_tree import random_tree
from worldwise.trees.reductions import clique_of, clique_tree
from worldwise.trees.world_tree import WorldTree, unroll

__all__ = [
    "WorldTree",
    "clique_of",
    "clique_tree",
    "random_tree",
    "read_tree",
    "tree_from_dict",
    "unroll",
    "write_tree",
]
