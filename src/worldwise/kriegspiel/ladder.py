"""A ladder: who is how strong, from games that everybody played against everybody.

Ratings are Elo's: a player who is 400 points ahead of another scores ten times as much against him. They are those
under which the scores are likeliest (Bradley and Terry's model, a draw being half a win), with one drawn game added for
each pair that met, so that nobody who won everything is endlessly strong. Their mean is ``MEAN``. Intervals come from
how sharply the likelihood falls off, taking every game for won or lost: with many draws they are too wide.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

import numpy as np

from worldwise.core.statistics import Estimate
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MEAN, SCALE = 1500.0, 400 / log(10)
NORMAL = 1.96
"""Standard errors to either side of an interval for 95 %."""

ADDED = 1.0
"""Drawn games added for each pair that met."""

ROUNDS = 10_000
CLOSE = 1e-10

LadderResult = tuple[str, str, int]
"""Two players, and 1 if the first has won, -1 if the second, 0 for a draw."""


@dataclass(frozen=True)
class Rung:
    """A player's place: his rating, and what he has won, lost and drawn."""

    name: str
    rating: Estimate
    won: int
    lost: int
    drawn: int

    @property
    def games(self) -> int:
        """How many he has played."""
        return self.won + self.lost + self.drawn

    @property
    def points(self) -> float:
        """A win is one, a draw a half."""
        return self.won + self.drawn / 2


def standings(names: Sequence[str], results: Iterable[LadderResult]) -> tuple[Rung, ...]:
    """The players, the strongest first.

    >>> found = standings(["a", "b"], [("a", "b", 1)] * 3 + [("b", "a", 1)])
    >>> [(rung.name, round(rung.rating.value), rung.points) for rung in found]
    [('a', 1574, 3.0), ('b', 1426, 1.0)]
    """
    played = list(results)
    points, games = _scores(names, played)
    strengths = _likeliest(points, games)
    errors = _errors(strengths, games)
    rungs = (
        _rung(name, MEAN + SCALE * float(strength), NORMAL * SCALE * float(error), played)
        for name, strength, error in zip(names, strengths, errors, strict=True)
    )
    return tuple(sorted(rungs, key=lambda rung: -rung.rating.value))


def _rung(name: str, rating: float, margin: float, played: Sequence[LadderResult]) -> Rung:
    own = Counter(score for first, _, score in played if first == name)
    own.update(-score for _, second, score in played if second == name)
    games = own.total()
    return Rung(name, Estimate(rating, rating - margin, rating + margin, games), own[1], own[-1], own[0])


def _scores(names: Sequence[str], played: Sequence[LadderResult]) -> tuple[Floats, Floats]:
    """What each has scored against each, and in how many games."""
    if len(set(names)) != len(names) or len(names) < 2:
        raise InputError(f"expected two players or more with names of their own, found {', '.join(names) or 'none'}")
    place = {name: at for at, name in enumerate(names)}
    points = np.zeros((len(names), len(names)))
    for first, second, score in played:
        one, other = place[first], place[second]
        points[one, other] += (1 + score) / 2
        points[other, one] += (1 - score) / 2
    games = points + points.T
    added = ADDED * (games > 0)
    if not _are_joined(games > 0):
        raise InputError("expected games that join all players, found some who have met none of the others")
    return points + added / 2, games + added


def _are_joined(met: NDArray[np.bool_]) -> bool:
    """Whether everybody is compared with everybody, if only by way of others."""
    reached = np.eye(len(met), dtype=bool)[0]
    for _ in met:
        reached = reached | met[reached].any(axis=0)
    return bool(reached.all())


def _likeliest(points: Floats, games: Floats) -> Floats:
    """Strengths as logarithms, their mean being nothing: each is raised or lowered until scores are as expected."""
    strengths = np.ones(len(points))
    for _ in range(ROUNDS):
        better = points.sum(axis=1) / (games / np.add.outer(strengths, strengths)).sum(axis=1)
        better /= np.exp(np.log(better).mean())
        if np.abs(better - strengths).max() < CLOSE:
            break
        strengths = better
    found: Floats = np.log(strengths)
    return found


def _errors(strengths: Floats, games: Floats) -> Floats:
    """The standard error of each strength, against the mean of all."""
    expected = 1 / (1 + np.exp(-np.subtract.outer(strengths, strengths)))
    information = -games * expected * (1 - expected)
    np.fill_diagonal(information, 0.0)
    np.fill_diagonal(information, -information.sum(axis=1))
    found: Floats = np.sqrt(np.diag(np.linalg.pinv(information)))
    return found
