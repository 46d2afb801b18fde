"""Figures with their intervals: against published examples, against scipy, and by simulated experiments."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from worldwise.core.statistics import (
    Sums,
    clopper_pearson,
    difference,
    mean,
    mean_of_losses,
    mean_of_sums,
    paired_difference,
    paired_mean,
    rate_difference,
    ratio_of_sums,
    student_quantile,
    weighted_difference,
    wilson,
)
from worldwise.errors import InputError

EXPERIMENTS = 10_000
LEAST = 0.94


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_against_newcombe_1998(successes, trials, low, high):
    rate = wilson(successes, trials)
    assert (round(rate.low, 4), round(rate.high, 4)) == (low, high)
    mirrored = wilson(trials - successes, trials)
    assert math.isclose(mirrored.high, 1 - rate.low)
    assert math.isclose(mirrored.low, 1 - rate.high, abs_tol=1e-12)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.999))
def test_wilson_ends_are_the_rates_that_the_score_test_just_accepts(counts, confidence):
    """The interval's definition: |rate - p| = z sqrt(p (1 - p) / n) at both ends."""
    successes, trials = counts
    rate = wilson(successes, trials, confidence)
    assert 0 <= rate.low <= rate.value <= rate.high <= 1
    z = math.sqrt(2) * _inverse_erf(confidence)
    for end, trivial in ((rate.low, successes == 0), (rate.high, successes == trials)):
        if not trivial:
            assert math.isclose(abs(rate.value - end), z * math.sqrt(end * (1 - end) / trials), rel_tol=1e-6)


def _inverse_erf(target):
    low, high = 0.0, 10.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if math.erf(middle) < target else (low, middle)
    return low


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [((56, 70, 48, 80), 0.0524, 0.3339), ((9, 10, 3, 10), 0.1705, 0.8090), ((10, 10, 0, 10), 0.6075, 1.0)],
)
def test_difference_against_newcombe_1998(counts, low, high):
    """His is built on Wilson's; ours on a longer one, so it holds his."""
    found = difference(wilson(*counts[:2]), wilson(*counts[2:]))
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)
    ours, swapped = rate_difference(*counts), rate_difference(*counts[2:], *counts[:2])
    assert ours.low < low < high <= ours.high
    assert math.isclose(swapped.low, -ours.high)
    assert math.isclose(swapped.high, -ours.low)


@given(
    st.integers(1, 3_000_000).flatmap(lambda n: st.tuples(st.integers(0, n) | st.integers(0, min(n, 3)), st.just(n))),
    st.sampled_from([0.5, 0.95, 0.995, 0.9995, 0.999999]),
)
def test_clopper_and_pearson_against_scipy(counts, confidence):
    """Their definition: each end is a quantile of a beta distribution."""
    successes, trials = counts
    rate, doubt = clopper_pearson(successes, trials, confidence), (1 - confidence) / 2
    low = stats.beta.ppf(doubt, successes, trials - successes + 1) if successes else 0.0
    high = stats.beta.isf(doubt, successes + 1, trials - successes) if successes < trials else 1.0
    assert math.isclose(rate.low, low, rel_tol=1e-6)
    assert math.isclose(1 - rate.high, 1 - high, rel_tol=1e-6, abs_tol=1e-12)
    mirrored = clopper_pearson(trials - successes, trials, confidence)
    assert math.isclose(mirrored.low, 1 - rate.high, rel_tol=1e-6, abs_tol=1e-12)


@given(st.lists(st.integers(-1000, 1000), min_size=1, max_size=50))
def test_mean_from_values_and_from_sums(values):
    one = mean(values)
    two = mean_of_sums(sum(values), sum(value * value for value in values), len(values))
    assert one.value in one
    assert one.count == len(values)
    for a, b in ((one.value, two.value), (one.low, two.low), (one.high, two.high)):
        assert a == b or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-6)
    if len(values) > 1:
        centre = sum(values) / len(values)
        variance = sum((value - centre) ** 2 for value in values) / (len(values) - 1)
        half = stats.t.ppf(0.975, len(values) - 1) * math.sqrt(variance / len(values))
        assert math.isclose(one.high - one.value, half, rel_tol=1e-5, abs_tol=1e-9)


