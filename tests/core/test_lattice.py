"""Vectors, codes and fronts are distributive lattices, and codes are faithful to vectors."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldwise.core.front import Front, drop_dominated
from worldwise.core.scale import Reals, Thermometer
from worldwise.core.vector import Vector, exact_fraction, whole_weights

WORLDS = 3
payoffs = st.none() | st.integers(-2, 3) | st.floats(-5, 5).map(lambda x: round(x, 1))
vectors = st.lists(payoffs, min_size=WORLDS, max_size=WORLDS).map(Vector)
masks = st.integers(0, 2**6 - 1)
fronts = st.lists(vectors, min_size=1, max_size=4).map(Front)
mask_fronts = st.lists(masks, min_size=1, max_size=6).map(Front)

LATTICES = {"vectors": vectors, "masks": masks, "fronts": fronts, "mask fronts": mask_fronts}

LAWS = {
    "join commutes": lambda a, b, c: a | b == b | a,
    "meet commutes": lambda a, b, c: a & b == b & a,
    "join associates": lambda a, b, c: (a | b) | c == a | (b | c),
    "meet associates": lambda a, b, c: (a & b) & c == a & (b & c),
    "join is idempotent": lambda a, b, c: a | a == a,
    "meet is idempotent": lambda a, b, c: a & a == a,
    "join absorbs meet": lambda a, b, c: a | (a & b) == a,
    "meet absorbs join": lambda a, b, c: a & (a | b) == a,
    "meet distributes over join": lambda a, b, c: a & (b | c) == (a & b) | (a & c),
    "join distributes over meet": lambda a, b, c: a | (b & c) == (a | b) & (a | c),
    "order by join is order by meet": lambda a, b, c: (a | b == b) == (a & b == a),
}


@pytest.mark.parametrize("lattice", LATTICES)
@pytest.mark.parametrize("law", LAWS)
@given(data=st.data())
def test_law(lattice, law, data):
    elements = LATTICES[lattice]
    assert LAWS[law](data.draw(elements), data.draw(elements), data.draw(elements))


@pytest.mark.parametrize("lattice", ["vectors", "fronts", "mask fronts"])
@given(data=st.data())
def test_order_is_that_of_join_and_meet(lattice, data):
    a, b = data.draw(LATTICES[lattice]), data.draw(LATTICES[lattice])
    assert (a <= b) == (a | b == b) == (a & b == a) == (b >= a)


@given(vectors, vectors)
def test_equal_vectors_hash_alike(a, b):
    assert a != b or hash(a) == hash(b)
    assert Vector(list(a)) == a


def test_undefined_is_the_top_of_its_world():
    undefined, zero = Vector([None]), Vector([0])
    assert zero & undefined == zero
    assert zero | undefined == undefined
    assert zero <= undefined


@given(st.lists(masks, max_size=12))
def test_undominated_is_what_its_definition_says(codes):
    kept = drop_dominated(codes)
    assert set(kept) == {a for a in codes if not any(a & b == a and a != b for b in codes)}
    assert len(kept) == len(set(kept))


@given(fronts, fronts)
def test_a_front_is_the_set_of_what_it_dominates(a, b):
    # a | b dominates what either dominates, a & b what both do
    for x in product([-2, 0, 1, 3], repeat=WORLDS):
        x = Vector(x)
        assert (x in a | b) == (x in a or x in b)
        assert (x in a & b) == (x in a and x in b)


# ---------------------------------------------------------------------- codes

levels = st.lists(
    st.lists(st.integers(-3, 9) | st.sampled_from([0.5, -0.25]), min_size=1, max_size=4, unique=True).map(sorted),
    min_size=1,
    max_size=4,
)
weights = st.integers(0, 5) | st.sampled_from([0.1, 0.2, 1 / 3, 0.7])


@st.composite
def scales_with_payoffs(draw, rows=2):
    lanes = draw(levels)
    chances = draw(st.lists(weights, min_size=len(lanes), max_size=len(lanes)).filter(any))
    scale = Thermometer(tuple(map(tuple, lanes)), tuple(chances))
    return scale, [[draw(st.sampled_from(lane)) for lane in lanes] for _ in range(rows)]


@given(scales_with_payoffs())
def test_thermometer_is_faithful(drawn):
    scale, (one, two) = drawn
    a, b = scale.code(one), scale.code(two)
    assert scale.vector(a) == Vector(one)
    assert scale.vector(a & b) == Vector(one) & Vector(two)
    assert scale.vector(a | b) == Vector(one) | Vector(two)
    assert (a & b == a) == (Vector(one) <= Vector(two))


@given(scales_with_payoffs())
def test_scores_order_codes_by_expected_payoff(drawn):
    scale, (one, two) = drawn
    exact = [exact_fraction(weight) for weight in scale.weights]

    def mean(row):
        return sum(weight * exact_fraction(payoff) for weight, payoff in zip(exact, row, strict=True))

    difference = scale.score(scale.code(one)) - scale.score(scale.code(two))
    assert (difference > 0) == (mean(one) > mean(two))
    assert (difference == 0) == (mean(one) == mean(two))
    assert scale.vector(scale.code(one)).expected(scale.weights) == pytest.approx(float(mean(one) / sum(exact)))


@given(scales_with_payoffs(), st.data())
def test_at_least_and_only_mean_the_same_on_both_scales(drawn, data):
    scale, (row, _) = drawn
    reals = Reals(scale.weights)
    world = data.draw(st.integers(0, scale.worlds - 1))
    payoff = data.draw(st.sampled_from(scale.levels[world]))
    for coder in (scale, reals):
        code, need = coder.code(row), coder.at_least(world, payoff)
        assert (need & code == need) == (row[world] >= payoff)
        kept, rest = coder.only({world}), coder.only(set(range(scale.worlds)) - {world})
        assert (code & kept) | (code & rest) == code
        assert coder.bottom & code == coder.bottom
        assert coder.top & code == code


def test_an_undefined_payoff_fills_its_lane():
    scale = Thermometer.integers(worlds=2, highest=2)
    assert scale.code([None, 0]) == 0b0011
    assert scale.code([None, None]) == scale.top


@pytest.mark.parametrize(
    ("given_weights", "whole"),
    [
        ([0.1, 0.2, 0.7], (1, 2, 7)),
        ([1 / 3, 1 / 3, 1 / 3], (1, 1, 1)),
        ([2, 4], (2, 4)),
        ([0, 0.25], (0, 1)),
    ],
)
def test_weights_become_whole_numbers(given_weights, whole):
    assert whole_weights(given_weights) == whole


def test_weights_without_a_common_measure_keep_their_proportions():
    uneven = [0.1234567890123457, 2.345678901234e-7, 17.00000000000003]
    whole = whole_weights(uneven)
    assert sum(whole) <= 2**53 + len(whole)
    assert [part / sum(whole) for part in whole] == pytest.approx([w / sum(uneven) for w in uneven], rel=1e-9)


def test_huge_gains_are_scaled_into_a_machine_word():
    scale = Thermometer(((0, 10**15), (0, 0.123456789012)), (0.1234567890123457, 17.00000000000003))
    assert 0 < sum(scale.gains) <= 2**62 + 2
