"""The lines of the Blue Chip table manager's protocol, version 18, as programs write and read them.

There is no formal text of it. What is read here is what both dialects in use say: seats as ``North`` or ``NORTH``,
cards as ``5h`` or ``H5``, ``Teams : N/S : "a"`` or ``Teams: N/S "a"``. To those who write in
capitals capitals are written: ``Dialect``.
"""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import TYPE_CHECKING

from worldwise.bridge.rules.auction import DOUBLE, PASS, REDOUBLE, call_name, read_call
from worldwise.bridge.rules.cards import rank_name
from worldwise.bridge.rules.contract import Vulnerability
from worldwise.bridge.rules.deal import SUITS, Seat, holding_in, read_card, read_hand
from worldwise.core.reading import shorten, show_controls
from worldwise.errors import InputError, WorldwiseError

if TYPE_CHECKING:
    from worldwise.bridge.rules.auction import Call
    from worldwise.bridge.rules.deal import Card, Cards

VERSION = 18
PORT = 2000

MOST_LINE = 1000
"""Bytes of a line."""

_SEATS = "(?P<seat>north|east|south|west)"
_VULNERABLE = {
    "neither": Vulnerability.NONE,
    "n/s": Vulnerability.NORTH_SOUTH,
    "e/w": Vulnerability.EAST_WEST,
    "both": Vulnerability.BOTH,
}
_SIDES = ("Neither", "N/S", "E/W", "Both")
_CALLS = {"passes": PASS, "doubles": DOUBLE, "redoubles": REDOUBLE}
_CALLED = {call: word for word, call in _CALLS.items()}


class LostError(WorldwiseError):
    """The other side has gone."""


class RestartedError(WorldwiseError):
    """A board has begun anew in the middle of another."""


@dataclass(frozen=True)
class Dialect:
    """How seats and calls are written: as people do, or in capitals."""

    loud: bool = False

    def seat(self, seat: Seat) -> str:
        """A seat."""
        return seat.name if self.loud else str(seat)

    def call(self, seat: Seat, call: Call) -> str:
        """What a player calls.

        >>> Dialect().call(Seat.NORTH, read_call("1NT")), Dialect(loud=True).call(Seat.EAST, PASS)
        ('North bids 1NT', 'EAST PASSES')
        """
        word = _CALLED.get(call)
        said = f"bids {call_name(call)}" if word is None else word.upper() if self.loud else word
        return f"{self.seat(seat)} {said}"

    def play(self, seat: Seat, card: Card) -> str:
        """What a player plays.

        >>> Dialect().play(Seat.WEST, read_card("ST"))
        'West plays ts'
        """
        return f"{self.seat(seat)} plays {rank_name(card & 15).lower()}{SUITS[card >> 4].lower()}"

    def cards(self, whose: str, hand: Cards) -> str:
        """A hand, of a seat or of dummy's.

        >>> Dialect().cards("North", read_hand("AT95.K65.QJ876.-"))
        "North's cards : S A T 9 5. H K 6 5. D Q J 8 7 6. C -."
        """
        suits = [
            f"{letter} {' '.join(map(rank_name, holding_in(hand, suit))) or '-'}." for suit, letter in enumerate(SUITS)
        ]
        return f"{whose}'s cards : {' '.join(suits)}"


def board_line(number: int, dealer: Seat, vulnerability: Vulnerability) -> str:
    """What is told of a board before its cards.

    >>> board_line(8, Seat.WEST, Vulnerability.NONE)
    'Board number 8. Dealer WEST. Neither vulnerable.'
    """
    return f"Board number {number}. Dealer {dealer.name}. {_SIDES[vulnerability]} vulnerable."


# ---------------------------------------------------------------------- reading


def read_board_line(line: str) -> tuple[int, Seat, Vulnerability]:
    """The number, the dealer and who is vulnerable.

    >>> read_board_line("Board number 3. Dealer SOUTH. E/W vulnerable.")
    (3, Seat.SOUTH, Vulnerability.EAST_WEST)
    """
    told = _match(
        rf"board number (\d{{1,6}})\.\s*dealer {_SEATS}\.\s*(neither|n/s|e/w|both) vulnerable\.?", line, "a board"
    )
    return int(told[1]), Seat.of(told["seat"]), _VULNERABLE[told[3].lower()]


def read_hand_line(line: str) -> Cards:
    """A hand of 13 cards, whosever it is.

    >>> read_hand_line("WEST's cards: C A. D -. H K 6 5. S A T 9 8 7 6 5 4 3.").bit_count()
    13
    """
    told = _match(r"\w+'s cards\s*:\s*(.*)", line, "a hand")[1]
    suits = {
        suit.upper(): "".join(ranks.split())
        for suit, ranks in re.findall(r"([SHDC])((?:\s+(?:10|[2-9TJQKA-]))+)", told, re.I)
    }
    hand = read_hand(".".join(suits.get(letter, "").upper() for letter in SUITS))
    if hand.bit_count() != 13:
        raise InputError(f"expected 13 cards, found {hand.bit_count()} in {shorten(line)}")
    return hand


