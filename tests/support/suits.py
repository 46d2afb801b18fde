"""Suits drawn at random."""

from worldwise.bridge.rules.cards import RANKS
from worldwise.bridge.suit.rules import Suit


def some_suit(rng, north=(2, 6), south=(1, 5)):
    cards = rng.sample(RANKS, 13)
    one, two = rng.randint(*north), rng.randint(*south)
    return Suit.of("".join(cards[:one]), "".join(cards[one : one + two]))
