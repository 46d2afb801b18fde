"""Deals for a contract, drawn by a stated rule.

Every deal that fits the rule is equally likely:

- declarer and dummy together have as many high-card points (A 4, K 3, Q 2, J 1) as the level asks for, see ``POINTS``;
- in notrump both are balanced: 4-3-3-3, 4-4-3-2 or 5-3-3-2, whatever the long suit is;
- in a suit they have at least eight trumps together, declarer at least four and no fewer than dummy.

The defenders' hands are whatever is left. Nothing is bid, so nothing else is known about them.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate, product
from math import comb, prod
from typing import TYPE_CHECKING

from worldwise.bridge.rules.contract import Strain
from worldwise.bridge.rules.deal import PACK, SUIT_CARDS, Deal, Seat, card_of, cards_in, set_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from worldwise.bridge.rules.contract import Contract
    from worldwise.bridge.rules.deal import Card, Cards

Interval = tuple[int, int]

POINTS: dict[bool, tuple[Interval, ...]] = {
    True: ((20, 22), (22, 24), (25, 28), (28, 30), (30, 32), (33, 35), (33, 36)),
    False: ((18, 21), (20, 23), (22, 25), (24, 27), (27, 30), (30, 33), (33, 40)),
}
"""The least and the most points of declarer and dummy, for the levels one to seven: in notrump, and in a suit.

For 7NT it is fewer than one would bid it with: with 33 to 36 points about four deals in ten can be made if all cards
are seen, and how it is played decides many of them.
"""

_HONOURS = (14, 13, 12, 11)
"""Their points are their rank less ten."""

_BALANCED = ((4, 3, 3, 3), (4, 4, 3, 2), (5, 3, 3, 2))


def deal_for(contract: Contract, rng: Random) -> Deal:
    """A deal that fits a contract.

    Declarer and dummy's 26 cards are drawn first, by their honours: so many aces, kings, queens and jacks, as often
    as that comes. They are shared out at random, until shape and trumps fit; each set of 26 can be shared out in
    equally many ways, so no deal is more likely than another.

    >>> from random import Random
    >>> from worldwise.bridge.rules.contract import Contract
    >>> str(deal_for(Contract.read("7NT by S"), Random(1)))
    'N:Q75.AKJ83.Q54.KQ AJ92.T.JT6.97643 K8.Q75.AK732.AT5 T643.9642.98.J82'
    """
    while True:
        ours = set(_our_cards(*POINTS[contract.strain == Strain.NOTRUMP][contract.level - 1], rng))
        declarer, dummy = _share_out(ours, rng)
        if _fits(contract, declarer, dummy):
            leader, partner = _share_out(set(cards_in(PACK)) - ours, rng)
            hands = {contract.declarer: declarer, contract.dummy: dummy}
            hands |= {contract.leader: leader, contract.leader.partner: partner}
            return Deal((hands[Seat.NORTH], hands[Seat.EAST], hands[Seat.SOUTH], hands[Seat.WEST]))


def points(cards: Cards) -> int:
    """High-card points.

    >>> from worldwise.bridge.rules.deal import read_hand
    >>> points(read_hand("AK2.QJ.T9.8"))
    10
    """
    return sum(max(0, (card & 15) - 10) for card in cards_in(cards))


def _our_cards(least: int, most: int, rng: Random) -> Iterator[Card]:
    """26 cards with so many points."""
    counts, upto = _honours(least, most)
    [chosen] = rng.choices(counts, cum_weights=upto)
    for rank, number in zip(_HONOURS, chosen, strict=True):
        yield from (card_of(suit, rank) for suit in rng.sample(range(4), number))
    low = [card for card in cards_in(PACK) if card & 15 < 11]
    yield from rng.sample(low, 26 - sum(chosen))


@cache
def _honours(least: int, most: int) -> tuple[list[tuple[int, ...]], list[int]]:
    """The numbers of aces, kings, queens and jacks with so many points; and the ways to have them, added up."""
    counts = [count for count in product(range(5), repeat=4) if least <= _points_of(count) <= most]
    return counts, list(accumulate(map(_ways, counts)))


def _points_of(count: tuple[int, ...]) -> int:
    return sum((rank - 10) * number for rank, number in zip(_HONOURS, count, strict=True))


def _ways(count: tuple[int, ...]) -> int:
    """How many sets of 26 cards have so many aces, kings, queens and jacks."""
    return prod(comb(4, number) for number in count) * comb(36, 26 - sum(count))


def _share_out(cards: set[Card], rng: Random) -> tuple[Cards, Cards]:
    """Two hands of 13."""
    ordered = sorted(cards)
    rng.shuffle(ordered)
    return set_of(ordered[:13]), set_of(ordered[13:])


def _fits(contract: Contract, declarer: Cards, dummy: Cards) -> bool:
    if contract.strain == Strain.NOTRUMP:
        return _shape(declarer) in _BALANCED and _shape(dummy) in _BALANCED
    own, other = ((hand & SUIT_CARDS[contract.strain]).bit_count() for hand in (declarer, dummy))
    return own >= 4 and own >= other and own + other >= 8


def _shape(hand: Cards) -> tuple[int, ...]:
    """The lengths of the suits, the longest first."""
    return tuple(sorted(((hand & suit).bit_count() for suit in SUIT_CARDS), reverse=True))
