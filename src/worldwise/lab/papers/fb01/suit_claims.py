"""What FB01 says of its algorithms on single suits, as questions that rows answer.

All algorithms play the same problems, so two of them are compared problem by problem: a difference is the mean of the
differences, and decides nothing if its interval contains zero. The verdicts go by all problems drawn; the public ones
are shown beside.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, cast

import numpy as np

from worldwise.core.statistics import CONFIDENCE, Estimate, mean, wilson
from worldwise.lab.comparisons import ClaimCheck, above, all_of, at_most, sure
from worldwise.lab.experiment import Verdict
from worldwise.search.algorithms import ALGORITHMS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from worldwise.runs.rows import Rows

DRAWN, FURTHER, PUBLIC = "drawn", "further", "public"
"""Where a problem comes from: the first 650 drawn, as many as the paper's; those drawn next; ``catalog.suit_facts``."""

NINE = tuple(name for name in ALGORITHMS if name not in ("vm-alphabeta", "exact"))
"""The algorithms in the order of FB01 Fig 28."""


class Lines:
    """The lines that algorithms chose, over the problems of some origins; without any, over all that were drawn."""

    def __init__(self, rows: Rows, *origins: str) -> None:
        self.rows = [row for row in rows if (row["origin"] in origins if origins else row["origin"] != PUBLIC)]

    def column(self, key: str) -> NDArray[np.float64]:
        """A number of every problem."""
        return np.array([float(cast("float", row[key])) for row in self.rows])

    def errors(self, name: str) -> NDArray[np.float64]:
        """1 where the line is not the best."""
        return 1 - self.column(f"{name}.optimal")

    def rate(self, name: str, confidence: float = CONFIDENCE) -> Estimate:
        """How often the line is not the best."""
        return wilson(int(self.errors(name).sum()), len(self.rows), confidence)

    def lost(self, name: str) -> NDArray[np.float64]:
        """How much less likely it is to win than the best line."""
        return self.column("exact.chance") - self.column(f"{name}.chance")

    def difference(self, one: str, other: str, confidence: float = CONFIDENCE) -> Estimate:
        """How much more often one errs than the other."""
        return mean(list(self.errors(one) - self.errors(other)), confidence)


def _fewer_errors(lines: Lines, pairs: Sequence[tuple[str, str]], confidence: float) -> Verdict:
    """Whether in every pair the second errs less, beyond doubt; one that errs more beyond doubt decides."""
    each = sure(len(pairs), confidence)
    found = [(f"{one} less {other}", lines.difference(one, other, each)) for one, other in pairs]
    return all_of([ClaimCheck.of(words, difference, above) for words, difference in found], "not measured")


def vector_mm_is_better(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Fewer errors than Monte Carlo, on the same problems."""
    return _fewer_errors(Lines(rows), [("monte-carlo", "vector-mm")], confidence)


def in_the_papers_order(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Each of the nine errs more than the next of Fig 28, but for ivm-beta and iprm, which are level there."""
    steps = [pair for pair in pairwise(NINE) if pair != ("ivm-beta", "iprm")]
    return _fewer_errors(Lines(rows), steps, confidence)


def reduction_is_best(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Of the heuristics one by one: prm errs less than vm-beta, and less than ivm."""
    return _fewer_errors(Lines(rows), [("vm-beta", "prm"), ("ivm", "prm")], confidence)


def nearly_always_right(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """iprm-beta is sub-optimal in at most one problem of a hundred."""
    rate = Lines(rows).rate("iprm-beta", confidence)
    words = f"{rate.value:.1%} of {rate.count} problems sub-optimal ({rate.low:.1%} to {rate.high:.1%})"
    return Verdict.of(at_most(rate, 0.01), words)
