"""Guaranteed mates for people and programs: the board with what is hidden, the answer, and the keys in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldwise.kriegspiel.rules.board import EMPTY
from worldwise.kriegspiel.rules.squares import NAMES, uci

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.squares import ChessMove
    from worldwise.kriegspiel.search.mates import Mate

UNKNOWN = "?"
"""On squares where boards differ."""


def boards_picture(boards: Sequence[ChessBoard]) -> str:
    """All boards in one: pieces as in FEN, and a question mark wherever they differ.

    >>> from worldwise.kriegspiel.rules.hidden_pieces import possible_boards
    >>> print(boards_picture(possible_boards("2/2/1K w", "k: a3 b3")))
    3  ? ?
    2  . .
    1  . K
       a b
    """
    files, ranks = boards[0].geometry.files, boards[0].geometry.ranks
    pieces = [_square_picture({board.pieces[square] for board in boards}) for square in range(files * ranks)]
    rows = [f"{rank + 1}  {' '.join(pieces[rank * files : (rank + 1) * files])}" for rank in reversed(range(ranks))]
    return "\n".join([*rows, f"   {' '.join('abcdefgh'[:files])}"])


def _square_picture(pieces: set[str]) -> str:
    return UNKNOWN if len(pieces) > 1 else next(iter(pieces), EMPTY)


def mate_words(boards: Sequence[ChessBoard], mate: Mate) -> str:
    """The answer, and every first move that forces mate."""
    player = str(boards[0].turn).capitalize()
    where = "on this board" if len(boards) == 1 else f"on each of the {len(boards):,} boards"
    if mate.shortest is None:
        return f"{player} has no guaranteed mate in {mate.moves} {where}."
    sooner = "" if mate.shortest == mate.moves else f" The shortest mate takes {mate.shortest}."
    keys = "\n".join(f"  {key_words(boards[0], key)}" for key in mate.keys)
    return f"{player} mates in {mate.moves} {where}, whatever is hidden.{sooner}\nFirst moves that force it:\n{keys}"


def key_words(board: ChessBoard, key: ChessMove) -> str:
    """A move of the player's own pieces in words.

    >>> from worldwise.kriegspiel.rules.board import START
    >>> from worldwise.kriegspiel.rules.squares import read_uci
    >>> key_words(START, read_uci("g1f3"))
    'knight g1-f3'
    """
    squares = "-".join(map(board.geometry.name, key[:2]))
    becomes = f", becoming a {NAMES[key.promotion]}" if key.promotion else ""
    return f"{NAMES[board.pieces[key.origin].upper()]} {squares}{becomes}"


def mate_json(boards: Sequence[ChessBoard], mate: Mate) -> dict[str, Any]:
    """The answer for programs; keys as in UCI."""
    return {
        "mate": mate.is_mate,
        "moves": mate.moves,
        "shortest": mate.shortest,
        "keys": [uci(key, boards[0].geometry) for key in mate.keys],
        "boards": len(boards),
    }


def undecided_json(boards: Sequence[ChessBoard], moves: int, why: str) -> dict[str, Any]:
    """What a program is told if there is no answer, and why there is none: whether it is mate is not known."""
    return {"mate": None, "moves": moves, "shortest": None, "keys": [], "boards": len(boards), "why": why}
