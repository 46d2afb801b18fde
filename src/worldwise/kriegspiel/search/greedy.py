"""What a try wins at once, on one board or on many: pieces taken, less what the other may take next.

This is as far as ``kriegspiel.players.random_and_greedy.GreedyPlayer`` looks. The definition is ``worth``, on
``ChessBoard`` objects; ``worths`` does the same for thousands of boards and tries at a time, on sets of squares that
numpy shifts about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from worldwise.kernels import native, pick
from worldwise.kriegspiel.rules.board import STEPS
from worldwise.kriegspiel.rules.packing import KINDS, pack_move

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.squares import ChessMove, Colour, Piece, Square

    Floats = NDArray[np.float64]
    Sets = NDArray[np.uint64]
    """Sets of squares, one for each board."""

VALUES = {"P": 1.0, "N": 3.0, "B": 3.0, "R": 5.0, "Q": 9.0, "K": 0.0}
"""Pieces in pawns; a king is never taken."""

MATE, STALEMATE = 100.0, -10.0
CHECK = 0.05
ADVANCE = 0.02
"""A pawn's step is worth a little: somewhere ahead it becomes a queen."""

# ---------------------------------------------------------------------- one board


def worth(board: ChessBoard, move: ChessMove) -> float:
    """What a legal move is worth on a board, in pawns.

    >>> from worldwise.kriegspiel.rules.fen import read_fen
    >>> from worldwise.kriegspiel.rules.squares import read_uci
    >>> board = read_fen("k7/8/8/3q4/4P3/8/8/K7 w")
    >>> worth(board, read_uci("e4d5")), worth(board, read_uci("e4e5"))
    (9.02, -0.98)
    """
    after = board.after(move)
    checked = bool(after.checkers(after.turn))
    if not after.legal_moves:
        return MATE if checked else STALEMATE
    return _gain(board, move) - at_risk(after, board.turn) + CHECK * checked


def _gain(board: ChessBoard, move: ChessMove) -> float:
    taken = board.taken_at(move)
    gain = 0.0 if taken is None else VALUES[board.pieces[taken].upper()]
    if move.promotion:
        gain += VALUES[move.promotion] - VALUES["P"]
    return gain + (ADVANCE if board.pieces[move.origin] in "Pp" else 0.0)


def at_risk(board: ChessBoard, colour: Colour) -> float:
    """The most that a player's enemy can win by his next capture, if what is protected is taken back."""
    return max(_loss(board, square, piece, colour) for square, piece in board.pieces_of(colour))


def _loss(board: ChessBoard, square: Square, piece: Piece, colour: Colour) -> float:
    value = VALUES[piece.upper()]
    attackers = [board.pieces[at].upper() for at in board.attackers(square, colour.other)]
    if not attackers or not board.attackers(square, colour):
        return value if attackers else 0.0
    # A king does not take what is protected.
    return max([0.0, *(value - VALUES[attacker] for attacker in attackers if attacker != "K")])


# ---------------------------------------------------------------------- many boards


def worths(boards: WeightedBoards, tries: Sequence[ChessMove]) -> tuple[Floats, NDArray[np.bool_]]:
    """What each try is worth on each board, a row for a board; and on which boards it is legal.

    A try that is refused costs nothing, so there it is worth what standing still is.

    >>> from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    >>> from worldwise.kriegspiel.rules.fen import read_fen
    >>> from worldwise.kriegspiel.rules.squares import read_uci
    >>> boards = [read_fen(f"{rank}/8/8/8/8/3r4/8/K2R4 w") for rank in ("k7", "3k4")]
    >>> found, legal = worths(WeightedBoards.of(boards), [read_uci("d1d3"), read_uci("d1d4")])
    >>> found.round(2).tolist(), legal.tolist()
    ([[5.0, -5.0], [5.05, -5.0]], [[True, False], [True, False]])
    """
    return pick(_compiled, _readable, fits=boards.is_packed)(boards, tries)


def _readable(boards: WeightedBoards, tries: Sequence[ChessMove]) -> tuple[Floats, NDArray[np.bool_]]:
    legal = np.array([[board.is_legal(move) for move in tries] for board in boards])
    found = np.empty(legal.shape)
    for at, board in enumerate(boards):
        staying = -at_risk(board, board.turn)
        found[at] = [worth(board, move) if may else staying for move, may in zip(tries, legal[at], strict=True)]
    return found, legal


def _compiled(boards: WeightedBoards, tries: Sequence[ChessMove]) -> tuple[Floats, NDArray[np.bool_]]:
    """The kernel makes the moves, and numpy adds up what they are worth."""
    rows, words = boards.items, [pack_move(move) for move in tries]
    legal = np.array([_are_legal(row, words) for row in rows])
    found = np.repeat(-_at_risk(rows, _turns(rows))[:, None], len(tries), axis=1)
    at, which = np.nonzero(legal)
    before = rows[at]
    after = native.chess_after(before, np.array(words, dtype=np.uint16)[which])
    found[at, which] = _worths_after(before, after)
    return found, legal


def _are_legal(row: Sets, words: Sequence[int]) -> list[bool]:
    moves = set(native.chess_moves(row).tolist())
    return [word in moves for word in words]


