"""Every algorithm against brute force, plain implementations, the papers' theorems, and its twin."""

import random
from decimal import Decimal
from fractions import Fraction
from math import inf, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
import peers
from strategies import INTEGERS, REALS, WINS, world_trees
from worldwise import (
    ALGORITHMS,
    AlphaBeta,
    AlphaMu,
    Exact,
    Front,
    Limit,
    MonteCarlo,
    Side,
    Ties,
    Vector,
    VectorMinimax,
    algorithm,
    evaluate,
    judge,
    random_tree,
    solve,
    tree_from_dict,
    unroll,
)
from worldwise import tree as catalog_tree
from worldwise.core.result import Clock
from worldwise.core.scale import Thermometer
from worldwise.core.vector import exact_fraction, whole_weights
from worldwise.errors import InputError, LimitReachedError, TooDeepError
from worldwise.search import BruteForce, known_worlds, strategies
from worldwise.search.backup import Guess, ReadablePasses, passes
from worldwise.search.random_ties import FIRST
from worldwise.search.strategy import trace
from worldwise.trees import compile_game
from worldwise.trees.world_tree import TreeBuilder

ONE_VECTOR = [name for name in ALGORITHMS if name not in ("monte-carlo", "vm-alphabeta", "exact")]
HEURISTICS = [*ONE_VECTOR, "vm-alphabeta"]

tie_rules = st.builds(Ties, st.none() | st.integers(0, 2**70))


def exactly(vector, tree):
    """The expected payoff as a fraction, from the definition."""
    weights = [exact_fraction(weight) for weight in tree.weights]
    return sum(w * exact_fraction(float(p)) for w, p in zip(weights, vector, strict=True)) / sum(weights)


# ---------------------------------------------------------------------- the optimum


@settings(max_examples=300)
@given(tree=world_trees())
def test_exact_is_the_best_of_all_strategies(tree):
    vectors = [Vector(oracle.best_defence(tree, strategy)) for strategy in strategies(tree)]
    best = float(max(exactly(vector, tree) for vector in vectors))
    brute = BruteForce().search(tree)
    assert brute.value == pytest.approx(best)
    assert brute.front == Front(vectors)
    for game in (tree, compile_game(tree)):
        result = Exact().search(game)
        assert result.value == brute.value
        assert result.front == brute.front
        assert result.believed == result.value
        assert list(result.vector) == oracle.best_defence(tree, result.strategy)


def test_exact_is_brute_force_on_thousands_of_trees():
    """Irregular trees with undefined payoffs and weights; both engines, both methods where tables fit."""
    for seed in range(3000):
        tree = irregular_tree(random.Random(seed))
        brute = BruteForce().search(tree)
        for game in (tree, compile_game(tree)):
            result = Exact().search(game)
            assert (result.value, result.front) == (brute.value, brute.front), seed


def irregular_tree(rng):
    """A small random tree: 1 to 4 worlds, either side to move anywhere, MIN's moves open in some worlds only."""
    worlds = rng.randint(1, 4)

    def node(depth, is_open):
        if depth == 0 or rng.random() < 0.2:
            return {"payoff": [rng.choice([-1, 0, 1, 2]) if world in is_open else None for world in range(worlds)]}
        side = rng.choice(["max", "min"])
        shares = [is_open] * rng.randint(1, 3)
        if side == "min" and rng.random() < 0.5:
            shares = [{world for world in is_open if rng.random() < 0.6} for _ in shares]
            for world in is_open:
                rng.choice(shares).add(world)
        return {side: [node(depth - 1, share) for share in shares if share]}

    weights = [rng.choice([0, 1, 2, 0.25]) for _ in range(worlds - 1)] + [1]
    return tree_from_dict({"probabilities": weights, "root": node(3, set(range(worlds)))})


@settings(max_examples=200)
@given(tree=world_trees(payoffs=REALS))
def test_exact_with_real_payoffs(tree):
    brute = BruteForce().search(tree)
    for game in (tree, compile_game(tree)):
        result = Exact().search(game)
        # Scores are whole numbers of 62 bits (``Thermometer.gains``): beside a payoff of 1, one of 1e-90 is a tie.
        assert result.value == pytest.approx(brute.value, abs=1e-12)
        assert result.front == brute.front


