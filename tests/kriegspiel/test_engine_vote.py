"""A chess engine in a process of its own, and the player who lets it vote."""

import sys
from dataclasses import replace

import pytest

from kriegspiel_play import NEEDS_STOCKFISH, play_game, seated
from worldwise.core.result import NO_LIMIT, Clock
from worldwise.errors import SolverError, WorldwiseError
from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
from worldwise.kriegspiel.players.names import player_name, read_opponent, read_player
from worldwise.kriegspiel.players.player import Budget
from worldwise.kriegspiel.players.random_and_greedy import RandomTriesPlayer
from worldwise.kriegspiel.players.uci_engine import (
    MATE,
    MOST,
    TRIES,
    VARIABLE,
    UciEngine,
    engine_command,
    read_info,
)
from worldwise.kriegspiel.rules.board import START
from worldwise.kriegspiel.rules.compiled_board import fastest_board
from worldwise.kriegspiel.rules.fen import fen, read_fen
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.hidden_pieces import possible_boards
from worldwise.kriegspiel.rules.squares import WHITE, read_uci, uci
from worldwise.kriegspiel.rules.umpire import WILD16, End
from worldwise.kriegspiel.rules.view import PlayerView

TOY = """\
import sys
from worldwise.kriegspiel.rules.fen import read_fen
from worldwise.kriegspiel.rules.squares import uci
from worldwise.kriegspiel.search.evaluation import MATERIAL

for line in sys.stdin:
    words = line.split()
    open({log!r}, "a").write(line)
    if words[0] == "uci":
        print("id name toy", "uciok", sep="\\n", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position":
        board = read_fen(" ".join(words[2:]))
    elif words[0] == "go":
        {death}
        for number, move in enumerate(board.legal_moves):
            score = round(100 * MATERIAL.of(board.after(move), board.turn))
            print("info depth 1 multipv", number + 1, "score cp", score, "pv", uci(move), flush=True)
        print("bestmove", uci(board.legal_moves[0]), flush=True)
"""
"""An engine that counts material, notes what it is told, and may die."""

DIES_ONCE = "import os; path = {log!r} + '.died'; os.path.exists(path) or (open(path, 'w').close(), os._exit(1))"


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """Put a toy engine in the place of Stockfish; what it is told is in the file that is returned."""

    def install(death="pass"):
        log = str(tmp_path / "told.txt")
        program = tmp_path / "toy.py"
        program.write_text(TOY.format(log=log, death=death.format(log=log)))
        monkeypatch.setenv(VARIABLE, f"{sys.executable} {program}")
        return tmp_path / "told.txt"

    return install


TWO_KINGS = "k: h8; r: d5 d8"
"""A rook that is taken on d5 or not, with a queen on d1."""


def queen_boards():
    return possible_boards("8/8/8/8/8/8/8/K2Q4 w", TWO_KINGS)


def test_an_engine_says_what_every_move_is_worth(toy):
    told = toy()
    board = queen_boards()[0]
    engine = UciEngine(engine_command(), nodes=7)
    scores = engine.scores(fen(board))
    assert set(scores) == {uci(move) for move in board.legal_moves}
    assert max(scores, key=scores.get) == "d1d5"
    engine.stop()
    lines = told.read_text().splitlines()
    assert "go nodes 7" in lines
    assert "setoption name MultiPV value 256" in lines


def test_a_try_is_worth_the_mean_of_the_boards_that_allow_it(toy):
    toy()
    boards = queen_boards()
    view = PlayerView.of(boards[0], WHITE)
    seat = seated("engine", boards)
    found = seat.poll.vote(WeightedBoards.of(boards), view, WILD16, Clock(NO_LIMIT))
    # On d5 the rook is taken; if it is on d8, the queen may go to d5 and no rook is won, or on to d8.
    assert {text: found[read_uci(text)] for text in ("d1d5", "d1d8", "d1h5")} == {"d1d5": 6.5, "d1d8": 9.0, "d1h5": 4.0}
    assert seat.choose(view) == read_uci("d1d8")


def test_an_engine_that_dies_is_started_again(toy):
    told = toy(DIES_ONCE)
    scores = UciEngine(engine_command(), nodes=1).scores(fen(queen_boards()[0]))
    assert max(scores, key=scores.get) == "d1d5"
    assert told.read_text().splitlines().count("uci") == 2


def test_an_engine_that_keeps_dying_is_given_up(toy):
    told = toy("import os; os._exit(1)")
    with pytest.raises(SolverError, match="stops without an answer; the position was "):
        UciEngine(engine_command(), nodes=1).scores(fen(START))
    assert told.read_text().splitlines().count("uci") == TRIES


