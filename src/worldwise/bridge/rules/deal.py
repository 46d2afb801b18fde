"""Seats, cards, hands and deals: what every other module about whole deals is written with.

A card is a number, ``16 * suit + rank``, and a set of cards is an integer with those bits: one suit is sixteen bits, so
that hands are compared, joined and counted by machine operations. People see names: ``card_name``, ``hand_name``, and a
deal reads and prints itself as PBN does.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from worldwise.bridge.rules.cards import RANKS, Holding, Rank, rank_name
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

Card = int
"""``16 * suit + rank``: the suit from 0 (spades) to 3 (clubs), the rank from 2 to 14."""

Cards = int
"""A set of cards: the bits of its members."""

SUITS = "SHDC"
"""The suits' letters, in the order of their numbers."""

SUIT_CARDS: tuple[Cards, ...] = tuple(0x7FFC << 16 * suit for suit in range(4))
"""All cards of each suit."""

PACK: Cards = sum(SUIT_CARDS)
"""All 52 cards."""


class Seat(IntEnum):
    """A player's place at the table, clockwise.

    >>> Seat.SOUTH.next, Seat.SOUTH.partner, Seat.of("w"), Seat.EAST.letter
    (Seat.WEST, Seat.NORTH, Seat.WEST, 'E')
    """

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3

    def __repr__(self) -> str:
        return f"Seat.{self.name}"

    def __str__(self) -> str:
        return self.name.capitalize()

    @property
    def letter(self) -> str:
        """N, E, S or W."""
        return self.name[0]

    @property
    def next(self) -> Seat:
        """The player on the left."""
        return SEATS[self + 1 & 3]

    @property
    def partner(self) -> Seat:
        """The player opposite."""
        return SEATS[self ^ 2]

    def after(self, steps: int) -> Seat:
        """The player so many places to the left."""
        return SEATS[self + steps & 3]

    @classmethod
    def of(cls, text: str) -> Seat:
        """The seat of a letter or a name."""
        for seat in cls:
            if text.upper() in (seat.letter, seat.name):
                return seat
        raise InputError(f"expected a seat (N, E, S or W), found {text!r}")


SEATS = tuple(Seat)


def card_of(suit: int, rank: Rank) -> Card:
    """A card by its suit and rank."""
    return suit << 4 | rank


def suit_of(card: Card) -> int:
    """A card's suit: 0 spades, 1 hearts, 2 diamonds, 3 clubs."""
    return card >> 4


def rank_of(card: Card) -> Rank:
    """A card's rank, 2 to 14."""
    return card & 15


def card_name(card: Card) -> str:
    """A card as PBN writes it.

    >>> card_name(card_of(0, 14)), card_name(card_of(3, 10))
    ('SA', 'CT')
    """
    return SUITS[card >> 4] + rank_name(card & 15)


def read_card(text: str) -> Card:
    """A card from its name, suit first or last; ``10`` is the ten.

    >>> card_name(read_card("SA")), card_name(read_card("10d")), card_name(read_card("♥q"))
    ('SA', 'DT', 'HQ')
    """
    word = text.strip().upper().replace("10", "T").translate(_SYMBOLS)
    for name in (word, word[::-1]) if len(word) == 2 else ():
        if name[0] in SUITS and name[1] in RANKS:
            return card_of(SUITS.index(name[0]), RANKS.index(name[1]) + 2)
    raise InputError(f"expected a card such as SA or H10, found {text!r}")


_SYMBOLS = str.maketrans("♠♥♦♣♤♡♢♧", "SHDCSHDC")


def cards_in(cards: Cards) -> Iterator[Card]:
    """The members of a set: spades first, the highest of a suit first.

    >>> [card_name(card) for card in cards_in(read_hand("A2.K.."))]
    ['SA', 'S2', 'HK']
    """
    for suit in range(4):
        ranks = cards >> 16 * suit & 0x7FFC
        while ranks:
            rank = ranks.bit_length() - 1
            ranks ^= 1 << rank
            yield suit << 4 | rank


def set_of(cards: Iterable[Card]) -> Cards:
    """The set of some cards."""
    total = 0
    for card in cards:
        total |= 1 << card
    return total


def holding_in(cards: Cards, suit: int) -> Holding:
    """The ranks of one suit, the highest first.

    >>> holding_in(read_hand("A2.K.."), 0)
    (14, 2)
    """
    return tuple(card & 15 for card in cards_in(cards & SUIT_CARDS[suit]))


