"""The ways to begin a single suit, what each is worth, and how it goes on.

A *first line* is what a player would call one: the lead, and the card from opposite if second hand plays low. All that
comes after it is played as well as can be.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from worldwise.bridge.suit.most_wins import MostWins
from worldwise.bridge.suit.outlook import Outlook
from worldwise.bridge.suit.phrases import Language, capital
from worldwise.bridge.suit.rules import NORTH, OUT, SOUTH, SuitMove
from worldwise.bridge.suit.steps import LOW, Step, possible_steps
from worldwise.bridge.suit.words import LineText, levels_in_words, line_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from fractions import Fraction

    from worldwise.bridge.suit.phrases import Phrase
    from worldwise.bridge.suit.rules import SuitTable
    from worldwise.bridge.suit.solver import SuitSolver
    from worldwise.bridge.suit.weighing import Mask


@dataclass(frozen=True)
class FirstStep:
    """A way to begin: ``alike`` are the steps that come to the same, ``tables`` what the defenders then choose from.

    ``lead`` names the lowest of cards that touch, as plays do.
    """

    alike: tuple[Step, ...]
    phrase: Phrase
    lead: SuitMove
    tables: tuple[SuitTable, ...]

    @property
    def name(self) -> str:
        """What it is called."""
        return capital(str(self.phrase))


@dataclass(frozen=True)
class FirstLine:
    """A way to begin, its best chance, and the worlds it then wins."""

    first: FirstStep
    chance: Fraction
    wins: Mask

    @property
    def name(self) -> str:
        """What it is called."""
        return self.first.name

    @property
    def lead(self) -> SuitMove:
        """The play that it begins with."""
        return self.first.lead


def first_lines(solver: SuitSolver, tricks: int) -> list[FirstLine]:
    """Every way to begin that differs, the best first; of equals, the one that ``line_in_words`` goes on to explain.

    >>> from worldwise.bridge.suit.phrases import percent
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> from worldwise.bridge.suit.rules import Suit
    >>> for line in first_lines(SuitSolver(Suit.of("AQT", "32")), 2):
    ...     print(line.name, percent(line.chance))
    Finesse the ten 76.00 %
    Finesse the queen 76.00 %
    Cash the ace 52.50 %
    Lead low to the ace 52.50 %
    Lead the queen 50.18 %
    Lead the ten 50.18 %
    """
    starts = Starts(solver, tricks)
    return starts.rank(map(starts.line, starts.every))


def first_line_in_words(solver: SuitSolver, tricks: int, line: FirstLine) -> LineText:
    """How to go on after a first line, in words."""
    whole = line_in_words(solver, tricks)
    if line.name == whole.start and line.wins == solver.goal(tricks).wins:
        return whole
    levels = (line.wins,) * tricks + (0,) * (solver.suit.length - tricks)
    return levels_in_words(solver, levels, line.first.alike[:1])


class Starts:
    """Works out first lines, and no more of them than are asked for."""

    def __init__(self, solver: SuitSolver, tricks: int) -> None:
        self.solver, self.rules = solver, solver.rules
        self.answer = solver.goal(tricks)
        self.view = Outlook(solver, (0,) * (tricks - 1) + (self.answer.wins,), tricks)
        self.language, self.most = Language(solver.suit), MostWins(solver, tricks)

    # ------------------------------------------------------------------ which there are

    @cached_property
    def every(self) -> list[FirstStep]:
        """All ways to begin."""
        seats = [seat for seat in (NORTH, SOUTH) if any(move.seat == seat for move in self.answer.plays)]
        found: dict[tuple[SuitMove, int], FirstStep] = {}
        for alike in possible_steps(self.solver.root, self.solver.suit, seats):
            first = self._first(alike)
            found.setdefault((first.lead, alike[0].third), first)
        # A duck may begin from either hand, and is found for one of them.
        others = [self._first([Step(seat, LOW)]) for seat in seats]
        leads = {lead for lead, _ in found}
        return [*found.values(), *(first for first in others if first.lead not in leads)]

    def _first(self, alike: list[Step]) -> FirstStep:
        root, step = self.solver.root, alike[0]
        plan = step.plan(root, self.solver.suit)
        lead = max(move for move in self.answer.plays if move.seat == plan.lead.seat and move.card <= plan.lead.card)
        return FirstStep(
            tuple(alike), self.language.step(step, root), lead, tuple(self._tables(plan.lead, plan.thirds))
        )

    def _tables(self, lead: SuitMove, thirds: bytes) -> Iterator[SuitTable]:
        """What the defenders choose from: third hand has played if second hand plays low, otherwise it is to choose."""
        led = self.rules.after(self.solver.root, lead)
        seconds = self.rules.options(led)
        low = [move for move in seconds if move.card != OUT][-1:]
        seen = [self.rules.after(led, move) for move in low]
        if not seen or len(seen[0].trick) != 2:
            yield led
            return
        yield from (self.rules.after(led, move) for move in seconds if move not in low)
        third = thirds[self.solver.suit.class_of[low[0].card]]
        yield self.rules.after(seen[0], SuitMove(2 - lead.seat, third))

    # ------------------------------------------------------------------ what they win

    def line(self, first: FirstStep) -> FirstLine:
        """A first line and what it wins; among equals as much as can be of what the best line wins.

        So only true differences are shown, and a start that the best line may have wins just what that does.
        """
        best = self.answer.wins
        wins = best if self._is_best(first) else self.most.after(first.tables, liked=best)
        return FirstLine(first, self.solver.chance(self.solver.weight(wins)), wins)

    def best(self) -> FirstLine:
        """The best one: the one that is explained."""
        starts = [first for first in self.every if first.lead in self.answer.first_plays]
        named = [first for first in starts if first.name == self.explained and self._is_best(first)]
        return self.line((named or list(filter(self._is_best, starts)) or starts)[0])

    def rank(self, lines: Iterable[FirstLine]) -> list[FirstLine]:
        """The best first; of equals, the one that is explained."""
        return sorted(lines, key=lambda line: (-line.chance, line.name != self.explained))

    @cached_property
    def explained(self) -> str:
        """How the best line begins, in words."""
        return line_in_words(self.solver, self.answer.tricks).start

    def _is_best(self, first: FirstStep) -> bool:
        return all(map(self.view.secures, first.tables))
