"""Scales: how a game's payoff vectors are coded for a search.

A search needs four things of a vector: ``&``, ``|``, equality and a score. Two codes give them:

- ``Thermometer`` (fast): if world w can pay one of a few values, it gets a *lane* of bits, and a payoff sets as many of
  them as there are smaller values. Then ``&`` and ``|`` of whole numbers are the worse and the better payoff in all
  worlds at once, "no better in any world" is "subset", win or loss takes one bit a world, and the compiled kernels can
  take the number as machine words. With payoffs 0..k, payoff x is the mask ``(1 << x) - 1``.
- ``Reals`` (general): the code is the ``Vector`` itself. Any payoffs, as many different ones as you like.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import inf, lcm
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

from worldwise.core.vector import Payoff, Vector, Weight, exact_fraction, whole_weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class LatticeElement(Protocol):
    """An element of a lattice: what a scale codes a payoff vector as."""

    def __and__(self, other: Self, /) -> Self:
        """The worse in every world."""

    def __or__(self, other: Self, /) -> Self:
        """The better in every world."""


Code = TypeVar("Code", bound=LatticeElement)


class Scale(Protocol[Code]):
    """How one game's vectors are coded; ``top`` and ``bottom`` bound every code."""

    @property
    def weights(self) -> tuple[Weight, ...]:
        """The worlds' probabilities, up to a common factor."""

    @property
    def top(self) -> Code:
        """Undefined in every world."""

    @property
    def bottom(self) -> Code:
        """No better than anything."""

    def code(self, payoffs: Iterable[Payoff]) -> Code:
        """The code of one payoff per world."""

    def vector(self, code: Code) -> Vector:
        """The payoffs of a code."""

    def score(self, code: Code) -> Any:
        """A key that orders codes by expected payoff; only order and ties mean anything."""

    def at_least(self, world: int, payoff: float) -> Code:
        """The least code that pays this much in this world."""

    def only(self, worlds: Iterable[int]) -> Code:
        """``top`` in these worlds and ``bottom`` in the others; ``code & only(w)`` forgets the rest."""


@dataclass(frozen=True)
class Thermometer:
    """The fast scale: each world's possible payoffs, in rising order, as lanes of bits.

    >>> scale = Thermometer.integers(worlds=2, highest=3)
    >>> bin(scale.code([2, 1])), bin(scale.code([2, 1]) & scale.code([1, 3]))
    ('0b1011', '0b1001')
    >>> scale.vector(0b001001)
    Vector(1, 1)
    """

    levels: tuple[tuple[float, ...], ...]
    weights: tuple[Weight, ...]

    @classmethod
    def integers(cls, worlds: int, highest: int = 1, weights: Sequence[Weight] | None = None) -> Thermometer:
        """Payoffs 0..highest in every world: 1 for win or loss, 13 for tricks."""
        return cls((tuple(range(highest + 1)),) * worlds, tuple(weights) if weights else (1,) * worlds)

    @property
    def worlds(self) -> int:
        """How many worlds there are."""
        return len(self.levels)

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """Where each world's lane begins; one more entry for the end of the last."""
        ends = [0]
        for lane in self.levels:
            ends.append(ends[-1] + len(lane) - 1)
        return tuple(ends)

    @property
    def bits(self) -> int:
        """The length of a code."""
        return self.offsets[-1]

    @property
    def top(self) -> int:
        """All lanes full."""
        return (1 << self.bits) - 1

    @property
    def bottom(self) -> int:
        """All lanes empty."""
        return 0

    @cached_property
    def gains(self) -> tuple[int, ...]:
        """What each bit adds to the score: whole numbers, exact unless their sum would pass 62 bits."""
        weights = whole_weights(self.weights)
        steps = [
            weight * (exact_fraction(high) - exact_fraction(low))
            for weight, lane in zip(weights, self.levels, strict=True)
            for low, high in pairwise(lane)
        ]
        common = lcm(*(step.denominator for step in steps))
        total = sum(steps) * common
        if total > 2**62:
            return tuple(round(step * common * 2**62 / total) for step in steps)
        return tuple(int(step * common) for step in steps)

    @cached_property
    def even_gain(self) -> int | None:
        """The gain of every bit if they are all the same: then a score is a count of bits."""
        return self.gains[0] if len(set(self.gains)) == 1 else None

    def code(self, payoffs: Iterable[Payoff]) -> int:
        """One lane per world, filled up to its payoff."""
        code = 0
        for offset, lane, payoff in zip(self.offsets, self.levels, payoffs, strict=False):
            code |= ((1 << _rank(lane, payoff)) - 1) << offset
        return code

    def vector(self, code: int) -> Vector:
        """The payoffs that fill the lanes this far."""
        lanes = zip(pairwise(self.offsets), self.levels, strict=True)
        return Vector(lane[(code >> low & ((1 << high - low) - 1)).bit_count()] for (low, high), lane in lanes)

    def score(self, code: int) -> int:
        """The sum of the gains of the bits set."""
        if self.even_gain is not None:
            return code.bit_count() * self.even_gain
        total = 0
        while code:
            low = code & -code
            total += self.gains[low.bit_length() - 1]
            code ^= low
        return total

    def at_least(self, world: int, payoff: float) -> int:
        """One lane filled up to this payoff, the others empty."""
        return ((1 << _rank(self.levels[world], payoff)) - 1) << self.offsets[world]

    def only(self, worlds: Iterable[int]) -> int:
        """These lanes full, the others empty."""
        return sum(self.at_least(world, self.levels[world][-1]) for world in worlds)


@dataclass(frozen=True)
class Reals:
    """The general scale: vectors code themselves.

    >>> scale = Reals((1, 3))
    >>> scale.score(scale.code([0.25, 0.5]))
    (0.0, 1.75)
    """

    weights: tuple[Weight, ...]

    @property
    def top(self) -> Vector:
        """Undefined in every world."""
        return Vector([inf] * len(self.weights))

    @property
    def bottom(self) -> Vector:
        """Minus infinity in every world."""
        return Vector([-inf] * len(self.weights))

    @cached_property
    def whole(self) -> tuple[int, ...]:
        """The weights as whole numbers."""
        return whole_weights(self.weights)

    def code(self, payoffs: Iterable[Payoff]) -> Vector:
        """The vector of these payoffs."""
        return Vector(payoffs)

    def vector(self, code: Vector) -> Vector:
        """The vector itself."""
        return code

    def score(self, code: Vector) -> tuple[float, float]:
        """See ``Vector.score``."""
        return code.score(self.whole)

    def at_least(self, world: int, payoff: float) -> Vector:
        """This payoff here, minus infinity elsewhere."""
        return Vector(payoff if w == world else -inf for w in range(len(self.weights)))

    def only(self, worlds: Iterable[int]) -> Vector:
        """Undefined here, minus infinity elsewhere."""
        chosen = set(worlds)
        return Vector(inf if world in chosen else -inf for world in range(len(self.weights)))


AnyScale = Scale[Any]
"""A scale whose codes nobody looks into."""


def _rank(lane: tuple[float, ...], payoff: Payoff) -> int:
    """How many values of the lane are below the payoff: its height in the thermometer."""
    return len(lane) - 1 if payoff is None else bisect_left(lane, payoff)
