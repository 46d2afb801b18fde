// The whole tree of a single suit, as trees/world_tree.py lays trees out: what unroll makes of the readable rules.
#pragma once

#include "bridge/suit.hpp"
#include "trees/tree.hpp"

namespace worldwise {

struct SuitTree {
    std::vector<std::uint8_t> kind;
    std::vector<std::int32_t> end;
    std::vector<std::uint8_t> move;   // that leads to the node: 16 times the seat, and the card; 0 at the root
    std::vector<std::uint64_t> open;  // for every leaf, `words` words: the worlds in which the play is possible
    std::vector<std::uint8_t> won;    // for every leaf: whether the goal is reached
};

// Throws LimitReached when the tree has more nodes than `watch` allows.
SuitTree suit_tree(const SuitRules &rules, SuitTable root, int words, const Watch &watch);

}  // namespace worldwise
