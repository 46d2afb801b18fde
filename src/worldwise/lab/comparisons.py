"""How rows settle a claim: comparisons with their intervals, and what they say together.

A comparison decides only where its interval leaves no doubt. A claim that makes several widens their intervals, so that
all of them together are right with the confidence that was asked for (Bonferroni, ``sure``).

Every comparison should be decidable by enough rows. "One is more than the other" is not, if the two are level: no
interval is ever narrow enough to show it false. So such a claim is tested with a margin (``more``), the smallest
difference worth speaking of: it fails if the difference is shown to be smaller.
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from worldwise.core.statistics import CONFIDENCE, Estimate
from worldwise.lab.experiment import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

MARGIN = 0.01
"""The smallest difference of two rates worth speaking of, if a claim says no other: one in a hundred."""

# ---------------------------------------------------------------------- one comparison


def above(figure: Estimate, bound: float = 0.0) -> bool | None:
    """Whether a figure is more than the bound; None if nobody knows.

    >>> above(Estimate(0.2, 0.1, 0.3, 50)), above(Estimate(0.2, 0.1, 0.3, 50), 0.2)
    (True, None)
    """
    return True if figure.low > bound else False if figure.high < bound else None


def more(figure: Estimate, margin: float = MARGIN) -> bool | None:
    """Whether a difference is a gain: yes if it is above zero, no if it is below, or smaller than the margin.

    A difference between zero and the margin may be called either: it is there, and too small to speak of.

    >>> more(Estimate(0.2, 0.1, 0.3, 50)), more(Estimate(0.2, -0.1, 0.5, 50)), more(Estimate(0.0, -0.001, 0.001, 9_000))
    (True, None, False)
    """
    return True if figure.low > 0 else False if figure.high < max(0.0, margin) else None


def within(figure: Estimate, low: float, high: float) -> bool | None:
    """Whether a figure lies between two bounds, or on one.

    >>> figure = Estimate(0.2, 0.1, 0.3, 50)
    >>> within(figure, 0.1, 0.4), within(figure, 0.15, 0.4), within(figure, 0.35, 0.4)
    (True, None, False)
    """
    if low <= figure.low and figure.high <= high:
        return True
    return False if figure.high < low or figure.low > high else None


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


def times_needed(figure: Estimate, judged: Callable[[Estimate], bool | None]) -> float | None:
    """How many times as much data would decide, if the figure stays what it is: intervals shrink with the root.

    None if it would take more than a million times as much.

    >>> figure = Estimate(0.1, -0.1, 0.3, 50)
    >>> round(times_needed(figure, above), 3), round(times_needed(figure, lambda one: above(one, 0.05)), 3)
    (4.0, 16.0)
    >>> times_needed(Estimate(0.0, -0.1, 0.1, 50), above)
    """
    return least_times(lambda times: judged(_with_times(figure, times)))


def least_times(judged_with: Callable[[float], bool | None]) -> float | None:
    """The same for whatever can be judged with so many times the data.

    >>> round(least_times(lambda times: True if times >= 3 else None), 3), least_times(lambda _times: None)
    (3.0, None)
    """
    low, high = 0.0, 20.0  # as powers of two
    if judged_with(2**high) is None:
        return None
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if judged_with(2**middle) is None else (low, middle)
    return float(2**high)


def _with_times(figure: Estimate, times: float) -> Estimate:
    """The figure as it would be with so many times the data."""
    shrink = 1 / sqrt(times)
    down, up = shrink * (figure.value - figure.low), shrink * (figure.high - figure.value)
    return replace(figure, low=figure.value - down, high=figure.value + up)


class ClaimCheck(NamedTuple):
    """A comparison: what is compared, the figure, and whether it is as claimed; None if nobody knows.

    ``times`` says how many times as much data would decide it, if that can be told, and ``leaning`` which way.
    """

    what: str
    figure: Estimate
    truth: bool | None
    times: float | None = None
    leaning: bool | None = None

    @classmethod
    def of(cls, what: str, figure: Estimate, judged: Callable[[Estimate], bool | None]) -> ClaimCheck:
        """Judge a figure.

        >>> check = ClaimCheck.of("depth 2", Estimate(0.2, -0.2, 0.6, 50), above)
        >>> check.truth, round(check.times, 3), check.leaning
        (None, 4.0, True)
        """
        truth = judged(figure)
        times = times_needed(figure, judged) if truth is None else None
        return cls(what, figure, truth, times, judged(_with_times(figure, times)) if times else truth)

    def with_times(self, times: float) -> bool | None:
        """What it comes to with so many times the data, if the figure stays what it is."""
        return self.leaning if self.times is not None and self.times <= times else self.truth

    def __str__(self) -> str:
        return f"{self.what} {points(self.figure)}"


# ---------------------------------------------------------------------- several


def sure(comparisons: int, confidence: float = CONFIDENCE) -> float:
    """The confidence of each, for all to be right together with the one asked for.

    >>> sure(1), round(sure(10), 6), round(sure(10, 0.99), 6)
    (0.95, 0.995, 0.999)
    """
    return 1 - (1 - confidence) / max(1, comparisons)


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
    return Verdict.of(truth, told if checks else otherwise, times_until(checks, together))


def times_until(checks: Sequence[ClaimCheck], judged: Callable[[list[bool | None]], bool | None]) -> float | None:
    """How many times as much data would decide what several comparisons say together; None if nobody can tell.

    >>> yes, no = Estimate(0.1, -0.1, 0.3, 50), Estimate(-0.2, -0.6, 0.2, 50)
    >>> checks = [ClaimCheck.of("", yes, lambda figure: above(figure, 0.05)), ClaimCheck.of("", no, above)]
    >>> round(times_until(checks, together), 3), round(times_until(checks[:1], together), 3)
    (4.0, 16.0)
    """
    times = sorted({check.times for check in checks if check.times is not None})
    return next((one for one in times if judged([check.with_times(one) for check in checks]) is not None), None)
