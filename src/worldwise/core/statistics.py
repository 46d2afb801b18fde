"""Figures with confidence intervals, not bare percentages. Everything here is deterministic."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """A figure, the interval it probably lies in, and how many observations it rests on.

    An interval without bounds says that one observation tells nothing of the spread. ``percent`` says that people read
    the figure, a rate, as a percentage.
    """

    value: float
    low: float
    high: float
    count: int
    percent: bool = False

    def __contains__(self, number: float) -> bool:
        return self.low <= number <= self.high


def wilson(successes: int, trials: int, confidence: float = CONFIDENCE) -> Estimate:
    """Wilson's interval for a rate: right also for small numbers and for rates near 0 and 1.

    >>> rate = wilson(81, 263)
    >>> round(rate.low, 4), round(rate.value, 4), round(rate.high, 4)
    (0.2553, 0.308, 0.3662)
    """
    if not 0 <= successes <= trials or trials < 1:
        raise InputError(f"expected successes among at least one trial, found {successes} of {trials}")
    return wilson_share(successes / trials, trials, confidence)


def wilson_share(rate: float, trials: float, confidence: float = CONFIDENCE) -> Estimate:
    """The same for a share of trials that count unequally: ``trials`` is then how many they are worth.

    >>> share = wilson_share(0.5, 9.6)
    >>> round(share.low, 3), round(share.high, 3), share.count
    (0.233, 0.767, 9)
    """
    z = _quantile(confidence)
    stretch = 1 + z * z / trials
    middle = (rate + z * z / (2 * trials)) / stretch
    half = z / stretch * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    # at the ends the formula gives 0 and 1 exactly, but for rounding
    low = 0.0 if rate == 0 else max(0.0, middle - half)
    high = 1.0 if rate == 1 else min(1.0, middle + half)
    return Estimate(rate, low, high, int(trials), percent=True)


def rate_difference(
    successes: int, trials: int, other_successes: int, other_trials: int, confidence: float = CONFIDENCE
) -> Estimate:
    """The first rate less the second, of independent trials, with Newcombe's interval built on Wilson's.

    >>> difference = rate_difference(56, 70, 48, 80)
    >>> round(difference.value, 4), round(difference.low, 4), round(difference.high, 4)
    (0.2, 0.0524, 0.3339)
    """
    one, two = wilson(successes, trials, confidence), wilson(other_successes, other_trials, confidence)
    value = one.value - two.value
    low = value - joint_error(one.value - one.low, two.high - two.value)
    high = value + joint_error(one.high - one.value, two.value - two.low)
    return Estimate(value, low, high, trials + other_trials, percent=True)


def paired_difference(won: int, lost: int, trials: int, confidence: float = CONFIDENCE) -> Estimate:
    """The share of trials that were won less the share that were lost; no trial is both.

    That is a score if games are won and lost, and if two players meet the same trials the gain of the one over the
    other: trials in which only the one succeeds are won, those in which only the other does are lost. Zou and Donner's
    interval, from Wilson's of both rates and their correlation: right also where nothing has been won.

    >>> gain = paired_difference(50, 1, 100)
    >>> round(gain.low, 3), gain.value, round(gain.high, 3)
    (0.38, 0.49, 0.587)
    """
    if min(won, lost) < 0 or won + lost > trials or trials < 1:
        raise InputError(f"expected trials won and lost among at least one, found {won} and {lost} of {trials}")
    return paired_share(won / trials, lost / trials, trials, confidence)


def paired_share(won: float, lost: float, trials: float, confidence: float = CONFIDENCE) -> Estimate:
    """The same from the shares that were won and lost, of trials that may count unequally.

    >>> round(paired_share(0.5, 0.01, 100).low, 3)
    0.38
    """
    one, two = wilson_share(won, trials, confidence), wilson_share(lost, trials, confidence)
    odds = one.value * two.value
    correlation = -sqrt(odds / ((1 - one.value) * (1 - two.value))) if odds else 0.0
    value = one.value - two.value
    down = joint_error(one.value - one.low, two.high - two.value, correlation)
    up = joint_error(one.high - one.value, two.value - two.low, correlation)
    return Estimate(value, value - down, value + up, int(trials), percent=True)


def joint_error(one: float, other: float, correlation: float = 0.0) -> float:
    """How far a difference may be off, if its two parts may be so far off."""
    return sqrt(one * one + other * other - 2 * correlation * one * other)


def mean(values: Sequence[float], confidence: float = CONFIDENCE) -> Estimate:
    """A mean with the normal interval.

    >>> mean([1.0, 2.0, 3.0]).value
    2.0
    """
    data = np.asarray(values, dtype=float)
    if not data.size:
        raise InputError("expected at least one value to take the mean of")
    spread = float(data.std(ddof=1)) if data.size > 1 else inf
    return _normal(float(data.mean()), spread, data.size, confidence)


def mean_of_sums(total: float, squares: float, count: int, confidence: float = CONFIDENCE) -> Estimate:
    """The same from the sum and the sum of squares, which is what rows about whole batches hold.

    >>> mean_of_sums(6.0, 14.0, 3) == mean([1.0, 2.0, 3.0])
    True
    """
    if count < 1:
        raise InputError("expected at least one value to take the mean of")
    value = total / count
    variance = max(0.0, squares - total * value) / (count - 1) if count > 1 else inf
    return _normal(value, sqrt(variance), count, confidence)


def bootstrap_mean(
    values: Sequence[float], confidence: float = CONFIDENCE, resamples: int = 2000, seed: int = 0
) -> Estimate:
    """A mean with the percentile interval of means of resamples, which assumes no shape; drawn by the seed.

    >>> bootstrap_mean([0.0, 0.0, 0.0, 10.0]).low
    0.0
    """
    data, random = np.asarray(values, dtype=float), np.random.default_rng(seed)
    if not data.size:
        raise InputError("expected at least one value to take the mean of")
    if data.size == 1:
        return Estimate(float(data[0]), -inf, inf, 1)
    means = [data[random.integers(data.size, size=data.size)].mean() for _ in range(resamples)]
    low, high = np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Estimate(float(data.mean()), float(low), float(high), data.size)


def _normal(value: float, spread: float, count: int, confidence: float) -> Estimate:
    half = _quantile(confidence) * spread / sqrt(count)
    return Estimate(value, value - half, value + half, count)


def _quantile(confidence: float) -> float:
    if not 0 < confidence < 1:
        raise InputError(f"expected a confidence between 0 and 1, found {confidence!r}")
    return NormalDist().inv_cdf((1 + confidence) / 2)
