"""alpha-mu: its switches change nothing but the effort; its depth leads from PIMC to the exact answer."""

from functools import reduce
from itertools import product
from math import inf, isnan
from operator import and_, or_

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from strategies import INTEGERS, REALS, WINS, world_trees
from worldwise.bridge.suit.rules import Suit, SuitGame
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.core.front import Front
from worldwise.core.game import Side
from worldwise.core.result import Limit, Tally
from worldwise.core.scale import Thermometer
from worldwise.core.vector import Vector
from worldwise.errors import InputError, LimitReachedError
from worldwise.search.alphamu import AlphaMu, Walk
from worldwise.search.alphamu_root import Root, RootSearch, ValueKind
from worldwise.search.exact import Exact
from worldwise.search.face_up import Solved
from worldwise.search.monte_carlo import MonteCarlo
from worldwise.trees.generator import random_tree
from worldwise.trees.world_tree import TreeBuilder

SWITCHES = list(product([False, True], repeat=6))

trees = st.one_of(
    world_trees(payoffs=WINS, most_worlds=5, most_depth=5),
    world_trees(payoffs=INTEGERS, most_depth=4),
    world_trees(payoffs=REALS, most_depth=3),
)


def max_moves(tree, position=None):
    """How many moves of MAX there can be."""
    position = tree.root if position is None else position
    side = tree.to_move(position)
    if side is None:
        return 0
    return (side is Side.MAX) + max(max_moves(tree, tree.play(position, move)) for move in tree.moves(position))


@given(trees, st.integers(1, 4))
def test_switches_change_no_value(tree, depth):
    """All 32 subsets: the same root value, and the same value for the best move."""
    assume(tree.to_move(tree.root) is Side.MAX)
    plain = AlphaMu(depth, *SWITCHES[0]).search(tree)
    for switches in SWITCHES[1:]:
        result = AlphaMu(depth, *switches).search(tree)
        assert result.value == pytest.approx(plain.value), switches
        best = result.fronts[result.move]
        assert max(vector.expected(tree.weights) for vector in best) == pytest.approx(plain.value)


@given(trees)
def test_one_move_ahead_is_pimc(tree):
    assume(tree.to_move(tree.root) is Side.MAX)
    result, pimc = AlphaMu(1).search(tree), MonteCarlo().search(tree)
    assert result.value == pytest.approx(pimc.believed)


@given(trees)
def test_deeper_is_never_worth_more_and_in_the_end_exact(tree):
    assume(tree.to_move(tree.root) is Side.MAX)
    values = [AlphaMu(depth).search(tree).value for depth in range(1, max_moves(tree) + 1)]
    assert values == sorted(values, reverse=True) or values == pytest.approx(sorted(values, reverse=True))
    assert values[-1] == pytest.approx(Exact().search(tree).value)


# ---------------------------------------------------------------------- the root, against the definition


def plain_front(tree, position, moves):
    """Union at MAX, intersection at MIN, every world by itself once MAX has made so many moves: vectors, no cuts."""
    side = tree.to_move(position)
    if side is None or moves == 0:
        return Front([Vector(seen_through(tree, position, world) for world in range(tree.worlds))])
    below = [plain_front(tree, tree.play(position, move), moves - (side is Side.MAX)) for move in tree.moves(position)]
    return reduce(or_ if side is Side.MAX else and_, below)


def seen_through(tree, position, world):
    """Minimax in one world; without end where the position cannot arise in it."""
    side = tree.to_move(position)
    if side is None:
        payoff = tree.payoffs(position)[world]
        return inf if payoff is None or isnan(payoff) else payoff
    below = [seen_through(tree, tree.play(position, move), world) for move in tree.moves(position)]
    return (max if side is Side.MAX else min)(below)


def plain_values(tree, moves):
    """What each move of the root is worth by itself."""
    return {
        move: max(vector.expected(tree.weights) for vector in plain_front(tree, tree.play(tree.root, move), moves - 1))
        for move in tree.moves(tree.root)
    }


