"""How many leaves IMP-alpha-beta examines on the IMP-model: the one measurement behind BMV96's average-case study.

A row is a number of trees at one setting: how many leaves were examined and nodes visited in all, and how many prunings
were immediate and how many by information sets. IMP-minimax examines every leaf (BMV96 Theorem 5) and is not run.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from worldwise.core.mixing import splitmix
from worldwise.core.statistics import CONFIDENCE, Estimate, difference, mean_of_sums
from worldwise.extensive.compiled_imp import imp_model_counts
from worldwise.extensive.imp_model import ImpModel, Uniform
from worldwise.lab.table import Share

if TYPE_CHECKING:
    from worldwise.runs.rows import Row, Rows, Setting

MAIN = 10
"""The payoffs that verdicts go by are the whole numbers from 0 to this.

BMV96 does not say how payoffs were drawn. Of those tried, only these come near both of its figures.
"""

ENOUGH = 20
"""Fewer trees at a point decide nothing: the normal interval does not hold for them."""


def measure_pruning(setting: Setting, seed: int) -> Row:
    """Search as many trees as the setting says, each with payoffs of its own."""
    k, b, d, highest, trees = (_int(setting[name]) for name in ("k", "b", "d", "highest", "trees"))
    row: Counter[str] = Counter()
    for number in range(trees):
        _, counts = imp_model_counts(ImpModel(k, b, d, Uniform(highest, splitmix(splitmix(seed) + number))), prune=True)
        row["examined"] += counts.leaves
        row["squares"] += counts.leaves**2
        row["visited"] += counts.nodes
        row["immediate"] += counts.immediate
        row["information_set"] += counts.information_set
    return dict(row)


# ---------------------------------------------------------------------- reading rows


@dataclass(frozen=True, order=True)
class ModelPoint:
    """Where a ratio was measured: the parameters of the IMP-model, and the highest payoff."""

    k: int
    b: int
    d: int
    highest: int = MAIN

    @property
    def leaves(self) -> int:
        """What IMP-minimax examines."""
        return ImpModel(self.k, self.b, self.d).leaves

    @property
    def nodes(self) -> int:
        """What IMP-minimax visits: what chance may draw, and all below."""
        return sum(self.leaves // self.b**level for level in range(self.d))


class Ratios:
    """The ratios that rows hold; a point that was not measured has none."""

    def __init__(self, rows: Rows) -> None:
        self._sums: Counter[tuple[ModelPoint, str]] = Counter()
        for row in rows:
            point = ModelPoint(*(_int(row[name]) for name in ("k", "b", "d", "highest")))
            for what in ("trees", "examined", "squares", "visited", "immediate", "information_set"):
                self._sums[point, what] += _int(row[what])
        self.points = sorted({point for point, _ in self._sums})

    def ratio(self, point: ModelPoint, confidence: float = CONFIDENCE) -> Estimate | None:
        """The share of leaves that IMP-alpha-beta examines there, on average over trees."""
        trees = self._sums[point, "trees"]
        if not trees:
            return None
        sums = self._sums[point, "examined"] / point.leaves, self._sums[point, "squares"] / point.leaves**2
        return replace(mean_of_sums(*sums, trees, confidence), percent=True)

    def sure(self, point: ModelPoint, confidence: float = CONFIDENCE) -> Estimate | None:
        """The ratio, if it rests on enough trees to judge by."""
        return self.ratio(point, confidence) if self._sums[point, "trees"] >= ENOUGH else None

    def difference(self, one: ModelPoint, other: ModelPoint, confidence: float = CONFIDENCE) -> Estimate | None:
        """The first ratio less the second, if both rest on enough trees."""
        first, second = self.sure(one, confidence), self.sure(other, confidence)
        return None if first is None or second is None else difference(first, second)

    def visited_share(self, point: ModelPoint) -> Share:
        """The share of all nodes that is visited there."""
        return Share(self._sums[point, "visited"] / (point.nodes * self._sums[point, "trees"]))

    def prunings(self, point: ModelPoint, what: str) -> float:
        """How many prunings of a kind, ``immediate`` or ``information_set``, there are in a tree."""
        return self._sums[point, what] / self._sums[point, "trees"]

    def highest(self) -> list[int]:
        """The highest payoffs measured, the verdicts' own first."""
        return sorted({point.highest for point in self.points}, key=lambda highest: (highest != MAIN, highest))


def _int(value: object) -> int:
    return int(cast("int", value))
