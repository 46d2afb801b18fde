"""What calls say: every convention by name, the weights against their definition, and bad system files."""

from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldwise.bridge.layouts.auction import hear_auction, meanings_of
from worldwise.bridge.layouts.auction_scores import layout_gain
from worldwise.bridge.layouts.bidding_systems import BiddingSystem, bidding_system, system_names
from worldwise.bridge.layouts.call_patterns import CallPattern, CallPlace
from worldwise.bridge.layouts.meanings import (
    Description,
    HandFeatures,
    HandType,
    Sureness,
    read_description,
    read_explanation,
)
from worldwise.bridge.rules.auction import Alert, Auction
from worldwise.bridge.rules.contract import Contract
from worldwise.bridge.rules.deal import PACK, Deal, Seat, cards_in, read_hand
from worldwise.bridge.rules.view import View
from worldwise.bridge.views.auction_words import belief_lines
from worldwise.errors import InputError

SAYC = bidding_system("sayc")

# The auction up to the call that is asked about, the name the system gives it, and what it says.
CONVENTIONS = {
    "strong notrump": ("N: 1NT", "strong notrump", "15-17, balanced"),
    "five-card major": ("N: P P 1S", "major opening", "9-21, 5+ spades"),
    "major in first seat": ("N: 1S", "major opening", "11-21, 5+ spades"),
    "strong two clubs": ("N: 2C", "strong two clubs", "18+"),
    "slam at once": ("S: 1NT P 6NT", "slam", "17-20, 0-5 spades, 0-5 hearts"),
    "slam over two notrump": ("S: 2NT P 6NT", "slam", "12-15"),
    "slam in a suit": ("S: 1NT P 6D", "slam", "12+, 6+ diamonds"),
    "quantitative four notrump accepted": ("S: 1NT P 4NT P 6NT", "accepted", "17"),
    "waiting answer": ("N: 2C P 2D", None, "anything"),
    "strong and balanced": ("N: 2C P 2D P 2NT", "strong and balanced", "22-24, balanced"),
    "weak two": ("N: 2H", "weak two", "4-11, 6+ hearts"),
    "preempt": ("N: P 3C", "preempt", "3-11, 6+ clubs"),
    "opening pass": ("N: P", "did not open", "0-12"),
    "Stayman": ("N: 1NT P 2C", "Stayman", "7+, 4+ hearts or 7+, 4+ spades"),
    "no major": ("N: 1NT P 2C P 2D", "no major", "0-3 spades, 0-3 hearts"),
    "transfer to spades": ("N: 1NT P 2H", "transfer", "5+ spades"),
    "transfer opposite 2NT": ("N: 2NT P 3D", "transfer", "5+ hearts"),
    "transfer completed": ("N: 1NT P 2H P 2S", None, "anything"),
    "take-out double of a major": (
        "N: 1H X",
        "take-out double",
        "11+, 3+ spades, 2+ diamonds, 2+ clubs, 0-3 hearts or 17+",
    ),
    "take-out double of a minor": (
        "N: 1C X",
        "take-out double",
        "11+, 3+ spades, 3+ hearts, 0-4 clubs or 17+",
    ),
    "negative double": ("N: 1C 1H X", "negative double", "6+, 4+ spades"),
    "negative double at the two-level": ("N: 1S 2D X", "negative double", "7+, 4+ hearts"),
    "overcall at the one-level": ("N: 1D 1H", "overcall", "6-17, 5+ hearts"),
    "overcall at the two-level": ("N: 1S 2H", "overcall", "8-17, 5+ hearts"),
    "weak jump overcall": ("N: 1D 2S", "weak jump overcall", "3-12, 6+ spades"),
    "notrump overcall": ("N: 1D 1NT", "strong notrump", "14-18, balanced"),
    "Michaels": ("N: 1H 2H", "Michaels", "6+, 5+ spades, 4+ clubs or 6+, 5+ spades, 4+ diamonds"),
    "unusual notrump": ("N: 1S 2NT", "unusual notrump", "5+, 5+ diamonds, 5+ clubs"),
    "Jacoby": ("N: 1S P 2NT", "Jacoby", "11+, 4+ spades"),
    "splinter": ("N: 1S P 4D", "splinter", "9-16, 4+ spades, 0-1 diamonds"),
    "two over one": ("N: 1S P 2C", "two over one", "9+, 4+ clubs"),
    "single raise": ("N: 1H P 2H", "raise", "5-10, 3+ hearts"),
    "responder passes": ("N: 1H P P", "too weak to answer", "0-6"),
    "reverse": ("N: 1D P 1S P 2H", "reverse", "15-21, 5+ diamonds, 4+ hearts"),
    "no reverse": ("N: 1H P 1S P 2D", "second suit", "11-18, 4+ hearts, 4+ diamonds"),
    "cue-bid raise": ("N: 1H 1S 2S", "cue-bid", "10+, 3+ hearts"),
    "cue-bid after an overcall": ("N: 1C 1S P 2C", "cue-bid", "9+, 3+ spades"),
    "later cue-bid": ("N: 1H P 2H P 3C 3D 4D", "cue-bid", "10+"),
    "Blackwood": ("N: 1S P 3S P 4NT", "Blackwood", "14+"),
    "Blackwood answer": ("N: 1S P 3S P 4NT P 5H", "Blackwood answer", "1-2 aces"),
    "quantitative": ("N: 1NT P 4NT", "quantitative", "15-18, balanced"),
    "pass over an opening": ("N: 1S P", "did not overcall", "0-15"),
    "raise of an overcall": ("N: 1C 1S P 2S", "raise", "4-11, 3+ spades"),
    "answer to a double": ("N: 1S X P 2D", "answers the double", "0-9, 4+ diamonds"),
    "jump answer": ("N: 1D X P 2S", "jump answer", "7-12, 4+ spades"),
}


