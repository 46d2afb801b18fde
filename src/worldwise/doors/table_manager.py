"""A small table manager: four clients sit down, and boards are played by the Blue Chip protocol, version 18.

Every call and card is checked. If a client is lost, its seat is kept: whoever sits down there next goes on, and the
board begins anew for all. It is made for one's own machine and network; the protocol knows neither secrets nor tokens.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from worldwise.bridge.rules.auction import Auction
from worldwise.bridge.rules.deal import SEATS, Seat
from worldwise.bridge.rules.play import Play
from worldwise.core.reading import shorten
from worldwise.doors.table_lobby import Lobby
from worldwise.doors.table_protocol import (
    Dialect,
    LineSocket,
    LostError,
    board_line,
    read_call_line,
    read_connect_line,
    read_play_line,
)
from worldwise.errors import InputError, WorldwiseError

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterable, Iterator

    from worldwise.bridge.rules.board import Board

THINKING = 300.0
"""Seconds for a call or a card, unless one says otherwise."""

MOST_SKIPPED = 100
"""Lines of a client that are overlooked while it is told that a board begins anew."""

PLAIN = Dialect()

Say = Callable[[str], None]


class BrokenRuleError(WorldwiseError):
    """A client has called or played against the rules of the game or of the protocol."""


class _Lost(Exception):  # noqa: N818 it is no error: it is mended
    """A client has gone; ``seat`` is his."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat


@dataclass
class TableManager:
    """Sits at a listening socket; ``say`` hears who sits down and who is lost."""

    listening: socket.socket
    seconds: float = THINKING
    say: Say = lambda _words: None
    names: dict[Seat, str] = field(default_factory=dict)
    clients: dict[Seat, LineSocket] = field(default_factory=dict)
    lobby: Lobby = field(init=False)

    def __post_init__(self) -> None:
        self.lobby = Lobby(self.listening)

    def run(self, boards: Iterable[Board]) -> Iterator[Board]:
        """Play boards, of which deal, number, dealer and vulnerability count; each as it was bid and played."""
        try:
            self._fill_seats()
            for board in boards:
                yield self._play_board(board)
            for seat in SEATS:
                with suppress(LostError):
                    self.clients[seat].send_line("End of session")
        finally:
            self.lobby.close()
            for client in self.clients.values():
                client.close()

    # ------------------------------------------------------------------ sitting down

    def _fill_seats(self) -> None:
        """Wait until all four are there, and tell those who are new about the teams."""
        new = []
        while missing := [seat for seat in SEATS if seat not in self.clients]:
            client, line = self.lobby.next_line()
            try:
                seat, name = self._seat_of(client, line, missing)
            except (InputError, LostError) as error:
                with suppress(LostError):
                    client.send_line(f"Refused: {error}")
                client.close()
                continue
            self.clients[seat], self.names[seat] = client, name
            new.append(seat)
            self.say(f"{name} sits {seat}")
        for seat in new:
            self._greet(seat)

    def _seat_of(self, client: LineSocket, line: str, missing: list[Seat]) -> tuple[Seat, str]:
        name, wanted = read_connect_line(line)
        if wanted is not None and wanted not in missing:
            raise InputError(f"expected one of the seats {', '.join(map(str, missing))}, found {wanted} taken")
        seat = missing[0] if wanted is None else wanted
        client.send_line(f'{seat} ("{name}") seated')
        return seat, name

    def _greet(self, seat: Seat) -> None:
        """Tell a newcomer what he waits for; if he goes meanwhile, that is noticed when he is next spoken to."""
        with suppress(_Lost):
            self._expect(seat, "ready for teams")
            north_south, east_west = (f"{self.names[one]}/{self.names[one.partner]}" for one in (Seat.NORTH, Seat.EAST))
            self._tell(seat, f'Teams : N/S : "{north_south}" E/W : "{east_west}"')
            self._expect(seat, "ready to start")

    # ------------------------------------------------------------------ lines

    def _tell(self, seat: Seat, line: str) -> None:
        try:
            self.clients[seat].send_line(line)
        except LostError:
            raise _Lost(seat) from None

    def _hear(self, seat: Seat) -> str:
        try:
            return self.clients[seat].read_line(self.seconds)
        except LostError:
            raise _Lost(seat) from None

    def _expect(self, seat: Seat, *words: str, skipping: int = 0) -> None:
        """Hear that somebody is ready, whatever else he said before."""
        wanted = [" ".join(f"{seat} {one}".lower().split()) for one in words]
        for _ in range(skipping + 1):
            line = self._hear(seat)
            if " ".join(line.lower().split()) in wanted:
                return
        raise BrokenRuleError(f"{seat}: expected {wanted[0]!r}, found {shorten(line)}")

    # ------------------------------------------------------------------ a board

    def _play_board(self, board: Board) -> Board:
        while True:
            try:
                self._fill_seats()
                return self._try_board(board)
            except _Lost as lost:
                self.clients.pop(lost.seat).close()
                self.say(f"{self.names[lost.seat]} at {lost.seat} is lost; board {board.number} waits for the seat")

    def _try_board(self, board: Board) -> Board:
        for seat in SEATS:
            self._tell(seat, "Start of Board")
        for seat in SEATS:
            self._expect(seat, "ready for deal", skipping=MOST_SKIPPED)
            self._tell(seat, board_line(board.number or 1, board.dealer, board.vulnerability))
        for seat in SEATS:
            # Told twice that it begins anew, a client has been ready for the deal twice.
            self._expect(seat, "ready for cards", skipping=MOST_SKIPPED)
            self._tell(seat, PLAIN.cards(str(seat), board.deal[seat]))
        auction = self._bid(board)
        names = (self.names[Seat.NORTH], self.names[Seat.EAST], self.names[Seat.SOUTH], self.names[Seat.WEST])
        told = replace(board, auction=auction, contract=None, cards=(), tricks=None, names=names)
        if auction.contract is None:
            return told
        return told.with_cards(self._play(Play(board.deal, auction.contract)).cards)

    def _bid(self, board: Board) -> Auction:
        auction = Auction(board.dealer)
        while not auction.over:
            turn, line = auction.turn, self._hear(auction.turn)
            try:
                seat, call, said = read_call_line(line)
                if seat != turn:
                    raise InputError(f"expected {turn}'s call, found {shorten(line)}")
                auction = auction.then(call, said)
            except InputError as error:
                raise BrokenRuleError(f"{turn}: {error}") from None
            for other in _others(turn):
                self._expect(other, f"ready for {turn}'s bid")
                self._tell(other, line)
        return auction

    def _play(self, play: Play) -> Play:
        while not play.position.over:
            if not play.position.trick:
                whose = "Dummy" if play.position.to_move == play.contract.dummy else str(play.turn)
                self._tell(play.turn, f"{whose} to lead")
            play = self._next_card(play)
            if len(play.cards) == 1:
                self._show_dummy(play)
        return play

    def _next_card(self, play: Play) -> Play:
        mover, trick = play.position.to_move, len(play.cards) // 4 + 1
        line = self._hear(play.turn)
        try:
            after = play.then(read_play_line(line))
        except InputError as error:
            raise BrokenRuleError(f"{play.turn}: {error}") from None
        told = PLAIN.play(mover, after.cards[-1])
        whose = [str(mover), *(["dummy"] if mover == play.contract.dummy else [])]
        for other in _others(play.turn):
            self._expect(other, *(f"ready for {one}'s card to trick {trick}" for one in whose))
            self._tell(other, told)
        return after

    def _show_dummy(self, play: Play) -> None:
        dummy = play.contract.dummy
        for seat in _others(dummy):
            self._expect(seat, "ready for dummy")
            self._tell(seat, PLAIN.cards("Dummy", play.deal[dummy]))


def _others(seat: Seat) -> Iterator[Seat]:
    return (seat.after(step) for step in range(1, 4))
