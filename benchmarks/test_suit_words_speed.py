"""What words cost beside solving: all goals of a combination, and the reasons for its first plays.

``make bench`` prints the figures. Seconds are those of the processor, on one core, beside those that solving the same
combinations takes in the same run: the goals and the line for each.
"""

from itertools import islice
from statistics import mean, median

import pytest

from test_suit_speed import random_suits, timed
from worldwise.bridge.suit.first_lines import first_line_in_words
from worldwise.bridge.suit.reasons import comparisons
from worldwise.bridge.suit.rules import Suit
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.tutor import monte_carlo_error
from worldwise.bridge.suit.words import line_in_words
from worldwise.kernels import BUILT
from yardstick import slowness

pytestmark = pytest.mark.skipif(not BUILT, reason="the compiled kernels were not built on this machine")

COMBINATIONS = 1_000

PROMISED, SLOWEST = 0.020, 0.5
"""Seconds of the yardstick's machine: half of all combinations, and every one, keep to these."""

HARD = [("T9743", "QJ6"), ("KJ962", "Q75"), ("AJ975", "K32"), ("T86", "AQ74")]
"""The first three took 9, 6 and 5 seconds once."""


def solve(solver):
    return [answer.line.levels for answer in solver.goals]


def tell(solver):
    return [line_in_words(solver, answer.tricks).text for answer in solver.goals if answer.chance]


def give_reasons(solver):
    """As ``--why`` does, for every way to begin: of the highest goal that can be reached."""
    best = [answer for answer in solver.goals if answer.chance][-1:]
    for answer in best:
        found = comparisons(solver, answer.tricks)
        first_line_in_words(solver, answer.tricks, found[-1].line)
        monte_carlo_error(solver, answer.tricks)


def told(what, seconds, solving):
    print(f"\n{len(seconds):,} combinations, {what}: median {1000 * median(seconds):.1f} ms, ", end="")
    print(f"mean {1000 * mean(seconds):.1f} ms, the slowest {max(seconds):.3f} s; ", end="")
    print(f"{sum(seconds) / sum(solving):.1f} times what solving took", end="")


@pytest.mark.parametrize("work", [tell, give_reasons])
def test_random_combinations(work):
    solving, words = [], []
    for suit in islice(random_suits(11), COMBINATIONS):
        solver = SuitSolver(suit)
        solving.append(timed(lambda solver=solver: solve(solver))[0])
        words.append(timed(lambda solver=solver: work(solver))[0])
    told(work.__name__.replace("_", " "), words, solving)
    slow = slowness()
    assert median(words) < PROMISED * slow
    assert max(words) < SLOWEST * slow


@pytest.mark.parametrize(("north", "south"), HARD)
def test_what_was_slow(north, south):
    solver = SuitSolver(Suit.of(north, south))
    solving, _ = timed(lambda: solve(solver))
    words, _ = timed(lambda: tell(solver))
    print(f"\n{north} opposite {south}: solved in {solving:.3f} s, told in {words:.3f} s", end="")
    assert words < SLOWEST * slowness()
