// Single suits, double dummy and alpha-mu for Python.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <tuple>

#include "bindings/bind.hpp"
#include "bindings/bridge_checks.hpp"
#include "bridge/alphamu.hpp"
#include "bridge/double_dummy.hpp"
#include "bridge/suit.hpp"
#include "bridge/suit_players.hpp"
#include "bridge/suit_tree.hpp"

using namespace worldwise;

namespace {

// ---------------------------------------------------------------------- single suits

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
    module.attr("SUIT_CLASSES") = SUIT_CLASSES;
    module.attr("SUIT_NOBODY") = static_cast<int>(NOBODY);
    module.attr("SUIT_UNLIMITED") = static_cast<int>(UNLIMITED);
    module.attr("SUIT_OUT") = static_cast<int>(OUT);
    module.attr("SUIT_RUFF") = static_cast<int>(RUFF);
    module.attr("SUIT_LEADERS") = static_cast<int>(LEADERS);
}

// ---------------------------------------------------------------------- double dummy

// Positions as rows: four hands, who led, how many cards are on the table, and those.
constexpr int POSITION_WORDS = 9;
using Positions = nb::ndarray<const std::uint64_t, nb::shape<-1, POSITION_WORDS>, nb::c_contig, nb::device::cpu>;
constexpr std::size_t MOST_ENTRIES = std::size_t{1} << 30;  // facts of a solver: their places are numbers of 32 bits

DealPosition deal_position(const std::uint64_t *row) {
    auto number = [&](int place) { return static_cast<int>(std::min<std::uint64_t>(row[place], 64)); };
    return {{row[0], row[1], row[2], row[3]}, number(4), {number(6), number(7), number(8)}, number(5)};
}

std::vector<DealPosition> checked_positions(const Positions &rows, const DoubleDummy &solver) {
    std::vector<DealPosition> positions;
    for (std::size_t row = 0; row < rows.shape(0); ++row) {
        positions.push_back(deal_position(rows.data() + POSITION_WORDS * row));
        check_position(positions.back(), solver);
    }
    return positions;
}

template <class Answer>
Array<Answer> answers_of(std::vector<std::uint8_t> answers) {
    std::size_t size = answers.size();
    return array_of<Answer>(std::move(answers), {size});
}

// For each position; the limit is for all of them together.
Array<bool> bind_can_take(DoubleDummy &solver, const Positions &rows, In<std::int32_t> targets, std::int64_t most_nodes,
                          double seconds) {
    expect_size(targets.size(), rows.shape(0), "targets");
    const std::vector<DealPosition> positions = checked_positions(rows, solver);
    std::vector<std::uint8_t> taken;
    {
        nb::gil_scoped_release released;
        Watch watch = watch_of(most_nodes, seconds);
        taken = solver.can_take_all(positions, targets.data(), watch);
    }
    return answers_of<bool>(std::move(taken));
}

Array<std::uint8_t> bind_tricks(DoubleDummy &solver, const Positions &rows, std::int64_t most_nodes, double seconds) {
    const std::vector<DealPosition> positions = checked_positions(rows, solver);
    std::vector<std::uint8_t> found;
    {
        nb::gil_scoped_release released;
        Watch watch = watch_of(most_nodes, seconds);
        found = solver.tricks_of_all(positions, watch);
    }
    return answers_of<std::uint8_t>(std::move(found));
}

// Whether the side of `seat`, or if that is -1 the side to move, can take so many tricks of a position.
bool side_takes(DoubleDummy &solver, const DealPosition &position, const Hands &dealt, int seat, std::int64_t tricks) {
    bool ours = ((seat < 0 ? position.leader + position.played : seat) & 1) == 0;
    int wanted = clamped_tricks(tricks), target = ours ? wanted : std::popcount(dealt[0]) - wanted + 1;
    Watch watch = watch_of(-1, -1);
    return ours == solver.can_take(position, target, watch);
}

// One question, for endings where the way in and out is most of the time.
bool bind_can_take_one(DoubleDummy &solver, std::uint64_t north, std::uint64_t east, std::uint64_t south,
                       std::uint64_t west, int leader, int played, int first, int second, int third, int trumps,
                       int seat, std::int64_t tricks) {
    nb::gil_scoped_release released;
    DealPosition position{{north, east, south, west}, leader, {first, second, third}, played};
    const Hands dealt = checked_deal(position);
    check_part(dealt, solver);
    expect(trumps == solver.trumps(), "the trumps of the solver");
    expect_within(seat, -1, 3, "a seat");
    return side_takes(solver, position, dealt, seat, tricks);
}

