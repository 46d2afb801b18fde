"""Guaranteed mates for people and programs: the board with what is hidden, the answer, and the keys in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from worldwise.kriegspiel.rules.board import EMPTY
from worldwise.kriegspiel.rules.squares import NAMES, uci

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.squares import ChessMove
    from worldwise.kriegspiel.search.mates import Mate

IfRefused = Mapping["ChessMove", "Sequence[ChessMove]"]
"""For a key that may be refused, what to try after it in the same turn."""

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


def mate_words(boards: Sequence[ChessBoard], mate: Mate, if_refused: IfRefused | None = None) -> str:
    """The answer, and every first move that forces mate: which mate soonest, and what to try if one is refused."""
    player = str(boards[0].turn).capitalize()
    where = "on this board" if len(boards) == 1 else f"on each of the {len(boards):,} boards"
    if mate.shortest is None:
        return f"{player} has no guaranteed mate in {mate.moves} {where}."
    sooner = "" if mate.shortest == mate.moves else f" The shortest mate takes {mate.shortest}."
    all_alike = len(mate.soonest) == len(mate.keys)
    marks = dict.fromkeys(mate.soonest, "" if all_alike else f" (mates in {mate.shortest})")
    following = {key: _following_words(boards[0], tries) for key, tries in (if_refused or {}).items()}
    soonest_first = sorted(mate.keys, key=lambda key: key not in mate.soonest)
    keys = "\n".join(
        f"  {key_words(boards[0], key)}{marks.get(key, '')}{following.get(key, '')}" for key in soonest_first
    )
    return f"{player} mates in {mate.moves} {where}, whatever is hidden.{sooner}\nFirst moves that force it:\n{keys}"


def _following_words(board: ChessBoard, tries: Sequence[ChessMove]) -> str:
    """The tries of the same turn after a key that is refused."""
    return "".join(f"; if refused, {key_words(board, move)}" for move in tries)


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


def mate_json(boards: Sequence[ChessBoard], mate: Mate, if_refused: IfRefused | None = None) -> dict[str, Any]:
    """The answer for programs; keys as in UCI."""
    geometry = boards[0].geometry
    return {
        "mate": mate.is_mate,
        "moves": mate.moves,
        "shortest": mate.shortest,
        "keys": [uci(key, geometry) for key in mate.keys],
        "soonest": [uci(key, geometry) for key in mate.soonest],
        "if_refused": {
            uci(key, geometry): [uci(move, geometry) for move in tries]
            for key, tries in (if_refused or {}).items()
            if tries
        },
        "boards": len(boards),
    }


def undecided_json(boards: Sequence[ChessBoard], moves: int, why: str) -> dict[str, Any]:
    """What a program is told if there is no answer, and why there is none: whether it is mate is not known."""
    nothing: dict[str, Any] = {"keys": [], "soonest": [], "if_refused": {}}
    return {"mate": None, "moves": moves, "shortest": None, **nothing, "boards": len(boards), "why": why}