@given(trees, st.integers(1, 4), st.sampled_from(SWITCHES))
def test_every_figure_of_the_root_is_what_it_says(tree, depth, switches):
    """The move named is the best; of equal ones, who compares may name a proven one where who decides names another."""
    assume(tree.to_move(tree.root) is Side.MAX)
    deep, end = plain_values(tree, depth), plain_values(tree, 99)
    named, kinds = {root: set() for root in Root}, {}
    for root, on in product(Root, [switches, SWITCHES[0], SWITCHES[-1]]):
        result = AlphaMu(depth, *on, root).search(tree)
        named[root].add(result.move)
        kinds[root] = result.kinds[result.move]
        assert result.kinds[result.move] is not ValueKind.BOUND
        assert deep[result.move] == pytest.approx(max(deep.values()))
        for move, front in result.fronts.items():
            best = max(vector.expected(tree.weights) for vector in front)
            match result.kinds[move]:
                case ValueKind.BOUND:
                    assert root is Root.DECIDE
                    assert best >= deep[move] - 1e-9
                case ValueKind.FINAL:
                    assert best == pytest.approx(end[move])
                case ValueKind.DEPTH:
                    assert best == pytest.approx(plain_values(tree, result.depths[move])[move])
    assert [len(moves) for moves in named.values()] == [1, 1]
    assert named[Root.DECIDE] == named[Root.COMPARE] or kinds[Root.COMPARE] is ValueKind.FINAL


class Scripted:
    """Says what it was told of each move at each depth, until it has been asked often enough."""

    def __init__(self, fronts, calls):
        self.fronts, self.calls = fronts, calls

    def search(self, move, depth, need, *, beside):
        if self.calls == 0:
            raise LimitReachedError("scripted", Limit(nodes=0))
        self.calls -= 1
        front = self.fronts[move][depth - 1]
        return Front(code for code in front if need is None or code.bit_count() >= need), False


def scripted(fronts, calls, mode, *, score_cut=False):
    root = RootSearch(Scripted(fronts, calls), Thermometer.integers(4), fronts, mode, score_cut=score_cut)
    root.deepen(len(next(iter(fronts.values()))))
    return root


@pytest.mark.parametrize("mode", Root)
def test_a_depth_cut_short_that_settles_nothing_is_forgotten(mode):
    """One move falls below what the other may be worth, and the limit runs out before that is known."""
    root = scripted({"a": ([0b1111], [0b0001]), "b": ([0b0111], [0b0111])}, 3, mode)
    assert (root.best, root.reached, root.complete) == ("a", 1, False)
    assert root.values == root.seen


@pytest.mark.parametrize("mode", Root)
def test_a_depth_cut_short_that_settles_the_choice_counts(mode):
    """One move falls, but not below what the other may be worth; that is a bound from now on."""
    root = scripted({"a": ([0b1111], [0b0111]), "b": ([0b0111], [0b0011])}, 3, mode)
    assert (root.best, root.reached, root.complete) == ("a", 2, False)
    assert (root.values["a"].kind, root.values["a"].score, root.values["a"].depth) == (ValueKind.DEPTH, 3, 2)
    assert (root.values["b"].kind, root.values["b"].score, root.values["b"].depth) == (ValueKind.BOUND, 3, 1)


def test_what_cannot_be_the_best_is_not_searched():
    """A move that promised 3 is asked neither for 4, nor for more than the 3 that another has."""
    root = scripted({"a": ([0b1111], [0b0111]), "b": ([0b0111], [0b0011])}, 99, Root.DECIDE, score_cut=True)
    assert (root.best, root.complete) == ("a", True)
    assert root.one.calls == 99 - 2 - 2  # both one ahead; two ahead a alone, for 4 and then for 3


