"""``WorldTree``: a game tree whose leaves hold one payoff per possible world (FB01 section 2).

The tree lies flat, in preorder: node 0 is the root, a node's first child follows it, and ``end[node]`` is the first
node after its subtree, where its next sibling begins. So a million leaves of ten worlds take about 90 MB, no depth is
too deep, and the compiled kernels read the same arrays. A position is a node's number, a move the number of a branch.
"""

from __future__ import annotations

import sys
from array import array
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from worldwise.core.game import AnyWorldGame, Side
from worldwise.core.scale import AnyScale, Reals, Thermometer
from worldwise.core.vector import Payoff, Weight, whole_weights
from worldwise.errors import TreeError
from worldwise.trees.preorder import (
    LEAF,
    MAX,
    MIN,
    WORDS,
    check_shape,
    depths_of,
    find_fault,
    parents_of,
    place_of,
    world_label,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

_SIDES = {MAX: Side.MAX, MIN: Side.MIN, LEAF: None}

_LANE = 64
"""A world with more different payoffs than this is cheaper as a real number than as bits."""


@dataclass(frozen=True, eq=False)
class WorldTree:
    """A possible-world tree; see the module's text for its layout. It is a ``WorldGame``.

    ``payoffs_by_leaf`` has a row for every leaf, in preorder, and a column for every world; NaN is undefined.
    Built by ``tree_from_dict``, ``read_tree``, ``random_tree``, ``unroll`` or a ``TreeBuilder``.

    >>> from worldwise import tree_from_dict
    >>> tree = tree_from_dict({"max": [{"payoff": [1, 0]}, {"payoff": [0, 1]}]})
    >>> tree.worlds, tree.to_move(tree.root), list(tree.moves(0)), tree.payoffs(tree.play(0, 1))
    (2, Side.MAX, [0, 1], (0, 1))
    """

    kind: NDArray[np.uint8]
    end: NDArray[np.int32]
    payoffs_by_leaf: NDArray[np.float64]
    weights: tuple[Weight, ...]
    names: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    move_names: Mapping[int, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    world_names: tuple[str, ...] | None = None
    title: str | None = None

    def __post_init__(self) -> None:
        check_shape(self.kind, self.end, len(self.payoffs_by_leaf))
        _check_payoffs(self.payoffs_by_leaf)
        check_weights(self.weights, self.worlds)
        fault = find_fault(self.kind, self.end, self.payoffs_by_leaf, self.world_names) if self.has_undefined else None
        if fault:
            raise TreeError(fault[1], self.place(fault[0]))

    # ------------------------------------------------------------------ the game

    @property
    def worlds(self) -> int:
        """How many worlds there are."""
        return int(self.payoffs_by_leaf.shape[1])

    @property
    def root(self) -> int:
        """Node 0."""
        return 0

    def to_move(self, position: int) -> Side | None:
        """Whose node this is; None for a leaf."""
        return _SIDES[self._kind[position]]

    def moves(self, position: int) -> range:
        """The numbers of the branches, from 0."""
        return range(self._offsets[position + 1] - self._offsets[position])

    def play(self, position: int, move: int) -> int:
        """The node a branch leads to."""
        return self._children[self._offsets[position] + move]

    def payoffs(self, position: int) -> tuple[Payoff, ...]:
        """A leaf's payoffs."""
        row = self.payoffs_by_leaf[self._leaf_number[position]].tolist()
        return tuple(None if payoff != payoff else _whole(payoff) for payoff in row)

    # ------------------------------------------------------------------ coded payoffs

    @cached_property
    def scale(self) -> AnyScale:
        """Bits where the payoffs of each world are few, reals where they are many."""
        levels = _levels(self.payoffs_by_leaf)
        return Reals(self.weights) if levels is None else Thermometer(levels, self.weights)

    @cached_property
    def masks(self) -> NDArray[np.uint64]:
        """Every leaf's code on a ``Thermometer``, in machine words, the lowest bits first."""
        scale = self.scale
        assert isinstance(scale, Thermometer)
        world = np.repeat(np.arange(self.worlds), [len(lane) - 1 for lane in scale.levels])
        below = np.array([level for lane in scale.levels for level in lane[:-1]], dtype=np.float64)
        words = max(1, -(-scale.bits // 64))
        packed = np.zeros((len(self.payoffs_by_leaf), 8 * words), dtype=np.uint8)
        for start in range(0, len(packed), 1 << 16):
            rows = self.payoffs_by_leaf[start : start + (1 << 16)]
            # "not at most", so that undefined sets every bit of its lane
            bits = np.packbits(~(rows[:, world] <= below), axis=1, bitorder="little")
            packed[start : start + len(rows), : bits.shape[1]] = bits
        return packed.view(np.uint64)

    def code(self, position: int) -> Any:
        """A leaf's payoffs on the tree's scale."""
        if isinstance(self.scale, Reals):
            return self.scale.code(self.payoffs(position))
        leaf = self._leaf_number[position]
        return self._words[leaf] if self._words else int.from_bytes(self.masks[leaf].tobytes(), "little")

    # ------------------------------------------------------------------ shape

    def __len__(self) -> int:
        return len(self.kind)

    @property
    def leaves(self) -> int:
        """How many leaves there are."""
        return len(self.payoffs_by_leaf)

    @cached_property
    def depth(self) -> int:
        """The greatest number of moves from the root to a leaf."""
        return int(depths_of(self.end).max())

    @cached_property
    def parent(self) -> NDArray[np.int32]:
        """Each node's parent; -1 for the root."""
        return parents_of(self.end)

    @property
    def has_undefined(self) -> bool:
        """Whether some payoff is undefined."""
        return bool(np.isnan(self.payoffs_by_leaf).any())

    def label(self, position: int) -> str:
        """A node's name, or its number."""
        return self.names.get(position, str(position))

    def move_label(self, position: int, move: int) -> str:
        """A branch's name, or that of the node it leads to, or its number."""
        if position in self.move_names:
            return self.move_names[position][move]
        return self.names.get(self.play(position, move), str(move))

    def world_label(self, world: int) -> str:
        """A world's name, or ``w1``, ``w2`` ... as in the papers."""
        return world_label(world, self.world_names)

    def place(self, position: int) -> str:
        """Where a node stands, as its path in the notation.

        >>> from worldwise import tree_from_dict
        >>> tree_from_dict({"max": [{"payoff": [1]}, {"min": [{"payoff": [0]}]}]}).place(3)
        'root.max[1].min[0]'
        """
        return place_of(self._kind, self.end.data, position)

    def with_payoffs(self, payoffs_by_leaf: NDArray[np.float64], weights: Sequence[Weight]) -> WorldTree:
        """The same tree with other payoffs, over other worlds."""
        return WorldTree(self.kind, self.end, payoffs_by_leaf, tuple(weights), self.names, self.move_names)

    def pool_worlds(self, known: Iterable[int]) -> WorldTree | None:
        """The tree in which the unknown worlds are one, see ``search.knowledge``; None if payoffs are undefined."""
        if self.has_undefined:
            return None
        seen = sorted(known)
        hidden = [world for world in range(self.worlds) if world not in seen]
        whole = np.array(whole_weights(self.weights), dtype=np.float64)
        total = self.payoffs_by_leaf[:, hidden] @ whole[hidden]
        weights = [int(weight) for weight in whole[seen]]
        return self.with_payoffs(np.column_stack([self.payoffs_by_leaf[:, seen], total]), [*weights, 1])

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, WorldTree)
            and np.array_equal(self.kind, other.kind)
            and np.array_equal(self.end, other.end)
            and np.array_equal(self.payoffs_by_leaf, other.payoffs_by_leaf, equal_nan=True)
            and whole_weights(self.weights) == whole_weights(other.weights)
            and (dict(self.names), dict(self.move_names)) == (dict(other.names), dict(other.move_names))
            and (self.world_names, self.title) == (other.world_names, other.title)
        )

    def __hash__(self) -> int:
        payoffs = np.nan_to_num(self.payoffs_by_leaf, nan=np.inf) + 0.0  # so that -0 is 0, and one NaN as another
        return hash((self.kind.tobytes(), self.end.tobytes(), payoffs.tobytes()))

    def __repr__(self) -> str:
        title = f" {self.title!r}" if self.title else ""
        return f"<WorldTree{title}: {len(self)} nodes, {self.leaves} leaves, {self.worlds} worlds>"

    # ------------------------------------------------------------------ inside

    # Views whose items are plain Python numbers, for walking the tree node by node.

    @cached_property
    def _kind(self) -> memoryview:
        return self.kind.data

    @cached_property
    def _offsets(self) -> memoryview:
        degrees = np.bincount(self.parent[1:], minlength=len(self)) if len(self) > 1 else np.zeros(1)
        return np.concatenate([[0], np.cumsum(degrees)]).astype(np.int32).data

    @cached_property
    def _children(self) -> memoryview:
        return (np.argsort(self.parent[1:], kind="stable") + 1).astype(np.int32).data

    @cached_property
    def _leaf_number(self) -> memoryview:
        return (np.cumsum(self.kind == LEAF) - 1).astype(np.int32).data

    @cached_property
    def _words(self) -> memoryview | None:
        """The codes, if each is a single word."""
        return np.ascontiguousarray(self.masks[:, 0]).data if self.masks.shape[1] == 1 else None


def _check_payoffs(payoffs: NDArray[np.float64]) -> None:
    if payoffs.ndim != 2 or payoffs.dtype != np.float64 or not payoffs.shape[1]:
        raise TreeError(f"expected rows of payoffs as float64, found {payoffs.shape} of {payoffs.dtype}")
    if np.isinf(payoffs).any():
        raise TreeError("expected finite payoffs, or NaN where undefined, found an infinite one")


class TreeBuilder:
    """Builds a tree node by node, in preorder: ``open`` a node, add its children, ``close`` it; or add a ``leaf``."""

    def __init__(self) -> None:
        self._kind = array("B")
        self._end = array("i")
        self._payoffs = array("d")
        self.open_nodes: list[int] = []
        self.names: dict[int, str] = {}
        self.move_names: dict[int, tuple[str, ...]] = {}

    def open(self, side: Side | None = None) -> int:
        """Begin a node; its side may also be given later, by ``turn``."""
        node = len(self._kind)
        self._kind.append(_kind_of(side))
        self._end.append(0)
        self.open_nodes.append(node)
        return node

    def __len__(self) -> int:
        return len(self._kind)

    @property
    def node(self) -> int:
        """The innermost open node."""
        return self.open_nodes[-1]

    @property
    def side(self) -> str:
        """Whose turn it is at this node, as the notation has it."""
        return WORDS[self._kind[self.node]]

    def turn(self, side: Side) -> None:
        """Say whose turn it is at this node."""
        self._kind[self.node] = _kind_of(side)

    def fill(self, payoffs: Iterable[float]) -> None:
        """Give this node its payoffs, NaN for undefined: it is a leaf."""
        self._payoffs.extend(payoffs)

    def close(self) -> None:
        """End this node."""
        self._end[self.open_nodes.pop()] = len(self._kind)

    def leaf(self, payoffs: Iterable[float]) -> None:
        """A whole leaf at once."""
        self.open()
        self.fill(payoffs)
        self.close()

    def leaves(self, count: int) -> None:
        """So many leaves at once, to be filled later."""
        first = len(self) + 1
        self._kind.frombytes(bytes(count))
        self._end.extend(range(first, first + count))

    def fill_rows(self, payoffs: NDArray[np.float64]) -> None:
        """Give the next leaves, in preorder, a row of payoffs each."""
        self._payoffs.frombytes(payoffs.tobytes())

    def children(self) -> int:
        """How many children this node has so far."""
        count, child = 0, self.node + 1
        while child < len(self):
            count, child = count + 1, self._end[child]
        return count

    def place(self, node: int) -> str:
        """Where a node stands, or would stand if it came next."""
        return place_of(self._kind, self._end, node)

    def tree(self, weights: Sequence[Weight], **rest: Any) -> WorldTree:
        """The finished tree."""
        return WorldTree(*self._arrays(len(weights)), tuple(weights), self.names, self.move_names, **rest)

    def fault(self, worlds: int, world_names: Sequence[str] | None = None) -> tuple[int, str] | None:
        """The node that is wrong, and how, if the tree is refused for its undefined payoffs."""
        return find_fault(*self._arrays(worlds), world_names)

    def _arrays(self, worlds: int) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.float64]]:
        return (
            np.frombuffer(self._kind, dtype=np.uint8),
            np.frombuffer(self._end, dtype=np.int32),
            np.frombuffer(self._payoffs, dtype=np.float64).reshape(-1, worlds),
        )