@settings(max_examples=200)
@given(tree=world_trees())
def test_fronts_and_tables_agree(tree):
    for game in (tree, compile_game(tree)):
        if isinstance(tree.scale, Thermometer) and tree.scale.bits <= 14:
            one, other = Exact("fronts").search(game), Exact("tables").search(game)
            assert (one.front, one.fronts, one.value) == (other.front, other.fronts, other.value)


@settings(max_examples=200)
@given(tree=world_trees())
def test_fronts_are_those_of_sets_of_tuples(tree):
    assert Exact("fronts").search(compile_game(tree)).front == Front(map(Vector, peers.exact_front(peers.nested(tree))))


@settings(max_examples=100)
@given(tree=world_trees())
def test_fronts_by_move_make_the_front(tree):
    result = Exact().search(compile_game(tree))
    if result.fronts:
        assert Front(vector for front in result.fronts.values() for vector in front) == result.front
        assert result.move == result.strategy[tree.root]


def test_tables_refuse_what_they_cannot_hold(engine):
    with pytest.raises(InputError, match=r"at most 20 bits of payoffs, found 24 bits: use fronts"):
        Exact("tables").search(engine(random_tree(2, 24)))


# ---------------------------------------------------------------------- every algorithm


@pytest.mark.parametrize("name", ALGORITHMS)
@settings(max_examples=150)
@given(tree=world_trees(), ties=tie_rules)
def test_true_value_is_true_and_no_better_than_the_optimum(name, tree, ties):
    optimum = BruteForce().search(tree).value
    result = algorithm(name, ties).search(compile_game(tree))
    assert list(result.vector) == oracle.best_defence(tree, result.strategy)
    assert result.value == result.vector.expected(tree.weights) <= optimum
    assert result.value == evaluate(tree, result.strategy).value


@settings(max_examples=300)
@given(tree=world_trees(), ties=tie_rules)
def test_monte_carlo_never_believes_less_than_the_optimum(tree, ties):
    assert MonteCarlo(ties=ties).search(compile_game(tree)).believed >= BruteForce().search(tree).value


@pytest.mark.parametrize("real", [False, True], ids=["bits", "reals"])
@pytest.mark.parametrize("name", ALGORITHMS)
@settings(max_examples=150)
@given(data=st.data(), ties=tie_rules)
def test_twins_give_the_same_result(name, real, data, ties):
    tree = data.draw(world_trees(payoffs=REALS if real else INTEGERS))
    searcher = algorithm(name, ties)
    assert searcher.search(tree) == searcher.search(compile_game(tree))


@pytest.mark.parametrize("worlds", [1, 2, 10, 63, 64, 65, 1000])
@pytest.mark.parametrize("name", ALGORITHMS)
def test_twins_agree_on_any_number_of_worlds(name, worlds):
    tree = random_tree(5, worlds, similarity=0.3, seed=worlds)
    for ties in (FIRST, Ties(7)):
        result = algorithm(name, ties).search(compile_game(tree))
        assert result == algorithm(name, ties).search(tree)
        assert list(result.vector) == oracle.best_defence(tree, result.strategy)


@pytest.mark.parametrize("worlds", [10, 65, 130])
def test_twins_agree_on_many_payoffs_and_uneven_weights(worlds):
    shape = random_tree(5, worlds, seed=3)
    payoffs = shape.payoffs_by_leaf + random_tree(5, worlds, seed=4).payoffs_by_leaf * 2
    tree = shape.with_payoffs(payoffs, [1 + world % 7 for world in range(worlds)])
    for name in ALGORITHMS:
        assert algorithm(name).search(compile_game(tree)) == algorithm(name).search(tree)


@settings(max_examples=300)
@given(tree=world_trees())
def test_plain_implementations_agree(tree):
    """The same algorithms written from the papers' pseudo-code with tuples of numbers."""
    plain, weights, top = peers.nested(tree), whole_weights(tree.weights), (None,) * tree.worlds
    game = compile_game(tree)
    assert VectorMinimax().search(game).vector == Vector(peers.vector_mm(plain, weights)[0])
    assert VectorMinimax(reduce=True).search(game).vector == Vector(
        peers.vector_mm(peers.reduced(plain, top), weights)[0]
    )
    walk = passes(game)
    assert walk.scale.vector(walk.perfect_information().value) == Vector(peers.monte_carlo(plain))