@pytest.mark.parametrize("name", CONVENTIONS)
def test_a_convention_means_what_it_should(name):
    text, called, says = CONVENTIONS[name]
    auction = Auction.read(text)
    last = [one for one in meanings_of(auction, SAYC) if one.place == len(auction.calls) - 1]
    if says == "anything":
        assert not last
    else:
        assert [(str(one.description), one.name, one.explained) for one in last] == [(says, called, False)]


@pytest.mark.parametrize("system", system_names())
def test_a_sure_meaning_excludes_half_of_all_hands(system):
    rng = Random(7)
    hands = HandFeatures.of(Deal.random(rng)[seat] for _ in range(1000) for seat in Seat)
    for line in bidding_system(system).lines:
        for suits in line.all_suits() if line.sure is Sureness.SURE else ():
            inside = line.description(suits).steps(hands) == 0
            assert inside.mean() <= 0.5, (str(line.pattern), line.words)


# ---------------------------------------------------------------------- patterns


@pytest.mark.parametrize(
    ("pattern", "auction", "suits"),
    [
        ("1NT", "N: P P 1NT", {}),
        ("1x (P) 1y", "N: 1D P 1S", {"x": 2, "y": 0}),
        ("1x (P) 1y", "N: 1D 1H 1S", None),
        ("(1x) 2y, y > x", "N: 1D 2H", {"x": 2, "y": 1}),
        ("(1x) 2y, y > x", "N: 1S 2H", None),
        ("(1x) 2x", "N: 1S 2H", None),
        ("1M (bid) X", "N: 1H 2C X", {"M": 1}),
        ("1M (bid) X", "N: 1H P 2H X", None),
        ("... 4NT (P) 5D", "N: 1S P 3S P 4NT P 5D", {}),
        ("... ?x, raise", "N: 1C P 1H P 2H", {"x": 1}),
        ("... ?x, own suit", "N: 1C P 1H P 2C", {"x": 3}),
        ("... ?x, their suit", "N: 1C 1H P 2C", {"x": 3}),
        ("... ?x, raise", "N: 1H 2H P 3H", None),
        ("1x (P) 2y, passed hand", "N: P P 1S P 2C", {"x": 0, "y": 3}),
        ("1x (P) 2y, passed hand", "N: P 1S P 2C", None),
        ("P, third seat", "N: P P P", {}),
        ("1m (2o) X", "N: 1C 2D X", {"m": 3, "o": 2}),
    ],
)
def test_a_pattern_fits_just_its_auctions(pattern, auction, suits):
    calls = Auction.read(auction).calls
    assert CallPattern.read(pattern).match(CallPlace.of(calls, len(calls) - 1)) == suits


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1NT | 15-17, balanced", "mine, line 1: expected 'auction | meaning | how sure | name', found"),
        ("\n1NT | 15-17, balance | sure", "mine, line 2: expected points, a length such as 5+ hearts, or balanced"),
        ("1NT | 17-15 | sure", "mine, line 1: expected the least first"),
        ("1NT | 15-17, 5+ x | sure", "mine, line 1: expected points, a length"),
        ("1NT | 15-17 | certain", "mine, line 1: unknown degree of sureness 'certain'"),
        ("1N (P) (2C) | 8+ | sure", "mine, line 1: expected the last call outside brackets"),
        ("1NT P 2C | 8+ | sure", "mine, line 1: expected the opponents' calls in brackets between ours"),
        ("8NT | 8+ | sure", "mine, line 1: expected a call such as 1NT"),
        ("1x, y > x | 8+ | sure", "mine, line 1: expected a condition such as y > x"),
        ("... 1x ... 2x | 8+ | sure", "mine, line 1: expected three dots once"),
        ("2C | 8+, 0-2 spades; 5+ spades | sure", "mine, line 1: expected words that some hand fits"),
        ("# nothing", "mine: expected lines such as"),
        ("2C | 8+" + "; not 9, 5+ spades" * 65 + " | sure", "mine, line 1: expected at most 64 types of hand"),
        (f"1NT, {'x' * 10_000} | 8+ | sure", "mine, line 1: expected a condition such as y > x"),
        (f"(1NT), {'x' * 10_000} | 8+ | sure", "mine, line 1: expected the last call outside brackets"),
        (f"1NT | 8+ | {'x' * 10_000}", "mine, line 1: unknown degree of sureness 'xxx"),
    ],
    ids=range(16),
)
def test_a_bad_system_says_what_and_where(text, message):
    with pytest.raises(InputError) as caught:
        BiddingSystem.read(text, "mine")
    assert str(caught.value).startswith(message)
    assert len(str(caught.value)) < 600, "an error quotes a whole line"


