"""Weights of possible worlds: any numbers that are not negative, turned into whole ones, so that sums are exact."""

from __future__ import annotations

from fractions import Fraction
from math import isfinite, lcm
from numbers import Rational, Real
from typing import TYPE_CHECKING

from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

Weight = int | float | Fraction
"""How much a world counts; only how weights compare matters."""

TOTAL = 1 << 40
"""What whole weights add up to at most, or nearly: with payoffs in the millions a sum still fits into 64 bits."""


def integer_weights(weights: Sequence[Weight] | None, number: int) -> tuple[int, ...]:
    """The weights of so many worlds as whole numbers; without weights each world counts once.

    Whole numbers stay as they are, and fractions are brought to a common denominator. Only where that would exceed
    ``TOTAL`` are they scaled and rounded; a world that counts at all never drops out.

    >>> from fractions import Fraction
    >>> integer_weights([2, 1], 2), integer_weights([Fraction(1, 2), Fraction(1, 3)], 2), integer_weights(None, 3)
    ((2, 1), (3, 2), (1, 1, 1))
    """
    if weights is None:
        return (1,) * number
    if len(weights) != number:
        raise InputError(f"expected {number} weights, one for each world, found {len(weights)}")
    exact = [_exact(weight) for weight in weights]
    common = lcm(*(weight.denominator for weight in exact))
    whole = [weight.numerator * (common // weight.denominator) for weight in exact]
    total = sum(whole)
    if not total:
        raise InputError("expected a weight above 0, found none")
    return tuple(whole) if total <= TOTAL else tuple(_scale_weight(weight, total) for weight in whole)


def effective_sample_size(weights: Sequence[Weight]) -> float:
    """How many worlds of equal weight tell as much as these do.

    >>> effective_sample_size([1, 1, 1, 1]), effective_sample_size([3, 1])
    (4.0, 1.6)
    """
    whole = integer_weights(weights, len(weights))
    return sum(whole) ** 2 / sum(weight * weight for weight in whole)


def _exact(weight: Weight) -> Fraction:
    """A weight as a fraction, if it is one."""
    if isinstance(weight, Rational) and weight >= 0:
        return Fraction(int(weight.numerator), int(weight.denominator))  # numpy's integers would overflow
    if isinstance(weight, Real) and isfinite(weight) and weight >= 0:
        return Fraction(float(weight))
    raise InputError(f"expected a finite weight that is not negative, found {weight!r}")


def _scale_weight(weight: int, total: int) -> int:
    """A whole weight's share of ``TOTAL``, rounded; 0 only if the weight is."""
    return max(int(weight > 0), (2 * weight * TOTAL + total) // (2 * total))
