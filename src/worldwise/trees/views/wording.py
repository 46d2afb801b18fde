"""What every view says alike: the branches chosen, the names of branches, payoffs and results in words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from worldwise.errors import InputError
from worldwise.trees.preorder import MAX, children
from worldwise.views.words import join_words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from worldwise.core.result import SearchResult
    from worldwise.core.vector import Payoff, Vector
    from worldwise.trees.world_tree import WorldTree

UNDEFINED = "⊥"
"""FB01's symbol for a payoff in a world where the leaf cannot be reached."""


def chosen_branches(tree: WorldTree, result: SearchResult | None) -> frozenset[int]:
    """MAX's chosen branches, each by the node it leads to; ``InputError`` if the result is not of this tree.

    >>> from worldwise import solve
    >>> from worldwise.catalog import tree
    >>> sorted(chosen_branches(tree("fb01/fig-10"), solve(tree("fb01/fig-10"), "monte-carlo")))
    [1, 3, 6]
    """
    if result is None:
        return frozenset()
    if len(result.vector) != tree.worlds:
        raise InputError(f"expected a result over the tree's {tree.worlds} worlds, found one over {len(result.vector)}")
    return frozenset(_branch(tree, node, move) for node, move in result.strategy.items())


def _branch(tree: WorldTree, node: Any, move: Any) -> int:
    if node in range(len(tree)) and tree.kind[node] == MAX and move in tree.moves(node):
        return tree.play(node, move)
    raise InputError(f"expected a result of searching this tree, found the move {move!r} at {node!r}")


def value_at(tree: WorldTree, node: int, result: SearchResult | None) -> Vector | None:
    """The vector a traced search backed up at a node; at a leaf only if it cut a payoff down, as FB01 Fig 20 shows.

    >>> from worldwise.catalog import tree
    >>> from worldwise.search.algorithms import algorithm
    >>> from worldwise.search.strategy import trace
    >>> fig = tree("fb01/fig-18")
    >>> value_at(fig, 5, trace(algorithm("prm"), fig)), value_at(fig, 2, trace(algorithm("prm"), fig))
    (Vector(0, 0, 0), None)
    """
    value = result.values.get(node) if result else None
    if value is None or tree.to_move(node) is not None:
        return value
    # an undefined payoff cut down is still a payoff that nobody can get
    cut = any(was is not None and was != now for was, now in zip(tree.payoffs(node), value, strict=True))
    return value if cut else None


def payoff_word(payoff: Payoff) -> str:
    """A payoff as a figure prints it: short, with a true minus, and FB01's symbol where it is undefined.

    >>> payoff_word(-2), payoff_word(1 / 3), payoff_word(None)
    ('−2', '0.333', '⊥')
    """
    if payoff is None:
        return UNDEFINED
    word = f"{payoff:.10g}" if float(payoff).is_integer() else f"{payoff:.3g}"
    return word.replace("-", "−")


def vector_word(vector: Vector) -> str:
    """A vector as a figure prints it, in the papers' short form where every payoff is one letter.

    >>> from worldwise.core.vector import Vector
    >>> vector_word(Vector([1, 0, None])), vector_word(Vector([-1, 0]))
    ('10⊥', '(−1, 0)')
    """
    payoffs = [payoff_word(payoff) for payoff in vector]
    return "".join(payoffs) if all(len(payoff) == 1 for payoff in payoffs) else f"({', '.join(payoffs)})"


def result_words(result: SearchResult) -> str:
    """A result in one line.

    >>> from worldwise import solve
    >>> from worldwise.catalog import tree
    >>> result_words(solve(tree("fb01/fig-10"), "monte-carlo"))
    'monte-carlo: believed 1, true value 0.6, vector 11100'
    """
    worth = f"believed {result.believed:.4g}, true value {result.value:.4g}"
    words = f"{result.algorithm}: {worth}, vector {vector_word(result.vector)}"
    return words if result.complete else f"{words} (stopped by a limit)"