@pytest.mark.skipif(not Path("/proc/self/mem").is_file(), reason="no file here that can be opened and not be read")
def test_a_system_that_cannot_be_read_is_bad_input():
    with pytest.raises(InputError, match=r"^/proc/self/mem: Input/output error$"):
        bidding_system("/proc/self/mem")


def test_the_first_line_that_fits_counts():
    system = BiddingSystem.read("1H | 8-12 | sure\n1M | 11-21 | sure")
    assert [str(one) for text in ("N: 1H", "N: 1S") for one in meanings_of(Auction.read(text), system)] == [
        "1H: 8-12",
        "1S: 11-21",
    ]


# ---------------------------------------------------------------------- weights

RANGES = st.integers(0, 20).flatmap(lambda least: st.tuples(st.just(least), st.integers(least, 37)))
LENGTHS = st.integers(0, 6).flatmap(lambda least: st.tuples(st.just(least), st.integers(least, 13)))
NUMBERS = st.integers(0, 4).flatmap(lambda least: st.tuples(st.just(least), st.integers(least, 4)))
TYPES = st.builds(
    HandType, RANGES, st.tuples(*[LENGTHS] * 4), st.sampled_from([None, True, False]), LENGTHS, NUMBERS, NUMBERS
)


def _steps_by_definition(hand, kind):
    """By hand, card by card."""
    cards = list(cards_in(hand))
    lengths = [sum(card >> 4 == suit for card in cards) for suit in range(4)]
    points = sum(max(0, (card & 15) - 10) for card in cards)
    balanced = sorted(lengths) in ([3, 3, 3, 4], [2, 3, 4, 4], [2, 3, 3, 5])

    def off(value, interval):
        return max(interval[0] - value, 0, value - interval[1])

    steps = off(points, kind.points) + 2 * sum(map(off, lengths, kind.lengths)) + 2 * off(max(lengths), kind.longest)
    steps += 2 * off(sum(card & 15 == 14 for card in cards), kind.aces)
    steps += 2 * off(sum(card & 15 == 13 for card in cards), kind.kings)
    return steps + 2 * (kind.balanced is not None and kind.balanced != balanced)


