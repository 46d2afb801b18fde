"""Players of kriegspiel that search: those of PNS06, overconfident and paranoid, what is between them, and HS.

All look at boards that they hold possible. HS searches each as if nothing were hidden and takes the mean; the others
search all of them together, information set by information set (``kriegspiel.search.information_sets``). A refused
try is remembered, and they decide again on the boards that explain it too.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, ClassVar

from worldwise.core.result import Clock, Limit
from worldwise.errors import InputError, LimitReachedError, UnknownNameError
from worldwise.kriegspiel.belief.sampled import POOL
from worldwise.kriegspiel.players.belief_tracking import DwindlingTracker, KeepsTrack, Tracker
from worldwise.kriegspiel.players.player import AGAIN
from worldwise.kriegspiel.players.random_and_greedy import check_counts, one_of_best
from worldwise.kriegspiel.search.evaluation import EVALUATIONS
from worldwise.kriegspiel.search.information_sets import MOST_DEPTH, BoardSearch
from worldwise.kriegspiel.search.mates import shortest_mates
from worldwise.kriegspiel.search.minimax import mean_minimax

if TYPE_CHECKING:
    from worldwise.kriegspiel.belief.summary import BeliefSummary
    from worldwise.kriegspiel.players.player import KriegspielSeat, Start
    from worldwise.kriegspiel.rules.game import Event
    from worldwise.kriegspiel.rules.squares import ChessMove
    from worldwise.kriegspiel.rules.view import PlayerView

SAMPLES = {1: 1683, 2: 321, 3: 67, 4: 14, 5: 3, 6: 1}
"""Boards that a decision rests on if nobody says: what PNS06 had time for in 30 seconds, by depth; beyond its depths,
a fifth with each."""

VARIED, MOST_VARIED = 0.05, 1
"""Pawns that a player gives away against people to be less predictable, and the most that he may."""

OPENING = 6
"""In so many moves of his own, that is; later it costs more games than it is worth."""

MATE_MOVES, MATE_BOARDS, MATE_NODES, SLOW_MATE_NODES = 4, 300, 10_000, 100
"""Guaranteed mates are looked for in so many moves, on at most so many boards, looking at so many; or without kernels,
at so few."""

MATE_SHARE = 0.3
"""The part of the seconds of a decision that may go into that."""


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
    """

    depth: int = 2
    boards: int | None = None
    pool: int = POOL
    mates: bool = True
    refill: bool = True
    again: float | None = None
    leaf: str = "KS"
    vary: float | None = None

    name: ClassVar[str]

    def __post_init__(self) -> None:
        check_counts(self, "boards", "pool")
        _check_search(self)
        if self.again is not None and not 0 < self.again <= 1:
            raise InputError(f"{self.name}: expected a part above 0 and up to 1 for again, found {self.again}")
        if self.leaf not in EVALUATIONS:
            raise UnknownNameError("evaluation", self.leaf, EVALUATIONS)

    def sample(self, start: Start, view: PlayerView) -> int | None:
        """How many boards a decision rests on; None if seconds say."""
        boards = _boards(self.boards, start, SAMPLES[self.depth])
        if boards is None or self.again is None or not view.refused:
            return boards
        return max(1, round(boards * self.again))

    def _take_seat(self, start: Start, caution: float) -> KriegspielSeat:
        tracker = (Tracker if self.refill else DwindlingTracker).of(start, self.pool)
        return _SeatedSearcher(start, self, BoardSearch(self.depth, caution, EVALUATIONS[self.leaf]), tracker)


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
        dice, clock = self.tracker.dice, Clock(_limit(self.player, self.start, view, self.player.again))
        if self.player.mates and (mates := _guaranteed_mates(self.tracker, self.start, clock)):
            return dice.choice(mates)
        boards = self.tracker.boards_to_decide_on(view, self.player.sample(self.start, view), dice)
        if not len(boards):
            return dice.choice(view.tries)
        found = self.search.search(boards, view, self.start.rules, clock.rest)
        # What every board refuses tells nothing, though the search, which stops after it, may like to stand still.
        worth = {move: value if found.chances[move] > 0 else -inf for move, value in found.values.items()}
        return one_of_best(worth, dice, _margin(self))


def _guaranteed_mates(tracker: KeepsTrack, start: Start, clock: Clock) -> tuple[ChessMove, ...]:
    """The first moves of the shortest mate that is guaranteed on all boards held possible, if one is found.

    If seconds are given it may take part of them: what is left is for the search.
    """
    boards = tracker.boards_for_mate()
    if not 0 < len(boards) <= MATE_BOARDS:
        return ()
    seconds = None if clock.seconds_left is None else clock.seconds_left * MATE_SHARE
    limit = Limit(seconds, MATE_NODES if boards.is_packed else SLOW_MATE_NODES)
    try:
        return shortest_mates(boards, MATE_MOVES, start.rules, limit)
    except LimitReachedError:
        return ()


def _margin(seated: _SeatedSearcher | _SeatedHS) -> float:
    """By how much a try may be worse than the best now."""
    own = (event for event in seated.tracker.events if event.colour is seated.start.colour)
    moves = sum(not event.is_refusal for event in own)
    return seated.player.vary or 0.0 if moves < OPENING else 0.0


def _check_search(player: SearchingPlayer | HSPlayer) -> None:
    if not 1 <= player.depth <= MOST_DEPTH:
        raise InputError(f"{player.name}: expected a depth of 1 to {MOST_DEPTH}, found {player.depth}")
    if player.vary is not None and not 0 <= player.vary <= MOST_VARIED:
        raise InputError(f"{player.name}: expected 0 to {MOST_VARIED} pawns for vary, found {player.vary}")


def _boards(own: int | None, start: Start, usual: int) -> int | None:
    """How many boards a player looks at: his own number, or the game's, or the usual one; None if seconds say."""
    if own is None and start.budget.seconds is not None:
        return None
    return own or start.budget.boards or usual


def _limit(player: SearchingPlayer | HSPlayer, start: Start, view: PlayerView, again: float | None = None) -> Limit:
    """None for who has boards of his own. As in the paper, a try after a refused one has 2 seconds where the first had
    30."""
    seconds = start.budget.seconds if player.boards is None else None
    return Limit(None if seconds is None else seconds * (again or AGAIN) if view.refused else seconds)


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
        _check_search(self)

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
        dice, most = self.tracker.dice, _boards(self.player.boards, self.start, HS_BOARDS)
        clock = Clock(_limit(self.player, self.start, view))
        if self.player.mates and (mates := _guaranteed_mates(self.tracker, self.start, clock)):
            return dice.choice(mates)
        boards = self.tracker.boards_to_decide_on(view, most, dice)
        if not len(boards):
            return dice.choice(view.tries)
        found = mean_minimax(boards, view, self.start.rules, self.player.depth, clock.rest)
        return one_of_best(found.values, dice, _margin(self))
