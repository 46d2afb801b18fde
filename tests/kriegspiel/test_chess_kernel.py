"""The chess board against published counts of its moves, and against python-chess wherever that is installed."""

import random

import numpy as np
import pytest

from perft_rows import COUNTS, KINDS, NO_CHESS, NO_SQUARE, START, packed, row_of_fen
from worldwise.errors import InputError

# One trick each, and the count at a depth that shows it: Martin Sedlak's positions.
TRICKS = {
    "en passant would open the rank": ("3k4/3p4/8/K1P4r/8/8/8/8 b - -", 6, 1134888),
    "en passant would open the rank for white": ("8/8/8/8/k1p4R/8/3P4/3K4 w - -", 6, 1134888),
    "en passant would open a diagonal": ("8/8/1k6/8/2pP4/8/5BK1/8 b - d3", 6, 824064),
    "en passant would open a diagonal for black": ("8/5bk1/8/2Pp4/8/1K6/8/8 w - d6", 6, 824064),
    "en passant gives check": ("8/5k2/8/2Pp4/2B5/1K6/8/8 w - d6", 6, 1440467),
    "en passant gives check to white": ("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3", 6, 1440467),
    "castling short gives check": ("5k2/8/8/8/8/8/8/4K2R w K -", 6, 661072),
    "castling long gives check": ("3k4/8/8/8/8/8/8/R3K3 w Q -", 6, 803711),
    "a rook taken ends castling": ("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq -", 4, 1274206),
    "castling through check": ("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq -", 4, 1720476),
    "promotion out of check": ("2K2r2/4P3/8/8/8/8/8/3k4 w - -", 6, 3821001),
    "promotion to give check": ("4k3/1P6/8/8/8/8/K7/8 w - -", 6, 217342),
    "a lesser promotion gives check": ("8/P1k5/K7/8/8/8/8/8 w - -", 6, 92683),
    "check discovered": ("8/8/1P2K3/8/2n5/1q6/8/5k2 b - -", 5, 1004658),
    "double check": ("8/8/2k5/5q2/5n2/8/5K2/8 b - -", 4, 23527),
    "stalemate of oneself": ("K1k5/8/P7/8/8/8/8/8 w - -", 6, 2217),
    "stalemate and mate": ("8/k1P5/8/1K6/8/8/8/8 w - -", 7, 567584),
}


@pytest.fixture(scope="module")
def kernel(needs_kernels):
    from worldwise import _kernels

    return _kernels


@pytest.fixture(scope="module")
def chess():
    return pytest.importorskip("chess", reason=NO_CHESS)


def row_of(chess, board):
    """A board of python-chess's; it keeps en passant squares that nobody can use."""
    pieces = [board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings]
    side = [board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]]
    rooks = [chess.BB_H1, chess.BB_A1, chess.BB_H8, chess.BB_A8]
    castling = sum(1 << place for place, rook in enumerate(rooks) if board.clean_castling_rights() & rook)
    target = board.ep_square if board.has_pseudo_legal_en_passant() else NO_SQUARE
    return packed(pieces, side, int(not board.turn), castling, target, min(board.halfmove_clock, 255))


def word_of(move):
    return move.from_square | move.to_square << 6 | ((move.promotion or 1) - 1) << 12


def moves_of(kernel, row):
    return kernel.chess_moves(row).tolist()


def after(kernel, row, word):
    return kernel.chess_after(row[None], np.array([word], dtype=np.uint16))[0]


def check_moves(kernel, row, board):
    """The moves are python-chess's, and what else is said of moves fits them; returns them."""
    legal = list(board.legal_moves)
    captures = {
        (move.from_square, move.to_square)
        for move in legal
        if board.is_capture(move) and board.pawns >> move.from_square & 1
    }
    found = moves_of(kernel, row)
    assert sorted(found) == sorted(map(word_of, legal)), board.fen()
    assert kernel.chess_perft(row, 1, False) == len(legal), board.fen()
    assert kernel.chess_any_legal(row) == bool(legal), board.fen()
    assert kernel.chess_pawn_captures(row) == len(captures), board.fen()
    return legal


