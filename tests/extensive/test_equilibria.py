"""All equilibria, cheap candidates, teams, two-sided pruning, horizons, kinds of forgetting: by their definitions."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from own_games import MiniWhist
from strategies import extensive_games
from worldwise import game, solve_game
from worldwise.core.result import Limit
from worldwise.errors import InputError
from worldwise.extensive import (
    BestFirst,
    Constant,
    Forgetting,
    ImpModel,
    Uniform,
    assignment_of,
    efg_from_text,
    find_forgotten,
    from_game,
    kinds_of_forgetting,
    merge,
    perfect_recall,
    satisfiability_game,
    split,
    write_out,
)
from worldwise.search import (
    ExtensiveBruteForce,
    Horizon,
    ImpAlphaBeta,
    ImpMinimax,
    PureEquilibrium,
    TeamOptimum,
    believe,
    equilibrium,
    expected_payoffs,
    is_equilibrium,
)

TWO = {"most_players": 2, "zero_sum": True}
DRIVER = 'EFG 2 R "" { "D" } p "" 1 1 "" { "B" "E" } 0 p "" 1 1 "" { "B" "E" } 0 t "" 1 "" { 1 } t "" 2 "" { 4 } t "" 0'


def profiles(entry, most=300):
    """Every profile of pure strategies, over all sets."""
    numbers = list(entry.information_sets())
    sizes = [range(len(entry.events[number].actions)) for number in numbers]
    count = 1
    for size in sizes:
        count *= len(size)
    assume(count <= most)
    return [dict(zip(numbers, moves, strict=True)) for moves in product(*sizes)]


# ---------------------------------------------------------------------- pure equilibria


@given(extensive_games(most_nodes=25))
def test_all_equilibria_are_listed_each_once(entry):
    """Every full profile is an equilibrium just if it fills in one that is listed, and only one."""
    found = PureEquilibrium().list_all(entry)
    assert found.complete
    for full in profiles(entry):
        fits = [
            payoffs for profile, payoffs in found.equilibria if all(full[key] == move for key, move in profile.items())
        ]
        assert len(fits) == is_equilibrium(entry, full)
        assert fits in ([], [expected_payoffs(entry, full)])


@given(extensive_games(most_nodes=30))
def test_candidates_first_or_not_the_answer_is_the_same(entry):
    with pytest.MonkeyPatch.context() as patch:
        usual = PureEquilibrium().search(entry)
        patch.setattr(equilibrium, "FIRST_LOOK", 0)
        other = PureEquilibrium().search(entry)
    assert other.answer == usual.answer
    if other.answer == "yes":
        assert other.payoffs == expected_payoffs(entry, other.profile)
        assert is_equilibrium(entry, {**dict.fromkeys(entry.information_sets(), 0), **other.profile})


def test_a_candidate_is_told_by_its_source(monkeypatch):
    monkeypatch.setattr(equilibrium, "FIRST_LOOK", 0)
    found = PureEquilibrium().search(write_out(ImpModel(2, 2, 4)))
    assert (found.answer, found.source) == ("yes", "imp-minimax")


def test_a_long_first_look_leaves_time_for_candidates(monkeypatch):
    """Each of its best answers takes long here, so it would go on without ever trying IMP-minimax."""
    rules = MiniWhist(1, 4, 4)
    monkeypatch.setattr(equilibrium, "FIRST_LOOK", 10**9)
    monkeypatch.setattr(equilibrium, "PARTS", 150)  # a fast machine would find an answer in its usual share
    found = PureEquilibrium().search(from_game(rules, rules.players), Limit(seconds=30))
    assert (found.answer, found.source) == ("yes", "imp-minimax")


def test_a_limit_cuts_the_list_short():
    found = PureEquilibrium().list_all(game("bmv96/fig-4"), Limit(nodes=3))
    assert not found.complete


# ---------------------------------------------------------------------- teams


@given(extensive_games(most_nodes=25, most_players=1))
def test_branch_and_bound_is_brute_force_for_one_player(entry):
    profiles(entry)
    found = TeamOptimum().search(entry)
    assert found.proven
    assert found.value == ExtensiveBruteForce().search(entry).value == expected_payoffs(entry, found.profile)[0]


@given(extensive_games(most_nodes=25, most_players=3, perfect_recall=True))
def test_the_best_a_team_can_do(entry):
    paid_alike = replace(
        entry,
        outcomes=tuple(one._replace(payoffs=(one.payoffs[0],) * len(entry.players)) for one in entry.outcomes),
    )
    best = max(expected_payoffs(paid_alike, profile)[0] for profile in profiles(paid_alike))
    found = TeamOptimum().search(paid_alike)
    assert found.value == best
    assert is_equilibrium(paid_alike, {**dict.fromkeys(entry.information_sets(), 0), **found.profile})
    together = merge(paid_alike, range(len(entry.players)))
    assert len(together.players) == 1
    assert TeamOptimum().search(together).value == best


@given(extensive_games(most_nodes=30))
def test_merging_undoes_splitting(entry):
    apart = split(entry)
    if len(apart.players) > len(entry.players):
        teams, first = [], 0
        for name in entry.players:
            size = sum(one == name or one.startswith(f"{name} (") for one in apart.players)
            teams.append(range(first, first + size))
            first += size
        assume(len({*entry.players}) == len(entry.players))
        for team, name in reversed(list(zip(teams, entry.players, strict=True))):
            apart = merge(apart, team, name)
    assert apart == entry


def test_a_team_is_paid_alike():
    with pytest.raises(InputError, match="expected a team that is paid alike"):
        merge(game("bmv96/fig-3"), [0, 1])
    with pytest.raises(InputError, match="expected players from 0 to 1, found"):
        merge(game("bmv96/fig-3"), [2])


def test_tiny_hanabi_is_worth_ten():
    pytest.importorskip("pyspiel", reason="OpenSpiel's games need the extra openspiel")
    from worldwise.openspiel import load_open_spiel

    assert solve_game(load_open_spiel("tiny_hanabi"), "branch-and-bound").payoffs == (10, 10)


def test_a_limit_gives_the_best_so_far():
    signs = list(product((1, -1), repeat=3))
    entry = satisfiability_game(
        [[(a, 2 * b, 3 * c)[(i + k) % 3] for k in range(3)] for i, (a, b, c) in enumerate(signs)]
    )
    found = TeamOptimum().search(entry, Limit(nodes=100))
    assert not found.complete
    assert found.value <= TeamOptimum().search(entry).value


# ---------------------------------------------------------------------- Theorem 1's hard instances


@settings(max_examples=40)
@given(st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=3, unique=True), min_size=1, max_size=5), st.data())
def test_a_forgetful_player_is_worth_what_can_be_satisfied(variables, data):
    clauses = [[one * data.draw(st.sampled_from((1, -1))) for one in clause] for clause in variables]
    entry = satisfiability_game(clauses)

    def true_clauses(truth):
        return sum(any(truth[abs(one)] == (one > 0) for one in clause) for clause in clauses)

    best = max(true_clauses(dict(zip(range(1, 5), truth, strict=True))) for truth in product((True, False), repeat=4))
    found = TeamOptimum().search(entry)
    assert found.value * len(clauses) == best
    assert true_clauses({**dict.fromkeys(range(1, 5), True), **assignment_of(entry, found.profile)}) == best


def test_clauses_that_are_none():
    for clauses in ([], [()], [(1, -1)], [(0,)]):
        with pytest.raises(InputError, match="expect"):
            satisfiability_game(clauses)


# ---------------------------------------------------------------------- IMP-alpha-beta for two, and a horizon


@given(extensive_games(**TWO, most_nodes=40), st.integers(0, 3), st.integers(0, 3))
def test_two_players_believe_the_same_with_pruning(entry, above, below):
    """Whatever the bounds, as long as they hold; a set that is met once is decided as well as IMP-minimax does."""
    payoffs = [payoff[0] for payoff in entry.leaf_payoffs()]
    plain = ImpMinimax().search(entry)
    found = ImpAlphaBeta(max(payoffs) + above, min(payoffs) - below).search(entry)
    assert found.believed == plain.believed
    assert found.stats.leaves <= plain.stats.leaves
    assert found.payoffs == expected_payoffs(entry, found.profile)


def test_pruning_may_change_the_profile_where_a_set_is_met_twice():
    """The belief is the same, and what the profile is worth is not: two-player IMP-alpha-beta is a heuristic apart."""
    differ = 0
    for seed in range(40):
        entry = split_secret(seed)
        plain, pruned = ImpMinimax().search(entry), ImpAlphaBeta().search(entry)
        assert plain.believed == pruned.believed
        differ += plain.payoffs != pruned.payoffs
    assert 0 < differ < 40


def split_secret(seed):
    """Both are dealt one of two secrets, and move in turn; the second's sets cut across the first's."""
    from random import Random

    from worldwise.extensive import chance, decision, game_of, leaf

    rng = Random(seed)

    def end():
        paid = rng.randrange(10)
        return leaf(paid, -paid)

    def second(his, taken):
        return decision("B", {move: end() for move in "lr"}, knows=f"B {his} {taken}")

    def first(mine, his):
        return decision("A", {move: second(his, move) for move in "lr"}, knows=f"A {mine}")

    deals = {f"{mine}{his}": ("1/4", first(mine, his)) for mine in "ab" for his in "ab"}
    return game_of(chance(deals), ["A", "B"])


def test_pruning_for_two_saves_work_and_bounds_are_checked():
    entry = split_secret(3)
    found = ImpAlphaBeta(9, -9).search(entry)
    assert found.stats.leaves < ImpMinimax().search(entry).stats.leaves
    with pytest.raises(InputError, match="at least the lower bound 5, found"):
        ImpAlphaBeta(9, 5).search(entry)

    class Unbounded:
        def __init__(self, inner):
            self.players, self.root = inner.players, inner.root
            for name in ("to_move", "moves", "play", "chances", "information_set", "payoffs"):
                setattr(self, name, getattr(inner, name))

    with pytest.raises(InputError, match="expects a lower bound on payoffs too"):
        ImpAlphaBeta(9).search(Unbounded(entry))
    with pytest.raises(InputError, match="at most the upper bound 1, found"):
        ImpAlphaBeta(1, -9).search(Unbounded(entry))


@given(extensive_games(**TWO, most_nodes=40))
def test_a_horizon_beyond_the_end_changes_nothing(entry):
    deep, plain = believe(entry, horizon=Horizon(50, lambda _: 1000)), ImpMinimax().search(entry)
    assert deep.is_final
    assert (deep.value, deep.profile) == (plain.believed[0], believe(entry).profile)


@given(st.integers(0, 10**6), st.integers(1, 3))
def test_a_horizon_is_the_game_that_ends_there(seed, depth):
    """The leaves of the shorter game pay what the evaluator says."""

    def estimate(position):
        return hash((seed, position)) % 7

    class Short(ImpModel):
        def to_move(self, position):
            return None if len(position[1]) == depth else super().to_move(position)

        def payoffs(self, position):
            return (estimate(position),)

    found = believe(ImpModel(2, 2, 5, Uniform(9, seed)), horizon=Horizon(depth, estimate))
    assert not found.is_final
    assert found.value == believe(Short(2, 2, 5)).value


@given(extensive_games(**TWO, most_nodes=40), st.integers(1, 3), st.integers(0, 10**6))
def test_pruning_changes_no_belief_at_a_horizon(entry, depth, seed):
    payoffs = [payoff[0] for payoff in entry.leaf_payoffs()]
    low, high = min(payoffs), max(payoffs)
    horizon = Horizon(depth, lambda node: low + (high - low) * Fraction(hash((seed, node)) % 5, 4))
    plain, pruned = believe(entry, horizon=horizon), believe(entry, horizon=horizon, bounds=(low, high))
    assert pruned.value == plain.value
    assert pruned.stats.nodes <= plain.stats.nodes
    assert not plain.is_final or pruned.is_final
    assert plain.torn.keys() <= pruned.torn.keys() or pruned.stats.nodes < plain.stats.nodes


def test_an_evaluator_keeps_to_the_bounds():
    with pytest.raises(InputError, match="at most the upper bound 9, found 10"):
        believe(ImpModel(2, 2, 4), horizon=Horizon(2, lambda _: 10), bounds=(0, 9))


# ---------------------------------------------------------------------- bounds that rules promise


@pytest.mark.parametrize("rule", [Constant(), Uniform(10, 3), BestFirst(True), BestFirst(False)], ids=repr)
def test_a_game_written_out_keeps_the_bound_of_its_rules(rule):
    model = ImpModel(2, 2, 4, rule=rule)
    entry = write_out(model)
    assert entry.highest_payoff(0) == rule.upper
    plain, written = ImpAlphaBeta().search(model), solve_game(entry, "imp-alpha-beta")
    assert (written.value, written.stats.leaves) == (plain.value, plain.stats.leaves)
    assert split(entry).highest_payoff(0) == rule.upper


def test_what_is_really_paid_is_told_too():
    entry = write_out(ImpModel(2, 2, 3, rule=Constant()))
    assert (entry.highest_payoff(0), entry.most_paid(0)) == (1, 0)


# ---------------------------------------------------------------------- kinds of forgetting


def kinds_by_definition(entry, player):
    """Every pair of nodes of a set, compared where what the player met and did parts for the first time.

    None if a set at which two pasts part is met in both of them, sooner or later: then its witness may say either.
    """
    found = set()
    for later in entry.information_sets(player):
        pasts = [past(entry, node, player) for node in entry.nodes_of[later]]
        for one, other in combinations(pasts, 2):
            step = next((n for n in range(min(len(one), len(other))) if one[n] != other[n]), None)
            if step is None:
                found |= {Forgetting.KNEW} if len(one) != len(other) else set()
            elif one[step][0] == other[step][0]:
                found.add(Forgetting.DID)
            elif one[step][0] in dict(other) or other[step][0] in dict(one):
                return None
            else:
                found.add(Forgetting.KNEW)
    return found


def past(entry, node, player):
    path = [node, *entry.ancestors(node)]
    steps = [(entry.information_set(above), entry.action_to(below)) for below, above in pairwise(path)]
    return [step for step in reversed(steps) if entry.events[step[0]].player == player]


@given(extensive_games(most_nodes=40))
def test_kinds_of_forgetting_by_definition(entry):
    for player in range(len(entry.players)):
        witnesses = kinds_of_forgetting(entry, player)
        assert bool(witnesses) != perfect_recall(entry, player)
        expected = kinds_by_definition(entry, player)
        assert expected in (None, {one.kind for one in witnesses})
        for witness in witnesses:
            one, other = (dict(past(entry, node, player)) for node in witness.nodes)
            assert witness.actions == (one.get(witness.earlier), other.get(witness.earlier))


def test_each_kind_on_its_own():
    from worldwise.extensive import chance, decision, game_of, leaf

    def last(*names):
        return decision("A", {"x": leaf(0), "y": leaf(1)}, knows=names[0])

    did = game_of(decision("A", {"l": last("end"), "r": last("end")}, knows="start"), ["A"])
    coin = {side: ("1/2", decision("A", {"go": last("end")}, knows=side)) for side in "ht"}
    knew = game_of(chance(coin), ["A"])
    assert [one.kind for one in kinds_of_forgetting(did, 0)] == [Forgetting.DID]
    assert [one.kind for one in kinds_of_forgetting(knew, 0)] == [Forgetting.KNEW]
    assert [one.kind for one in kinds_of_forgetting(efg_from_text(DRIVER), 0)] == [Forgetting.ABSENT_MINDED]
    both = chance({**coin, "z": ("0", decision("A", {"l": last("end"), "r": last("end")}, knows="start"))})
    assert {one.kind for one in kinds_of_forgetting(game_of(both, ["A"]), 0)} == {Forgetting.DID, Forgetting.KNEW}


def test_the_same_in_another_order_is_forgotten_too():
    from worldwise.extensive import chance, decision, game_of, leaf

    def last():
        return decision("A", {"x": leaf(0), "y": leaf(1)}, knows="end")

    one = decision("A", {"go": decision("A", {"go": last()}, knows="second")}, knows="first")
    other = decision("A", {"go": decision("A", {"go": last()}, knows="first")}, knows="second")
    entry = game_of(chance({"l": ("1/2", one), "r": ("1/2", other)}), ["A"])
    witness = find_forgotten(entry)
    assert witness.kind is Forgetting.KNEW
    assert kinds_of_forgetting(entry, 0)
