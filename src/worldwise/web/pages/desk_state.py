"""What the desk shows, short enough for an address: a deal, a contract and the cards played."""

from __future__ import annotations

import re
from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING, Any

from worldwise.bridge.files.lin import read_cards
from worldwise.bridge.layouts.deals_for_contract import deal_for
from worldwise.bridge.rules.auction import Auction
from worldwise.bridge.rules.board import Board, agree_contract
from worldwise.bridge.rules.contract import Contract
from worldwise.bridge.rules.deal import Deal, Seat, card_name
from worldwise.bridge.views.deal_picture import DealPicture, symbols_in
from worldwise.errors import InputError
from worldwise.web.fields import Text
from worldwise.web.refusal import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, Any]

STATE = (
    Text("deal", "the deal as PBN writes it, a hand nobody knows as -; or random and a seed", 100, required=True),
    Text("contract", "the contract: 3NT by S, 4HX by W", longest=20, required=True),
    Text("cards", "the cards played, in order: HKH4HTH3", longest=160, default=""),
    Text("auction", "the calls, from the dealer on: S: 1NT Pass 3NT Pass Pass Pass", longest=600, default=""),
)


def board_of(deal: str, contract: str, cards: str, auction: str = "") -> Board:
    """The board that the fields tell of; what is wrong is said of its field."""
    with blame_field("contract"):
        bid = Contract.read(contract)
    with blame_field("deal"):
        hands = _deal(deal, bid)
    with blame_field("auction"):
        heard = Auction.read(auction) if auction else None
        dealer = heard.dealer if heard else Seat.NORTH
        agree_contract(dealer, heard, bid)
    with blame_field("cards"):
        board = Board(hands, dealer=dealer, auction=heard, contract=bid, cards=tuple(read_cards(cards)))
    with blame_field("deal"):
        board.view(bid.declarer)
    return board


@contextmanager
def blame_field(field: str) -> Iterator[None]:
    """What is wrong in here, is wrong with a field."""
    try:
        yield
    except InputError as error:
        raise RefusedError(400, str(error), field) from None


def _deal(text: str, contract: Contract) -> Deal:
    """A deal as PBN writes it, or the one that a seed draws for the contract."""
    seed = re.fullmatch(r"random (\d{1,9})", text.strip())
    deal = deal_for(contract, Random(int(seed[1]))) if seed else Deal.read(text)
    if (
        not (deal[contract.declarer] and deal[contract.dummy])
        or len({hand.bit_count() for hand in deal.hands if hand}) > 1
    ):
        raise InputError(f"expected declarer's hand and dummy's, and hands of one length, found {deal}")
    return deal


def state_json(board: Board) -> Json:
    """A board as the page asks about it again."""
    return {
        "name": ", ".join(map(symbols_in, DealPicture.of(board, dealt=True).facts)),
        "deal": str(board.deal),
        "contract": None if board.contract is None else str(board.contract),
        "cards": "".join(map(card_name, board.cards)),
        "auction": "" if board.auction is None else str(board.auction),
        "constraints": board.tag("Constraints"),
    }