@given(st.integers(0, 10**6), st.lists(TYPES, min_size=1, max_size=3), st.lists(TYPES, max_size=2), st.data())
def test_weights_are_what_the_definition_says(seed, types, excluded, data):
    sure = data.draw(st.sampled_from(Sureness))
    deal = Deal.random(Random(seed))
    found = Description(tuple(types), tuple(excluded)).weights(HandFeatures.of(deal.hands), sure)
    for hand, weight in zip(deal.hands, found, strict=True):
        steps = min(_steps_by_definition(hand, kind) for kind in types)
        if any(_steps_by_definition(hand, kind) == 0 for kind in excluded):
            steps = max(steps, 2)
        assert weight == pytest.approx(max(sure.floor, sure.step**steps))


@given(st.integers(0, 10**6), TYPES, TYPES)
def test_hands_of_both_types_are_those_of_each(seed, one, two):
    hands = HandFeatures.of(Deal.random(Random(seed)).hands)
    both = one & two
    inside = (one.steps(hands) == 0) & (two.steps(hands) == 0)
    assert ((both.steps(hands) == 0) == inside).all() if both.possible else not inside.any()


def test_less_sure_is_softer():
    order = [(sure.step, sure.floor) for sure in Sureness]
    assert order == sorted(order)


@pytest.mark.parametrize("words", ["11-21, 5+ hearts", "0-12; not 6-10, 6+ spades", "8+; 4+ hearts or 4+ spades"])
def test_words_read_back(words):
    found = read_description(words)
    assert read_description(str(found)).types == found.types


@pytest.mark.parametrize(
    ("explained", "says"),
    [
        ("NT style -- 2-6!C; 2-6!D; 2-5!H; 2-5!S; 15-17 HCP", "15-17, 2-5 spades, 2-5 hearts, 2-6 diamonds, 2-6 clubs"),
        ("Major suit opening -- 5+ S; 11-21 HCP; 12-22 total points ", "11-21, 5+ spades"),
        ("One over one -- 4+ H; 11- HCP; 6-12 total points", "0-11, 4+ hearts"),
        ("5=!H; 3-!S; 2-8 HCP", "2-8, 5 hearts, 0-3 spades"),
        ("weak, 6 spades", "6 spades"),
        ("12-14 balanced", "balanced"),
        ("multi", "anything"),
        ("5-5 majeur minstens", "anything"),
        ("20-10 HCP", "anything"),
        ("forcing to 3N", "anything"),
    ],
)
def test_explanations_that_name_points_and_lengths_are_read(explained, says):
    assert str(read_explanation(explained)) == says


# ---------------------------------------------------------------------- what a seat hears


def _view(auction, south="KQ432.432.A32.32", north="AJ5.K5.K654.9654", contract="4S by S"):
    heard = Auction.read(auction)
    return View(Seat.SOUTH, Contract.read(contract), read_hand(south), read_hand(north), (), PACK, heard)


def test_an_explanation_comes_before_the_system():
    heard = Auction.read("W: 1H").alert("4+ !H; 10-15 HCP").then(0).all_pass()
    [said] = [one for one in meanings_of(heard, SAYC) if one.place == 0]
    assert (str(said.description), said.explained) == ("10-15, 4+ hearts", True)


def test_only_hidden_hands_speak():
    belief = hear_auction(_view("W: 1H P 2H 2S P 4S AP"))
    assert {one.seat for one in belief.meanings} == {Seat.WEST, Seat.EAST}


def test_points_that_are_seen_narrow_what_is_told():
    belief = hear_auction(_view("W: 1H P 2H 4S AP"))
    assert belief.points == 40 - 9 - 11
    assert str(belief.description(Seat.WEST)) == "11-21, 5+ hearts"
    assert "West: 11-15, 5+ hearts (from 1H)" in list(belief_lines(belief))


