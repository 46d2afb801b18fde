"""Claims: what one plan takes, by brute force over strategies; good only if it is good after every defender's card."""

from dataclasses import replace
from random import Random

import pytest

from best_defence import chances_of_cards
from worldwise.bridge.advice.claim_record import PlannedClaim, TrickClaim
from worldwise.bridge.advice.claims import check_claim, claimed_tricks
from worldwise.bridge.advice.review import ReviewEffort, review_claim
from worldwise.bridge.advice.review_rows import claim_json, read_claim
from worldwise.bridge.layouts.carding import Carding
from worldwise.bridge.layouts.evidence import Evidence
from worldwise.bridge.layouts.sampler import Layouts
from worldwise.bridge.rules.board import Board
from worldwise.bridge.rules.contract import Contract
from worldwise.bridge.rules.deal import Deal, Seat, cards_in, read_card
from worldwise.bridge.rules.play import Play
from worldwise.bridge.solvers.double_dummy import double_dummy
from worldwise.bridge.views.claim_words import claim_words
from worldwise.errors import InputError
from worldwise.search.alphamu_root import ValueKind

pytestmark = pytest.mark.usefixtures("needs_kernels")

NO_LINE = "No line takes them in every layout. The best one fails in"

ALIKE = Evidence(carding=Carding.NONE)
"""Layouts all count alike."""


def ending(seed, cards=40):
    """A random deal of which so many cards were played at random, declarer's side having won some tricks."""
    rng = Random(seed)
    while True:
        play = Play(Deal.random(rng), Contract.read("1NT by S"))
        while len(play.cards) < cards:
            play = play.then(rng.choice(list(cards_in(play.position.legal))))
        if play.declarer_tricks >= 4:
            return Board(play.deal, contract=play.contract, cards=play.cards)


def to_declarer(seed):
    """Such a board with declarer's side to play."""
    board = ending(seed)
    while board.play.turn != Seat.SOUTH:
        board = board.with_cards((*board.cards, next(cards_in(board.play.position.legal))))
    return board


def test_a_claim_of_the_rest_is_what_the_best_strategy_takes():
    """An independent search over all strategies and all layouts gives the same chance."""
    doubtful = 0
    for seed in range(200):
        if doubtful == 3:
            return
        board = to_declarer(seed)
        if board.play.declarer_tricks + board.play.position.tricks_left < 7:
            continue
        view = board.view(Seat.SOUTH)
        total = board.play.declarer_tricks + board.play.position.tricks_left
        claimed = replace(view, contract=replace(view.contract, level=total - 6))
        wanted = max(chances_of_cards(claimed, Layouts(view).enumerate()).values())
        found = check_claim(board, evidence=ALIKE).planned
        assert found.exact
        assert found.kind is ValueKind.FINAL
        assert found.chance == pytest.approx(float(wanted))
        assert (found.fails == 0) == (wanted == 1)
        doubtful += 0 < wanted < 1
    raise AssertionError("too few claims in doubt")


def test_before_a_defender_plays_it_must_be_good_after_each_of_his_cards():
    looked_at = 0
    for seed in range(60):
        board = ending(seed, 41)
        view = board.view(Seat.SOUTH)
        tricks = max(7 - board.play.declarer_tricks, board.play.position.tricks_left - 1)
        if view.on_turn or tricks > board.play.position.tricks_left:
            continue
        after = [
            check_claim(replace(board, deal=deal, cards=(*board.cards, card)), tricks, ALIKE).good
            for deal in Layouts(view).enumerate()
            for card in cards_in(view.position(deal).legal)
            if board.play.position.trick == () or (view.to_move.next & 1) == (Seat.SOUTH & 1)
        ]
        if after:
            looked_at += 1
            assert check_claim(board, tricks, ALIKE).good == all(after)
        if looked_at == 8:
            return
    raise AssertionError("too few endings with a defender to play")


