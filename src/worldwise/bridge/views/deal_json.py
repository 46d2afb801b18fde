"""A deal, a board or a file of boards for programs: plain dictionaries with keys that stay.

Hands are written as PBN writes them, cards as ``SA``, calls as ``1NT``, ``Pass``, ``X``, ``XX``; what is not known is
null.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldwise.bridge.rules.auction import call_name
from worldwise.bridge.rules.board import players_of
from worldwise.bridge.rules.deal import SEATS, card_name, hand_name

if TYPE_CHECKING:
    from worldwise.bridge.rules.auction import Auction
    from worldwise.bridge.rules.board import Board, BoardFile
    from worldwise.bridge.rules.contract import Contract
    from worldwise.bridge.rules.deal import Deal

VULNERABLE = ("none", "north-south", "east-west", "both")
"""Who is vulnerable, as records say it."""


def deal_json(deal: Deal) -> dict[str, str | None]:
    """The four hands.

    >>> from worldwise.bridge.rules.deal import Deal
    >>> deal_json(Deal.read("N:A2... K3... - J5..."))
    {'north': 'A2...', 'east': 'K3...', 'south': None, 'west': 'J5...'}
    """
    return {seat.name.lower(): hand_name(deal[seat]) if deal[seat] else None for seat in SEATS}


def contract_json(contract: Contract) -> dict[str, Any]:
    """A contract in one word, and taken apart."""
    return {
        "contract": contract.bid,
        "level": contract.level,
        "strain": contract.strain.letter,
        "declarer": contract.declarer.letter,
        "doubled": contract.doubled,
    }


def auction_json(auction: Auction) -> list[dict[str, Any]]:
    """Who called what; ``alert`` is the explanation, perhaps empty, of a call that was alerted.

    >>> from worldwise.bridge.rules.auction import Auction
    >>> auction_json(Auction.read("N: 1NT").alert("15-17"))
    [{'seat': 'N', 'call': '1NT', 'alert': '15-17'}]
    """
    return [
        {"seat": seat.letter, "call": call_name(call), "alert": auction.explanation(place)}
        for place, (seat, call) in enumerate(auction.by_seat())
    ]


def board_json(board: Board) -> dict[str, Any]:
    """A board: the record first, then what follows from it.

    >>> from worldwise.bridge.rules.board import Board
    >>> from worldwise.bridge.rules.deal import Deal
    >>> told = board_json(Board(Deal.read("N:A2... K3... Q4... J5..."), number=3))
    >>> told["board"], told["dealer"], told["contract"], told["to_play"]
    (3, 'N', None, None)
    """
    return {
        "board": board.number,
        "dealer": board.dealer.letter,
        "vulnerable": VULNERABLE[board.vulnerability],
        "deal": deal_json(board.deal),
        "players": {seat.name.lower(): board.names[seat] or None for seat in SEATS},
        "auction": None if board.auction is None else auction_json(board.auction),
        "passed_out": board.passed_out,
        "contract": None if board.contract is None else contract_json(board.contract),
        "play": _play_json(board),
        "to_play": _to_play(board),
        "tricks": board.tricks,
        "score": board.score,
        "tags": {tag.name: tag.value for tag in board.tags},
        "comment": board.comment or None,
    }


def _play_json(board: Board) -> list[dict[str, str]]:
    if board.contract is None:
        return []
    played = zip(players_of(board.contract, board.cards), board.cards, strict=True)
    return [{"seat": seat.letter, "card": card_name(card)} for seat, card in played]


def _to_play(board: Board) -> str | None:
    """Whose card is next; None if the play is over or was claimed, or has no contract."""
    if board.contract is None or board.tricks is not None or board.play.position.over:
        return None
    return board.play.position.to_move.letter


def boards_json(found: BoardFile) -> dict[str, Any]:
    """All boards of a file, what is wrong with the others, and what was set aside of these."""
    faults, warnings = (
        [{"place": fault.place, "message": str(fault)} for fault in said] for said in (found.faults, found.warnings)
    )
    return {"boards": [board_json(board) for board in found], "faults": faults, "warnings": warnings}
