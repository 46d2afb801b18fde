"""Endpoints for other programs: values over their own worlds, and what BEN's clients ask.

Those of ours have a version in their path, and their fields and answers stay as they are as long as that is the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldwise.bridge.rules.goal import Aim
from worldwise.bridge.views.deal_json import VULNERABLE
from worldwise.doors.ben_server import ben_lead, ben_play
from worldwise.doors.questions import answer_question
from worldwise.web.endpoint import Endpoint
from worldwise.web.fields import Numbers, OneOf, Several, Text, Whole

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, Any]

MOST_WORLDS = 1000
MOST_SECONDS, SPARE_SECONDS = 20, 10.0
"""How long a search may take; it ends by itself and says how far it came."""


def values(*, seconds: int, **question: Any) -> Iterator[Json]:
    """What every card is worth over the caller's own worlds."""
    told = {name: list(value) if isinstance(value, tuple) else value for name, value in question.items()}
    yield answer_question("values", {**told, "seconds": seconds})


def play(*, user: str, dealno: str, details: str, **inputs: str) -> Iterator[Json]:  # noqa: ARG001 BEN's clients send more than is needed
    """Which card to play."""
    yield ben_play(details=bool(details), **inputs)


def lead(*, user: str, dealno: str, details: str, **inputs: str) -> Iterator[Json]:  # noqa: ARG001
    """Which card to lead."""
    yield ben_lead(details=bool(details), **inputs)


OWN_WORLDS = (
    Text("deal", "the deal as PBN writes it; a hand nobody knows as -", 100, required=True),
    Text("contract", "the contract: 3NT by S; may be left out where the auction is told", 20),
    Text("cards", "the cards played, in order: HKH4HTH3", 160),
    Text("auction", "the calls from the dealer on: N: 1NT P 3NT AP", 1_500),
    OneOf("vulnerable", "who is vulnerable", VULNERABLE, default="none"),
    Several(
        "worlds", "whole deals as dealt, each of which fits what the player has seen", 100, MOST_WORLDS, required=True
    ),
    Numbers("weights", "what each world counts; all alike if not said", MOST_WORLDS),
    OneOf("aim", "what to play for", tuple(aim.value for aim in Aim), default="make"),
    OneOf("algorithm", "alpha-mu is for declarer; a defender gets PIMC", ("alphamu", "pimc"), default="alphamu"),
    Whole("depth", "how many cards of his own declarer looks ahead", least=1, most=52),
    Whole("seconds", "after how long the search ends", least=1, most=MOST_SECONDS, default=10),
)

_HAND = Text("hand", "the hand of the seat as dealt: AKQ_JT9_876_5432", 40, required=True)
_SEATED = (
    Text("seat", "whose card: N, E, S or W", 5, required=True),
    Text("dealer", "who called first", 5, required=True),
    Text("vul", "@v if North-South are vulnerable, @V if East-West are", 10, default=""),
    Text("ctx", "the calls, two characters each: 1S--4S------", 640, required=True),
    Text("tournament", "mp: every trick counts; otherwise the contract does", 10, default=""),
    Text("details", "anything: also candidates, samples and their weights", 10, default=""),
    Text("user", "not used", 100, default=""),
    Text("dealno", "not used", 100, default=""),
)
_DUMMY = Text("dummy", "dummy's hand as dealt", 40, required=True)
_PLAYED = Text("played", "the cards played, in order: DJDKD3D2", 160, default="")

DOORS = (
    Endpoint(
        "/api/v1/values",
        "A value for every card over the caller's own worlds.",
        OWN_WORLDS,
        values,
        method="POST",
        seconds=MOST_SECONDS + SPARE_SECONDS,
        long=True,
    ),
    Endpoint(
        "/play", "BEN's question: which card to play.", (_HAND, _DUMMY, *_SEATED, _PLAYED), play, seconds=60, long=True
    ),
    Endpoint("/lead", "BEN's question: which card to lead.", (_HAND, *_SEATED), lead, seconds=60, long=True),
)
"""All of them, in the order of the description."""
