"""PIMC: the matrix of worlds and cards for every seat and goal, as plain double dummy has it; limits and threads."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from worldwise.bridge.layouts.sampler import Layouts
from worldwise.bridge.rules.contract import Contract, Strain, Vulnerability
from worldwise.bridge.rules.deal import PACK, SEATS, Deal, Seat, cards_in, set_of
from worldwise.bridge.rules.goal import Aim, Goal
from worldwise.bridge.rules.play import Play
from worldwise.bridge.rules.view import view_of
from worldwise.bridge.solvers import readable_double_dummy
from worldwise.bridge.solvers.card_values import choices_of
from worldwise.bridge.solvers.pimc import Pimc, SolverCache
from worldwise.core.result import Limit
from worldwise.errors import InputError, LimitReachedError

SIZE = 4


def question(seed, seat, worlds=5):
    """A random ending in which it is a seat's turn, as that seat sees it, and some layouts."""
    rng = Random(seed)
    pack = rng.sample(list(cards_in(PACK)), 4 * SIZE)
    deal = Deal(tuple(set_of(pack[place : place + SIZE]) for place in range(0, 4 * SIZE, SIZE)))
    play = Play(deal, Contract(1, rng.choice(list(Strain)), rng.choice(SEATS)))
    while play.turn != seat and not play.position.over:
        play = play.then(rng.choice(list(cards_in(play.position.legal))))
    if play.position.over:  # dummy is never on turn
        return question(seed + 1000, seat, worlds)
    view = view_of(play, seat)
    return view, Layouts(view).sample_different(rng, worlds)


def by_definition(view, world, goal):
    """What each choice is worth in a world, from the tricks that plain Python counts."""
    position = view.position(world)
    declares = (position.to_move ^ view.contract.declarer) & 1 == 0
    tricks = readable_double_dummy.cards(position)
    taken = [position.won[position.to_move & 1] + tricks[choice[0]] for choice in choices_of(view, world)]
    return [goal.payoff(count if declares else SIZE - count) for count in taken]


@pytest.mark.parametrize("aim", Aim)
@pytest.mark.parametrize("seat", SEATS)
def test_the_matrix_is_double_dummy(kernels, seat, aim):
    for seed in range(4):
        view, worlds = question(seed, seat)
        goal = Goal.seen_by(view, aim, Vulnerability.BOTH)
        found = Pimc(aim).evaluate(view, worlds, goal=goal)
        assert found.matrix.tolist() == [by_definition(view, world, goal) for world in worlds]
        assert found.averages == pytest.approx(found.matrix.mean(axis=0).tolist())
        assert found.values[found.best] == pytest.approx(max(found.averages))


@pytest.mark.parametrize("aim", Aim)
def test_a_weight_is_a_world_given_so_often(kernels, aim):
    for seed in range(4):
        view, worlds = question(seed, Seat.SOUTH)
        counts = Random(seed).choices(range(4), k=len(worlds) - 1)
        weights = [*counts, 1]
        repeated = [world for world, count in zip(worlds, weights, strict=True) for _ in range(count)]
        expected, found = Pimc(aim).evaluate(view, repeated), Pimc(aim).evaluate(view, worlds, weights=weights)
        assert found.averages == expected.averages
        assert (found.values, found.best) == (expected.values, expected.best)
        for scaled in [Fraction(weight, 7) for weight in weights], [weight * 0.1 for weight in weights]:
            again = Pimc(aim).evaluate(view, worlds, weights=scaled)
            assert again.averages == pytest.approx(expected.averages)
            assert again.best == expected.best


def test_equal_weights_change_nothing(kernels):
    view, worlds = question(3, Seat.SOUTH)
    plain, weighted = (Pimc(Aim.TRICKS).evaluate(view, worlds, weights=weights) for weights in (None, [5] * 5))
    assert plain.averages == weighted.averages == tuple(plain.matrix.mean(axis=0).tolist())


def test_threads_and_kept_solvers_change_nothing(kernels):
    view, worlds = question(3, Seat.SOUTH, worlds=9)
    solvers = SolverCache(view.contract.strain, most=4)
    alone = Pimc(Aim.TRICKS).evaluate(view, worlds)
    for threads in 1, 4:
        again = Pimc(Aim.TRICKS, threads).evaluate(view, worlds, solvers=solvers)
        assert np.array_equal(again.matrix, alone.matrix)


def test_a_limit_leaves_worlds_out(kernels):
    view, worlds = question(3, Seat.SOUTH, worlds=9)
    whole = Pimc(Aim.TRICKS).evaluate(view, worlds)
    part = Pimc(Aim.TRICKS).evaluate(view, worlds, Limit(nodes=3))
    assert 0 < len(part.worlds) < len(worlds)
    assert np.array_equal(part.matrix, whole.matrix[: len(part.worlds)])
    with pytest.raises(LimitReachedError):
        Pimc(Aim.TRICKS).evaluate(view, worlds, Limit(seconds=-1))
    weights = [0] * 8 + [1]
    assert Pimc(Aim.TRICKS).evaluate(view, worlds, weights=weights).averages == tuple(whole.matrix[8].tolist())
    with pytest.raises(LimitReachedError):  # the worlds that count were not reached
        Pimc(Aim.TRICKS).evaluate(view, worlds, Limit(nodes=3), weights=weights)
    heavy = Pimc(Aim.TRICKS).evaluate(view, worlds, Limit(nodes=3), weights=range(1, 10))
    assert heavy.weights == tuple(range(1, len(part.worlds) + 1))


def test_bad_questions():
    view, worlds = question(3, Seat.SOUTH)
    with pytest.raises(InputError, match="at least one world, found none"):
        Pimc().evaluate(view, [])
    with pytest.raises(InputError, match="expected 5 weights, one for each world, found 4"):
        Pimc().evaluate(view, worlds, weights=[1] * 4)
    with pytest.raises(InputError, match="expected a weight above 0, found none"):
        Pimc().evaluate(view, worlds, weights=[0] * 5)
    other = view_of(Play(worlds[0], view.contract, view.played), Seat.SOUTH.next)
    with pytest.raises(InputError, match="expected West to be on turn"):
        Pimc().evaluate(other, worlds)
