"""Every example and theorem of BMV96, by its name."""

from fractions import Fraction
from itertools import product
from math import log10

import pytest

from worldwise.catalog import game
from worldwise.extensive import ImpModel, write_out
from worldwise.extensive.imp_model import BestFirst, Constant, Uniform
from worldwise.extensive.recall import agents, find_forgotten, perfect_recall, split
from worldwise.extensive.reductions import partition_of, three_partition_game
from worldwise.extensive.size import measures
from worldwise.extensive.solving import solve_game
from worldwise.search.equilibrium import PureEquilibrium, is_equilibrium
from worldwise.search.imp import ImpAlphaBeta, ImpMinimax, extend, partition
from worldwise.search.profiles import expected_payoffs, pure_strategies
from worldwise.search.responses import ExtensiveBruteForce

# ---------------------------------------------------------------------- section 2.2: G1 and G2


def moves(solution, entry):
    """The strategy by the names of information sets."""
    return {entry.set_label(number): entry.events[number].actions[move] for number, move in solution.profile.items()}


def test_chance_minimax_solves_g1():
    solution = solve_game(game("bmv96/fig-2-g1"), "chance-minimax")
    assert (solution.value, solution.proven) == (1, True)
    assert moves(solution, game("bmv96/fig-2-g1")) == {"A": "left", "B": "left", "D": "left", "C": "right"}


def test_chance_minimax_computes_the_wrong_value_and_strategy_on_g2():
    solution = solve_game(game("bmv96/fig-2-g2"), "chance-minimax")
    assert solution.believed == (1,)
    assert solution.value == Fraction(-99, 2)
    assert not solution.proven


def test_the_optimum_of_g2_is_one_half():
    g2 = game("bmv96/fig-2-g2")
    solution = solve_game(g2, "brute-force")
    assert solution.value == Fraction(1, 2)
    assert moves(solution, g2) == {"A": "left", "B": "right", "CD": "right"}  # the paper's example of an optimum


def test_imp_minimax_on_g2_overwrites_its_choice(kernels):
    solution = solve_game(game("bmv96/fig-2-g2"), "imp-minimax")
    assert solution.believed == (1,)
    assert solution.value == Fraction(-99, 2)
    assert not solution.proven


def test_imp_minimax_is_optimal_on_g2_once_a_and_b_share_a_set(kernels):
    shared = game("bmv96/fig-2-g2-shared")
    solution = solve_game(shared, "imp-minimax")
    assert (solution.value, solution.proven) == (0, True)
    assert moves(solution, shared)["AB"] == "right"
    assert solve_game(shared, "brute-force").value == 0


def test_which_of_these_games_have_perfect_recall():
    """BMV96 footnote 14, the two ways of repairing G2 included."""
    assert perfect_recall(game("bmv96/fig-2-g1"))
    assert not perfect_recall(game("bmv96/fig-2-g2"))
    assert perfect_recall(game("bmv96/fig-2-g2-shared"))
    assert perfect_recall(split(game("bmv96/fig-2-g2")))
    assert perfect_recall(game("bmv96/fig-3"))
    assert perfect_recall(game("bmv96/footnote-21"))


def test_g2_is_two_agents():
    """'We view the player as a team of two cooperating but uncommunicating agents.'"""
    g2 = game("bmv96/fig-2-g2")
    teams = [{g2.set_label(number) for number in team} for team in agents(g2, 0)]
    assert teams == [{"A", "B"}, {"CD"}]
    witness = find_forgotten(g2)
    assert (g2.set_label(witness.earlier), g2.set_label(witness.later)) == ("A", "CD")
    assert [g2.place(node) for node in witness.nodes] == ["root/A/left", "root/B/left"]
    assert witness.actions == (0, None)


# ---------------------------------------------------------------------- Fig 3 and footnote 21


def test_fig_3_all_left_pays_16():
    fig = game("bmv96/fig-3")
    assert expected_payoffs(fig, dict.fromkeys(fig.information_sets(), 0)) == (16, -16)


def test_fig_3_has_one_equilibrium_and_imp_minimax_finds_it(kernels):
    fig = game("bmv96/fig-3")
    sets = list(fig.information_sets())
    profiles = [dict(zip(sets, choice, strict=True)) for choice in product((0, 1), repeat=3)]
    (only,) = [profile for profile in profiles if is_equilibrium(fig, profile)]
    named = {fig.set_label(number): fig.events[number].actions[move] for number, move in only.items()}
    assert named == {"A": "left", "CD": "right", "B": "right"}
    assert solve_game(fig, "imp-minimax").profile == only
    assert PureEquilibrium().search(fig).profile == only


