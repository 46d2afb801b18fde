"""A game of your own with news on the way: a destroyer hunts a submarine it cannot see.

The submarine is in one of six waters. The destroyer drops a charge and hears whether it hit, was near (a neighbouring
water), or neither; then the submarine moves to a neighbouring water or stays. After three charges it has escaped. What
to do depends on whom you take the captain for: information-set search (PNS06) has a model of him, and it may be yours.

Run it: ``python examples/own_hidden_game.py``.
"""

from dataclasses import dataclass
from fractions import Fraction
from random import Random

from worldwise import InformationSetSearch
from worldwise.core import AllHistories
from worldwise.search import OVERCONFIDENT, PARANOID, Model, mixed
from worldwise.testing import check_game

DESTROYER, SUBMARINE = "destroyer", "submarine"

Position = tuple[int, ...]
"""Where the submarine was at first, then in turn where a charge was dropped and where the submarine went."""


@dataclass(frozen=True)
class Hunt:
    """Six members make a ``Game``; no base class is needed. The seventh, ``deals``, makes it ``Dealt``."""

    waters: int = 6
    charges: int = 3

    def deal(self, rng: Random) -> Position:
        """The submarine is anywhere."""
        return (rng.randrange(self.waters),)

    def deals(self) -> list[tuple[Position, Fraction]]:
        """Every first position with its probability, so that beliefs can be exact."""
        return [((water,), Fraction(1, self.waters)) for water in range(self.waters)]

    def to_move(self, position: Position) -> str | None:
        """They take turns until a charge has hit or none is left."""
        heard = self.heard(position)
        if "hit" in heard or (len(heard) == self.charges and len(position) % 2 == 0):
            return None
        return DESTROYER if len(position) % 2 else SUBMARINE

    def moves(self, position: Position) -> range:
        """A charge anywhere; the submarine goes one water at most."""
        if len(position) % 2:
            return range(self.waters)
        here = position[-2]
        return range(max(0, here - 1), min(self.waters, here + 2))

    def play(self, position: Position, move: int) -> Position:
        """Histories are positions."""
        return (*position, move)

    def payoff(self, position: Position, player: str) -> float:
        """One for whoever has won, minus one for the other."""
        hit = "hit" in self.heard(position)
        return 1.0 if hit == (player == DESTROYER) else -1.0

    def observe(self, position: Position, player: str) -> tuple[object, ...]:
        """The destroyer knows its charges and what it heard; that the submarine has moved it knows from the turn."""
        if player == SUBMARINE:
            return position
        return (*position[1::2], *self.heard(position), len(position))

    def heard(self, position: Position) -> tuple[str, ...]:
        """What is heard of each charge."""
        distances = [abs(water - charge) for water, charge in zip(position[::2], position[1::2], strict=False)]
        return tuple("hit" if distance == 0 else "near" if distance == 1 else "nothing" for distance in distances)


def flees(position: Position) -> list[Fraction]:
    """A phi: a captain who goes as far from the last charge as he can, and tosses a coin where it makes no difference.

    A phi gives the probability of each of the moves at a position, in their order.
    """
    moves, charge = Hunt().moves(position), position[-1]
    farthest = max(abs(move - charge) for move in moves)
    best = [abs(move - charge) == farthest for move in moves]
    return [Fraction(is_best, sum(best)) for is_best in best]


MODELS = {
    "moves at random": OVERCONFIDENT,
    "does the worst": PARANOID,
    "does a bit of both": mixed(0.3),
    "flees": Model(chances=flees),
}


def report() -> None:
    """Check the game, then say what to do after a first charge that was near, by each model."""
    game = Hunt()
    print(check_game(game, [DESTROYER, SUBMARINE], zero_sum=True))
    position = game.play(game.play((3,), 2), 4)  # near; then the submarine fled
    print(f"The first charge fell into water 2 and was {game.heard(position)[0]}.")
    for name, model in MODELS.items():
        # the model is told twice: what the captain has done so far, and what he will do
        belief = AllHistories.start(game, DESTROYER, model.chances).after(game.observe(position, DESTROYER))
        found = InformationSetSearch(depth=3, model=model).search(game, DESTROYER, belief.histories)
        print(f"if he {name:<18} drop the next into {found.best}: worth {found.value:+.2f}")


if __name__ == "__main__":
    report()
