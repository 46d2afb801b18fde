"""The referee's table: he knows the deal, asks each player in turn, and checks every card.

What reaches a player is his ``View``. Only a ``SeesAll`` is handed the play itself.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING

from worldwise.bridge.players.seats import SeesAll
from worldwise.bridge.rules.contract import Vulnerability
from worldwise.bridge.rules.deal import SEATS, Seat
from worldwise.bridge.rules.view import view_of
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from worldwise.bridge.players.seats import AnyPlayer, SeatedPlayer
    from worldwise.bridge.rules.auction import Auction
    from worldwise.bridge.rules.board import Board
    from worldwise.bridge.rules.contract import Contract
    from worldwise.bridge.rules.deal import Card
    from worldwise.bridge.rules.play import Play


@dataclass
class BridgeChair:
    """A seat and who sits there; ``moves`` and ``seconds`` count what he has decided, and how long it took him."""

    seat: Seat
    _choose: Callable[[Play], Card]
    moves: int = 0
    seconds: float = field(default=0.0, compare=False)

    @classmethod
    def of(
        cls,
        seat: Seat,
        player: AnyPlayer,
        seed: int = 0,
        vulnerability: Vulnerability = Vulnerability.NONE,
        auction: Auction | None = None,
    ) -> BridgeChair:
        """A player takes a seat for one board; he has heard the auction, if there was one."""
        if isinstance(player, SeesAll):
            return cls(seat, player.sit_seeing(seed).choose_seeing)
        return cls(seat, _Behind(seat, player.sit(seed, vulnerability), auction).choose)

    def next_card(self, play: Play) -> Card:
        """What he plays; dummy's card if he is declarer and it is dummy's turn."""
        started = perf_counter()
        card = self._choose(play)
        self.moves += 1
        self.seconds += perf_counter() - started
        return card


@dataclass(frozen=True)
class _Behind:
    """Hands a player what his seat sees of the play."""

    seat: Seat
    seated: SeatedPlayer
    auction: Auction | None = None

    def choose(self, play: Play) -> Card:
        return self.seated.choose(view_of(play, self.seat, self.auction))


def seat_seed(seed: int, seat: Seat) -> int:
    """The chances of one seat at the table of a seed; no other seat, at whatever table, has the same."""
    return 4 * seed + seat


@dataclass
class BridgeTable:
    """Chairs of declarer and both defenders; dummy needs none.

    >>> from worldwise.bridge.rules.contract import Contract
    >>> from worldwise.bridge.rules.deal import Deal
    >>> from worldwise.bridge.rules.play import Play
    >>> from worldwise.bridge.players.simple import DoubleDummyPlayer, RandomPlayer
    >>> play = Play(Deal.read("N:AQ4... K53... 876... JT9..."), Contract.read("1NT by S"))
    >>> table = BridgeTable.of(play.contract, declarer=DoubleDummyPlayer(), defence=RandomPlayer())
    >>> len(table.play_out(play).cards)
    12
    """

    chairs: Mapping[Seat, BridgeChair]

    @classmethod
    def of(
        cls,
        contract: Contract,
        declarer: AnyPlayer,
        defence: AnyPlayer,
        seed: int = 0,
        vulnerability: Vulnerability = Vulnerability.NONE,
        *,
        partner: AnyPlayer | None = None,
        auction: Auction | None = None,
    ) -> BridgeTable:
        """A player for declarer, one for both defenders; or for the leader only, and another for his ``partner``."""
        players = {contract.declarer: declarer, contract.leader: defence, contract.leader.partner: partner or defence}
        return cls.seat_players(players, seed, vulnerability, auction)

    @classmethod
    def seat_players(
        cls,
        players: Mapping[Seat, AnyPlayer],
        seed: int = 0,
        vulnerability: Vulnerability = Vulnerability.NONE,
        auction: Auction | None = None,
    ) -> BridgeTable:
        """Players by seats; each has chances of his own, and all have heard the auction."""
        seats = [seat for seat in SEATS if seat in players]
        seated = {seat: (players[seat], seat_seed(seed, seat)) for seat in seats}
        return cls({seat: BridgeChair.of(seat, *one, vulnerability, auction) for seat, one in seated.items()})

    def twin(self) -> BridgeTable:
        """A table at which all has been seen that was seen here: both can play on, each in its own way.

        Everybody remembers the same, and what their solvers have found out they share.
        """
        return deepcopy(self)

    def next_card(self, play: Play) -> Card:
        """The card of whose turn it is."""
        if play.turn not in self.chairs:
            raise InputError(f"expected a player for {play.turn}, found none")
        return self.chairs[play.turn].next_card(play)

    def next_play(self, play: Play) -> Play:
        """The play with one card more; a card against the rules is an error that says whose it was."""
        return play.then(self.next_card(play))

    def play_out(self, play: Play) -> Play:
        """The play to its last card."""
        while not play.position.over:
            play = self.next_play(play)
        return play


def play_board(board: Board, table: BridgeTable) -> Board:
    """A board played out from where its record stands."""
    if not board.deal.complete:
        raise InputError(f"expected all four hands, found {board.deal}")
    play = table.play_out(board.play)
    return replace(board, cards=play.cards, tricks=play.declarer_tricks)
