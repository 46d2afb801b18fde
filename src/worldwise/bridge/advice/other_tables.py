"""What the score of a board is worth beside other tables: IMPs against one, matchpoints against a field.

Points alone do not say what to play for. At teams the other table has a score too, and the difference counts in IMPs;
at pairs it counts only how many others scored less. Both depend on the layout, so every layout is compared with what
the others make of that same layout:

==============  ======================================================================================================
``OtherTable``  IMPs. The score there is given, or it is what the best card in that layout leads to, all cards seen.
``PairsField``  matchpoints, as a share of all. Half of the field sees all cards; the other half stands where the
                player stands and plays each *sensible* card as often as any other. A card is not sensible if another
                one does as well in every layout and better in some.
==============  ======================================================================================================

All of it is face up: after the card that is chosen here and there, everybody plays double dummy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from worldwise.bridge.rules.scoring import imps

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Points = NDArray[np.int64]
    Worth = NDArray[np.float64]


class OtherTables(Protocol):
    """Who else plays the board."""

    @property
    def unit(self) -> str:
        """What is counted."""

    def worth(self, points: Points) -> Worth:
        """What each score is worth: a row for every layout, a column for every card that may be played."""


@dataclass(frozen=True)
class OtherTable:
    """The other table of a teams match: its ``score``, in points for the player's side, if it is known.

    >>> OtherTable(420).worth(np.array([[420, 450], [-50, 420]])).tolist()
    [[0.0, 1.0], [-10.0, 0.0]]
    >>> OtherTable().worth(np.array([[420, 450], [-50, 420]])).tolist()
    [[-1.0, 0.0], [-10.0, 0.0]]
    """

    score: int | None = None

    unit = "imps"

    def worth(self, points: Points) -> Worth:
        """IMPs won, or lost."""
        there = points.max(axis=1, keepdims=True) if self.score is None else self.score
        return np.array([[float(imps(points)) for points in row] for row in (points - there).tolist()])


@dataclass(frozen=True)
class PairsField:
    """The field of a pairs contest.

    Against one who sees all cards the best there is to have is half of the points.

    >>> PairsField().worth(np.array([[420, 450], [420, -50]])).tolist()
    [[0.125, 0.625], [0.625, 0.125]]
    """

    unit = "matchpoints"

    def worth(self, points: Points) -> Worth:
        """The share of the matchpoints."""
        blind: Worth = np.stack([_beaten(points, points[:, [column]]) for column in _sensible(points)]).mean(axis=0)
        return 0.5 * blind + 0.5 * _beaten(points, points.max(axis=1, keepdims=True))


FIELD = PairsField()
"""The field that there always is."""


def _beaten(points: Points, others: Points) -> Worth:
    """A point for more than the others have, half a point for as much."""
    ahead: Worth = np.sign(points - others).astype(np.float64)
    return (ahead + 1) / 2


def _sensible(points: Points) -> list[int]:
    """The cards, by column, that no other one beats in some layout and equals in the rest.

    >>> _sensible(np.array([[1, 2, 2], [1, 0, 1]]))
    [2]
    """
    columns = range(points.shape[1])

    def is_beaten(column: int) -> bool:
        others = (points[:, other] - points[:, column] for other in columns)
        return any((more >= 0).all() and more.any() for more in others)

    return [column for column in columns if not is_beaten(column)]
