"""The umpire's board with compiled lists of moves: all of ``Board``, and games on it take less than half the time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from worldwise.kernels import native, pick
from worldwise.kriegspiel.rules.board import Board
from worldwise.kriegspiel.rules.packed_boards import row_of, unpacked_move

if TYPE_CHECKING:
    from worldwise.kriegspiel.rules.squares import Move


@dataclass(frozen=True, eq=False)
class CompiledBoard(Board):
    """A board of 8 by 8 whose legal moves a kernel lists; the boards after it are of the same kind."""

    @cached_property
    def legal_moves(self) -> tuple[Move, ...]:
        """All of them, in an order that nobody may count on: the kernel's, not that of ``Board``."""
        return tuple(map(unpacked_move, np.frombuffer(native.chess_moves(row_of(self)), np.uint16).tolist()))

    def after(self, move: Move) -> Board:
        """The board after a legal move."""
        return _compiled(super().after(move))


def fastest_board(board: Board) -> Board:
    """The board with compiled moves if there are any for it, otherwise the board itself.

    >>> from worldwise.kriegspiel.rules.board import START
    >>> len(fastest_board(START).legal_moves)
    20
    """
    return pick(_compiled, _readable, fits=board.geometry.is_full)(board)


def _compiled(board: Board) -> Board:
    return CompiledBoard(board.men, board.turn, board.castling, board.en_passant, board.quiet, board.number)


def _readable(board: Board) -> Board:
    return board
