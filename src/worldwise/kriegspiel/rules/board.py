"""The chess board as only the umpire sees it: whose man stands where, what is legal, what comes of a move.

Men are letters as in FEN, a board is a string of them from a1 on, and everything follows from three tables: how men
step, how they slide, how kings castle. A board may be smaller than 8 by 8 (for exact search, or a quick game): pawns
then go one step at a time, and nobody castles.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from worldwise.kriegspiel.rules.squares import CHESS, WHITE, ChessMove, Colour, Geometry, Man, Square, Steps, pawn_moves

if TYPE_CHECKING:
    from collections.abc import Iterator

EMPTY = "."

_STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
_DIAGONAL = ((1, 1), (-1, 1), (1, -1), (-1, -1))
_KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
STEPS = {"N": _KNIGHT, "K": _STRAIGHT + _DIAGONAL}
SLIDES = {"B": _DIAGONAL, "R": _STRAIGHT, "Q": _STRAIGHT + _DIAGONAL}


class Castling(NamedTuple):
    """The king's two squares and the rook's."""

    king: Square
    king_to: Square
    rook: Square
    rook_to: Square

    @property
    def between(self) -> range:
        """The squares that must be empty."""
        return range(min(self.king, self.rook) + 1, max(self.king, self.rook))

    @property
    def passed(self) -> range:
        """The squares on which the king must not be attacked: where he stands, passes and arrives."""
        return range(min(self.king, self.king_to), max(self.king, self.king_to) + 1)


CASTLINGS = {
    "K": Castling(4, 6, 7, 5),
    "Q": Castling(4, 2, 0, 3),
    "k": Castling(60, 62, 63, 61),
    "q": Castling(60, 58, 56, 59),
}
"""By the letter of FEN."""


@dataclass(frozen=True)
class ChessBoard:
    """Men, whose turn it is, and what the men do not show: who may castle, a pawn open to en passant, the quiet plies.

    ``en_passant`` is the square behind a pawn that has just made a double step, if an enemy pawn could take it there;
    ``quiet`` counts plies since a pawn moved or a man was taken, ``number`` the moves as chess players do.

    >>> len(START.legal_moves), START.after(ChessMove(12, 28)).turn
    (20, <Colour.BLACK: 1>)
    """

    men: str
    turn: Colour = WHITE
    castling: str = ""
    en_passant: Square | None = None
    quiet: int = 0
    number: int = 1
    geometry: Geometry = CHESS

    # ------------------------------------------------------------------ what stands where

    def men_of(self, colour: Colour) -> Iterator[tuple[Square, Man]]:
        """The squares and men of a player, from a1 on."""
        return ((square, man) for square, man in enumerate(self.men) if man != EMPTY and colour.owns(man))

    def king(self, colour: Colour) -> Square | None:
        """Where a king stands; None if he is not on the board, as in what one player sees of the other."""
        at = self.men.find(colour.man("K"))
        return None if at < 0 else at

    def first_pieces(self, square: Square, steps: Steps) -> Iterator[Square]:
        """The first man in each direction."""
        for ray in self.geometry.rays(square, steps):
            for at in ray:
                if self.men[at] != EMPTY:
                    yield at
                    break

    def attackers(self, square: Square, by: Colour) -> list[Square]:
        """The men of a player that attack a square."""
        kinds = [(steps, by.man(kind)) for kind, steps in STEPS.items()]
        found = [at for steps, man in kinds for at in self.geometry.steps(square, steps) if self.men[at] == man]
        found += [at for at in self.first_pieces(square, _STRAIGHT) if self.men[at] in (by.man("R"), by.man("Q"))]
        found += [at for at in self.first_pieces(square, _DIAGONAL) if self.men[at] in (by.man("B"), by.man("Q"))]
        behind = self.geometry.steps(square, ((-1, -by.forward), (1, -by.forward)))
        return found + [at for at in behind if self.men[at] == by.man("P")]

    def checkers(self, colour: Colour) -> list[Square]:
        """The men that give check to a king."""
        king = self.king(colour)
        return [] if king is None else self.attackers(king, colour.other)

    # ------------------------------------------------------------------ moves

    def is_legal(self, move: ChessMove) -> bool:
        """Whether the player to move may make a move."""
        return move in self.legal_moves

    @cached_property
    def legal_moves(self) -> tuple[ChessMove, ...]:
        """All of them, by the square they start from: officers and king first, then pawns."""
        safe = self._cannot_expose
        return tuple(move for move in self.moves() if move.origin in safe or not self._make(move).checkers(self.turn))

    @property
    def _cannot_expose(self) -> frozenset[Square]:
        """Squares whose men may go anywhere: not in check, no man that the king does not see shields him.

        The king himself is none of these, nor is a pawn that could take en passant, when two men leave a rank at once.
        """
        king = self.king(self.turn)
        if king is None:
            return frozenset(range(len(self.men)))
        if self.checkers(self.turn) or self.en_passant is not None:
            return frozenset()
        return frozenset(range(len(self.men))) - {king, *self.first_pieces(king, _STRAIGHT + _DIAGONAL)}

    def moves(self) -> Iterator[ChessMove]:
        """Moves that may leave the king in check."""
        own = self.turn
        for square, man in self.men_of(own):
            if man.upper() != "P":
                for target in self._targets(square, man.upper()):
                    if not own.owns(self.men[target]):
                        yield ChessMove(square, target)
        yield from (ChessMove(way.king, way.king_to) for way in self._castlings())
        for square, man in self.men_of(own):
            if man.upper() == "P":
                targets = [*self._pawn_steps(square), *self._pawn_captures(square)]
                yield from (move for target in targets for move in pawn_moves(self.geometry, own, square, target))

    def _targets(self, square: Square, kind: str) -> Iterator[Square]:
        if kind in STEPS:
            yield from self.geometry.steps(square, STEPS[kind])
            return
        for ray in self.geometry.rays(square, SLIDES[kind]):
            for at in ray:
                yield at
                if self.men[at] != EMPTY:
                    break

    def _pawn_steps(self, square: Square) -> Iterator[Square]:
        ahead = self.geometry.rays(square, ((0, self.turn.forward),))[0]
        steps = 2 if self.geometry.starts_on(square, self.turn) else 1
        for target in ahead[:steps]:
            if self.men[target] != EMPTY:
                return
            yield target

    def _pawn_captures(self, square: Square) -> Iterator[Square]:
        for target in self.geometry.steps(square, ((-1, self.turn.forward), (1, self.turn.forward))):
            man = self.men[target]
            if target == self.en_passant or (man != EMPTY and not self.turn.owns(man)):
                yield target

    def _castlings(self) -> Iterator[Castling]:
        for letter in self.castling:
            way = CASTLINGS[letter]
            is_free = all(self.men[square] == EMPTY for square in way.between)
            safe = not any(self.attackers(square, self.turn.other) for square in way.passed)
            if self.turn.owns(letter) and is_free and safe:
                yield way

    def is_capture(self, move: ChessMove) -> bool:
        """Whether a move takes a man."""
        return self.taken_at(move) is not None

    def taken_at(self, move: ChessMove) -> Square | None:
        """Where the man stands that a move takes; for en passant, not where the move goes."""
        if self.men[move.target] != EMPTY:
            return move.target
        if move.target == self.en_passant and self.men[move.origin] in "Pp":
            return move.target - self.turn.forward * self.geometry.files
        return None

    @cached_property
    def pawn_captures(self) -> frozenset[tuple[Square, Square]]:
        """The legal captures by pawns, by their squares: becoming this or that is one capture."""
        legal = (move for move in self.legal_moves if self.men[move.origin] in "Pp" and self.is_capture(move))
        return frozenset((move.origin, move.target) for move in legal)

    # ------------------------------------------------------------------ after a move

    def after(self, move: ChessMove) -> ChessBoard:
        """The board after a legal move."""
        moved = self._make(move)
        pawn = self.men[move.origin] in "Pp"
        return replace(
            moved,
            castling=self._castling_after(move),
            en_passant=self._en_passant_after(move, moved.men) if pawn else None,
            quiet=0 if pawn or self.is_capture(move) else self.quiet + 1,
            number=self.number + self.turn,
        )

    def _make(self, move: ChessMove) -> ChessBoard:
        """The men moved and the turn passed on, no more."""
        men = list(self.men)
        taken = self.taken_at(move)
        if taken is not None:
            men[taken] = EMPTY
        man, men[move.origin] = men[move.origin], EMPTY
        men[move.target] = self.turn.man(move.promotion) if move.promotion else man
        if man in "Kk" and abs(move.target - move.origin) == 2 and self.geometry.is_full:
            way = next(way for way in CASTLINGS.values() if (way.king, way.king_to) == move[:2])
            men[way.rook_to], men[way.rook] = men[way.rook], EMPTY
        return ChessBoard("".join(men), self.turn.other, geometry=self.geometry)

    def _castling_after(self, move: ChessMove) -> str:
        touched = {move.origin, move.target}
        return "".join(
            letter for letter in self.castling if not touched & {CASTLINGS[letter].king, CASTLINGS[letter].rook}
        )

    def _en_passant_after(self, move: ChessMove, men: str) -> Square | None:
        files = self.geometry.files
        if abs(move.target - move.origin) != 2 * files:
            return None
        beside = self.geometry.steps(move.target, ((-1, 0), (1, 0)))
        takers = any(men[square] == self.turn.other.man("P") for square in beside)
        return (move.origin + move.target) // 2 if takers else None

    # ------------------------------------------------------------------ the end

    @property
    def is_mate(self) -> bool:
        """Whether the player to move is in check and has no move."""
        return not self.legal_moves and bool(self.checkers(self.turn))

    @property
    def is_stalemate(self) -> bool:
        """Whether the player to move is not in check and has no move."""
        return not self.legal_moves and not self.checkers(self.turn)

    @property
    def is_dead(self) -> bool:
        """Whether nobody could ever be mated: kings alone, or with one minor man, or with bishops on one colour."""
        others = [(square, man.upper()) for square, man in enumerate(self.men) if man not in ".Kk"]
        if any(man not in "BN" for _, man in others):
            return False
        colours = {sum(self.geometry.place(square)) % 2 for square, man in others if man == "B"}
        return len(others) <= 1 or (all(man == "B" for _, man in others) and len(colours) == 1)


def perft(board: ChessBoard, depth: int) -> int:
    """How many ways there are to go so many moves deep: what proves a chess board right.

    >>> perft(START, 2)
    400
    """
    if depth < 2:
        return len(board.legal_moves) if depth else 1
    return sum(perft(board.after(move), depth - 1) for move in board.legal_moves)


START = ChessBoard("RNBQKBNR" + "P" * 8 + "." * 32 + "p" * 8 + "rnbqkbnr", castling="KQkq")
"""Where chess begins."""
