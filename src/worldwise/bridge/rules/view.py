"""What a player at the table knows: the auction, his own hand, dummy once it is faced, and every card played."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from worldwise.bridge.rules.deal import PACK, SEATS, SUIT_CARDS, Card, Cards, Seat, set_of
from worldwise.bridge.rules.play import Position, winning_place
from worldwise.errors import InputError

if TYPE_CHECKING:
    from worldwise.bridge.rules.auction import Auction
    from worldwise.bridge.rules.contract import Contract
    from worldwise.bridge.rules.deal import Deal
    from worldwise.bridge.rules.play import Play


@dataclass(frozen=True)
class View:
    """A seat's knowledge: hands as dealt, dummy's being None until the opening lead; the cards played, in order.

    ``pack`` is all cards that were dealt: the 52, or fewer in an ending. ``auction`` is what was called, if it is told.
    """

    seat: Seat
    contract: Contract
    hand: Cards
    dummy: Cards | None
    played: tuple[Card, ...]
    pack: Cards = PACK
    auction: Auction | None = None

    @property
    def faced(self) -> dict[Seat, Cards]:
        """The hands as dealt that this player sees."""
        faced = {self.seat: self.hand}
        if self.dummy is not None:
            faced[self.contract.dummy] = self.dummy
        return faced

    @property
    def hidden(self) -> tuple[Seat, ...]:
        """Whose hands he does not see."""
        return tuple(seat for seat in SEATS if seat not in self.faced)

    @cached_property
    def _table(self) -> tuple[Seat, tuple[Card, ...], tuple[int, int]]:
        """Who led, the trick on the table, and the tricks each side has won."""
        leader, won = self.contract.leader, [0, 0]
        whole = len(self.played) - len(self.played) % 4
        for place in range(0, whole, 4):
            leader = leader.after(winning_place(self.played[place : place + 4], self.contract.strain))
            won[leader & 1] += 1
        return leader, self.played[whole:], (won[0], won[1])

    def position(self, deal: Deal) -> Position:
        """Where the play would stand if this were the deal; it must be one that fits the view."""
        gone = ~set_of(self.played)
        north, east, south, west = deal.hands
        leader, trick, won = self._table
        return Position(
            (north & gone, east & gone, south & gone, west & gone), self.contract.strain, leader, trick, won
        )

    @property
    def to_move(self) -> Seat:
        """Whose card is next; it may be dummy's."""
        leader, trick, _ = self._table
        return leader.after(len(trick))

    @property
    def on_turn(self) -> bool:
        """Whether this player chooses the next card: declarer plays dummy's too."""
        mover = self.to_move
        return len(self.played) < self.pack.bit_count() and self.seat == (
            self.contract.declarer if mover == self.contract.dummy else mover
        )

    def expect_turn(self) -> None:
        """Raise an error unless this player chooses the next card."""
        if not self.on_turn:
            raise InputError(f"expected {self.seat} to be on turn, found {self.to_move}")

    @property
    def gone(self) -> Cards:
        """What was played in whole tricks: without the trick on the table."""
        return set_of(self.played[: len(self.played) // 4 * 4])

    @property
    def cards_left(self) -> int:
        """How many cards each hand has, the trick on the table included."""
        return (self.pack.bit_count() - len(self.played) + 3) // 4

    def played_by(self) -> dict[Seat, Cards]:
        """The cards each player has played."""
        by = dict.fromkeys(SEATS, 0)
        for seat, card in self.history():
            by[seat] |= 1 << card
        return by

    def history(self) -> list[tuple[Seat, Card]]:
        """Who played what, in order."""
        told: list[tuple[Seat, Card]] = []
        leader = self.contract.leader
        for place in range(0, len(self.played), 4):
            trick = self.played[place : place + 4]
            told += [(leader.after(step), card) for step, card in enumerate(trick)]
            leader = leader.after(winning_place(trick, self.contract.strain))
        return told

    def void_in(self) -> dict[Seat, Cards]:
        """For each player, the cards of the suits he has shown out of."""
        void = dict.fromkeys(SEATS, 0)
        for number, (seat, card) in enumerate(self.history()):
            led = self.played[number - number % 4] >> 4
            if card >> 4 != led:
                void[seat] |= SUIT_CARDS[led]
        return void

    def may_hold(self, seat: Seat) -> Cards:
        """The cards that a hidden hand may have still."""
        return self.unseen & ~self.void_in()[seat]

    @property
    def unseen(self) -> Cards:
        """The cards that may lie in a hidden hand still."""
        return self.pack & ~set_of(self.played) & ~sum(self.faced.values())


def view_of(play: Play, seat: Seat, auction: Auction | None = None) -> View:
    """What a seat knows of a play, and of an auction before it; it does not depend on the hands this seat cannot see.

    >>> from worldwise.bridge.rules.contract import Contract
    >>> from worldwise.bridge.rules.deal import Deal
    >>> from worldwise.bridge.rules.play import Play
    >>> play = Play(Deal.read("N:A2... K3... Q4... J5..."), Contract.read("1NT by S"))
    >>> view_of(play, Seat.SOUTH).hidden
    (Seat.NORTH, Seat.EAST, Seat.WEST)
    """
    dummy = play.deal[play.contract.dummy] if play.cards else None
    return View(seat, play.contract, play.deal[seat], dummy, play.cards, play.deal.cards, auction)
