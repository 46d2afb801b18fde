// Chess as if nothing were hidden: what HS (PNS06) asks of each board it holds possible.
#pragma once

#include "common/watch.hpp"
#include "kriegspiel/chess.hpp"
#include "kriegspiel/evaluation.hpp"
#include "kriegspiel/umpire.hpp"

namespace worldwise::chess {

// What a legal move is worth to the player to move, both sides then playing their best for `plies` plies after it, and
// for up to `captures` more taking, promoting, or leaving it at that. The watch is looked at if these are more than one.
double minimax_value(const Board &board, Move move, int plies, int captures, const UmpireRules &rules,
                     const Evaluation &evaluation, const Watch &watch);

}  // namespace worldwise::chess
