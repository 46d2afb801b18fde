"""Figures with confidence intervals, not bare percentages: rates, means, ratios, and differences of what was paired.

Two algorithms that meet the same trees, deals or problems are compared one by one: what they have in common cancels,
and the interval is many times narrower than that of two separate figures. Each interval here covers the truth in at
least 94 % of simulated experiments where 95 % is asked for (``tests/core/test_statistics.py``), small rates, strong
correlation and few trials included. ``docs/statistics.md`` says which is for what, and what was tried and did worse.
Everything is deterministic.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, exp, hypot, inf, isclose, lgamma, log, log1p, pi, sin, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

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


# ---------------------------------------------------------------------- rates


def clopper_pearson(successes: int, trials: int, confidence: float = CONFIDENCE) -> Estimate:
    """Clopper and Pearson's interval for a rate: it covers the truth as often as it says, whatever the rate.

    Its ends are the rates at which so many successes, or so few, would be as unlikely as half of what is left to doubt.

    >>> rate = clopper_pearson(81, 263)
    >>> round(rate.low, 4), round(rate.value, 4), round(rate.high, 4)
    (0.2527, 0.308, 0.3676)
    """
    _check_counts(successes, trials)
    start, doubt = wilson(successes, trials, confidence), (1 - confidence) / 2
    low = _rate_for(successes, trials, doubt, start.low) if successes else 0.0
    high = 1 - _rate_for(trials - successes, trials, doubt, 1 - start.high) if successes < trials else 1.0
    return Estimate(successes / trials, low, high, trials, percent=True)


def wilson(successes: int, trials: int, confidence: float = CONFIDENCE) -> Estimate:
    """Wilson's interval for a rate: short, and good for a picture or a match, but near 0 and 1 it covers too little.

    >>> rate = wilson(81, 263)
    >>> round(rate.low, 4), round(rate.value, 4), round(rate.high, 4)
    (0.2553, 0.308, 0.3662)
    """
    _check_counts(successes, trials)
    return wilson_share(successes / trials, trials, confidence)


def _check_counts(successes: int, trials: int) -> None:
    if not 0 <= successes <= trials or trials < 1:
        raise InputError(f"expected successes among at least one trial, found {successes} of {trials}")


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
    """The first rate less the second, of independent trials, with Newcombe's interval built on Clopper and Pearson's.

    >>> difference = rate_difference(56, 70, 48, 80)
    >>> round(difference.value, 4), round(difference.low, 4), round(difference.high, 4)
    (0.2, 0.0439, 0.3442)
    """
    rates = ((successes, trials), (other_successes, other_trials))
    return difference(*(clopper_pearson(*counts, confidence) for counts in rates))


def difference(one: Estimate, other: Estimate) -> Estimate:
    """The first figure less the second, of separate trials (Newcombe's way, which Zou and Donner call MOVER).

    >>> gain = difference(Estimate(0.5, 0.3, 0.7, 100), Estimate(0.2, 0.05, 0.35, 100))
    >>> round(gain.value, 2), round(gain.low, 2), round(gain.high, 2), gain.count
    (0.3, 0.05, 0.55, 200)
    """
    value = one.value - other.value
    low = value - joint_error(one.value - one.low, other.high - other.value)
    high = value + joint_error(one.high - one.value, other.value - other.low)
    return Estimate(value, low, high, one.count + other.count, one.percent)


def average(figures: Sequence[Estimate]) -> Estimate:
    """The mean of figures of separate trials, each counting alike however many trials it has; MOVER again.

    >>> both = average([Estimate(0.5, 0.3, 0.7, 100), Estimate(0.2, 0.05, 0.35, 50)])
    >>> round(both.value, 3), round(both.low, 3), round(both.high, 3), both.count
    (0.35, 0.225, 0.475, 150)
    """
    if not figures:
        raise InputError("expected at least one figure to take the mean of, found none")
    share, count = 1 / len(figures), sum(one.count for one in figures)
    value = share * sum(one.value for one in figures)
    down = share * hypot(*(one.value - one.low for one in figures))
    up = share * hypot(*(one.high - one.value for one in figures))
    return Estimate(value, value - down, value + up, count, figures[0].percent)


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


def weighted_difference(
    differences: Sequence[float], weights: Sequence[float], confidence: float = CONFIDENCE
) -> Estimate:
    """The mean of paired differences, from -1 to 1, that count unequally: won less lost, where both have weights.

    Zou and Donner's interval again, for as many trials as have the variance found here, and never more than Kish's
    effective number.

    >>> gain = weighted_difference([1, 0, 0, -1] * 25, [2, 1, 1, 1] * 25)
    >>> round(gain.value, 3), round(gain.low, 3), round(gain.high, 3)
    (0.2, 0.037, 0.35)
    """
    data, weight = np.asarray(differences, dtype=float), np.asarray(weights, dtype=float)
    if data.size != weight.size or not (weight >= 0).all() or not weight.sum() or (abs(data) > 1).any():
        raise InputError("expected differences from -1 to 1, each with a weight of 0 or more, not all of them 0")
    shares = weight / weight.sum()
    value, square = float(shares @ data), float(shares @ data**2)
    variance, effective = float(shares**2 @ (data - value) ** 2), 1 / float(shares @ shares)
    trials = min(effective, (square - value**2) / variance) if variance > _ROUNDING else effective
    return replace(paired_share(*_shares(value, square), trials, confidence), count=data.size)


_ROUNDING = 1e-12
"""What sums of floats may be off, for numbers up to 1."""


def _shares(value: float, square: float) -> tuple[float, float]:
    """The shares won and lost of trials that count 1, -1 or 0, and have this mean and mean square."""
    won, lost = (max(0.0, min(1.0, (square + sign * value) / 2)) for sign in (1, -1))
    return won, lost


def joint_error(one: float, other: float, correlation: float = 0.0) -> float:
    """How far a difference may be off, if its two parts may be so far off."""
    return sqrt(one * one + other * other - 2 * correlation * one * other)


# ---------------------------------------------------------------------- means


def mean(values: Sequence[float], confidence: float = CONFIDENCE) -> Estimate:
    """A mean with Student's interval: for numbers that are spread evenly around it, such as times or points.

    >>> mean([1.0, 2.0, 3.0]).value
    2.0
    """
    data = np.asarray(values, dtype=float)
    if not data.size:
        raise InputError("expected at least one value to take the mean of")
    spread = float(data.std(ddof=1)) if data.size > 1 else inf
    return _student(float(data.mean()), spread, data.size, confidence)


def mean_of_sums(total: float, squares: float, count: int, confidence: float = CONFIDENCE) -> Estimate:
    """The same from the sum and the sum of squares, which is what rows about whole batches hold.

    >>> mean_of_sums(6.0, 14.0, 3) == mean([1.0, 2.0, 3.0])
    True
    """
    if count < 1:
        raise InputError("expected at least one value to take the mean of")
    value = total / count
    variance = max(0.0, squares - total * value) / (count - 1) if count > 1 else inf
    return _student(value, sqrt(variance), count, confidence)


def mean_of_losses(
    total: float, squares: float, count: int, most: float = 1.0, confidence: float = CONFIDENCE
) -> Estimate:
    """A mean of numbers most of which may be 0, and none above ``most`` or below -``most``: losses, or differences.

    Where few trials lose anything, Student's interval covers far too little. This one is Zou and Donner's for trials
    that win or lose one fixed amount, or nothing, and have the same mean and the same variance. With nothing but 0, 1
    and -1 it is ``paired_difference``.

    >>> mean_of_losses(0.0, 0.0, 100).high > 0.03
    True
    >>> mean_of_losses(49.0, 51.0, 100) == replace(paired_difference(50, 1, 100), percent=False)
    True
    """
    if count < 1 or most <= 0 or not abs(total) <= sqrt(squares * count) * (1 + 1e-9) <= most * count * (1 + 2e-9):
        found = f"a sum of {total:g} and of squares {squares:g} of {count} up to {most:g}"
        raise InputError(f"expected sums of one number or more that are no larger than the most, found {found}")
    value, square = total / count, squares / count
    size = min(most, square / abs(value)) if value else most
    share = paired_share(*_shares(value / size, square / size**2), count, confidence)
    return Estimate(value, size * share.low, size * share.high, count)


class Sums(NamedTuple):
    """What rows keep of a number over all trials of a batch, so that means come with intervals."""

    total: float
    squares: float


def paired_mean(
    one: Sums, other: Sums, products: float, count: int, most: float = 1.0, confidence: float = CONFIDENCE
) -> Estimate:
    """How much more the one is than the other, on average over the trials that both have met.

    ``products`` is the sum of the products of both, trial by trial, and ``most`` the largest difference there can be.

    >>> both = [(0.5, 0.4), (0.0, 0.0), (0.3, 0.3), (0.2, 0.0)]
    >>> one, other = (Sums(sum(loss), sum(x * x for x in loss)) for loss in zip(*both))
    >>> round(paired_mean(one, other, sum(x * y for x, y in both), 4).value, 3)
    0.075
    """
    squares = max(0.0, one.squares + other.squares - 2 * products)
    return mean_of_losses(one.total - other.total, squares, count, most, confidence)


# ---------------------------------------------------------------------- ratios


def ratio_of_sums(
    over: Sequence[float], under: Sequence[float], confidence: float = CONFIDENCE, *, percent: bool = False
) -> Estimate:
    """The first sum by the second, both over the same trials, with Fieller's interval and Student's quantile.

    The interval is every ratio r for which "over less r times under" might be 0 on average. It has no bounds if the sum
    below might itself be 0.

    >>> ratio = ratio_of_sums([2.1, 3.8, 6.2, 4.2, 5.7], [1.0, 2.0, 3.0, 2.0, 3.0])
    >>> round(ratio.value, 3), round(ratio.low, 3), round(ratio.high, 3)
    (2.0, 1.869, 2.172)
    """
    one, two = np.asarray(over, dtype=float), np.asarray(under, dtype=float)
    if one.size != two.size or not two.sum():
        raise InputError("expected as many numbers above as below, the latter not all zero")
    value, count = float(one.sum() / two.sum()), one.size
    if count == 1:
        return Estimate(value, -inf, inf, count, percent)
    down, up = _fieller(one - value * two, two, student_quantile(confidence, count - 1) ** 2 / count)
    return Estimate(value, value - down, value + up, count, percent)


def _fieller(rest: NDArray[np.float64], under: NDArray[np.float64], width: float) -> tuple[float, float]:
    """How far below and above the ratio may be, where the mean rest is as far from 0 as it may: a quadratic."""
    (own, joint), (_, other) = (width * np.cov(rest, under)).tolist()
    first = float(under.mean()) ** 2 - other
    if first <= 0:
        return inf, inf
    root = sqrt(joint * joint + first * own)
    return (root + joint) / first, (root - joint) / first


# ---------------------------------------------------------------------- quantiles


def _student(value: float, spread: float, count: int, confidence: float) -> Estimate:
    half = student_quantile(confidence, count - 1) * spread / sqrt(count) if count > 1 else inf
    return Estimate(value, value - half, value + half, count)


_MANY = 200
"""Degrees of freedom from which on four terms of the expansion around the normal quantile are exact to five digits."""


@lru_cache(1024)
def student_quantile(confidence: float, freedom: int) -> float:
    """How many standard errors either side a mean may be off, if its spread was measured with so much freedom.

    >>> [round(student_quantile(0.95, freedom), 3) for freedom in (1, 9, 30, 1000)]
    [12.706, 2.262, 2.042, 1.962]
    """
    z = _quantile(confidence)
    if freedom < 1:
        raise InputError(f"expected at least one degree of freedom, found {freedom}")
    if freedom > _MANY:
        return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    low, high = 0.0, pi / 2  # the angle whose tangent is the quantile by the root of the freedom
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _student_share(middle, freedom) < confidence else (low, middle)
    return sin(low) / cos(low) * sqrt(freedom)


def _student_share(angle: float, freedom: int) -> float:
    """The chance that Student's t lies within the root of the freedom times the angle's tangent, either side.

    A finite sum for a whole number of degrees of freedom (Abramowitz and Stegun 26.7.3 and 26.7.4).
    """
    odd, square = freedom % 2, cos(angle) ** 2
    term, total = (cos(angle) if odd else 1.0), 0.0
    for step in range(2 + odd, freedom + 1, 2):
        total += term
        term *= square * (step - 1) / step
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total


@lru_cache(4096)
def _rate_for(successes: int, trials: int, chance: float, start: float) -> float:
    """The rate at which at least so many successes have this chance: Newton's way, kept between bounds."""
    low, high, rate = 0.0, 1.0, start
    for _ in range(100):
        found, slope = _chance_of_at_least(successes, trials, rate)
        low, high = (low, rate) if found > chance else (rate, high)
        if isclose(found, chance, rel_tol=1e-9) or isclose(low, high, rel_tol=1e-12):
            break
        step = rate - (found - chance) / slope if slope else 0.0
        rate = step if low < step < high else (low + high) / 2
    return rate


def _chance_of_at_least(successes: int, trials: int, rate: float) -> tuple[float, float]:
    """The chance of so many successes or more, at least one, and how fast it grows with the rate.

    It is the incomplete beta function, as a continued fraction (Abramowitz and Stegun 26.5.8) from its better side.
    """
    one, other = float(successes), float(trials - successes + 1)
    if not 0 < rate < 1:
        return float(rate >= 1), 0.0
    scale = lgamma(one + other) - lgamma(one) - lgamma(other) + one * log(rate) + other * log1p(-rate)
    slope = exp(scale) / (rate * (1 - rate))
    if rate <= (one + 1) / (one + other + 2):
        return exp(scale) * _beta_fraction(one, other, rate) / one, slope
    return 1 - exp(scale) * _beta_fraction(other, one, 1 - rate) / other, slope


def _beta_fraction(one: float, other: float, rate: float) -> float:
    """1 / (1 + d1 / (1 + d2 / (1 + ...))), worked out from the front (Lentz) until a term changes nothing."""
    value, over, under, step = 1.0, 1.0, 0.0, 0
    while True:
        step += 1
        half = step // 2
        product = -(one + half) * (one + other + half) if step % 2 else half * (other - half)
        term = product * rate / ((one + step - 1) * (one + step))
        over, under = 1 + term / over, 1 / (1 + term * under)
        value *= over * under
        if isclose(over * under, 1.0, rel_tol=1e-13):
            return 1 / value


def _quantile(confidence: float) -> float:
    if not 0 < confidence < 1:
        raise InputError(f"expected a confidence between 0 and 1, found {confidence!r}")
    return NormalDist().inv_cdf((1 + confidence) / 2)
