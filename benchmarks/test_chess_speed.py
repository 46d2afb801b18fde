"""How fast the chess board is, as a ratio to python-chess counting the same moves in the same run.

``make bench`` prints the figures. Seconds are those of the processor, so that what else runs does not count.
"""

from time import process_time

import pytest

from perft_rows import COUNTS, NO_CHESS, START, row_of_fen
from worldwise.kernels import BUILT

pytestmark = pytest.mark.skipif(not BUILT, reason="the compiled kernels were not built on this machine")

FLOORS = {"counted": 100, "made": 100}
"""How many times faster than python-chess moves must be counted, and made as well, from the start of a game."""

MIDDLE = list(COUNTS)[1]


def seconds(work):
    start = process_time()
    answer = work()
    return process_time() - start, answer


def perft(board, depth, made):
    """What python-chess's users write; the last moves are counted without being made, or made as well."""
    if depth == 0:
        return 1
    if depth == 1 and not made:
        return board.legal_moves.count()
    found = 0
    for move in board.legal_moves:
        board.push(move)
        found += perft(board, depth - 1, made)
        board.pop()
    return found


@pytest.mark.parametrize("way", FLOORS)
@pytest.mark.parametrize(("fen", "depth"), [(START, 5), (MIDDLE, 4)], ids=["start", "middle"])
def test_moves_a_second(fen, depth, way):
    """Python-chess looks less far ahead, or it would take minutes: moves a second are compared."""
    from worldwise._kernels import chess_perft

    chess = pytest.importorskip("chess", reason=NO_CHESS)
    made, row = way == "made", row_of_fen(fen)
    shallow = depth - 2 if made else depth - 1
    theirs, expected = seconds(lambda: perft(chess.Board(f"{fen} 0 1"), shallow, made))
    assert chess_perft(row, shallow, made) == expected
    ours, found = min(seconds(lambda: chess_perft(row, depth, made)) for _ in range(3))
    assert found == COUNTS[fen][depth - 1]
    our_rate, their_rate = found / ours / 1e6, expected / theirs / 1e6
    print(f"\n{depth} moves {way}: {our_rate:.0f} million a second, python-chess {their_rate:.2f}, ", end="")
    print(f"ratio {our_rate / their_rate:.0f}", end="")
    assert our_rate / their_rate >= FLOORS[way]
