"""The exact solver for a single suit: the best chance of every goal, the line for it, and the most tricks on average.

Fronts of tables come from a kernel, or from its readable twin. The line for a goal is best for that, and of those the
best for tricks on average: see ``best_outcome``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, reduce
from operator import or_
from typing import Any

from worldwise.bridge.suit.best_outcome import best_outcome
from worldwise.bridge.suit.fronts import (
    ANYTHING,
    CompiledFronts,
    FrontSource,
    FrontSummary,
    Levels,
    ReadableFronts,
    Start,
    Wanted,
)
from worldwise.bridge.suit.rules import FREE, Suit, SuitGame, SuitMove, SuitTable
from worldwise.bridge.suit.weighing import Mask, Scales
from worldwise.core.game import Side
from worldwise.core.result import NO_LIMIT, Clock, Limit
from worldwise.errors import InputError
from worldwise.kernels import pick


@dataclass(frozen=True)
class GoalAnswer:
    """The best chance of at least ``tricks`` tricks; ``plays`` has every first play's."""

    tricks: int
    chance: Fraction
    plays: dict[SuitMove, Fraction]
    double_dummy: Fraction
    solver: SuitSolver = field(repr=False, compare=False)

    @property
    def first_plays(self) -> tuple[SuitMove, ...]:
        """Every first play that keeps the best chance."""
        return tuple(move for move, chance in self.plays.items() if chance == self.chance)

    @property
    def line(self) -> SuitLine:
        """The line for this goal; of all that have its chance, the best for tricks on average."""
        return self.solver.line(self.tricks)

    @property
    def overtrick_line(self) -> SuitLine | None:
        """Of the lines that have this goal's chance, the likeliest to win one more; None if ``line`` is it."""
        return self.solver.overtrick_line(self.tricks)

    @property
    def wins(self) -> Mask:
        """The worlds in which the line reaches the goal."""
        return self.line.levels[self.tricks - 1]


@dataclass(frozen=True)
class ExpectedAnswer:
    """The most tricks on average, and for every number of tricks the worlds in which the line wins so many."""

    tricks: Fraction
    levels: Levels
    double_dummy: Fraction