// The same about one position, nothing kept.
bool bind_can_take_once(std::uint64_t north, std::uint64_t east, std::uint64_t south, std::uint64_t west, int leader,
                        int played, int first, int second, int third, int trumps, int seat, std::int64_t tricks) {
    nb::gil_scoped_release released;
    DealPosition position{{north, east, south, west}, leader, {first, second, third}, played};
    const Hands dealt = checked_deal(position);
    check_trumps(trumps);
    expect_within(seat, -1, 3, "a seat");
    DoubleDummy solver(dealt, trumps, 1 << 20);
    return side_takes(solver, position, dealt, seat, tricks);
}

DoubleDummy *new_double_dummy(std::uint64_t north, std::uint64_t east, std::uint64_t south, std::uint64_t west,
                              int trumps, std::size_t most_entries) {
    const Hands hands{north, east, south, west};
    check_hands(hands);
    check_trumps(trumps);
    return new DoubleDummy(hands, trumps, std::min(most_entries, MOST_ENTRIES));
}

// What somebody else may be writing is read in turn, and who waits for his turn holds no GIL.
using WithoutGil = nb::call_guard<nb::gil_scoped_release>;

void bind_double_dummy(nb::module_ &module) {
    nb::class_<DoubleDummy>(module, "DoubleDummy", "Several threads may use it: they take turns.")
        .def(nb::new_(&new_double_dummy))
        .def("can_take", &bind_can_take_one)
        .def("can_take_all", &bind_can_take)
        .def("tricks_of_all", &bind_tricks)
        .def_prop_ro("nodes", &DoubleDummy::nodes, WithoutGil())
        .def_prop_ro("entries", &DoubleDummy::entries, WithoutGil());
    module.def("can_take", &bind_can_take_once);
    module.attr("POSITION_WORDS") = POSITION_WORDS;
}

// ---------------------------------------------------------------------- alpha-mu

constexpr int MOST_CARDS = 52;  // no search looks further ahead

// A search with its threads.
template <int K>
struct AlphaMuThreads {
    AlphaMuThreads(const AlphaMuTask &task, const AlphaMuSwitches &switches, const std::vector<DoubleDummy *> &solvers,
                   int threads)
        : workers(threads), search(task, switches, solvers, workers) {}

    Workers workers;
    AlphaMuSearch<K> search;
};

// A search of alpha-mu that is asked about one card after the other. Solvers belong to the worlds, in order.
template <int K>
class AlphaMu {
    using Search = AlphaMuSearch<K>;
    using Code = typename Search::Code;

  public:
    AlphaMu(const AlphaMuTask &task, const AlphaMuSwitches &switches, std::vector<nb::object> kept,
            const std::vector<DoubleDummy *> &solvers, int threads)
        : kept_(std::move(kept)), shared_(task, switches, solvers, threads) {}

    // The front of a card, and whether it is final. Codes are long numbers to Python, so they come as bytes.
    nb::tuple ask(int card, int depth, std::int64_t need, const nb::bytes &beside, std::int64_t most_nodes,
                  double seconds) {
        expect_within(depth, 1, MOST_CARDS, "a depth");
        expect(beside.size() % sizeof(Code) == 0, "the bytes of whole outcomes");
        typename Search::Front others(beside.size() / sizeof(Code));
        if (!others.empty()) std::memcpy(others.data(), beside.c_str(), beside.size());
        typename Search::Found found = shared_.ask([&](AlphaMuThreads<K> &kernel) {
            expect(kernel.search.offers(card), "a card that MAX may play, the highest of those that touch it");
            Watch watch = watch_of(most_nodes, seconds);
            return kernel.search.search(card, depth, need, others, watch);
        });
        nb::bytes front(found.front.data(), found.front.size() * sizeof(Code));
        return nb::make_tuple(front, found.final);
    }

    nb::tuple counts() {
        const AlphaMuCounts n = shared_.ask([](AlphaMuThreads<K> &kernel) { return kernel.search.counts; });
        return nb::make_tuple(n.nodes, n.leaves, n.solved, n.early, n.alpha, n.worlds, n.win, n.empty_entry, n.score);
    }

