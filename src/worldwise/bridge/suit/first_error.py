"""Where a line in a single suit first goes wrong: at the lead, at third hand's card, or later.

A line errs where it gives up the best chance for good: whoever has played as it did so far, and plays as well as one
can from there on, still has less. Lead and third hand's cards are judged so by the exact solver; what goes wrong after
the first trick is later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from worldwise.bridge.suit.monte_carlo import MonteCarloLine
from worldwise.core.game import Side

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from worldwise.bridge.suit.fronts import Start
    from worldwise.bridge.suit.rules import SuitMove, SuitTable
    from worldwise.bridge.suit.solver import SuitSolver

FirstError = Literal["none", "lead", "third hand", "later"]


def first_error(solver: SuitSolver, tricks: int, chance: Fraction, lead: SuitMove | None, begun: Start) -> FirstError:
    """Where a line with this chance first errs; ``begun`` are the tables once declarer has played to the first trick.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> from worldwise.bridge.suit.trees import suit_algorithms
    >>> suit = Suit.of("AKQ9", "32")
    >>> results = suit_algorithms(suit, 4, ["monte-carlo", "vector-mm", "prm"])
    >>> [first_error(SuitSolver(suit), 4, result.chance, result.move, result.begun) for result in results]
    ['later', 'lead', 'none']
    """
    answer = solver.goal(tricks)
    if chance == answer.chance:
        return "none"
    if lead is not None and answer.plays[lead] < answer.chance:
        return "lead"
    return "third hand" if solver.chance(solver.summary(begun, tricks).weight) < answer.chance else "later"


def begun_by_sampling(solver: SuitSolver, tricks: int) -> tuple[SuitMove, Start]:
    """The lead of one who samples all layouts, and the tables once he has played to the first trick.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> lead, begun = begun_by_sampling(SuitSolver(Suit.of("AKQ9", "32")), 4)
    >>> str(lead), [" ".join(map(str, table.trick)) for table in begun]
    ('...', ['...'...])
    """
    line = MonteCarloLine(solver, tricks)
    lead = line.play(solver.root)
    return lead, tuple(_third_hands(line, lead))


def _third_hands(line: MonteCarloLine, lead: SuitMove) -> Iterator[SuitTable]:
    rules = line.rules
    led = rules.after(line.solver.root, lead)
    for second in rules.options(led):
        table = rules.after(led, second)
        yield rules.after(table, line.play(table)) if rules.side(table) is Side.MAX else table
