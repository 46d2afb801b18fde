"""How often algorithms err on random trees: the one measurement behind FB01's Figs 7, 8, 27, 29 and 30.

A row is a batch of trees at one setting: for every algorithm and every level of MIN's knowledge, in how many trees the
strategy is worth less than the optimum, and how many worlds are lost in all. The same trees serve all algorithms and
levels, and a row keeps in how many of them two err together: so differences are paired.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from worldwise.core.reading import read_whole
from worldwise.core.statistics import (
    CONFIDENCE,
    Estimate,
    Sums,
    clopper_pearson,
    mean_of_losses,
    paired_difference,
    paired_mean,
    rate_difference,
)
from worldwise.errors import say_where
from worldwise.search.algorithms import ALGORITHMS
from worldwise.trees.batches import Batch, BatchPlay, BatchTies, monte_carlo, optimum, vector_minimax, worths

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from worldwise.runs.rows import Row, Rows, Setting

    Lost = dict[tuple[str, int], NDArray[np.int64]]
    """How many worlds fewer than the optimum an algorithm wins at a level of knowledge, tree by tree."""

    Optima = dict[int, NDArray[np.int64]]
    """How many worlds the best strategy wins at a level of knowledge, tree by tree."""

TEN = tuple(name for name in ALGORITHMS if name not in ("vm-alphabeta", "exact"))
"""Monte Carlo, FB01's eight, and ivm-tiebreak, in the order of FB01 Fig 28."""

NINE = tuple(name for name in TEN if name != "ivm-tiebreak")
"""Those of FB01 Fig 28."""

TREES = 100
"""Trees in a batch, if an experiment says no other number."""


# ---------------------------------------------------------------------- measuring


def measure_monte_carlo(setting: Setting, seed: int) -> Row:
    """Errors of Monte Carlo at every level."""
    trees = RandomTrees.of(setting, seed)
    return count_losses(trees.lost(("monte-carlo",), trees.optima(trees.levels)))


def measure_levels(setting: Setting, seed: int) -> Row:
    """The same, and how many trees are errors at two levels."""
    trees = RandomTrees.of(setting, seed)
    lost = trees.lost(("monte-carlo",), trees.optima(trees.levels))
    return {**count_losses(lost), **count_together(lost, lost)}


def measure_all(setting: Setting, seed: int) -> Row:
    """Errors of all algorithms at every level, and how many trees two of them get wrong together."""
    trees = RandomTrees.of(setting, seed)
    return _compare(trees, trees.levels)


def measure_ends(setting: Setting, seed: int) -> Row:
    """The same where MIN knows nothing or everything."""
    trees = RandomTrees.of(setting, seed)
    return _compare(trees, (trees.levels[0], trees.levels[-1]))


def measure_best_defence(setting: Setting, seed: int) -> Row:
    """The same where MIN knows everything."""
    trees = RandomTrees.of(setting, seed)
    return _compare(trees, trees.levels[-1:])


@dataclass(frozen=True)
class RandomTrees:
    """A batch of random trees; ties are broken at random, as the papers do, by a seed for every tree."""

    batch: Batch
    ties: BatchTies

    @classmethod
    def of(cls, setting: Setting, seed: int) -> RandomTrees:
        """The trees of a row."""
        rng = np.random.default_rng(seed)
        depth, worlds, trees = (_int(setting[name]) for name in ("depth", "worlds", "trees"))
        branching, similarity = _int(setting.get("branching", 2)), float(cast("float", setting["similarity"]))
        batch = Batch.random(rng, trees, depth, worlds, branching, similarity)
        return cls(batch, BatchTies(rng.integers(0, 2**63, trees, dtype=np.uint64)))

    @property
    def levels(self) -> tuple[int, ...]:
        """The levels of knowledge there are."""
        return levels(self.batch.worlds)

    def optima(self, levels: Iterable[int]) -> Optima:
        """How many worlds the best strategies win."""
        return {known: optimum(self.batch, known).astype(np.int64) for known in levels}

    def lost(self, algorithms: Iterable[str], optima: Optima) -> Lost:
        """What algorithms lose."""
        return {
            (name, known): optima[known] - won
            for name in algorithms
            for known, won in zip(optima, worths(self.batch, self.play(name), optima), strict=True)
        }

    def play(self, name: str) -> BatchPlay:
        """What an algorithm does."""
        if name == "monte-carlo":
            return monte_carlo(self.batch, self.ties)
        switches = {"reduce": "prm" in name, "beta": "beta" in name, "tiebreak": "tiebreak" in name}
        return vector_minimax(self.batch, **switches, iterate=name.startswith("i"), ties=self.ties)


