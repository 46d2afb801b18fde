"""Players of kriegspiel: each hears what the umpire tells it, and nothing else, and says what to try.

A player is a frozen dataclass of its parameters, whose repr is what experiments log; a text such as
``greedy:boards=50`` means the same. For a game it takes a seat, and what it remembers it remembers there. The same
seed and the same answers give the same tries, whether a game is played in one go or taken up again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

import numpy as np

from worldwise.core.result import Limit
from worldwise.engines.kriegspiel_belief import POOL, SampledBelief, drawn
from worldwise.engines.kriegspiel_boards import Boards
from worldwise.engines.kriegspiel_greedy import worths
from worldwise.engines.kriegspiel_guess import LastMessage
from worldwise.engines.kriegspiel_summary import summary
from worldwise.errors import InputError, LimitReachedError
from worldwise.games.kriegspiel.board import START

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from worldwise.engines.kriegspiel_summary import BeliefSummary
    from worldwise.games.kriegspiel.board import Board
    from worldwise.games.kriegspiel.game import Event
    from worldwise.games.kriegspiel.squares import Colour, Move
    from worldwise.games.kriegspiel.umpire import Rules
    from worldwise.games.kriegspiel.view import View


@dataclass(frozen=True)
class Budget:
    """How much thought a try is worth: boards looked at, or seconds; without either, what a player thinks right."""

    boards: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.boards is not None and self.seconds is not None:
            raise InputError("expected a budget of boards or of seconds, found both")
        for name, value in (("board", self.boards), ("second", self.seconds)):
            if value is not None and not value > 0:
                raise InputError(f"expected a budget of more than no {name}s, found {value}")


NO_BUDGET = Budget()


@dataclass(frozen=True)
class Start:
    """What a player knows before the first move: his colour, the rules, and the boards that the game may begin from."""

    colour: Colour
    rules: Rules
    boards: tuple[Board, ...] = (START,)
    seed: int = 0
    budget: Budget = NO_BUDGET

    def dice(self, heard: int) -> Random:
        """Chances that depend on the seed, the colour and how much has been heard; not on how one came here."""
        return Random(f"{self.seed} {self.colour} {heard}")


class Seated(Protocol):
    """A player at the board, for one game."""

    def hear(self, event: Event) -> None:
        """An answer to a try of his own, or what is said about the other's."""

    def choose(self, view: View) -> Move:
        """What to try next, one of ``view.tries``; it is this player's turn."""


@runtime_checkable
class Believes(Protocol):
    """A player at the board who can say where he thinks the enemy's men are; None if he has lost track."""

    def believed(self) -> BeliefSummary | None:
        """What he believes now."""


@runtime_checkable
class KriegspielPlayer(Protocol):
    """Who can play kriegspiel."""

    def sit(self, start: Start) -> Seated:
        """Take a seat for one game."""


# ---------------------------------------------------------------------- chance


@dataclass(frozen=True)
class RandomPlayer:
    """Tries anything, all tries being equally likely."""

    name: ClassVar[str] = "rand"

    def sit(self, start: Start) -> Seated:
        """Take a seat."""
        return _SeatedRandom(start)


@dataclass
class _SeatedRandom:
    start: Start
    heard: int = 0

    def hear(self, event: Event) -> None:  # noqa: ARG002
        self.heard += 1

    def choose(self, view: View) -> Move:
        return self.start.dice(self.heard).choice(view.tries)


# ---------------------------------------------------------------------- greed


@dataclass(frozen=True)
class GreedyPlayer:
    """Tries what wins most at once, on average over the boards that it holds possible (``engines.kriegspiel_greedy``).

    ``boards``  how many of them it looks at; without it the budget of the game says, or ``BOARDS``
    ``pool``    how many it carries from move to move
    """

    boards: int | None = None
    pool: int = POOL

    name: ClassVar[str] = "greedy"

    def __post_init__(self) -> None:
        for option in ("boards", "pool"):
            if (value := getattr(self, option)) is not None and value < 1:
                raise InputError(f"{self.name}: expected at least one for {option}, found {value}")

    def sit(self, start: Start) -> Seated:
        """Take a seat."""
        exact = EXACT_POOLS * self.pool
        belief = SampledBelief.start(
            start.colour, start.rules, start.boards, size=self.pool, exact=exact, seed=start.seed
        )
        return _SeatedGreedy(start, self.boards, belief)


BOARDS = 100
SLOW_BOARDS = 8
"""What greed looks at if nobody says: without kernels a board takes a tenth of a second."""

GUESSES = 10
"""Boards that it looks at when it has lost track."""

EXACT_POOLS = 5
"""How many pools' worth of boards a belief may have without becoming a sample."""

CHUNK = 50
"""Boards between two looks at the clock."""


@dataclass
class _SeatedGreedy:
    start: Start
    own_boards: int | None
    belief: SampledBelief | None
    events: list[Event] = field(default_factory=list, init=False)

    def hear(self, event: Event) -> None:
        self.events.append(event)
        if self.belief is None or (event.message and event.message.end):
            return
        try:
            self.belief = self.belief.after(event, Limit(self.start.budget.seconds))
        except (InputError, LimitReachedError):
            self.belief = None  # it finds no board that explains all it has heard, or none in time

    def believed(self) -> BeliefSummary | None:
        """What it believes."""
        if self.belief is None:
            return None
        return summary(self.belief.boards, self.start.colour, exact=self.belief.is_exact)

    def choose(self, view: View) -> Move:
        dice = self.start.dice(len(self.events))
        boards = self._possible(view, dice)
        if not len(boards):
            return dice.choice(view.tries)
        values = self._values(view.tries, boards, dice)
        best = np.flatnonzero(values >= values.max() - 1e-9).tolist()
        return view.tries[dice.choice(best)]

    def _possible(self, view: View, dice: Random) -> Boards:
        """What fits; once it has lost track, boards that explain the last message alone, as HS does in PNS06."""
        if self.belief is not None:
            return self.belief.boards
        return Boards.of(LastMessage.heard(view, self.start.rules, self.events).guesses(dice, GUESSES))

    def _values(self, tries: tuple[Move, ...], boards: Boards, dice: Random) -> NDArray[np.float64]:
        """What each try is worth on average; those that every board refuses come last."""
        total, chances = np.zeros(len(tries)), np.zeros(len(tries))
        for some in self._looked_at(boards, dice):
            found, legal = worths(some, tries)
            total += some.weights @ found
            chances += some.weights @ legal
        return np.where(chances > 0, total, -np.inf)

    def _looked_at(self, boards: Boards, dice: Random) -> Iterator[Boards]:
        """As many boards as the budget allows, in lots."""
        rng, seconds = np.random.default_rng(dice.getrandbits(64)), self.start.budget.seconds
        if self.own_boards is not None or seconds is None:
            most = self.own_boards or self.start.budget.boards or (BOARDS if boards.is_packed else SLOW_BOARDS)
            yield boards if len(boards) <= most else drawn(boards, most, rng)[0]
            return
        deadline, order = monotonic() + seconds, rng.permutation(len(boards))
        for start in range(0, len(order), CHUNK if boards.is_packed else 1):
            yield boards.taken(order[start : start + (CHUNK if boards.is_packed else 1)])
            if monotonic() > deadline:
                return