@settings(max_examples=300)
@given(tree=world_trees(undefined=False))
def test_pruning_does_not_change_vm_beta(tree):
    """Fig 21 with equation 7 prunes; ours does not, as in the paper's experiments. The value is the same.

    With undefined payoffs it is not: Fig 21 then compares averages over different worlds, which is no ground for a cut.
    """
    weights = whole_weights(tree.weights)
    pruned = peers.vm_beta(peers.nested(tree), weights, None, (None,) * tree.worlds)
    ours = VectorMinimax(beta=True).search(compile_game(tree)).vector
    assert peers.mean(pruned, weights) == peers.mean(tuple(ours), weights)


def fig_21_to_the_letter(tree):
    weights = whole_weights(tree.weights)
    return Vector(peers.vm_beta(peers.nested(tree), weights, None, (None,) * tree.worlds, reduce=False))


@settings(max_examples=300)
@given(tree=world_trees(undefined=False))
def test_vm_alphabeta_is_fig_21(tree):
    assert AlphaBeta().search(compile_game(tree)).vector == fig_21_to_the_letter(tree)


def test_vm_alphabeta_and_equation_6_part_where_payoffs_are_undefined():
    """Four are more than two and one. But MIN's window brings in the five of w2, in which neither can be reached."""
    worse = {"min": [{"payoff": [2, None, 1]}]}
    shape = tree_from_dict({"min": [{"payoff": [9, 5, 9]}, {"max": [{"payoff": [4, None, 0]}, worse]}]})
    assert {AlphaBeta().search(game).vector for game in (shape, compile_game(shape))} == {Vector([4, 5, 0])}
    assert fig_21_to_the_letter(shape) == Vector([2, 5, 1])


# ---------------------------------------------------------------------- section 7's claims that are theorems


@pytest.mark.parametrize("name", HEURISTICS)
@settings(max_examples=150)
@given(tree=world_trees(), ties=tie_rules)
def test_without_strategy_fusion_belief_is_truth(name, tree, ties):
    result = algorithm(name, ties).search(compile_game(tree))
    assert result.believed == result.value


@settings(max_examples=150)
@given(tree=world_trees())
def test_payoff_reduction_changes_no_strategy_and_no_minimax_value(tree):
    """FB01 section 7.2: the value of the tree in each world is left unaltered; so is every strategy's vector."""
    plain = peers.nested(tree)
    reduced = peers.reduced(plain, (None,) * tree.worlds)
    assert peers.monte_carlo(plain) == peers.monte_carlo(reduced)
    less = _from_nested(reduced, tree)
    for strategy in list(strategies(tree))[:50]:
        assert evaluate(tree, strategy) == evaluate(less, strategy)


@settings(max_examples=150)
@given(tree=world_trees())
def test_a_known_payoff_vector_gives_a_strategy_that_earns_it(tree):
    """FB01 section 7.4: from K_max to an optimal strategy in time linear in the tree."""
    walk = passes(compile_game(tree))
    for vector in Exact().search(tree).front:
        backup = walk.realise(walk.scale.code(vector), FIRST)
        assert backup.value
        assert vector <= walk.scale.vector(walk.follow(backup.chosen, None).code)


@settings(max_examples=150)
@given(tree=world_trees())
def test_the_greatest_minimax_value_bounds_every_payoff_that_can_be_had(tree):
    """FB01 section 7.4: v_max bounds every entry of the optimal vector, and each world's own value its entry."""
    bound = Vector(peers.monte_carlo(peers.nested(tree)))
    assert all(vector <= bound for vector in Exact().search(tree).front)


@settings(max_examples=100)
@given(tree=world_trees(most_worlds=1), ties=tie_rules)
def test_with_one_world_everything_is_minimax(tree, ties):
    value = peers.monte_carlo(peers.nested(tree))[0]
    assert {algorithm(name, ties).search(compile_game(tree)).value for name in ALGORITHMS} == {value}


