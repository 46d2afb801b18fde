"""What is asked of a suit most often, for programs: every goal with its line in words, and what was assumed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldwise.bridge.suit.views.json import suit_json
from worldwise.bridge.suit.views.text import assumption_words
from worldwise.bridge.suit.words import line_in_words

if TYPE_CHECKING:
    from worldwise.bridge.suit.solver import SuitSolver


def answers_json(solver: SuitSolver, tricks: int | None = None) -> dict[str, Any]:
    """All goals; or one of them, whose record then also stands at the top.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> answers_json(SuitSolver(Suit.of("AQ", "32")), 2)["chance"]
    0.5
    """
    goals = [answer.tricks for answer in solver.goals] if tricks is None else [tricks]
    found = suit_json(solver, [line_text(solver, goal) for goal in goals], tricks)
    if tricks is not None:
        found |= found["goals"][0]
    if words := assumption_words(solver.suit, solver.entries):
        found["assumptions"] = words
    return found


def line_text(solver: SuitSolver, tricks: int | None, *, short: bool = False) -> str:
    """The best line for a goal in words, if any line wins it."""
    if tricks is not None and not solver.goal(tricks).chance:
        return "No line wins so many tricks."
    line = line_in_words(solver, tricks)
    return line.summary if short else line.text
