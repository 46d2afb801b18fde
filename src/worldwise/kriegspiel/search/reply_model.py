"""How greedy a player is, by the moves he has made: the greed under which they are likeliest.

``BoardSearch`` takes a legal reply for likelier by ``greed`` for each pawn's worth that it takes or promotes. Here that
number is found from games. Each move counts as drawn from all that were legal on the true board: a player who does not
see it tries more, but what he makes is one of these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from worldwise.core.statistics import Estimate
from worldwise.errors import InputError
from worldwise.kriegspiel.search.evaluation import KS
from worldwise.kriegspiel.search.information_sets import MOST_GREED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.squares import ChessMove

    Floats = NDArray[np.float64]

STEPS = 4_000
"""Numbers that are tried, closer together near nothing."""

HALF_QUANTILE = 1.92
"""By how much the logarithm of the likelihood falls off to the ends of an interval for 95 %."""


@dataclass(frozen=True)
class GreedFit:
    """The greed with its interval, and what a move's likelihood gains by it over moves that are all alike.

    ``gained`` is the mean logarithm of how many times likelier it makes a move.
    """

    greed: Estimate
    gained: float


def fit_greed(moves: Iterable[tuple[ChessBoard, ChessMove]]) -> GreedFit:
    """The greed of whoever made these moves, each with the board before it.

    >>> from worldwise.kriegspiel.rules.fen import read_fen
    >>> from worldwise.kriegspiel.rules.squares import read_uci
    >>> board = read_fen("7k/8/8/8/8/2p5/1P6/K7 b")
    >>> takes, steps = read_uci("c3b2"), read_uci("h8g8")
    >>> fit = fit_greed([(board, takes)] * 2 + [(board, steps)] * 2)  # one of five moves takes a pawn, half of the time
    >>> round(fit.greed.value, 1)
    3.0
    """
    made, count, total = _gains(moves)
    tried = np.expm1(np.linspace(0.0, np.log1p(MOST_GREED), STEPS))
    likelihoods = np.array([_likelihood(greed, made, count, total) for greed in tried])
    best = int(likelihoods.argmax())
    within = tried[likelihoods >= likelihoods[best] - HALF_QUANTILE]
    greed = Estimate(float(tried[best]), float(within[0]), float(within[-1]), len(made))
    return GreedFit(greed, float(likelihoods[best] - likelihoods[0]) / len(made))


def _gains(moves: Iterable[tuple[ChessBoard, ChessMove]]) -> tuple[Floats, Floats, Floats]:
    """For each move what it has won, how many were legal, and what all of them would have won together."""
    rows = [
        (KS.gain(board, move), len(board.legal_moves), sum(KS.gain(board, other) for other in board.legal_moves))
        for board, move in moves
    ]
    if not rows:
        raise InputError("expected at least one move to find a greed from, found none")
    made, count, total = np.array(rows, dtype=np.float64).T
    return made, count, total


def _likelihood(greed: float, made: Floats, count: Floats, total: Floats) -> float:
    """The logarithm of the moves' likelihood."""
    return float((np.log1p(greed * made) - np.log(count + greed * total)).sum())