  private:
    std::vector<nb::object> kept_;  // the solvers, as Python has them: they live as long as the search
    Shared<AlphaMuThreads<K>> shared_;
};

template <int K>
void bind_alpha_mu_of(nb::module_ &module) {
    std::string name = "AlphaMu" + std::to_string(K);
    nb::class_<AlphaMu<K>>(module, name.c_str(), "Several threads may use it: they take turns.")
        .def("ask", &AlphaMu<K>::ask)
        .def_prop_ro("counts", &AlphaMu<K>::counts)
        .def_prop_ro("words", [](const AlphaMu<K> &) { return K; });
}

template <int K>
nb::object new_alpha_mu(const AlphaMuTask &task, const AlphaMuSwitches &switches, const nb::list &list,
                        const std::vector<DoubleDummy *> &solvers, int threads) {
    std::vector<nb::object> kept;
    for (nb::handle solver : list) kept.push_back(nb::borrow(solver));
    return nb::cast(new AlphaMu<K>(task, switches, std::move(kept), solvers, threads), nb::rv_policy::take_ownership);
}

std::vector<DoubleDummy *> solvers_in(const nb::list &list) {
    std::vector<DoubleDummy *> solvers;
    for (nb::handle item : list) {
        DoubleDummy *solver = nullptr;
        expect(nb::try_cast(item, solver) && solver != nullptr, "a solver for every world");
        solvers.push_back(solver);
    }
    return solvers;
}

nb::object bind_alpha_mu(In<std::uint64_t> worlds, int trumps, int leader, int side,
                         const std::tuple<int, int, int> &trick, int played, bool make, int first,
                         In<std::int64_t> gains, const std::tuple<bool, bool, bool, bool, bool> &on,
                         const nb::list &kept, int threads) {
    expect(worlds.ndim() == 2 && worlds.shape(1) == 4 && worlds.shape(0) > 0, "four hands for every world");
    expect_size(kept.size(), worlds.shape(0), "solvers, one for every world");
    const std::size_t bits = gains.size();
    expect_within(static_cast<std::int64_t>(bits), 1, ALPHA_MU_BITS, "a number of gains");
    expect(bits % worlds.shape(0) == 0 && bits / worlds.shape(0) <= 64, "as many gains for every world, at most 64");
    AlphaMuTask task{{}, trumps, leader, side, {}, played, make, first, {gains.data(), gains.data() + gains.size()}};
    std::tie(task.trick[0], task.trick[1], task.trick[2]) = trick;
    for (std::size_t world = 0; world < worlds.shape(0); ++world) {
        const std::uint64_t *row = worlds.data() + 4 * world;
        task.worlds.push_back({row[0], row[1], row[2], row[3]});
    }
    const std::vector<DoubleDummy *> solvers = solvers_in(kept);
    check_task(task, solvers);
    AlphaMuSwitches switches{std::get<0>(on), std::get<1>(on), std::get<2>(on), std::get<3>(on), std::get<4>(on)};
    if (bits <= 64) return new_alpha_mu<1>(task, switches, kept, solvers, threads);
    if (bits <= 128) return new_alpha_mu<2>(task, switches, kept, solvers, threads);
    if (bits <= 256) return new_alpha_mu<4>(task, switches, kept, solvers, threads);
    if (bits <= 512) return new_alpha_mu<8>(task, switches, kept, solvers, threads);
    return new_alpha_mu<ALPHA_MU_BITS / 64>(task, switches, kept, solvers, threads);
}

void bind_alpha_mu_search(nb::module_ &module) {
    bind_alpha_mu_of<1>(module);
    bind_alpha_mu_of<2>(module);
    bind_alpha_mu_of<4>(module);
    bind_alpha_mu_of<8>(module);
    bind_alpha_mu_of<32>(module);
    module.def("alpha_mu", &bind_alpha_mu, "A search; `threads` are at least 1 and at most MOST_THREADS of them.");
    module.attr("MOST_THREADS") = Workers::most_threads();
    module.attr("ANYTHING") = ANYTHING;
    module.attr("ALPHA_MU_BITS") = ALPHA_MU_BITS;
}

}  // namespace

void bind_bridge(nb::module_ &module) {
    bind_suits(module);
    bind_double_dummy(module);
    bind_alpha_mu_search(module);
}
