"""When the play is over, or nearly: a review, a claim, double dummy's numbers, and the board to keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.bridge.advice.claims import check_claim
from worldwise.bridge.advice.hindsight import look_back
from worldwise.bridge.advice.review import DEFAULT_EFFORT, places_of, review_card, review_claim
from worldwise.bridge.advice.review_record import BoardReview
from worldwise.bridge.files.any_format import boards_text
from worldwise.bridge.rules.deal import card_name
from worldwise.bridge.solvers.double_dummy import card_tricks, double_dummy
from worldwise.bridge.views.claim_words import claim_json, claim_words
from worldwise.bridge.views.review_json import review_json
from worldwise.bridge.views.review_words import hindsight_words, mistake_words, verdict_words
from worldwise.web.endpoint import Endpoint
from worldwise.web.pages.desk_state import STATE, Json, blame_field, board_of
from worldwise.web.refusal import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.bridge.advice.review_record import CardReview

REVIEW_SECONDS = 300.0
"""A review takes about a second for every card that somebody chose; this is for a machine that has others to serve."""


def review(**state: str) -> Iterator[Json]:
    """What declarer's cards cost, and why: a step for every card, and at the end all of it."""
    board = board_of(**state)
    with blame_field("cards"):
        places = places_of(board, [board.play.contract.declarer])
    told = look_back(board.play) if board.deal.complete else [None] * len(board.cards)
    decisions: list[CardReview] = []
    for place in places:
        decisions.append(review_card(board, place, DEFAULT_EFFORT, told[place]))
        yield {"done": len(decisions), "of": len(places)}
    claim = review_claim(board, [board.play.contract.declarer])
    yield {"done": len(places), "of": len(places), **_review_and_words(BoardReview(board, tuple(decisions), claim))}


def _review_and_words(found: BoardReview) -> Json:
    """A review with its words: the verdict, and of every card what there is to say."""
    told = review_json(found)
    decisions = [
        {**entry, "words": list(mistake_words(found, card) if card.blamed else hindsight_words(card))}
        for entry, card in zip(told["decisions"], found.decisions, strict=True)
    ]
    return {**told, "decisions": decisions, "verdict": list(verdict_words(found))}


def claim(**state: str) -> Iterator[Json]:
    """Whether the rest is declarer's, wherever the hidden cards lie."""
    board = board_of(**state)
    with blame_field("cards"):
        found = check_claim(board)
    yield {**claim_json(found), "words": list(claim_words(board, found))}


def see_all_cards(**state: str) -> Iterator[Json]:
    """What each card of the hand that is to play is worth if everybody sees everything."""
    board = board_of(**state)
    if not board.deal.complete:
        raise RefusedError(400, f"expected a deal with all four hands, found {board.deal}", "deal")
    position = board.play.position
    if position.over:
        raise RefusedError(400, "expected a play that goes on, found it over", "cards")
    won = position.won[position.to_move & 1]
    found = card_tricks(double_dummy(board.deal, board.play.contract.strain), position)
    yield {
        "seat": position.to_move.letter,
        "tricks": {card_name(card): won + more for card, more in found.items()},
    }


def save(**state: str) -> Iterator[Json]:
    """The board as a file and as a link to the hand viewer."""
    board = board_of(**state)
    link = boards_text([board], "links").strip() if board.deal.complete else None
    yield {"pbn": boards_text([board], "pbn"), "link": link}


DEBRIEF = (
    Endpoint(
        "/api/desk/review",
        "What declarer's cards cost, a step for every card.",
        STATE,
        review,
        seconds=REVIEW_SECONDS,
        long=True,
    ),
    Endpoint("/api/desk/claim", "Whether all the tricks that are left are declarer's.", STATE, claim, long=True),
    Endpoint("/api/desk/double-dummy", "The tricks that each card takes with all cards seen.", STATE, see_all_cards),
    Endpoint(
        "/api/desk/save", "The board as PBN, and as a link to the hand viewer, which wants all four hands.", STATE, save
    ),
)
