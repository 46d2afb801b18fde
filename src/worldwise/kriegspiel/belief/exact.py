"""What a kriegspiel player believes while the boards are few: every board that fits what he has heard."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from worldwise.errors import InputError
from worldwise.kriegspiel.belief.drawing import draw_board
from worldwise.kriegspiel.belief.weighted_boards import NO_BOUND, WeightedBoards
from worldwise.kriegspiel.rules.board import START

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.game import Event
    from worldwise.kriegspiel.rules.squares import Colour
    from worldwise.kriegspiel.rules.umpire import Rules


@dataclass(frozen=True)
class ExactBelief:
    """Every board that fits, weighted as likely as it is; raises ``TooManyBoardsError`` beyond ``most``.

    >>> from worldwise.kriegspiel.rules.game import Kriegspiel
    >>> from worldwise.kriegspiel.rules.squares import BLACK, read_uci
    >>> game = Kriegspiel()
    >>> state = game.play(game.start(START), read_uci("e2e4"))
    >>> belief = ExactBelief.start(BLACK, game.rules)
    >>> len(belief.after(game.observe(state, BLACK).events[0]).boards)
    20
    """

    player: Colour
    rules: Rules
    boards: WeightedBoards
    most: int = NO_BOUND
    refusals: int = 0
    heard: int = 0

    @classmethod
    def start(
        cls,
        player: Colour,
        rules: Rules,
        boards: Sequence[ChessBoard] = (START,),
        *,
        most: int = NO_BOUND,
        kernel: bool = True,
    ) -> ExactBelief:
        """The belief at the beginning of a game."""
        return cls(player, rules, WeightedBoards.of(boards, kernel=kernel), most)

    def after(self, event: Event) -> ExactBelief:
        """The belief once this has been heard."""
        refused = event.is_refusal and event.colour is not self.player
        count = self.refusals if self.rules.refusals_heard else None
        boards = self.boards.after(event, self.player, self.rules, refusals=count, most=self.most)
        if not len(boards):
            raise nothing_fits(self.heard + 1)
        boards = boards.scale(boards.towards_one)
        return replace(self, boards=boards, refusals=self.refusals + 1 if refused else 0, heard=self.heard + 1)

    def sample(self, rng: Random) -> ChessBoard:
        """A board, drawn by its probability."""
        return draw_board(self.boards, rng)


def nothing_fits(events: int) -> InputError:
    """The error of a belief that has run empty."""
    return InputError(f"expected what was heard to fit some board, found none that explains all {events} answers")
