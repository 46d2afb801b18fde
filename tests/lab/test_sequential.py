"""Runs until decided: the error is kept whenever one stops, and what is decided depends on the rows alone."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from lab_coin import TOSSED
from worldwise.cli.lab import Length
from worldwise.core.statistics import CONFIDENCE, paired_difference
from worldwise.errors import InputError
from worldwise.lab.comparisons import above, more
from worldwise.lab.experiment import Claim, Experiment, Verdict
from worldwise.lab.papers import load
from worldwise.lab.plan import Plan, carry_out
from worldwise.lab.results import pool_results, read_results
from worldwise.lab.sequential import Decisions, decide, decisions_of, look_confidence, look_sizes
from worldwise.lab.table import DataTable
from worldwise.runs.rows import Setting
from worldwise.runs.runners import Serial, runner

PLAN = Plan(TOSSED, "laptop", until_decided=True)


# ---------------------------------------------------------------------- the rule


def test_looks_spend_what_there_is():
    spent = [1 - look_confidence(look) for look in range(1, 10_001)]
    assert spent == sorted(spent, reverse=True)
    assert 0.99 * (1 - CONFIDENCE) < sum(spent) <= 1 - CONFIDENCE


@given(st.integers(1, 100), st.integers(1, 10_000))
def test_looks_double_and_end_at_the_end(first, longest):
    sizes = list(look_sizes(first, longest))
    assert sizes[-1] == longest
    assert sizes[:-1] == [first * 2**look for look in range(len(sizes) - 1)]
    assert len(set(sizes)) == len(sizes)
    assert list(islice(look_sizes(first), 3)) == [first, 2 * first, 4 * first]


# ---------------------------------------------------------------------- errors and power, by simulation

ROUNDS = 64
"""Of fifty trees: looks come after 1, 2, 4 ... 64 of them."""

DRAWN = 0.1
"""The share of trees on which two algorithms differ."""


def more_wins(judged):
    def verdict(rows, confidence):
        won, lost = sum(row["won"] for row in rows), sum(row["lost"] for row in rows)
        return Verdict.of(judged(paired_difference(won, lost, 50 * len(rows), confidence)), "")

    return verdict


def simulated(judged):
    return Experiment(
        id="simulated/pairs",
        title="",
        source="",
        claims=(Claim("One wins more", "", more_wins(judged)),),
        settings={"paper": (Setting(trees=50),)},
        seeds={"paper": ROUNDS},
        measure=None,
        summary=lambda rows: DataTable((), ()),
        plot=None,
        unit="trees",
        endless=False,
    )


def simulate(judged, gain, experiments, seed):
    """What becomes of so many experiments in which one algorithm wins so much more than the other."""
    plan, rng = Plan(simulated(judged), "paper"), np.random.default_rng(seed)
    shares = [(DRAWN + gain) / 2, (DRAWN - gain) / 2, 1 - DRAWN]
    counts = rng.multinomial(50, shares, size=(experiments, ROUNDS)).tolist()
    pairs = [pair for pairs in plan.rounds() for pair in pairs]
    for drawn in counts:
        rows = {pair: {"won": won, "lost": lost} for pair, (won, lost, _) in zip(pairs, drawn, strict=True)}
        yield decisions_of(plan, rows)


NULL = 2000


def test_of_null_experiments_at_most_one_in_twenty_is_decided():
    """Nothing is there, so whatever is decided is wrong; whoever takes 95 % at each look is wrong far more often."""
    found = list(simulate(above, 0.0, NULL, seed=1))
    assert sum(decisions.decided for decisions in found) <= 0.05 * NULL
    assert {decisions.look for decisions in found if not decisions.decided} == {7}


def test_looking_with_full_confidence_each_time_would_be_wrong(monkeypatch):
    monkeypatch.setattr("worldwise.lab.sequential.look_confidence", lambda look: CONFIDENCE)
    assert sum(decisions.decided for decisions in simulate(above, 0.0, NULL, seed=1)) > 0.12 * NULL


@pytest.mark.parametrize(("gain", "wrong"), [(0.0, "holds"), (0.01, "fails")])
def test_a_margin_decides_what_is_level_and_is_seldom_wrong(gain, wrong):
    """Where nothing is gained "holds" is wrong, and where as much as the margin is gained "fails" is."""
    found = [decisions.verdicts[0].outcome for decisions in simulate(more, gain, NULL, seed=2)]
    assert found.count(wrong) <= 0.05 * NULL


def test_a_level_game_is_decided_in_the_end():
    plan = Plan(replace(simulated(more), seeds={"paper": 2**11}), "paper")
    rng = np.random.default_rng(3)
    counts = rng.multinomial(50, [0.05, 0.05, 0.9], size=(20, 2**11)).tolist()
    pairs = [pair for pairs in plan.rounds() for pair in pairs]
    for drawn in counts:
        rows = {pair: {"won": won, "lost": lost} for pair, (won, lost, _) in zip(pairs, drawn, strict=True)}
        assert decisions_of(plan, rows).verdicts[0].outcome == "fails"


def test_power():
    """A gain of three in a hundred is found in 3,200 trees."""
    found = [decisions.verdicts[0].outcome for decisions in simulate(above, 0.03, 500, seed=4)]
    assert found.count("holds") >= 0.95 * 500
    assert found.count("fails") <= 1


# ---------------------------------------------------------------------- what is decided depends on the rows alone


def measured(rounds, seed=0):
    """Rows of so many rounds."""
    plan = replace(PLAN, seed=seed)
    return {pair: plan.task(pair).row for pairs in islice(plan.rounds(), rounds) for pair in pairs}


ROWS = measured(80)


@settings(max_examples=60)
@given(st.permutations(list(ROWS)), st.lists(st.integers(1, 60), max_size=20))
def test_order_and_interruptions_change_nothing(order, batches):
    seen, decisions, left = {}, Decisions(PLAN), iter(order)
    for size in [*batches, len(order)]:
        seen |= {pair: ROWS[pair] for pair in islice(left, size)}
        if size % 3 == 0:  # killed and resumed: all it knows are the rows
            decisions = Decisions(PLAN)
        decisions.see(seen)
        assert decisions.verdicts == decisions_of(PLAN, seen).verdicts
    assert decisions.verdicts == decisions_of(PLAN, ROWS).verdicts
    assert str(decisions) == str(decisions_of(PLAN, ROWS))


def test_only_whole_rounds_count_and_looks_come_when_due():
    """Ten games in a row: the first look is after five rounds, which are fifty games at each setting."""
    rows = dict(list(ROWS.items())[: 3 * 5 - 1])
    assert str(decisions_of(PLAN, rows)) == "0 of 3 decided, no look yet, next at 50 games"
    assert decisions_of(PLAN, measured(5)).look == decisions_of(PLAN, measured(9)).look == 1
    assert decisions_of(PLAN, measured(10)).look == 2
    gap = {pair: row for pair, row in ROWS.items() if pair.number != 3}
    assert decisions_of(PLAN, gap).look == 0


def test_a_decided_claim_stays_decided():
    """Rows that would refute it later are not asked: the verdict was reached, and with enough confidence."""
    heads = {pair: {**row, "heads": 10} for pair, row in measured(5).items()}
    tails = {pair: {**row, "heads": 0} for pair, row in measured(80).items() if pair not in heads}
    early, late = decisions_of(PLAN, heads), decisions_of(PLAN, heads | tails)
    assert [verdict.look for verdict in early.verdicts] == [1, 1, 1]
    assert late.verdicts == early.verdicts
    assert early.verdicts[0].because.endswith("; decided at look 1, 50 games")


def test_undecided_claims_say_how_many_rows_they_need():
    fair = decisions_of(PLAN, measured(5)).verdicts[2]
    assert fair.look is None
    assert fair.needed > 15
    assert fair.because.endswith("open after look 1, 50 games")


# ---------------------------------------------------------------------- rounds


def test_a_round_has_every_setting_once():
    rounds = list(islice(PLAN.rounds(), 7))
    assert all([pair.setting for pair in pairs] == list(PLAN.settings) for pairs in rounds)
    assert [pairs[0].number for pairs in rounds] == list(range(7))
    assert PLAN.rows_in(7) == 21
    assert len(Plan(TOSSED, "laptop", length=7).pairs) == 21


def test_numbered_games_are_rounds():
    games = [(1, 1), (1, 2), (2, 1), (2, 2), (10, 1)]
    numbered = tuple(Setting(game=game, depth=depth) for game, depth in games)
    plan = Plan(replace(TOSSED, settings={"laptop": numbered}, seeds={"laptop": 1}, counter="game"), "laptop")
    rounds = [[(pair.setting["game"], pair.number) for pair in pairs] for pairs in islice(plan.rounds(), 5)]
    assert rounds == [[(1, 0)] * 2, [(2, 0)] * 2, [(10, 0)], [(1, 1)] * 2, [(2, 1)] * 2]
    assert [plan.rows_in(count) for count in (2, 3, 5)] == [4, 5, 9]
    again = next(islice(plan.rounds(), 3, None))[0]
    assert plan.knows(again)
    assert not Plan(replace(plan.experiment, endless=False), "laptop").knows(again)


def test_a_longer_run_begins_with_the_same_rows(tmp_path):
    carry_out(Plan(TOSSED, "laptop"), tmp_path, Serial())
    short = read_results(Plan(TOSSED, "laptop"), tmp_path)
    carry_out(Plan(TOSSED, "laptop", length=7), tmp_path, Serial())
    longer = read_results(Plan(TOSSED, "laptop"), tmp_path)
    assert (len(short.rows), len(longer.rows)) == (12, 21)
    assert set(map(str, short.rows)) < set(map(str, longer.rows))
    assert read_results(Plan(TOSSED, "laptop", length=4), tmp_path).rows == short.rows
    assert [row["bias"] for row in longer.rows] == sorted(row["bias"] for row in longer.rows)


# ---------------------------------------------------------------------- runs


def outcomes(results):
    return [(verdict.outcome, verdict.look) for verdict in results.verdicts]


def test_a_run_goes_on_until_all_is_decided(tmp_path):
    heard = []
    decided = decide(PLAN, tmp_path / "one", Serial(), progress=lambda rows, decisions: heard.append(str(decisions)))
    assert decided.over
    assert decided.decided == 3
    assert heard[0] == "0 of 3 decided, no look yet, next at 50 games"
    results = read_results(Plan(TOSSED, "laptop"), tmp_path / "one")  # what it is, its file says
    assert results.until_decided
    assert results.complete
    assert results.verdicts == decided.verdicts == read_results(PLAN, tmp_path / "one").verdicts
    before = len(results.rows)
    decide(PLAN, tmp_path / "one", Serial())
    assert len(read_results(PLAN, tmp_path / "one").rows) == before
    for number, how in enumerate((runner(2), runner(2, "local"))):
        decide(PLAN, tmp_path / str(number), how)
        assert read_results(PLAN, tmp_path / str(number)).verdicts == results.verdicts


def test_time_ends_a_run_and_changes_nothing(tmp_path, monkeypatch):
    undisturbed = decisions_of(PLAN, measured(2000))
    monkeypatch.setenv("COIN_MS", "5")
    for _ in range(3):
        decide(PLAN, tmp_path, Serial(), seconds=0.6)
    some = read_results(PLAN, tmp_path)
    assert not some.complete
    assert some.rows
    monkeypatch.setenv("COIN_MS", "0")
    assert decide(PLAN, tmp_path, Serial()).verdicts == undisturbed.verdicts


def test_a_run_of_fixed_length_does_not_go_on(tmp_path):
    carry_out(Plan(TOSSED, "laptop"), tmp_path, Serial())
    with pytest.raises(InputError, match="fixed beforehand"):
        decide(PLAN, tmp_path, Serial())
    decide(replace(PLAN, seed=1), tmp_path, Serial())
    carry_out(Plan(TOSSED, "laptop", seed=1), tmp_path, Serial())
    assert read_results(Plan(TOSSED, "laptop", seed=1), tmp_path).until_decided


def test_what_cannot_go_on_ends_at_its_end(tmp_path):
    finite = Plan(replace(TOSSED, endless=False), "laptop", until_decided=True)
    decided = decide(finite, tmp_path, Serial())
    assert (decided.over, decided.look) == (True, 1)
    assert not decided.verdicts[2].decided
    assert len(read_results(finite, tmp_path).rows) == 12


# ---------------------------------------------------------------------- pooling, and the command line


def test_seeds_pool(tmp_path):
    runs = []
    for seed in (0, 1):
        carry_out(Plan(TOSSED, "laptop", seed), tmp_path, Serial())
        runs.append(read_results(Plan(TOSSED, "laptop", seed), tmp_path))
    pooled = pool_results(runs)
    assert len(pooled.rows) == 24
    assert pooled.complete
    assert sorted(map(str, pooled.rows)) == sorted(str(row) for run in runs for row in run.rows)
    flips = 10 * sum(row["bias"] == 0.5 for row in pooled.rows)
    assert pooled.summary.records()[0]["heads"].count == flips == 80
    assert pool_results(runs[:1]) is runs[0]
    decide(replace(PLAN, seed=2), tmp_path, Serial())
    with pytest.raises(InputError, match="fixed beforehand"):
        pool_results([runs[0], read_results(replace(PLAN, seed=2), tmp_path)])


@pytest.fixture
def lab(tmp_path, monkeypatch):
    monkeypatch.setattr("worldwise.lab.papers.EXPERIMENTS", {"coin/tossed": "lab_coin:TOSSED"})
    from worldwise.cli.lab import lab_app

    def call(*arguments):
        return CliRunner().invoke(lab_app, [*map(str, arguments), "--out", str(tmp_path)])

    return call


def test_the_command(lab):
    run = lab("run", "coin/tossed", "--until-decided", "--budget", "5m", "--jobs", 1, "--quiet")
    assert run.exit_code == 0, run.output
    assert "until decided: 3 of 3 decided, look" in run.output
    told = json.loads(lab("compare", "coin/tossed", "--json").output)
    assert [verdict["outcome"] for verdict in told["verdicts"]] == ["holds", "holds", "fails"]
    assert told["complete"] is True
    assert told["provenance"]["stopping"] == "until decided"


def test_the_bar_says_how_the_verdicts_stand(lab, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("COIN_MS", "50")  # so that time is over before the first look
    first = lab("run", "coin/tossed", "--until-decided", "--budget", "0.01s", "--jobs", 1)
    monkeypatch.setenv("COIN_MS", "0")
    bar, words = map(str.strip, first.stderr.strip().splitlines())
    assert bar.startswith("coin/tossed ")
    assert "/15" in bar  # rows there are, and rows for the first look
    assert words == "0 of 3 decided, no look yet, next at 50 games"
    assert "3 of 3 decided, look " in lab("run", "coin/tossed", "--until-decided", "--jobs", 1).stderr


def test_numbers_and_seeds_on_the_command_line(lab):
    run = json.loads(lab("run", "coin/tossed", "--games", 65, "--seed", "3,4", "--jobs", 1, "--quiet", "--json").output)
    assert (run["rows"], run["seeds"]) == (2 * 3 * 7, [3, 4])
    pooled = json.loads(lab("compare", "coin/tossed", "--seed", "3,4", "--json").output)
    assert pooled["verdicts"] == run["verdicts"]
    assert "seeds 3, 4" in lab("compare", "coin/tossed", "--seed", "3,4").output


@pytest.mark.parametrize(
    ("name", "unit", "count", "message"),
    [
        ("fb01/all-suits", "problems", 5001, "--problems: fb01/all-suits has 5,000 at most, found 5,001"),
        ("fb01/fig-28", "problems", 100, "--problems: fb01/fig-28 has the problems of its scale"),
        ("fb01/measured-q", "games", 100, "--games: fb01/measured-q has the games of its scale"),
    ],
)
def test_a_number_that_cannot_be_had_is_told(name, unit, count, message):
    """Rather than run all there is: a list of problems is no supply of them."""
    with pytest.raises(InputError, match=message):
        Length(until_decided=False, seconds=None, counts={unit: count}).plan(load(name), "paper", 0)


def test_problems_may_be_counted():
    plan = Length(until_decided=False, seconds=None, counts={"problems": 700}).plan(load("fb01/all-suits"), "paper", 0)
    assert len(plan.pairs) == 2 * 700  # of either kind


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--budget", "30m"), "--budget: expected --until-decided"),
        (("--until-decided", "--budget", "30"), "--budget: expected a time such as 90s, 30m or 2h, found '30'"),
        (("--until-decided", "--budget", "-1s"), "--budget: expected a time"),
        (("--until-decided", "--games", "30"), "expected either --until-decided or --games"),
        (("--trees", "30"), "--trees: coin/tossed counts games, not trees"),
        (("--seed", "1,1"), "--seed: expected each seed once"),
        (("--seed", "1,x"), "--seed: expected a whole number"),
    ],
)
def test_bad_input(tmp_path, arguments, message):
    program = "import lab_coin; lab_coin.main({'coin/tossed': 'lab_coin:TOSSED'})"
    command = [sys.executable, "-c", program, "lab", "run", "coin/tossed", *arguments, "--out", str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "support")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
