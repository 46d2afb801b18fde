"""A vote over boards that fit what was heard, by our own search: both sides see everything and play their best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from worldwise.kriegspiel.belief.sampled import POOL
from worldwise.kriegspiel.players.belief_tracking import Tracker
from worldwise.kriegspiel.players.choosing import check_counts, check_searcher
from worldwise.kriegspiel.players.deciding import with_time
from worldwise.kriegspiel.players.player import Budget
from worldwise.kriegspiel.players.voting import SeatedVoter
from worldwise.kriegspiel.search.evaluation import CONTEST
from worldwise.kriegspiel.search.information_sets import MOST_DEPTH
from worldwise.kriegspiel.search.minimax import mean_minimax

if TYPE_CHECKING:
    from collections.abc import Mapping

    from worldwise.core.result import Clock
    from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    from worldwise.kriegspiel.players.player import KriegspielSeat, Start
    from worldwise.kriegspiel.rules.squares import ChessMove
    from worldwise.kriegspiel.rules.umpire import Rules
    from worldwise.kriegspiel.rules.view import PlayerView

VOTERS, FEWEST_VOTERS = 100, 20
"""Boards that vote if nobody says, and how many must have, or all, for a deeper search to count."""

CAPTURES = 4
"""Plies that captures and promotions are followed for when the search ends."""

SLOW_VOTERS = 4
"""Without kernels so many vote, on a search to depth 1."""

AFTER_REFUSAL = 0.1
"""The part of a try's time that is there after a refused one: with less the vote would rest on a handful of boards, and
with more a turn on the page, which has room for ten such tries, could tell how many there were."""


@dataclass(frozen=True)
class VotePlayer:
    """Boards vote by searches of alpha and beta, each as if nothing were hidden, captures being followed to their end.

    ``depth``   plies of the search, the try itself included; more if time is left
    ``boards``  how many vote; without it the budget of the game says, or ``VOTERS``
    ``pool``    how many he carries from move to move
    ``vary``    by how many pawns a try in the opening may be worse than the best and still be as good
    ``seconds`` what he has for a try, whatever the budget of the game is
    """

    depth: int = 2
    boards: int | None = None
    pool: int = POOL
    vary: float | None = None
    seconds: float | None = None

    name: ClassVar[str] = "vote"
    after_refusal: ClassVar[float] = AFTER_REFUSAL

    def __post_init__(self) -> None:
        check_counts(self, "boards", "pool")
        check_searcher(self)
        Budget(self.boards, self.seconds)

    def sit(self, start: Start) -> KriegspielSeat:
        """Take a seat."""
        start = with_time(start, self.seconds)
        return SeatedVoter(start, self, Tracker.of(start, self.pool), BoardPoll(self.depth))

    def voters(self, start: Start) -> int:
        """How many vote, if there is time."""
        return self.boards or start.budget.boards or VOTERS


@dataclass(frozen=True)
class BoardPoll:
    """The search asks all boards, and if time is left asks them again a ply deeper."""

    depth: int

    def vote(self, boards: WeightedBoards, view: PlayerView, rules: Rules, clock: Clock) -> Mapping[ChessMove, float]:
        """The deepest mean that rests on boards enough."""
        depth = self.depth
        if not boards.is_packed:
            depth, boards = 1, boards.select(np.arange(min(SLOW_VOTERS, len(boards))))
        found = mean_minimax(boards, view, rules, depth, clock.rest, CONTEST, CAPTURES)
        while found.complete and (clock.seconds_left or 0) > 0 and found.depth < MOST_DEPTH and len(view.tries) > 1:
            deeper = mean_minimax(boards, view, rules, found.depth + 1, clock.rest, CONTEST, CAPTURES)
            if deeper.depth <= found.depth or deeper.worlds_searched < min(FEWEST_VOTERS, len(boards)):
                break
            found = deeper
        return found.values
