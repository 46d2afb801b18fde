"""Published counts of moves, and boards as the chess kernel takes them."""

import numpy as np

NO_CHESS = "python-chess is a test oracle: pip install chess"


KINDS = "pnbrqk"


NO_SQUARE = 64


START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"


# Counts for 1, 2, 3 ... moves; https://www.chessprogramming.org/Perft_Results
COUNTS = {
    START: [20, 400, 8902, 197281, 4865609],
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -": [48, 2039, 97862, 4085603],
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -": [14, 191, 2812, 43238, 674624],
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -": [6, 264, 9467, 422333],
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -": [44, 1486, 62379, 2103487],
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -": [46, 2079, 89890, 3894594],
}


def packed(men, side, turn, castling, en_passant=NO_SQUARE, quiet=0):
    """A board as the kernel takes it."""
    return np.array([*men, *side, turn | castling << 8 | en_passant << 16 | quiet << 24], dtype=np.uint64)


def row_of_fen(fen):
    placement, turn, castling, en_passant = fen.split()[:4]
    men, side = dict.fromkeys(KINDS, 0), [0, 0]
    for rank, line in zip(range(7, -1, -1), placement.split("/"), strict=True):
        file = 0
        for letter in line:
            if letter.isdigit():
                file += int(letter)
                continue
            square = 1 << 8 * rank + file
            men[letter.lower()] |= square
            side[letter.islower()] |= square
            file += 1
    rights = sum(1 << "KQkq".index(letter) for letter in castling if letter != "-")
    target = NO_SQUARE if en_passant == "-" else "abcdefgh".index(en_passant[0]) + 8 * (int(en_passant[1]) - 1)
    return packed(men.values(), side, turn == "b", rights, target)