def test_imp_minimax_fails_on_the_game_of_footnote_21(kernels):
    fig = game("bmv96/footnote-21")
    solution = solve_game(fig, "imp-minimax")
    assert solution.value == Fraction(-99, 2)
    assert moves(solution, fig)["AB"] == "left"
    assert not is_equilibrium(fig, solution.profile)
    found = PureEquilibrium().search(fig)
    assert (found.answer, found.payoffs) == ("yes", (0, 0))
    named = {fig.set_label(number): fig.events[number].actions[move] for number, move in found.profile.items()}
    assert named["AB"] == "right"
    sets = list(fig.information_sets())
    profiles = [dict(zip(sets, choice, strict=True)) for choice in product((0, 1), (0,), (0, 1), (0,))]
    assert sum(is_equilibrium(fig, profile) for profile in profiles) == 2


# ---------------------------------------------------------------------- Fig 4 and Theorem 2


def test_fig_4_has_an_equilibrium_which_is_the_partition():
    sizes = [6, 8, 7, 6, 7, 6]
    fig = game("bmv96/fig-4")
    assert measures(fig) == measures(three_partition_game(sizes))
    assert perfect_recall(fig)
    found = PureEquilibrium().search(fig)
    assert found.answer == "yes"
    triples = partition_of(fig, found.profile)
    assert sorted(element for triple in triples for element in triple) == [1, 2, 3, 4, 5, 6]
    assert [sum(sizes[element - 1] for element in triple) for triple in triples] == [20, 20]


def parts_evenly(sizes, target):
    """Whether sizes part into triples of sum ``target``, by trying."""
    if not sizes:
        return True
    first, *rest = sizes
    pairs = [(i, j) for i in range(len(rest)) for j in range(i) if first + rest[i] + rest[j] == target]
    return any(parts_evenly([size for at, size in enumerate(rest) if at not in pair], target) for pair in pairs)


