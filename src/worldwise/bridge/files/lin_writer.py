"""Boards written as LIN, the notation of Bridge Base Online."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.bridge.files.lin import LIN_SEATS, ROOMS
from worldwise.bridge.rules.auction import Auction, call_name
from worldwise.bridge.rules.cards import rank_name
from worldwise.bridge.rules.deal import SUITS, card_name, holding_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from worldwise.bridge.rules.board import Board
    from worldwise.bridge.rules.deal import Cards


def lin_text(boards: Iterable[Board]) -> str:
    """Boards one a line; LIN has no place for most tags, and a contract without an auction gets the shortest one.

    >>> from worldwise.bridge.rules.board import Board
    >>> from worldwise.bridge.rules.deal import Deal
    >>> print(lin_text([Board(Deal.read("N:A2... K3... Q4... J5..."), number=1, auction=Auction.read("N: 1S AP"))]))
    pn|,,,|st||md|3SQ4HDC,SJ5HDC,SA2HDC,SK3HDC|rh||ah|Board 1|sv|o|mb|1S|mb|p|mb|p|mb|p|pg||
    """
    return "\n".join(lin_line(board) for board in boards)


def lin_line(board: Board) -> str:
    """One board."""
    return "".join(f"{name}|{value}|" for name, value in _commands_of(board))


def _commands_of(board: Board) -> Iterator[tuple[str, str]]:
    room = next((letter for letter, room in ROOMS.items() if room == board.tag("Room")), "")
    if room:
        yield "qx", f"{room}{board.number or ''}"
    yield "pn", ",".join(_clean(board.names[seat]).replace(",", " ") for seat in LIN_SEATS)
    yield "st", ""
    digit = LIN_SEATS.index(board.dealer) + 1
    yield "md", f"{digit}" + ",".join(lin_hand(board.deal[seat]) for seat in LIN_SEATS)
    yield "rh", ""
    yield "ah", f"Board {board.number}" if board.number is not None else _clean(board.tag("Header"))
    yield "sv", "oneb"[board.vulnerability]
    yield from (("nt", _clean(line)) for line in board.comment.splitlines() if line.strip())
    yield from _auction_commands(auction_to_write(board))
    yield from _play_commands(board)


def auction_to_write(board: Board) -> Auction:
    """The auction, or the shortest one that leads to the contract: without one LIN cannot tell what is played."""
    if board.auction is not None or board.contract is None:
        return board.auction or Auction(board.dealer)
    return Auction.leading_to(board.dealer, board.contract)


def _auction_commands(auction: Auction) -> Iterator[tuple[str, str]]:
    for place, call in enumerate(auction.calls):
        said = auction.explanation(place)
        yield "mb", lin_call(call) + ("" if said is None else "!")
        if said:
            yield "an", _clean(said)
    if auction.over:
        yield "pg", ""


def lin_call(call: int) -> str:
    """A call as LIN writes it.

    >>> [lin_call(call) for call in (0, 1, 2, 9)]
    ['p', 'd', 'r', '1N']
    """
    return "pdr"[call] if call < 3 else call_name(call).replace("NT", "N")


def _play_commands(board: Board) -> Iterator[tuple[str, str]]:
    for number, card in enumerate(board.cards, 1):
        yield "pc", card_name(card)
        if number % 4 == 0:
            yield "pg", ""
    if board.tricks is not None and len(board.cards) < 52:
        yield "mc", str(board.tricks)


def _clean(text: str) -> str:
    """A text that cannot be taken for a command."""
    return " ".join(text.replace("|", "/").split())


def lin_hand(cards: Cards) -> str:
    """A hand as LIN writes it.

    >>> from worldwise.bridge.rules.deal import read_hand
    >>> lin_hand(read_hand("AK2.Q..T9"))
    'SAK2HQDCT9'
    """
    if not cards:
        return ""
    return "".join(letter + "".join(map(rank_name, holding_in(cards, suit))) for suit, letter in enumerate(SUITS))
