// Payoff vectors as the kernels see them: `width` words, with a meet (MIN), a join (MAX) and a score.
//
// Masks are the bits of core/scale.py's Thermometer, Reals one double per world. Both give the same five operations, so
// every pass is written once. W is the width where it is known at compile time (one word is the common case), or 0.
#pragma once

#include <bit>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/hash.hpp"

namespace worldwise {

struct Masks {
    using Word = std::uint64_t;
    using Score = std::int64_t;
    static constexpr Word top = ~Word{0};
    static Word meet(Word a, Word b) { return a & b; }
    static Word join(Word a, Word b) { return a | b; }
    static bool no_better(Word a, Word b) { return (a & ~b) == 0; }
};

struct Reals {
    using Word = double;
    struct Score {  // core/vector.py says why undefined counts first
        double undefined = 0, total = 0;
        auto operator<=>(const Score &) const = default;
    };
    static constexpr Word top = std::numeric_limits<double>::infinity();
    static Word meet(Word a, Word b) { return b < a ? b : a; }
    static Word join(Word a, Word b) { return b > a ? b : a; }
    static bool no_better(Word a, Word b) { return a <= b; }
};

template <class L, int W>
struct Vectors {
    using Word = typename L::Word;
    std::size_t runtime_width;

    std::size_t width() const { return W ? W : runtime_width; }

    void fill(Word *to, Word word) const {
        for (std::size_t i = 0; i < width(); ++i) to[i] = word;
    }
    void copy(Word *to, const Word *from) const {
        for (std::size_t i = 0; i < width(); ++i) to[i] = from[i];
    }
    void meet(Word *to, const Word *with) const {
        for (std::size_t i = 0; i < width(); ++i) to[i] = L::meet(to[i], with[i]);
    }
    void join(Word *to, const Word *with) const {
        for (std::size_t i = 0; i < width(); ++i) to[i] = L::join(to[i], with[i]);
    }
    bool no_better(const Word *a, const Word *b) const {
        for (std::size_t i = 0; i < width(); ++i)
            if (!L::no_better(a[i], b[i])) return false;
        return true;
    }
    bool equal(const Word *a, const Word *b) const {
        for (std::size_t i = 0; i < width(); ++i)
            if (a[i] != b[i]) return false;
        return true;
    }
};

// Scores. Masks: every bit has its gain; if all are alike a score is a count, otherwise a table gives the sum of each
// byte. Reals: the weighted sum of the defined payoffs, added in the order Python adds them.

template <class L>
class Scorer;

template <>
class Scorer<Masks> {
  public:
    Scorer(const std::int64_t *gains, std::size_t bits) {
        bool even = true;
        for (std::size_t i = 1; i < bits; ++i) even &= gains[i] == gains[0];
        even_gain_ = even ? (bits ? gains[0] : 0) : -1;
        if (even) return;
        sums_.resize((bits + 7) / 8 * 256);
        for (std::size_t byte = 0; byte * 8 < bits; ++byte)
            for (std::size_t value = 1; value < 256; ++value) {
                std::size_t low = std::countr_zero(value), bit = byte * 8 + low;
                sums_[byte * 256 + value] = sums_[byte * 256 + (value & (value - 1))] + (bit < bits ? gains[bit] : 0);
            }
    }
    // The score of the meet of a vector and a mask of what counts; bits past the last lane are never in `rest`.
    std::int64_t operator()(const std::uint64_t *vector, const std::uint64_t *rest, std::size_t width) const {
        std::int64_t total = 0;
        if (even_gain_ >= 0) {
            for (std::size_t i = 0; i < width; ++i) total += std::popcount(vector[i] & rest[i]);
            return total * even_gain_;
        }
        for (std::size_t byte = 0; byte * 256 < sums_.size(); ++byte) {
            std::uint64_t word = vector[byte / 8] & rest[byte / 8];
            total += sums_[byte * 256 + (word >> (byte % 8 * 8) & 255)];
        }
        return total;
    }

  private:
    std::int64_t even_gain_;
    std::vector<std::int64_t> sums_;
};

template <>
class Scorer<Reals> {
  public:
    Scorer(const double *weights, std::size_t worlds) : weights_(weights, weights + worlds) {}
    Reals::Score operator()(const double *vector, const double *rest, std::size_t width) const {
        Reals::Score score;
        for (std::size_t i = 0; i < width; ++i) {
            double payoff = Reals::meet(vector[i], rest[i]);
            if (std::isfinite(payoff))
                score.total += weights_[i] * payoff;
            else if (payoff > 0)
                score.undefined += weights_[i];
        }
        return score;
    }

  private:
    std::vector<double> weights_;
};

// search/random_ties.py, number for number.
struct Ties {
    bool random;
    std::uint64_t seed;

    bool takes_over(std::uint64_t node, std::uint64_t equals) const {
        return random && splitmix(splitmix(splitmix(seed) ^ node) ^ equals) % equals == 0;
    }
};

}  // namespace worldwise
