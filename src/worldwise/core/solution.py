"""What a solver of extensive-form games answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from worldwise.core.result import NO_LIMIT, Limit, Stats

if TYPE_CHECKING:
    from worldwise.core.game import AnyExtensiveForm, Rational

Profile = Mapping[Any, Any]
"""Pure strategies of one or more players: a move for every information set that they can reach."""

Mixture = Mapping[Any, Sequence[float]]
"""Behaviour strategies of one or more players: how likely each move is at an information set, in the moves' order."""


@dataclass(frozen=True)
class Prunings(Stats):
    """What IMP-alpha-beta saved, apart: how often alternatives, and how often parts of an alternative, were skipped."""

    immediate: int = 0
    information_set: int = 0


@dataclass(frozen=True)
class Solution:
    """A profile of pure strategies and what it is worth.

    ``believed`` is what the algorithm itself computes, ``payoffs`` what each player truly gets on average if all follow
    the profile. ``proven`` says that the algorithm's promise holds for this game: the profile is optimal (one player),
    best against best defence (brute force, two players) or an equilibrium. ``complete`` is False if a limit came first.
    """

    algorithm: str
    believed: tuple[Rational, ...]
    payoffs: tuple[Rational, ...]
    profile: Profile
    stats: Stats
    proven: bool
    complete: bool = True

    @property
    def value(self) -> Rational:
        """What the first player truly gets."""
        return self.payoffs[0]


@dataclass(frozen=True)
class MixedSolution:
    """A profile of mixed strategies for two players of a zero-sum game, and how sure its value is.

    ``low`` is what the first player's strategy gets at least, whatever the second does, ``high`` what the second's lets
    him have at most: the value of the game lies between, but for rounding. ``complete`` is False if a limit came before
    the two had met as closely as was asked for.
    """

    algorithm: str
    value: float
    low: float
    high: float
    profile: Mixture
    stats: Stats
    complete: bool = True

    @property
    def nash_conv(self) -> float:
        """What both players gain by each leaving the profile alone; nothing at an equilibrium."""
        return self.high - self.low


class GameSolver(Protocol):
    """An algorithm for extensive-form games, with its parameters: a frozen dataclass."""

    @property
    def name(self) -> str:
        """What BMV96 calls it."""

    def search(self, game: AnyExtensiveForm, limit: Limit = NO_LIMIT) -> Solution:
        """Solve a game from its root."""
