"""The tree of a single suit: node for node what the readable rules unroll to; and FB01's algorithms on it."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from worldwise.bridge.suit import trees as suit_trees
from worldwise.bridge.suit.rules import FREE, Suit, SuitGame
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.trees import SuitTree, suit_algorithms, suit_tree
from worldwise.core.result import Limit
from worldwise.errors import LimitReachedError, TreeError
from worldwise.kernels import SWITCH, in_use
from worldwise.search.algorithms import ALGORITHMS
from worldwise.trees import unroll
from worldwise.trees.preorder import LEAF
from worldwise.trees.world_tree import WorldTree

compiled_only = pytest.mark.usefixtures("switched_on")

GAMES = {
    "a finesse": SuitGame(Suit.of("AQ", "2"), 2),
    "out of reach": SuitGame(Suit.of("32", "4"), 2),
    "a void": SuitGame(Suit.of("KJ", "-"), 1),
    "few cards missing": SuitGame(Suit.of("AKJ765", "T9832"), 6),
    "cards gone": SuitGame(Suit.of("AJ3", "2", gone="KT987"), 2),
    "vacant places": SuitGame(Suit.of("AQ", "2", west_cards=4), 2),
    "entries": SuitGame(Suit.of("AQ", "2"), 2, (1, 1)),
    "entries to one hand": SuitGame(Suit.of("AQ", "32", gone="9876"), 2, (0, 2)),
    "not lean": SuitGame(Suit.of("AQ", "43", gone="98765"), 2, FREE, lean=False),
    "more than 64 worlds": SuitGame(Suit.of("J6", "4"), 1),
}


@pytest.fixture
def switched_on(needs_kernels, monkeypatch):
    """For trees that take minutes in Python, or that only the kernels make."""
    monkeypatch.delenv(SWITCH, raising=False)


def unrolled_and_built(game):
    return unroll(game), suit_tree(game.suit, game.goal, game.entries, game.lean)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_tree_is_that_of_the_rules(game, kernels):
    expected, tree = unrolled_and_built(game)
    assert isinstance(tree, SuitTree) == in_use()
    assert tree == expected
    assert hash(tree) == hash(expected)
    assert repr(tree) == repr(expected)


@compiled_only
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_what_is_made_on_demand_is_what_it_would_be(game):
    expected, tree = unrolled_and_built(game)
    assert (tree.worlds, tree.leaves, tree.weights) == (expected.worlds, expected.leaves, expected.weights)
    assert tree.has_undefined == expected.has_undefined
    leaves = np.flatnonzero(tree.kind == LEAF).tolist()
    assert all(tree.payoffs(leaf) == expected.payoffs(leaf) for leaf in leaves)
    if np.nanmax(expected.payoffs_by_leaf) > 0:
        assert tree.scale == expected.scale
        assert np.array_equal(tree.masks, expected.masks)
        assert all(tree.code(leaf) == expected.code(leaf) for leaf in leaves)
    assert tree.move_label(0, 0) == expected.move_label(0, 0) if len(tree) > 1 else True
    for node in range(len(tree)):
        assert tree.moves(node) == expected.moves(node)
        assert [tree.play(node, move) for move in tree.moves(node)] == [
            expected.play(node, move) for move in expected.moves(node)
        ]


@compiled_only
def test_names_of_moves_are_a_mapping():
    expected, tree = unrolled_and_built(GAMES["a finesse"])
    assert len(tree.move_names) == len(expected.move_names)
    assert list(tree.move_names) == list(expected.move_names)
    with pytest.raises(KeyError):
        tree.move_names[len(tree) - 1]


@compiled_only
def test_a_tree_travels():
    tree = suit_tree(Suit.of("AQ", "2"), 2)
    assert pickle.loads(pickle.dumps(tree)) == tree


def test_too_large_a_tree_is_refused(kernels):
    nodes = len(suit_tree(Suit.of("AQ", "2"), 2))
    assert len(suit_tree(Suit.of("AQ", "2"), 2, most_nodes=nodes)) == nodes
    with pytest.raises(TreeError, match=f"the game has more than {nodes - 1} nodes"):
        suit_tree(Suit.of("AQ", "2"), 2, most_nodes=nodes - 1)


@compiled_only
def test_too_many_payoffs_are_not_written_out(monkeypatch):
    monkeypatch.setattr(suit_trees, "MOST_PAYOFFS", 100)
    tree = suit_tree(Suit.of("AQ", "2"), 2)
    with pytest.raises(TreeError, match=r"expected at most 100 payoffs, found \d+ leaves of 20 worlds"):
        tree.payoffs_by_leaf  # noqa: B018
    assert suit_algorithms(Suit.of("AQ", "2"), 2, ["iprm-beta"])[0].chance  # which does not need them


@compiled_only
def test_a_large_tree_is_small():
    """Two million nodes, of 96 worlds: the payoffs alone would be 620 MB."""
    tree = suit_tree(Suit.of("AJ93", "75"), 2)
    assert len(tree) == 2_111_271
    assert sum(part.nbytes for part in (tree.kind, tree.end, tree.masks)) < 30 * 2**20


# ---------------------------------------------------------------------- algorithms


def chances(suit, goal, names=ALGORITHMS, **options):
    return {result.algorithm: float(result.chance) for result in suit_algorithms(suit, goal, names, **options)}


@pytest.mark.parametrize(
    ("north", "south", "tricks", "best", "monte_carlo"),
    [
        pytest.param("QJ98", "32", 2, 0.507267, 0.2893, id="Fig 13, strategy fusion"),
        pytest.param("AKQ9", "32", 4, 0.24, 0.0543, id="Fig 14, non-locality"),
    ],
)
@pytest.mark.parametrize("seed", [None, 1])
def test_figs_13_and_14(north, south, tricks, best, monte_carlo, seed):
    """FB01 section 5.2: 0.51 and 0.289; 0.24 and 0.054. Both first plays are right, what follows is not."""
    results = suit_algorithms(Suit.of(north, south), tricks, ["monte-carlo", "prm", "exact"], seed=seed)
    assert [float(result.chance) for result in results] == [
        pytest.approx(monte_carlo, abs=5e-5),
        pytest.approx(best, abs=5e-7),
        pytest.approx(best, abs=5e-7),
    ]
    assert {str(result.move) for result in results} == {"S2"}


@compiled_only
def test_figs_13_and_14_by_every_algorithm():
    wrong = {name for name, chance in chances(Suit.of("QJ98", "32"), 2).items() if chance < 0.5}
    assert wrong == {"monte-carlo"}
    wrong = {name for name, chance in chances(Suit.of("AKQ9", "32"), 4).items() if chance < 0.23}
    assert wrong == {"monte-carlo", "vector-mm", "vm-alphabeta", "vm-beta", "ivm-tiebreak"}


SMALL = [("AQ", "2", 2), ("KJ", "32", 1), ("AQ", "32", 2), ("K2", "3", 1)]


@compiled_only
@pytest.mark.parametrize(("north", "south", "tricks"), SMALL)
@pytest.mark.parametrize("seed", [None, 5])
def test_both_engines_find_the_same_lines(north, south, tricks, seed, monkeypatch):
    def lines():
        results = suit_algorithms(Suit.of(north, south), tricks, seed=seed)
        return [replace(result, seconds=0.0) for result in results if result.algorithm != "exact"]

    compiled = lines()
    monkeypatch.setenv(SWITCH, "off")
    assert lines() == compiled


@pytest.mark.parametrize("entries", [FREE, (1, 1)])
def test_no_line_beats_the_exact_chance(entries, kernels):
    suit = Suit.of("AQ", "2")
    found = chances(suit, 2, entries=entries)
    assert set(found) == set(ALGORITHMS)
    assert max(found.values()) == found["exact"] == float(SuitSolver(suit, entries=entries).goal(2).chance)


@pytest.mark.parametrize(("north", "south", "tricks"), SMALL)
def test_a_line_wins_where_it_says(north, south, tricks, kernels):
    suit = Suit.of(north, south)
    for result in suit_algorithms(suit, tricks):
        assert suit.chance(result.wins) == result.chance
        assert result.move in SuitGame(suit, tricks).moves(SuitGame(suit, tricks).root)
        if result.algorithm not in ("monte-carlo", "exact"):
            assert result.believed == pytest.approx(float(result.chance))  # only Monte Carlo believes too much


def test_no_hand_to_lead_from(kernels):
    results = suit_algorithms(Suit.of("AQ", "2"), 2, entries=(0, 0))
    assert [result.algorithm for result in results] == list(ALGORITHMS)
    assert {(result.move, result.chance, result.wins) for result in results} == {(None, 0, ())}


@compiled_only
def test_limits():
    suit = Suit.of("AJ93", "75")
    two_passes = Limit(nodes=2 * len(suit_tree(suit, 2)) + 1)
    iterated, one_pass = suit_algorithms(suit, 2, ["iprm-beta", "prm"], limit=two_passes)
    assert (iterated.complete, one_pass.complete) == (False, True)
    (only,) = suit_algorithms(suit, 2, ["prm", "vm-alphabeta"], limit=Limit(nodes=len(suit_tree(suit, 2)) + 1))
    assert only.algorithm == "vm-alphabeta"
    with pytest.raises(LimitReachedError, match="the suit solver found no answer within 0 seconds"):
        suit_algorithms(suit, 2, ["exact"], limit=Limit(seconds=0))


@compiled_only
def test_the_exact_chance_needs_no_tree():
    (exact,) = suit_algorithms(Suit.of("Q982", "K64"), 2, ["exact"], most_nodes=1)
    assert float(exact.chance) == pytest.approx(0.8206, abs=5e-5)
    with pytest.raises(TreeError):
        suit_algorithms(Suit.of("Q982", "K64"), 2, ["prm"], most_nodes=1)


def test_a_goal_is_a_goal():
    assert isinstance(suit_tree(Suit.of("A", "2"), 1), WorldTree)
    with pytest.raises(Exception, match="expected a goal from 1 to 1 tricks, found 2"):
        suit_tree(Suit.of("A", "2"), 2)
