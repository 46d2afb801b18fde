"""How rows settle a claim: comparisons with their intervals, and what they say together.

A comparison decides only where its interval leaves no doubt. A claim that makes several widens their intervals, so that
all of them together are right with 95 % confidence (Bonferroni).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from worldwise.core.statistics import CONFIDENCE, Estimate
from worldwise.lab.experiment import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# ---------------------------------------------------------------------- one comparison


def above(figure: Estimate, bound: float = 0.0) -> bool | None:
    """Whether a figure is more than the bound; None if nobody knows.

    >>> above(Estimate(0.2, 0.1, 0.3, 50)), above(Estimate(0.2, 0.1, 0.3, 50), 0.2)
    (True, None)
    """
    return True if figure.low > bound else False if figure.high < bound else None


def at_least(figure: Estimate, bound: float) -> bool | None:
    """Whether a figure is no less than the bound.

    >>> at_least(Estimate(0.2, 0.1, 0.3, 50), 0.1), at_least(Estimate(0.2, 0.1, 0.3, 50), 0.4)
    (True, False)
    """
    return True if figure.low >= bound else False if figure.high < bound else None


def at_most(figure: Estimate, bound: float) -> bool | None:
    """Whether a figure is no more than the bound.

    >>> at_most(Estimate(0.2, 0.1, 0.3, 50), 0.3), at_most(Estimate(0.2, 0.1, 0.3, 50), 0.2)
    (True, None)
    """
    return True if figure.high <= bound else False if figure.low > bound else None


def points(figure: Estimate) -> str:
    """A difference in percentage points, and its interval.

    >>> points(Estimate(0.2, -0.1, 0.5, 50))
    '+20.0% (-10.0% to +50.0%)'
    """
    return f"{figure.value:+.1%} ({figure.low:+.1%} to {figure.high:+.1%})"


class ClaimCheck(NamedTuple):
    """A comparison: what is compared, the figure, and whether it is as claimed; None if nobody knows."""

    what: str
    figure: Estimate
    truth: bool | None

    def __str__(self) -> str:
        return f"{self.what} {points(self.figure)}"


# ---------------------------------------------------------------------- several


def sure(comparisons: int) -> float:
    """The confidence of each, for all to be right together.

    >>> sure(1), round(sure(10), 6)
    (0.95, 0.995)
    """
    return 1 - (1 - CONFIDENCE) / max(1, comparisons)


def together(truths: Iterable[bool | None]) -> bool | None:
    """True if all are, False if one is false; otherwise, or without any, nobody knows.

    >>> together([True, True]), together([True, None]), together([None, False]), together([])
    (True, None, False, None)
    """
    found = set(truths)
    return False if False in found else True if found == {True} else None


def all_of(checks: Sequence[ClaimCheck], otherwise: str) -> Verdict:
    """Whether all are as claimed; one that is not refutes it. The words tell of those that decided, or are open.

    >>> gain = ClaimCheck("depth 2", Estimate(0.2, 0.1, 0.3, 50), True)
    >>> none = ClaimCheck("3", Estimate(0.1, -0.1, 0.3, 50), None)
    >>> all_of([gain, none], "not measured").because
    '3 +10.0% (-10.0% to +30.0%)'
    """
    truth = together(check.truth for check in checks)
    told = "; ".join(str(check) for check in checks if check.truth is truth)
    return Verdict.of(truth, told if checks else otherwise)


def most_of(checks: Sequence[ClaimCheck], otherwise: str) -> Verdict:
    """Whether more than half are as claimed, or more than half are not.

    >>> most_of([ClaimCheck("depth 2", Estimate(0.2, 0.1, 0.3, 50), True)], "not measured").because
    'in 1 of 1 cells, the opposite in 0: depth 2 +20.0% (+10.0% to +30.0%)'
    """
    truths = [check.truth for check in checks]
    yes, no = truths.count(True), truths.count(False)
    words = f"in {yes} of {len(checks)} cells, the opposite in {no}: {'; '.join(map(str, checks))}"
    truth = True if 2 * yes > len(checks) else False if 2 * no > len(checks) else None
    return Verdict.of(truth, words if checks else otherwise)
