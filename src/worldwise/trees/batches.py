"""Many trees at once: the algorithms of FB01 over whole batches of win-or-lose trees of one shape.

A world is a bit and a batch is an array: at every node one number a tree, and ``&``, ``|`` and the choice of a branch
are array operations over all trees of the batch. The recursions are those of ``search.backup``, read with arrays for
codes; tree by tree they give what the algorithms give on that tree alone, ties included.

Known worlds are always the first ones. In a random tree worlds are exchangeable: which are known makes no difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from operator import and_, or_
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from worldwise.errors import InputError
from worldwise.kernels import pick
from worldwise.search.exact import Exact
from worldwise.trees.compiled import compile_game, optimum_of_batch
from worldwise.trees.generator import complete_shape, random_payoffs
from worldwise.trees.preorder import LEAF, MAX, check_shape
from worldwise.trees.world_tree import WorldTree

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

MOST_KNOWN = 20
"""The optimum keeps a table over all sets of known worlds: more would not be worth its memory."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Trees of one shape over at most 64 worlds, payoffs 0 or 1: ``leaves[i, t]`` is the mask of leaf i in tree t.

    Nodes at the same distance from the root are alike: all leaves, or all of one player and with as many branches.
    """

    kind: NDArray[np.uint8]
    end: NDArray[np.int32]
    leaves: NDArray[np.uint64]
    worlds: int

    def __post_init__(self) -> None:
        if self.leaves.ndim != 2 or not 1 <= self.worlds <= 64:
            raise InputError(
                f"expected a row for every leaf over 1 to 64 worlds, found {self.leaves.shape} over {self.worlds}"
            )
        check_shape(self.kind, self.end, len(self.leaves))
        _ = self.levels

    @classmethod
    def random(
        cls, rng: np.random.Generator, trees: int, depth: int, worlds: int, branching: int = 2, similarity: float = 0.0
    ) -> Batch:
        """Random trees as ``random_tree`` makes them one by one.

        >>> Batch.random(np.random.default_rng(1), trees=3, depth=2, worlds=4).leaves.shape
        (4, 3)
        """
        kind, end = complete_shape(depth, branching)
        leaves = np.empty((branching**depth, trees), dtype=np.uint64)
        for tree in range(trees):
            payoffs = random_payoffs(rng, depth, len(leaves), worlds, branching, similarity)
            leaves[:, tree] = _masks(payoffs)
        return cls(kind, end, leaves, worlds)

    @property
    def trees(self) -> int:
        """How many trees there are."""
        return int(self.leaves.shape[1])

    def tree(self, number: int) -> WorldTree:
        """One tree of the batch, for the algorithms that take one."""
        masks = self.leaves[:, number, None]
        payoffs = (masks >> np.arange(self.worlds, dtype=np.uint64) & np.uint64(1)).astype(np.float64)
        return WorldTree(self.kind, self.end, payoffs, (1,) * self.worlds)

    @cached_property
    def children(self) -> list[list[int]]:
        """The children of every node."""
        shape = WorldTree(self.kind, self.end, np.zeros((len(self.leaves), 1)), (1,))
        return [[shape.play(node, move) for move in shape.moves(node)] for node in range(len(shape))]

    @cached_property
    def levels(self) -> list[NDArray[np.intp]]:
        """The children of every node, a table for every distance from the root but the leaves'.

        A table has a row for every node of that distance, in preorder.
        """
        levels: list[NDArray[np.intp]] = []
        nodes = [0]
        while nodes:
            below = [self.children[node] for node in nodes]
            if len({(self.kind[node], len(children)) for node, children in zip(nodes, below, strict=True)}) > 1:
                raise InputError("expected trees whose nodes are alike at the same distance from the root")
            levels.append(np.array(below, dtype=np.intp))
            nodes = [child for children in below for child in children]
        return levels[:-1]

    @cached_property
    def leaf_numbers(self) -> list[int]:
        """The number of the leaf that a node is, for leaves."""
        numbers: list[int] = (np.cumsum(self.kind == LEAF) - 1).tolist()
        return numbers

    def leaf(self, node: int) -> NDArray[np.uint64]:
        """A leaf's masks."""
        masks: NDArray[np.uint64] = self.leaves[self.leaf_numbers[node]]
        return masks

    def mask(self, worlds: range) -> np.uint64:
        """The mask of some worlds."""
        return np.uint64(sum(1 << world for world in worlds))

    @property
    def top(self) -> NDArray[np.uint64]:
        """Every world, for every tree."""
        return np.full(self.trees, self.mask(range(self.worlds)))


