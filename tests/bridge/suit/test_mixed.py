"""Mixed strategies at a single suit: never worse than pure ones, and where they are known to be better."""

from random import Random

import pytest

from suits import some_suit
from worldwise.bridge.suit.mixed import mixed_value
from worldwise.bridge.suit.rules import Suit
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.errors import InputError

pytest.importorskip("scipy", reason="mixed strategies need SciPy's linear programmes: pip install scipy")


def test_the_known_gap(needs_kernels):
    """KJ864 opposite 9 for three tricks: 4.44 % with a pure strategy, 6.22 % with a coin."""
    solver = SuitSolver(Suit.of("KJ864", "9"))
    assert 100 * float(solver.goal(3).chance) == pytest.approx(4.44, abs=0.005)
    assert 100 * mixed_value(solver, 3) == pytest.approx(6.22, abs=0.005)


@pytest.mark.parametrize("seed", range(3))
def test_a_coin_is_never_worse_and_never_better_than_seeing_everything(needs_kernels, seed):
    rng = Random(seed)
    for _ in range(6):
        solver = SuitSolver(some_suit(rng, (2, 4), (1, 2)))
        for answer in solver.goals:
            value = mixed_value(solver, answer.tricks)
            assert float(answer.chance) - 1e-9 <= value <= float(answer.double_dummy) + 1e-9


@pytest.mark.parametrize(("north", "south", "tricks"), [("AQT", "32", 3), ("KJ9", "432", 2), ("AKQ9", "32", 4)])
def test_mostly_it_makes_no_difference(kernels, north, south, tricks):
    solver = SuitSolver(Suit.of(north, south))
    assert mixed_value(solver, tricks) == pytest.approx(float(solver.goal(tricks).chance))


def test_a_goal_that_is_out_of_range():
    with pytest.raises(InputError, match="expected a goal from 1 to 2 tricks, found 3"):
        mixed_value(SuitSolver(Suit.of("AQ", "2")), 3)
