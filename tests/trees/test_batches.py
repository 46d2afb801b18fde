"""Batches give tree by tree what the one-tree algorithms give."""

from functools import cache

import numpy as np
import pytest

from worldwise import ALGORITHMS, Exact, MonteCarlo, Ties, algorithm, evaluate
from worldwise.errors import InputError
from worldwise.kernels import BUILT
from worldwise.trees import compile_game
from worldwise.trees.batches import Batch, BatchTies, monte_carlo, optimum, vector_minimax, worth, worths

TEN = [name for name in ALGORITHMS if name not in ("vm-alphabeta", "exact")]
SHAPES = [(1, 3, 2), (2, 10, 2), (3, 1, 2), (5, 10, 2), (6, 5, 2), (3, 6, 3), (2, 64, 4)]


def batch_of(depth, worlds, branching, trees=None, similarity=0.3):
    if trees is None:  # thousands in all; fewer where the one-tree algorithms run in Python and are slow
        trees = (400 if branching**depth <= 16 else 120) if BUILT else 12
    return Batch.random(np.random.default_rng(depth), trees, depth, worlds, branching, similarity)


@cache
def batch_and_its_trees(*shape):
    """A batch, and each of its trees for the one-tree algorithms: made once, because making them takes longest."""
    batch = batch_of(*shape)
    return batch, [compile_game(batch.tree(number)) for number in range(batch.trees)]


def play(name, batch, ties):
    if name == "monte-carlo":
        return monte_carlo(batch, ties)
    switches = {"reduce": "prm" in name, "beta": "beta" in name, "iterate": name.startswith("i")}
    return vector_minimax(batch, **switches, tiebreak="tiebreak" in name, ties=ties)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", TEN)
def test_every_algorithm_plays_as_it_does_alone(name, shape):
    batch, trees = batch_and_its_trees(*shape)
    seeds = np.arange(batch.trees, dtype=np.uint64) * np.uint64(977)
    for ties, rules in [(BatchTies(), [Ties()] * batch.trees), (BatchTies(seeds), [Ties(int(s)) for s in seeds])]:
        played = play(name, batch, ties)
        for number, tree in enumerate(trees):
            result = algorithm(name, rules[number]).search(tree)
            assert {node: played.chosen[node][number] for node in result.strategy} == result.strategy
            assert int(played.believed[number]).bit_count() == round(result.believed * batch.worlds)


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape[1] <= 10], ids=str)
@pytest.mark.parametrize("kernels", ["on", "off"])
def test_worth_and_optimum_at_every_level(shape, kernels, monkeypatch):
    monkeypatch.setenv("WORLDWISE_KERNELS", kernels)
    batch = batch_of(*shape, trees=25)
    trees = [batch.tree(number) for number in range(batch.trees)]
    played = monte_carlo(batch)
    for known in {0, 1, batch.worlds // 2, batch.worlds - 1, batch.worlds}:
        earned, best = worth(batch, played, known), optimum(batch, known)
        assert (earned <= best).all()
        for number, tree in enumerate(trees):
            strategy = MonteCarlo().search(compile_game(tree)).strategy
            assert earned[number] == round(evaluate(tree, strategy, range(known)).value * batch.worlds)
            result = Exact(known=frozenset(range(known))).search(compile_game(tree))
            assert best[number] == round(result.value * batch.worlds)


def test_all_levels_at_once_are_each_level_by_itself():
    batch = batch_of(5, 6, 2, trees=40)
    played = monte_carlo(batch)
    assert [found.tolist() for found in worths(batch, played, range(6))] == [
        worth(batch, played, known).tolist() for known in range(6)
    ]


def test_nodes_at_one_distance_from_the_root_are_alike():
    """MAX with a leaf and a MIN node below: there is no such batch."""
    kind, end = np.array([1, 0, 2, 0, 0], dtype=np.uint8), np.array([5, 2, 5, 4, 5], dtype=np.int32)
    with pytest.raises(InputError, match="expected trees whose nodes are alike at the same distance from the root"):
        Batch(kind, end, np.zeros((3, 2), dtype=np.uint64), 4)


def test_a_table_over_too_many_known_worlds_is_refused():
    with pytest.raises(InputError, match="expected 0 to 20 known worlds, found 21"):
        optimum(batch_of(1, 40, 2), 21)