def test_more_tricks_are_never_easier_and_double_dummy_stands_beside():
    for seed in range(8):
        board = to_declarer(seed)
        left, won = board.play.position.tricks_left, board.play.declarer_tricks
        found = [check_claim(board, tricks, ALIKE) for tricks in range(max(0, 7 - won), left + 1)]
        fails = [one.planned.fails for one in found]
        assert fails == sorted(fails)
        solver = double_dummy(board.deal, board.contract.strain)
        assert {one.seen for one in found} == {solver.tricks(board.play.position, Seat.SOUTH)}


def test_fewer_than_seven_tricks_in_all_have_no_plan():
    board = Board(Deal.read("N:AK... 43... 52... QJ..."), contract=Contract.read("1NT by S"), cards=(read_card("SQ"),))
    claim = check_claim(board)
    assert (claim.planned, claim.seen, claim.good) == (None, 2, False)
    assert list(claim_words(board, claim)) == [
        "Claim at trick 1: all of the last 2 tricks for declarer.",
        "As the cards lay, double dummy takes them all.",
    ]
    assert read_claim(claim_json(claim)) == claim


def test_what_is_claimed_follows_from_the_result():
    board = to_declarer(3)
    won, left = board.play.declarer_tricks, board.play.position.tricks_left
    assert claimed_tricks(board) is None
    assert claimed_tricks(replace(board, tricks=won + left)) == left
    assert claimed_tricks(replace(board, tricks=won)) == 0
    assert claimed_tricks(replace(board, tricks=won + left + 1 if won + left < 13 else 0)) is None
    with pytest.raises(InputError, match=f"expected a claim from 0 to {left} tricks, found {left + 1}"):
        check_claim(board, left + 1)


def test_a_review_ends_with_the_claim():
    board = to_declarer(5)
    ended = replace(board, tricks=board.play.declarer_tricks + board.play.position.tricks_left)
    few = ReviewEffort(worlds=4, nodes=200)
    assert review_claim(ended, [Seat.SOUTH], few) == check_claim(board, evidence=few.evidence)
    assert review_claim(ended, [Seat.WEST], few) is None
    assert review_claim(board, [Seat.SOUTH], few) is None


def test_a_claim_that_fails_says_where():
    deal = Deal.read("N:A2... K3... Q4... J5...")
    board = Board(deal, contract=Contract.read("1NT by S"))
    planned = PlannedClaim(40, False, 3, 0.925, ValueKind.DEPTH, (deal,))
    lines = list(claim_words(board, TrickClaim(0, 1, 2, planned, 1)))
    assert lines == [
        "Claim at trick 1: 1 of the last 2 tricks for declarer.",
        f"{NO_LINE} at least 3 of 40 layouts and is good for at most 92.5 %.",
        "It fails with West S J5 H - D - C -; East S K3 H - D - C -, for instance.",
        "As the cards lay, double dummy takes just as many.",
    ]
    whole = TrickClaim(0, 2, 2, PlannedClaim(15, True, 0, 1.0, ValueKind.FINAL), 2)
    assert list(claim_words(board, whole))[1] == "The claim is good: one line takes them in all 15 layouts."
    known = TrickClaim(0, 2, 2, PlannedClaim(1, True, 0, 1.0, ValueKind.FINAL), 2)
    assert list(claim_words(board, known))[1] == "The claim is good: one line takes them in the only layout left."
    assert read_claim(claim_json(TrickClaim(0, 1, 2, planned, 1))) == TrickClaim(0, 1, 2, planned, 1)


@pytest.mark.parametrize(
    "wrong", [{"tricks": 3}, {"fails": 41}, {"fails": True}, {"chance": "1"}, {"double_dummy": "all"}, {"telling": [1]}]
)
def test_rows_that_make_no_sense_are_refused(wrong):
    planned = PlannedClaim(40, False, 3, 0.925, ValueKind.DEPTH)
    with pytest.raises(InputError, match="expected a claim as a review keeps it"):
        read_claim({**claim_json(TrickClaim(0, 1, 2, planned, 1)), **wrong})
