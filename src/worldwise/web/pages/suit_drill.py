"""The drill of the suit explorer. The server keeps nothing: a seed and what has been played are the whole state.

What has been played is a text: for each question the cards and wishes with commas between them, such as
``S2,N9,hint,NA``; questions are parted by semicolons. A card that costs is in it too. It counts, and is taken back by
what follows it; ``back`` takes back a card that did not cost, or nothing but shows the table again; ``next`` leaves a
question before its end.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any

from worldwise.bridge.rules.cards import RANKS
from worldwise.bridge.suit.drill import DrillAttempt, draw_questions, own_questions
from worldwise.bridge.suit.drill_levels import LEVELS
from worldwise.bridge.suit.drill_words import hint_words
from worldwise.bridge.suit.rules import SEATS, Suit, SuitMove
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.views.drill import end_json, question_json, review_json, turn_json, verdict_json
from worldwise.catalog import drill_entries
from worldwise.errors import InputError, PlacedError
from worldwise.web.endpoint import Endpoint
from worldwise.web.fields import Text, Whole
from worldwise.web.refusal import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.bridge.suit.drill import DrillQuestion

Json = dict[str, Any]

ROUNDS = 10

MOST_STEPS = 80
"""How many cards and wishes a question takes at most; then it is left."""

_STEP = re.compile("[NS][2-9TJQKA]|hint|back|next")


# ---------------------------------------------------------------------- what is asked and told


def drill(*, number: int, plays: str, **which: Any) -> Iterator[Json]:
    """One question: where it stands after what has been played, and what is to be said about the last step."""
    question = _questions(number, **which)[-1]
    attempt, steps = _attempt(question, plays)
    hint = hint_words(attempt) if steps[-1:] == ["hint"] else None
    is_left = attempt.is_done or steps[-1:] == ["next"]
    yield {
        **question_json(question),
        "number": number,
        "rounds": _rounds(**which),
        "turn": turn_json(attempt.play),
        "slip": None if attempt.slip is None or is_left else verdict_json(attempt.slip),
        "hint": None if is_left else hint,
        "can_take_back": attempt.can_take_back,
        "end": end_json(attempt) if is_left else None,
    }


def review(*, plays: str, **which: Any) -> Iterator[Json]:
    """All questions that have been answered, and the score."""
    texts = plays.split(";")
    if len(texts) > _rounds(**which):
        raise RefusedError(400, f"expected at most {_rounds(**which)} questions, found {len(texts)}", "plays")
    questions = _questions(len(texts), **which)
    yield review_json([_attempt(question, text)[0] for question, text in zip(questions, texts, strict=True)])


# ---------------------------------------------------------------------- questions


def _rounds(*, north: str | None, **_others: Any) -> int:
    return ROUNDS if north is None else 1


def _questions(
    count: int, *, seed: int, level: int | None, north: str | None, south: str | None, tricks: int | None
) -> list[DrillQuestion]:
    """The first so many questions of a seed and a level; or the one about a combination of one's own."""
    if north is None:
        return list(islice(draw_questions(drill_entries(level), seed), count))
    if south is None or tricks is None:
        raise RefusedError(400, "expected two hands and a number of tricks, found one hand", "south, tricks")
    try:
        return own_questions(SuitSolver(Suit.of(north, south)), tricks)
    except InputError as error:
        where = error.place if isinstance(error, PlacedError) else "north, south, tricks"
        raise RefusedError(400, str(error).removeprefix(f"{where}: "), where) from None


# ---------------------------------------------------------------------- what has been played


def _attempt(question: DrillQuestion, plays: str) -> tuple[DrillAttempt, list[str]]:
    """Somebody who has taken these steps."""
    steps = _read_steps(plays)
    attempt = DrillAttempt(question)
    for place, step in enumerate(steps):
        if step == "next" and place < len(steps) - 1:
            raise RefusedError(400, "expected nothing after next", "plays")
        try:
            _take(attempt, step)
        except InputError as error:
            raise RefusedError(400, str(error), "plays") from None
    return attempt, steps


def _read_steps(plays: str) -> list[str]:
    steps = plays.split(",") if plays else []
    if len(steps) > MOST_STEPS:
        raise RefusedError(400, f"expected at most {MOST_STEPS} steps for a question, found {len(steps)}", "plays")
    for step in steps:
        if not _STEP.fullmatch(step):
            raise RefusedError(400, f"expected steps such as S2, hint, back or next, found {step[:20]!r}", "plays")
    return steps


def _take(attempt: DrillAttempt, step: str) -> None:
    if step == "hint":
        attempt.ask_for_help()
    elif step == "back":
        attempt.take_back()
    elif step != "next":
        attempt.put(SuitMove(SEATS.index(step[0]), RANKS.index(step[1]) + 2))


# ---------------------------------------------------------------------- the table

WHICH = (
    Whole("seed", "draws the questions", least=0, most=999_999, required=True),
    Whole("level", "how hard they are; all levels if not said", least=min(LEVELS), most=max(LEVELS)),
    Text("north", "North's cards of a combination of your own, instead of what is drawn", longest=40),
    Text("south", "South's cards", longest=40),
    Whole("tricks", "with cards of your own: the goal", least=1, most=13),
)
NUMBER = Whole("number", "which question, from 1", least=1, most=ROUNDS, default=1)
ONE = Text("plays", "cards and wishes so far, with commas between them: S2,N9,hint", longest=5 * MOST_STEPS, default="")
ALL = Text("plays", "the same for each question, with semicolons between them", longest=2000, required=True)

ENDPOINTS = (
    Endpoint("/api/suit/drill", "A question of the drill, and where it stands.", (*WHICH, NUMBER, ONE), drill),
    Endpoint("/api/suit/drill/review", "All questions answered, and the score.", (*WHICH, ALL), review),
)
