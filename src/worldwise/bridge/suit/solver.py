"""The exact solver for a single suit: the best chance of every goal, the most tricks on average, and how to play.

Fronts of tables come from a kernel, or from ``search.transposed`` on the readable rules, which is its twin. The most
tricks on average is a search over outcomes with many levels, whose fronts explode. Two things tame it. No line wins
more for any number of tricks than the best line for that goal alone, nor other worlds than some line for that goal:
summed over goals, that bounds what can come of each outcome. And the sum is nearly reached, as a rule, so the search
first asks for no less, when hardly anything matters, and lowers its sights until a line is found: then it is the best.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from operator import or_
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

import numpy as np

from worldwise.bridge.suit.rules import FREE, NOBODY, Suit, SuitGame, SuitMove, SuitTable
from worldwise.bridge.suit.weighing import Mask, Scales
from worldwise.core.result import NO_LIMIT, Clock, Limit, Tally
from worldwise.errors import InputError
from worldwise.kernels import native, pick, watch
from worldwise.search.transposed import Fronts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Levels = tuple[Mask, ...]
"""For 1, 2, 3 ... tricks, the worlds in which a line wins at least so many."""

Bounds = list[tuple[bytes, int]]
"""For 1, 2, 3 ... tricks, packed sets of worlds one of which has all that any line wins, and the most that one wins."""

GUESSES = 6
"""How often the search for the most tricks lowers its sights before it looks for anything at all."""


@dataclass(frozen=True)
class GoalAnswer:
    """The best chance of at least ``tricks`` tricks; ``plays`` has every first play's, ``wins`` the worlds won."""

    tricks: int
    chance: Fraction
    plays: dict[SuitMove, Fraction]
    wins: Mask
    double_dummy: Fraction

    @property
    def first_plays(self) -> tuple[SuitMove, ...]:
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
        self,
        suit: Suit,
        *,
        entries: tuple[float, float] = FREE,
        limit: Limit = NO_LIMIT,
        fronts: type[FrontSource] | None = None,
    ) -> None:
        self.suit, self.entries, self.clock = suit, entries, Clock(limit, "the suit solver")
        self._source_type: type[FrontSource] = fronts or pick(CompiledFronts, ReadableFronts)
        self._goals: dict[int, GoalAnswer] = {}
        self._summaries: dict[int, dict[SuitMove, FrontSummary]] = {}
        self._source = self._new_source(1)

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
        leads = self._after_leads(tricks)
        best = max(leads.values(), key=lambda found: (found.weight, found.best), default=NOTHING)
        anything = reduce(or_, (found.any[0] for found in leads.values()), 0)
        plays = {lead: self.chance(found.weight) for lead, found in leads.items()}
        return GoalAnswer(tricks, self.chance(best.weight), plays, best.best[0], self.chance(self.weight(anything)))

    @cached_property
    def _leads(self) -> dict[SuitMove, SuitTable]:
        return {lead: self.rules.after(self.root, lead) for lead in self.rules.options(self.root)}

    def _after_leads(self, tricks: int) -> dict[SuitMove, FrontSummary]:
        """What can be won of a goal after each lead; fronts from the root on may be too large to write down."""
        if tricks not in self._summaries:
            found = {lead: self._source.summary(table, tricks) for lead, table in self._leads.items()}
            self._summaries[tricks] = found
        return self._summaries[tricks]

    def front(self, table: SuitTable, tricks: int) -> list[Mask]:
        """The undominated sets of worlds in which declarer can win ``tricks`` in all, from a table on."""
        return [mask for (mask,) in self._source.front(table, tricks - table.tricks)]

    # ------------------------------------------------------------------ tricks on average

    @cached_property
    def expected(self) -> ExpectedAnswer:
        """The most tricks on average."""
        best = self._most_tricks()
        double_dummy = sum((answer.double_dummy for answer in self.goals), Fraction(0))
        return ExpectedAnswer(self.chance(self.worth(best)), best, double_dummy)

    def _bounds(self, lead: SuitMove) -> Bounds:
        """What can be won for each goal after a lead."""
        goals = (self._after_leads(tricks)[lead] for tricks in range(1, self.suit.length + 1))
        return [(goal.sets, goal.weight) for goal in goals]

    def _most_tricks(self) -> Levels:
        """The best outcome of all leads, those first that promise most; each guess is what a line has to beat."""
        best = FrontSummary((0,) * self.suit.length, 0, ())
        bounds = {lead: self._bounds(lead) for lead in self._leads}
        promise = {lead: sum(most for _, most in goals) for lead, goals in bounds.items()}
        for guess in self._guesses(max(promise.values(), default=0)):
            for lead in sorted(promise, key=lambda lead: -promise[lead]):
                beat = max(guess, best.weight)
                if promise[lead] > beat:
                    source = self._new_source(self.suit.length, goals=bounds[lead], beat=beat)
                    found = source.summary(self._leads[lead], self.suit.length)
                    best = max(best, found, key=lambda found: self.worth(found.best))
            if best.weight > guess:
                break
        return best.best

    def _guesses(self, most: int) -> list[int]:
        """From just below what is possible at most, further and further down to nothing."""
        if not self._source_type.uses_bounds:
            return [0]
        unit = max(sum(self.suit.weights) // 1000, 1)
        return [most - 1, *(guess for power in range(GUESSES) if (guess := most - unit * 4**power) > 0), 0]

    def worth(self, levels: Levels) -> int:
        """The weights of all worlds won, once for every trick."""
        return sum(map(self.weight, levels))

    # ------------------------------------------------------------------ how to play

    def line(self, tricks: int | None = None) -> SuitLine:
        """How to play for a goal, or for the most tricks on average."""
        if tricks is None:
            return SuitLine(self, self.expected.levels, None)
        return SuitLine(self, (0,) * (tricks - 1) + (self.goal(tricks).wins,), tricks)

    def secures(self, table: SuitTable, levels: Levels, goal: int | None) -> bool:
        """Whether from a table on declarer can win all that ``levels`` say, in the worlds that are still possible."""
        here = self.possible(table)
        if goal is not None:
            return self._source.secures(table, goal - table.tricks, [levels[goal - 1] & here])
        wanted = [mask & here for mask in levels[table.tricks :]]
        return self._counting.secures(table, self.suit.length - table.tricks, wanted)

    @cached_property
    def _counting(self) -> FrontSource:
        return self._new_source(self.suit.length)

    # ------------------------------------------------------------------ worlds

    @cached_property
    def rules(self) -> SuitGame:
        """The rules; goals are the solver's own."""
        return SuitGame(self.suit, None, self.entries)

    @property
    def root(self) -> SuitTable:
        """Nothing played."""
        return self.rules.root.table

    def possible(self, table: SuitTable) -> Mask:
        """The worlds that a table allows."""
        return self.rules.possible(table)

    def weight(self, mask: Mask) -> int:
        """How many layouts a set of worlds has."""
        return self._scales.weigh(mask)

    @cached_property
    def _scales(self) -> Scales:
        return Scales(self.suit.weights)

    def chance(self, weight: int) -> Fraction:
        """The share of all layouts."""
        return Fraction(weight, sum(self.suit.weights))

    def _new_source(self, levels: int, *, goals: Bounds | None = None, beat: int = -1) -> FrontSource:
        return self._source_type(self, levels, goals=goals, beat=beat)


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

    def play(self, table: SuitTable) -> SuitMove:
        """Declarer's play."""
        rules = self.solver.rules
        for move in rules.options(table):
            if self.solver.secures(rules.after(table, move), self.levels, self.goal):
                return move
        raise InputError(f"the line does not lead to this table: {table}")


# ---------------------------------------------------------------------- where fronts come from


class FrontSummary(NamedTuple):
    """A front in short: the best outcome, its weight, and all that any outcome has.

    Every outcome is within one of ``sets``, packed for the kernel: the front, or if it is long, one that has all.
    """

    best: Levels
    weight: int
    any: Levels
    sets: bytes = b""


NOTHING = FrontSummary((0,), 0, (0,))
"""Where declarer cannot lead."""


class FrontSource(Protocol):
    """Fronts of tables: outcomes of one level for a goal, of several for further tricks.

    A source that ``uses_bounds`` leaves out what cannot beat ``beat``, going by what can be won of ``goals``.
    """

    uses_bounds: ClassVar[bool]

    def __init__(self, solver: SuitSolver, levels: int, *, goals: Bounds | None = None, beat: int = -1) -> None: ...

    def summary(self, table: SuitTable, need: int) -> FrontSummary:
        """The front after a lead, in short."""

    def secures(self, table: SuitTable, need: int, wanted: Sequence[Mask]) -> bool:
        """Whether all of an outcome can be had."""

    def front(self, table: SuitTable, need: int) -> list[Levels]:
        """The undominated outcomes from a table on, ``need`` tricks being wanted (or left, if tricks are counted)."""


class CompiledFronts:
    """The compiled solver; it keeps what it has found out about tables."""

    uses_bounds: ClassVar[bool] = True

    def __init__(self, solver: SuitSolver, levels: int, *, goals: Bounds | None = None, beat: int = -1) -> None:
        suit = solver.suit
        self.clock = solver.clock
        self.levels, self.size = levels, next(size for size in native.SUIT_LEVELS if size >= levels)
        rules = kernel_rules(suit, lean=True, free=solver.entries == FREE)
        weights = np.array(suit.weights, dtype=np.int64)
        make = getattr(native, f"SuitSolver{self.size}")
        self.kernel = make(rules, weights, levels > 1, suit.length, goals or [], beat)

    def summary(self, table: SuitTable, need: int) -> FrontSummary:
        """The front after a lead, in short."""
        best, weight, anything, sets = self._ask(self.kernel.summary, table, need)
        return FrontSummary(self._outcomes(best)[0], weight, self._outcomes(anything)[0], sets)

    def secures(self, table: SuitTable, need: int, wanted: Sequence[Mask]) -> bool:
        """Whether all of an outcome can be had."""
        levels = [*wanted, *[0] * (self.size - len(wanted))]
        won: bool = self._ask(self.kernel.secures, table, need, b"".join(map(_pack, levels)))
        return won

    def _ask(self, question: Callable[..., Any], table: SuitTable, need: int, *more: bytes) -> Any:
        with watch(self.clock) as most:
            return question(kernel_table(table, need), *more, *most)

    def front(self, table: SuitTable, need: int) -> list[Levels]:
        """The front, each level a mask of worlds."""
        return self._outcomes(self._ask(self.kernel.front, table, need))

    def _outcomes(self, data: bytes) -> list[Levels]:
        word = 8 * native.SUIT_WORDS
        starts = range(0, len(data), word * self.size)
        return [
            tuple(
                int.from_bytes(data[at : at + word], "little") for at in range(start, start + word * self.levels, word)
            )
            for start in starts
        ]


class ReadableFronts:
    """The same from the readable rules: slower, without bounds, and what the kernel is compared with."""

    uses_bounds: ClassVar[bool] = False

    def __init__(self, solver: SuitSolver, levels: int, **_bounds: object) -> None:
        self.solver, self.levels = solver, levels
        self.fronts: dict[int | None, Fronts] = {}

    def front(self, table: SuitTable, need: int) -> list[Levels]:
        """The front, each level a mask of worlds."""
        goal = None if self.levels > 1 else table.tricks + need
        if goal is not None and goal <= 0:
            return [(self.solver.possible(table),)]
        if goal not in self.fronts:
            tables = _Tables(SuitGame(self.solver.suit, goal, self.solver.entries))
            self.fronts[goal] = Fronts(tables, Tally(self.solver.clock))
        here = self.solver.possible(table)
        fronts = self.fronts[goal]
        return [self._levels(fronts.coded.scale.vector(code), table.tricks, here) for code in fronts.at(table)]

    def summary(self, table: SuitTable, need: int) -> FrontSummary:
        """The front after a lead, in short."""
        front, worth = self.front(table, need), self.solver.worth
        best = max(front, key=lambda levels: (worth(levels), levels))
        union = tuple(reduce(or_, masks) for masks in zip(*front, strict=True))
        return FrontSummary(best, worth(best), union)

    def secures(self, table: SuitTable, need: int, wanted: Sequence[Mask]) -> bool:
        """Whether all of an outcome can be had."""
        return any(_is_within(wanted, levels) for levels in self.front(table, need))

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

    def key(self, table: SuitTable) -> SuitTable:
        """The table itself."""
        return table

    def payoffs(self, table: SuitTable) -> list[int | None]:
        """As the game has them."""
        score = self.game.score(table)
        return [score if self.game.fits(table, world) else None for world in self.game.suit.worlds]

    def code(self, table: SuitTable) -> int:
        """The payoffs, coded."""
        return self.scale.code(self.payoffs(table))


def kernel_rules(suit: Suit, *, lean: bool, free: bool) -> Any:
    """The rules as the kernels have them."""
    worlds = np.array(suit.worlds, dtype=np.uint8).reshape(len(suit.worlds), len(suit.classes))
    sizes = np.array([len(cards) for cards in suit.classes], dtype=np.uint8)
    tops = np.array([cards[0] for cards in suit.classes], dtype=np.uint8)
    return native.suit_rules(sizes, tops, worlds, lean, free)


def kernel_table(table: SuitTable, need: int) -> Any:
    """A table as the kernels have it."""
    return native.suit_table(
        sum([1 << card for card in table.north]),
        sum([1 << card for card in table.south]),
        bytes(table.west),
        bytes(table.east),
        table.west_out,
        table.east_out,
        need,
        bytes([value for move in table.trick for value in move]),
        native.SUIT_NOBODY if table.in_hand == NOBODY else table.in_hand,
        *[native.SUIT_UNLIMITED if entries > 200 else int(entries) for entries in table.entries],
    )


def _is_within(wanted: Sequence[Mask], levels: Levels) -> bool:
    return all(want & ~mask == 0 for want, mask in zip(wanted, levels, strict=False))


def _pack(mask: Mask) -> bytes:
    return mask.to_bytes(8 * native.SUIT_WORDS, "little")
