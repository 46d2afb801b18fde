"""Ties: which of several equally good moves to take, by a named rule.

The papers resolve equal choices at random. A random choice here is a function of the seed, the number of the node
(counted as the pass visits them) and the number of equals so far, so the same seed gives the same strategy on every
machine, compiled or not, whatever the order of work.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from worldwise.core.mixing import WORD, splitmix

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Ties:
    """The first of equals, or with a seed any of them with equal chance.

    >>> Ties().pick([2, 7, 7], node=0)
    1
    >>> sorted({Ties(seed).pick([2, 7, 7], node=0) for seed in range(9)})
    [1, 2]
    """

    seed: int | None = None

    @property
    def word(self) -> int | None:
        """The seed as a machine word."""
        return None if self.seed is None else self.seed & WORD

    def takes_over(self, node: int, equals: int) -> bool:
        """Whether the latest of so many equals is preferred to the one held: with chance 1 / equals."""
        if self.word is None:
            return False
        return splitmix(splitmix(splitmix(self.word) ^ node) ^ equals) % equals == 0

    def pick(self, keys: Sequence[Any], node: int) -> int:
        """The index of the greatest key."""
        best, equals = 0, 1
        for index in range(1, len(keys)):
            if keys[index] > keys[best]:
                best, equals = index, 1
            elif keys[index] == keys[best]:
                equals += 1
                if self.takes_over(node, equals):
                    best = index
        return best

    def fork(self, branch: int) -> Ties:
        """A rule of the same kind for another pass of the same search, independent of this one."""
        return self if self.word is None else Ties(splitmix(splitmix(self.word) ^ ~branch & WORD))


FIRST = Ties()