@pytest.mark.parametrize("mode", Root)
@pytest.mark.parametrize("score_cut", [False, True])
@pytest.mark.parametrize(
    ("worth", "named"),
    [
        # The best of the depth before, though the other looks better face up.
        ({"a": (4, 2, 2), "b": (3, 3, 2)}, "b"),
        # Neither was the best before: what looks better face up.
        ({"a": (2, 2), "b": (3, 2), "c": (4, 1)}, "b"),
        # Nor does one look better than the other: the first, which at bridge is the lowest.
        ({"a": (3, 2), "b": (3, 2), "c": (4, 1)}, "a"),
        ({"b": (3, 2), "a": (3, 2), "c": (4, 1)}, "b"),
    ],
)
def test_of_equal_moves(worth, named, mode, score_cut):
    fronts = {move: [[(1 << score) - 1] for score in scores] for move, scores in worth.items()}
    assert scripted(fronts, 99, mode, score_cut=score_cut).best == named


def test_of_equal_moves_who_compares_takes_one_that_is_proven():
    class Proven(Scripted):
        def search(self, move, depth, need, *, beside):
            return super().search(move, depth, need, beside=beside)[0], move == "b"

    for mode, named in ((Root.DECIDE, "a"), (Root.COMPARE, "b")):
        root = RootSearch(
            Proven({"a": [[0b11]], "b": [[0b11]]}, 9), Thermometer.integers(4), "ab", mode, score_cut=True
        )
        root.deepen(1)
        assert root.best == named


@given(trees, st.integers(1, 200))
def test_the_same_nodes_the_same_answer(tree, nodes):
    assume(tree.to_move(tree.root) is Side.MAX)
    for root in Root:
        answers = []
        for _ in range(2):
            try:
                found = AlphaMu(3, root=root).search(tree, Limit(nodes=nodes))
                answers.append((found.move, found.value, found.depth, found.kinds, found.depths, found.fronts))
            except LimitReachedError:
                answers.append(None)
        assert answers[0] == answers[1]


# ---------------------------------------------------------------------- CLV21's figures

FIRST = [[1, 1, 0], [0, 1, 1]]
"""What the first move of the root returns in CLV21 Figs 1, 4 and 5."""


def paper_tree(second, title):
    """MAX a: the first move leads to the two vectors of FIRST; the second to what a function builds."""
    builder = TreeBuilder()
    builder.open(Side.MAX)
    builder.open(Side.MAX)
    for vector in FIRST:
        leaf(builder, vector)
    builder.close()
    second(builder)
    builder.close()
    return builder.tree((1, 1, 1), title=title)


def leaf(builder, vector):
    builder.open(None)
    builder.fill(float("nan") if payoff == "x" else payoff for payoff in vector)
    builder.close()


def node(builder, side, *children):
    """A node whose children are vectors or functions that build them."""
    builder.open(side)
    for child in children:
        if callable(child):
            child(builder)
        else:
            leaf(builder, child)
    builder.close()


def part(side, *children):
    return lambda builder: node(builder, side, *children)


def searched(tree, depth, **switches):
    """Only the cuts that are asked for."""
    off = dict.fromkeys(["useful", "empty_entry", "alpha", "worlds", "win", "score"], False)
    return AlphaMu(depth, **{**off, **switches}).search(tree)


def walk_of(tree, **switches):
    """The search below the root, with only the cuts that are asked for."""
    off = dict.fromkeys(["useful", "empty_entry", "alpha", "worlds", "win", "score"], False)
    return Walk(AlphaMu(4, **{**off, **switches}), tree, Solved(tree), Tally())


def test_fig_1_early_cut():
    """Node c is worth [1 1 0] with the cards face up, which the first move has already."""
    tree = paper_tree(part(Side.MIN, part(Side.MAX, [1, 1, 0], [0, 1, 0]), [1, 1, 0]), "CLV21 Fig 1")
    assert searched(tree, 2).cuts.get("early", 0) == 0
    result = searched(tree, 2, empty_entry=True)
    assert result.cuts["early"] == 1
    assert result.value == pytest.approx(2 / 3)


def test_fig_2_world_cut_with_no_useful_world():
    """MIN's first move at c loses world 3; his second is open in world 3 only, where there is nothing left to win."""
    tree = paper_tree(
        part(Side.MIN, part(Side.MAX, [1, 1, 0]), part(Side.MAX, ["x", "x", 1], ["x", "x", 1])), "CLV21 Fig 2"
    )
    plain = searched(tree, 3)
    result = searched(tree, 3, useful=True, worlds=True)
    assert result.value == plain.value
    assert result.stats.leaves < plain.stats.leaves


