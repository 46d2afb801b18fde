"""A belief in short: for every square the chance of each enemy man, and how much the figures are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from worldwise.kriegspiel.rules.packing import KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    from worldwise.kriegspiel.rules.squares import Colour, Man

    Chances = tuple[float, ...]
    """One for every square, from a1 on."""


@dataclass(frozen=True)
class BeliefSummary:
    """How many boards there are, how many of equal weight would say as much, and where the enemy's men may be.

    ``chances`` has them by man; ``counts`` how many of each there are on average.
    """

    boards: int
    effective: float
    exact: bool
    chances: dict[Man, Chances]

    @property
    def king(self) -> Chances:
        """Where the enemy's king may be."""
        return next(chances for man, chances in self.chances.items() if man in "Kk")

    @property
    def occupied(self) -> Chances:
        """Where any enemy may be."""
        return tuple(map(sum, zip(*self.chances.values(), strict=True)))

    @property
    def counts(self) -> dict[Man, float]:
        """How many men of each kind the enemy has on average."""
        return {man: sum(chances) for man, chances in self.chances.items()}

    def likeliest(self, square: int) -> tuple[Man, float] | None:
        """The enemy man most likely to stand on a square, with his chance; None if there can be none."""
        man = max(self.chances, key=lambda man: self.chances[man][square])
        chance = self.chances[man][square]
        return (man, chance) if chance else None


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
    men = {player.other.man(kind): kind for kind in KINDS}
    chances = {man: _chances(boards, shares, man, place) for place, man in enumerate(men)}
    return BeliefSummary(len(boards), boards.effective, exact, chances)


def _chances(boards: WeightedBoards, shares: NDArray[np.float64], man: Man, place: int) -> Chances:
    if boards.is_packed:
        squares = boards.items[:, place] & boards.items[:, 6 + man.islower()]
        stands = np.unpackbits(squares.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
    else:
        stands = np.array([[here == man for here in board.men] for board in boards.items])
    return tuple((shares @ stands).tolist())
