// IMP-minimax and IMP-alpha-beta (BMV96 Figs 6 and 10) over sets of nodes, in exact whole numbers.
//
// A tree gives: extend (a node, or what chance makes of it), is_leaf, all_leaves (whether that is all there is at a
// depth), worth (prob times payoff), prob (of a stretch of nodes), set (which information set), alternatives, is_min
// and child, and takes choose and meet. Sets of nodes lie on one stack.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "common/hash.hpp"
#include "common/watch.hpp"

namespace worldwise {

// What the search can take. It recurses, so the stack bounds the depth; and sums of worths must stay clear of
// MINUS_INFINITY, so the total prob times the highest payoff is bounded. The rest is Python's.
constexpr int IMP_DEEPEST = 4000;
constexpr std::int64_t IMP_LARGEST = std::int64_t{1} << 60;
constexpr std::uint64_t IMP_MOST_DRAWS = std::uint64_t{1} << 24;  // of the IMP-model: all are held at once

struct ImpCounts {
    std::int64_t nodes = 0, leaves = 0, immediate = 0, information_set = 0;
};

template <class Tree>
class Imp {
    using Node = typename Tree::Node;
    using Value = std::int64_t;

    // Nodes of one information set, or all of a mixed set: a stretch of the stack.
    struct Stretch {
        std::size_t begin, end;
    };

  public:
    static constexpr Value MINUS_INFINITY = std::numeric_limits<Value>::min() / 2;

    Imp(Tree &tree, const Watch &watch) : tree_(tree), watch_(watch), slot_(tree.sets(), -1) {}

    Value minimax() { return value(root(), 0); }

    Value alpha_beta(Value upper) {
        upper_ = upper;
        return mixed_set(root(), 0, MINUS_INFINITY);
    }

    ImpCounts counts;

  private:
    Stretch root() {
        tree_.extend(tree_.root(), 0, stack_);
        return {0, stack_.size()};
    }

    // V of any set of nodes: the leaves' payoffs plus V of each PI-set.
    Value value(Stretch nodes, int depth) {
        std::size_t leaves = 0;
        auto pi_sets = partition(nodes, depth, leaves);
        Value total = 0;
        for (std::size_t at = nodes.begin; at < nodes.begin + leaves; ++at) total += look(stack_[at]);
        for (auto pi_set : pi_sets) total += best(pi_set, depth);
        return total;
    }

    // V of a PI-set: its best child.
    Value best(Stretch x, int depth) {
        auto set = tree_.set(stack_[x.begin], depth);
        tree_.meet(set);
        bool minimise = tree_.is_min(set);
        Value best = 0;
        std::int32_t chosen = -1;
        for (std::int32_t a = 0; a < tree_.alternatives(set); ++a) {
            auto below = child(x, a, depth);
            Value temp = value(below, depth + 1);
            stack_.resize(below.begin);
            if (chosen < 0 || (minimise ? temp < best : temp > best)) best = temp, chosen = a;
        }
        tree_.choose(set, chosen);
        return best;
    }

    // What a PI-set is worth if that is more than p, otherwise p. No alternative can bring more than the highest payoff
    // at every node of the set, so one that brings it ends the search.
    Value max_set(Stretch x, int depth, Value p) {
        auto set = tree_.set(stack_[x.begin], depth);
        tree_.meet(set);
        Value best = p, most = upper_ * prob(x);
        std::int32_t count = tree_.alternatives(set);
        for (std::int32_t a = 0; a < count; ++a) {
            Value temp = alternative(x, a, depth, best);
            if (temp <= best) continue;
            best = temp;
            tree_.choose(set, a);
            if (temp == most && a + 1 < count) {  // nothing can be better
                ++counts.immediate;
                break;
            }
        }
        return best;
    }

    Value alternative(Stretch x, std::int32_t a, int depth, Value p) {
        if (tree_.all_leaves(depth + 1)) return leaf_set(x, a, p);
        auto below = child(x, a, depth);
        Value value = mixed_set(below, depth + 1, p);
        stack_.resize(below.begin);
        return value;
    }

