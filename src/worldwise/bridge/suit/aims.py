"""What else a line can be best for: a value for each number of tricks, IMPs, or matchpoints against other lines.

An aim says what each number of tricks is worth in each layout. More tricks are never worth less: then the defenders,
who hold a line to as few as they can, also hold it to the least that it can be worth. The best line is an exact search
over outcomes, and of equals it is the best for tricks on average.

*Values* do not depend on the layout: 4 tricks are worth 10, say, and 5 are worth 11. In a *match* every other table
holds the same cards, follows a line of its own, and is held to as few tricks by defenders of its own; its score and
ours are compared, at matchpoints or in IMPs. The *field* are all sensible lines, each as likely: the line for each goal
that is neither certain nor impossible, the line for tricks on average, and whatever beats one of the field best, until
nobody finds anything new. A line is *unbeaten* if no line at all beats it; there need not be one.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, ClassVar, Protocol

from worldwise.bridge.rules.contract import Contract, Vulnerability
from worldwise.bridge.rules.deal import Seat
from worldwise.bridge.rules.scoring import imps, score
from worldwise.bridge.suit.best_outcome import most_gained
from worldwise.bridge.suit.solver import SuitLine
from worldwise.core.vector import exact_number
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from worldwise.bridge.suit.fronts import Gains
    from worldwise.bridge.suit.solver import SuitSolver
    from worldwise.core.vector import Number

LARGEST_VALUE = 10_000
"""No number of tricks is worth more, or less: IMPs, matchpoints and points of most contracts are within."""

MOST_PARTS = 1000
"""Values have a common denominator no larger than this."""

MOST_SENSIBLE = 24
"""The field has no more lines than this: so many has no combination that was tried."""


# ---------------------------------------------------------------------- a value for each number of tricks


@dataclass(frozen=True)
class Values:
    """What 0, 1, 2 ... tricks are worth, wherever the cards lie.

    >>> Values.of({3: 0, 4: 10, 5: 11}, 5).worth
    (Fraction(0, 1), Fraction(0, 1), Fraction(0, 1), Fraction(0, 1), Fraction(10, 1), Fraction(11, 1))
    """

    worth: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        if list(self.worth) != sorted(self.worth):
            raise InputError("expected values that do not fall with more tricks, found some that do")
        if max(map(abs, self.worth)) > LARGEST_VALUE or self.parts > MOST_PARTS:
            raise InputError(
                f"expected values within {LARGEST_VALUE} of zero, in parts of at least 1/{MOST_PARTS}, found larger "
                "or finer ones"
            )

    @classmethod
    def of(cls, given: Mapping[int, Number], length: int) -> Values:
        """The values of some numbers of tricks.

        Others are worth what the next lower one given is; those below all of them nothing, or what the lowest is worth
        if that is less than nothing.
        """
        if not given or min(given) < 0 or max(given) > length:
            raise InputError(f"expected values for numbers of tricks from 0 to {length}, found {dict(given)}")
        values = {tricks: Fraction(exact_number(value)) for tricks, value in given.items()}
        worth = [min(Fraction(0), values[min(values)])]
        for tricks in range(length + 1):
            worth.append(values.get(tricks, worth[-1]))
        return cls(tuple(worth[1:]))

    @classmethod
    def in_imps(cls, stakes: Stakes, length: int) -> Values:
        """IMPs against a table that just makes the same contract.

        >>> [str(value) for value in Values.in_imps(Stakes.of("3NT", makes=4), 5).worth]
        ['-12', '-11', '-11', '-10', '0', '1']
        """
        return cls(tuple(stakes.points(tricks, stakes.makes) for tricks in range(length + 1)))

    @property
    def parts(self) -> int:
        """The denominator that all values have in common."""
        return lcm(*(value.denominator for value in self.worth))

    def gains(self, solver: SuitSolver) -> Gains:
        """What each trick adds in each world, in whole parts of the world's weight."""
        return [[int(step * self.parts) * weight for weight in solver.suit.weights] for step in self._steps]

    def average(self, line: SuitLine) -> Fraction:
        """What a line is worth on average."""
        won = zip(self._steps, line.at_least.values(), strict=True)
        return self.worth[0] + sum(step * chance for step, chance in won)

    @property
    def _steps(self) -> list[Fraction]:
        """What each further trick adds."""
        return [more - less for less, more in zip(self.worth, self.worth[1:], strict=False)]


# ---------------------------------------------------------------------- matches


class Scoring(Protocol):
    """How two tables are compared."""

    @property
    def parts(self) -> int:
        """The common denominator of all points."""

    @property
    def even(self) -> Fraction:
        """What as many tricks as theirs are worth."""

    def points(self, mine: int, theirs: int) -> Fraction:
        """What so many tricks are worth beside theirs."""


@dataclass(frozen=True)
class Matchpoints:
    """A whole point for more tricks than the other table, half a point for as many."""

    parts: ClassVar[int] = 2
    even: ClassVar[Fraction] = Fraction(1, 2)

    def points(self, mine: int, theirs: int) -> Fraction:
        """What so many tricks are worth beside theirs."""
        return Fraction((mine > theirs) + (mine >= theirs), 2)


