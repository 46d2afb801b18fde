// Possible-world trees for Python: arrays in, arrays out.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <stdexcept>
#include <tuple>

#include "bindings/bind.hpp"
#include "trees/front.hpp"
#include "trees/passes.hpp"

using namespace worldwise;

namespace {

using Counts = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

Counts counts(const Stats &stats) { return {stats.nodes, stats.leaves, stats.cuts}; }

template <class Word>
Tree<Word> tree_of(const In<std::uint8_t> &kind, const In<std::int32_t> &end, const In<Word> &leaves) {
    if (kind.size() != end.size() || leaves.ndim() != 2) throw std::invalid_argument("kind, end and leaves do not fit");
    return {kind.data(), end.data(), kind.size(), leaves.data(), leaves.shape(1)};
}

template <class L>
using Gain = std::conditional_t<std::is_same_v<L, Masks>, std::int64_t, double>;

// Calls `kernel` with the width as a compile-time constant where it is one word.
template <class L, class Kernel>
auto by_width(std::size_t width, Kernel kernel) {
    if constexpr (std::is_same_v<L, Masks>)
        if (width == 1) return kernel(std::integral_constant<int, 1>{});
    return kernel(std::integral_constant<int, 0>{});
}

Ties ties_of(const std::optional<std::uint64_t> &seed) { return {seed.has_value(), seed.value_or(0)}; }

template <class L>
Counts bind_back_up(In<std::uint8_t> kind, In<std::int32_t> end, In<typename L::Word> leaves, In<Gain<L>> gains,
                    In<typename L::Word> need, In<typename L::Word> rest, std::optional<In<typename L::Word>> bounds,
                    bool beta, bool fused, std::optional<std::uint64_t> seed, std::int64_t most_nodes, double seconds,
                    Out<std::int32_t> chosen, Out<typename L::Word> value, Out<typename L::Word> first,
                    std::optional<Out<typename L::Word>> values) {
    auto tree = tree_of<typename L::Word>(kind, end, leaves);
    Preference<L> prefer{need.data(), rest.data(), bounds ? bounds->data() : nullptr, beta, fused};
    nb::gil_scoped_release released;
    Watch watch = watch_of(most_nodes, seconds);
    Scorer<L> score(gains.data(), gains.size());
    return by_width<L>(tree.width, [&](auto width) {
        return counts(back_up<L, width>(tree, prefer, score, ties_of(seed), watch, chosen.data(), value.data(),
                                        first.data(), values ? values->data() : nullptr));
    });
}

template <class L>
std::tuple<std::int32_t, Counts> bind_alpha_beta(In<std::uint8_t> kind, In<std::int32_t> end,
                                                 In<typename L::Word> leaves, In<Gain<L>> gains,
                                                 In<typename L::Word> all, std::optional<std::uint64_t> seed,
                                                 std::int64_t most_nodes, double seconds, Out<std::int32_t> chosen,
                                                 Out<typename L::Word> value, Out<typename L::Word> first) {
    auto tree = tree_of<typename L::Word>(kind, end, leaves);
    nb::gil_scoped_release released;
    Watch watch = watch_of(most_nodes, seconds);
    Scorer<L> score(gains.data(), gains.size());
    std::int32_t searched = 0;
    Stats stats = by_width<L>(tree.width, [&](auto width) {
        return alpha_beta<L, width>(tree, all.data(), score, ties_of(seed), watch, chosen.data(), value.data(),
                                    first.data(), searched);
    });
    return {searched, counts(stats)};
}

// Returns the MAX nodes reached.
template <class L>
std::tuple<Array<std::int32_t>, Counts> bind_follow(In<std::uint8_t> kind, In<std::int32_t> end,
                                                    In<typename L::Word> leaves, In<Gain<L>> gains,
                                                    In<std::int32_t> chosen, std::optional<In<typename L::Word>> seen,
                                                    std::optional<In<typename L::Word>> hidden,
                                                    Out<typename L::Word> value) {
    auto tree = tree_of<typename L::Word>(kind, end, leaves);
    std::vector<std::int32_t> reached;
    Stats stats;
    {
        nb::gil_scoped_release released;
        Scorer<L> score(gains.data(), gains.size());
        stats = by_width<L>(tree.width, [&](auto width) {
            return follow<L, width>(tree, chosen.data(), seen ? seen->data() : nullptr,
                                    hidden ? hidden->data() : nullptr, score, value.data(), reached);
        });
    }
    return {array_of(std::move(reached)), counts(stats)};
}

template <class L>
std::tuple<bool, Counts> bind_realise(In<std::uint8_t> kind, In<std::int32_t> end, In<typename L::Word> leaves,
                                      In<typename L::Word> target, std::optional<std::uint64_t> seed,
                                      std::int64_t most_nodes, double seconds, Out<std::int32_t> chosen) {
    auto tree = tree_of<typename L::Word>(kind, end, leaves);
    Stats stats;
    nb::gil_scoped_release released;
    Watch watch = watch_of(most_nodes, seconds);
    bool won = by_width<L>(tree.width, [&](auto width) {
        return realise<L, width>(tree, target.data(), ties_of(seed), watch, chosen.data(), stats);
    });
    return {won, counts(stats)};
}

// A row for every vector of the front, or for a table.
template <class Word>
nb::tuple packed(std::vector<Word> front, std::vector<std::vector<Word>> first, std::size_t width, const Stats &stats) {
    nb::list children;
    for (auto &child : first) children.append(rows_of(std::move(child), width));
    return nb::make_tuple(rows_of(std::move(front), width), children, counts(stats));
}

template <class L>
nb::tuple bind_fronts(In<std::uint8_t> kind, In<std::int32_t> end, In<typename L::Word> leaves, std::int64_t most_nodes,
                      double seconds) {
    using Word = typename L::Word;
    auto tree = tree_of<Word>(kind, end, leaves);
    std::vector<Word> front;
    std::vector<std::vector<Word>> first;
    Stats stats;
    {
        nb::gil_scoped_release released;
        Watch watch = watch_of(most_nodes, seconds);
        stats = by_width<L>(tree.width, [&](auto width) { return fronts<L, width>(tree, watch, front, first); });
    }
    return packed(std::move(front), std::move(first), tree.width, stats);
}

nb::tuple bind_tables(In<std::uint8_t> kind, In<std::int32_t> end, In<std::uint64_t> leaves, int bits,
                      std::int64_t most_nodes, double seconds) {
    auto tree = tree_of<std::uint64_t>(kind, end, leaves);
    if (tree.width != 1 || bits > MOST_TABLE_BITS) throw std::invalid_argument("too many bits for a table");
    std::vector<std::uint64_t> table;
    std::vector<std::vector<std::uint64_t>> first;
    Stats stats;
    {
        nb::gil_scoped_release released;
        Watch watch = watch_of(most_nodes, seconds);
        stats = tables(tree, bits, watch, table, first);
    }
    std::size_t words = table.size();
    return packed(std::move(table), std::move(first), words, stats);
}

// A row of leaves for every tree of one shape.
void bind_optimum_of_batch(In<std::uint8_t> kind, In<std::int32_t> end, In<std::uint64_t> leaves, int known,
                           Out<std::int16_t> best) {
    if (leaves.ndim() != 2 || leaves.shape(0) != best.size() || known < 0 || known > MOST_KNOWN)
        throw std::invalid_argument("leaves, known and best do not fit");
    nb::gil_scoped_release released;
    std::vector<std::int8_t> scratch;
    for (std::size_t tree = 0; tree < best.size(); ++tree) {
        Tree<std::uint64_t> one{kind.data(), end.data(), kind.size(), leaves.data() + tree * leaves.shape(1), 1};
        best.data()[tree] = std::int16_t(optimum(one, known, scratch));
    }
}

template <class L>
void bind_lattice(nb::module_ &module) {
    module.def("back_up", &bind_back_up<L>, nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(),
               nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().none(), nb::arg(),
               nb::arg(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg().noconvert(), nb::arg().noconvert(),
               nb::arg().noconvert(), nb::arg().none());
    module.def("alpha_beta", &bind_alpha_beta<L>, nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(),
               nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().none(), nb::arg(), nb::arg(),
               nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert());
    module.def("follow", &bind_follow<L>, nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(),
               nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().none(), nb::arg().none(), nb::arg().noconvert());
    module.def("realise", &bind_realise<L>, nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(),
               nb::arg().noconvert(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg().noconvert());
    module.def("fronts", &bind_fronts<L>, nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(),
               nb::arg(), nb::arg());
}

}  // namespace

void bind_trees(nb::module_ &module) {
    bind_lattice<Masks>(module);
    bind_lattice<Reals>(module);
    module.def("tables", &bind_tables);
    module.def("optimum_of_batch", &bind_optimum_of_batch);
    module.attr("KINDS_OF_NODES") = nb::make_tuple(int{LEAF}, int{MAX}, int{MIN});
    module.attr("MOST_TABLE_BITS") = MOST_TABLE_BITS;
    module.attr("MOST_KNOWN") = MOST_KNOWN;
}