def levels(worlds: int) -> tuple[int, ...]:
    """How many worlds MIN knows: 0 to all but one, which is all; of more than ten worlds, only the two ends.

    >>> levels(3), levels(40)
    ((0, 1, 2), (0, 39))
    """
    return tuple(range(worlds)) if worlds <= 10 else (0, worlds - 1)


# ---------------------------------------------------------------------- what a row keeps


def count_losses(lost: Mapping[tuple[str, int], NDArray[Any]]) -> dict[str, float]:
    """Trees with an error, worlds lost, and their squares, by algorithm and level."""
    row: dict[str, float] = {}
    for (name, known), worlds in lost.items():
        row[f"{name}.{known}.errors"] = int((worlds > 0).sum())
        row[f"{name}.{known}.lost"] = round(worlds.sum().item(), 9)
        row[f"{name}.{known}.squares"] = round((worlds @ worlds).item(), 9)
    return row


def _compare(trees: RandomTrees, levels: Sequence[int]) -> dict[str, float]:
    """All of that for all algorithms, what two of them get wrong together, and how hard the trees are."""
    optima = trees.optima(levels)
    lost = trees.lost(TEN, optima)
    row = {**count_losses(lost), **_count_several(lost, levels[-1], optima[levels[-1]] > 1)}
    for known in levels:
        row |= count_together(lost, [one for one in lost if one[1] == known])
    return row


def _count_several(lost: Lost, known: int, several: NDArray[np.bool_]) -> dict[str, int]:
    """Trees in which the best strategy wins several worlds, and the errors made in these."""
    found = {f"{name}.{known}.several": int((several & (lost[name, known] > 0)).sum()) for name in TEN}
    return {f"optimum.{known}.several": int(several.sum()), **found}


def count_together(lost: Mapping[tuple[str, int], NDArray[Any]], group: Iterable[tuple[str, int]]) -> dict[str, int]:
    """In how many trees two of a group err both."""
    wrong = {one: lost[one] > 0 for one in group}
    return {
        f"{one[0]}.{one[1]}&{two[0]}.{two[1]}.both": int((wrong[one] & wrong[two]).sum())
        for one, two in combinations(wrong, 2)
    }


# ---------------------------------------------------------------------- reading rows


@dataclass(frozen=True)
class ErrorPoint:
    """Where an error rate was measured."""

    algorithm: str
    depth: int
    known: int
    similarity: float = 0.0
    branching: int = 2
    worlds: int = 10

    @property
    def knowledge(self) -> float:
        """How much MIN knows, from 0 to 1."""
        return self.known / max(1, self.worlds - 1)

    @property
    def order(self) -> tuple[int, str, float, int, int, int, int]:
        """Sorts points: the papers' algorithms, then others."""
        place = TEN.index(self.algorithm) if self.algorithm in TEN else len(TEN)
        return place, self.algorithm, self.similarity, self.branching, self.worlds, self.depth, self.known


