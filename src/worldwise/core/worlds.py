"""Which worlds a position of a ``WorldGame`` can arise in."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from worldwise.core.game import AnyWorldGame


def open_worlds(game: AnyWorldGame) -> dict[Any, frozenset[int]]:
    """For every position of a game, the worlds in which it can be reached."""
    found: dict[Any, frozenset[int]] = {}

    def visit(position: Any) -> frozenset[int]:
        if game.to_move(position) is None:
            payoffs = enumerate(game.payoffs(position))
            worlds = frozenset(world for world, payoff in payoffs if payoff is not None)
        else:
            worlds = reduce(or_, [visit(game.play(position, move)) for move in game.moves(position)])
        found[position] = worlds
        return worlds

    visit(game.root)
    return found
