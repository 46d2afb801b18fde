#include "bridge/double_dummy.hpp"

#include <algorithm>
#include <bit>

namespace worldwise {

namespace {

constexpr std::size_t FULLEST_SLOT = 96;

std::uint64_t one_card(int seat, int suit) { return std::uint64_t{1} << (16 * seat + 4 * suit); }

}  // namespace

DoubleDummy::DoubleDummy(const Hands &deal, int trumps, std::size_t most_entries)
    : deal_(deal), trumps_(trumps), most_entries_(most_entries) {
    CardSet all = deal[0] | deal[1] | deal[2] | deal[3];
    for (int suit = 0; suit < 4; ++suit) {
        std::uint32_t ranks = lane(all, suit);
        place_[suit].fill(0);
        int count = std::popcount(ranks);
        auto &list = owner_list_[suit];
        list.assign(std::size_t{1} << count, 0);
        int place = 0;
        for (; ranks != 0; ranks &= ranks - 1, ++place) {
            int rank = first(ranks);
            place_[suit][rank] = static_cast<std::uint8_t>(place);
            std::uint32_t owner = 0;
            for (std::uint32_t seat = 1; seat < 4; ++seat)
                if (lane(deal[seat], suit) >> rank & 1) owner = seat;
            // With this card on top, the others move down by one.
            for (std::size_t rest = 0; rest < std::size_t{1} << place; ++rest)
                list[rest | std::size_t{1} << place] = owner << 30 | list[rest] >> 2;
        }
    }
}

void DoubleDummy::forget() {
    slots_.clear();
    known_.clear();
}

CardSet DoubleDummy::packed(CardSet cards) const {
    CardSet found = 0;
    for (; cards != 0; cards = rest(cards)) {
        int card = first(cards);
        found |= card_bit((card & 48) | place_[suit_of(card)][card & 15]);
    }
    return found;
}

bool DoubleDummy::can_take(const DealPosition &position, int target, Watch &watch) {
    std::lock_guard turn(asking_);
    return takes(position, target, watch);
}

std::vector<std::uint8_t> DoubleDummy::can_take_all(const std::vector<DealPosition> &positions,
                                                    const std::int32_t *targets, Watch &watch) {
    std::lock_guard turn(asking_);
    nodes_ = 0;
    std::vector<std::uint8_t> taken;
    for (const DealPosition &position : positions) taken.push_back(takes(position, *targets++, watch));
    return taken;
}

std::vector<std::uint8_t> DoubleDummy::tricks_of_all(const std::vector<DealPosition> &positions, Watch &watch) {
    std::lock_guard turn(asking_);
    nodes_ = 0;
    std::vector<std::uint8_t> found;
    for (const DealPosition &position : positions)
        found.push_back(static_cast<std::uint8_t>(tricks(position, watch)));
    return found;
}

std::int64_t DoubleDummy::nodes() const {
    std::lock_guard turn(asking_);
    return nodes_;
}

std::size_t DoubleDummy::entries() const {
    std::lock_guard turn(asking_);
    return known_.size();
}

bool DoubleDummy::takes(const DealPosition &position, int target, Watch &watch) {
    watch_ = &watch;
    shape_ = 0;
    tricks_ = std::popcount(position.hands[position.leader]) + (position.played > 0);
    for (int seat = 0; seat < 4; ++seat) {
        hands_[seat] = packed(position.hands[seat]);
        for (int suit = 0; suit < 4; ++suit)
            shape_ += one_card(seat, suit) * static_cast<unsigned>(std::popcount(lane(hands_[seat], suit)));
    }
    if (position.played == 0) return lead(position.leader, target).made;
    if (target <= 0 || target > tricks_) return target <= 0;
    CardSet start = all();
    int seat = position.leader;
    std::array<int, 3> cards{};
    for (int place = 0; place < position.played; ++place) {
        int card = position.trick[place];
        cards[place] = (card & 48) | place_[suit_of(card)][card & 15];
        start |= card_bit(cards[place]);
    }
    Trick trick{suit_of(cards[0]), cards[0], seat, false, start, target};
    for (int place = 1; place < position.played; ++place) {
        seat = left_of(seat);
        trick = joined(trick, seat, cards[place]);
    }
    return follow(trick, position.played, left_of(seat)).made;
}

// Asks up or down from what the last position of this deal gave, which is seldom far off.
int DoubleDummy::tricks(const DealPosition &position, Watch &watch) {
    int most = std::popcount(position.hands[position.leader]) + (position.played > 0);
    int found = std::clamp(guess_, 0, most);
    if (found > 0 && !takes(position, found, watch))
        for (--found; found > 0 && !takes(position, found, watch);) --found;
    else
        while (found < most && takes(position, found + 1, watch)) ++found;
    return guess_ = found;
}

void DoubleDummy::take(int seat, int card) {
    hands_[seat] ^= card_bit(card);
    shape_ -= one_card(seat, suit_of(card));
}

void DoubleDummy::give_back(int seat, int card) {
    hands_[seat] ^= card_bit(card);
    shape_ += one_card(seat, suit_of(card));
}

// ------------------------------------------------------------------------------------------------ the search

DoubleDummy::Answer DoubleDummy::lead(int leader, int target) {
    watch_->node(++nodes_);
    // Step 1. Settled by counting: nothing about the cards matters.
    if (target <= 0) return {true, 0};
    if (target > tricks_) return {false, 0};
    // Step 2. Winners that can be cashed at once, or are sure to be made.
    Answer answer{};
    const Suits suits = suits_now();
    if (quick(suits, leader, target, answer)) return answer;
    if (tricks_ <= 2) return search(leader, target, nullptr);  // sooner searched than looked up
    // Step 3. Known already, from this position or one that differs in cards that do not matter.
    const std::uint64_t owners[2] = {std::uint64_t{suits.owners[0]} << 32 | suits.owners[1],
                                     std::uint64_t{suits.owners[2]} << 32 | suits.owners[3]};
    Slot &slot = slot_of(leader);
    if (look_up(slot, owners, target, answer)) return answer;
    // Step 4. Try every lead. The table may move meanwhile, so the place is looked up again.
    int best = slot.best;
    answer = search(leader, target, &best);
    Slot &now = slot_of(leader);
    now.best = static_cast<std::uint8_t>(best);
    remember(now, owners, target, answer);
    return answer;
}

DoubleDummy::Answer DoubleDummy::search(int leader, int target, int *best) {
    CardSet start = all();
    Choices found;
    for (int suit = 0; suit < 4; ++suit) choices(suit, hands_[leader], start, found);
    rank_leads(found, leader, best == nullptr ? -1 : *best - 1);
    Trick trick{0, 0, leader, false, start, target};
    auto play = [&](int card) {
        take(leader, card);
        trick.led = suit_of(card);
        trick.best = card;
        Answer answer = follow(trick, 1, left_of(leader));
        give_back(leader, card);
        return answer;
    };
    int settled = -1;
    Answer answer = try_all(found, ours(leader), play, &settled);
    if (best != nullptr && settled >= 0) *best = settled + 1;
    return answer;
}

// The player succeeds with one card or fails with all. A success needs what that card's proof needs; a failure what all
// proofs need. Of touching cards one is tried: if the cards that matter end in the middle of such a run, then the rest
// of the run matters too, because elsewhere they would not touch.
DoubleDummy::Answer DoubleDummy::try_all(Choices &found, bool max, const auto &play, int *settled) {
    CardSet relevant = 0;
    for (int tried = 0; tried < found.size; ++tried) {
        int pick = tried;
        for (int other = tried + 1; other < found.size; ++other)
            if (found.list[other].score > found.list[pick].score) pick = other;
        std::swap(found.list[tried], found.list[pick]);
        const Choice &choice = found.list[tried];
        Answer answer = play(choice.card);
        if (answer.made == max) {
            if (settled != nullptr) *settled = choice.card;
            return answer;
        }
        relevant |= answer.relevant;
        CardSet same = answer.relevant & suit_cards(suit_of(choice.card));
        int lowest = same != 0 ? std::countr_zero(same) : 64;
        if (lowest > choice.lowest && lowest <= choice.card) relevant |= card_bit(choice.lowest);
        // Cards too low to matter in this proof fail by the same proof.
        if (choice.card >= lowest) continue;
        int kept = tried + 1;
        for (int other = tried + 1; other < found.size; ++other) {
            const Choice &next = found.list[other];
            if (suit_of(next.card) != suit_of(choice.card) || next.card >= lowest) found.list[kept++] = next;
        }
        found.size = kept;
    }
    return {!max, relevant};
}

DoubleDummy::Trick DoubleDummy::joined(const Trick &trick, int seat, int card) const {
    Trick after = trick;
    int suit = suit_of(card), best = suit_of(trick.best);
    if (suit == best) {
        after.contested = true;
        if (card > trick.best) after.best = card, after.winner = seat;
    } else if (suit == trumps_) {
        after.best = card, after.winner = seat, after.contested = false;
    }
    return after;
}

DoubleDummy::Answer DoubleDummy::follow(const Trick &trick, int place, int seat) {
    CardSet hand = hands_[seat];
    CardSet following = hand & suit_cards(trick.led);
    CardSet legal = following != 0 ? following : hand;
    auto play = [&](int card) {
        take(seat, card);
        Answer answer = after(trick, place, seat, card);
        give_back(seat, card);
        return answer;
    };
    if (std::has_single_bit(legal)) return play(std::countr_zero(legal));
    Choices found;
    for (int suit = 0; suit < 4; ++suit)
        if (following == 0 || suit == trick.led) choices(suit, hand, trick.start, found);
    if (found.size > 1) rank_follows(found, trick, place, seat);
    return try_all(found, ours(seat), play, nullptr);
}

// After a card: the next player's, or the next trick. A card that won by its rank matters; one whose
// suit nobody else played would have won with any rank.
DoubleDummy::Answer DoubleDummy::after(const Trick &trick, int place, int seat, int card) {
    Trick now = joined(trick, seat, card);
    if (place < 3) return follow(now, place + 1, left_of(seat));
    --tricks_;
    Answer answer = lead(now.winner, now.target - ours(now.winner));
    ++tricks_;
    if (now.contested) answer.relevant |= card_bit(now.best);
    return answer;
}

// ------------------------------------------------------------------------------------------------ which cards

// One card of each run of touching ones, the highest; cards on the table still part their neighbours.
void DoubleDummy::choices(int suit, CardSet from, CardSet start, Choices &found) const {
    std::uint32_t held = lane(from, suit), all = lane(start, suit);
    while (held != 0) {
        std::uint32_t card = std::bit_floor(held), lowest = card;
        held ^= card;
        for (std::uint32_t next = std::bit_floor(all & (card - 1)); (held & next) != 0;
             next = std::bit_floor(all & (next - 1))) {
            held ^= next;
            lowest = next;
        }
        found.list[found.size++] = {16 * suit + highest(card), 16 * suit + highest(lowest), 0};
    }
}

// The numbers here and in `rank_follows` were found by trial: a hill-climb on the nodes of 200 random deals.
void DoubleDummy::rank_leads(Choices &found, int leader, int best) const {
    CardSet start = all();
    int partner = partner_of(leader), left = left_of(leader), right = left_of(partner);
    bool trumps = trumps_ != NOTRUMP;
    for (int number = 0; number < found.size; ++number) {
        Choice &choice = found.list[number];
        int suit = suit_of(choice.card), rank = choice.card & 15;
        std::uint32_t ranks = lane(start, suit), top = std::bit_floor(ranks), second = std::bit_floor(ranks ^ top);
        std::uint32_t mine = lane(hands_[leader], suit), his = lane(hands_[partner], suit);
        std::uint32_t lefts = lane(hands_[left], suit), rights = lane(hands_[right], suit);
        int score = length(leader, suit) + length(partner, suit);
        if (mine & top)  // cash it, or go low to partner's second best
            score += rank == highest(top) ? 30 : (his & second ? 15 : -18) + 3 * rank;
        else if (his & top)
            score += 42 - (his & second ? 8 : 0) + (lefts & second ? 7 : 0) - rank;
        else if (lefts & top)  // through strength
            score += (his & second ? 24 : mine & second ? 5 : -2) + 3 * rank;
        else
            score += (mine & second ? (rank == highest(second) ? 6 : -3) : his & second ? 15 : 4) + 2 * rank;
        if (trumps && suit == trumps_) {
            score -= lefts == 0 && rights == 0 ? 12 : 2;
        } else if (trumps) {
            bool he_ruffs = his == 0 && length(partner, trumps_) > 0;
            bool they_ruff = (lefts == 0 && length(left, trumps_) > 0) || (rights == 0 && length(right, trumps_) > 0);
            score += (he_ruffs ? 32 : 0) - (they_ruff ? 37 : 0);
        }
        score -= (lefts == 0 ? 22 : 0) + (rights == 0 ? 11 : 0);
        choice.score = choice.card == best ? 1000 : score;
    }
}

void DoubleDummy::rank_follows(Choices &found, const Trick &trick, int place, int seat) const {
    int partner = partner_of(seat), led = trick.led;
    bool partner_wins = trick.winner == partner;
    // The best card that the others, still to play, can follow with.
    std::uint32_t to_come = 0;
    bool ruff_to_come = false;
    if (place < 3) {
        int next = left_of(seat);
        to_come = lane(hands_[next], led);
        ruff_to_come = to_come == 0 && trumps_ != NOTRUMP && led != trumps_ && lane(hands_[next], trumps_) != 0;
    }
    std::uint32_t last = place == 1 ? lane(hands_[partner], led) : 0;
    bool ruffed = suit_of(trick.best) != led;
    int beat = ruffed ? 16 : trick.best & 15;
    for (int number = 0; number < found.size; ++number) {
        Choice &choice = found.list[number];
        int suit = suit_of(choice.card), rank = choice.card & 15;
        if (suit == led) {
            bool wins = rank > beat && !ruffed;
            bool holds = wins && !ruff_to_come && highest(to_come) < rank;
            int cheap = 20 - rank;
            if (place == 3)
                choice.score = partner_wins ? cheap : wins ? 100 + cheap : cheap;
            else if (place == 2) {
                bool partner_holds = partner_wins && !ruff_to_come && highest(to_come) < beat;
                choice.score = partner_holds ? cheap : holds ? 100 + cheap : cheap;
            } else {
                int best_of_both = std::max(highest(to_come), beat);
                bool partner_will = highest(last) > best_of_both && !ruffed && !ruff_to_come;
                choice.score = partner_will ? cheap : holds ? 100 + cheap : cheap;
            }
        } else if (suit == trumps_) {
            bool wins = ruffed ? choice.card > trick.best : true;
            bool wanted = !partner_wins || (place < 3 && (ruff_to_come || highest(to_come) > beat));
            choice.score = wins && wanted ? 120 - rank : wins ? 10 - rank : -20 - rank;
        } else {
            // A discard: low and from length, but neither a winner nor the guard of the second best.
            std::uint32_t ranks = lane(trick.start, suit), top = std::bit_floor(ranks);
            bool winner = rank == highest(top);
            bool guard = length(seat, suit) == 2 && !winner && (lane(hands_[seat], suit) & std::bit_floor(ranks ^ top));
            choice.score = 40 + 3 * length(seat, suit) - 2 * rank - (winner || guard ? 13 : 0);
        }
    }
}

// ------------------------------------------------------------------------------------------------ what is known

DoubleDummy::Suits DoubleDummy::suits_now() const {
    Suits suits{all(), {}, {}};
    for (int suit = 0; suit < 4; ++suit) {
        std::uint32_t ranks = lane(suits.all, suit);
        suits.owners[suit] = owner_list_[suit][ranks];
        suits.count[suit] = std::popcount(ranks);
    }
    return suits;
}

// One slot for all positions with these lengths of suits and this leader; shape and leader are compared, not their
// hash.
DoubleDummy::Slot &DoubleDummy::slot_of(int leader) {
    auto is_it = [&](const Slot &slot) { return slot.shape == shape_ && slot.leader == leader; };
    Slot &slot = slots_.find(slot_hash(shape_, leader), is_it);
    if (!slot.used) slot.used = true, slot.shape = shape_, slot.leader = static_cast<std::uint8_t>(leader);
    return slot;
}

// A fact was proved from the owners of the top cards of each suit, as many as `depth` says, and from the lengths, which
// all positions of a slot share: so it holds wherever these owners are the same, whoever holds the rest. What it needed
// is handed on, in terms of the cards that are left here.
bool DoubleDummy::look_up(const Slot &slot, const std::uint64_t owners[2], int target, Answer &answer) const {
    const Known *known = known_.data() + slot.first;
    for (const Known *end = known + slot.size; known != end; ++known) {
        if ((((owners[0] ^ known->owners[0]) & known->mask[0]) | ((owners[1] ^ known->owners[1]) & known->mask[1])) !=
            0)
            continue;
        if (known->least < target && known->most >= target) continue;
        CardSet relevant = 0, left = all();
        for (int suit = 0; suit < 4; ++suit)
            if (known->depth[suit] > 0)
                relevant |= card_bit(16 * suit + card_at_depth(lane(left, suit), known->depth[suit]));
        answer = {known->least >= target, relevant};
        return true;
    }
    return false;
}

// A fact says "at least `target`" or "fewer", which are bounds: the same owners known twice narrow them. A full slot
// overwrites its oldest fact, and a full table starts again from nothing. Either only costs time: facts are proofs, and
// what is forgotten is searched again.
void DoubleDummy::remember(Slot &slot, const std::uint64_t owners[2], int target, const Answer &answer) {
    Known fact{};
    CardSet left = all();
    for (int suit = 0; suit < 4; ++suit) {
        std::uint32_t relevant = lane(answer.relevant, suit);
        if (relevant == 0) continue;
        std::uint32_t lowest = relevant & -relevant;
        int depth = std::popcount(lane(left, suit) & ~(lowest - 1));
        fact.depth[suit] = static_cast<std::uint8_t>(depth);
        std::uint64_t mask = ~std::uint32_t{0} << (32 - 2 * depth) & 0xFFFFFFFFu;
        fact.mask[suit >> 1] |= suit & 1 ? mask : mask << 32;
    }
    fact.owners[0] = owners[0] & fact.mask[0];
    fact.owners[1] = owners[1] & fact.mask[1];
    fact.least = static_cast<std::uint8_t>(answer.made ? target : 0);
    fact.most = static_cast<std::uint8_t>(answer.made ? tricks_ : target - 1);
    Known *known = known_.data() + slot.first;
    for (int number = 0; number < slot.size; ++number) {
        Known &old = known[number];
        if (old.mask[0] != fact.mask[0] || old.mask[1] != fact.mask[1] || old.owners[0] != fact.owners[0] ||
            old.owners[1] != fact.owners[1])
            continue;
        old.least = std::max(old.least, fact.least);
        old.most = std::min(old.most, fact.most);
        return;
    }
    if (slot.size == FULLEST_SLOT) {
        known[slot.oldest++ % FULLEST_SLOT] = fact;
        return;
    }
    if (slot.size == slot.room) {
        std::size_t room = std::min<std::size_t>(FULLEST_SLOT, std::max(2, slot.room * 2));
        if (known_.size() + room > most_entries_) {
            forget();
            return;
        }
        std::size_t first = known_.size();
        known_.resize(first + room);
        std::copy_n(known_.begin() + slot.first, slot.size, known_.begin() + static_cast<std::ptrdiff_t>(first));
        slot.first = static_cast<std::uint32_t>(first);
        slot.room = static_cast<std::uint16_t>(room);
    }
    known_[slot.first + slot.size++] = fact;
}

}  // namespace worldwise
