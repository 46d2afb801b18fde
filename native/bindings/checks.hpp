// What a binding asks of its arguments before native code sees them. Whatever Python passes, kernels get what they
// were written for: a wrong argument is an InputError there, and never a crash.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>

namespace worldwise {

inline void expect(bool is_so, const char *what) {
    if (!is_so) [[unlikely]]
        throw std::invalid_argument(std::string("expected ") + what);
}

inline void expect_within(std::int64_t value, std::int64_t least, std::int64_t most, const char *what) {
    if (value < least || value > most) [[unlikely]]
        throw std::invalid_argument(std::string("expected ") + what + " from " + std::to_string(least) + " to " +
                                    std::to_string(most) + ", found " + std::to_string(value));
}

// How many of something an array holds.
inline void expect_size(std::size_t found, std::size_t wanted, const char *what) {
    if (found != wanted) [[unlikely]]
        throw std::invalid_argument(std::string("expected ") + std::to_string(wanted) + " " + what + ", found " +
                                    std::to_string(found));
}

inline void expect_finite(double value, const char *what) {
    if (!std::isfinite(value)) [[unlikely]]
        throw std::invalid_argument(std::string("expected a finite number as ") + what + ", found " +
                                    std::to_string(value));
}

inline void expect_finite(const double *values, std::size_t size, const char *what) {
    for (std::size_t i = 0; i < size; ++i) expect_finite(values[i], what);
}

// Weights of boards and worlds.
inline void expect_weights(const double *weights, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
        expect(std::isfinite(weights[i]) && weights[i] >= 0, "weights that are finite and not negative");
}

// Numbers of which sums are taken: none is negative, and all together are at most `most`.
inline void expect_sum(const std::int64_t *numbers, std::size_t size, std::int64_t most, const char *what) {
    for (std::size_t i = 0; i < size; ++i) {
        expect(numbers[i] >= 0 && numbers[i] <= most, what);
        most -= numbers[i];
    }
}

constexpr std::int64_t LARGEST_SUM = std::numeric_limits<std::int64_t>::max();

// A stretch of memory that an array looks at.
struct Stretch {
    std::uintptr_t begin, end;

    template <class Array>
    explicit Stretch(const Array &array)
        : begin(reinterpret_cast<std::uintptr_t>(array.data())), end(begin + array.nbytes()) {}
    bool meets(const Stretch &other) const { return begin < other.end && other.begin < end; }
};

// Arrays that a kernel fills may not be those it reads: what was checked would change under its hands.
inline void expect_apart(std::initializer_list<Stretch> filled, std::initializer_list<Stretch> read) {
    for (const Stretch &out : filled)
        for (const Stretch &in : read) expect(!out.meets(in), "arrays to fill that are not those to read");
}

}  // namespace worldwise
