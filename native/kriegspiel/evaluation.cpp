#include "kriegspiel/evaluation.hpp"

namespace worldwise::chess {

namespace {

constexpr Bits RANK = 0xFF;

// Ranks gone by all pawns of a colour.
int advances(const Board &board, int colour) {
    Bits pawns = board.of(colour, PAWN);
    int gone = 0;
    for (int rank = 2; rank < 7; ++rank) {
        int from_home = colour == WHITE ? rank : 7 - rank;
        gone += (rank - 1) * std::popcount(pawns & RANK << 8 * from_home);
    }
    return gone;
}

}  // namespace

double evaluated(const Board &board, int player, const Evaluation &evaluation) {
    return evaluated(board, player, attacked(board, player), evaluation);
}

double evaluated(const Board &board, int player, Bits reached, const Evaluation &evaluation) {
    Bits own = board.side[player], enemy = board.side[1 - player];
    double worth = 0;
    for (int kind = PAWN; kind < KING; ++kind) {
        Bits men = board.men[kind];
        worth += evaluation.value[kind] * (std::popcount(men & own) - std::popcount(men & enemy) +
                                           evaluation.protected_man * std::popcount(men & own & reached) +
                                           evaluation.threatened * std::popcount(men & enemy & reached));
    }
    worth += evaluation.advance * advances(board, player);
    if (reached & board.of(1 - player, KING)) worth -= evaluation.check;
    return worth;
}

}  // namespace worldwise::chess