@pytest.mark.parametrize(
    "call",
    [
        lambda: wilson(0, 0),
        lambda: clopper_pearson(3, 2),
        lambda: clopper_pearson(1, 2, confidence=0.0),
        lambda: wilson(3, 2),
        lambda: wilson(1, 2, confidence=1.0),
        lambda: mean([]),
        lambda: mean_of_losses(0, 0, 0),
        lambda: mean_of_losses(3, 3, 2),
        lambda: weighted_difference([], []),
        lambda: weighted_difference([2], [1]),
        lambda: student_quantile(0.95, 0),
        lambda: mean_of_sums(0, 0, 0),
    ],
)
def test_nothing_is_estimated_from_nothing(call):
    with pytest.raises(InputError, match="expected"):
        call()


@given(st.integers(1, 3000), st.sampled_from([0.5, 0.8, 0.95, 0.995, 0.9999]))
def test_students_quantile_against_scipy(freedom, confidence):
    assert math.isclose(student_quantile(confidence, freedom), stats.t.ppf((1 + confidence) / 2, freedom), rel_tol=1e-5)


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=20), st.floats(0.1, 10))
def test_a_ratio_by_a_constant_is_a_mean(values, constant):
    ratio, expected = ratio_of_sums(values, [constant] * len(values)), mean([value / constant for value in values])
    for end in ("value", "low", "high"):
        assert math.isclose(getattr(ratio, end), getattr(expected, end), rel_tol=1e-6, abs_tol=1e-6)


def test_a_ratio_by_what_may_be_nothing_has_no_bounds():
    assert (ratio_of_sums([1.0, 2.0], [0.1, 9.0]).low, ratio_of_sums([1.0], [2.0]).high) == (-math.inf, math.inf)


# ---------------------------------------------------------------------- what is paired


TRIALS = st.lists(st.tuples(*(st.sampled_from([0.0, 0.1, 0.2, 0.5, 1.0]) for _ in range(2))), min_size=2, max_size=30)


@given(TRIALS, st.sampled_from([1, 10**8]))
def test_a_paired_mean_is_the_mean_of_differences(trials, times):
    """Its value is theirs, and of very many trials the interval is the normal one."""
    sums = [Sums(times * sum(loss), times * sum(x * x for x in loss)) for loss in zip(*trials, strict=True)]
    products, count = times * sum(x * y for x, y in trials), times * len(trials)
    found, swapped = paired_mean(*sums, products, count), paired_mean(*sums[::-1], products, count)
    differences = np.array([x - y for x, y in trials])
    assert math.isclose(found.value, differences.mean(), abs_tol=1e-9)
    assert -1 - 1e-9 <= found.low <= found.value + 1e-9 <= found.high + 2e-9 <= 1 + 3e-9
    assert math.isclose(swapped.low, -found.high, abs_tol=1e-9)
    if times > 1:
        normal = 1.96 * differences.std() / math.sqrt(count)
        assert math.isclose(found.high - found.low, 2 * normal, rel_tol=0.01, abs_tol=1e-6)


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.integers(0, n), st.just(n))))
def test_equal_weights_and_whole_losses_are_paired_rates(counts):
    won, lost, trials = counts[0], min(counts[1], counts[2] - counts[0]), counts[2]
    rates = paired_difference(won, lost, trials)
    losses = mean_of_losses(won - lost, won + lost, trials)
    weighted = weighted_difference([1] * won + [-1] * lost + [0] * (trials - won - lost), [3] * trials)
    for found in (losses, weighted):
        for end in ("value", "low", "high"):
            assert math.isclose(getattr(found, end), getattr(rates, end), abs_tol=1e-6)


