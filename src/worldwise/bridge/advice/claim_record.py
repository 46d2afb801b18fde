"""What is found out about a claim: whether one plan takes the tricks, and what double dummy says."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from worldwise.bridge.rules.deal import Deal
    from worldwise.search.alphamu_root import ValueKind


@dataclass(frozen=True)
class PlannedClaim:
    """What one plan makes of a claim: it ``fails`` in so many of the ``layouts`` looked at, all of them if ``exact``.

    ``chance`` is how likely it is to take the tricks, and ``telling`` are some of the layouts in which it does not.
    ``kind`` says whether that is final; if not, it may fail in more.
    """

    layouts: int
    exact: bool
    fails: int
    chance: float
    kind: ValueKind
    telling: tuple[Deal, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class TrickClaim:
    """Declarer's side takes ``tricks`` of the ``left``, says who claims after so many cards (``place``).

    ``planned`` is what one plan makes of it; None for fewer than seven tricks in all. ``seen`` is what double dummy
    takes on the deal as it lay, None if not all hands are known.
    """

    place: int
    tricks: int
    left: int
    planned: PlannedClaim | None
    seen: int | None

    @property
    def good(self) -> bool:
        """Whether one plan takes the tricks in every layout looked at."""
        return self.planned is not None and not self.planned.fails
