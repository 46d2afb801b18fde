"""Possible-world game trees: FB01's flattened form, read, written, generated and made from other games."""

from worldwise.lazy_exports import export

NAMES = {
    "compiled": ("compile_game",),
    "generator": ("random_tree",),
    "notation": ("read_tree", "tree_from_dict", "write_tree"),
    "reductions": ("clique_of", "clique_tree"),
    "solving": ("judge", "solve"),
    "world_tree": ("WorldTree", "unroll"),
}
"""Where each public name is defined; ``__init__.pyi`` tells the same to type checkers."""

__all__, __getattr__, __dir__ = export(__name__, NAMES)
