"""Mixed strategies: by definition, by Gambit, by OpenSpiel, and by published values."""

from io import BytesIO
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from strategies import extensive_games
from worldwise import game
from worldwise.core import CHANCE
from worldwise.core.result import Limit
from worldwise.errors import GameError, InputError, LimitReachedError
from worldwise.extensive import chance, decision, efg_text, game_of, leaf
from worldwise.search import CfrPlus, MixedEquilibrium, best_response, expected_payoffs, nash_conv
from worldwise.search.sequence_form import SequenceForm

FEW = {"most_nodes": 30, "perfect_recall": True}
TWO = {**FEW, "most_players": 2, "zero_sum": True, "inner_outcomes": True}

RPS = {"rock": 0, "paper": 1, "scissors": 2}


def rock_paper_scissors():
    def second(one):
        results = {name: (number - two) % 3 for name, two in RPS.items() for number in [RPS[one]]}
        return decision(
            "Bob", {name: leaf((0, 1, -1)[won], (0, -1, 1)[won]) for name, won in results.items()}, knows="B"
        )

    return game_of(decision("Ann", {one: second(one) for one in RPS}, knows="A"), ["Ann", "Bob"])


def kuhn_poker():
    """Three cards, one bet, written by hand."""

    def show(pot):
        return lambda mine, his: leaf(pot if mine > his else -pot, -pot if mine > his else pot)

    def play(mine, his):
        call = decision("Bob", {"fold": leaf(1, -1), "call": show(2)(mine, his)}, knows=f"{his} bet")
        late = decision("Ann", {"fold": leaf(-1, 1), "call": show(2)(mine, his)}, knows=f"{mine} check bet")
        checked = decision("Bob", {"check": show(1)(mine, his), "bet": late}, knows=f"{his} check")
        return decision("Ann", {"check": checked, "bet": call}, knows=f"{mine}")

    deals = {f"{mine}{his}": ("1/6", play(mine, his)) for mine in range(3) for his in range(3) if mine != his}
    return game_of(chance(deals), ["Ann", "Bob"])


def some_mixture(entry, seed, zeros=0.3):
    rng, found = Random(seed), {}
    for number in entry.information_sets():
        amounts = [0 if rng.random() < zeros else rng.randrange(1, 5) for _ in entry.events[number].actions]
        amounts = amounts if any(amounts) else [1] * len(amounts)
        found[number] = tuple(amount / sum(amounts) for amount in amounts)
    return found


def walked(entry, mixture, node=0):
    """What each player gets, by walking the tree."""
    mover = entry.to_move(node)
    if mover is None:
        return np.array([float(payoff) for payoff in entry.payoffs(node)])
    shares = entry.chances(node) if mover == CHANCE else mixture[entry.information_set(node)]
    below = (walked(entry, mixture, entry.play(node, move)) for move in entry.moves(node))
    return sum(float(share) * payoffs for share, payoffs in zip(shares, below, strict=True))


def best_of_all(entry, mixture, player):
    """The most a player can get, by trying every pure strategy of his."""
    numbers = list(entry.information_sets(player))
    ways = [()]
    for number in numbers:
        ways = [(*way, move) for way in ways for move in range(len(entry.events[number].actions))]
        assume(len(ways) <= 200)
    results = []
    for way in ways:
        own = {
            number: tuple(float(move == one) for one in range(len(entry.events[number].actions)))
            for number, move in zip(numbers, way, strict=True)
        }
        results.append(walked(entry, {**mixture, **own})[player])
    return max(results)


@given(extensive_games(**FEW, inner_outcomes=True), st.integers(0, 10**6))
def test_what_a_mixture_is_worth_and_the_best_answers_to_it_by_definition(entry, seed):
    mixture, form = some_mixture(entry, seed), SequenceForm.of(entry)
    behaviours = form.mixed(mixture)
    assert form.expected(behaviours) == pytest.approx(tuple(walked(entry, mixture)))
    bests = [best_of_all(entry, mixture, player) for player in range(len(entry.players))]
    assert form.best_payoffs(behaviours) == pytest.approx(bests)
    assert nash_conv(entry, mixture) == pytest.approx(sum(bests) - sum(walked(entry, mixture)))
    for player in range(len(entry.players)):
        best, answer = form.best_response(player, behaviours)
        changed = [answer if one == player else behaviour for one, behaviour in enumerate(behaviours)]
        assert form.expected(changed)[player] == pytest.approx(best)


