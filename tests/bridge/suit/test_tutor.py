"""The tutor: Monte Carlo's errors."""

from __future__ import annotations

import pytest

from suit_lines import random_suits
from worldwise.bridge.suit.monte_carlo import MonteCarloLine
from worldwise.bridge.suit.rules import EAST, NORTH, SOUTH, Suit, SuitGame, SuitMove
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.tutor import monte_carlo_error
from worldwise.trees import unroll
from worldwise.trees.solving import solve


def solver_of(north, south):
    return SuitSolver(Suit.of(north, south))


# ---------------------------------------------------------------------- Monte Carlo


@pytest.mark.parametrize(
    ("north", "south", "tricks"),
    [("AQ", "32", 2), ("KJ", "32", 1), ("AQT", "32", 2), ("AQT", "32", 3), ("AKQ9", "32", 4), ("QJ98", "32", 2)],
)
def test_monte_carlo_is_the_papers(north, south, tricks):
    solver = solver_of(north, south)
    line = MonteCarloLine(solver, tricks)
    result = solve(unroll(SuitGame(solver.suit, tricks)), "monte-carlo")
    assert (float(line.believed), float(line.chance)) == pytest.approx((result.believed, result.value))


def test_strategy_fusion_in_fb01_fig_13():
    error = monte_carlo_error(solver_of("QJ98", "32"), 2)
    assert error.cause == "strategy fusion"
    assert float(error.chance) == pytest.approx(0.289, abs=5e-4)
    assert float(error.best) == pytest.approx(0.51, abs=5e-3)
    # Both play low under the nine; then the jack (or queen) is wrong and the eight is right.
    assert "".join(map(str, error.history)) == "S2W7N9E7S3W7"
    assert (error.played, error.better) == (SuitMove(NORTH, 12), SuitMove(NORTH, 8))


def test_non_locality_in_fb01_fig_14():
    error = monte_carlo_error(solver_of("AKQ9", "32"), 4)
    assert error.cause == "non-locality"
    assert float(error.chance) == pytest.approx(0.054, abs=5e-4)
    assert float(error.best) == pytest.approx(0.24)
    # West plays the jack or ten; then a top card is wrong, and to repeat the finesse is right.
    assert "".join(map(str, error.history)) == "S2WJNQE8S3W8"
    assert (error.played, error.better) == (SuitMove(NORTH, 13), SuitMove(NORTH, 9))
    assert error.words.endswith("play the king and give up 18.57 %; it is right to play the nine (non-locality).")


def test_an_error_at_once_is_strategy_fusion():
    error = monte_carlo_error(solver_of("AQT", "32"), 2)
    assert (error.history, error.cause, error.better) == ((), "strategy fusion", SuitMove(SOUTH, 2))


@pytest.mark.parametrize("seed", range(3))
def test_errors_are_found_where_there_are_any(needs_kernels, seed):
    for rng, suit in random_suits(seed, 12, 5):
        solver, tricks = SuitSolver(suit), rng.randint(1, suit.length)
        error = monte_carlo_error(solver, tricks)
        line = MonteCarloLine(solver, tricks)
        assert (error is None) == (line.chance == solver.goal(tricks).chance)
        assert error is None or error.loss > 0


def test_what_happened_in_words():
    solver = solver_of("AKQ9", "32")
    error = monte_carlo_error(solver, 4)
    assert (
        "\nAfter South the two, West the jack or ten, North the queen, East a low card; South the three" in error.words
    )
    assert all(move.card for move in error.history if move.seat == EAST)


def test_sampling_looks_at_the_clock(kernels, monkeypatch):
    """Seconds may go into tables that it solves itself, without asking anybody who does; a kernel has its own clock."""
    solver = SuitSolver(Suit.of("AKQ9", "32"))
    looks = []
    monkeypatch.setattr(solver.clock, "check", lambda *_nodes: looks.append(1))
    assert monte_carlo_error(solver, 4)
    assert len(looks) > 20
