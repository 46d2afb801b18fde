"""What it is to sit at a kriegspiel board: to hear what the umpire tells, and nothing else, and to say what to try.

A player is a frozen dataclass of its parameters, whose repr is what experiments log. For a game it takes a seat, and
what it remembers it remembers there. The same seed and the same answers give the same tries, whether a game is played
in one go or taken up again.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from random import Random
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from worldwise.errors import InputError
from worldwise.kriegspiel.rules.board import START

if TYPE_CHECKING:
    from worldwise.kriegspiel.belief.summary import BeliefSummary
    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.game import Event
    from worldwise.kriegspiel.rules.squares import ChessMove, Colour
    from worldwise.kriegspiel.rules.umpire import Rules
    from worldwise.kriegspiel.rules.view import PlayerView


@dataclass(frozen=True)
class Budget:
    """How much thought a try is worth: boards looked at, or seconds; without either, what a player thinks right."""

    boards: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.boards is not None and self.seconds is not None:
            raise InputError("expected a budget of boards or of seconds, found both")
        for name, value in (("board", self.boards), ("second", self.seconds)):
            if value is not None and not (value > 0 and isfinite(value)):
                raise InputError(f"expected a budget of some {name}s, above 0 and not endless, found {value}")


NO_BUDGET = Budget()

AGAIN = 2 / 30
"""The part of a try's time that PNS06 has for the next if it is refused."""


@dataclass(frozen=True)
class Start:
    """What a player knows before the first move: his colour, the rules, and the boards that the game may begin from."""

    colour: Colour
    rules: Rules
    boards: tuple[ChessBoard, ...] = (START,)
    seed: int = 0
    budget: Budget = NO_BUDGET

    def dice(self, heard: int) -> Random:
        """Chances that depend on the seed, the colour and how much has been heard; not on how one came here."""
        return Random(f"{self.seed} {self.colour} {heard}")


class KriegspielSeat(Protocol):
    """A player at the board, for one game."""

    def hear(self, event: Event) -> None:
        """An answer to a try of his own, or what is said about the other's."""

    def choose(self, view: PlayerView) -> ChessMove:
        """What to try next, one of ``view.tries``; it is this player's turn."""


@runtime_checkable
class Believes(Protocol):
    """A player at the board who can say where he thinks the enemy's pieces are; None if he has lost track."""

    def belief_summary(self) -> BeliefSummary | None:
        """What he believes now."""


@runtime_checkable
class KriegspielPlayer(Protocol):
    """Who can play kriegspiel."""

    def sit(self, start: Start) -> KriegspielSeat:
        """Take a seat for one game."""
