"""What a card tells by agreement: partner's signals in a suit that is led, and the card of an opening lead.

A *signal* is a card that a hand chose by agreement with what it held. The agreement names, for every holding, the
cards that it asks for. Nobody keeps to it always: the model is that one of these cards is played four times in five,
and any other one once in five. So a layout in which partner's card is the one agreed upon counts for more than one in
which it is not, and none is ruled out.

==============  ======================================================================================================
attitude        On your own lead partner follows with a spot card that does not win so far: high with an honour in the
                suit, from the ace to the queen, low without.
count           On a lead by declarer or dummy: high, then low, with an even number of cards; low first with an odd one.
upside down     Both the other way round.
opening leads   The top of a sequence, and otherwise the fourth best (``leads.LEADS``); not in trumps.
==============  ======================================================================================================

A suit is led the more often the more cards it has, so a lead counts for that many times more. Otherwise only the first
card in a suit is a signal, and only a spot card, nine or lower, of two or more. High is the highest
of them, low the lowest; of three or more to show length, the second highest too, where the highest may be dear.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from math import lcm
from typing import TYPE_CHECKING, Protocol

import numpy as np

from worldwise.bridge.layouts.leads import LEADS, NINE
from worldwise.bridge.rules.deal import holding_in, rank_of, suit_of
from worldwise.bridge.rules.play import winning_place

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from worldwise.bridge.rules.cards import Holding, Rank
    from worldwise.bridge.rules.contract import Strain
    from worldwise.bridge.rules.deal import Card, Deal, Seat
    from worldwise.bridge.rules.view import View

KEPT, BROKEN = 4, 1
"""How often an agreement is kept, and how often not."""

EVERY_LENGTH = lcm(*range(1, 14))
"""A number that the length of any suit divides."""

LEAST_HONOUR = 12
"""What partner encourages with: the queen, or better."""


class SignalKind(Enum):
    """What a signal tells."""

    ATTITUDE = "attitude"
    COUNT = "count"


@dataclass(frozen=True)
class Agreement:
    """How a pair signals: which kinds, whether high means the opposite, and whether leads are by agreement too."""

    kinds: frozenset[SignalKind]
    upside_down: bool = False
    leads: bool = False


class Choice(Protocol):
    """Says among how many cards of a holding one was chosen, and which of them are agreed upon."""

    def __call__(self, holding: Holding) -> tuple[Collection[Rank], Collection[Rank]]:
        """The cards asked for, and all that might have been played."""


@dataclass(frozen=True)
class Signal:
    """A card that a seat chose by agreement.

    ``place`` is its number among all cards played, and ``gone`` what the seat had played before.
    """

    seat: Seat
    card: Card
    place: int
    gone: int
    choice: Choice
    leads: bool = False

    def ways(self, worlds: Sequence[Deal]) -> list[int]:
        """For each world, one over the chance of this card, in whole numbers: the less likely, the more."""
        suit = suit_of(self.card)
        held = np.array([world[self.seat] & ~self.gone for world in worlds], np.int64)
        kinds, which = np.unique(held >> 16 * suit & 0xFFFF, return_inverse=True)
        ways = [self._ways_from(holding_in(kind << 16 * suit, suit)) for kind in kinds.tolist()]
        return [ways[kind] for kind in which.tolist()]

    def _ways_from(self, holding: Holding) -> int:
        ways = _ways(self.choice, holding, rank_of(self.card))
        return ways * EVERY_LENGTH // len(holding) if self.leads else ways


def _ways(choice: Choice, holding: Holding, rank: Rank) -> int:
    """How unlikely a card is: ``KEPT`` times one over its chance, in whole numbers."""
    asked, all_ = choice(holding)
    others = len(all_) - len(asked)
    if not others or not asked:
        return KEPT * len(all_)
    return (KEPT + BROKEN) * (len(asked) if rank in asked else KEPT // BROKEN * others)


def find_signals(view: View, agreement: Agreement) -> Iterator[Signal]:
    """The signals of the hidden hands that a player reads: his partner's, and whoever made the opening lead."""
    shown: set[tuple[Seat, int]] = set()
    gone: dict[Seat, int] = {}
    history = view.history()
    for place, (seat, card) in enumerate(history):
        trick = history[place - place % 4 : place]
        first = (seat, suit_of(card)) not in shown
        shown.add((seat, suit_of(card)))
        if seat in view.hidden and first:
            choice = _choice(view, agreement, trick, seat, card)
            if choice is not None:
                yield Signal(seat, card, place, gone.get(seat, 0), choice, leads=not trick)
        gone[seat] = gone.get(seat, 0) | 1 << card


def _choice(
    view: View, agreement: Agreement, trick: Sequence[tuple[Seat, Card]], seat: Seat, card: Card
) -> Choice | None:
    """By what agreement a card was added to a trick; None if it tells nothing."""
    strain = view.contract.strain
    if not trick:
        opening = view.played[0] == card and suit_of(card) != strain
        return _lead_choice(strain) if agreement.leads and opening else None
    leader, led = trick[0]
    kind = SignalKind.ATTITUDE if leader == view.seat else SignalKind.COUNT
    follows = seat == view.seat.partner and suit_of(led) == suit_of(card)
    if not follows or kind not in agreement.kinds:
        return None
    wins = winning_place((*(played for _, played in trick), card), strain) == len(trick)
    return None if wins or rank_of(card) > NINE else _signal_choice(kind, agreement.upside_down)


@lru_cache
def _lead_choice(strain: Strain) -> Choice:
    convention = LEADS["fourth-best"]
    return lambda holding: (convention.cards(holding, strain), holding)


@lru_cache
def _signal_choice(kind: SignalKind, upside_down: bool) -> Choice:
    return lambda holding: _spots_asked_for(holding, kind, upside_down)


def _spots_asked_for(holding: Holding, kind: SignalKind, upside_down: bool) -> tuple[Holding, Holding]:
    """The spots that a signal asks for, and all there are.

    >>> [_spots_asked_for(spots, SignalKind.ATTITUDE, upside_down=False) for spots in ((14, 8, 3), (9, 8, 3))]
    [((8,), (8, 3)), ((3,), (9, 8, 3))]
    >>> _spots_asked_for((9, 8, 6, 3), SignalKind.COUNT, False), _spots_asked_for((9, 3), SignalKind.COUNT, True)
    (((9, 8), (9, 8, 6, 3)), ((3,), (9, 3)))
    """
    spots = tuple(rank for rank in holding if rank <= NINE)
    if kind is SignalKind.ATTITUDE:
        high = (holding[0] >= LEAST_HONOUR) != upside_down
        return (spots[:1] if high else spots[-1:]), spots
    high = (len(holding) % 2 == 0) != upside_down
    if not high:
        return spots[-1:], spots
    return (spots[:2] if len(spots) > 2 else spots[:1]), spots
