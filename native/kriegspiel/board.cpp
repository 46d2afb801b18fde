// A board apart from its moves: packed into words, hashed, and whether anybody can still be mated on it.
#include <algorithm>
#include <bit>

#include "common/hash.hpp"
#include "kriegspiel/chess.hpp"

namespace worldwise::chess {

namespace {

constexpr Bits DARK = 0xAA55AA55AA55AA55;

// Whether a colour has too little to mate with, however badly the other plays.
bool cannot_mate(const Board &board, int colour) {
    Bits own = board.side[colour], other = board.side[1 - colour];
    if (own & (board.men[PAWN] | board.men[ROOK] | board.men[QUEEN])) return false;
    // A lone knight mates only where the other side's men are in their king's way; queens need not be.
    if (own & board.men[KNIGHT]) return std::popcount(own) <= 2 && !(other & ~board.men[KING] & ~board.men[QUEEN]);
    if (own & board.men[BISHOP]) {
        bool one_shade = !(board.men[BISHOP] & DARK) || !(board.men[BISHOP] & ~DARK);
        return one_shade && !board.men[PAWN] && !board.men[KNIGHT];
    }
    return true;
}

}  // namespace

Board unpacked(const std::uint64_t *row) {
    Board board;
    std::copy_n(row, 6, board.men.begin());
    std::copy_n(row + 6, 2, board.side.begin());
    board.turn = row[8] & 1;
    board.castling = row[8] >> 8 & 15;
    board.en_passant = static_cast<std::uint8_t>(std::min<std::uint64_t>(row[8] >> 16 & 255, NO_SQUARE));
    board.quiet = row[8] >> QUIET_SHIFT & MOST_QUIET;
    return board;
}

void packed(const Board &board, std::uint64_t *row) {
    std::copy_n(board.men.begin(), 6, row);
    std::copy_n(board.side.begin(), 2, row + 6);
    row[8] = std::uint64_t{board.turn} | std::uint64_t{board.castling} << 8 | std::uint64_t{board.en_passant} << 16 |
             std::uint64_t{board.quiet} << QUIET_SHIFT;
}

// Every word is stirred by itself, so that the processor stirs several at once, and well: a board differs from its
// neighbours in two or three bits, which chains of single products let cancel each other. The salt tells the words
// apart.
std::uint64_t key(const Board &board) {
    std::uint64_t sum = 0, salt = 0;
    auto add = [&](std::uint64_t word) { sum += stir(word + (salt += GOLDEN)); };
    for (Bits men : board.men) add(men);
    for (Bits men : board.side) add(men);
    add(board.turn | std::uint64_t{board.castling} << 8 | std::uint64_t{board.en_passant} << 16);
    return sum;
}

bool is_dead(const Board &board) { return cannot_mate(board, WHITE) && cannot_mate(board, BLACK); }

}  // namespace worldwise::chess
