// Exact fronts of a single suit.
#include "bridge/suit.hpp"

#include <algorithm>

#include "trees/dominance.hpp"

namespace worldwise {

Weights::Weights(std::span<const std::int64_t> weights) {
    for (std::size_t world = 0; world < weights.size(); ++world) {
        // Every set of the worlds before it in its byte, and this one.
        auto &sums = sums_[world / 8];
        const int bit = 1 << world % 8;
        for (int set = 0; set < bit; ++set) sums[set | bit] = sums[set] + weights[world];
    }
}

std::int64_t Weights::operator()(const Worlds &worlds) const {
    std::int64_t sum = 0;
    for (int i = 0; i < SUIT_WORDS; ++i)
        for (int byte = 0; byte < 8; ++byte) sum += sums_[8 * i + byte][worlds.word[i] >> 8 * byte & 255];
    return sum;
}

Worth::Worth(std::span<const std::int64_t> weights, std::size_t worlds) {
    for (; !weights.empty(); weights = weights.subspan(worlds)) rows_.emplace_back(weights.first(worlds));
}

namespace {

template <int L>
SuitFront<L> undominated(SuitFront<L> found, const Watch &watch) {
    if (found.size() < 2) return found;
    if (found.size() <= 12) {  // sorting would take longer
        auto kept = found.begin();
        for (const auto &one : found) {
            if (std::any_of(found.begin(), kept, [&](const auto &other) { return one.within(other); })) continue;
            kept = std::remove_if(found.begin(), kept, [&](const auto &other) { return other.within(one); });
            *kept++ = one;
        }
        found.erase(kept, found.end());
        return found;
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    // Most wins first: an outcome can only be within one that has at least as many, so nobody who is kept goes again.
    std::vector<std::pair<int, std::uint32_t>> order(found.size());
    for (std::size_t i = 0; i < found.size(); ++i) order[i] = {-found[i].count(), static_cast<std::uint32_t>(i)};
    std::sort(order.begin(), order.end());
    SuitFront<L> kept;
    constexpr int words = L * SUIT_WORDS;
    KeptMasks<words> lines(words);
    std::int64_t looked_at = 0;
    for (auto [_, i] : order) {
        if (++looked_at % 1024 == 0) watch.poll();
        const auto &one = found[i];
        const std::uint64_t *bits = one.level[0].word.data();
        // Few are quickly compared one by one; many by lines of flags, which take longer to set up.
        bool few = kept.size() < 64;
        if (few ? std::any_of(kept.begin(), kept.end(), [&](const auto &other) { return one.within(other); })
                : lines.dominates(bits))
            continue;
        kept.push_back(one);
        if (kept.size() == 64)
            for (const auto &other : kept) lines.add(other.level[0].word.data());
        else if (!few)
            lines.add(bits);
    }
    return kept;
}

template <int L>
Outcome<L> everywhere(const Worlds &worlds) {
    Outcome<L> outcome;
    outcome.level.fill(worlds);
    return outcome;
}

template <int L>
Outcome<L> joined(const SuitFront<L> &front) {
    Outcome<L> any;
    for (const auto &outcome : front) any |= outcome;
    return any;
}

}  // namespace

template <int L>
const SuitFront<L> &SuitSolver<L>::front(const SuitTable &table, Front &room, const Watch &watch) {
    if (table.played > 1) return room = rules_.defends(table) ? worst(table, watch) : best(table, watch);
    // Cards above all that the defenders have left win whenever they are led: if they are enough, the goal is reached
    // in every world that is still possible.
    bool won =
        !table.played && !counting_ && (table.need <= 0 || (rules_.free && rules_.cashable(table) >= table.need));
    if (won || (!table.played && rules_.is_over(table, counting_))) {
        room.assign(1, won ? everywhere<L>(table.possible) : Outcome<L>{});
        return room;
    }
    // Between tricks, and after a lead, because people ask about leads.
    SuitKey place = key(table);
    auto found = known_.find(place);
    if (found != known_.end()) return found->second;
    return known_.emplace(place, rules_.defends(table) ? worst(table, watch) : best(table, watch)).first->second;
}

// The front of the table after a move; a trick won is one more than what follows.
template <int L>
const SuitFront<L> &SuitSolver<L>::below(const SuitTable &table, const SuitTable &next, Front &room,
                                         const Watch &watch) {
    const Front &found = front(next, room, watch);
    if (!counting_ || next.need == table.need) return found;
    if (&found != &room) room = found;
    for (auto &outcome : room) {
        for (int i = L - 1; i > 0; --i) outcome.level[i] = outcome.level[i - 1];
        outcome.level[0] = next.possible;
    }
    return room;
}

template <int L>
SuitFront<L> SuitSolver<L>::best(const SuitTable &table, const Watch &watch) {
    watch.node(++nodes);
    SuitMoves moves = rules_.options(table);
    Front room;
    if (moves.count == 1) return below(table, rules_.after(table, moves.move[0]), room, watch);
    auto everything = everywhere<L>(table.possible);
    Front all;
    for (auto move : moves) {
        const Front &front = below(table, rules_.after(table, move), room, watch);
        // Nothing can be better, and what is best of all is alone in its front.
        if (front.size() == 1 && front[0] == everything) return front;
        all.insert(all.end(), front.begin(), front.end());
    }
    return undominated<L>(std::move(all), watch);
}

template <int L>
SuitFront<L> SuitSolver<L>::worst(const SuitTable &table, const Watch &watch) {
    watch.node(++nodes);
    SuitMoves moves = rules_.options(table);
    Front room;
    if (moves.count == 1) return below(table, rules_.after(table, moves.move[0]), room, watch);
    Front meets{everywhere<L>(table.possible)};
    for (auto move : moves) {
        SuitTable next = rules_.after(table, move);
        meets = met(meets, below(table, next, room, watch), next.possible, table, watch);
        if (meets.empty() || (meets.size() == 1 && !meets[0].any())) break;  // nothing can be worse
    }
    return meets;
}

// Every meet that matters of an outcome of one front with one of another, which speaks of the worlds `inside` only.
template <int L>
SuitFront<L> SuitSolver<L>::met(const Front &front, const Front &other, const Worlds &inside, const SuitTable &table,
                                const Watch &watch) {
    Front all;
    std::size_t many = MANY_MEETS;
    std::int64_t looked_at = 0;
    for (const auto &one : front) {
        if (++looked_at % 64 == 0) watch.poll();
        Outcome<L> part = one, rest = one;
        for (auto &worlds : part.level) worlds &= inside;
        for (auto &worlds : rest.level) worlds &= ~inside;
        // The best that a meet of this outcome can be is the outcome itself.
        if (std::any_of(other.begin(), other.end(), [&](const auto &two) { return part.within(two); })) {
            all.push_back(one);
            continue;
        }
        for (const auto &two : other) {
            Outcome<L> meet = rest;
            for (int i = 0; i < L; ++i) meet.level[i] |= part.level[i] & two.level[i];
            if (matters(meet, table)) all.push_back(meet);
        }
        if (all.size() > many) {  // most are dominated, and memory has an end
            all = undominated<L>(std::move(all), watch);
            many = std::max(many, 2 * all.size());
        }
    }
    return undominated<L>(std::move(all), watch);
}

// Whether a line with this outcome at a table may beat the bound. A line's wins for each number of tricks lie within
// one of the goal's sets and, in the table's worlds, within the outcome: no line that has it wins more than both share.
template <int L>
bool SuitSolver<L>::matters(const Outcome<L> &outcome, const SuitTable &table) const {
    if (bound_.beat < 0) return true;
    const int won = this->won(table);
    const Worlds elsewhere = rules_.all & ~table.possible;
    std::int64_t sum = 0;
    for (int tricks = 0; tricks < length_; ++tricks) {
        const auto &goal = bound_.goals[tricks];
        std::int64_t most = tricks < won ? goal.most : 0;
        for (auto set = goal.sets.begin(); tricks >= won && most < goal.most && set != goal.sets.end(); ++set)
            most = std::max(most, worth_(tricks, *set & (outcome.level[tricks - won] | elsewhere)));
        if (most < goal.least) return false;
        sum += std::min(most, goal.most);
    }
    return sum > bound_.beat;
}

template <int L>
void HeaviestMeet<L>::add(SuitFront<L> front, const Worlds &inside) {
    for (auto &outcome : front) outcome |= everywhere<L>(~inside);
    members_.push_back(std::move(front));
}

template <int L>
SuitSummary<L> HeaviestMeet<L>::find(const Outcome<L> &everything) {
    found_.any = everything;
    found_.weight = bound_.beat;
    for (const auto &front : members_) found_.any &= joined<L>(front);
    found_.sets = {found_.any};
    search(members_, found_.any);
    return found_;
}

template <int L>
void HeaviestMeet<L>::search(std::vector<SuitFront<L>> members, Outcome<L> left) {
    watch_.poll();
    if (!narrow(members, left)) return;
    if (members.empty()) {
        found_.best = left, found_.weight = worth_(left, won_);
        return;
    }
    // The fewest choices first: mistakes show early.
    auto fewest =
        std::min_element(members.begin(), members.end(), [](auto &a, auto &b) { return a.size() < b.size(); });
    SuitFront<L> choices = std::move(*fewest);
    members.erase(fewest);
    std::sort(choices.begin(), choices.end(), [&](auto &a, auto &b) { return worth_(a, won_) > worth_(b, won_); });
    for (const auto &choice : choices) search(members, choice);
}

// Cuts `left` down to what every front can leave of it, and the fronts to what matters inside; false if nothing does.
template <int L>
bool HeaviestMeet<L>::narrow(std::vector<SuitFront<L>> &members, Outcome<L> &left) const {
    Outcome<L> before;
    do {
        before = left;
        for (auto &front : members) {
            for (auto &outcome : front) outcome &= left;
            // A meet is within each of the outcomes it is made of, so none of these could lead to a heavier one.
            std::erase_if(front, [&](const auto &outcome) { return !is_wanted(outcome); });
            left &= joined<L>(front);
        }
        if (!is_wanted(left)) return false;
    } while (left != before);
    // Where a front has all that is left there is nothing to choose.
    std::erase_if(members,
                  [&](const auto &front) { return std::find(front.begin(), front.end(), left) != front.end(); });
    for (auto &front : members) front = undominated<L>(std::move(front), watch_);
    return true;
}

template <int L>
SuitSummary<L> SuitSolver<L>::summary(std::vector<SuitTable> tables, const Watch &watch) {
    SuitTable whole = tables.front();
    whole.possible = Worlds{};
    HeaviestMeet<L> meet(worth_, bound_, won(whole), watch);
    double meets = 1;
    Front room;
    auto add = [&](const Front &found, const Worlds &inside) {
        meets *= static_cast<double>(found.size());
        meet.add(found, inside);
    };
    for (auto &table : tables) {
        table.possible = rules_.possible(table);
        whole.possible |= table.possible;
        if (!rules_.defends(table)) {
            add(front(table, room, watch), table.possible);
            continue;
        }
        for (auto move : rules_.options(table)) {
            SuitTable next = rules_.after(table, move);
            add(below(table, next, room, watch), next.possible);
        }
    }
    // A front without anything that matters leaves nothing to meet.
    if (meets == 0 || meets > MOST_MEETS) return meet.find(everywhere<L>(whole.possible));
    SuitSummary<L> summary;
    summary.sets = {everywhere<L>(whole.possible)};
    for (const auto &table : tables)
        summary.sets = met(summary.sets, front(table, room, watch), table.possible, whole, watch);
    for (const auto &outcome : summary.sets) {
        if (bound_.reached(outcome, worth_)) summary.offer(outcome, worth_(outcome, won(whole)));
        summary.any |= outcome;
    }
    if (summary.sets.size() > MOST_SETS) summary.sets = {summary.any};
    return summary;
}

template <int L>
bool SuitSolver<L>::secures(SuitTable table, Outcome<L> wanted, const Watch &watch) {
    table.possible = rules_.possible(table);
    return secured(table, wanted, watch);
}

template <int L>
bool SuitSolver<L>::secured(const SuitTable &table, const Outcome<L> &all, const Watch &watch) {
    Outcome<L> wanted = all;
    for (auto &worlds : wanted.level) worlds &= table.possible;
    if (!wanted.any() || (!counting_ && table.need <= 0)) return true;
    if (table.played) return some_play_secures(table, wanted, watch);
    if (rules_.is_over(table, counting_)) return false;
    auto &known = secured_[key(table)];
    for (const auto &[outcome, answer] : known)
        if (outcome == wanted) return answer;
    bool answer = some_play_secures(table, wanted, watch);
    known.emplace_back(wanted, answer);
    return answer;
}

// At a defender's table, every play must. The first that settles it is enough: one that does not secure it there, one
// that does at declarer's.
template <int L>
bool SuitSolver<L>::some_play_secures(const SuitTable &table, const Outcome<L> &wanted, const Watch &watch) {
    watch.node(++nodes);
    bool defender = rules_.defends(table);
    for (auto move : rules_.options(table)) {
        SuitTable next = rules_.after(table, move);
        Outcome<L> rest = wanted;
        if (counting_ && next.need < table.need) {  // a trick more is won than what follows
            std::copy(wanted.level.begin() + 1, wanted.level.end(), rest.level.begin());
            rest.level[L - 1] = Worlds{};
        }
        if (secured(next, rest, watch) != defender) return !defender;
    }
    return defender;
}

// Of what is won in a trick, only the rest is wanted after it; until then, all that is wanted at its start.
template <int L>
bool SuitSolver<L>::keeps(SuitTable table, const Outcome<L> &wanted, const SuitPlan &plan, bool shown_out,
                          std::vector<SuitEnd> &ends, const Watch &watch) {
    table.possible = rules_.possible(table);
    Outcome<L> rest;
    std::copy(wanted.level.begin() + won(table), wanted.level.end(), rest.level.begin());
    auto is_open = [&](const SuitTable &at) {
        return won(at) < L && (wanted.level[won(at)] & at.possible).any();
    };
    auto is_known = [&](const SuitTable &at) { return shown_out && (at.west_out || at.east_out); };
    SuitTable led = rules_.after(table, plan.lead);
    for (auto second : rules_.options(led)) {
        SuitTable seen = rules_.after(led, second);
        if (!(rest.level[0] & seen.possible).any()) continue;
        if (seen.played == 2 && !is_known(seen)) seen = rules_.after(seen, third(seen, plan));
        if (!secured(seen, rest, watch)) return false;
        if (is_known(seen)) continue;
        for (auto fourth : rules_.options(seen)) {
            SuitTable end = rules_.after(seen, fourth);
            if (!(rest.level[0] & end.possible).any() || is_known(end) || !is_open(end)) continue;
            ends.push_back({end, {seen.trick[0], seen.trick[1], seen.trick[2], fourth}});
        }
    }
    return true;
}

template <int L>
SuitMove SuitSolver<L>::third(const SuitTable &table, const SuitPlan &plan) const {
    int c = 0;
    while (c < rules_.classes && rules_.top[c] != table.trick[1].card) ++c;
    return {static_cast<std::uint8_t>(table.next_seat()), plan.third[static_cast<std::size_t>(c)]};
}

template class SuitSolver<1>;
template class SuitSolver<2>;
template class SuitSolver<3>;
template class SuitSolver<4>;
template class SuitSolver<5>;
template class SuitSolver<6>;
template class SuitSolver<8>;
template class SuitSolver<13>;

}  // namespace worldwise
