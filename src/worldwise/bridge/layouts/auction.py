"""The auction as evidence: what the calls of the hidden hands say of them, by a bidding system.

``hear_auction`` gives every call of a seat its meaning: what was explained at the table, if that names points or
lengths, and otherwise what the system says. A layout weighs what its hidden hands weigh by all of their calls: 1 if
every call fits, less for every step outside (``meanings``). Nothing here looks at a hand that is not seen. Calls whose
meanings no layout fits with all that is known are *relaxed*, the least sure first, and say so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, reduce
from sys import float_info
from typing import TYPE_CHECKING

import numpy as np

from worldwise.bridge.layouts.bidding_systems import DEFAULT_SYSTEM, NO_SYSTEM, bidding_system
from worldwise.bridge.layouts.meanings import (
    ANYTHING,
    Description,
    HandFeatures,
    HandType,
    Sureness,
    read_explanation,
    share_outside,
)
from worldwise.bridge.layouts.sampler import kept_layouts
from worldwise.bridge.rules.auction import call_name
from worldwise.bridge.rules.deal import PACK

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from worldwise.bridge.layouts.bidding_systems import BiddingSystem
    from worldwise.bridge.layouts.constraints import Constraint
    from worldwise.bridge.rules.auction import Auction, Call
    from worldwise.bridge.rules.deal import Deal, Seat
    from worldwise.bridge.rules.view import View

_ORDER = tuple(Sureness)

DECK_POINTS = 40
"""All points of a pack."""

LEAST_WEIGHT = float_info.min
"""Of a layout: an auction may have hundreds of calls, and the product of what they leave be too small for a number."""


@dataclass(frozen=True)
class CallMeaning:
    """What one call says: whose it is, its place among all calls, and whether it was ``explained`` at the table."""

    seat: Seat
    place: int
    call: Call
    description: Description
    sure: Sureness
    name: str = ""
    explained: bool = False

    def __str__(self) -> str:
        return f"{call_name(self.call)}: {self.description}"


def meanings_of(auction: Auction, system: BiddingSystem) -> tuple[CallMeaning, ...]:
    """What the calls of an auction say, those that say something.

    >>> from worldwise.bridge.rules.auction import Auction
    >>> for meaning in meanings_of(Auction.read("N: 1NT P 2H P 2S P 3NT AP"), bidding_system("sayc")):
    ...     print(meaning.seat, meaning)
    North 1NT: 15-17, balanced
    East Pass: 0-15
    South 2H: 5+ spades
    South 3NT: 9-15, 5 spades
    """
    return _meanings(auction, system)


@lru_cache(maxsize=256)
def _meanings(auction: Auction, system: BiddingSystem) -> tuple[CallMeaning, ...]:
    found = (_meaning(auction, place, system) for place in range(len(auction.calls)))
    return tuple(meaning for meaning in found if meaning.description.says_something)


def _meaning(auction: Auction, place: int, system: BiddingSystem) -> CallMeaning:
    call, seat = auction.calls[place], auction.dealer.after(place)
    explained = read_explanation(auction.explanation(place) or "")
    if explained.says_something:
        # What half of all hands fit is no promise.
        sure = Sureness.SURE if share_outside(explained) >= 0.5 else Sureness.LIKELY
        return CallMeaning(seat, place, call, explained, sure, "explained", explained=True)
    found = system.line_of(auction.calls, place)
    if found is None:
        return CallMeaning(seat, place, call, ANYTHING, Sureness.VAGUE)
    line, suits = found
    return CallMeaning(seat, place, call, line.description(suits), line.sure, line.name)


@dataclass(frozen=True)
class AuctionBelief:
    """What the auction says of the hidden hands: meanings that count, and those ``relaxed``, which count for little.

    ``points`` are those of all hidden hands together.
    """

    system: str
    hidden: tuple[Seat, ...]
    meanings: tuple[CallMeaning, ...]
    relaxed: tuple[CallMeaning, ...] = ()
    points: int = DECK_POINTS

    def of_seat(self, seat: Seat) -> tuple[CallMeaning, ...]:
        """What a seat's calls say."""
        return tuple(meaning for meaning in self.meanings if meaning.seat == seat)

    def description(self, seat: Seat) -> Description:
        """All that a seat's calls say, together."""
        return reduce(lambda found, meaning: found & meaning.description, self.of_seat(seat), ANYTHING)

    def narrowed_description(self, seat: Seat) -> Description:
        """The same with no more points than the other hidden hands leave, and no fewer: what to tell a person."""
        others = [self.description(other).hull.points for other in self.hidden if other != seat]
        most, least = (self.points - sum(points[end] for points in others) for end in (0, 1))
        narrowed = self.description(seat) & Description((HandType(points=(max(0, least), min(37, most))),))
        return narrowed if narrowed.types else self.description(seat)

    def weights(self, worlds: Sequence[Deal]) -> NDArray[np.float64]:
        """What layouts weigh: the product over all calls of the hidden hands; relaxed ones count as vague.

        However many calls a layout contradicts, it weighs something.
        """
        hands = {seat: HandFeatures.of(world[seat] for world in worlds) for seat in self.hidden}
        found = np.ones(len(worlds))
        for meaning in self.meanings:
            found *= meaning.description.weights(hands[meaning.seat], meaning.sure)
        for meaning in self.relaxed:
            found *= meaning.description.weights(hands[meaning.seat], Sureness.VAGUE)
        return np.maximum(found, LEAST_WEIGHT)

    @cached_property
    def _speakers(self) -> tuple[Seat, ...]:
        return tuple(dict.fromkeys(meaning.seat for meaning in self.meanings))

    def fences(self, slack: int) -> Iterator[Constraint]:
        """Constraints that hold for layouts at most ``slack`` points and half as many cards outside: where to look."""
        for seat in self._speakers:
            yield from self._fence(seat, slack).constraints(seat)

    def inside(self, worlds: Sequence[Deal], slack: int) -> NDArray[np.bool_]:
        """Which layouts fulfil these constraints."""
        found = np.ones(len(worlds), bool)
        for seat in self._speakers:
            found &= self._fence(seat, slack).steps(HandFeatures.of(world[seat] for world in worlds)) == 0
        return found

    def _fence(self, seat: Seat, slack: int) -> HandType:
        return self.description(seat).hull.widen(slack)


