"""What a person means by what he types: one of his tries, however he writes it, or what is wrong with it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from worldwise.errors import InputError
from worldwise.games.kriegspiel.board import Board
from worldwise.games.kriegspiel.san import plain_san

if TYPE_CHECKING:
    from collections.abc import Iterable

    from worldwise.games.kriegspiel.squares import Move
    from worldwise.games.kriegspiel.view import View

HINT = " (the command tries lists them) or a command (help lists them)"
"""What an error adds for those who sit at a terminal."""

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

    def fits(self, view: View, move: Move) -> bool:
        """Whether a move may be meant, whatever a pawn becomes."""
        man = view.men[move.origin].upper()
        origin, target = view.geometry.name(move.origin), view.geometry.name(move.target)
        if target != self.target or not _is_part(self.origin, origin):
            return False
        if man == "P":
            return not self.kind and self._fits_pawn(sideways=origin[0] != target[0])
        return man == self.kind or (not self.kind and origin == self.origin)

    def _fits_pawn(self, *, sideways: bool) -> bool:
        """A file alone is said of captures only: bb5 is a bishop in a hurry, and no move of the pawn to b5."""
        if self.takes and not sideways:
            return False
        return len(self.origin) == 2 or sideways is bool(self.origin)


def _is_part(text: str, square: str) -> bool:
    return text in ("", *square, square)


def read_try(view: View, text: str) -> Move:
    """The try that a text means: in UCI, or as chess players write a move, in any of the usual ways.

    >>> from worldwise.games.kriegspiel.board import START
    >>> from worldwise.games.kriegspiel.squares import WHITE, uci
    >>> from worldwise.games.kriegspiel.view import View
    >>> [uci(read_try(View.of(START, WHITE, 0), text)) for text in ("e4", "e2-e4", "E2E4", "Nf3!")]
    ['e2e4', 'e2e4', 'e2e4', 'g1f3']
    >>> read_try(View.of(START, WHITE, 0), "Nf5")
    Traceback (most recent call last):
    worldwise.errors.InputError: expected one of your tries (the command tries lists them) or a command (help lists \
them), found 'Nf5'
    """
    typed = _read(view, text.strip().rstrip("+#!?"))
    if typed is None:
        raise InputError(f"expected one of your tries{HINT}, found {text!r}")
    found = [move for move in view.tries if typed.fits(view, move)]
    meant = [move for move in found if move.promotion == typed.promotion]
    if len(meant) == 1:
        return meant[0]
    raise InputError(_fault(view, typed, text, found))


def _read(view: View, bare: str) -> _Typed | None:
    """A text taken apart; B is a bishop and b a file, unless the squares are in capitals too."""
    if _CASTLING.fullmatch(bare):
        rank = str(1 + view.geometry.last_rank(view.colour.other))
        return _Typed("K", f"e{rank}", f"{'g' if len(bare) == 3 else 'c'}{rank}")
    found = _MOVE.fullmatch(bare.lower() if _CAPITALS.fullmatch(bare) else bare)
    if found is None:
        return None
    promotion = (found["promotion"] or "").upper()
    return _Typed(found["kind"], found["origin"], found["target"], found["sign"] == "x", promotion)


def _fault(view: View, typed: _Typed, text: str, found: list[Move]) -> str:
    """Why a text is no try, although the tries in ``found`` fit it but for what a pawn becomes."""
    if found and not typed.promotion:
        names = _names(view, found)
        if found[0].promotion:
            return f"expected what the pawn becomes, as in {names[0]}, found {text!r}"
        return f"expected one of {', '.join(names)}, found {text!r}, which may be any of them"
    if any(typed.fits(view, move) and typed.promotion in ("", move.promotion) for move in view.refused):
        return f"expected another try, found {text!r}, which has been refused in this turn"
    return f"expected one of your tries{HINT}, found {text!r}"


def _names(view: View, moves: Iterable[Move]) -> list[str]:
    """Moves as chess players write them, each apart from the person's other tries; only pawns are known to take."""
    own = Board(view.men, view.colour, geometry=view.geometry)
    return [plain_san(own, move, view.tries, _is_pawn_capture(view, move)) for move in moves]


def _is_pawn_capture(view: View, move: Move) -> bool:
    return view.men[move.origin] in "Pp" and (move.target - move.origin) % view.geometry.files != 0
