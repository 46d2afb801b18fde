"""The exact solver for a single suit: the best chance of every goal, the most tricks on average, and how to play.

Fronts of tables come from a kernel, or from ``search.transposed`` on the readable rules, which is its twin. The most
tricks on average is a search over outcomes with many levels, whose fronts explode. Two things tame it: no line wins, in
the worlds it is silent about, more than one who sees all cards wins there; and a beam first finds a line that is mostly
the best already, so that nearly everything else falls below it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from operator import or_
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from worldwise.core.result import NO_LIMIT, Clock, Limit, Tally
from worldwise.engines.trees import BUILT, in_use
from worldwise.errors import InputError, LimitReachedError
from worldwise.games.bridge.suit import FREE, NOBODY, Move, Suit, SuitGame, Table
from worldwise.search.transposed import Fronts

if BUILT:
    import worldwise._kernels as _kernels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Mask = int
"""A set of worlds: bit i is world i."""

Levels = tuple[Mask, ...]
"""For 1, 2, 3 ... tricks, the worlds in which a line wins at least so many."""

BEAM = 4
"""How many outcomes of every front the first, quick search for the most tricks keeps."""

_LEVELS = (1, 2, 3, 4, 5, 6, 8, 13)
"""The sizes of outcomes that kernels exist for."""


@dataclass(frozen=True)
class GoalAnswer:
    """The best chance of at least ``tricks`` tricks; ``plays`` has every first play's, ``wins`` the worlds won."""

    tricks: int
    chance: Fraction
    plays: dict[Move, Fraction]
    wins: Mask
    double_dummy: Fraction

    @property
    def first_plays(self) -> tuple[Move, ...]:
        """Every first play that keeps the best chance."""
        return tuple(move for move, chance in self.plays.items() if chance == self.chance)


@dataclass(frozen=True)
class ExpectedAnswer:
    """The most tricks on average, and for every number of tricks the worlds in which the line wins so many."""

    tricks: Fraction
    levels: Levels
    double_dummy: Fraction


class SuitSolver:
    """Everything about one combination, worked out when it is asked for.

    >>> solver = SuitSolver(Suit.of("AKQ9", "32"))
    >>> [float(solver.goal(tricks).chance) for tricks in (3, 4)], float(solver.expected.tricks)
    ([1.0, 0.24], 3.24)
    >>> [str(move) for move in solver.goal(4).first_plays]
    ['S2']
    """

    def __init__(
        self, suit: Suit, *, entries: tuple[float, float] = FREE, limit: Limit = NO_LIMIT, kernel: bool | None = None
    ) -> None:
        self.suit, self.entries, self.clock = suit, entries, Clock(limit)
        self.kernel = in_use() if kernel is None else kernel
        self._goals: dict[int, GoalAnswer] = {}
        self._backend = self._new_backend(1)

    # ------------------------------------------------------------------ goals

    def goal(self, tricks: int) -> GoalAnswer:
        """The best chance of at least so many tricks."""
        if tricks not in self._goals:
            if not 0 < tricks <= self.suit.length:
                raise InputError(f"expected a goal from 1 to {self.suit.length} tricks, found {tricks}")
            self._goals[tricks] = self._answer(tricks)
        return self._goals[tricks]

    @property
    def goals(self) -> list[GoalAnswer]:
        """The answers for 1, 2 ... tricks, as many as the longer hand has cards."""
        return [self.goal(tricks) for tricks in range(1, self.suit.length + 1)]

    def _answer(self, tricks: int) -> GoalAnswer:
        found = self._backend.summary(self.root, tricks)
        plays = {move: self.chance(weight) for move, weight in found.plays.items()}
        return GoalAnswer(tricks, self.chance(found.weight), plays, found.best, self.chance(self.weight(found.any)))

    def front(self, table: Table, tricks: int) -> list[Mask]:
        """The undominated sets of worlds in which declarer can win ``tricks`` in all, from a table on."""
        return [mask for (mask,) in self._backend.front(table, tricks - table.tricks)]

    # ------------------------------------------------------------------ tricks on average

    @cached_property
    def expected(self) -> ExpectedAnswer:
        """The most tricks on average."""
        return self._expected[0]

    @cached_property
    def _expected(self) -> tuple[ExpectedAnswer, Backend]:
        length = self.suit.length
        most = sum(self.weight(answer.wins) for answer in self.goals)
        backend = self._new_backend(length, beam=BEAM)
        best = self._best_levels(backend)
        if self._worth(best) < most:
            seen = [self._backend.summary(self.root, tricks).any for tricks in range(1, length + 1)]
            goals = [mask.to_bytes(24, "little") for mask in seen]
            wider = self._new_backend(length, goals=goals, beat=self._worth(best))
            better = self._best_levels(wider)
            if self._worth(better) > self._worth(best):
                best, backend = better, wider
        double_dummy = sum((answer.double_dummy for answer in self.goals), Fraction(0))
        return ExpectedAnswer(self.chance(self._worth(best)), best, double_dummy), backend

    def _best_levels(self, backend: Backend) -> Levels:
        front = backend.front(self.root, self.suit.length)
        return max(front, key=self._worth, default=(0,) * self.suit.length)

    def _worth(self, levels: Levels) -> int:
        return sum(map(self.weight, levels))

    # ------------------------------------------------------------------ how to play

    def line(self, tricks: int | None = None) -> SuitLine:
        """How to play for a goal, or for the most tricks on average."""
        if tricks is None:
            return SuitLine(self, self.expected.levels, None)
        return SuitLine(self, (0,) * (tricks - 1) + (self.goal(tricks).wins,), tricks)

    def secures(self, table: Table, levels: Levels, goal: int | None) -> bool:
        """Whether from a table on declarer can win all that ``levels`` say, in the worlds that are still possible."""
        here = self.possible(table)
        if goal is not None:
            return self._backend.secures(table, goal - table.tricks, levels[goal - 1] & here)
        wanted_levels = [mask & here for mask in levels[table.tricks :]]
        front = self._expected[1].front(table, self.suit.length - table.tricks)
        return any(
            all(want & ~mask == 0 for want, mask in zip(wanted_levels, outcome, strict=False)) for outcome in front
        )

    # ------------------------------------------------------------------ worlds

    @cached_property
    def rules(self) -> SuitGame:
        """The rules; goals are the solver's own."""
        return SuitGame(self.suit, None, self.entries)

    @property
    def root(self) -> Table:
        """Nothing played."""
        return self.rules.root.table

    def possible(self, table: Table) -> Mask:
        """The worlds that a table allows."""
        return sum(1 << number for number, world in enumerate(self.suit.worlds) if self.rules.fits(table, world))

    def weight(self, mask: Mask) -> int:
        """How many layouts a set of worlds has."""
        parts = mask.to_bytes(len(self._sums), "little")
        return sum(sums[part] for sums, part in zip(self._sums, parts, strict=True))

    @cached_property
    def _sums(self) -> list[list[int]]:
        """The weights of all sets of eight worlds: fronts are long, and each of their masks is weighed."""
        weights = self.suit.weights
        return [_subset_sums(weights[start : start + 8]) for start in range(0, len(weights), 8)]

    def chance(self, weight: int) -> Fraction:
        """The share of all layouts."""
        return Fraction(weight, sum(self.suit.weights))

    # ------------------------------------------------------------------ backends

    def _new_backend(self, levels: int, **bound: Any) -> Backend:
        make = KernelFronts if self.kernel else PythonFronts
        return make(self, levels, **bound)


