// The vectors of a front kept so far, highest first: is a further one no better than one of them?
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

#include "common/bitset.hpp"
#include "trees/lattice.hpp"

namespace worldwise {

// Masks, sliced: for every bit, a line of 512 flags says which of 512 kept vectors LACK it. A vector is dominated if
// the lines of its own bits, put together, leave some flag clear: a dozen instructions instead of 512 comparisons.
template <int W>
class KeptMasks {
    static constexpr std::size_t line = 8;  // words: 512 flags, a cache line

  public:
    explicit KeptMasks(std::size_t width) : v_{width}, bits_(64 * v_.width()) {}

    void clear() { size_ = 0, lacks_.clear(); }

    bool dominates(const std::uint64_t *vector) const {
        for (std::size_t block = 0; block * line * 64 < size_; ++block) {
            std::uint64_t lacking[line] = {};
            const std::uint64_t *lines = &lacks_[block * bits_ * line];
            for (std::size_t i = 0; i < v_.width(); ++i)
                for (std::uint64_t word = vector[i]; word; word = rest(word)) {
                    const std::uint64_t *flags = lines + (64 * i + first(word)) * line;
                    for (std::size_t k = 0; k < line; ++k) lacking[k] |= flags[k];
                }
            std::uint64_t all = ~std::uint64_t{0};
            for (std::size_t k = 0; k < line; ++k) all &= lacking[k];
            if (~all) return true;
        }
        return false;
    }
    void add(const std::uint64_t *vector) {
        std::size_t block = size_ / (line * 64), word = size_ / 64 % line;
        if (size_ % (line * 64) == 0) lacks_.resize((block + 1) * bits_ * line, ~std::uint64_t{0});
        std::uint64_t flag = std::uint64_t{1} << size_ % 64;
        for (std::size_t i = 0; i < v_.width(); ++i)
            for (std::uint64_t bits = vector[i]; bits; bits = rest(bits))
                lacks_[(block * bits_ + 64 * i + first(bits)) * line + word] &= ~flag;
        ++size_;
    }

    // The order in which a dominating vector comes before what it dominates: by the number of bits, counted not sorted.
    void order(const std::vector<std::uint64_t> &front, std::vector<std::uint32_t> &order) {
        const std::size_t w = v_.width(), size = front.size() / w;
        heights_.resize(size), order.resize(size);
        std::vector<std::uint32_t> starts(bits_ + 2, 0);
        for (std::size_t i = 0; i < size; ++i) {
            std::size_t set = 0;
            for (std::size_t k = 0; k < w; ++k) set += std::popcount(front[i * w + k]);
            heights_[i] = std::uint32_t(bits_ - set);
            ++starts[heights_[i] + 1];
        }
        for (std::size_t k = 1; k < starts.size(); ++k) starts[k] += starts[k - 1];
        for (std::size_t i = 0; i < size; ++i) order[starts[heights_[i]]++] = std::uint32_t(i);
    }

  private:
    const Vectors<Masks, W> v_;
    const std::size_t bits_;
    std::size_t size_ = 0;
    std::vector<std::uint64_t> lacks_;
    std::vector<std::uint32_t> heights_;
};

// Reals: one after the other.
template <int W>
class KeptReals {
  public:
    explicit KeptReals(std::size_t width) : v_{width} {}

    void clear() { kept_.clear(); }

    bool dominates(const double *vector) const {
        for (std::size_t i = 0; i < kept_.size(); i += v_.width())
            if (v_.no_better(vector, &kept_[i])) return true;
        return false;
    }
    void add(const double *vector) { kept_.insert(kept_.end(), vector, vector + v_.width()); }

    void order(const std::vector<double> &front, std::vector<std::uint32_t> &order) {
        const std::size_t w = v_.width();
        order.resize(front.size() / w);
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [&](auto a, auto b) {
            return std::lexicographical_compare(&front[b * w], &front[b * w] + w, &front[a * w], &front[a * w] + w);
        });
    }

  private:
    const Vectors<Reals, W> v_;
    std::vector<double> kept_;
};

template <class L, int W>
using Kept = std::conditional_t<std::is_same_v<L, Masks>, KeptMasks<W>, KeptReals<W>>;

}  // namespace worldwise
