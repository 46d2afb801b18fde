"""The random-tree experiments: rows that depend on setting and seed alone, claims that can fail, pictures that draw."""

from itertools import combinations

import numpy as np
import pytest

from worldwise import Exact, Ties, algorithm, evaluate
from worldwise.core.statistics import rate_difference
from worldwise.lab.experiment import ClaimOutcome
from worldwise.lab.papers import load
from worldwise.lab.papers.fb01 import algorithm_claims as claims
from worldwise.lab.papers.fb01 import monte_carlo_claims as regions
from worldwise.lab.papers.fb01.errors import (
    TEN,
    TREES,
    ErrorPoint,
    Errors,
    RandomTrees,
    levels,
    measure_all,
    measure_best_defence,
    measure_levels,
    measure_monte_carlo,
)
from worldwise.lab.papers.fb01.random_trees import BRANCHING, FIG_7, FIG_27, FIG_29, MANY_WORLDS, MATCHING_Q
from worldwise.lab.papers.fb01.tables import error_table
from worldwise.runs.rows import Setting
from worldwise.trees import compile_game

HOLDS, FAILS, UNDECIDED = ClaimOutcome.HOLDS, ClaimOutcome.FAILS, ClaimOutcome.UNDECIDED
MC = "monte-carlo"


def test_paper_scale_is_at_least_the_papers():
    """Fig 7: 12 depths, 1,000 trees each or more, every tree at all ten levels of knowledge."""
    assert min(setting["trees"] for setting in FIG_7.settings["paper"]) * FIG_7.seeds["paper"] >= 1000
    assert {setting["depth"] for setting in FIG_7.settings["paper"]} == set(range(2, 14))
    assert len(levels(10)) == 10
    assert {setting["depth"] for setting in FIG_27.settings["paper"]} == set(range(2, 9))
    assert len({setting["similarity"] for setting in FIG_29.settings["paper"]}) == 20
    assert min(setting["trees"] for setting in FIG_29.settings["paper"]) * FIG_29.seeds["paper"] == 1000


# ---------------------------------------------------------------------- claims on made-up rows


