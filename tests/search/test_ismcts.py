"""Information-set Monte Carlo tree search: right where the right move is known."""

from random import Random

import pytest

from own_games import Phantom, Urn
from worldwise import Limit
from worldwise.core import TrackedBelief
from worldwise.errors import InputError
from worldwise.search import FaceUpSolver, Ismcts


class OpenTicTacToe(Phantom):
    """Everybody sees everything: a tree search with one world."""

    def observe(self, tries, _player):
        return tries


class Known:
    def __init__(self, position):
        self.position = position

    def sample(self, _rng):
        return self.position


@pytest.mark.parametrize("tries", [(0, 3, 1), (4, 0, 8, 2), (0, 4, 8), (4, 1)])
def test_with_everything_seen_it_plays_as_minimax_does(tries):
    game, position = OpenTicTacToe(), ()
    for square in tries:
        position = game.play(position, square)
    player = game.to_move(position)
    values = FaceUpSolver(game, player).move_values(position)
    move, visits = Ismcts(1500).search(game, player, Known(position), Random(1))
    assert values[move] == max(values.values())
    assert sum(visits.values()) == 1500


def test_worlds_count_by_their_weights():
    belief = TrackedBelief.start(Urn(), "you", ())
    heavy, light = belief.after(("heavy",)), belief.after(("light",))
    assert [Ismcts(300).search(Urn(), "you", one, Random(2))[0] for one in (heavy, light)] == ["black", "white"]


def test_one_choice_for_all_worlds_that_look_alike():
    """A prize in one of two boxes: who chooses for each world apart believes in a sure win, and pays for the look."""
    belief = TrackedBelief.start(Urn(), "you", ()).after(("light",))
    _, visits = Ismcts(400).search(Urn(), "you", belief, Random(3))
    assert visits["white"] > visits["black"] > 0


def test_the_same_seed_the_same_visits_and_a_limit_stops_it():
    game = Phantom()
    belief = TrackedBelief.start(game, 0, game.observe((), 0))
    once, again = (Ismcts(60).search(game, 0, belief, Random(7))[1] for _ in range(2))
    assert once == again
    assert sum(Ismcts(60).search(game, 0, belief, Random(7), Limit(nodes=10))[1].values()) == 10
    with pytest.raises(InputError, match="at least one simulation"):
        Ismcts(0)
