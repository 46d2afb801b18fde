"""The simple players of kriegspiel: one that tries anything, and one that takes what it can get."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from worldwise.core.move_values import MoveValues, first_best
from worldwise.kriegspiel.belief.drawing import draw_sample
from worldwise.kriegspiel.belief.sampled import POOL
from worldwise.kriegspiel.players.belief_tracking import Tracker
from worldwise.kriegspiel.players.choosing import check_counts, one_of_best
from worldwise.kriegspiel.players.player import AGAIN
from worldwise.kriegspiel.search.greedy import worths

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from worldwise.kriegspiel.belief.summary import BeliefSummary
    from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    from worldwise.kriegspiel.players.player import KriegspielSeat, Start
    from worldwise.kriegspiel.rules.game import Event
    from worldwise.kriegspiel.rules.squares import ChessMove
    from worldwise.kriegspiel.rules.view import PlayerView


# ---------------------------------------------------------------------- chance


@dataclass(frozen=True)
class RandomTriesPlayer:
    """Tries anything, all tries being equally likely."""

    name: ClassVar[str] = "rand"

    def sit(self, start: Start) -> KriegspielSeat:
        """Take a seat."""
        return _SeatedRandom(start)


@dataclass
class _SeatedRandom:
    start: Start
    heard: int = 0

    def hear(self, event: Event) -> None:  # noqa: ARG002
        self.heard += 1

    def choose(self, view: PlayerView) -> ChessMove:
        return self.start.dice(self.heard).choice(view.tries)


# ---------------------------------------------------------------------- greed


@dataclass(frozen=True)
class GreedyPlayer:
    """Tries what wins most at once, on average over the boards that it holds possible (``kriegspiel.search.greedy``).

    ``boards``  how many of them it looks at; without it the budget of the game says, or ``BOARDS``
    ``pool``    how many it carries from move to move
    """

    boards: int | None = None
    pool: int = POOL

    name: ClassVar[str] = "greedy"

    def __post_init__(self) -> None:
        check_counts(self, "boards", "pool")

    def sit(self, start: Start) -> KriegspielSeat:
        """Take a seat."""
        return _SeatedGreedy(start, self.boards, Tracker.of(start, self.pool))


BOARDS = 100
SLOW_BOARDS = 8
"""What greed looks at if nobody says: without kernels a board takes a tenth of a second."""

CHUNK = 50
"""Boards between two looks at the clock."""


@dataclass
class _SeatedGreedy:
    start: Start
    own_boards: int | None
    tracker: Tracker

    def hear(self, event: Event) -> None:
        self.tracker.hear(event)

    def belief_summary(self) -> BeliefSummary | None:
        return self.tracker.belief_summary()

    def choose(self, view: PlayerView) -> ChessMove:
        dice, boards = self.tracker.dice, self.tracker.fitting_boards(view)
        if not len(boards):
            return dice.choice(view.tries)
        return one_of_best(self._values(view, boards, dice).values, dice)

    def _values(self, view: PlayerView, boards: WeightedBoards, dice: Random) -> MoveValues[ChessMove]:
        """What each try is worth on average; those that every board refuses come last."""
        tries = view.tries
        total, chances, weight, searched = np.zeros(len(tries)), np.zeros(len(tries)), 0.0, 0
        for some in self._boards_in_lots(boards, dice, AGAIN if view.refused else 1.0):
            searched += len(some)
            found, legal = worths(some, tries)
            total += some.weights @ found
            chances += some.weights @ legal
            weight += some.weights.sum()
        means = np.where(chances > 0, total / weight, -np.inf)
        values = dict(zip(tries, means.tolist(), strict=True))
        return MoveValues(
            algorithm=GreedyPlayer.name, values=values, best=first_best(values), depth=1, worlds_searched=searched
        )

    def _boards_in_lots(self, boards: WeightedBoards, dice: Random, part: float) -> Iterator[WeightedBoards]:
        """As many boards as the budget allows, in lots; of its seconds only a part."""
        rng, seconds = np.random.default_rng(dice.getrandbits(64)), self.start.budget.seconds
        if self.own_boards is not None or seconds is None:
            most = self.own_boards or self.start.budget.boards or (BOARDS if boards.is_packed else SLOW_BOARDS)
            yield boards if len(boards) <= most else draw_sample(boards, most, rng)[0]
            return
        deadline, order = monotonic() + part * seconds, rng.permutation(len(boards))
        for start in range(0, len(order), CHUNK if boards.is_packed else 1):
            yield boards.select(order[start : start + (CHUNK if boards.is_packed else 1)])
            if monotonic() > deadline:
                return
