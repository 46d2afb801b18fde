"""The umpire's table: he knows the board, asks each player in turn, and tells both what they may hear."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from worldwise.errors import WorldwiseError
from worldwise.kriegspiel.players.names import short_name
from worldwise.kriegspiel.players.player import NO_BUDGET, Start
from worldwise.kriegspiel.records.record import turn_name
from worldwise.kriegspiel.rules.squares import BLACK, WHITE, uci
from worldwise.kriegspiel.rules.umpire import opening
from worldwise.kriegspiel.rules.view import PlayerView

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from worldwise.kriegspiel.players.player import Budget, KriegspielPlayer, KriegspielSeat
    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.game import Event, Kriegspiel, State
    from worldwise.kriegspiel.rules.squares import ChessMove, Colour


@dataclass
class KriegspielChair:
    """A colour, who plays it, and his name for people."""

    colour: Colour
    name: str
    seated: KriegspielSeat

    def hear(self, event: Event, state: State) -> None:
        """He is told something."""
        try:
            self.seated.hear(event)
        except Exception as error:
            raise self._failure(error, state) from error

    def choose(self, state: State) -> ChessMove:
        """What he tries; it must be one of his tries."""
        view = state.view(self.colour)
        try:
            move = self.seated.choose(view)
        except Exception as error:
            raise self._failure(error, state) from error
        if move not in view.tries:
            found = uci(move, view.geometry)
            raise WorldwiseError(f"{self.name}, {turn_name(state)}: expected one of its tries, found {found}")
        return move

    def _failure(self, error: Exception, state: State) -> WorldwiseError:
        return WorldwiseError(f"{self.name}, {turn_name(state)}: {type(error).__name__}: {error}")


@dataclass
class UmpireTable:
    """A game and its players; a person who plays himself needs no chair.

    >>> from random import Random
    >>> from worldwise.kriegspiel.rules.fen import read_fen
    >>> from worldwise.kriegspiel.rules.game import Kriegspiel
    >>> from worldwise.kriegspiel.players.random_and_greedy import GreedyPlayer, RandomTriesPlayer
    >>> game = Kriegspiel(starts=(read_fen("k7/7R/1K6/8/8/8/8/8 w"),))
    >>> first = game.deal(Random(0))
    >>> table = UmpireTable.of(game, first, {WHITE: GreedyPlayer(), BLACK: RandomTriesPlayer()})
    >>> table.play_out(first).end
    <End.MATE: 'mate'>
    """

    game: Kriegspiel
    chairs: Mapping[Colour, KriegspielChair]

    @classmethod
    def of(
        cls,
        game: Kriegspiel,
        state: State,
        players: Mapping[Colour, KriegspielPlayer],
        seed: int = 0,
        budget: Budget = NO_BUDGET,
    ) -> UmpireTable:
        """Players take their seats, and hear what has happened so far in the game."""
        chairs = {}
        for colour in (colour for colour in (WHITE, BLACK) if colour in players):
            boards = tuple(_first_boards(game, state.first, colour))
            seated = players[colour].sit(Start(colour, game.rules, boards, seed, budget))
            chairs[colour] = KriegspielChair(colour, short_name(players[colour]), seated)
        table = cls(game, chairs)
        for event in state.events:
            table.tell(event, state)
        return table

    def tell(self, event: Event, state: State) -> None:
        """Both players hear of a try what they may."""
        for colour, chair in self.chairs.items():
            heard = event.heard_by(colour, self.game.rules)
            if heard:
                chair.hear(heard, state)

    def after(self, state: State, move: ChessMove) -> State:
        """A try, whosoever's it is, and its answer."""
        state = self.game.play(state, move)
        self.tell(state.events[-1], state)
        return state

    def next_state(self, state: State) -> State:
        """The next try of the player on turn, and its answer."""
        return self.after(state, self.chairs[state.board.turn].choose(state))

    def play_out(self, state: State) -> State:
        """The end of the game."""
        while self.game.to_move(state) is not None:
            state = self.next_state(state)
        return state


def _first_boards(game: Kriegspiel, first: ChessBoard, colour: Colour) -> Iterator[ChessBoard]:
    """The boards that look to a player like the one the game begins from."""
    seen = (PlayerView.of(first, colour), first.turn, opening(first, game.rules))
    for board in game.starts:
        if (PlayerView.of(board, colour), board.turn, opening(board, game.rules)) == seen:
            yield board
