"""Hints, reviews, and moves taken back."""

import json
from random import Random

import numpy as np
import pytest

from kriegspiel_play import TINY, last_state
from kriegspiel_talk import LADDER, assert_in_order, play
from worldwise.errors import InputError
from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
from worldwise.kriegspiel.players.advice import legal_chances, rate_tries, review_tries
from worldwise.kriegspiel.players.person_session import TAKEN_BACK, KriegspielSession
from worldwise.kriegspiel.records.pgn import pgn
from worldwise.kriegspiel.records.pgn_reader import read_pgn
from worldwise.kriegspiel.records.record import Record
from worldwise.kriegspiel.rules.fen import read_fen
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.hidden_pieces import possible_boards
from worldwise.kriegspiel.rules.squares import BLACK, WHITE, read_uci, uci
from worldwise.kriegspiel.rules.umpire import BERKELEY, WILD16
from worldwise.kriegspiel.rules.view import PlayerView


@pytest.fixture
def run(worldwise_command):
    return lambda *arguments, stdin="": worldwise_command("kriegspiel", *arguments, stdin=stdin)


def rated(boards, events=()):
    return rate_tries(WeightedBoards.of(boards), PlayerView.of(boards[0], WHITE), events, WILD16)


def record_of(first, *texts, rules=WILD16):
    game = Kriegspiel(rules, (first,))
    state = game.start(first)
    for text in texts:
        state = game.play(state, read_uci(text, first.geometry))
    return Record.of(state, rules, "ann", "bob")


# ---------------------------------------------------------------------- ratings


@pytest.mark.usefixtures("needs_kernels")
def test_tries_are_in_order_and_legal_somewhere():
    boards = possible_boards("8/8/8/8/8/8/PP6/K2Q4 w", "k: h8; r: d5 d8")
    found = rated(boards)
    worths = [one.worth for one in found.tries]
    assert worths == sorted(worths, reverse=True)
    assert all(one.chance > 0 for one in found.tries)
    assert found.boards == len(boards)
    assert found.by_move[read_uci("d1d8")].chance == 0.5


def test_chances_are_by_weight():
    boards = WeightedBoards.of(possible_boards("8/8/8/8/8/8/8/K2Q4 w", "k: h8; r: d5 d8"))
    moves = (read_uci("d1d8"), read_uci("d1d5"), read_uci("d1c1"))
    assert list(legal_chances(boards, moves).values()) == pytest.approx([0.5, 1.0, 1.0])
    blocked = [not board.is_legal(moves[0]) for board in boards]
    uneven = boards.select(np.arange(2), np.where(blocked, 3.0, 1.0))
    assert legal_chances(uneven, moves)[moves[0]] == pytest.approx(0.25)


@pytest.mark.usefixtures("needs_kernels")
def test_a_mate_comes_first():
    found = rated(possible_boards("7k/R7/1R6/8/8/8/8/K7 w", "k: h8; p: h3"))
    assert uci(found.best.move) == "b6b8"
    assert found.mates == {read_uci("b6b8")}


@pytest.mark.usefixtures("needs_kernels")
def test_an_ending_is_not_counted_in_pawns():
    assert rated(possible_boards("8/8/8/8/8/8/8/KQ6 w", "k: h8 h7")).ending
    assert not rated(possible_boards("8/8/8/8/8/8/8/KQ6 w", "k: h8 h7; p: h2")).ending


# ---------------------------------------------------------------------- reviews


@pytest.mark.usefixtures("needs_kernels")
def test_a_queen_left_to_be_taken_costs_much():
    first = read_fen("6k1/5pp1/7p/8/8/8/5PPP/3Q2K1 w")
    record = record_of(first, "h2h3", "h6h5", "d1d7", "h5h4", "d7f7", "g8f7", "g2g3", "f7e7")
    tries = list(review_tries(record, WHITE))
    assert (tries[2].number, uci(tries[2].move)) == (3, "d7f7")
    assert tries[2].cost > 3
    assert [one.number for one in tries] == [1, 2, 3, 4]
    assert all(0 <= one.truth <= 1 for one in tries)
    assert tries[0].truth == 1


@pytest.mark.usefixtures("needs_kernels")
def test_a_mate_that_was_missed_is_told():
    record = record_of(read_fen("7k/R7/1R6/8/8/8/7p/K7 w"), "a1b1", "h2h1q")
    (one,) = review_tries(record, WHITE)
    assert one.misses_mate
    (quick,) = review_tries(record_of(read_fen("7k/R7/1R6/8/8/8/7p/K7 w"), "b6b8"), WHITE)
    assert not quick.misses_mate