def unroll(game: AnyWorldGame, most_nodes: int = 10_000_000) -> WorldTree:
    """The tree of any ``WorldGame``; branches are named after the moves.

    >>> from worldwise import random_tree
    >>> tree = random_tree(depth=3, worlds=4, seed=1)
    >>> bool((unroll(tree).payoffs_by_leaf == tree.payoffs_by_leaf).all())
    True
    """
    builder = TreeBuilder()
    nan = float("nan")
    ahead: list[Any] = [(game.root,)]
    while ahead:
        step = ahead.pop()
        if step is None:
            builder.close()
            continue
        (position,) = step
        side = game.to_move(position)
        node = builder.open(side)
        if node >= most_nodes:
            raise TreeError(f"the game has more than {most_nodes} nodes")
        ahead.append(None)
        if side is None:
            payoffs = game.payoffs(position)
            if len(payoffs) != game.worlds:
                raise TreeError(f"expected {game.worlds} payoffs, found {len(payoffs)}", repr(position))
            builder.fill(nan if payoff is None else payoff for payoff in payoffs)
        else:
            moves = game.moves(position)
            builder.move_names[node] = tuple(map(str, moves))
            ahead.extend((game.play(position, move),) for move in reversed(moves))
    return builder.tree(tuple(game.weights))


