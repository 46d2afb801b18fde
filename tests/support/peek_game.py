"""A small game of rules: one card, seen by one of two players."""

from fractions import Fraction


class Peek:
    """Two cards, one is dealt; Ann sees it and says high or low, Bob hears it and calls or folds."""

    def deals(self):
        return [((card,), Fraction(1, 2)) for card in "AK"]

    def deal(self, rng):
        return (rng.choice("AK"),)

    def to_move(self, position):
        return ("Ann", "Bob", None)[len(position) - 1]

    def moves(self, position):
        return ("high", "low") if len(position) == 1 else ("call", "fold")

    def play(self, position, move):
        return (*position, move)

    def payoff(self, position, player):
        won = 1.5 if position[2] == "fold" else 2 if position[0] == "A" else -2
        return won if player == "Ann" else -won

    def observe(self, position, player):
        return position if player == "Ann" else position[1:]
