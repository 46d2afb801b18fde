"""A player at somebody's table: the client of the Blue Chip table manager's protocol.

What arrives is read in either dialect. Whatever the manager says last counts: a board may begin anew at any time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from worldwise.bridge.advice.advise import WORLDS, advise
from worldwise.bridge.players.bidder import SystemBidder
from worldwise.bridge.players.world_sample import legal_cards
from worldwise.bridge.rules.auction import PASS, Auction
from worldwise.bridge.rules.board import check_play
from worldwise.bridge.rules.contract import Vulnerability
from worldwise.bridge.rules.deal import Deal, Seat, card_name
from worldwise.bridge.rules.view import View
from worldwise.core.reading import shorten
from worldwise.core.result import Limit
from worldwise.doors.table_protocol import (
    VERSION,
    RestartedError,
    is_end,
    is_start,
    read_board_line,
    read_call_line,
    read_hand_line,
    read_play_line,
    read_seat_line,
)
from worldwise.errors import InputError, LimitReachedError

if TYPE_CHECKING:
    from worldwise.bridge.players.seats import BridgePlayer, SeatedPlayer
    from worldwise.bridge.rules.auction import Call
    from worldwise.bridge.rules.contract import Contract
    from worldwise.bridge.rules.deal import Card, Cards


class Controller(Protocol):
    """Carries lines to and fro: a connection, or whatever a test puts in its place."""

    def send_line(self, line: str) -> None:
        """To the manager."""

    def read_line(self) -> str:
        """From the manager."""


class SessionEndedError(Exception):
    """The manager has said that this was all."""


@dataclass(frozen=True)
class ClockPlayer:
    """Plays what advice finds within so many seconds a card; how hard it looks beyond that is its own affair."""

    seconds: float = 3.0
    worlds: int = WORLDS
    system: str = "sayc"

    def sit(self, seed: int, vulnerability: Vulnerability = Vulnerability.NONE) -> SeatedPlayer:
        """Take a seat."""
        return _ByTheClock(self, seed, vulnerability)


@dataclass(frozen=True)
class _ByTheClock:
    player: ClockPlayer
    seed: int
    vulnerability: Vulnerability

    def choose(self, view: View) -> Card:
        """The card to play; one that is forced, at once; the lowest if there is no time to think."""
        legal = legal_cards(view)
        if len(legal) == 1:
            return legal[0]
        try:
            return self._choose_by_advice(view)
        except LimitReachedError:  # the clock has left no time for a single layout
            return min(legal, key=lambda card: card & 15)

    def _choose_by_advice(self, view: View) -> Card:
        return advise(
            view,
            worlds=self.player.worlds,
            vulnerability=self.vulnerability,
            limit=Limit(self.player.seconds),
            system=self.player.system,
            seed=self.seed,
            planning=False,
            trying=False,
        ).card


@dataclass
class TableClient:
    """Plays boards until the session ends; ``bidder`` None passes throughout."""

    lines: Controller
    name: str
    seat: Seat | None
    player: BridgePlayer
    bidder: SystemBidder | None = field(default_factory=SystemBidder)
    seed: int = 0
    boards: int = 0
    """How many it has played to the end."""

    def run(self) -> int:
        """Take the seat and play; how many boards that were."""
        try:
            self._sit_down()
            self._wait_for_board()
            while True:
                try:
                    self._play_board()
                    self.boards += 1
                    self._wait_for_board()
                except RestartedError:
                    continue
        except SessionEndedError:
            return self.boards

    # ------------------------------------------------------------------ lines

    def _hear(self) -> str:
        """The next line of the board that is being played."""
        line = self.lines.read_line()
        if is_start(line):
            raise RestartedError("the board begins anew")
        if is_end(line):
            raise SessionEndedError
        return line

    def _say(self, words: str) -> None:
        self.lines.send_line(f"{self.dialect.seat(self.own)} {words}")

    def _sit_down(self) -> None:
        place = "ANYPL" if self.seat is None else str(self.seat)
        self.lines.send_line(f'Connecting "{self.name}" as {place} using protocol version {VERSION}')
        line = self.lines.read_line()
        try:
            self.own, self.dialect = read_seat_line(line)
        except InputError:
            raise InputError(f"expected a seat at the table, found {shorten(line, 200)}") from None
        self._say("ready for teams")
        self.lines.read_line()
        self._say("ready to start")

    def _wait_for_board(self) -> None:
        """Until a board begins; what is said about the last one, its timing say, is nothing to a program."""
        while True:
            try:
                self._hear()
            except RestartedError:
                return

    # ------------------------------------------------------------------ a board

    def _play_board(self) -> None:
        self._say("ready for deal")
        number, dealer, vulnerability = read_board_line(self._hear())
        self._say("ready for cards")
        hand = read_hand_line(self._hear())
        auction = self._bid(Auction(dealer), hand)
        if auction.contract is not None:
            seated = self.player.sit(4 * (4096 * self.seed + number) + self.own, vulnerability)
            _CardPlay(self, seated, auction, auction.contract, hand).run()

    def _bid(self, auction: Auction, hand: Cards) -> Auction:
        while not auction.over:
            turn = auction.turn
            if turn == self.own:
                call = PASS if self.bidder is None else self.bidder.choose(hand, auction)
                self.lines.send_line(self.dialect.call(self.own, call))
                auction = auction.then(call)
            else:
                self._say(f"ready for {self.dialect.seat(turn)}'s bid")
                auction = auction.then(*self._heard_call(turn))
        return auction

    def _heard_call(self, turn: Seat) -> tuple[Call, str | None]:
        line = self._hear()
        seat, call, said = read_call_line(line)
        if seat != turn:
            raise InputError(f"expected {turn}'s call, found {shorten(line)}")
        return call, said


@dataclass
class _CardPlay:
    """The play of a board: cards are sent, or asked for, in turn."""

    client: TableClient
    seated: SeatedPlayer
    auction: Auction
    contract: Contract
    hand: Cards
    dummy: Cards | None = None
    played: tuple[Card, ...] = ()

    def run(self) -> None:
        """All 52 cards."""
        while len(self.played) < 52:
            card = self._choose() if self._decides else self._ask()
            self.played = (*self.played, card)
            check_play(self._known, self.contract, self.played)
            if len(self.played) == 1:
                self._see_dummy()

    @property
    def _view(self) -> View:
        return View(self.client.own, self.contract, self.hand, self.dummy, self.played, auction=self.auction)

    @property
    def _known(self) -> Deal:
        """The hands that are seen."""
        hands = {self.client.own: self.hand}
        if self.dummy is not None:
            hands[self.contract.dummy] = self.dummy
        north, east, south, west = (hands.get(seat, 0) for seat in Seat)
        return Deal((north, east, south, west))

    @property
    def _decides(self) -> bool:
        """Whether the next card is ours to choose: declarer plays dummy's."""
        mover = self._view.to_move
        return self.client.own == (self.contract.declarer if mover == self.contract.dummy else mover)

    def _choose(self) -> Card:
        mover = self._view.to_move
        if len(self.played) % 4 == 0:
            self.client._hear()  # "North to lead", or "Dummy to lead"
        card = self.seated.choose(self._view)
        self.client.lines.send_line(self.client.dialect.play(mover, card))
        return card

    def _ask(self) -> Card:
        dialect, mover = self.client.dialect, self._view.to_move
        whose = ("Dummy" if dialect.loud else "dummy") if mover == self.contract.dummy else dialect.seat(mover)
        self.client._say(f"ready for {whose}'s card to trick {len(self.played) // 4 + 1}")
        line = self.client._hear()
        while line.lower().endswith(" to lead"):
            line = self.client._hear()
        card = read_play_line(line)
        if card in self.played:
            raise InputError(f"expected a card that is still there, found {card_name(card)}")
        return card

    def _see_dummy(self) -> None:
        if self.client.own == self.contract.dummy:
            self.dummy = self.hand
        else:
            self.client._say("ready for dummy")
            self.dummy = read_hand_line(self.client._hear())
