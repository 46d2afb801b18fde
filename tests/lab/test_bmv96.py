"""The experiments of BMV96: ratios that follow from counts, claims that can fail, numbers too large for floats."""

from math import log10

import pytest

from worldwise.extensive import ImpModel
from worldwise.extensive.compiled_imp import imp_model_counts
from worldwise.extensive.imp_model import Uniform
from worldwise.lab.experiment import ClaimOutcome
from worldwise.lab.papers.bmv96 import claims, strategies
from worldwise.lab.papers.bmv96.pruning import AVERAGE_CASE, OTHERS, ratio_table
from worldwise.lab.papers.bmv96.ratios import ENOUGH, MAIN, ModelPoint, Ratios, measure_pruning
from worldwise.lab.papers.bmv96.strategies import STRATEGIES, in_powers_of_ten, measure_strategies
from worldwise.runs.rows import Setting

HOLDS, FAILS, UNDECIDED = ClaimOutcome.HOLDS, ClaimOutcome.FAILS, ClaimOutcome.UNDECIDED


def made_up(ratios, trees=100, spread=0.01):
    """Rows in which these shares of leaves are examined, half of the trees a little more and half a little less."""
    rows = []
    for at, share in ratios.items():
        point = at if isinstance(at, ModelPoint) else ModelPoint(*at)
        examined, deviation = share * point.leaves, spread * point.leaves
        rows.append(
            {"k": point.k, "b": point.b, "d": point.d, "highest": point.highest, "seed": 0, "trees": trees}
            | {"examined": round(trees * examined), "squares": round(trees * (examined**2 + deviation**2))}
            | {"visited": round(trees * examined), "immediate": 0, "information_set": trees}
        )
    return rows


def along(name, shares, **fixed):
    """Ratios at the values 2, 3, 4 ... of one parameter."""
    parameters = {"k": 2, "b": 2, "d": 4, **fixed}
    return {ModelPoint(**{**parameters, name: value}): share for value, share in enumerate(shares, 2)}


FALLS_WITH_D, FALLS_WITH_B, GROWS_WITH_K = claims.moves("d", -1), claims.moves("b", -1), claims.moves("k", 1)


@pytest.mark.parametrize(
    ("claim", "ratios", "outcome"),
    [
        (FALLS_WITH_D, along("d", (0.9, 0.7, 0.5)), HOLDS),
        (FALLS_WITH_D, along("d", (0.9, 0.5, 0.7)), FAILS),
        (FALLS_WITH_D, along("d", (0.9, 0.7)) | along("d", (0.7, 0.9), k=3), FAILS),
        (FALLS_WITH_D, along("d", (0.9, 0.7, 0.7001)), HOLDS),  # a step too small to see does not go the other way
        (FALLS_WITH_D, along("d", (0.7, 0.7)), UNDECIDED),
        (FALLS_WITH_D, along("d", (0.7,)), UNDECIDED),
        (FALLS_WITH_D, along("d", (0.9, 0.7), highest=1), UNDECIDED),  # not the payoffs that verdicts go by
        (FALLS_WITH_B, along("b", (0.9, 0.7, 0.5)), HOLDS),
        (FALLS_WITH_B, along("b", (0.5, 0.7, 0.9)), FAILS),
        (GROWS_WITH_K, along("k", (0.5, 0.7, 0.9)), HOLDS),
        (GROWS_WITH_K, along("k", (0.5, 0.4, 0.9)), FAILS),
        (claims.less_than_a_fifth, along("d", (0.7, 0.5, 0.3, 0.18), b=10), HOLDS),
        (claims.less_than_a_fifth, along("d", (0.7, 0.5, 0.3, 0.25), b=10), FAILS),
        (claims.less_than_a_fifth, along("d", (0.7, 0.5, 0.3, 0.2), b=10), UNDECIDED),
        (claims.less_than_a_fifth, along("d", (0.7, 0.5, 0.1), b=10), UNDECIDED),  # no trees of depth 5
        (claims.about_96_percent, along("d", (0.957, 0.94), k=10), HOLDS),
        (claims.about_96_percent, along("d", (0.957, 0.9), k=10), FAILS),
        (claims.about_96_percent, along("d", (0.957, 0.999), k=10), FAILS),
        (claims.about_96_percent, along("d", (0.957, 0.93), k=10), UNDECIDED),
        (claims.about_96_percent, along("d", (0.957, 0.94)), UNDECIDED),  # another k
        (claims.fewer_payoffs_more_pruning, {(2, 2, 3, 1): 0.4, (2, 2, 3, 10): 0.6, (2, 2, 3, 100): 0.7}, HOLDS),
        (claims.fewer_payoffs_more_pruning, {(2, 2, 3, 1): 0.4, (2, 2, 3, 10): 0.3, (2, 2, 3, 100): 0.7}, FAILS),
        (claims.fewer_payoffs_more_pruning, {(2, 2, 3, 1): 0.4, (2, 2, 3, 10): 0.4}, UNDECIDED),
        (claims.fewer_payoffs_more_pruning, {(2, 2, 3, 1): 0.4, (2, 3, 3, 10): 0.6}, UNDECIDED),  # nowhere both
    ],
)
def test_claims_hold_fail_or_wait(claim, ratios, outcome):
    verdict = claim(made_up(ratios))
    assert verdict.outcome is outcome, verdict.because
    assert verdict.because


