"""What players of kriegspiel share: a draw among the best tries, and a look at their options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.core.move_values import ROUNDING
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from worldwise.kriegspiel.rules.squares import ChessMove
    from worldwise.players.names import Named


def one_of_best(values: Mapping[ChessMove, float], dice: Random, margin: float = 0.0) -> ChessMove:
    """A try worth the most, or less than that by no more than a margin; chance decides between them."""
    least = max(values.values()) - max(margin, ROUNDING)
    return dice.choice([move for move, value in values.items() if value >= least])


def check_counts(player: Named, *options: str) -> None:
    """Refuse a player one of whose options says less than one."""
    for option in options:
        if (value := getattr(player, option)) is not None and value < 1:
            raise InputError(f"{player.name}: expected at least one for {option}, found {value}")
