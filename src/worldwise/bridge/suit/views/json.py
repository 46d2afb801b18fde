"""A single suit for programs: plain dictionaries with keys that stay.

A chance is a number from 0 to 1; ``probability`` is the same one by the name it had in version 0.1. A play is a seat
and a card, ``S2``; of cards that touch it names the lowest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldwise.bridge.rules.cards import holding_name
from worldwise.bridge.suit.layouts import VOID, layouts_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from worldwise.bridge.suit.against import WonAgainst
    from worldwise.bridge.suit.layouts import SuitLayout
    from worldwise.bridge.suit.reasons import Comparison
    from worldwise.bridge.suit.rules import Suit
    from worldwise.bridge.suit.solver import GoalAnswer, SuitLine, SuitSolver
    from worldwise.bridge.suit.trees import SuitResult
    from worldwise.bridge.suit.tutor import MonteCarloError


def suit_json(solver: SuitSolver, lines: Sequence[str], tricks: int | None = None) -> dict[str, Any]:
    """Every goal, or one, with a line for each; the most tricks on average, and what one would win seeing all cards.

    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> from worldwise.bridge.suit.rules import Suit
    >>> found = suit_json(SuitSolver(Suit.of("AKQ9", "32")), ["..."], 4)
    >>> list(found), found["goals"][0]["chance"], found["goals"][0]["first_plays"]
    (['north', 'south', 'goals', 'expected_tricks', 'double_dummy'], 0.24, ['S2'])
    """
    answers = solver.goals if tricks is None else [solver.goal(tricks)]
    told = [goal_json(solver.suit, answer, line) for answer, line in zip(answers, lines, strict=True)]
    return hands_json(solver, told)


def hands_json(solver: SuitSolver, goals: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The two hands, their goals, as much as is told of each, and the average."""
    return {
        "north": holding_name(solver.suit.north),
        "south": holding_name(solver.suit.south),
        "goals": list(goals),
        "expected_tricks": float(solver.expected.tricks),
        "double_dummy": float(solver.expected.double_dummy),
    }


def goal_json(suit: Suit, answer: GoalAnswer, line: str) -> dict[str, Any]:
    """One goal, with its line."""
    return {**chances_json(answer), "line": line, "winning_layouts": winning_layouts_json(suit, answer.wins)}


def chances_json(answer: GoalAnswer) -> dict[str, Any]:
    """What is known of a goal before its line is put into words."""
    overtrick = answer.overtrick_line
    return {
        "tricks": answer.tricks,
        **chance_json(answer.chance),
        **chance_json(answer.double_dummy, "double_dummy_"),
        **line_wins_json(answer.line),
        "overtrick_line": None if overtrick is None else line_wins_json(overtrick),
        "first_plays": list(map(str, answer.first_plays)),
    }


def line_wins_json(line: SuitLine) -> dict[str, Any]:
    """What a line wins: how likely so many tricks or more, and its average."""
    return {"at_least": at_least_json(line), "average": float(line.average)}


def at_least_json(line: SuitLine | WonAgainst) -> dict[str, float]:
    """How likely a line wins at least so many tricks, by their number."""
    return {str(tricks): float(chance) for tricks, chance in line.at_least.items()}


def algorithm_json(suit: Suit, answer: GoalAnswer, result: SuitResult) -> dict[str, Any]:
    """What an algorithm makes of a goal."""
    wins = sum(1 << world for world in result.wins)
    return {
        "algorithm": result.algorithm,
        "tricks": answer.tricks,
        "believed": float(result.believed),
        **chance_json(result.chance),
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
        **chance_json(found.line.chance),
        "best_play": str(found.best.lead),
        "best_line": found.best.name,
        **chance_json(found.best.chance, "best_"),
        "reason": found.reason,
        "only_this_wins": list(map(layout_json, found.gains)),
        "only_the_best_wins": list(map(layout_json, found.losses)),
        "monte_carlo": None if error is None else _error_json(error),
    }


def _error_json(error: MonteCarloError) -> dict[str, Any]:
    return {
        "believed": float(error.believed),
        **chance_json(error.chance),
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
    return {"west": west, "east": east, "ways": layout.ways, **chance_json(layout.chance)}


def chance_json(chance: Fraction, whose: str = "") -> dict[str, float]:
    """A chance by both its names.

    >>> from fractions import Fraction
    >>> chance_json(Fraction(1, 4), "best_")
    {'best_chance': 0.25, 'best_probability': 0.25}
    """
    return {f"{whose}chance": float(chance), f"{whose}probability": float(chance)}
