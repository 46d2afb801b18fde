"""A bridge table for programs: what one who sits there sees at some card of the play, and how the play went.

=====================  ================================================================================
``contract``           as ``worldwise.bridge.views.deal_json`` writes it; ``facts`` and ``standing`` are words
``dummy``              declarer's partner; ``defenders`` are the others, the leader first
``told``               whose hands were told, seen or not
``hands``              by seat, ``N`` to ``W``: the cards that are left, null where a hand is not seen
``left``               how many cards each hand has
``dealt``              by seat, what each hand had at the start, as far as it is known; null before the play is over,
                       unless all hands are shown
``to_play``            whose card is next, null if the play is over
``yours``              whether declarer chooses it
``playable``           the cards it may be, if its hand is seen; otherwise those that the hand may have, as far as
                       declarer sees, or, for a hand that was not told, those that were dealt to no other
``tricks``             all of the play, those after the moment too: each with its ``winner`` (null if it is not over)
                       and its ``cards``, in order, each with its ``seat`` and its ``number`` in the play, from 0
``turns``              after how many cards it is declarer's turn
``result``             how it went, null before the end
=====================  ================================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldwise.bridge.rules.board import players_of
from worldwise.bridge.rules.deal import SEATS, card_name, cards_in, hand_name, set_of
from worldwise.bridge.rules.play import winning_place
from worldwise.bridge.views.deal_json import contract_json
from worldwise.bridge.views.deal_picture import DealPicture, result_words, symbols_in

if TYPE_CHECKING:
    from worldwise.bridge.rules.board import Board
    from worldwise.bridge.rules.deal import Card, Cards, Seat


def table_json(board: Board, at: int | None = None, *, reveal: bool = False) -> dict[str, Any]:
    """The table after so many cards, as declarer sees it, or with all hands revealed.

    >>> from worldwise.catalog import deal
    >>> table = table_json(deal("deals/hold-up").board, at=1)
    >>> table["to_play"], table["yours"], table["hands"]["N"], table["hands"]["E"], table["playable"]
    ('N', True, 'K54.54.AQJT9.432', None, ['H5', 'H4'])
    """
    now = board if at is None else board.with_cards(board.cards[:at])
    picture, position = DealPicture.of(now), now.play.position
    seen = SEATS if reveal else tuple(now.view(now.play.contract.declarer).faced)
    gone = set_of(now.cards)
    return {
        "contract": contract_json(now.play.contract),
        "dummy": now.play.contract.dummy.letter,
        "defenders": [seat.letter for seat in (now.play.contract.leader, now.play.contract.leader.partner)],
        "told": [seat.letter for seat in SEATS if now.deal[seat]],
        "facts": list(map(symbols_in, picture.facts)),
        "standing": _standing(now),
        "hands": {seat.letter: _cards_left(now, seat, gone) if seat in seen else None for seat in SEATS},
        "left": {seat.letter: _count(now, seat) for seat in SEATS},
        "dealt": _dealt(now) if reveal or position.over else None,
        "to_play": None if position.over else position.to_move.letter,
        "yours": not position.over and now.play.turn == now.play.contract.declarer,
        "playable": [] if position.over else list(map(card_name, cards_in(_playable(now, seen)))),
        "tricks": _tricks(board),
        "turns": _turns(board),
        "result": result_words(-now.play.needed) if position.over else None,
    }


def _cards_left(board: Board, seat: Seat, gone: Cards) -> str | None:
    return hand_name(board.deal[seat] & ~gone) if board.deal[seat] else None


def _dealt(board: Board) -> dict[str, str]:
    """The hands at the start; one that was not told had at least the cards it played."""
    played = list(zip(players_of(board.play.contract, board.cards), board.cards, strict=True))
    shown = {seat: set_of(card for player, card in played if player == seat) for seat in SEATS}
    return {seat.letter: hand_name(board.deal[seat] or shown[seat]) for seat in SEATS}


def _count(board: Board, seat: Seat) -> int:
    """How many cards a hand has, known or not."""
    size = max(hand.bit_count() for hand in board.deal.hands)
    return size - sum(player == seat for player in players_of(board.play.contract, board.cards))


def _playable(board: Board, seen: tuple[Seat, ...]) -> Cards:
    position = board.play.position
    if board.deal[position.to_move] and position.to_move in seen:
        return position.legal
    possible = board.view(board.play.contract.declarer).may_hold(position.to_move)
    # What the other hands have would give away one that was told and is hidden.
    return possible if board.deal[position.to_move] else possible & ~board.deal.cards


def _standing(board: Board) -> str:
    """What declarer has, and what he needs."""
    won, lost = board.play.declarer_tricks, len(board.cards) // 4 - board.play.declarer_tricks
    wanted = max(0, board.play.needed)
    return f"{won} won, {lost} lost; {f'{wanted} more make it' if wanted else 'made'}"


def _tricks(board: Board) -> list[dict[str, Any]]:
    seats = list(players_of(board.play.contract, board.cards))
    return [_trick(board, seats[start : start + 4], start) for start in range(0, len(board.cards), 4)]


def _trick(board: Board, seats: list[Seat], start: int) -> dict[str, Any]:
    cards = board.cards[start : start + 4]
    winner = seats[winning_place(cards, board.play.contract.strain)].letter if len(cards) == 4 else None
    played = enumerate(zip(seats, cards, strict=True), start)
    return {"winner": winner, "cards": [_card(number, seat, card) for number, (seat, card) in played]}


def _card(number: int, seat: Seat, card: Card) -> dict[str, Any]:
    return {"number": number, "seat": seat.letter, "card": card_name(card)}


def _turns(board: Board) -> list[int]:
    """The numbers of cards after which declarer or dummy plays; the end of what is known, perhaps, among them."""
    contract = board.play.contract
    ours = [seat in (contract.declarer, contract.dummy) for seat in players_of(contract, board.cards)]
    more = [not board.play.position.over and board.play.turn == contract.declarer]
    return [number for number, yours in enumerate([*ours, *more]) if yours]