@pytest.mark.usefixtures("needs_kernels")
def test_a_queen_risked_in_an_ending_is_rash():
    (safe,) = review_tries(record_of(read_fen("8/8/8/3k4/8/8/8/KQ6 w"), "b1b2"), WHITE)
    assert not safe.is_rash
    (rash,) = review_tries(record_of(read_fen("8/8/8/3k4/8/8/8/KQ6 w"), "b1e4"), WHITE)
    assert rash.is_rash
    assert rash.cost is None


@pytest.mark.parametrize("rules", [WILD16, BERKELEY], ids=lambda rules: rules.name)
def test_refused_tries_are_reviewed_too(rules):
    game = Kriegspiel(rules, (TINY,))
    record = Record.of(last_state(game, Random(3), 12), rules)
    for colour in (WHITE, BLACK):
        tries = list(review_tries(record, colour, boards=3, pool=9))
        own = [event for event in record.events if event.colour is colour]
        assert [(one.move, one.refused) for one in tries] == [(event.move, event.is_refusal) for event in own]
        assert all(one.cost is None or one.cost >= 0 for one in tries)


@pytest.mark.usefixtures("needs_kernels")
def test_the_command_reviews_a_game(run, tmp_path):
    first = read_fen("6k1/5pp1/7p/8/8/8/5PPP/3Q2K1 w")
    record = record_of(first, "h2h3", "h6h5", "d1d7", "h5h4", "d7f7", "g8f7", "g2g3", "f7e7")
    (tmp_path / "game.pgn").write_text(pgn(record))
    done = run("review", "game.pgn", "--as", "white", "--worst", "4")
    assert done.returncode == 0
    assert_in_order(
        done.stdout, "white: 4 tries, 4 of them rated in pawns", "move 3: d7f7", "best ", "cost", "a belief"
    )
    assert "black" not in done.stdout
    both = run("review", "game.pgn", "--json").json
    assert [len(both[colour]) for colour in ("white", "black")] == [4, 4]
    assert both["white"][2]["try"] == "d7f7"
    assert both["white"][2]["cost"] > 3
    assert run("review", "game.pgn", "--as", "grey").returncode == 2
    assert "No such file" in run("review", "none.pgn").stderr


# ---------------------------------------------------------------------- in a game


@pytest.mark.usefixtures("needs_kernels")
def test_a_hint_names_the_mate(run):
    done = play(run, "--fen", LADDER, stdin="hint\nRb8\n")
    assert_in_order(done.stdout, "best on the one board that fit", "b6b8, forces mate, legal on 100 % of them", "1-0")


def test_a_move_is_taken_back_and_the_record_says_so(run, tmp_path):
    done = play(run, "--fen", TINY_TEXT, "--save", "game.pgn", stdin="takeback\ntries\nbxc3\ntakeback\n")
    assert done.returncode == 0
    assert_in_order(done.stdout, "expected a move of yours to take back, found none", "your last move is taken back")
    (record,) = read_pgn((tmp_path / "game.pgn").read_text())
    assert record.events == ()
    assert dict(record.tags)[TAKEN_BACK] == "1"


TINY_TEXT = "rqkr/pppp/PPPP/RQKR w"


def test_taking_back_goes_to_the_beginning_of_the_turn():
    game = Kriegspiel(WILD16, (TINY,))
    for seed in range(20):
        state = last_state(game, Random(seed), 9)
        if state.end or not any(event.colour is WHITE and not event.is_refusal for event in state.events):
            continue
        record = Record.of(state, WILD16, "you", "rand")
        session = KriegspielSession.of(record)
        back = session.before_own_move()
        kept = back.state.events
        assert kept == state.events[: len(kept)]
        assert back.state.board.turn is WHITE
        assert not back.state.refused
        taken = [event for event in state.events[len(kept) :] if event.colour is WHITE and not event.is_refusal]
        assert len(taken) == 1
        assert dict(back.record.tags)[TAKEN_BACK] == "1"


def test_nothing_to_take_back():
    with pytest.raises(InputError, match="expected a move of yours to take back, found none"):
        KriegspielSession.of(Record(WILD16, TINY, white="you", black="rand")).before_own_move()
    spoilt = Record(WILD16, TINY, record_of(TINY, "b2c3").events, white="you", black="rand", tags=((TAKEN_BACK, "x"),))
    with pytest.raises(InputError, match="the tag TakenBack"):
        KriegspielSession.of(spoilt).before_own_move()


def test_json_is_plain(run, tmp_path):
    (tmp_path / "game.pgn").write_text(pgn(record_of(TINY, "b2c3")))
    assert json.loads(run("review", "game.pgn", "--json", "--boards", "2").stdout)["black"] == []