@dataclass(frozen=True)
class Stakes:
    """IMPs in a contract that both tables play, and that ``makes`` tricks of this suit just make.

    >>> Stakes.of("4SX", vulnerable=True, makes=3).points(3, 2)
    Fraction(14, 1)
    """

    contract: Contract
    vulnerable: bool
    makes: int
    parts: ClassVar[int] = 1
    even: ClassVar[Fraction] = Fraction(0)

    @classmethod
    def of(cls, contract: str = "3NT", *, vulnerable: bool = False, makes: int) -> Stakes:
        """The stakes of a contract that is written so: 3NT, 4S, 6HX."""
        return cls(Contract.read(contract, Seat.SOUTH), vulnerable, makes)

    def points(self, mine: int, theirs: int) -> Fraction:
        """IMPs for so many tricks beside theirs."""
        return Fraction(imps(self._score(mine) - self._score(theirs)))

    def _score(self, tricks: int) -> int:
        taken = min(max(self.contract.tricks + tricks - self.makes, 0), 13)
        return score(self.contract, taken, Vulnerability.BOTH if self.vulnerable else Vulnerability.NONE)


@dataclass(frozen=True)
class Match:
    """The score against other lines, each as likely."""

    others: tuple[SuitLine, ...]
    scoring: Scoring

    @classmethod
    def against_the_field(cls, solver: SuitSolver, scoring: Scoring) -> Match:
        """Against all sensible lines; the module says which these are."""
        return cls(tuple(sensible_lines(solver, scoring)), scoring)

    def gains(self, solver: SuitSolver) -> Gains:
        """What each trick adds in each world, in whole parts of the world's weight."""
        taken = [_tricks_taken(line) for line in self.others]
        return [
            [
                weight * sum(self._gain(tricks, there[world]) for there in taken)
                for world, weight in enumerate(solver.suit.weights)
            ]
            for tricks in range(1, solver.suit.length + 1)
        ]

    def _gain(self, tricks: int, theirs: int) -> int:
        points = self.scoring.points
        return int((points(tricks, theirs) - points(tricks - 1, theirs)) * self.scoring.parts)

    def average(self, line: SuitLine) -> Fraction:
        """A line's score on average."""
        return sum((self.against(line, other) for other in self.others), Fraction(0)) / len(self.others)

    def against(self, line: SuitLine, other: SuitLine) -> Fraction:
        """A line's score against one of the others."""
        weights = line.solver.suit.weights
        tables = zip(weights, _tricks_taken(line), _tricks_taken(other), strict=True)
        return sum((weight * self.scoring.points(*tricks) for weight, *tricks in tables), Fraction(0)) / sum(weights)


def sensible_lines(solver: SuitSolver, scoring: Scoring) -> list[SuitLine]:
    """The lines of the field: those for goals and for the average, and what beats any of them best.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> len(sensible_lines(SuitSolver(Suit.of("AQT98", "5432")), Matchpoints()))
    3
    """
    goals = [answer.line for answer in solver.goals if 0 < answer.chance < 1]
    found = {line.levels: line for line in (solver.line(), *goals)}
    for line in (waiting := list(found.values())):
        reply = best_reply(line, scoring)
        if reply.worth > scoring.even and reply.line.levels not in found and len(found) < MOST_SENSIBLE:
            found[reply.line.levels] = reply.line
            waiting.append(reply.line)
    return list(found.values())


# ---------------------------------------------------------------------- the best line


SuitAim = Values | Match


@dataclass(frozen=True)
class AimedLine:
    """The line that is best for an aim, and of equals for tricks on average."""

    aim: SuitAim
    line: SuitLine

    @cached_property
    def worth(self) -> Fraction:
        """What it is worth on average: the value, IMPs, or the share of the matchpoints."""
        return self.aim.average(self.line)

    @cached_property
    def rival(self) -> AimedLine | None:
        """In a match, the line that beats it best head to head, if any does."""
        if isinstance(self.aim, Values):
            return None
        reply = best_reply(self.line, self.aim.scoring)
        return reply if reply.worth > self.aim.scoring.even else None


def best_line(solver: SuitSolver, aim: SuitAim) -> AimedLine:
    """The line that is best for a value, or in a match.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> solver = SuitSolver(Suit.of("AJ98", "K32"))
    >>> found = best_line(solver, Values.of({3: 10, 4: 11}, 4))
    >>> round(float(found.worth), 4), [round(float(chance), 4) for chance in found.line.at_least.values()]
    (8.6556, [1.0, 1.0, 0.8547, 0.109])
    """
    return AimedLine(aim, SuitLine(solver, most_gained(solver, aim.gains(solver)), None))


def best_reply(line: SuitLine, scoring: Scoring) -> AimedLine:
    """The line that is best against another; that is unbeaten if its worth is no more than ``scoring.even``."""
    return best_line(line.solver, Match((line,), scoring))


def _tricks_taken(line: SuitLine) -> list[int]:
    """How many tricks a line takes in each world."""
    return [sum(mask >> world & 1 for mask in line.levels) for world in range(len(line.solver.suit.worlds))]
