"""Exact fronts of games in which different ways lead to the same future: each is worked out once.

What the front of a position *is* depends on what can still happen, so positions with the same ``key`` share it. Which
of its outcomes to aim for may still differ from one to the other (FB01's non-locality): that is the strategy's affair.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

from worldwise.core.front import drop_dominated
from worldwise.core.game import Side, as_coded
from worldwise.core.result import Tally

if TYPE_CHECKING:
    from collections.abc import Hashable


class Fronts:
    """The exact front of any position of a game, in the codes of its scale; positions of one key are met once."""

    def __init__(self, game: Any, tally: Tally | None = None) -> None:
        self.game, self.coded, self.tally = game, as_coded(game), tally or Tally()
        self.known: dict[Hashable, list[Any]] = {}

    def at(self, position: Any) -> list[Any]:
        """The undominated codes that MAX can secure."""
        key = self.game.key(position)
        if key not in self.known:
            self.known[key] = self._back_up(position)
        return self.known[key]

    def _back_up(self, position: Any) -> list[Any]:
        self.tally.node()
        side = self.game.to_move(position)
        if side is None:
            return [self.coded.code(position)]
        below = [self.at(self.game.play(position, move)) for move in self.game.moves(position)]
        if side is Side.MAX:
            return drop_dominated((code for front in below for code in front), self.tally.check)
        return reduce(self._meet, below)

    def _meet(self, one: list[Any], other: list[Any]) -> list[Any]:
        return drop_dominated((a & b for a in one for b in other), self.tally.check)