@settings(max_examples=100)
@given(tree=world_trees())
def test_alpha_beta_never_visits_more(tree):
    assert AlphaBeta().search(tree).stats.nodes <= VectorMinimax().search(tree).stats.nodes


@settings(max_examples=100)
@given(tree=world_trees())
def test_an_iterated_search_is_its_best_guess(tree):
    walk = passes(compile_game(tree))
    result = VectorMinimax(iterate=True).search(compile_game(tree))
    minimax = list(walk.scale.vector(walk.perfect_information().value))
    guesses = sum(value == max(minimax) for value in minimax)
    assert result.stats.nodes == (1 + guesses) * len(tree)


def keys_of_guesses(tree, weights, tiebreak):
    """A key for each guess <v, k>: at least v in world k, then the average without k, or after the average over all."""
    minimax = peers.monte_carlo(peers.nested(tree))
    most = max(value for value in minimax if value is not None)
    for world in [world for world, value in enumerate(minimax) if value == most]:
        others = [0 if one == world else weight for one, weight in enumerate(weights)]

        def key(vector, world=world, others=others):
            met = vector[world] is None or vector[world] >= most
            return (peers.mean(vector, weights), met) if tiebreak else (met, peers.mean(vector, others))

        yield key


@pytest.mark.parametrize("tiebreak", [False, True])
@settings(max_examples=200)
@given(tree=world_trees(undefined=False))
def test_iterated_searches_are_the_best_of_their_biased_passes(tree, tiebreak):
    """Definition 1 and Fig 23 from plain tuples; in ivm-tiebreak the average comes first, over all worlds."""
    plain, weights = peers.nested(tree), whole_weights(tree.weights)
    vectors = [peers.biased(plain, key) for key in keys_of_guesses(tree, weights, tiebreak)]
    best = max(vectors, key=lambda vector: peers.mean(vector, weights))
    for game in (tree, compile_game(tree)):
        assert VectorMinimax(iterate=True, tiebreak=tiebreak).search(game).vector == Vector(best)


@settings(max_examples=300)
@given(tree=world_trees(undefined=False, payoffs=WINS), ties=tie_rules)
def test_a_guess_that_can_come_true_does(tree, ties):
    """FB01 Definition 1: MAX never gives up the guessed world, so it is won wherever perfect information wins it."""
    walk = passes(compile_game(tree))
    minimax = list(walk.scale.vector(walk.perfect_information().value))
    for world, value in enumerate(minimax):
        backup = walk.choose(None, False, Guess.payoff(walk.scale, world, 1), ties)
        assert walk.scale.vector(backup.value)[world] == value


@settings(max_examples=300)
@given(tree=world_trees(undefined=False, payoffs=WINS, weighted=False), ties=tie_rules)
def test_ivm_errs_only_where_two_worlds_can_be_won(tree, ties):
    """The bound: what wins one world whenever one can be won is optimal unless the optimum wins two."""
    searches = Exact(), VectorMinimax(iterate=True, ties=ties)
    best, found = (sum(search.search(compile_game(tree)).vector) for search in searches)
    assert found == best or best >= 2


def test_a_tiebreak_is_for_guesses():
    with pytest.raises(InputError, match="expected tiebreak=True with iterate=True only"):
        VectorMinimax(tiebreak=True)
    assert VectorMinimax(iterate=True, tiebreak=True).name == "ivm-tiebreak"


@pytest.mark.parametrize(
    ("worse", "better"),
    [
        ("ivm", "vector-mm"),
        ("prm", "vector-mm"),
        ("vm-beta", "vector-mm"),
        ("vm-alphabeta", "vector-mm"),
        ("vector-mm", "monte-carlo"),
    ],
)
def test_conservative_is_not_a_theorem(worse, better, engine):
    """FB01 says that its heuristics never degrade the analysis; on these trees each does, however ties are broken."""
    game = engine(catalog_tree(f"ours/{worse}-worse"))
    most = max(algorithm(worse, Ties(seed)).search(game).value for seed in range(50))
    least = min(algorithm(better, Ties(seed)).search(game).value for seed in range(50))
    assert most < least


