// Trees that come from Python: possible-world trees, and games in extensive form.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "bindings/checks.hpp"
#include "extensive/imp.hpp"
#include "trees/tree.hpp"

namespace worldwise {

// How many leaves a tree has. From the last node to the first, so that every child is known to end after it begins
// before its parent walks along its children: these must follow one another up to the parent's own end.
inline std::size_t checked_leaves(const std::uint8_t *kind, const std::int32_t *end, std::size_t nodes) {
    const char *well_formed = "a tree in preorder, whose nodes end where their last children end";
    expect(nodes > 0 && nodes < std::numeric_limits<std::int32_t>::max(), "a tree of at least one node");
    const auto size = static_cast<std::int32_t>(nodes);
    expect(end[0] == size, "a root that ends where the tree ends");
    std::size_t leaves = 0;
    for (std::int32_t node = size - 1; node >= 0; --node) {
        expect(kind[node] <= MIN, "kinds of nodes from 0 to 2");
        expect(end[node] > node && end[node] <= size, well_formed);
        expect((kind[node] == LEAF) == (end[node] == node + 1), "leaves without children, and other nodes with some");
        leaves += kind[node] == LEAF;
        std::int32_t child = node + 1;
        while (child < end[node]) child = end[child];
        expect(child == end[node], well_formed);
    }
    return leaves;
}

inline std::size_t children_of_root(const std::int32_t *end, std::size_t nodes) {
    std::size_t count = 0;
    for (std::size_t child = 1; child < nodes; child = static_cast<std::size_t>(end[child])) ++count;
    return count;
}

// Chance nodes are searched with all their children, others with one at a time: what can come together of the numbers
// of a game's nodes, given what each of them counts. Numbers beyond `most` are `most` + 1.
template <class Counts>
std::int64_t most_together(const WholeGame &game, std::int32_t nodes, std::int64_t most, Counts counts) {
    std::vector<std::int64_t> found(static_cast<std::size_t>(nodes));
    for (std::int32_t node = nodes - 1; node >= 0; --node) {
        bool chance = game.event[node] >= 0 && game.players[game.event[node]] < 0;
        std::int64_t sum = chance ? 0 : std::min(counts(node), most + 1);
        for (std::int32_t at = game.offsets[node]; at < game.offsets[node + 1]; ++at) {
            std::int64_t below = found[static_cast<std::size_t>(game.children[at])];
            sum = chance ? std::min(sum + below, most + 1) : std::max(sum, below);
        }
        found[static_cast<std::size_t>(node)] = sum;
    }
    return found[0];
}

inline void check_events(const WholeGame &game, std::int32_t nodes) {
    for (std::size_t event = 0; event < game.events; ++event)
        expect(game.sizes[event] >= 1, "at least one action at every event");
    for (std::int32_t node = 0; node < nodes; ++node) {
        expect_within(game.event[node], -1, static_cast<std::int64_t>(game.events) - 1, "events");
        std::int32_t children = game.offsets[node + 1] - game.offsets[node];
        expect(children == (game.event[node] < 0 ? 0 : game.sizes[game.event[node]]),
               "as many children as a node's event has actions");
    }
}

// Every node but the root is the child of one that comes before it, and none lies too deep for a search that recurses.
inline void check_children(const WholeGame &game, std::int32_t nodes) {
    std::vector<std::int32_t> depth(static_cast<std::size_t>(nodes), -1);
    depth[0] = 0;
    for (std::int32_t node = 0; node < nodes; ++node)
        for (std::int32_t at = game.offsets[node]; at < game.offsets[node + 1]; ++at) {
            std::int32_t child = game.children[at];
            expect(child > node && child < nodes && depth[static_cast<std::size_t>(child)] < 0,
                   "children that come after their parents, each once");
            depth[static_cast<std::size_t>(child)] = depth[static_cast<std::size_t>(node)] + 1;
            expect_within(depth[static_cast<std::size_t>(child)], 0, IMP_DEEPEST, "depths");
        }
}

inline void check_offsets(const WholeGame &game, std::int32_t nodes) {
    expect(game.offsets[0] == 0 && game.offsets[nodes] == nodes - 1, "offsets from 0 to the number of children");
    expect(std::is_sorted(game.offsets, game.offsets + nodes + 1), "offsets in rising order");
}

// Sums of worths, and of probs times the upper bound, must stay clear of what stands for minus infinity.
inline void check_numbers(const WholeGame &game, std::int32_t nodes, std::int64_t upper) {
    for (std::int32_t node = 0; node < nodes; ++node) {
        expect_within(game.probs[node], 0, IMP_LARGEST, "probs");
        expect_within(game.worths[node], -IMP_LARGEST, IMP_LARGEST, "worths");
    }
    auto worth = [&](std::int32_t node) { return game.event[node] < 0 ? std::abs(game.worths[node]) : 0; };
    expect(most_together(game, nodes, IMP_LARGEST, worth) <= IMP_LARGEST, "worths with a smaller sum");
    expect_within(upper, -IMP_LARGEST, IMP_LARGEST, "an upper bound");
    const std::int64_t most = IMP_LARGEST / std::max<std::int64_t>(1, std::abs(upper));
    auto prob = [&](std::int32_t node) { return game.probs[node]; };
    expect(most_together(game, nodes, most, prob) <= most, "probs with a smaller sum");
}

inline void check_game(const WholeGame &game, std::size_t size, std::int64_t upper) {
    expect(size > 0 && size < std::numeric_limits<std::int32_t>::max(), "a game of at least one node");
    const auto nodes = static_cast<std::int32_t>(size);
    check_offsets(game, nodes);
    check_events(game, nodes);
    check_children(game, nodes);
    check_numbers(game, nodes, upper);
}

}  // namespace worldwise
