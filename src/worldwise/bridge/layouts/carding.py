"""What the defenders' cards tell of the layout: restricted choice.

A card that was played is better evidence for a hand that had to play it than for one that could have played another.
The model is stated plainly. *A hand that follows suit plays each of its equal cards as often as any other; whatever
else it chose, it would have chosen in every layout.* So each card with which a hidden hand has followed suit weighs a
layout by one over the number of cards that the hand could have played instead to the same effect.

Two cards of a hand are equal if they are of one suit and nothing between them tells them apart: no card that the other
side still holds, no honour of partner's (the player does not see that it is partner's), and not the card that is
winning the trick. Partner's spot cards do not separate, nor do cards of tricks that are over, nor cards on the table
that are beaten already.

Leads and discards weigh nothing. They may come from any suit, the more likely the more cards it has, and that offsets
the choice among them.

Where a pair has agreements, cards say more: partner's *signals*, and the card of an opening lead (``signals``). Such a
card is read by the agreement instead.
"""

from __future__ import annotations

from enum import StrEnum
from math import lcm
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from worldwise.bridge.layouts.leads import TEN
from worldwise.bridge.layouts.signals import Agreement, SignalKind, find_signals
from worldwise.bridge.rules.deal import SEATS, SUIT_CARDS, card_of, set_of
from worldwise.bridge.rules.play import winning_place

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from numpy.typing import NDArray

    from worldwise.bridge.rules.deal import Card, Cards, Deal, Seat
    from worldwise.bridge.rules.view import View

    Hands = NDArray[np.int64]

HONOURS: Cards = set_of(card_of(suit, rank) for suit in range(4) for rank in range(TEN, 15))
"""All tens, jacks, queens, kings and aces."""


class Carding(StrEnum):
    """How the hidden hands are thought to choose among equal cards when they follow suit, and what they signal.

    ``EQUAL``        each as often as any other: restricted choice
    ``NONE``         no matter how: every layout weighs the same
    ``LEADS``        restricted choice, and the opening lead is the top of a sequence or the fourth best
    ``ATTITUDE``     restricted choice, and partner encourages or not on a defender's lead
    ``COUNT``        restricted choice, and partner shows length on declarer's lead
    ``STANDARD``     leads, attitude and count; high encourages, and shows an even number
    ``UPSIDE_DOWN``  the same, low for high
    """

    EQUAL = "equal"
    NONE = "none"
    LEADS = "leads"
    ATTITUDE = "attitude"
    COUNT = "count"
    STANDARD = "standard"
    UPSIDE_DOWN = "upside-down"


_BOTH = frozenset(SignalKind)

AGREEMENTS = {
    Carding.LEADS: Agreement(frozenset(), leads=True),
    Carding.ATTITUDE: Agreement(frozenset([SignalKind.ATTITUDE])),
    Carding.COUNT: Agreement(frozenset([SignalKind.COUNT])),
    Carding.STANDARD: Agreement(_BOTH, leads=True),
    Carding.UPSIDE_DOWN: Agreement(_BOTH, upside_down=True, leads=True),
}
"""What is agreed, where anything is."""


def carding_weights(view: View, worlds: Sequence[Deal], carding: Carding = Carding.EQUAL) -> tuple[int, ...]:
    """What layouts weigh, given the cards that the hidden hands have played: exactly, in whole numbers.

    East drops the queen under the ace. If he was dealt queen and jack, that was one of two equal choices:

    >>> from worldwise.bridge.rules.contract import Contract
    >>> from worldwise.bridge.rules.deal import Deal, Seat, read_card
    >>> from worldwise.bridge.rules.play import Play
    >>> from worldwise.bridge.rules.view import view_of
    >>> alone, both = Deal.read("N:AK... Q.2.. T9... J3..."), Deal.read("N:AK... QJ... T9... 3.2..")
    >>> play = Play(alone, Contract.read("1NT by S"), tuple(map(read_card, ["S3", "SA", "SQ"])))
    >>> carding_weights(view_of(play, Seat.SOUTH), [alone, both])
    (2, 1)
    """
    ways = _ways(view, worlds, carding)
    common = lcm(*set(ways))
    return tuple(common // number for number in ways)


def _ways(view: View, worlds: Sequence[Deal], carding: Carding) -> list[int]:
    """How unlikely the cards played are in each world, on a common scale."""
    if carding is Carding.NONE:
        return [1] * len(worlds)
    signals = list(find_signals(view, AGREEMENTS[carding])) if carding in AGREEMENTS else []
    ways = equal_ways(view, worlds, {signal.place for signal in signals})
    for signal in signals:
        ways = list(map(int.__mul__, ways, signal.ways(worlds)))
    return ways


def equal_ways(view: View, worlds: Sequence[Deal], besides: Collection[int] = ()) -> list[int]:
    """In how many equal ways the hidden hands could have followed suit in each world; the one they chose is counted.

    ``besides`` are the numbers of cards that are read otherwise.
    """
    dealt = {seat: np.array([world[seat] for world in worlds], np.int64) for seat in SEATS}
    # Nobody follows often in a suit he holds most of: each suit gives a hand at most 8 x 7 x 6 x 5 x 4 ways.
    ways = np.ones(len(worlds), np.int64)
    for followed in _find_followed(view):
        if followed.seat in view.hidden and followed.place not in besides:
            ways *= followed.equals(dealt[followed.seat], dealt[followed.seat.partner])
    return ways.tolist()


class _Followed(NamedTuple):
    """A card with which a hand followed suit, the card that was winning the trick then, and all that were in play.

    ``place`` is its number among all cards.
    """

    place: int
    seat: Seat
    card: Card
    winning: Cards
    out: Cards

    def equals(self, hands: Hands, partners: Hands) -> Hands:
        """How many cards of each of these hands were as good as the card, itself included.

        From the card upwards and downwards: as far as the cards in play are the hand's own or partner's spot cards.
        """
        passed = (hands | partners & ~HONOURS) & ~self.winning
        suit, count = self.out & SUIT_CARDS[self.card >> 4], np.ones(len(hands), np.int64)
        for direction in (range(self.card + 1, self.card | 15), range(self.card - 1, self.card & ~15, -1)):
            reached = np.ones(len(hands), np.int64)
            for neighbour in direction:
                if suit >> neighbour & 1:
                    reached &= passed >> neighbour
                    count += reached & hands >> neighbour
        return count


def _find_followed(view: View) -> Iterator[_Followed]:
    """Every card with which a hand followed suit."""
    out = view.pack
    for number, (seat, card) in enumerate(view.history()):
        trick = view.played[number - number % 4 : number]
        if trick and trick[0] >> 4 == card >> 4:
            winning = 1 << trick[winning_place(trick, view.contract.strain)]
            yield _Followed(number, seat, card, winning, out | winning)
        out &= ~(1 << card)
