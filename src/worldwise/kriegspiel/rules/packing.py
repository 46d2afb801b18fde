"""Boards, moves, rules and messages as the compiled kernels have them: rows of nine words, and numbers.

The forms are those of ``native/kriegspiel/chess.hpp`` and ``native/kriegspiel/umpire.hpp``. Only boards of 8 by 8 have
them; a row knows everything of a board but the number of the move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from worldwise.errors import InputError
from worldwise.kriegspiel.rules.board import EMPTY, ChessBoard
from worldwise.kriegspiel.rules.squares import BLACK, CHESS, WHITE, ChessMove, Colour
from worldwise.kriegspiel.rules.umpire import MOST_QUIET, Captured, CheckDirection, End, Message, PawnTries, Rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Row = NDArray[np.uint64]
    """The squares of pawns, knights, bishops, rooks, queens, kings, White, Black, and the rest."""

    PackedRules = tuple[int, int, bool, int, bool]
    """What is said of captures and of pawn tries, whether diagonals are told apart, the limit of quiet plies, and
    whether it is that of fifty moves."""

KINDS = "PNBRQK"
"""The pieces in the order of the kernels."""

WORDS = 9
"""Of a row."""

QUIET_SHIFT = 24
"""Where the quiet plies are in the last word of a row: above all else."""

_NO_SQUARE = 64
_CASTLINGS = "KQkq"
_CAPTURED = (Captured.NOTHING, Captured.KIND, Captured.TYPE)
_PAWN_TRIES = (PawnTries.NOTHING, PawnTries.ANY, PawnTries.COUNT)
_SAID = ("", "pawn", "piece")
_CHECKS, _ENDS = tuple(CheckDirection), tuple(End)

# ---------------------------------------------------------------------- boards


def pack_board(board: ChessBoard) -> Row:
    """A board as a row.

    >>> from worldwise.kriegspiel.rules.board import START
    >>> [hex(word) for word in pack_board(START)[[0, 8]]]
    ['0xff00000000ff00', '0x400f00']
    """
    return np.array(_words(board), dtype=np.uint64)


def pack_boards(boards: Iterable[ChessBoard]) -> NDArray[np.uint64]:
    """Boards as rows, one below the other."""
    return np.array([_words(board) for board in boards], dtype=np.uint64).reshape(-1, WORDS)


def unpack_board(row: Sequence[int] | Row) -> ChessBoard:
    """The board of a row, at move number 1.

    >>> from worldwise.kriegspiel.rules.board import START
    >>> unpack_board(pack_board(START)) == START
    True
    """
    *sets, rest = map(int, row)
    pieces = [EMPTY] * CHESS.squares
    for colour, side in ((WHITE, sets[6]), (BLACK, sets[7])):
        for kind, squares in zip(KINDS, sets[:6], strict=True):
            for square in _squares(side & squares):
                pieces[square] = colour.piece(kind)
    castling = "".join(letter for place, letter in enumerate(_CASTLINGS) if rest >> 8 + place & 1)
    behind = rest >> 16 & 255
    return ChessBoard(
        "".join(pieces), Colour(rest & 1), castling, None if behind == _NO_SQUARE else behind, rest >> QUIET_SHIFT
    )


def _words(board: ChessBoard) -> list[int]:
    if not board.geometry.is_full:
        raise InputError(f"expected a board of 8 by 8, found {board.geometry.files} by {board.geometry.ranks}")
    sets = [0] * (WORDS - 1)
    for square, piece in enumerate(board.pieces):
        if piece != EMPTY:
            sets[KINDS.index(piece.upper())] |= 1 << square
            sets[6 + piece.islower()] |= 1 << square
    castling = sum(1 << _CASTLINGS.index(letter) for letter in board.castling)
    behind = _NO_SQUARE if board.en_passant is None else board.en_passant
    return [*sets, board.turn | castling << 8 | behind << 16 | min(board.quiet, MOST_QUIET) << QUIET_SHIFT]


def _squares(squares: int) -> Iterable[int]:
    return (square for square in range(CHESS.squares) if squares >> square & 1)


# ---------------------------------------------------------------------- moves


def pack_move(move: ChessMove) -> int:
    """A move as a number.

    >>> pack_move(ChessMove(12, 28)), pack_move(ChessMove(52, 60, "Q"))
    (1804, 20276)
    """
    return move.origin | move.target << 6 | (KINDS.index(move.promotion) if move.promotion else 0) << 12


def unpack_move(word: int) -> ChessMove:
    """The move that a number means.

    >>> unpack_move(20276)
    ChessMove(origin=52, target=60, promotion='Q')
    """
    kind = word >> 12
    return ChessMove(word & 63, word >> 6 & 63, KINDS[kind] if kind else "")


# ---------------------------------------------------------------------- the umpire


def pack_rules(rules: Rules) -> PackedRules:
    """What the kernels know of a rule set: repetitions, limits of plies and who hears refusals are not theirs.

    >>> from worldwise.kriegspiel.rules.umpire import BERKELEY, WILD16
    >>> pack_rules(WILD16), pack_rules(BERKELEY)
    ((1, 2, True, 100, True), (0, 0, True, 256, False))
    """
    limits = [limit for limit in (100 if rules.fifty else None, rules.quiet_limit) if limit is not None]
    quiet = min(limits, default=MOST_QUIET + 1)
    captured, pawns = _CAPTURED.index(rules.captured), _PAWN_TRIES.index(rules.pawn_tries)
    return captured, pawns, rules.split_diagonals, quiet, rules.fifty and quiet == 100


def pack_message(message: Message) -> int:
    """A message as a number.

    >>> pack_message(Message(taken=28, piece="pawn", tries=0))
    65693
    """
    taken = 0 if message.taken is None else message.taken + 1
    checks = sum(1 << _CHECKS.index(check) for check in message.checks)
    tries = 0 if message.tries is None else int(message.tries) + 1
    end = 0 if message.end is None else 1 + _ENDS.index(message.end)
    return taken | _piece_number(message.piece) << 7 | checks << 10 | tries << 16 | end << 24


def unpack_message(word: int, rules: Rules) -> Message:
    """The message that a number means by these rules.

    >>> from worldwise.kriegspiel.rules.umpire import WILD16
    >>> unpack_message(65693, WILD16)
    Message(taken=28, piece='pawn', checks=(), tries=0, end=None)
    """
    taken, tries, end = (word & 127) - 1, (word >> 16 & 255) - 1, word >> 24
    checks = tuple(check for place, check in enumerate(_CHECKS) if word >> 10 + place & 1)
    said: int | bool | None = None if tries < 0 else tries
    if said is not None and rules.pawn_tries is PawnTries.ANY:
        said = bool(said)
    piece = _piece_said(word >> 7 & 7, rules)
    return Message(None if taken < 0 else taken, piece, checks, said, _ENDS[end - 1] if end else None)


def _piece_number(piece: str) -> int:
    """One and two are a pawn and a piece, or a pawn and a knight: the rules tell which."""
    return _SAID.index(piece) if piece in _SAID else 1 + KINDS.index(piece)


def _piece_said(number: int, rules: Rules) -> str:
    if not number or rules.captured is Captured.NOTHING:
        return ""
    return _SAID[number] if rules.captured is Captured.KIND else KINDS[number - 1]
