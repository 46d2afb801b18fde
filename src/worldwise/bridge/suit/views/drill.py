"""The drill for programs: plain dictionaries with keys that stay. A card is ``S2``; who shows out is ``W-``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldwise.bridge.rules.cards import holding_name
from worldwise.bridge.suit.drill_levels import rivals
from worldwise.bridge.suit.drill_words import (
    best_line_words,
    end_words,
    longest_streak,
    question_name,
    review_words,
    rivals_words,
    score_words,
    turn_words,
    verdict_words,
)
from worldwise.bridge.suit.rules import SEATS
from worldwise.bridge.suit.views.json import chance_json, winning_layouts_json
from worldwise.bridge.suit.views.text import defenders_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.bridge.suit.drill import DrillAttempt, DrillPlay, DrillQuestion, DrillVerdict
    from worldwise.bridge.suit.weighing import Mask


def question_json(question: DrillQuestion) -> dict[str, Any]:
    """What is asked."""
    suit = question.solver.suit
    return {
        "question": question_name(question),
        "north": holding_name(suit.north),
        "south": holding_name(suit.south),
        "defenders": defenders_words(suit),
        "tricks": question.tricks,
        "level": question.level,
    }


def turn_json(play: DrillPlay) -> dict[str, Any]:
    """The cards played, those that are left, and those that may be played now: none when it is over."""
    return {
        "rounds": [list(map(str, trick)) for trick in play.rounds],
        "north": holding_name(play.table.north),
        "south": holding_name(play.table.south),
        "won": play.table.tricks,
        "to_play": [SEATS[seat] for seat in play.seats],
        "choices": list(map(str, play.choices)),
        "words": "" if play.is_over else turn_words(play),
    }


def verdict_json(verdict: DrillVerdict) -> dict[str, Any]:
    """A card that costs: the chances before and after it, the layouts that it gives up, and one of them dealt out."""
    suit = verdict.play.question.solver.suit
    return {
        "card": str(verdict.move),
        **chance_json(verdict.before, "before_"),
        **chance_json(verdict.after, "after_"),
        "given_up": winning_layouts_json(suit, verdict.given_up),
        "gained": winning_layouts_json(suit, verdict.gained),
        "given_up_elsewhere": winning_layouts_json(suit, verdict.given_up_elsewhere),
        "gained_elsewhere": winning_layouts_json(suit, verdict.gained_elsewhere),
        "layout": _layout_json(verdict.play, verdict.given_up),
        "words": verdict_words(verdict),
    }


def end_json(attempt: DrillAttempt) -> dict[str, Any]:
    """What is told of a question when it is left: played to the end or not, the line, and what others would win."""
    question, play = attempt.question, attempt.play
    others = rivals(question.solver, question.tricks)
    return {
        "done": attempt.is_done,
        "right": attempt.is_clean,
        "slips": len(attempt.slips),
        "hints": attempt.hints,
        **chance_json(question.answer.chance),
        "layout": _layout_json(play, play.target),
        "line": best_line_words(question),
        "rivals": {name.removeprefix("the "): float(chance) for name, chance in others.items()},
        "rivals_words": rivals_words(question.answer.chance, others),
        "words": end_words(attempt),
        "review": review_words(attempt),
    }


def review_json(attempts: Sequence[DrillAttempt]) -> dict[str, Any]:
    """All questions that were answered, and how well."""
    return {
        "answered": len(attempts),
        "right": sum(attempt.is_clean for attempt in attempts),
        "longest_streak": longest_streak(attempts),
        "score": score_words(attempts),
        "questions": [
            {**question_json(one.question), "right": one.is_clean, "lost": float(one.lost), "words": review_words(one)}
            for one in attempts
        ],
    }


def _layout_json(play: DrillPlay, among: Mask) -> dict[str, str]:
    west, east = play.layout(among)
    return {"west": holding_name(west), "east": holding_name(east)}
