"""FEN: a board in one line of text, read and written, on boards of any size."""

from __future__ import annotations

from itertools import groupby

from worldwise.errors import InputError
from worldwise.kriegspiel.rules.board import CASTLINGS, EMPTY, ChessBoard
from worldwise.kriegspiel.rules.squares import BLACK, WHITE, Colour, Geometry, Square

FIELDS = (
    "the pieces",
    "whose turn it is",
    "castling rights",
    "the en passant square",
    "quiet plies",
    "the move number",
)


def fen(board: ChessBoard) -> str:
    """The line of text that ``read_fen`` reads.

    >>> from worldwise.kriegspiel.rules.board import START
    >>> fen(START)
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
    """
    square = "-" if board.en_passant is None else board.geometry.name(board.en_passant)
    placed = placement(board.pieces, board.geometry)
    return f"{placed} {'wb'[board.turn]} {board.castling or '-'} {square} {board.quiet} {board.number}"


def placement(pieces: str, geometry: Geometry) -> str:
    """The first field of a FEN, which one player's pieces have too.

    >>> from worldwise.kriegspiel.rules.squares import CHESS
    >>> placement("." * 4 + "K" + "." * 59, CHESS)
    '8/8/8/8/8/8/8/4K3'
    """
    rows = [pieces[at : at + geometry.files] for at in range(0, len(pieces), geometry.files)]
    runs = ([list(run) for _, run in groupby(row, EMPTY.__eq__)] for row in reversed(rows))
    return "/".join("".join(map(_run, row)) for row in runs)


def _run(pieces: list[str]) -> str:
    return str(len(pieces)) if pieces[0] == EMPTY else "".join(pieces)


def read_fen(text: str) -> ChessBoard:
    """A board; the size follows from the pieces, and the last fields may be missing.

    >>> read_fen("4k3/8/8/8/8/8/4P3/4K3 w").turn
    <Colour.WHITE: 0>
    >>> read_fen("4k3/8/8/8/8/8/4P3/3QKR w")
    Traceback (most recent call last):
    worldwise.errors.InputError: expected 8 squares in every rank of a FEN, found 6 in '3QKR'
    """
    given = text.split()
    if not 1 <= len(given) <= len(FIELDS):
        raise InputError(f"expected a FEN of up to six fields, found {text!r}")
    placed, turn, castling, en_passant, quiet, number = given + ["w", "-", "-", "0", "1"][len(given) - 1 :]
    geometry, pieces = read_placement(placed)
    if turn not in ("w", "b"):
        raise InputError(f"expected w or b as whose turn it is in a FEN, found {turn!r}")
    for name, value in (("quiet plies", quiet), ("the move number", number)):
        if not (value.isascii() and value.isdecimal()) or len(value) > 6:
            raise InputError(f"expected a number as {name} in a FEN, found {value!r}")
    board = ChessBoard(pieces, Colour("wb".index(turn)), "", None, int(quiet), int(number), geometry)
    _check(board)
    return ChessBoard(
        pieces,
        board.turn,
        _castling(board, castling),
        _en_passant(board, en_passant),
        board.quiet,
        board.number,
        geometry,
    )


def read_placement(placed: str) -> tuple[Geometry, str]:
    """The size of a board and its pieces, from the first field of a FEN; whether they can stand there is not asked.

    >>> read_placement("k1/2/1K")
    (Geometry(files=2, ranks=3), '.K..k.')
    """
    ranks = [_rank(row) for row in placed.split("/")]
    geometry = Geometry(len(ranks[0]), len(ranks))
    for row, rank in zip(placed.split("/"), ranks, strict=True):
        if len(rank) != geometry.files:
            raise InputError(f"expected {geometry.files} squares in every rank of a FEN, found {len(rank)} in {row!r}")
    return geometry, "".join(reversed(ranks))


def _rank(row: str) -> str:
    pieces = ""
    for letter in row:
        if letter not in "PNBRQKpnbrqk12345678":
            raise InputError(
                f"expected pieces (PNBRQKpnbrqk) and numbers of empty squares in a FEN, found {letter!r} in {row!r}"
            )
        pieces += EMPTY * int(letter) if letter.isdecimal() else letter
    return pieces


def _check(board: ChessBoard) -> None:
    """What makes a board impossible."""
    for colour in (WHITE, BLACK):
        kings = board.pieces.count(colour.piece("K"))
        if kings != 1:
            raise InputError(f"expected one king of each colour, found {kings} of {colour}'s")
    for square, piece in enumerate(board.pieces):
        if piece in "Pp" and board.geometry.place(square)[1] in (0, board.geometry.ranks - 1):
            raise InputError(f"expected no pawn on the first or last rank, found one on {board.geometry.name(square)}")
    if board.checkers(board.turn.other):
        raise InputError(
            f"expected the player who has just moved not to be in check, found {board.turn.other}'s king attacked"
        )


def _castling(board: ChessBoard, letters: str) -> str:
    if letters == "-":
        return ""
    if not set(letters) <= set("KQkq") or len(set(letters)) != len(letters):
        raise InputError(f"expected - or letters of KQkq as castling rights in a FEN, found {letters!r}")
    for letter in letters:
        colour, way = (WHITE if letter.isupper() else BLACK), CASTLINGS[letter]
        here = board.geometry.is_full and (board.pieces[way.king], board.pieces[way.rook]) == (
            colour.piece("K"),
            colour.piece("R"),
        )
        if not here:
            raise InputError(f"expected king and rook at home where {letter} says that they may castle")
    return "".join(letter for letter in "KQkq" if letter in letters)


def _en_passant(board: ChessBoard, name: str) -> Square | None:
    """Kept only if a pawn could take: otherwise boards that are the same would differ."""
    if name == "-":
        return None
    square, forward = board.geometry.square(name), board.turn.forward
    pawn = board.geometry.shift(square, (0, -forward))
    start = board.geometry.shift(square, (0, forward))
    if pawn is None or start is None or not board.geometry.starts_on(start, board.turn.other):
        raise InputError(f"expected an en passant square that a pawn can pass in a double step, found {name}")
    if (board.pieces[start], board.pieces[square], board.pieces[pawn]) != (EMPTY, EMPTY, board.turn.other.piece("P")):
        raise InputError(f"expected a pawn that has just passed the en passant square, found none at {name}")
    takers = board.geometry.steps(square, ((-1, -forward), (1, -forward)))
    return square if any(board.pieces[at] == board.turn.piece("P") for at in takers) else None
