"""A game in extensive form as a ``Game`` of rules: the referee's view of any tree, and of OpenSpiel's games.

An extensive form says what a player knows where he is to move, and nothing about the time between. There he has
observed what he knew at his last turn, and what he did. Chance is one more player, whose moves are as likely as the
form says.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from worldwise.core.game import CHANCE

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from random import Random

    from worldwise.core.game import AnyExtensiveForm


class Reached(NamedTuple):
    """A node, and of each player what he knew at his last turn before it and did; None if there was none."""

    node: Any
    turns: tuple[Hashable, ...]


@dataclass(frozen=True)
class FormGame:
    """An ``ExtensiveForm`` as a ``Game``; players are numbers from 0, as there, and chance is ``CHANCE``.

    ``chances`` is how chance moves, and every other player at random: what a search or a belief takes for phi.

    >>> from worldwise import game
    >>> lottery = FormGame(game("bmv96/fig-2-g1"))
    >>> start = lottery.start()
    >>> lottery.to_move(start), [str(chance) for chance in lottery.chances(start)]
    (-1, ['1/2', '1/2'])
    """

    form: AnyExtensiveForm

    @property
    def players(self) -> range:
        """Their numbers."""
        return range(len(self.form.players))

    def start(self) -> Reached:
        """The root."""
        return Reached(self.form.root, (None,) * len(self.form.players))

    def deal(self, _rng: Random) -> Reached:
        """The root: what chance deals are moves of its own."""
        return self.start()

    def deals(self) -> list[tuple[Reached, Fraction]]:
        """The root, for certain."""
        return [(self.start(), Fraction(1))]

    def to_move(self, position: Reached) -> int | None:
        """The player to move, or ``CHANCE``; None when the game is over."""
        return self.form.to_move(position.node)

    def moves(self, position: Reached) -> Sequence[Any]:
        """The alternatives."""
        return self.form.moves(position.node)

    def play(self, position: Reached, move: Any) -> Reached:
        """The position after a move, which the player who made it remembers."""
        turns, mover = list(position.turns), self.form.to_move(position.node)
        if mover is not None and mover != CHANCE:
            turns[mover] = self.form.information_set(position.node), move
        return Reached(self.form.play(position.node, move), tuple(turns))

    def payoff(self, position: Reached, player: int) -> float:
        """What a player gets at the end."""
        return float(self.form.payoffs(position.node)[player])

    def observe(self, position: Reached, player: int) -> Hashable:
        """At his turn, what he knows and no more, so he may forget; otherwise his last turn and what he did."""
        if self.form.to_move(position.node) == player:
            return "knows", self.form.information_set(position.node)
        return "waits", position.turns[player]

    def chances(self, position: Reached) -> Sequence[Fraction]:
        """How likely each move is, if players move at random."""
        if self.form.to_move(position.node) == CHANCE:
            return self.form.chances(position.node)
        moves = len(self.form.moves(position.node))
        return (Fraction(1, moves),) * moves
