"""One combination solved: what the atlas keeps of it, in whole numbers.

A chance is kept as its numerator in parts of ``combinations.WHOLE``, and tricks on average likewise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from worldwise.bridge.suit.atlas.combinations import numerator
from worldwise.bridge.suit.rules import NORTH, Suit
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.errors import refuse_failures

if TYPE_CHECKING:
    from worldwise.bridge.suit.rules import SuitMove
    from worldwise.bridge.suit.solver import GoalAnswer


class SolvedGoal(NamedTuple):
    """What is known of at least so many tricks; ``plays`` has a bit for each first play that keeps the best chance.

    ``on_average`` is the chance that the line for tricks on average has of this goal.
    """

    chance: int
    double_dummy: int
    on_average: int
    plays: int


class SolvedSuit(NamedTuple):
    """The most tricks on average, the same with the cards face up, and all goals that are possible, from 1 on.

    >>> from worldwise.bridge.suit.atlas.combinations import WHOLE
    >>> solved = solve(Suit.of("AKQ9", "32"))
    >>> solved.average / WHOLE, [goal.chance / WHOLE for goal in solved.goals]
    (3.24, [1.0, 1.0, 1.0, 0.24])
    >>> solved == SolvedSuit.read(str(solved)), str(solve(Suit.of("A", "2")))
    (True, '10400600 10400600;10400600 10400600 10400600 9')
    """

    average: int
    double_dummy: int
    goals: tuple[SolvedGoal, ...]

    def __str__(self) -> str:
        return ";".join(" ".join(map(str, part)) for part in (self[:2], *self.goals))

    @classmethod
    def read(cls, text: str) -> SolvedSuit:
        """What was written as text."""
        with refuse_failures("a combination of the atlas"):
            first, *goals = ([int(number) for number in part.split(" ")] for part in text.split(";"))
            average, double_dummy = first
            return cls(average, double_dummy, tuple(SolvedGoal(*goal) for goal in goals))


def solve(suit: Suit) -> SolvedSuit:
    """Everything that the atlas has of a suit."""
    solver = SuitSolver(suit)
    answers = [answer for answer in solver.goals if answer.chance]
    best = solver.expected
    return SolvedSuit(
        numerator(best.tricks), numerator(best.double_dummy), tuple(_goal(solver, answer) for answer in answers)
    )


def _goal(solver: SuitSolver, answer: GoalAnswer) -> SolvedGoal:
    on_average = solver.weight(solver.expected.levels[answer.tricks - 1])
    plays = sum(1 << play_bit(solver.suit, move) for move in answer.first_plays)
    return SolvedGoal(numerator(answer.chance), numerator(answer.double_dummy), on_average, plays)


# ---------------------------------------------------------------------- first plays


def runs(suit: Suit) -> list[list[int]]:
    """Declarer's cards, those that touch together, whichever hand they are in; the highest first.

    >>> runs(Suit.of("AQT", "K2"))
    [[14, 13, 12], [10], [2]]
    """
    found: list[list[int]] = []
    last = 0
    for rank in sorted((*suit.north, *suit.south), reverse=True):
        if last - rank != 1:
            found.append([])
        found[-1].append(rank)
        last = rank
    return found


def play_bit(suit: Suit, move: SuitMove) -> int:
    """The number of a first play: twice that of its run, one more if it is South's."""
    number = next(number for number, cards in enumerate(runs(suit)) if move.card in cards)
    return 2 * number + (move.seat != NORTH)