    // mixed_set where all are leaves: most of the work, so they are made one by one, as long as they are looked at.
    Value leaf_set(Stretch x, std::int32_t a, Value p) {
        watch_.nodes(counts.nodes, static_cast<std::int64_t>(x.end - x.begin));
        Value total = 0, most = upper_ * prob(x);
        for (std::size_t at = x.begin; at < x.end; ++at) {
            Node leaf = tree_.child(stack_[at], a);
            Value worth = look(leaf);
            total += worth;
            most += worth - upper_ * tree_.prob(&leaf, &leaf + 1);
            if (most <= p && p != MINUS_INFINITY) {  // the rest cannot make up for it
                counts.information_set += at + 1 < x.end;
                return p;
            }
        }
        return total;
    }

    // The same for a mixed set. `total` is what its members looked at have brought, `left` the probability of the rest,
    // which can bring no more than the highest payoff: if even that is not more than p, the rest need not be looked at.
    // And a member must bring more than what is still lacking to p when those behind it bring their most, or its value
    // does not matter: that is its own p. MINUS_INFINITY is no bound at all, and nothing may be added to it.
    Value mixed_set(Stretch nodes, int depth, Value p) {
        Value total = 0, left = prob(nodes);
        std::size_t leaves = 0;
        auto pi_sets = partition(nodes, depth, leaves);
        std::size_t members = leaves + pi_sets.size();
        for (std::size_t member = 0; member < members; ++member) {
            if (member < leaves) {
                const Node &leaf = stack_[nodes.begin + member];
                left -= tree_.prob(&leaf, &leaf + 1);
                total += look(leaf);
            } else {
                auto x = pi_sets[member - leaves];
                left -= prob(x);
                total += max_set(x, depth, p == MINUS_INFINITY ? p : p - total - upper_ * left);
            }
            if (p != MINUS_INFINITY && total + upper_ * left <= p) {  // the rest cannot make up for it
                counts.information_set += member + 1 < members;
                return p;
            }
        }
        return total;
    }

    Value look(const Node &leaf) {
        ++counts.leaves;
        return tree_.worth(leaf);
    }

    Value prob(Stretch nodes) const { return tree_.prob(&stack_[nodes.begin], &stack_[0] + nodes.end); }

    // The nodes an alternative leads to, chance having moved, on top of the stack.
    Stretch child(Stretch x, std::int32_t alternative, int depth) {
        std::size_t begin = stack_.size();
        for (std::size_t at = x.begin; at < x.end; ++at)
            tree_.extend(tree_.child(stack_[at], alternative), depth + 1, stack_);
        return {begin, stack_.size()};
    }

    // Sorts the nodes: the leaves first, then set by set in the order of their first nodes.
    std::vector<Stretch> partition(Stretch nodes, int depth, std::size_t &leaves) {
        std::vector<std::size_t> sizes;
        std::vector<std::int32_t> sets;  // neither takes memory where all are leaves, which is where the time goes
        bool sorted = true;
        for (std::size_t at = nodes.begin; at < nodes.end; ++at) {
            watch_.node(++counts.nodes);
            if (tree_.is_leaf(stack_[at], depth)) {
                sorted &= sets.empty();
                ++leaves;
                continue;
            }
            auto set = tree_.set(stack_[at], depth);
            if (slot_[set] < 0) {
                slot_[set] = static_cast<std::int32_t>(sets.size());
                sets.push_back(set);
                sizes.push_back(0);
            }
            sorted &= slot_[set] + 1 == static_cast<std::int32_t>(sets.size());
            ++sizes[slot_[set]];
        }
        std::vector<Stretch> stretches(sets.size());
        std::size_t begin = nodes.begin + leaves;
        for (std::size_t i = 0; i < sets.size(); ++i) {
            stretches[i] = {begin, begin + sizes[i]};
            begin += sizes[i];
        }
        if (!sorted) reorder(nodes, depth, stretches);
        for (auto set : sets) slot_[set] = -1;
        return stretches;
    }

