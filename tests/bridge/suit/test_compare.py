"""Lines head to head, and the search for what one line wins: both against play-outs and fronts written down."""

from fractions import Fraction

import pytest

from suit_lines import random_suits
from worldwise.bridge.suit import most_wins as suit_most_wins
from worldwise.bridge.suit.compare import compare_lines
from worldwise.bridge.suit.most_wins import MostWins
from worldwise.bridge.suit.rules import Suit
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.core.game import Side


def fewest_tricks(line, table, world):
    """What the line takes in a layout if the defenders try everything that they can play there."""
    rules = line.solver.rules
    side = rules.side(table)
    if side is None:
        return table.tricks
    if side is Side.MAX:
        return fewest_tricks(line, rules.after(table, line.play(table)), world)
    tables = [rules.after(table, move) for move in rules.options(table)]
    return min(fewest_tricks(line, after, world) for after in tables if rules.fits(after, world))


def taken(line):
    return [fewest_tricks(line, line.solver.root, world) for world in line.solver.suit.worlds]


def check_match(first, second):
    found, suit = compare_lines(first, second), first.solver.suit
    one, two = taken(first), taken(second)
    for line, tricks in ((first, one), (second, two)):
        assert [sum(mask >> world & 1 for mask in line.levels) for world in range(len(tricks))] == tricks
    differences = [a - b for a, b in zip(one, two, strict=True)]
    assert found.more == suit.chance([world for world, more in enumerate(differences) if more > 0])
    assert found.fewer == suit.chance([world for world, more in enumerate(differences) if more < 0])
    assert found.equal == suit.chance([world for world, more in enumerate(differences) if not more])
    assert found.score == found.more + found.equal / 2


def lines_of(solver):
    goals = [None, *range(1, solver.suit.length + 1)]
    leads = [solver.line(answer.tricks, start) for answer in solver.goals[-1:] for start in solver.leads.values()]
    return [*map(solver.line, goals), *leads]


@pytest.mark.parametrize(
    ("north", "south", "gone"),
    [("AQ", "32", "-"), ("KJ", "3", "-"), ("AJ9", "32", "T8765"), ("KT", "Q2", "543"), ("A", "-", "-")],
)
def test_against_every_layout_and_every_defence(needs_kernels, north, south, gone):
    solver = SuitSolver(Suit.of(north, south, gone=gone))
    lines = lines_of(solver)
    for line in lines:
        check_match(lines[0], line)
        check_match(line, lines[-1])


@pytest.mark.parametrize("entries", [(1, 1), (0, 1), (0, 0)])
def test_with_few_entries(needs_kernels, entries):
    solver = SuitSolver(Suit.of("AQ", "32", gone="98765"), entries=entries)
    check_match(solver.line(1), solver.line(2))


def test_a_line_and_itself_share_the_points(kernels):
    line = SuitSolver(Suit.of("AQ", "32")).line(2)
    found = compare_lines(line, line)
    assert (found.more, found.equal, found.fewer, found.score) == (0, 1, 0, Fraction(1, 2))


def test_safety_loses_at_matchpoints(needs_kernels):
    """Three tricks of AJ98 opposite K32 are safest with a line that wins the fourth hardly ever."""
    solver = SuitSolver(Suit.of("AJ98", "K32"))
    safe, bold = solver.line(3), solver.line(4)
    assert float(compare_lines(safe, bold).score) == pytest.approx(0.4132, abs=5e-5)
    assert bold.average == solver.expected.tricks > safe.average


# ---------------------------------------------------------------------- what one line wins


@pytest.mark.parametrize("most_meets", [0, 20_000])
@pytest.mark.parametrize("seed", range(3))
def test_the_heaviest_of_a_front(needs_kernels, monkeypatch, seed, most_meets):
    monkeypatch.setattr(suit_most_wins, "MOST_MEETS", most_meets)
    for rng, suit in random_suits(seed, 15, 6):
        solver, tricks = SuitSolver(suit), rng.randint(1, suit.length)
        most, liked = MostWins(solver, tricks), rng.getrandbits(len(suit.worlds))
        for lead in solver.rules.options(solver.root):
            table = solver.rules.after(solver.root, lead)
            front = solver.front(table, tricks)
            best = max((solver.weight(mask), solver.weight(mask & liked)) for mask in front)
            wins = most.after([table], liked=liked)
            assert (solver.weight(wins), solver.weight(wins & liked)) == best
            among = max(solver.weight(mask & liked) for mask in front)
            assert solver.weight(most.after([table], liked)) == among


def test_ties_are_given_up_and_weights_are_not(needs_kernels, monkeypatch):
    monkeypatch.setattr(suit_most_wins, "MOST_TRIES", 1)
    solver = SuitSolver(Suit.of("Q982", "K64"))
    for lead, chance in solver.goal(2).plays.items():
        wins = MostWins(solver, 2).after([solver.rules.after(solver.root, lead)], liked=solver.goal(2).wins)
        assert solver.chance(solver.weight(wins)) == chance