class Errors:
    """The rates that rows hold; a point that was not measured has none."""

    def __init__(self, rows: Rows) -> None:
        self._sums: Counter[tuple[ErrorPoint, str]] = Counter()
        self._both: Counter[tuple[ErrorPoint, ErrorPoint]] = Counter()
        for row in rows:
            self._add(row)
        self.points = sorted({point for point, what in self._sums if what == "trees"}, key=lambda point: point.order)

    def _add(self, row: Row) -> None:
        depth, similarity = _int(row["depth"]), float(cast("float", row.get("similarity", 0)))
        branching, worlds = _int(row.get("branching", 2)), _int(row["worlds"])

        @cache  # a name stands in many pairs
        def point(named: str) -> ErrorPoint:
            name, known = named.rsplit(".", 1)
            return ErrorPoint(name, depth, _level(known, worlds), similarity, branching, worlds)

        for key, value in row.items():
            names, _, what = key.rpartition(".")
            if what == "both":
                one, two = map(point, names.split("&"))
                self._both[one, two] = self._both[two, one] = self._both[one, two] + _int(value)
            elif what in ("errors", "lost", "squares", "several"):
                self._sums[point(names), what] += cast("int", value)
                if what == "errors":
                    self._sums[point(names), "trees"] += _int(row["trees"])

    def rate(self, point: ErrorPoint, confidence: float = CONFIDENCE) -> Estimate | None:
        """How often the algorithm errs there."""
        errors, trees = self._counts(point)
        return clopper_pearson(errors, trees, confidence) if trees else None

    def difference(self, one: ErrorPoint, other: ErrorPoint, confidence: float = CONFIDENCE) -> Estimate | None:
        """The first rate less the second: paired if rows say in how many trees both err."""
        (errors, trees), (others, of) = self._counts(one), self._counts(other)
        if not trees or not of:
            return None
        if (one, other) not in self._both:
            return rate_difference(errors, trees, others, of, confidence)
        both = self._both[one, other]
        return paired_difference(errors - both, others - both, trees, confidence)

    def excess(
        self, one: ErrorPoint, other: ErrorPoint, share: float, confidence: float = CONFIDENCE
    ) -> Estimate | None:
        """How much the first rate is above a share of the second, which met the same trees."""
        (errors, trees), (others, _) = self._counts(one), self._counts(other)
        if not trees or (one, other) not in self._both:
            return None
        first, second = Sums(errors, errors), Sums(share * others, share**2 * others)
        return paired_mean(first, second, share * self._both[one, other], trees, confidence=confidence)

    def several(self, point: ErrorPoint) -> int:
        """The errors of an algorithm in trees whose optimum wins two worlds or more; for ``optimum``, those trees."""
        return self._sums[point, "several"]

    def _counts(self, point: ErrorPoint) -> tuple[int, int]:
        """Errors, and trees."""
        return self._sums[point, "errors"], self._sums[point, "trees"]

    def loss(self, point: ErrorPoint, confidence: float = CONFIDENCE) -> Estimate | None:
        """How much expected payoff is lost there, on average over trees."""
        trees = self._sums[point, "trees"]
        if not trees:
            return None
        squares = self._sums[point, "squares"] / point.worlds**2
        return mean_of_losses(self._sums[point, "lost"] / point.worlds, squares, trees, confidence=confidence)

    def depths(self) -> list[int]:
        """The depths measured."""
        return sorted({point.depth for point in self.points})

    def similarities(self) -> list[float]:
        """The similarities measured."""
        return sorted({point.similarity for point in self.points})

    def algorithms(self) -> list[str]:
        """The algorithms measured, the papers' first, weakest first."""
        return list(dict.fromkeys(point.algorithm for point in self.points))

    def most_known(self) -> int:
        """The level at which MIN knows everything."""
        return max((point.known for point in self.points), default=0)


def _level(text: str, worlds: int) -> int:
    """How many worlds MIN knows, out of a name; what reads rows counts up to it, so it must be possible."""
    with say_where("the number of worlds that MIN knows"):
        return read_whole(text, 0, worlds - 1)


def _int(value: object) -> int:
    return int(cast("int", value))
