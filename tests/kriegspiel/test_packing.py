"""Boards, moves, rules and messages go to the kernels and come back."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldwise.errors import InputError
from worldwise.kriegspiel.rules.board import START
from worldwise.kriegspiel.rules.fen import read_fen
from worldwise.kriegspiel.rules.packing import (
    pack_board,
    pack_boards,
    pack_message,
    pack_move,
    pack_rules,
    unpack_board,
    unpack_message,
    unpack_move,
)
from worldwise.kriegspiel.rules.umpire import RULES, WILD16, Captured, Rules, message

EVERY_RULE = [*RULES.values(), replace(WILD16, name="typed", captured=Captured.TYPE)]


def random_game(seed, plies=60):
    """The boards of a random game with the moves made on them."""
    rng, board = Random(seed), START
    for _ in range(plies):
        if not board.legal_moves:
            return
        move = rng.choice(board.legal_moves)
        yield board, move
        board = board.after(move)


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_boards_and_moves_come_back(seed):
    boards, moves = zip(*random_game(seed), strict=True)
    rows = pack_boards(boards)
    assert rows.shape == (len(boards), 9)
    assert rows.dtype == np.uint64
    for board, row, move in zip(boards, rows, moves, strict=True):
        assert unpack_board(row) == replace(board, number=1)
        assert (row == pack_board(board)).all()
        assert unpack_move(pack_move(move)) == move


def test_no_boards_are_no_rows():
    assert pack_boards([]).shape == (0, 9)


def test_a_row_stops_counting_quiet_plies():
    assert unpack_board(pack_board(replace(START, quiet=300))).quiet == 255


def test_small_boards_have_no_rows():
    with pytest.raises(InputError, match="expected a board of 8 by 8, found 2 by 3"):
        pack_board(read_fen("k1/2/1K w"))


@pytest.mark.parametrize("rules", EVERY_RULE, ids=lambda rules: rules.name)
def test_messages_come_back(rules):
    for seed in range(8):
        for board, move in random_game(seed):
            said = message(board, move, board.after(move), rules)
            assert unpack_message(pack_message(said), rules) == said


@pytest.mark.parametrize("rules", EVERY_RULE, ids=lambda rules: rules.name)
def test_the_kernel_says_the_same(needs_kernels, rules):
    import worldwise._kernels as kernels

    compiled = kernels.UmpireRules(*pack_rules(rules))
    for seed in range(8):
        for board, move in random_game(seed, 120):
            word = kernels.umpire_message(pack_board(board), pack_move(move), compiled)
            assert unpack_message(word, rules) == message(board, move, board.after(move), rules)


@pytest.mark.parametrize(
    ("rules", "quiet"),
    [
        (WILD16, (100, True)),
        (Rules("both", quiet_limit=50), (50, False)),
        (Rules("late", quiet_limit=120), (100, True)),
        (Rules("own", fifty=False, quiet_limit=50), (50, False)),
        (Rules("none", fifty=False), (256, False)),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_the_limit_that_comes_first_counts(rules, quiet):
    assert pack_rules(rules)[3:] == quiet