def _from_nested(node, tree):
    """A plain tree as a WorldTree with the weights of another."""

    def notation(node):
        kind, rest = node
        return {"payoff": list(rest)} if kind == "leaf" else {kind: [notation(child) for child in rest]}

    return tree_from_dict({"probabilities": [float(weight) for weight in tree.weights], "root": notation(node)})


# ---------------------------------------------------------------------- what MIN knows


def knowledge_cases(**options):
    return world_trees(**options).flatmap(
        lambda tree: st.tuples(st.just(tree), st.sets(st.integers(0, tree.worlds - 1)).map(frozenset))
    )


def few_answers(tree):
    """Whether MIN has few enough strategies to try them all."""
    return len(tree) <= 20


@settings(max_examples=150)
@given(case=knowledge_cases(most_depth=3, most_worlds=4).filter(lambda case: few_answers(case[0])))
def test_any_strategy_against_any_knowledge(case):
    tree, known = case
    for strategy in list(strategies(tree))[:10]:
        expected = oracle.less_knowledge(tree, strategy, known) / sum(tree.weights)
        assert evaluate(tree, strategy, known).value == pytest.approx(float(expected))
        assert evaluate(compile_game(tree), strategy, known) == evaluate(tree, strategy, known)


@settings(max_examples=150)
@given(case=knowledge_cases())
def test_the_optimum_at_any_knowledge(case):
    tree, known = case
    best = max(evaluate(tree, strategy, known).value for strategy in strategies(tree))
    for game in (tree, compile_game(tree)):
        result = Exact(known=known).search(game)
        assert result.value == pytest.approx(best)
        assert evaluate(tree, result.strategy, known).value == result.value


@settings(max_examples=100)
@given(case=knowledge_cases())
def test_the_less_min_knows_the_better_for_max(case):
    tree, known = case
    for strategy in list(strategies(tree))[:5]:
        blind, half = evaluate(tree, strategy, ()).value, evaluate(tree, strategy, known).value
        assert evaluate(tree, strategy).value <= half + 1e-12
        assert half <= blind + 1e-12


@settings(max_examples=100)
@given(tree=world_trees(undefined=False))
def test_all_worlds_but_one_are_all(tree):
    for strategy in list(strategies(tree))[:5]:
        assert evaluate(tree, strategy, range(tree.worlds - 1)) == evaluate(tree, strategy)


@settings(max_examples=60)
@given(tree=world_trees(undefined=False))
def test_against_no_knowledge_minimax_of_averages_is_right(tree):
    """FB01 section 5.3: average each leaf, then play plain minimax."""

    def average(node):
        kind, rest = node
        if kind == "leaf":
            return peers.mean(rest, tree.weights) / sum(tree.weights)
        return (max if kind == "max" else min)(map(average, rest))

    assert Exact(known=frozenset()).search(tree).value == pytest.approx(float(average(peers.nested(tree))))


def test_knowledge_is_one_of_n_levels():
    assert [len(known_worlds(4, level)) for level in (0, 1 / 3, 2 / 3, 1)] == [0, 1, 2, 4]
    assert known_worlds(10, 5 / 9, seed=1) == known_worlds(10, 5 / 9, seed=1)
    assert len({known_worlds(10, 5 / 9, seed=seed) for seed in range(20)}) > 1
    for wrong in (0.5, -1, 2):
        with pytest.raises(InputError, match="knowledge of 10 worlds is one of 0/9, 1/9"):
            known_worlds(10, wrong)


def test_unknown_worlds_and_gaps_in_strategies_are_errors():
    tree = random_tree(3, 2)
    with pytest.raises(InputError, match="numbers from 0 to 1, not "):
        evaluate(tree, {0: 0}, known=[5])
    with pytest.raises(InputError, match="no move at position 0"):
        evaluate(tree, {})


# ---------------------------------------------------------------------- sampling, ties, limits


def test_a_sample_of_every_world_alike_is_the_single_pass():
    tree = random_tree(6, 4, seed=2)
    assert MonteCarlo(samples=1, seed=3).search(tree) == MonteCarlo(samples=1, seed=3).search(compile_game(tree))
    believed = {MonteCarlo(samples=2, seed=seed).search(compile_game(tree)).believed for seed in range(20)}
    assert believed <= {0, 0.5, 1}
    assert len(believed) > 1


