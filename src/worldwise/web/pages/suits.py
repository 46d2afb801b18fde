"""The suit explorer: a single suit at bridge, every goal with its line, its layouts and its alternatives; and a drill.

What a player looks at first is quick and is one answer; words take longer, so they are answers of their own.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from worldwise.bridge.suit.combination import DEFENDERS_LEAD, MOST_RUFFS
from worldwise.bridge.suit.first_lines import first_line_in_words
from worldwise.bridge.suit.layouts import layouts_of
from worldwise.bridge.suit.phrases import percent
from worldwise.bridge.suit.reasons import compare, comparisons
from worldwise.bridge.suit.rules import Suit
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.tutor import monte_carlo_error
from worldwise.bridge.suit.views.json import chances_json, hands_json, layout_json, why_json
from worldwise.bridge.suit.views.svg import suit_svg
from worldwise.bridge.suit.views.text import (
    assumption_words,
    combination_name,
    defenders_words,
    expected_words,
    price_words,
    spots_words,
)
from worldwise.bridge.suit.words import line_in_words
from worldwise.errors import InputError, PlacedError
from worldwise.web.endpoint import Endpoint, Page
from worldwise.web.fields import OneOf, Text, Whole
from worldwise.web.pages import suit_drill
from worldwise.web.refusal import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.bridge.suit.reasons import Comparison
    from worldwise.bridge.suit.solver import GoalAnswer

Json = dict[str, Any]

# ---------------------------------------------------------------------- the combination


def solver_of(
    north: str,
    south: str,
    gone: str,
    west_cards: int,
    east_cards: int,
    north_entries: int | None,
    south_entries: int | None,
    **more: Any,
) -> SuitSolver:
    """The solver that the fields ask for; what is wrong with one hand is said of it, anything else of both."""
    try:
        suit = Suit.of(north, south, gone=gone, west_cards=west_cards, east_cards=east_cards, **more)
    except InputError as error:
        where = error.place if isinstance(error, PlacedError) else "north, south"
        raise RefusedError(400, str(error).removeprefix(f"{where}: "), where) from None
    entries = tuple(inf if count is None else count for count in (north_entries, south_entries))
    return SuitSolver(suit, entries=(entries[0], entries[1]))


def goals(**combination: Any) -> Iterator[Json]:
    """Every goal with its chances and plays, and every layout with what is won there."""
    solver = solver_of(**combination)
    suit = solver.suit
    yield {
        **hands_json(solver, [_goal(answer) for answer in solver.goals]),
        "name": combination_name(suit),
        "defenders": defenders_words(suit),
        "assumptions": assumption_words(suit, solver.entries),
        "words": expected_words(solver.expected),
        "layouts": _layouts(solver),
        "spots": spots_words(suit),
    }


def _goal(answer: GoalAnswer) -> Json:
    return {
        **chances_json(answer),
        "words": price_words(answer),
        "plays": {str(move): float(chance) for move, chance in answer.plays.items()},
    }


def _layouts(solver: SuitSolver) -> list[Json]:
    """Every layout, the goals that are won there, and the tricks of the line for most tricks on average."""
    wins = {answer.tricks: answer.wins for answer in solver.goals}
    return [
        {
            **layout_json(layout),
            "name": layout.name(),
            "split": layout.cards,
            "wins": [tricks for tricks, mask in wins.items() if mask >> world & 1],
            "tricks": sum(mask >> world & 1 for mask in solver.expected.levels),
        }
        for world, layout in enumerate(layouts_of(solver.suit))
    ]


# ---------------------------------------------------------------------- words


def lines(*, tricks: int | None, **combination: Any) -> Iterator[Json]:
    """The line for every goal in words, the one that is looked at first, then the others, and that for the average."""
    solver = solver_of(**combination)
    goals = [answer.tricks for answer in reversed(solver.goals)]
    order = dict.fromkeys([tricks, *goals, None]) if tricks in (*goals, None) else dict.fromkeys([*goals, None])
    found: list[Json] = []
    for goal in order:
        found.append(_line(solver, goal))
        yield {"lines": list(found)}


def _line(solver: SuitSolver, tricks: int | None) -> Json:
    if tricks is not None and not solver.goal(tricks).chance:
        return {"tricks": tricks, "summary": "No line wins so many tricks.", "text": "No line wins so many tricks."}
    line = line_in_words(solver, tricks)
    return {"tricks": tricks, "summary": line.summary, "text": line.text}


def first_lines(*, tricks: int, **combination: Any) -> Iterator[Json]:
    """Every way to begin beside the best, the best first."""
    solver = solver_of(**combination)
    found = comparisons(solver, solver.goal(tricks).tricks) if solver.suit.is_plain else []
    yield {"tricks": tricks, "first_lines": [_comparison(solver, tricks, one) for one in found]}


def why(*, tricks: int, play: str, **combination: Any) -> Iterator[Json]:
    """One way to begin beside the best, and how it goes on."""
    solver = solver_of(**combination)
    _expect_plain(solver)
    goal = solver.goal(tricks).tricks
    try:
        found = compare(solver, goal, play)
    except InputError as error:
        raise RefusedError(400, str(error), "play") from None
    yield {**_comparison(solver, tricks, found), "text": first_line_in_words(solver, tricks, found.line).text}


def _expect_plain(solver: SuitSolver) -> None:
    if not solver.suit.is_plain:
        raise RefusedError(400, "expected a suit that declarer leads, without ruffs", "ruffs, defenders_lead")


def _comparison(solver: SuitSolver, tricks: int, found: Comparison) -> Json:
    about = {"words": found.words, "costs": float(found.costs)}
    return {**why_json(solver.goal(tricks), found, None), **about}


def sampling(*, tricks: int, **combination: Any) -> Iterator[Json]:
    """Where Monte Carlo sampling goes wrong."""
    solver = solver_of(**combination)
    answer = solver.goal(tricks)
    _expect_plain(solver)
    error = monte_carlo_error(solver, tricks) if answer.plays else None
    words = error.words if error else f"Nowhere: its line wins {percent(answer.chance)}, the best there is."
    yield {"tricks": tricks, "cause": error.cause if error else None, "words": words}


def figure(*, tricks: int | None, **combination: Any) -> Iterator[str]:
    """The layouts as a figure to keep."""
    solver = solver_of(**combination)
    yield suit_svg(solver, tricks, str(_line(solver, tricks)["text"]))


# ---------------------------------------------------------------------- the table

COMBINATION = (
    Text("north", "North's cards: AKQ9, A10x; x is a low card, - none", longest=40, required=True),
    Text("south", "South's cards", longest=40, required=True),
    Text("gone", "cards of the suit that have been played already", longest=40, default="-"),
    Whole("west_cards", "vacant places in West's hand", least=0, most=13, default=13),
    Whole("east_cards", "vacant places in East's hand", least=0, most=13, default=13),
    Whole("north_entries", "how often North can be reached outside the suit; any number if not said", least=0, most=13),
    Whole("south_entries", "the same for South", least=0, most=13),
    Text("west", "cards that West is known to hold: K, QJ9", longest=40, default="-"),
    Text("east", "cards that East is known to hold", longest=40, default="-"),
    Text("west_length", "how many cards of the suit West holds: 3, 3+, 3- or 2-4", longest=10, default="0+"),
    Text("east_length", "the same for East", longest=10, default="0+"),
    Whole("ruffs", "how often a hand that is out of the suit can ruff", least=0, most=MOST_RUFFS, default=0),
    OneOf("defenders_lead", "whether, and to which rounds, the defenders lead", DEFENDERS_LEAD, default="never"),
)
GOAL = Whole("tricks", "the goal: at least so many tricks", least=1, most=13, required=True)
LOOKED_AT = Whole("tricks", "the goal that is looked at; the most tricks on average if not said", least=1, most=13)
PLAY = Text("play", "a first play, S2 or NA, or a first line by its name", longest=60, required=True)

SUITS = Page(
    path="/suits",
    title="Suits",
    about="How to play a single suit: the best line for every goal, and why.",
    files="suits",
    endpoints=(
        Endpoint(
            "/api/suit", "Every goal with its chances, and every layout with what is won there.", COMBINATION, goals
        ),
        Endpoint("/api/suit/lines", "The lines in words, the goal looked at first.", (*COMBINATION, LOOKED_AT), lines),
        Endpoint("/api/suit/first-lines", "Every way to begin beside the best.", (*COMBINATION, GOAL), first_lines),
        Endpoint("/api/suit/why", "Why (not) a way to begin, and how it goes on.", (*COMBINATION, GOAL, PLAY), why),
        Endpoint("/api/suit/sampling", "Where Monte Carlo sampling goes wrong.", (*COMBINATION, GOAL), sampling),
        Endpoint(
            "/api/suit/figure.svg", "The layouts as a figure.", (*COMBINATION, LOOKED_AT), figure, media="image/svg+xml"
        ),
        *suit_drill.ENDPOINTS,
    ),
)