def _worths_after(before: Sets, after: Sets) -> Floats:
    """``worth`` of the moves that lead from boards to boards."""
    turns = _turns(before)
    checked = (_attacks(after, turns).all & _pieces(after, 1 - turns) & after[:, KINDS.index("K")]) != 0
    stuck = np.array([not native.chess_any_legal(row) for row in after], dtype=bool)
    pawns = KINDS.index("P")
    stepped = (before[:, pawns] & _pieces(before, turns)) != (after[:, pawns] & _pieces(after, turns))
    balance = _material(after, turns) - _material(before, turns)
    found = balance + ADVANCE * stepped - _at_risk(after, turns) + CHECK * checked
    return np.where(stuck, np.where(checked, MATE, STALEMATE), found)


def _turns(rows: Sets) -> NDArray[np.int64]:
    return (rows[:, 8] & np.uint64(1)).astype(np.int64)


def _pieces(rows: Sets, turns: NDArray[np.int64]) -> Sets:
    """The squares of White's pieces where ``turns`` has 0, of Black's where it has 1."""
    return np.where(turns == 0, rows[:, 6], rows[:, 7])


def _material(rows: Sets, turns: NDArray[np.int64]) -> Floats:
    """The value of a player's pieces less that of the other's."""
    own, others = _pieces(rows, turns), _pieces(rows, 1 - turns)
    counts = [(_count(rows[:, at] & own) - _count(rows[:, at] & others)) for at in range(len(KINDS))]
    return sum((count * VALUES[kind] for count, kind in zip(counts, KINDS, strict=True)), np.zeros(len(rows)))


def _count(sets: Sets) -> Floats:
    """How many squares a set has."""
    octets = np.ascontiguousarray(sets).view(np.uint8).reshape(len(sets), 8)
    counts: Floats = _ONES[octets].sum(axis=1)
    return counts


_ONES = np.array([number.bit_count() for number in range(256)], dtype=np.float64)


def _at_risk(rows: Sets, turns: NDArray[np.int64]) -> Floats:
    """``at_risk`` of the players that ``turns`` says."""
    own, enemy, saved = _pieces(rows, turns), _attacks(rows, 1 - turns), _attacks(rows, turns).all
    risk = np.zeros(len(rows))
    for at, kind in enumerate(KINDS):
        pieces = rows[:, at] & own
        risk = np.maximum(risk, VALUES[kind] * ((pieces & enemy.all & ~saved) != 0))
        for attacker, attacked in enemy.by_kind.items():
            loss = VALUES[kind] - VALUES[attacker]
            if loss > 0 and attacker != "K":  # a capture that loses is not made, and a king takes nothing protected
                risk = np.maximum(risk, loss * ((pieces & attacked & saved) != 0))
    return risk


# ---------------------------------------------------------------------- squares that pieces reach


class _Attacks:
    """The squares that a player's pieces attack, by their kinds."""

    def __init__(self, by_kind: dict[str, Sets]) -> None:
        self.by_kind = by_kind
        self.all = np.bitwise_or.reduce(list(by_kind.values()))


def _attacks(rows: Sets, turns: NDArray[np.int64]) -> _Attacks:
    own, empty = _pieces(rows, turns), ~(rows[:, 6] | rows[:, 7])
    pawns, knights, bishops, rooks, queens, kings = (rows[:, at] & own for at in range(len(KINDS)))
    up, down = ((_shift(pawns, -1, way) | _shift(pawns, 1, way)) for way in (1, -1))
    return _Attacks(
        {
            "P": np.where(turns == 0, up, down),
            "N": _step_attacks(knights, STEPS["N"]),
            "B": _slide_attacks(bishops, empty, _DIAGONAL),
            "R": _slide_attacks(rooks, empty, _STRAIGHT),
            "Q": _slide_attacks(queens, empty, STEPS["K"]),
            "K": _step_attacks(kings, STEPS["K"]),
        }
    )


_STRAIGHT, _DIAGONAL = STEPS["K"][:4], STEPS["K"][4:]


def _step_attacks(pieces: Sets, steps: Sequence[tuple[int, int]]) -> Sets:
    found: Sets = np.bitwise_or.reduce([_shift(pieces, *step) for step in steps])
    return found


def _slide_attacks(pieces: Sets, empty: Sets, steps: Sequence[tuple[int, int]]) -> Sets:
    """As far as the first piece in each direction, and onto its square."""
    found: Sets = np.bitwise_or.reduce([_shift(_flood(pieces, empty, step), *step) for step in steps])
    return found


def _flood(pieces: Sets, empty: Sets, step: tuple[int, int]) -> Sets:
    found = pieces
    for _ in range(6):  # a line has eight squares, so between its ends a slide crosses six at most
        found = found | (_shift(found, *step) & empty)
    return found


def _shift(sets: Sets, files: int, ranks: int) -> Sets:
    """All squares so many files and ranks away; what leaves the board is gone.

    Ranks fall off the ends of the word by themselves. Files would come back on the other side, one rank off, so what
    would leave by them is taken out first.
    """
    way: Callable[..., Sets] = np.left_shift if (by := files + 8 * ranks) > 0 else np.right_shift
    return way(sets & _STAYING[files], np.uint64(abs(by)))


def _kept_files(files: int) -> np.uint64:
    """The squares that stay on the board when they go so many files."""
    return np.uint64(sum(1 << square for square in range(64) if 0 <= square % 8 + files < 8))


_STAYING = {files: _kept_files(files) for files in range(-2, 3)}