def test_large_samples_choose_as_the_single_pass_does():
    tree = tree_from_dict({"probabilities": [3, 1], "root": {"max": [{"payoff": [1, 0]}, {"payoff": [0, 1]}]}})
    sampled = MonteCarlo(samples=2000, seed=1).search(tree)
    assert sampled.move == MonteCarlo().search(tree).move == 0
    assert sampled.believed == pytest.approx(0.75, abs=0.05)
    assert sampled.believed != 0.75 or sampled.value == 0.75


def test_a_sample_never_looks_at_worlds_it_did_not_draw():
    tree = tree_from_dict({"probabilities": [1, 0], "root": {"max": [{"payoff": [0, 9]}, {"payoff": [1, 0]}]}})
    assert MonteCarlo(samples=5).search(tree).move == 1


def test_random_ties_are_fair_and_repeatable(engine):
    tree = tree_from_dict({"max": [{"payoff": [1]}, {"payoff": [1]}, {"payoff": [1]}, {"payoff": [0]}]})
    moves = [VectorMinimax(ties=Ties(seed)).search(engine(tree)).move for seed in range(600)]
    assert moves == [VectorMinimax(ties=Ties(seed)).search(engine(tree)).move for seed in range(600)]
    assert all(150 < moves.count(move) < 250 for move in (0, 1, 2))
    assert VectorMinimax().search(engine(tree)).move == 0


def test_iterated_searches_are_any_time(engine):
    tree = random_tree(7, 10, seed=1, similarity=0.9)
    whole = VectorMinimax(iterate=True).search(engine(tree))
    short = VectorMinimax(iterate=True).search(engine(tree), Limit(nodes=2 * len(tree) + 1))
    assert (whole.complete, short.complete) == (True, False)
    assert short.stats.nodes == 2 * len(tree)  # the worlds' values, and one guess
    assert short.value <= whole.value
    with pytest.raises(LimitReachedError):
        VectorMinimax(iterate=True).search(engine(tree), Limit(seconds=0))


@pytest.mark.parametrize("limit", [Limit(nodes=100), Limit(seconds=0)], ids=str)
@pytest.mark.parametrize("method", ["fronts", "tables"])
def test_exact_says_when_the_limit_is_too_short(engine, method, limit):
    with pytest.raises(LimitReachedError, match="the exact search found no answer within"):
        Exact(method).search(engine(random_tree(11, 10)), limit)


@pytest.mark.parametrize(
    ("found", "limit"),
    [
        ("nodes as a whole number from 0, or None, found nan", {"nodes": nan}),
        ("nodes as a whole number from 0, or None, found -3", {"nodes": -3}),
        ("nodes as a whole number from 0, or None, found 2.5", {"nodes": 2.5}),
        ("depth as a whole number from 1, or None, found 0", {"depth": 0}),
        ("depth as a whole number from 1, or None, found '2'", {"depth": "2"}),
        ("seconds as a number, or None, found nan", {"seconds": nan}),
        ("seconds as a number, or None, found -inf", {"seconds": -inf}),
        ("seconds as a number, or None, found '1'", {"seconds": "1"}),
        ("seconds as a number, or None, found Decimal('1')", {"seconds": Decimal(1)}),
    ],
)
def test_a_limit_is_of_numbers_that_can_be_reached(found, limit):
    """One of nan seconds would never be."""
    with pytest.raises(InputError) as error:
        Limit(**limit)
    assert str(error.value) == f"expected {found}"


@pytest.mark.parametrize("seconds", [inf, 1e308, Fraction(7, 2), np.float32(20)], ids=repr)
def test_endless_seconds_are_no_limit(engine, seconds):
    tree = random_tree(5, 4, seed=1)
    limit = Limit(seconds)
    assert (limit.seconds is None) == (seconds == inf)
    assert Exact().search(engine(tree), limit).value == Exact().search(engine(tree)).value


def test_time_that_has_run_out_has_run_out(engine):
    """What is left of a limit may be less than nothing."""
    assert Clock(Limit(seconds=-1)).ran_out(0)
    assert Clock(Limit(seconds=-1)).rest.seconds < -1
    with pytest.raises(LimitReachedError):
        Exact("fronts").search(engine(random_tree(11, 10)), Limit(seconds=-1))