def test_more_trials_decide_what_separate_figures_do_not():
    """Trees on which both err count for both: the figures of the review, depth 8 at q = 0.75."""
    paired, separate = paired_difference(25, 4, 1000), rate_difference(321, 1000, 300, 1000)
    assert math.isclose(paired.value, separate.value)
    assert separate.low < 0 < paired.low


# ---------------------------------------------------------------------- coverage


def covered(intervals, truth):
    """How many of the simulated experiments have an interval that holds the truth."""
    found = [(figure.low <= truth + 1e-12) and (figure.high >= truth - 1e-12) for figure in intervals]
    assert len(found) == EXPERIMENTS
    return sum(found) / EXPERIMENTS


RATES = [0.0002, 0.001, 0.009, 0.03, 0.1, 0.5, 0.9, 0.99, 0.9998]


@pytest.mark.parametrize("trials", [20, 100, 1000])
@pytest.mark.parametrize("rate", RATES)
def test_coverage_of_rates(rate, trials):
    found = np.random.default_rng(8).binomial(trials, rate, EXPERIMENTS)
    for confidence, least in ((0.95, LEAST), (0.995, 0.993)):
        assert covered((clopper_pearson(int(one), trials, confidence) for one in found), rate) >= least


def test_wilson_covers_too_little_where_hardly_anything_happens():
    """Why it decides nothing: a single success, where one in a hundred experiments has any, excludes the truth."""
    found = np.random.default_rng(8).binomial(20, 0.0088, EXPERIMENTS)
    assert covered((wilson(int(one), 20) for one in found), 0.0088) < 0.86


@pytest.mark.parametrize("trials", [(20, 20), (100, 30), (500, 1000)])
@pytest.mark.parametrize(("rate", "other"), [(0.001, 0.001), (0.0075, 0.999), (0.02, 0.3), (0.5, 0.5), (0.9, 0.99)])
def test_coverage_of_rates_of_separate_trials(rate, other, trials):
    drawn = [
        np.random.default_rng(9 + place).binomial(trials[place], p, EXPERIMENTS) for place, p in ((0, rate), (1, other))
    ]
    found = (rate_difference(int(one), trials[0], int(two), trials[1]) for one, two in zip(*drawn, strict=True))
    assert covered(found, rate - other) >= LEAST


@pytest.mark.parametrize("games", [(12, 12), (100, 20), (500, 500)])
@pytest.mark.parametrize(
    ("one", "other"),
    [((0.5, 0.01), (0.3, 0.03)), ((0.02, 0.02), (0.02, 0.0)), ((0.97, 0.0), (0.6, 0.0)), ((0.3, 0.3), (0.4, 0.2))],
)
def test_coverage_of_scores_of_separate_games(one, other, games):
    """Two players, each with games of his own that are won, lost or drawn."""
    rng = np.random.default_rng(10)
    drawn = [
        rng.multinomial(count, [won, lost, 1 - won - lost], EXPERIMENTS)
        for count, (won, lost) in zip(games, (one, other), strict=True)
    ]
    scores = (
        [paired_difference(int(won), int(lost), count) for won, lost, _ in some]
        for some, count in zip(drawn, games, strict=True)
    )
    truth = one[0] - one[1] - other[0] + other[1]
    assert covered((difference(*pair) for pair in zip(*scores, strict=True)), truth) >= LEAST


@pytest.mark.parametrize("trials", [20, 100, 1000])
@pytest.mark.parametrize(
    ("won", "lost"), [(0.001, 0.001), (0.01, 0.0), (0.02, 0.005), (0.05, 0.05), (0.1, 0.05), (0.5, 0.01), (0.3, 0.3)]
)
def test_coverage_of_paired_rates(won, lost, trials):
    """What both get right or both get wrong counts for neither, so strong correlation is small ``won`` and ``lost``."""
    rng = np.random.default_rng(1)
    counts = rng.multinomial(trials, [won, lost, 1 - won - lost], size=EXPERIMENTS)
    found = (paired_difference(int(one), int(other), trials) for one, other, _ in counts)
    assert covered(found, won - lost) >= LEAST


