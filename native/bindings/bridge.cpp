// Double dummy and alpha-mu for Python.
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <tuple>

#include "bindings/bind.hpp"
#include "bindings/bridge_checks.hpp"
#include "bridge/alphamu.hpp"
#include "bridge/double_dummy.hpp"

using namespace worldwise;

namespace {

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
    bind_double_dummy(module);
    bind_alpha_mu_search(module);
}