@pytest.mark.parametrize("search", [Exact("fronts"), VectorMinimax(), MonteCarlo(), AlphaMu(2)], ids=repr)
def test_a_limit_is_a_limit(search):
    with pytest.raises(InputError, match=r"expected a Limit, such as Limit\(\) or Limit\(seconds=1\), found None"):
        search.search(random_tree(3, 2), None)


def hard_tree():
    """Many worlds of which most are won at most leaves: fronts explode."""
    one, two = random_tree(10, 200, seed=1), random_tree(10, 200, seed=2)
    return one.with_payoffs((one.payoffs_by_leaf + two.payoffs_by_leaf > 0) * 1.0, one.weights)


def test_exact_stops_in_the_midst_of_a_large_front():
    """The limit is looked at inside a single huge meet, too."""
    with pytest.raises(LimitReachedError):
        Exact("fronts").search(compile_game(hard_tree()), Limit(seconds=0.2))


def test_an_algorithm_is_not_kept_waiting_for_the_optimum(monkeypatch):
    monkeypatch.setattr("worldwise.trees.solving.OPTIMUM_LIMIT", Limit(seconds=0.2))
    (verdict,) = judge(hard_tree(), ["vector-mm"])
    assert (verdict.optimal, verdict.failure) == (None, None)


NODES = {
    "monte-carlo": 511,
    "vector-mm": 511,
    "vm-alphabeta": 380,
    "vm-beta": 511,
    "ivm-tiebreak": 5110,
    "ivm": 5110,
    "prm": 1022,
    "prm-beta": 1022,
    "ivm-beta": 5110,
    "iprm": 5110,
    "iprm-beta": 5110,
    "exact": 511,
}


@pytest.mark.parametrize("name", ALGORITHMS)
def test_node_counts_are_a_signature(engine, name):
    assert algorithm(name).search(engine(random_tree(8, 10, seed=5))).stats.nodes == NODES[name]


@pytest.mark.parametrize("name", ALGORITHMS)
def test_depth_100_000_is_solved_by_the_kernels_and_refused_by_python(deep_tree, engine, name):
    game = engine(deep_tree)
    if game is not deep_tree:
        assert algorithm(name).search(game).value == 1
        return
    with pytest.raises(TooDeepError, match="deeper than Python can recurse"):
        algorithm(name).search(game)


@pytest.fixture(scope="module")
def deep_tree():
    """100,000 moves deep: at each, MAX may stop for nothing, or go on, or MIN must."""

    builder = TreeBuilder()
    for depth in range(100_000):
        builder.open(Side.MIN if depth % 2 else Side.MAX)
        builder.leaf([float(depth % 2)] * 2)
    builder.leaf([1.0, 1.0])
    for _ in range(100_000):
        builder.close()
    return builder.tree([1, 1])


# ---------------------------------------------------------------------- any game


class Echo:
    """A game without codes: MAX names a number, MIN names one, MAX wins in the worlds their sum points to."""

    worlds = 3
    weights = (0.5, 0.3, 0.2)
    root = ()

    def to_move(self, position):
        tree = random_tree(2, 1)
        return None if len(position) == 2 else tree.to_move(len(position))

    def moves(self, position):
        return "abc"

    def play(self, position, move):
        return (*position, move)

    def payoffs(self, position):
        return [float(("abc".index(position[0]) + "abc".index(position[1])) % 3 != world) for world in range(3)]


@pytest.mark.parametrize("name", ALGORITHMS)
def test_any_world_game_can_be_searched(name):
    game = Echo()
    result, unrolled = solve(game, name), solve(unroll(game), name)
    assert (result.value, result.vector, result.stats) == (unrolled.value, unrolled.vector, unrolled.stats)


def test_a_traced_search_shows_what_is_backed_up():
    tree = random_tree(3, 4, seed=1)
    result = trace(VectorMinimax(), tree)
    assert set(result.values) == set(range(len(tree)))
    assert result.values[0] == result.vector
    assert result == VectorMinimax().search(tree) or result.values


def test_python_passes_recurse_no_deeper_than_they_must():
    assert isinstance(passes(random_tree(2, 2)), ReadablePasses)
