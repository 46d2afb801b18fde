"""A board at the moment that matters: what lessons and problems have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from worldwise.bridge.rules.board import Board
    from worldwise.bridge.rules.view import View


class Decision:
    """A board whose next card is asked for."""

    board: Board

    @property
    def constraints(self) -> tuple[str, ...]:
        """What the auction told of the hidden hands."""
        return tuple(filter(None, [self.board.tag("Constraints")]))

    @property
    def view(self) -> View:
        """What the player knows who has to choose the card."""
        return self.board.view(self.board.play.turn)
