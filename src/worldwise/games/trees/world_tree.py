"""``WorldTree``: a game tree whose leaves hold one payoff per possible world (FB01 section 2).

The tree lies flat, in preorder: node 0 is the root, a node's first child follows it, and ``end[node]`` is the first node
after its subtree, where its next sibling begins. So a million leaves take a few dozen megabytes, no depth is too deep,
and the compiled kernels read the same arrays. A position is a node's number, a move the number of a branch.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from worldwise.core.game import AnyWorldGame, Side
from worldwise.core.scale import AnyScale, Reals, Thermometer
from worldwise.core.vector import Payoff, Weight, whole_weights
from worldwise.errors import TreeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

LEAF, MAX, MIN = 0, 1, 2
"""What ``kind`` says of a node."""

_SIDES = {MAX: Side.MAX, MIN: Side.MIN, LEAF: None}
_KINDS = {side: kind for kind, side in _SIDES.items()}

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
        check_weights(self.weights, self.worlds)
        if np.isnan(self.payoffs_by_leaf).any():
            self._check_open_worlds()

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
        deepest = depth = 0
        ends: list[int] = []
        for node, end in enumerate(memoryview(self.end)):
            while ends and ends[-1] == node:
                ends.pop()
            depth = len(ends)
            deepest = max(deepest, depth)
            ends.append(end)
        return deepest

    @cached_property
    def parent(self) -> NDArray[np.int32]:
        """Each node's parent; -1 for the root."""
        parents = array("i")
        open_nodes: list[int] = []
        ends = memoryview(self.end)
        for node in range(len(self)):
            while open_nodes and ends[open_nodes[-1]] == node:
                open_nodes.pop()
            parents.append(open_nodes[-1] if open_nodes else -1)
            open_nodes.append(node)
        return np.frombuffer(parents, dtype=np.int32)

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
        return self.world_names[world] if self.world_names else f"w{world + 1}"

    def place(self, position: int) -> str:
        """Where a node stands, as its path in the notation.

        >>> from worldwise import tree_from_dict
        >>> tree_from_dict({"max": [{"payoff": [1]}, {"min": [{"payoff": [0]}]}]}).place(3)
        'root.max[1].min[0]'
        """
        steps: list[str] = []
        while (above := int(self.parent[position])) >= 0:
            branch = next(move for move in self.moves(above) if self.play(above, move) == position)
            steps.append(f"{_SIDES[self._kind[above]].value}[{branch}]")  # type: ignore[union-attr]
            position = above
        return ".".join(["root", *reversed(steps)])

    def with_payoffs(self, payoffs_by_leaf: NDArray[np.float64], weights: Sequence[Weight]) -> WorldTree:
        """The same tree with other payoffs, over other worlds."""
        return WorldTree(self.kind, self.end, payoffs_by_leaf, tuple(weights), self.names, self.move_names)

    def pooled(self, known: Iterable[int]) -> WorldTree | None:
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
        return hash((self.kind.tobytes(), self.end.tobytes(), self.payoffs_by_leaf.tobytes()))

    def __repr__(self) -> str:
        title = f" {self.title!r}" if self.title else ""
        return f"<WorldTree{title}: {len(self)} nodes, {self.leaves} leaves, {self.worlds} worlds>"

    # ------------------------------------------------------------------ inside

    # Views whose items are plain Python numbers, for walking the tree node by node.

    @cached_property
    def _kind(self) -> memoryview:
        return memoryview(self.kind)

    @cached_property
    def _offsets(self) -> memoryview:
        degrees = np.bincount(self.parent[1:], minlength=len(self)) if len(self) > 1 else np.zeros(1)
        return memoryview(np.concatenate([[0], np.cumsum(degrees)]).astype(np.int32))

    @cached_property
    def _children(self) -> memoryview:
        return memoryview((np.argsort(self.parent[1:], kind="stable") + 1).astype(np.int32))

    @cached_property
    def _leaf_number(self) -> memoryview:
        return memoryview((np.cumsum(self.kind == LEAF) - 1).astype(np.int32))

    @cached_property
    def _words(self) -> memoryview | None:
        """The codes, if each is a single word."""
        return memoryview(np.ascontiguousarray(self.masks[:, 0])) if self.masks.shape[1] == 1 else None

    def _check_open_worlds(self) -> None:
        """Every world is reached somewhere, and MAX never has a move in some worlds only."""
        everywhere = (1 << self.worlds) - 1
        rows = np.packbits(~np.isnan(self.payoffs_by_leaf), axis=1, bitorder="little")
        open_worlds = [0] * len(self)
        for node in reversed(range(len(self))):
            if self._kind[node] == LEAF:
                open_worlds[node] = int.from_bytes(rows[self._leaf_number[node]].tobytes(), "little")
                continue
            below = [open_worlds[self.play(node, move)] for move in self.moves(node)]
            for worlds in below:
                open_worlds[node] |= worlds
            if self._kind[node] == MAX and min(below) != max(below):
                self._complain_of_max(node, below)
        if open_worlds[0] != everywhere:
            missing = self._world_list(everywhere & ~open_worlds[0])
            raise TreeError(f"expected a payoff in every world somewhere, found none in {missing}", "root")

    def _complain_of_max(self, node: int, below: list[int]) -> None:
        odd = next(move for move in self.moves(node) if below[move] != below[0])
        raise TreeError(
            "expected MAX's moves to be open in the same worlds (he cannot see the world); found move 0 and "
            f"move {odd} to differ in {self._world_list(below[0] ^ below[odd])}",
            self.place(node),
        )

    def _world_list(self, worlds: int) -> str:
        return ", ".join(self.world_label(world) for world in range(self.worlds) if worlds >> world & 1)


