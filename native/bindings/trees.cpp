// Possible-world trees for Python: arrays in, arrays out.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <limits>
#include <optional>
#include <tuple>
#include <type_traits>

#include "bindings/bind.hpp"
#include "bindings/tree_checks.hpp"
#include "trees/front.hpp"
#include "trees/passes.hpp"

using namespace worldwise;

namespace {

using Counts = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

Counts counts(const Stats &stats) { return {stats.nodes, stats.leaves, stats.cuts}; }

// Where fronts are sorted, payoffs must have an order.
void check_payoffs(const double *payoffs, std::size_t size) {
    bool ordered = true;
    for (std::size_t i = 0; i < size; ++i) ordered &= payoffs[i] > -std::numeric_limits<double>::infinity();
    expect(ordered, "payoffs that are numbers, or infinite where undefined");
}

template <class Word>
Tree<Word> tree_of(const In<std::uint8_t> &kind, const In<std::int32_t> &end, const In<Word> &leaves) {
    expect_size(end.size(), kind.size(), "ends of nodes");
    expect(leaves.ndim() == 2 && leaves.shape(1) > 0, "a row of payoffs for every leaf");
    expect_size(leaves.shape(0), checked_leaves(kind.data(), end.data(), kind.size()), "rows, one for every leaf");
    if constexpr (std::is_same_v<Word, double>) check_payoffs(leaves.data(), leaves.size());
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

// A gain for every bit, which no vector goes beyond, or a weight for every world.
void check_gains(const In<std::int64_t> &gains, std::size_t width) {
    expect(gains.size() <= 64 * width, "no more gains than bits");
    expect_sum(gains.data(), gains.size(), LARGEST_SUM, "gains that are not negative, with a smaller sum");
}

void check_gains(const In<double> &gains, std::size_t width) {
    expect_size(gains.size(), width, "weights of worlds");
    expect_weights(gains.data(), gains.size());
}

// Bits beyond the last gain would be counted as if they had one.
void check_counted(const In<std::uint64_t> &vector, std::size_t bits) {
    for (std::size_t i = 0; i < vector.size(); ++i) {
        std::uint64_t beyond = bits >= 64 * i + 64 ? 0 : ~std::uint64_t{0} << (bits > 64 * i ? bits % 64 : 0);
        expect((vector.data()[i] & beyond) == 0, "no more bits than gains");
    }
}

void check_counted(const In<double> &, std::size_t) {}

template <class Word>
void check_vector(const In<Word> &vector, std::size_t width) {
    expect_size(vector.size(), width, "words in a vector");
}

// What a pass fills: a move for every node, the root's vector, and those of its children.
template <class Word>
void check_filled(const Tree<Word> &tree, const Out<std::int32_t> &chosen, const Out<Word> &value,
                  const Out<Word> &first) {
    expect_size(chosen.size(), tree.nodes, "moves to fill");
    expect_size(value.size(), tree.width, "words to fill");
    expect_size(first.size(), children_of_root(tree.end, tree.nodes) * tree.width, "words to fill for first moves");
}

Ties ties_of(const std::optional<std::uint64_t> &seed) { return {seed.has_value(), seed.value_or(0)}; }

template <class L>
Counts bind_back_up(In<std::uint8_t> kind, In<std::int32_t> end, In<typename L::Word> leaves, In<Gain<L>> gains,
                    In<typename L::Word> need, In<typename L::Word> rest, bool guess_first,
                    std::optional<In<typename L::Word>> bounds, bool beta, bool fused, std::optional<std::uint64_t> seed, std::int64_t most_nodes, double seconds,
                    Out<std::int32_t> chosen, Out<typename L::Word> value, Out<typename L::Word> first,
                    std::optional<Out<typename L::Word>> values) {
    auto tree = tree_of<typename L::Word>(kind, end, leaves);
    check_gains(gains, tree.width);
    check_vector(need, tree.width), check_vector(rest, tree.width);
    check_counted(rest, gains.size());
    check_filled(tree, chosen, value, first);
    const std::size_t words = tree.nodes * tree.width;
    if (bounds) expect_size(bounds->size(), words, "words of bounds");
    if (values) expect_size(values->size(), words, "words to fill for all nodes");
    const auto read = {Stretch(kind), Stretch(end), Stretch(leaves), Stretch(need), Stretch(rest)};
    expect_apart({Stretch(chosen), Stretch(value), Stretch(first)}, read);
    if (values) expect_apart({Stretch(*values)}, read);
    if (bounds) expect_apart({Stretch(chosen), Stretch(value), Stretch(first)}, {Stretch(*bounds)});
    if (values && bounds) expect_apart({Stretch(*values)}, {Stretch(*bounds)});
    Preference<L> prefer{need.data(), rest.data(), guess_first, bounds ? bounds->data() : nullptr, beta, fused};
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
    check_gains(gains, tree.width);
    check_vector(all, tree.width), check_counted(all, gains.size());
    check_filled(tree, chosen, value, first);
    expect_apart({Stretch(chosen), Stretch(value), Stretch(first)},
                 {Stretch(kind), Stretch(end), Stretch(leaves), Stretch(all)});
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
    check_gains(gains, tree.width);
    expect_size(chosen.size(), tree.nodes, "moves");
    expect(seen.has_value() == hidden.has_value(), "worlds that are seen and worlds that are hidden, or neither");
    if (seen) check_vector(*seen, tree.width), check_vector(*hidden, tree.width), check_counted(*hidden, gains.size());
    expect_size(value.size(), tree.width, "words to fill");
    expect_apart({Stretch(value)}, {Stretch(kind), Stretch(end), Stretch(leaves), Stretch(chosen)});
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
    check_vector(target, tree.width);
    expect_size(chosen.size(), tree.nodes, "moves to fill");
    expect_apart({Stretch(chosen)}, {Stretch(kind), Stretch(end), Stretch(leaves), Stretch(target)});
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
    expect(tree.width == 1, "leaves of one word");
    expect_within(bits, 0, MOST_TABLE_BITS, "bits of a table");
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
    expect(leaves.ndim() == 2, "a row of leaves for every tree");
    expect_size(end.size(), kind.size(), "ends of nodes");
    expect_size(leaves.shape(1), checked_leaves(kind.data(), end.data(), kind.size()), "leaves in a row");
    expect_size(best.size(), leaves.shape(0), "numbers to fill");
    expect_within(known, 0, MOST_KNOWN, "a number of known worlds");
    expect_apart({Stretch(best)}, {Stretch(kind), Stretch(end), Stretch(leaves)});
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
               nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(), nb::arg(), nb::arg().none(),
               nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg().noconvert(),
               nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().none());
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
