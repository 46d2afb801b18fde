"""Boards of which only some pieces are known: each hidden piece stands on one of several squares, or is gone.

``k: a8 b8; q: - d8`` says that the king is on a8 or b8, and the queen on d8 or taken. A square may be a rectangle of
them (``a7-c8``), or ``*`` for any. A letter that is given twice is two pieces.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from worldwise.errors import InputError
from worldwise.kriegspiel.rules.board import CASTLINGS, EMPTY
from worldwise.kriegspiel.rules.fen import placement, read_fen, read_placement
from worldwise.kriegspiel.rules.squares import BLACK, WHITE, Colour

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.squares import Geometry, Piece, Square

GONE = "-"
ANYWHERE = "*"

MOST_COMBINATIONS = 100_000
"""Of the places of hidden pieces."""

Places = tuple["Square | None", ...]
"""Where a piece may stand; None if it may have been taken."""


def possible_boards(text: str, hidden: str = "") -> tuple[ChessBoard, ...]:
    """The boards of a FEN, every legal combination of the hidden pieces' places being one.

    Pieces of the FEN that are hidden are lifted first, so it may have them anywhere, or not at all. They are those of
    the player who is not to move: the other knows his own.

    >>> from worldwise.kriegspiel.rules.fen import fen
    >>> [fen(board) for board in possible_boards("8/7R/1K6/8/8/8/8/8 w", "k: a8 b8 b7")]
    ['k7/7R/1K6/8/8/8/8/8 w - - 0 1', '1k6/7R/1K6/8/8/8/8/8 w - - 0 1']
    """
    if not hidden.strip():
        return (read_fen(text),)
    placed, *fields = text.split() or [""]
    geometry, pieces = read_placement(placed)
    rows = [_row(row, geometry) for row in hidden.split(";") if row.strip()]
    _check(rows, WHITE if fields[:1] == ["b"] else BLACK)
    lifted = "".join(EMPTY if piece in {piece for piece, _ in rows} else piece for piece in pieces)
    combinations = product(*(places for _, places in rows))
    filled = dict.fromkeys(_fill(lifted, rows, places) for places in combinations)
    return _legal_boards((pieces for pieces in filled if pieces), geometry, fields)


def _legal_boards(filled: Iterable[str], geometry: Geometry, fields: Sequence[str]) -> tuple[ChessBoard, ...]:
    """The boards of these pieces that are legal; if there is none, what is wrong with the last."""
    boards, wrong = [], "the squares are taken"
    for pieces in filled:
        try:
            boards.append(_board(pieces, geometry, fields))
        except InputError as error:
            wrong = str(error)
    if not boards:
        raise InputError(f"expected hidden pieces that make a legal board, found none: {wrong}")
    return tuple(boards)


def _row(text: str, geometry: Geometry) -> tuple[Piece, Places]:
    """A piece and its places."""
    piece, colon, names = text.partition(":")
    piece = piece.strip()
    if not colon or len(piece) != 1 or piece not in "PNBRQKpnbrqk" or not names.split():
        raise InputError(f"expected hidden pieces as in 'k: a8 b8; q: - d8', found {text.strip()!r}")
    return piece, tuple(dict.fromkeys(place for name in names.split() for place in _places(name, geometry)))


def _places(name: str, geometry: Geometry) -> Sequence[Square | None]:
    if name == GONE:
        return [None]
    if name == ANYWHERE:
        return range(geometry.squares)
    corners = [geometry.place(geometry.square(corner)) for corner in name.split("-", 1)]
    (west, east), (south, north) = (sorted((a, b)) for a, b in zip(corners[0], corners[-1], strict=True))
    return [rank * geometry.files + file for rank in range(south, north + 1) for file in range(west, east + 1)]


def _check(rows: Sequence[tuple[Piece, Places]], colour: Colour) -> None:
    for piece, _ in rows:
        if not colour.owns(piece):
            raise InputError(f"expected hidden pieces of {colour}, who is not to move, found {piece!r}")
    combinations = 1
    for _, places in rows:
        combinations *= len(places)
        if combinations > MOST_COMBINATIONS:
            raise InputError(f"expected at most {MOST_COMBINATIONS:,} combinations of hidden pieces, found more")


def _fill(pieces: str, rows: Sequence[tuple[Piece, Places]], places: Places) -> str:
    """The pieces with the hidden ones among them; nothing if two would share a square."""
    board = list(pieces)
    for (piece, _), place in zip(rows, places, strict=True):
        if place is not None and board[place] != EMPTY:
            return ""
        if place is not None:
            board[place] = piece
    return "".join(board)


def _board(pieces: str, geometry: Geometry, fields: Sequence[str]) -> ChessBoard:
    """The board of these pieces; hidden pieces that are not at home have lost the right to castle."""
    turn, castling, *others = [*fields, *("w", "-")[len(fields) :]]
    hidden = WHITE if turn == "b" else BLACK
    lost = {letter for letter in castling if hidden.owns(letter) and not _is_at_home(letter, pieces, geometry)}
    rights = "".join(letter for letter in castling if letter not in lost) or "-"
    return read_fen(" ".join((placement(pieces, geometry), turn, rights, *others)))


def _is_at_home(letter: str, pieces: str, geometry: Geometry) -> bool:
    if letter not in CASTLINGS or not geometry.is_full:
        return True
    way, colour = CASTLINGS[letter], WHITE if letter.isupper() else BLACK
    return (pieces[way.king], pieces[way.rook]) == (colour.piece("K"), colour.piece("R"))
