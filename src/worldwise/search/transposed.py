"""Exact fronts of games in which different ways lead to the same future: each is worked out once.

What the front of a position *is* depends on what can still happen, so positions with the same ``key`` share it. Which
of its outcomes to aim for may still differ from one to the other (FB01's non-locality): that is the strategy's affair.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from worldwise.core.front import undominated
from worldwise.core.game import Side, coded
from worldwise.core.result import Tally

if TYPE_CHECKING:
    from collections.abc import Hashable


@runtime_checkable
class Transposing(Protocol):
    """An optional power of a ``WorldGame``: positions with equal keys have the same moves and payoffs from here on."""

    def key(self, position: Any) -> Hashable:
        """What the future depends on."""


class Fronts:
    """The exact front of any position of a game, in the codes of its scale; positions of one key are met once."""

    def __init__(self, game: Any, tally: Tally | None = None) -> None:
        self.game, self.coded, self.tally = game, coded(game), tally or Tally()
        self.known: dict[Hashable, list[Any]] = {}

    def at(self, position: Any) -> list[Any]:
        """The undominated codes that MAX can secure."""
        key = self.game.key(position)
        if key not in self.known:
            self.known[key] = self._made(position)
        return self.known[key]

    def _made(self, position: Any) -> list[Any]:
        self.tally.node()
        side = self.game.to_move(position)
        if side is None:
            return [self.coded.code(position)]
        below = [self.at(self.game.play(position, move)) for move in self.game.moves(position)]
        if side is Side.MAX:
            return list(undominated([code for front in below for code in front]))
        return reduce(_met, below)


def _met(one: list[Any], other: list[Any]) -> list[Any]:
    return list(undominated({a & b for a in one for b in other}))
