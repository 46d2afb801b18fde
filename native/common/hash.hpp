// One mixer, and one table that grows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace worldwise {

// 2**64 over the golden ratio: odd, and its multiples lie far apart.
constexpr std::uint64_t GOLDEN = 0x9E3779B97F4A7C15;

// SplitMix64's last step: every bit of the word changes about half of the bits that come out, so any of them will do to
// choose a place. It is one to one: different words stay different.
constexpr std::uint64_t stir(std::uint64_t word) {
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9;
    word = (word ^ word >> 27) * 0x94D049BB133111EB;
    return word ^ word >> 31;
}

// SplitMix64: number for number what core/mixing.py has.
constexpr std::uint64_t splitmix(std::uint64_t word) { return stir(word + GOLDEN); }

// A table in one stretch of memory that forgets nothing: a slot is the first free one from its hash on, and twice as
// many are made when half of them are used, so that a search soon meets a free one. A Slot has is_used() and hash(),
// which must be that it was found with. One thread at a time; slots move when the table grows, so keep no reference to
// one.
template <class Slot>
class OpenTable {
  public:
    explicit OpenTable(std::size_t first_size) : first_size_(first_size) {}

    // The slot that `is_it` recognises among those with this hash; if there is none, a free one, which the caller
    // fills.
    template <class IsIt>
    Slot &find(std::uint64_t hash, const IsIt &is_it) {
        if (2 * used_ >= slots_.size()) grow();
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
            Slot &slot = slots_[at];
            if (!slot.is_used()) {
                ++used_;
                return slot;
            }
            if (is_it(slot)) return slot;
        }
    }

    void clear() { slots_.clear(), used_ = 0; }

  private:
    void grow() {
        std::vector<Slot> old(std::max(first_size_, 2 * slots_.size()));
        old.swap(slots_);
        const std::size_t mask = slots_.size() - 1;
        for (const Slot &slot : old) {
            if (!slot.is_used()) continue;
            std::size_t at = slot.hash() & mask;
            while (slots_[at].is_used()) at = (at + 1) & mask;
            slots_[at] = slot;
        }
    }

    std::size_t first_size_, used_ = 0;
    std::vector<Slot> slots_;
};

// A slot for what lies in a list elsewhere: its number there.
struct NumberSlot {
    static constexpr std::uint32_t NONE = ~std::uint32_t{0};
    std::uint32_t low_hash = 0, number = NONE;

    bool is_used() const { return number != NONE; }
    std::uint64_t hash() const { return low_hash; }
};

}  // namespace worldwise