@given(extensive_games(**FEW))
def test_pure_strategies_are_mixtures_too(entry):
    profile = dict.fromkeys(entry.information_sets(), 0)
    form = SequenceForm.of(entry)
    behaviours = form.pure(profile)
    assert form.expected(behaviours) == pytest.approx([float(one) for one in expected_payoffs(entry, profile)])
    exact = [float(best_response(entry, player, profile)[0]) for player in range(len(entry.players))]
    assert form.best_payoffs(behaviours) == pytest.approx(exact)
    assert form.mixture(behaviours).keys() == profile.keys()


@given(extensive_games(**FEW), st.integers(0, 10**6))
def test_plans_and_behaviours_go_both_ways(entry, seed):
    form = SequenceForm.of(entry)
    for own, behaviour in zip(form.decisions, form.mixed(some_mixture(entry, seed, zeros=0)), strict=True):
        assert own.behaviour(own.plan(behaviour)) == pytest.approx(behaviour)


@given(extensive_games(most_nodes=30))
def test_who_forgets_is_refused(entry):
    from worldwise.extensive import perfect_recall

    if perfect_recall(entry):
        form = SequenceForm.of(entry)
        assert form.reached(form.plans(form.uniform)).sum() == pytest.approx(1)
    else:
        with pytest.raises(GameError, match="perfect recall"):
            SequenceForm.of(entry)


# ---------------------------------------------------------------------- equilibria


@given(extensive_games(**TWO))
def test_both_algorithms_find_equilibria(entry):
    programme, plays = MixedEquilibrium().search(entry), CfrPlus(rounds=3000, gap=1e-3).search(entry)
    payoffs = [float(payoff[0]) for payoff in entry.leaf_payoffs()]
    spread = max(payoffs) - min(payoffs)
    assert programme.low == pytest.approx(programme.high, abs=1e-6)
    assert programme.nash_conv == pytest.approx(nash_conv(entry, programme.profile), abs=1e-9)
    assert plays.low - 1e-6 <= programme.value <= plays.high + 1e-6
    assert plays.nash_conv <= 1e-3 * spread + 1e-9


@settings(max_examples=25)
@given(extensive_games(**{**TWO, "most_nodes": 16, "inner_outcomes": False}))
def test_values_are_gambits(entry):
    pygambit = pytest.importorskip("pygambit", reason="Gambit is a test oracle: pip install pygambit")
    theirs = pygambit.read_efg(BytesIO(efg_text(entry).encode()))
    # By strategies: by sequences 17.0.0b2 plays nothing where a player has no choice, and calls that worth 0.
    profile = pygambit.nash.lp_solve(theirs, use_strategic=True, rational=True).equilibrium
    value = profile.payoffs[next(iter(theirs.players))]
    assert MixedEquilibrium().search(entry).value == pytest.approx(float(value), abs=1e-7)


def test_rock_paper_scissors():
    answer = MixedEquilibrium().search(rock_paper_scissors())
    assert answer.value == pytest.approx(0, abs=1e-9)
    for shares in answer.profile.values():
        assert shares == pytest.approx([1 / 3] * 3)


def test_kuhn_poker_by_hand():
    answer = MixedEquilibrium().search(kuhn_poker())
    assert answer.value == pytest.approx(-1 / 18)
    assert answer.low <= -1 / 18 + 1e-9
    assert answer.high >= -1 / 18 - 1e-9


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kuhn_poker", -1 / 18),
        ("leduc_poker", -0.085606424078),
        ("liars_dice(dice_sides=3)", 1 / 9),
        ("matrix_rps", 0),
    ],
)
def test_published_values(name, value):
    pytest.importorskip("pyspiel", reason="OpenSpiel's games need the extra openspiel")
    from worldwise.openspiel import load_open_spiel

    answer = MixedEquilibrium().search(load_open_spiel(name))
    assert answer.value == pytest.approx(value, abs=1e-9)
    assert answer.nash_conv < 1e-9


