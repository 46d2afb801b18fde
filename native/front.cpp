#include "front.hpp"

#include <algorithm>
#include <numeric>

namespace worldwise {
namespace {

// Keys that grow along the order of vectors, so that sorting by them puts what dominates first.
inline int height(const std::uint64_t *vector, std::size_t width) {
    int bits = 0;
    for (std::size_t i = 0; i < width; ++i) bits += std::popcount(vector[i]);
    return bits;
}

template <class L, int W>
class FrontPass {
    using Word = typename L::Word;
    using Front = std::vector<Word>;

  public:
    FrontPass(const Tree<Word> &tree, const Watch &watch) : tree_(tree), watch_(watch), v_{tree.width} {}

    Stats run(Front &front, std::vector<Front> &first) {
        std::vector<std::int32_t> open;
        std::vector<Front> sums;  // of the open nodes
        std::vector<bool> begun;
        Stats stats;
        const Word *next_leaf = tree_.leaves;

        auto deliver = [&](Front &&child) {
            if (open.empty()) {
                front = std::move(child);
                return;
            }
            if (open.size() == 1) first.push_back(child);
            Front &sum = sums.back();
            if (!begun.back()) sum = std::move(child);
            else if (tree_.kind[open.back()] == MAX) sum.insert(sum.end(), child.begin(), child.end());
            else meet(sum, child);
            begun.back() = true;
        };
        auto close = [&] {
            Front done = std::move(sums.back());
            bool united = tree_.kind[open.back()] == MAX;
            open.pop_back(), sums.pop_back(), begun.pop_back();
            if (united) keep_undominated(done);
            deliver(std::move(done));
        };

        for (std::size_t node = 0; node < tree_.nodes; ++node) {
            while (!open.empty() && std::size_t(tree_.end[open.back()]) == node) close();
            watch_.node(++stats.nodes);
            if (tree_.kind[node] == LEAF) {
                ++stats.leaves;
                deliver(Front(next_leaf, next_leaf + v_.width()));
                next_leaf += v_.width();
            } else {
                open.push_back(std::int32_t(node));
                sums.emplace_back();
                begun.push_back(false);
            }
        }
        while (!open.empty()) close();
        return stats;
    }

  private:
    // MIN: all pairs. One vector that is no better than some vector of the other side survives as it is and
    // dominates its other meets, which alone removes most pairs of fronts that agree.
    void meet(Front &sum, const Front &with) {
        const std::size_t w = v_.width();
        products_.clear();
        for (std::size_t i = 0; i < sum.size(); i += w) {
            bool survives = false;
            for (std::size_t j = 0; j < with.size() && !survives; j += w) survives = v_.no_better(&sum[i], &with[j]);
            if (survives) {
                products_.insert(products_.end(), &sum[i], &sum[i] + w);
                continue;
            }
            std::size_t at = products_.size();
            products_.resize(at + with.size());
            for (std::size_t j = 0; j < with.size(); j += w)
                for (std::size_t k = 0; k < w; ++k) products_[at++] = L::meet(sum[i + k], with[j + k]);
            if (products_.size() > (std::size_t(1) << 22)) {  // keep memory in bounds: thin out now and then
                keep_undominated(products_);
                watch_.poll();
            }
        }
        keep_undominated(products_);
        sum.assign(products_.begin(), products_.end());
    }

    void keep_undominated(Front &front) {
        const std::size_t w = v_.width(), size = front.size() / w;
        if (size < 2) return;
        sort_by_height(front, size);
        kept_.clear();
        for (std::size_t i = 0; i < size; ++i) {
            const Word *vector = &sorted_[i * w];
            if (i && v_.equal(vector, vector - w)) continue;
            if (!dominated(vector)) kept_.insert(kept_.end(), vector, vector + w);
            if (i % 4096 == 4095) watch_.poll();
        }
        front.assign(kept_.begin(), kept_.end());
    }

    bool dominated(const Word *vector) const {
        const std::size_t w = v_.width(), size = kept_.size();
        // In blocks without an early exit, so that the compiler can use vector instructions.
        for (std::size_t i = 0; i < size;) {
            std::size_t stop = std::min(size, i + 32 * w);
            bool found = false;
            for (; i < stop; i += w) found |= v_.no_better(vector, &kept_[i]);
            if (found) return true;
        }
        return false;
    }

