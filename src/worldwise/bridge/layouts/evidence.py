"""All that a player goes by beyond the cards he sees: constraints, cards played, calls; and the layouts to look at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from worldwise.bridge.layouts.auction import hear_auction
from worldwise.bridge.layouts.bidding_systems import DEFAULT_SYSTEM
from worldwise.bridge.layouts.carding import Carding
from worldwise.bridge.layouts.drawing import POOL, draw_worlds
from worldwise.bridge.layouts.sampler import Layouts

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from random import Random

    from worldwise.bridge.layouts.auction import AuctionBelief
    from worldwise.bridge.layouts.constraints import Constraint
    from worldwise.bridge.layouts.drawing import WeightedWorlds
    from worldwise.bridge.rules.deal import Deal
    from worldwise.bridge.rules.view import View


@dataclass(frozen=True)
class Evidence:
    """How a player reads what he has seen and heard.

    ``constraints``  what is known of the hidden hands, beyond cards and calls
    ``carding``      how the hidden hands are thought to choose among equal cards
    ``system``       the bidding system by which calls are read, by its name or as a file; ``none`` leaves them alone
    """

    constraints: tuple[Constraint, ...] = ()
    carding: Carding = Carding.EQUAL
    system: str = DEFAULT_SYSTEM

    def layouts(self, view: View) -> Layouts:
        """The layouts that are possible."""
        return Layouts(view, self.constraints)

    def belief(self, view: View) -> AuctionBelief | None:
        """What the auction says of the hidden hands."""
        return hear_auction(view, self.system, self.constraints)

    def likelihoods(self, view: View, worlds: Sequence[Deal]) -> list[float]:
        """How well the hidden hands fit their calls: 1 if every call fits, less for every step outside."""
        belief = self.belief(view)
        return belief.weights(worlds).tolist() if belief else [1.0] * len(worlds)

    def draw(self, view: View, number: int, rng: Random, *, pool: int = POOL) -> WeightedWorlds:
        """So many layouts by weight, or all of them if there are no more."""
        return draw_worlds(self.layouts(view), number, rng, self.carding, self.belief(view), pool=pool)

    def draw_fresh(self, view: View, known: Collection[Deal], number: int, rng: Random) -> WeightedWorlds | None:
        """So many layouts, drawn as others were, without those that are known; None if hardly any are left."""
        found = self.draw(view, number, rng).without(known)
        return found if len(found.worlds) >= number // 2 else None


USUAL = Evidence()
"""Cards and calls, read as usual."""
