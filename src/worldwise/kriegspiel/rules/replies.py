"""Kriegspiel as one player who searches sees it: he tries, the other replies with legal moves.

A try of the other's that is refused changes no board, and whoever searches cannot count on it. Without such tries every
reply is one move, which is how PNS06 counts depth, and how beliefs take the other to choose.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from worldwise.errors import InputError
from worldwise.kriegspiel.rules.squares import uci

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction
    from random import Random

    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.game import Kriegspiel, Observed, State
    from worldwise.kriegspiel.rules.squares import ChessMove, Colour


@dataclass(frozen=True)
class LegalReplies:
    """A game of kriegspiel in which the ``player`` tries as usual, and the other makes legal moves only.

    >>> from worldwise.kriegspiel.rules.fen import read_fen
    >>> from worldwise.kriegspiel.rules.game import Kriegspiel
    >>> from worldwise.kriegspiel.rules.squares import WHITE
    >>> game = LegalReplies(Kriegspiel(), WHITE)
    >>> state = game.resume(read_fen("k3/4/4/KR2 b"))
    >>> len(game.game.moves(state)), len(game.moves(state))
    (3, 1)
    """

    game: Kriegspiel
    player: Colour

    @property
    def players(self) -> tuple[Colour, Colour]:
        """Both colours."""
        return self.game.players

    def resume(self, board: ChessBoard, refused: Iterable[ChessMove] = ()) -> State:
        """The state in which a search begins in the middle of a game, with what has been refused in this turn.

        The boards of a belief share what was heard so far, so what is observed begins here. So do the counts of plies
        and repetitions.
        """
        return replace(self.game.start(board), refused=frozenset(refused))

    def deal(self, rng: Random) -> State:
        """A first position."""
        return self.game.deal(rng)

    def deals(self) -> Iterable[tuple[State, Fraction]]:
        """Every first position with its probability."""
        return self.game.deals()

    def to_move(self, state: State) -> Colour | None:
        """Whose turn it is; None when the game is over."""
        return self.game.to_move(state)

    def moves(self, state: State) -> Sequence[ChessMove]:
        """The player's tries, or the other's legal moves."""
        return self.game.moves(state) if state.board.turn is self.player else state.board.legal_moves

    def play(self, state: State, move: ChessMove) -> State:
        """After a try of the player's, or a legal move of the other's."""
        if state.board.turn is not self.player and not state.board.is_legal(move):
            found = uci(move, state.board.geometry)
            raise InputError(f"expected a legal move of {self.player.other}, found {found}")
        return self.game.play(state, move)

    def payoff(self, state: State, player: Colour) -> float:
        """One for a win, minus one for a loss, nothing for a draw."""
        return self.game.payoff(state, player)

    def observe(self, state: State, player: Colour) -> Observed:
        """The player's own pieces at the start, and all that he has heard."""
        return self.game.observe(state, player)