    // Highest first; equal vectors come together.
    void sort_by_height(const Front &front, std::size_t size) {
        const std::size_t w = v_.width();
        order_.resize(size);
        std::iota(order_.begin(), order_.end(), 0);
        auto higher = [&](const Word *a, const Word *b) {
            return std::lexicographical_compare(b, b + w, a, a + w);
        };
        if constexpr (std::is_same_v<L, Masks>) {
            heights_.resize(size);
            for (std::size_t i = 0; i < size; ++i) heights_[i] = height(&front[i * w], w);
            std::sort(order_.begin(), order_.end(), [&](auto a, auto b) {
                return heights_[a] != heights_[b] ? heights_[a] > heights_[b] : higher(&front[a * w], &front[b * w]);
            });
        } else {
            std::sort(order_.begin(), order_.end(),
                      [&](auto a, auto b) { return higher(&front[a * w], &front[b * w]); });
        }
        sorted_.resize(size * w);
        for (std::size_t i = 0; i < size; ++i) v_.copy(&sorted_[i * w], &front[order_[i] * w]);
    }

    const Tree<Word> &tree_;
    const Watch &watch_;
    const Vectors<L, W> v_;
    Front products_, kept_, sorted_;
    std::vector<std::uint32_t> order_;
    std::vector<int> heights_;
};

// The table of the subsets of the six lowest bits of a code.
std::uint64_t low_table(std::uint64_t code) {
    std::uint64_t table = 1;
    for (int bit = 0; bit < 6; ++bit)
        if (code >> bit & 1) table |= table << (1 << bit);
    return table;
}

}  // namespace

template <class L, int W>
Stats fronts(const Tree<typename L::Word> &tree, const Watch &watch, std::vector<typename L::Word> &front,
             std::vector<std::vector<typename L::Word>> &first) {
    return FrontPass<L, W>(tree, watch).run(front, first);
}

template Stats fronts<Masks, 1>(const Tree<std::uint64_t> &, const Watch &, std::vector<std::uint64_t> &,
                                std::vector<std::vector<std::uint64_t>> &);
template Stats fronts<Masks, 0>(const Tree<std::uint64_t> &, const Watch &, std::vector<std::uint64_t> &,
                                std::vector<std::vector<std::uint64_t>> &);
template Stats fronts<Reals, 0>(const Tree<double> &, const Watch &, std::vector<double> &,
                                std::vector<std::vector<double>> &);

Stats tables(const Tree<std::uint64_t> &tree, int bits, const Watch &watch, std::vector<std::uint64_t> &table,
             std::vector<std::vector<std::uint64_t>> &first) {
    const std::size_t words = bits > 6 ? std::size_t(1) << (bits - 6) : 1;
    std::uint64_t low_tables[64];
    for (std::uint64_t code = 0; code < 64; ++code) low_tables[code] = low_table(code);
    std::vector<std::int32_t> open;
    std::vector<std::uint64_t> sums, leaf(words);
    Stats stats;
    const std::uint64_t *next_leaf = tree.leaves;

    auto deliver = [&](const std::uint64_t *child) {
        if (open.empty()) {
            table.assign(child, child + words);
            return;
        }
        if (open.size() == 1) first.emplace_back(child, child + words);
        std::uint64_t *sum = &sums[(open.size() - 1) * words];
        if (tree.kind[open.back()] == MAX)
            for (std::size_t i = 0; i < words; ++i) sum[i] |= child[i];
        else
            for (std::size_t i = 0; i < words; ++i) sum[i] &= child[i];
    };
    auto close = [&] {
        open.pop_back();
        deliver(&sums[open.size() * words]);
    };

    for (std::size_t node = 0; node < tree.nodes; ++node) {
        while (!open.empty() && std::size_t(tree.end[open.back()]) == node) close();
        watch.node(++stats.nodes);
        if (tree.kind[node] == LEAF) {
            ++stats.leaves;
            std::uint64_t code = *next_leaf++, low = low_tables[code & 63], high = code >> 6;
            for (std::size_t i = 0; i < words; ++i) leaf[i] = (i & ~high) ? 0 : low;
            deliver(leaf.data());
        } else {
            open.push_back(std::int32_t(node));
            sums.resize(std::max(sums.size(), open.size() * words));
            std::fill_n(&sums[(open.size() - 1) * words], words,
                        tree.kind[node] == MAX ? std::uint64_t{0} : ~std::uint64_t{0});
        }
    }
    while (!open.empty()) close();
    return stats;
}

}  // namespace worldwise
