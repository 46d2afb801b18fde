"""What it is to sit at a kriegspiel board: to hear what the umpire tells, and nothing else, and to say what to try.

A player is a frozen dataclass of its parameters, whose repr is what experiments log. For a game it takes a seat, and
what it remembers it remembers there. The same seed and the same answers give the same tries, whether a game is played
in one go or taken up again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from worldwise.core.result import Limit
from worldwise.engines.kriegspiel_belief import SampledBelief
from worldwise.engines.kriegspiel_guess import LastMessage
from worldwise.engines.kriegspiel_summary import summary
from worldwise.errors import InputError, LimitReachedError
from worldwise.games.kriegspiel.board import START

if TYPE_CHECKING:
    from worldwise.engines.kriegspiel_boards import Boards
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


# ---------------------------------------------------------------------- keeping track

EXACT_POOLS = 5
"""How many pools' worth of boards a belief may have without becoming a sample."""

GUESSES = 50
"""Boards that a player goes on with who has lost track."""

MOST_BOARDS = 1_000_000
"""Boards that are brought forward for one answer before track is lost, if no seconds are given: half a minute."""


@dataclass
class Tracker:
    """What a player at the board makes of all he has heard: boards that explain it, while he keeps track.

    ``behind`` are answers that he could not explain in time. Whenever the other has moved he tries again; until he
    succeeds he goes on with boards that explain the last message alone, as HS does in PNS06.
    """

    start: Start
    belief: SampledBelief
    events: list[Event] = field(default_factory=list)
    behind: list[Event] = field(default_factory=list)

    @classmethod
    def of(cls, start: Start, pool: int) -> Tracker:
        """Before the first move."""
        exact = EXACT_POOLS * pool
        belief = SampledBelief.start(start.colour, start.rules, start.boards, size=pool, exact=exact, seed=start.seed)
        return cls(start, belief)

    @property
    def dice(self) -> Random:
        """Chances for what is decided now."""
        return self.start.dice(len(self.events))

    def hear(self, event: Event) -> None:
        """Take in what is said."""
        self.events.append(event)
        if event.message and event.message.end:
            return
        self.behind.append(event)
        others = event.colour is not self.start.colour and not event.is_refusal
        if len(self.behind) == 1 or others:
            self._catch_up()

    def _catch_up(self) -> None:
        seconds = self.start.budget.seconds
        limit = Limit(nodes=MOST_BOARDS) if seconds is None else Limit(seconds / 2)
        try:
            if len(self.behind) == 1:
                self.belief = self.belief.after(self.behind[0], limit)
            else:
                self.belief = self.belief.caught_up(self.behind, limit)
        except (InputError, LimitReachedError):
            return  # no board explains all that was heard, or none was found in time
        self.behind.clear()

    def believed(self) -> BeliefSummary | None:
        """What he believes."""
        if self.behind:
            return None
        return summary(self.belief.boards, self.start.colour, exact=self.belief.is_exact)

    def possible(self, view: View) -> Boards:
        """The boards that fit; once track is lost, a few that fit the last message, or none."""
        if not self.behind:
            return self.belief.boards
        return LastMessage.heard(view, self.start.rules, self.events).guesses(self.dice, GUESSES)
