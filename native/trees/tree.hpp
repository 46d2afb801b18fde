// A possible-world tree as trees/world_tree.py lays it out: preorder, `end` the first node after a subtree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/watch.hpp"

namespace worldwise {

enum Kind : std::uint8_t { LEAF = 0, MAX = 1, MIN = 2 };

template <class Word>
struct Tree {
    const std::uint8_t *kind;
    const std::int32_t *end;
    std::size_t nodes;
    const Word *leaves;  // a vector for every leaf, in preorder
    std::size_t width;
};

struct Stats {
    std::int64_t nodes = 0, leaves = 0, cuts = 0;
};

// The leaf number of every node, for passes that jump over subtrees: how many leaves come before it.
template <class Word>
std::vector<std::int32_t> leaf_numbers(const Tree<Word> &tree) {
    std::vector<std::int32_t> numbers(tree.nodes + 1, 0);
    for (std::size_t node = 0; node < tree.nodes; ++node) numbers[node + 1] = numbers[node] + (tree.kind[node] == LEAF);
    return numbers;
}

}  // namespace worldwise
