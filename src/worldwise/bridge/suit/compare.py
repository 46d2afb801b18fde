"""Two lines of play for one suit, head to head, as matchpoints compare them: who takes more tricks, and how often?

Two tables hold the same cards. At each, declarer follows his line, and the defenders, who see all hands and know that
line, hold it to as few tricks as they can in the layout at hand: each table's defence plays against its own declarer,
not against the score at the other. Then the tricks of the two lines are compared layout by layout.

A line is for a goal, or for the most tricks on average. At every table it makes a play that keeps all layouts which it
set out to win. Several plays may; matchpoints ask for more than the goal, so of these it makes one that also keeps what
the best line for one trick more wins, and so on upwards, and then downwards from the goal. Where none keeps all of it,
those remain after which that many tricks can be won in most of the layouts that are still possible. Of what is left,
the first play is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_
from typing import TYPE_CHECKING

from worldwise.bridge.suit.most_wins import MostWins
from worldwise.core.game import Side
from worldwise.errors import InputError, LimitReachedError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from worldwise.bridge.suit.rules import SuitMove, SuitTable
    from worldwise.bridge.suit.solver import Levels, SuitSolver
    from worldwise.bridge.suit.weighing import Mask


class MatchpointLine:
    """A line of play that goes on for tricks beyond its goal: for ``tricks``, or on average; the lead may be given.

    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> from worldwise.bridge.suit.rules import Suit
    >>> line = MatchpointLine(SuitSolver(Suit.of("AKQ9", "32")), 3)
    >>> str(line.play(line.solver.root)), float(line.average)
    ('S2', 3.24)
    """

    def __init__(self, solver: SuitSolver, tricks: int | None, lead: SuitMove | None = None) -> None:
        if lead is not None and (tricks is None or lead not in solver.goal(tricks).plays):
            raise InputError(f"expected a goal and one of its first plays, found {tricks} and {lead}")
        self.solver, self.rules, self.tricks, self.lead = solver, solver.rules, tricks, lead
        self._secured: dict[tuple[int | None, SuitTable], bool] = {}
        self._outcomes: dict[SuitTable, Levels] = {}

    def play(self, table: SuitTable) -> SuitMove:
        """Declarer's play."""
        moves = self.rules.options(table)
        if self.lead is not None and table == self.solver.root:
            moves = [self.lead]
        for goal in self._targets:
            if len(moves) > 1:
                kept = [move for move in moves if self._secures(self.rules.after(table, move), goal)]
                moves = kept or self._most_promising(table, moves, goal)
        return moves[0]

    def _most_promising(self, table: SuitTable, moves: list[SuitMove], goal: int | None) -> list[SuitMove]:
        """The plays after which a goal can be reached in most layouts; on average there is always one that keeps it."""
        if goal is None:
            return moves
        here, most = self.rules.possible(table), self._most_wins[goal]
        weights = [self.solver.weight(most.after([self.rules.after(table, move)], here)) for move in moves]
        return [move for move, weight in zip(moves, weights, strict=True) if weight == max(weights)]

    @property
    def first_play(self) -> SuitMove | None:
        """How it begins; None if there is no hand to lead from."""
        return self.play(self.solver.root) if self.rules.options(self.solver.root) else None

    @cached_property
    def outcome(self) -> Levels:
        """For 1, 2 ... tricks, the worlds in which the line takes at least so many against best defence."""
        return self._outcome(self.solver.root)

    @property
    def average(self) -> Fraction:
        """How many tricks it takes on average."""
        return self.solver.chance(sum(map(self.solver.weight, self.outcome)))

    # ------------------------------------------------------------------ what it plays for

    @cached_property
    def _targets(self) -> dict[int | None, Levels]:
        """What it tries to keep, by goal, the most important first."""
        every = range(1, self.solver.suit.length + 1)
        start = self.solver.suit.length if self.tricks is None else self.tricks
        ordered = [goal for goal in every if goal > start] + [goal for goal in reversed(every) if goal <= start]
        lines = {goal: self.solver.line(goal).levels for goal in ordered if self.solver.goal(goal).chance}
        return {self.tricks: self._first_target, **{goal: lines[goal] for goal in lines if goal != self.tricks}}

    @property
    def _first_target(self) -> Levels:
        if self.lead is None or self.tricks is None:
            return self.solver.line(self.tricks).levels
        led = self.rules.after(self.solver.root, self.lead)
        best = self.solver.goal(self.tricks).wins
        return (0,) * (self.tricks - 1) + (MostWins(self.solver, self.tricks).after([led], liked=best),)

    @cached_property
    def _most_wins(self) -> dict[int, MostWins]:
        return {goal: MostWins(self.solver, goal) for goal in self._targets if goal is not None}

    def _secures(self, table: SuitTable, goal: int | None) -> bool:
        key = goal, table
        if key not in self._secured:
            levels = self._targets[goal]
            is_settled = goal is not None and (
                table.tricks >= goal or not levels[goal - 1] & self.rules.possible(table)
            )
            self._secured[key] = is_settled or self.solver.secures(table, levels, goal)
        return self._secured[key]

    # ------------------------------------------------------------------ what it takes

    def _outcome(self, table: SuitTable) -> Levels:
        """For every number of tricks, the worlds of a table in which the line takes at least so many in all."""
        if table not in self._outcomes:
            if self.solver.clock.ran_out(len(self._outcomes)):
                raise LimitReachedError("the play-out of a line", self.solver.clock.limit)
            self._outcomes[table] = self._play_out(table)
        return self._outcomes[table]

    def _play_out(self, table: SuitTable) -> Levels:
        side, here = self.rules.side(table), self.rules.possible(table)
        if side is Side.MAX:
            return self._outcome(self.rules.after(table, self.play(table)))
        if side is None:
            return tuple(here if count < table.tricks else 0 for count in range(self.solver.suit.length))
        left = (here,) * self.solver.suit.length
        for move in self.rules.options(table):
            after = self.rules.after(table, move)
            elsewhere = here & ~self.rules.possible(after)
            left = tuple(a & (b | elsewhere) for a, b in zip(left, self._outcome(after), strict=True))
        return left


