// A card is 16 times its suit and its rank, so that a set of cards is a word, sixteen bits a suit.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "common/bitset.hpp"

namespace worldwise {

using CardSet = std::uint64_t;
using Hands = std::array<CardSet, 4>;

constexpr int NOTRUMP = 4;

constexpr int suit_of(int card) { return card >> 4; }
constexpr CardSet card_bit(int card) { return CardSet{1} << card; }
constexpr CardSet suit_cards(int suit) { return CardSet{0xFFFF} << (16 * suit); }

// The ranks of a suit, and the highest of them.
constexpr std::uint32_t lane(CardSet cards, int suit) {
    return static_cast<std::uint32_t>(cards >> (16 * suit)) & 0xFFFF;
}
constexpr int highest(std::uint32_t ranks) { return std::bit_width(ranks) - 1; }

// The card at a depth among the highest of a suit; depth 1 is the highest.
constexpr int card_at_depth(std::uint32_t ranks, int depth) {
    for (; depth > 1; --depth) ranks ^= std::bit_floor(ranks);
    return highest(ranks);
}

constexpr int partner_of(int seat) { return seat ^ 2; }
constexpr int left_of(int seat) { return (seat + 1) & 3; }

}  // namespace worldwise
