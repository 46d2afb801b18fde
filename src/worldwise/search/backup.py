"""Backing values up the tree: the passes over a game that every algorithm is made of.

Three kinds of pass do all the work:

- ``minimax``: plain minimax in a lattice, ``|`` at MAX and ``&`` at MIN. Over payoff vectors it is Monte Carlo's
  analysis of every world at once (FB01 equations 3 and 4, strategy fusion included); over fronts, or over tables of
  sets of worlds, it is exact; over truth values it finds a strategy for a known payoff vector (FB01 section 7.4).
- ``choose``: MAX keeps the *one* vector that is best on average. With its switches it is each of FB01's eight.
- ``follow``: MAX's moves are given; what are they worth?

``Passes`` is the protocol, ``ReadablePasses`` its readable form for any game. An engine may offer the same, faster.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from worldwise.core.front import Front
from worldwise.core.game import AnyWorldGame, Side, as_coded
from worldwise.core.result import Stats, Tally
from worldwise.errors import TooDeepError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from worldwise.core.result import Clock, Strategy
    from worldwise.core.scale import AnyScale
    from worldwise.search.knowledge import Knowledge
    from worldwise.search.random_ties import Ties

Chosen = Any
"""The move a pass prefers at every MAX position it saw: a mapping, or whatever the engine holds it in."""


@dataclass(frozen=True)
class Guess:
    """What a biased pass hopes for: the outcome ``need``, judging the rest by the worlds in ``rest`` alone.

    FB01's guess <v, k> needs v in world k and averages over the other worlds (Definition 1, the biasing relation).
    A guess that is not ``first`` only breaks the ties that the average leaves.
    """

    need: Any
    rest: Any
    first: bool = True

    @classmethod
    def none(cls, scale: AnyScale) -> Guess:
        """No bias: every outcome will do, and every world counts."""
        return cls(scale.bottom, scale.top)

    @classmethod
    def payoff(cls, scale: AnyScale, world: int, payoff: float) -> Guess:
        """The guess that MAX can have this payoff in this world."""
        return cls(scale.at_least(world, payoff), scale.only(set(range(len(scale.weights))) - {world}))

    @classmethod
    def tiebreak(cls, scale: AnyScale, world: int, payoff: float) -> Guess:
        """The same guess, asked only where vectors are equal on average over all worlds."""
        return cls(scale.at_least(world, payoff), scale.top, first=False)

    def key(self, scale: AnyScale, code: Any) -> tuple[Any, Any]:
        """Sorts codes by the biasing relation, or by their average first."""
        met, average = bool(self.need & code == self.need), scale.score(self.rest & code)
        return (met, average) if self.first else (average, met)


@dataclass(frozen=True)
class Backup:
    """What a pass leaves behind: the value at the root, that of each of MAX's first moves, the moves chosen.

    A traced pass also leaves the value it backed up at every position it saw.
    """

    value: Any
    first: Mapping[Any, Any]
    chosen: Chosen
    stats: Stats
    values: Mapping[Any, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class PerfectInformation:
    """Every world's minimax value under perfect information: at the root, and at every MIN position (``bounds``)."""

    value: Any
    bounds: Any
    stats: Stats


@dataclass(frozen=True)
class Followed:
    """A strategy followed to the end: the code of its outcome, and its moves at the positions that can be reached."""

    code: Any
    strategy: Strategy
    stats: Stats
    values: Mapping[Any, Any] = field(default_factory=dict)


@runtime_checkable
class Passes(Protocol):
    """The passes over one game. A pass raises ``LimitReachedError`` when the clock it is given runs out."""

    @property
    def scale(self) -> AnyScale:
        """How payoffs are coded in every value below."""

    def fuse(self, scale: AnyScale, ties: Ties, clock: Clock | None = None) -> Backup:
        """Monte Carlo: the best payoff of every world at MAX, moves chosen by the scores of ``scale``."""

    def perfect_information(self, clock: Clock | None = None) -> PerfectInformation:
        """What could be had in each world if it were known (step 1 of FB01 Fig 19)."""

    def choose(self, bounds: Any, beta: bool, guess: Guess, ties: Ties, clock: Clock | None = None) -> Backup:
        """MAX keeps the best vector on average; see ``ReadablePasses.choose`` for the switches."""

    def alpha_beta(self, ties: Ties, clock: Clock | None = None) -> Backup:
        """FB01 Fig 21."""

    def fronts(self, clock: Clock) -> Backup:
        """Every undominated outcome; values are fronts and no moves are chosen."""

    def tables(self, clock: Clock) -> Backup:
        """The same fronts, found through a table over all sets of worlds."""

    def realise(self, target: Any, ties: Ties, clock: Clock | None = None) -> Backup:
        """Moves that get at least ``target``; the value says whether there are any."""

    def follow(self, chosen: Chosen, knowledge: Knowledge | None) -> Followed:
        """What chosen moves earn against best defence, or against a MIN who knows less."""


