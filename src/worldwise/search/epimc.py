"""Perfect information later: PIMC with its one look postponed by some moves (EPIMC).

Arjonilla, Saffidine and Cazenave (2024) let a player who samples worlds see everything not after his next move but some
moves later. Up to there he makes one move for all worlds that look the same; the others choose in each world. At MAX
the move with the best mean is taken: one vector, where alpha-mu keeps a front. A depth of 1 is PIMC.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, Any

from worldwise.core.game import Side
from worldwise.core.result import NO_LIMIT, Clock, Limit, Tally
from worldwise.errors import expect_at_least_one
from worldwise.search.seat_view import SeatFaceUp

if TYPE_CHECKING:
    from worldwise.search.seat_view import SeatNode, SeatView


@dataclass(frozen=True)
class PostponedPimc:
    """EPIMC over the worlds of a ``SeatView``; ``depth`` is in moves of MAX."""

    depth: int = 2
    name = "epimc"

    def __post_init__(self) -> None:
        expect_at_least_one("a depth", self.depth)

    def move_values(
        self, view: SeatView, limit: Limit = NO_LIMIT, face_up: SeatFaceUp | None = None
    ) -> dict[Any, float]:
        """What each move of the root is worth on average."""
        tally = Tally(Clock(limit, self.name))
        leaves = face_up or SeatFaceUp(view)
        leaves.solver.tally = view.tally = tally
        walk = _Walk(view, leaves, tally)
        after = {move: view.play(view.root, move) for move in view.moves(view.root)}
        return {move: walk.mean(walk.vector(node, self.depth - 1)) for move, node in after.items()}


@dataclass(frozen=True)
class _Walk:
    view: SeatView
    face_up: SeatFaceUp
    tally: Tally

    def mean(self, vector: Any) -> float:
        """Over the worlds."""
        return float(vector.expected(self.view.weights))

    def vector(self, node: SeatNode, depth: int) -> Any:
        """What each world is worth."""
        self.tally.node()
        if node.side is None or depth == 0:
            return self.face_up.code(node, node.worlds)
        rest = depth - (node.side is Side.MAX)
        below = [self.vector(self.view.play(node, move), rest) for move in self.view.moves(node)]
        return max(below, key=self.face_up.scale.score) if node.side is Side.MAX else reduce(and_, below)
