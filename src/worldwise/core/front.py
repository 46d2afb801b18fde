"""Fronts: everything a player can choose to get.

A front is a set of outcomes of which none dominates another, read as "each of these, and whatever is no better".
Read so, MAX's choice is union (``|``) and MIN's choice is intersection (``&``), fronts are a distributive lattice, and
plain minimax over them is exact under best defence. Its elements may be ``Vector`` or any code of a ``scale``: all a
front asks of them is ``&`` and equality.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from worldwise.core.scale import Code

_Item = TypeVar("_Item")

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Watch = Callable[[], None]
    """What a long piece of work calls now and then; it may raise, as ``Clock.check`` does."""


class Front(Generic[Code]):
    """The undominated ones among some outcomes; immutable, hashable, ordered by inclusion of what they dominate.

    >>> left, right = Front([0b1100]), Front([0b0011])
    >>> sorted(left | right), list(left & right)
    ([3, 12], [0])
    >>> Front([0b1000, 0b1100]) == left
    True
    """

    __slots__ = ("_outcomes",)

    def __init__(self, outcomes: Iterable[Code], watch: Watch | None = None) -> None:
        self._outcomes = frozenset(drop_dominated(outcomes, watch))

    @classmethod
    def of_undominated(cls, outcomes: Iterable[Code]) -> Front[Code]:
        """A front of outcomes that are known not to dominate one another: nothing is compared."""
        front = cls(())
        front._outcomes = frozenset(outcomes)
        return front

    def __or__(self, other: Front[Code]) -> Front[Code]:
        """MAX chooses: what either offers."""
        return self.join(other)

    def __and__(self, other: Front[Code]) -> Front[Code]:
        """MIN chooses: what both leave, the worse in every world of one outcome from each."""
        return self.meet(other)

    def join(self, other: Front[Code], watch: Watch | None = None) -> Front[Code]:
        """``|`` under a watch: large fronts take long."""
        return Front((*self._outcomes, *other._outcomes), watch)

    def meet(self, other: Front[Code], watch: Watch | None = None) -> Front[Code]:
        """``&`` under a watch: large fronts take very long."""
        return Front((mine & yours for mine in self._outcomes for yours in other._outcomes), watch)

    def __le__(self, other: Front[Code]) -> bool:
        return all(outcome in other for outcome in self._outcomes)

    def __ge__(self, other: Front[Code]) -> bool:
        return other <= self

    def __contains__(self, outcome: Code) -> bool:
        """Whether the front offers this outcome or a better one."""
        return any(outcome & offered == outcome for offered in self._outcomes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Front) and self._outcomes == other._outcomes

    def __hash__(self) -> int:
        return hash(self._outcomes)

    def __len__(self) -> int:
        return len(self._outcomes)

    def __iter__(self) -> Iterator[Code]:
        return iter(self._outcomes)

    def __repr__(self) -> str:
        return f"Front({{{', '.join(sorted(map(repr, self._outcomes)))}}})"


def drop_dominated(outcomes: Iterable[Code], watch: Watch | None = None) -> list[Code]:
    """Those that are no better than another one left out; ``watch`` is called now and then.

    >>> drop_dominated([0b01, 0b11, 0b10])
    [3]
    """
    kept: list[Code] = []
    compared = 0
    # Highest first: whatever dominates an outcome is already kept when it comes.
    for outcome in sorted(set(iterate_watched(outcomes, watch)), key=_height, reverse=True):
        compared += len(kept) + 1
        if watch is not None and compared >= COMPARISONS_PER_LOOK:
            watch()
            compared = 0
        if not any(outcome & other == outcome for other in kept):
            kept.append(outcome)
    return kept


COMPARISONS_PER_LOOK = 1000
"""Comparisons between two looks at the watch: of vectors of a hundred worlds, some milliseconds."""


def iterate_watched(items: Iterable[_Item], watch: Watch | None) -> Iterable[_Item]:
    """The same, the watch being called after every few."""
    for number, item in enumerate(items, start=1):
        if watch is not None and number % 16 == 0:
            watch()
        yield item


def _height(outcome: Any) -> Any:
    """A key that grows along the order of outcomes."""
    return outcome.bit_count() if isinstance(outcome, int) else outcome.height()
