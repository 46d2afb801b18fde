"""Outcome vectors: what one strategy earns, world by world.

A ``Vector`` holds one payoff per possible world. ``&`` is the worse and ``|`` the better of two vectors *in every
world*, and ``<=`` is "no better in any world", so vectors are a distributive lattice. The undefined payoff (FB01's
"bottom" symbol: this leaf cannot be reached in that world) is written ``None`` and is the top of its world: a minimum
ignores it, which is all that legality per world needs.

``Vector`` is the general form: any real payoffs. Searches prefer the same lattice as bit masks, see ``scale``.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf, isfinite, lcm
from typing import TYPE_CHECKING

from worldwise.core.reading import read_exact
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Payoff = float | None
"""A number, or None where the outcome cannot arise."""

Weight = float | Fraction
"""A world's probability, up to a common factor."""


class Vector:
    """One payoff per world; immutable, hashable, ordered world by world.

    >>> Vector([1, 0, None]) & Vector([1, 1, 0])
    Vector(1, 0, 0)
    >>> Vector([1, 0]) | Vector([0, 1])
    Vector(1, 1)
    >>> Vector([1, 0]) <= Vector([0, 1])
    False
    """

    __slots__ = ("_payoffs",)

    def __init__(self, payoffs: Iterable[Payoff]) -> None:
        self._payoffs = tuple(inf if payoff is None else payoff for payoff in payoffs)

    def __and__(self, other: Vector) -> Vector:
        return _make(map(min, self._payoffs, other._payoffs))

    def __or__(self, other: Vector) -> Vector:
        return _make(map(max, self._payoffs, other._payoffs))

    def __le__(self, other: Vector) -> bool:
        return all(map(_no_better, self._payoffs, other._payoffs))

    def __ge__(self, other: Vector) -> bool:
        return other <= self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vector) and self._payoffs == other._payoffs

    def __hash__(self) -> int:
        return hash(self._payoffs)

    def __len__(self) -> int:
        return len(self._payoffs)

    def __iter__(self) -> Iterator[Payoff]:
        return (None if payoff == inf else payoff for payoff in self._payoffs)

    def __getitem__(self, world: int) -> Payoff:
        return None if self._payoffs[world] == inf else self._payoffs[world]

    def __repr__(self) -> str:
        return f"Vector({', '.join(map(_plain, self))})"

    def __str__(self) -> str:
        """The papers' short form where every payoff is one digit.

        >>> str(Vector([1, 0, None])), str(Vector([10, 0.5]))
        ('10-', '(10, 0.5)')
        """
        words = ["-" if payoff is None else _plain(payoff) for payoff in self]
        return "".join(words) if all(len(word) == 1 for word in words) else f"({', '.join(words)})"

    def height(self) -> tuple[float, ...]:
        """A key that grows along ``<=``: sorted by it, a dominating vector never comes before what it dominates."""
        return self._payoffs

    def score(self, weights: Sequence[float]) -> tuple[float, float]:
        """The weight of the worlds where the payoff is undefined, and the weighted sum over those where it is defined.

        MAX only ever compares vectors that are undefined in the same worlds, so this is FB01's equation 6; where a
        search compares others (alpha-beta, across MIN nodes), undefined is better than any payoff, as it must be.
        """
        undefined = total = 0.0
        for weight, payoff in zip(weights, self._payoffs, strict=True):
            if isfinite(payoff):  # added one by one: the compiled kernels must round alike
                total += weight * payoff
            elif payoff > 0:
                undefined += weight
        return undefined, total

    def expected(self, weights: Sequence[Weight]) -> float:
        """The expected payoff under these weights, computed exactly and rounded once.

        >>> Vector([1, 1, 0]).expected([1, 1, 1])
        0.6666666666666666
        """
        exact = whole_weights(weights)
        pairs = zip(exact, self._payoffs, strict=True)
        return float(sum(weight * Fraction(payoff) for weight, payoff in pairs if isfinite(payoff)) / sum(exact))


def _make(payoffs: Iterable[float]) -> Vector:
    """A vector of payoffs that other vectors hold: nothing is left to be written otherwise."""
    vector = Vector.__new__(Vector)
    vector._payoffs = tuple(payoffs)
    return vector


def _no_better(payoff: float, other: float) -> bool:
    return payoff <= other


def _plain(payoff: Payoff) -> str:
    """A payoff without a needless ``.0``."""
    return str(int(payoff)) if isinstance(payoff, float) and payoff.is_integer() else str(payoff)


def exact_fraction(number: Weight) -> Fraction:
    """The fraction a person meant by a float: 0.1 is 1/10, 1/3 is 1/3.

    >>> exact_fraction(0.1), exact_fraction(1 / 3)
    (Fraction(1, 10), Fraction(1, 3))
    """
    if not isinstance(number, float):
        return Fraction(number)
    short = Fraction(number).limit_denominator(10**6)
    return short if float(short) == number else Fraction(str(number))


Number = int | float | str | Fraction
"""How people write a number: ``3``, ``0.25``, ``"1/3"``."""


def exact_number(number: Number) -> int | Fraction:
    """The exact number a person meant; whole numbers stay ``int``, which is faster.

    >>> exact_number("1/3"), exact_number(0.1), exact_number(2.0)
    (Fraction(1, 3), Fraction(1, 10), 2)
    """
    if isinstance(number, int):
        return number
    if isinstance(number, str):
        return read_exact(number)
    try:
        value = exact_fraction(number)
    except (ValueError, OverflowError):
        raise InputError(f"expected a number such as 3, 0.25 or 1/3, found {number!r}") from None
    return value.numerator if value.denominator == 1 else value


_EXACT_TOTAL = 2**53


def whole_weights(weights: Sequence[Weight]) -> tuple[int, ...]:
    """Whole numbers in the same proportions, so that equal chances compare equal.

    Exact whenever the whole numbers sum to at most 2**53; otherwise rounded to that many parts.

    >>> whole_weights([0.5, 0.3, 0.2])
    (5, 3, 2)
    """
    fractions = [exact_fraction(weight) for weight in weights]
    common = lcm(*(fraction.denominator for fraction in fractions))
    whole = [int(fraction * common) for fraction in fractions]
    if (total := sum(whole)) <= _EXACT_TOTAL:
        return tuple(whole)
    return tuple(round(weight * _EXACT_TOTAL / Fraction(total)) for weight in whole)
