"""What the shipped atlas says of suits, against the public values and against the whole tree of a suit.

The tree is searched by the paper's own algorithms, which know neither tables nor the suit solver: the exact search for
chances and first plays, Monte Carlo for what sampling wins, and plain minimax of every layout for what is won with all
cards seen. ``HYPOTHESIS_PROFILE=thorough`` looks at 2,000 entries drawn at random instead of a few.
"""

import os
from fractions import Fraction
from functools import cache
from random import Random

import pytest

from worldwise.bridge.suit.atlas.atlas import open_atlas
from worldwise.bridge.suit.atlas.combinations import COMBINATIONS
from worldwise.bridge.suit.rules import Suit, SuitGame
from worldwise.bridge.suit.trees import suit_tree
from worldwise.catalog import suit_facts
from worldwise.search.backup import passes
from worldwise.search.exact import Exact
from worldwise.search.monte_carlo import MonteCarlo
from worldwise.trees.compiled import compile_game

ENTRIES = {"quick": 10, "thorough": 2000}.get(os.environ.get("HYPOTHESIS_PROFILE", ""), 40)
BLOCKS = 20


@cache
def atlas():
    return open_atlas()


@pytest.mark.parametrize("fact", suit_facts(), ids=lambda fact: f"{fact.north}-{fact.south}-{fact.tricks}")
def test_facts(fact):
    """152 values, each confirmed elsewhere by two independent solvers."""
    entry = atlas().entry(Suit.of(fact.north, fact.south))
    if fact.tricks is None:
        assert float(entry.average) == pytest.approx(fact.expected_tricks, abs=5.1e-5)
    else:
        chances = {goal.tricks: 100 * float(goal.chance) for goal in entry.goals}
        assert chances.get(fact.tricks, 0) == pytest.approx(fact.percent, abs=5.1e-5)


def drawn(block):
    """Entries drawn from all, one block of them."""
    rng = Random(f"atlas {block}")
    for number in rng.sample(range(COMBINATIONS), ENTRIES // BLOCKS or 1):
        row = atlas().table[number]
        yield atlas().entry(Suit.of(str(row["north"]), str(row["south"])))


@pytest.mark.parametrize("block", range(BLOCKS))
def test_the_whole_tree(needs_kernels, block):
    """Chances, first plays, what is won with all cards seen, and sampling: for every goal of every entry drawn."""
    for entry in drawn(block):
        for tricks in range(1, entry.suit.length + 1):
            check_goal(entry, tricks)


def check_goal(entry, tricks):
    game, tree = SuitGame(entry.suit, tricks), compile_game(suit_tree(entry.suit, tricks))
    found = Exact().search(tree)
    if tricks > len(entry.goals):
        assert found.value == 0, (entry.suit, tricks)
        return
    goal = entry.goals[tricks - 1]
    assert goal.chance == won(game, found.vector), (entry.suit, tricks)
    offered = {move: max(won(game, vector) for vector in front) for move, front in found.fronts.items()}
    best = [game.moves(game.root)[move] for move, chance in offered.items() if chance == goal.chance]
    assert goal.first_plays == tuple(sorted(best)), (entry.suit, tricks)
    assert goal.players["sampling"] == won(game, MonteCarlo().search(tree).vector), (entry.suit, tricks)
    walk = passes(tree)
    seen = walk.scale.vector(walk.perfect_information().value)
    assert goal.double_dummy == won(game, seen), (entry.suit, tricks)


def won(game, vector):
    """The share of layouts in which a strategy wins."""
    wins = sum(weight for weight, payoff in zip(game.weights, vector, strict=True) if payoff)
    return Fraction(wins, sum(game.weights))
