"""How similar the worlds of a game are: FBM97's q, measured.

FBM97 overwrites each world of a random tree by a common dummy world with probability q: so two worlds are copies of
each other with probability q squared, and otherwise have nothing in common. Its section 5 asks for a measure that gives
this q back, and can be taken of real games. Leaves will not do: in Bridge the cards played say who has won, whatever
the world. But what the worlds are like shows in MAX's *choices*. For each of his moves, and each world that is still
possible, ask whether it wins with everything seen. Two worlds that are copies agree on which of the moves are good;
two that have nothing in common agree no more than by chance. The covariance of two worlds over the moves of a choice,
by the variance of one, is q squared on average; where all moves are equally good in a world, there is no choice, and
nothing is counted.

Choices are met by random play: MAX's moves and MIN's are drawn evenly, in a world that is drawn by its weight.
"""

from __future__ import annotations

from math import copysign, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from worldwise.core.game import Side, as_coded
from worldwise.search.face_up import FaceUp, Solved

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from numpy.typing import NDArray

    from worldwise.core.game import AnyWorldGame


class Similarity(NamedTuple):
    """Sums over choices: what two worlds have in common, and what there is in one world to have in common."""

    shared: float = 0.0
    whole: float = 0.0

    @property
    def q(self) -> float:
        """FBM97's q; below zero if good moves in one world tend to be bad in another.

        >>> Similarity(0.49, 1.0).q
        0.7
        """
        return copysign(sqrt(abs(self.shared / self.whole)), self.shared) if self.whole else 0.0


def measure_similarity(game: AnyWorldGame, walks: int, rng: Random, face_up: FaceUp | None = None) -> Similarity:
    """What the choices on so many random walks through a game have in common.

    >>> from random import Random
    >>> from worldwise import random_tree
    >>> alike, unlike = (random_tree(depth=8, worlds=10, similarity=q, seed=1) for q in (1, 0))
    >>> measure_similarity(alike, 200, Random(0)).q
    1.0
    >>> abs(measure_similarity(unlike, 200, Random(0)).q) < 0.2
    True
    """
    seen = face_up or Solved(game)
    found = [choice for _ in range(walks) for choice in _walk(game, seen, rng)]
    return Similarity(sum(one.shared for one in found), sum(one.whole for one in found))


def _walk(game: AnyWorldGame, face_up: FaceUp, rng: Random) -> Iterable[Similarity]:
    """The choices that MAX has when moves are drawn evenly, in one world."""
    (world,) = rng.choices(range(game.worlds), game.weights)
    position = game.root
    while (side := game.to_move(position)) is not None:
        after = [game.play(position, move) for move in game.moves(position)]
        if side is Side.MIN:
            after = [one for one in after if world in face_up.open(one)]
        elif len(after) > 1:
            yield _compare_worlds(game, after, face_up)
        position = rng.choice(after)


def _compare_worlds(game: AnyWorldGame, after: list[Any], face_up: FaceUp) -> Similarity:
    """What the worlds that are still possible agree on, at a choice between these positions."""
    worlds = face_up.open(after[0])
    if len(worlds) < 2:
        return Similarity()
    scale = as_coded(game).scale
    values = [scale.vector(face_up.code(position, worlds)) for position in after]
    chosen = sorted(worlds)
    payoffs = np.array([[float(vector[world] or 0) for world in chosen] for vector in values])
    return _agreement(payoffs, np.array([float(game.weights[world]) for world in chosen]))


def _agreement(payoffs: NDArray[np.float64], weights: NDArray[np.float64]) -> Similarity:
    """The mean covariance of two different worlds over moves, and the mean variance of one; worlds count by weight."""
    apart = payoffs - payoffs.mean(axis=0)
    covariance = apart.T @ apart
    pairs = np.outer(weights, weights)
    np.fill_diagonal(pairs, 0)
    if not pairs.any():
        return Similarity()
    shared = float((pairs * covariance).sum() / pairs.sum())
    return Similarity(shared, float(weights @ covariance.diagonal() / weights.sum()))
