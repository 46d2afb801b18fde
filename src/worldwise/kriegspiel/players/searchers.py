"""Players of kriegspiel that search: those of PNS06, overconfident and paranoid, what is between them, and HS.

All look at boards that they hold possible. HS searches each as if nothing were hidden and takes the mean; the others
search all of them together, information set by information set (``kriegspiel.search.information_sets``). A refused
try is remembered, and they decide again on the boards that explain it too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from worldwise.core.result import Clock
from worldwise.errors import InputError, UnknownNameError
from worldwise.kriegspiel.belief.sampled import POOL
from worldwise.kriegspiel.players.bare_king import ending_values
from worldwise.kriegspiel.players.belief_tracking import DwindlingTracker, KeepsTrack, Tracker
from worldwise.kriegspiel.players.choosing import check_counts, check_searcher, one_of_best
from worldwise.kriegspiel.players.deciding import (
    AHEAD,
    boards_wanted,
    guaranteed_mates,
    less_of_a_draw,
    opening_margin,
    time_limit,
    with_time,
)
from worldwise.kriegspiel.players.player import Budget
from worldwise.kriegspiel.search.evaluation import EVALUATIONS
from worldwise.kriegspiel.search.greedy import worths
from worldwise.kriegspiel.search.information_sets import MOST_DEPTH, MOST_GREED, BoardSearch
from worldwise.kriegspiel.search.minimax import mean_minimax

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from worldwise.kriegspiel.belief.summary import BeliefSummary
    from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    from worldwise.kriegspiel.players.player import KriegspielSeat, Start
    from worldwise.kriegspiel.rules.game import Event
    from worldwise.kriegspiel.rules.squares import ChessMove
    from worldwise.kriegspiel.rules.umpire import Rules
    from worldwise.kriegspiel.rules.view import PlayerView
    from worldwise.kriegspiel.search.information_sets import TryValues

SAMPLES = {1: 1683, 2: 321, 3: 67, 4: 14, 5: 3, 6: 1}
"""Boards that a decision rests on if nobody says: what PNS06 had time for in 30 seconds, by depth; beyond its depths,
a fifth with each."""

VARIED = 0.05
"""Pawns that a player gives away against people to be less predictable."""


@dataclass(frozen=True)
class SearchingPlayer:
    """What the searching players have in common.

    ``depth``   how far they look, in tries and moves
    ``boards``  how many boards a decision rests on, however long it takes; without it the budget of the game says, or
                ``SAMPLES``
    ``pool``    how many they carry from move to move
    ``mates``   whether they play a mate that is guaranteed on all boards they hold possible
    ``refill``  whether boards that were set aside fill the pool up again; without, it is like that of HS
    ``again``   the part of its boards or seconds that a decision has after a refused try; without it, as many boards,
                or ``AGAIN`` of the seconds
    ``leaf``    what a board is worth where the search ends: the name of one of ``EVALUATIONS``
    ``vary``    by how many pawns a try in the opening may be worse than the best and still be as good, so that they do
                not play the same game again and again; without it, by none, or against people ``VARIED``
    ``greed``   by how much a reply is likelier for each pawn's worth that it takes or promotes; 0 is the paper's
    ``seconds`` what he has for a try, whatever the budget of the game is
    """

    depth: int = 2
    boards: int | None = None
    pool: int = POOL
    mates: bool = True
    refill: bool = True
    again: float | None = None
    leaf: str = "KS"
    vary: float | None = None
    greed: float = 0.0
    seconds: float | None = None

    name: ClassVar[str]
    endings: ClassVar[bool] = False
    """Whether they search on the set of a bare king's squares once nothing else is left."""

    def __post_init__(self) -> None:
        check_counts(self, "boards", "pool")
        check_searcher(self)
        Budget(self.boards, self.seconds)
        if self.again is not None and not 0 < self.again <= 1:
            raise InputError(f"{self.name}: expected a part above 0 and up to 1 for again, found {self.again}")
        if self.leaf not in EVALUATIONS:
            raise UnknownNameError("evaluation", self.leaf, EVALUATIONS)
        if not 0 <= self.greed <= MOST_GREED:
            raise InputError(f"{self.name}: expected a greed from 0 to {MOST_GREED}, found {self.greed}")

    def sample(self, start: Start, view: PlayerView) -> int | None:
        """How many boards a decision rests on; None if seconds say."""
        boards = boards_wanted(self.boards, start, SAMPLES[self.depth])
        if boards is None or self.again is None or not view.refused:
            return boards
        return max(1, round(boards * self.again))

    def second_thoughts(
        self,
        found: TryValues,  # noqa: ARG002
        boards: WeightedBoards,  # noqa: ARG002
        view: PlayerView,  # noqa: ARG002
        events: Sequence[Event],  # noqa: ARG002
        rules: Rules,  # noqa: ARG002
    ) -> dict[ChessMove, float]:
        """What is added to the worth of tries that the search has found: nothing."""
        return {}

    def pool_for(self, start: Start) -> int:  # noqa: ARG002
        """How many boards he carries in this game: as many as are said."""
        return self.pool

    def look_further(
        self,
        found: TryValues,
        search: BoardSearch,  # noqa: ARG002
        boards: WeightedBoards,  # noqa: ARG002
        view: PlayerView,  # noqa: ARG002
        clock: Clock,  # noqa: ARG002
        rules: Rules,  # noqa: ARG002
    ) -> TryValues:
        """What a search finds that goes on while time is left: as in the paper, there is none."""
        return found

    def _take_seat(self, start: Start, caution: float) -> KriegspielSeat:
        start = with_time(start, self.seconds)
        tracker = (Tracker if self.refill else DwindlingTracker).of(start, self.pool_for(start))
        search = BoardSearch(self.depth, caution, EVALUATIONS[self.leaf], self.greed)
        return _SeatedSearcher(start, self, search, tracker)