def check_weights(weights: Sequence[Weight], worlds: int) -> None:
    """Probabilities are one a world, finite, not negative, not all zero."""
    if len(weights) != worlds:
        raise TreeError(f"expected {worlds} probabilities, found {len(weights)}", "probabilities")
    for world, weight in enumerate(weights):
        if not is_weight(weight):
            raise TreeError(
                f"expected a finite number that is not negative, found {weight!r}", f"probabilities[{world}]"
            )
    if not any(weights):
        raise TreeError("expected at least one probability above zero, found none", "probabilities")


def is_weight(weight: Weight) -> bool:
    """Whether a number is finite and not negative; so compared, no whole number is too large to tell."""
    return 0 <= weight <= sys.float_info.max


def _kind_of(side: Side | None) -> int:
    return LEAF if side is None else MAX if side is Side.MAX else MIN


def _levels(payoffs: NDArray[np.float64]) -> tuple[tuple[float, ...], ...] | None:
    """Each world's different payoffs in rising order; None if there are too many for a thermometer."""
    low, high = float(np.nanmin(payoffs)), float(np.nanmax(payoffs))
    if high - low < _LANE and not (payoffs % 1 > 0).any():
        whole = tuple(range(int(low), int(high) + 1))
        return tuple(whole for _ in payoffs.T)
    columns = [np.unique(column[~np.isnan(column)]) for column in payoffs.T]
    if sum(len(column) - 1 for column in columns) > _LANE * len(columns):
        return None
    levels: list[list[float]] = [column.tolist() for column in columns]
    return tuple(tuple(map(_whole, level)) for level in levels)


def _whole(payoff: float) -> float:
    """A whole number as an int, so that it prints as one."""
    return int(payoff) if payoff.is_integer() else payoff