@dataclass(frozen=True, eq=False)
class BatchPlay:
    """What an algorithm does on a batch: the masks it believes in, and the branch chosen at every MAX node.

    ``chosen[node, t]`` is the branch in tree t; at other nodes it means nothing.
    """

    believed: NDArray[np.uint64]
    chosen: NDArray[np.int8]


# ---------------------------------------------------------------------- ties, as search.random_ties breaks them


@dataclass(frozen=True, eq=False)
class BatchTies:
    """A seed for every tree, so that each breaks its ties as it would alone; None takes the first of equals."""

    seeds: NDArray[np.uint64] | None = None

    def takes_over(self, node: int, equals: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """See ``Ties.takes_over``."""
        if self.seeds is None:
            return np.zeros(len(equals), dtype=np.bool_)
        taken: NDArray[np.bool_] = _splitmix(_splitmix(_splitmix(self.seeds) ^ np.uint64(node)) ^ equals) % equals == 0
        return taken

    def fork(self, branch: NDArray[np.uint64]) -> BatchTies:
        """See ``Ties.fork``; the branch may differ from tree to tree."""
        return self if self.seeds is None else BatchTies(_splitmix(_splitmix(self.seeds) ^ ~branch))


def _splitmix(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """``core.mixing.splitmix`` over an array; unsigned numbers wrap as machine words do."""
    numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


FIRST = BatchTies()


def _pick(keys: Sequence[NDArray[np.int16]], ties: BatchTies, node: int) -> NDArray[np.int8]:
    """The branch with the greatest key, tree by tree."""
    best = keys[0]
    branch = np.zeros(len(best), dtype=np.int8)
    equals = np.ones(len(best), dtype=np.uint64)
    for number, key in enumerate(keys[1:], start=1):
        tied = key == best
        equals = np.where(tied, equals + np.uint64(1), np.where(key > best, np.uint64(1), equals))
        take = (key > best) | (tied & ties.takes_over(node, equals))
        branch = np.where(take, np.int8(number), branch)
        best = np.maximum(best, key)
    return branch


# ---------------------------------------------------------------------- the algorithms


def monte_carlo(batch: Batch, ties: BatchTies = FIRST) -> BatchPlay:
    """Single-pass Monte Carlo (FB01 section 3)."""
    chosen = _no_choice(batch)
    believed = batch.top

    def visit(node: int) -> NDArray[np.uint64]:
        nonlocal believed
        if batch.kind[node] == LEAF:
            return batch.leaf(node)
        values = [visit(child) for child in batch.children[node]]
        if batch.kind[node] != MAX:
            return reduce(and_, values)
        chosen[node] = _pick([_count(value) for value in values], ties, node)
        if node == 0:
            believed = np.choose(chosen[0], values)
        return reduce(or_, values)

    value = visit(0)
    return BatchPlay(believed if batch.kind[0] == MAX else value, chosen)


def vector_minimax(
    batch: Batch,
    *,
    reduce: bool = False,
    beta: bool = False,
    iterate: bool = False,
    tiebreak: bool = False,
    ties: BatchTies = FIRST,
) -> BatchPlay:
    """FB01's eight algorithms; the switches are those of ``search.heuristics.VectorMinimax``."""
    bounds = _perfect_information(batch) if reduce or iterate else {}
    guesses = _guesses(batch, bounds[0], tiebreak) if iterate else _no_guess(batch)
    best = BatchPlay(np.zeros(batch.trees, dtype=np.uint64), _no_choice(batch))
    score = np.full(batch.trees, -1, dtype=np.int16)
    tried = np.zeros(batch.trees, dtype=np.uint64)
    for guess in guesses:
        played = _choose(batch, bounds if reduce else None, beta, guess, ties.fork(tried))
        tried = tried + guess.meant.astype(np.uint64)
        better = guess.meant & (_count(played.believed) > score)
        best = _where(better, played, best)
        score = np.where(better, _count(played.believed), score)
    return best


class _BatchGuess(NamedTuple):
    """What a pass needs, the worlds it averages over, the trees for which the guess is meant, and which comes first."""

    need: NDArray[np.uint64]
    rest: NDArray[np.uint64]
    meant: NDArray[np.bool_]
    first: bool = True

    def key(self, value: NDArray[np.uint64]) -> NDArray[np.int16]:
        """``Guess.key``, tree by tree; no count of worlds is above 64."""
        met, average = (self.need & value) == self.need, _count(value & self.rest)
        key: NDArray[np.int16] = np.int16(128) * met + average if self.first else np.int16(2) * average + met
        return key


def _no_guess(batch: Batch) -> list[_BatchGuess]:
    return [_BatchGuess(np.zeros(batch.trees, dtype=np.uint64), batch.top, np.ones(batch.trees, dtype=np.bool_))]


def _guesses(batch: Batch, minimax: NDArray[np.uint64], tiebreak: bool) -> list[_BatchGuess]:
    """Each world that perfect information wins; if it wins none, a guess of nothing in each."""
    some = minimax != 0
    guesses = []
    for world in range(batch.worlds):
        bit = np.uint64(1) << np.uint64(world)
        need = np.where(some, bit, np.uint64(0))
        rest = batch.top if tiebreak else batch.top & ~bit
        guesses.append(_BatchGuess(need, rest, (minimax & need) == need, not tiebreak))
    return guesses


def _where(take: NDArray[np.bool_], new: BatchPlay, held: BatchPlay) -> BatchPlay:
    """Tree by tree, the new or the one held."""
    return BatchPlay(np.where(take, new.believed, held.believed), np.where(take, new.chosen, held.chosen))


def _no_choice(batch: Batch) -> NDArray[np.int8]:
    return np.zeros((len(batch.kind), batch.trees), dtype=np.int8)


def _perfect_information(batch: Batch) -> dict[int, NDArray[np.uint64]]:
    """The minimax value of every node in every world."""
    values: dict[int, NDArray[np.uint64]] = {}

    def visit(node: int) -> NDArray[np.uint64]:
        if batch.kind[node] == LEAF:
            return batch.leaf(node)
        join = or_ if batch.kind[node] == MAX else and_
        values[node] = reduce(join, [visit(child) for child in batch.children[node]])
        return values[node]

    values[0] = visit(0)
    return values


def _choose(
    batch: Batch,
    bounds: dict[int, NDArray[np.uint64]] | None,
    beta: bool,
    guess: _BatchGuess,
    ties: BatchTies,
) -> BatchPlay:
    """``ReadablePasses.choose`` on arrays."""
    chosen = _no_choice(batch)

    def visit(node: int, cap: NDArray[np.uint64]) -> NDArray[np.uint64]:
        if batch.kind[node] == LEAF:
            return batch.leaf(node) & cap
        if batch.kind[node] != MAX:
            return at_min(node, cap if bounds is None else cap & bounds[node])
        values = [visit(child, cap) for child in batch.children[node]]
        chosen[node] = _pick([guess.key(value) for value in values], ties, node)
        best: NDArray[np.uint64] = np.choose(chosen[node], values)
        return best

    def at_min(node: int, cap: NDArray[np.uint64]) -> NDArray[np.uint64]:
        value = batch.top
        for child in batch.children[node]:
            value = value & visit(child, cap & value if beta else cap)
        return value

    return BatchPlay(visit(0, batch.top), chosen)


def _masks(payoffs: NDArray[np.float64]) -> NDArray[np.uint64]:
    """Rows of 0s and 1s as masks."""
    packed = np.packbits(payoffs.astype(np.bool_), axis=1, bitorder="little")
    words = np.zeros((len(payoffs), 8), dtype=np.uint8)
    words[:, : packed.shape[1]] = packed
    masks: NDArray[np.uint64] = words.view("<u8")[:, 0].astype(np.uint64)
    return masks


def _count(masks: NDArray[np.uint64]) -> NDArray[np.int16]:
    return np.bitwise_count(masks).astype(np.int16)


# ---------------------------------------------------------------------- what strategies are worth


def worth(batch: Batch, played: BatchPlay, known: int) -> NDArray[np.int16]:
    """How many worlds each tree's strategy wins against a MIN who knows the first ``known`` worlds."""
    return worths(batch, played, [known])[0]


def worths(batch: Batch, played: BatchPlay, levels: Iterable[int]) -> list[NDArray[np.int16]]:
    """The same for several levels of knowledge: where the strategy leads is found out once.

    Level by level of the tree, ``reached[t]`` are the nodes that tree t's strategy lets MIN come to.
    """
    trees = np.arange(batch.trees)[:, None]
    reached = np.zeros((batch.trees, 1), dtype=np.intp)
    branches = []
    for children in batch.levels:
        rows = np.searchsorted(children[:, 0], reached + 1)
        if batch.kind[reached[0, 0]] == MAX:
            reached = children[rows, played.chosen[reached, trees]]
        else:
            branches.append(children.shape[1])
            reached = children[rows].reshape(batch.trees, -1)
    masks = batch.leaves[np.array(batch.leaf_numbers)[reached], trees]
    return [_count(_meet_upwards(batch, masks, branches, known)) for known in levels]


def _meet_upwards(batch: Batch, masks: NDArray[np.uint64], branches: list[int], known: int) -> NDArray[np.uint64]:
    """What MIN leaves of the masks at the leaves he can come to: in worlds he does not know, all of one branch."""
    seen, hidden = batch.mask(range(known)), batch.mask(range(known, batch.worlds))
    for count in reversed(branches):
        values = masks.reshape(batch.trees, -1, count)
        masks = np.bitwise_and.reduce(values, axis=2)
        if hidden:
            fewest = np.argmin(np.bitwise_count(values & hidden), axis=2)[:, :, None]
            masks = (masks & seen) | (np.take_along_axis(values, fewest, axis=2)[:, :, 0] & hidden)
    return masks[:, 0]


def optimum(batch: Batch, known: int) -> NDArray[np.int16]:
    """How many worlds the best strategy of each tree wins against a MIN who knows the first ``known`` worlds.

    For every set S of known worlds, a table holds the most that can be won among the unknown worlds while winning all
    of S, or -1 if that is impossible. MAX takes the greater entry and MIN the smaller, as in plain minimax.
    """
    if batch.worlds > MOST_KNOWN and known >= batch.worlds - 1:
        return _best_defence(batch)
    if not 0 <= known <= MOST_KNOWN:
        raise InputError(f"expected 0 to {MOST_KNOWN} known worlds, found {known}")
    return pick(_compiled_optimum, _readable_optimum)(batch, known)


def _compiled_optimum(batch: Batch, known: int) -> NDArray[np.int16]:
    return optimum_of_batch(batch.kind, batch.end, batch.leaves, known)


def _readable_optimum(batch: Batch, known: int) -> NDArray[np.int16]:
    sets = np.arange(1 << known, dtype=np.uint64)[:, None]
    hidden = batch.mask(range(known, batch.worlds))

    def visit(node: int) -> NDArray[np.int8]:
        if batch.kind[node] == LEAF:
            masks = batch.leaf(node)
            inside = np.bitwise_count(masks & hidden).astype(np.int8)
            return np.where((sets & ~masks) == 0, inside, np.int8(-1))
        join = np.maximum if batch.kind[node] == MAX else np.minimum
        table: NDArray[np.int8] = join.reduce([visit(child) for child in batch.children[node]])
        return table

    most = visit(0).astype(np.int16)
    sizes = np.bitwise_count(sets).astype(np.int16)
    best: NDArray[np.int16] = np.where(most >= 0, most + sizes, np.int16(-1)).max(axis=0)
    return best


def _best_defence(batch: Batch) -> NDArray[np.int16]:
    """The optimum against a MIN who knows everything, tree by tree: for more worlds than a table can hold."""
    values = [Exact().search(compile_game(batch.tree(number))).value for number in range(batch.trees)]
    won: NDArray[np.int16] = np.rint(np.array(values) * batch.worlds).astype(np.int16)
    return won
