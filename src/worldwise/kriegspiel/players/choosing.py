"""What players of kriegspiel share: a draw among the best tries, and a look at their options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from worldwise.core.move_values import ROUNDING
from worldwise.errors import InputError
from worldwise.kriegspiel.search.information_sets import MOST_DEPTH
from worldwise.players.names import Named

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from worldwise.kriegspiel.rules.squares import ChessMove


def one_of_best(values: Mapping[ChessMove, float], dice: Random, margin: float = 0.0) -> ChessMove:
    """A try worth the most, or less than that by no more than a margin; chance decides between them."""
    least = max(values.values()) - max(margin, ROUNDING)
    return dice.choice([move for move, value in values.items() if value >= least])


def check_counts(player: Named, *options: str) -> None:
    """Refuse a player one of whose options says less than one."""
    for option in options:
        if (value := getattr(player, option)) is not None and value < 1:
            raise InputError(f"{player.name}: expected at least one for {option}, found {value}")


MOST_VARIED = 1
"""Pawns that a player may give away to be less predictable."""


class _Varies(Named, Protocol):
    """A player who may vary in the opening."""

    @property
    def vary(self) -> float | None: ...


class _Searcher(_Varies, Protocol):
    """One who searches to a depth, too."""

    @property
    def depth(self) -> int: ...


def check_searcher(player: _Searcher) -> None:
    """Refuse one who would look too far, or not at all, or give away too much."""
    if not 1 <= player.depth <= MOST_DEPTH:
        raise InputError(f"{player.name}: expected a depth of 1 to {MOST_DEPTH}, found {player.depth}")
    check_vary(player)


def check_vary(player: _Varies) -> None:
    """Refuse one who would give away too much."""
    if player.vary is not None and not 0 <= player.vary <= MOST_VARIED:
        raise InputError(f"{player.name}: expected 0 to {MOST_VARIED} pawns for vary, found {player.vary}")