def passes(game: AnyWorldGame) -> Passes:
    """The passes over a game: its own if an engine made it, otherwise the Python ones."""
    return game if isinstance(game, Passes) else ReadablePasses(game)


@dataclass
class _Alpha:
    """The best vector MAX has so far, at a node of ``alpha_beta`` or above it."""

    scale: AnyScale
    ties: Ties
    number: int
    value: Any
    equals: int = 0

    def improves(self, value: Any) -> bool:
        """Whether this vector is taken: better on average, or as good and favoured by the rule for ties.

        A MIN node cut by alpha returns alpha itself, so only a vector that differs from it can be a true tie.
        """
        new, held = self.scale.score(value), None if self.value is None else self.scale.score(self.value)
        if held is None or new > held:
            self.equals = 1
        elif new < held or value == self.value:
            return False
        else:
            self.equals += 1
            if self.equals == 1 or not self.ties.takes_over(self.number, self.equals):
                return False
        self.value = value
        return True


@dataclass
class _AlphaBeta:
    """FB01 Fig 21: values outside the window (alpha, beta) are not looked into.

    Alpha starts below every vector (None), beta above every vector.
    """

    game: AnyWorldGame
    scale: AnyScale
    code: Callable[[Any], Any]
    ties: Ties
    tally: Tally
    chosen: dict[Any, Any] = field(default_factory=dict)
    first: dict[Any, Any] = field(default_factory=dict)

    def visit(self, position: Any, alpha: Any, beta: Any) -> Any:
        number = self.tally.node()
        side = self.game.to_move(position)
        if side is None:
            self.tally.leaf()
            return self.code(position)
        if side is Side.MIN:
            return self.at_min(position, alpha, beta)
        return self.at_max(position, _Alpha(self.scale, self.ties, number, alpha), beta)

    def at_min(self, position: Any, alpha: Any, beta: Any) -> Any:
        for move in self.game.moves(position):
            beta &= self.visit(self.game.play(position, move), alpha, beta)
            if _is_closed(alpha, beta):  # nothing here can improve on what MAX has elsewhere
                return self.cut(position, move, alpha)
        return beta

    def at_max(self, position: Any, alpha: _Alpha, beta: Any) -> Any:
        self.chosen[position] = self.game.moves(position)[0]
        for move in self.game.moves(position):
            value = self.visit(self.game.play(position, move), alpha.value, beta)
            if position == self.game.root:
                self.first[move] = value
            if alpha.improves(value):
                self.chosen[position] = move
            if _is_closed(alpha.value, beta):  # MIN already has something no better for MAX than this
                return self.cut(position, move, beta)
        return alpha.value

    def cut(self, position: Any, move: Any, value: Any) -> Any:
        self.tally.cuts += move != self.game.moves(position)[-1]
        return value


def _is_closed(alpha: Any, beta: Any) -> bool:
    return alpha is not None and bool(alpha & beta == beta)


_Join = dict[Side, "Callable[[Any, Any], Any]"]
_JOIN: _Join = {Side.MAX: or_, Side.MIN: and_}


