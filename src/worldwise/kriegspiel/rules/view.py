"""What one player sees: his own pieces, what the umpire has just said about his pawns, and what has been refused.

What he may try follows from this alone, so the list of his tries gives nothing away.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from worldwise.kriegspiel.rules.board import EMPTY, ChessBoard
from worldwise.kriegspiel.rules.squares import CHESS, ChessMove, Colour, Geometry, pawn_moves

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class PlayerView:
    """A player's own pieces and castling rights, what is said of his pawns' captures, and the tries refused this turn.

    >>> from worldwise.kriegspiel.rules.board import START
    >>> from worldwise.kriegspiel.rules.squares import uci
    >>> view = PlayerView.of(START, Colour.WHITE, pawn_tries=1)
    >>> len(view.tries), uci(view.tries[-1])
    (34, 'h2g3')
    """

    colour: Colour
    pieces: str
    castling: str = ""
    pawn_tries: int | bool | None = None
    refused: frozenset[ChessMove] = frozenset()
    geometry: Geometry = CHESS

    @classmethod
    def of(
        cls,
        board: ChessBoard,
        colour: Colour,
        pawn_tries: int | bool | None = None,
        refused: frozenset[ChessMove] = frozenset(),
    ) -> PlayerView:
        """What a player sees of a board."""
        pieces = "".join(piece if colour.owns(piece) else EMPTY for piece in board.pieces)
        castling = "".join(filter(colour.owns, board.castling))
        return cls(colour, pieces, castling, pawn_tries, refused, board.geometry)

    @cached_property
    def tries(self) -> tuple[ChessMove, ...]:
        """What the player may try: any move of his pieces as if the enemy's were in nobody's way, and pawns' captures.

        These are left out if the umpire has said that there is none, and so is what he has refused.
        """
        alone = ChessBoard(self.pieces, self.colour, self.castling, geometry=self.geometry)
        captures = () if self.pawn_tries in (0, False) else self._captures()
        return tuple(move for move in (*alone.moves(), *captures) if move not in self.refused)

    def _captures(self) -> Iterator[ChessMove]:
        """A ``pawn_tries`` of None says nothing, so it rules nothing out."""
        ahead = ((-1, self.colour.forward), (1, self.colour.forward))
        for square, piece in enumerate(self.pieces):
            if piece == self.colour.piece("P"):
                for target in self.geometry.steps(square, ahead):
                    if self.pieces[target] == EMPTY:
                        yield from pawn_moves(self.geometry, self.colour, square, target)