def hear_auction(
    view: View, system: str = DEFAULT_SYSTEM, constraints: Sequence[Constraint] = ()
) -> AuctionBelief | None:
    """What a seat makes of the auction it has heard; None if there was none, or it says nothing.

    ``constraints`` is what else is known: where calls contradict it, they are relaxed.
    """
    if view.auction is None or view.pack != PACK or system == NO_SYSTEM:
        return None
    return _hear(view, view.auction, bidding_system(system), tuple(constraints))


@lru_cache(maxsize=64)
def _hear(
    view: View, auction: Auction, system: BiddingSystem, constraints: tuple[Constraint, ...]
) -> AuctionBelief | None:
    told = tuple(meaning for meaning in meanings_of(auction, system) if meaning.seat in view.hidden)
    if not told:
        return None
    points = sum(HandFeatures.of([PACK & ~sum(view.faced.values())]).points.tolist())
    whole = AuctionBelief(system.name, view.hidden, told, points=points)
    return whole if _fits(whole, view, constraints) else _relax(whole, view, constraints)


def _fits(belief: AuctionBelief, view: View, constraints: Sequence[Constraint]) -> bool:
    """Whether some layout fits all calls, and what else is known; tests in Python are left aside."""
    if not all(belief.description(seat).types for seat in belief.hidden):
        return False
    return kept_layouts(view, (*constraints, *belief.fences(0))).count > 0


def _relax(whole: AuctionBelief, view: View, constraints: Sequence[Constraint]) -> AuctionBelief:
    """Believe call after call, the surest first, and relax each one that contradicts those before."""
    believed = replace(whole, meanings=())
    for meaning in sorted(whole.meanings, key=lambda one: (_ORDER.index(one.sure), one.place)):
        more = replace(believed, meanings=(*believed.meanings, meaning))
        believed = more if _fits(more, view, constraints) else _set_aside(believed, meaning)
    return replace(believed, meanings=_in_order(believed.meanings), relaxed=_in_order(believed.relaxed))


def _set_aside(belief: AuctionBelief, meaning: CallMeaning) -> AuctionBelief:
    return replace(belief, relaxed=(*belief.relaxed, meaning))


def _in_order(meanings: Iterable[CallMeaning]) -> tuple[CallMeaning, ...]:
    return tuple(sorted(meanings, key=lambda meaning: meaning.place))
