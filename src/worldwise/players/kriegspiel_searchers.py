"""Players of kriegspiel that search: those of PNS06, overconfident and paranoid, what is between them, and HS.

All look at boards that they hold possible. HS searches each as if nothing were hidden and takes the mean; the others
search all of them together, information set by information set (``engines.kriegspiel_search``). A refused try is
remembered, and they decide again on the boards that explain it too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from worldwise.core.result import Limit
from worldwise.engines.kriegspiel_belief import POOL, drawn
from worldwise.engines.kriegspiel_boards import Boards
from worldwise.engines.kriegspiel_guess import LastMessage
from worldwise.engines.kriegspiel_minimax import mean_minimax
from worldwise.engines.kriegspiel_search import MOST_DEPTH, BoardSearch
from worldwise.engines.mates import shortest_mates
from worldwise.errors import InputError, LimitReachedError
from worldwise.players.kriegspiel_seats import Seated, Start, Tracker

if TYPE_CHECKING:
    from random import Random

    from numpy.typing import NDArray

    from worldwise.engines.kriegspiel_summary import BeliefSummary
    from worldwise.games.kriegspiel.game import Event
    from worldwise.games.kriegspiel.squares import Move
    from worldwise.games.kriegspiel.view import View

SAMPLES = {1: 1683, 2: 321, 3: 67}
"""Boards that a decision rests on if nobody says: what PNS06 had time for in 30 seconds, by depth."""

AGAIN = 2 / 30
"""The part of a try's time that is there for the next if it is refused."""

MATE_MOVES, MATE_BOARDS, MATE_NODES, SLOW_MATE_NODES = 4, 300, 10_000, 100
"""Guaranteed mates are looked for in so many moves, on at most so many boards, looking at so many; or without kernels,
at so few."""


@dataclass(frozen=True)
class Searcher:
    """What the searching players have in common.

    ``depth``   how far they look, in tries and moves
    ``boards``  how many boards a decision rests on; without it the budget of the game says, or ``SAMPLES``
    ``pool``    how many they carry from move to move
    ``mates``   whether they play a mate that is guaranteed on all boards they hold possible
    """

    depth: int = 2
    boards: int | None = None
    pool: int = POOL
    mates: bool = True

    name: ClassVar[str]

    def __post_init__(self) -> None:
        for option in ("boards", "pool"):
            if (value := getattr(self, option)) is not None and value < 1:
                raise InputError(f"{self.name}: expected at least one for {option}, found {value}")
        if not 1 <= self.depth <= MOST_DEPTH:
            raise InputError(f"{self.name}: expected a depth of 1 to {MOST_DEPTH}, found {self.depth}")

    def sample(self, start: Start) -> int | None:
        """How many boards a decision rests on; None if seconds say."""
        if self.boards is not None or start.budget.seconds is None:
            return self.boards or start.budget.boards or SAMPLES.get(self.depth, 1)
        return None


@dataclass(frozen=True)
class OverconfidentPlayer(Searcher):
    """Equation 2 of PNS06 with an opponent who moves at random."""

    name: ClassVar[str] = "overconfident"

    def sit(self, start: Start) -> Seated:
        """Take a seat."""
        return _SeatedSearcher(start, self, BoardSearch(self.depth), Tracker.of(start, self.pool))


@dataclass(frozen=True)
class ParanoidPlayer(Searcher):
    """Equation 3 of PNS06: the opponent does, and has always done, what is worst."""

    name: ClassVar[str] = "paranoid"

    def sit(self, start: Start) -> Seated:
        """Take a seat."""
        return _SeatedSearcher(start, self, BoardSearch(self.depth, 1.0), Tracker.of(start, self.pool))


@dataclass(frozen=True)
class MixedPlayer(Searcher):
    """Between the two: of what may come, 1 - ``caution`` parts of the mean and ``caution`` parts of the worst."""

    caution: float = 0.3

    name: ClassVar[str] = "mixed"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.caution <= 1:
            raise InputError(f"{self.name}: expected a caution from 0 to 1, found {self.caution}")

    def sit(self, start: Start) -> Seated:
        """Take a seat."""
        return _SeatedSearcher(start, self, BoardSearch(self.depth, self.caution), Tracker.of(start, self.pool))


