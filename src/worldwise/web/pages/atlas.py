"""The atlas of suits: browse, filter and sort all combinations, a map of chances, and a hard one at random."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from worldwise.bridge.suit.atlas.atlas import Atlas, open_atlas
from worldwise.bridge.suit.atlas.finding import ORDERS, AtlasQuery, draw, find
from worldwise.bridge.suit.atlas.statistics import GROUPINGS, WEIGHINGS, chance_map, group_statistics
from worldwise.bridge.suit.combination import Suit
from worldwise.bridge.suit.drill_levels import LEVELS
from worldwise.bridge.suit.views.atlas import (
    entry_json,
    entry_words,
    found_json,
    map_json,
    row_json,
    statistics_json,
)
from worldwise.errors import InputError, PlacedError
from worldwise.lab.searched_suits import algorithms_json, algorithms_words, sample_json
from worldwise.web.endpoint import Endpoint, Page
from worldwise.web.fields import OneOf, Text, Whole
from worldwise.web.refusal import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, Any]

SHOWN = 50
"""Goals of a list that are shown at once."""


@cache
def _atlas() -> Atlas:
    """Opened once in a process."""
    return open_atlas()


def about() -> Iterator[Json]:
    """How many combinations there are, and how and when the atlas was built."""
    yield {**_atlas().about, "algorithms": sample_json()}


def suit(*, north: str, south: str) -> Iterator[Json]:
    """One suit."""
    try:
        entry = _atlas().entry(Suit.of(north, south))
    except InputError as error:
        raise _refusal(error, "north, south") from None
    words = [*entry_words(entry), algorithms_words(entry.form.code)]
    yield {**entry_json(entry), "algorithms": algorithms_json(entry.form.code), "words": [one for one in words if one]}


def find_goals(*, sort: str, skip: int, **wanted: Any) -> Iterator[Json]:
    """Goals that fit a description, some at a time."""
    try:
        asked = AtlasQuery.of(**wanted)
    except InputError as error:
        raise _refusal(error, "missing, length, shape, chance") from None
    answer = find(_atlas(), asked, order=sort, count=SHOWN, skip=skip)
    yield {"total": answer.total, "skip": skip, "found": found_json(_atlas(), answer)}


def _refusal(error: InputError, where: str) -> RefusedError:
    """What is wrong with one input is said of it, anything else of all."""
    place = error.place if isinstance(error, PlacedError) and error.place else where
    return RefusedError(400, str(error).removeprefix(f"{place}: "), place)


def chances(*, tricks: int, weigh: str) -> Iterator[Json]:
    """The map."""
    yield {"tricks": tricks, "weigh": weigh, "cells": map_json(chance_map(_atlas(), tricks, weigh))}


def statistics(*, by: str, weigh: str) -> Iterator[Json]:
    """Averages over groups of suits."""
    yield {"by": by, "weigh": weigh, "groups": statistics_json(group_statistics(_atlas(), by, weigh))}


def at_random(*, seed: int, level: int) -> Iterator[Json]:
    """A suit and a goal of a level."""
    yield row_json(_atlas(), draw(_atlas(), seed, level))


# ---------------------------------------------------------------------- the table

HANDS = (
    Text("north", "North's cards: AQT9, A10x; x is a low card, - none", longest=40, required=True),
    Text("south", "South's cards", longest=40, required=True),
)
WANTED = (
    Text("missing", "of A K Q J the defenders have exactly these, lower cards if named: KJ, or - for none", longest=40),
    Text("length", "your cards in both hands: 8, or 7..9", longest=10),
    Text("shape", "your cards in each hand: 4-4", longest=10),
    Whole("goal", "at least so many tricks; the highest uncertain goal if not said", least=1, most=13),
    Text("chance", "the best chance in per cent: 45..55", longest=20),
    OneOf("sort", "which come first", ORDERS, default="dealt"),
    Whole("skip", "how many to leave out before them", least=0, most=2_000_000, default=0),
)
WEIGH = OneOf("weigh", "whether suits count alike, or as often as they are dealt", WEIGHINGS, default="dealt")

ATLAS = Page(
    path="/atlas",
    title="Atlas",
    about="Every suit combination there is, solved: browse, filter, and try a hard one.",
    files="atlas",
    endpoints=(
        Endpoint("/api/atlas", "How many combinations there are, and how and when they were solved.", (), about),
        Endpoint("/api/atlas/suit", "One suit: every goal, exactly.", HANDS, suit),
        Endpoint("/api/atlas/find", "Suits and goals that fit a description.", WANTED, find_goals),
        Endpoint(
            "/api/atlas/map",
            "The chance of so many tricks over your length and the honours that are missing.",
            (Whole("tricks", "at least so many tricks", least=1, most=13, default=3), WEIGH),
            chances,
        ),
        Endpoint(
            "/api/atlas/stats",
            "Averages by length, honours or shape.",
            (OneOf("by", "what suits are put together by", GROUPINGS, default="length"), WEIGH),
            statistics,
        ),
        Endpoint(
            "/api/atlas/random",
            "A suit and a goal of a level of the drill, the more often dealt the likelier.",
            (
                Whole("seed", "draws the suit", least=0, most=999_999, required=True),
                Whole("level", "how hard", least=min(LEVELS), most=max(LEVELS), default=max(LEVELS)),
            ),
            at_random,
        ),
    ),
)
