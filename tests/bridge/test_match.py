"""Matches at bridge: deals by a rule, duels, figures, and runs that resume."""

import json
from collections import Counter
from math import comb
from random import Random

import pytest

from older_files import without_seals
from worldwise.bridge.files.pbn import pbn_text, read_pbn
from worldwise.bridge.layouts.deals_for_contract import POINTS, deal_for, points
from worldwise.bridge.match import BridgeMatch, BridgeSummary, DeclarerResult, Duel
from worldwise.bridge.match_run import BridgeMatchRun
from worldwise.bridge.players.searchers import PimcPlayer
from worldwise.bridge.players.simple import DoubleDummyPlayer, RandomPlayer
from worldwise.bridge.rules.board import Board, dealer_of_board
from worldwise.bridge.rules.contract import Contract, Strain, Vulnerability
from worldwise.bridge.rules.deal import PACK, SEATS, SUIT_CARDS, Seat, cards_in
from worldwise.bridge.solvers.double_dummy import dds_found
from worldwise.bridge.views.match import match_json, match_table, match_words
from worldwise.core.statistics import wilson
from worldwise.errors import InputError
from worldwise.kernels import in_use
from worldwise.runs.runners import Serial, complete_file, runner

needs_solver = pytest.mark.skipif(not in_use() and not dds_found(), reason="whole deals need kernels or DDS")

CONTRACT = Contract.read("3NT by S")
DICE = BridgeMatch(RandomPlayer(), RandomPlayer(), RandomPlayer(), CONTRACT)


# ---------------------------------------------------------------------- deals


@pytest.mark.parametrize("strain", Strain)
@pytest.mark.parametrize("level", range(1, 8))
def test_deals_fit_their_contract(level, strain):
    rng = Random(level)
    for seat in SEATS:
        contract = Contract(level, strain, seat)
        deal = deal_for(contract, rng)
        assert deal.complete
        least, most = POINTS[strain == Strain.NOTRUMP][level - 1]
        assert least <= points(deal[contract.declarer] | deal[contract.dummy]) <= most
        if strain == Strain.NOTRUMP:
            lengths = [(deal[hand] & suit).bit_count() for hand in (seat, seat.partner) for suit in SUIT_CARDS]
            assert set(lengths) <= {2, 3, 4, 5}
        else:
            own, other = ((deal[hand] & SUIT_CARDS[strain]).bit_count() for hand in (seat, seat.partner))
            assert own >= 4
            assert own >= other
            assert own + other >= 8


def test_deals_come_by_their_seed():
    assert deal_for(CONTRACT, Random(3)) == deal_for(CONTRACT, Random(3)) != deal_for(CONTRACT, Random(4))


def test_points_come_as_often_as_they_do():
    """Counted card by card: how many sets of 26 cards have so many points; shape hardly depends on them."""
    sets = Counter({(0, 0): 1})
    for card in cards_in(PACK):
        sets += Counter({(size + 1, sum_ + points(1 << card)): ways for (size, sum_), ways in sets.items()})
    ways = {number: sets[26, number] for number in (20, 21, 22)}
    assert sum(sets[26, number] for number in range(41)) == comb(52, 26)
    rng, contract = Random(1), Contract.read("1NT by S")
    drawn = Counter(_points(deal_for(contract, rng)) for _ in range(500))
    for number, count in ways.items():
        assert count / sum(ways.values()) in wilson(drawn[number], 500, 0.9999)


def _points(deal):
    return points(deal[Seat.NORTH] | deal[Seat.SOUTH])


# ---------------------------------------------------------------------- figures


def side(number, tricks, moves=26, seconds=1.3):
    deal, dealer = deal_for(CONTRACT, Random(number)), dealer_of_board(number)
    board = Board(deal, number, dealer, Vulnerability.of_board(number), contract=CONTRACT, tricks=tricks)
    return DeclarerResult(board, moves, seconds)