@pytest.mark.parametrize("trials", [50, 300])
@pytest.mark.parametrize(
    ("rate", "shared"), [(0.005, 0.0), (0.02, 0.0), (0.05, 0.9), (0.3, 0.9), (0.3, 0.0), (0.9, 0.5)]
)
def test_coverage_of_paired_losses(rate, shared, trials):
    """One errs at a rate and loses 0.1 to 0.5; the other loses the same in the share of trials that is told alike."""
    rng, size = np.random.default_rng(2), (EXPERIMENTS, trials)
    one, other = (rng.integers(1, 6, size) / 10 * (rng.random(size) < chance) for chance in (rate, rate * 0.8))
    other = np.where(rng.random(size) < shared, one, other) if shared else np.zeros(size)
    truth = 0.3 * rate * (0.2 * (1 - shared) if shared else 1)
    sums = [np.stack((loss.sum(1), (loss**2).sum(1)), axis=1).tolist() for loss in (one, other)]
    products = (one * other).sum(1).tolist()
    found = (paired_mean(Sums(*a), Sums(*b), both, trials) for a, b, both in zip(*sums, products, strict=True))
    assert covered(found, truth) >= LEAST


@pytest.mark.parametrize("games", [5, 12, 50])
@pytest.mark.parametrize(("spread", "correlation"), [(0.5, 0.0), (0.5, 0.97), (1.0, 0.8)])
def test_coverage_of_ratios_of_paired_times(spread, correlation, games):
    rng, size = np.random.default_rng(3), (EXPERIMENTS, games)
    one = rng.standard_normal(size)
    other = correlation * one + math.sqrt(1 - correlation**2) * rng.standard_normal(size)
    found = map(ratio_of_sums, 2 * np.exp(spread * one), np.exp(spread * other))
    assert covered(found, 2.0) >= LEAST


@pytest.mark.parametrize("trials", [100, 300])
@pytest.mark.parametrize(
    ("won", "lost", "tilt"), [(0.02, 0.01, 0.0), (0.3, 0.1, 0.0), (0.3, 0.1, -0.3), (0.1, 0.05, 0.3)]
)
def test_coverage_of_weighted_paired_rates(won, lost, tilt, trials):
    """Weights are spread log-normally; with a tilt, heavy trials are won more often."""
    rng, size = np.random.default_rng(4), (EXPERIMENTS, trials)
    normal, chance = rng.standard_normal(size), rng.random(size)
    weights = np.exp(0.5 * normal)
    differences = 1.0 * (chance < won * np.exp(tilt * normal)) - (chance > 1 - lost)
    truth = won * math.exp(((0.5 + tilt) ** 2 - 0.5**2) / 2) - lost
    assert covered(map(weighted_difference, differences, weights), truth) >= LEAST


@pytest.mark.parametrize("count", [3, 30])
def test_coverage_of_means(count):
    data = np.random.default_rng(5).standard_normal((EXPERIMENTS, count))
    assert covered(map(mean, data), 0.0) >= LEAST
    sums = zip(data.sum(1), (data**2).sum(1), strict=True)
    assert covered((mean_of_sums(total, squares, count) for total, squares in sums), 0.0) >= LEAST


@pytest.mark.parametrize("confidence", [0.995, 0.9995])
def test_coverage_where_much_confidence_is_asked_for(confidence):
    """As by the looks of a sequential rule, and by claims that make many comparisons."""
    rng = np.random.default_rng(6)
    counts = rng.multinomial(100, [0.1, 0.05, 0.85], size=EXPERIMENTS)
    found = (paired_difference(int(one), int(other), 100, confidence) for one, other, _ in counts)
    assert covered(found, 0.05) >= confidence - 0.0015
