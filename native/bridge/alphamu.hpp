// alpha-mu for bridge (CLV21 Algorithm 2): search/alphamu.py says what each step is and why it is sound; this is its
// `Walk`, node for node, over deals, with our double-dummy solver at the leaves. The root is searched from Python.
//
// An outcome has a lane of bits for every world, one bit for every number of tricks that is worth more: one if only the
// contract counts. MIN's choice is AND, a bit outside the cap is a world, or a trick in it, that is lost anyway.
//
// Race policy: a search is asked by one thread at a time, and its table is that thread's alone. Only leaves are shared
// out to Workers: each asks the solvers of its own worlds, which take turns by themselves, and writes to its own place.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "bridge/double_dummy.hpp"
#include "common/bitset.hpp"
#include "common/workers.hpp"

namespace worldwise {

struct AlphaMuSwitches {
    bool useful, empty_entry, alpha, worlds, win;
};

// What is searched: the worlds' hands where the search begins, the trick on the table, and what tricks are worth.
struct AlphaMuTask {
    std::vector<Hands> worlds;
    int trumps, leader, max_side;  // the side of North and South is 0
    std::array<int, 3> trick;
    int played;
    bool make;                        // only the contract counts
    int first;                        // the first bit of a lane: so many more tricks for MAX
    std::vector<std::int64_t> gains;  // what each bit of an outcome adds to its score, lane by lane
};

constexpr std::size_t ALPHA_MU_BITS = 2048;                                  // of the longest outcome
constexpr std::int64_t ANYTHING = std::numeric_limits<std::int64_t>::min();  // a need that every outcome meets

struct AlphaMuCounts {
    std::int64_t nodes = 0, leaves = 0, solved = 0;
    std::int64_t early = 0, alpha = 0, worlds = 0, win = 0, empty_entry = 0, score = 0;
};

template <int K>
class AlphaMuSearch {
  public:
    using Code = Bitset<K>;
    using Front = std::vector<Code>;
    // A front, and whether looking further ahead would leave the fronts above as they are.
    struct Found {
        Front front;
        bool final;
    };

    AlphaMuSearch(const AlphaMuTask &task, const AlphaMuSwitches &switches, const std::vector<DoubleDummy *> &solvers,
                  Workers &workers);

    // What a card offers so many moves of MAX ahead, itself the first, that scores at least `need`; outcomes that one
    // of `beside` dominates may be missing, or too good.
    Found search(int card, int depth, std::int64_t need, const Front &beside, Watch &watch);

    // Whether MAX may play the card now, and it is the highest of those that touch it.
    bool offers(int card) const;

    AlphaMuCounts counts;

  private:
    struct Position {
        std::array<CardSet, 4> gone{};  // what each player has played since the search began
        int leader, played, taken;      // tricks MAX has won meanwhile
        std::array<int, 3> trick;
        Code open;  // whole lanes of the worlds in which this can arise
    };
    struct Key {
        std::array<CardSet, 4> gone;
        Code open;
        std::uint64_t rest;
        friend bool operator==(const Key &, const Key &) = default;
    };
    struct Hash {
        std::size_t operator()(const Key &key) const;
    };
    struct Entry {
        int depth, move;
        std::int64_t need;
        Code cap;
        Front front;
    };
    using Above = std::vector<const Front *>;
    enum class State { OPEN, ENDED, WON, LOST };

    Found visit(const Position &position, int depth, const Code &cap, Above &above);
    Found at_max(const Position &position, int depth, const Code &cap, Above &above);
    Found at_min(const Position &position, int depth, const Code &cap, Above &above);
    Found at_leaf(const Position &position, State state, const Code &left, const Code &cap);
    Front bound(const Position &position, int depth, const Code &cap, Above &above);
    bool face_up(const Position &position, const Code &left, Code &code);
    std::int64_t score(const Code &code) const;
    bool enough(const Code &code) const { return need_ == ANYTHING || score(code) >= need_; }
    void keep_enough(Front &front) const;
    void solve(const Position &position, int world, const Code &left, std::uint64_t &filled) const;
    // A card, and the worlds in which it can be played.
    struct Move {
        int card;
        Code open;
    };
    std::vector<Move> ordered(const Position &position) const;
    std::vector<Move> own_moves(const Position &position, int seat) const;
    std::vector<Move> replies(const Position &position, int seat) const;
    bool touch(const Position &position, int seat, int higher, int lower, const Code &open) const;
    CardSet others(const Position &position, int seat, int world) const;
    Position play(const Position &position, const Move &move) const;
    CardSet legal(const Position &position, int seat, int world) const;
    CardSet hand(const Position &position, int seat, int world) const;
    bool is_max(const Position &position) const { return (((position.leader + position.played) ^ side_) & 1) == 0; }
    State state(const Position &position) const;
    int sure(const Position &position) const;
    static CardSet played(const Position &position) {
        return position.gone[0] | position.gone[1] | position.gone[2] | position.gone[3];
    }
    int worlds_in(const Code &code) const;
    Key key(const Position &position) const;
    void remember(const Position &position, int depth, const Code &cap, const Front &front, int move);
    Front meet(const Front &one, const Front &other);
    static bool dominated(const Front &front, const Front &by);
    static bool dominated_by_any(const Front &front, const Above &above);

    AlphaMuTask task_;
    AlphaMuSwitches switches_;
    std::vector<DoubleDummy *> solvers_;
    Workers &workers_;
    int side_, lane_;
    std::int64_t even_gain_;  // what every bit is worth if all are worth the same, otherwise 0
    std::int64_t need_ = ANYTHING;
    std::vector<int> doubtful_;  // the worlds, those lost most lately first: they are the likeliest to be lost again
    Code top_;
    std::vector<Code> lanes_;
    Position root_;
    std::unordered_map<Key, Entry, Hash> known_;
    Watch *watch_ = nullptr;
    static constexpr std::int64_t PER_NODE = 4096;  // comparisons of outcomes that take about as long as a node
    std::int64_t compared_ = 0, extra_ = 0;
};

}  // namespace worldwise
