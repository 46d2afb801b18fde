"""How comparisons settle a claim: only where there is no doubt, and all of them together."""

from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldwise.core.statistics import CONFIDENCE, Estimate
from worldwise.lab.comparisons import (
    ClaimCheck,
    above,
    all_of,
    at_least,
    at_most,
    more,
    points,
    sure,
    times_until,
    together,
)
from worldwise.lab.experiment import ClaimOutcome

HOLDS, FAILS, UNDECIDED = ClaimOutcome.HOLDS, ClaimOutcome.FAILS, ClaimOutcome.UNDECIDED

numbers = st.integers(-4, 4).map(float)
truths = st.lists(st.sampled_from([True, False, None]), max_size=4)


@st.composite
def figures(draw):
    low, value, high = sorted(draw(st.tuples(numbers, numbers, numbers)))
    return Estimate(value, low, high, 10)


def mirrored(figure):
    return Estimate(-figure.value, -figure.high, -figure.low, figure.count)


@given(figures(), numbers)
def test_what_is_said_of_a_figure_is_so_of_all_its_interval(figure, bound):
    ends = (figure.low, figure.high)
    for says, so in ((above, float.__gt__), (at_least, float.__ge__), (at_most, float.__le__)):
        truth = says(figure, bound)
        assert truth is not True or all(so(end, bound) for end in ends), says
        assert truth is not False or not any(so(end, bound) for end in ends), says
        assert truth is not None or figure.low <= bound <= figure.high, says


@given(figures(), numbers)
def test_bounds_are_each_others_mirror_images(figure, bound):
    assert at_least(figure, bound) is at_most(mirrored(figure), -bound)
    assert (above(figure, bound) is True) == (at_most(figure, bound) is False)


def test_a_bound_that_is_met_is_kept_and_not_passed():
    figure = Estimate(2.0, 1.0, 3.0, 10)
    assert (above(figure, 1.0), at_least(figure, 1.0)) == (None, True)
    assert (above(figure, 3.0), at_most(figure, 3.0)) == (None, True)


@given(st.integers(1, 1000))
def test_what_may_go_wrong_is_shared_out(comparisons):
    assert comparisons * (1 - sure(comparisons)) == pytest.approx(1 - CONFIDENCE)


def test_no_comparison_needs_no_more_confidence_than_one():
    assert sure(0) == sure(1) == pytest.approx(CONFIDENCE)


@given(truths)
def test_together_is_and_with_an_unknown(found):
    def both(one, other):
        return False if one is False or other is False else None if one is None or other is None else True

    assert together(iter(found)) is (reduce(both, found) if found else None)


# ---------------------------------------------------------------------- verdicts

YES = ClaimCheck("yes", Estimate(0.2, 0.1, 0.3, 10), True)
NO = ClaimCheck("no", Estimate(-0.2, -0.3, -0.1, 10), False)
OPEN = ClaimCheck("open", Estimate(0.0, -0.1, 0.1, 10), None)


@pytest.mark.parametrize(
    ("checks", "outcome", "told"),
    [
        ([YES, YES], HOLDS, "yes yes"),
        ([YES, NO, OPEN], FAILS, "no"),
        ([YES, OPEN], UNDECIDED, "open"),
        ([], UNDECIDED, "otherwise"),
    ],
)
def test_all_of_them_tells_of_those_that_decide(checks, outcome, told):
    verdict = all_of(checks, "otherwise")
    assert verdict.outcome is outcome
    assert [part.split()[0] for part in verdict.because.split("; ")] == told.split()


def mostly(truths):
    """Whether more than half are true; not if at least half are false."""
    yes, no = truths.count(True), truths.count(False)
    return True if 2 * yes > len(truths) else False if truths and 2 * no >= len(truths) else None


@st.composite
def open_checks(draw):
    """Comparisons of all kinds: some decided, some open, one that never will be."""
    value, width = draw(st.floats(-0.5, 0.5)), draw(st.floats(0.01, 1))
    judged = draw(st.sampled_from([above, more, lambda figure: at_most(figure, 0.1)]))
    return ClaimCheck.of("", Estimate(value, value - width, value + width / 2, 50), judged)


@given(st.lists(open_checks(), min_size=1, max_size=7), st.sampled_from([together, mostly]))
def test_what_would_decide_several_is_where_they_begin_to_be_decided(checks, judged):
    """With so many times the data they are, with less they are not; if nobody can tell, not with any."""
    times, truths = times_until(checks, judged), [check.truth for check in checks]
    if judged(truths) is not None:
        return
    before = (times or 2.0**20) * 0.999
    assert judged([check.with_times(before) for check in checks]) is None
    assert (times is None) == (judged([check.with_times(2.0**20) for check in checks]) is None)
    assert times is None or judged([check.with_times(times) for check in checks]) is not None


def test_a_leaning_is_what_the_figure_comes_to():
    """Level but for a hair, and a margin of one in a hundred: more data shows that the gain is smaller than that."""
    check = ClaimCheck.of("", Estimate(0.001, -0.1, 0.1, 50), more)
    assert (check.truth, check.leaning, check.with_times(check.times), check.with_times(1.0)) == (
        None,
        False,
        False,
        None,
    )
    assert ClaimCheck.of("", Estimate(0.0, -0.1, 0.1, 50), above).with_times(2.0**20) is None


def test_a_check_shows_its_figure_with_signs():
    assert str(NO) == f"no {points(NO.figure)}" == "no -20.0% (-30.0% to -10.0%)"
