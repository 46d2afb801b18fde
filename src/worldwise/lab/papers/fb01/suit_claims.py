"""What FB01 says of its algorithms on single suits, as questions that rows answer.

All algorithms play the same problems, so two of them are compared problem by problem. The verdicts go by all problems
drawn; the public ones are shown beside.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, cast

import numpy as np

from worldwise.core.statistics import CONFIDENCE, Estimate, clopper_pearson, mean_of_losses, paired_difference
from worldwise.lab.comparisons import ClaimCheck, all_of, at_most, more, points, sure
from worldwise.lab.papers.fb01.errors import NINE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from worldwise.lab.experiment import Verdict
    from worldwise.runs.rows import Rows

DRAWN, FURTHER, PUBLIC = "drawn", "further", "public"
"""Where a problem comes from: the first 650 drawn, as many as the paper's; those drawn next; ``catalog.suit_facts``."""


class Lines:
    """The lines that algorithms chose, over the problems of some origins; without any, over all that were drawn."""

    def __init__(self, rows: Rows, *origins: str) -> None:
        self.rows = [row for row in rows if (row["origin"] in origins if origins else row["origin"] != PUBLIC)]

    def column(self, key: str) -> NDArray[np.float64]:
        """A number of every problem."""
        return np.array([float(cast("float", row[key])) for row in self.rows])

    def lost(self, name: str) -> NDArray[np.float64]:
        """How much less likely the line is to win than the best one, problem by problem."""
        return self.column(f"{name}.lost") if self.rows else np.zeros(0)

    def wrong(self, name: str) -> NDArray[np.bool_]:
        """Whether the line is not the best."""
        return self.lost(name) > 0

    def rate(self, name: str, confidence: float = CONFIDENCE) -> Estimate:
        """How often the line is not the best."""
        return clopper_pearson(int(self.wrong(name).sum()), len(self.rows), confidence)

    def difference(self, one: str, other: str, confidence: float = CONFIDENCE) -> Estimate:
        """How much more often one errs than the other."""
        wrong, others = self.wrong(one), self.wrong(other)
        return paired_difference(int((wrong & ~others).sum()), int((others & ~wrong).sum()), len(wrong), confidence)

    def loss_difference(self, one: str, other: str, confidence: float = CONFIDENCE) -> Estimate:
        """How much more chance one loses than the other, on average."""
        more = self.lost(one) - self.lost(other)
        return mean_of_losses(float(more.sum()), float(more @ more), len(more), confidence=confidence)


def _fewer_errors(lines: Lines, pairs: Sequence[tuple[str, str]], confidence: float) -> Verdict:
    """Whether in every pair the second errs less, beyond doubt; one that errs no less beyond doubt decides."""
    each = sure(len(pairs), confidence) if lines.rows else confidence
    found = [(f"{one} less {other}", lines.difference(one, other, each)) for one, other in pairs if lines.rows]
    return all_of([ClaimCheck.of(words, difference, more) for words, difference in found], "not measured")


def vector_mm_is_better(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Fewer errors than Monte Carlo, on the same problems."""
    return _fewer_errors(Lines(rows), [("monte-carlo", "vector-mm")], confidence)


def in_the_papers_order(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Each of the nine errs more than the next of Fig 28, but for ivm-beta and iprm, which are level there."""
    steps = [pair for pair in pairwise(NINE) if pair != ("ivm-beta", "iprm")]
    return _fewer_errors(Lines(rows), steps, confidence)


def reduction_is_best(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Of the heuristics one by one: prm errs less than vm-beta, and less than ivm."""
    lines = Lines(rows)
    verdict = _fewer_errors(lines, [("vm-beta", "prm"), ("ivm", "prm")], confidence)
    if not lines.rows:
        return verdict
    loss = lines.loss_difference("ivm", "prm", confidence)
    return replace(verdict, because=f"{verdict.because}; chance lost, ivm less prm {points(loss)}")


def nearly_always_right(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """iprm-beta is sub-optimal in at most one problem of a hundred."""
    rate = Lines(rows).rate("iprm-beta", confidence)
    words = f"{rate.value:.2%} of {rate.count:,} problems sub-optimal ({rate.low:.2%} to {rate.high:.2%})"
    return replace(all_of([ClaimCheck.of("", rate, lambda rate: at_most(rate, 0.01))], ""), because=words)
