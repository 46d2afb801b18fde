"""Leads compared on the true deal: by double dummy, and figures by hand computation."""

import pytest

from worldwise.bridge.advice.lead_duel import LeadDuel, LeadResult, compare_leads, summarise_leads
from worldwise.bridge.rules.auction import Auction
from worldwise.bridge.rules.board import Board
from worldwise.bridge.rules.deal import Deal, Seat, cards_in, read_card
from worldwise.bridge.solvers.double_dummy import tricks

DEAL = Deal.read("W:K5.AQJ85.K86.J73 A8643.97.QJ.Q864 T97.K32.9754.952 QJ2.T64.AT32.AKT")
BOARD = Board(DEAL, dealer=Seat.WEST, auction=Auction.read("W: 1H 1S 2H 2S AP"))


@pytest.mark.usefixtures("needs_kernels")
def test_a_lead_is_worth_what_double_dummy_takes_after_it():
    duel = compare_leads(BOARD, worlds=4)
    for result in (duel.heard, duel.deaf):
        assert result.card in cards_in(DEAL[Seat.EAST])
        left = tricks(BOARD.with_cards([result.card]).play.position)
        assert result.tricks == 13 - left
        assert result.beats == (result.tricks > 5)


def test_figures_by_hand():
    one, other = read_card("SA"), read_card("S2")
    beaten, made = LeadResult(one, 6, True), LeadResult(other, 4, False)
    found = summarise_leads(
        [LeadDuel(beaten, made), LeadDuel(made, made), LeadDuel(beaten, made), LeadDuel(made, beaten)]
    )
    assert (found.boards, found.differ, found.won, found.lost) == (4, 3, 2, 1)
    assert (found.beats.value, found.tricks.value) == (0.25, 0.5)
