"""What else a line can be best for: a value for each number of tricks, IMPs, or matchpoints against other lines.

A *scale* says what each number of tricks is worth in each layout. It never falls with more tricks: then the defenders,
who hold a line to as few as they can, also hold it to the least that it can be worth. The best line is an exact search
over outcomes, and of equals it is the best for tricks on average.

At matchpoints every other table has a line of its own, held to as few tricks by defenders of its own: more tricks
than it are a whole point, as many are half a point. The *field* are the lines that a player could sensibly choose: the
line for each goal that is neither certain nor impossible, and the line for tricks on average, each outcome once, and
all of them equally likely.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING

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
    def in_imps(cls, contract: str, vulnerable: bool, makes: int, length: int) -> Values:
        """IMPs against a table that just makes the same contract, which ``makes`` tricks of this suit do here.

        >>> [str(value) for value in Values.in_imps("3NT", False, 4, 5).worth]
        ['-12', '-11', '-11', '-10', '0', '1']
        """
        played = Contract.read(contract, Seat.SOUTH)
        where = Vulnerability.BOTH if vulnerable else Vulnerability.NONE
        made = score(played, played.tricks, where)
        counts = [min(max(played.tricks + tricks - makes, 0), 13) for tricks in range(length + 1)]
        return cls(tuple(Fraction(imps(score(played, count, where) - made)) for count in counts))

    @property
    def parts(self) -> int:
        """The denominator that all values have in common."""
        return lcm(*(value.denominator for value in self.worth))

    def gains(self, solver: SuitSolver) -> Gains:
        """What each trick adds in each world, in whole parts of the world's weight."""
        steps = [int((more - less) * self.parts) for less, more in zip(self.worth, self.worth[1:], strict=False)]
        return [[step * weight for weight in solver.suit.weights] for step in steps]

    def average(self, line: SuitLine) -> Fraction:
        """What a line is worth on average."""
        steps = [more - less for less, more in zip(self.worth, self.worth[1:], strict=False)]
        return self.worth[0] + sum(step * chance for step, chance in zip(steps, line.at_least.values(), strict=True))


@dataclass(frozen=True)
class Matchpoints:
    """The share of the matchpoints against other lines, all of them equally likely."""

    others: tuple[SuitLine, ...]

    @classmethod
    def against_the_field(cls, solver: SuitSolver) -> Matchpoints:
        """Against the lines that a player could sensibly choose; the module says which these are."""
        lines = [solver.line(), *(answer.line for answer in solver.goals if 0 < answer.chance < 1)]
        return cls(tuple({line.levels: line for line in reversed(lines)}.values()))

    def gains(self, solver: SuitSolver) -> Gains:
        """What each trick adds in each world: half a point for reaching another line's tricks, half for more."""
        taken = [_tricks_taken(line) for line in self.others]
        return [
            [
                weight * sum(there[world] in (tricks - 1, tricks) for there in taken)
                for world, weight in enumerate(solver.suit.weights)
            ]
            for tricks in range(1, solver.suit.length + 1)
        ]

    def average(self, line: SuitLine) -> Fraction:
        """A line's share on average."""
        solver, own = line.solver, _tricks_taken(line)
        halves = sum(
            weight * ((mine > other) + (mine >= other))
            for there in map(_tricks_taken, self.others)
            for weight, mine, other in zip(solver.suit.weights, own, there, strict=True)
        )
        return solver.chance(halves) / (2 * len(self.others))


Aim = Values | Matchpoints


@dataclass(frozen=True)
class AimedLine:
    """The line that is best for an aim, and of equals for tricks on average."""

    aim: Aim
    line: SuitLine

    @cached_property
    def worth(self) -> Fraction:
        """What it is worth on average: the value, or the share of the matchpoints."""
        return self.aim.average(self.line)


def best_line(solver: SuitSolver, aim: Aim) -> AimedLine:
    """The line that is best for a value or at matchpoints.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> solver = SuitSolver(Suit.of("AJ98", "K32"))
    >>> found = best_line(solver, Values.of({3: 10, 4: 11}, 4))
    >>> round(float(found.worth), 4), [round(float(chance), 4) for chance in found.line.at_least.values()]
    (8.6556, [1.0, 1.0, 0.8547, 0.109])
    >>> round(float(best_line(solver, Matchpoints.against_the_field(solver)).worth), 4)
    0.5434
    """
    return AimedLine(aim, SuitLine(solver, most_gained(solver, aim.gains(solver)), None))


def _tricks_taken(line: SuitLine) -> list[int]:
    """How many tricks a line takes in each world."""
    return [sum(mask >> world & 1 for mask in line.levels) for world in range(len(line.solver.suit.worlds))]
