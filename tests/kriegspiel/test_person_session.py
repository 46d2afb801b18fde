"""A person's game of kriegspiel: what he may type, what he sees and hears, and what he may believe."""

import re
from dataclasses import replace
from random import Random

import pytest

from kriegspiel_play import TINY
from worldwise.core.result import Limit
from worldwise.errors import InputError, LimitReachedError
from worldwise.kriegspiel.belief.sampled import SampledBelief
from worldwise.kriegspiel.belief.weighted_boards import identity
from worldwise.kriegspiel.players.person_session import KriegspielSession, PersonMemory
from worldwise.kriegspiel.records.record import Record
from worldwise.kriegspiel.records.san import plain_san
from worldwise.kriegspiel.records.try_reader import read_try
from worldwise.kriegspiel.rules.board import START, ChessBoard
from worldwise.kriegspiel.rules.fen import read_fen
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.squares import BLACK, WHITE, uci
from worldwise.kriegspiel.rules.umpire import WILD16
from worldwise.kriegspiel.rules.view import PlayerView


def session(first=START, rules=WILD16):
    return KriegspielSession.of(Record(rules, first, white="you", black="rand"))


@pytest.mark.parametrize(
    ("fen", "text", "expected"),
    [
        (None, "e4", "e2e4"),
        (None, "e2e4", "e2e4"),
        (None, "Nf3+!", "g1f3"),
        (None, "Ng1f3", "g1f3"),
        ("4k3/8/8/8/8/2N3N1/8/4K2R w K", "Nge4", "g3e4"),
        ("4k3/8/8/8/8/2N3N1/8/4K2R w K", "O-O", "e1g1"),
        ("4k3/8/8/8/8/2N3N1/8/4K2R w K", "0-0", "e1g1"),
        ("4k3/8/8/8/8/2N3N1/8/4K2R w K", "Rxh8", "h1h8"),
        ("4k3/P7/8/8/3p4/4P3/8/4K3 w", "a8=R", "a7a8r"),
        ("4k3/P7/8/8/3p4/4P3/8/4K3 w", "a7a8n", "a7a8n"),
        ("4k3/P7/8/8/3p4/4P3/8/4K3 w", "exd4", "e3d4"),
        ("4k3/P7/8/8/3p4/4P3/8/4K3 w", "ed4", "e3d4"),
        (None, "e2-e4", "e2e4"),
        (None, "E2E4", "e2e4"),
        (None, "B2-B4", "b2b4"),
        (None, "Ng1-f3", "g1f3"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ", "o-o", "e1g1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ", "0-0-0", "e1c1"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq", "o-o-o", "e8c8"),
        ("4k3/P7/8/8/8/8/8/4K3 w", "a7a8Q", "a7a8q"),
        ("4k3/P7/8/8/8/8/8/4K3 w", "a7a8=Q", "a7a8q"),
        ("4k3/P7/8/8/8/8/8/4K3 w", "a8=q", "a7a8q"),
        ("4k3/P7/8/8/8/8/8/4K3 w", "A7A8Q", "a7a8q"),
        ("4k3/8/8/8/8/2p5/1P6/B3K3 w", "bxc3", "b2c3"),
        ("4k3/8/8/8/1B6/2p5/1P6/4K3 w", "Bxc3", "b4c3"),
        ("4k3/8/8/8/8/8/8/1B2KB2 w", "Bbd3", "b1d3"),
        (None, "1. e4", "e2e4"),
        (None, "1.e4!", "e2e4"),
        (None, "12. Nf3 !?", "g1f3"),
        ("4k3/8/8/8/8/8/8/4K3 b", "3... Kd7", "e8d7"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ", "9. 0-0+", "e1g1"),
    ],
)
def test_what_people_type(fen, text, expected):
    first = read_fen(fen) if fen else START
    assert uci(read_try(PlayerView.of(first, first.turn), text)) == expected


@pytest.mark.parametrize(
    "first",
    ["r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq", "7k/P1P5/8/8/1Q3Q2/8/8/1Q2K3 w"],
)
def test_every_try_is_understood_by_each_of_its_names(first):
    view = PlayerView.of(read_fen(first), WHITE)
    for move in view.tries:
        takes = view.pieces[move.origin] == "P" and (move.target - move.origin) % 8 != 0
        for text in (uci(move), uci(move).upper(), plain_san(ChessBoard(view.pieces, WHITE), move, view.tries, takes)):
            assert read_try(view, text) == move


@pytest.mark.parametrize("text", ["hello", "", "!", "1.", "xe4", "bb4", "2e4", "e9", "Kb9", "e2 e4 e5"])
def test_what_nobody_can_mean(text):
    with pytest.raises(InputError, match=r"expected one of your tries \(.*\) or a command \(help lists them\), found"):
        session().move(text)


@pytest.mark.parametrize(
    ("fen", "text", "fault"),
    [
        ("4k3/8/8/8/8/8/4N3/1N2K3 w", "Nc3", "expected one of Nbc3, Nec3, found 'Nc3', which may be any of them"),
        ("4k3/8/8/8/8/8/8/1B2KB2 w", "B1d3", "expected one of Bbd3, Bfd3, found 'B1d3', which may be any of them"),
        ("4k3/P7/8/8/8/8/8/4K3 w", "a8", "expected what the pawn becomes, as in a8=Q, found 'a8'"),
        ("4k3/P7/8/8/8/8/8/4K3 w", "axb8", "expected what the pawn becomes, as in axb8=Q, found 'axb8'"),
        ("4k3/P7/8/8/8/8/8/4K3 w", "a7a8", "expected what the pawn becomes, as in a8=Q, found 'a7a8'"),
    ],
)
def test_what_is_wrong_with_a_text(fen, text, fault):
    with pytest.raises(InputError, match=f"^{re.escape(fault)}$"):
        read_try(PlayerView.of(read_fen(fen), WHITE), text)


CASTLES = "4k3/8/8/8/8/8/8/RN2K2R w Q"


@pytest.mark.parametrize(
    ("fen", "text", "why"),
    [
        (None, "exd3", "the umpire has said that your pawns can take nothing"),
        (None, "e2d3", "the umpire has said that your pawns can take nothing"),
        (None, "exd4", "no pawn of yours can take on d4"),
        (None, "Nd2", "your own pawn stands there"),
        (None, "Ke2", "your own pawn stands there"),
        (None, "Bb5", "your own pawn on e2 is in the way"),
        (None, "a1a5", "your own pawn on a2 is in the way"),
        ("4k3/8/8/8/8/4N3/4P3/4K3 w", "e4", "your own knight on e3 is in the way"),
        ("4k3/8/8/8/8/4K3/4PP2/8 w", "e3", "your own king stands there"),
        (None, "O-O", "your own bishop on f1 is in the way"),
        (None, "e1c1", "your own knight on b1 is in the way"),
        (CASTLES, "O-O", "you cannot castle on that side any more"),
        (CASTLES, "Ke1g1", "you cannot castle on that side any more"),
        (CASTLES, "0-0-0", "your own knight on b1 is in the way"),
        ("rnbqkbnr/8/8/8/8/8/8/4K3 b kq", "O-O", "your own bishop on f8 is in the way"),
        (None, "e5", "no pawn of yours can go to e5"),
        (None, "Nf4", "no knight of yours can go to f4"),
        (None, "Rxa5", "your own pawn on a2 is in the way"),
        (None, "Qh6", "no queen of yours can go to h6"),
        (None, "e2e5", "your pawn on e2 cannot go to e5"),
        (None, "e2xe4", "your pawn on e2 cannot take on e4"),
        (None, "e4e5", "you have no piece on e4"),
        (None, "Ne2e4", "you have no knight on e2"),
        (None, "e4=Q", "nothing becomes a queen there"),
        ("rqkr/pppp/PPPP/RQKR w", "e4", "this board has no e4"),
        ("rqkr/pppp/PPPP/RQKR w", "g7a4", "this board has no g7"),
        ("rqkr/pppp/PPPP/RQKR w", "O-O", "this board has no e1"),
    ],
)
def test_why_a_move_cannot_be_tried(fen, text, why):
    first = read_fen(fen) if fen else START
    view = PlayerView.of(first, first.turn, 0)
    with pytest.raises(InputError, match=f"^{re.escape(f'expected one of your tries, found {text!r}: {why}')}$"):
        read_try(view, text)


def test_why_not_tells_nothing_of_the_enemy():
    """Whatever is typed, the answer is the same whoever stands where nobody sees him."""
    names = [f"{file}{rank}" for file in "abcdefgh" for rank in "12345678"]
    texts = [f"{kind}{name}" for kind in ("", "N", "B", "R", "Q", "K", "dx", "e2", "O-O", "e1") for name in names]
    enemies = "rnbqkbnr/pppppppp/8/8/8/8", "4k3/8/8/q2n4/1r4r1/3p1p2"
    views = [PlayerView.of(read_fen(f"{pieces}/PPPPPPPP/RNBQKBNR w KQ"), WHITE, 0) for pieces in enemies]
    assert [_answer(views[0], text) for text in texts] == [_answer(views[1], text) for text in texts]


def _answer(view, text):
    try:
        return uci(read_try(view, text))
    except InputError as error:
        return str(error)


def test_a_try_that_was_refused():
    found = session(read_fen("4k3/8/8/8/8/4p3/4P3/4K3 w"))
    refused = replace(found, state=found.game.play(found.state, found.move("e4")))
    assert refused.yours
    for text in ("e2e4", "e4", "e2-e4"):
        with pytest.raises(InputError, match=f"found '{text}', which has been refused in this turn"):
            refused.move(text)


def test_whose_game_it_is():
    assert KriegspielSession.of(Record(white="rand", black="you")).you is BLACK
    assert KriegspielSession.of(Record(white="rand", black="greedy"), WHITE).opponent == "greedy"
    with pytest.raises(InputError, match="expected white, for the game was saved with you as white, found black"):
        KriegspielSession.of(Record(white="you", black="rand"), BLACK)
    with pytest.raises(InputError, match="expected a game that you play, found 'Ann' against 'Bob'; say --you"):
        KriegspielSession.of(Record(white="Ann", black="Bob"))
    with pytest.raises(InputError, match=r"expected a game to go on with, found one that is over \(0-1\)"):
        KriegspielSession.of(Record(white="you", black="rand", result="0-1"))


def test_what_is_taken_and_what_is_left():
    found = session(read_fen("4k3/8/8/3p4/4P3/8/8/4K3 w"))
    assert (found.enemies, dict(found.taken)) == (2, {})
    after = replace(found, state=found.game.play(found.state, found.move("exd5")))
    assert (after.enemies, dict(after.taken)) == (1, {"pawn": 1})
    assert after.state.end is None
    assert replace(after, resigned=True).record.result == "0-1"


def test_a_person_remembers(kernels):
    game, now = Kriegspiel(starts=(TINY,)), session(TINY)
    memory = PersonMemory.of(now)
    for number in range(4):
        now = replace(now, state=game.play(now.state, Random(number).choice(game.moves(now.state))))
        if number % 2:
            found = memory.recall(now)
            king = now.state.board.king(BLACK)
            assert found.king[king] > 0
    assert identity(now.state.board) in map(identity, memory.belief.boards)


def test_a_person_who_asks_again_has_it_looked_for_further(kernels):
    """What was heard by then is not gone through again, and what was missed is explained with what came after."""
    game, now = Kriegspiel(starts=(TINY,)), session(TINY)
    memory = PersonMemory.of(now)
    for number in range(4):
        now = replace(now, state=game.play(now.state, Random(number).choice(game.moves(now.state))))
        with pytest.raises(LimitReachedError, match="a board that explains all you have heard found no answer within"):
            memory.recall(now, Limit(seconds=0))
    assert memory.missed
    found = memory.recall(now)
    assert found.king[now.state.board.king(BLACK)] > 0
    assert (memory.missed, len(memory.belief.events)) == (False, len(now.observed.events))


def test_what_no_board_was_found_for_is_no_fault_of_the_person(monkeypatch):
    """The true board explains everything, whatever a sample has come to."""

    def lost(belief, event, limit):
        raise InputError("expected what was heard to fit some board, found none")

    now = session()
    now = replace(now, state=now.game.play(now.state, now.move("e4")))
    monkeypatch.setattr(SampledBelief, "after", lost)
    with pytest.raises(LimitReachedError, match="explains all you have heard found no answer within 10 seconds"):
        PersonMemory.of(now).recall(now)
