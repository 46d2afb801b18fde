"""Every suit combination once: counted by another way, and the form that stands for it."""

from functools import cache
from math import comb
from random import Random

import numpy as np
import pytest

from suits import some_suit
from worldwise.bridge.suit.atlas.building import AtlasRun, count_forms
from worldwise.bridge.suit.atlas.combinations import COMBINATIONS, DEALS, Form, forms
from worldwise.bridge.suit.rules import Suit
from worldwise.bridge.suit.solver import SuitSolver


@cache
def codes_by_brute_force():
    """All 3^13 ways to share out the suit, each as what stands for it, and counted once."""
    ways = np.arange(3**13, dtype=np.int32)
    cards = [ways // 3**power % 3 for power in reversed(range(13))]
    north, south = (sum(card == hand for card in cards) for hand in (2, 1))
    codes = ordered_codes(cards, 2, 1), ordered_codes(cards, 1, 2)
    return np.unique(np.where(north == south, np.maximum(*codes), np.where(north > south, *codes)))


def ordered_codes(cards, first, second):
    """The codes with one hand called North, its cards above the other's wherever they touch."""
    powers = np.array([(3**power - 1) // 2 for power in range(14)], dtype=np.int32)  # 1 + 3 + 9 ..., so many of them
    codes, twos, ones = np.zeros((3, 3**13), dtype=np.int32)
    for left, card in enumerate([*cards, np.zeros(3**13, dtype=np.int32)]):
        top = 13 - left + twos + ones
        ends = card == 0
        codes += ends * (2 * (powers[top] - powers[top - twos]) + powers[top - twos] - powers[13 - left])
        twos, ones = (twos + (card == first)) * ~ends, (ones + (card == second)) * ~ends
    return codes


def test_as_many_as_there_are():
    """159,093, and as many for each number of missing cards as the formula says; the empty suit is left out."""
    codes = codes_by_brute_force()
    assert len(codes) == COMBINATIONS + 1
    digits = np.stack([codes // 3**power % 3 for power in range(13)])
    missing = np.bincount((digits == 0).sum(axis=0))
    assert [count_forms(cards) for cards in range(13)] == list(missing[:13])
    assert AtlasRun("solved").combinations == COMBINATIONS


@pytest.mark.parametrize("missing", [0, 1, 2, 3, 11, 12])
def test_the_forms_themselves(missing):
    codes = codes_by_brute_force()
    digits = np.stack([codes // 3**power % 3 for power in range(13)])
    assert [form.code for form in forms(missing)] == list(codes[(digits == 0).sum(axis=0) == missing])


def test_deals():
    """Each of the ways to share out the suit is dealt so often; together they are all deals."""
    total = sum(form.deals for missing in (10, 11, 12) for form in forms(missing))
    ways = sum(
        comb(13, cards) * comb(cards, north) * comb(39, 13 - north) * comb(26 + north, 13 - (cards - north))
        for cards in (1, 2, 3)
        for north in range(cards + 1)
    )
    assert total == ways < DEALS


def test_what_stands_for_a_suit_plays_like_it(needs_kernels):
    """Touching cards and hands exchanged: no chance changes."""
    rng = Random(2503)
    for _ in range(20):
        suit = some_suit(rng)
        form = Form.of(suit)
        other = form.canonical.suit
        assert Form.of(other) == form.canonical == form.exchanged.canonical
        chances = [[answer.chance for answer in SuitSolver(one).goals] for one in (suit, other)]
        assert chances[0] == chances[1]


def test_a_code_is_its_form():
    for missing in (1, 12):
        for form in forms(missing):
            assert Form.of_code(form.code) == form


def test_low_cards_are_all_the_same():
    assert Form.of(Suit.of("AQT9", "432")) == Form.of(Suit.of("AQT9", "xxx")) != Form.of(Suit.of("AQT9", "832"))