@pytest.mark.parametrize("claim", [claim.verdict for claim in AVERAGE_CASE.claims])
def test_few_trees_decide_nothing(claim):
    """Not even if they agree to the leaf, which makes the interval a point."""
    ratios = {
        ModelPoint(k, b, d, highest): 1 / d + (k - b) / 1000 + highest / 10**7
        for k, b in ((2, 10), (10, 2), (2, 2))
        for d in (2, 3, 4, 5)
        for highest in (1, MAIN)
    }
    assert claim(made_up(ratios, trees=ENOUGH - 1, spread=0)).outcome is UNDECIDED


def test_many_comparisons_widen_the_intervals():
    """Alone the step from depth 2 to 3 is beyond doubt; among eighty others it is not."""
    step = along("d", (0.5, 0.5035), b=10)
    others = {point: share for b in range(11, 51) for point, share in along("d", (0.9, 0.5), b=b).items()}
    assert FALLS_WITH_D(made_up(step)).outcome is FAILS
    assert FALLS_WITH_D(made_up(step | others)).outcome is UNDECIDED


def test_a_verdict_says_what_other_payoffs_give():
    ratios = along("k", (0.5, 0.9)) | along("k", (0.9, 0.5), highest=10**6)
    verdict = GROWS_WITH_K(made_up(ratios))
    assert verdict.outcome is HOLDS
    assert "payoffs 0 to 1,000,000: 0 of 1 lines, against it b = 2, d = 4, k = 2 to 3: gain -40.0% (" in verdict.because


# ---------------------------------------------------------------------- the measurement


def test_a_row_counts_the_leaves_of_its_trees(kernels):
    row = measure_pruning(Setting(k=2, b=3, d=3, highest=10, trees=4), 5)
    assert 4 * 4 <= row["examined"] <= 4 * 36  # BMV96 Theorem 6
    assert row["squares"] >= row["examined"] ** 2 / 4
    assert row == measure_pruning(Setting(k=2, b=3, d=3, highest=10, trees=4), 5)


def test_rows_are_the_same_with_and_without_kernels(needs_kernels, monkeypatch):
    setting = Setting(k=3, b=2, d=4, highest=2, trees=5)
    compiled = measure_pruning(setting, 11)
    monkeypatch.setenv("WORLDWISE_KERNELS", "off")
    assert measure_pruning(setting, 11) == compiled


def test_trees_of_a_row_and_of_its_neighbour_are_different():
    setting = Setting(k=2, b=5, d=4, highest=10**6, trees=1)
    examined = [measure_pruning(setting, seed)["examined"] for seed in range(20)]
    assert len(set(examined)) > 10


@pytest.mark.parametrize("point", [ModelPoint(2, 3, 4), ModelPoint(3, 2, 3), ModelPoint(10, 2, 2)], ids=str)
def test_minimax_examines_all_leaves_and_nodes(point, kernels):
    _, counts = imp_model_counts(ImpModel(point.k, point.b, point.d, Uniform(10)), prune=False)
    assert (counts.leaves, counts.nodes) == (point.leaves, point.nodes)


def test_only_reachable_upper_bounds_prune_at_once():
    """With two payoffs the bound is met often, with a million never."""
    rows = [
        {**setting, "seed": 0, **measure_pruning(setting, 3)}
        for setting in (Setting(k=2, b=5, d=3, highest=highest, trees=20) for highest in (1, 10**6))
    ]
    ratios = Ratios(rows)
    few, many = ModelPoint(2, 5, 3, 1), ModelPoint(2, 5, 3, 10**6)
    assert ratios.prunings(few, "immediate") > 0 == ratios.prunings(many, "immediate")
    assert ratios.prunings(many, "information_set") > 0
    assert ratios.ratio(few).high < ratios.ratio(many).low


