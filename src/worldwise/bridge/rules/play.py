"""The play of the cards: what is left on the table, who may play what, who wins the trick.

``Position`` is what a solver needs, the cards still held and the trick on the table. ``Play`` is the story: the deal,
the contract and every card so far, from which a position follows, and to which the rules are applied card by card.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from worldwise.bridge.rules.contract import Strain
from worldwise.bridge.rules.deal import (
    PACK,
    SEATS,
    SUIT_CARDS,
    Card,
    Cards,
    Deal,
    Seat,
    card_name,
    cards_in,
    hand_name,
    set_of,
)
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from worldwise.bridge.rules.contract import Contract

Hands = tuple[Cards, Cards, Cards, Cards]


@dataclass(frozen=True, slots=True)
class Position:
    """The hands that are left, North first; the trumps; who leads or led; the trick so far; tricks won by each side.

    >>> from worldwise.bridge.rules.contract import Strain
    >>> hands = Deal.read("N:A2... K3... Q4... J5...").hands
    >>> position = Position(hands, Strain.NOTRUMP, Seat.WEST)
    >>> position.to_move, [card_name(card) for card in cards_in(position.legal)]
    (Seat.WEST, ['SJ', 'S5'])
    """

    hands: Hands
    trumps: Strain
    leader: Seat
    trick: tuple[Card, ...] = ()
    won: tuple[int, int] = (0, 0)

    @property
    def to_move(self) -> Seat:
        """Whose turn it is."""
        return self.leader.after(len(self.trick))

    @property
    def over(self) -> bool:
        """Whether all cards are played."""
        return not any(self.hands)

    @property
    def tricks_left(self) -> int:
        """How many tricks are still to be won, the one on the table included."""
        return (
            max(hand.bit_count() for hand in self.hands) if not self.trick else self.hands[self.leader].bit_count() + 1
        )

    @property
    def dealt(self) -> Hands:
        """The hands with the cards on the table taken back."""
        hands = list(self.hands)
        for step, card in enumerate(self.trick):
            hands[self.leader.after(step)] |= 1 << card
        north, east, south, west = hands
        return north, east, south, west

    @property
    def legal(self) -> Cards:
        """The cards the player may play: of the suit led if he has any, otherwise all."""
        hand = self.hands[self.to_move]
        following = hand & SUIT_CARDS[self.trick[0] >> 4] if self.trick else 0
        return following or hand

    def play(self, card: Card) -> Position:
        """The position after a card, which must be legal."""
        mover = self.to_move
        north, east, south, west = (
            hand & ~(seat == mover and 1 << card) for seat, hand in zip(SEATS, self.hands, strict=True)
        )
        trick = (*self.trick, card)
        if len(trick) < 4:
            return Position((north, east, south, west), self.trumps, self.leader, trick, self.won)
        winner = self.leader.after(winning_place(trick, self.trumps))
        won = (self.won[0] + (winner & 1 == 0), self.won[1] + (winner & 1))
        return Position((north, east, south, west), self.trumps, winner, (), won)


def winning_place(trick: Iterable[Card], trumps: Strain) -> int:
    """Which card of a trick wins so far: 0 is the one led.

    >>> from worldwise.bridge.rules.contract import Strain
    >>> from worldwise.bridge.rules.deal import read_card
    >>> winning_place(map(read_card, ["H2", "HK", "S2", "HA"]), Strain.SPADES)
    2
    """
    best, place = -1, 0
    led = -1
    for number, card in enumerate(trick):
        led = card >> 4 if number == 0 else led
        strength = card & 15 | (16 if card >> 4 == led else 0) | (32 if card >> 4 == trumps else 0)
        if strength >= 16 and strength > best:
            best, place = strength, number
    return place


def different_cards(position: Position) -> list[Card]:
    """The legal cards, but of cards that touch only the highest.

    >>> from worldwise.bridge.rules.contract import Strain
    >>> from worldwise.bridge.rules.deal import Deal, card_name
    >>> hands = Deal.read("N:AKJ9... 5432... 876.2.. T.543..").hands
    >>> [card_name(card) for card in different_cards(Position(hands, Strain.NOTRUMP, Seat.NORTH))]
    ['SA', 'S9']
    """
    north, east, south, west = position.hands
    # A card on the table is in play until the trick is won.
    others = (north | east | south | west | set_of(position.trick)) & ~position.hands[position.to_move]
    return drop_touching(list(cards_in(position.legal)), others)


def drop_touching(cards: Sequence[Card], others: Cards) -> list[Card]:
    """Those of a hand's cards, suit by suit and the highest first, that do not touch the one before: between the two
    lies a card of the others."""
    return [
        card
        for place, card in enumerate(cards)
        if place == 0 or cards[place - 1] >> 4 != card >> 4 or others & ((1 << cards[place - 1]) - (1 << card))
    ]


@dataclass(frozen=True)
class Play:
    """A deal, a contract, and the cards played so far, in order.

    >>> from worldwise.bridge.rules.contract import Contract
    >>> from worldwise.bridge.rules.deal import read_card
    >>> play = Play(Deal.read("N:A2... K3... Q4... J5..."), Contract.read("1NT by S"))
    >>> play = play.then(read_card("SJ")).then(read_card("SA"))
    >>> play.position.to_move, play.back(1).position.to_move
    (Seat.EAST, Seat.NORTH)
    """

    deal: Deal
    contract: Contract
    cards: tuple[Card, ...] = ()

    @property
    def start(self) -> Position:
        """Before the opening lead."""
        return Position(self.deal.hands, self.contract.strain, self.contract.leader)

    @cached_property
    def position(self) -> Position:
        """Where the play stands."""
        position = self.start
        for number, card in enumerate(self.cards):
            check_card(position, card, number)
            position = position.play(card)
        return position

    @property
    def turn(self) -> Seat:
        """Who decides what is played next: declarer plays dummy's cards too."""
        mover = self.position.to_move
        return self.contract.declarer if mover == self.contract.dummy else mover

    def then(self, card: Card) -> Play:
        """The play with one card more, which the rules must allow."""
        check_card(self.position, card, len(self.cards))
        after = Play(self.deal, self.contract, (*self.cards, card))
        after.__dict__["position"] = self.position.play(card)
        return after

    def back(self, cards: int) -> Play:
        """The play without its last cards."""
        return Play(self.deal, self.contract, self.cards[: max(0, len(self.cards) - cards)])

    @property
    def declarer_tricks(self) -> int:
        """Tricks declarer's side has won."""
        return self.position.won[self.contract.declarer & 1]

    @property
    def needed(self) -> int:
        """Tricks declarer's side still needs; not positive once the contract is made."""
        return self.contract.tricks - self.declarer_tricks