@dataclass(frozen=True)
class HeadToHead:
    """How two lines compare: the worlds in which the first takes more tricks, and those in which the second does."""

    first: MatchpointLine
    second: MatchpointLine
    first_more: Mask
    second_more: Mask

    @property
    def more(self) -> Fraction:
        """How likely it is that the first line takes more tricks."""
        return self._chance(self.first_more)

    @property
    def fewer(self) -> Fraction:
        """How likely it is that the second line takes more tricks."""
        return self._chance(self.second_more)

    @property
    def equal(self) -> Fraction:
        """How likely it is that both take as many."""
        return 1 - self.more - self.fewer

    @property
    def score(self) -> Fraction:
        """The first line's share of the matchpoints: all of them for more tricks, half of them for as many."""
        return self.more + self.equal / 2

    def _chance(self, worlds: Mask) -> Fraction:
        return self.first.solver.chance(self.first.solver.weight(worlds))


def compare_lines(first: MatchpointLine, second: MatchpointLine) -> HeadToHead:
    """Two lines head to head; the module says against which defence.

    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> from worldwise.bridge.suit.rules import Suit
    >>> solver = SuitSolver(Suit.of("AJ98", "K32"))
    >>> found = compare_lines(MatchpointLine(solver, 3), MatchpointLine(solver, 4))
    >>> [round(float(chance), 4) for chance in (found.more, found.equal, found.fewer, found.score)]
    [0.072, 0.654, 0.2739, 0.3991]
    """
    levels = list(zip(first.outcome, second.outcome, strict=True))
    # Levels shrink: who is in a level that the other is not in takes more.
    more = _any(one & ~other for one, other in levels)
    return HeadToHead(first, second, more, _any(other & ~one for one, other in levels))


def _any(masks: Iterable[Mask]) -> Mask:
    return reduce(or_, masks, 0)
