// Sets of bits: of worlds, of tricks in worlds, of cards, of squares.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstdint>

namespace worldwise {

// Walk through the bits of a word: for (; bits; bits = rest(bits)) ... first(bits) ...
constexpr int first(std::uint64_t bits) { return std::countr_zero(bits); }  // 64 if there is none
constexpr std::uint64_t rest(std::uint64_t bits) { return bits & (bits - 1); }

// A set of up to 64 * W bits. No operation has a branch on the bits: fronts compare millions of these, and what they
// find is seldom what they found before.
template <int W>
struct Bitset {
    std::array<std::uint64_t, W> word{};

    Bitset &operator&=(const Bitset &other) {
        for (int i = 0; i < W; ++i) word[i] &= other.word[i];
        return *this;
    }
    Bitset &operator|=(const Bitset &other) {
        for (int i = 0; i < W; ++i) word[i] |= other.word[i];
        return *this;
    }
    friend Bitset operator&(Bitset a, const Bitset &b) { return a &= b; }
    friend Bitset operator|(Bitset a, const Bitset &b) { return a |= b; }
    friend Bitset operator~(Bitset a) {
        for (auto &part : a.word) part = ~part;
        return a;
    }
    bool within(const Bitset &other) const {
        std::uint64_t left = 0;
        for (int i = 0; i < W; ++i) left |= word[i] & ~other.word[i];
        return left == 0;
    }
    bool meets(const Bitset &other) const {
        std::uint64_t shared = 0;
        for (int i = 0; i < W; ++i) shared |= word[i] & other.word[i];
        return shared != 0;
    }
    bool any() const {
        std::uint64_t found = 0;
        for (std::uint64_t part : word) found |= part;
        return found != 0;
    }
    int count() const {
        int sum = 0;
        for (std::uint64_t part : word) sum += std::popcount(part);
        return sum;
    }
    bool at(int place) const { return word[place / 64] >> place % 64 & 1; }
    void set(int place) { word[place / 64] |= std::uint64_t{1} << place % 64; }
    void clear(int place) { word[place / 64] &= ~(std::uint64_t{1} << place % 64); }

    // An order for sorting, and the order of the numbers that Python has for these sets: the highest bit counts most.
    auto operator<=>(const Bitset &) const = default;
    bool below(const Bitset &other) const {
        for (int i = W - 1; i >= 0; --i)
            if (word[i] != other.word[i]) return word[i] < other.word[i];
        return false;
    }
};

}  // namespace worldwise
