#include "bridge/alphamu.hpp"

#include <algorithm>
#include <bit>

#include "common/hash.hpp"

namespace worldwise {

namespace {

// Adds an outcome unless one that is as good is there, and drops those that it betters.
template <class Front, class Code>
void add(Front &front, const Code &code) {
    for (const Code &other : front)
        if (code.within(other)) return;
    std::erase_if(front, [&](const Code &other) { return other.within(code); });
    front.push_back(code);
}

template <class Front>
void join(Front &front, const Front &other) {
    for (const auto &code : other) add(front, code);
}

template <class Front>
bool same(const Front &one, const Front &other) {
    if (one.size() != other.size()) return false;
    return std::all_of(one.begin(), one.end(),
                       [&](const auto &code) { return std::find(other.begin(), other.end(), code) != other.end(); });
}

// The place that wins a trick of four, the first being 0.
int winning_place(const std::array<int, 4> &trick, int trumps) {
    int best = 0;
    for (int place = 1; place < 4; ++place) {
        bool follows = suit_of(trick[place]) == suit_of(trick[best]);
        if (follows ? trick[place] > trick[best] : suit_of(trick[place]) == trumps) best = place;
    }
    return best;
}

// How many winners of a suit a hand can cash from the top before its partner has to overtake one.
int cashed(CardSet own, CardSet partner, int winners) {
    for (int number = 0; number < winners; ++number) {
        CardSet highest = std::bit_floor(own), under = partner & (highest - 1);
        if (partner != 0 && under == 0) return number;
        own ^= highest;
        partner ^= std::bit_floor(under);
    }
    return winners;
}

}  // namespace

template <int K>
AlphaMuSearch<K>::AlphaMuSearch(const AlphaMuTask &task, const AlphaMuSwitches &switches,
                                const std::vector<DoubleDummy *> &solvers, Workers &workers)
    : task_(task), switches_(switches), solvers_(solvers), workers_(workers), side_(task.max_side),
      lane_(static_cast<int>(task.gains.size() / task.worlds.size())), even_gain_(task.gains[0]) {
    for (int world = 0; world < static_cast<int>(task_.worlds.size()); ++world) {
        Code lane;
        for (int place = 0; place < lane_; ++place) lane.set(world * lane_ + place);
        lanes_.push_back(lane);
        doubtful_.push_back(world);
        top_ = top_ | lane;
    }
    for (std::int64_t gain : task_.gains)
        if (gain != even_gain_) even_gain_ = 0;
    root_ = {{}, task_.leader, task_.played, 0, task_.trick, top_};
}

template <int K>
std::int64_t AlphaMuSearch<K>::score(const Code &code) const {
    if (even_gain_ != 0) return code.count() * even_gain_;
    std::int64_t total = 0;
    for (int part = 0; part < K; ++part)
        for (std::uint64_t left = code.word[part]; left != 0; left = rest(left))
            total += task_.gains[64 * part + first(left)];
    return total;
}

template <int K>
void AlphaMuSearch<K>::keep_enough(Front &front) const {
    if (need_ != ANYTHING) std::erase_if(front, [&](const Code &code) { return score(code) < need_; });
}

// ------------------------------------------------------------------------------------------------ the root

template <int K>
bool AlphaMuSearch<K>::offers(int card) const {
    std::vector<Move> moves = ordered(root_);
    return std::any_of(moves.begin(), moves.end(), [&](const Move &move) { return move.card == card; });
}

template <int K>
typename AlphaMuSearch<K>::Found AlphaMuSearch<K>::search(int card, int depth, std::int64_t need, const Front &beside,
                                                          Watch &watch) {
    watch_ = &watch;
    need_ = need;
    Above above{&beside};
    return visit(play(root_, {card, top_}), depth - 1, top_, above);
}

// ------------------------------------------------------------------------------------------------ the search

template <int K>
typename AlphaMuSearch<K>::Found AlphaMuSearch<K>::visit(const Position &position, int depth, const Code &cap,
                                                         Above &above) {
    watch_->node(++counts.nodes);
    Code left = cap & position.open;
    State now = state(position);
    // World cut. Worlds outside `left` are settled. If one is left, MAX has nothing to fear from playing as if he saw
    // it, so what it is worth face up is exact; if none is, there is nothing to find out.
    if (now != State::OPEN || depth == 0 || (switches_.worlds && worlds_in(left) <= 1)) {
        if (now == State::OPEN && depth > 0) ++counts.worlds;
        ++counts.leaves;
        return at_leaf(position, now, left, cap);
    }
    return is_max(position) ? at_max(position, depth, cap, above) : at_min(position, depth, cap, above);
}

template <int K>
typename AlphaMuSearch<K>::Found AlphaMuSearch<K>::at_leaf(const Position &position, State state, const Code &left,
                                                           const Code &cap) {
    // In worlds that are not open here the cap stands: they are another branch's to judge.
    Code code = cap;
    if (state == State::LOST) {
        code &= ~left;
        return enough(code) ? Found{{code}, true} : Found{{}, true};
    }
    if (state == State::WON) return {{code}, true};
    if (!face_up(position, left, code)) return {{}, true};
    // Face up, a world's bits are the most that can come of it. Looking further can take from them only where MAX must
    // play for one world at the cost of another, and with one of them still alive there is no such other.
    return {{code}, state == State::ENDED || worlds_in(code & left) <= 1};
}

template <int K>
typename AlphaMuSearch<K>::Found AlphaMuSearch<K>::at_max(const Position &position, int depth, const Code &cap,
                                                          Above &above) {
    Found all{{}, true};
    int best = -1;
    for (const Move &move : ordered(position)) {
        above.push_back(&all.front);
        Found found = visit(play(position, move), depth - 1, cap, above);
        above.pop_back();
        bool adds = !dominated(found.front, all.front);
        if (best < 0 || adds) best = move.card;
        all.final = all.final && (found.final || !adds);
        join(all.front, found.front);
        // Cut on win: an outcome with all that the cap allows dominates whatever another card offers.
        if (switches_.win && all.front.size() == 1 && cap.within(all.front[0])) {
            ++counts.win;
            all.final = all.final || (found.final && !found.front.empty() && cap.within(found.front[0]));
            break;
        }
    }
    remember(position, depth, cap, all.front, best);
    return all;
}

template <int K>
typename AlphaMuSearch<K>::Found AlphaMuSearch<K>::at_min(const Position &position, int depth, const Code &cap,
                                                          Above &above) {
    Found mini{bound(position, depth, cap, above), true};
    // Early cut. `mini` is all that can come of this node, and more. If MAX has as good by an earlier card at the node
    // above, he need not come here.
    if (dominated(mini.front, *above.back())) {
        ++counts.early;
        return mini;
    }
    int worst = -1;
    for (const Move &move : ordered(position)) {
        Position next = play(position, move);
        // Useful worlds. What comes back is met with `mini`, so a bit that no outcome of `mini` has is lost whatever
        // this reply does: it is searched as lost, and a reply that can be made in such worlds only changes nothing.
        Code left = cap;
        if (switches_.useful) {
            left = {};
            for (const Code &code : mini.front) left = left | code;
            if (!left.meets(next.open)) continue;
        }
        Found offered = visit(next, depth, left, above);
        Front found = meet(mini.front, offered.front);
        mini.final = mini.final && offered.final;
        if (worst < 0 || !same(found, mini.front)) worst = move.card;
        mini.front = std::move(found);
        // Score cut: no outcome that scores enough is left, and meets only lose. Alpha cut: further replies, and MIN
        // nodes on the way up, only take away, so what a node above has already dominates what comes of this.
        bool nothing = mini.front.empty();
        if (nothing || (switches_.alpha && dominated_by_any(mini.front, above))) {
            ++(nothing ? counts.score : counts.alpha);
            mini.final = true;
            break;
        }
    }
    remember(position, depth, cap, mini.front, worst);
    return mini;
}

template <int K>
typename AlphaMuSearch<K>::Front AlphaMuSearch<K>::bound(const Position &position, int depth, const Code &cap,
                                                         Above &above) {
    if (auto place = known_.find(key(position)); place != known_.end()) {
        const Entry &entry = place->second;
        // Leaves are face up, too good for MAX, so a search that looked less far ahead bounds one that looks further.
        // It must have left nothing out that counts here: its cap was no tighter, its need no higher.
        if (entry.depth <= depth && entry.need <= need_ && cap.within(entry.cap)) {
            Front front;
            for (const Code &code : entry.front) add(front, code & cap);
            keep_enough(front);
            return front;
        }
    }
    Front front{cap};
    if (!switches_.empty_entry) return front;
    // With nothing known, shallower searches make the bound: they cost little, and often cut at once.
    for (int shallower = 0; shallower < depth; ++shallower) {
        front = meet(front, visit(position, shallower, cap, above).front);
        if (dominated(front, *above.back())) {
            ++counts.empty_entry;
            break;
        }
    }
    return front;
}

// Pairwise intersection. Fronts can grow beyond all bounds between two nodes, so the watch is asked here too: what is
// compared counts as nodes do, so many for one that a limit of nodes means much the same where fronts are small.
template <int K>
typename AlphaMuSearch<K>::Front AlphaMuSearch<K>::meet(const Front &one, const Front &other) {
    Front met;
    for (const Code &a : one)
        for (const Code &b : other) {
            compared_ += static_cast<std::int64_t>(met.size());
            if (compared_ >= PER_NODE) {
                watch_->nodes(extra_, compared_ / PER_NODE);
                compared_ %= PER_NODE;
            }
            Code both = a & b;
            if (enough(both)) add(met, both);
        }
    return met;
}

template <int K>
bool AlphaMuSearch<K>::dominated(const Front &front, const Front &by) {
    return std::all_of(front.begin(), front.end(), [&](const Code &code) {
        return std::any_of(by.begin(), by.end(), [&](const Code &other) { return code.within(other); });
    });
}

template <int K>
bool AlphaMuSearch<K>::dominated_by_any(const Front &front, const Above &above) {
    return std::any_of(above.begin(), above.end(), [&](const Front *other) { return dominated(front, *other); });
}

// ------------------------------------------------------------------------------------------------ face up

// Takes from `code` what is lost double dummy in the worlds of `left`; false as soon as it scores too little. One
// thread asks about doubtful worlds first, several ask about all of them at once.
template <int K>
bool AlphaMuSearch<K>::face_up(const Position &position, const Code &left, Code &code) {
    std::vector<int> asked;
    for (int world : doubtful_)
        if (left.meets(lanes_[world])) asked.push_back(world);
    std::vector<std::uint64_t> filled(asked.size());
    auto lose = [&](std::size_t number) {
        bool lost = false;
        for (int place = 0; place < lane_; ++place)
            if ((filled[number] >> place & 1) == 0) {
                lost |= code.at(asked[number] * lane_ + place);
                code.clear(asked[number] * lane_ + place);
            }
        return lost;
    };
    if (workers_.alone()) {
        for (std::size_t number = 0; number < asked.size(); ++number) {
            ++counts.solved;
            solve(position, asked[number], left, filled[number]);
            if (lose(number) && !enough(code)) {
                auto place = std::find(doubtful_.begin(), doubtful_.end(), asked[number]);
                std::rotate(doubtful_.begin(), place, place + 1);
                return false;
            }
        }
    } else {
        workers_.share(static_cast<int>(asked.size()),
                       [&](int number) { solve(position, asked[number], left, filled[number]); });
        counts.solved += static_cast<std::int64_t>(asked.size());
        for (std::size_t number = 0; number < asked.size(); ++number) lose(number);
    }
    return enough(code);
}

// Which bits of a world's lane are won; only those that are left to win are asked for.
template <int K>
void AlphaMuSearch<K>::solve(const Position &position, int world, const Code &left, std::uint64_t &filled) const {
    DealPosition now{{}, position.leader, position.trick, position.played};
    for (int seat = 0; seat < 4; ++seat) now.hands[seat] = hand(position, seat, world);
    int tricks = std::popcount(now.hands[position.leader]) + (position.played > 0);
    Watch free{-1, [] {}};
    auto wins = [&](int place) {
        int need = task_.first + place - position.taken;
        if (side_ == 0) return solvers_[world]->can_take(now, need, free);
        return !solvers_[world]->can_take(now, tricks - need + 1, free);
    };
    for (int place = 0; place < lane_ && left.at(world * lane_ + place) && wins(place); ++place)
        filled |= std::uint64_t{1} << place;
}

// ------------------------------------------------------------------------------------------------ the rules

template <int K>
CardSet AlphaMuSearch<K>::hand(const Position &position, int seat, int world) const {
    return task_.worlds[world][seat] & ~position.gone[seat];
}

template <int K>
CardSet AlphaMuSearch<K>::legal(const Position &position, int seat, int world) const {
    CardSet held = hand(position, seat, world);
    CardSet following = position.played > 0 ? held & suit_cards(suit_of(position.trick[0])) : 0;
    return following != 0 ? following : held;
}

// Whether the cards are played, or the contract is decided by tricks taken, lost, or sure. Hands are as long in one
// world as in another, so the first will do to count.
template <int K>
typename AlphaMuSearch<K>::State AlphaMuSearch<K>::state(const Position &position) const {
    int left = std::popcount(task_.worlds[0][position.leader]) - std::popcount(position.gone[position.leader]) +
               (position.played > 0);
    if (left == 0) return State::ENDED;
    if (!task_.make) return State::OPEN;
    if (position.taken + left < task_.first) return State::LOST;
    return position.taken + sure(position) >= task_.first ? State::WON : State::OPEN;
}

// Tricks that a hand of MAX which is on lead can cash whatever the layout; one that partner overtakes is the last.
// MAX's hands are the same in all worlds, and so are both defenders' cards taken together: the first world tells.
template <int K>
int AlphaMuSearch<K>::sure(const Position &position) const {
    if (position.played > 0 || ((position.leader ^ side_) & 1) != 0) return 0;
    const Hands &hands = task_.worlds[0];
    CardSet held = hand(position, position.leader, 0), partner = hand(position, (position.leader + 2) & 3, 0);
    CardSet out = (hands[(position.leader + 1) & 3] | hands[(position.leader + 3) & 3]) & ~played(position);
    bool trumps_out = task_.trumps < 4 && (out & suit_cards(task_.trumps)) != 0;
    int tricks = 0;
    bool blocked = false;
    for (int suit = 0; suit < 4; ++suit) {
        if (trumps_out && suit != task_.trumps) continue;
        CardSet own = held & suit_cards(suit), others = out & suit_cards(suit);
        int width = std::bit_width(others);
        int top = width == 64 ? 0 : std::popcount(own >> width);
        int winners = top >= std::popcount(others) ? std::popcount(own) : top;
        int alone = cashed(own, partner & suit_cards(suit), winners);
        tricks += alone;
        blocked = blocked || alone < winners;
    }
    return tricks + blocked;
}

// The cards of the three other hands in a world, and those on the table.
template <int K>
CardSet AlphaMuSearch<K>::others(const Position &position, int seat, int world) const {
    CardSet cards = 0;
    for (int other = 0; other < 4; ++other)
        if (other != seat) cards |= task_.worlds[world][other];
    cards &= ~played(position);
    for (int place = 0; place < position.played; ++place) cards |= card_bit(position.trick[place]);
    return cards;
}

// Of touching cards of MAX only the highest: they are equal, and he has the same in all worlds.
template <int K>
std::vector<typename AlphaMuSearch<K>::Move> AlphaMuSearch<K>::own_moves(const Position &position, int seat) const {
    CardSet cards = legal(position, seat, 0), between = others(position, seat, 0);
    std::vector<Move> list;
    for (int suit = 0; suit < 4; ++suit) {
        int higher = -1;
        for (CardSet left = cards & suit_cards(suit); left != 0;) {
            int card = 63 - std::countl_zero(left);
            left ^= card_bit(card);
            if (higher < 0 || (between & (card_bit(higher) - card_bit(card))) != 0)
                list.push_back({card, position.open});
            higher = card;
        }
    }
    return list;
}

// What MIN may play in some world, but for a card that he has only where he has one that touches it: after that the
// same cards are left, and MAX knows less.
template <int K>
std::vector<typename AlphaMuSearch<K>::Move> AlphaMuSearch<K>::replies(const Position &position, int seat) const {
    std::array<Code, 64> open;
    CardSet seen = 0;
    for (int world = 0; world < static_cast<int>(lanes_.size()); ++world) {
        if (!position.open.meets(lanes_[world])) continue;
        for (CardSet cards = legal(position, seat, world); cards != 0; cards = rest(cards)) {
            int card = first(cards);
            if ((seen >> card & 1) == 0) open[card] = {};
            seen |= card_bit(card);
            open[card] = open[card] | lanes_[world];
        }
    }
    std::vector<Move> list;
    for (int suit = 0; suit < 4; ++suit)
        for (CardSet left = seen & suit_cards(suit); left != 0;) {
            int card = 63 - std::countl_zero(left);
            left ^= card_bit(card);
            if (!list.empty() && suit_of(list.back().card) == suit) {
                const Move &last = list.back();
                if (open[card].within(last.open) && touch(position, seat, last.card, card, open[card])) continue;
                if (last.open.within(open[card]) && touch(position, seat, last.card, card, last.open)) list.pop_back();
            }
            list.push_back({card, open[card]});
        }
    return list;
}

template <int K>
bool AlphaMuSearch<K>::touch(const Position &position, int seat, int higher, int lower, const Code &open) const {
    CardSet between = card_bit(higher) - card_bit(lower);
    for (int world = 0; world < static_cast<int>(lanes_.size()); ++world)
        if (open.meets(lanes_[world]) && (others(position, seat, world) & between) != 0) return false;
    return true;
}

// Spades first, the highest of a suit first, but the best of before in front.
template <int K>
std::vector<typename AlphaMuSearch<K>::Move> AlphaMuSearch<K>::ordered(const Position &position) const {
    int seat = (position.leader + position.played) & 3;
    std::vector<Move> list = is_max(position) ? own_moves(position, seat) : replies(position, seat);
    if (auto place = known_.find(key(position)); place != known_.end()) {
        auto best =
            std::find_if(list.begin(), list.end(), [&](const Move &move) { return move.card == place->second.move; });
        if (best != list.end()) std::rotate(list.begin(), best, best + 1);
    }
    return list;
}

template <int K>
typename AlphaMuSearch<K>::Position AlphaMuSearch<K>::play(const Position &position, const Move &move) const {
    Position after = position;
    int seat = (position.leader + position.played) & 3, card = move.card;
    after.open = move.open;
    after.gone[seat] |= card_bit(card);
    if (position.played < 3) {
        after.trick[position.played] = card;
        ++after.played;
        return after;
    }
    std::array<int, 4> trick{position.trick[0], position.trick[1], position.trick[2], card};
    after.leader = (position.leader + winning_place(trick, task_.trumps)) & 3;
    after.played = 0;
    after.trick = {0, 0, 0};
    after.taken += ((after.leader ^ side_) & 1) == 0;
    return after;
}

template <int K>
int AlphaMuSearch<K>::worlds_in(const Code &code) const {
    if (lane_ == 1) return code.count();
    return static_cast<int>(
        std::count_if(lanes_.begin(), lanes_.end(), [&](const Code &lane) { return code.meets(lane); }));
}

// ------------------------------------------------------------------------------------------------ what is known

// Keys are compared in full, so a hash that collides costs time, never an answer.
template <int K>
std::size_t AlphaMuSearch<K>::Hash::operator()(const Key &key) const {
    std::uint64_t hash = splitmix(key.rest);
    for (CardSet cards : key.gone) hash = splitmix(hash ^ cards);
    for (std::uint64_t word : key.open.word) hash = splitmix(hash ^ word);
    return hash;
}

template <int K>
typename AlphaMuSearch<K>::Key AlphaMuSearch<K>::key(const Position &position) const {
    std::uint64_t rest = static_cast<std::uint64_t>(position.leader) | static_cast<std::uint64_t>(position.taken) << 2;
    for (int place = 0; place < position.played; ++place)
        rest |= static_cast<std::uint64_t>(position.trick[place] + 1) << (8 + 8 * place);
    return {position.gone, position.open, rest};
}

template <int K>
void AlphaMuSearch<K>::remember(const Position &position, int depth, const Code &cap, const Front &front, int move) {
    known_.insert_or_assign(key(position), Entry{depth, move, need_, cap, front});
}

template class AlphaMuSearch<1>;
template class AlphaMuSearch<2>;
template class AlphaMuSearch<4>;
template class AlphaMuSearch<8>;
template class AlphaMuSearch<32>;

}  // namespace worldwise
