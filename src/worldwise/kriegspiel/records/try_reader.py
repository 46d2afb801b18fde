"""What a person means by what he types: one of his tries, however he writes it, or what is wrong with it."""

from __future__ import annotations

import re
from string import whitespace
from typing import TYPE_CHECKING, NamedTuple

from worldwise.errors import InputError
from worldwise.kriegspiel.records.san import plain_san
from worldwise.kriegspiel.rules.board import CASTLINGS, EMPTY, ChessBoard
from worldwise.kriegspiel.rules.squares import NAMES
from worldwise.kriegspiel.rules.view import PlayerView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from worldwise.kriegspiel.rules.squares import ChessMove, Square

HINT = " (the command tries lists them) or a command (help lists them)"
"""What an error adds for those who sit at a terminal."""

_NUMBER = re.compile(r"\d++\s*+\.[\s.]*+")
"""The number of a move, as in 1. e4 and 3... Qh4."""

_SIGNS = whitespace + "+#!?"
"""What may stand after a move: what it does, and what is thought of it."""

_CASTLING = re.compile("[oO0]-[oO0](-[oO0])?")
_CAPITALS = re.compile("[A-H][1-8][-X]?[A-H][1-8](=?[QRBN])?")
_MOVE = re.compile(
    "(?P<kind>[NBRQK]?)(?P<origin>[a-h]?[1-8]?)(?P<sign>[-x]?)(?P<target>[a-h][1-8])(=?(?P<promotion>[QRBNqrbn]))?"
)


class _Typed(NamedTuple):
    """As much of a move as was written; of a castling king the squares are."""

    kind: str
    origin: str
    target: str
    takes: bool = False
    promotion: str = ""

    def fits(self, view: PlayerView, move: ChessMove) -> bool:
        """Whether a move may be meant, whatever a pawn becomes."""
        piece = view.pieces[move.origin].upper()
        origin, target = view.geometry.name(move.origin), view.geometry.name(move.target)
        if target != self.target or not _is_part(self.origin, origin):
            return False
        if piece == "P":
            return not self.kind and self._fits_pawn(sideways=origin[0] != target[0])
        return piece == self.kind or (not self.kind and origin == self.origin)

    def _fits_pawn(self, *, sideways: bool) -> bool:
        """A file alone is said of captures only: bb5 is a bishop in a hurry, and no move of the pawn to b5."""
        if self.takes and not sideways:
            return False
        return len(self.origin) == 2 or sideways is bool(self.origin)


def _is_part(text: str, square: str) -> bool:
    return text in ("", *square, square)


def read_try(view: PlayerView, text: str) -> ChessMove:
    """The try that a text means: in UCI, or as chess players write a move, in any of the usual ways.

    >>> from worldwise.kriegspiel.rules.board import START
    >>> from worldwise.kriegspiel.rules.squares import WHITE, uci
    >>> from worldwise.kriegspiel.rules.view import PlayerView
    >>> [uci(read_try(PlayerView.of(START, WHITE, 0), text)) for text in ("e4", "e2-e4", "E2E4", "1. Nf3!")]
    ['e2e4', 'e2e4', 'e2e4', 'g1f3']
    >>> read_try(PlayerView.of(START, WHITE, 0), "Nf5")
    Traceback (most recent call last):
    worldwise.errors.InputError: expected one of your tries, found 'Nf5': no knight of yours can go to f5
    """
    typed = _read(view, _bare(text))
    if typed is None:
        raise InputError(_unknown_try(text))
    found = [move for move in view.tries if typed.fits(view, move)]
    meant = [move for move in found if move.promotion == typed.promotion]
    if len(meant) == 1:
        return meant[0]
    raise InputError(_fault(view, typed, text, found))


def _bare(text: str) -> str:
    word = text.strip()
    number = _NUMBER.match(word)
    return word[number.end() if number else 0 :].rstrip(_SIGNS)


def _unknown_try(text: str) -> str:
    return f"expected one of your tries{HINT}, found {text!r}"


def _read(view: PlayerView, bare: str) -> _Typed | None:
    """A text taken apart; B is a bishop and b a file, unless the squares are in capitals too."""
    if _CASTLING.fullmatch(bare):
        rank = str(1 + view.geometry.last_rank(view.colour.other))
        return _Typed("K", f"e{rank}", f"{'g' if len(bare) == 3 else 'c'}{rank}")
    found = _MOVE.fullmatch(bare.lower() if _CAPITALS.fullmatch(bare) else bare)
    if found is None:
        return None
    promotion = (found["promotion"] or "").upper()
    return _Typed(found["kind"], found["origin"], found["target"], found["sign"] == "x", promotion)


def _fault(view: PlayerView, typed: _Typed, text: str, found: list[ChessMove]) -> str:
    """Why a text is no try, although the tries in ``found`` fit it but for what a pawn becomes."""
    if found and not typed.promotion:
        names = _names(view, found)
        if found[0].promotion:
            return f"expected what the pawn becomes, as in {names[0]}, found {text!r}"
        return f"expected one of {', '.join(names)}, found {text!r}, which may be any of them"
    if any(typed.fits(view, move) and typed.promotion in ("", move.promotion) for move in view.refused):
        return f"expected another try, found {text!r}, which has been refused in this turn"
    why = _reason(view, typed)
    return f"expected one of your tries, found {text!r}: {why}" if why else _unknown_try(text)


