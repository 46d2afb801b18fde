"""What games of kriegspiel come to: wins, losses and PNS06's expected utility, each with the interval it lies in.

A row is a game: the names of its setting, and ``score``, 1 if the player won, -1 if the other did, 0 for a draw.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from worldwise.core.statistics import CONFIDENCE, Estimate, clopper_pearson, difference, paired_difference
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from worldwise.runs.rows import Row, Rows, Scalar


@dataclass(frozen=True)
class Score:
    """So many games, and how many of them were won and lost.

    >>> str(Score(48, 1, 100))
    '48-1 of 100'
    """

    wins: int
    losses: int
    games: int

    def __post_init__(self) -> None:
        if min(self.wins, self.losses) < 0 or not max(1, self.wins + self.losses) <= self.games:
            found = f"{self.wins} and {self.losses} of {self.games}"
            raise InputError(f"expected wins and losses among at least one game, found {found}")

    @classmethod
    def of(cls, rows: Iterable[Row]) -> Score:
        """The score of games."""
        scores = [row["score"] for row in rows]
        return cls(scores.count(1), scores.count(-1), len(scores))

    def __add__(self, other: Score) -> Score:
        return Score(self.wins + other.wins, self.losses + other.losses, self.games + other.games)

    def __str__(self) -> str:
        return f"{self.wins}-{self.losses} of {self.games}"

    def won(self, confidence: float = CONFIDENCE) -> Estimate:
        """How often."""
        return clopper_pearson(self.wins, self.games, confidence)

    def lost(self, confidence: float = CONFIDENCE) -> Estimate:
        """How often."""
        return clopper_pearson(self.losses, self.games, confidence)

    def utility(self, confidence: float = CONFIDENCE) -> Estimate:
        """EU, wins less losses by games."""
        return paired_difference(self.wins, self.losses, self.games, confidence)

    def gain(self, other: Score, confidence: float = CONFIDENCE) -> Estimate:
        """How much more EU this has than other games.

        >>> gain = Score(50, 1, 100).gain(Score(29, 3, 100))
        >>> round(gain.low, 3), round(gain.value, 3), round(gain.high, 3)
        (0.082, 0.23, 0.371)
        """
        return difference(self.utility(confidence), other.utility(confidence))


Key = tuple["Scalar", ...]


def scores(rows: Rows, *names: str) -> dict[Key, Score]:
    """The score of the games that agree in these names of their settings, in the order they come.

    >>> rows = [{"depth": 1, "score": 1}, {"depth": 2, "score": -1}, {"depth": 1, "score": 0}]
    >>> scores(rows, "depth")
    {(1,): Score(wins=1, losses=0, games=2), (2,): Score(wins=0, losses=1, games=1)}
    """
    return {key: Score.of(group) for key, group in group_rows(rows, *names).items()}


def group_rows(rows: Rows, *names: str) -> dict[Key, list[Row]]:
    """Rows by what their settings have under these names."""
    groups: dict[Key, list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in names), []).append(row)
    return groups


def column(rows: Iterable[Row], name: str) -> list[float]:
    """A number of every row."""
    return [float(cast("float", row[name])) for row in rows]
