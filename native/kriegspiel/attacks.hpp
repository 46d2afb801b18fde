// Which squares men attack: tables that the compiler makes, and lines looked up in them. For chess.cpp alone; everybody
// else asks chess.hpp.
#pragma once

#include <array>
#include <cstdint>

#include "kriegspiel/chess.hpp"

#ifdef _MSC_VER
#include <cstdlib>
#endif

namespace worldwise::chess {

inline constexpr Bits ALL = ~Bits{0};
inline constexpr Bits FILE_A = 0x0101010101010101, FILE_H = FILE_A << 7;
inline constexpr Bits RANK_1 = 0xFF;
inline constexpr Bits LAST_RANKS = RANK_1 | RANK_1 << 56;

constexpr Bits rank(int number) { return RANK_1 << (8 * number); }

// ---------------------------------------------------------------------- tables

struct Tables {
    std::array<Lines, 64> lines{};
    std::array<std::array<Bits, 64>, 64> between{};
    std::array<std::array<Bits, 64>, 2> pawn{};
    std::array<Bits, 64> knight{}, king{};
    // By file and who stands on the six inner files: what a rook attacks on its rank.
    std::array<std::array<std::uint8_t, 64>, 8> on_rank{};
};

constexpr bool on_board(int file, int rank) { return file >= 0 && file < 8 && rank >= 0 && rank < 8; }
constexpr Bits one(int file, int rank) { return on_board(file, rank) ? bit(8 * rank + file) : 0; }

// The squares from one on in a direction; on the way, what lies between.
constexpr Bits ray(Tables &tables, int square, int file_step, int rank_step) {
    Bits passed = 0;
    int file = square % 8 + file_step, rank = square / 8 + rank_step;
    for (; on_board(file, rank); file += file_step, rank += rank_step) {
        tables.between[square][8 * rank + file] = passed;
        passed |= one(file, rank);
    }
    return passed;
}

constexpr std::uint8_t along_rank(int file, int inner) {
    int found = 0;
    for (int step = -1; step <= 1; step += 2)
        for (int at = file + step; at >= 0 && at < 8; at += step) {
            found |= 1 << at;
            if (inner << 1 >> at & 1) break;
        }
    return static_cast<std::uint8_t>(found);
}

constexpr Tables make_tables() {
    Tables tables;
    for (int square = 0; square < 64; ++square) {
        int file = square % 8, rank = square / 8;
        tables.lines[square] = {ray(tables, square, 1, 1) | ray(tables, square, -1, -1),
                                ray(tables, square, -1, 1) | ray(tables, square, 1, -1),
                                ray(tables, square, 0, 1) | ray(tables, square, 0, -1),
                                ray(tables, square, 1, 0) | ray(tables, square, -1, 0)};
        for (int side = -1; side <= 1; side += 2) {
            tables.pawn[WHITE][square] |= one(file + side, rank + 1);
            tables.pawn[BLACK][square] |= one(file + side, rank - 1);
            for (int up = -2; up <= 2; ++up)
                if (up) tables.knight[square] |= one(file + side * (up % 2 ? 2 : 1), rank + up);
        }
        for (int up = -1; up <= 1; ++up)
            for (int side = -1; side <= 1; ++side)
                if (up || side) tables.king[square] |= one(file + side, rank + up);
    }
    for (int file = 0; file < 8; ++file)
        for (int inner = 0; inner < 64; ++inner) tables.on_rank[file][inner] = along_rank(file, inner);
    return tables;
}

inline constexpr Tables TABLES = make_tables();

// ---------------------------------------------------------------------- attacks

inline Bits mirrored(Bits squares) {
#ifdef _MSC_VER
    return _byteswap_uint64(squares);
#else
    return __builtin_bswap64(squares);
#endif
}

// Taking the man's bit from what stands on a line flips all bits up to the first man above it; upside down, the same is
// so below (hyperbola quintessence). Ranks stay as they are upside down, so they have a table.
inline Bits slide(int square, Bits line, Bits occupied) {
    Bits up = occupied & line, down = mirrored(up);
    up -= bit(square);
    down -= bit(square ^ 56);
    return (up ^ mirrored(down)) & line;
}

inline Bits along_ranks(int square, Bits occupied) {
    int first_file = square & 56;
    return Bits{TABLES.on_rank[square & 7][occupied >> (first_file + 1) & 63]} << first_file;
}

template <int US>
Bits step(Bits pawns) {
    return US == WHITE ? pawns << 8 : pawns >> 8;
}
template <int US>
Bits west(Bits pawns) {
    return US == WHITE ? (pawns & ~FILE_A) << 7 : (pawns & ~FILE_A) >> 9;
}
template <int US>
Bits east(Bits pawns) {
    return US == WHITE ? (pawns & ~FILE_H) << 9 : (pawns & ~FILE_H) >> 7;
}

inline Bits all_knight_attacks(Bits knights) {
    Bits near = (knights & ~FILE_A) >> 1 | (knights & ~FILE_H) << 1;
    Bits far = (knights & ~(FILE_A | FILE_A << 1)) >> 2 | (knights & ~(FILE_H | FILE_H >> 1)) << 2;
    return near << 16 | near >> 16 | far << 8 | far >> 8;
}

// What the men of a side attack that go along no lines.
template <int US>
Bits attacked_by_leaps(const Board &board) {
    Bits pawns = board.of(US, PAWN);
    Bits found = west<US>(pawns) | east<US>(pawns) | all_knight_attacks(board.of(US, KNIGHT));
    for (Bits men = board.of(US, KING); men; men = rest(men)) found |= TABLES.king[first(men)];
    return found;
}

// All that a side attacks, were `occupied` the squares where anybody stands.
template <int US>
Bits attacked(const Board &board, Bits occupied) {
    Bits found = attacked_by_leaps<US>(board);
    Bits queens = board.of(US, QUEEN);
    for (Bits men = board.of(US, BISHOP) | queens; men; men = rest(men)) found |= bishop_attacks(first(men), occupied);
    for (Bits men = board.of(US, ROOK) | queens; men; men = rest(men)) found |= rook_attacks(first(men), occupied);
    return found;
}

}  // namespace worldwise::chess
