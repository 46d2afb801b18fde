#include "kriegspiel/umpire.hpp"

#include <algorithm>

namespace worldwise::chess {

namespace {

enum Check { RANK, FILE, LONG, SHORT, DIAGONAL, KNIGHT_CHECK };

Check direction(int king, int checker, const UmpireRules &rules) {
    int file = checker % 8 - king % 8, rank = checker / 8 - king / 8;
    if (!rank) return RANK;
    if (!file) return FILE;
    if (file != rank && file != -rank) return KNIGHT_CHECK;
    if (!rules.split_diagonals) return DIAGONAL;
    bool rising_is_long = (king % 8 < 4) == (king / 8 < 4);
    return (file == rank) == rising_is_long ? LONG : SHORT;
}

// Somebody can move: it may be over all the same.
End drawn(const Board &board, const UmpireRules &rules) {
    if (is_dead(board)) return DEAD;
    if (board.quiet >= rules.quiet_limit) return rules.quiet_is_fifty ? FIFTY : QUIET;
    return GOES_ON;
}

End end(const Board &board, const Prospects &now, const UmpireRules &rules) {
    if (!now.can_move) return now.checkers ? MATE : STALEMATE;
    return drawn(board, rules);
}

// More than fit, nine queens' tries and the like, are left out.
void add(Moves &moves, int from, int to, int promotion = PAWN) {
    if (moves.count == static_cast<int>(moves.move.size())) return;
    moves.move[moves.count++] = {static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to),
                                 static_cast<std::uint8_t>(promotion)};
}

// The squares a man reaches, were nobody but his own side on the board.
Bits reached(int kind, int square, Bits own) {
    switch (kind) {
        case KNIGHT: return knight_attacks(square);
        case BISHOP: return bishop_attacks(square, own);
        case ROOK: return rook_attacks(square, own);
        case QUEEN: return bishop_attacks(square, own) | rook_attacks(square, own);
        default: return king_attacks(square);
    }
}

// Once for everything the pawn may become.
void add_pawn(int from, int to, Moves &moves) {
    if (to >= 8 && to < 56) return add(moves, from, to);
    for (int kind : {QUEEN, ROOK, BISHOP, KNIGHT}) add(moves, from, to, kind);
}

void add_castlings(const Board &board, Bits own, Moves &moves) {
    int home = board.turn == WHITE ? 0 : 56, rights = board.turn == WHITE ? board.castling : board.castling >> 2;
    if (rights & WHITE_SHORT && !(own >> home & 0x60)) add(moves, home + 4, home + 6);
    if (rights & WHITE_LONG && !(own >> home & 0x0e)) add(moves, home + 4, home + 2);
}

}  // namespace

void tries(const Board &board, const UmpireRules &rules, Moves &moves) {
    Bits own = board.side[board.turn];
    for (int kind = KNIGHT; kind <= KING; ++kind)
        for (Bits men = board.of(board.turn, static_cast<Man>(kind)); men; men = rest(men))
            for (Bits to = reached(kind, first(men), own) & ~own; to; to = rest(to)) add(moves, first(men), first(to));
    add_castlings(board, own, moves);
    bool captures = rules.pawn_tries == UmpireRules::UNSAID || pawn_captures(board);
    int forward = board.turn == WHITE ? 8 : -8, second = board.turn == WHITE ? 1 : 6;
    for (Bits men = board.of(board.turn, PAWN); men; men = rest(men)) {
        int from = first(men), to = from + forward;
        if (!(own & bit(to))) {
            add_pawn(from, to, moves);
            if (from / 8 == second && !(own & bit(to + forward))) add_pawn(from, to + forward, moves);
        }
        if (!captures) continue;
        for (Bits taken = pawn_attacks(board.turn, from) & ~own; taken; taken = rest(taken))
            add_pawn(from, first(taken), moves);
    }
}

int taken_at(const Board &before, Move move) {
    if (before.occupied() & bit(move.to)) return move.to;
    bool pawn = before.men[PAWN] & bit(move.from);
    if (pawn && move.to == before.en_passant) return move.to + (before.turn == WHITE ? -8 : 8);
    return NO_SQUARE;
}

int try_count(const Board &board, const UmpireRules &rules) {
    Moves moves;
    tries(board, rules, moves);
    return moves.count;
}

Message message(const Board &before, Move move, const Board &after, const UmpireRules &rules) {
    return capture(before, move, rules) | standing(after, rules);
}

Message capture(const Board &before, Move move, const UmpireRules &rules) {
    int taken = taken_at(before, move);
    if (taken == NO_SQUARE) return 0;
    int kind = before.kind_at(taken);
    Message said = static_cast<Message>(taken + 1);
    if (rules.captured == UmpireRules::KIND) said |= (kind == PAWN ? 1u : 2u) << MAN_SHIFT;
    if (rules.captured == UmpireRules::TYPE) said |= static_cast<Message>(kind + 1) << MAN_SHIFT;
    return said;
}

End over(const Board &board, Bits danger, const UmpireRules &rules) {
    return surely_moves(board, danger) ? drawn(board, rules) : end(board, prospects(board), rules);
}

Message standing(const Board &board, const UmpireRules &rules) {
    Message said = 0;
    const Prospects now = prospects(board);
    for (Bits left = now.checkers; left; left = rest(left))
        said |= 1u << (CHECKS_SHIFT + direction(board.king(board.turn), first(left), rules));
    if (End over = end(board, now, rules)) return said | ending(over);
    if (rules.pawn_tries != UmpireRules::UNSAID) {
        int tries = now.pawn_captures;
        if (rules.pawn_tries == UmpireRules::ANY) tries = tries > 0;
        said |= static_cast<Message>(tries + 1) << TRIES_SHIFT;
    }
    return said;
}

}  // namespace worldwise::chess
