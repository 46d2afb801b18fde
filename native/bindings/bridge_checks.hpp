// Hands, positions and suits that come from Python.
#pragma once

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "bindings/checks.hpp"
#include "bridge/alphamu.hpp"
#include "bridge/double_dummy.hpp"
#include "bridge/suit.hpp"

namespace worldwise {

// ---------------------------------------------------------------------- deals

constexpr CardSet PACK = 0x7FFC7FFC7FFC7FFC;
constexpr int MOST_TRICKS = 13;

inline void check_hands(const Hands &hands) {
    CardSet seen = 0;
    for (CardSet hand : hands) {
        expect((hand & ~PACK) == 0, "hands of cards of a pack");
        expect((hand & seen) == 0, "hands without a card in common");
        seen |= hand;
    }
    int size = std::popcount(hands[0]);
    for (CardSet hand : hands) expect(std::popcount(hand) == size, "four hands of the same size");
}

// The hands of a position with the trick taken back, which are as good as a deal.
inline Hands checked_deal(const DealPosition &position) {
    expect_within(position.leader, 0, 3, "a leader");
    expect_within(position.played, 0, 3, "a number of cards in a trick");
    CardSet held = position.hands[0] | position.hands[1] | position.hands[2] | position.hands[3];
    for (int place = 0; place < position.played; ++place) {
        int card = position.trick[place];
        expect(card >= 0 && card < 64 && (PACK >> card & 1), "a trick of cards of a pack");
        expect((held >> card & 1) == 0, "a trick of cards that nobody holds");
        held |= card_bit(card);
    }
    Hands dealt = position.dealt();
    check_hands(dealt);
    return dealt;
}

inline void check_trumps(int trumps) { expect_within(trumps, 0, NOTRUMP, "trumps"); }

// Whether a solver can be asked about hands: they are what is left of its deal.
inline void check_part(const Hands &dealt, const DoubleDummy &solver) {
    for (int seat = 0; seat < 4; ++seat)
        expect((dealt[seat] & ~solver.deal()[seat]) == 0, "a position of the solver's deal");
}

inline void check_position(const DealPosition &position, const DoubleDummy &solver) {
    check_part(checked_deal(position), solver);
}

// More tricks than there are, or fewer than none, are as good as the next number beyond.
inline int clamped_tricks(std::int64_t tricks) {
    return static_cast<int>(std::clamp<std::int64_t>(tricks, -1, MOST_TRICKS + 2));
}

// ---------------------------------------------------------------------- alpha-mu

// A world's deal, and that its solver can be asked about all that comes of it.
inline void check_world(const AlphaMuTask &task, std::size_t world, const DoubleDummy *solver) {
    expect(solver != nullptr, "a solver for every world");
    expect(solver->trumps() == task.trumps, "solvers with the trumps of the search");
    check_position({task.worlds[world], task.leader, task.trick, task.played}, *solver);
    const Hands &hands = task.worlds[world], &first = task.worlds[0];
    for (int seat = task.max_side; seat < 4; seat += 2)
        expect(hands[seat] == first[seat], "worlds in which MAX holds the same cards");
    const int min = 1 - task.max_side;
    expect((hands[min] | hands[min + 2]) == (first[min] | first[min + 2]),
           "worlds in which MIN's hands together hold the same cards");
}

inline void check_task(const AlphaMuTask &task, const std::vector<DoubleDummy *> &solvers) {
    check_trumps(task.trumps);
    expect_within(task.max_side, 0, 1, "a side");
    expect_within(task.first, -MOST_TRICKS, MOST_TRICKS + 1, "a first number of tricks");
    expect_sum(task.gains.data(), task.gains.size(), LARGEST_SUM, "gains that are not negative, with a smaller sum");
    for (std::size_t world = 0; world < task.worlds.size(); ++world) check_world(task, world, solvers[world]);
    expect(((task.leader + task.played) & 1) == task.max_side, "that it is MAX's turn");
}

// ---------------------------------------------------------------------- single suits

constexpr unsigned SUIT_RANKS = 0x7FFC;  // 2 to the ace, as everywhere

inline void check_rules(const SuitRules &rules) {
    int cards = std::accumulate(rules.size.begin(), rules.size.end(), 0);
    expect_within(cards, 0, MOST_TRICKS, "a number of the defenders' cards");
    for (int c = 0; c < rules.classes; ++c) {
        expect(rules.size[c] > 0, "at least one card in every class");
        expect(rules.top[c] < 16 && (SUIT_RANKS >> rules.top[c] & 1), "classes whose highest cards are from 2 to 14");
        expect(c == 0 || rules.top[c] < rules.top[c - 1], "the highest class first");
    }
}

// Who plays in turn from a lead; cards that nobody can have are told by the rules, and so is who may lead.
inline void check_trick(const SuitTable &table) {
    expect(!table.played || table.trick[0].seat <= WEST, "a lead by one of four hands");
    for (int place = 0; place < table.played; ++place) {
        const SuitMove &move = table.trick[place];
        expect(move.seat == (table.trick[0].seat + place) % 4, "a trick played in turn");
        bool ruffs = move.card == RUFF && (move.seat == NORTH || move.seat == SOUTH);
        expect(move.card == OUT || ruffs || (move.card < 16 && (SUIT_RANKS >> move.card & 1)), "cards from 2 to 14");
    }
}

inline void check_table(const SuitTable &table) {
    expect(((table.north | table.south) & ~SUIT_RANKS) == 0, "hands of cards from 2 to 14");
    expect((table.north & table.south) == 0, "hands without a card in common");
    for (const auto &shown : {table.west, table.east})
        expect_within(std::accumulate(shown.begin(), shown.end(), 0), 0, MOST_TRICKS, "a number of cards shown");
    check_trick(table);
}

// A table is checked when it is made; here, that it is one of these rules.
inline void check_fit(const SuitRules &rules, const SuitTable &table) {
    bool defender = table.played && (table.trick[0].seat == EAST || table.trick[0].seat == WEST);
    expect(rules.leader != DECLARER || !defender, "a lead by declarer's side");
    for (int c = 0; c < SUIT_CLASSES; ++c) {
        expect(table.west[c] + table.east[c] <= rules.size[c], "no more cards shown than the defenders have");
        if (c < rules.classes)
            expect(((table.north | table.south) >> rules.top[c] & 1) == 0, "hands without the defenders' cards");
    }
}

// Bounds are asked for every number of tricks, and outcomes have a level for each.
inline void check_bound(const SuitBound &bound, int length, int levels) {
    expect(bound.beat >= -1, "a weight to beat that is not below -1");
    if (bound.beat < 0) return;
    expect_within(length, 1, levels, "a number of tricks");
    expect_size(bound.goals.size(), static_cast<std::size_t>(length), "goals");
    for (const auto &goal : bound.goals) {
        expect_within(goal.most, 0, LARGEST_SUM / 16, "a weight to win");
        expect_within(goal.least, 0, goal.most, "a weight that has to be won");
    }
}

}  // namespace worldwise