def world_word(tree: WorldTree, world: int) -> str:
    """A world's label, with its probability if the worlds are not equally likely.

    >>> from worldwise import tree_from_dict
    >>> world_word(tree_from_dict({"probabilities": [3, 1], "root": {"payoff": [1, 0]}}), 0)
    'w1 (0.75)'
    """
    label = tree.world_label(world)
    if len(set(tree.weights)) == 1:
        return label
    return f"{label} ({float(tree.weights[world] / sum(tree.weights)):.3g})"


def branch_word(tree: WorldTree, node: int, move: int) -> str:
    """What people call a branch: its name, that of the node it leads to, left or right of two, or its number from 1.

    >>> from worldwise import random_tree
    >>> branch_word(random_tree(depth=2, worlds=1), 0, 1)
    'right'
    >>> branch_word(random_tree(depth=1, worlds=1, branching=3), 0, 2)
    '3'
    """
    if node in tree.move_names:
        return tree.move_names[node][move]
    named = tree.names.get(tree.play(node, move))
    return named or (("left", "right")[move] if len(tree.moves(node)) == 2 else str(move + 1))


def path_to(tree: WorldTree, node: int) -> list[str]:
    """The branches that lead to a node, from the root.

    >>> from worldwise import random_tree
    >>> path_to(random_tree(depth=3, worlds=1), 5), path_to(random_tree(depth=3, worlds=1), 0)
    (['left', 'right'], [])
    """
    path: list[str] = []
    while node:
        above = int(tree.parent[node])
        path.append(branch_word(tree, above, sum(1 for child in children(tree, above) if child < node)))
        node = above
    return path[::-1]


def node_words(tree: WorldTree, node: int) -> str:
    """A node by its name, if it has one of its own, or by the way to it.

    >>> from worldwise import random_tree
    >>> from worldwise.catalog import tree
    >>> node_words(tree("fb01/fig-9"), 1), node_words(random_tree(depth=3, worlds=1), 5)
    ('b', 'the node after left, right')
    """
    return unique_names(tree).get(node) or (f"the node after {path_words(tree, node)}" if node else "the root")


def unique_names(tree: WorldTree) -> dict[int, str]:
    """The names of nodes that share theirs with no other."""
    shared = Counter(tree.names.values())
    return {node: name for node, name in tree.names.items() if shared[name] == 1}


def path_words(tree: WorldTree, node: int, most: int = 12) -> str:
    """The way to a node; of a long one how long it is, and its end.

    >>> from worldwise import random_tree
    >>> path_words(random_tree(depth=3, worlds=1), 3), path_words(random_tree(depth=3, worlds=1), 3, most=1)
    ('left, left, left', '2 moves and left')
    """
    path = path_to(tree, node)
    hidden = len(path) - most
    return f"{hidden:,} moves and {', '.join(path[hidden:])}" if hidden > 0 else ", ".join(path)


def worlds_words(tree: WorldTree, worlds: Sequence[int], most: int = 6) -> str:
    """Some worlds by name; of very many the first.

    >>> from worldwise import random_tree
    >>> worlds_words(random_tree(depth=2, worlds=9), (0, 2, 4)), worlds_words(random_tree(depth=2, worlds=9), range(9))
    ('w1, w3 and w5', 'w1, w2, w3, w4, w5, w6 and 3 more')
    """
    names = [tree.world_label(world) for world in worlds[:most]]
    if rest := len(worlds) - len(names):
        names.append(f"{rest} more")
    return join_words(names)


def branch_names(tree: WorldTree) -> dict[int, str]:
    """The names of branches, each by the node it leads to; none if all are simply left, right or numbers.

    >>> from worldwise.catalog import tree
    >>> branch_names(tree("fb01/fig-9")), branch_names(tree("fb01/fig-15"))[2]
    ({}, 'select')
    """
    names = {name for names in tree.move_names.values() for name in names}
    if all(name in ("left", "right") or name.isdecimal() for name in names):
        return {}
    pairs = ((children(tree, node), names) for node, names in tree.move_names.items())
    return {child: name for below, names in pairs for child, name in zip(below, names, strict=True)}