def test_a_contradiction_relaxes_the_least_sure_and_says_so():
    # Four hearts are missing, and ten points. West has neither five nor eleven; East's pass fits.
    seen = {"south": "AK432.AQ432.A3.2", "north": "QJ5.K765.K54.A65"}
    belief = hear_auction(_view("E: P P 1H 1S P 4S AP", **seen))
    assert [(one.seat, str(one)) for one in belief.relaxed] == [
        (Seat.WEST, "1H: 9-21, 5+ hearts"),
        (Seat.WEST, "Pass: 11-16"),
    ]
    assert {one.seat for one in belief.meanings} == {Seat.EAST}
    assert list(belief_lines(belief))[-2].startswith("West's 1H would show 9-21, 5+ hearts: no layout fits that")


def test_the_surest_calls_stay(tmp_path):
    file = tmp_path / "own.system"
    file.write_text("1H | 6+ | likely\n1H (P) 2H | 7+ | sure\n1H (P) 2H (4S) X | 9+ | vague")
    seen = {"south": "AK432.AQ432.A3.2", "north": "QJ5.K765.K54.A65"}
    belief = hear_auction(_view("W: 1H P 2H 4S X AP", **seen), str(file))
    assert belief.points == 10
    assert [str(one) for one in belief.meanings] == ["2H: 7+"]
    assert [str(one) for one in belief.relaxed] == ["1H: 6+", "X: 9+"]
    deals = [
        Deal.read("S:AK432.AQ432.A3.2 987.J.QJ62.KQJT9 QJ5.K765.K54.A65 T6.T98.T987.8743"),
        Deal.read("S:AK432.AQ432.A3.2 T6.T98.T987.8743 QJ5.K765.K54.A65 987.J.QJ62.KQJT9"),
    ]
    sure, vague = Sureness.SURE, Sureness.VAGUE
    by_hand = [max(sure.floor, sure.step**7), max(vague.floor, vague.step**6) * max(vague.floor, vague.step**9)]
    assert belief.weights(deals) == pytest.approx(by_hand)


def test_what_one_knows_otherwise_comes_first():
    view = _view("W: 1H P 2H 4S AP")
    belief = hear_auction(view, constraints=["hearts(west) <= 2"])
    assert [str(one) for one in belief.relaxed] == ["1H: 11-21, 5+ hearts"]


def longest_auction(told):
    """319 calls, every one explained: every bid doubled and redoubled at the last moment."""
    bids = " ".join(
        f"{level}{strain} P P X P P XX P P" for level in range(1, 8) for strain in ("C", "D", "H", "S", "NT")
    )
    auction = Auction.read(f"W: P P P {bids} P")
    return replace(auction, alerts=tuple(Alert(place, told) for place in range(len(auction.calls))))


def test_however_many_calls_a_layout_contradicts_it_weighs_something():
    """The product of what hundreds of calls leave used to come to nothing, which has no logarithm."""
    hand = read_hand("KQ432.5432.A32.2")
    view = View(Seat.WEST, Contract.read("7NT by S"), hand, None, (), PACK, longest_auction("4= clubs"))
    belief = hear_auction(view)
    assert len(belief.meanings) == 239
    odd = Deal.read("N:T96..KJ65.AJT976 A7.J86.Q84.KQ543 J85.AKQT97.T97.8 KQ432.5432.A32.2")
    assert belief.weights([odd])[0] > 0
    assert np.isfinite(layout_gain(view, odd, belief, Random(1), 50))


def test_no_auction_says_nothing():
    assert hear_auction(_view("W: 1H P 2H 4S AP"), "none") is None
    silent = View(Seat.SOUTH, Contract.read("4S by S"), read_hand("AK432.A32.A32.32"), None, (), PACK)
    assert hear_auction(silent) is None


def test_every_auction_of_four_calls_can_be_heard():
    calls = ["P", "1C", "1H", "2S", "X", "1NT"]
    for words in product(calls, repeat=4):
        try:
            heard = Auction.read("W: " + " ".join(words))
        except InputError:
            continue
        for one in meanings_of(heard, SAYC):
            assert one.description.types
            assert np.isfinite(one.description.weights(HandFeatures.of([PACK]), one.sure)).all()
