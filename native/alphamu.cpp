#include "alphamu.hpp"

#include <algorithm>

namespace worldwise {

namespace {

int suit_of(int card) { return card >> 4; }
CardSet bit(int card) { return CardSet{1} << card; }
CardSet suit_cards(int suit) { return CardSet{0xFFFF} << (16 * suit); }

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

std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ value >> 31) * 0x7FB5D329728EA185ull;
    return (value ^ value >> 29) * 0x81DADEF4BC2DD44Dull;
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
        for (std::uint64_t left = code.word[part]; left != 0; left &= left - 1)
            total += task_.gains[64 * part + std::countr_zero(left)];
    return total;
}

template <int K>
void AlphaMuSearch<K>::keep_enough(Front &front) const {
    if (need_ != ANYTHING) std::erase_if(front, [&](const Code &code) { return score(code) < need_; });
}

// ------------------------------------------------------------------------------------------------ the root

template <int K>
bool AlphaMuSearch<K>::offers(int card) const {
    std::vector<int> cards = ordered(root_);
    return std::find(cards.begin(), cards.end(), card) != cards.end();
}

template <int K>
typename AlphaMuSearch<K>::Found AlphaMuSearch<K>::search(int card, int depth, std::int64_t need, const Front &beside,
                                                          Watch &watch) {
    watch_ = &watch;
    need_ = need;
    Above above{&beside};
    return visit(play(root_, card), depth - 1, top_, above);
}

// ------------------------------------------------------------------------------------------------ the search

template <int K>
typename AlphaMuSearch<K>::Found AlphaMuSearch<K>::visit(const Position &position, int depth, const Code &cap,
                                                         Above &above) {
    watch_->node(++counts.nodes);
    Code left = cap & position.open;
    bool ended = over(position);
    // World cut.
    if (ended || depth == 0 || (switches_.worlds && worlds_in(left) <= 1)) {
        if (!ended && depth > 0) ++counts.worlds;
        ++counts.leaves;
        return at_leaf(position, ended, left, cap);
    }
    return is_max(position) ? at_max(position, depth, cap, above) : at_min(position, depth, cap, above);
}

template <int K>
typename AlphaMuSearch<K>::Found AlphaMuSearch<K>::at_leaf(const Position &position, bool ended, const Code &left,
                                                           const Code &cap) {
    Code code = cap;
    if (!face_up(position, left, code)) return {{}, true};
    return {{code}, ended || worlds_in(code & left) <= 1};
}

template <int K>
typename AlphaMuSearch<K>::Found AlphaMuSearch<K>::at_max(const Position &position, int depth, const Code &cap,
                                                          Above &above) {
    Found all{{}, true};
    int best = -1;
    for (int card : ordered(position)) {
        above.push_back(&all.front);
        Found found = visit(play(position, card), depth - 1, cap, above);
        above.pop_back();
        bool adds = !dominated(found.front, all.front);
        if (best < 0 || adds) best = card;
        all.final = all.final && (found.final || !adds);
        join(all.front, found.front);
        // Cut on win.
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
    // Early cut.
    if (dominated(mini.front, *above.back())) {
        ++counts.early;
        return mini;
    }
    int worst = -1;
    for (int card : ordered(position)) {
        Position next = play(position, card);
        // Useful worlds.
        Code left = cap;
        if (switches_.useful) {
            left = {};
            for (const Code &code : mini.front) left = left | code;
            if ((left & next.open) == Code{}) continue;
        }
        Found offered = visit(next, depth, left, above);
        Front found = meet(mini.front, offered.front);
        mini.final = mini.final && offered.final;
        if (worst < 0 || !same(found, mini.front)) worst = card;
        mini.front = std::move(found);
        // Score cut, and alpha cut.
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
        if (entry.depth <= depth && entry.need <= need_ && cap.within(entry.cap)) {
            Front front;
            for (const Code &code : entry.front) add(front, code & cap);
            keep_enough(front);
            return front;
        }
    }
    Front front{cap};
    if (!switches_.empty_entry) return front;
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
// compared counts as nodes do, so many for one that a limit of nodes means much the same as ever where fronts are small.
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

// Takes from `code` what is lost double dummy in the worlds of `left`; false as soon as it scores too little. One thread
// asks about doubtful worlds first, several ask about all of them at once.
template <int K>
bool AlphaMuSearch<K>::face_up(const Position &position, const Code &left, Code &code) {
    std::vector<int> asked;
    for (int world : doubtful_)
        if ((left & lanes_[world]) != Code{}) asked.push_back(world);
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

template <int K>
bool AlphaMuSearch<K>::over(const Position &position) const {
    int seat = (position.leader + position.played) & 3;
    return std::popcount(position.gone[seat]) == std::popcount(task_.worlds[0][seat]);
}

// Spades first, the highest of a suit first; of MAX's touching cards only the highest; the best of before in front.
template <int K>
std::vector<int> AlphaMuSearch<K>::ordered(const Position &position) const {
    int seat = (position.leader + position.played) & 3;
    CardSet cards = 0, others = 0;
    for (int world = 0; world < static_cast<int>(lanes_.size()); ++world)
        if ((position.open & lanes_[world]) != Code{}) cards |= legal(position, seat, world);
    bool group = is_max(position);
    if (group) {
        for (int other = 0; other < 4; ++other)
            if (other != seat) others |= hand(position, other, 0);
        for (int place = 0; place < position.played; ++place) others |= bit(position.trick[place]);
    }
    std::vector<int> list;
    for (int suit = 0; suit < 4; ++suit) {
        int higher = -1;
        for (int card = 16 * suit + 15; card >= 16 * suit; --card) {
            if ((cards >> card & 1) == 0) continue;
            bool touches = group && higher >= 0 && (others & (bit(higher) - bit(card))) == 0;
            if (!touches) list.push_back(card);
            higher = card;
        }
    }
    if (auto place = known_.find(key(position)); place != known_.end())
        if (auto best = std::find(list.begin(), list.end(), place->second.move); best != list.end())
            std::rotate(list.begin(), best, best + 1);
    return list;
}

template <int K>
typename AlphaMuSearch<K>::Position AlphaMuSearch<K>::play(const Position &position, int card) const {
    Position after = position;
    int seat = (position.leader + position.played) & 3;
    if (!is_max(position)) {
        after.open = {};
        for (int world = 0; world < static_cast<int>(lanes_.size()); ++world)
            if ((position.open & lanes_[world]) != Code{} && (legal(position, seat, world) >> card & 1))
                after.open = after.open | lanes_[world];
    }
    after.gone[seat] |= bit(card);
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
        std::count_if(lanes_.begin(), lanes_.end(), [&](const Code &lane) { return (code & lane) != Code{}; }));
}

// ------------------------------------------------------------------------------------------------ what is known

template <int K>
std::size_t AlphaMuSearch<K>::Hash::operator()(const Key &key) const {
    std::uint64_t hash = mixed(key.rest);
    for (CardSet cards : key.gone) hash = mixed(hash ^ cards);
    for (std::uint64_t word : key.open.word) hash = mixed(hash ^ word);
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