def read_call_line(line: str) -> tuple[Seat, Call, str | None]:
    """Who calls what, and the explanation if the call was alerted.

    >>> read_call_line("EAST bids 2H Alert. spades"), read_call_line("North PASSES")
    ((Seat.EAST, 12, 'spades'), (Seat.NORTH, 0, None))
    """
    pattern = rf"{_SEATS} (?:(passes|doubles|redoubles)|bids (\S{{2,3}}))(?:\s+(alert|infos)\.?\s*(.*))?"
    told = _match(pattern, line, "a call")
    call = _CALLS[told[2].lower()] if told[2] else read_call(told[3].rstrip("."))
    return Seat.of(told["seat"]), call, told[5].strip() if told[4] else None


def read_play_line(line: str) -> Card:
    """The card that is played; whose it is follows from the play.

    >>> read_play_line("West plays ck") == read_play_line("Dummy plays KC.")
    True
    """
    return read_card(_match(r"(?:north|east|south|west|dummy) plays (\w{2,3})\.?", line, "a card")[1])


def read_seat_line(line: str) -> tuple[Seat, Dialect]:
    """The seat one has been given, and in which dialect.

    >>> read_seat_line('WEST ("worldwise") seated')
    (Seat.WEST, Dialect(loud=True))
    """
    told = _match(rf"{_SEATS}\s*\(.*\)\s*seated\.?", line, "a seat")["seat"]
    return Seat.of(told), Dialect(told.isupper())


def read_connect_line(line: str) -> tuple[str, Seat | None]:
    """Who wants to sit where; None is anywhere.

    >>> read_connect_line('Connecting "a" as ANYPL using protocol version 18')
    ('a', None)
    """
    told = _match(r'connecting "([^"]{0,60})" as (\w+) using protocol version (\d+)', line, "somebody who connects")
    if int(told[3][:6]) != VERSION:
        raise InputError(f"expected protocol version {VERSION}, found {told[3][:6]}")
    return told[1], None if told[2].upper().startswith("ANY") else Seat.of(told[2])


def is_start(line: str) -> bool:
    """Whether a board begins."""
    return line.strip().lower().startswith("start of board")


def is_end(line: str) -> bool:
    """Whether the session is over."""
    return line.strip().lower().startswith("end of session")


def _match(pattern: str, line: str, what: str) -> re.Match[str]:
    found = re.fullmatch(pattern, " ".join(line.split()), re.IGNORECASE | re.ASCII)
    if found is None:
        raise InputError(f"expected {what}, found {shorten(line)}")
    return found


# ---------------------------------------------------------------------- lines


class LineSocket:
    """A connection on which lines go to and fro; what is heard has no control characters, which might be passed on."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._rest = b""
        with suppress(OSError):  # Where there is no TCP, nothing waits. With it, a line would wait for the one before.
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def fileno(self) -> int:
        """The connection's number, so that several may be waited for."""
        return self._connection.fileno()

    def send_line(self, line: str) -> None:
        """Send a line; ``LostError`` if nobody is there."""
        try:
            self._connection.sendall(line.encode("ascii", "replace") + b"\r\n")
        except OSError as error:
            raise LostError(f"the connection is lost: {error.strerror or error}") from None

    def read_line(self, seconds: float | None = None) -> str:
        """The next line; ``LostError`` if there is none, or none in time, however small its pieces come."""
        end = inf if seconds is None else monotonic() + seconds
        while (line := self._take_line()) is None:
            self._connection.settimeout(None if seconds is None else max(end - monotonic(), 1e-3))
            try:
                self._receive()
            except TimeoutError:
                raise LostError(f"no line came for {seconds:g} s") from None
        return line

    def take_what_came(self) -> str | None:
        """A line, if what has come by now is a whole one."""
        self._receive()
        return self._take_line()

    def _take_line(self) -> str | None:
        line, end, rest = self._rest.partition(b"\n")
        if not end:
            return None
        self._rest = rest
        return show_controls(line.decode("latin-1").strip())

    def _receive(self) -> None:
        try:
            piece = self._connection.recv(4096)
        except TimeoutError:
            raise
        except OSError as error:
            raise LostError(f"the connection is lost: {error.strerror or error}") from None
        if not piece:
            raise LostError("the other side has closed the connection")
        self._rest += piece
        if b"\n" not in self._rest and len(self._rest) > MOST_LINE:
            raise LostError(f"expected lines of at most {MOST_LINE} bytes, found more")

    def close(self) -> None:
        """Hang up."""
        self._connection.close()
