"""BMV96's open questions: the small games, what IMP-minimax is worth in them, and claims that can fail."""

from random import Random

import pytest

from worldwise.extensive import perfect_recall, write_out
from worldwise.extensive.imp_model import ImpModel, Uniform
from worldwise.lab.experiment import ClaimOutcome
from worldwise.lab.papers.bmv96.quality import (
    SUMS,
    Quality,
    loses_nothing,
    measure_forgetting,
    measure_two_players,
)
from worldwise.lab.papers.bmv96.questions import FORGETTING, TWO_PLAYERS
from worldwise.lab.papers.bmv96.small_games import (
    FORGETS,
    Forgetful,
    TwoSecrets,
    judge_forgetful,
    judge_two_players,
)
from worldwise.runs.rows import Setting
from worldwise.search import ExtensiveBruteForce, ImpMinimax

HOLDS, FAILS, UNDECIDED = ClaimOutcome.HOLDS, ClaimOutcome.FAILS, ClaimOutcome.UNDECIDED


# ---------------------------------------------------------------------- the games


@pytest.mark.parametrize(("k", "b", "d"), [(2, 2, 2), (2, 2, 3), (3, 2, 2)])
def test_two_secrets_is_a_game_in_which_nobody_forgets(k, b, d):
    game = TwoSecrets.random(k, b, d, Random(1))
    written = write_out(game)
    assert perfect_recall(written)
    assert written.leaves == k * k * b**d
    judged = judge_two_players(game)
    assert judged.best == ExtensiveBruteForce().search(written).value
    assert judged.mean <= judged.best >= judged.found
    assert judged.believed == ImpMinimax().search(written).believed[0]


def test_who_forgets_nothing_plays_the_imp_model():
    rule = Uniform(10, 3)
    plain, ours = (write_out(model) for model in (ImpModel(2, 2, 4, rule), Forgetful(2, 2, 4, rule)))
    assert ImpMinimax().search(plain).value == ImpMinimax().search(ours).value
    assert {ours.information_set(node) for node in range(len(ours)) if ours.to_move(node) == 0} == {
        plain.information_set(node) for node in range(len(plain)) if plain.to_move(node) == 0
    }


@pytest.mark.parametrize("forgets", FORGETS)
def test_forgetting_is_what_it_is_called(forgets):
    game = Forgetful(2, 2, 4, Uniform(10, 5), forgets=forgets)
    assert perfect_recall(write_out(game)) == (forgets == "nothing")
    judged = judge_forgetful(game)
    assert judged.best == ExtensiveBruteForce().search(game).value
    assert judged.found <= judged.best <= judged.believed
    if forgets in ("nothing", "what he did"):  # a plan says what was done, so nothing is lost by forgetting it
        assert judged.best == judge_forgetful(Forgetful(2, 2, 4, Uniform(10, 5))).best


# ---------------------------------------------------------------------- rows and claims


def test_a_row_adds_up_its_games():
    setting = Setting(k=2, b=2, d=2, searched=True, games=4)
    row, rng = measure_two_players(setting, 9), Random(9)
    judged = [judge_two_players(TwoSecrets.random(2, 2, 2, rng)) for _ in range(4)]
    lost = [float(one.best - one.found) / 10 for one in judged]
    assert row["lost"] == pytest.approx(sum(lost))
    assert row["lost_squares"] == pytest.approx(sum(x * x for x in lost))
    assert row["by_chance"] == pytest.approx(sum(float(one.best - one.mean) / 10 for one in judged))
    assert row["wrong"] == sum(x > 0 for x in lost)
    assert row["reached"] <= row["equilibria"] <= 4
    assert row == measure_two_players(setting, 9)


def made_up(games=400, wrong=0.1, lost=0.1, by_chance=0.5, reached=0.9, excess=0.2, forgets="nothing"):
    """Games of one kind that all lose alike where they lose."""
    row = dict.fromkeys(SUMS, 0.0) | {"k": 2, "b": 2, "d": 3, "games": games, "seed": 0, "forgets": forgets}
    losing = round(wrong * games)
    row |= {"wrong": losing, "lost": lost * losing, "lost_squares": lost**2 * losing, "equilibria": games}
    row |= {"by_chance": by_chance * games, "by_chance_squares": by_chance**2 * games}
    row |= {"excess": excess * games, "excess_squares": excess**2 * games, "products": lost * by_chance * losing}
    return [row | {"reached": round(reached * games)}]


BEST, NEARER, EQUILIBRIUM = (claim.verdict for claim in TWO_PLAYERS.claims)
_, BELIEVES, KEEPS = (claim.verdict for claim in FORGETTING.claims)


@pytest.mark.parametrize(
    ("claim", "rows", "outcome"),
    [
        (BEST, made_up(wrong=0.1), HOLDS),
        (BEST, made_up(wrong=0.9), FAILS),
        (BEST, made_up(wrong=0.1, games=50), UNDECIDED),
        (NEARER, made_up(lost=0.1), HOLDS),
        (NEARER, made_up(wrong=1, lost=0.4), FAILS),
        (EQUILIBRIUM, made_up(reached=0.9), HOLDS),
        (EQUILIBRIUM, made_up(reached=0.1), FAILS),
        (loses_nothing, made_up(wrong=0), HOLDS),
        (loses_nothing, made_up(wrong=0.01), FAILS),
        (loses_nothing, made_up(forgets="both"), UNDECIDED),
        (BELIEVES, made_up(forgets="both"), HOLDS),
        (BELIEVES, made_up(forgets="both", excess=-0.1), FAILS),
        (BELIEVES, made_up(), UNDECIDED),
        (KEEPS, made_up(forgets="both"), HOLDS),
        (KEEPS, made_up(forgets="both", wrong=1, lost=0.4), FAILS),
    ],
)
def test_claims(claim, rows, outcome):
    assert claim(rows, 0.95).outcome is outcome


def test_tables_and_pictures():
    rows = made_up() + made_up(forgets="both")
    (kind, other) = Quality.of(rows)
    assert (kind.games, str(other.sizes)) == (400, "k = 2, b = 2, d = 3, forgets both")
    assert TWO_PLAYERS.summary(rows).records()[0]["lost by chance"].value == pytest.approx(0.5)
    assert TWO_PLAYERS.plot(rows).axes
    setting = Setting(k=2, b=2, d=4, forgets="what he did", games=3)
    assert measure_forgetting(setting, 1) == measure_forgetting(setting, 1)
