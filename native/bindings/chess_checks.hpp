// Boards, moves and messages that come from Python.
#pragma once

#include <bit>
#include <vector>

#include "bindings/checks.hpp"
#include "kriegspiel/belief.hpp"
#include "kriegspiel/chess.hpp"
#include "kriegspiel/umpire.hpp"

namespace worldwise::chess {

constexpr int MOST_PERFT = 12;        // plies: beyond, nobody lives to see the count
constexpr int MOST_PLIES = 60;        // of a search, which recurses
constexpr int MOST_MATE_MOVES = 100;  // as kriegspiel/search/mates.py has it
constexpr int MOST_SET_DEPTH = 16;
constexpr double MOST_GREED = 1000;
constexpr std::size_t MOST_TRIES = 511;                           // the numbers of tries take nine bits
constexpr std::size_t MOST_INFORMATION_SETS = std::size_t{1} << 26;  // their numbers take 28
constexpr int MOST_GUESSES = 1000000;
constexpr std::size_t MOST_ARMY = 63;

// Kings may be missing, as in what one player sees of the other; nothing else may be odd.
inline Board checked_board(const std::uint64_t *row) {
    expect(row[8] >> 32 == 0 && (row[8] & 0xFF) <= BLACK && (row[8] >> 8 & 0xFF) < 16, "a board's last word");
    expect((row[8] >> 16 & 0xFF) <= NO_SQUARE, "an en passant square up to 64");
    Board board = unpacked(row);
    Bits seen = 0;
    for (Bits men : board.men) {
        expect((men & seen) == 0, "a board with one piece on a square");
        seen |= men;
    }
    expect((board.side[WHITE] & board.side[BLACK]) == 0, "a board with one colour on a square");
    expect(seen == board.occupied(), "a board on which every man has a colour and a kind");
    expect((board.men[PAWN] & 0xFF000000000000FF) == 0, "no pawn on the first or last rank");
    for (int colour : {WHITE, BLACK})
        expect(std::popcount(board.of(colour, KING)) <= 1, "no more than one king of a colour");
    expect(board.en_passant == NO_SQUARE || board.en_passant >> 3 == (board.turn == WHITE ? 5 : 2),
           "an en passant square behind a pawn of the other's");
    return board;
}

inline int checked_colour(int colour) {
    expect_within(colour, WHITE, BLACK, "a colour");
    return colour;
}

inline void check_legal(const Board &board, Move move) { expect(is_legal(board, move), "a move that is legal"); }

inline void check_message(Message said) {
    expect(taken_in(said) < NO_SQUARE, "a message about a square of the board");
}

inline Heard::What checked_what(std::int64_t what) {
    expect_within(what, Heard::REFUSED, Heard::OTHER_MADE, "what is heard");
    return static_cast<Heard::What>(what);
}

inline void check_same_turn(const std::vector<Board> &boards) {
    for (const Board &board : boards) expect(board.turn == boards[0].turn, "boards with the same player to move");
}

}  // namespace worldwise::chess
