"""Values, IMPs and matchpoints: against all outcomes of small suits written down, and against what is in print."""

from fractions import Fraction
from random import Random

import pytest

from suit_by_cards import SuitByCards, small
from worldwise.bridge.suit.aims import (
    Match,
    Matchpoints,
    Stakes,
    Values,
    best_line,
    best_reply,
    sensible_lines,
)
from worldwise.bridge.suit.compare import compare_lines
from worldwise.bridge.suit.rules import Suit
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.errors import InputError
from worldwise.search.transposed import Fronts


def outcomes_of(game):
    """Every outcome of every line that no other line beats everywhere: tricks by West's hand."""
    return [[tricks or 0 for tricks in vector] for vector in Fronts(game).at(game.root)]


def tricks_by_layout(line, game):
    """What a line takes in each of the game's worlds, which are West's hands card by card."""
    suit = line.solver.suit
    worlds = [suit.worlds.index(tuple(len(west & set(cards)) for cards in suit.classes)) for west in game.wests]
    return [sum(mask >> world & 1 for mask in line.levels) for world in worlds]


def average(game, worths):
    return sum((weight * worth for weight, worth in zip(game.weights, worths, strict=True)), Fraction(0)) / sum(
        game.weights
    )


def small_case(seed):
    rng = Random(seed)
    north, south, missing, gone = small(rng)
    return rng, SuitSolver(Suit.of(north, south, gone=gone or "-")), SuitByCards(north, south, missing)


# ---------------------------------------------------------------------- brute force


@pytest.mark.parametrize("seed", range(30))
def test_values(kernels, seed):
    rng, solver, game = small_case(seed)
    worth = sorted(Fraction(rng.randint(-20, 40), rng.choice([1, 2])) for _ in range(solver.suit.length + 1))
    found = best_line(solver, Values(tuple(worth)))
    every = [
        (average(game, [worth[tricks] for tricks in outcome]), average(game, outcome)) for outcome in outcomes_of(game)
    ]
    assert (found.worth, found.line.average) == max(every)
    taken = tricks_by_layout(found.line, game)
    assert found.worth == average(game, [worth[tricks] for tricks in taken])


def points(mine, theirs):
    return Fraction(1 if mine > theirs else 0) if mine != theirs else Fraction(1, 2)


def swing(stakes):
    return lambda mine, theirs: stakes.points(mine, theirs)


@pytest.mark.parametrize("seed", range(30))
def test_matches(kernels, seed):
    """Against one given line, and against several, at matchpoints and in IMPs."""
    rng, solver, game = small_case(seed)
    outcomes = outcomes_of(game)
    lines = [solver.line(), *(answer.line for answer in solver.goals)]
    stakes = Stakes.of("4S", vulnerable=True, makes=rng.randint(1, solver.suit.length))
    for scoring, of in ((Matchpoints(), points), (stakes, swing(stakes))):
        for others in (lines[:1], lines[-1:], lines):
            found = best_line(solver, Match(tuple(others), scoring))
            theirs = [tricks_by_layout(line, game) for line in others]

            def score(outcome, theirs=theirs, of=of):
                return sum((average(game, list(map(of, outcome, their))) for their in theirs), Fraction(0)) / len(
                    theirs
                )

            assert found.worth == max(map(score, outcomes)) == score(tricks_by_layout(found.line, game))


@pytest.mark.parametrize("seed", range(30))
def test_the_field_is_closed(kernels, seed):
    """Whatever beats a line of the field is no better against it than another line of the field."""
    _, solver, game = small_case(seed)
    scoring = Matchpoints()
    field = sensible_lines(solver, scoring)
    assert len({line.levels for line in field}) == len(field)
    for line in field:
        theirs = tricks_by_layout(line, game)
        best = max(average(game, list(map(points, outcome, theirs))) for outcome in outcomes_of(game))
        inside = max(Match((line,), scoring).against(other, line) for other in field)
        assert best == best_reply(line, scoring).worth == inside


# ---------------------------------------------------------------------- in print


def test_small_to_the_ten(needs_kernels):
    """SuitPlay's example, AQT98 opposite 5432: on average low to the queen, at matchpoints to the ten, by 3.6522 %."""
    solver = SuitSolver(Suit.of("AQT98", "5432"))
    found = best_line(solver, Match.against_the_field(solver, Matchpoints()))
    queen = solver.line()
    duel = compare_lines(found.line, queen)
    assert round(float(duel.more - duel.fewer), 6) == 0.036522
    assert 0.23 < duel.more < 0.24
    assert 0.19 < duel.fewer < 0.20
    assert found.line.average < queen.average
    assert best_reply(found.line, Matchpoints()).worth == Fraction(1, 2)


def test_a_circle(needs_kernels):
    """AJ98 opposite K32: every line is beaten by another, so SuitPlay names none; here the field decides."""
    solver = SuitSolver(Suit.of("AJ98", "K32"))
    field = sensible_lines(solver, Matchpoints())
    assert all(best_reply(line, Matchpoints()).worth > Fraction(1, 2) for line in field)
    found = best_line(solver, Match(tuple(field), Matchpoints()))
    assert found.worth > Fraction(1, 2)


def test_imps_of_a_contract():
    """3NT needs four tricks here: a trick short is 450 points, an overtrick 30."""
    assert Values.in_imps(Stakes.of("3NT", makes=4), 5).worth == (-12, -11, -11, -10, 0, 1)
    assert Values.in_imps(Stakes.of("3NT", vulnerable=True, makes=4), 5).worth == (-14, -14, -13, -12, 0, 1)
    assert Stakes.of("6NT", makes=5).points(5, 4) == 14


def test_safety_at_imps_and_a_gamble_at_matchpoints(needs_kernels):
    solver = SuitSolver(Suit.of("AQT98", "5432"))
    safe = best_line(solver, Values.in_imps(Stakes.of(makes=4), 5)).line
    assert safe.levels == solver.line(4).levels
    bold = best_line(solver, Match.against_the_field(solver, Matchpoints())).line
    assert bold.at_least[5] > safe.at_least[5]


# ---------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "expected values for numbers of tricks from 0 to 4, found {}"),
        ({5: 1}, "expected values for numbers of tricks from 0 to 4, found {5: 1}"),
        ({1: 3, 2: 1}, "expected values that do not fall with more tricks, found some that do"),
        ({1: 10_001}, "expected values within 10000 of zero"),
        ({1: "1/1001"}, "in parts of at least 1/1000"),
    ],
)
def test_bad_values(given, words):
    with pytest.raises(InputError) as fault:
        Values.of(given, 4)
    assert words in str(fault.value)
