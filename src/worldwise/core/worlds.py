"""Which worlds a position of a ``WorldGame`` can arise in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldwise.core.game import Side, key_of
from worldwise.core.result import Tally

if TYPE_CHECKING:
    from collections.abc import Hashable

    from worldwise.core.game import AnyWorldGame


class OpenWorlds:
    """For any position of a game, the worlds in which it can be reached; nothing is looked at before you ask.

    What is looked at counts towards the limit of the tally.

    >>> from worldwise import tree_from_dict
    >>> tree = tree_from_dict({"min": [{"payoff": [1, None]}, {"payoff": [0, 1]}]})
    >>> [sorted(OpenWorlds(tree).at(position)) for position in (0, 1, 2)]
    [[0, 1], [0], [0, 1]]
    """

    def __init__(self, game: AnyWorldGame, tally: Tally | None = None) -> None:
        self.game, self.tally = game, tally or Tally()
        self._key = key_of(game)
        self._known: dict[Hashable, frozenset[int]] = {}

    def at(self, position: Any) -> frozenset[int]:
        """The worlds in which some end below the position has a payoff."""
        key = self._key(position)
        if key not in self._known:
            self._known[key] = self._find(position)
        return self._known[key]

    def _find(self, position: Any) -> frozenset[int]:
        self.tally.node()
        side = self.game.to_move(position)
        if side is None:
            payoffs = enumerate(self.game.payoffs(position))
            return frozenset(world for world, payoff in payoffs if payoff is not None)
        moves = self.game.moves(position)
        # MAX's moves are open in the same worlds, so one of them tells.
        asked = moves[:1] if side is Side.MAX else moves
        return frozenset().union(*(self.at(self.game.play(position, move)) for move in asked))
