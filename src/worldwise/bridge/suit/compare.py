"""Two lines of play for one suit, head to head, as matchpoints compare them: who takes more tricks, and how often?

Two tables hold the same cards. At each, declarer follows his line, and the defenders, who see all hands and know that
line, hold it to as few tricks as they can in the layout at hand: each table's defence plays against its own declarer,
not against the score at the other. Then the tricks of the two lines are compared layout by layout.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from worldwise.bridge.suit.solver import SuitLine
    from worldwise.bridge.suit.weighing import Mask


@dataclass(frozen=True)
class HeadToHead:
    """How two lines compare: the worlds in which the first takes more tricks, and those in which the second does."""

    first: SuitLine
    second: SuitLine
    first_more: Mask
    second_more: Mask

    @property
    def more(self) -> Fraction:
        """How likely it is that the first line takes more tricks."""
        return self._chance(self.first_more)

    @property
    def fewer(self) -> Fraction:
        """How likely it is that the second line takes more tricks."""
        return self._chance(self.second_more)

    @property
    def equal(self) -> Fraction:
        """How likely it is that both take as many."""
        return 1 - self.more - self.fewer

    @property
    def score(self) -> Fraction:
        """The first line's share of the matchpoints: all of them for more tricks, half of them for as many."""
        return self.more + self.equal / 2

    def _chance(self, worlds: Mask) -> Fraction:
        return self.first.solver.chance(self.first.solver.weight(worlds))


def compare_lines(first: SuitLine, second: SuitLine) -> HeadToHead:
    """Two lines head to head; the module says against which defence.

    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> from worldwise.bridge.suit.rules import Suit
    >>> solver = SuitSolver(Suit.of("AJ98", "K32"))
    >>> found = compare_lines(solver.line(3), solver.line(4))
    >>> [round(float(chance), 4) for chance in (found.more, found.equal, found.fewer, found.score)]
    [0.0882, 0.65, 0.2618, 0.4132]
    """
    levels = list(zip(first.levels, second.levels, strict=True))
    # Levels shrink: who is in a level that the other is not in takes more.
    more = _any(one & ~other for one, other in levels)
    return HeadToHead(first, second, more, _any(other & ~one for one, other in levels))


def _any(masks: Iterable[Mask]) -> Mask:
    return reduce(or_, masks, 0)
