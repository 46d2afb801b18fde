"""Where an algorithm's line in a single suit first goes wrong: at the lead, at third hand's card, or later.

A line errs where it gives up the best chance for good: whoever has played as it did so far, and plays as well as one
can from there on, still has less. Lead and third hand's cards are judged so by the exact solver; what goes wrong after
the first trick is later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from worldwise.bridge.suit.solver import SuitSolver
    from worldwise.bridge.suit.trees import SuitResult

FirstError = Literal["none", "lead", "third hand", "later"]


def first_error(solver: SuitSolver, tricks: int, result: SuitResult) -> FirstError:
    """Where the line of an algorithm first errs.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> from worldwise.bridge.suit.trees import suit_algorithms
    >>> suit = Suit.of("AKQ9", "32")
    >>> results = suit_algorithms(suit, 4, ["monte-carlo", "vector-mm", "prm"])
    >>> [first_error(SuitSolver(suit), 4, result) for result in results]
    ['later', 'lead', 'none']
    """
    answer = solver.goal(tricks)
    if result.chance == answer.chance:
        return "none"
    if result.move is not None and answer.plays[result.move] < answer.chance:
        return "lead"
    begun = solver.chance(solver.summary(result.begun, tricks).weight)
    return "third hand" if begun < answer.chance else "later"
