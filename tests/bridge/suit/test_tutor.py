"""The tutor: first lines beside each other, and Monte Carlo's errors."""

from __future__ import annotations

import pytest

from suit_lines import lost, random_suits, wanted_by
from suit_reader import read_line
from worldwise.bridge.suit.monte_carlo import MonteCarloLine
from worldwise.bridge.suit.rules import EAST, NORTH, SOUTH, Suit, SuitGame, SuitMove
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.tutor import (
    compare,
    comparisons,
    first_line_in_words,
    first_lines,
    layouts_words,
    monte_carlo_error,
)
from worldwise.bridge.suit.words import line_in_words
from worldwise.errors import InputError
from worldwise.trees import unroll
from worldwise.trees.solving import solve


def solver_of(north, south):
    return SuitSolver(Suit.of(north, south))


# ---------------------------------------------------------------------- first lines


@pytest.mark.parametrize("seed", range(4))
def test_first_lines_are_worth_what_their_leads_are(needs_kernels, seed):
    for rng, suit in random_suits(seed, 20, 7):
        solver, tricks = SuitSolver(suit), rng.randint(1, suit.length)
        lines = first_lines(solver, tricks)
        for lead, chance in solver.goal(tricks).plays.items():
            assert max(line.chance for line in lines if line.lead == lead) == chance


@pytest.mark.parametrize(("north", "south", "tricks"), [("QJ98", "32", 2), ("AKQ9", "32", 4), ("KJ9", "432", 1)])
def test_first_lines_win_what_they_say(north, south, tricks):
    solver = solver_of(north, south)
    for line in first_lines(solver, tricks):
        words = first_line_in_words(solver, tricks, line)
        wanted = wanted_by(solver, (0,) * (tricks - 1) + (line.wins,), tricks)
        assert lost(read_line(solver.suit, words.text).start, wanted) == {}
        assert words.start == line.name or not line.chance


def test_the_first_line_is_the_one_that_is_explained():
    solver = solver_of("AQT", "32")
    assert first_lines(solver, 2)[0].name == line_in_words(solver, 2).start


def test_names():
    names = [line.name for line in first_lines(solver_of("QJ98", "32"), 2)]
    assert names == ["Finesse the nine", "Lead low to the queen", "Lead the queen", "Lead low from North and duck"]


# ---------------------------------------------------------------------- why


@pytest.mark.parametrize("seed", range(4))
def test_gains_and_losses_make_the_difference(needs_kernels, seed):
    for rng, suit in random_suits(seed, 15, 6):
        for found in comparisons(SuitSolver(suit), rng.randint(1, suit.length)):
            gained, given = (sum(layout.chance for layout in part) for part in (found.gains, found.losses))
            assert found.costs == given - gained >= 0


def test_cashing_in_fb01_fig_14():
    found = compare(solver_of("AKQ9", "32"), 4, SuitMove(NORTH, 12))
    assert [layout.name(ascii=True) for layout in found.gains] == ["xxxx-JTx", "xxxxx-JT"]
    assert found.losses[0].name(ascii=True) == "JTxx-xxx"
    assert found.words.startswith("Cash the ace: 10.34 %, 13.66 % less than: Finesse the nine.\n  only this wins: xxxx")


def test_the_best_and_the_equally_good():
    solver = solver_of("KJ9", "432")
    words = [found.words.splitlines()[0] for found in comparisons(solver, 2)[:2]]
    assert words == [
        "Finesse the nine: 24.73 %, the best there is.",
        "Finesse the jack: 24.73 %, as good as: Finesse the nine.",
    ]


def test_a_play_that_is_none():
    with pytest.raises(InputError, match="first plays N9, NQ, S2, found N3"):
        compare(solver_of("AKQ9", "32"), 4, SuitMove(NORTH, 3))


def test_the_rest_is_summed_up():
    found = compare(solver_of("AKQ9", "32"), 4, SuitMove(NORTH, 9))
    assert layouts_words(found.losses, 2) == "JTxx–xxx 8.88 %, JTxxx–xx 7.27 %, and 4 others 7.85 %"
    assert layouts_words(found.losses[:1], 2) == "JTxx–xxx 8.88 %"


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
    assert error.words.endswith("it would play the king, giving up 18.57 %; right is to play the nine (non-locality).")


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
