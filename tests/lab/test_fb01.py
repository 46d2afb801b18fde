"""The random-tree experiments: rows that depend on setting and seed alone, claims that can fail, pictures that draw."""

import pytest

from worldwise.lab.experiment import ClaimOutcome
from worldwise.lab.papers import load
from worldwise.lab.papers.fb01 import claims
from worldwise.lab.papers.fb01.errors import NINE, TREES, ErrorPoint, Errors, levels, measure_nine
from worldwise.lab.papers.fb01.random_trees import FIG_7, FIG_27, FIG_29, error_table
from worldwise.runs.rows import Setting


def test_paper_scale_is_the_papers():
    """Fig 7: 12 depths, 1,000 trees each, every tree at all ten levels of knowledge."""
    assert sum(setting["trees"] for setting in FIG_7.settings["paper"]) * FIG_7.seeds["paper"] == 12 * 1000
    assert len(levels(10)) == 10
    assert {setting["depth"] for setting in FIG_27.settings["paper"]} == set(range(2, 9))
    assert len({setting["similarity"] for setting in FIG_29.settings["paper"]}) == 20


# ---------------------------------------------------------------------- claims on made-up rows


def made_up(rates, trees=1000, name="monte-carlo"):
    """Rows in which an algorithm errs at these rates, by depth and number of known worlds."""
    by_depth = {}
    for (depth, known), rate in rates.items():
        by_depth.setdefault(depth, {})[known] = rate
    return [
        {"depth": depth, "similarity": 0.0, "worlds": 10, "trees": trees, "seed": 0}
        | {f"{name}.{known}.errors": round(rate * trees) for known, rate in known_rates.items()}
        | {f"{name}.{known}.lost": round(rate * trees) for known, rate in known_rates.items()}
        | {f"{name}.{known}.squares": round(rate * trees) for known, rate in known_rates.items()}
        for depth, known_rates in by_depth.items()
    ]


CASES = [
    (claims.region_a, {(2, 0): 0.12, (2, 9): 0.0}, ClaimOutcome.HOLDS),
    (claims.region_a, {(2, 0): 0.12, (2, 9): 0.3}, ClaimOutcome.FAILS),
    (claims.region_a, {(3, 0): 0.12, (3, 9): 0.3}, ClaimOutcome.UNDECIDED),
    (claims.region_b, {(2, 0): 0.1, (4, 0): 0.3, (6, 0): 0.5}, ClaimOutcome.HOLDS),
    (claims.region_b, {(2, 0): 0.1, (4, 0): 0.6, (6, 0): 0.3}, ClaimOutcome.FAILS),
    (claims.region_c, {(2, 0): 0.1, (2, 9): 0.0, (3, 0): 0.1, (3, 9): 0.3}, ClaimOutcome.HOLDS),
    (claims.region_c, {(3, 0): 0.1, (3, 9): 0.3, (4, 0): 0.3, (4, 9): 0.1}, ClaimOutcome.FAILS),
    (claims.region_c, {(3, 0): 0.1, (3, 9): 0.3, (4, 0): 0.3, (4, 9): 0.3}, ClaimOutcome.UNDECIDED),
    (claims.region_d, {(3, 0): 0.1, (4, 0): 0.3, (3, 9): 0.31, (4, 9): 0.3}, ClaimOutcome.HOLDS),
    (claims.region_d, {(3, 0): 0.1, (4, 0): 0.1, (3, 9): 0.1, (4, 9): 0.3}, ClaimOutcome.FAILS),
    (claims.to_one, {(13, known): 0.99 for known in range(10)}, ClaimOutcome.HOLDS),
    (claims.to_one, {(13, known): 0.5 for known in range(10)}, ClaimOutcome.FAILS),
    (claims.to_one, {(5, 0): 0.99}, ClaimOutcome.UNDECIDED),
    (claims.loss_is_a_tenth, {(13, 0): 1.0, (13, 9): 1.0}, ClaimOutcome.HOLDS),
    (claims.loss_is_a_tenth, {(13, 0): 0.2, (13, 9): 0.2}, ClaimOutcome.FAILS),
]


@pytest.mark.parametrize(("claim", "rates", "outcome"), CASES, ids=lambda x: getattr(x, "__name__", ""))
def test_claims_hold_fail_or_wait(claim, rates, outcome):
    assert claim(made_up(rates)).outcome is outcome


def test_few_trees_decide_nothing():
    assert claims.region_c(made_up({(3, 0): 0.4, (3, 9): 0.6}, trees=10)).outcome is ClaimOutcome.UNDECIDED


@pytest.mark.parametrize(
    ("rates", "outcome"),
    [((0.9, 0.3), ClaimOutcome.HOLDS), ((0.9, 0.05), ClaimOutcome.FAILS), ((0.9, 0.8), ClaimOutcome.FAILS)],
)
def test_a_third_of_the_error(rates, outcome):
    rows = made_up({(8, 9): rates[0]}) + made_up({(8, 9): rates[1]}, name="prm")
    assert claims.third("prm")(rows).outcome is outcome


# ---------------------------------------------------------------------- the measurement itself


@pytest.fixture(scope="module")
def measured():
    """300 trees of each of the depths 2 to 5, all nine algorithms."""
    settings = [Setting(depth=depth, similarity=0.0, worlds=10, trees=TREES) for depth in (2, 3, 4, 5)]
    return [{**s, "seed": seed, **measure_nine(s, seed)} for s in settings for seed in range(3)]


def test_regions_a_and_b_show_with_a_few_hundred_trees(measured):
    assert claims.region_a(measured).outcome is ClaimOutcome.HOLDS
    assert claims.region_b(measured).outcome is ClaimOutcome.HOLDS


def test_depth_two_has_no_error_against_full_knowledge(measured):
    errors = Errors(measured)
    assert {errors.rate(ErrorPoint(name, 2, 9)).value for name in NINE} == {0.0}


def test_refinements_help_against_full_knowledge(measured):
    errors = Errors(measured)
    rates = [errors.rate(ErrorPoint(name, 5, 9)).value for name in ("monte-carlo", "vector-mm", "prm", "iprm-beta")]
    assert rates == sorted(rates, reverse=True)
    assert rates[0] > 0.5 > 0.1 > rates[-1]


def test_the_table_has_a_rate_and_a_loss_for_every_point(measured):
    table = error_table(measured)
    assert len(table.rows) == 4 * 10 * len(NINE)
    for record in table.records():
        assert record["error"].count == 300
        assert record["loss"].value >= 0


def test_experiments_are_found_by_id():
    assert load("fb01/fig-7") is FIG_7
