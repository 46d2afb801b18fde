"""An algorithm of your own: play safe. Make the worst world as good as it can be, then the average.

Every algorithm is a frozen dataclass with a name and a method ``search``. It asks ``passes`` to walk the game, so it
knows no rules, and runs on compiled trees and on any other ``WorldGame`` alike.

Run it: ``python examples/own_algorithm.py``
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from worldwise import SearchResult, Ties, Vector, WorldTree, random_tree, solve, tree_from_dict
from worldwise.core import NO_LIMIT, Clock, Limit
from worldwise.search import FIRST, conclude, passes

if TYPE_CHECKING:
    from worldwise.core.game import AnyWorldGame


@dataclass(frozen=True)
class Cautious:
    """The strategy whose worst world is best; among those, the best on average."""

    ties: Ties = FIRST

    @property
    def name(self) -> str:
        """How results are labelled."""
        return "cautious"

    def search(self, game: AnyWorldGame, limit: Limit = NO_LIMIT) -> SearchResult:
        """Find every undominated outcome, choose one by our own rule, then the moves that get it."""
        walk, clock = passes(game), Clock(limit, self.name)
        backup = walk.fronts(clock)
        vector, score = walk.scale.vector, walk.scale.score
        outcomes = sorted(backup.value, key=lambda outcome: vector(outcome).height())  # a set has no order of its own
        keys = [(worst(vector(outcome)), score(outcome)) for outcome in outcomes]
        best = outcomes[self.ties.pick(keys, node=0)]
        chosen = walk.realise(best, self.ties, clock)
        return conclude(walk, self.name, chosen, best, backup.stats, clock, front=backup.value, fronts=backup.first)


def worst(vector: Vector) -> float:
    """The least payoff in any world where there is one."""
    return min(payoff for payoff in vector if payoff is not None)


def main() -> None:
    """A choice between bold and safe, then how often the rules differ on random trees."""
    choice = tree_from_dict({"max": [{"payoff": [5, 5, 0]}, {"payoff": [3, 3, 3]}], "moves": ["bold", "safe"]})
    for search in ("exact", Cautious()):
        result = solve(choice, search)
        print(f"{result.algorithm:9}{choice.move_label(0, result.move):5} {result.vector}  average {result.value:.2f}")

    trees = [tricks(seed) for seed in range(200)]
    pairs = [(solve(tree), solve(tree, Cautious())) for tree in trees]
    differ = sum(worst(safe.vector) > worst(best.vector) for best, safe in pairs)
    print(f"of {len(trees)} random trees, {differ} have a strategy that is safer than the best on average")


def tricks(seed: int) -> WorldTree:
    """A random tree of depth 4 whose leaves pay 0 to 5 tricks in each of four worlds."""
    shape = random_tree(depth=4, worlds=4)
    return shape.with_payoffs(np.random.default_rng(seed).integers(0, 6, (16, 4)).astype(np.float64), shape.weights)


if __name__ == "__main__":
    main()