@dataclass(frozen=True)
class OverconfidentPlayer(SearchingPlayer):
    """Equation 2 of PNS06 with an opponent who moves at random."""

    name: ClassVar[str] = "overconfident"

    def sit(self, start: Start) -> KriegspielSeat:
        """Take a seat."""
        return self._take_seat(start, 0.0)


@dataclass(frozen=True)
class ParanoidPlayer(SearchingPlayer):
    """Equation 3 of PNS06: the opponent does, and has always done, what is worst."""

    name: ClassVar[str] = "paranoid"

    def sit(self, start: Start) -> KriegspielSeat:
        """Take a seat."""
        return self._take_seat(start, 1.0)


@dataclass(frozen=True)
class MixedPlayer(SearchingPlayer):
    """Between the two: of what may come, 1 - ``caution`` parts of the mean and ``caution`` parts of the worst."""

    caution: float = 0.3

    name: ClassVar[str] = "mixed"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.caution <= 1:
            raise InputError(f"{self.name}: expected a caution from 0 to 1, found {self.caution}")

    def sit(self, start: Start) -> KriegspielSeat:
        """Take a seat."""
        return self._take_seat(start, self.caution)


EXCHANGE_BOARDS = 100
"""On how many boards of a decision the exchanges after each try are looked at."""

DEEP_BOARDS = 40
"""A deeper search counts once it has folded so many boards, or all there are."""

POOL_A_SECOND, MOST_POOLS = 2.0, 4.0
"""By how much a pool grows with the seconds of a try, and to how many times its size at most."""

DEEP_CAUTION = 0.5
"""How far it fears the worst. With the other's reply in the middle of a search, one that takes him to move at random
leaves pieces where they can be taken."""


@dataclass(frozen=True)
class WaryPlayer(SearchingPlayer):
    """Who plays to win: he looks after his pieces, and knows how to mate a bare king (``kriegspiel.search.bare_king``).

    The search takes the other to move at random, who then misses most of what he could take. So ``fear`` parts of what
    each try wins or loses by the next exchange (``kriegspiel.search.greedy``), on average over the boards, are added.
    """

    fear: float = 0.5
    caution: float = 0.0

    name: ClassVar[str] = "wary"
    endings: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.caution <= 1:
            raise InputError(f"{self.name}: expected a caution from 0 to 1, found {self.caution}")
        if not 0 <= self.fear <= 1:
            raise InputError(f"{self.name}: expected a fear from 0 to 1, found {self.fear}")

    def sit(self, start: Start) -> KriegspielSeat:
        """Take a seat."""
        return self._take_seat(start, self.caution)

    def pool_for(self, start: Start) -> int:
        """More the more time there is: ``POOL_A_SECOND`` times as many a second, up to ``MOST_POOLS`` times."""
        seconds = start.budget.seconds or 0.0
        return round(self.pool * min(MOST_POOLS, max(1.0, POOL_A_SECOND * seconds)))

    def look_further(
        self,
        found: TryValues,
        search: BoardSearch,
        boards: WeightedBoards,
        view: PlayerView,
        clock: Clock,
        rules: Rules,
    ) -> TryValues:
        """A ply deeper, and another, while time is left and enough boards are searched."""
        while found.complete and (clock.seconds_left or 0) > 0 and found.depth < MOST_DEPTH and len(view.tries) > 1:
            deeper = replace(search, depth=found.depth + 1, caution=DEEP_CAUTION)
            further = deeper.search(boards, view, rules, clock.rest)
            if further.depth <= found.depth or further.worlds_searched < min(DEEP_BOARDS, len(boards)):
                break
            found = further
        return found

    def second_thoughts(
        self, found: TryValues, boards: WeightedBoards, view: PlayerView, events: Sequence[Event], rules: Rules
    ) -> dict[ChessMove, float]:
        """What the search does not see: exchanges, and when he is ahead, that a draw is near."""
        exchanges = self._exchanges(boards, view) if self.fear else dict.fromkeys(view.tries, 0.0)
        if found.value < AHEAD:
            return exchanges
        return less_of_a_draw(exchanges, view, events, rules)

    def _exchanges(self, boards: WeightedBoards, view: PlayerView) -> dict[ChessMove, float]:
        """On the first boards of a sample, which is in any order."""
        some = boards.select(np.arange(min(EXCHANGE_BOARDS, len(boards))))
        found, _ = worths(some, view.tries)
        means = self.fear * (some.weights @ found) / some.weights.sum()
        return dict(zip(view.tries, means.tolist(), strict=True))