def _names(view: PlayerView, moves: Iterable[ChessMove]) -> list[str]:
    """Moves as chess players write them, each apart from the person's other tries; only pawns are known to take."""
    own = ChessBoard(view.pieces, view.colour, geometry=view.geometry)
    return [plain_san(own, move, view.tries, _is_pawn_capture(view, move)) for move in moves]


def _is_pawn_capture(view: PlayerView, move: ChessMove) -> bool:
    return view.pieces[move.origin] in "Pp" and (move.target - move.origin) % view.geometry.files != 0


# ---------------------------------------------------------------------- why not


def _reason(view: PlayerView, typed: _Typed) -> str:
    """Why a move is no try, as far as the player knows; "" if it cannot be told what he means.

    It is made of his view alone, so that nothing in it tells where the enemy is.
    """
    if way := _castling(view, typed):
        return _castling_reason(view, way)
    if _is_vague(typed):
        return ""
    squares = {view.geometry.name(square) for square in range(view.geometry.squares)}
    for name in (typed.origin, typed.target):
        if len(name) == 2 and name not in squares:
            return f"this board has no {name}"
    return _own_pieces_reason(view, typed)


def _is_vague(typed: _Typed) -> bool:
    """Whether it may mean anything, as bb5 and xe4 do: a letter alone is the file of a pawn that takes on another."""
    if typed.kind or len(typed.origin) == 2:
        return False
    return typed.origin in (typed.target[0], *"12345678") if typed.origin else typed.takes


def _own_pieces_reason(view: PlayerView, typed: _Typed) -> str:
    """What the player's own pieces, or what the umpire has said of his pawns, have against a move."""
    target = view.geometry.square(typed.target)
    if view.pieces[target] != EMPTY:
        return f"your own {_piece(view, target)} stands there"
    origins = range(view.geometry.squares)
    able = [move for origin in origins for move in _lone_tries(view, origin) if typed.fits(view, move)]
    if not able:
        return _unable_words(view, typed)
    if typed.promotion and not able[0].promotion:
        return f"nothing becomes a {NAMES[typed.promotion]} there"
    if _is_pawn_capture(view, able[0]):
        return "the umpire has said that your pawns can take nothing"
    return next(filter(None, (_in_the_way(view, _squares_between(view, move)) for move in able)), "")


def _lone_tries(view: PlayerView, origin: Square) -> tuple[ChessMove, ...]:
    """What one of the player's pieces could try if there were no other."""
    rest = view.geometry.squares - origin - 1
    return PlayerView(view.colour, EMPTY * origin + view.pieces[origin] + EMPTY * rest, geometry=view.geometry).tries


def _unable_words(view: PlayerView, typed: _Typed) -> str:
    """That no piece goes there, by the name of the piece that was meant."""
    does = f"{'take on' if typed.takes else 'go to'} {typed.target}"
    if len(typed.origin) < 2:
        return f"no {NAMES[typed.kind or 'P']} of yours can {does}"
    origin = view.geometry.square(typed.origin)
    if view.pieces[origin] == EMPTY or typed.kind not in ("", view.pieces[origin].upper()):
        return f"you have no {NAMES.get(typed.kind, 'piece')} on {typed.origin}"
    return f"your {_piece(view, origin)} on {typed.origin} cannot {does}"


def _squares_between(view: PlayerView, move: ChessMove) -> range:
    """The squares on a straight way; on a knight's there are none."""
    (file, rank), (to_file, to_rank) = view.geometry.place(move.origin), view.geometry.place(move.target)
    across, up = to_file - file, to_rank - rank
    length = max(abs(across), abs(up))
    if across % length or up % length:
        return range(0)
    step = (move.target - move.origin) // length
    return range(move.origin + step, move.target, step)


def _in_the_way(view: PlayerView, squares: Iterable[Square]) -> str:
    """The first of the player's own pieces on these squares, in words; "" if there is none."""
    found = next((square for square in squares if view.pieces[square] != EMPTY), None)
    return "" if found is None else f"your own {_piece(view, found)} on {view.geometry.name(found)} is in the way"


def _piece(view: PlayerView, square: Square) -> str:
    return NAMES[view.pieces[square].upper()]


def _castling(view: PlayerView, typed: _Typed) -> str:
    """Which castling is meant, by its letter as in FEN: the king of the player goes two files aside from his place."""
    kings = view.geometry.is_full and typed.kind in ("", "K") and len(typed.origin) == 2
    for letter, way in CASTLINGS.items() if kings else ():
        ends = view.geometry.name(way.king), view.geometry.name(way.king_to)
        is_king = typed.kind == "K" or view.pieces[way.king] == view.colour.piece("K")
        if view.colour.owns(letter) and is_king and ends == (typed.origin, typed.target):
            return letter
    return ""


def _castling_reason(view: PlayerView, letter: str) -> str:
    if letter not in view.castling:
        return "you cannot castle on that side any more"
    return _in_the_way(view, CASTLINGS[letter].between)
