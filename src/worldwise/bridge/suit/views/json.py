"""A single suit for programs: plain dictionaries with keys that stay.

A probability is a number from 0 to 1. A play is a seat and a card, ``S2``; of cards that touch it names the lowest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldwise.bridge.rules.cards import holding_name
from worldwise.bridge.suit.layouts import VOID, layouts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.bridge.suit.layouts import SuitLayout
    from worldwise.bridge.suit.rules import Suit
    from worldwise.bridge.suit.solver import GoalAnswer, SuitSolver
    from worldwise.bridge.suit.trees import SuitResult
    from worldwise.bridge.suit.tutor import Comparison, MonteCarloError


def suit_json(solver: SuitSolver, lines: Sequence[str]) -> dict[str, Any]:
    """Every goal with a line for each, the most tricks on average, and what one would win if one saw all cards.

    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> from worldwise.bridge.suit.rules import Suit
    >>> found = suit_json(SuitSolver(Suit.of("AKQ9", "32")), ["..."] * 4)
    >>> list(found), found["goals"][3]["probability"], found["goals"][3]["first_plays"]
    (['north', 'south', 'goals', 'expected_tricks', 'double_dummy'], 0.24, ['S2'])
    """
    suit = solver.suit
    goals = zip(solver.goals, lines, strict=True)
    return {
        "north": holding_name(suit.north),
        "south": holding_name(suit.south),
        "goals": [goal_json(suit, answer, line) for answer, line in goals],
        "expected_tricks": float(solver.expected.tricks),
        "double_dummy": float(solver.expected.double_dummy),
    }


def goal_json(suit: Suit, answer: GoalAnswer, line: str) -> dict[str, Any]:
    """One goal."""
    return {
        "tricks": answer.tricks,
        "probability": float(answer.chance),
        "line": line,
        "first_plays": list(map(str, answer.first_plays)),
        "winning_layouts": winning_layouts_json(suit, answer.wins),
    }


def algorithm_json(suit: Suit, answer: GoalAnswer, result: SuitResult) -> dict[str, Any]:
    """What an algorithm makes of a goal."""
    wins = sum(1 << world for world in result.wins)
    return {
        "algorithm": result.algorithm,
        "tricks": answer.tricks,
        "believed": float(result.believed),
        "probability": float(result.chance),
        "optimal": result.chance == answer.chance,
        "first_play": None if result.move is None else str(result.move),
        "winning_layouts": winning_layouts_json(suit, wins),
        "seconds": result.seconds,
        "complete": result.complete,
    }


def why_json(answer: GoalAnswer, found: Comparison, error: MonteCarloError | None) -> dict[str, Any]:
    """A first line beside the best, and Monte Carlo's error if it makes one."""
    return {
        "tricks": answer.tricks,
        "play": str(found.line.lead),
        "line": found.line.name,
        "probability": float(found.line.chance),
        "best_play": str(found.best.lead),
        "best_line": found.best.name,
        "best_probability": float(found.best.chance),
        "only_this_wins": list(map(layout_json, found.gains)),
        "only_the_best_wins": list(map(layout_json, found.losses)),
        "monte_carlo": None if error is None else _error_json(error),
    }


def _error_json(error: MonteCarloError) -> dict[str, Any]:
    return {
        "believed": float(error.believed),
        "probability": float(error.chance),
        "after": list(map(str, error.history)),
        "played": str(error.played),
        "better": str(error.better),
        "cause": error.cause,
    }


def winning_layouts_json(suit: Suit, wins: int) -> list[dict[str, Any]]:
    """The layouts of a set of worlds."""
    return list(map(layout_json, layouts_of(suit, wins)))


def layout_json(layout: SuitLayout) -> dict[str, Any]:
    """A layout, in how many ways the cards that touch can be shared out so, and the chance of all of these."""
    west, east = ("-" if hand == VOID else hand for hand in (layout.west, layout.east))
    return {"west": west, "east": east, "ways": layout.ways, "probability": float(layout.chance)}
