"""Compiled passes over ``WorldTree``: what ``search.backup.ReadablePasses`` does, hundreds of times faster.

``compile_game(game)`` is all a caller needs: searchers run on what it returns exactly as on the game itself, and give
the same answers, the same node counts included.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from worldwise.core.front import Front
from worldwise.core.result import Clock, Later, Stats
from worldwise.core.scale import AnyScale, Reals, Thermometer
from worldwise.core.vector import Vector
from worldwise.kernels import native, pick, watch
from worldwise.search.backup import Backup, Chosen, Followed, Guess, PerfectInformation, ReadablePasses, maximal
from worldwise.search.random_ties import FIRST, Ties
from worldwise.trees.preorder import MAX
from worldwise.trees.world_tree import WorldTree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from worldwise.core.game import AnyWorldGame, Side
    from worldwise.core.vector import Payoff
    from worldwise.search.knowledge import Knowledge


def compile_game(game: AnyWorldGame) -> AnyWorldGame:
    """The game with compiled passes if there are any for it, otherwise the game itself."""
    return pick(_compiled, _readable, fits=isinstance(game, WorldTree))(game)


def _compiled(game: AnyWorldGame) -> AnyWorldGame:
    assert isinstance(game, WorldTree)
    return CompiledTree(game)


def _readable(game: AnyWorldGame) -> AnyWorldGame:
    """As it is: ``search.backup.passes`` finds the readable ones for it."""
    return game


def optimum_of_batch(
    kind: NDArray[np.uint8], end: NDArray[np.int32], leaves: NDArray[np.uint64], known: int
) -> NDArray[np.int16]:
    """``trees.batches.optimum``, compiled: a column of leaves for every tree of one shape."""
    best = np.empty(leaves.shape[1], dtype=np.int16)
    native.optimum_of_batch(kind, end, np.ascontiguousarray(leaves.T), known, best)
    return best


class CompiledTree:
    """A tree that brings its own passes. It is a ``WorldGame`` as the tree is."""

    def __init__(self, tree: WorldTree) -> None:
        self.tree = tree

    # ------------------------------------------------------------------ the game, unchanged

    @property
    def worlds(self) -> int:
        """How many worlds there are."""
        return self.tree.worlds

    @property
    def weights(self) -> tuple[Any, ...]:
        """Their probabilities."""
        return self.tree.weights

    @property
    def root(self) -> int:
        """Node 0."""
        return 0

    def to_move(self, position: int) -> Side | None:
        """Whose node this is."""
        return self.tree.to_move(position)

    def moves(self, position: int) -> range:
        """The numbers of the branches."""
        return self.tree.moves(position)

    def play(self, position: int, move: int) -> int:
        """The node a branch leads to."""
        return self.tree.play(position, move)

    def payoffs(self, position: int) -> tuple[Payoff, ...]:
        """A leaf's payoffs."""
        return self.tree.payoffs(position)

    def code(self, position: int) -> Any:
        """A leaf's payoffs, coded."""
        return self.tree.code(position)

    def pool_worlds(self, known: Iterable[int]) -> CompiledTree | None:
        """The tree's own, compiled."""
        pooled = self.tree.pool_worlds(known)
        return None if pooled is None else CompiledTree(pooled)

    # ------------------------------------------------------------------ passes

    @property
    def scale(self) -> AnyScale:
        """The tree's."""
        return self.tree.scale

    def fuse(self, scale: AnyScale, ties: Ties, clock: Clock | None = None) -> Backup:
        """See ``Passes``."""
        return self._back_up(scale, Guess.none(scale), ties, clock, fused=True)

    def perfect_information(self, clock: Clock | None = None) -> PerfectInformation:
        """See ``Passes``; the bounds are a row for every node, MIN or not."""
        bounds = np.empty((len(self.tree), self._width), dtype=self._leaves.dtype)
        backup = self._back_up(self.scale, Guess.none(self.scale), FIRST, clock, fused=True, values=bounds)
        return PerfectInformation(backup.value, bounds, backup.stats)

    def choose(self, bounds: Any, beta: bool, guess: Guess, ties: Ties, clock: Clock | None = None) -> Backup:
        """See ``Passes``."""
        return self._back_up(self.scale, guess, ties, clock, bounds=bounds, beta=beta)

    def _back_up(self, scale: AnyScale, guess: Guess, ties: Ties, clock: Clock | None, **options: Any) -> Backup:
        chosen, value, first = self._outputs()
        with watch(clock) as limits:
            counts = native.back_up(
                *self._arrays,
                self._gains(scale),
                self._words(guess.need),
                self._words(guess.rest),
                guess.first,
                options.get("bounds"),
                options.get("beta", False),
                options.get("fused", False),
                ties.word,
                *limits,
                chosen,
                value,
                first,
                options.get("values"),
            )
        return Backup(self._code(value), self._first(first, self._code), chosen, Stats(*counts))

    def alpha_beta(self, ties: Ties, clock: Clock | None = None) -> Backup:
        """See ``Passes``."""
        chosen, value, first = self._outputs()
        with watch(clock) as limits:
            searched, counts = native.alpha_beta(
                *self._arrays,
                self._gains(self.scale),
                self._words(self.scale.top),
                ties.word,
                *limits,
                chosen,
                value,
                first,
            )
        return Backup(self._code(value), self._first(first[:searched], self._code), chosen, Stats(*counts))

    def fronts(self, clock: Clock) -> Backup:
        """See ``Passes``."""
        return self._exact(clock, lambda limits: native.fronts(*self._arrays, *limits), self._front)

    def tables(self, clock: Clock) -> Backup:
        """See ``Passes``."""
        scale = self.scale
        assert isinstance(scale, Thermometer)
        return self._exact(
            clock,
            lambda limits: native.tables(*self._arrays, scale.bits, *limits),
            lambda words: Front(maximal(self._code(words), scale.bits)),
        )

    def _exact(self, clock: Clock, kernel: Any, front: Any) -> Backup:
        with watch(clock) as limits:
            words, first, counts = kernel(limits)
        return Backup(front(words), self._first(first, front), None, Stats(*counts))

    def realise(self, target: Any, ties: Ties, clock: Clock | None = None) -> Backup:
        """See ``Passes``."""
        chosen = np.empty(len(self.tree), dtype=np.int32)
        with watch(clock) as limits:
            won, counts = native.realise(*self._arrays, self._words(target), ties.word, *limits, chosen)
        return Backup(won, {}, chosen, Stats(*counts))

    def follow(self, chosen: Chosen, knowledge: Knowledge | None) -> Followed:
        """See ``Passes``; a strategy given as a mapping is followed too."""
        if (knowledge and self.tree.has_undefined) or not isinstance(chosen, np.ndarray):
            return ReadablePasses(self.tree).follow(_mapping(chosen), knowledge)
        seen, hidden = (None, None) if knowledge is None else self._sight(knowledge)
        value = np.empty(self._width, dtype=self._leaves.dtype)
        nodes, counts = native.follow(*self._arrays, self._gains(self.scale), chosen, seen, hidden, value)
        strategy = dict(zip(nodes.tolist(), chosen[nodes].tolist(), strict=True))
        return Followed(self._code(value), strategy, Stats(*counts))

    # ------------------------------------------------------------------ between Python values and arrays

    @cached_property
    def _leaves(self) -> NDArray[Any]:
        if isinstance(self.scale, Thermometer):
            return self.tree.masks
        return np.where(np.isnan(self.tree.payoffs_by_leaf), np.inf, self.tree.payoffs_by_leaf)

    @cached_property
    def _arrays(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        return self.tree.kind, self.tree.end, self._leaves

    @property
    def _width(self) -> int:
        return int(self._leaves.shape[1])

    @cached_property
    def _first_children(self) -> int:
        """How many children the root has."""
        count, node = 0, 1
        while node < len(self.tree):
            count, node = count + 1, int(self.tree.end[node])
        return count

    def _outputs(self) -> tuple[NDArray[np.int32], NDArray[Any], NDArray[Any]]:
        """Room for the moves chosen, the root's value and its children's."""
        kind = self._leaves.dtype
        return (
            np.empty(len(self.tree), dtype=np.int32),
            np.empty(self._width, dtype=kind),
            np.empty((self._first_children, self._width), dtype=kind),
        )

    def _gains(self, scale: AnyScale) -> NDArray[Any]:
        if isinstance(scale, Thermometer):
            return np.array(scale.gains, dtype=np.int64)
        assert isinstance(scale, Reals)
        return np.array(scale.whole, dtype=np.float64)

    def _words(self, code: Any) -> NDArray[Any]:
        """A code as the kernels read it."""
        if isinstance(code, int):
            return np.frombuffer(code.to_bytes(8 * self._width, "little"), dtype=np.uint64)
        return np.array(code.height(), dtype=np.float64)

    def _code(self, words: NDArray[Any]) -> Any:
        """What the kernels wrote, as a code."""
        if isinstance(self.scale, Thermometer):
            return int.from_bytes(words.tobytes(), "little")
        return Vector(words.tolist())

    def _front(self, rows: NDArray[Any]) -> Front[Any]:
        return Front.of_undominated(map(self._code, rows))

    def _first(self, values: Sequence[Any] | NDArray[Any], make: Callable[[Any], Any]) -> Mapping[Any, Any]:
        """What each first move of MAX is worth."""
        return Later(_Numbered(values), make) if self.tree.kind[0] == MAX else {}

    def _sight(self, knowledge: Knowledge) -> tuple[NDArray[Any], NDArray[Any]]:
        (unknown,) = knowledge.groups
        return self._words(self.scale.only(knowledge.known)), self._words(self.scale.only(unknown))


class _Numbered(Mapping[int, Any]):
    """A sequence as a mapping from numbers."""

    def __init__(self, values: Sequence[Any] | NDArray[Any]) -> None:
        self._values = values

    def __getitem__(self, number: int) -> Any:
        return self._values[number]

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self._values)))

    def __len__(self) -> int:
        return len(self._values)


def _mapping(chosen: Chosen) -> Any:
    return dict(enumerate(chosen.tolist())) if isinstance(chosen, np.ndarray) else chosen
