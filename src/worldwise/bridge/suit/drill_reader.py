"""What people type in the drill: a card of theirs, however they call it, or what else they want."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, get_args

from worldwise.bridge.rules.cards import holding_name
from worldwise.bridge.suit.drill import read_seat_and_rank
from worldwise.bridge.suit.phrases import SEAT_NAMES
from worldwise.bridge.suit.steps import hand
from worldwise.core.reading import shorten
from worldwise.errors import InputError

if TYPE_CHECKING:
    from worldwise.bridge.suit.drill import DrillPlay
    from worldwise.bridge.suit.rules import SuitMove

Wish = Literal["take back", "hint", "next", "quit"]

WISHES: tuple[Wish, ...] = get_args(Wish)

SYNONYMS: dict[str, Wish] = {
    "back": "take back",
    "takeback": "take back",
    "undo": "take back",
    "?": "hint",
    "help": "hint",
    "skip": "next",
    "exit": "quit",
    "stop": "quit",
}

_END = re.compile(r"\b(?:an?\s+)?(low|lowest|small|high|highest|top)\b(?:\s+card)?")


def read_wish(text: str) -> Wish | None:
    """What else somebody wants, if it is no card; ``q`` is none of these but the queen.

    >>> [read_wish(text) for text in ("Take back", "?", "quit", "q")]
    ['take back', 'hint', 'quit', None]
    """
    words = " ".join(text.lower().split())
    return next((wish for wish in WISHES if wish == words), SYNONYMS.get(words))


def read_drill_card(text: str, play: DrillPlay) -> SuitMove:
    """The card that somebody means: ``9``, ``N9``, the nine, low, low from South, the top.

    >>> from worldwise.bridge.suit.drill import DrillQuestion
    >>> from worldwise.bridge.suit.rules import Suit
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> play = DrillQuestion(SuitSolver(Suit.of("AKT9", "32")), 4).begin()
    >>> [str(read_drill_card(text, play)) for text in ("10", "n9", "cash the ace", "a low card from South", "2")]
    ['NT', 'N9', 'NA', 'S2', 'S2']
    """
    words = text.lower()
    ends = _END.findall(words)
    seat, rank = read_seat_and_rank(_END.sub(" ", words) if ends else words)
    found = [move for move in play.choices if seat in (None, move.seat)]
    if ends and not rank:
        found = _end_cards(play, found, low=ends[0] in ("low", "lowest", "small"))
    else:
        found = [move for move in found if move.card == rank]
    if len(found) != 1:
        raise InputError(f"expected {_expected(play, bool(found))}, found {shorten(text.strip())}")
    return found[0]


def _end_cards(play: DrillPlay, moves: list[SuitMove], *, low: bool) -> list[SuitMove]:
    """The lowest, or highest, card of each hand."""
    place = -1 if low else 0
    return [move for move in moves if move.card == hand(play.table, move.seat)[place]]


def _expected(play: DrillPlay, several: bool) -> str:
    if several:
        return " or ".join(f"low from {SEAT_NAMES[seat]}" for seat in play.seats)
    hands = " or ".join(f"{SEAT_NAMES[seat]}'s {holding_name(hand(play.table, seat))}" for seat in play.seats)
    return f"a card of {hands}"
