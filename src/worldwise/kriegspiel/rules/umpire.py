"""The umpire: who sees both players' pieces, answers tries, and says what both may know.

Rule sets differ in what is said, not in what is legal: whether refused tries are heard, how much of a capture, a check
and the pawns' captures is told, and when a game is drawn. So a rule set is one record, and an umpire is a function.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from worldwise.errors import InputError

if TYPE_CHECKING:
    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.squares import ChessMove, Geometry, Square


class Captured(Enum):
    """What is said about a piece that is taken, besides where."""

    NOTHING = "nothing"
    KIND = "pawn or piece"
    TYPE = "its type"


class PawnTries(Enum):
    """What is said about the captures that the pawns of the player to move can make."""

    NOTHING = "nothing"
    ANY = "whether there are any"
    COUNT = "how many there are"


class CheckDirection(Enum):
    """Where a check comes from; the long diagonal is the longer of the two through the king."""

    RANK = "on the rank"
    FILE = "on the file"
    LONG = "on the long diagonal"
    SHORT = "on the short diagonal"
    DIAGONAL = "on a diagonal"
    KNIGHT = "by a knight"


class End(Enum):
    """Why a game is over; everything but mate is a draw."""

    MATE = "mate"
    STALEMATE = "stalemate"
    DEAD = "neither side can mate"
    FIFTY = "fifty moves without a capture or a pawn's move"
    REPETITION = "the same position for the third time"
    QUIET = "the limit of plies without a capture or a pawn's move"
    PLIES = "the limit of plies"


MOST_QUIET = 255
"""The longest limit of quiet plies: a kernel's board counts no further."""


@dataclass(frozen=True)
class Rules:
    """What the umpire says and when he stops a game.

    ``ply_limit`` and ``quiet_limit`` are draws after so many plies, in all or without a capture or a pawn's move:
    PNS06 plays with 160 and 50.
    """

    name: str
    refusals_heard: bool = False
    captured: Captured = Captured.KIND
    split_diagonals: bool = True
    pawn_tries: PawnTries = PawnTries.COUNT
    fifty: bool = True
    repetition: bool = True
    ply_limit: int | None = None
    quiet_limit: int | None = None

    def __post_init__(self) -> None:
        if self.quiet_limit is not None and not 1 <= self.quiet_limit <= MOST_QUIET:
            raise InputError(f"expected a quiet limit of 1 to {MOST_QUIET} plies, found {self.quiet_limit}")


WILD16 = Rules("wild16")
BERKELEY = Rules("berkeley", True, Captured.NOTHING, True, PawnTries.NOTHING, fifty=False, repetition=False)
CINCINNATI = Rules("cincinnati", True, Captured.KIND, True, PawnTries.ANY)
UMD = Rules("umd", True, Captured.NOTHING, False, PawnTries.NOTHING)

RULES = {rules.name: rules for rules in (WILD16, BERKELEY, CINCINNATI, UMD)}
"""The rule sets by name; the first is the default."""


def rules_named(name: str) -> Rules:
    """The rule set of that name.

    >>> rules_named("berkeley").refusals_heard
    True
    """
    if name not in RULES:
        raise InputError(f"expected a rule set ({', '.join(RULES)}), found {name!r}")
    return RULES[name]


@dataclass(frozen=True)
class Message:
    """What both players hear after a move has been made.

    ``taken`` is where a piece was taken, ``piece`` what is said about it: "", "pawn", "piece" (which is no pawn), or
    its letter. ``tries`` is about the pawns of the player to move next: None, a truth or a number, as the rules say.
    """

    taken: Square | None = None
    piece: str = ""
    checks: tuple[CheckDirection, ...] = ()
    tries: int | bool | None = None
    end: End | None = None


def message(before: ChessBoard, move: ChessMove, after: ChessBoard, rules: Rules) -> Message:
    """What the umpire says about a move that has been made.

    >>> from worldwise.kriegspiel.rules.board import START
    >>> from worldwise.kriegspiel.rules.squares import read_uci
    >>> move = read_uci("e2e4")
    >>> message(START, move, START.after(move), WILD16)
    Message(taken=None, piece='', checks=(), tries=0, end=None)
    """
    taken = before.taken_at(move)
    piece = "" if taken is None else _said_of(before.pieces[taken], rules)
    end = board_end(after, rules)
    tries = None if end else pawn_tries(after, rules)
    return Message(taken, piece, checks(after, rules), tries, end)


def opening(board: ChessBoard, rules: Rules) -> Message:
    """What the umpire says before the first move: there is more than the pawns' captures if chess begins elsewhere.

    >>> from worldwise.kriegspiel.rules.board import START
    >>> opening(START, CINCINNATI)
    Message(taken=None, piece='', checks=(), tries=False, end=None)
    """
    end = board_end(board, rules)
    return Message(None, "", checks(board, rules), None if end else pawn_tries(board, rules), end)


def _said_of(piece: str, rules: Rules) -> str:
    if rules.captured is Captured.KIND:
        return "pawn" if piece in "Pp" else "piece"
    return piece.upper() if rules.captured is Captured.TYPE else ""


def pawn_tries(board: ChessBoard, rules: Rules) -> int | bool | None:
    """What is said before a turn about the captures of pawns."""
    if rules.pawn_tries is PawnTries.NOTHING:
        return None
    count = len(board.pawn_captures)
    return count if rules.pawn_tries is PawnTries.COUNT else count > 0


def checks(board: ChessBoard, rules: Rules) -> tuple[CheckDirection, ...]:
    """Where the checks to the player to move come from, each once, in the order of ``CheckDirection``."""
    king = board.king(board.turn)
    if king is None:
        return ()
    found = {_direction(board.geometry, king, square, rules) for square in board.checkers(board.turn)}
    return tuple(check for check in CheckDirection if check in found)


def _direction(geometry: Geometry, king: Square, checker: Square, rules: Rules) -> CheckDirection:
    (king_file, king_rank), (file, rank) = geometry.place(king), geometry.place(checker)
    if rank == king_rank:
        return CheckDirection.RANK
    if file == king_file:
        return CheckDirection.FILE
    if abs(file - king_file) != abs(rank - king_rank):
        return CheckDirection.KNIGHT
    if not rules.split_diagonals:
        return CheckDirection.DIAGONAL
    rising = (file > king_file) == (rank > king_rank)
    return CheckDirection.LONG if rising == rising_is_long(geometry, king) else CheckDirection.SHORT


def rising_is_long(geometry: Geometry, square: Square) -> bool:
    """Whether the longer diagonal through a square goes up to the right, as a1-h8 does; so it is said if none is."""
    file, rank = geometry.place(square)
    right, up = geometry.files - 1 - file, geometry.ranks - 1 - rank
    return min(file, rank) + min(right, up) >= min(file, up) + min(right, rank)


def board_end(board: ChessBoard, rules: Rules) -> End | None:
    """Whether the game is over as the board shows it; repetitions and limits of plies are the game's to count."""
    if not board.legal_moves:
        return End.MATE if board.checkers(board.turn) else End.STALEMATE
    if board.is_dead:
        return End.DEAD
    if rules.fifty and board.quiet >= 100:
        return End.FIFTY
    if rules.quiet_limit is not None and board.quiet >= rules.quiet_limit:
        return End.QUIET
    return None
