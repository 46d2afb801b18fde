#include "kriegspiel/minimax.hpp"

#include <algorithm>
#include <limits>

namespace worldwise::chess {

namespace {

constexpr double INFINITE = std::numeric_limits<double>::infinity();

struct Minimax {
    const UmpireRules &rules;
    const Evaluation &evaluation;
    int player;
    const Watch &watch;

    // Within alpha and beta the value is exact; beyond, no more than a bound.
    double value(const Board &before, Move move, int plies, double alpha, double beta) const {
        Board board = after(before, move);
        if (End over = end_of(message(before, move, board, rules))) {
            if (over != MATE) return 0;
            return before.turn == player ? evaluation.mate : -evaluation.mate;
        }
        if (!plies) return evaluated(board, player, evaluation);
        if (plies > 1) watch.poll();
        bool his = board.turn == player;
        double best = his ? -INFINITE : INFINITE;
        Moves moves;
        legal_moves(board, moves);
        for (Move next : moves) {
            double found = value(board, next, plies - 1, alpha, beta);
            best = his ? std::max(best, found) : std::min(best, found);
            (his ? alpha : beta) = his ? std::max(alpha, best) : std::min(beta, best);
            if (alpha >= beta) break;  // the one before him has something better already
        }
        return best;
    }
};

}  // namespace

double minimax_value(const Board &board, Move move, int plies, const UmpireRules &rules, const Evaluation &evaluation,
                     const Watch &watch) {
    return Minimax{rules, evaluation, board.turn, watch}.value(board, move, plies, -INFINITE, INFINITE);
}

}  // namespace worldwise::chess