def test_figures_against_hand_computation():
    taken = [(9, 8), (8, 9), (10, 9), (9, 8)]
    duels = [Duel(side(n, a), side(n, b, seconds=2.6)) for n, (a, b) in enumerate(taken, 1)]
    assert [duel.winner for duel in duels] == [1, 2, 0, 1]
    # nobody: 400 and -50; North-South: -100 and 600; East-West: 430 and 400; everybody: 600 and -100
    assert [duel.imps for duel in duels] == [10, -12, 1, 12]
    summary = BridgeSummary(duels)
    assert (summary.deals, summary.differing, summary.won, summary.lost) == (4, 3, 2, 1)
    assert summary.win_rate == wilson(2, 3)
    assert summary.make_rates == (wilson(3, 4), wilson(2, 4))
    assert summary.imps.value == 2.75
    assert summary.tricks.value == 0.5
    assert summary.seconds == (0.05, 0.1)
    told = match_json(DICE, summary)
    assert told["win_rate"]["value"] == pytest.approx(2 / 3)
    assert told["make_rates"]["versus"]["value"] == 0.5
    assert json.loads(json.dumps(told)) == told
    assert match_table(DICE, summary).row_count == 4
    assert "3 of 4 deals differ" in match_words(DICE, summary)[0]
    assert "66.7 % (20.8 to 93.9)" in match_words(DICE, summary)[0]


def test_nothing_differs():
    summary = BridgeSummary([Duel(side(1, 9), side(1, 9))])
    assert summary.win_rate is None
    assert match_json(DICE, summary)["win_rate"] is None
    assert match_json(DICE, summary)["imps"] == {"value": 0.0, "low": None, "high": None}
    assert "so there is no win rate" in match_words(DICE, summary)[0]
    with pytest.raises(InputError, match="expected at least one deal"):
        BridgeSummary([])


def test_who_sees_everything_is_named():
    match = BridgeMatch(DoubleDummyPlayer(), RandomPlayer(), DoubleDummyPlayer(), CONTRACT)
    summary = BridgeSummary([Duel(side(1, 9), side(1, 9))])
    assert match_words(match, summary)[2:] == ["dds sees all four hands: the reference ceiling, not a player"]
    assert match_json(match, summary)["defence"] == {"player": "dds", "sees_all": True}


# ---------------------------------------------------------------------- duels


def test_the_same_declarer_twice_plays_the_same():
    duel = DICE.duel(3, seed=9)
    assert duel.first.board.cards == duel.second.board.cards
    assert (duel.first.moves, duel.winner, duel.imps) == (26, 0, 0)


def test_a_row_tells_all_of_a_duel():
    match = BridgeMatch(RandomPlayer(), RandomPlayer(), RandomPlayer(), Contract.read("4HX by E"))
    duel = match.duel(5, seed=1)
    row = json.loads(json.dumps(duel.row))
    assert match.duel_of(5, row) == duel
    boards = (duel.first.board, duel.second.board)
    assert read_pbn(pbn_text(boards)).boards == boards
    assert duel.first.board.tag("Room") == "Open"


@needs_solver
def test_a_real_match():
    """Grand slams with 36 points, declared by one who samples and by one who tosses coins."""
    match = BridgeMatch(PimcPlayer(6), RandomPlayer(), DoubleDummyPlayer(), Contract.read("7NT by S"))
    duels = [match.duel(number, seed=number) for number in (1, 2)]
    assert all(duel.first.tricks >= duel.second.tricks for duel in duels)
    again = match.duel(1, seed=1)
    assert again.first.board == duels[0].first.board
    assert again.second.board == duels[0].second.board


# ---------------------------------------------------------------------- runs


def untimed(duels):
    return [(duel.first.board, duel.second.board) for duel in duels]


