"""A game nobody tuned for a search: whist with a dummy, a few cards a hand, two suits, no trumps."""

from itertools import combinations
from random import Random
from typing import NamedTuple

from worldwise.core.game import Side
from worldwise.core.scale import Reals


class Table(NamedTuple):
    """The cards played, and what follows from them."""

    history: tuple[int, ...] = ()
    leader: int = 0
    trick: tuple[int, ...] = ()
    won: int = 0
    open: frozenset[int] = frozenset()

    @property
    def seat(self):
        return (self.leader + len(self.trick)) % 4


class Whist:
    """MAX has seats 0 and 2 and wants more than half the tricks; how the other cards lie is one of 20 worlds or fewer.

    Cards are numbers: even ones are one suit, odd ones the other, and the greater beats the smaller.
    """

    def __init__(self, size, seed=0):
        dice = Random(seed)
        pack = dice.sample(range(4 * size), 4 * size)
        mine, dummy, hidden = map(frozenset, (pack[:size], pack[size : 2 * size], pack[2 * size :]))
        lefts = list(map(frozenset, combinations(sorted(hidden), size)))
        self.size, self.goal = size, size // 2 + 1
        self.deals = [(mine, left, dummy, hidden - left) for left in dice.sample(lefts, min(20, len(lefts)))]
        self.worlds = len(self.deals)
        self.weights = (1,) * self.worlds
        self.root = Table(open=frozenset(range(self.worlds)))
        self.plays = 0

    def to_move(self, position):
        if len(position.history) == 4 * self.size:
            return None
        return Side.MIN if position.seat % 2 else Side.MAX

    def moves(self, position):
        return sorted({card for world in position.open for card in self.legal(position, world)})

    def legal(self, position, world):
        hand = self.deals[world][position.seat] - set(position.history)
        following = {card for card in hand if position.trick and (card - position.trick[0]) % 2 == 0}
        return following or hand

    def play(self, position, move):
        self.plays += 1
        open_ = position.open
        if position.seat % 2:
            open_ = frozenset(world for world in open_ if move in self.legal(position, world))
        history, trick = (*position.history, move), (*position.trick, move)
        if len(trick) < 4:
            return Table(history, position.leader, trick, position.won, open_)
        best = max(card for card in trick if (card - trick[0]) % 2 == 0)
        winner = (position.leader + trick.index(best)) % 4
        return Table(history, winner, (), position.won + (winner % 2 == 0), open_)

    def payoffs(self, position):
        return [int(position.won >= self.goal) if world in position.open else None for world in range(self.worlds)]


class KeyedWhist(Whist):
    """The same, which knows that the order of the cards in old tricks does not matter."""

    def key(self, position):
        return (frozenset(position.history), *position[1:])


class Seen:
    """Each world of a game of whist by itself, as a player would count it out with all hands in view."""

    def __init__(self, game):
        self.game, self.scale, self.known = game, Reals(game.weights), {}

    def open(self, position):
        return position.open

    def code(self, position, worlds):
        everywhere = range(self.game.worlds)
        return self.scale.code([self.worth(position, world) if world in worlds else None for world in everywhere])

    def worth(self, position, world):
        key = world, frozenset(position.history), *position[1:4]
        if key not in self.known:
            self.known[key] = self.counted(position, world)
        return self.known[key]

    def counted(self, position, world):
        side = self.game.to_move(position)
        if side is None:
            return int(position.won >= self.game.goal)
        below = (self.worth(self.game.play(position, card), world) for card in self.game.legal(position, world))
        return any(below) if side is Side.MAX else all(below)
