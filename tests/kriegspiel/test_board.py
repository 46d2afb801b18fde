"""The rules of chess under kriegspiel: counts that are known, another program's answers, small boards, and FEN."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garbage import assert_refused_or_read_again
from kriegspiel_play import GARDNER, TINY, boards
from perft_counts import KNOWN
from worldwise.errors import InputError
from worldwise.kriegspiel.records.san import read_san, san
from worldwise.kriegspiel.rules.board import START, ChessBoard, perft
from worldwise.kriegspiel.rules.fen import fen, read_fen
from worldwise.kriegspiel.rules.squares import BLACK, CHESS, WHITE, Colour, Geometry, read_uci, uci


def names(board, moves):
    return {uci(move, board.geometry) for move in moves}


@pytest.fixture(scope="module")
def chess():
    return pytest.importorskip("chess", reason="python-chess is a test oracle: pip install chess")


# ---------------------------------------------------------------------- counts


@pytest.mark.parametrize("name", KNOWN)
def test_counts_that_are_known(name):
    text, counts = KNOWN[name]
    board = read_fen(text)
    assert [perft(board, depth) for depth in range(1, len(counts) + 1)] == counts
    assert perft(board, 0) == 1


# ---------------------------------------------------------------------- another program


def assert_same(board, other, chess):
    assert names(board, board.legal_moves) == {move.uci() for move in other.legal_moves}
    assert fen(board) == other.fen(en_passant="xfen")
    assert set(board.checkers(board.turn)) == set(other.checkers())
    assert (board.is_mate, board.is_stalemate) == (other.is_checkmate(), other.is_stalemate())
    assert board.is_dead == other.is_insufficient_material()
    pawns = other.pieces(chess.PAWN, other.turn)
    captures = {m for m in other.legal_moves if m.from_square in pawns and other.is_capture(m)}
    assert board.pawn_captures == {(move.from_square, move.to_square) for move in captures}


@pytest.mark.parametrize("seed", range(12))
def test_random_games_as_python_chess_has_them(seed, chess):
    first = read_fen(KNOWN["kiwipete"][0]) if seed % 3 == 0 else START
    other = chess.Board(fen(first))
    for board, move in boards(seed, first, 120):
        assert_same(board, other, chess)
        assert san(board, move) == other.san(chess.Move.from_uci(uci(move)))
        assert read_san(board, san(board, move)) == move
        other.push_uci(uci(move))


def sparse_board(seed):
    """Kings and a few pieces anywhere: endings, dead ones among them."""
    rng = Random(seed)
    pieces = ["."] * 64
    squares = rng.sample(range(64), 2 + rng.choice([0, 1, 1, 2, 2, 3, 5]))
    officers = rng.choice(["Bb", "BbNn", "QRBNqrbnPp"])
    for square, piece in zip(squares, ["K", "k", *rng.choices(officers, k=len(squares) - 2)], strict=True):
        pieces[square] = piece if piece not in "Pp" or 8 <= square < 56 else "."
    return ChessBoard("".join(pieces), rng.choice((WHITE, BLACK)))


@given(st.integers(0, 2**32))
def test_endings_as_python_chess_has_them(chess, seed):
    board = sparse_board(seed)
    other = chess.Board(fen(board))
    if other.was_into_check():
        with pytest.raises(InputError, match="expected the player who has just moved not to be in check"):
            read_fen(fen(board))
    else:
        assert_same(board, other, chess)


def test_san_tells_men_apart_as_python_chess_does(chess):
    """Three queens and three knights, of which some share a file, some a rank, some both."""
    for text in ("4k3/8/8/3Q1Q2/8/3Q4/8/4K3 w", "7k/8/1N3N2/8/1N6/8/8/4K3 w", "4k3/3r4/8/8/3Q4/3K4/8/3R3R w"):
        board = read_fen(text)
        other = chess.Board(fen(board))
        assert {san(board, m) for m in board.legal_moves} == {other.san(m) for m in other.legal_moves}


def test_san_that_is_no_legal_move():
    assert uci(read_san(read_fen("4k3/8/8/8/8/8/8/4K2R w K"), "0-0!?")) == "e1g1"
    with pytest.raises(InputError, match=r"^expected a legal move of white's, found 'Nf6'$"):
        read_san(START, "Nf6")


# ---------------------------------------------------------------------- small boards


def test_pawns_of_small_boards_go_one_step_and_nobody_castles():
    assert names(GARDNER, GARDNER.legal_moves) == {"a2a3", "b2b3", "c2c3", "d2d3", "e2e3", "b1a3", "b1c3"}
    tiny = {"a2b3", "b2a3", "b2c3", "c2b3", "c2d3", "d2c3"}
    assert names(TINY, TINY.legal_moves) == tiny
    assert TINY.pawn_captures == {(read_uci(m, TINY.geometry).origin, read_uci(m, TINY.geometry).target) for m in tiny}
    wide = read_fen("r3k2r/8/8/8/8/P7/R3K2R w")
    assert names(wide, wide.legal_moves) >= {"a2a3", "e1f1"}
    assert not names(wide, wide.legal_moves) & {"a2a4", "e1g1", "e1c1"}


def test_pawns_of_small_boards_become_something_on_the_last_rank():
    board = read_fen("4k/P4/5/5/K4 w")
    moves = names(board, board.legal_moves)
    assert moves == {"a4a5q", "a4a5r", "a4a5b", "a4a5n", "a1a2", "a1b1", "a1b2"}
    queen = board.after(read_uci("a4a5q", board.geometry))
    assert (fen(queen), len(queen.checkers(BLACK))) == ("Q3k/5/5/5/K4 b - - 0 1", 1)
    down = read_fen("3k/4/p3/3K b").after(read_uci("a2a1n", Geometry(4, 4)))
    assert fen(down) == "3k/4/4/n2K w - - 0 2"


def test_mate_stalemate_and_dead_boards_of_four_by_four():
    assert read_fen("k3/1Q2/1K2/4 b").is_mate
    assert read_fen("k3/3Q/1K2/4 b").is_stalemate is False
    assert read_fen("k3/2Q1/1K2/4 b").is_stalemate
    assert read_fen("k3/3N/1K2/4 w").is_dead
    assert not read_fen("k3/3R/1K2/4 w").is_dead


@pytest.mark.parametrize("first", [GARDNER, TINY], ids=["5 by 5", "4 by 4"])
def test_small_boards_keep_their_kings(first):
    for seed in range(5):
        for board, move in boards(seed, first, 60):
            after = board.after(move)
            assert after.pieces.count("K") == after.pieces.count("k") == 1
            assert not after.checkers(board.turn)
            assert (after.en_passant, after.castling) == (None, "")


# ---------------------------------------------------------------------- FEN


@given(st.integers(0, 2**32), st.integers(0, 80), st.sampled_from([START, GARDNER, TINY]))
def test_boards_are_written_and_read(seed, plies, first):
    *_, (board, move) = boards(seed, first, plies + 1)
    assert read_fen(fen(board.after(move))) == board.after(move)


def test_fields_may_be_missing_and_useless_en_passant_is_left_out():
    assert read_fen("4k3/8/8/8/8/8/8/4K3") == read_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    assert read_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").en_passant is None
    assert read_fen("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").en_passant == CHESS.square("e3")
    assert read_fen("r3k2r/8/8/8/8/8/8/R3K2R w qkQK").castling == "KQkq"


PAWN = "expected a pawn that has just passed the en passant square, found none at"
BAD = {
    "": "expected a FEN of up to six fields, found ''",
    "8/8/8/8/8/8/8/8 w": "expected one king of each colour, found 0 of white's",
    "4k3/8/8/8/8/8/8/8 w": "expected one king of each colour, found 0 of white's",
    "4K3/8/8/8/8/8/8/8 w": "expected one king of each colour, found 0 of black's",
    "4k3/8/8/8/8/8/8/3KK3 w": "expected one king of each colour, found 2 of white's",
    "4k2k/8/8/8/8/8/8/4K3 w": "expected one king of each colour, found 2 of black's",
    "P3k3/8/8/8/8/8/8/4K3 w": "expected no pawn on the first or last rank, found one on a8",
    "4k3/8/8/8/8/8/8/4K2p w": "expected no pawn on the first or last rank, found one on h1",
    "4k3/8/8/8/8/8/8/4R1K1 w": (
        "expected the player who has just moved not to be in check, found black's king attacked"
    ),
    "4k3/8/8/8/8/8/4r3/4K3 b": (
        "expected the player who has just moved not to be in check, found white's king attacked"
    ),
    "8/8/8/8/8/8/8/3Kk3 w": "expected the player who has just moved not to be in check, found black's king attacked",
    "4k3/8/8/8/8/8/8/4K3 x": "expected w or b as whose turn it is in a FEN, found 'x'",
    "4k3/8/8/8/8/8/8/4K3 w X": "expected - or letters of KQkq as castling rights in a FEN, found 'X'",
    "4k3/8/8/8/8/8/8/4K2R w KK": "expected - or letters of KQkq as castling rights in a FEN, found 'KK'",
    "4k3/8/8/8/8/8/8/4K2R w Q": "expected king and rook at home where Q says that they may castle",
    "4k3/8/8/8/8/8/8/3K3R w K": "expected king and rook at home where K says that they may castle",
    "r3k/5/5/5/R3K w Q": "expected king and rook at home where Q says that they may castle",
    "4k3/8/8/8/8/8/8/4K3 w - e9": "expected a square from a1 to h8, found 'e9'",
    "4k/5/5/5/4K w - f1": "expected a square from a1 to e5, found 'f1'",
    "4k3/8/8/8/8/8/8/4K3 w - e٣": "expected a square from a1 to h8, found 'e٣'",
    "4k3/8/8/8/8/8/8/4K3 w - e6": f"{PAWN} e6",
    "4k3/4p3/8/4p3/8/8/8/4K3 w - e6": f"{PAWN} e6",
    "4k3/8/4n3/4p3/8/8/8/4K3 w - e6": f"{PAWN} e6",
    "4k3/8/8/4P3/8/8/8/4K3 w - e6": f"{PAWN} e6",
    "4k3/8/8/8/4p3/8/8/4K3 w - e5": ("expected an en passant square that a pawn can pass in a double step, found e5"),
    "4k3/8/8/8/8/8/8/4K3 w - e8": "expected an en passant square that a pawn can pass in a double step, found e8",
    "4k3/8/8/8/8/8/8/4K3 b - e1": "expected an en passant square that a pawn can pass in a double step, found e1",
    "4k/5/2p2/5/4K w - c4": "expected an en passant square that a pawn can pass in a double step, found c4",
    "4k3/8/8/8/8/8/8/4K3 w - - x": "expected a number as quiet plies in a FEN, found 'x'",
    "4k3/8/8/8/8/8/8/4K3 w - - -1": "expected a number as quiet plies in a FEN, found '-1'",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1.5": "expected a number as the move number in a FEN, found '1.5'",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1234567": "expected a number as the move number in a FEN, found '1234567'",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1 w": ("expected a FEN of up to six fields, found '4k3/8/8/8/8/8/8/4K3 w - - 0 1 w'"),
    "4k3/8/8/8/8/8/4K3 9 w": "expected w or b as whose turn it is in a FEN, found '9'",
    "4k3/8/8/8/8/8/9/4K3 w": ("expected pieces (PNBRQKpnbrqk) and numbers of empty squares in a FEN, found '9' in '9'"),
    "4k3/8/8/8/8/8/4Z3/4K3 w": (
        "expected pieces (PNBRQKpnbrqk) and numbers of empty squares in a FEN, found 'Z' in '4Z3'"
    ),
    "4k3/8/8/8/8/8/7/4K3 w": "expected 8 squares in every rank of a FEN, found 7 in '7'",
    "4k3/8/8/8/8/8/8/8/4K3 w": "expected a board of 2 to 8 files and ranks, found 8 by 9",
    "4k4/9 w": "expected pieces (PNBRQKpnbrqk) and numbers of empty squares in a FEN, found '9' in '9'",
    "K w": "expected a board of 2 to 8 files and ranks, found 1 by 1",
    "/ w": "expected a board of 2 to 8 files and ranks, found 0 by 2",
}


@pytest.mark.parametrize("text", BAD)
def test_bad_fen(text):
    with pytest.raises(InputError) as error:
        read_fen(text)
    assert str(error.value) == BAD[text]


@given(st.text() | st.text("PNBRQKpnbrqk/12345678 wb-KQkqe36 09", max_size=80))
def test_garbage_is_bad_input_and_nothing_else(text):
    for read, write in ((read_fen, fen), (read_uci, uci), (CHESS.square, CHESS.name)):
        assert_refused_or_read_again(read, write, text)


@given(st.data())
def test_spoilt_fen_is_bad_input_or_a_board(data):
    text = KNOWN[data.draw(st.sampled_from(sorted(KNOWN)))][0]
    at = data.draw(st.integers(0, len(text) - 1))
    spoilt = text[:at] + data.draw(st.text("PNBRQKpnbrqk/12345678 wb-e36", max_size=2)) + text[at + 1 :]
    try:
        board = read_fen(spoilt)
    except InputError:
        return
    assert read_fen(fen(board)) == board
    assert all(not board.after(move).checkers(board.turn) for move in board.legal_moves)


# ---------------------------------------------------------------------- words


def test_moves_in_letters():
    assert [uci(read_uci(text)) for text in ("a1h8", "e7e8q", "e2e1N")] == ["a1h8", "e7e8q", "e2e1n"]
    for text in ("", "e2", "e2e4e5", "e7e8k", "e7e8p", "i1a1"):
        with pytest.raises(InputError, match="expected"):
            read_uci(text)
    assert str(WHITE), repr(Colour.BLACK) == ("white", "<Colour.BLACK: 1>")


def test_boards_without_a_king_are_for_players_views():
    board = replace(START, pieces=START.pieces.replace("k", "."))
    assert (board.king(BLACK), board.checkers(BLACK)) == (None, [])
