"""Auctions, scores and boards: the rules, the laws' tables, and what a record may not say."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given

from bridge_strategies import SEEDS, some_auction, some_cards
from endplay_oracle import oracle
from worldwise.bridge.rules.auction import BIDS, Alert, Auction, call_name, read_call
from worldwise.bridge.rules.board import Board, BoardFile, Tag, dealer_of_board, told_deal
from worldwise.bridge.rules.contract import Contract, Strain, Vulnerability
from worldwise.bridge.rules.deal import SEATS, Deal, Seat, read_card
from worldwise.bridge.rules.scoring import imps, north_south_score, score
from worldwise.errors import InputError, PlacedError

ENDING = Deal.read("N:A2... K3... Q4... J5...")


# ---------------------------------------------------------------------- auction


def test_every_call_is_read_back():
    assert [read_call(call_name(call)) for call in (0, 1, 2, *BIDS)] == [0, 1, 2, *BIDS]
    assert tuple(range(5, 40)) == BIDS


@pytest.mark.parametrize("text", ["8C", "0NT", "1Z", "", "1", "pas", "XXX", "NT"])
def test_what_is_no_call(text):
    with pytest.raises(InputError):
        read_call(text)


@pytest.mark.parametrize(
    ("auction", "contract"),
    [
        ("N: 1NT Pass 3NT AP", "3NT by N"),
        ("N: 1S Pass 2S Pass 4S AP", "4S by N"),
        ("E: 1H Pass 2NT Pass 3H Pass 4H AP", "4H by E"),
        ("S: 1C X XX 1S Pass 2S AP", "2S by E"),
        ("W: Pass Pass Pass 1D 1S 2D X AP", "2DX by S"),
        ("W: 7C X XX AP", "7CXX by W"),
        ("N: 1H 2H 3H AP", "3H by N"),
        ("N: 1S X 2S 3C 3S X XX 4C AP", "4C by W"),
    ],
)
def test_contracts(auction, contract):
    assert str(Auction.read(auction).contract) == contract


@pytest.mark.parametrize(
    ("auction", "message"),
    [
        ("N: 1NT 1S", "call 2 (East): expected a bid above 1NT, found '1S'"),
        ("N: X", "call 1 (North): expected a double of the opponents' bid only, once, found 'X'"),
        ("N: 1S Pass X", "call 3 (South): .* found 'X'"),
        ("N: 1S X Pass Pass X", "call 5 (North): .*"),
        ("N: 1S X X", "call 3 (South): .*"),
        ("N: 1S XX", "call 2 (East): expected a redouble of the opponents' double only, found 'XX'"),
        ("N: 1S X Pass XX", "call 4 (West): .*"),
        ("N: 1S X XX XX", "call 4 (West): .*"),
        ("N: Pass Pass Pass Pass 1C", "call 5 (North): expected no call after the end of the auction, found '1C'"),
        ("N: 1C Pass Pass Pass Pass", "call 5 (North): .*"),
    ],
)
def test_illegal_calls(auction, message):
    with pytest.raises(PlacedError, match="^" + message.replace("(", r"\(").replace(")", r"\)")):
        Auction.read(auction)


def test_passed_out():
    auction = Auction.read("W: AP")
    assert (auction.passed_out, auction.over, auction.contract, auction.legal) == (True, True, None, ())


def test_alerts():
    auction = Auction.read("N: 1NT").alert("").alert("15-17").then(0).then(read_call("2D"), "hearts")
    assert auction.alerts == (Alert(0, "15-17"), Alert(2, "hearts"))
    assert [auction.explanation(place) for place in range(3)] == ["15-17", None, "hearts"]
    with pytest.raises(InputError, match="alerts of the 1 calls"):
        Auction(Seat.NORTH, (5,), (Alert(1),))


@given(SEEDS)
def test_auctions_read_back(seed):
    rng = Random(seed)
    auction = some_auction(rng, rng.choice(SEATS))
    assert Auction.read(str(auction)) == replace(auction, alerts=())
    if auction.contract is not None:
        assert Auction.leading_to(auction.dealer, auction.contract).contract == auction.contract


def test_auction_contracts_against_endplay():
    types = oracle("endplay.types")
    rng = Random(7)
    for _ in range(300):
        auction = some_auction(rng, rng.choice(SEATS))
        bids = [types.Bid(call_name(call)) for call in auction.calls]
        theirs = types.Contract.from_auction(types.Player(auction.dealer.value), bids)
        assert theirs.is_passout() == (auction.contract is None)
        if auction.contract is not None:
            ours = auction.contract
            assert (theirs.level, theirs.denom.value, theirs.declarer.value) == (ours.level, ours.strain, ours.declarer)
            assert theirs.penalty.value.bit_length() - 1 == ours.doubled


# ---------------------------------------------------------------------- scoring


@pytest.mark.parametrize(
    ("contract", "tricks", "not_vulnerable", "vulnerable"),
    [
        ("1C", 7, 70, 70),
        ("1NT", 7, 90, 90),
        ("2S", 9, 140, 140),
        ("3NT", 9, 400, 600),
        ("3NT", 11, 460, 660),
        ("4H", 10, 420, 620),
        ("5D", 11, 400, 600),
        ("6C", 12, 920, 1370),
        ("6NT", 12, 990, 1440),
        ("6S", 13, 1010, 1460),
        ("7H", 13, 1510, 2210),
        ("7NT", 13, 1520, 2220),
        ("1CX", 7, 140, 140),
        ("2HX", 8, 470, 670),
        ("2CX", 8, 180, 180),
        ("2CX", 9, 280, 380),
        ("2SXX", 8, 640, 840),
        ("1CXX", 7, 230, 230),
        ("1NTXX", 13, 1760, 3160),
        ("7NTXX", 13, 2280, 2980),
        ("4S", 9, -50, -100),
        ("4S", 4, -300, -600),
        ("4SX", 9, -100, -200),
        ("4SX", 8, -300, -500),
        ("4SX", 7, -500, -800),
        ("4SX", 6, -800, -1100),
        ("4SXX", 9, -200, -400),
        ("4SXX", 6, -1600, -2200),
        ("7NTX", 0, -3500, -3800),
        ("7NTXX", 0, -7000, -7600),
    ],
)
def test_published_scores(contract, tricks, not_vulnerable, vulnerable):
    made = Contract.read(contract, Seat.SOUTH)
    assert score(made, tricks, Vulnerability.EAST_WEST) == not_vulnerable
    assert score(made, tricks, Vulnerability.NORTH_SOUTH) == vulnerable
    assert north_south_score(Contract.read(contract, Seat.EAST), tricks, Vulnerability.NONE) == -not_vulnerable


def test_every_score_against_endplay():
    types = oracle("endplay.types")
    for level in range(1, 8):
        for strain in Strain:
            for doubled in range(3):
                ours = Contract(level, strain, Seat.NORTH, doubled)
                theirs = types.Contract(
                    level=level,
                    denom=types.Denom(strain.value),
                    declarer=types.Player(0),
                    penalty=types.Penalty(1 << doubled),
                )
                for tricks in range(14):
                    theirs.result = tricks - ours.tricks
                    assert score(ours, tricks, Vulnerability.NONE) == theirs.score(types.Vul.none)
                    assert score(ours, tricks, Vulnerability.BOTH) == theirs.score(types.Vul.both)


def test_imps():
    table = {10: 0, 20: 1, 40: 1, 50: 2, 80: 2, 90: 3, 160: 4, 170: 5, 260: 6, 270: 7, 360: 8, 370: 9, 420: 9, 430: 10}
    table |= {490: 10, 500: 11, 590: 11, 600: 12, 740: 12, 750: 13, 890: 13, 900: 14, 1090: 14, 1100: 15, 1300: 16}
    table |= {1500: 17, 1750: 18, 2000: 19, 2250: 20, 2500: 21, 3000: 22, 3490: 22, 3500: 23, 3990: 23, 4000: 24}
    assert {points: imps(points) for points in table} == table
    assert {points: imps(-points) for points in table} == {points: -won for points, won in table.items()}


def test_scores_of_nothing():
    assert score(None, 0, Vulnerability.BOTH) == 0
    with pytest.raises(InputError, match="from 0 to 13 tricks, found 14"):
        score(Contract.read("1NT by S"), 14, Vulnerability.NONE)


# ---------------------------------------------------------------------- board


def test_contract_and_tricks_follow():
    board = Board(ENDING, auction=Auction.read("N: 1S AP"))
    assert str(board.contract) == "1S by N"
    rng = Random(3)
    deal = Deal.random(rng)
    whole = Board(deal, contract=Contract.read("1NT by S"), cards=some_cards(rng, deal, Contract.read("1NT by S"), 52))
    assert whole.tricks == whole.play.declarer_tricks
    assert whole.score == north_south_score(whole.contract, whole.tricks, Vulnerability.NONE)
    with pytest.raises(InputError, match="tricks that the play gives declarer"):
        replace(whole, tricks=13 - whole.tricks)


def test_dealers():
    assert [dealer_of_board(number) for number in (1, 2, 16, 17)] == [Seat.NORTH, Seat.EAST, Seat.WEST, Seat.NORTH]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"auction": Auction.read("E: 1S AP")}, "expected North, the dealer, to call first, found East"),
        (
            {"auction": Auction.read("N: 1S AP"), "contract": Contract.read("2S by N")},
            "expected the contract 1S by N of the auction, found 2S by N",
        ),
        ({"auction": Auction.read("N: AP"), "contract": Contract.read("2S by N")}, "expected the passes"),
        ({"cards": (read_card("SA"),)}, "expected a contract before the play, found SA"),
        ({"tricks": 14}, "expected from 0 to 13 tricks, found 14"),
        (
            {"contract": Contract.read("1NT by S"), "cards": (read_card("SK"),)},
            "card 1 of trick 1: expected a card of West's, found SK, which East was dealt",
        ),
        (
            {"contract": Contract.read("1NT by S"), "cards": (read_card("H2"),)},
            "card 1 of trick 1: expected a card of West's J5..., found H2",
        ),
    ],
)
def test_records_that_contradict_themselves(fields, message):
    with pytest.raises(InputError, match=message.replace(".", r"\.")):
        Board(ENDING, **fields)


def test_a_short_hand_among_whole_ones():
    with pytest.raises(InputError, match="expected 13 cards in West's hand, found 12; C7 nowhere"):
        Board(Deal.read("N:AQ4.J986.QJT.652 J9853.K2.43.AKQ3 T.AQ53.9862.JT84 K762.T74.AK75.9"))


def test_hidden_hands_and_views():
    deal = Deal.read("N:963.94.732.KJT98 - KQ.AQT.KQT96.A32 -")
    cards = tuple(map(read_card, ["C5", "C8", "CQ", "CA", "SK", "ST", "S9", "S2"]))
    board = Board(deal, contract=Contract.read("3NT by S"), cards=cards)
    assert told_deal(deal, board.contract, cards)[Seat.WEST].bit_count() == 2
    view = board.view(Seat.SOUTH)
    assert (view.hidden, view.unseen.bit_count()) == ((Seat.EAST, Seat.WEST), 22)
    with pytest.raises(InputError, match="expected to know West's hand"):
        board.view(Seat.WEST)
    with pytest.raises(InputError, match="all four hands of an ending"):
        Board(Deal.read("N:A2... - Q4... -"), contract=board.contract).view(Seat.SOUTH)


def test_a_hidden_hand_revokes_too():
    deal = Deal.read("N:963.94.732.KJT98 - KQ.AQT.KQT96.A32 -")
    cards = tuple(map(read_card, ["C5", "C8", "H2", "CA", "C2", "C6", "C9", "C7"]))
    with pytest.raises(InputError, match="card 3 of trick 1: East revokes with H2; expected one of C7"):
        Board(deal, contract=Contract.read("3NT by S"), cards=cards)


def test_boards_by_number():
    boards = BoardFile((Board(ENDING, 4), Board(ENDING, 6)), (PlacedError("expected", "x.pbn, line 3, board 5"),))
    assert [boards.board().number, boards.board(6).number, len(boards)] == [4, 6, 2]
    with pytest.raises(PlacedError, match="line 3, board 5"):
        boards.board(5)
    with pytest.raises(InputError, match="expected a board with a contract"):
        _ = boards.board(4).play


def test_tags_stand_in_the_standard_order():
    board = Board(ENDING, tags=(Tag("Room", "Open"), Tag("Scoring", "IMP"), Tag("Event", "Final")))
    assert [tag.name for tag in board.tags] == ["Event", "Scoring", "Room"]
    assert (board.tag("Event"), board.tag("Site")) == ("Final", "")
