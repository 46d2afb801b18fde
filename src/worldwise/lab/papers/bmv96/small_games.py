"""Small random games on which IMP-minimax is a heuristic, and what it is worth there beside every pure strategy."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from worldwise.core.game import CHANCE
from worldwise.extensive.imp_model import ImpModel
from worldwise.search.imp import ImpMinimax
from worldwise.search.profiles import expected_payoffs, pure_strategies
from worldwise.search.responses import best_response

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from random import Random

    from worldwise.core.game import AnyExtensiveForm, Rational

HIGHEST = 10
"""Payoffs are the whole numbers from 0 to this, each equally likely."""


# ---------------------------------------------------------------------- games


class PlayNode(NamedTuple):
    """What chance has told the two players, each in secret, and the moves made, which both see."""

    told: tuple[int, int] | None
    moves: tuple[int, ...] = ()


@dataclass(frozen=True)
class TwoSecrets:
    """Two players, zero sum: each is told one of k secrets, then they move in turn, d times in all, b ways each.

    Nobody forgets anything. It is an ``ExtensiveForm``.

    >>> game = TwoSecrets(k=2, b=2, d=2, payoff=tuple(range(16)))
    >>> node = game.play(game.play(game.root, (0, 1)), 1)
    >>> game.to_move(node), game.information_set(node), game.payoffs(game.play(node, 0))
    (1, (1, 1, (1,)), (6, -6))
    """

    k: int
    b: int
    d: int
    payoff: tuple[int, ...]

    players = ("first", "second")
    root = PlayNode(None)

    @classmethod
    def random(cls, k: int, b: int, d: int, rng: Random) -> TwoSecrets:
        """Payoffs drawn evenly."""
        return cls(k, b, d, tuple(rng.randint(0, HIGHEST) for _ in range(k * k * b**d)))

    def to_move(self, position: PlayNode) -> int | None:
        """Chance, then the players in turn."""
        if position.told is None:
            return CHANCE
        return None if len(position.moves) == self.d else len(position.moves) % 2

    def moves(self, position: PlayNode) -> tuple[Any, ...]:
        """Both secrets, or the b ways to go on."""
        return tuple(product(range(self.k), repeat=2)) if position.told is None else tuple(range(self.b))

    def play(self, position: PlayNode, move: Any) -> PlayNode:
        """The node below."""
        return PlayNode(move) if position.told is None else PlayNode(position.told, (*position.moves, move))

    def chances(self, _position: PlayNode) -> tuple[Fraction, ...]:
        """All secrets are equally likely."""
        return (Fraction(1, self.k**2),) * self.k**2

    def information_set(self, position: PlayNode) -> Hashable:
        """Whose turn it is, his secret, and the moves so far."""
        assert position.told is not None
        player = len(position.moves) % 2
        return player, position.told[player], position.moves

    def payoffs(self, position: PlayNode) -> tuple[Rational, ...]:
        """What the first player gets, and the second loses."""
        assert position.told is not None
        number = position.told[0] * self.k + position.told[1]
        for move in position.moves:
            number = number * self.b + move
        return self.payoff[number], -self.payoff[number]


FORGETS: dict[str, Callable[[tuple[int, ...], tuple[int, ...]], Hashable]] = {
    "nothing": lambda taken, learnt: (taken, learnt),
    "what he did": lambda taken, learnt: (len(taken), learnt),
    "what he knew": lambda taken, learnt: (taken, learnt[-1:]),
    "both": lambda taken, learnt: (len(taken), learnt[-1:]),
}
"""What a player goes by who forgets: the alternatives he took, and what he has learnt, one thing before each choice."""


@dataclass(frozen=True)
class Forgetful(ImpModel):
    """The IMP-model, whose player forgets.

    >>> node = (5, (1, 0))
    >>> [Forgetful(k=2, b=2, d=4, forgets=what).information_set(node) for what in FORGETS]
    [((1, 0), (1, 0)), (2, (1, 0)), ((1, 0), (0,)), (2, (0,))]
    """

    forgets: str = "nothing"

    def information_set(self, position: Any) -> Hashable:
        """What is left of the alternatives taken and of the digits learnt."""
        drawn, taken = position
        digits = [
            drawn // self.k ** (self.d - 2 + self.unlearnt - place) % self.k for place in range(1, len(taken) + 1)
        ]
        return FORGETS[self.forgets](taken, tuple(digits))


# ---------------------------------------------------------------------- measuring


class Judged(NamedTuple):
    """What IMP-minimax is sure of in a game, what it believes, what the best pure strategy is sure of, and the mean."""

    found: Rational
    believed: Rational
    best: Rational
    mean: Rational


def judge_two_players(game: TwoSecrets) -> Judged:
    """The second player answers each strategy of the first as well as he can."""
    values = [guaranteed_payoff(game, strategy) for strategy in pure_strategies(game, 0)]
    answer = ImpMinimax().search(game)
    return Judged(guaranteed_payoff(game, answer.profile), answer.believed[0], max(values), _mean(values))


def guaranteed_payoff(game: AnyExtensiveForm, profile: Any) -> Rational:
    """What the first player is sure of, whatever the second does."""
    worth, _ = best_response(game, 1, profile)
    return -worth


def judge_forgetful(game: Forgetful) -> Judged:
    """A strategy is worth what it pays on average, whatever is forgotten."""
    values = [expected_payoffs(game, strategy)[0] for strategy in pure_strategies(game, 0)]
    answer = ImpMinimax().search(game)
    return Judged(answer.payoffs[0], answer.believed[0], max(values), _mean(values))


def _mean(values: list[Rational]) -> Rational:
    return Fraction(sum(values)) / len(values)