@dataclass
class _SeatedSearcher:
    start: Start
    player: Searcher
    search: BoardSearch
    tracker: Tracker

    def hear(self, event: Event) -> None:
        self.tracker.hear(event)

    def believed(self) -> BeliefSummary | None:
        return self.tracker.believed()

    def choose(self, view: View) -> Move:
        dice, boards = self.tracker.dice, self.tracker.possible(view)
        if not len(boards):
            return dice.choice(view.tries)
        mates = self._mates(boards)
        if mates:
            return dice.choice(mates)
        some = _looked_at(boards, self.player.sample(self.start), dice)
        found = self.search.search(some, view, self.start.rules, _limit(self.start, view))
        # What every board refuses tells nothing, though the search, which stops after it, may like to stand still.
        return _best(view.tries, np.where(found.chances > 0, found.values, -np.inf), dice)

    def _mates(self, boards: Boards) -> tuple[Move, ...]:
        """The first moves of the shortest mate that is guaranteed, if one is found."""
        if not self.player.mates or self.tracker.behind or len(boards) > MATE_BOARDS:
            return ()
        limit = Limit(nodes=MATE_NODES if boards.is_packed else SLOW_MATE_NODES)
        try:
            return shortest_mates(boards, MATE_MOVES, self.start.rules, limit)
        except LimitReachedError:
            return ()


def _limit(start: Start, view: View) -> Limit:
    """As in the paper, a try after a refused one has a fifteenth of the time: 2 seconds where the first had 30."""
    seconds = start.budget.seconds
    return Limit(None if seconds is None else seconds * AGAIN if view.refused else seconds)


def _looked_at(boards: Boards, sample: int | None, dice: Random) -> Boards:
    """So many boards drawn by their weights, or all of them in any order."""
    rng = np.random.default_rng(dice.getrandbits(64))
    if sample is not None and len(boards) > sample:
        return drawn(boards, sample, rng)[0]
    return boards.taken(rng.permutation(len(boards)))


def _best(tries: tuple[Move, ...], values: NDArray[np.float64], dice: Random) -> Move:
    return tries[dice.choice(np.flatnonzero(values >= values.max() - 1e-9).tolist())]


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
    """

    depth: int = 2
    boards: int | None = None
    pool: int = POOL

    name: ClassVar[str] = "HS"

    def __post_init__(self) -> None:
        for option in ("depth", "boards", "pool"):
            if (value := getattr(self, option)) is not None and value < 1:
                raise InputError(f"{self.name}: expected at least one for {option}, found {value}")

    def sit(self, start: Start) -> Seated:
        """Take a seat."""
        return _SeatedHS(start, self, Boards.of(start.boards), [])


@dataclass
class _SeatedHS:
    start: Start
    player: HSPlayer
    pool: Boards
    events: list[Event]
    refusals: int = 0
    is_thinned: bool = False

    def hear(self, event: Event) -> None:
        self.events.append(event)
        if event.message and event.message.end:
            return
        colour, rules = self.start.colour, self.start.rules
        if len(self.pool) > self.player.pool and event.colour is not colour:
            rng = np.random.default_rng(self.start.dice(len(self.events)).getrandbits(64))
            self.pool, self.is_thinned = drawn(self.pool, self.player.pool, rng)[0], True
        refusals = self.refusals if rules.refusals_heard else None
        self.pool = self.pool.after(event, colour, rules, refusals=refusals)
        self.refusals = self.refusals + 1 if event.is_refusal and event.colour is not colour else 0

    def choose(self, view: View) -> Move:
        dice = self.start.dice(len(self.events))
        boards = self._boards(view, dice)
        if not len(boards):
            return dice.choice(view.tries)
        values = mean_minimax(boards, view, self.start.rules, self.player.depth, _limit(self.start, view))
        return _best(view.tries, values, dice)

    def _boards(self, view: View, dice: Random) -> Boards:
        """From the pool, and if there are too few, boards that explain the last message alone."""
        most = self.player.boards or self.start.budget.boards or HS_BOARDS
        some = _looked_at(self.pool, most, dice)
        if len(some) >= most or not self.is_thinned:
            return some
        guesses = LastMessage.heard(view, self.start.rules, self.events).guesses(dice, most - len(some))
        return some.counted_alike().joined(guesses)
