"""Where a strategy goes wrong: against its definition by brute force, and in words that name nodes and worlds."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldwise import AlphaMu, Limit, SearchResult, judge, random_tree, solve, tree, tree_from_dict
from worldwise.core.game import Side
from worldwise.core.result import Stats
from worldwise.errors import InputError
from worldwise.search.strategy import evaluate, strategies
from worldwise.trees.blunders import find_blunder
from worldwise.trees.solving import BLUNDER_LIMIT
from worldwise.trees.views.results import result_json, strategy_words, why_words

PATIENT = Limit(seconds=60)


@dataclass(frozen=True)
class Fixed:
    """A searcher of somebody's own, whose name begins as the iterated algorithms' do: it takes branch 0 everywhere."""

    name: str = "idle"

    def search(self, game, limit=None):
        chosen, ahead = {}, [game.root]
        for position in ahead:
            side = game.to_move(position)
            moves = game.moves(position) if side else ()
            chosen |= {position: 0} if side is Side.MAX else {}
            ahead += [game.play(position, move) for move in (moves[:1] if side is Side.MAX else moves)]
        worth = evaluate(game, chosen)
        return SearchResult(self.name, 1.0, worth.value, worth.vector, chosen, Stats(), chosen.get(game.root))


def ways(shape, known=None):
    """Every strategy, and what it is worth."""
    return [(way, evaluate(shape, way, known)) for way in strategies(shape)]


def preorder(shape, strategy):
    """MAX's nodes that a strategy comes to; nodes are numbered in the order of the tree."""

    def below(node):
        side = shape.to_move(node)
        if side is Side.MAX:
            yield node
            yield from below(shape.play(node, strategy[node]))
        elif side is Side.MIN:
            for move in shape.moves(node):
                yield from below(shape.play(node, move))

    return sorted(below(0))


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(2, 4),
    st.integers(2, 4),
    st.booleans(),
    st.sampled_from(["monte-carlo", "prm", "idle"]),
)
def test_a_blunder_is_the_first_choice_that_cannot_be_made_good(seed, depth, worlds, blind, name):
    """By definition: of all strategies that agree with the choices so far, none is the best any more."""
    shape = random_tree(depth=depth, worlds=worlds, seed=seed)
    shape = shape.with_payoffs(
        np.random.default_rng(seed).integers(0, 3, (2**depth, worlds)).astype(float), shape.weights
    )
    known = frozenset() if blind else None
    result = solve(shape, Fixed() if name == "idle" else name, known=known)
    every = ways(shape, known)
    best = max(worth.value for _, worth in every)
    if result.value == pytest.approx(best):
        return
    found = find_blunder(shape, result, best, known, PATIENT)
    nodes = preorder(shape, result.strategy)
    before = {node: result.strategy[node] for node in nodes if node < found.node}

    def best_with(fixed):
        agree = [worth for way, worth in every if all(way.get(node) == move for node, move in fixed.items())]
        return max(worth.value for worth in agree), agree

    assert best_with(before)[0] == pytest.approx(best)
    assert best_with({**before, found.node: found.move})[0] < best - 1e-9
    value, agree = best_with({**before, found.node: found.better})
    assert value == pytest.approx(best)
    differences = [
        tuple(
            tuple(world for world in range(worlds) if sign * worth.vector[world] > sign * result.vector[world])
            for sign in (1, -1)
        )
        for worth in agree
        if worth.value == pytest.approx(best)
    ]
    assert (found.lost, found.gained) in differences
    assert found.lost


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.booleans())
def test_alpha_mu_is_worth_what_its_move_can_have(seed, blind):
    """It names a move and no strategy, and what it believes in is no more than a bound."""
    shape, known = random_tree(depth=4, worlds=4, seed=seed), frozenset() if blind else None
    (verdict,) = judge(shape, AlphaMu(1), known=known)
    found, every = verdict.result, ways(shape, known)
    value = max(worth.value for way, worth in every if way[0] == found.move)
    assert found.value == pytest.approx(value) == pytest.approx(evaluate(shape, found.strategy, known).value)
    assert verdict.optimal == (value == max(worth.value for _, worth in every))
    assert (verdict.blunder is None) == verdict.optimal


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(3, 5))
def test_what_is_given_up_is_what_one_who_sees_the_world_would_win(seed, depth):
    shape = random_tree(depth=depth, worlds=5, seed=seed)
    (verdict,) = judge(shape, "monte-carlo")
    if verdict.optimal or verdict.blunder.given_up is None:
        return
    blunder, hoped = verdict.blunder, verdict.blunder.given_up

    def seen(node, world):
        side = shape.to_move(node)
        if side is None:
            return shape.payoffs(node)[world]
        values = [seen(shape.play(node, move), world) for move in shape.moves(node)]
        return max(values) if side is Side.MAX else min(values)

    branch = shape.play(blunder.node, blunder.move)
    assert branch <= hoped.node < shape.end[branch]
    for world in hoped.worlds:
        assert seen(branch, world) > verdict.result.vector[world]
        assert seen(shape.play(hoped.node, hoped.move), world) < seen(hoped.node, world)


