"""Mini-whist, written once: two players, a few cards each, the rest of the pack unseen. Follow suit, no trumps.

Run it: ``python examples/mini_whist.py``. Play it: ``worldwise play examples/mini_whist.py:MiniWhist``.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random
from typing import NamedTuple

from worldwise.players import AlphaMuGamePlayer, GameMatch, PimcGamePlayer, RandomGamePlayer
from worldwise.testing import check_game

Card = int
"""Cards are numbers: suit times the number of ranks, plus rank."""


class Table(NamedTuple):
    """The first hands, the cards played and by whom, whose turn it is, the card led if any, and tricks won."""

    dealt: tuple[frozenset[Card], frozenset[Card]]
    played: tuple[tuple[int, Card], ...] = ()
    turn: int = 0
    led: Card | None = None
    won: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class MiniWhist:
    """Six members make a ``Game``; ``deals`` lists all, ``redeal`` draws to fit, ``key`` saves work."""

    cards: int = 6
    suits: int = 3
    ranks: int = 6

    players = (0, 1)

    def deal(self, rng: Random) -> Table:
        """Some cards each."""
        drawn = rng.sample(range(self.suits * self.ranks), 2 * self.cards)
        return Table((frozenset(drawn[: self.cards]), frozenset(drawn[self.cards :])))

    def deals(self) -> Iterator[tuple[Table, Fraction]]:
        """Every deal."""
        pack = range(self.suits * self.ranks)
        share = Fraction(1, comb(len(pack), self.cards) * comb(len(pack) - self.cards, self.cards))
        for mine in combinations(pack, self.cards):
            for his in combinations(sorted({*pack} - {*mine}), self.cards):
                yield Table((frozenset(mine), frozenset(his))), share

    def redeal(self, seen: tuple[frozenset[Card], tuple[tuple[int, Card], ...]], player: int, rng: Random) -> Table:
        """A deal in which you hold what you hold, and he what he has played."""
        mine, shown = seen[0], {card for who, card in seen[1] if who != player}
        unseen = sorted({*range(self.suits * self.ranks)} - mine - shown)
        his = frozenset({*shown, *rng.sample(unseen, self.cards - len(shown))})
        return Table((his, mine) if player else (mine, his))

    def to_move(self, table: Table) -> int | None:
        """Whoever has won the trick leads."""
        return None if len(table.played) == 2 * self.cards else table.turn

    def moves(self, table: Table) -> list[Card]:
        """Follow suit if you can."""
        hand = table.dealt[table.turn].difference(card for _, card in table.played)
        if table.led is not None:
            suit = table.led // self.ranks
            hand = frozenset(card for card in hand if card // self.ranks == suit) or hand
        return sorted(hand)

    def play(self, table: Table, card: Card) -> Table:
        """A card is led, or ends the trick."""
        played, led, me = (*table.played, (table.turn, card)), table.led, table.turn
        if led is None:
            return table._replace(played=played, turn=1 - me, led=card)
        beats = card > led and card // self.ranks == led // self.ranks
        winner = me if beats else 1 - me
        won = (table.won[0] + (winner == 0), table.won[1] + (winner == 1))
        return table._replace(played=played, turn=winner, led=None, won=won)

    def payoff(self, table: Table, player: int) -> float:
        """The tricks you have more than the other."""
        return float(table.won[player] - table.won[1 - player])

    def observe(self, table: Table, player: int) -> tuple[frozenset[Card], tuple[tuple[int, Card], ...]]:
        """Your first hand, and every card played."""
        return table.dealt[player], table.played

    def key(self, table: Table) -> object:
        """The future depends on the cards left, not on the way they were played."""
        gone = {card for _, card in table.played}
        return table.dealt[0] - gone, table.dealt[1] - gone, table.turn, table.led, table.won


if __name__ == "__main__":
    small = MiniWhist(cards=2, suits=2, ranks=3)
    print(check_game(small, small.players, zero_sum=True))
    for opponent in (RandomGamePlayer(), PimcGamePlayer(worlds=10)):
        match = GameMatch(MiniWhist(cards=3), AlphaMuGamePlayer(worlds=10), opponent)
        print(f"alpha-mu against {opponent.name}: {match.summary(deals=20, seed=1)}")
