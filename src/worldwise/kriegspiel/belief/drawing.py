"""Draw from weighted boards: one, or a sample in which whatever is added up is right on average.

Samples are drawn in Fearnhead and Clifford's way: heavy boards are kept as they are, and of the light ones some stand
for all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from random import Random

    from numpy.random import Generator
    from numpy.typing import NDArray

    from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    from worldwise.kriegspiel.rules.board import ChessBoard

    Floats = NDArray[np.float64]

LEAST = 1e-300
"""No board weighs less when it is drawn."""


def draw_board(boards: WeightedBoards, rng: Random) -> ChessBoard:
    """One board, by its weight."""
    (place,) = rng.choices(range(len(boards)), boards.weights.tolist())
    return boards[place]


def draw_sample(
    boards: WeightedBoards, size: int, rng: Generator, tilts: Floats | None = None
) -> tuple[WeightedBoards, WeightedBoards]:
    """A sample of at most so many boards, and the others; each is weighted as if it stood for all.

    A board of weight w is chosen with probability w / c, or for certain if w is more than c; c is such that ``size``
    are chosen. The chosen then weigh at least c each, and what any event adds up to over them is right on average.
    The same holds for the others, those that were certain excepted. ``tilts`` make boards likelier to be chosen than
    their weights say; that is taken out of the weights again.
    """
    tilts = np.ones(len(boards)) if tilts is None else tilts
    wanted = np.maximum(boards.weights * tilts, LEAST)
    bound = _bound(wanted, size)
    certain = wanted >= bound
    marks = np.floor(np.where(certain, 0.0, wanted / bound).cumsum() + rng.random())
    chosen = certain | (np.diff(marks, prepend=0.0) > 0)
    others = ~chosen
    rest = boards.weights[others] / np.maximum(1 - wanted[others] / bound, 1e-6)
    return boards.select(chosen, (np.maximum(wanted, bound) / tilts)[chosen]), boards.select(others, rest)


def _bound(weights: Floats, size: int) -> float:
    """The c for which min(1, w / c) adds up to ``size``."""
    ordered = np.sort(weights)[::-1]
    left = ordered[::-1].cumsum()[::-1]
    # With the k heaviest certain, the others share what is left of the places.
    places = size - np.arange(min(size, len(ordered)))
    bounds = left[: len(places)] / places
    return float(bounds[np.argmax(ordered[: len(places)] <= bounds)])


def blend(pool: WeightedBoards, more: WeightedBoards) -> WeightedBoards:
    """Two samples of the same thing as one: each counts by its size."""
    if not len(pool) or not len(more):
        return pool if len(pool) else more
    share = len(pool) / (len(pool) + len(more))
    return pool.scale(share).join(more.scale(1 - share))
