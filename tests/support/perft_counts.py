"""Known counts of moves, by position."""

KNOWN = {
    # The positions of the Chess Programming Wiki's page on perft.
    "start": ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", [20, 400, 8902]),
    "kiwipete": ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", [48, 2039]),
    "position 3": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191]),
    "position 4": ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", [6, 264]),
    "position 4, mirrored": ("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", [6, 264]),
    "position 5": ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", [44, 1486]),
    "position 6": ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", [46, 2079]),
    # One trick each.
    "en passant that would open the rank": ("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", [18, 92, 1670]),
    "the same for Black": ("8/8/8/8/k1p4R/8/3P4/3K4 w - - 0 1", [18, 92, 1670]),
    "en passant gives check": ("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", [15, 126, 1928]),
    "castling gives check": ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", [15, 66, 1198]),
    "long castling gives check": ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", [16, 71, 1286]),
    "rooks are taken at home": ("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", [26, 1141]),
    "castling is prevented": ("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", [44, 1494]),
    "a promotion parries check": ("2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", [11, 133, 1442]),
    "discovered check": ("8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", [29, 165, 5160]),
    "a promotion gives check": ("4k3/1P6/8/8/8/8/K7/8 w - - 0 1", [9, 40, 472]),
    "promotions less than a queen": ("8/P1k5/K7/8/8/8/8/8 w - - 0 1", [6, 27, 273]),
    "stalemate of oneself": ("K1k5/8/P7/8/8/8/8/8 w - - 0 1", [2, 6, 13, 63, 382, 2217]),
    "mates and stalemates": ("8/k1P5/8/1K6/8/8/8/8 w - - 0 1", [10, 25, 268]),
    "double check": ("8/5k2/8/5N2/5Q2/2K5/8/8 w - - 0 1", [37, 183, 6559]),
    # Gardner's chess on 5 by 5; its first seven moves are in every book on it.
    "five by five": ("rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1", [7]),
}
