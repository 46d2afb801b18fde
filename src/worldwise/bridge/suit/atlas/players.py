"""What players without a plan win, for every goal of a combination: one who samples, and two who go by a rule of thumb.

None of them compares whole lines. Whatever even the best of them gives up takes thought to find, and that is what the
atlas calls *hard*: the best chance less the best of theirs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from worldwise.bridge.suit.sampling import won_by_sampling
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.thumb_players import won_by_rule
from worldwise.errors import refuse_failures

if TYPE_CHECKING:
    from worldwise.bridge.suit.rules import Suit


class PlayedGoal(NamedTuple):
    """The chances of a goal, in parts of ``WHOLE``: with sampling, the natural finesse, and the drop."""

    sampling: int
    finesse: int
    drop: int


class Played(tuple[PlayedGoal, ...]):
    """What the players win of 1, 2, 3 ... tricks, up to as many as the longer hand has cards.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> played = play(Suit.of("AQ", "32"))
    >>> str(played), Played.read(str(played)) == played
    ('10400600 10400600 10400600;5200300 5200300 12376', True)
    """

    __slots__ = ()

    def __str__(self) -> str:
        return ";".join(" ".join(map(str, goal)) for goal in self)

    @classmethod
    def read(cls, text: str) -> Played:
        """What was written as text."""
        with refuse_failures("a played combination of the atlas"):
            return cls(PlayedGoal(*map(int, part.split(" "))) for part in text.split(";"))


def play(suit: Suit) -> Played:
    """What all players win of a suit."""
    solver = SuitSolver(suit)
    return Played(_goal(solver, tricks) for tricks in range(1, suit.length + 1))


def _goal(solver: SuitSolver, tricks: int) -> PlayedGoal:
    wins = (
        won_by_sampling(solver, tricks),
        won_by_rule(solver, tricks, "finesse"),
        won_by_rule(solver, tricks, "drop"),
    )
    return PlayedGoal(*map(solver.weight, wins))
