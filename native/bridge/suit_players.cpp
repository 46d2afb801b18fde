#include "bridge/suit_players.hpp"

namespace worldwise {

Worlds SuitPlayer::won(const SuitTable &table, const Watch &watch) {
    if (!table.played && rules_.is_over(table, false)) return table.need <= 0 ? table.possible : Worlds{};
    SuitKey place = rules_.key(table, true);
    if (!table.played)
        if (auto found = known_.find(place); found != known_.end()) return found->second;
    watch.node(++nodes_);
    Worlds wins = rules_.defends(table) ? by_all(table, [&](const SuitTable &next) { return won(next, watch); })
                                        : won(rules_.after(table, play(table, watch)), watch);
    if (!table.played) known_.emplace(place, wins);
    return wins;
}

SuitMove SamplingPlayer::play(const SuitTable &table, const Watch &watch) {
    SuitMoves moves = rules_.options(table);
    SuitMove best = moves.move[0];
    std::int64_t most = -1;
    for (auto move : moves) {
        std::int64_t believed = moves.count == 1 ? 0 : weights_(face_up(rules_.after(table, move), watch));
        if (believed > most) best = move, most = believed;
    }
    return best;
}

Worlds SamplingPlayer::face_up(const SuitTable &table, const Watch &watch) {
    if (table.played > 1) return solve_face_up(table, watch);
    if (!table.played) {
        if (table.need <= 0 || (rules_.free && rules_.cashable(table) >= table.need)) return table.possible;
        if (rules_.is_over(table, false)) return {};
    }
    SuitKey place = rules_.key(table, true);
    if (auto found = solved_.find(place); found != solved_.end()) return found->second;
    return solved_[place] = solve_face_up(table, watch);
}

// In each world the defenders choose what they can do there, and so does declarer, as if he saw it.
Worlds SamplingPlayer::solve_face_up(const SuitTable &table, const Watch &watch) {
    watch.node(++nodes_);
    if (rules_.defends(table)) return by_all(table, [&](const SuitTable &next) { return face_up(next, watch); });
    Worlds any{};
    for (auto move : rules_.options(table)) {
        any |= face_up(rules_.after(table, move), watch);
        if (any == table.possible) break;
    }
    return any;
}

}  // namespace worldwise