def hand_name(cards: Cards) -> str:
    """A hand as PBN writes it; a hand that is not known is a dash.

    >>> hand_name(read_hand("AK2.-.T9.8")), hand_name(0)
    ('AK2..T9.8', '-')
    """
    return ".".join("".join(map(rank_name, holding_in(cards, suit))) for suit in range(4)) if cards else "-"


def read_hand(text: str) -> Cards:
    """A hand as PBN writes it: spades, hearts, diamonds, clubs with dots between.

    >>> read_hand("AK2..T9.8").bit_count()
    6
    """
    if text.strip() == "-":
        return 0
    suits = text.strip().upper().replace("10", "T").split(".")
    if len(suits) != 4:
        raise InputError(f"expected a hand such as AK2.QJ4.T98.7654, found {text!r}")
    hand = 0
    for suit, ranks in enumerate(suits):
        for rank in ranks.replace("-", ""):
            if rank not in RANKS:
                raise InputError(f"expected ranks of {RANKS[::-1]}, found {rank!r} in the hand {text!r}")
            card = 1 << card_of(suit, RANKS.index(rank) + 2)
            if hand & card:
                raise InputError(f"expected every card once, found {SUITS[suit]}{rank} twice in the hand {text!r}")
            hand |= card
    return hand


@dataclass(frozen=True)
class Deal:
    """Four hands, North first and clockwise; a hand nobody has told us is empty.

    >>> deal = Deal.read("W:KQ..A.7 A.K..32 -  J.A.K.4")
    >>> deal[Seat.WEST] == read_hand("KQ..A.7"), deal.holder(read_card("CT")), str(deal)
    (True, None, 'N:A.K..32 - J.A.K.4 KQ..A.7')
    """

    hands: tuple[Cards, Cards, Cards, Cards]

    def __post_init__(self) -> None:
        seen = 0
        for seat, hand in zip(SEATS, self.hands, strict=True):
            if hand & ~PACK:
                raise InputError(f"expected cards of the pack in {seat}'s hand, found others")
            if hand.bit_count() > 13:
                raise InputError(f"expected at most 13 cards in {seat}'s hand, found {hand.bit_count()}")
            if seen & hand:
                twice = ", ".join(map(card_name, cards_in(seen & hand)))
                raise InputError(f"expected every card once, found {twice} in {seat}'s hand and in another")
            seen |= hand

    def __getitem__(self, seat: Seat) -> Cards:
        return self.hands[seat]

    def __str__(self) -> str:
        return self.as_pbn(Seat.NORTH)

    def as_pbn(self, first: Seat) -> str:
        """The deal as PBN writes it, beginning with any seat."""
        return f"{first.letter}:" + " ".join(hand_name(self.hands[first.after(step)]) for step in range(4))

    @property
    def cards(self) -> Cards:
        """All cards that are somewhere."""
        return self.hands[0] | self.hands[1] | self.hands[2] | self.hands[3]

    @property
    def complete(self) -> bool:
        """Whether all four hands are known, equally long."""
        return len({hand.bit_count() for hand in self.hands}) == 1 and self.hands[0] > 0

    def holder(self, card: Card) -> Seat | None:
        """Who holds a card."""
        return next((seat for seat in SEATS if self.hands[seat] >> card & 1), None)

    @classmethod
    def read(cls, text: str) -> Deal:
        """A deal as PBN writes it: ``N:AK.. ...``, the seat of the first hand, then the hands clockwise."""
        seat, colon, rest = text.strip().partition(":")
        words = rest.split()
        if not colon or len(words) != 4:
            raise InputError(f"expected a deal such as 'N:AK2.QJ4.T98.7654 ...' with four hands, found {text!r}")
        first, hands = Seat.of(seat), [read_hand(word) for word in words]
        return cls((hands[-first & 3], hands[1 - first & 3], hands[2 - first & 3], hands[3 - first & 3]))

    @classmethod
    def random(cls, rng: Random) -> Deal:
        """A deal of the whole pack.

        >>> from random import Random
        >>> Deal.random(Random(1)).complete
        True
        """
        pack = list(cards_in(PACK))
        rng.shuffle(pack)
        north, east, south, west = (set_of(pack[place : place + 13]) for place in range(0, 52, 13))
        return cls((north, east, south, west))
