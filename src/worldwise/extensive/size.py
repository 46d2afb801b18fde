"""How large a game is, and of what kind."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from worldwise.core.game import CHANCE

if TYPE_CHECKING:
    from worldwise.extensive.game import ExtensiveGame


@dataclass(frozen=True)
class Measures:
    """The size and kind of a game; ``information_sets`` and ``pure_strategies`` hold a number for each player."""

    nodes: int
    leaves: int
    depth: int
    chance_nodes: int
    information_sets: tuple[int, ...]
    pure_strategies: tuple[int, ...]
    zero_sum: bool
    perfect_information: bool


def measures(game: ExtensiveGame) -> Measures:
    """Measure a game.

    >>> from worldwise.catalog import game
    >>> measures(game("bmv96/fig-2-g2"))  # doctest: +NORMALIZE_WHITESPACE
    Measures(nodes=11, leaves=6, depth=3, chance_nodes=1, information_sets=(3,), pure_strategies=(8,),
             zero_sum=False, perfect_information=False)
    """
    sets = [list(game.information_sets(player)) for player in range(len(game.players))]
    return Measures(
        nodes=len(game),
        leaves=game.leaves,
        depth=game.depth,
        chance_nodes=sum(
            len(nodes) for event, nodes in zip(game.events, game.nodes_of, strict=True) if event.player == CHANCE
        ),
        information_sets=tuple(map(len, sets)),
        pure_strategies=tuple(prod(len(game.events[number].actions) for number in own) for own in sets),
        zero_sum=all(sum(payoffs) == 0 for payoffs in game.leaf_payoffs()),
        perfect_information=all(len(game.nodes_of[number]) == 1 for number in game.information_sets()),
    )
