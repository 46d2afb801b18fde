"""Weights of worlds: whole numbers in the same proportions, and how many worlds they are worth."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldwise.core.weights import TOTAL, effective_sample_size, integer_weights
from worldwise.errors import InputError

PARTS = st.one_of(
    st.integers(0, 10**30),
    st.fractions(0, 10**6),
    st.floats(0, allow_infinity=False, allow_nan=False),
)


@given(st.lists(st.integers(0, 10**6), min_size=1).filter(any))
def test_small_whole_numbers_stay_themselves(weights):
    assert integer_weights(weights, len(weights)) == tuple(weights)
    assert integer_weights(np.array(weights), len(weights)) == tuple(weights)


@given(st.lists(PARTS, min_size=1, max_size=50).filter(any))
def test_shares_are_kept_to_the_last_of_forty_bits(weights):
    whole = integer_weights(weights, len(weights))
    exact = [Fraction(weight) for weight in weights]
    assert all(type(weight) is int for weight in whole)
    assert sum(whole) <= TOTAL + len(whole)
    for before, after in zip(exact, whole, strict=True):
        assert (after == 0) == (before == 0)
        assert abs(before / sum(exact) - Fraction(after, sum(whole))) <= Fraction(2 * len(whole), TOTAL)


def test_fractions_with_a_small_denominator_are_exact():
    assert integer_weights([Fraction(1, 6), Fraction(1, 4), 1, 0.5], 4) == (2, 3, 12, 6)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1], "expected 2 weights, one for each world, found 1"),
        ([1, -1], "expected a finite weight that is not negative, found -1"),
        ([1, float("nan")], "found nan"),
        ([1, float("inf")], "found inf"),
        ([1, "2"], "found '2'"),
        ([0, 0.0], "expected a weight above 0, found none"),
    ],
)
def test_bad_weights(weights, message):
    with pytest.raises(InputError, match=message):
        integer_weights(weights, 2)


@given(st.integers(1, 30), st.integers(1, 10**6))
def test_equal_weights_are_worth_all_their_worlds(number, weight):
    assert effective_sample_size([weight] * number) == number
    assert effective_sample_size([weight] + [0] * number) == 1
