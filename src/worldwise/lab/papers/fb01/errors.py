"""How often algorithms err on random trees: the one measurement behind FB01's Figs 7, 8, 27, 29 and 30.

A row is a batch of trees at one setting: for every algorithm and every level of MIN's knowledge, in how many trees the
strategy is worth less than the optimum, and how many worlds are lost in all. The same trees serve all algorithms and
levels, which makes differences between them sharper than the papers' independent draws.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

from worldwise.core.reading import read_whole
from worldwise.core.statistics import CONFIDENCE, Estimate, mean_of_sums, rate_difference, wilson
from worldwise.errors import placed
from worldwise.trees.batches import Batch, BatchPlay, BatchTies, monte_carlo, optimum, vector_minimax, worth

if TYPE_CHECKING:
    from collections.abc import Iterable

    from worldwise.runs.rows import Row, Rows, Setting

NINE = ("monte-carlo", "vector-mm", "vm-beta", "prm", "prm-beta", "ivm", "ivm-beta", "iprm", "iprm-beta")
"""Monte Carlo and FB01's eight."""

TREES = 100
"""Trees in a batch."""


def measure_monte_carlo(setting: Setting, seed: int) -> Row:
    """Errors of Monte Carlo."""
    return _measure(setting, seed, ("monte-carlo",))


def measure_nine(setting: Setting, seed: int) -> Row:
    """Errors of all nine algorithms."""
    return _measure(setting, seed, NINE)


def _measure(setting: Setting, seed: int, algorithms: Iterable[str]) -> Row:
    """Ties are broken at random, as the papers do, by a seed for every tree."""
    rng = np.random.default_rng(seed)
    depth, worlds, trees = (int(cast("int", setting[name])) for name in ("depth", "worlds", "trees"))
    branching, similarity = int(cast("int", setting.get("branching", 2))), float(cast("float", setting["similarity"]))
    batch = Batch.random(rng, trees, depth, worlds, branching, similarity)
    ties = BatchTies(rng.integers(0, 2**63, trees, dtype=np.uint64))
    best = {known: optimum(batch, known) for known in levels(worlds)}
    row: dict[str, int] = {}
    for name in algorithms:
        played = play(name, batch, ties)
        for known in levels(worlds):
            lost = best[known] - worth(batch, played, known)
            row[f"{name}.{known}.errors"] = int((lost > 0).sum())
            row[f"{name}.{known}.lost"] = int(lost.sum())
            row[f"{name}.{known}.squares"] = int((lost.astype(int) ** 2).sum())
    return row


def play(name: str, batch: Batch, ties: BatchTies) -> BatchPlay:
    """What an algorithm does on a batch."""
    if name == "monte-carlo":
        return monte_carlo(batch, ties)
    return vector_minimax(batch, reduce="prm" in name, beta="beta" in name, iterate=name.startswith("i"), ties=ties)


def levels(worlds: int) -> tuple[int, ...]:
    """How many worlds MIN knows: 0 to all but one, which is all; of more than ten worlds, only the two ends.

    >>> levels(3), levels(40)
    ((0, 1, 2), (0, 39))
    """
    return tuple(range(worlds)) if worlds <= 10 else (0, worlds - 1)


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


class Errors:
    """The rates that rows hold; a point that was not measured has none."""

    def __init__(self, rows: Rows) -> None:
        self._sums: Counter[tuple[ErrorPoint, str]] = Counter()
        for row in rows:
            self._add(row)
        self.points = sorted(
            {point for point, _ in self._sums},
            key=lambda p: (NINE.index(p.algorithm), p.similarity, p.branching, p.worlds, p.depth, p.known),
        )

    def _add(self, row: Row) -> None:
        depth, similarity = _int(row["depth"]), float(cast("float", row["similarity"]))
        branching, worlds = _int(row.get("branching", 2)), _int(row["worlds"])
        for key, value in row.items():
            if key.count(".") == 2:
                name, known, what = key.split(".")
                point = ErrorPoint(name, depth, _level(known, worlds), similarity, branching, worlds)
                self._sums[point, what] += _int(value)
                if what == "errors":
                    self._sums[point, "trees"] += _int(row["trees"])

    def rate(self, point: ErrorPoint, confidence: float = CONFIDENCE) -> Estimate | None:
        """How often the algorithm errs there."""
        trees = self._sums[point, "trees"]
        return wilson(self._sums[point, "errors"], trees, confidence) if trees else None

    def difference(self, one: ErrorPoint, other: ErrorPoint, confidence: float = CONFIDENCE) -> Estimate | None:
        """The first rate less the second."""
        (errors, trees), (others, of) = self._counts(one), self._counts(other)
        return rate_difference(errors, trees, others, of, confidence) if trees and of else None

    def _counts(self, point: ErrorPoint) -> tuple[int, int]:
        """Errors, and trees."""
        return self._sums[point, "errors"], self._sums[point, "trees"]

    def loss(self, point: ErrorPoint, confidence: float = CONFIDENCE) -> Estimate | None:
        """How much expected payoff is lost there, on average over trees."""
        trees = self._sums[point, "trees"]
        if not trees:
            return None
        squares = self._sums[point, "squares"] / point.worlds**2
        return mean_of_sums(self._sums[point, "lost"] / point.worlds, squares, trees, confidence)

    def depths(self) -> list[int]:
        """The depths measured."""
        return sorted({point.depth for point in self.points})

    def similarities(self) -> list[float]:
        """The similarities measured."""
        return sorted({point.similarity for point in self.points})

    def algorithms(self) -> list[str]:
        """The algorithms measured, weakest first."""
        found = {point.algorithm for point in self.points}
        return [name for name in NINE if name in found]

    def most_known(self) -> int:
        """The level at which MIN knows everything."""
        return max((point.known for point in self.points), default=0)


def _level(text: str, worlds: int) -> int:
    """How many worlds MIN knows, out of a name; what reads rows counts up to it, so it must be possible."""
    with placed("the number of worlds that MIN knows"):
        return read_whole(text, 0, worlds - 1)


def _int(value: object) -> int:
    return int(cast("int", value))
