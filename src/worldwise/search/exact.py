"""The exact optimum under best defence: nothing fused, nothing local. The problem is NP-complete (FB01 section 6).

Two methods give the same front, and the faster is chosen:

- ``fronts``: every undominated payoff vector at every node (FBM97, Appendix). Any number of worlds, any payoffs.
- ``tables``: a bit for every set of worlds, "can MAX win all of these at once?", backed up by plain AND and OR. Linear
  in the tree and very fast while worlds are few; a table has 2**n bits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from worldwise.core.front import iterate_watched
from worldwise.core.result import NO_LIMIT, Clock, Limit, SearchResult
from worldwise.core.scale import Thermometer
from worldwise.errors import InputError
from worldwise.search.backup import Passes, passes
from worldwise.search.knowledge import Knowledge, pool
from worldwise.search.random_ties import FIRST, Ties
from worldwise.search.strategy import conclude, evaluate

if TYPE_CHECKING:
    from typing import Any

    from worldwise.core.front import Front, Watch
    from worldwise.core.game import AnyWorldGame

TABLE_BITS = 10
"""Up to this many bits a code, tables beat fronts on every tree measured (benchmarks/test_speed.py)."""

MOST_TABLE_BITS = 20
"""A table of more bits than this would not be worth its memory."""


@dataclass(frozen=True)
class Exact:
    """The best strategy there is, every undominated outcome, and what each first move offers.

    With ``known``, the best against a MIN who knows those worlds only (no front then: outcomes are averages).
    """

    method: Literal["auto", "fronts", "tables"] = "auto"
    ties: Ties = FIRST
    known: frozenset[int] | None = None

    @property
    def name(self) -> str:
        """How results are labelled."""
        return "exact"

    def search(self, game: AnyWorldGame, limit: Limit = NO_LIMIT) -> SearchResult:
        """The optimum; ``LimitReachedError`` if the limit runs out first."""
        clock = Clock(limit, "the exact search")
        if self.known is not None and len(self.known) < game.worlds:
            return self._against_less_knowledge(game, Knowledge(game, self.known, clock), clock)
        return self._against_best_defence(game, clock)

    def _against_best_defence(self, game: AnyWorldGame, clock: Clock) -> SearchResult:
        walk = passes(game)
        backup = walk.tables(clock) if self._by_table(walk) else walk.fronts(clock)
        best = best_outcome(walk, backup.value, self.ties, clock.check)
        chosen = walk.realise(best, self.ties, clock)
        return conclude(walk, self.name, chosen, best, backup.stats, clock, front=backup.value, fronts=backup.first)

    def _against_less_knowledge(self, game: AnyWorldGame, knowledge: Knowledge, clock: Clock) -> SearchResult:
        """The optimum against a MIN who knows some worlds: of the game in which the others are one."""
        pooled = pool(knowledge)
        if pooled is None:
            strategy, stats = knowledge.best_strategy(passes(game), clock)
        else:
            result = self._against_best_defence(pooled, clock)
            strategy, stats = result.strategy, result.stats
        worth = evaluate(game, strategy, knowledge.known)
        stats = replace(stats, seconds=clock.seconds)
        move = strategy.get(game.root)
        return SearchResult(self.name, worth.value, worth.value, worth.vector, strategy, stats, move)

    def _by_table(self, walk: Passes) -> bool:
        bits = walk.scale.bits if isinstance(walk.scale, Thermometer) else None
        if self.method == "tables" and (bits is None or bits > MOST_TABLE_BITS):
            found = "real payoffs" if bits is None else f"{bits} bits"
            raise InputError(f"tables take at most {MOST_TABLE_BITS} bits of payoffs, found {found}: use fronts")
        return self.method == "tables" or (self.method == "auto" and bits is not None and bits <= TABLE_BITS)


def best_outcome(walk: Passes, front: Front[Any], ties: Ties, watch: Watch | None = None) -> Any:
    """The outcome of a front that is best on average; equals in a fixed order. The watch may end it."""
    outcomes = sorted(
        iterate_watched(front, watch), key=lambda outcome: walk.scale.vector(outcome).height(), reverse=True
    )
    return outcomes[ties.pick([walk.scale.score(outcome) for outcome in iterate_watched(outcomes, watch)], node=0)]