def check_position(position: Position) -> None:
    """Raise an error that says what is wrong with a position that cannot arise in any play.

    Positions that come of a ``Play`` are right; solvers look at all of them, because anybody can make one up.
    """
    wanted = _fault(position)
    if wanted:
        raise InputError(f"expected {wanted}, found {position!r}")


def _fault(position: Position) -> str | None:
    if not (isinstance(position.leader, Seat) and isinstance(position.trumps, Strain)):
        return "a seat that leads and a strain as trumps"
    if len(position.trick) > 3:
        return "a trick of at most three cards"
    if len(position.hands) != len(SEATS) or not all(_is_of_pack(hand) for hand in position.hands):
        return "four hands of cards"
    if not all(isinstance(card, int) and 0 <= card < 64 and PACK >> card & 1 for card in position.trick):
        return "a trick of cards"
    dealt = position.dealt
    cards = sum(hand.bit_count() for hand in position.hands) + len(position.trick)
    if (dealt[0] | dealt[1] | dealt[2] | dealt[3]).bit_count() != cards:
        return "every card once"
    return None if len({hand.bit_count() for hand in dealt}) == 1 else "four hands of the same size"


def _is_of_pack(hand: object) -> bool:
    return isinstance(hand, int) and hand >= 0 and not hand & ~PACK


def check_card(position: Position, card: Card, number: int) -> None:
    """Raise an error that says why a card may not be played; ``number`` counts the cards before it."""
    mover = position.to_move
    where = f"card {number % 4 + 1} of trick {number // 4 + 1}"
    if position.over:
        raise InputError(f"{where}: expected no more cards, found {card_name(card)}")
    if not position.hands[mover] >> card & 1:
        held = hand_name(position.hands[mover])
        raise InputError(f"{where}: expected a card of {mover}'s {held}, found {card_name(card)}")
    if not position.legal >> card & 1:
        wanted = ", ".join(map(card_name, cards_in(position.legal)))
        raise InputError(f"{where}: {mover} revokes with {card_name(card)}; expected one of {wanted}")
