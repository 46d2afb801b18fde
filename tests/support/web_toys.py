"""A page for tests of the frame: searches that are slow, wrong, deadly or endless."""

import os
from time import monotonic, sleep

from worldwise.errors import InputError
from worldwise.web.endpoint import Endpoint, Page
from worldwise.web.fields import OneOf, Text, Whole
from worldwise.web.store import Remembered


def count(*, to, pause):
    """Every number up to one."""
    for number in range(1, to + 1):
        yield {"number": number, "process": os.getpid()}
        sleep(pause / 1000)


def fail(*, how):
    """Whatever can go wrong in a search."""
    if how == "input":
        raise InputError("expected a toy, found none")
    if how == "death":
        os._exit(7)
    yield {"secret": 1 / 0}


def post(*, words, mood):
    """What was sent."""
    yield {"words": words, "mood": mood, "time": monotonic()}


def seat(*, game, kept, pause):
    """A turn that takes its time, and what is told of it."""
    sleep(pause / 1000)
    yield Remembered({"game": game, "before": kept is not None}, "kept", PACE)


PACE = 0.1
PAUSE = Whole("pause", "ms", 0, 60_000, default=0)
NAME = Text("game", "which", 64, required=True)
COUNT = (Whole("to", "the last number", least=1, most=1000, required=True), Whole("pause", "ms", 0, 60_000, default=0))
MOODS = OneOf("mood", "how it is meant", ("plain", "loud"), default="plain")

TOYS = Page(
    path="/toys",
    title="Toys",
    about="For tests.",
    files="suits",
    endpoints=(
        Endpoint("/api/toys/count", "Numbers.", COUNT, count, seconds=30),
        Endpoint("/api/toys/long", "Numbers, while a person waits.", COUNT, count, seconds=30, long=True),
        Endpoint("/api/toys/hasty", "Numbers, soon.", COUNT, count, seconds=0.3),
        Endpoint(
            "/api/toys/fail", "Errors.", (OneOf("how", "which", ("input", "death", "fault"), required=True),), fail
        ),
        Endpoint("/api/toys/seat", "A game.", (PAUSE,), seat, method="POST", remembers=True),
        Endpoint("/api/toys/paced", "Its next turn.", (NAME, PAUSE), seat, method="POST", remembers=True),
        Endpoint("/api/toys/post", "Words.", (Text("words", "words", 50, required=True), MOODS), post, method="POST"),
    ),
)
