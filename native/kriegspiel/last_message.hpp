// Boards that explain the last message and the refusals since, no more: kriegspiel/belief/last_message.py's, on boards
// of 8 by 8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/watch.hpp"
#include "kriegspiel/chess.hpp"
#include "kriegspiel/umpire.hpp"

namespace worldwise::chess {

// What the enemy began with besides his king, and what he has lost: pawns, other men, and men of which it was not said
// what they were.
struct Army {
    std::size_t pawns = 8;
    std::vector<Man> pieces;
    std::size_t pawns_lost = 0, pieces_lost = 0, unknown_lost = 0;
};

constexpr int ATTEMPTS = 2000;  // for each board, before the message is given up as too unlikely

// Boards on which the player to move has the men of `own`, what was last said could have been said, and the `refused`
// tries are not legal: as many as asked for, or fewer if that is hard to meet. The same seed gives the same boards.
std::vector<Board> guesses(const Board &own, Message said, const std::vector<Move> &refused, const Army &army,
                           const UmpireRules &rules, int count, std::uint64_t seed, const Watch &watch);

}  // namespace worldwise::chess
