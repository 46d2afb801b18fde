"""Hidden cards never matter: whatever the deal, auction, seat and seed, the answer is the same, byte for byte."""

import json
from dataclasses import replace
from random import Random

import pytest

from worldwise.bridge.advice.advise import advise
from worldwise.bridge.layouts.sampler import Layouts
from worldwise.bridge.rules.auction import Auction
from worldwise.bridge.rules.board import Board
from worldwise.bridge.rules.deal import Deal, cards_in
from worldwise.bridge.views.advice_json import advice_json

pytestmark = pytest.mark.usefixtures("needs_kernels")

AUCTIONS = (
    "W: 1H 1S 2H 2S AP",
    "N: 1NT P 2C P 2H P 3NT AP",
    "E: P 1C 1D X 2D 2S AP",
    "S: 2D P P X P 3C AP",
    "S: 1S P 2S 3H X AP",
    "W: 1NT P 4NT P 6NT AP",
    "N: P P 1C X P 1H P 1NT AP",
)


def _board(rng):
    """Any deal, bid in one way or another and played at random up to some place: from the lead to the last tricks."""
    auction = Auction.read(rng.choice(AUCTIONS))
    board = Board(Deal.random(rng), dealer=auction.dealer, auction=auction)
    cards = 0 if rng.random() < 0.05 else rng.randrange(20, 46)
    for _ in range(cards):
        board = board.with_cards((*board.cards, rng.choice(list(cards_in(board.play.position.legal)))))
    return board


@pytest.mark.parametrize("seed", range(300))
def test_hidden_cards_never_matter(seed):
    rng = Random(seed)
    board = _board(rng)
    view = board.view(board.play.turn)
    hidden = Layouts(view).sample(rng)
    told = []
    for deal in (board.deal, hidden):
        seen = replace(board, deal=deal).view(view.seat)
        advice = advise(seen, worlds=3, algorithm="pimc", seed=seed)
        told.append(json.dumps({**advice_json(advice), "seconds": 0}))
    assert told[0] == told[1]
