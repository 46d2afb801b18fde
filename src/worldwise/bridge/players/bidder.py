"""A plain bidder: a bidding system read backwards, natural calls only.

``bidding_systems`` says what a call shows. Here it is asked the other way round: which natural call shows this hand?
That gives openings, raises, the notrump ladder, new suits and overcalls. Conventions and doubles are left alone,
because whoever uses one must know how it goes on, and so are slams. A call for which the system has no words, or only
vague ones, is never made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from worldwise.bridge.layouts.bidding_systems import DEFAULT_SYSTEM, bidding_system
from worldwise.bridge.layouts.meanings import HandFeatures, Sureness
from worldwise.bridge.rules.auction import BIDS, PASS, level_of, strain_of
from worldwise.bridge.rules.contract import Strain

if TYPE_CHECKING:
    from worldwise.bridge.layouts.meanings import Description
    from worldwise.bridge.rules.auction import Auction, Call
    from worldwise.bridge.rules.deal import Cards

NATURAL = 3
"""A suit that is bid shows so many cards of it, or the bid is a convention."""

GAME = 5
"""The highest level of a suit that is bid without a convention."""


@dataclass(frozen=True)
class SystemBidder:
    """Makes the lowest natural call that shows the hand, balanced hands in notrump first; else the nearest there is.

    >>> from worldwise.bridge.rules.auction import Auction, call_name
    >>> from worldwise.bridge.rules.deal import read_hand
    >>> hand = read_hand("KQ5.AQ73.K62.QJ8")
    >>> [call_name(SystemBidder().choose(hand, Auction.read(told))) for told in ("N:", "N: 1S", "N: P P P")]
    ['1NT', '1NT', '1NT']
    """

    system: str = DEFAULT_SYSTEM

    def choose(self, hand: Cards, auction: Auction) -> Call:
        """The call of whoever is on turn and holds this hand."""
        features = HandFeatures.of([hand])
        meanings = {call: self._meaning(auction, call) for call in auction.legal if call == PASS or call in BIDS}
        away = {
            call: int(meaning.steps(features)[0])
            for call, meaning in meanings.items()
            if meaning is not None and (call == PASS or _is_natural(call, meaning))
        }
        fitting = [call for call, steps in away.items() if steps == 0 and call != PASS]
        if fitting:
            return min(fitting, key=lambda call: (not _is_ladder(call, meanings[call]), call))
        if away.get(PASS, 0) == 0:
            return PASS
        return min(away, key=lambda call: (away[call], call == PASS, not _is_ladder(call, meanings[call]), call))

    def _meaning(self, auction: Auction, call: Call) -> Description | None:
        calls = (*auction.calls, call)
        found = bidding_system(self.system).line_of(calls, len(calls) - 1)
        if found is None or (found[0].sure is Sureness.VAGUE and call != PASS):
            return None
        return found[0].description(found[1])


def _is_natural(call: Call, meaning: Description) -> bool:
    """Whether a bid shows points, and means what it says: cards of its suit, or in notrump no suit in particular."""
    if not meaning.types or meaning.hull.points[0] == 0:
        return False
    lengths, strain = meaning.hull.lengths, strain_of(call)
    if strain is Strain.NOTRUMP:
        return all(least <= NATURAL for least, _ in lengths) and level_of(call) <= NATURAL
    return lengths[strain][0] >= NATURAL and level_of(call) <= GAME


def _is_ladder(call: Call, meaning: Description | None) -> bool:
    """Whether a bid tells of a balanced hand, of so many points."""
    balanced = meaning is not None and all(one.balanced for one in meaning.types)
    return call != PASS and strain_of(call) is Strain.NOTRUMP and balanced
