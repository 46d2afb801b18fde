// What the double-dummy solver knows without a search: winners that can be cashed at once, or are sure to be made.
#include <algorithm>
#include <bit>

#include "bridge/double_dummy.hpp"

namespace worldwise {

namespace {

// How many of the highest `cards` of a suit one seat holds, from the list of their owners: two bits a card, so a pair
// of zeros after the XOR with the seat in every place is a card of his.
int run_length(std::uint32_t owners, int seat, int cards) {
    return std::min(std::countl_zero(owners ^ static_cast<std::uint32_t>(seat) * 0x55555555u) >> 1, cards);
}

}  // namespace

bool DoubleDummy::quick(const Suits &suits, int leader, int target, Answer &answer) const {
    int need = ours(leader) ? target : tricks_ - target + 1;
    // The leaders can run only suits in which they have the highest card, at most as long as their longer hand.
    int runs = 0;
    for (int suit = 0; suit < 4; ++suit)
        if (suits.count[suit] != 0 && ((suits.owners[suit] >> 30 ^ static_cast<unsigned>(leader)) & 1) == 0)
            runs += std::max(length(leader, suit), length(partner_of(leader), suit));
    CardSet relevant = 0;
    if (runs >= need && cashes(suits, leader, need, relevant)) {
        answer = {ours(leader), relevant};
        return true;
    }
    relevant = 0;
    int others_need = tricks_ + 1 - need;
    bool trumps_left = trumps_ != NOTRUMP && suits.count[trumps_] != 0;
    if (!(trumps_left ? holds_trumps(suits, leader, others_need, relevant)
                      : tricks_ - runs >= others_need && gets_in(suits, leader, others_need, relevant)))
        return false;
    answer = {!ours(leader), relevant};
    return true;
}

// Whether a player not on the leader's side has so many of the highest trumps, which win whenever they are played; if
// the leader's side has no trumps, any will do.
bool DoubleDummy::holds_trumps(const Suits &suits, int leader, int need, CardSet &relevant) const {
    bool any = length(leader, trumps_) + length(partner_of(leader), trumps_) == 0;
    for (int seat : {left_of(leader), left_of(partner_of(leader))}) {
        if (any && length(seat, trumps_) >= need) return true;
        if (run_length(suits.owners[trumps_], seat, suits.count[trumps_]) < need) continue;
        relevant = card_bit(16 * trumps_ + card_at_depth(lane(suits.all, trumps_), need));
        return true;
    }
    return false;
}

// Without trumps: whether the side not on lead is sure of `need` tricks. What the leaders can run is not all, so they
// must lead one of the others' suits; who wins it there cashes all his winners, none of which he followed with before.
bool DoubleDummy::gets_in(const Suits &suits, int leader, int need, CardSet &relevant) const {
    int winners[4] = {0, 0, 0, 0};
    bool wins[4] = {false, false, false, false};
    for (int suit = 0; suit < 4; ++suit) {
        int holder = static_cast<int>(suits.owners[suit] >> 30);
        if (suits.count[suit] == 0 || ((holder ^ leader) & 1) == 0) continue;
        // A suit the leaders have none of is never led by them, but its winners are cashed all the same.
        if (length(leader, suit) + length(partner_of(leader), suit) > 0) wins[holder] = true;
        int run = run_length(suits.owners[suit], holder, suits.count[suit]);
        int depth = std::min(run, std::max(1, need - winners[holder]));
        winners[holder] += run;
        relevant |= card_bit(16 * suit + card_at_depth(lane(suits.all, suit), depth));
    }
    for (int seat = 0; seat < 4; ++seat)
        if (wins[seat] && winners[seat] < need) return false;
    return true;
}

// Whether the side on lead can take `need` tricks at once: the leader's own winners, then, if he can reach his partner
// with a low card to a winner, his partner's.
bool DoubleDummy::cashes(const Suits &suits, int leader, int need, CardSet &relevant) const {
    int partner = partner_of(leader), left = left_of(leader), right = left_of(partner);
    int total = 0;                   // tricks so far
    int room[4] = {13, 13, 13, 13};  // rounds of a suit before an opponent may ruff
    int thrown = 0;                  // cards other than trumps that partner has parted with
    int plain = 13;                  // and how many he has, if he has trumps, which he must not be made to ruff with
    int cashed[4] = {0, 0, 0, 0};
    auto cash = [&](int seat, int suit, int at_most) {
        int gone = cashed[suit];
        int run = run_length(suits.owners[suit] << 2 * gone, seat, suits.count[suit] - gone);
        if (run == 0 || at_most <= 0) return 0;
        int longest = std::max({length(partner_of(seat), suit), length(left, suit), length(right, suit)}) - gone;
        int held = length(seat, suit) - gone;
        int count = std::min({run >= longest ? held : std::min(run, held), at_most, need - total});
        int depth = std::min({run, longest, count});
        if (count > 0 && depth > 0)
            relevant |= card_bit(16 * suit + card_at_depth(lane(suits.all, suit), gone + depth));
        return std::max(count, 0);
    };
    // Step 1. Trumps first: if the leader can draw them, nothing can be ruffed.
    if (trumps_ != NOTRUMP) {
        int longest = std::max(length(left, trumps_), length(right, trumps_));
        bool draws = longest <= run_length(suits.owners[trumps_], leader, suits.count[trumps_]);
        for (int suit = 0; suit < 4 && !draws; ++suit)
            for (int seat : {left, right})
                if (suit != trumps_ && length(seat, trumps_) > 0) room[suit] = std::min(room[suit], length(seat, suit));
        total = cashed[trumps_] = cash(leader, trumps_, 13);
        if (total >= need) return true;
        int his = length(partner, trumps_);
        if (his > 0) plain = tricks_ - his - std::max(0, total - his);
    }
    // Step 2. The leader's winners.
    for (int suit = 0; suit < 4; ++suit) {
        if (suit == trumps_) continue;
        cashed[suit] = cash(leader, suit, std::min(room[suit], plain - thrown));
        thrown += cashed[suit];
        total += cashed[suit];
        if (total >= need) return true;
    }
    // Step 3. Across to partner, who keeps his winners as long as he has other cards to throw.
    int keeps = tricks_ - total, keeps_plain = plain - thrown;
    bool entry = false;
    for (int suit = 0; suit < 4; ++suit) {
        int most = suit == trumps_ ? keeps : std::min({room[suit] - cashed[suit], keeps, keeps_plain});
        int count = cash(partner, suit, most);
        if (count == 0) continue;
        entry = entry || length(leader, suit) > cashed[suit];
        total += count;
        keeps -= count;
        if (suit != trumps_) keeps_plain -= count;
        if (entry && total >= need) return true;
    }
    return false;
}

}  // namespace worldwise
