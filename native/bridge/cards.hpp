// A card is 16 times its suit and its rank, so that a set of cards is a word, sixteen bits a suit.
#pragma once

#include <array>
#include <cstdint>

#include "common/bitset.hpp"

namespace worldwise {

using CardSet = std::uint64_t;
using Hands = std::array<CardSet, 4>;

constexpr int NOTRUMP = 4;

constexpr int suit_of(int card) { return card >> 4; }
constexpr CardSet card_bit(int card) { return CardSet{1} << card; }
constexpr CardSet suit_cards(int suit) { return CardSet{0xFFFF} << (16 * suit); }

}  // namespace worldwise