# ---------------------------------------------------------------------- judge


def test_judge_takes_any_searcher():
    """One or several, by name or not, whatever they are called."""
    fig = tree("fb01/fig-10")
    alone, listed = judge(fig, Fixed()), judge(fig, [Fixed(), "exact"])
    assert alone == listed[:1]
    assert (alone[0].result.algorithm, alone[0].optimal, alone[0].failure) == ("idle", False, "a worse choice")
    assert alone[0].blunder.lost == (3,)
    assert judge(fig, "monte-carlo")[0].failure == "strategy fusion"
    assert [verdict.optimal for verdict in judge(fig, (Fixed("ivm"), "ivm"))] == [False, True]


@pytest.mark.parametrize("searches", [3, [3], ["exact", None], ["ivn"], "ivn"])
def test_what_judge_cannot_run_is_one_clear_error(searches):
    with pytest.raises(InputError, match=r"unknown algorithm 'ivn'|expected an algorithm's name or a searcher, found"):
        judge(tree("fb01/fig-10"), searches)


def test_large_trees_are_judged_without_a_blunder(monkeypatch):
    monkeypatch.setattr("worldwise.trees.blunders.LARGEST", 5)
    (verdict,) = judge(tree("fb01/fig-10"), "monte-carlo")
    assert (verdict.failure, verdict.blunder) == ("strategy fusion", None)
    assert BLUNDER_LIMIT.seconds == 1


# ---------------------------------------------------------------------- words


def test_why_names_node_and_worlds():
    fig = tree("fb01/fig-11")
    (verdict,) = judge(fig, "monte-carlo")
    words = why_words(fig, verdict.blunder)
    assert words.startswith("At a it plays left, but right gets more in ")
    told = result_json(fig, verdict)["why"]
    assert (told["played"], told["better"], told["words"]) == ("left", "right", words)
    assert set(told["lost"]) <= {f"w{number}" for number in range(1, 6)}


def test_a_tree_without_names_is_told_by_its_moves():
    shape = random_tree(depth=5, worlds=4, seed=3)
    (verdict,) = judge(shape, "monte-carlo")
    assert why_words(shape, verdict.blunder) == "At the node after left, left it plays left, but right gets more in w1."
    words = strategy_words(shape, verdict.result)
    assert words.startswith("left\nafter left, left: left\nafter left, left, left, left: left\n")
    told = result_json(shape, verdict)
    assert told["plan"][:2] == [{"after": [], "play": "left"}, {"after": ["left", "left"], "play": "left"}]
    assert len(told["plan"]) == len(verdict.result.strategy)


def test_names_that_two_nodes_share_are_not_enough():
    twins = tree_from_dict(
        {
            "max": [
                {"name": "x", "max": [{"payoff": [1]}, {"payoff": [0]}]},
                {"name": "x", "max": [{"payoff": [0]}, {"payoff": [0]}]},
            ]
        }
    )
    assert strategy_words(twins, solve(twins)) == "x\nafter x: left"


def test_three_branches_have_numbers_from_one():
    shape = random_tree(depth=2, worlds=3, branching=3, seed=1)
    assert strategy_words(shape, solve(shape)) in ("1", "2", "3")
    assert list(pairwise(shape.moves(0))) == [(0, 1), (1, 2)]
