"""Endings against a hidden bare king: the sets of squares, the search on them, and whole endings."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldwise.errors import InputError
from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
from worldwise.kriegspiel.endings import (
    EndingGame,
    EndingRun,
    EndingSummary,
    check_material,
    choose_defence,
    draw_start,
)
from worldwise.kriegspiel.players.bare_king import bare_kings, own_pieces_before
from worldwise.kriegspiel.players.names import read_player
from worldwise.kriegspiel.players.player import Budget
from worldwise.kriegspiel.rules.board import ChessBoard
from worldwise.kriegspiel.rules.fen import read_fen
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.hidden_pieces import possible_boards
from worldwise.kriegspiel.rules.squares import BLACK, WHITE, ChessMove, read_uci
from worldwise.kriegspiel.rules.umpire import UMD, WILD16, End, checks
from worldwise.kriegspiel.rules.view import PlayerView
from worldwise.kriegspiel.search.bare_king import (
    RUIN,
    UNSAFE,
    WIN,
    BareKingSearch,
    bare_king_values,
    is_safe,
    mask_of,
    next_to,
    own_army,
    squares_in,
)
from worldwise.kriegspiel.search.mates import guaranteed_mate

KINDS = ("KQ", "KR", "KRR", "KQR", "KBB", "KBN", "KP", "KQP", "KRBP")

seeds = st.integers(0, 10**9)


def drawn(seed):
    """Own pieces, all boards that look alike, and the same as the search has it."""
    dice = Random(seed)
    _, boards = draw_start(dice.choice(KINDS), dice)
    army = tuple(sorted((piece, square) for square, piece in boards[0].pieces_of(WHITE)))
    return boards, army, mask_of(board.king(BLACK) for board in boards)


def reply_boards(board):
    return [board.after(move) for move in board.legal_moves]


@given(seeds)
def test_sets_say_what_the_boards_say(seed):
    boards, army, kings = drawn(seed)
    own = own_army(army)
    for one in own.tries:
        refused = mask_of(board.king(BLACK) for board in boards if not board.is_legal(one.move))
        assert kings & one.refused_on == refused
    one = Random(seed).choice([one for one in own.tries if kings & ~one.refused_on])
    after = own_army(one.army)
    made = [board.after(one.move) for board in boards if board.is_legal(one.move)]
    for board in made:
        at = 1 << board.king(BLACK)
        assert bool(after.attacked & at) == bool(board.checkers(BLACK))
        assert bool(after.stuck & at) == (not board.legal_moves)
    moved = {reply.king(BLACK) for board in made for reply in reply_boards(board)}
    assert set(squares_in(next_to(kings & ~one.refused_on) & ~after.attacked)) == moved


@given(seeds, st.sampled_from([WILD16, UMD]))
def test_parts_are_what_the_umpire_tells_apart(seed, rules):
    boards, army, kings = drawn(seed)
    one = Random(seed).choice([one for one in own_army(army).tries if kings & ~one.refused_on])
    heard = {}
    for board in (board.after(one.move) for board in boards if board.is_legal(one.move)):
        heard.setdefault(checks(board, rules), set()).add(board.king(BLACK))
    parts = own_army(one.army).parts(kings & ~one.refused_on, rules.split_diagonals)
    assert sorted(map(sorted, heard.values())) == sorted(sorted(squares_in(part)) for part in parts)


@given(seeds)
def test_a_safe_try_loses_nothing_on_any_board(seed):
    boards, army, kings = drawn(seed)
    for one in own_army(army).tries:
        made = [board.after(one.move) for board in boards if board.is_legal(one.move)]
        ends = any(not board.legal_moves and not board.checkers(BLACK) for board in made)
        takes = any(board.taken_at(move) is not None for board in made for move in board.legal_moves)
        assert is_safe(one, kings) == (not ends and not takes)


@given(seeds)
def test_the_best_try_is_safe_if_any_is(seed):
    _, army, kings = drawn(seed)
    values = BareKingSearch().values(army, kings)
    safe = {one.move for one in own_army(army).tries if one.move in values and is_safe(one, kings)}
    assert not safe or max(values, key=values.get) in safe


def brute_force(boards, depth, player=WHITE):
    """Whether mate in so many moves is sure, on boards that look alike, by the boards themselves."""
    if not boards:
        return True
    tries = PlayerView.of(boards[0], player).tries
    return any(is_sure(boards, move, depth) for move in tries)


def is_sure(boards, move, depth):
    made = [board for board in boards if board.is_legal(move)]
    if not made:
        return False
    heard = {}
    for board in (board.after(move) for board in made):
        if not board.legal_moves:
            if not board.checkers(BLACK):
                return False
            continue
        for reply in board.legal_moves:
            said = (checks(board, WILD16), board.taken_at(reply))
            heard.setdefault(said, {})[board.after(reply).pieces] = replace(board.after(reply), quiet=0, number=1)
    if heard and depth == 1:
        return False
    left = [board for board in boards if not board.is_legal(move)]
    return all(brute_force(list(alike.values()), depth - 1) for alike in heard.values()) and brute_force(left, depth)


@pytest.mark.parametrize(
    ("text", "hidden", "depth"),
    [
        ("8/7R/1K6/8/8/8/8/8 w", "k: a8 b8", 1),
        ("8/7Q/2K5/8/8/8/8/8 w", "k: a8 b8", 1),
        ("8/7R/2K5/8/8/8/8/8 w", "k: a8 b8", 1),
        ("8/1R6/2K5/8/8/8/8/8 w", "k: a8", 2),
        ("8/8/1K6/8/8/8/8/6Q1 w", "k: a8", 1),
        ("8/8/K7/8/8/8/8/6QR w", "k: a8 b8 c8", 2),
    ],
)
def test_a_sure_mate_is_worth_what_brute_force_says(text, hidden, depth):
    boards = possible_boards(text, hidden)
    army = tuple(sorted((piece, square) for square, piece in boards[0].pieces_of(WHITE)))
    values = BareKingSearch(depth=depth, caution=1.0).values(army, mask_of(board.king(BLACK) for board in boards))
    mates = any(value > WIN - 10 * depth for value in values.values())
    assert mates == brute_force(list(boards), depth) == guaranteed_mate(boards, depth).is_mate


def test_black_plays_as_white_does():
    white = bare_king_values(PlayerView.of(read_fen("k7/7R/1K6/8/8/8/4P3/8 w"), WHITE), [56, 57], WILD16)
    black = bare_king_values(PlayerView.of(read_fen("8/4p3/8/8/8/1k6/7r/K7 b"), BLACK), [0, 1], WILD16)
    turned = {ChessMove(move.origin ^ 56, move.target ^ 56, move.promotion): worth for move, worth in black.items()}
    assert white == turned


def test_stalemate_and_a_lost_queen_come_last():
    board = read_fen("k7/8/1K6/8/8/8/8/2Q5 w")
    values = bare_king_values(PlayerView.of(board, WHITE), [56], WILD16)
    assert values[read_uci("c1c8")] == WIN
    assert values[read_uci("c1c7")] == RUIN - UNSAFE
    assert read_uci("b6a7") not in values


def test_a_position_is_not_repeated_for_the_third_time():
    game = Kriegspiel(WILD16, possible_boards("8/8/8/8/8/8/8/KQ6 w", "k: h8 h7 g8"))
    state = game.start(game.starts[0])
    for text in ("b1c1", "h8h7", "c1b1", "h7h8", "b1c1", "h8h7", "c1b1", "h7h8"):
        state = game.play(state, read_uci(text))
    view, events = state.view(WHITE), game.observe(state, WHITE).events
    before = list(own_pieces_before(view, events))
    assert [pieces.index("Q") for pieces in before] == [1, 2, 1, 2]
    fresh, again = (bare_king_values(view, [63], WILD16, seen) for seen in ((), before))
    assert again[read_uci("b1c1")] == fresh[read_uci("b1c1")] - 400
    assert again[read_uci("b1d1")] == fresh[read_uci("b1d1")]


def test_who_has_more_than_a_king_is_no_bare_king():
    alone, more = possible_boards("8/7R/1K6/8/8/8/8/8 w", "k: a8 b8"), possible_boards("k6n/8/1K6/8/8/8/8/7R w")
    for kernel in (True, False):
        assert bare_kings(WeightedBoards.of(alone, kernel=kernel), BLACK) == [56, 57]
        assert bare_kings(WeightedBoards.of(more, kernel=kernel), BLACK) == []
        assert bare_kings(WeightedBoards.of((*alone, *more), kernel=kernel), BLACK) == []


# ---------------------------------------------------------------------- whole endings


@given(seeds)
def test_starts_hide_the_king_wherever_he_may_be(seed):
    kinds = Random(seed).choice(KINDS)
    board, boards = draw_start(kinds, Random(seed))
    assert board in boards
    assert sorted(piece for _, piece in board.pieces_of(WHITE)) == sorted(kinds)
    empty = [square for square, piece in enumerate(board.pieces) if piece in ".k"]
    alone = ChessBoard(board.pieces.replace("k", "."))
    assert len(boards) == sum(not alone.attackers(square, WHITE) for square in empty)


def test_the_defender_takes_the_best_piece_he_can():
    assert choose_defence(read_fen("8/8/8/3R4/4k3/5Q2/8/K7 b"), Random(0)) == read_uci("e4f3")
    assert choose_defence(read_fen("8/8/8/8/8/8/6R1/K6k b"), Random(0)) == read_uci("h1g2")


@pytest.mark.usefixtures("needs_kernels")
@pytest.mark.parametrize("kinds", ["KQ", "KR", "KRR", "KQR"])
def test_endings_are_won(kinds):
    run = EndingRun(kinds, read_player("wary:2,boards=10"))
    games = [run.play(number, seed=7) for number in range(1, 4)]
    assert [game.result for game in games] == ["won"] * 3
    assert games[0] == run.play(1, seed=7)


def test_results_are_told_apart():
    games = [
        EndingGame(1, End.MATE, 12, piece_lost=True),
        EndingGame(2, End.DEAD, 9, piece_lost=True),
        EndingGame(3, End.FIFTY, 50, piece_lost=False),
    ]
    summary = EndingSummary(games)
    assert dict(summary.results) == {"won": 1, "lost": 1, "drawn": 1}
    assert summary.moves.value == 12
    assert EndingSummary(games[1:]).moves is None


@pytest.mark.usefixtures("needs_kernels")
def test_an_ending_stops_after_so_many_moves():
    game = EndingRun("KR", read_player("rand"), Budget(boards=1), moves=3).play(1, seed=1)
    assert game.moves <= 3
    assert game.result != "won"


@pytest.mark.parametrize("text", ["", "K", "Q", "KK", "KX", "QK", "KQQQQQQQQ", "KB", "KN"])
def test_what_is_no_ending_is_refused(text):
    with pytest.raises(InputError, match="expected pieces"):
        check_material(text)
