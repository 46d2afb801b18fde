// Single suits for Python.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <tuple>

#include "bindings/bind.hpp"
#include "bindings/bridge_checks.hpp"
#include "bridge/suit.hpp"
#include "bridge/suit_players.hpp"
#include "bridge/suit_tree.hpp"

using namespace worldwise;

namespace {

// Rows of `worlds`: how many cards of each class West holds.
SuitRules suit_rules(In<std::uint8_t> sizes, In<std::uint8_t> tops, In<std::uint8_t> worlds, bool lean, bool free,
                     int leader) {
    expect_within(static_cast<std::int64_t>(sizes.size()), 0, SUIT_CLASSES, "a number of classes");
    expect_size(tops.size(), sizes.size(), "highest cards of classes");
    expect(worlds.ndim() == 2 && worlds.shape(1) == sizes.size(), "a row for every world, a column for every class");
    expect_within(static_cast<std::int64_t>(worlds.shape(0)), 1, 64 * SUIT_WORDS, "a number of worlds");
    SuitRules rules;
    rules.classes = static_cast<int>(sizes.size());
    rules.lean = lean, rules.free = free;
    expect_within(leader, 0, LEADERS - 1, "a leader");
    rules.leader = static_cast<Leader>(leader);
    std::copy_n(sizes.data(), sizes.size(), rules.size.begin());
    std::copy_n(tops.data(), tops.size(), rules.top.begin());
    rules.worlds = static_cast<int>(worlds.shape(0));
    check_rules(rules);
    for (std::size_t world = 0; world < worlds.shape(0); ++world) {
        int number = static_cast<int>(world), west = 0, east = 0;
        rules.all.set(number);
        for (int c = 0; c < rules.classes; ++c) {
            int has = worlds.data()[world * sizes.size() + c], other = rules.size[c] - has;
            expect(other >= 0, "worlds in which West holds no more than there is");
            for (int n = 0; n <= has; ++n) rules.west_has[c][n].set(number);
            for (int n = 0; n <= other; ++n) rules.east_has[c][n].set(number);
            west += has, east += other;
        }
        rules.west_total[west].set(number);
        rules.east_total[east].set(number);
    }
    return rules;
}

// A table as Python has it; the trick is a list of (seat, card).
SuitTable suit_table(std::uint16_t north, std::uint16_t south, const nb::bytes &west, const nb::bytes &east,
                     bool west_out, bool east_out, int need, const nb::bytes &trick, int in_hand, int north_entries,
                     int south_entries, int ruffs) {
    expect_within(static_cast<std::int64_t>(west.size()), 0, SUIT_CLASSES, "a number of classes");
    expect_size(east.size(), west.size(), "classes");
    expect(trick.size() % 2 == 0 && trick.size() <= 6, "a trick of at most three cards");
    expect_within(need, -MOST_TRICKS, MOST_TRICKS, "a number of tricks");
    expect_within(in_hand, NORTH, NOBODY, "a hand");
    expect_within(north_entries, 0, UNLIMITED, "entries");
    expect_within(south_entries, 0, UNLIMITED, "entries");
    expect_within(ruffs, 0, MOST_TRICKS, "a number of ruffs");
    SuitTable table;
    table.north = north, table.south = south;
    std::memcpy(table.west.data(), west.data(), west.size());
    std::memcpy(table.east.data(), east.data(), east.size());
    table.west_out = west_out, table.east_out = east_out;
    table.need = static_cast<std::int8_t>(need);
    table.played = static_cast<std::uint8_t>(trick.size() / 2);
    std::memcpy(table.trick.data(), trick.data(), trick.size());
    table.in_hand = static_cast<std::uint8_t>(in_hand);
    table.entries = {static_cast<std::uint8_t>(north_entries), static_cast<std::uint8_t>(south_entries)};
    table.ruffs = static_cast<std::uint8_t>(ruffs);
    check_table(table);
    return table;
}

// Most nodes of a tree: with its leaves it takes a few gigabytes.
constexpr std::int64_t MOST_SUIT_NODES = 200'000'000;

// That a solver can be asked about a table. Its rules and its bound are never written to.
template <int L>
void check_asked(const SuitSolver<L> &solver, const SuitTable &table) {
    check_fit(solver.rules(), table);
    if (solver.is_counting()) expect_within(table.need, 0, solver.length(), "a number of tricks");
}

// A front as the bytes of its outcomes, SUIT_WORDS words for every level: to Python they are long numbers, which are
// made of bytes.
template <int L>
nb::bytes bind_suit_front(Shared<SuitSolver<L>> &solver, const SuitTable &table, std::int64_t most_nodes,
                          double seconds) {
    SuitFront<L> front = solver.ask([&](SuitSolver<L> &kernel) {
        check_asked(kernel, table);
        return kernel.at(table, watch_of(most_nodes, seconds));
    });
    return nb::bytes(front.data(), front.size() * sizeof(Outcome<L>));
}

// The best outcome's bytes, its weight, the bytes of all that can be won, and those of outcomes within which all are;
// of the tables the defenders choose one.
template <int L>
nb::tuple bind_suit_summary(Shared<SuitSolver<L>> &solver, const std::vector<SuitTable> &tables,
                            std::int64_t most_nodes, double seconds) {
    expect(!tables.empty(), "at least one table");
    SuitSummary<L> found = solver.ask([&](SuitSolver<L> &kernel) {
        for (const auto &table : tables) {
            check_asked(kernel, table);
            expect(table.need == tables.front().need, "tables with as many tricks to come");
        }
        bool begins = tables.front().need == kernel.length();
        expect(!kernel.is_bounded() || begins, "tables at which no trick is won or lost");
        return kernel.summary(tables, watch_of(most_nodes, seconds));
    });
    return nb::make_tuple(nb::bytes(&found.best, sizeof(Outcome<L>)), found.weight,
                          nb::bytes(&found.any, sizeof(Outcome<L>)),
                          nb::bytes(found.sets.data(), found.sets.size() * sizeof(Outcome<L>)));
}

template <int L>
bool bind_suit_secures(Shared<SuitSolver<L>> &solver, const SuitTable &table, const nb::bytes &wanted,
                       std::int64_t most_nodes, double seconds) {
    expect_size(wanted.size(), sizeof(Outcome<L>), "bytes of an outcome");
    Outcome<L> outcome;
    std::memcpy(&outcome, wanted.c_str(), sizeof(outcome));
    return solver.ask([&](SuitSolver<L> &kernel) {
        check_asked(kernel, table);
        return kernel.secures(table, outcome, watch_of(most_nodes, seconds));
    });
}

// A table between tricks and the trick before it, in as many bytes: as a key, Python only passes it on.
struct SuitSituation {
    std::array<std::uint8_t, 2> north, south;
    std::array<std::uint8_t, SUIT_CLASSES> west, east;
    std::uint8_t west_out, east_out, need, in_hand, north_entries, south_entries, leader;
    std::array<std::uint8_t, 4> last;
};

static_assert(sizeof(SuitSituation) == 2 * (2 + SUIT_CLASSES) + 7 + 4);

SuitTable situation_table(const nb::bytes &bytes) {
    expect_size(bytes.size(), sizeof(SuitSituation), "bytes of a situation");
    SuitSituation key;
    std::memcpy(&key, bytes.c_str(), sizeof(key));
    expect_within(key.west_out, 0, 1, "whether West has shown out");
    expect_within(key.east_out, 0, 1, "whether East has shown out");
    expect_within(key.need, 0, MOST_TRICKS, "a number of tricks");
    expect_within(key.in_hand, NORTH, NOBODY, "a hand");
    SuitTable table;
    table.north = static_cast<std::uint16_t>(key.north[0] | key.north[1] << 8);
    table.south = static_cast<std::uint16_t>(key.south[0] | key.south[1] << 8);
    table.west = key.west, table.east = key.east;
    table.west_out = key.west_out, table.east_out = key.east_out;
    table.need = static_cast<std::int8_t>(key.need);
    table.in_hand = key.in_hand;
    table.entries = {key.north_entries, key.south_entries};
    check_table(table);
    return table;
}

std::array<std::uint8_t, 2> two_bytes(std::uint16_t cards) {
    return {static_cast<std::uint8_t>(cards & 255), static_cast<std::uint8_t>(cards >> 8)};
}

SuitSituation situation_of(const SuitEnd &end) {
    const SuitTable &table = end.table;
    SuitSituation key{two_bytes(table.north), two_bytes(table.south), table.west, table.east,
                      table.west_out, table.east_out, static_cast<std::uint8_t>(table.need), table.in_hand,
                      table.entries[0], table.entries[1], end.last[0].seat, {}};
    for (std::size_t place = 0; place < 4; ++place) key.last[place] = end.last[place].card;
    return key;
}

SuitPlan suit_plan(int seat, int card, const nb::bytes &thirds) {
    expect(seat == NORTH || seat == SOUTH, "a lead by declarer's side");
    expect_within(card, 2, 14, "a card");
    expect_within(static_cast<std::int64_t>(thirds.size()), 1, SUIT_CLASSES + 1, "a number of third hand's cards");
    SuitPlan plan{{static_cast<std::uint8_t>(seat), static_cast<std::uint8_t>(card)}, {}};
    std::memcpy(plan.third.data(), thirds.c_str(), thirds.size());
    return plan;
}

// That declarer may make the lead and has the cards, if the other hand has any.
void check_plan(const SuitRules &rules, const SuitTable &table, const SuitPlan &plan) {
    expect(table.hand(plan.lead.seat) >> plan.lead.card & 1, "a lead of a card that is held");
    bool may_lead = false;
    for (const auto &move : rules.options(table)) may_lead |= move.seat == plan.lead.seat;
    expect(may_lead, "a lead that entries allow");
    std::uint16_t other = table.hand(2 - plan.lead.seat);
    for (int place = 0; place <= rules.classes && other; ++place) {
        int card = plan.third[static_cast<std::size_t>(place)];
        expect(card < 16 && (other >> card & 1), "third hand's cards that are held");
    }
}

// The bytes of the situations that a plan for a trick leads to; None if it does not keep what is wanted.
template <int L>
nb::object bind_suit_ends(Shared<SuitSolver<L>> &solver, const nb::bytes &situation, const nb::bytes &wanted, int seat,
                          int card, const nb::bytes &thirds, bool shown_out, std::int64_t most_nodes, double seconds) {
    expect_size(wanted.size(), sizeof(Outcome<L>), "bytes of an outcome");
    Outcome<L> outcome;
    std::memcpy(&outcome, wanted.c_str(), sizeof(outcome));
    SuitTable table = situation_table(situation);
    const SuitPlan plan = suit_plan(seat, card, thirds);
    std::vector<SuitEnd> ends;
    bool kept = solver.ask([&](SuitSolver<L> &kernel) {
        check_asked(kernel, table);
        expect(kernel.is_counting() && kernel.length() - table.need < L, "a solver that counts all tricks");
        check_plan(kernel.rules(), table, plan);
        return kernel.keeps(table, outcome, plan, shown_out, ends, watch_of(most_nodes, seconds));
    });
    if (!kept) return nb::none();
    std::vector<SuitSituation> found;
    for (const auto &end : ends) found.push_back(situation_of(end));
    return nb::bytes(found.data(), found.size() * sizeof(SuitSituation));
}

// For every number of tricks, the bytes of sets of worlds, the most that can be won, and the least that has to be.
using SuitGoals = std::vector<std::tuple<nb::bytes, std::int64_t, std::int64_t>>;

SuitBound suit_bound(const SuitGoals &goals, std::int64_t beat) {
    SuitBound bound{{}, beat};
    for (const auto &[bytes, most, least] : goals) {
        expect(bytes.size() % sizeof(Worlds) == 0, "the bytes of whole sets of worlds");
        std::vector<Worlds> sets(bytes.size() / sizeof(Worlds));
        if (!sets.empty()) std::memcpy(sets.data(), bytes.c_str(), bytes.size());
        bound.goals.push_back({std::move(sets), most, least});
    }
    return bound;
}

// A row of weights for every number of tricks, or one for all of them.
Worth suit_worth(const SuitRules &rules, const In<std::int64_t> &weights, int length) {
    expect(weights.ndim() == 2 && (weights.shape(0) == 1 || static_cast<int>(weights.shape(0)) == length),
           "a row of weights, or one for every number of tricks");
    expect_size(weights.shape(1), static_cast<std::size_t>(rules.worlds), "weights of worlds");
    expect_sum(weights.data(), weights.size(), LARGEST_SUM / 16, "weights that are not negative, with a smaller sum");
    return Worth({weights.data(), weights.size()}, weights.shape(1));
}

template <int L>
Shared<SuitSolver<L>> *suit_solver(const SuitRules &rules, In<std::int64_t> weights, bool counting, int length,
                                   const SuitGoals &goals, std::int64_t beat) {
    expect_within(length, 1, MOST_TRICKS, "a number of tricks");
    Worth worth = suit_worth(rules, weights, length);
    SuitBound bound = suit_bound(goals, beat);
    check_bound(bound, length, L);
    return new Shared<SuitSolver<L>>(rules, std::move(worth), counting, length, std::move(bound));
}

template <int L>
void bind_suit_solver(nb::module_ &module) {
    std::string name = "SuitSolver" + std::to_string(L);
    using Solver = Shared<SuitSolver<L>>;
    nb::class_<Solver>(module, name.c_str(), "Several threads may use it: they take turns.")
        .def(nb::new_(&suit_solver<L>))
        .def("front", &bind_suit_front<L>)
        .def("summary", &bind_suit_summary<L>)
        .def("secures", &bind_suit_secures<L>)
        .def("ends", &bind_suit_ends<L>)
        .def_prop_ro("tables", [](Solver &solver) { return solver.ask([](auto &kernel) { return kernel.tables(); }); })
        .def_prop_ro("nodes", [](Solver &solver) { return solver.ask([](auto &kernel) { return kernel.nodes; }); });
}

template <int... L>
void bind_suit_solvers(nb::module_ &module) {
    (bind_suit_solver<L>(module), ...);
    module.attr("SUIT_LEVELS") = nb::make_tuple(L...);
}

// The arrays of the tree: kind, end, move, open worlds, won.
nb::tuple bind_suit_tree(const SuitRules &rules, const SuitTable &root, int words, std::int64_t most_nodes) {
    expect_within(words, 1, SUIT_WORDS, "words of sets of worlds");
    expect(rules.worlds <= 64 * words, "words for all worlds");
    expect_within(most_nodes, 0, MOST_SUIT_NODES, "the most nodes");
    check_fit(rules, root);
    SuitTree tree;
    {
        nb::gil_scoped_release released;
        tree = suit_tree(rules, root, words, watch_of(most_nodes, -1));
    }
    std::size_t leaves = tree.won.size();
    return nb::make_tuple(array_of(std::move(tree.kind)), array_of(std::move(tree.end)), array_of(std::move(tree.move)),
                          rows_of(std::move(tree.open), static_cast<std::size_t>(words)),
                          array_of<bool>(std::move(tree.won), {leaves}));
}

// The worlds that a player wins from a table on, as bytes.
nb::bytes suit_won_by(SuitPlayer &player, const SuitTable &table, std::int64_t most_nodes, double seconds) {
    Worlds wins;
    {
        nb::gil_scoped_release released;
        wins = player.wins(table, watch_of(most_nodes, seconds));
    }
    return nb::bytes(&wins, sizeof(wins));
}

nb::bytes bind_suit_sampling(const SuitRules &rules, In<std::int64_t> weights, const SuitTable &table,
                             std::int64_t most_nodes, double seconds) {
    check_fit(rules, table);
    expect_size(weights.size(), static_cast<std::size_t>(rules.worlds), "weights of worlds");
    expect_sum(weights.data(), weights.size(), LARGEST_SUM / 16, "weights that are not negative, with a smaller sum");
    SamplingPlayer player(rules, Weights({weights.data(), weights.size()}));
    return suit_won_by(player, table, most_nodes, seconds);
}

nb::bytes bind_suit_rule_of_thumb(const SuitRules &rules, bool finesses, const SuitTable &table,
                                  std::int64_t most_nodes, double seconds) {
    check_fit(rules, table);
    expect(rules.free && rules.leader == DECLARER && !table.ruffs, "free entries, no ruffs, and declarer on lead");
    expect(!table.played, "a table between tricks");
    ThumbPlayer player(rules, finesses);
    return suit_won_by(player, table, most_nodes, seconds);
}

}  // namespace

void bind_suits(nb::module_ &module) {
    nb::class_<SuitRules>(module, "SuitRules");
    nb::class_<SuitTable>(module, "SuitTable");
    module.def("suit_rules", &suit_rules);
    module.def("suit_table", &suit_table);
    module.def("suit_tree", &bind_suit_tree);
    module.def("suit_sampling", &bind_suit_sampling);
    module.def("suit_rule_of_thumb", &bind_suit_rule_of_thumb);
    bind_suit_solvers<1, 2, 3, 4, 5, 6, 8, 13>(module);
    module.attr("SUIT_WORDS") = SUIT_WORDS;
    module.attr("SUIT_SITUATION") = sizeof(SuitSituation);
    module.attr("SUIT_CLASSES") = SUIT_CLASSES;
    module.attr("SUIT_NOBODY") = static_cast<int>(NOBODY);
    module.attr("SUIT_UNLIMITED") = static_cast<int>(UNLIMITED);
    module.attr("SUIT_OUT") = static_cast<int>(OUT);
    module.attr("SUIT_RUFF") = static_cast<int>(RUFF);
    module.attr("SUIT_LEADERS") = static_cast<int>(LEADERS);
}
