"""Links to Bridge Base Online's hand viewer, read and written.

There are two kinds: ``?lin=`` with a whole LIN text, and one parameter for each thing: ``n``, ``e``, ``s``, ``w`` the
hands, ``d`` the dealer, ``v`` who is vulnerable, ``a`` the auction, ``p`` the cards played, ``c`` the tricks claimed,
``b`` the board's number, and ``nn``, ``en``, ``sn``, ``wn`` the players' names.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from worldwise.bridge.files.lin import (
    LIN_SEATS,
    add_calls,
    deal_of_hands,
    read_cards,
    read_lin,
    read_lin_hand,
    read_vulnerability,
)
from worldwise.bridge.files.lin_writer import auction_to_write, lin_call, lin_hand, lin_line
from worldwise.bridge.rules.auction import Auction, CallRecorder
from worldwise.bridge.rules.board import Board, dealer_of_board
from worldwise.bridge.rules.contract import Vulnerability
from worldwise.bridge.rules.deal import SEATS, Seat, card_name
from worldwise.errors import InputError, PlacedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from worldwise.bridge.rules.board import BoardFile, Names

VIEWER = "https://www.bridgebase.com/tools/handviewer.html"


_ELSEWHERE = {"myhand", "linurl", "tbt"}
"""What names a hand that is kept on a server: without the network nobody can know it."""


def is_link(text: str) -> bool:
    """Whether a text is a link to the hand viewer.

    >>> is_link("https://www.bridgebase.com/tools/handviewer.html?lin=md|1"), is_link("md|1")
    (True, False)
    """
    address = re.match(r"\s*+([^\s?]++)\?", text)
    return address is not None and re.match(r"(?i)https?://|www\.|[\w.]*handviewer", address[1]) is not None


def read_link(link: str) -> Board:
    """The board a link shows.

    >>> board = read_link(VIEWER + "?s=sa2&w=sk3&n=sq4&e=sj5&d=s&v=b&a=1n(15-17)ppp&p=SKSQ&b=3")
    >>> str(board.deal), str(board.contract), board.play.turn
    ('N:Q4... J5... A2... K3...', '1NT by S', Seat.EAST)
    """
    told = _read_query(link.strip())
    if "lin" in told:
        return _only(read_lin(told["lin"]))
    if elsewhere := _ELSEWHERE & set(told):
        raise InputError(
            f"expected a link that holds the hand itself, lin= or n=, e=, s=, w=, found {min(elsewhere)}=, which only "
            "says where the hand is kept; open the link and export the hand as LIN or PBN"
        )
    if not set("nesw") & set(told):
        raise InputError(f"expected a link with lin= or the hands n=, e=, s=, w=, found {link.strip()!r}")
    return _board(told)


def _read_query(link: str) -> dict[str, str]:
    try:
        query = urlsplit(link).query
        return {name.lower(): values[0] for name, values in parse_qs(query).items()}
    except ValueError as error:
        raise InputError(f"expected a link to the hand viewer, found {link!r}: {error}") from None


def _only(found: BoardFile) -> Board:
    """The board of a link; the lines of its text mean nothing to anybody, so an error does not name them."""
    if found.boards:
        return found.boards[0]
    fault = found.faults[0] if found.faults else PlacedError("expected a board after lin=, found none")
    raise InputError(str(fault).removeprefix(f"{fault.place}: "))


def _board(told: Mapping[str, str]) -> Board:
    number = int(told["b"]) if re.fullmatch(r"[0-9]{1,9}", told.get("b", "")) else None
    dealer = Seat.of(told["d"]) if told.get("d", "") else dealer_of_board(number or 1)
    calls = CallRecorder(dealer)
    add_calls(calls, told.get("a", ""))
    return Board(
        deal_of_hands([read_lin_hand(told.get(seat.letter.lower(), "")) for seat in LIN_SEATS]),
        number,
        dealer,
        _vulnerability(told, number),
        calls.auction,
        cards=tuple(read_cards(told.get("p", ""))),
        tricks=_tricks(told),
        names=_names(told),
    )


def _vulnerability(told: Mapping[str, str], number: int | None) -> Vulnerability:
    if "v" in told:
        return read_vulnerability(told["v"])
    return Vulnerability.of_board(number) if number is not None else Vulnerability.NONE


def _tricks(told: Mapping[str, str]) -> int | None:
    if "c" not in told:
        return None
    if not re.fullmatch(r"[0-9]{1,2}", told["c"]):
        raise InputError(f"expected declarer's tricks, c=, from 0 to 13, found {told['c']!r}")
    return int(told["c"])


def _names(told: Mapping[str, str]) -> Names:
    north, east, south, west = (told.get(f"{seat.letter.lower()}n", "").strip() for seat in SEATS)
    return (north, east, south, west)


def lin_link(board: Board) -> str:
    """A link with the whole board as LIN.

    >>> from worldwise.bridge.rules.deal import Deal
    >>> read_link(lin_link(Board(Deal.read("N:A2... K3... Q4... J5..."), number=3))).number
    3
    """
    return f"{VIEWER}?lin={quote(lin_line(board), safe='')}"


def hand_link(board: Board) -> str:
    """A link with one parameter for each thing, which people can read and change.

    >>> from worldwise.bridge.rules.deal import Deal
    >>> hand_link(Board(Deal.read("N:A2... K3... Q4... J5..."), number=3)).partition("?")[2]
    's=SQ4HDC&w=SJ5HDC&n=SA2HDC&e=SK3HDC&d=n&v=-&b=3'
    """
    return f"{VIEWER}?{urlencode(_parameters(board), quote_via=quote)}"


def _parameters(board: Board) -> dict[str, str]:
    hands = {seat.letter.lower(): lin_hand(board.deal[seat]) for seat in LIN_SEATS}
    names = {f"{seat.letter.lower()}n": board.names[seat] for seat in LIN_SEATS}
    told = hands | {"d": board.dealer.letter.lower(), "v": "-neb"[board.vulnerability]}
    told["b"] = "" if board.number is None else str(board.number)
    told["a"] = _calls(auction_to_write(board))
    told["p"] = "".join(map(card_name, board.cards))
    told["c"] = "" if board.tricks is None or len(board.cards) == 52 else str(board.tricks)
    return {name: value for name, value in (told | names).items() if value}


def _calls(auction: Auction) -> str:
    """Calls one after the other, explanations in brackets."""
    words = []
    for place, call in enumerate(auction.calls):
        said = auction.explanation(place)
        explained = f"({said.replace('(', '[').replace(')', ']')})" if said else ""
        words.append(lin_call(call) + ("" if said is None else "!") + explained)
    return "".join(words)