def test_runs_resume_with_no_board_lost_or_doubled(tmp_path):
    path, run = tmp_path / "match.jsonl", BridgeMatchRun(DICE, count=6, seed=2)
    whole = tmp_path / "whole.jsonl"
    complete_file(whole, run, Serial())

    def interrupt(task):
        def stop(pair):
            if pair.setting["board"] == 4:
                raise KeyboardInterrupt
            return task(pair)

        return stop

    class Interrupted:
        def rows(self, task, missing):
            return Serial().rows(interrupt(task), missing)

    with pytest.raises(KeyboardInterrupt):
        complete_file(path, run, Interrupted())
    assert len(run.read_games(path)) == 3
    with path.open("a") as file:
        file.write('{"setting":{"board":4},"se')  # killed in the middle of a line
    assert complete_file(path, run, Serial()) == 3
    assert untimed(run.read_games(path)) == untimed(run.read_games(whole))
    assert [duel.number for duel in run.read_games(path)] == [1, 2, 3, 4, 5, 6]
    assert complete_file(path, run, Serial()) == 0


def test_a_match_is_made_longer_by_the_same_deals(tmp_path):
    path = tmp_path / "match.jsonl"
    complete_file(path, BridgeMatchRun(DICE, count=2), Serial())
    assert complete_file(path, BridgeMatchRun(DICE, count=3), Serial()) == 1


def test_who_asks_for_fewer_deals_has_the_first(tmp_path):
    path, run = tmp_path / "match.jsonl", BridgeMatchRun(DICE, count=3)
    complete_file(path, run, Serial())
    kept = path.read_bytes()
    assert complete_file(path, BridgeMatchRun(DICE, count=2), Serial()) == 0
    assert untimed(BridgeMatchRun(DICE, count=2).read_games(path)) == untimed(run.read_games(path))[:2]
    assert path.read_bytes() == kept


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (('"first.moves":', '"first.mvoes":'), "board 1: expected the row of a board, found something else .KeyError"),
        (('"second.seconds":', '"second.seconds":"x","s":'), "board 1: .* found something else .ValueError"),
        (('"deal":"', '"deal":"Z'), "board 1: expected"),
    ],
)
def test_a_damaged_board_is_said_to_be(tmp_path, change, error):
    path, run = tmp_path / "match.jsonl", BridgeMatchRun(DICE, count=1)
    complete_file(path, run, Serial())
    path.write_text(without_seals(path.read_text()).replace(*change))
    with pytest.raises(InputError, match=rf"match\.jsonl: {error}"):
        run.read_games(path)


def test_processes_change_nothing(tmp_path):
    run = BridgeMatchRun(DICE, count=5, seed=1)
    for processes in (1, 2):
        complete_file(tmp_path / f"{processes}.jsonl", run, runner(processes))
    assert untimed(run.read_games(tmp_path / "1.jsonl")) == untimed(run.read_games(tmp_path / "2.jsonl"))


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (BridgeMatchRun(DICE, 2, seed=1), "expected seed 1, found 0"),
        (
            BridgeMatchRun(BridgeMatch(*[RandomPlayer()] * 3, Contract.read("7NT by S")), 2),
            "expected contract '7NT by S'",
        ),
        (
            BridgeMatchRun(BridgeMatch(PimcPlayer(3), RandomPlayer(), RandomPlayer(), CONTRACT), 2),
            "expected declarer 'pimc:worlds=3,aim=make,carding=equal', found 'random'",
        ),
    ],
)
def test_other_settings_are_refused(tmp_path, other, words):
    path = tmp_path / "match.jsonl"
    complete_file(path, BridgeMatchRun(DICE, count=1), Serial())
    before = path.read_bytes()
    with pytest.raises(InputError, match=words):
        complete_file(path, other, Serial())
    assert path.read_bytes() == before


def test_matches_with_other_players_share_their_deals():
    ours = BridgeMatchRun(DICE, count=3)
    theirs = BridgeMatchRun(BridgeMatch(*[DoubleDummyPlayer()] * 3, CONTRACT), count=3)
    assert ours.pairs == theirs.pairs
    row = ours.task(ours.pairs[2]).row
    assert BridgeMatchRun(DICE, count=9).task(ours.pairs[2]).row["deal"] == row["deal"]


def test_no_deals():
    with pytest.raises(InputError, match="expected at least one deal, found 0"):
        BridgeMatchRun(DICE, count=0)
