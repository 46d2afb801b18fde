"""FBM97's q, measured: copies agree, strangers do not, and random trees give back the q they were made with."""

from random import Random

import numpy as np
import pytest

from worldwise import random_tree, tree_from_dict
from worldwise.search.similarity import Similarity, _agreement, measure_similarity


def by_definition(payoffs, weights):
    """The mean covariance of two worlds over the moves, and the mean variance, pair by pair."""
    moves, worlds = len(payoffs), len(weights)
    means = [sum(row[world] for row in payoffs) / moves for world in range(worlds)]

    def covariance(one, two):
        return sum((row[one] - means[one]) * (row[two] - means[two]) for row in payoffs)

    pairs = [(i, j) for i in range(worlds) for j in range(worlds) if i != j]
    total = sum(weights[i] * weights[j] for i, j in pairs)
    shared = sum(weights[i] * weights[j] * covariance(i, j) for i, j in pairs) / total
    return shared, sum(weights[i] * covariance(i, i) for i in range(worlds)) / sum(weights)


@pytest.mark.parametrize("seed", range(20))
def test_what_two_worlds_share_is_their_covariance_over_moves(seed):
    rng = np.random.default_rng(seed)
    payoffs = rng.integers(0, 3, (rng.integers(2, 5), rng.integers(2, 6))).astype(float)
    weights = rng.integers(1, 5, payoffs.shape[1]).astype(float)
    assert _agreement(payoffs, weights) == pytest.approx(by_definition(payoffs.tolist(), weights.tolist()))


@pytest.mark.parametrize(("left", "right", "q"), [("11", "00", 1), ("10", "01", -1), ("11", "11", 0), ("1", "0", 0)])
def test_one_choice(left, right, q):
    """Worlds that agree on the better move, that contradict each other, that leave no choice; and a single world."""
    shape = tree_from_dict({"max": [{"payoff": list(map(int, leaf))} for leaf in (left, right)]})
    assert measure_similarity(shape, 3, Random(1)).q == q


def test_worlds_that_cannot_be_any_more_do_not_count():
    """Below MIN's first move only w1 and w2 are left, which agree; w3 would not."""
    shape = tree_from_dict(
        {
            "min": [
                {"max": [{"payoff": [1, 1, None]}, {"payoff": [0, 0, None]}]},
                {"payoff": [None, None, 0]},
            ]
        }
    )
    assert measure_similarity(shape, 20, Random(1)).q == 1


@pytest.mark.parametrize("q", [0.0, 0.5, 0.9])
def test_random_trees_give_back_their_q(q):
    found = [measure_similarity(random_tree(5, 10, similarity=q, seed=seed), 8, Random(seed)) for seed in range(400)]
    both = Similarity(sum(one.shared for one in found), sum(one.whole for one in found))
    assert both.shared / both.whole == pytest.approx(q * q, abs=0.05)