@pytest.mark.parametrize(
    "name", ["kuhn_poker", "kuhn_poker(players=3)", "leduc_poker", "liars_dice(dice_sides=3)", "tiny_hanabi"]
)
def test_nash_conv_is_openspiels(name):
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel's games need the extra openspiel")
    policies = pytest.importorskip("open_spiel.python.policy", reason="OpenSpiel's Python part is not installed")
    exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    from worldwise.openspiel import OpenSpielForm

    theirs = pyspiel.load_game(name)
    form, policy, rng = SequenceForm.of(OpenSpielForm(theirs)), policies.TabularPolicy(theirs), Random(5)
    mixture = {}
    for own in form.decisions:
        for known, moves in zip(own.sets, own.moves, strict=True):
            amounts = [rng.random() for _ in moves]
            mixture[known] = [amount / sum(amounts) for amount in amounts]
            row = policy.policy_for_key(known)
            row[:] = 0
            row[list(moves)] = mixture[known]
    assert form.nash_conv(form.mixed(mixture)) == pytest.approx(exploitability.nash_conv(theirs, policy), abs=1e-9)


def test_the_limit_stops_both():
    fig = game("bmv96/fig-4")
    with pytest.raises(LimitReachedError):
        MixedEquilibrium().search(fig, Limit(nodes=5))
    with pytest.raises(LimitReachedError):
        CfrPlus().search(fig, Limit(nodes=5))
    kuhn = kuhn_poker()
    short = CfrPlus(gap=0).search(kuhn, Limit(seconds=0.05))
    assert not short.complete
    assert short.low < -1 / 18 < short.high
    assert not CfrPlus(rounds=3, gap=0).search(kuhn).complete


def test_what_is_refused():
    alone = game_of(decision("Ann", {"a": leaf(1)}), ["Ann"])
    with pytest.raises(InputError, match="mixed-equilibrium expects two players, found 1"):
        MixedEquilibrium().search(alone)
    uneven = game_of(decision("Ann", {"a": leaf(1, 1)}), ["Ann", "Bob"])
    with pytest.raises(InputError, match="cfr-plus expects zero sum"):
        CfrPlus().search(uneven)
    with pytest.raises(InputError, match="expected a gap of at least 0"):
        CfrPlus(gap=-1)
    both = chance({"l": ("1/2", decision("Ann", {"a": leaf(0, 0)}, knows="x"))} | {"r": ("1/2", leaf(0, 0))})
    form = SequenceForm.of(game_of(both, ["Ann", "Bob"]))
    with pytest.raises(InputError, match="expected 1 probabilities that sum to 1, found"):
        form.mixed({1: (0.5,)})
    with pytest.raises(InputError, match="expected one of the moves"):
        form.pure({1: 3})


@pytest.mark.parametrize("payoff", [10**999, 10**400, 10**13, -(10**13)])
@pytest.mark.parametrize("search", [MixedEquilibrium(), CfrPlus()], ids=lambda search: search.name)
def test_payoffs_that_no_float_can_reckon_with(search, payoff):
    """The largest used to end in an OverflowError, and those that just fit a float in no number at all."""
    monstrous = game_of(
        decision("Ann", {"take": leaf(payoff, -payoff), "leave": leaf(0, 0)}, knows="A"), ["Ann", "Bob"]
    )
    with pytest.raises(GameError, match="expected payoffs between -1e12 and 1e12"):
        search.search(monstrous)


def test_without_scipy_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "scipy.optimize", None)
    with pytest.raises(InputError, match=r"pip install 'worldwise\[mixed\]'"):
        MixedEquilibrium().search(rock_paper_scissors())
    assert CfrPlus().search(rock_paper_scissors()).complete
