#include "kriegspiel/minimax.hpp"

#include <algorithm>
#include <limits>

namespace worldwise::chess {

namespace {

constexpr double INFINITE = std::numeric_limits<double>::infinity();

// What a move takes and becomes, less who takes: the order in which captures are looked at.
int prize(const Board &board, Move move) {
    constexpr std::array<int, 7> WORTH{1, 3, 3, 5, 9, 0, 0};
    return 16 * (WORTH[board.kind_at(move.to)] + WORTH[move.promotion]) - WORTH[board.kind_at(move.from)];
}

// Captures and promotions go first, the best before others, and the rest behind the move returned. No value depends on
// the order, and most branches are cut sooner.
const Move *put_captures_first(const Board &board, Moves &moves) {
    auto loud = [&](Move move) { return taken_at(board, move) != NO_SQUARE || move.promotion != PAWN; };
    Move *first = moves.move.data(), *rest = std::partition(first, first + moves.count, loud);
    std::sort(first, rest, [&](Move one, Move other) { return prize(board, one) > prize(board, other); });
    return rest;
}

struct Minimax {
    const UmpireRules &rules;
    const Evaluation &evaluation;
    int player, captures;
    const Watch &watch;

    // Within alpha and beta the value is exact; beyond, no more than a bound.
    double value(const Board &before, Move move, int plies, double alpha, double beta) const {
        Board board = after(before, move);
        if (End ended = over(board, attacked(board, before.turn), rules)) {
            if (ended != MATE) return 0;
            return before.turn == player ? evaluation.mate : -evaluation.mate;
        }
        if (!plies) return quiet(board, captures, alpha, beta);
        if (plies > 1 || captures) watch.poll();
        return best(board, board.turn == player ? -INFINITE : INFINITE, alpha, beta, false,
                    [&](Move next, double low, double high) { return value(board, next, plies - 1, low, high); });
    }

    // Whoever is to move may leave it at that, or take.
    double quiet(const Board &board, int left, double alpha, double beta) const {
        double standing = evaluated(board, player, evaluation);
        (board.turn == player ? alpha : beta) =
            board.turn == player ? std::max(alpha, standing) : std::min(beta, standing);
        if (!left || alpha >= beta) return standing;
        return best(board, standing, alpha, beta, true, [&](Move next, double low, double high) {
            return quiet(after(board, next), left - 1, low, high);
        });
    }

    double best(const Board &board, double found, double alpha, double beta, bool captures_only,
                const auto &value_of) const {
        bool his = board.turn == player;
        Moves moves;
        legal_moves(board, moves);
        const Move *rest = put_captures_first(board, moves), *last = captures_only ? rest : moves.end();
        for (const Move *next = moves.begin(); next != last; ++next) {
            double worth = value_of(*next, alpha, beta);
            found = his ? std::max(found, worth) : std::min(found, worth);
            (his ? alpha : beta) = his ? std::max(alpha, found) : std::min(beta, found);
            if (alpha >= beta) break;  // the one before him has something better already
        }
        return found;
    }
};

}  // namespace

double minimax_value(const Board &board, Move move, int plies, int captures, const UmpireRules &rules,
                     const Evaluation &evaluation, const Watch &watch) {
    return Minimax{rules, evaluation, board.turn, captures, watch}.value(board, move, plies, -INFINITE, INFINITE);
}

}  // namespace worldwise::chess
