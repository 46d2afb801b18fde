#include "bridge/suit_players.hpp"

#include <bit>
#include <tuple>

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

// ---------------------------------------------------------------------- rules of thumb

namespace {

constexpr int HONOUR = 10;  // from this rank on a card is run, not led low

int top(std::uint16_t hand) { return std::bit_width(unsigned{hand}) - 1; }

// Points, then the ranks of all cards.
std::tuple<int, int> strength(std::uint16_t hand) {
    int points = 0, ranks = 0;
    for (std::uint64_t cards = hand; cards; cards = rest(cards)) {
        points += std::max(0, first(cards) - 10);
        ranks += first(cards);
    }
    return {points, ranks};
}

bool is_weaker(std::uint16_t hand, std::uint16_t other) { return strength(hand) < strength(other); }

}  // namespace

SuitMove ThumbPlayer::play(const SuitTable &table, const Watch &) {
    if (table.played) return follow(table);
    return finesses_ ? lead(table) : lead_top(table);
}

SuitMove ThumbPlayer::lead_top(const SuitTable &table) const {
    int seat = top(table.south) > top(table.north) ? SOUTH : NORTH;
    return lead_from(table, seat, top(table.hand(seat)));
}

// A card, or that of those that touch it which stands for all; the lowest for 0.
SuitMove ThumbPlayer::lead_from(const SuitTable &table, int seat, int card) const {
    SuitMoves moves = rules_.options(table);
    const SuitMove *lowest = std::find_if(moves.begin(), moves.end(), [&](auto move) { return move.seat == seat; });
    SuitMove best = *lowest;
    for (auto move : moves)
        if (move.seat == seat && move.card <= card && move.card > best.card) best = move;
    return best;
}

SuitMove ThumbPlayer::lead(const SuitTable &table) const {
    if (int seat = tenace_seat(table); seat != NOBODY) return lead_from(table, 2 - seat, 0);
    for (int seat : {NORTH, SOUTH})
        if (can_run(table, seat)) return lead_from(table, seat, top(table.hand(seat)));
    int weaker = table.south && (!table.north || is_weaker(table.south, table.north)) ? SOUTH : NORTH;
    std::uint16_t opposite = table.hand(2 - weaker);
    if (opposite && !wins_always(table, top(opposite))) return lead_from(table, weaker, 0);
    return lead_top(table);
}

// Whose hand has the highest card that can be finessed: the other hand can lead below it.
int ThumbPlayer::tenace_seat(const SuitTable &table) const {
    int best = 0, found = NOBODY;
    for (int seat : {NORTH, SOUTH}) {
        std::uint16_t hand = table.hand(seat), opposite = table.hand(2 - seat);
        for (std::uint64_t cards = opposite ? hand : 0; cards; cards = rest(cards)) {
            int card = first(cards);
            if (card > first(opposite) && card > best && has_gap(table, card, hand)) best = card, found = seat;
        }
    }
    return found;
}

// Whether a defender's card may be caught between a card and a higher one.
bool ThumbPlayer::has_gap(const SuitTable &table, int card, std::uint16_t hand) const {
    return hand && top(hand) > card && rules_.parts(table, card, top(hand));
}

// Whether a hand's best card is an honour with a friend that touches it, below a gap that partner covers.
bool ThumbPlayer::can_run(const SuitTable &table, int seat) const {
    std::uint16_t hand = table.hand(seat);
    if (!hand || top(hand) < HONOUR) return false;
    int next = top(static_cast<std::uint16_t>(hand & ~(1u << top(hand))));
    return next > 0 && !rules_.parts(table, next, top(hand)) && has_gap(table, top(hand), table.hand(2 - seat));
}

// Low where partner's card is good; otherwise a card below a gap, for who finesses, or the highest that wins.
SuitMove ThumbPlayer::follow(const SuitTable &table) const {
    SuitMoves moves = rules_.options(table);
    int lead = table.trick[0].card, best = std::max(lead, int{table.trick[1].card});
    if (lead == best && (lead >= HONOUR || wins_always(table, lead))) return moves.move[0];
    SuitMove high = moves.move[0], covered{NOBODY, OUT};
    std::uint16_t hand = table.hand(table.next_seat());
    for (auto move : moves) {
        if (move.card <= best) continue;
        high = move;
        if (has_gap(table, move.card, hand)) covered = move;
    }
    return finesses_ && covered.seat != NOBODY ? covered : high;
}

}  // namespace worldwise