class SuitSolver:
    """Everything about one combination, worked out when it is asked for.

    Several threads may use one solver: its kernels answer one question at a time.

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
        twins: tuple[type[FrontSource], type[FrontSource]] = CompiledFronts, ReadableFronts
        self.source_type = fronts or pick(*twins)
        self._goals: dict[int, GoalAnswer] = {}
        self._lines: dict[tuple[int | None, Start | None], SuitLine] = {}
        self._summaries: dict[tuple[Start, int], FrontSummary] = {}
        self.texts: dict[Levels, Any] = {}
        """Lines in words, by what they win: several goals often have the same."""
        self._source = self.new_source(1)

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
        leads = {lead: self.summary(start, tricks) for lead, start in self.leads.items()}
        anything = reduce(or_, (found.any[0] for found in leads.values()), 0)
        plays = {lead: self.chance(found.weight) for lead, found in leads.items() if lead is not None}
        best = self.chance(max((found.weight for found in leads.values()), default=0))
        return GoalAnswer(tricks, best, plays, self.chance(self.weight(anything)), self)

    @cached_property
    def leads(self) -> dict[SuitMove | None, Start]:
        """Every first play, and the table after it; the root, without a play, where the defenders lead."""
        if self.rules.side(self.root) is Side.MIN:
            return {None: (self.root,)}
        return {lead: (self.rules.after(self.root, lead),) for lead in self.rules.options(self.root)}

    def summary(self, start: Start, tricks: int) -> FrontSummary:
        """What can be won of a goal after a start; fronts from the root on may be too large to write down."""
        key = start, tricks
        if key not in self._summaries:
            self._summaries[key] = self._source.summary(start, tricks)
        return self._summaries[key]

    def front(self, table: SuitTable, tricks: int) -> list[Mask]:
        """The undominated sets of worlds in which declarer can win ``tricks`` in all, from a table on."""
        return [mask for (mask,) in self._source.front(table, tricks - table.tricks)]

    # ------------------------------------------------------------------ tricks on average

    @cached_property
    def expected(self) -> ExpectedAnswer:
        """The most tricks on average."""
        best = best_outcome(self)
        double_dummy = sum((answer.double_dummy for answer in self.goals), Fraction(0))
        return ExpectedAnswer(self.chance(self.worth(best)), best, double_dummy)

    def worth(self, levels: Levels) -> int:
        """The weights of all worlds won, once for every trick."""
        return sum(map(self.weight, levels))

    # ------------------------------------------------------------------ how to play

    def line(self, tricks: int | None = None, start: Start | None = None) -> SuitLine:
        """The line for a goal: of all that have its best chance, the best for tricks on average.

        Without a goal it is the line for tricks on average. With a start it is the best of the lines that begin so.
        """
        key = tricks, start
        if key not in self._lines:
            self._lines[key] = SuitLine(self, self._best_levels(tricks, start), tricks, start)
        return self._lines[key]

    def overtrick_line(self, tricks: int) -> SuitLine | None:
        """Of the lines that have a goal's chance, the likeliest to win one trick more; None if ``line`` is as likely.

        >>> solver = SuitSolver(Suit.of("AK543", "J92"))
        >>> for line in solver.line(3), solver.overtrick_line(3):
        ...     print([round(float(chance), 4) for chance in line.at_least.values()], round(float(line.average), 4))
        [1.0, 1.0, 0.9804, 0.763, 0.2713] 4.0148
        [1.0, 1.0, 0.9804, 0.8761, 0.0339] 3.8904
        """
        line = self.line(tricks)
        if tricks == self.suit.length or line.at_least[tricks + 1] == self.goal(tricks + 1).chance:
            return None
        found = SuitLine(self, best_outcome(self, [tricks, tricks + 1]), tricks)
        return found if found.at_least[tricks + 1] > line.at_least[tricks + 1] else None

    def _best_levels(self, tricks: int | None, start: Start | None) -> Levels:
        if start is not None:
            return best_outcome(self, [] if tricks is None else [tricks], [start])
        levels = self.expected.levels
        # The best line for tricks on average is most often the best for a goal too.
        if tricks is None or self.chance(self.weight(levels[tricks - 1])) == self.goal(tricks).chance:
            return levels
        return best_outcome(self, [tricks])

    def secures(self, table: SuitTable, levels: Levels, goal: int | None) -> bool:
        """Whether from a table on declarer can win all that ``levels`` say, in the worlds that are still possible."""
        here = self.possible(table)
        if goal is not None:
            return self._source.secures(table, goal - table.tricks, [levels[goal - 1] & here])
        wanted = [mask & here for mask in levels[table.tricks :]]
        return self.counting.secures(table, self.suit.length - table.tricks, wanted)

    @cached_property
    def counting(self) -> FrontSource:
        """A source that counts tricks, which takes two levels or more."""
        return self.new_source(max(self.suit.length, 2))

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
        return self.suit.share(weight)

    def new_source(self, levels: int, wanted: Wanted = ANYTHING) -> FrontSource:
        """Fronts of so many levels that have all outcomes, or at least those that are wanted."""
        return self.source_type(self, levels, wanted)


@dataclass(frozen=True)
class SuitLine:
    """A line of play: at every table the first play that still secures all that the line set out to win.

    ``levels`` are the worlds in which it wins 1, 2 ... tricks or more; ``goal`` is what it is for, None if it is for
    something else, which ``aim`` then names; ``start`` is how it has to begin, if that was asked for.

    >>> solver = SuitSolver(Suit.of("AKQ9", "32"))
    >>> line = solver.line(4)
    >>> str(line.play(solver.root)), {tricks: float(chance) for tricks, chance in line.at_least.items()}
    ('S2', {1: 1.0, 2: 1.0, 3: 1.0, 4: 0.24})
    """

    solver: SuitSolver
    levels: Levels
    goal: int | None
    start: Start | None = None
    aim: str = "the most on average"

    def play(self, table: SuitTable) -> SuitMove:
        """Declarer's play."""
        return next(iter(self.plays(table)))

    def plays(self, table: SuitTable) -> list[SuitMove]:
        """All of declarer's plays that keep what the line wins."""
        rules = self.solver.rules
        after = {move: rules.after(table, move) for move in rules.options(table)}
        found = [move for move, then in after.items() if self.solver.secures(then, self.levels, None)]
        if not found:
            raise InputError(f"the line does not lead to this table: {table}")
        return [move for move in found if self._begins_with(after[move])] or found

    def _begins_with(self, table: SuitTable) -> bool:
        """Whether a table is on the way to one of the start's."""
        return any(end.trick[: len(table.trick)] == table.trick for end in self.start or ())

    @property
    def at_least(self) -> dict[int, Fraction]:
        """How likely it wins at least so many tricks, for every number of them."""
        solver = self.solver
        return {tricks: solver.chance(solver.weight(mask)) for tricks, mask in enumerate(self.levels, 1)}

    @property
    def average(self) -> Fraction:
        """How many tricks it wins on average."""
        return self.solver.chance(self.solver.worth(self.levels))
