"""Phantom tic-tac-toe, written once: neither player sees the other's marks, and a try on a taken square is refused.

Run it: ``python examples/phantom_tic_tac_toe.py``. Play it: ``worldwise play examples/phantom_tic_tac_toe.py:Phantom``.
"""

from dataclasses import dataclass
from fractions import Fraction
from random import Random

from worldwise.players import GameMatch, InformationSetGamePlayer, IsmctsGamePlayer, RandomGamePlayer
from worldwise.testing import check_game

Tries = tuple[tuple[int, int, bool], ...]
"""Who tried which square, and whether it was free. That is the whole history, and so a position."""

ROWS = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]


@dataclass(frozen=True)
class Phantom:
    """Player 0 begins; three in a row win."""

    players = (0, 1)

    def deal(self, _rng: Random) -> Tries:
        """The empty board."""
        return ()

    def deals(self) -> list[tuple[Tries, Fraction]]:
        """There is only one."""
        return [((), Fraction(1))]

    def marks(self, tries: Tries, player: int) -> set[int]:
        """The squares that are a player's."""
        return {square for who, square, made in tries if who == player and made}

    def winner(self, tries: Tries) -> int | None:
        """Who has a row."""
        return next((one for one in self.players if any(row <= self.marks(tries, one) for row in ROWS)), None)

    def to_move(self, tries: Tries) -> int | None:
        """You try until a try is made; nobody moves once there is a row, or the board is full."""
        made = sum(made for _, _, made in tries)
        return None if made == 9 or self.winner(tries) is not None else made % 2

    def moves(self, tries: Tries) -> list[int]:
        """The squares that you have not tried."""
        mine = {square for who, square, _ in tries if who == self.to_move(tries)}
        return [square for square in range(9) if square not in mine]

    def play(self, tries: Tries, square: int) -> Tries:
        """A try is made, or refused."""
        me = self.to_move(tries)
        assert me is not None
        return (*tries, (me, square, square not in self.marks(tries, 1 - me)))

    def payoff(self, tries: Tries, player: int) -> float:
        """One for a row, minus one for the other's."""
        winner = self.winner(tries)
        return 0.0 if winner is None else 1.0 if winner == player else -1.0

    def observe(self, tries: Tries, player: int) -> tuple[object, ...]:
        """Your tries with their answers, that the other has moved, and the end."""
        heard = [one if one[0] == player else None for one in tries if one[0] == player or one[2]]
        return *heard, self.to_move(tries) is None

    def key(self, tries: Tries) -> object:
        """What everybody has tried, in any order."""
        return frozenset(tries)


if __name__ == "__main__":
    game = Phantom()
    print(check_game(game, game.players, zero_sum=True))
    for player in (InformationSetGamePlayer(depth=2), IsmctsGamePlayer(100)):
        print(f"{player.name} against random: {GameMatch(game, player, RandomGamePlayer()).summary(deals=3, seed=1)}")