@dataclass(frozen=True)
class SuitLine:
    """A line of play: at every table the first play that still secures what the line set out to win.

    >>> solver = SuitSolver(Suit.of("AKQ9", "32"))
    >>> line = solver.line(4)
    >>> str(line.play(solver.root))
    'S2'
    """

    solver: SuitSolver
    levels: Levels
    goal: int | None

    def play(self, table: Table) -> Move:
        """Declarer's play."""
        rules = self.solver.rules
        for move in rules.options(table):
            if self.solver.secures(rules.after(table, move), self.levels, self.goal):
                return move
        raise InputError(f"the line does not lead to this table: {table}")


# ---------------------------------------------------------------------- where fronts come from


class Summary(NamedTuple):
    """A front in short: the best set of worlds, its weight, all worlds that any set has, and every play's weight."""

    best: Mask
    weight: int
    any: Mask
    plays: dict[Move, int]


class Backend(Protocol):
    """Fronts of tables: outcomes of one level for a goal, of several for further tricks."""

    def summary(self, table: Table, need: int) -> Summary:
        """The front for a goal in short."""

    def secures(self, table: Table, need: int, wanted: Mask) -> bool:
        """Whether a goal can be reached in all of these worlds."""

    def front(self, table: Table, need: int) -> list[Levels]:
        """The undominated outcomes from a table on, ``need`` tricks being wanted (or left, if tricks are counted)."""