    void reorder(Stretch nodes, int depth, const std::vector<Stretch> &stretches) {
        std::vector<Node> old(stack_.begin() + nodes.begin, stack_.begin() + nodes.end);
        std::vector<std::size_t> next;
        for (auto stretch : stretches) next.push_back(stretch.begin);
        std::size_t leaf = nodes.begin;
        for (const Node &node : old)
            stack_[tree_.is_leaf(node, depth) ? leaf++ : next[slot_[tree_.set(node, depth)]]++] = node;
    }

    Tree &tree_;
    const Watch &watch_;
    Value upper_ = 0;
    std::vector<std::int32_t> slot_;  // while sorting: a set's place among those found
    std::vector<Node> stack_;
};

// A whole game in flat arrays: see extensive/game.py. `chosen` and `met` have an entry for every event.
struct WholeGame {
    using Node = std::int32_t;

    const std::int32_t *event, *offsets, *children;
    const std::int64_t *probs, *worths;   // for every node; worths of leaves only
    const std::int32_t *players, *sizes;  // for every event: who moves (-1 for chance), and how many actions
    std::size_t events;
    std::int32_t *chosen, *met;

    std::size_t sets() const { return events; }
    Node root() const { return 0; }
    bool is_leaf(Node node, int) const { return event[node] < 0; }
    bool all_leaves(int) const { return false; }
    std::int64_t worth(Node node) const { return worths[node]; }
    std::int64_t prob(const Node *begin, const Node *end) const {
        std::int64_t total = 0;
        for (; begin != end; ++begin) total += probs[*begin];
        return total;
    }
    std::int32_t set(Node node, int) const { return event[node]; }
    bool is_min(std::int32_t set) const { return players[set] == 1; }
    std::int32_t alternatives(std::int32_t set) const { return sizes[set]; }
    Node child(Node node, std::int32_t a) const { return children[offsets[node] + a]; }
    void meet(std::int32_t set) { ++met[set]; }
    void choose(std::int32_t set, std::int32_t a) { chosen[set] = a; }

    void extend(Node node, int depth, std::vector<Node> &out) const {
        if (event[node] < 0 || players[event[node]] >= 0) {
            out.push_back(node);
            return;
        }
        for (std::int32_t at = offsets[node]; at < offsets[node + 1]; ++at) extend(children[at], depth, out);
    }
};

// The IMP-model with independent payoffs from 0 to `highest`, made on demand: a node is the number of the draw and the
// alternatives, as ImpModel.number has it.
struct ImpModelTree {
    using Node = std::uint64_t;

    std::uint64_t k, b, d, draws, highest, seed;
    std::vector<std::uint64_t> b_powers, k_powers;

    ImpModelTree(int k_, int b_, int d_, std::uint64_t highest_, std::uint64_t seed_)
        : k(k_), b(b_), d(d_), highest(highest_), seed(splitmix(seed_)) {
        for (std::uint64_t power = 1, i = 0; i < d; ++i, power *= b) b_powers.push_back(power);
        for (std::uint64_t power = 1, i = 0; i < d; ++i, power *= k) k_powers.push_back(power);
        draws = k_powers[d - 1];
    }

    std::size_t sets() const { return draws; }
    Node root() const { return ~Node{0}; }
    bool is_leaf(Node, int depth) const { return all_leaves(depth); }
    bool all_leaves(int depth) const { return depth == static_cast<int>(d) - 1; }
    std::int64_t worth(Node node) const { return static_cast<std::int64_t>(splitmix(seed ^ node) % (highest + 1)); }
    std::int64_t prob(const Node *begin, const Node *end) const { return end - begin; }
    std::int32_t set(Node node, int depth) const {
        return static_cast<std::int32_t>(node / b_powers[depth] / k_powers[d - 1 - depth]);
    }
    bool is_min(std::int32_t) const { return false; }
    std::int32_t alternatives(std::int32_t) const { return static_cast<std::int32_t>(b); }
    Node child(Node node, std::int32_t a) const { return node * b + static_cast<Node>(a); }
    void meet(std::int32_t) {}
    void choose(std::int32_t, std::int32_t) {}

    void extend(Node node, int, std::vector<Node> &out) const {
        if (node != root()) {
            out.push_back(node);
            return;
        }
        for (Node draw = 0; draw < draws; ++draw) out.push_back(draw);
    }
};

}  // namespace worldwise
