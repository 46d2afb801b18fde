// The umpire of kriegspiel: kriegspiel/rules/umpire.py's messages, packed into a word so that they compare at once.
#pragma once

#include <cstdint>

#include "kriegspiel/chess.hpp"

namespace worldwise::chess {

struct UmpireRules {
    enum Captured : std::uint8_t { NOTHING, KIND, TYPE } captured = KIND;
    enum PawnTries : std::uint8_t { UNSAID, ANY, COUNT } pawn_tries = COUNT;
    bool split_diagonals = true;
    int quiet_limit = 100;  // plies; beyond what a board counts for none
    bool quiet_is_fifty = true;
};

// taken + 1, man, checks, tries + 1 and end, from the lowest bit up, each from where it is shifted to: man is 1 for a
// pawn and 2 for a piece, or 1 + its kind; checks are flags in the order of Check; tries is 0 if nothing is said; end
// is a place in End, from 1.
using Message = std::uint32_t;
constexpr int MAN_SHIFT = 7, CHECKS_SHIFT = 10, TRIES_SHIFT = 16, END_SHIFT = 24;

enum End : std::uint8_t { GOES_ON, MATE, STALEMATE, DEAD, FIFTY, REPETITION, QUIET, PLIES };

constexpr End end_of(Message message) { return static_cast<End>(message >> END_SHIFT); }
constexpr Message ending(End over) { return static_cast<Message>(over) << END_SHIFT; }

// What the player to move may try, as kriegspiel/rules/view.py has it: any move of his men as if the enemy's were in
// nobody's way, and captures by pawns unless the umpire has said that there is none.
void tries(const Board &board, const UmpireRules &rules, Moves &moves);
int try_count(const Board &board, const UmpireRules &rules);

Message message(const Board &before, Move move, const Board &after, const UmpireRules &rules);

// Where a move takes, NO_SQUARE if nowhere; for en passant, not where it goes.
int taken_at(const Board &before, Move move);

// The part of a message that tells what a move takes.
Message capture(const Board &before, Move move, const UmpireRules &rules);

// The part of a message that a board alone tells: checks, pawn tries, and whether the game is over.
Message standing(const Board &board, const UmpireRules &rules);

// How the game is over on a board, if it is; `danger` is what the side that has just moved attacks, or more.
End over(const Board &board, Bits danger, const UmpireRules &rules);

// Parts of messages.
constexpr Message CAPTURE = (1u << CHECKS_SHIFT) - 1, CHECKS = 63u << CHECKS_SHIFT, PAWN_TRIES = 255u << TRIES_SHIFT;
constexpr int taken_in(Message message) { return static_cast<int>(message & 127) - 1; }  // a square, -1 for none

}  // namespace worldwise::chess
