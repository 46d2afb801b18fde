"""Figures with their intervals, in words and for programs."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from worldwise.core.statistics import Estimate


def count_words(count: int, noun: str) -> str:
    """So many of a thing.

    >>> count_words(1, "game"), count_words(1200, "game")
    ('1 game', '1,200 games')
    """
    return f"{count:,} {noun}{'s' * (count != 1)}"


def rate_words(rate: Estimate) -> str:
    """A rate with its interval.

    >>> from worldwise.core.statistics import wilson
    >>> rate_words(wilson(3, 4))
    '75.0 % (30.1 to 95.4)'
    """
    return f"{100 * rate.value:.1f} % ({100 * rate.low:.1f} to {100 * rate.high:.1f})"


def mean_words(number: Estimate, form: str = ".1f") -> str:
    """A mean with its interval; one observation has none.

    >>> from worldwise.core.statistics import mean
    >>> mean_words(mean([1.0, 2.0, 3.0])), mean_words(mean([1.0]), "+.2f")
    ('2.0 (-0.5 to 4.5)', '+1.00')
    """
    interval = f" ({number.low:{form}} to {number.high:{form}})" if isfinite(number.low) else ""
    return f"{number.value:{form}}{interval}"


def estimate_json(estimate: Estimate | None) -> dict[str, float | None] | None:
    """A figure with the bounds of its interval, null where there are none."""
    if estimate is None:
        return None
    low, high = (bound if isfinite(bound) else None for bound in (estimate.low, estimate.high))
    return {"value": estimate.value, "low": low, "high": high}
