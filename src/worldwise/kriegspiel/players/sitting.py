"""A person's game against a player as a value: it can be put away after every try, and taken up in another process.

What the player at the board remembers is not part of it: by the same seed he remembers the same once he has heard the
game again. A process keeps the latest few players at their boards, so that mostly they need only hear what is new.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from worldwise.kriegspiel.players.names import player_name
from worldwise.kriegspiel.players.seats import Believes
from worldwise.kriegspiel.players.session import YOU, Memory, Session
from worldwise.kriegspiel.players.table import Table
from worldwise.kriegspiel.records.record import Record
from worldwise.kriegspiel.rules.board import START
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.squares import WHITE

if TYPE_CHECKING:
    from worldwise.kriegspiel.belief.summary import BeliefSummary
    from worldwise.kriegspiel.players.seats import Budget, KriegspielPlayer
    from worldwise.kriegspiel.rules.board import Board
    from worldwise.kriegspiel.rules.game import State
    from worldwise.kriegspiel.rules.squares import Colour, Move
    from worldwise.kriegspiel.rules.umpire import Rules

MOST_PLAYERS = 4
"""Players at their boards, and memories of persons, that a process keeps."""


@dataclass(frozen=True)
class Opponent:
    """Who plays against a person and what he is called, what his chances come from, and how long he may think.

    ``game`` tells one game from another that is otherwise the same: a seed may be used again.
    """

    name: str
    player: KriegspielPlayer
    colour: Colour
    rules: Rules
    seed: int
    budget: Budget
    game: str = ""


@dataclass(frozen=True)
class Thought:
    """What a player believed before a try: how many tries had been made, and where he thought the enemy."""

    tries: int
    belief: BeliefSummary | None


@dataclass(frozen=True)
class Sitting:
    """A game so far, and what the player has believed whenever it was his turn.

    >>> from worldwise.kriegspiel.rules.squares import BLACK
    >>> from worldwise.kriegspiel.rules.umpire import WILD16
    >>> from worldwise.kriegspiel.players.simple import RandomPlayer
    >>> from worldwise.kriegspiel.players.seats import NO_BUDGET
    >>> sitting = Sitting.of(Opponent("rand", RandomPlayer(), BLACK, WILD16, 7, NO_BUDGET))
    >>> sitting = sitting.after(sitting.session.move("e4"))
    >>> sitting.session.yours, sitting.replied().session.yours
    (False, True)
    """

    opponent: Opponent
    session: Session
    thoughts: tuple[Thought, ...] = ()

    @classmethod
    def of(cls, opponent: Opponent, first: Board = START) -> Sitting:
        """The beginning of a game, from a board that both know."""
        name = player_name(opponent.player)
        white, black = (name, YOU) if opponent.colour is WHITE else (YOU, name)
        return cls(opponent, Session.of(Record(opponent.rules, first, white=white, black=black)))

    def after(self, move: Move) -> Sitting:
        """The person has tried something."""
        return self._with_state(self.session.game.play(self.session.state, move))

    def replied(self) -> Sitting:
        """The player has tried something; it is his turn."""
        seat = _seat(self.opponent, self.session.state.first)
        belief = seat.believed_at(self.session.state)
        thought = Thought(len(self.session.state.events), belief)
        told = replace(self, thoughts=(*self.thoughts, thought)) if seat.believes else self
        return told._with_state(seat.next_state(self.session.state))

    def resigned(self) -> Sitting:
        """The person gives up."""
        return replace(self, session=replace(self.session, resigned=True))

    def recalled(self) -> BeliefSummary:
        """What the person may hold possible, by what he has heard alone."""
        return _memory(self.opponent, self.session.state.first).recalled(self.session)

    def _with_state(self, state: State) -> Sitting:
        return replace(self, session=replace(self.session, state=state))


@dataclass
class _Seat:
    """A player at the board, and how much of the game he has been told."""

    table: Table
    colour: Colour
    told: int = 0

    @property
    def believes(self) -> bool:
        return isinstance(self.table.chairs[self.colour].seated, Believes)

    def believed_at(self, state: State) -> BeliefSummary | None:
        """What he believes now, having been told all that he may know."""
        for event in state.events[self.told :]:
            self.table.tell(event, state)
            self.told += 1
        seated = self.table.chairs[self.colour].seated
        return seated.believed() if isinstance(seated, Believes) else None

    def next_state(self, state: State) -> State:
        state = self.table.next_state(state)
        self.told = len(state.events)
        return state


@lru_cache(MOST_PLAYERS)
def _seat(opponent: Opponent, first: Board) -> _Seat:
    game, players = Kriegspiel(opponent.rules, (first,)), {opponent.colour: opponent.player}
    return _Seat(Table.of(game, game.start(first), players, opponent.seed, opponent.budget), opponent.colour)


@lru_cache(MOST_PLAYERS)
def _memory(opponent: Opponent, first: Board) -> Memory:
    """Of the person who plays against him; he tells one game from another, and nothing else is made of him."""
    return Memory.of(Sitting.of(opponent, first).session)
