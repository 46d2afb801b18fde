"""World trees: shape, codes, random generation, unrolling; and the conformance check that any game can call."""

import numpy as np
import pytest
from hypothesis import given, settings

from strategies import world_trees
from worldwise import Front, Side, Vector, WorldTree, random_tree, tree_from_dict, unroll
from worldwise.core import Reals, Thermometer
from worldwise.errors import InputError, TreeError
from worldwise.testing import ConformanceError, check_world_game
from worldwise.trees import compile_game
from worldwise.trees.generator import last_player_chance
from worldwise.trees.world_tree import TreeBuilder


@settings(max_examples=200)
@given(tree=world_trees())
def test_every_tree_is_a_game(tree):
    assert check_world_game(tree).positions == len(tree)
    assert check_world_game(compile_game(tree)).leaves == tree.leaves


@settings(max_examples=100)
@given(tree=world_trees())
def test_unrolling_a_tree_gives_the_tree(tree):
    again = unroll(tree)
    assert np.array_equal(again.kind, tree.kind)
    assert np.array_equal(again.end, tree.end)
    assert np.array_equal(again.payoffs_by_leaf, tree.payoffs_by_leaf, equal_nan=True)


@settings(max_examples=100)
@given(tree=world_trees())
def test_parents_children_and_places_fit(tree):
    for node in range(len(tree)):
        children = [tree.play(node, move) for move in tree.moves(node)]
        assert all(tree.parent[child] == node for child in children)
        assert bool(children) == (tree.to_move(node) is not None)
        assert tree.place(node).count("[") == _depth(tree, node)
    assert tree.depth == max(_depth(tree, node) for node in range(len(tree)))


def _depth(tree, node):
    return 0 if node == 0 else 1 + _depth(tree, int(tree.parent[node]))


@pytest.mark.parametrize("worlds", [1, 2, 10, 63, 64, 65, 1000])
def test_codes_of_any_number_of_worlds(worlds):
    tree = random_tree(3, worlds, seed=worlds)
    assert isinstance(tree.scale, Thermometer)
    assert tree.scale.bits == worlds
    assert check_world_game(tree).complete


def test_few_payoffs_are_bits_and_many_are_reals():
    rng = np.random.default_rng(1)
    few = random_tree(8, 3).with_payoffs(rng.choice([-0.5, 0.25, 7], (256, 3)), (1, 1, 1))
    many = few.with_payoffs(rng.random((256, 3)), (1, 1, 1))
    assert few.scale.levels == ((-0.5, 0.25, 7),) * 3
    assert isinstance(many.scale, Reals)
    assert check_world_game(few).complete
    assert check_world_game(many).complete


def test_payoffs_of_thirteen_tricks_are_thermometers():
    tree = tree_from_dict({"max": [{"payoff": [13, 0]}, {"payoff": [7, 9]}]})
    assert tree.scale.vector(tree.code(1) & tree.code(2)) == Vector([7, 0])
    assert tree.scale.bits == 26


# ---------------------------------------------------------------------- random trees


def test_the_last_player_theorem_keeps_the_chance_of_a_win_over_depths():
    """In a single world, MAX wins trees of every depth about equally often, odd depths alike and even depths alike."""
    assert last_player_chance(2) == pytest.approx((3 - 5**0.5) / 2)
    assert (1 - last_player_chance(3)) ** 3 == pytest.approx(last_player_chance(3))
    wins = {}
    for depth in (3, 4, 7, 8):
        tree = random_tree(depth, 4000, seed=depth)
        wins[depth] = sum(map(bool, _minimax(tree, 0))) / 4000
    assert max(wins.values()) - min(wins.values()) < 0.05


def _minimax(tree, node):
    if tree.to_move(node) is None:
        return tree.payoffs_by_leaf[tree._leaf_number[node]]
    values = [_minimax(tree, tree.play(node, move)) for move in tree.moves(node)]
    return (np.maximum if tree.to_move(node) is Side.MAX else np.minimum).reduce(values)


def test_similarity_copies_whole_worlds():
    def different(tree):
        return len({column.tobytes() for column in tree.payoffs_by_leaf.T})

    assert different(random_tree(6, 40, similarity=0, seed=1)) == 40
    assert different(random_tree(6, 40, similarity=1, seed=1)) == 1
    assert 5 <= different(random_tree(6, 40, similarity=0.75, seed=1)) <= 20


