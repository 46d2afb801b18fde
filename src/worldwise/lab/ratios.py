"""How many times as much: a ratio of two sums over the same games, with its interval."""

from __future__ import annotations

from math import inf, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from worldwise.core.statistics import CONFIDENCE, Estimate
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence


def ratio_of_sums(
    over: Sequence[float], under: Sequence[float], confidence: float = CONFIDENCE, *, percent: bool = False
) -> Estimate:
    """The first sum by the second; the interval is the normal one of the linearised ratio, game by game.

    >>> ratio_of_sums([2.0, 4.0, 6.0], [1.0, 2.0, 3.0])
    Estimate(value=2.0, low=2.0, high=2.0, count=3, percent=False)
    """
    one, two = np.asarray(over, dtype=float), np.asarray(under, dtype=float)
    if one.size != two.size or not two.sum():
        raise InputError("expected as many numbers above as below, the latter not all zero")
    value = float(one.sum() / two.sum())
    spread = float((one - value * two).std(ddof=1)) if one.size > 1 else inf
    half = NormalDist().inv_cdf((1 + confidence) / 2) * spread * sqrt(one.size) / float(two.sum())
    return Estimate(value, value - half, value + half, one.size, percent)
