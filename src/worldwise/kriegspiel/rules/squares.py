"""Squares, players and moves: the words that everything about kriegspiel is said in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import NamedTuple

from worldwise.core.reading import shorten
from worldwise.errors import InputError

Square = int
"""From 0, which is a1, along the rank and then up."""

Steps = tuple[tuple[int, int], ...]
"""Directions, as files and ranks away."""

Piece = str
"""A letter as in FEN: PNBRQK are White's, pnbrqk Black's."""

EMPTY = "."

NAMES = {"P": "pawn", "N": "knight", "B": "bishop", "R": "rook", "Q": "queen", "K": "king"}
"""What chess players call a piece, by its capital letter."""

FULL = 8
"""Files and ranks of the board that pawns may cross in double steps, and kings in castling."""


class Colour(IntEnum):
    """The two players."""

    WHITE = 0
    BLACK = 1

    @property
    def other(self) -> Colour:
        """The opponent."""
        return Colour(1 - self)

    @property
    def forward(self) -> int:
        """Up the board for White, down for Black."""
        return 1 - 2 * self

    def piece(self, kind: str) -> Piece:
        """A piece of this colour; ``kind`` is a capital letter."""
        return kind.lower() if self else kind

    def owns(self, piece: Piece) -> bool:
        """Whether a piece is of this colour."""
        return piece.islower() if self else piece.isupper()

    def __str__(self) -> str:
        return self.name.lower()


WHITE, BLACK = Colour

PROMOTIONS = "QRBN"
"""What a pawn may become, the best first."""


class ChessMove(NamedTuple):
    """From a square to a square; a pawn that reaches the last rank says what it becomes, in a capital letter."""

    origin: Square
    target: Square
    promotion: str = ""


@dataclass(frozen=True)
class Geometry:
    """Which squares a board has, and which are how far from which."""

    files: int = FULL
    ranks: int = FULL

    def __post_init__(self) -> None:
        if not (2 <= self.files <= FULL and 2 <= self.ranks <= FULL):
            raise InputError(f"expected a board of 2 to {FULL} files and ranks, found {self.files} by {self.ranks}")

    @property
    def squares(self) -> int:
        """How many squares there are."""
        return self.files * self.ranks

    @property
    def is_full(self) -> bool:
        """Whether this is the board of chess, with double steps and castling."""
        return self.files == self.ranks == FULL

    def place(self, square: Square) -> tuple[int, int]:
        """File and rank, from 0."""
        return square % self.files, square // self.files

    def shift(self, square: Square, step: tuple[int, int]) -> Square | None:
        """The square so many files and ranks away; None off the board."""
        file, rank = square % self.files + step[0], square // self.files + step[1]
        return rank * self.files + file if 0 <= file < self.files and 0 <= rank < self.ranks else None

    def name(self, square: Square) -> str:
        """As chess players say it: e4."""
        file, rank = self.place(square)
        return f"{'abcdefgh'[file]}{rank + 1}"

    def square(self, name: str) -> Square:
        """The square of that name."""
        file, rank = "abcdefgh".find(name[:1]), name[1:]
        if len(name) != 2 or file not in range(self.files) or rank not in "12345678"[: self.ranks]:
            raise InputError(f"expected a square from a1 to {self.name(self.squares - 1)}, found {name!r}")
        return (int(rank) - 1) * self.files + file

    def rays(self, square: Square, steps: Steps) -> tuple[tuple[Square, ...], ...]:
        """The squares in each direction, the nearest first."""
        return _rays(self, square, steps)

    def steps(self, square: Square, steps: Steps) -> tuple[Square, ...]:
        """The squares one step away."""
        return tuple(ray[0] for ray in _rays(self, square, steps))

    def last_rank(self, colour: Colour) -> int:
        """Where pawns become something else."""
        return 0 if colour else self.ranks - 1

    def starts_on(self, square: Square, colour: Colour) -> bool:
        """Whether a pawn here may go two steps."""
        return self.is_full and square // self.files == (self.ranks - 2 if colour else 1)


@cache
def _rays(geometry: Geometry, square: Square, steps: Steps) -> tuple[tuple[Square, ...], ...]:
    rays = []
    for step in steps:
        ray, at = [], geometry.shift(square, step)
        while at is not None:
            ray.append(at)
            at = geometry.shift(at, step)
        if ray:
            rays.append(tuple(ray))
    return tuple(rays)


CHESS = Geometry()
"""The board of 8 by 8."""


def uci(move: ChessMove, geometry: Geometry = CHESS) -> str:
    """A move in the letters of UCI.

    >>> uci(ChessMove(12, 28)), uci(ChessMove(52, 60, "Q"))
    ('e2e4', 'e7e8q')
    """
    return f"{geometry.name(move.origin)}{geometry.name(move.target)}{move.promotion.lower()}"


def read_uci(text: str, geometry: Geometry = CHESS) -> ChessMove:
    """The move that these letters say.

    >>> read_uci("e7e8q")
    ChessMove(origin=52, target=60, promotion='Q')
    """
    if len(text) not in (4, 5) or text[4:].upper() not in ("", *PROMOTIONS):
        raise InputError(f"expected a move such as e2e4 or e7e8q, found {shorten(text)}")
    return ChessMove(geometry.square(text[:2]), geometry.square(text[2:4]), text[4:].upper())


def pawn_moves(geometry: Geometry, colour: Colour, origin: Square, target: Square) -> list[ChessMove]:
    """A pawn's move, once for everything it may become on the last rank."""
    if geometry.place(target)[1] == geometry.last_rank(colour):
        return [ChessMove(origin, target, kind) for kind in PROMOTIONS]
    return [ChessMove(origin, target)]
