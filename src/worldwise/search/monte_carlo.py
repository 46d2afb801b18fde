"""Monte Carlo sampling (FB01 section 3): solve some worlds with the cards face up, take the move best on average.

It fuses strategies: at every MAX node it assumes a different move can be made in every world.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING, Any

from worldwise.core.result import NO_LIMIT, Clock, Limit, SearchResult
from worldwise.errors import expect_whole
from worldwise.search.backup import passes
from worldwise.search.random_ties import FIRST, Ties
from worldwise.search.strategy import conclude

if TYPE_CHECKING:
    from worldwise.core.game import AnyWorldGame
    from worldwise.core.scale import AnyScale

MOST_SAMPLES = 10_000_000
"""Some seconds of drawing; what worlds are worth then is known to four digits."""

SAMPLES_AT_ONCE = 100_000


@dataclass(frozen=True)
class MonteCarlo:
    """All worlds in a single pass; or, with ``samples``, that many worlds drawn by their probability.

    A sample is drawn once and used at every MAX node: a world drawn twice counts twice, one not drawn not at all.
    """

    samples: int | None = None
    seed: int = 0
    ties: Ties = FIRST

    def __post_init__(self) -> None:
        if self.samples is not None:
            expect_whole("the number of samples", self.samples, 1, MOST_SAMPLES)

    @property
    def name(self) -> str:
        """The paper's name."""
        return "monte-carlo" if self.samples is None else f"monte-carlo-{self.samples}"

    def search(self, game: AnyWorldGame, limit: Limit = NO_LIMIT) -> SearchResult:
        """One pass; ``LimitReachedError`` if the limit runs out first."""
        walk, clock = passes(game), Clock(limit, self.name)
        scale = walk.scale if self.samples is None else self._sample(walk.scale, self.samples, clock)
        backup = walk.fuse(scale, self.ties, clock)
        # What it believes is the average of the move it chose (equation 5), not of a move for every world.
        believed = max(backup.first.values(), key=scale.score) if backup.first else backup.value
        return conclude(walk, self.name, backup, believed, backup.stats, clock, scale=scale)

    def _sample(self, scale: AnyScale, samples: int, clock: Clock) -> Any:
        """The scale with each world weighted by how often it was drawn; the clock is looked at now and then."""
        worlds, rng = range(len(scale.weights)), Random(self.seed)
        chances = list(accumulate(map(float, scale.weights)))
        drawn: Counter[int] = Counter()
        for first in range(0, samples, SAMPLES_AT_ONCE):
            drawn.update(rng.choices(worlds, cum_weights=chances, k=min(SAMPLES_AT_ONCE, samples - first)))
            clock.check()
        return replace(scale, weights=tuple(drawn[world] for world in worlds))  # type: ignore[type-var]
