"""A person's game against a player as a value: it can be put away after every try, and taken up in another process.

What the player at the board remembers is not part of it: by the same seed he remembers the same once he has heard the
game again. A process keeps the latest few players at their boards, so that mostly they need only hear what is new.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from worldwise.kriegspiel.players.names import player_name
from worldwise.kriegspiel.players.person_session import YOU, KriegspielSession, PersonMemory
from worldwise.kriegspiel.players.player import Believes
from worldwise.kriegspiel.players.umpire_table import UmpireTable
from worldwise.kriegspiel.records.record import Record
from worldwise.kriegspiel.rules.board import START
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.squares import WHITE

if TYPE_CHECKING:
    from worldwise.kriegspiel.belief.summary import BeliefSummary
    from worldwise.kriegspiel.players.player import Budget, KriegspielPlayer
    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.game import State
    from worldwise.kriegspiel.rules.squares import ChessMove, Colour
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
class StoredGame:
    """A game so far, and what the player has believed whenever it was his turn.

    >>> from worldwise.kriegspiel.rules.squares import BLACK
    >>> from worldwise.kriegspiel.rules.umpire import WILD16
    >>> from worldwise.kriegspiel.players.random_and_greedy import RandomTriesPlayer
    >>> from worldwise.kriegspiel.players.player import NO_BUDGET
    >>> game = StoredGame.of(Opponent("rand", RandomTriesPlayer(), BLACK, WILD16, 7, NO_BUDGET))
    >>> game = game.after(game.session.move("e4"))
    >>> game.session.yours, game.reply().session.yours
    (False, True)
    """

    opponent: Opponent
    session: KriegspielSession
    thoughts: tuple[Thought, ...] = ()

    @classmethod
    def of(cls, opponent: Opponent, first: ChessBoard = START) -> StoredGame:
        """The beginning of a game, from a board that both know."""
        name = player_name(opponent.player)
        white, black = (name, YOU) if opponent.colour is WHITE else (YOU, name)
        return cls(opponent, KriegspielSession.of(Record(opponent.rules, first, white=white, black=black)))

    def after(self, move: ChessMove) -> StoredGame:
        """The person has tried something."""
        return self._with_state(self.session.game.play(self.session.state, move))

    def reply(self) -> StoredGame:
        """The player has tried something; it is his turn."""
        seat = _seat_of(self.opponent, self.session.state.first)
        belief = seat.belief_at(self.session.state)
        thought = Thought(len(self.session.state.events), belief)
        noted = replace(self, thoughts=(*self.thoughts, thought)) if seat.believes else self
        return noted._with_state(seat.next_state(self.session.state))

    def resign(self) -> StoredGame:
        """The person gives up."""
        return replace(self, session=replace(self.session, resigned=True))

    def recall(self) -> BeliefSummary:
        """What the person may hold possible, by what he has heard alone."""
        return _memory_of(self.opponent, self.session.state.first).recall(self.session)

    def _with_state(self, state: State) -> StoredGame:
        return replace(self, session=replace(self.session, state=state))


@dataclass
class _Seat:
    """A player at the board, and how much of the game he has been told."""

    table: UmpireTable
    colour: Colour
    told: int = 0

    @property
    def believes(self) -> bool:
        return isinstance(self.table.chairs[self.colour].seated, Believes)

    def belief_at(self, state: State) -> BeliefSummary | None:
        """What he believes now, having been told all that he may know."""
        for event in state.events[self.told :]:
            self.table.tell(event, state)
            self.told += 1
        seated = self.table.chairs[self.colour].seated
        return seated.belief_summary() if isinstance(seated, Believes) else None

    def next_state(self, state: State) -> State:
        state = self.table.next_state(state)
        self.told = len(state.events)
        return state


@lru_cache(MOST_PLAYERS)
def _seat_of(opponent: Opponent, first: ChessBoard) -> _Seat:
    game, players = Kriegspiel(opponent.rules, (first,)), {opponent.colour: opponent.player}
    return _Seat(UmpireTable.of(game, game.start(first), players, opponent.seed, opponent.budget), opponent.colour)


@lru_cache(MOST_PLAYERS)
def _memory_of(opponent: Opponent, first: ChessBoard) -> PersonMemory:
    """Of the person who plays against him; he tells one game from another, and nothing else is made of him."""
    return PersonMemory.of(StoredGame.of(opponent, first).session)
