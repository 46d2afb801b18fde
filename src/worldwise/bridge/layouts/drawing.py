"""The layouts to look at, and what each of them weighs: all where they are few, otherwise a sample.

A sample is drawn by weight. From a large pool of layouts, each as likely as any other, those to look at are taken with
chances in proportion to their weights. That they represent the pool well is not left to chance: the pool is sorted by
what the hidden hands hold, beginning with the suit they played last, and the sample is spread evenly over it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from worldwise.bridge.layouts.carding import Carding, carding_weights
from worldwise.bridge.rules.deal import SUIT_CARDS
from worldwise.core.weights import effective_sample_size, integer_weights
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from worldwise.bridge.layouts.sampler import Layouts
    from worldwise.bridge.rules.deal import Deal
    from worldwise.bridge.rules.view import View

ENDING = 5
"""So few cards a hand are an ending."""

FEW = ((ENDING, 1000), (7, 400), (9, 200))
"""With at most so many cards a hand, up to so many layouts are looked at one by one, even if a sample was asked for."""

POOL = 2048
"""How many layouts a sample is chosen from, or eight times the sample if that is more."""

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


def draw_worlds(layouts: Layouts, number: int, rng: Random, carding: Carding = Carding.EQUAL) -> WeightedWorlds:
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
    view = layouts.view
    most = max(number, next((few for cards, few in FEW if view.cards_left <= cards), 0))
    if 0 < layouts.count <= most and (every := layouts.enumerate()):
        return WeightedWorlds(tuple(every), carding_weights(view, every, carding), exact=True)
    wanted = _pool_size(layouts, number) if carding is Carding.EQUAL else number
    pool = layouts.sample_different(rng, wanted)
    weights = carding_weights(view, pool, carding)
    if len(pool) > number:
        return _spread(_in_order(view, pool, weights), number, rng)
    return WeightedWorlds(tuple(pool), weights, exact=False)


def _pool_size(layouts: Layouts, number: int) -> int:
    """From how many layouts a sample is chosen: just those wanted if more are dear to draw, or all weigh the same."""
    told = any(seat in layouts.view.hidden for seat, _ in layouts.view.history()[1:])  # a lead alone weighs nothing
    return max(POOL, 8 * number) if layouts.counted and told else number


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
