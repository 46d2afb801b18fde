// Guaranteed mates in kriegspiel: can the player to move mate within so many moves, whatever is hidden from him?
//
// A belief is a set of boards that look the same to him. search/guaranteed.py's recursion, on boards of 8 by 8.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/watch.hpp"
#include "kriegspiel/chess.hpp"
#include "kriegspiel/umpire.hpp"

namespace worldwise::chess {

// What two lanes of 64 bits make of a board or of a set of boards. The tables compare nothing else: of a billion
// different ones, two look the same with a probability below 10^-20.
struct Digest {
    std::uint64_t one = 0, other = 0;

    auto operator<=>(const Digest &) const = default;
};

struct Placed {
    Digest digest;
    Board board;
};

using Belief = std::vector<Placed>;  // in the order of the digests, each board once

// For digests, the fewest moves known to be enough and the most known to be too few. It grows up to a bound; from there
// on what is new takes the place of what is old. That costs time only: what is kept is proved, and what is lost is
// proved again.
//
// Race policy: one thread at a time; a table belongs to one Mates, and that to one search.
class MateTable {
  public:
    struct Entry {
        Digest digest;
        std::uint8_t enough = 255, too_few = 0;
    };

    explicit MateTable(std::size_t most_entries);
    const Entry *find(const Digest &digest) const;
    void keep(const Digest &digest, int moves, bool is_mate);

  private:
    std::size_t place(const Digest &digest) const;
    void grow();

    std::size_t most_, used_ = 0;
    std::vector<Entry> entries_;
};

class Mates {
  public:
    Mates(const UmpireRules &rules, std::size_t most_entries);

    // Whether the player to move mates in at most so many moves.
    bool wins(const std::vector<Board> &boards, int moves, const Watch &watch);

    // If he does, every first move that forces it: legal on some board, and mate follows on those.
    std::vector<Move> keys(const std::vector<Board> &boards, int moves, const Watch &watch);

    std::int64_t nodes = 0;  // boards looked at

  private:
    struct Try;

    Belief belief_of(const std::vector<Board> &boards, int moves);
    bool wins(const Belief &belief, int moves);
    bool all_cleared(const Belief &belief, int moves);
    std::vector<Try> tries(const Belief &belief) const;
    bool is_won(Try &one, const Belief &belief, const std::vector<bool> &gone, int moves);
    bool all_answered(const Belief &belief, int moves);
    bool mates(const Board &board, int moves);
    bool is_mated(const Board &board, int moves);
    Board after(const Board &board, Move move) const;
    void count(std::size_t boards);

    UmpireRules rules_;
    bool counts_quiet_ = false;
    MateTable beliefs_, boards_;
    const Watch *watch_ = nullptr;
};

}  // namespace worldwise::chess
