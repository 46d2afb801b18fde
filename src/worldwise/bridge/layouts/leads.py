"""What an opening lead tells: conventions for the card that is led from a holding.

A convention names, for every holding, the cards it may lead: so a card led says which holdings it cannot come from.
These are the textbook agreements; a partnership's own is one more ``LeadConvention`` with its own ``spot`` rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from worldwise.bridge.layouts.expressions import HOLDINGS, Count, Feature
from worldwise.bridge.rules.contract import Strain
from worldwise.bridge.rules.deal import Card, Cards, Seat, card_name, card_of, holding_in, rank_of, suit_of
from worldwise.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from worldwise.bridge.rules.cards import Holding, Rank
    from worldwise.bridge.rules.view import View

NINE, TEN, JACK, ACE = 9, 10, 11, 14


def fourth_best(holding: Holding) -> Rank:
    """The fourth highest of four or more; low from three with an honour, otherwise the top.

    >>> fourth_best((12, 9, 7, 5, 3)), fourth_best((12, 7, 3)), fourth_best((9, 7, 3)), fourth_best((12, 3))
    (5, 3, 9, 12)
    """
    if len(holding) >= 4:
        return holding[3]
    return holding[-1] if len(holding) == 3 and holding[0] >= JACK else holding[0]


def third_fifth(holding: Holding) -> Rank:
    """The third highest of an even number, the fifth or the third of an odd; the top of two.

    >>> third_fifth((12, 9, 7, 5)), third_fifth((12, 9, 7, 5, 3)), third_fifth((12, 7, 3)), third_fifth((12, 3))
    (7, 3, 3, 12)
    """
    if len(holding) < 3:
        return holding[0]
    return holding[2] if len(holding) % 2 == 0 or len(holding) == 3 else holding[4]


@dataclass(frozen=True)
class LeadConvention:
    """Honours from a sequence, and a rule for the rest; None leaves the rest free.

    The top of touching honours is led: of two against a suit contract; against notrump of three, or of two and the
    next but one. An inner sequence (KJT, KT9) counts at notrump. Against a suit contract nobody leads away from an ace.
    Nothing is said of a lead of trumps.

    >>> lead = LEADS["fourth-best"]
    >>> lead.cards((13, 12, 11, 2), Strain.NOTRUMP), lead.cards((13, 12, 3, 2), Strain.NOTRUMP)
    (frozenset({13}), frozenset({2}))
    """

    name: str
    spot: Callable[[Holding], Rank] | None = None

    def __repr__(self) -> str:
        return f"LEADS[{self.name!r}]"

    def cards(self, holding: Holding, strain: Strain) -> frozenset[Rank]:
        """The ranks this convention may lead from a suit that is not trumps."""
        top = sequence_top(holding, strain)
        if top is not None:
            return frozenset([top])
        if self.spot is not None:
            return frozenset([self.spot(holding)]) if holding else frozenset()
        return frozenset(holding) - _promised_honours(holding)

    def fits(self, hand: Cards, card: Card, strain: Strain) -> bool:
        """Whether the holder of a hand may have led a card against a contract in a strain.

        >>> from worldwise.bridge.rules.deal import read_card, read_hand
        >>> LEADS["fourth-best"].fits(read_hand("Q9752..."), read_card("S5"), Strain.NOTRUMP)
        True
        """
        holding = holding_in(hand, suit_of(card))
        return rank_of(card) in holding and (suit_of(card) == strain or rank_of(card) in self.cards(holding, strain))

    def meaning(self, leader: Seat, card: Card, strain: Strain) -> Count:
        """What a lead says about the leader's hand, as an expression."""
        name = f"the {self.name} lead of {card_name(card)} by {leader}"
        return Count(Feature(name, Led(self, card, strain), leader, (suit_of(card),)))


def sequence_top(holding: Holding, strain: Strain) -> Rank | None:
    """The honour that is led from touching honours, if there are any.

    >>> sequence_top((13, 12, 2), Strain.SPADES), sequence_top((13, 12, 2), Strain.NOTRUMP)
    (13, None)
    >>> sequence_top((13, 11, 10, 2), Strain.NOTRUMP), sequence_top((14, 12, 3), Strain.SPADES)
    (11, 14)
    """
    if strain != Strain.NOTRUMP:
        return _top_of_two(holding)
    return _top_of_three(holding) if len(holding) > 2 else None


def _top_of_three(holding: Holding) -> Rank | None:
    """The top of a sequence such as KQJ, KQT or T98, or of an inner one such as AQJ or KT9."""
    first, second, third = holding[:3]
    if first == second + 1 and second >= NINE and third >= second - 2:
        return first
    return second if first > second + 1 and second == third + 1 and third >= NINE else None


def _top_of_two(holding: Holding) -> Rank | None:
    """The ace, or the higher of two honours that touch at the top."""
    if holding[:1] == (ACE,):
        return ACE
    touching = len(holding) > 1 and holding[0] == holding[1] + 1 and holding[1] >= TEN
    return holding[0] if touching else None


def _promised_honours(holding: Holding) -> frozenset[Rank]:
    """The honours of three or more cards: a lead of one would promise a sequence."""
    return frozenset(rank for rank in holding if rank >= JACK) if len(holding) > 2 else frozenset(holding[1:])


@dataclass(frozen=True)
class Led:
    """A measure: 1 for the holdings a card may have been led from."""

    convention: LeadConvention
    card: Card
    strain: Strain

    @property
    def table(self) -> NDArray[np.int64]:
        """All holdings, asked one by one."""
        return _table_of_leads(self)


@lru_cache(maxsize=64)
def _table_of_leads(led: Led) -> NDArray[np.int64]:
    shift, place = 16 * suit_of(led.card) + 2, rank_of(led.card) - 2
    fits = (bits >> place & 1 and led.convention.fits(bits << shift, led.card, led.strain) for bits in range(HOLDINGS))
    return np.fromiter(fits, np.int64, HOLDINGS)


def leads_by_convention(view: View, convention: LeadConvention) -> frozenset[Card]:
    """What is led from each suit of the opening leader's hand; nothing once a card has been played.

    From trumps the lowest is led.
    """
    if view.played or view.seat != view.contract.leader:
        return frozenset()
    strain = view.contract.strain
    holdings = {suit: holding for suit in range(4) if (holding := holding_in(view.hand, suit))}
    return frozenset(
        card_of(suit, min(holding) if suit == strain else next(iter(convention.cards(holding, strain))))
        for suit, holding in holdings.items()
    )


LEADS = {
    convention.name: convention
    for convention in (
        LeadConvention("honours"),
        LeadConvention("fourth-best", fourth_best),
        LeadConvention("third-fifth", third_fifth),
    )
}
"""The conventions by name."""


def lead_convention(name: str) -> LeadConvention:
    """A convention by its name.

    >>> lead_convention("fourth-best")
    LEADS['fourth-best']
    """
    if name not in LEADS:
        raise UnknownNameError("lead convention", name, LEADS)
    return LEADS[name]