def test_an_engine_that_says_nothing_is_given_up(toy, monkeypatch):
    toy("import time; time.sleep(60)")
    monkeypatch.setattr("worldwise.kriegspiel.players.uci_engine.PATIENCE", 0.2)
    monkeypatch.setattr("worldwise.kriegspiel.players.uci_engine.TRIES", 1)
    with pytest.raises(SolverError, match="stops without an answer"):
        UciEngine(engine_command(), nodes=1).scores(fen(START))


def test_an_engine_that_talks_on_and_on_is_given_up(toy, monkeypatch):
    """A word now and then used to be enough to be waited for."""
    toy("while True: print('info string I am thinking', flush=True)")
    monkeypatch.setattr("worldwise.kriegspiel.players.uci_engine.MOST_SECONDS", 0.2)
    monkeypatch.setattr("worldwise.kriegspiel.players.uci_engine.TRIES", 1)
    with pytest.raises(SolverError, match="stops without an answer"):
        UciEngine(engine_command(), nodes=1).scores(fen(START))


@pytest.mark.parametrize("command", ["no-such-engine-anywhere", "'unclosed"])
def test_an_engine_that_is_not_there_is_said_to_be(monkeypatch, command):
    monkeypatch.setenv(VARIABLE, command)
    game = Kriegspiel(WILD16, (START,))
    with pytest.raises(WorldwiseError, match=rf"found none at .*apt-get install stockfish.*{VARIABLE}"):
        play_game(game, read_player("engine"), RandomTriesPlayer())


def test_stockfish_is_the_engine_if_none_is_named(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert engine_command() == "stockfish"


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("info depth 1 score cp -250 pv e2e4", ("e2e4", -2.5)),
        ("info depth 1 score cp 9000 pv e2e4", ("e2e4", MOST)),
        ("info depth 1 score mate 1 pv e7e8q", ("e7e8q", MATE - 0.1)),
        ("info depth 1 score mate -1 pv e7e8q", ("e7e8q", 0.1 - MATE)),
        ("info depth 1 score mate 0 pv", None),
        ("info depth 1 score cp x pv e2e4", None),
        (f"info depth 1 score cp {'9' * 4000} pv e2e4", None),
        (f"info depth 1 score mate -{'9' * 4000} pv e2e4", None),
        ("info depth 1 score", None),
        ("bestmove e2e4", None),
        ("", None),
    ],
)
def test_what_engines_say_is_read(line, found):
    assert read_info(line) == found


def test_a_sooner_mate_is_better_than_any_material():
    soon, late = (read_info(f"info score mate {moves} pv a2a4")[1] for moves in (1, 30))
    assert soon > late > MOST


def test_the_name_tells_the_player():
    assert player_name(read_player("engine")) == "engine:nodes=3000,pool=1000"
    assert player_name(read_player("engine:boards=4,nodes=50")) == "engine:boards=4,nodes=50,pool=1000"
    assert read_opponent("engine").vary == 0.05
    with pytest.raises(WorldwiseError, match="expected at least one for nodes, found 0"):
        read_player("engine:nodes=0")


@pytest.mark.usefixtures("needs_kernels")
def test_a_vote_gets_the_better_of_chance_and_repeats_itself(toy):
    toy()
    game = Kriegspiel(replace(WILD16, ply_limit=24), (fastest_board(START),))
    one, other = (
        play_game(game, read_player("engine:boards=2,pool=50"), RandomTriesPlayer(), seed=2) for _ in range(2)
    )
    assert one.events == other.events
    assert sum(WHITE.owns(piece) for piece in one.board.pieces) > sum(piece.islower() for piece in one.board.pieces)


def test_time_is_a_limit_and_one_board_always_votes(toy):
    told = toy()
    boards = queen_boards()
    seat = seated("engine:pool=9", boards, budget=Budget(seconds=1e-6))
    assert seat.choose(PlayerView.of(boards[0], WHITE))
    assert told.read_text().splitlines().count("go nodes 3000") == 1


@NEEDS_STOCKFISH
def test_stockfish_mates_where_it_can(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    board = read_fen("k7/8/1K6/8/8/8/5p2/7R w")
    scores = UciEngine("stockfish", 2000).scores(fen(board))
    assert max(scores, key=scores.get) == "h1h8"
    game = Kriegspiel(replace(WILD16, ply_limit=40), (fastest_board(board),))
    assert play_game(game, read_player("engine"), RandomTriesPlayer()).end is End.MATE
