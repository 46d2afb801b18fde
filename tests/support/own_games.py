"""Games of users' own for tests: those of the examples, and small random ones."""

import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))

from mini_whist import MiniWhist
from phantom_tic_tac_toe import Phantom
from worldwise.core.game import CHANCE

__all__ = ["MiniWhist", "Phantom", "RandomGame", "Urn"]


@dataclass(frozen=True)
class RandomGame:
    """Some moves by turns, some of them unseen by the other, over some deals; everything is drawn by the seed.

    A position is (deal, moves). A sees no deal, B sees it; a move of B is seen by A or not, by the seed.
    """

    seed: int
    dealt: int = 3
    length: int = 4
    width: int = 2

    players = ("A", "B")

    def deal(self, rng):
        return rng.randrange(self.dealt), ()

    def deals(self):
        return [((number, ()), Fraction(1, self.dealt)) for number in range(self.dealt)]

    def drawn(self, *what):
        return Random(f"{self.seed} {what}")

    def to_move(self, position):
        turn = len(position[1])
        if turn == self.length:
            return None
        return self.players[self.drawn("mover", turn).randrange(2) if turn else 0]

    def moves(self, position):
        return tuple(range(self.width))

    def play(self, position, move):
        return position[0], (*position[1], move)

    def payoff(self, position, player):
        sign = 1 if player == "A" else -1
        return float(sign * self.drawn("payoff", position).randrange(4))

    def observe(self, position, player):
        deal, moves = position
        if player == "B":
            return deal, moves
        mine = [self.to_move((deal, moves[:turn])) == "A" for turn in range(len(moves))]
        heard = [self.drawn("heard", turn).random() < 0.5 for turn in range(len(moves))]
        return tuple(
            move if own or told else None for move, own, told in zip(moves, mine, heard, strict=True)
        ), self.to_move(position)


@dataclass(frozen=True)
class Urn:
    """One player, and chance on the way: a ball is drawn, you hear its weight, and guess its colour."""

    players = ("you",)

    def deal(self, _rng):
        return ()

    def deals(self):
        return [((), Fraction(1))]

    def to_move(self, position):
        return (CHANCE, "you", None)[len(position)]

    def moves(self, position):
        return ["black heavy", "black light", "white light"] if not position else ["black", "white"]

    def chances(self, position):
        assert position == ()
        return [Fraction(1, 2), Fraction(1, 8), Fraction(3, 8)]

    def play(self, position, move):
        return (*position, move)

    def payoff(self, position, _player):
        return float(position[0].startswith(position[1]))

    def observe(self, position, _player):
        return tuple([position[0].split()[1], *position[1:]] if position else ())
