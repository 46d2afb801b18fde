"""Kriegspiel as a game of ``core``: the umpire's whole story, and what each player has heard of it.

A turn is a series of tries. A try that is refused leaves the turn where it is, and the player may not repeat it; any
other is made, and both players hear a message. So a player knows his own tries with their answers, the messages, and,
if the rules say so, how often the other was refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from worldwise.errors import InputError
from worldwise.kriegspiel.rules.board import START, ChessBoard
from worldwise.kriegspiel.rules.squares import BLACK, WHITE, ChessMove, Colour, uci
from worldwise.kriegspiel.rules.umpire import WILD16, End, Message, Rules, message, opening
from worldwise.kriegspiel.rules.view import PlayerView

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable
    from random import Random

PositionKey = tuple[str, Colour, str, int | None]
"""What must be the same for a position to be repeated."""


@dataclass(frozen=True)
class Event:
    """A try and the umpire's answer. ``move`` is None if it is not for our ears, ``message`` if it was refused."""

    colour: Colour
    move: ChessMove | None
    message: Message | None

    @property
    def is_refusal(self) -> bool:
        """Whether the try was refused."""
        return self.message is None

    def heard_by(self, colour: Colour, rules: Rules) -> Event | None:
        """What a player hears of it: all if it was his own try, nothing of the other's refusals if the rules say so."""
        if colour is self.colour:
            return self
        return None if self.is_refusal and not rules.refusals_heard else Event(self.colour, None, self.message)


@dataclass(frozen=True)
class State:
    """The true board, what has been tried on it since the last move, and everything before."""

    board: ChessBoard
    pawn_tries: int | bool | None
    end: End | None = None
    refused: frozenset[ChessMove] = frozenset()
    plies: int = 0
    events: tuple[Event, ...] = ()
    positions: tuple[PositionKey, ...] = ()
    first: ChessBoard = START

    def view(self, colour: Colour) -> PlayerView:
        """What a player sees; of his pawns and refusals only when it is his turn."""
        return self._view_on_turn if colour is self.board.turn else PlayerView.of(self.board, colour)

    @cached_property
    def _view_on_turn(self) -> PlayerView:
        """Kept, because its list of tries is asked for by the player and by the umpire."""
        return PlayerView.of(self.board, self.board.turn, self.pawn_tries, self.refused)


@dataclass(frozen=True)
class Kriegspiel:
    """The game by a set of rules, from a board that both players know, or one drawn from several.

    >>> from worldwise.kriegspiel.rules.squares import read_uci
    >>> game = Kriegspiel()
    >>> state = game.play(game.start(START), read_uci("e2e4"))
    >>> [event.move for event in game.observe(state, BLACK).events], state.board.turn
    ([None], <Colour.BLACK: 1>)
    """

    rules: Rules = WILD16
    starts: tuple[ChessBoard, ...] = (START,)

    players = (WHITE, BLACK)

    def start(self, board: ChessBoard) -> State:
        """The beginning of a game."""
        said = opening(board, self.rules)
        return State(board, said.tries, said.end, positions=(position_key(board),), first=board)

    def deal(self, rng: Random) -> State:
        """A first position."""
        return self.start(rng.choice(self.starts))

    def deals(self) -> Iterable[tuple[State, Fraction]]:
        """Every first position with its probability."""
        return [(self.start(board), Fraction(1, len(self.starts))) for board in self.starts]

    def to_move(self, state: State) -> Colour | None:
        """Whose turn it is; None when the game is over."""
        return None if state.end else state.board.turn

    def moves(self, state: State) -> tuple[ChessMove, ...]:
        """What the player to move may try."""
        return state.view(state.board.turn).tries

    def play(self, state: State, move: ChessMove) -> State:
        """After a try: the board with the move made, or the same board if the umpire refuses."""
        found = uci(move, state.board.geometry)
        if state.end:
            raise InputError(f"expected no try after the end ({state.end.value}), found {found}")
        if move not in self.moves(state):
            raise InputError(f"expected one of {state.board.turn}'s tries, found {found}")
        if not state.board.is_legal(move):
            return self._refuse(state, move)
        return self._make(state, move)

    def _refuse(self, state: State, move: ChessMove) -> State:
        event = Event(state.board.turn, move, None)
        return State(
            state.board,
            state.pawn_tries,
            None,
            state.refused | {move},
            state.plies,
            (*state.events, event),
            state.positions,
            state.first,
        )

    def _make(self, state: State, move: ChessMove) -> State:
        board = state.board.after(move)
        positions = (*(state.positions if board.quiet else ()), position_key(board))
        plies = state.plies + 1
        said = message(state.board, move, board, self.rules)
        end = said.end or self._end_by_count(positions, plies)
        if end:
            said = Message(said.taken, said.piece, said.checks, None, end)
        events = (*state.events, Event(state.board.turn, move, said))
        return State(board, said.tries, end, frozenset(), plies, events, positions, state.first)

    def _end_by_count(self, positions: tuple[PositionKey, ...], plies: int) -> End | None:
        if self.rules.repetition and positions.count(positions[-1]) >= 3:
            return End.REPETITION
        return End.PLIES if self.rules.ply_limit is not None and plies >= self.rules.ply_limit else None

    def payoff(self, state: State, player: Colour) -> float:
        """One for a win, minus one for a loss, nothing for a draw."""
        if state.end is not End.MATE:
            return 0.0
        return -1.0 if player is state.board.turn else 1.0

    def observe(self, state: State, player: Colour) -> Observed:
        """The player's own pieces at the start, and all that he has heard."""
        first, heard = state.first, (event.heard_by(player, self.rules) for event in state.events)
        return Observed(
            PlayerView.of(first, player),
            tuple(event for event in heard if event),
            state.view(player),
            first.turn,
            opening(first, self.rules),
        )


@dataclass(frozen=True)
class Observed:
    """Everything a player has seen and heard: his pieces at first, the answers and messages, and his view now.

    ``begins`` is whose turn it was at first, and ``opening`` what was said then.
    """

    first: PlayerView
    events: tuple[Event, ...]
    view: PlayerView
    begins: Colour
    opening: Message


def position_key(board: ChessBoard) -> PositionKey:
    """What makes two positions the same: pieces, turn, castling, and en passant if it is legal."""
    takes = any(target == board.en_passant for _, target in board.pawn_captures)
    return board.pieces, board.turn, board.castling, board.en_passant if takes else None


PLAYERS: tuple[Hashable, ...] = Kriegspiel.players
"""Who plays, in the order of the moves."""