@dataclass
class _SeatedSearcher:
    start: Start
    player: SearchingPlayer
    search: BoardSearch
    tracker: KeepsTrack

    def hear(self, event: Event) -> None:
        self.tracker.hear(event)

    def belief_summary(self) -> BeliefSummary | None:
        return self.tracker.belief_summary()

    def choose(self, view: PlayerView) -> ChessMove:
        dice, clock = self.tracker.dice, Clock(time_limit(self.player, self.start, view, self.player.again))
        if self.player.mates and (mates := guaranteed_mates(self.tracker, self.start, clock)):
            return dice.choice(mates)
        if self.player.endings and (ending := self._ending_values(view, dice)):
            return one_of_best(ending, dice)
        boards = self.tracker.boards_to_decide_on(view, self.player.sample(self.start, view), dice)
        if not len(boards):
            return dice.choice(view.tries)
        found = self.search.search(boards, view, self.start.rules, clock.rest)
        found = self.player.look_further(found, self.search, boards, view, clock, self.start.rules)
        # What every board refuses tells nothing, though the search, which stops after it, may like to stand still.
        more = self.player.second_thoughts(found, boards, view, self.tracker.events, self.start.rules)
        worth = {
            move: value + more.get(move, 0.0) if found.chances[move] > 0 else -inf
            for move, value in found.values.items()
        }
        return one_of_best(worth, dice, opening_margin(self))

    def _ending_values(self, view: PlayerView, dice: Random) -> dict[ChessMove, float]:
        boards = self.tracker.boards_to_decide_on(view, None, dice)
        return ending_values(view, boards, self.tracker.events, self.start.rules)


# ---------------------------------------------------------------------- HS

HS_BOARDS = 100
"""Boards that HS looks at if nobody says."""


@dataclass(frozen=True)
class HSPlayer:
    """The best of the players of Parker, Nau and Subrahmanian (2005), as far as PNS06 and the notes on it tell.

    It carries a pool of boards that explain all it has heard, without any way to fill it up again, and searches each
    board as if nothing were hidden. When the pool runs short it goes on with boards that explain the last message.

    ``depth``   plies of the search, the try itself included
    ``boards``  how many boards a decision rests on; without it the budget of the game says, or ``HS_BOARDS``
    ``pool``    how many it carries from move to move
    ``mates``   whether it plays a mate that is guaranteed, while its pool has every board that is possible
    ``vary``    by how many pawns a try in the opening may be worse than the best and still be as good
    """

    depth: int = 2
    boards: int | None = None
    pool: int = POOL
    mates: bool = True
    vary: float | None = None

    name: ClassVar[str] = "HS"

    def __post_init__(self) -> None:
        check_counts(self, "boards", "pool")
        check_searcher(self)

    def sit(self, start: Start) -> KriegspielSeat:
        """Take a seat."""
        return _SeatedHS(start, self, DwindlingTracker.of(start, self.pool))


@dataclass
class _SeatedHS:
    start: Start
    player: HSPlayer
    tracker: DwindlingTracker

    def hear(self, event: Event) -> None:
        self.tracker.hear(event)

    def belief_summary(self) -> BeliefSummary | None:
        return self.tracker.belief_summary()

    def choose(self, view: PlayerView) -> ChessMove:
        dice, most = self.tracker.dice, boards_wanted(self.player.boards, self.start, HS_BOARDS)
        clock = Clock(time_limit(self.player, self.start, view))
        if self.player.mates and (mates := guaranteed_mates(self.tracker, self.start, clock)):
            return dice.choice(mates)
        boards = self.tracker.boards_to_decide_on(view, most, dice)
        if not len(boards):
            return dice.choice(view.tries)
        found = mean_minimax(boards, view, self.start.rules, self.player.depth, clock.rest)
        return one_of_best(found.values, dice, opening_margin(self))
