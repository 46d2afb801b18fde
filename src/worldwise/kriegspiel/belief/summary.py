"""A belief in short: for every square the chance of each enemy piece, and how much the figures are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from worldwise.kriegspiel.rules.packing import KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    from worldwise.kriegspiel.rules.squares import Colour, Piece

    Chances = tuple[float, ...]
    """One for every square, from a1 on."""


@dataclass(frozen=True)
class BeliefSummary:
    """How many boards there are, how many of equal weight would say as much, and where the enemy's pieces may be.

    ``chances`` has them by piece; ``counts`` how many of each there are on average.
    """

    boards: int
    effective: float
    exact: bool
    chances: dict[Piece, Chances]

    @property
    def king(self) -> Chances:
        """Where the enemy's king may be."""
        return next(chances for piece, chances in self.chances.items() if piece in "Kk")

    @property
    def occupied(self) -> Chances:
        """Where any enemy may be."""
        return tuple(map(sum, zip(*self.chances.values(), strict=True)))

    @property
    def counts(self) -> dict[Piece, float]:
        """How many pieces of each kind the enemy has on average."""
        return {piece: sum(chances) for piece, chances in self.chances.items()}

    def likeliest(self, square: int) -> tuple[Piece, float] | None:
        """The enemy piece most likely to stand on a square, with its chance; None if there can be none."""
        piece = max(self.chances, key=lambda piece: self.chances[piece][square])
        chance = self.chances[piece][square]
        return (piece, chance) if chance else None


def summary(boards: WeightedBoards, player: Colour, *, exact: bool = True) -> BeliefSummary:
    """A player's belief in short.

    >>> from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    >>> from worldwise.kriegspiel.rules.board import START
    >>> from worldwise.kriegspiel.rules.squares import WHITE
    >>> found = summary(WeightedBoards.of([START]), WHITE)
    >>> found.king[60], found.likeliest(48), found.counts["p"]
    (1.0, ('p', 1.0), 8.0)
    """
    shares = boards.weights / boards.weights.sum()
    pieces = {player.other.piece(kind): kind for kind in KINDS}
    chances = {piece: _chances(boards, shares, piece, place) for place, piece in enumerate(pieces)}
    return BeliefSummary(len(boards), boards.effective, exact, chances)


def _chances(boards: WeightedBoards, shares: NDArray[np.float64], piece: Piece, place: int) -> Chances:
    if boards.is_packed:
        squares = boards.items[:, place] & boards.items[:, 6 + piece.islower()]
        stands = np.unpackbits(squares.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
    else:
        stands = np.array([[here == piece for here in board.pieces] for board in boards.items])
    return tuple((shares @ stands).tolist())
