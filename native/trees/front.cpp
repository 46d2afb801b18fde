#include "trees/front.hpp"

#include "trees/dominance.hpp"

#include <algorithm>
#include <new>
#include <numeric>

namespace worldwise {
namespace {

template <class L, int W>
class FrontPass {
    using Word = typename L::Word;
    using Front = std::vector<Word>;

  public:
    FrontPass(const Tree<Word> &tree, const Watch &watch)
        : tree_(tree), watch_(watch), v_{tree.width}, kept_(tree.width) {}

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
            if (!begun.back())
                sum = std::move(child);
            else if (tree_.kind[open.back()] == MAX)
                sum.insert(sum.end(), child.begin(), child.end());
            else
                meet(sum, child);
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
        std::swap(sum, products_);
    }

    void keep_undominated(Front &front) {
        const std::size_t w = v_.width();
        if (front.size() <= small * w) return keep_undominated_of_few(front);
        kept_.order(front, order_);
        kept_.clear();
        survivors_.clear();
        for (std::size_t i = 0; i < order_.size(); ++i) {
            const Word *vector = &front[order_[i] * w];
            if (!kept_.dominates(vector)) {
                kept_.add(vector);
                survivors_.insert(survivors_.end(), vector, vector + w);
            }
            if (i % 4096 == 4095) watch_.poll();
        }
        front.assign(survivors_.begin(), survivors_.end());
    }

    // Most fronts are tiny: compare all pairs. Of equal vectors the last stays.
    void keep_undominated_of_few(Front &front) {
        const std::size_t w = v_.width(), size = front.size();
        std::size_t kept = 0;
        bool dominated[small] = {};
        for (std::size_t i = 0; i < size; i += w)
            for (std::size_t j = 0; j < size && !dominated[i / w]; j += w)
                dominated[i / w] = i != j && !dominated[j / w] && v_.no_better(&front[i], &front[j]);
        for (std::size_t i = 0; i < size; i += w)
            if (!dominated[i / w]) v_.copy(&front[w * kept++], &front[i]);
        front.resize(w * kept);
    }

    static constexpr std::size_t small = 24;

    const Tree<Word> &tree_;
    const Watch &watch_;
    const Vectors<L, W> v_;
    Kept<L, W> kept_;
    Front products_, survivors_;
    std::vector<std::uint32_t> order_;
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
            if (open.size() > MOST_TABLE_BYTES / 8 / words) throw std::bad_alloc();
            sums.resize(std::max(sums.size(), open.size() * words));
            std::fill_n(&sums[(open.size() - 1) * words], words,
                        tree.kind[node] == MAX ? std::uint64_t{0} : ~std::uint64_t{0});
        }
    }
    while (!open.empty()) close();
    return stats;
}

int optimum(const Tree<std::uint64_t> &tree, int known, std::vector<std::int8_t> &scratch) {
    const std::size_t sets = std::size_t(1) << known;
    const std::uint64_t seen = sets - 1;
    std::vector<std::int32_t> open;
    std::vector<std::int8_t> leaf(sets);
    const std::uint64_t *next_leaf = tree.leaves;
    int best = -1;

    auto deliver = [&](const std::int8_t *table) {
        if (open.empty()) {
            for (std::size_t set = 0; set < sets; ++set)
                if (table[set] >= 0) best = std::max(best, table[set] + std::popcount(set));
            return;
        }
        std::int8_t *sum = &scratch[(open.size() - 1) * sets];
        if (tree.kind[open.back()] == MAX)
            for (std::size_t set = 0; set < sets; ++set) sum[set] = std::max(sum[set], table[set]);
        else
            for (std::size_t set = 0; set < sets; ++set) sum[set] = std::min(sum[set], table[set]);
    };
    auto close = [&] {
        open.pop_back();
        deliver(&scratch[open.size() * sets]);
    };

    for (std::size_t node = 0; node < tree.nodes; ++node) {
        while (!open.empty() && std::size_t(tree.end[open.back()]) == node) close();
        if (tree.kind[node] == LEAF) {
            const std::uint64_t mask = *next_leaf++;
            const auto inside = std::int8_t(std::popcount(mask & ~seen));
            leaf[0] = inside;
            for (std::size_t half = 1, world = 0; half < sets; half *= 2, ++world) {  // the sets with one world more
                if (mask >> world & 1)
                    std::copy_n(leaf.begin(), half, leaf.begin() + std::ptrdiff_t(half));
                else
                    std::fill_n(leaf.begin() + std::ptrdiff_t(half), half, std::int8_t{-1});
            }
            deliver(leaf.data());
        } else {
            open.push_back(std::int32_t(node));
            if (open.size() > MOST_TABLE_BYTES / sets) throw std::bad_alloc();
            scratch.resize(std::max(scratch.size(), open.size() * sets));
            std::fill_n(&scratch[(open.size() - 1) * sets], sets, std::int8_t(tree.kind[node] == MAX ? -1 : 127));
        }
    }
    while (!open.empty()) close();
    return best;
}

}  // namespace worldwise
