"""Phantom tic-tac-toe: the rules, what is heard, and OpenSpiel's game of that name played side by side."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldwise.errors import InputError
from worldwise.phantom import CROSS, NOUGHT, Phantom, Try
from worldwise.testing import check_game

BOARDS = st.builds(Phantom, st.integers(2, 4), st.integers(2, 4), st.integers(1, 2))


def played(game, moves):
    state = game.start()
    for move in moves:
        state = game.play(state, move)
    return state


@pytest.mark.parametrize("game", [Phantom(), Phantom(4, 4, 3), Phantom(2, 3, 2), Phantom(1, 1, 1)], ids=str)
def test_it_is_a_game(game):
    found = check_game(game, game.players, seeds=range(8), zero_sum=True)
    assert found.ended == found.games == 8


def test_a_try_on_a_taken_square_is_refused_and_not_repeated():
    game = Phantom()
    state = played(game, [4, 4])
    assert (state.turn, state.board) == (NOUGHT, "....x....")
    assert game.moves(state) == (0, 1, 2, 3, 5, 6, 7, 8)
    with pytest.raises(InputError, match="expected one of the squares 0, 1, 2, 3, 5, 6, 7, 8, found 4"):
        game.play(state, 4)


def test_a_player_hears_of_his_own_tries_and_that_the_other_has_moved():
    game = Phantom()
    state = played(game, [4, 4, 0])
    assert game.observe(state, CROSS) == (Try(CROSS, 4, True), Try(NOUGHT, None, True))
    assert game.observe(state, NOUGHT) == (Try(CROSS, None, True), Try(NOUGHT, 4, False), Try(NOUGHT, 0, True))


def test_the_end_is_heard_by_both():
    game = Phantom()
    state = played(game, [0, 3, 1, 4, 2])
    assert (game.to_move(state), state.winner) == (None, CROSS)
    assert [game.payoff(state, player) for player in game.players] == [1, -1]
    assert [game.observe(state, player)[-1] for player in game.players] == [CROSS, CROSS]
    with pytest.raises(InputError, match="expected no try after the end, found 8"):
        game.play(state, 8)


def test_a_full_board_is_a_draw():
    state = played(Phantom(), [0, 1, 2, 4, 3, 5, 7, 6, 8])
    assert (Phantom().to_move(state), Phantom().payoff(state, CROSS), state.winner) == (None, 0, "")


ROWS = {"012", "345", "678", "036", "147", "258", "048", "246"}


@given(st.permutations(range(9)))
def test_who_has_a_row_has_won(order):
    """Played without refusals, it is the game that everybody knows; its eight rows are written out."""
    game, state = Phantom(), Phantom().start()
    for number, square in enumerate(order):
        state = game.play(state, square)
        marks = set(order[number % 2 : number + 1 : 2])
        has_row = any(set(map(int, row)) <= marks for row in ROWS)
        assert (state.winner == "xo"[number % 2]) == has_row
        if has_row:
            break
    assert state.is_over


@given(BOARDS, st.integers(0, 2**32))
def test_rows_on_boards_of_any_size(game, seed):
    """A row is found by walking from the last mark, not from a list of rows."""
    rng, state = Random(seed), game.start()
    while game.to_move(state) is not None:
        state = game.play(state, rng.choice(game.moves(state)))
    last = [entry for entry in state.tries if entry.made][-1]
    assert (state.winner == last.player) == (longest(game, state.board, last.square) >= game.in_a_row)


def longest(game, board, square):
    """How many marks of one kind are in a row with a square."""

    def run(row, column, down, right):
        at = row * game.columns + column
        inside = 0 <= row < game.rows and 0 <= column < game.columns
        return 1 + run(row + down, column + right, down, right) if inside and board[at] == board[square] else 0

    row, column = divmod(square, game.columns)
    ways = ((0, 1), (1, 0), (1, 1), (1, -1))
    return max(run(row, column, *way) + run(row, column, -way[0], -way[1]) - 1 for way in ways)


def test_a_board_needs_room_for_a_row():
    with pytest.raises(InputError, match="expected a board with room for a row, found 3 by 3 and 4"):
        Phantom(3, 3, 4)


@pytest.mark.parametrize("size", [(0, 3, 1), (3, 0, 3), (3, 3, 0), (1.5, 3, 1), (10**30, 3, 3), (3, None, 3)])
def test_a_board_has_a_size_that_can_be_played_on(size):
    with pytest.raises(InputError, match="to be a whole number from 1 to 100, found"):
        Phantom(*size)


def test_open_spiel_plays_the_same_game():
    """Turns, tries, rows and payoffs; and who is to move knows as much there as here."""
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'worldwise[openspiel]'")
    game, known = Phantom(), set()
    for seed in range(50):
        rng, ours, theirs = Random(seed), game.start(), pyspiel.load_game("phantom_ttt").new_initial_state()
        while (player := game.to_move(ours)) is not None:
            assert theirs.current_player() == game.players.index(player)
            assert theirs.legal_actions() == list(game.moves(ours))
            known.add(((player, game.observe(ours, player)), (player, theirs.information_state_string())))
            move = rng.choice(game.moves(ours))
            ours, theirs = game.play(ours, move), theirs.child(move)
        assert theirs.is_terminal()
        assert theirs.returns() == [game.payoff(ours, player) for player in game.players]
    here, there = map(set, zip(*known, strict=True))
    assert len(here) == len(there) == len(known)
