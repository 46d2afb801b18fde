"""A vote over boards by our own search."""

from dataclasses import replace

import pytest

from kriegspiel_play import TINY, play_game, seated
from worldwise.core.move_values import MoveValues
from worldwise.core.result import NO_LIMIT, Clock, Limit
from worldwise.errors import InputError
from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
from worldwise.kriegspiel.players.board_vote import CAPTURES, BoardPoll
from worldwise.kriegspiel.players.names import STRONGEST, player_name, read_opponent, read_player
from worldwise.kriegspiel.players.player import Budget, Start
from worldwise.kriegspiel.players.random_and_greedy import RandomTriesPlayer
from worldwise.kriegspiel.rules.board import START
from worldwise.kriegspiel.rules.compiled_board import fastest_board
from worldwise.kriegspiel.rules.fen import read_fen
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.hidden_pieces import possible_boards
from worldwise.kriegspiel.rules.squares import WHITE, read_uci, uci
from worldwise.kriegspiel.rules.umpire import WILD16, End
from worldwise.kriegspiel.rules.view import PlayerView
from worldwise.kriegspiel.search.evaluation import CONTEST
from worldwise.kriegspiel.search.minimax import BoardMinimax


def test_boards_vote_and_those_that_refuse_a_try_do_not(kernels):
    boards = possible_boards("8/8/8/8/8/8/8/K2Q4 w", "k: h8 c8; r: d5 d8")
    view = PlayerView.of(boards[0], WHITE)
    found = BoardPoll(1).vote(WeightedBoards.of(boards), view, WILD16, Clock(NO_LIMIT))
    for move in (read_uci("d1d5"), read_uci("d1d8"), read_uci("a1a2")):
        each = [
            BoardMinimax(WHITE, WILD16, CONTEST, CAPTURES).value(board, move, 0)
            for board in boards
            if board.is_legal(move)
        ]
        assert len(each) == (2 if uci(move) == "d1d8" else 4)
        assert found[move] == pytest.approx(sum(each) / len(each))


def test_a_piece_is_not_put_where_it_is_taken(kernels):
    """A search to depth 1 that stopped there would take the pawn."""
    boards = possible_boards("7k/2n5/8/8/8/8/3Q4/K7 w", "p: d5")
    view = PlayerView.of(boards[0], WHITE)
    assert uci(seated("vote:1", boards).choose(view)) != "d2d5"


def voted(monkeypatch, boards, most, **start):
    """How deep each search of a vote goes; one deeper than 2 has time for ``most`` boards."""
    asked = []

    def noted(boards, view, rules, depth, limit, evaluation, captures):
        asked.append(depth)
        done = len(boards) if depth <= 2 else min(most, len(boards))
        values = {move: float(number == depth) for number, move in enumerate(view.tries)}
        return MoveValues(
            algorithm="none",
            values=values,
            best=view.tries[depth],
            depth=depth,
            worlds_searched=done,
            complete=done == len(boards),
        )

    monkeypatch.setattr("worldwise.kriegspiel.players.board_vote.mean_minimax", noted)
    view = PlayerView.of(boards[0], WHITE)
    chosen = seated("vote:2", boards, **start).choose(view)
    return asked, view.tries.index(chosen)


@pytest.mark.usefixtures("needs_kernels")
def test_a_vote_goes_deeper_while_time_is_left_and_enough_boards_are_asked(monkeypatch):
    boards = possible_boards("8/8/8/8/8/8/1P6/KN6 w", "k: e4-h8; n: e3-h3")
    hour = {"budget": Budget(seconds=3600)}
    assert voted(monkeypatch, boards, 1000, **hour) == ([2, 3, 4, 5, 6], 6)
    assert voted(monkeypatch, boards, 30, **hour) == ([2, 3], 3)
    assert voted(monkeypatch, boards, 19, **hour) == ([2, 3], 2)
    assert voted(monkeypatch, boards, 1000) == ([2], 2)


@pytest.mark.usefixtures("needs_kernels")
def test_without_time_one_ply_is_looked_at():
    board = fastest_board(START)
    clock = Clock(Limit(seconds=1e-9))
    found = BoardPoll(4).vote(WeightedBoards.of([board]), PlayerView.of(board, WHITE), WILD16, clock)
    assert len(set(found.values())) > 1


def test_it_plays_on_small_boards_and_repeats_itself():
    game = Kriegspiel(replace(WILD16, ply_limit=6), (TINY,))
    one, other = (play_game(game, read_player("vote:1,boards=2,pool=9"), RandomTriesPlayer(), seed=3) for _ in range(2))
    assert one.end is not None
    assert one.events == other.events


@pytest.mark.usefixtures("needs_kernels")
def test_a_bare_king_is_mated():
    game = Kriegspiel(WILD16, (fastest_board(read_fen("8/8/3k4/8/8/8/8/QR2K3 w")),))
    state = play_game(game, read_player("vote:2,boards=10"), RandomTriesPlayer())
    assert (state.end, state.board.turn is WHITE) == (End.MATE, False)


def test_who_votes_is_the_strongest_and_can_be_written():
    assert player_name(read_player("expert")) == "vote:2,pool=1000"
    assert read_player("expert") == read_player(STRONGEST)
    assert read_opponent("expert").vary == 0.05
    start = Start(WHITE, WILD16, budget=Budget(seconds=1))
    assert (read_player("vote").voters(start), read_player("vote:3,boards=7").voters(start)) == (100, 7)
    with pytest.raises(InputError, match="vote: expected a depth of 1 to 6, found 7"):
        read_player("vote:7")
