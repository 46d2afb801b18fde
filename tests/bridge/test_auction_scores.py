"""How well calls describe hands: against enumeration, and no sure range that says nothing."""

from collections import Counter
from math import log2
from random import Random

import pytest

from worldwise.bridge.layouts.auction import hear_auction, meanings_of
from worldwise.bridge.layouts.auction_scores import (
    events_of,
    half_of,
    layout_gain,
    listening_views,
    score_auctions,
)
from worldwise.bridge.layouts.bidding_systems import bidding_system, system_names
from worldwise.bridge.layouts.meanings import Sureness, share_outside
from worldwise.bridge.layouts.sampler import Layouts
from worldwise.bridge.rules.auction import Auction, read_call
from worldwise.bridge.rules.board import Board, Tag
from worldwise.bridge.rules.deal import Deal, Seat, cards_in

DEAL = Deal.read("W:K5.AQJ85.K86.J73 A8643.97.QJ.Q864 T97.K32.9754.952 QJ2.T64.AT32.AKT")
BOARD = Board(DEAL, dealer=Seat.WEST, auction=Auction.read("W: 1H 1S 2H 2S AP"))


def _play_lowest(board, cards):
    for _ in range(cards):
        lowest = min(cards_in(board.play.position.legal), key=lambda card: (card & 15, card))
        board = board.with_cards((*board.cards, lowest))
    return board


@pytest.mark.parametrize("deal", [DEAL, Deal((DEAL[0], DEAL[3], DEAL[2], DEAL[1]))], ids=["as bid", "misbid"])
def test_the_gain_is_that_of_enumeration(deal):
    view = _play_lowest(BOARD, 20).view(Seat.NORTH)
    belief, every = hear_auction(view), Layouts(view).enumerate()
    truth = every[0] if deal == DEAL else every[-1]
    exact = log2(float(belief.weights([truth])[0]) / float(belief.weights(every).mean()))
    found = [layout_gain(view, truth, belief, Random(seed)) for seed in range(4)]
    assert sum(found) / 4 == pytest.approx(exact, abs=0.1)


def test_a_hand_that_fits_gains_and_one_that_does_not_loses():
    views = listening_views(BOARD)
    belief = hear_auction(views["declarer"])
    swapped = Deal((DEAL[0], DEAL[3], DEAL[2], DEAL[1]))
    gains = [layout_gain(views["declarer"], deal, belief, Random(1)) for deal in (DEAL, swapped)]
    assert gains[0] > 0.5
    assert gains[1] < -1
    assert set(views["leader"].faced) == {Seat.EAST}


@pytest.mark.parametrize("name", system_names())
def test_no_sure_line_of_a_shipped_system_fits_half_of_all_hands(name):
    weak = {
        str(line.pattern): share
        for line in bidding_system(name).lines
        for suits in line.all_suits()
        if line.sure is Sureness.SURE and (share := share_outside(line.description(suits))) < 0.5
    }
    assert weak == {}


def test_an_explanation_that_says_little_is_not_taken_as_sure():
    told = Auction(Seat.NORTH).then(read_call("1C"), "11-21 HCP; 3+!C").then(read_call("P"), "15- HCP; 12-!C")
    assert [meaning.sure for meaning in meanings_of(told, bidding_system("sayc"))] == [Sureness.SURE, Sureness.LIKELY]


def test_scores_count_every_call_once_and_tables_of_a_deal_as_one():
    scores = score_auctions([BOARD, BOARD], "sayc")
    calls = len(meanings_of(BOARD.auction, bidding_system("sayc")))
    assert scores.tables == 2
    assert sum(group.inside.count for group in scores.sure) == 2 * calls
    assert sum(group.inside.count for group in scores.kinds) == 2 * calls
    assert {gain.count for gain in scores.gains.values()} == {1}


def test_halves_keep_events_together_and_are_about_equal():
    boards = [Board(DEAL, tags=(Tag("Stage", f"Round {number // 2}:{number % 2}"),)) for number in range(400)]
    halves = list(map(half_of, events_of(boards)))
    assert halves[::2] == halves[1::2]
    assert 160 < Counter(halves)["tuning"] < 240
