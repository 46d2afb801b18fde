"""What the defenders' cards tell of the layout: restricted choice.

A card that was played is better evidence for a hand that had to play it than for one that could have played another.
The model is stated plainly. *Of cards of equal worth a hidden hand plays each as often as any other; whatever else it
chose, it would have chosen in every layout.* So each card it has played weighs a layout by one over the number of cards
that the hand could have played instead with the same effect.

Two cards of a hand are equal in worth if they are of one suit and nothing lies between them that could tell them
apart: no card that another hand still holds, be it an opponent's or partner's, and not the card that is winning the
trick. Cards of tricks that are over do not separate, nor do cards on the table that are beaten already.

An opening lead by an agreed convention is not a free choice, and tells what the convention tells.
"""

from __future__ import annotations

from enum import StrEnum
from math import lcm, prod
from typing import TYPE_CHECKING

import numpy as np

from worldwise.games.bridge.deal import SUIT_CARDS
from worldwise.games.bridge.play import winning_place

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from worldwise.games.bridge.deal import Card, Cards, Deal, Seat
    from worldwise.games.bridge.view import View


class Carding(StrEnum):
    """How the hidden hands choose among equal cards.

    ``EQUAL``  each as often as any other: restricted choice
    ``NONE``   their cards tell only who held them: all layouts weigh the same
    """

    EQUAL = "equal"
    NONE = "none"


def carding_weights(
    view: View, worlds: Sequence[Deal], carding: Carding = Carding.EQUAL, *, free_lead: bool = True
) -> tuple[int, ...]:
    """What layouts weigh, given the cards that the hidden hands have played: exact, in whole numbers.

    Without ``free_lead`` the opening lead was made by a convention.

    East drops the queen under the ace. If he was dealt queen and jack, that was one of two equal choices:

    >>> from worldwise.games.bridge.contract import Contract
    >>> from worldwise.games.bridge.deal import Deal, Seat, read_card
    >>> from worldwise.games.bridge.play import Play
    >>> from worldwise.games.bridge.view import view_of
    >>> alone, both = Deal.read("N:AK... Q.2.. T9... J3..."), Deal.read("N:AK... QJ... T9... 3.2..")
    >>> play = Play(alone, Contract.read("1NT by S"), tuple(map(read_card, ["S3", "SA", "SQ"])))
    >>> carding_weights(view_of(play, Seat.SOUTH), [alone, both])
    (2, 1)
    """
    if carding is Carding.NONE:
        return (1,) * len(worlds)
    choices = equal_choices(view, worlds, free_lead=free_lead)
    common = lcm(*set(choices))
    return tuple(common // number for number in choices)


def equal_choices(view: View, worlds: Sequence[Deal], *, free_lead: bool = True) -> list[int]:
    """In how many ways of equal worth the hidden hands could have played in each world, the way they did included."""
    hands = {seat: np.array([world[seat] for world in worlds], np.int64) for seat in view.hidden}
    # Each hand plays at most thirteen cards, and 13! fits into 64 bits; the product of two may not.
    ways = {seat: np.ones(len(worlds), np.int64) for seat in view.hidden}
    for number, (seat, card, rivals) in enumerate(_decisions(view)):
        if seat in hands and (number or free_lead):
            ways[seat] *= _equals(hands[seat], card, rivals)
    return [prod(several) for several in zip(*(counts.tolist() for counts in ways.values()), strict=True)]


def _decisions(view: View) -> Iterator[tuple[Seat, Card, Cards]]:
    """Every card played: by whom, and the cards that were in play then, the one that was winning the trick included."""
    out = view.pack
    for number, (seat, card) in enumerate(view.history()):
        trick = view.played[number - number % 4 : number]
        winning = 1 << trick[winning_place(trick, view.contract.strain)] if trick else 0
        yield seat, card, out | winning
        out &= ~(1 << card)


def _equals(hands: NDArray[np.int64], card: Card, rivals: Cards) -> NDArray[np.int64]:
    """How many cards of each hand were as good as the one it played, itself included.

    They are its neighbours upwards and downwards among the cards in play, up to the first that the hand does not hold.
    """
    suit = rivals & SUIT_CARDS[card >> 4]
    count = np.ones(len(hands), np.int64)
    for neighbours in (range(card + 1, card | 15), range(card - 1, card & ~15, -1)):
        touching = np.ones(len(hands), np.int64)
        for neighbour in neighbours:
            if suit >> neighbour & 1:
                touching &= hands >> neighbour
                count += touching
    return count
