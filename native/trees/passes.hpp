// The passes of search/backup.py over a flat tree. Each walks the nodes in preorder with a stack of open nodes of its
// own, so that no depth is too deep. ReadablePasses says what they compute and why; here is only how to do it fast.
#pragma once

#include <stdexcept>

#include "trees/lattice.hpp"
#include "trees/tree.hpp"

namespace worldwise {

// What MAX prefers: ReadablePasses.choose and .fuse in one, `fused` being the difference.
template <class L>
struct Preference {
    const typename L::Word *need, *rest;  // the guess
    bool guess_first;                     // or only where the averages are equal
    const typename L::Word *bounds;       // payoff reduction: a vector for every node; null: off
    bool beta, fused;
};

template <class L, int W>
Stats back_up(const Tree<typename L::Word> &tree, const Preference<L> &prefer, const Scorer<L> &score, Ties ties,
              const Watch &watch,
              std::int32_t *chosen,        // the branch taken at every MAX node
              typename L::Word *value,     // the root's vector
              typename L::Word *first,     // the vectors of the root's children
              typename L::Word *values) {  // the vectors of all nodes; null: not wanted
    using Word = typename L::Word;
    struct Open {
        std::int32_t node, children, best;
        std::uint32_t equals;
        bool meets;
        typename L::Score score;
    };
    const Vectors<L, W> v{tree.width};
    const std::size_t w = v.width();
    std::vector<Open> open;
    std::vector<Word> caps, sums, leaf(w);  // of the open nodes: what can still be had; what has been backed up
    Stats stats;
    const Word *next_leaf = tree.leaves;

    auto deliver = [&](std::int32_t from, Word *vector) {  // a finished node's vector goes to its parent
        if (values) v.copy(values + from * w, vector);
        if (open.empty()) return v.copy(value, vector);
        Open &at = open.back();
        Word *sum = &sums[(open.size() - 1) * w];
        std::int32_t branch = at.children++;
        if (open.size() == 1) v.copy(first + branch * w, vector);
        if (tree.kind[at.node] == MIN) return v.meet(sum, vector);
        bool meets = v.no_better(prefer.need, vector);
        auto worth = score(vector, prefer.rest, w);
        bool better = branch == 0 ||
                      (prefer.guess_first ? meets > at.meets || (meets == at.meets && worth > at.score)
                                          : worth > at.score || (worth == at.score && meets > at.meets));
        if (better) {
            at.equals = 1;
        } else if (meets == at.meets && worth == at.score) {
            better = ties.takes_over(at.node, ++at.equals);
        }
        if (better) at.meets = meets, at.score = worth, at.best = branch;
        if (prefer.fused && branch) return v.join(sum, vector);
        if (better) v.copy(sum, vector);
    };
    auto close = [&] {
        Open done = open.back();
        std::vector<Word> &vector = leaf;  // reused: no leaf is being delivered now
        v.copy(vector.data(), &sums[(open.size() - 1) * w]);
        open.pop_back();
        chosen[done.node] = tree.kind[done.node] == MAX ? done.best : -1;
        deliver(done.node, vector.data());
    };

    for (std::size_t node = 0; node < tree.nodes; ++node) {
        while (!open.empty() && std::size_t(tree.end[open.back().node]) == node) close();
        watch.node(++stats.nodes);
        std::size_t depth = open.size();
        if (caps.size() < (depth + 1) * w) caps.resize((depth + 1) * w), sums.resize((depth + 1) * w);
        Word *cap = &caps[depth * w];
        if (depth) {
            v.copy(cap, cap - w);
            if (prefer.beta && tree.kind[open.back().node] == MIN) v.meet(cap, &sums[(depth - 1) * w]);
        } else {
            v.fill(cap, L::top);
        }
        if (tree.kind[node] == LEAF) {
            ++stats.leaves;
            v.copy(leaf.data(), next_leaf);
            next_leaf += w;
            v.meet(leaf.data(), cap);
            chosen[node] = -1;
            deliver(node, leaf.data());
            continue;
        }
        if (prefer.bounds && tree.kind[node] == MIN) v.meet(cap, prefer.bounds + node * w);
        v.fill(&sums[depth * w], L::top);
        open.push_back({std::int32_t(node), 0, 0, 1, false, {}});
    }
    while (!open.empty()) close();
    return stats;
}

// FB01 Fig 21. A closed window jumps to the end of the node it closed in: alpha is what MAX has elsewhere, beta the
// most that MIN leaves in each world. Whatever else comes of the node is no better than beta in any world, so once beta
// is no better than alpha MAX gains nothing by it. Beta comes down with what MIN can do further up, so values are cut
// to that on the way: this is why the answer may differ from vector minimaxing's, often for the better. `all` is the
// top of the scale; `searched` says how many of the root's children were looked at.
template <class L, int W>
Stats alpha_beta(const Tree<typename L::Word> &tree, const typename L::Word *all, const Scorer<L> &score, Ties ties,
                 const Watch &watch, std::int32_t *chosen, typename L::Word *value, typename L::Word *first,
                 std::int32_t &searched) {
    using Word = typename L::Word;
    struct Open {
        std::int32_t node, children;
        std::int64_t number;
        std::uint32_t equals;
        bool has_alpha;
        typename L::Score score;  // of alpha
    };
    const Vectors<L, W> v{tree.width};
    const std::size_t w = v.width();
    const std::vector<std::int32_t> leaf_number = leaf_numbers(tree);
    std::vector<Open> open;
    std::vector<Word> alphas, betas, vector(w);
    Stats stats;
    std::size_t node = 0;

    // Gives `vector` to the innermost open node; true if that closes the node's window.
    auto deliver = [&] {
        Open &at = open.back();
        Word *alpha = &alphas[(open.size() - 1) * w], *beta = &betas[(open.size() - 1) * w];
        std::int32_t branch = at.children++;
        if (open.size() == 1) v.copy(first + branch * w, vector.data()), searched = at.children;
        if (tree.kind[at.node] == MIN) {
            v.meet(beta, vector.data());
        } else {
            auto worth = score(vector.data(), all, w);
            bool better = !at.has_alpha || worth > at.score;
            if (better) {
                at.equals = 1;
            } else if (worth == at.score && !v.equal(vector.data(), alpha)) {
                ++at.equals;
                better = at.equals > 1 && ties.takes_over(at.number, at.equals);
            }
            if (better) {
                v.copy(alpha, vector.data());
                at.has_alpha = true, at.score = worth;
                chosen[at.node] = branch;
            }
        }
        return at.has_alpha && v.no_better(beta, alpha);
    };
    // Ends the innermost open node, its value going to `vector`.
    auto close = [&](bool window_closed) {
        Open &at = open.back();
        bool at_max = tree.kind[at.node] == MAX;
        std::vector<Word> &from = at_max == window_closed ? betas : alphas;
        v.copy(vector.data(), &from[(open.size() - 1) * w]);
        node = tree.end[at.node];
        open.pop_back();
    };
    auto deliver_up = [&] {
        while (!open.empty()) {
            bool closed = deliver();
            bool finished = node == std::size_t(tree.end[open.back().node]);
            if (!closed && !finished) return;
            stats.cuts += closed && !finished;
            close(closed);
        }
        v.copy(value, vector.data());
    };

    while (node < tree.nodes) {
        std::int64_t number = stats.nodes++;
        watch.node(stats.nodes);
        if (tree.kind[node] == LEAF) {
            ++stats.leaves;
            v.copy(vector.data(), tree.leaves + leaf_number[node] * w);
            ++node;
            deliver_up();
            continue;
        }
        std::size_t depth = open.size();
        alphas.resize((depth + 1) * w), betas.resize((depth + 1) * w);
        Open fresh{std::int32_t(node), 0, number, 0, false, {}};
        if (depth) {
            fresh.has_alpha = open.back().has_alpha, fresh.score = open.back().score;
            v.copy(&alphas[depth * w], &alphas[(depth - 1) * w]);
            v.copy(&betas[depth * w], &betas[(depth - 1) * w]);
        } else {
            v.copy(&betas[0], all);
        }
        chosen[node] = 0;
        open.push_back(fresh);
        ++node;
    }
    return stats;
}

// MAX's moves are given: jump to the chosen branch, meet at MIN. With `hidden`, MIN cannot tell those worlds apart.
// `reached` lists the MAX nodes met, in preorder.
template <class L, int W>
Stats follow(const Tree<typename L::Word> &tree, const std::int32_t *chosen, const typename L::Word *seen,
             const typename L::Word *hidden, const Scorer<L> &score, typename L::Word *value,
             std::vector<std::int32_t> &reached) {
    using Word = typename L::Word;
    struct Open {
        std::int32_t node;
        bool begun;
        typename L::Score least;
    };
    const Vectors<L, W> v{tree.width};
    const std::size_t w = v.width();
    const std::vector<std::int32_t> leaf_number = leaf_numbers(tree);
    std::vector<Open> open;
    std::vector<Word> sums, vector(w), part(w);
    Stats stats;
    std::size_t node = 0;

    auto at_min = [&](Open &at, Word *sum) {
        if (!hidden) return v.meet(sum, vector.data());
        auto total = score(vector.data(), hidden, w);
        bool worse = !at.begun || total < at.least;
        v.copy(part.data(), worse ? vector.data() : sum);  // the hidden worlds: all of one branch
        if (worse) at.least = total;
        at.begun = true;
        v.meet(part.data(), hidden);
        v.meet(sum, vector.data());
        v.meet(sum, seen);
        v.join(sum, part.data());
    };
    auto deliver_up = [&] {
        while (!open.empty()) {
            Open &at = open.back();
            Word *sum = &sums[(open.size() - 1) * w];
            bool is_max = tree.kind[at.node] == MAX;
            if (is_max)
                v.copy(sum, vector.data());
            else
                at_min(at, sum);
            if (!is_max && node < std::size_t(tree.end[at.node])) return;
            v.copy(vector.data(), sum);
            node = tree.end[at.node];
            open.pop_back();
        }
        v.copy(value, vector.data());
    };

    while (node < tree.nodes) {
        ++stats.nodes;
        if (tree.kind[node] == LEAF) {
            ++stats.leaves;
            v.copy(vector.data(), tree.leaves + leaf_number[node] * w);
            ++node;
            deliver_up();
            continue;
        }
        open.push_back({std::int32_t(node), false, {}});
        sums.resize(open.size() * w);
        v.fill(&sums[(open.size() - 1) * w], L::top);
        std::int32_t branch = 0;
        if (tree.kind[node] == MAX) {
            reached.push_back(std::int32_t(node));
            branch = chosen[node];
        }
        const auto end = std::size_t(tree.end[node++]);
        for (; branch > 0 && node < end; --branch) node = tree.end[node];
        if (branch != 0 || node >= end) throw std::invalid_argument("expected a move at every node that is reached");
    }
    return stats;
}

// FB01 section 7.4: the branches that win if a leaf at least as good as `target` is a win. Returns whether MAX wins.
template <class L, int W>
bool realise(const Tree<typename L::Word> &tree, const typename L::Word *target, Ties ties, const Watch &watch,
             std::int32_t *chosen, Stats &stats) {
    struct Open {
        std::int32_t node, children, best;
        std::uint32_t equals;
        bool won, best_won;
    };
    const Vectors<L, W> v{tree.width};
    std::vector<Open> open;
    bool answer = false;
    const auto *next_leaf = tree.leaves;

    auto deliver = [&](bool won) {
        if (open.empty()) {
            answer = won;
            return;
        }
        Open &at = open.back();
        std::int32_t branch = at.children++;
        if (tree.kind[at.node] == MIN) {
            at.won &= won;
            return;
        }
        bool better = branch == 0 || won > at.best_won;
        if (better)
            at.equals = 1;
        else if (won == at.best_won)
            better = ties.takes_over(at.node, ++at.equals);
        if (better) at.best = branch, at.best_won = won;
        at.won = at.best_won;
    };
    auto close = [&] {
        Open done = open.back();
        open.pop_back();
        chosen[done.node] = tree.kind[done.node] == MAX ? done.best : -1;
        deliver(done.won);
    };

    for (std::size_t node = 0; node < tree.nodes; ++node) {
        while (!open.empty() && std::size_t(tree.end[open.back().node]) == node) close();
        watch.node(++stats.nodes);
        if (tree.kind[node] == LEAF) {
            ++stats.leaves;
            chosen[node] = -1;
            deliver(v.no_better(target, next_leaf));
            next_leaf += v.width();
        } else {
            open.push_back({std::int32_t(node), 0, 0, 1, true, false});
        }
    }
    while (!open.empty()) close();
    return answer;
}

}  // namespace worldwise
