"""The right line: best for its goal, then for tricks on average; the same line wherever it is named."""

from fractions import Fraction
from random import Random

import pytest

from suit_by_cards import SuitByCards, small
from worldwise.bridge.suit.best_outcome import best_outcome
from worldwise.bridge.suit.rules import Suit
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.catalog import suit_combinations
from worldwise.search.transposed import Fronts


def rounded(line):
    return {tricks: round(100 * float(chance), 2) for tricks, chance in line.at_least.items()}


# ---------------------------------------------------------------------- what was wrong once


def test_overtricks_are_not_given_up(needs_kernels):
    """For two tricks of AJT6 the ducker's third trick; for one of KJ9 the finesse that may win two."""
    assert rounded(SuitSolver(Suit.of("AJT6", "5432")).line(2))[3] == 64.7
    assert rounded(SuitSolver(Suit.of("KJ9", "432")).line(1))[2] == 24.73


def test_two_lines_as_safe_for_three(needs_kernels):
    """AK543 opposite J92: one has more tricks on average, the other the fourth trick more often."""
    solver = SuitSolver(Suit.of("AK543", "J92"))
    line, other = solver.line(3), solver.overtrick_line(3)
    assert rounded(line) == {1: 100, 2: 100, 3: 98.04, 4: 76.3, 5: 27.13}
    assert rounded(other) == {1: 100, 2: 100, 3: 98.04, 4: 87.61, 5: 3.39}
    assert rounded(solver.line(4)) == rounded(other)
    assert line.average > other.average
    assert solver.overtrick_line(4) is solver.overtrick_line(5) is None


def test_readme_example(needs_kernels):
    solver = SuitSolver(Suit.of("AKJ65", "432"))
    assert [rounded(solver.line(goal))[4] for goal in (3, 4)] == [84.78, 84.78]


@pytest.mark.parametrize("names", suit_combinations(), ids="/".join)
def test_no_line_of_the_catalogue_averages_fewer_tricks(needs_kernels, names):
    """Than any line as good for its goal that is known: those of other goals, and the best after each first play."""
    solver = SuitSolver(Suit.of(*names))
    others = [solver.line(), *(answer.line for answer in solver.goals)]
    for answer in solver.goals:
        line = answer.line
        assert line.at_least[answer.tricks] == answer.chance
        begun = [solver.line(answer.tricks, solver.leads[lead]) for lead in answer.first_plays]
        later = range(answer.tricks + 1, solver.suit.length + 1)
        overtricks = [solver.chance(solver.worth(best_outcome(solver, [answer.tricks, *later])))]
        rivals = [one.average for one in (*others, *begun) if one.at_least[answer.tricks] == answer.chance]
        assert line.average == max([*rivals, *overtricks])


@pytest.mark.parametrize("seed", range(40))
def test_of_all_lines_the_best_for_the_goal_then_on_average(kernels, seed):
    """All outcomes of small suits written down, card by card."""
    north, south, missing, gone = small(Random(seed))
    solver = SuitSolver(Suit.of(north, south, gone=gone or "-"))
    game = SuitByCards(north, south, missing)
    outcomes = [[0 if tricks is None else tricks for tricks in vector] for vector in Fronts(game).at(game.root)]
    total = sum(game.weights)

    def chance(outcome, goal):
        won = zip(game.weights, outcome, strict=True)
        return Fraction(sum(weight for weight, tricks in won if tricks >= goal), total)

    def average(outcome):
        return Fraction(sum(weight * tricks for weight, tricks in zip(game.weights, outcome, strict=True)), total)

    assert solver.line().average == max(map(average, outcomes))
    for goal in range(1, solver.suit.length + 1):
        best = max((chance(outcome, goal), average(outcome)) for outcome in outcomes)
        assert (solver.line(goal).at_least[goal], solver.line(goal).average) == best
        if goal < solver.suit.length:
            most = max((chance(one, goal), chance(one, goal + 1)) for one in outcomes)[1]
            other = solver.overtrick_line(goal) or solver.line(goal)
            assert (other.at_least[goal], other.at_least[goal + 1]) == (best[0], most)
