"""The policy of a public bot, written from its description: no boards, no search, a few habits.

kriegspiel.org has a bot named simple-heuristics. Its maintainers say what it does: it takes back at once where
something of its own was taken; it promotes to a queen when a pawn can; half of the time it tries a capture by a pawn,
if there may be one; and otherwise its tries are drawn by length, the longest first, each with half the weight of the
one before. What the description leaves open is settled here and said beside it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from random import Random

    from worldwise.kriegspiel.players.player import KriegspielSeat, Start
    from worldwise.kriegspiel.rules.game import Event
    from worldwise.kriegspiel.rules.squares import ChessMove, Square
    from worldwise.kriegspiel.rules.view import PlayerView

ASKS = 0.5
"""How often he tries the captures of his pawns first."""


@dataclass(frozen=True)
class SimpleHeuristicsPlayer:
    """Takes back, promotes, captures with pawns, and moves far."""

    name: ClassVar[str] = "simple"

    def sit(self, start: Start) -> KriegspielSeat:
        """Take a seat."""
        return _SeatedSimple(start)


@dataclass
class _SeatedSimple:
    start: Start
    heard: int = 0
    taken: Square | None = field(default=None)
    """Where the other has just taken something."""

    def hear(self, event: Event) -> None:
        self.heard += 1
        if event.message is not None:
            self.taken = event.message.taken if event.colour is not self.start.colour else None

    def choose(self, view: PlayerView) -> ChessMove:
        dice = self.start.dice(self.heard)
        habits = (self._take_back(view), promotions(view), self._pawn_captures(view, dice))
        wanted = next(filter(None, habits), None)
        return dice.choice(wanted) if wanted else longest_first(view, dice)

    def _take_back(self, view: PlayerView) -> list[ChessMove]:
        """Every try that goes there, one after the other in any order; a pawn's steps cannot take."""
        return [move for move in view.tries if move.target == self.taken and not is_pawn_step(view, move)]

    def _pawn_captures(self, view: PlayerView, dice: Random) -> list[ChessMove]:
        """Half of the time, where the umpire has said that there are some: the bot would have asked him."""
        if not view.pawn_tries or dice.random() >= ASKS:
            return []
        tries = (move for move in view.tries if move.promotion in ("", "Q"))
        return [move for move in tries if is_pawn(view, move) and not is_pawn_step(view, move)]


def is_pawn(view: PlayerView, move: ChessMove) -> bool:
    """Whether a try is a pawn's."""
    return view.pieces[move.origin] in "Pp"


def is_pawn_step(view: PlayerView, move: ChessMove) -> bool:
    """Whether a try is a pawn's step, which takes nothing."""
    return is_pawn(view, move) and move.origin % view.geometry.files == move.target % view.geometry.files


def promotions(view: PlayerView) -> list[ChessMove]:
    """The tries by which a pawn steps on and becomes a queen."""
    return [move for move in view.tries if move.promotion == "Q" and is_pawn_step(view, move)]


def longest_first(view: PlayerView, dice: Random) -> ChessMove:
    """A try by its length as the crow flies: of two, the longer is twice as likely; equals are in any order."""
    tries = list(view.tries)
    dice.shuffle(tries)
    tries.sort(key=lambda move: _length(view, move), reverse=True)
    return dice.choices(tries, [2.0**-place for place in range(len(tries))])[0]


def _length(view: PlayerView, move: ChessMove) -> int:
    (file, rank), (to_file, to_rank) = map(view.geometry.place, (move.origin, move.target))
    return (to_file - file) ** 2 + (to_rank - rank) ** 2
