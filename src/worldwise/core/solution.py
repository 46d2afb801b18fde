"""What a solver of extensive-form games answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from worldwise.core.result import NO_LIMIT, Limit, Stats

if TYPE_CHECKING:
    from worldwise.core.game import AnyExtensiveForm, Rational

Profile = Mapping[Any, Any]
"""Pure strategies of one or more players: a move for every information set that they can reach."""


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


class GameSolver(Protocol):
    """An algorithm for extensive-form games, with its parameters: a frozen dataclass."""

    @property
    def name(self) -> str:
        """What BMV96 calls it."""

    def search(self, game: AnyExtensiveForm, limit: Limit = NO_LIMIT) -> Solution:
        """Solve a game from its root."""
