"""What sampling wins in a single suit: the kernel, its twin on tables, and FB01's algorithm on the whole tree."""

from math import inf
from random import Random

import pytest

from suits import some_suit
from worldwise.bridge.suit.monte_carlo import MonteCarloLine
from worldwise.bridge.suit.rules import FREE, Suit
from worldwise.bridge.suit.sampling import won_by_sampling
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.trees import suit_algorithms
from worldwise.core.result import Limit
from worldwise.errors import LimitReachedError


@pytest.mark.parametrize("entries", [FREE, (inf, 1)], ids=["free", "one-entry"])
def test_kernel_and_twin(needs_kernels, entries):
    """The same worlds, for every goal."""
    rng = Random(2501)
    for _ in range(12):
        solver = SuitSolver(some_suit(rng, (2, 5), (1, 4)), entries=entries)
        for tricks in range(1, solver.suit.length + 1):
            assert won_by_sampling(solver, tricks) == MonteCarloLine(solver, tricks).wins(solver.root)


@pytest.mark.parametrize("how", [{"ruffs": 1}, {"west": "K"}], ids=lambda how: next(iter(how)))
def test_other_rules(needs_kernels, how):
    """Ruffs and placed cards: what both make of them."""
    solver = SuitSolver(Suit.of("AQT", "32", **how))
    for tricks in range(1, solver.suit.length + 1):
        assert won_by_sampling(solver, tricks) == MonteCarloLine(solver, tricks).wins(solver.root)


def test_monte_carlo_on_the_tree(needs_kernels):
    """FB01's algorithm, which knows no tables, wins the same worlds: ties are broken alike."""
    rng = Random(2502)
    for _ in range(12):
        solver = SuitSolver(some_suit(rng, (2, 4), (1, 3)))
        for tricks in range(1, solver.suit.length + 1):
            (found,) = suit_algorithms(solver.suit, tricks, ["monte-carlo"])
            wins = won_by_sampling(solver, tricks)
            assert found.wins == tuple(world for world in range(len(solver.suit.worlds)) if wins >> world & 1)


def test_a_limit_is_kept(needs_kernels):
    with pytest.raises(LimitReachedError):
        won_by_sampling(SuitSolver(Suit.of("AJ975", "K32"), limit=Limit(nodes=10)), 4)
