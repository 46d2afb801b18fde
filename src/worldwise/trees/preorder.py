"""A tree as flat arrays in preorder: what its nodes are, where they stand, and what is wrong with it.

Node 0 is the root, a node's first child follows it, and ``end[node]`` is the first node after its subtree.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Protocol

import numpy as np

from worldwise.errors import TreeError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

LEAF, MAX, MIN = 0, 1, 2
"""What ``kind`` says of a node."""

WORDS = {LEAF: "payoff", MAX: "max", MIN: "min"}
"""The same in the notation."""


def check_shape(kind: NDArray[np.uint8], end: NDArray[np.int32], leaves: int) -> None:
    """Refuse arrays that are no tree in preorder with so many leaves.

    How deep a node lies is how many nodes before it have not ended. A tree is well formed if every node ends where
    the depth has come back to its own: it cannot end too late, and if one ended too early another would end too late.
    """
    nodes = len(kind)
    if kind.dtype != np.uint8 or end.dtype != np.int32 or end.shape != (nodes,) or not nodes:
        raise TreeError(
            f"expected kinds of uint8 and as many ends of int32, found {nodes} {kind.dtype}, {end.shape} {end.dtype}"
        )
    numbers = np.arange(nodes)
    if kind.max() > MIN or end[0] != nodes or (end <= numbers).any() or (end > nodes).any():
        raise TreeError("expected kinds from 0 to 2, and nodes that end after they begin and before the tree does")
    if ((end == numbers + 1) != (kind == LEAF)).any():
        raise TreeError("expected leaves without children, and other nodes with some")
    depth = np.arange(nodes + 1) - np.cumsum(np.bincount(end, minlength=nodes + 1))
    if (depth[end] > depth[:-1]).any():
        raise TreeError("expected a tree in preorder, whose nodes end where their last children end")
    if (found := int(np.count_nonzero(kind == LEAF))) != leaves:
        raise TreeError(f"expected a row of payoffs for every leaf, found {leaves} for {found}")


class Preorder(Protocol):
    """The shape of a tree whose nodes are numbered in preorder: a ``WorldTree`` has one, and an ``ExtensiveGame``."""

    @property
    def end(self) -> NDArray[np.int32]:
        """For each node, the first node after its subtree."""

    def __len__(self) -> int:
        """How many nodes there are."""


def children(tree: Preorder, node: int) -> Iterator[int]:
    """The nodes that a node's branches lead to, straight from the preorder: no table of the whole tree is needed.

    >>> from worldwise.catalog import tree
    >>> list(children(tree("fb01/fig-9"), 0))
    [1, 4]
    """
    child, end = node + 1, int(tree.end[node])
    while child < end:
        yield child
        child = int(tree.end[child])


def depths_of(end: NDArray[np.int32]) -> NDArray[np.int64]:
    """How many moves lead to each node: as many as nodes have begun before it and not ended."""
    ended = np.cumsum(np.bincount(end, minlength=len(end)))
    return np.arange(len(end)) - ended[: len(end)]


def parents_of(end: NDArray[np.int32]) -> NDArray[np.int32]:
    """Each node's parent, the last node before it that is one move higher; -1 for the root."""
    nodes = len(end)
    level_and_node = depths_of(end) * nodes + np.arange(nodes)
    by_level = np.sort(level_and_node)
    parents = by_level[np.searchsorted(by_level, level_and_node - nodes) - 1] % nodes
    parents[0] = -1
    return parents.astype(np.int32)


def place_of(kind: Sequence[int] | memoryview, end: Sequence[int] | memoryview, node: int) -> str:
    """A node's path in the notation, of a very long one the last steps. While a tree is built, open nodes end at 0."""
    steps: deque[str] = deque(maxlen=10)
    above = depth = 0
    while above < node:
        branch, child = 0, above + 1
        while child < node and 0 < end[child] <= node:
            branch, child = branch + 1, end[child]
        steps.append(f".{WORDS[kind[above]]}[{branch}]")
        above, depth = child, depth + 1
    left_out = f".({depth - len(steps)} steps)" if depth > len(steps) else ""
    return "root" + left_out + "".join(steps)


def find_fault(
    kind: NDArray[np.uint8],
    end: NDArray[np.int32],
    payoffs: NDArray[np.float64],
    world_names: Sequence[str] | None,
) -> tuple[int, str] | None:
    """What is wrong with the worlds in which moves are open, and at which node.

    MAX cannot see the world, so his moves must be open in the same worlds; and every world must be reached somewhere.
    """
    leaves = np.concatenate([[0], np.cumsum(kind == LEAF)])  # how many come before a node

    def open_below(node: int) -> set[int]:
        defined = ~np.isnan(payoffs[leaves[node] : leaves[end[node]]])
        return set(np.flatnonzero(defined.any(axis=0)).tolist())

    node = _find_uneven(kind, end, payoffs, leaves)
    if node is not None:
        child, move, first = node + 1, 0, open_below(node + 1)
        while not (differ := open_below(child) ^ first):
            child, move = int(end[child]), move + 1
        return node, (
            "expected MAX's moves to be open in the same worlds (he cannot see the world); "
            f"found move 0 and move {move} to differ in {_world_list(differ, world_names)}"
        )
    unreached = set(range(payoffs.shape[1])) - open_below(0)
    if unreached:
        return 0, f"expected a payoff in every world somewhere, found none in {_world_list(unreached, world_names)}"
    return None


def _find_uneven(
    kind: NDArray[np.uint8], end: NDArray[np.int32], payoffs: NDArray[np.float64], leaves: NDArray[np.int64]
) -> int | None:
    """The first MAX node with a move that is not open in all the worlds in which the node is."""
    parents = parents_of(end)
    children = 1 + np.flatnonzero(kind[parents[1:]] == MAX)
    width = 1 + 2**20 // len(kind)  # worlds at a time, lest memory run out
    uneven = []
    for first in range(0, payoffs.shape[1], width):
        defined = ~np.isnan(payoffs[:, first : first + width])
        before = np.concatenate([np.zeros_like(defined[:1]), defined]).cumsum(axis=0, dtype=np.int32)
        is_open = before[leaves[end]] > before[leaves[:-1]]
        odd = (is_open[children] != is_open[parents[children]]).any(axis=1)
        uneven += [int(parents[children[odd]].min())] if odd.any() else []
    return min(uneven, default=None)


def _world_list(worlds: set[int], names: Sequence[str] | None) -> str:
    """The first of these worlds, by name if they have names."""
    words = [repr(names[world]) if names else world_label(world, None) for world in sorted(worlds)[:10]]
    return ", ".join(words + [f"and {len(worlds) - 10} more"] * (len(worlds) > 10))


def world_label(world: int, names: Sequence[str] | None) -> str:
    """A world's name, or ``w1``, ``w2`` ... as in the papers."""
    return names[world] if names else f"w{world + 1}"
