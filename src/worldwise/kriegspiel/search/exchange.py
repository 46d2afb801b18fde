"""What captures on a square win or lose, one after the other: static exchange, on a board that is seen whole.

It says of a move that was made whether it left something to be taken. Pins and checks do not count: it is the usual
short cut, and good enough for figures.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from worldwise.kriegspiel.rules.board import EMPTY
from worldwise.kriegspiel.search.greedy import VALUES

if TYPE_CHECKING:
    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.squares import ChessMove, Square

KING_VALUE = 100.0
"""So that a king takes last, and nothing that is protected."""


def exchange(board: ChessBoard, square: Square) -> float:
    """What the player to move wins, in pawns, by taking on a square as long as that pays; nothing if it does not.

    >>> from worldwise.kriegspiel.rules.fen import read_fen
    >>> from worldwise.kriegspiel.rules.squares import CHESS
    >>> exchange(read_fen("k7/8/2p5/3p4/4P3/8/8/K2R4 w"), CHESS.square("d5"))
    1.0
    >>> exchange(read_fen("k7/8/2p5/3p4/8/8/8/K2R4 w"), CHESS.square("d5"))
    0.0
    """
    attackers = board.attackers(square, board.turn)
    if not attackers or board.pieces[square] == EMPTY:
        return 0.0
    cheapest = min(attackers, key=lambda at: _value(board.pieces[at]))
    return max(0.0, _value(board.pieces[square]) - exchange(_taken(board, cheapest, square), square))


def most_won(board: ChessBoard) -> float:
    """The most that the player to move wins by an exchange on any square.

    >>> from worldwise.kriegspiel.rules.fen import read_fen
    >>> most_won(read_fen("k7/8/8/3q4/8/8/1n6/K2R4 w"))
    9.0
    """
    others = (square for square, piece in board.pieces_of(board.turn.other) if piece not in "Kk")
    return max((exchange(board, square) for square in others), default=0.0)


def left_to_take(board: ChessBoard, move: ChessMove) -> float:
    """What a move leaves the other to win by exchanges, less what it has taken itself.

    >>> from worldwise.kriegspiel.rules.fen import read_fen
    >>> from worldwise.kriegspiel.rules.squares import read_uci
    >>> board = read_fen("k7/8/4p3/3p4/8/8/8/K2Q4 w")
    >>> left_to_take(board, read_uci("d1d5")), left_to_take(board, read_uci("d1d2"))
    (8.0, 0.0)
    """
    taken = board.taken_at(move)
    return most_won(board.after(move)) - (0.0 if taken is None else _value(board.pieces[taken]))


def _taken(board: ChessBoard, origin: Square, target: Square) -> ChessBoard:
    """After a capture, legal or not; pawns stay pawns."""
    pieces = list(board.pieces)
    pieces[target], pieces[origin] = pieces[origin], EMPTY
    return replace(board, pieces="".join(pieces), turn=board.turn.other, en_passant=None)


def _value(piece: str) -> float:
    return VALUES[piece.upper()] or KING_VALUE
