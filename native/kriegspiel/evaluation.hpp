// What a board looks worth to a kriegspiel player: kriegspiel/search/evaluation.py's KS.
#pragma once

#include <array>

#include "kriegspiel/chess.hpp"

namespace worldwise::chess {

struct Evaluation {
    std::array<double, 6> value{};  // of a man, by kind
    double protected_man = 0;       // a part of its value, for each own man that another protects
    double threatened = 0;          // a part of its value, for each enemy that is attacked
    double advance = 0;             // for each rank that an own pawn has gone
    double check = 0;               // taken off if the enemy's king is attacked
    double mate = 0;                // a game that is won; lost is minus as much, drawn is nothing
    double reach = 0;               // for each square that the player's men attack, less the enemy's
    double siege = 0;               // for each of them next to the enemy's king, less the enemy's next to his own

    bool is_two_sided() const { return reach || siege; }
};

double evaluated(const Board &board, int player, const Evaluation &evaluation);

// The same where it is known what the player's men attack.
double evaluated(const Board &board, int player, Bits reached, const Evaluation &evaluation);

}  // namespace worldwise::chess