def test_random_trees_repeat_with_their_seed_and_alternate():
    assert random_tree(4, 3, seed=9) == random_tree(4, 3, seed=9)
    assert random_tree(4, 3, seed=9) != random_tree(4, 3, seed=8)
    tree = random_tree(3, 2, branching=3)
    assert (len(tree), tree.leaves) == (40, 27)
    assert [tree.to_move(node) for node in (0, 1, 2, 3)] == [Side.MAX, Side.MIN, Side.MAX, None]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depth": -1, "worlds": 1}, "depth of at least 0"),
        ({"depth": 1, "worlds": 0}, "worlds of at least 1"),
        ({"depth": 1, "worlds": 1, "branching": 0}, "branching of at least 1"),
        ({"depth": 1, "worlds": 1, "similarity": -0.1}, "between 0 and 1"),
        ({"depth": 100_000, "worlds": 1}, "at most"),
    ],
)
def test_random_trees_refuse_nonsense(options, message):
    with pytest.raises(InputError, match=message):
        random_tree(**options)


# ---------------------------------------------------------------------- the conformance check finds what is wrong


class Coin:
    """MAX guesses a coin that MIN may have shown him, or not."""

    worlds = 2
    weights = (1, 1)
    root = ""

    def to_move(self, position):
        return [Side.MIN, Side.MAX, None][len(position)]

    def moves(self, position):
        return ["s", "h"] if position == "" else ["0", "1"]

    def play(self, position, move):
        return position + move

    def payoffs(self, position):
        return [float(position[1] == "0"), float(position[1] == "1")]


def broken(**changes):
    """A coin with some members replaced."""
    return type("Broken", (Coin,), changes)()


def test_a_good_game_passes_and_a_large_one_is_sampled():
    assert check_world_game(Coin()).complete
    assert not check_world_game(random_tree(10, 2), most_positions=100).complete
    assert unroll(Coin()).move_names[0] == ("s", "h")


class Coded(Coin):
    scale = Thermometer.integers(2)

    def code(self, position):
        return 3


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (object(), "the members of WorldGame"),
        (broken(worlds=0), "at least one world"),
        (broken(weights=(1,)), "2 weights"),
        (broken(weights=(0, 0)), "not all zero"),
        (broken(weights=(1, float("nan"))), "finite weights"),
        (broken(to_move=lambda self, position: "MAX" if len(position) < 2 else None), "Side.MAX, Side.MIN or None"),
        (broken(moves=lambda self, position: []), "at least one move"),
        (broken(moves=lambda self, position: ["0", "0"]), "each move once"),
        (
            broken(play=lambda self, position, move: (position + move)[-1] * (len(position) + 1)),
            "a position of its own",
        ),
        (broken(payoffs=lambda self, position: [1]), "2 payoffs"),
        (broken(payoffs=lambda self, position: iter([1, 2])), "a sequence of payoffs"),
        (broken(payoffs=lambda self, position: [1, float("inf")]), "finite numbers or None"),
        (
            broken(payoffs=lambda self, position: [1, None]),
            r"every world to have a payoff somewhere, found none in \[1\]",
        ),
        (broken(payoffs=lambda self, position: [1, None if position[1] == "0" else 1]), "open in the same worlds"),
        (Coded(), "the scale's code of the payoffs"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_broken_game_is_told_what_is_wrong(game, message):
    with pytest.raises(ConformanceError, match=message):
        check_world_game(game)


def test_unrolling_stops_at_a_bound():
    with pytest.raises(TreeError, match="more than 10 nodes"):
        unroll(random_tree(5, 2), most_nodes=10)


def test_unrolling_a_game_with_too_few_payoffs_says_where():
    with pytest.raises(TreeError, match="'s0': expected 2 payoffs, found 1"):
        unroll(broken(payoffs=lambda self, position: [1]))


def test_trees_print_short_and_compare_by_value():
    tree = random_tree(2, 3)
    assert repr(tree) == "<WorldTree 'random tree, seed 0': 7 nodes, 4 leaves, 3 worlds>"
    assert tree == random_tree(2, 3)
    assert hash(tree) == hash(random_tree(2, 3))
    assert tree != "tree"


def test_a_builder_builds_what_it_is_told():
    builder = TreeBuilder()
    builder.open(Side.MAX)
    builder.leaf([1.0])
    builder.leaf([2.0])
    builder.close()
    assert builder.tree([1]) == tree_from_dict({"max": [{"payoff": [1]}, {"payoff": [2]}]})


def test_public_types_have_useful_reprs():
    assert repr(Front([Vector([1, 0]), Vector([0, 1])])) == "Front({Vector(0, 1), Vector(1, 0)})"
    assert isinstance(random_tree(1, 1), WorldTree)