class KernelFronts:
    """The compiled solver; it keeps what it has found out about tables."""

    def __init__(
        self, solver: SuitSolver, levels: int, *, goals: Sequence[bytes] = (), beat: int = -1, beam: int = 0
    ) -> None:
        suit = solver.suit
        self.clock = solver.clock
        self.levels, self.size = levels, next(size for size in _LEVELS if size >= levels)
        free = solver.entries == FREE
        rules = _kernels.suit_rules(
            _bytes(map(len, suit.classes)),
            _bytes(cards[0] for cards in suit.classes),
            np.array(suit.worlds, dtype=np.uint8).reshape(len(suit.worlds), len(suit.classes)),
            True,
            free,
        )
        weights = np.array(suit.weights, dtype=np.int64)
        counting = levels > 1 or bool(beam)
        self.kernel = getattr(_kernels, f"SuitSolver{self.size}")(
            rules, weights, counting, suit.length, list(goals), beat, beam
        )

    def summary(self, table: Table, need: int) -> Summary:
        """The front for a goal in short."""
        best, weight, anything, plays = self._asked(self.kernel.summary, table, need)
        return Summary(
            int.from_bytes(best, "little"),
            weight,
            int.from_bytes(anything, "little"),
            {Move(seat, card): most for seat, card, most in plays},
        )

    def secures(self, table: Table, need: int, wanted: Mask) -> bool:
        """Whether a goal can be reached in all of these worlds."""
        won: bool = self._asked(self.kernel.secures, table, need, wanted.to_bytes(24, "little"))
        return won

    def _asked(self, question: Callable[..., Any], table: Table, need: int, *more: bytes) -> Any:
        left, nodes = self.clock.seconds_left, self.clock.limit.nodes
        seconds = -1.0 if left is None else max(left, 0.0)
        try:
            return question(_kernel_table(table, need), *more, -1 if nodes is None else nodes, seconds)
        except TimeoutError:
            raise LimitReachedError("the suit solver", self.clock.limit) from None

    def front(self, table: Table, need: int) -> list[Levels]:
        """The front, each level a mask of worlds."""
        data: bytes = self._asked(self.kernel.front, table, need)
        words = 3 * self.size
        return [
            tuple(
                int.from_bytes(data[start + 24 * level : start + 24 * (level + 1)], "little")
                for level in range(self.levels)
            )
            for start in range(0, len(data), 8 * words)
        ]


class PythonFronts:
    """The same from the readable rules: slower, without bounds, and the kernel's witness."""

    def __init__(self, solver: SuitSolver, levels: int, **_bound: Any) -> None:
        self.solver, self.levels = solver, levels
        self.fronts: dict[int | None, Fronts] = {}

    def front(self, table: Table, need: int) -> list[Levels]:
        """The front, each level a mask of worlds."""
        goal = None if self.levels > 1 else table.tricks + need
        if goal is not None and goal <= 0:
            return [(self.solver.possible(table),)]
        if goal not in self.fronts:
            tables = _Tables(SuitGame(self.solver.suit, goal, self.solver.entries))
            self.fronts[goal] = Fronts(tables, Tally(self.solver.clock, algorithm="the suit solver"))
        here = self.solver.possible(table)
        fronts = self.fronts[goal]
        return [self._levels(fronts.coded.scale.vector(code), table.tricks, here) for code in fronts.at(table)]

    def summary(self, table: Table, need: int) -> Summary:
        """The front for a goal in short."""
        solver, rules = self.solver, self.solver.rules
        masks = [mask for (mask,) in self.front(table, need)]
        best = max(masks, key=lambda mask: (solver.weight(mask), mask))
        plays = {}
        for move in rules.options(table):
            below = rules.after(table, move)
            front = self.front(below, need - below.tricks + table.tricks)
            plays[move] = max(solver.weight(mask) for (mask,) in front)
        union = reduce(or_, masks)
        return Summary(best, solver.weight(best), union, plays)

    def secures(self, table: Table, need: int, wanted: Mask) -> bool:
        """Whether a goal can be reached in all of these worlds."""
        return any(wanted & ~mask == 0 for (mask,) in self.front(table, need))

    def _levels(self, vector: Iterable[float | None], won: int, here: Mask) -> Levels:
        payoffs = [-1 if payoff is None else payoff for payoff in vector]
        first = 1 if self.levels == 1 else won + 1
        return tuple(
            here & sum(1 << world for world, payoff in enumerate(payoffs) if payoff >= first + level)
            for level in range(self.levels)
        )


class _Tables:
    """The game as a ``WorldGame`` over tables, which are their own keys."""

    def __init__(self, game: SuitGame) -> None:
        self.game = game
        self.scale, self.worlds, self.weights = game.scale, game.worlds, game.weights
        self.to_move, self.moves, self.play = game.side, game.options, game.after

    def key(self, table: Table) -> Table:
        """The table itself."""
        return table

    def payoffs(self, table: Table) -> list[int | None]:
        """As the game has them."""
        score = self.game.score(table)
        return [score if self.game.fits(table, world) else None for world in self.game.suit.worlds]

    def code(self, table: Table) -> int:
        """The payoffs, coded."""
        return self.scale.code(self.payoffs(table))


def _kernel_table(table: Table, need: int) -> Any:
    north, south = ([255 if entries > 200 else int(entries)] for entries in table.entries)
    return _kernels.suit_table(
        sum(1 << card for card in table.north),
        sum(1 << card for card in table.south),
        _bytes(table.west),
        _bytes(table.east),
        table.west_out,
        table.east_out,
        need,
        _bytes(value for move in table.trick for value in move),
        4 if table.in_hand == NOBODY else table.in_hand,
        north[0],
        south[0],
    )


def _subset_sums(weights: Sequence[int]) -> list[int]:
    sums = [0]
    for weight in weights:
        sums += [total + weight for total in sums]
    return sums


def _bytes(values: Iterable[int]) -> Any:
    return np.array(list(values), dtype=np.uint8)