@pytest.mark.parametrize("made", [False, True], ids=["counted", "made"])
@pytest.mark.parametrize("fen", COUNTS)
def test_published_counts(kernel, fen, made):
    expected = COUNTS[fen]
    assert [kernel.chess_perft(row_of_fen(fen), 1 + depth, made) for depth in range(len(expected))] == expected
    assert kernel.chess_perft(row_of_fen(fen), 0, made) == 1


@pytest.mark.parametrize("trick", TRICKS)
def test_tricks(kernel, trick):
    fen, depth, expected = TRICKS[trick]
    assert kernel.chess_perft(row_of_fen(fen), depth, False) == expected
    assert kernel.chess_perft(row_of_fen(fen), depth - 1, True) == kernel.chess_perft(row_of_fen(fen), depth - 1, False)


@pytest.mark.parametrize("seed", range(12))
def test_random_games_are_python_chess_games(kernel, chess, seed):
    """Thirty games a seed, a third of them from positions with more going on; all boards of a game have keys of
    their own."""
    rng = random.Random(seed)
    keys = {}
    for game in range(30):
        board = chess.Board(f"{rng.choice(list(COUNTS)) if game % 3 == 0 else START} 0 1")
        row = row_of(chess, board)
        for _ in range(140):
            assert kernel.chess_checkers(row, int(not board.turn)) == board.checkers_mask(), board.fen()
            assert kernel.chess_checkers(row, int(board.turn)) == 0
            assert kernel.chess_is_dead(row) == board.is_insufficient_material(), board.fen()
            keys[(*row.tolist()[:8], int(row[8]) & 0xFFFFFF)] = kernel.chess_key(row)
            legal = check_moves(kernel, row, board)
            if not legal:
                break
            move = rng.choice(
                [move for move in legal if board.is_capture(move)] or legal if rng.random() < 0.3 else legal
            )
            row = after(kernel, row, word_of(move))
            board.push(move)
            assert row.tolist() == row_of(chess, board).tolist(), board.fen()
    assert len(set(keys.values())) == len(keys)


@pytest.mark.parametrize("fen", [*COUNTS, *(fen for fen, _, _ in TRICKS.values())])
def test_boards_after_all_moves(kernel, chess, fen):
    """Two moves deep."""
    board = chess.Board(f"{fen} 0 1")
    for first in list(board.legal_moves):
        board.push(first)
        row = row_of(chess, board)
        for second in list(board.legal_moves):
            board.push(second)
            assert after(kernel, row, word_of(second)).tolist() == row_of(chess, board).tolist(), board.fen()
            board.pop()
        board.pop()


