"""A review for programs: plain dictionaries with keys that stay.

``decisions`` holds every card reviewed, in order, as ``worldwise.bridge.advice.review_rows`` writes it, with ``why`` in
words. ``decisive`` is the decisive moment's place among all cards, null if nothing was a mistake; ``turning_point`` the
place of the last card with which double dummy saw the contract change hands. ``claim`` is the one that ended the play.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldwise.bridge.advice.review_rows import card_review_json
from worldwise.bridge.views.claim_words import claim_json
from worldwise.bridge.views.deal_json import contract_json
from worldwise.bridge.views.review_words import hindsight_words, mistake_words

if TYPE_CHECKING:
    from worldwise.bridge.advice.review_record import BoardReview, CardReview
    from worldwise.bridge.advice.review_summary import PlayerSummary


def review_json(found: BoardReview) -> dict[str, Any]:
    """A board's review."""
    board = found.board
    return {
        "board": board.number,
        "names": list(board.names),
        "contract": contract_json(board.play.contract),
        "tricks": board.tricks,
        "decisive": None if found.decisive is None else found.decisive.place,
        "turning_point": None if found.turning_point is None else found.turning_point.place,
        "claim": None if found.claim is None else claim_json(found.claim),
        "decisions": [{**card_review_json(told), "why": _why(found, told)} for told in found.decisions],
    }


def _why(found: BoardReview, told: CardReview) -> list[str]:
    words = mistake_words(found, told, ascii=True) if told.blamed else hindsight_words(told, ascii=True)
    return list(words)


def summary_json(players: list[PlayerSummary]) -> list[dict[str, Any]]:
    """The players."""
    return [
        {
            "player": player.name,
            "boards": player.boards,
            "choices": player.total.choices,
            "mistakes": player.total.mistakes,
            "accuracy": player.total.accuracy,
            "chance_a_board": player.chance_a_board,
            "points_a_board": player.points_a_board,
            "roles": {
                role.value: {
                    "choices": tally.choices,
                    "mistakes": tally.mistakes,
                    "chance": tally.chance,
                    "points": tally.points,
                }
                for role, tally in player.roles.items()
            },
        }
        for player in players
    ]
