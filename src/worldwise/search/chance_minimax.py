"""chance-minimax: backward induction for games of perfect information with chance moves (BMV96 section 2.2).

Every player takes what is best for himself, chance takes the average; with two players and zero sum this is minimax.
Information sets are ignored, so on a game of imperfect information the value is too good to be true and the choices
at the nodes of one set may contradict each other; the last one made then stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from worldwise.core.game import CHANCE, AnyExtensiveForm
from worldwise.core.result import NO_LIMIT, Clock, Limit, Tally
from worldwise.core.solution import Solution
from worldwise.errors import deep
from worldwise.search.profiles import expected_payoffs, whole

if TYPE_CHECKING:
    from collections.abc import Hashable

    from worldwise.core.game import Rational

Payoffs = tuple["Rational", ...]


@dataclass(frozen=True)
class ChanceMinimax:
    """The value of a game of perfect information, and everyone's best moves.

    >>> from worldwise.catalog import game
    >>> [ChanceMinimax().search(game(name)).believed for name in ("bmv96/fig-2-g1", "bmv96/fig-2-g2")]
    [(1,), (1,)]
    """

    name = "chance-minimax"

    def search(self, game: AnyExtensiveForm, limit: Limit = NO_LIMIT) -> Solution:
        """Find a profile that is an equilibrium, if the game has perfect information."""
        tally = Tally(Clock(limit, self.name))
        walk = _Walk(game, tally)
        with deep():
            believed = tuple(map(whole, walk.value(game.root)))
        payoffs = believed if walk.perfect_information else expected_payoffs(game, walk.profile)
        return Solution(self.name, believed, payoffs, walk.profile, tally.stats, walk.perfect_information)


class _Walk:
    def __init__(self, game: AnyExtensiveForm, tally: Tally) -> None:
        self.game, self.tally = game, tally
        self.profile: dict[Hashable, Any] = {}
        self.perfect_information = True

    def value(self, node: Any) -> Payoffs:
        game = self.game
        self.tally.node()
        player = game.to_move(node)
        if player is None:
            self.tally.leaf()
            return tuple(game.payoffs(node))
        moves = game.moves(node)
        values = [self.value(game.play(node, move)) for move in moves]
        if player == CHANCE:
            return _average(values, game.chances(node))
        best = max(range(len(values)), key=lambda move: values[move][player])
        known = game.information_set(node)
        self.perfect_information &= known not in self.profile
        self.profile[known] = moves[best]
        return values[best]


def _average(values: list[Payoffs], chances: Any) -> Payoffs:
    return tuple(
        sum(chance * value for chance, value in zip(chances, column, strict=True))
        for column in zip(*values, strict=True)
    )
