"""The layouts to look at, and what each of them weighs: all where they are few, otherwise a sample.

A sample is drawn by weight. From a large pool of layouts, each as likely as any other, those to look at are taken with
chances in proportion to their weights. That they represent the pool well is not left to chance: the pool is sorted by
what the hidden hands hold, beginning with the suit they played last, and the sample is spread evenly over it.

Where the auction speaks, few layouts of a uniform pool would fit it. So the pool is drawn from rings around what
the calls say, from tight to all there is (``RINGS``), and each layout weighs what auction and cards give it, divided by
how often the rings bring it: on average every layout counts as it should, however the rings are cut.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from worldwise.bridge.layouts.carding import AGREEMENTS, Carding, carding_weights
from worldwise.bridge.layouts.sampler import kept_layouts
from worldwise.bridge.rules.deal import SUIT_CARDS
from worldwise.core.weights import effective_sample_size, integer_weights
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from random import Random

    from numpy.typing import NDArray

    from worldwise.bridge.layouts.auction import AuctionBelief
    from worldwise.bridge.layouts.sampler import Layouts
    from worldwise.bridge.rules.deal import Deal
    from worldwise.bridge.rules.view import View

ENDING = 5
"""So few cards a hand are an ending."""

FEW = ((ENDING, 1000), (7, 400), (9, 200))
"""With at most so many cards a hand, up to so many layouts are looked at one by one, even if a sample was asked for."""

POOL = 2048
"""How many layouts a sample is chosen from, unless one says otherwise, or eight times the sample if that is more."""

MOST_WORLDS = 20_000
"""Of a sample: no more than can be looked through, and a pool of eight times as many still fits into memory."""

GOLDEN = (sqrt(5) - 1) / 2
"""Steps of this length around a circle of length 1 spread evenly, however many there are."""


@dataclass(frozen=True)
class WeightedWorlds:
    """Layouts that are all different, and what each weighs; if ``exact``, they are all there are."""

    worlds: tuple[Deal, ...]
    weights: tuple[int, ...]
    exact: bool

    @property
    def effective(self) -> float:
        """How many layouts of equal weight tell as much as these."""
        return effective_sample_size(self.weights)

    def without(self, known: Collection[Deal]) -> WeightedWorlds:
        """Those that are not known yet."""
        seen = frozenset(known)
        left = [place for place, world in enumerate(self.worlds) if world not in seen]
        return WeightedWorlds(
            tuple(self.worlds[place] for place in left), tuple(self.weights[place] for place in left), exact=False
        )


RINGS = ((0, 0.6), (4, 0.3), (None, 0.1))
"""So far outside of what the auction says (no matter how far, if None), and the share of the pool drawn there."""


FEW_RINGS = ((0, 0.6), (None, 0.4))
"""The same for a pool so small that counting another ring would take longer than drawing from it."""


def draw_worlds(
    layouts: Layouts,
    number: int,
    rng: Random,
    carding: Carding = Carding.EQUAL,
    belief: AuctionBelief | None = None,
    *,
    pool: int = POOL,
) -> WeightedWorlds:
    """So many layouts by weight, or all of them if there are no more, or few in an ending.

    A layout that is drawn twice is there once and weighs twice as much. With the same chances a smaller sample is the
    beginning of a larger one. Where layouts must be tried one by one, no pool is drawn: what comes is weighed.

    >>> from random import Random
    >>> from worldwise.bridge.rules.contract import Contract
    >>> from worldwise.bridge.rules.deal import Deal, Seat, read_card
    >>> from worldwise.bridge.rules.play import Play
    >>> from worldwise.bridge.layouts.sampler import Layouts
    >>> from worldwise.bridge.rules.view import view_of
    >>> deal = Deal.read("N:AK... Q.2.. T9... J3...")
    >>> play = Play(deal, Contract.read("1NT by S"), tuple(map(read_card, ["S3", "SA", "SQ"])))
    >>> drawn = draw_worlds(Layouts(view_of(play, Seat.SOUTH)), 40, Random(1))
    >>> drawn.exact, drawn.weights, drawn.effective
    (True, (2, 1), 1.8)
    """
    if number < 1:
        raise InputError(f"expected at least one world, found {number}")
    if number > MOST_WORLDS:
        raise InputError(f"expected at most {MOST_WORLDS:,} worlds, found {number:,}")
    view = layouts.view
    most = max(number, next((few for cards, few in FEW if view.cards_left <= cards), 0))
    if 0 < layouts.count <= most and (every := layouts.enumerate()):
        return WeightedWorlds(tuple(every), _weigh(view, every, carding, belief), exact=True)
    if belief is not None:
        return _draw_believing(layouts, number, rng, carding, belief, pool)
    wanted = _pool_size(layouts, number, pool, carding) if carding is not Carding.NONE else number
    sampled = layouts.sample_different(rng, wanted)
    weights = carding_weights(view, sampled, carding)
    if len(sampled) > number:
        return _spread(_in_order(view, sampled, weights), number, rng)
    return WeightedWorlds(tuple(sampled), weights, exact=False)


def _weigh(view: View, worlds: Sequence[Deal], carding: Carding, belief: AuctionBelief | None) -> tuple[int, ...]:
    """What the cards played and the auction make layouts weigh."""
    cards = carding_weights(view, worlds, carding)
    return cards if belief is None else _times(cards, belief.weights(worlds))


def _times(weights: Sequence[int], factors: NDArray[np.float64]) -> tuple[int, ...]:
    """Weights with a factor each; no power of the factors matters, so the largest is made 1."""
    found = np.array(weights, np.float64) * factors
    return integer_weights((found / found.max()).tolist(), len(weights))


def _draw_believing(
    layouts: Layouts, number: int, rng: Random, carding: Carding, belief: AuctionBelief, pool: int
) -> WeightedWorlds:
    """A sample by the weight of the cards and of the auction."""
    drawn, often = draw_rings(layouts, max(pool, 8 * number) if layouts.counted else 4 * number, rng, belief)
    weights = _times(carding_weights(layouts.view, drawn, carding), belief.weights(drawn) / often)
    return _spread(_in_order(layouts.view, drawn, weights), number, rng)


def draw_rings(
    layouts: Layouts, size: int, rng: Random, belief: AuctionBelief
) -> tuple[list[Deal], NDArray[np.float64]]:
    """A pool of layouts that are all different, and how often, compared with one another, each would have come.

    Layouts that must be tried one by one cannot be counted; then there is a single ring.
    """
    wanted = RINGS if size >= POOL else FEW_RINGS
    rings = [(slack, _ring(layouts, belief, slack), share) for slack, share in wanted if layouts.counted]
    rings = [ring for ring in rings if ring[1].counted and ring[1].count] or [(None, layouts, 1.0)]
    drawn = [(slack, ring, ring.sample_different(rng, max(1, int(share * size)))) for slack, ring, share in rings]
    times = Counter(world for _, _, worlds in drawn for world in worlds)
    pool, often = list(times), np.zeros(len(times))
    for slack, ring, worlds in drawn:
        inside = 1.0 if slack is None else belief.inside(pool, slack)
        often += inside * (len(worlds) / ring.count)
    return pool, often / np.array(list(times.values()))


def _ring(layouts: Layouts, belief: AuctionBelief, slack: int | None) -> Layouts:
    """The layouts at most so far outside of what the auction says."""
    return layouts if slack is None else kept_layouts(layouts.view, (*layouts.constraints, *belief.fences(slack)))


def _pool_size(layouts: Layouts, number: int, pool: int, carding: Carding) -> int:
    """From how many layouts a sample is chosen: just those wanted if more are dear to draw, or all weigh the same."""
    silent = 0 if carding in AGREEMENTS else 1  # a lead alone weighs nothing, but by agreement
    told = any(seat in layouts.view.hidden for seat, _ in layouts.view.history()[silent:])
    return max(pool, 8 * number) if layouts.counted and told else number


def _in_order(view: View, pool: Sequence[Deal], weights: Sequence[int]) -> list[tuple[Deal, int]]:
    """The pool with its weights, sorted by the hidden cards, the suit played last first."""
    suits = list(dict.fromkeys(card >> 4 for seat, card in reversed(view.history()) if seat in view.hidden))
    one = view.hidden[0]  # what he holds, another does not
    return sorted(
        zip(pool, weights, strict=True), key=lambda entry: [entry[0][one] & SUIT_CARDS[suit] for suit in suits]
    )


def _spread(pool: Sequence[tuple[Deal, int]], number: int, rng: Random) -> WeightedWorlds:
    """A sample spread evenly over the pool, in which each layout comes up as often on average as it weighs."""
    upto = np.cumsum(integer_weights([weight for _, weight in pool], len(pool)))
    points = (rng.random() + GOLDEN * np.arange(number)) % 1.0 * upto[-1]
    found = Counter(np.searchsorted(upto, points, side="right").tolist())
    return WeightedWorlds(tuple(pool[place][0] for place in found), tuple(found.values()), exact=False)