@pytest.mark.parametrize("fen", [*COUNTS, *(fen for fen, _, _ in TRICKS.values())])
def test_all_there_is_to_try(kernel, fen):
    """Every pair of squares and every promotion, those that do not exist included."""
    row = row_of_fen(fen)
    for _ in range(2):
        legal = moves_of(kernel, row)
        assert [word for word in range(1 << 16) if kernel.chess_is_legal(row, word)] == sorted(legal)
        row = after(kernel, row, legal[len(legal) // 2])


def test_moves_come_in_order(kernel):
    """As chess.hpp says."""
    names = [name_of(word) for word in moves_of(kernel, row_of_fen("rn5r/1P4k1/8/3pP3/5p2/6P1/P7/R3K2R w KQ d6"))]
    assert names[:5] == ["a2a3", "g3g4", "e5e6", "a2a4", "g3f4"]
    assert names[5:10] == ["b7a8q", "b7a8r", "b7a8b", "b7a8n", "e5d6"]
    assert names[10:13] == ["a1b1", "a1c1", "a1d1"]
    assert names[-7:] == ["e1d1", "e1f1", "e1d2", "e1e2", "e1f2", "e1g1", "e1c1"]


def name_of(word):
    squares = (f"{'abcdefgh'[square % 8]}{square // 8 + 1}" for square in (word & 63, word >> 6 & 63))
    return "".join(squares) + KINDS[word >> 12].strip("p")


def random_pieces(chess, rng, kings):
    """A board with pieces anywhere, sense or none, and as many kings as are asked for."""
    board = chess.Board(None)
    squares = rng.sample(range(64), rng.randrange(2, 24))
    for square in squares[2:]:
        kind = rng.randrange(2 if square // 8 in (0, 7) else 1, 6)
        board.set_piece_at(square, chess.Piece(kind, rng.random() < 0.5))
    for square, colour in zip(squares, kings, strict=False):
        board.set_piece_at(square, chess.Piece(chess.KING, colour))
    board.turn = rng.random() < 0.5
    return board


@pytest.mark.parametrize("kings", [(True, False), (True,), (False,), ()], ids=["both", "white", "black", "none"])
def test_boards_without_sense(kernel, chess, kings):
    """Kings missing, or left to be taken: python-chess moves on, and so do we."""
    rng = random.Random(len(kings) + sum(kings))
    for _ in range(2000):
        board = random_pieces(chess, rng, kings)
        row = row_of(chess, board)
        check_moves(kernel, row, board)
        assert kernel.chess_is_dead(row) == board.is_insufficient_material(), board.fen()
        for colour in chess.COLORS:
            king = board.king(colour)
            expected = 0 if king is None else board.attackers_mask(not colour, king)
            assert kernel.chess_checkers(row, int(not colour)) == expected, board.fen()
        legal = set(moves_of(kernel, row))
        for word in [*legal, *(rng.randrange(1 << 16) for _ in range(200))]:
            assert kernel.chess_is_legal(row, word) == (word in legal), board.fen()


@pytest.mark.parametrize(
    ("pieces", "dead"),
    [
        ("K7/8/8/8/8/8/8/7k", True),
        ("KN6/8/8/8/8/8/8/7k", True),
        ("KB6/8/8/8/8/8/8/7k", True),
        ("KB6/8/8/8/8/8/8/5b1k", False),
        ("KB6/8/8/8/8/8/8/6bk", True),
        ("KBB5/8/8/8/8/8/8/7k", False),
        ("KNN5/8/8/8/8/8/8/7k", False),
        ("KN6/8/8/8/8/8/8/6nk", False),
        ("KN6/8/8/8/8/8/8/6qk", False),
        ("K7/P7/8/8/8/8/8/7k", False),
        ("KR6/8/8/8/8/8/8/7k", False),
    ],
)
def test_dead_material(kernel, pieces, dead):
    assert kernel.chess_is_dead(row_of_fen(f"{pieces} w - -")) == dead


def test_quiet_plies_stay_at_255(kernel):
    row = row_of_fen(START)
    there_and_back = [6 | 21 << 6, 62 | 45 << 6, 21 | 6 << 6, 45 | 62 << 6]
    for ply in range(300):
        assert int(row[8]) >> 24 == min(ply, 255)
        row = after(kernel, row, there_and_back[ply % 4])


def test_keys_tell_boards_apart(kernel):
    """Two pieces on any two squares, whose move it is, castling, en passant: all differ; quiet plies do not count."""
    keys = []
    for first, second in [(0, 1), (2, 3), (4, 5), (1, 1)]:
        for one in range(64):
            for other in range(64) if first != second else range(one):
                if one == other or (first == 0 and one // 8 in (0, 7)):  # no pawn stands on the first or last rank
                    continue
                pieces = [0] * 6
                pieces[first] |= 1 << one
                pieces[second] |= 1 << other
                both = 1 << one | 1 << other
                keys += [
                    kernel.chess_key(packed(pieces, side, 0, 0))
                    for side in [(both, 0), (0, both), (1 << one, 1 << other)]
                ]
    start = row_of_fen(START)[:8]
    for turn in range(2):
        for castling in range(16):
            keys.append(kernel.chess_key(np.append(start, packed([], [], turn, castling, 64))))
    for file, letter in enumerate("abcdefgh"):  # a pawn that may be taken in passing, and the same that may not
        rank = f"{file or ''}P{7 - file or ''}"
        keys += [kernel.chess_key(row_of_fen(f"4k3/8/8/8/{rank}/8/8/4K3 b - {to}")) for to in (f"{letter}3", "-")]
    assert len(set(keys)) == len(keys)
    assert kernel.chess_key(row_of_fen(START)) == kernel.chess_key(np.append(start, packed([], [], 0, 15, quiet=9)))


def test_rows_must_be_boards(kernel):
    with pytest.raises(TypeError):
        kernel.chess_moves(np.zeros(8, dtype=np.uint64))
    for row in (np.zeros(9, dtype=np.uint64), np.full(9, 2**64 - 1, dtype=np.uint64)):
        with pytest.raises(InputError):
            kernel.chess_moves(row)