def made_up(rates, trees=100_000, similarity=0.0, together=1.0):
    """Rows in which algorithms err at these rates, by name, depth and number of known worlds.

    Of the errors that two could share at most, they share this part. The best strategy wins two worlds in a tenth of
    the trees, where all errors are that can be.
    """
    rows = {}
    for (name, depth, known), rate in rates.items():
        row = rows.setdefault(depth, {"depth": depth, "similarity": similarity, "worlds": 10, "trees": trees})
        errors = round(rate * trees)
        row |= {f"{name}.{known}.{what}": errors for what in ("errors", "lost", "squares")}
        row |= {f"{name}.{known}.several": min(errors, trees // 10), f"optimum.{known}.several": trees // 10}
    for row in rows.values():
        points = [key.removesuffix(".errors") for key in row if key.endswith(".errors")]
        for one, two in combinations(points, 2):
            shared = min(row[f"{one}.errors"], row[f"{two}.errors"])
            row[f"{one}&{two}.both"] = round(together * shared)
    return list(rows.values())


def monte_carlo(rates, **how):
    return made_up({(MC, *place): rate for place, rate in rates.items()}, **how)


FALLING = {(2, known): (9 - known) / 50 for known in range(10)}
GROWING = {(depth, 0): depth / 20 for depth in range(2, 9)}
DEEP = {(13, known): 0.99 for known in range(10)}

REGIONS = [
    (regions.region_a, FALLING, HOLDS),
    (regions.region_a, FALLING | {(2, 9): 0.001}, FAILS),
    (regions.region_a, FALLING | {(2, 5): FALLING[2, 4]}, FAILS),
    (regions.region_a, {(3, 0): 0.12, (3, 9): 0.3}, UNDECIDED),
    (regions.region_b, GROWING, HOLDS),
    (regions.region_b, GROWING | {(9, 0): 0.1}, HOLDS),  # beyond Fig 8
    (regions.region_b, GROWING | {(7, 0): 0.3}, FAILS),
    (regions.region_c, {(2, 0): 0.1, (2, 9): 0.0, (3, 0): 0.1, (3, 9): 0.3}, HOLDS),
    (regions.region_c, {(3, 0): 0.1, (3, 9): 0.3, (4, 0): 0.3, (4, 9): 0.1}, FAILS),
    (regions.region_c, {(3, 0): 0.1, (3, 9): 0.3, (4, 0): 0.3, (4, 9): 0.3}, FAILS),  # no growth to speak of
    (regions.region_d, {(3, 0): 0.1, (4, 0): 0.3, (3, 9): 0.31, (4, 9): 0.3}, HOLDS),
    (regions.region_d, {(3, 0): 0.1, (4, 0): 0.3, (3, 9): 0.1, (4, 9): 0.3}, FAILS),
    (regions.region_d, {(3, 0): 0.1, (4, 0): 0.1, (3, 9): 0.1, (4, 9): 0.1}, FAILS),  # they never were apart
    (regions.to_one, DEEP, HOLDS),
    (regions.to_one, DEEP | {(13, 3): 0.9}, FAILS),
    (regions.to_one, {(5, 0): 0.99}, UNDECIDED),
    (regions.loss_is_a_tenth(everywhere=False), DEEP, HOLDS),
    (regions.loss_is_a_tenth(everywhere=False), DEEP | {(13, 9): 0.2}, FAILS),
    (regions.loss_is_a_tenth(everywhere=True), DEEP, HOLDS),
    (regions.loss_is_a_tenth(everywhere=True), DEEP | {(13, 0): 0.5}, FAILS),
]


@pytest.mark.parametrize(("claim", "rates", "outcome"), REGIONS)
def test_claims_of_monte_carlo_hold_fail_or_wait(claim, rates, outcome):
    assert claim(monte_carlo(rates)).outcome is outcome


def test_few_trees_decide_nothing():
    rates = {(3, 0): 0.4, (3, 9): 0.6}
    verdict = regions.region_c(monte_carlo(rates, trees=10, together=0.5))
    assert verdict.outcome is UNDECIDED
    assert verdict.times > 1


def by_similarity(rates, depth=11):
    return [row for q, rate in rates.items() for row in monte_carlo({(depth, 9): rate, (depth, 0): 0.3}, similarity=q)]


STEADY = {round(0.05 * step, 2): 0.98 - 0.0465 * step for step in range(20)}


@pytest.mark.parametrize(
    ("claim", "rates", "outcome"),
    [
        (regions.falls_with_similarity, STEADY, HOLDS),
        (regions.falls_with_similarity, STEADY | {0.5: 0.9}, FAILS),
        (regions.falls_with_similarity, {0.3: 0.5}, UNDECIDED),
        (regions.third_at_seventy, {0.65: 0.4, 0.7: 0.35, 0.75: 0.3}, HOLDS),
        (regions.third_at_seventy, {0.65: 0.35, 0.7: 0.3, 0.75: 0.25}, FAILS),
        (regions.third_at_seventy, {0.65: 0.45, 0.7: 0.4, 0.75: 0.36}, FAILS),
        (regions.third_at_seventy, STEADY | {0.7: 0.35}, HOLDS),
    ],
)
def test_claims_of_similar_worlds(claim, rates, outcome):
    assert claim(by_similarity(rates)).outcome is outcome


def everywhere(**rates):
    """Algorithms that err alike at the depths 3 to 8 and all levels; names have _ for -."""
    return {
        (name.replace("_", "-"), depth, known): rate
        for name, rate in rates.items()
        for depth in range(3, 9)
        for known in range(10)
    }


CROSSED = {
    (name, depth, known): rate
    for depth in range(3, 9)
    for known in range(10)
    for name, rate in ((MC, 0.5), ("vector-mm", 0.45), ("prm", 0.7 - 0.055 * known))
}


@pytest.mark.parametrize(
    ("claim", "rates", "outcome"),
    [
        (claims.a_third("prm"), {(MC, 8, 9): 0.9, ("prm", 8, 9): 0.3}, HOLDS),
        (claims.a_third("prm"), {(MC, 8, 9): 0.9, ("prm", 8, 9): 0.25}, FAILS),
        (claims.a_third("prm"), {(MC, 8, 9): 0.9, ("prm", 8, 9): 0.38}, FAILS),
        (claims.a_third("prm"), {(MC, 7, 9): 0.9, ("prm", 7, 9): 0.3}, UNDECIDED),
        (claims.vector_mm_is_better, everywhere(monte_carlo=0.5, vector_mm=0.4), HOLDS),
        (claims.vector_mm_is_better, everywhere(monte_carlo=0.5, vector_mm=0.5), FAILS),
        (claims.crosses("prm"), CROSSED, HOLDS),
        (claims.crosses("prm"), CROSSED | {("vector-mm", 5, 6): 0.3}, FAILS),
        (claims.crosses("prm"), CROSSED | {("prm", 5, 0): 0.4}, FAILS),
        (claims.crosses("prm"), CROSSED | {("prm", 7, 5): 0.46}, HOLDS),  # about 5/9: on average over depths
        (claims.crosses("prm"), CROSSED | {("prm", d, 5): 0.46 for d in range(3, 9)}, FAILS),
        (claims.never_worse("ivm"), everywhere(vector_mm=0.5, ivm=0.5), HOLDS),
        (claims.never_worse("ivm"), everywhere(vector_mm=0.5, ivm=0.4) | {("ivm", 4, 0): 0.52}, FAILS),
        (claims.easier_deeper("prm"), {("prm", d, 9): 0.5 - 0.05 * d for d in range(5, 9)}, HOLDS),
        (
            claims.easier_deeper("prm"),
            {("prm", d, 9): 0.4 if d == 7 else 0.3 for d in range(5, 9)},
            FAILS,
        ),
        (claims.ivm_is_bounded, {(MC, 8, 9): 0.9, ("ivm", 8, 9): 0.1}, HOLDS),
        (claims.ivm_is_bounded, {(MC, 8, 9): 0.9, ("ivm", 8, 9): 0.2}, FAILS),
        (claims.no_third_for_ivm, {(MC, 8, 9): 0.9}, HOLDS),
        (claims.no_third_for_ivm, {(MC, 8, 9): 0.3}, FAILS),
    ],
)
def test_claims_of_algorithms_hold_fail_or_wait(claim, rates, outcome):
    assert claim(made_up(rates)).outcome is outcome


BRIDGE_LIKE = {name: wrong / problems for name, (wrong, problems) in claims.BRIDGE.items()}


def test_the_order_of_bridge_is_that_of_all_nine():
    rates = {(name, 8, 9): rate + 0.02 * (9 - place) for place, (name, rate) in enumerate(BRIDGE_LIKE.items())}
    assert claims.bridge_order(made_up(rates, similarity=0.75)).outcome is HOLDS
    worse = rates | {("ivm", 8, 9): rates["prm", 8, 9]}
    assert claims.bridge_order(made_up(worse, similarity=0.75)).outcome is FAILS
    shallow = {(name, 4, 9): rate for (name, _, _), rate in rates.items()}
    assert claims.bridge_order(made_up(shallow, similarity=0.75)).because == "no trees of depth 8"


def matching(shift, depths=claims.DEPTHS):
    """Each algorithm errs as often as in Bridge at q = 0.75, and less the more similar worlds are; some are shifted."""
    return [
        row
        for q in (0.55, 0.65, 0.75, 0.85, 0.95)
        for row in made_up(
            {
                (name, depth, 9): max(0, rate * (1 + 5 * (0.75 + shift.get(name, 0) - q)))
                for name, rate in BRIDGE_LIKE.items()
                for depth in depths
            },
            similarity=q,
        )
    ]


def test_all_match_bridge_at_one_q_or_not():
    assert claims.bridge_q(matching({})).outcome is HOLDS
    assert claims.bridge_q(matching({MC: 0.05})).outcome is HOLDS
    verdict = claims.bridge_q(matching({MC: -0.15}))
    assert verdict.outcome is FAILS
    assert "monte-carlo 0.60, vector-mm 0.75" in verdict.because
    assert claims.bridge_q(matching({MC: -0.15}, depths=(5, 8))).outcome is UNDECIDED  # other depths may tell otherwise
    assert MATCHING_Q.summary(matching({})).records()[0]["depth 8"] == "0.75"


# ---------------------------------------------------------------------- the measurement itself


@pytest.fixture(scope="module")
def measured():
    """300 trees of each of the depths 2 to 5, all algorithms."""
    settings = [Setting(depth=depth, similarity=0.0, worlds=10, trees=TREES) for depth in (2, 3, 4, 5)]
    return [{**s, "seed": seed, **measure_all(s, seed)} for s in settings for seed in range(3)]


def test_a_row_is_what_the_algorithms_do_tree_by_tree(kernels):
    """From the one-tree searches: errors, losses, and what two get wrong together."""
    setting = Setting(depth=4, similarity=0.3, worlds=4, trees=12)
    trees, row = RandomTrees.of(setting, 5), measure_all(setting, 5)
    games = [compile_game(trees.batch.tree(number)) for number in range(12)]
    ties = [Ties(int(seed)) for seed in trees.ties.seeds]
    for known in range(4):
        best = [Exact(known=frozenset(range(known))).search(game).value for game in games]
        found = {
            name: [
                evaluate(game, algorithm(name, rule).search(game).strategy, range(known)).value
                for game, rule in zip(games, ties, strict=True)
            ]
            for name in ("monte-carlo", "ivm-tiebreak")
        }
        lost = {name: np.rint(4 * (np.array(best) - values)).astype(int) for name, values in found.items()}
        for name, worlds in lost.items():
            assert row[f"{name}.{known}.errors"] == (worlds > 0).sum()
            assert row[f"{name}.{known}.lost"] == worlds.sum()
            assert row[f"{name}.{known}.squares"] == (worlds**2).sum()
        both = (lost["monte-carlo"] > 0) & (lost["ivm-tiebreak"] > 0)
        assert row[f"monte-carlo.{known}&ivm-tiebreak.{known}.both"] == both.sum()
    several = np.rint(4 * np.array([Exact().search(game).value for game in games])) > 1
    assert row["optimum.3.several"] == several.sum()


def test_rows_of_one_algorithm_are_rows_of_all():
    setting = Setting(depth=5, similarity=0.5, worlds=10, trees=50)
    everything, alone, by_level = (f(setting, 7) for f in (measure_all, measure_monte_carlo, measure_levels))
    assert alone.items() <= everything.items()
    assert alone.items() <= by_level.items()
    assert len([key for key in by_level if key.endswith(".both")]) == 45
    assert measure_best_defence(setting, 7).items() <= everything.items()


def test_differences_are_paired(measured):
    errors = Errors(measured)
    one, two = ErrorPoint("monte-carlo", 5, 9), ErrorPoint("vector-mm", 5, 9)
    counts = [(round(rate.value * rate.count), rate.count) for rate in map(errors.rate, (one, two))]
    separate, paired = rate_difference(*counts[0], *counts[1]), errors.difference(one, two)
    assert paired.value == pytest.approx(separate.value)
    assert paired.high - paired.low < 0.8 * (separate.high - separate.low)
    assert errors.excess(one, two, 1).value == pytest.approx(paired.value)


def test_regions_show_with_a_few_hundred_trees(measured):
    assert claims.crosses("prm")(measured).outcome is not FAILS
    assert claims.ivm_is_bounded(measured).outcome is HOLDS


def test_depth_two_has_no_error_against_full_knowledge(measured):
    errors = Errors(measured)
    assert {errors.rate(ErrorPoint(name, 2, 9)).value for name in TEN} == {0.0}


def test_refinements_help_against_full_knowledge(measured):
    errors = Errors(measured)
    rates = [errors.rate(ErrorPoint(name, 5, 9)).value for name in ("monte-carlo", "vector-mm", "prm", "iprm-beta")]
    assert rates == sorted(rates, reverse=True)
    assert rates[0] > 0.5 > 0.1 > rates[-1]


def test_the_table_has_a_rate_and_a_loss_for_every_point(measured):
    table = error_table(measured)
    assert len(table.rows) == 4 * 10 * len(TEN)
    for record in table.records():
        assert record["error"].count == 300
        assert record["loss"].value >= 0


def test_shorter_tables_have_a_rate_in_every_cell(measured):
    table = FIG_27.digest(measured)
    assert (len(table.rows), len(table.columns)) == (len(TEN), 2 + 10)  # depth 5 alone is deep enough
    errors = Errors(measured)
    first = table.records()[0]
    assert (first["algorithm"], first["depth"]) == (MC, 5)
    assert float(first["9/9"]) == errors.rate(ErrorPoint(MC, 5, 9)).value
    assert len(FIG_7.digest(measured).rows) == 4 * len(TEN)
    assert FIG_29.digest(measured).columns == ("q", "depth 2", "depth 5")
    assert len(BRANCHING.digest(measured).rows) == len(MANY_WORLDS.digest(measured).rows) == len(TEN)


def test_an_algorithm_of_ones_own_comes_after_the_papers(measured):
    """Its name may have dots."""
    rows = [{**row, "my.module:Search.9.errors": 3} for row in measured]
    errors = Errors(rows)
    assert errors.algorithms() == [*TEN, "my.module:Search"]
    assert errors.rate(ErrorPoint("my.module:Search", 5, 9)).value == 0.03


def test_experiments_are_found_by_id():
    assert load("fb01/fig-7") is FIG_7
