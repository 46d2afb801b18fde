"""IMP-minimax, IMP-alpha-beta and the exact helpers, against their definitions and against Gambit."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from strategies import extensive_games
from worldwise.core.result import Limit, Tally
from worldwise.errors import InputError, LimitReachedError, TooDeepError, UnknownNameError
from worldwise.extensive import ImpModel, chance, decision, game_of, leaf, write_out
from worldwise.extensive.compiled_imp import CompiledImpAlphaBeta, CompiledImpMinimax, imp_model_counts
from worldwise.extensive.imp_model import Uniform
from worldwise.extensive.recall import perfect_recall
from worldwise.extensive.reductions import three_partition_game
from worldwise.extensive.size import measures
from worldwise.extensive.solving import GAME_ALGORITHMS, solve_game
from worldwise.kernels import SWITCH
from worldwise.search.chance_minimax import ChanceMinimax
from worldwise.search.equilibrium import PureEquilibrium, deviation, is_equilibrium
from worldwise.search.imp import ImpAlphaBeta, ImpMinimax, _AlphaBeta, extend
from worldwise.search.profiles import expected_payoffs, pure_strategies
from worldwise.search.responses import ExtensiveBruteForce, best_response

ONE = {"most_players": 1}
TWO = {"most_players": 2, "zero_sum": True}


def full_strategies(entry, player):
    """Every function from a player's information sets to moves: BMV96's definition."""
    sets = list(entry.information_sets(player))
    moves = [range(len(entry.events[number].actions)) for number in sets]
    return [dict(zip(sets, choice, strict=True)) for choice in product(*moves)]


def few(entry, most=200):
    assume(all(count <= most for count in measures(entry).pure_strategies))


# ---------------------------------------------------------------------- one player


@given(extensive_games(**ONE, perfect_recall=True, inner_outcomes=True, most_nodes=40))
def test_imp_minimax_is_optimal_with_perfect_recall(entry):
    answer = ImpMinimax().search(entry)
    assert answer.proven
    assert answer.value == ExtensiveBruteForce().search(entry).value == expected_payoffs(entry, answer.profile)[0]


@given(extensive_games(**ONE, most_nodes=30))
def test_brute_force_is_the_definition(entry):
    few(entry)
    best = max(expected_payoffs(entry, strategy)[0] for strategy in full_strategies(entry, 0))
    assert ExtensiveBruteForce().search(entry).value == best
    imp = ImpMinimax().search(entry)
    assert imp.value <= best
    assert imp.value == best or not imp.proven
    if perfect_recall(entry):
        assert imp.proven


@given(
    extensive_games(**ONE, most_nodes=40, inner_outcomes=True),
    st.fractions(0, 5, max_denominator=6),
    st.fractions(-10, 10, max_denominator=6),
)
def test_theorem_4_imp_alpha_beta_returns_v_or_p(entry, slack, p):
    """For any bound P, with or without perfect recall, and for any U that is a bound."""
    upper = entry.highest_payoff(0) + slack
    value = ImpMinimax().search(entry).believed[0]
    assert ImpAlphaBeta(upper).search(entry).believed[0] == value
    walk = _AlphaBeta(entry, Tally(), upper)
    assert walk.mixed_set(extend(entry, [(entry.root, 1)]), p) == max(value, p)


@given(extensive_games(**ONE, perfect_recall=True, most_nodes=40))
def test_the_strategy_of_imp_alpha_beta_is_worth_its_value(entry):
    answer = ImpAlphaBeta().search(entry)
    assert expected_payoffs(entry, answer.profile) == answer.believed
    assert answer.stats.leaves <= ImpMinimax().search(entry).stats.leaves
    assert answer.stats.cuts == answer.stats.immediate + answer.stats.information_set


def random_game(rng, depth):
    """A one-player game with perfect recall, drawn quickly: chance, then decisions that see a part of it."""

    def decide(deals, known, left):
        """What follows for each of these deals, which the player cannot tell apart: one node a deal."""
        actions = rng.randint(1, 3)
        below = []
        for action in range(actions):
            shown = [rng.randrange(2) for _ in deals]
            groups = {sign: [deal for deal, own in zip(deals, shown, strict=True) if own == sign] for sign in (0, 1)}
            after = {}
            for sign, group in groups.items():
                ends = left == 1 or rng.random() < 0.2
                payoffs = {deal: leaf(rng.randint(-9, 9)) for deal in group}
                after.update(payoffs if ends or not group else decide(group, f"{known}/{action}{sign}", left - 1))
            below.append(after)
        return {
            deal: decision("Ann", {str(action): below[action][deal] for action in range(actions)}, knows=known)
            for deal in deals
        }

    deals = range(rng.randint(1, 5))
    weights = [rng.randint(1, 5) for _ in deals]
    after = decide(list(deals), "", depth)
    return game_of(chance({str(deal): (Fraction(weights[deal], sum(weights)), after[deal]) for deal in deals}), ["Ann"])


@pytest.mark.parametrize("seed", range(10))
def test_imp_minimax_is_optimal_on_thousands_of_games(seed, kernels):
    rng = Random(seed)
    for _ in range(200):
        entry = random_game(rng, depth=rng.randint(1, 3))
        answer = solve_game(entry, "imp-minimax")
        assert answer.proven
        if measures(entry).pure_strategies[0] <= 500:
            assert answer.value == ExtensiveBruteForce().search(entry).value
        pruned = solve_game(entry, "imp-alpha-beta", upper=rng.randint(9, 12))
        assert pruned.value == answer.value == expected_payoffs(entry, pruned.profile)[0]


# ---------------------------------------------------------------------- the kernels' twins


def assert_same(one, other):
    assert (one.believed, one.payoffs, one.profile, one.proven) == (
        other.believed,
        other.payoffs,
        other.profile,
        other.proven,
    )
    assert one.stats == other.stats


@given(extensive_games(**ONE, most_nodes=40, inner_outcomes=True), st.fractions(0, 5, max_denominator=6))
def test_the_kernel_does_what_the_python_search_does(needs_kernels, entry, slack):
    upper = entry.highest_payoff(0) + slack
    assert_same(CompiledImpMinimax().search(entry), ImpMinimax().search(entry))
    assert_same(CompiledImpAlphaBeta(upper).search(entry), ImpAlphaBeta(upper).search(entry))


@given(extensive_games(**TWO, most_nodes=40, inner_outcomes=True))
def test_the_kernel_does_the_same_with_two_players(needs_kernels, entry):
    assert_same(CompiledImpMinimax().search(entry), ImpMinimax().search(entry))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("prune", [False, True])
def test_the_imp_model_kernel_counts_what_the_search_counts(needs_kernels, seed, prune):
    model = ImpModel(3, 4, 3, Uniform(7, seed))
    value, stats = imp_model_counts(model, prune=prune)
    answer = (ImpAlphaBeta() if prune else ImpMinimax()).search(model)
    assert (value, stats) == (answer.value, answer.stats)
    assert (
        solve_game(write_out(model), "imp-alpha-beta" if prune else "imp-minimax", upper=7 if prune else None).stats
        == stats
    )


def test_numbers_too_large_for_the_kernel_are_left_to_python(needs_kernels):
    huge = game_of(decision("Ann", {"a": leaf(Fraction(1, 3**50)), "b": leaf(2**70)}), ["Ann"])
    assert solve_game(huge, "imp-minimax").value == 2**70


def test_the_signature_of_the_search():
    """Node counts, pinned: a change here is a change of the algorithm."""
    _, stats = imp_model_counts(ImpModel(4, 5, 4, Uniform(10, 1)), prune=True)
    assert (stats.nodes, stats.leaves, stats.immediate, stats.information_set) == SIGNATURE


SIGNATURE = (8924, 5402, 0, 915)

# ---------------------------------------------------------------------- two players


@given(extensive_games(**TWO, most_nodes=25))
def test_brute_force_with_two_players_is_the_max_min_pure_strategy(entry):
    few(entry, 40)
    ones, twos = full_strategies(entry, 0), full_strategies(entry, 1)
    best = max(min(expected_payoffs(entry, {**one, **two})[0] for two in twos) for one in ones)
    assert ExtensiveBruteForce().search(entry).value == best


@given(extensive_games(most_nodes=25))
def test_best_responses_and_equilibria_by_definition(entry):
    few(entry, 30)
    all_strategies = [full_strategies(entry, player) for player in range(len(entry.players))]
    profiles = [dict(kv for part in parts for kv in part.items()) for parts in product(*all_strategies)]
    assume(len(profiles) <= 400)
    payoffs = {tuple(profile.items()): expected_payoffs(entry, profile) for profile in profiles}
    equilibria = []
    for profile in profiles:
        bests = [
            max(payoffs[tuple({**profile, **own}.items())][player] for own in all_strategies[player])
            for player in range(len(entry.players))
        ]
        assert [best_response(entry, player, profile)[0] for player in range(len(entry.players))] == bests
        stable = list(payoffs[tuple(profile.items())]) == bests
        assert is_equilibrium(entry, profile) == stable
        equilibria += [profile] * stable
    found = PureEquilibrium().search(entry)
    assert found.answer == ("yes" if equilibria else "no")
    if equilibria:
        full = {**dict.fromkeys(entry.information_sets(), 0), **found.profile}
        assert found.payoffs == expected_payoffs(entry, found.profile)
        assert payoffs[tuple({number: full[number] for number in profiles[0]}.items())] == found.payoffs


@given(extensive_games(most_nodes=40))
def test_open_choices_of_an_equilibrium_do_not_matter(entry):
    """The profile found is an equilibrium however the sets that it leaves open are filled in."""
    found = PureEquilibrium().search(entry, Limit(nodes=2000))
    if found.answer == "yes":
        for filler in (0, -1):
            last = {
                number: len(entry.events[number].actions) - 1 if filler else 0 for number in entry.information_sets()
            }
            assert is_equilibrium(entry, {**last, **found.profile})


@given(extensive_games(most_nodes=16, most_players=2, perfect_recall=True))
def test_equilibria_agree_with_gambit(entry):
    pygambit = pytest.importorskip("pygambit", reason="Gambit is a test oracle: pip install pygambit")
    from io import BytesIO

    from worldwise.extensive import efg_text

    theirs = pygambit.nash.enumpure_solve(pygambit.read_efg(BytesIO(efg_text(entry).encode()))).equilibria
    assert PureEquilibrium().search(entry).answer == ("yes" if len(theirs) else "no")


@given(extensive_games(most_nodes=40))
def test_chance_minimax_finds_an_equilibrium_with_perfect_information(entry):
    answer = ChanceMinimax().search(entry)
    assert answer.proven == measures(entry).perfect_information
    if answer.proven:
        assert deviation(entry, answer.profile) is None
        assert answer.payoffs == answer.believed == expected_payoffs(entry, answer.profile)


@given(extensive_games(**ONE, most_nodes=30))
def test_pure_strategies_are_all_that_differ(entry):
    few(entry)
    worths = {expected_payoffs(entry, strategy) for strategy in full_strategies(entry, 0)}
    assert {expected_payoffs(entry, strategy) for strategy in pure_strategies(entry, 0)} == worths


# ---------------------------------------------------------------------- limits and bad input


def test_a_search_that_runs_out_says_unknown():
    game = three_partition_game([26, 26, 26, 27, 28, 28, 29, 34, 37])
    found = PureEquilibrium().search(game, Limit(nodes=50))
    assert (found.answer, found.profile) == ("unknown", None)


@pytest.mark.parametrize("algorithm", ["imp-minimax", "imp-alpha-beta", "chance-minimax", "brute-force"])
def test_limits_are_respected(algorithm, kernels):
    with pytest.raises(LimitReachedError, match=f"{algorithm} found no answer within 3 nodes"):
        solve_game(write_out(ImpModel(2, 2, 4)), algorithm, limit=Limit(nodes=3))


def test_payoffs_above_the_bound_are_detected(kernels):
    game = game_of(decision("Ann", {"a": leaf(3), "b": leaf(7)}), ["Ann"])
    with pytest.raises(InputError, match="expected payoffs of at most the upper bound 5, found 7"):
        solve_game(game, "imp-alpha-beta", upper=5)


def test_payoffs_above_the_bound_are_detected_on_demand_when_met():
    with pytest.raises(InputError, match="expected payoffs of at most the upper bound 3, found"):
        ImpAlphaBeta(3).search(Hidden(ImpModel(2, 2, 3)))


class Hidden:
    """A game that does not know its own bound."""

    players = ("player",)

    def __init__(self, model):
        self.root, self.to_move, self.moves = model.root, model.to_move, model.moves
        self.play, self.chances, self.payoffs = model.play, model.chances, model.payoffs
        self.information_set = model.information_set


def test_without_any_bound_there_is_nothing_to_prune_with():
    with pytest.raises(InputError, match="expects an upper bound on payoffs"):
        ImpAlphaBeta().search(Hidden(ImpModel(2, 2, 3)))


def test_memory_is_that_of_the_path():
    """10^5 leaves made on demand: what is alive at once stays small."""

    class Counting(Hidden):
        alive = most = 0

        def __init__(self, model):
            super().__init__(model)
            self.play = self.counted
            self.model = model

        def counted(self, position, move):
            return Alive(self.model.play(position, move))

    class Alive(tuple):
        def __new__(cls, parts):
            Counting.alive += 1
            Counting.most = max(Counting.most, Counting.alive)
            return super().__new__(cls, parts)

        def __del__(self):
            Counting.alive -= 1

    model = ImpModel(2, 10, 4)
    ImpMinimax().search(Counting(model))
    assert model.leaves == 8000
    assert Counting.most < 100


def test_too_many_players_or_not_zero_sum(kernels):
    three = game_of(decision("A", {"x": leaf(1, 2, 3)}), ["A", "B", "C"])
    for algorithm in ("imp-minimax", "brute-force"):
        with pytest.raises(InputError, match="expects one player, or two with zero sum, found 3"):
            solve_game(three, algorithm)
    two = game_of(decision("A", {"x": leaf(1, 2)}), ["A", "B"])
    for algorithm in ("imp-minimax", "brute-force"):
        with pytest.raises(InputError, match="with two players expects zero sum, found"):
            solve_game(two, algorithm)
    with pytest.raises(InputError, match="imp-alpha-beta expects one player, or two with zero sum, found 3"):
        solve_game(three, "imp-alpha-beta")
    with pytest.raises(InputError, match="with two players expects zero sum, found"):
        solve_game(two, "imp-alpha-beta")
    with pytest.raises(InputError, match="branch-and-bound expects one player, or players who are paid alike"):
        solve_game(three, "branch-and-bound")


def chain(length):
    """A game of one player who may go on or stop, so many times."""
    node = leaf(1)
    for _ in range(length):
        node = decision("Ann", {"on": node, "off": leaf(0)})
    return game_of(node, ["Ann"])


def test_deep_games_are_searched_by_the_kernel(needs_kernels):
    assert solve_game(chain(3000), "imp-minimax").value == solve_game(chain(3000), "imp-alpha-beta").value == 1


@pytest.mark.parametrize("algorithm", ["chance-minimax", "imp-minimax", "imp-alpha-beta"])
def test_too_deep_for_python_is_said_in_words(monkeypatch, algorithm):
    monkeypatch.setenv(SWITCH, "off")
    with pytest.raises(TooDeepError, match="deeper than Python can recurse"):
        solve_game(chain(3000), algorithm)


def test_names_of_algorithms():
    with pytest.raises(UnknownNameError, match="did you mean 'imp-minimax'"):
        solve_game(game_of(leaf(1), ["Ann"]), "imp-minimaxx")
    with pytest.raises(InputError, match="an upper bound on payoffs is for imp-alpha-beta"):
        solve_game(game_of(leaf(1), ["Ann"]), "imp-minimax", upper=1)


def test_a_lone_leaf_is_a_game():
    for algorithm in GAME_ALGORITHMS:
        assert solve_game(game_of(leaf(3), ["Ann"]), algorithm).payoffs == (3,)