@pytest.mark.parametrize(
    "sizes",
    [
        [6, 6, 6, 6, 8, 8],
        [6, 6, 7, 7, 7, 7],
        [7, 7, 7, 7, 7, 9],
        [9, 9, 10, 10, 10, 12],
        [11, 11, 11, 15, 15, 17],
        [12, 13, 14, 15, 15, 11],
    ],
)
def test_an_equilibrium_exists_just_if_a_partition_does(sizes):
    found = PureEquilibrium().search(three_partition_game(sizes))
    assert found.answer == ("yes" if parts_evenly(sizes, sum(sizes) // 2) else "no")


def test_nine_elements_without_a_partition():
    """157,464 profiles, of which the search looks at a fraction; the paper's proof says there is no equilibrium."""
    sizes = [26, 26, 26, 27, 28, 28, 29, 34, 37]
    assert not parts_evenly(sizes, sum(sizes) // 3)
    found = PureEquilibrium().search(three_partition_game(sizes))
    assert found.answer == "no"


# ---------------------------------------------------------------------- Figs 6, 7, 8, 9: what is pruned


class Watched:
    """A game that remembers which leaves were looked at."""

    def __init__(self, entry):
        self.entry, self.seen = entry, set()

    def __getattr__(self, name):
        return getattr(self.entry, name)

    def payoffs(self, node):
        self.seen.add(node)
        return self.entry.payoffs(node)


def never_looked_at(name, upper=10):
    watched = Watched(game(name))
    solution = ImpAlphaBeta(upper).search(watched)
    leaves = {node for node in range(len(watched.entry)) if watched.to_move(node) is None}
    return solution, {watched.entry.place(node) for node in leaves - watched.seen}


def test_fig_7_does_not_examine_the_subtree_marked_with_a_question_mark():
    solution, unseen = never_looked_at("bmv96/fig-7")
    assert solution.value == 8
    assert unseen == {"root/2/right/left", "root/2/right/right"}
    assert (solution.stats.immediate, solution.stats.information_set) == (0, 1)


def test_fig_8_prunes_the_forests_below_the_last_two_sets():
    solution, unseen = never_looked_at("bmv96/fig-8")
    assert solution.value == 8
    below_s3_and_s4 = {f"root/{n}/right/{way}" for n in range(7, 14) for way in ("left", "right")}
    assert below_s3_and_s4 <= unseen
    # Fig 10 prunes inside S2 too, where the text works out the whole value: 4/13 + 20/13 does not reach 25/13.
    assert unseen - below_s3_and_s4 == {f"root/{n}/right/{way}" for n in (5, 6) for way in ("left", "right")}


def test_fig_8_values_of_the_first_two_sets():
    fig = game("bmv96/fig-8")
    nodes = extend(fig, [(fig.root, 1)])
    _, (top,) = (lambda leaves, sets: (leaves, sets.values()))(*partition(fig, nodes))
    right = extend(fig, [(fig.play(node, 1), prob) for node, prob in top])
    leaves, sets = partition(fig, right)
    assert [prob * fig.payoffs(leaf)[0] for leaf, prob in leaves] == [Fraction(3, 13)]
    values = [
        max(sum(prob * fig.payoffs(fig.play(node, a))[0] for node, prob in pi_set) for a in (0, 1))
        for pi_set in sets.values()
    ]
    assert values[:2] == [Fraction(6, 13), Fraction(20, 13)]
    assert [len(pi_set) for pi_set in sets.values()] == [2, 3, 2, 5]


def test_fig_9_prunes_deeply():
    solution, unseen = never_looked_at("bmv96/fig-9")
    fig = game("bmv96/fig-9")
    assert solution.value == 8
    (only,) = [node for node in range(len(fig)) if fig.place(node) in unseen]
    assert fig.names[only] == "??"


@pytest.mark.parametrize("name", ["bmv96/fig-7", "bmv96/fig-8", "bmv96/fig-9", "bmv96/fig-2-g2-shared"])
def test_pruning_changes_neither_value_nor_worth(name, kernels):
    full, pruned = solve_game(game(name), "imp-minimax"), solve_game(game(name), "imp-alpha-beta")
    assert full.value == pruned.value == expected_payoffs(game(name), pruned.profile)[0]
    assert pruned.stats.leaves <= full.stats.leaves


# ---------------------------------------------------------------------- section 5.3: how many strategies


def test_the_strategy_count_of_section_5_3():
    """Depth 8: 16,321 nodes and 8.4e1643 strategies."""
    sizes = measures(write_out(ImpModel(k=2, b=2, d=8, unlearnt=0)))
    assert sizes.nodes == 16_321
    exponent = log10(sizes.pure_strategies[0] >> 4000) + 4000 * log10(2)
    assert (int(exponent), round(10 ** (exponent % 1), 1)) == (1643, 8.4)


def test_brute_force_needs_what_imp_minimax_does_not():
    for depth in (2, 3):
        small = ImpModel(k=2, b=2, d=depth, unlearnt=0)
        count = sum(1 for _ in pure_strategies(small, 0))
        assert count <= measures(write_out(small)).pure_strategies[0]
        assert ExtensiveBruteForce().search(small).value == ImpMinimax().search(small).value


# ---------------------------------------------------------------------- Theorems 5 and 6

GRID = [(k, b, d) for k, b, d in product((1, 2, 3, 4), (1, 2, 3, 4), (2, 3, 4)) if (k * b) ** (d - 1) <= 2000]


@pytest.mark.parametrize(("k", "b", "d"), GRID)
def test_theorem_5_imp_minimax_examines_every_leaf(k, b, d, kernels):
    model = ImpModel(k, b, d)
    assert solve_game(model, "imp-minimax").stats.leaves == (k * b) ** (d - 1) == model.leaves
    assert solve_game(write_out(model), "imp-minimax").stats.leaves == model.leaves


@pytest.mark.parametrize(("k", "b", "d"), GRID)
def test_theorem_6_no_pruning_at_all(k, b, d, kernels):
    model = ImpModel(k, b, d, Constant())
    stats = solve_game(write_out(model), "imp-alpha-beta", upper=1).stats
    if k > 1:  # the paper leaves out k = 1, where the first alternative's value alone settles the others
        assert (stats.leaves, stats.immediate, stats.information_set) == (model.leaves, 0, 0)


@pytest.mark.parametrize(("k", "b", "d"), GRID)
def test_theorem_6_as_few_as_possible(k, b, d, kernels):
    model = ImpModel(k, b, d, BestFirst(reaches_upper=True))
    stats = solve_game(write_out(model), "imp-alpha-beta").stats
    assert stats.leaves == k ** (d - 1) == model.fewest_leaves
    assert stats.information_set == 0


@pytest.mark.parametrize(("k", "b", "d"), GRID)
def test_theorem_6_as_few_as_possible_without_immediate_pruning(k, b, d, kernels):
    model = ImpModel(k, b, d, BestFirst(reaches_upper=False))
    stats = solve_game(write_out(model), "imp-alpha-beta", upper=1).stats
    assert (stats.leaves, stats.immediate) == (model.fewest_leaves_without_immediate_pruning, 0)
    if k == b:
        assert stats.leaves == b ** (d - 2) * (b * d - d + 1)
    else:
        assert stats.leaves * (b - k) == b ** (d - 1) * (b - 1) - k ** (d - 1) * (k - 1)


@pytest.mark.parametrize("seed", range(20))
def test_theorem_6_bounds_hold_for_random_payoffs(seed, kernels):
    model = ImpModel(3, 3, 4, Uniform(seed=seed))
    leaves = solve_game(write_out(model), "imp-alpha-beta", upper=10).stats.leaves
    assert model.fewest_leaves <= leaves <= model.leaves
