"""Layouts drawn by what the auction says: against enumeration, against rejection, and blind to hidden cards."""

import json
from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from worldwise.bridge.advice.advise import advise
from worldwise.bridge.layouts.auction import hear_auction
from worldwise.bridge.layouts.carding import Carding, carding_weights
from worldwise.bridge.layouts.drawing import draw_worlds
from worldwise.bridge.layouts.evidence import Evidence
from worldwise.bridge.layouts.meanings import HandFeatures
from worldwise.bridge.layouts.sampler import Layouts
from worldwise.bridge.rules.auction import Auction
from worldwise.bridge.rules.board import Board
from worldwise.bridge.rules.deal import Deal, Seat, cards_in
from worldwise.bridge.views.advice_json import advice_json

needs_kernels = pytest.mark.usefixtures("needs_kernels")

DEAL = Deal.read("W:K5.AQJ85.K86.J73 A8643.97.QJ.Q864 T97.K32.9754.952 QJ2.T64.AT32.AKT")
AUCTION = Auction.read("W: 1H 1S 2H 2S AP")


def _board(cards=1, deal=DEAL):
    """North plays two spades; so many cards have been played, always the lowest."""
    board = Board(deal, dealer=Seat.WEST, auction=AUCTION)
    for _ in range(cards):
        card = min(cards_in(board.play.position.legal), key=lambda card: (card & 15, card))
        board = board.with_cards((*board.cards, card))
    return board


def _west_holds(worlds, weights, suit):
    """How often West holds how many of a suit."""
    found = Counter()
    for world, weight in zip(worlds, weights, strict=True):
        found[int(HandFeatures.of([world[Seat.WEST]]).lengths[suit][0])] += weight
    total = sum(found.values())
    return {length: share / total for length, share in found.items()}


def test_where_layouts_are_few_each_weighs_what_cards_and_calls_make_it():
    view = _board(36).view(Seat.NORTH)
    belief, every = hear_auction(view), Layouts(view).enumerate()
    drawn = draw_worlds(Layouts(view), 1000, Random(1), Carding.EQUAL, belief)
    by_definition = np.array(carding_weights(view, every)) * belief.weights(every)
    assert drawn.exact
    assert list(drawn.worlds) == every
    weights = np.array(drawn.weights, float)
    assert weights / weights.sum() == pytest.approx(by_definition / by_definition.sum(), abs=1e-9)


def test_a_sample_is_drawn_as_often_as_calls_and_cards_say():
    view = _board(20).view(Seat.NORTH)
    layouts, belief = Layouts(view), hear_auction(view)
    every = layouts.enumerate()
    wanted = _west_holds(every, (np.array(carding_weights(view, every)) * belief.weights(every)).tolist(), 1)
    worlds, weights = [], []
    for seed in range(60):
        drawn = draw_worlds(layouts, 40, Random(seed), Carding.EQUAL, belief)
        assert not drawn.exact
        assert len(set(drawn.worlds)) == len(drawn.worlds)
        worlds += drawn.worlds
        weights += drawn.weights
    found = _west_holds(worlds, weights, 1)
    for length, share in wanted.items():
        assert found.get(length, 0) == pytest.approx(share, abs=0.04)


@pytest.mark.parametrize("seat", [Seat.NORTH, Seat.EAST])
def test_a_sample_agrees_with_rejection(seat):
    """North after the lead, and East before it, who sees three hidden hands."""
    view = _board(1 if seat == Seat.NORTH else 0).view(seat)
    belief = hear_auction(view)
    rng, kept = Random(5), []
    pool = Layouts(view).sample_many(rng, 60_000)
    kept = [world for world, weight in zip(pool, belief.weights(pool), strict=True) if rng.random() < weight]
    assert len(kept) > 100
    drawn = draw_worlds(Layouts(view), 800, Random(6), Carding.NONE, belief)
    assert drawn.effective > 400
    for hidden in view.hidden:
        one, two = (HandFeatures.of(world[hidden] for world in worlds) for worlds in (kept, drawn.worlds))
        shares = np.array(drawn.weights) / sum(drawn.weights)
        for a, b in ((one.points, two.points), *zip(one.lengths, two.lengths, strict=True)):
            error = a.std() * (1 / len(kept) + 1 / drawn.effective) ** 0.5
            assert abs(a.mean() - (b * shares).sum()) < 4.5 * error


def test_a_world_outside_keeps_a_small_weight():
    view = _board(1).view(Seat.NORTH)
    belief = hear_auction(view)
    pool = Layouts(view).sample_many(Random(1), 500)
    weights = belief.weights(pool)
    assert (weights > 0).all()
    assert weights.max() == 1
    assert weights.min() < 0.01


def test_constraints_hold_and_calls_speak():
    view = _board(1).view(Seat.NORTH)
    drawn = Evidence(("hearts(west) == 4",)).draw(view, 40, Random(1))
    assert {int(HandFeatures.of([world[Seat.WEST]]).lengths[1][0]) for world in drawn.worlds} == {4}
    west = HandFeatures.of(world[Seat.WEST] for world in drawn.worlds)
    assert (west.points * np.array(drawn.weights)).sum() / sum(drawn.weights) > 9


def test_a_test_in_python_is_asked_too():
    view = _board(1).view(Seat.NORTH)
    drawn = Evidence((lambda deal: deal[Seat.WEST] >> 13 & 1 == 1,)).draw(view, 10, Random(1))
    assert all(world[Seat.WEST] >> 13 & 1 for world in drawn.worlds)


@needs_kernels
@pytest.mark.parametrize("seed", range(12))
def test_hidden_cards_never_matter(seed):
    rng = Random(seed)
    board = _board(1)
    view = board.view(Seat.NORTH)
    other = rng.choice([world for world in Layouts(view).sample_many(rng, 5) if world != DEAL])
    told = []
    for deal in (DEAL, other):
        seen = replace(board, deal=deal).view(Seat.NORTH)
        found = advice_json(advise(seen, worlds=4, algorithm="pimc", seed=seed))
        told.append(json.dumps({**found, "seconds": 0}))
    assert told[0] == told[1]


@needs_kernels
def test_advice_without_the_auction_is_that_of_a_view_without_one():
    view = _board(1).view(Seat.NORTH)
    one = advise(view, worlds=6, algorithm="pimc", system="none")
    two = advise(replace(view, auction=None), worlds=6, algorithm="pimc")
    assert one.belief is two.belief is None
    assert (one.worlds, one.choices) == (two.worlds, two.choices)
    assert advise(view, worlds=6, algorithm="pimc").worlds != one.worlds