def test_ratios_are_means_over_trees():
    rows = made_up({(2, 10, 3): 0.25}, trees=50) + made_up({(2, 10, 3): 0.75}, trees=50)
    (record,) = ratio_table(rows).records()
    assert record["ratio"].value == pytest.approx(0.5)
    assert record["ratio"].count == 100
    assert record["ratio"].high - record["ratio"].low > 0.09  # how far apart the two rows are counts


def test_paper_scale_covers_the_papers_parameters():
    settings = AVERAGE_CASE.settings["paper"]
    main = [setting for setting in settings if setting["highest"] == MAIN]
    for name in ("k", "b", "d"):
        assert {setting[name] for setting in main} == set(range(2, 11))
    assert {setting["highest"] for setting in settings} == {MAIN, *OTHERS}
    assert all(setting["trees"] * AVERAGE_CASE.seeds["paper"] >= ENOUGH for setting in settings)
    assert max((setting["k"] * setting["b"]) ** (setting["d"] - 1) for setting in settings) <= 2 * 10**7


# ---------------------------------------------------------------------- strategies


@pytest.mark.parametrize("depth", [2, 3, 4, 5])
def test_the_papers_formula_counts_levels_of_decisions(depth, kernels):
    """2^((4^d - 1) / 3) for d levels of decisions; the tree's depth is one more, for chance."""
    row = measure_strategies(Setting(d=depth), 1)
    exponent = (4 ** (depth - 1) - 1) // 3
    assert row["information_sets"] == exponent
    assert row["strategies"] == in_powers_of_ten(2**exponent)
    assert row["strategies_log10"] == pytest.approx(exponent * log10(2))
    assert row["nodes"] == 1 + 2 ** (depth - 2) * (2**depth - 1)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (2, "2"),
        (9999, "9999"),
        (10_000, "1.0 x 10^4"),
        (99_499, "9.9 x 10^4"),
        (99_500, "1.0 x 10^5"),
        (10**40 - 1, "1.0 x 10^40"),
        (10**40, "1.0 x 10^40"),
        (2**5461, "8.4 x 10^1643"),
    ],
)
def test_large_numbers_to_two_digits(number, words):
    assert in_powers_of_ten(number) == words


def sizes(d=8, **changed):
    row = {"d": d, "seed": 0, "nodes": 16_321, "leaves": 8192, "visited": 16_320, "examined": 8192}
    return {**row, "strategies": "8.4 x 10^1643", "tried": "5.4 x 10^1645", **changed}


@pytest.mark.parametrize(
    ("rows", "outcome"),
    [
        ([sizes()], HOLDS),
        ([sizes(nodes=16_320)], FAILS),
        ([sizes(strategies="8.5 x 10^1643")], FAILS),
        ([sizes(7)], UNDECIDED),
    ],
)
def test_the_count_of_section_5_3(rows, outcome):
    assert strategies.as_the_paper_counts(rows).outcome is outcome


@pytest.mark.parametrize(
    ("rows", "outcome"),
    [
        ([sizes(6), sizes(7), sizes(8)], HOLDS),
        ([sizes(6), sizes(7), sizes(8, examined=8191)], FAILS),
        ([sizes(6), sizes(7, visited=16_322), sizes(8)], FAILS),
        ([sizes(8)], UNDECIDED),
    ],
)
def test_linear_work(rows, outcome):
    assert strategies.one_visit_each(rows).outcome is outcome


def test_published_counts_beside_ours():
    notes = [
        STRATEGIES.compare(strategies.strategies_table(rows), STRATEGIES.published).column("note")
        for rows in ([sizes()], [sizes(nodes=1)], [sizes(7)])
    ]
    assert notes == [("agrees", "agrees"), ("differs", "agrees"), ("not measured", "not measured")]


def test_published_ratios_beside_ours():
    summary = ratio_table(made_up({(2, 10, 5): 0.18, (10, 2, 2): 0.957}))
    notes = AVERAGE_CASE.compare(summary, AVERAGE_CASE.published).column("note")
    said = dict.fromkeys(range(len(notes)), "not measured") | {3: "ours is lower", 5: "agrees"}
    assert [note.split(";")[0] for note in notes] == list(said.values())