@dataclass
class ReadablePasses:
    """The passes over any game, as the papers write them; with ``trace`` they remember the value at every position."""

    game: AnyWorldGame
    trace: bool = False
    scale: AnyScale = field(init=False)

    def __post_init__(self) -> None:
        coder = as_coded(self.game)
        self.scale, self._code = coder.scale, coder.code

    def _remember_values(self, visit: Callable[..., Any], values: dict[Any, Any]) -> Callable[..., Any]:
        """The same visit, its values remembered by position if they are to be."""
        if not self.trace:
            return visit

        def remember(position: Any, *rest: Any) -> Any:
            values[position] = value = visit(position, *rest)
            return value

        return remember

    # ------------------------------------------------------------------ plain minimax in a lattice

    def _minimax(
        self,
        leaf: Callable[[Any], Any],
        note: Callable[[Any, Side, list[Any], int], None],
        clock: Clock | None,
        join: _Join = _JOIN,
    ) -> tuple[Any, Stats, dict[Any, Any]]:
        """``|`` at MAX, ``&`` at MIN; ``note`` sees each inner position with its children's values and its number."""
        game, tally = self.game, Tally(clock)

        def visit(position: Any) -> Any:
            number = tally.node()
            side = game.to_move(position)
            if side is None:
                tally.leaf()
                return leaf(position)
            values = [visit(game.play(position, move)) for move in game.moves(position)]
            note(position, side, values, number)
            return reduce(join[side], values)

        values: dict[Any, Any] = {}
        visit = self._remember_values(visit, values)
        return _recurse(lambda: visit(game.root)), tally.stats, values

    def fuse(self, scale: AnyScale, ties: Ties, clock: Clock | None = None) -> Backup:
        """Single-pass Monte Carlo (FB01 section 3): every world's minimax value at once."""
        chosen: dict[Any, Any] = {}
        first: dict[Any, Any] = {}

        def note(position: Any, side: Side, values: list[Any], number: int) -> None:
            if side is Side.MAX:
                moves = self.game.moves(position)
                chosen[position] = moves[ties.pick([scale.score(value) for value in values], number)]
                if position == self.game.root:
                    first.update(zip(moves, values, strict=True))

        value, stats, values = self._minimax(self._code, note, clock)
        return Backup(value, first, chosen, stats, values)

    def perfect_information(self, clock: Clock | None = None) -> PerfectInformation:
        """Step 1 of FB01 Fig 19."""
        bounds: dict[Any, Any] = {}

        def note(position: Any, side: Side, values: list[Any], number: int) -> None:  # noqa: ARG001
            if side is Side.MIN:
                bounds[position] = reduce(and_, values)

        value, stats, _ = self._minimax(self._code, note, clock)
        return PerfectInformation(value, bounds, stats)

    def fronts(self, clock: Clock) -> Backup:
        """FBM97's Appendix: every undominated payoff vector, at every node."""
        watched: _Join = {
            Side.MAX: lambda one, other: one.join(other, clock.check),
            Side.MIN: lambda one, other: one.meet(other, clock.check),
        }
        return self._exact(lambda position: Front([self._code(position)]), lambda front: front, clock, watched)

    def tables(self, clock: Clock) -> Backup:
        """The dual view: a bit for every set of bits of a code, set if MAX can have at least those."""
        bits = self.scale.top.bit_length()
        return self._exact(
            lambda position: down_set(self._code(position)), lambda table: Front(maximal(table, bits)), clock
        )

    def _exact(
        self, leaf: Callable[[Any], Any], front: Callable[[Any], Front[Any]], clock: Clock, join: _Join = _JOIN
    ) -> Backup:
        first: dict[Any, Any] = {}

        def note(position: Any, side: Side, values: list[Any], number: int) -> None:  # noqa: ARG001
            if side is Side.MAX and position == self.game.root:
                first.update(zip(self.game.moves(position), map(front, values), strict=True))

        value, stats, _ = self._minimax(leaf, note, clock, join)
        return Backup(front(value), first, None, stats)

    def realise(self, target: Any, ties: Ties, clock: Clock | None = None) -> Backup:
        """FB01 section 7.4: call a leaf won if it is at least as good as the target, then play plain minimax."""
        chosen: dict[Any, Any] = {}

        def note(position: Any, side: Side, values: list[Any], number: int) -> None:
            if side is Side.MAX:
                chosen[position] = self.game.moves(position)[ties.pick(values, number)]

        value, stats, _ = self._minimax(lambda position: target & self._code(position) == target, note, clock)
        return Backup(value, {}, chosen, stats)

    # ------------------------------------------------------------------ one vector at MAX

    def choose(self, bounds: Any, beta: bool, guess: Guess, ties: Ties, clock: Clock | None = None) -> Backup:
        """FB01's eight algorithms in one recursion (Fig 25 has the switches, Figs 16, 19, 21 and 23 the algorithms).

        ``cap`` is what can still be had in each world, by everything known so far: with ``bounds``, no more than
        perfect information allows at each MIN ancestor (Fig 19); with ``beta``, no more than the branches already
        searched at each MIN ancestor leave (equation 7). Nothing above it can be got at a leaf, so nothing above
        it should tempt MAX there.
        """
        game, scale, tally = self.game, self.scale, Tally(clock)
        chosen: dict[Any, Any] = {}
        first: dict[Any, Any] = {}

        def visit(position: Any, cap: Any) -> Any:
            number = tally.node()
            side = game.to_move(position)
            if side is None:
                tally.leaf()
                return self._code(position) & cap
            if side is Side.MIN:
                return at_min(position, cap if bounds is None else cap & bounds[position])
            moves = game.moves(position)
            values = [visit(game.play(position, move), cap) for move in moves]
            best = ties.pick([guess.key(scale, value) for value in values], number)
            chosen[position] = moves[best]
            if position == game.root:
                first.update(zip(moves, values, strict=True))
            return values[best]

        def at_min(position: Any, cap: Any) -> Any:
            value = scale.top
            for move in game.moves(position):
                value &= visit(game.play(position, move), cap & value if beta else cap)
            return value

        values: dict[Any, Any] = {}
        visit = self._remember_values(visit, values)
        value = _recurse(lambda: visit(game.root, scale.top))
        return Backup(value, first, chosen, tally.stats, values)

    def alpha_beta(self, ties: Ties, clock: Clock | None = None) -> Backup:
        """FB01 Fig 21, vm-alphabeta."""
        walk = _AlphaBeta(self.game, self.scale, self._code, ties, Tally(clock))
        values: dict[Any, Any] = {}
        walk.visit = self._remember_values(walk.visit, values)  # type: ignore[method-assign]
        value = _recurse(lambda: walk.visit(self.game.root, None, self.scale.top))
        return Backup(value, walk.first, walk.chosen, walk.tally.stats, values)

    # ------------------------------------------------------------------ a given strategy

    def follow(self, chosen: Chosen, knowledge: Knowledge | None = None) -> Followed:
        """The outcome of chosen moves: MIN answers with the worst in every world he can tell apart."""
        game, tally = self.game, Tally()
        strategy: dict[Any, Any] = {}

        def visit(position: Any, groups: Any) -> Any:
            tally.node()
            side = game.to_move(position)
            if side is None:
                tally.leaf()
                return self._code(position)
            if side is Side.MAX:
                strategy[position] = move = chosen[position]
                return visit(game.play(position, move), groups)
            children = [game.play(position, move) for move in game.moves(position)]
            if knowledge is None:
                return reduce(and_, [visit(child, groups) for child in children])
            split = knowledge.split(children, groups)
            return knowledge.meet(self.scale, [visit(child, split) for child in children], children, split)

        values: dict[Any, Any] = {}
        visit = self._remember_values(visit, values)
        code = _recurse(lambda: visit(game.root, knowledge and knowledge.groups))
        return Followed(code, strategy, tally.stats, values)


def _recurse(visit: Callable[[], Any]) -> Any:
    try:
        return visit()
    except RecursionError:
        raise TooDeepError from None


def down_set(code: int) -> int:
    """The table of a mask: bit S is set for every subset S of it.

    >>> bin(down_set(0b101))
    '0b110011'
    """
    table = 1
    while code:
        low = code & -code
        table |= table << low
        code ^= low
    return table


def maximal(table: int, bits: int) -> Iterable[int]:
    """The sets in a table that no other set in it contains.

    >>> list(maximal(down_set(0b101) | down_set(0b10), 3))
    [2, 5]
    """
    covered = 0
    everything = (1 << (1 << bits)) - 1
    for bit in range(bits):
        period = 1 << bit
        without = everything // ((1 << period) + 1)  # the sets that lack this bit: half of every 2 * period
        covered |= (table >> period) & without
    rest = table & ~covered
    while rest:
        low = rest & -rest
        yield low.bit_length() - 1
        rest ^= low
