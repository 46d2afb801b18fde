// Single suits, double dummy and alpha-mu for Python.
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string>
#include <tuple>

#include "bindings/bind.hpp"
#include "bridge/alphamu.hpp"
#include "bridge/double_dummy.hpp"
#include "bridge/suit.hpp"
#include "bridge/suit_tree.hpp"

using namespace worldwise;

namespace {

// ---------------------------------------------------------------------- single suits

// Rows of `worlds`: how many cards of each class West holds.
SuitRules suit_rules(In<std::uint8_t> sizes, In<std::uint8_t> tops, In<std::uint8_t> worlds, bool lean, bool free) {
    if (sizes.size() != tops.size() || sizes.size() > SUIT_CLASSES || worlds.ndim() != 2 ||
        worlds.shape(1) != sizes.size() || worlds.shape(0) > 64 * SUIT_WORDS)
        throw std::invalid_argument("sizes, tops and worlds do not fit");
    SuitRules rules;
    rules.classes = static_cast<int>(sizes.size());
    rules.lean = lean, rules.free = free;
    std::copy_n(sizes.data(), sizes.size(), rules.size.begin());
    std::copy_n(tops.data(), tops.size(), rules.top.begin());
    for (std::size_t world = 0; world < worlds.shape(0); ++world) {
        int number = static_cast<int>(world), west = 0, east = 0;
        rules.all.set(number);
        for (int c = 0; c < rules.classes; ++c) {
            int has = worlds.data()[world * sizes.size() + c], other = rules.size[c] - has;
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
                     int south_entries) {
    if (west.size() > SUIT_CLASSES || east.size() != west.size() || trick.size() % 2 || trick.size() > 6)
        throw std::invalid_argument("west, east and trick do not fit");
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
    return table;
}

// A front as the bytes of its outcomes, SUIT_WORDS words for every level: to Python they are long numbers, which are
// made of bytes.
template <int L>
nb::bytes bind_suit_front(SuitSolver<L> &solver, const SuitTable &table, std::int64_t most_nodes, double seconds) {
    SuitFront<L> front;
    {
        nb::gil_scoped_release released;
        Watch watch = watch_of(most_nodes, seconds);
        front = solver.at(table, watch);
    }
    return nb::bytes(front.data(), front.size() * sizeof(Outcome<L>));
}

// The best outcome's bytes, its weight, the bytes of all that can be won, and those of outcomes within which all are.
template <int L>
nb::tuple bind_suit_summary(SuitSolver<L> &solver, const SuitTable &table, std::int64_t most_nodes, double seconds) {
    SuitSummary<L> found;
    {
        nb::gil_scoped_release released;
        Watch watch = watch_of(most_nodes, seconds);
        found = solver.summary(table, watch);
    }
    return nb::make_tuple(nb::bytes(&found.best, sizeof(Outcome<L>)), found.weight,
                          nb::bytes(&found.any, sizeof(Outcome<L>)),
                          nb::bytes(found.sets.data(), found.sets.size() * sizeof(Outcome<L>)));
}

template <int L>
bool bind_suit_secures(SuitSolver<L> &solver, const SuitTable &table, const nb::bytes &wanted, std::int64_t most_nodes,
                       double seconds) {
    if (wanted.size() != sizeof(Outcome<L>)) throw std::invalid_argument("wanted is no outcome");
    Outcome<L> outcome;
    std::memcpy(&outcome, wanted.c_str(), sizeof(outcome));
    nb::gil_scoped_release released;
    Watch watch = watch_of(most_nodes, seconds);
    return solver.secures(table, outcome, watch);
}

// `goals` holds, for every number of tricks, the bytes of sets of worlds and the most that can be won.
SuitBound suit_bound(const nb::list &goals, std::int64_t beat) {
    SuitBound bound{{}, beat};
    for (nb::handle goal : goals) {
        auto pair = nb::cast<nb::tuple>(goal);
        auto bytes = nb::cast<nb::bytes>(pair[0]);
        std::vector<Worlds> sets(bytes.size() / sizeof(Worlds));
        std::memcpy(sets.data(), bytes.c_str(), sets.size() * sizeof(Worlds));
        bound.goals.push_back({std::move(sets), nb::cast<std::int64_t>(pair[1])});
    }
    return bound;
}

template <int L>
SuitSolver<L> *suit_solver(const SuitRules &rules, In<std::int64_t> weights, bool counting, int length,
                           const nb::list &goals, std::int64_t beat) {
    std::vector<std::int64_t> copied(weights.data(), weights.data() + weights.size());
    return new SuitSolver<L>(rules, copied, counting, length, suit_bound(goals, beat));
}

template <int L>
void bind_suit_solver(nb::module_ &module) {
    std::string name = "SuitSolver" + std::to_string(L);
    nb::class_<SuitSolver<L>>(module, name.c_str())
        .def(nb::new_(&suit_solver<L>))
        .def("front", &bind_suit_front<L>)
        .def("summary", &bind_suit_summary<L>)
        .def("secures", &bind_suit_secures<L>)
        .def_prop_ro("tables", &SuitSolver<L>::tables)
        .def_ro("nodes", &SuitSolver<L>::nodes);
}

template <int... L>
void bind_suit_solvers(nb::module_ &module) {
    (bind_suit_solver<L>(module), ...);
    module.attr("SUIT_LEVELS") = nb::make_tuple(L...);
}

// The arrays of the tree: kind, end, move, open worlds, won.
nb::tuple bind_suit_tree(const SuitRules &rules, const SuitTable &root, int words, std::int64_t most_nodes) {
    if (words < 1 || words > SUIT_WORDS) throw std::invalid_argument("words do not fit");
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

void bind_suits(nb::module_ &module) {
    nb::class_<SuitRules>(module, "SuitRules");
    nb::class_<SuitTable>(module, "SuitTable");
    module.def("suit_rules", &suit_rules);
    module.def("suit_table", &suit_table);
    module.def("suit_tree", &bind_suit_tree);
    bind_suit_solvers<1, 2, 3, 4, 5, 6, 8, 13>(module);
    module.attr("SUIT_WORDS") = SUIT_WORDS;
    module.attr("SUIT_CLASSES") = SUIT_CLASSES;
    module.attr("SUIT_NOBODY") = static_cast<int>(NOBODY);
    module.attr("SUIT_UNLIMITED") = static_cast<int>(UNLIMITED);
    module.attr("SUIT_OUT") = static_cast<int>(OUT);
}

// ---------------------------------------------------------------------- double dummy

// Positions as rows: four hands, who led, how many cards are on the table, and those.
constexpr int POSITION_WORDS = 9;
using Positions = nb::ndarray<const std::uint64_t, nb::shape<-1, POSITION_WORDS>, nb::c_contig, nb::device::cpu>;

DealPosition deal_position(const std::uint64_t *row) {
    auto number = [&](int place) { return static_cast<int>(row[place]); };
    return {{row[0], row[1], row[2], row[3]}, number(4), {number(6), number(7), number(8)}, number(5)};
}

// For each position, what `ask` makes of it; the limit is for all of them together.
template <class Answer, class Ask>
Array<Answer> of_all(DoubleDummy &solver, const Positions &positions, std::int64_t most_nodes, double seconds,
                     Ask ask) {
    std::vector<std::uint8_t> answers(positions.shape(0));
    {
        nb::gil_scoped_release released;
        solver.count_from_zero();
        Watch watch = watch_of(most_nodes, seconds);
        for (std::size_t row = 0; row < answers.size(); ++row)
            answers[row] =
                static_cast<std::uint8_t>(ask(row, deal_position(positions.data() + POSITION_WORDS * row), watch));
    }
    std::size_t size = answers.size();
    return array_of<Answer>(std::move(answers), {size});
}

Array<bool> bind_can_take(DoubleDummy &solver, const Positions &positions, In<std::int32_t> targets,
                          std::int64_t most_nodes, double seconds) {
    if (targets.size() != positions.shape(0)) throw std::invalid_argument("positions and targets do not fit");
    auto ask = [&](std::size_t row, const DealPosition &position, Watch &watch) {
        return solver.can_take(position, targets.data()[row], watch);
    };
    return of_all<bool>(solver, positions, most_nodes, seconds, ask);
}

Array<std::uint8_t> bind_tricks(DoubleDummy &solver, const Positions &positions, std::int64_t most_nodes,
                                double seconds) {
    auto ask = [&](std::size_t, const DealPosition &position, Watch &watch) { return solver.tricks(position, watch); };
    return of_all<std::uint8_t>(solver, positions, most_nodes, seconds, ask);
}

// One question, for endings where the way in and out is most of the time.
bool bind_can_take_one(DoubleDummy &solver, std::uint64_t north, std::uint64_t east, std::uint64_t south,
                       std::uint64_t west, int leader, int played, int first, int second, int third, int target) {
    nb::gil_scoped_release released;
    Watch watch = watch_of(-1, -1);
    return solver.can_take({{north, east, south, west}, leader, {first, second, third}, played}, target, watch);
}

// One question about one position, nothing kept: can the side of `seat`, or if that is negative the side to move, take
// so many tricks?
bool bind_can_take_once(std::uint64_t north, std::uint64_t east, std::uint64_t south, std::uint64_t west, int leader,
                        int played, int first, int second, int third, int trumps, int seat, int tricks) {
    nb::gil_scoped_release released;
    DealPosition position{{north, east, south, west}, leader, {first, second, third}, played};
    Hands dealt = position.dealt();
    int size = std::popcount(dealt[0]);
    for (CardSet hand : dealt)
        if (std::popcount(hand) != size) throw std::invalid_argument("the hands differ in size");
    bool ours = ((seat < 0 ? leader + played : seat) & 1) == 0;
    Watch watch = watch_of(-1, -1);
    return ours == DoubleDummy(dealt, trumps, 1 << 20).can_take(position, ours ? tricks : size - tricks + 1, watch);
}

void bind_double_dummy(nb::module_ &module) {
    nb::class_<DoubleDummy>(module, "DoubleDummy")
        .def(nb::new_(
            [](std::uint64_t north, std::uint64_t east, std::uint64_t south, std::uint64_t west, int trumps,
               std::size_t most_entries) { return new DoubleDummy({north, east, south, west}, trumps, most_entries); }))
        .def("can_take", &bind_can_take_one)
        .def("can_take_all", &bind_can_take)
        .def("tricks_of_all", &bind_tricks)
        .def_ro("nodes", &DoubleDummy::nodes)
        .def_prop_ro("entries", &DoubleDummy::entries);
    module.def("can_take", &bind_can_take_once);
    module.attr("POSITION_WORDS") = POSITION_WORDS;
}

// ---------------------------------------------------------------------- alpha-mu

// A search of alpha-mu that is asked about one card after the other. Solvers belong to the worlds, in order; Python
// keeps them alive.
template <int K>
struct AlphaMu {
    using Search = AlphaMuSearch<K>;

    AlphaMu(const AlphaMuTask &task, const AlphaMuSwitches &switches, const std::vector<DoubleDummy *> &solvers,
            int threads)
        : workers(threads), search(task, switches, solvers, workers) {}

    // The front of a card, and whether it is final. Codes are long numbers to Python, so they come as bytes.
    nb::tuple ask(int card, int depth, std::int64_t need, const nb::bytes &beside, std::int64_t most_nodes,
                  double seconds) {
        if (depth < 1 || !search.offers(card)) throw std::invalid_argument("no such card, or no depth");
        if (beside.size() % sizeof(typename Search::Code) != 0) throw std::invalid_argument("beside is no front");
        typename Search::Front others(beside.size() / sizeof(typename Search::Code));
        std::memcpy(others.data(), beside.c_str(), beside.size());
        typename Search::Found found;
        {
            nb::gil_scoped_release released;
            Watch watch = watch_of(most_nodes, seconds);
            found = search.search(card, depth, need, others, watch);
        }
        nb::bytes front(found.front.data(), found.front.size() * sizeof(typename Search::Code));
        return nb::make_tuple(front, found.final);
    }

    nb::tuple counts() const {
        const AlphaMuCounts &n = search.counts;
        return nb::make_tuple(n.nodes, n.leaves, n.solved, n.early, n.alpha, n.worlds, n.win, n.empty_entry, n.score);
    }

    Workers workers;
    Search search;
};

template <int K>
void bind_alpha_mu_of(nb::module_ &module) {
    std::string name = "AlphaMu" + std::to_string(K);
    nb::class_<AlphaMu<K>>(module, name.c_str())
        .def("ask", &AlphaMu<K>::ask)
        .def_prop_ro("counts", &AlphaMu<K>::counts)
        .def_prop_ro("words", [](const AlphaMu<K> &) { return K; });
}

template <int K>
nb::object new_alpha_mu(const AlphaMuTask &task, const AlphaMuSwitches &switches,
                        const std::vector<DoubleDummy *> &solvers, int threads) {
    return nb::cast(new AlphaMu<K>(task, switches, solvers, threads), nb::rv_policy::take_ownership);
}

nb::object bind_alpha_mu(In<std::uint64_t> worlds, int trumps, int leader, int side,
                         const std::tuple<int, int, int> &trick, int played, bool make, int first,
                         In<std::int64_t> gains, const std::tuple<bool, bool, bool, bool, bool> &on,
                         const nb::list &kept, int threads) {
    if (worlds.ndim() != 2 || worlds.shape(1) != 4 || worlds.shape(0) == 0 || kept.size() != worlds.shape(0))
        throw std::invalid_argument("worlds and solvers do not fit");
    std::size_t bits = gains.size();
    if (bits == 0 || bits % worlds.shape(0) != 0 || bits / worlds.shape(0) > 64)
        throw std::invalid_argument("worlds and gains do not fit");
    AlphaMuTask task{{}, trumps, leader, side, {}, played, make, first, {gains.data(), gains.data() + gains.size()}};
    std::tie(task.trick[0], task.trick[1], task.trick[2]) = trick;
    for (std::size_t world = 0; world < worlds.shape(0); ++world) {
        const std::uint64_t *row = worlds.data() + 4 * world;
        task.worlds.push_back({row[0], row[1], row[2], row[3]});
    }
    std::vector<DoubleDummy *> solvers;
    for (nb::handle solver : kept) solvers.push_back(nb::cast<DoubleDummy *>(solver));
    AlphaMuSwitches switches{std::get<0>(on), std::get<1>(on), std::get<2>(on), std::get<3>(on), std::get<4>(on)};
    if (bits <= 64) return new_alpha_mu<1>(task, switches, solvers, threads);
    if (bits <= 128) return new_alpha_mu<2>(task, switches, solvers, threads);
    if (bits <= 256) return new_alpha_mu<4>(task, switches, solvers, threads);
    if (bits <= 512) return new_alpha_mu<8>(task, switches, solvers, threads);
    if (bits <= ALPHA_MU_BITS) return new_alpha_mu<ALPHA_MU_BITS / 64>(task, switches, solvers, threads);
    throw std::invalid_argument("too many worlds");
}

void bind_alpha_mu_search(nb::module_ &module) {
    bind_alpha_mu_of<1>(module);
    bind_alpha_mu_of<2>(module);
    bind_alpha_mu_of<4>(module);
    bind_alpha_mu_of<8>(module);
    bind_alpha_mu_of<32>(module);
    // The search keeps its solvers alive.
    module.def("alpha_mu", &bind_alpha_mu, nb::keep_alive<0, 11>());
    module.attr("ANYTHING") = ANYTHING;
    module.attr("ALPHA_MU_BITS") = ALPHA_MU_BITS;
}

}  // namespace

void bind_bridge(nb::module_ &module) {
    bind_suits(module);
    bind_double_dummy(module);
    bind_alpha_mu_search(module);
}
