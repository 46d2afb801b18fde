// What boards would be worth if the other passed. Whatever he does instead that touches nothing of what the player's
// men attack leaves it at that: so of the last boards of a search many need not be looked at.
#pragma once

#include <optional>
#include <vector>

#include "kriegspiel/chess.hpp"
#include "kriegspiel/evaluation.hpp"
#include "kriegspiel/umpire.hpp"

namespace worldwise::chess {

class Passed {
  public:
    Passed(const UmpireRules &rules, const Evaluation &evaluation, int player);

    // A board on which the other is to move.
    void start(const Board &board);

    // What the board after a legal reply is worth to the player, if that is plain; else nothing.
    const double *after_reply(Move reply) const;

    // The board after a reply; and what it is worth after a legal move of the player's in turn, if that is plain.
    void reply(const Board &board);
    const double *after_move(Move move);

  private:
    // After a move of the player's: what his men attack, and what it is worth, if the other has passed before it.
    struct Known {
        std::uint32_t board = 0;  // the number of the board that this is about
        Bits reached = 0;
        double worth = 0;
    };
    const Known &known(Move move);

    UmpireRules rules_;
    Evaluation evaluation_;
    int player_;

    Board board_;  // with the player to move
    Known here_;
    std::optional<Reach> reach_;  // of the player's men
    std::uint32_t number_ = 0;
    Bits checking_ = 0;  // from where his king could be attacked, or be uncovered
    Bits steps_ = 0;     // squares to which his pawns step for certain

    bool is_plain_ = false;  // the reply: nothing taken, nothing promoted, no draw in sight
    Bits touched_ = 0;       // squares that it leaves or comes to, and where the other's king stands
    Bits others_steps_ = 0;  // squares to which the other's pawns step for certain
    int en_passant_ = NO_SQUARE;
    std::vector<Known> moves_;  // by the squares left and reached; none before the first reply
};

}  // namespace worldwise::chess