def test_fig_3_world_cut_with_one_useful_world():
    """After the first move at c only world 2 is left: one question of double dummy settles the second."""
    tree = paper_tree(
        part(Side.MIN, part(Side.MAX, [0, 1, 0]), part(Side.MAX, part(Side.MIN, [1, 1, 1]), [1, 0, 1])), "CLV21 Fig 3"
    )
    plain, cut = (walk_of(tree, useful=on, worlds=on) for on in (False, True))
    first = Front([0b011, 0b110])
    assert cut.search(1, 4, None, beside=first)[0] == plain.search(1, 4, None, beside=first)[0]
    assert cut.cuts["worlds"] >= 1
    assert cut.tally.nodes < plain.tally.nodes


def test_fig_4_alpha_cut():
    """c is worth [1 1 1] face up; MIN's first move there leaves [x 1 0], so c is at most [1 1 0]: cut."""
    third = part(Side.MAX, part(Side.MIN, [1, 1, 1], [1, 1, 1]), [1, 1, 1])
    tree = paper_tree(part(Side.MIN, ["x", 1, 0], third), "CLV21 Fig 4")
    result = searched(tree, 3, alpha=True)
    assert result.cuts["alpha"] >= 1
    assert result.stats.nodes < searched(tree, 3).stats.nodes
    assert result.value == searched(tree, 3).value


def test_fig_5_deep_alpha_cut():
    """The MIN node below c is no better than what a, three moves above, has already."""
    deep = part(Side.MIN, ["x", 1, 0], part(Side.MAX, [1, 1, 1], [1, 1, 1]))
    tree = paper_tree(part(Side.MIN, part(Side.MAX, [0, 0, 0], deep), [1, 1, 1]), "CLV21 Fig 5")
    result = searched(tree, 4, alpha=True)
    assert result.cuts["alpha"] >= 1
    assert result.stats.nodes < searched(tree, 4).stats.nodes
    assert result.value == searched(tree, 4).value


X, DASH = 1, 0
"""In a code, a world that cannot be counts as won, and one that is useless as lost."""


def test_domination_with_impossible_and_useless_worlds():
    """[1 x 0] is not dominated by [1 0 0], but is by [1 1 0] and by [1 x -]."""
    candidate = Front([0b100 | X << 1])
    assert not candidate <= Front([0b100])
    assert candidate <= Front([0b110])
    assert candidate <= Front([0b100 | X << 1 | DASH])


def test_a_limit_leaves_the_best_so_far():
    tree = random_tree(depth=6, worlds=8, seed=5)
    whole = AlphaMu(3).search(tree)
    cut = AlphaMu(3).search(tree, Limit(nodes=whole.stats.nodes - 1))
    assert not cut.complete
    assert cut.depth < 3
    assert set(cut.fronts) == set(whole.fronts)
    assert AlphaMu(3).search(tree, Limit(depth=1)).value == AlphaMu(1).search(tree).value
    with pytest.raises(LimitReachedError):
        AlphaMu(3).search(tree, Limit(nodes=1))


def test_no_game_for_it():
    tree = paper_tree(part(Side.MIN, [1, 1, 0]), "")
    with pytest.raises(InputError, match="a depth of at least 1, found 0"):
        AlphaMu(0).search(tree)


@pytest.mark.parametrize(
    ("north", "south", "goal"), [("AQ", "2", 2), ("KJ", "32", 1), ("AJ9", "2", 2), ("QJ", "32", 1)]
)
def test_single_suits(north, south, goal):
    """Deep enough it finds what the suit solver finds; one move ahead, what double dummy promises."""
    suit = Suit.of(north, south)
    game = SuitGame(suit, goal)
    best = SuitSolver(suit).goal(goal)
    assert AlphaMu(6).search(game).value == pytest.approx(float(best.chance))
    assert AlphaMu(1).search(game).value == pytest.approx(MonteCarlo().search(game).believed)
