// What a kriegspiel player holds possible: boards with weights, and what is left of them when he hears something.
#pragma once

#include <cstdint>
#include <vector>

#include "common/watch.hpp"
#include "kriegspiel/chess.hpp"
#include "kriegspiel/umpire.hpp"

namespace worldwise::chess {

// What a player hears: the answer to a try of his own, or that the other has moved.
struct Heard {
    enum What : std::uint8_t { REFUSED, MADE, OTHER_MADE } what;
    Move move;         // his own
    Message said = 0;  // compared where `mask` has bits
    Message mask = ~Message{0};
    int refusals = -1;  // of the other's tries before the move, if they are heard
};

// A board, how likely it is up to a common factor, the place of the board it came from, and the other's move there.
struct Possible {
    Board board;
    double weight;
    std::uint32_t parent;
    std::uint16_t move;
};

// A player may make this many moves at a ply without weights drifting far from one.
constexpr double USUAL_MOVES = 20;

// The boards that fit, boards that differ in `quiet` only counting as one, which keeps the lowest: it is possible for
// as long as any of them. The other is taken to try anything he may in a random order, so all his legal moves are
// equally likely, and refusals tell how many of his tries are legal. Throws std::overflow_error if more than `most`
// fit.
std::vector<Possible> after(const std::vector<Possible> &before, const Heard &heard, const UmpireRules &rules,
                            std::size_t most, const Watch &watch);

// How answers count against a board.
constexpr double LATER = 0.7;         // what a turn later is worth less
constexpr double LEAST_WORTH = 0.03;  // what counts for less is not looked at
constexpr double WRONG_CAPTURE = 4;   // or a check that is not given, against a wrong answer to a try

// How badly a board, the other to move, agrees with what the player is known to hear later, as far as can be told
// without the other's moves: as if he passed, but for the men he takes. What comes sooner counts for more.
double surprise(Board board, const std::vector<Heard> &later);

// For each board, how much its men of a colour are where few boards have them: the sum, over these men, of one over the
// weight of all boards that have such a man there. Where men of no board stand counts for nothing; all sums, taken by
// weight, add up to the number of different places and kinds.
std::vector<double> rarities(const std::vector<Possible> &boards, int colour);

}  // namespace worldwise::chess
