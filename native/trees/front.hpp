// Fronts: sets of vectors none of which is no better than another. MAX is union, MIN the meets of all pairs.
#pragma once

#include <string>
#include <vector>

#include "trees/lattice.hpp"
#include "trees/tree.hpp"

namespace worldwise {

// The exact front of a tree, and of each child of its root: the vectors one after the other.
template <class L, int W>
Stats fronts(const Tree<typename L::Word> &tree, const Watch &watch, std::vector<typename L::Word> &front,
             std::vector<std::vector<typename L::Word>> &first);

// The same through tables: bit S of a table says that MAX can have at least the set S of bits. 2**bits bits each.
Stats tables(const Tree<std::uint64_t> &tree, int bits, const Watch &watch, std::vector<std::uint64_t> &table,
             std::vector<std::vector<std::uint64_t>> &first);

// Tables and the like double with every bit, or known world: no larger ones are made.
constexpr int MOST_TABLE_BITS = 24;
constexpr int MOST_KNOWN = 20;
constexpr std::size_t MOST_TABLE_BYTES = std::size_t{1} << 30;  // of all open nodes together

// The most worlds MAX can win if MIN knows the first `known` worlds, by trees/batches.py's table; a leaf is one mask.
int optimum(const Tree<std::uint64_t> &tree, int known, std::vector<std::int8_t> &scratch);

}  // namespace worldwise