class TreeBuilder:
    """Builds a tree node by node, in preorder: ``open`` a node, add its children, ``close`` it; or add a ``leaf``."""

    def __init__(self) -> None:
        self._kind = array("B")
        self._end = array("i")
        self._payoffs = array("d")
        self._open: list[int] = []
        self.names: dict[int, str] = {}
        self.move_names: dict[int, tuple[str, ...]] = {}

    def open(self, side: Side | None = None) -> int:
        """Begin a node; its side may also be given later, by ``turn``."""
        node = len(self._kind)
        self._kind.append(_KINDS[side])
        self._end.append(0)
        self._open.append(node)
        return node

    def turn(self, side: Side) -> None:
        """Say whose turn it is at the node begun last."""
        self._kind[self._open[-1]] = _KINDS[side]

    def fill(self, payoffs: Iterable[float]) -> None:
        """Give the node begun last its payoffs, NaN for undefined: it is a leaf."""
        self._payoffs.extend(payoffs)

    def close(self) -> None:
        """End the node begun last."""
        self._end[self._open.pop()] = len(self._kind)

    def leaf(self, payoffs: Iterable[float]) -> None:
        """A whole leaf at once."""
        self.open()
        self.fill(payoffs)
        self.close()

    def tree(self, weights: Sequence[Weight], **rest: Any) -> WorldTree:
        """The finished tree."""
        payoffs = np.frombuffer(self._payoffs, dtype=np.float64).reshape(-1, len(weights))
        kind = np.frombuffer(self._kind, dtype=np.uint8)
        end = np.frombuffer(self._end, dtype=np.int32)
        return WorldTree(kind, end, payoffs, tuple(weights), self.names, self.move_names, **rest)


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
            builder.fill(nan if payoff is None else payoff for payoff in game.payoffs(position))
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
        if not isfinite(weight) or weight < 0:
            raise TreeError(
                f"expected a finite number that is not negative, found {weight!r}", f"probabilities[{world}]"
            )
    if not any(weights):
        raise TreeError("expected at least one world with a probability above zero, found none", "probabilities")


def _levels(payoffs: NDArray[np.float64]) -> tuple[tuple[float, ...], ...] | None:
    """Each world's different payoffs in rising order; None if there are too many for a thermometer."""
    low, high = np.nanmin(payoffs), np.nanmax(payoffs)
    if high - low < _LANE and not (payoffs % 1 > 0).any():
        return (tuple(range(int(low), int(high) + 1)),) * payoffs.shape[1]
    columns = [np.unique(column[~np.isnan(column)]) for column in payoffs.T]
    if sum(len(column) - 1 for column in columns) > _LANE * len(columns):
        return None
    return tuple(tuple(_whole(level) for level in column.tolist()) for column in columns)


def _whole(payoff: float) -> float:
    """A whole number as an int, so that it prints as one."""
    return int(payoff) if payoff.is_integer() else payoff
