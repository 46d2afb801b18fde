"""Sets of worlds weighed quickly: searches over a single suit weigh every set they meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Mask = int
"""A set of worlds: bit i is world i."""


class Scales:
    """Weighs sets of worlds by looking up eight worlds at a time.

    >>> Scales([1, 10, 100]).weigh(0b101)
    101
    """

    def __init__(self, weights: Sequence[int]) -> None:
        self._sums = [_subset_sums(weights[start : start + 8]) for start in range(0, len(weights), 8)]

    def weigh(self, mask: Mask) -> int:
        """The weights of all worlds of a set."""
        parts = mask.to_bytes(len(self._sums), "little")
        return sum([sums[part] for sums, part in zip(self._sums, parts, strict=True)])


def _subset_sums(weights: Sequence[int]) -> list[int]:
    """What every subset weighs; bit i of its number is whether it has the i-th weight."""
    sums = [0]
    for weight in weights:
        sums += [total + weight for total in sums]
    return sums
