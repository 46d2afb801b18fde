"""Any ``Game`` with everything seen: alpha-beta with a transposition table, and the mean where chance moves.

One player wants much, all others want him to have little. That is minimax for two players of a zero-sum game, and the
cautious reading of any other. A table keeps of every position the bounds found so far. A game that says with ``key``
(``Transposing``) which positions have the same future is solved much faster.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from worldwise.core.game import CHANCE, Transposing
from worldwise.core.result import Tally
from worldwise.errors import deep

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from worldwise.core.game import AnyGame


class FaceUpSolver:
    """What any position of a game is worth to a player if everybody sees everything; the table is kept.

    >>> from worldwise.phantom import Phantom
    >>> game = Phantom()
    >>> FaceUpSolver(game, "x").value(game.start())
    0.0
    """

    def __init__(self, game: AnyGame, player: Hashable, tally: Tally | None = None) -> None:
        self.game, self.player, self.tally = game, player, tally or Tally()
        self.key: Callable[[Any], Hashable] = game.key if isinstance(game, Transposing) else _itself
        self.bounds: dict[Hashable, tuple[float, float]] = {}

    def value(self, position: Any) -> float:
        """The exact value."""
        with deep():
            return self._search(position, -inf, inf)

    def move_values(self, position: Any) -> dict[Any, float]:
        """What each move of the player to move is worth to the player who asks."""
        return {move: self.value(self.game.play(position, move)) for move in self.game.moves(position)}

    def _search(self, position: Any, alpha: float, beta: float) -> float:
        """The value if it lies between alpha and beta, otherwise a bound on the same side of them."""
        mover = self.game.to_move(position)
        if mover is None:
            return self.game.payoff(position, self.player)
        key = self.key(position)
        low, high = self.bounds.get(key, (-inf, inf))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        self.tally.node()
        if mover == CHANCE:
            value = self._mean(position)
            self.bounds[key] = value, value
            return value
        value = self._best(position, max(alpha, low), min(beta, high), 1 if mover == self.player else -1)
        self.bounds[key] = (low if value <= alpha else value), (high if value >= beta else value)
        return value

    def _best(self, position: Any, alpha: float, beta: float, sign: int) -> float:
        """Both sides at once: for the others, everything is turned over."""
        lower, upper = (alpha, beta) if sign > 0 else (-beta, -alpha)
        best = -inf
        for move in self.game.moves(position):
            window = (lower, upper) if sign > 0 else (-upper, -lower)
            best = max(best, sign * self._search(self.game.play(position, move), *window))
            if best >= upper:
                break
            lower = max(lower, best)
        return sign * best

    def _mean(self, position: Any) -> float:
        """Over what chance does; every part of a mean must be exact."""
        shares = zip(self.game.moves(position), self.game.chances(position), strict=True)  # type: ignore[attr-defined]
        return sum(float(share) * self._search(self.game.play(position, move), -inf, inf) for move, share in shares)


def _itself(position: Any) -> Any:
    return position
