"""The chess board as only the umpire sees it: whose piece stands where, what is legal, what comes of a move.

Pieces are letters as in FEN, a board is a string of them from a1 on, and everything follows from three tables: how
pieces step, how they slide, how kings castle. A board may be smaller than 8 by 8 (for exact search, or a quick game):
pawns then go one step at a time, and nobody castles.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from worldwise.kriegspiel.rules.squares import (
    CHESS,
    WHITE,
    ChessMove,
    Colour,
    Geometry,
    Piece,
    Square,
    Steps,
    pawn_moves,
)

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
    """Pieces, whose turn it is, and what they do not show: who may castle, a pawn open to en passant, the quiet plies.

    ``en_passant`` is the square behind a pawn that has just made a double step, if an enemy pawn could take it there;
    ``quiet`` counts plies since a pawn moved or a piece was taken, ``number`` the moves as chess players do.

    >>> len(START.legal_moves), START.after(ChessMove(12, 28)).turn
    (20, <Colour.BLACK: 1>)
    """

    pieces: str
    turn: Colour = WHITE
    castling: str = ""
    en_passant: Square | None = None
    quiet: int = 0
    number: int = 1
    geometry: Geometry = CHESS

    # ------------------------------------------------------------------ what stands where

    def pieces_of(self, colour: Colour) -> Iterator[tuple[Square, Piece]]:
        """The squares and pieces of a player, from a1 on."""
        return ((square, piece) for square, piece in enumerate(self.pieces) if piece != EMPTY and colour.owns(piece))

    def king(self, colour: Colour) -> Square | None:
        """Where a king stands; None if he is not on the board, as in what one player sees of the other."""
        at = self.pieces.find(colour.piece("K"))
        return None if at < 0 else at

    def first_occupied(self, square: Square, steps: Steps) -> Iterator[Square]:
        """The square of the first piece in each direction."""
        for ray in self.geometry.rays(square, steps):
            for at in ray:
                if self.pieces[at] != EMPTY:
                    yield at
                    break

    def attackers(self, square: Square, by: Colour) -> list[Square]:
        """The pieces of a player that attack a square."""
        kinds = [(steps, by.piece(kind)) for kind, steps in STEPS.items()]
        found = [at for steps, piece in kinds for at in self.geometry.steps(square, steps) if self.pieces[at] == piece]
        found += [
            at for at in self.first_occupied(square, _STRAIGHT) if self.pieces[at] in (by.piece("R"), by.piece("Q"))
        ]
        found += [
            at for at in self.first_occupied(square, _DIAGONAL) if self.pieces[at] in (by.piece("B"), by.piece("Q"))
        ]
        behind = self.geometry.steps(square, ((-1, -by.forward), (1, -by.forward)))
        return found + [at for at in behind if self.pieces[at] == by.piece("P")]

    def checkers(self, colour: Colour) -> list[Square]:
        """The pieces that give check to a king."""
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
        """Squares whose pieces may go anywhere: not in check, no piece that the king does not see shields him.

        The king himself is none of these, nor is a pawn that could take en passant: two pieces leave a rank at once.
        """
        king = self.king(self.turn)
        if king is None:
            return frozenset(range(len(self.pieces)))
        if self.checkers(self.turn) or self.en_passant is not None:
            return frozenset()
        return frozenset(range(len(self.pieces))) - {king, *self.first_occupied(king, _STRAIGHT + _DIAGONAL)}

    def moves(self) -> Iterator[ChessMove]:
        """Moves that may leave the king in check."""
        own = self.turn
        for square, piece in self.pieces_of(own):
            if piece.upper() != "P":
                for target in self._targets(square, piece.upper()):
                    if not own.owns(self.pieces[target]):
                        yield ChessMove(square, target)
        yield from (ChessMove(way.king, way.king_to) for way in self._castlings())
        for square, piece in self.pieces_of(own):
            if piece.upper() == "P":
                targets = [*self._pawn_steps(square), *self._pawn_captures(square)]
                yield from (move for target in targets for move in pawn_moves(self.geometry, own, square, target))

    def _targets(self, square: Square, kind: str) -> Iterator[Square]:
        if kind in STEPS:
            yield from self.geometry.steps(square, STEPS[kind])
            return
        for ray in self.geometry.rays(square, SLIDES[kind]):
            for at in ray:
                yield at
                if self.pieces[at] != EMPTY:
                    break

    def _pawn_steps(self, square: Square) -> Iterator[Square]:
        ahead = self.geometry.rays(square, ((0, self.turn.forward),))[0]
        steps = 2 if self.geometry.starts_on(square, self.turn) else 1
        for target in ahead[:steps]:
            if self.pieces[target] != EMPTY:
                return
            yield target

    def _pawn_captures(self, square: Square) -> Iterator[Square]:
        for target in self.geometry.steps(square, ((-1, self.turn.forward), (1, self.turn.forward))):
            piece = self.pieces[target]
            if target == self.en_passant or (piece != EMPTY and not self.turn.owns(piece)):
                yield target

    def _castlings(self) -> Iterator[Castling]:
        for letter in self.castling:
            way = CASTLINGS[letter]
            is_free = all(self.pieces[square] == EMPTY for square in way.between)
            safe = not any(self.attackers(square, self.turn.other) for square in way.passed)
            if self.turn.owns(letter) and is_free and safe:
                yield way

    def is_capture(self, move: ChessMove) -> bool:
        """Whether a move takes a piece."""
        return self.taken_at(move) is not None

    def taken_at(self, move: ChessMove) -> Square | None:
        """Where the piece stands that a move takes; for en passant, not where the move goes."""
        if self.pieces[move.target] != EMPTY:
            return move.target
        if move.target == self.en_passant and self.pieces[move.origin] in "Pp":
            return move.target - self.turn.forward * self.geometry.files
        return None

    @cached_property
    def pawn_captures(self) -> frozenset[tuple[Square, Square]]:
        """The legal captures by pawns, by their squares: becoming this or that is one capture."""
        legal = (move for move in self.legal_moves if self.pieces[move.origin] in "Pp" and self.is_capture(move))
        return frozenset((move.origin, move.target) for move in legal)

    # ------------------------------------------------------------------ after a move

    def after(self, move: ChessMove) -> ChessBoard:
        """The board after a legal move."""
        moved = self._make(move)
        pawn = self.pieces[move.origin] in "Pp"
        return replace(
            moved,
            castling=self._castling_after(move),
            en_passant=self._en_passant_after(move, moved.pieces) if pawn else None,
            quiet=0 if pawn or self.is_capture(move) else self.quiet + 1,
            number=self.number + self.turn,
        )

    def _make(self, move: ChessMove) -> ChessBoard:
        """The pieces moved and the turn passed on, no more."""
        pieces = list(self.pieces)
        taken = self.taken_at(move)
        if taken is not None:
            pieces[taken] = EMPTY
        piece, pieces[move.origin] = pieces[move.origin], EMPTY
        pieces[move.target] = self.turn.piece(move.promotion) if move.promotion else piece
        if piece in "Kk" and abs(move.target - move.origin) == 2 and self.geometry.is_full:
            way = next(way for way in CASTLINGS.values() if (way.king, way.king_to) == move[:2])
            pieces[way.rook_to], pieces[way.rook] = pieces[way.rook], EMPTY
        return ChessBoard("".join(pieces), self.turn.other, geometry=self.geometry)

    def _castling_after(self, move: ChessMove) -> str:
        touched = {move.origin, move.target}
        return "".join(
            letter for letter in self.castling if not touched & {CASTLINGS[letter].king, CASTLINGS[letter].rook}
        )

    def _en_passant_after(self, move: ChessMove, pieces: str) -> Square | None:
        files = self.geometry.files
        if abs(move.target - move.origin) != 2 * files:
            return None
        beside = self.geometry.steps(move.target, ((-1, 0), (1, 0)))
        takers = any(pieces[square] == self.turn.other.piece("P") for square in beside)
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
        """Whether nobody could ever be mated: kings alone, or with one minor piece, or with bishops on one colour."""
        others = [(square, piece.upper()) for square, piece in enumerate(self.pieces) if piece not in ".Kk"]
        if any(piece not in "BN" for _, piece in others):
            return False
        colours = {sum(self.geometry.place(square)) % 2 for square, piece in others if piece == "B"}
        return len(others) <= 1 or (all(piece == "B" for _, piece in others) and len(colours) == 1)


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
