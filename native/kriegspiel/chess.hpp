// Chess by the standard rules: a board of 64-bit sets of squares, its legal moves, and the board after a move.
//
// Moves come out legal at once: the men that give check and those that are pinned say where everybody may go. Positions
// need not be reachable: without a king a side is never in check, and a king left en prise can be taken like any man.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "common/bitset.hpp"
#include "common/watch.hpp"

namespace worldwise::chess {

using Bits = std::uint64_t;  // bit 0 is a1, bit 7 is h1, bit 63 is h8

enum Man : std::uint8_t { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, NO_MAN };
enum Colour : std::uint8_t { WHITE, BLACK };
enum Castling : std::uint8_t { WHITE_SHORT = 1, WHITE_LONG = 2, BLACK_SHORT = 4, BLACK_LONG = 8 };
constexpr int NO_SQUARE = 64;
constexpr int ROW_WORDS = 9;     // of a packed board
constexpr int QUIET_SHIFT = 24;  // where its quiet plies are in the last word: above all else
constexpr int MOST_QUIET = 255;  // they stay there

constexpr Bits bit(int square) { return Bits{1} << square; }

struct Move {
    std::uint8_t from = 0, to = 0;
    std::uint8_t promotion = PAWN;  // PAWN for none

    constexpr std::uint16_t packed() const { return static_cast<std::uint16_t>(from | to << 6 | promotion << 12); }
    static constexpr Move unpacked(std::uint16_t word) {
        return {static_cast<std::uint8_t>(word & 63), static_cast<std::uint8_t>(word >> 6 & 63),
                static_cast<std::uint8_t>(word >> 12)};
    }
    bool operator==(const Move &) const = default;
};

struct Board {
    std::array<Bits, 6> men{};   // by kind
    std::array<Bits, 2> side{};  // white, black
    std::uint8_t turn = WHITE;
    std::uint8_t castling = 0;
    std::uint8_t en_passant = NO_SQUARE;  // behind a pawn that just made two steps, if one stands ready to take it
    std::uint8_t quiet = 0;               // plies since a pawn moved or a man was taken; stays at MOST_QUIET

    Bits occupied() const { return side[WHITE] | side[BLACK]; }
    Bits of(int colour, Man kind) const { return men[kind] & side[colour]; }
    int king(int colour) const { return first(of(colour, KING)); }  // NO_SQUARE if there is none
    Man kind_at(int square) const {
        // The three digits of the kind's number: no branch to guess wrong.
        Bits empty = ~occupied();
        Bits ones = men[KNIGHT] | men[ROOK] | men[KING], twos = men[BISHOP] | men[ROOK] | empty;
        Bits fours = men[QUEEN] | men[KING] | empty;
        return static_cast<Man>((ones >> square & 1) | (twos >> square & 1) << 1 | (fours >> square & 1) << 2);
    }
    bool operator==(const Board &) const = default;
};

// No position of a game has more than 218 moves. A board of anybody's invention may; what does not fit is left out.
struct Moves {
    std::array<Move, 256> move;
    int count = 0;

    const Move *begin() const { return move.data(); }
    const Move *end() const { return move.data() + count; }
};

// Rows of ROW_WORDS words: pawns, knights, bishops, rooks, queens, kings, white, black, and
// turn | castling << 8 | en_passant << 16 | quiet << QUIET_SHIFT.
Board unpacked(const std::uint64_t *row);
void packed(const Board &board, std::uint64_t *row);

// All legal moves of the side to move, in this order: pawns (one step, two steps, captures to the west, to the east;
// promotions by a step, by captures to the west, to the east, each by the square reached, the queen first, the knight
// last; en passant), knights, bishops, rooks, queens, the king (each by the square left, then by the square reached),
// castling short and long.
void legal_moves(const Board &board, Moves &moves);
int legal_count(const Board &board);
bool any_legal(const Board &board);  // stops at the first

// For any squares 0-63 and any promotion, nonsense included.
bool is_legal(const Board &board, Move move);

// The squares that each man of the side to move may legally go to, by the square it stands on.
std::array<Bits, 64> legal_targets(const Board &board);

// The board after a legal move.
Board after(const Board &board, Move move);

// The enemies that give check to a colour's king.
Bits checkers(const Board &board, int colour);

// The men of a colour that would take on a square, were `occupied` the squares where anybody stands.
Bits attackers(const Board &board, int square, int by_colour, Bits occupied);

// The squares that a colour's men attack, their own men's included.
Bits attacked(const Board &board, int by_colour);

// What a colour's men attack on a board, and from there on boards that differ from it by a move or two: only men on
// whose lines somebody came or went are looked at again.
class Reach {
  public:
    Reach(const Board &board, int colour);
    Bits on(const Board &other) const;

  private:
    struct Slider {
        int square;
        Bits attacks;
    };
    int colour_;
    Bits occupied_, slanting_, straight_;  // who stands anywhere, and which of the colour's men go along lines
    std::array<Slider, 128> sliders_;      // queens twice: first those that slant, then those that go straight
    int slants_ = 0, count_ = 0;
};

// The different (from, to) among the legal captures by pawns of the side to move.
int pawn_captures(const Board &board);

// What the side to move has before it, found together because all of it asks who is pinned.
struct Prospects {
    Bits checkers;
    bool can_move;
    int pawn_captures;
};
Prospects prospects(const Board &board);

// Whether the side to move has a move that anybody can see is legal, by its king or by men on no line with him;
// `danger` is what the other side attacks, or more. If not there may be others.
bool surely_moves(const Board &board, Bits danger);

// No sequence of moves mates anybody, as far as the men alone tell (python-chess's is_insufficient_material).
bool is_dead(const Board &board);

// A hash of everything but `quiet`.
std::uint64_t key(const Board &board);

// How many sequences of `depth` moves there are; the second makes every last move as well.
std::uint64_t perft(const Board &board, int depth, const Watch &watch);
std::uint64_t perft_made(const Board &board, int depth, const Watch &watch);

// What men attack from a square; the square itself is in no set.
Bits pawn_attacks(int colour, int square);
Bits knight_attacks(int square);
Bits king_attacks(int square);
Bits bishop_attacks(int square, Bits occupied);
Bits rook_attacks(int square, Bits occupied);

// The lines through a square, without it.
struct Lines {
    Bits rising, falling;  // diagonals: a1-h8 and a8-h1 are the longest
    Bits file, rank;

    constexpr Bits all() const { return rising | falling | file | rank; }
};
const Lines &lines(int square);

}  // namespace worldwise::chess
