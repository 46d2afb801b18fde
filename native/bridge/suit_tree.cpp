#include "bridge/suit_tree.hpp"

namespace worldwise {

namespace {

class Unroller {
  public:
    Unroller(const SuitRules &rules, int words, const Watch &watch) : rules_(rules), words_(words), watch_(watch) {}

    // A trick is four cards and there are thirteen at most, so the recursion is not deep.
    void node(const SuitTable &table, SuitMove by) {
        std::size_t here = tree.kind.size();
        watch_.node(static_cast<std::int64_t>(here));
        bool is_leaf = !table.played && rules_.is_over(table, false);
        tree.kind.push_back(is_leaf ? LEAF : rules_.defends(table) ? MIN : MAX);
        tree.end.push_back(0);
        tree.move.push_back(static_cast<std::uint8_t>(16 * by.seat + by.card));
        if (is_leaf) {
            leaf(table);
        } else {
            for (auto move : rules_.options(table)) node(rules_.after(table, move), move);
        }
        tree.end[here] = static_cast<std::int32_t>(tree.kind.size());
    }

    SuitTree tree;

  private:
    void leaf(const SuitTable &table) {
        const Worlds &open = table.possible;
        tree.open.insert(tree.open.end(), open.word.begin(), open.word.begin() + words_);
        tree.won.push_back(table.need <= 0);
    }

    const SuitRules &rules_;
    int words_;
    const Watch &watch_;
};

}  // namespace

SuitTree suit_tree(const SuitRules &rules, SuitTable root, int words, const Watch &watch) {
    root.possible = rules.possible(root);
    Unroller unroller(rules, words, watch);
    unroller.node(root, {0, 0});
    return std::move(unroller.tree);
}

}  // namespace worldwise
