// Information-set search (PNS06) for kriegspiel: search/information_set.py's definition, on boards of 8 by 8.
//
// A tree of what the player may hear. Boards are folded into it one after another: each walks through all its moves and
// adds itself, by its weight, to the information sets it reaches. What a try is worth is read off in the end.
//
// Race policy: one thread at a time; a tree belongs to one search, tables and all.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "common/hash.hpp"
#include "common/watch.hpp"
#include "kriegspiel/chess.hpp"
#include "kriegspiel/evaluation.hpp"
#include "kriegspiel/null_move.hpp"
#include "kriegspiel/umpire.hpp"

namespace worldwise::chess {

// Maps (node, try, message) to a node. A key is all three of them, so no two are taken for one.
struct SetSlot {
    std::uint64_t key = 0;
    std::uint32_t node = 0;  // the root is below nobody, so 0 is none

    bool is_used() const { return node != 0; }
    std::uint64_t hash() const { return stir(key); }
};

class InformationSets {
  public:
    // `tries` are what the player may try now; `caution` is 0 for the mean of what may come, 1 for the least of it;
    // `greed` is how much likelier than a quiet reply one is, for each pawn's worth that it takes or promotes.
    InformationSets(const UmpireRules &rules, const Evaluation &evaluation, int player, std::vector<Move> tries,
                    int depth, double caution, double greed, std::size_t most);

    // False if the tree has `most` sets, so that there is no room for another board. Throws std::bad_alloc if a board
    // makes it twice as large, and whatever the watch throws: then nothing can be read off.
    bool fold(const Board &board, double weight, const Watch &watch);

    // For each try: what it is worth, and how likely it is to be made.
    std::vector<double> values() const;
    std::vector<double> chances() const;

    int player() const { return player_; }

    std::int64_t leaves = 0;  // boards evaluated

  private:
    // Things of which some come to pass: their weights, their worth by weight, and the least worth.
    struct Mix {
        double weight = 0, sum = 0, least = std::numeric_limits<double>::infinity();
        void add(double more, double worth);
    };
    // An information set, or if it has nothing below it, the boards at the end of the search that look alike.
    struct Node : Mix {
        std::uint32_t child = 0, sibling = 0;
        std::uint32_t heaps = 0;   // where its heaps begin, if the search ends below it
        std::uint32_t tries = 0;   // where his tries begin
        std::uint16_t count = 0;   // and how many there are, if it is his turn
        std::uint16_t number = 0;  // of the try that leads here
    };
    // A move that nothing comes after: what is said, if it matters beyond whether the game is over, and its worth.
    struct Reply {
        Message said;
        double worth;
    };
    // All replies on a board, and how likely each is. After each of his refused tries they are the same.
    struct Replies {
        Board board;
        std::vector<Reply> each;
        std::vector<double> chances;
    };
    // A try on a board that nothing comes after: whether it is made, what is said, and what that is worth.
    struct Last {
        std::uint16_t number;
        bool legal;
        Message said;
        double worth;
    };
    // A try on a board; worth only where the game ends.
    struct Made : Last {
        Board board;
    };

    void his_turn(std::uint32_t node, const Board &board, double weight, int depth);
    void other_turn(std::uint32_t node, const Board &board, double weight, int depth);
    void refuse(std::uint32_t node, const std::vector<Made> &made, const Board &board, double weight, int depth);
    const std::vector<Made> &make_all(std::uint32_t node, const Board &board, int depth);
    const std::vector<Last> &last_tries(std::uint32_t node, const Board &board, bool answers);
    Reply plainly(double worth);
    Reply last_board(const Board &before, Move move, const Reach &reach);
    void add_leaves(std::uint32_t node, const std::vector<Last> &last, double weight, std::uint16_t except);

    std::uint32_t child(std::uint32_t node, unsigned number, Message said);
    Mix &heap(std::uint32_t node, unsigned number);
    void add_leaf(std::uint32_t node, unsigned number, Message said, double weight, double worth);
    void add_last(std::uint32_t node, unsigned number, Message said, double weight, double worth);
    const Replies &replies(const Board &board);
    double gain(const Board &board, Move move) const;
    void give_chances(const Board &board, const Moves &moves, std::vector<double> &chances) const;
    double worth(const Board &board);
    double utility(Message said, bool his) const;
    double blend(const Mix &mix) const;
    double value(std::uint32_t node) const;
    std::vector<Mix> by_try(std::uint32_t node) const;
    void give_tries(std::uint32_t node, const Board &board);
    void check_size() const;

    UmpireRules rules_;
    Evaluation evaluation_;
    int player_, depth_;
    double caution_, greed_;
    std::size_t most_;
    const Watch *watch_ = nullptr;  // of the board that is folded
    bool is_blend_;  // neither all mean nor all least: then it matters how the last boards are told apart
    std::vector<Node> nodes_;
    std::vector<Mix> heaps_;  // last boards that are not told apart, by their set and try
    std::vector<Move> tries_;
    OpenTable<SetSlot> table_{1 << 12};
    std::vector<std::vector<Made>> made_;  // kept between boards, one for each depth
    std::vector<Last> last_;
    std::vector<Replies> replies_;  // by a part of the board's hash; a newcomer takes the place
    Passed passed_;
    std::vector<double> made_weight_;  // of the boards on which each try is made
};

}  // namespace worldwise::chess
