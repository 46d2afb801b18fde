// The play of a single suit against best defence: bridge/suit/rules.py's rules, and exact fronts of its tables.
//
// A front is the set of undominated outcomes that declarer can have: the worlds in which a goal is reached, or for
// every number of further tricks the worlds in which he wins that many. Between tricks it depends on the table alone,
// however that came about, so it is worked out once for each: see search/transposed.py.
//
// Race policy: a solver is asked by one thread at a time; its tables are nobody else's. Rules are not written to.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "common/bitset.hpp"
#include "common/watch.hpp"

namespace worldwise {

constexpr int SUIT_CLASSES = 7;  // at most: every class but one lies below a card of declarer's
constexpr int SUIT_WORDS = 3;    // at most 162 worlds

using Worlds = Bitset<SUIT_WORDS>;  // a set of them

// What declarer gets: the worlds in which he wins at least 1, 2 ... L further tricks, or reaches his goal (L = 1).
template <int L>
struct Outcome {
    std::array<Worlds, L> level{};

    Outcome &operator&=(const Outcome &other) {
        for (int i = 0; i < L; ++i) level[i] &= other.level[i];
        return *this;
    }
    Outcome &operator|=(const Outcome &other) {
        for (int i = 0; i < L; ++i) level[i] |= other.level[i];
        return *this;
    }
    bool within(const Outcome &other) const {
        for (int i = 0; i < L; ++i)
            if (!level[i].within(other.level[i])) return false;
        return true;
    }
    bool any() const {
        for (const auto &worlds : level)
            if (worlds.any()) return true;
        return false;
    }
    int count() const {
        int sum = 0;
        for (const auto &worlds : level) sum += worlds.count();
        return sum;
    }
    // As Python orders outcomes: by the first level that differs.
    bool below(const Outcome &other) const {
        for (int i = 0; i < L; ++i)
            if (level[i] != other.level[i]) return level[i].below(other.level[i]);
        return false;
    }
    auto operator<=>(const Outcome &) const = default;
};

template <int L>
using SuitFront = std::vector<Outcome<L>>;

enum Seat : std::uint8_t { NORTH, EAST, SOUTH, WEST, NOBODY };
constexpr std::uint8_t UNLIMITED = 255;
constexpr std::uint8_t OUT = 0;
constexpr std::uint8_t RUFF = 15;  // by a hand of declarer's that is out of the suit: higher than the ace

// Who leads the suit, in the order of combination.py's LEADERS.
enum Leader : std::uint8_t { DECLARER, FIRST, FIRST_WEST, FIRST_EAST, ALWAYS, LEADERS };

struct SuitMove {
    std::uint8_t seat, card;
};

struct SuitTable {
    std::uint16_t north = 0, south = 0;  // bit r for a card of rank r
    std::array<std::uint8_t, SUIT_CLASSES> west{}, east{};
    bool west_out = false, east_out = false;
    std::int8_t need = 0;  // tricks still wanted
    std::array<SuitMove, 4> trick{};
    std::uint8_t played = 0;  // cards in the trick
    std::uint8_t in_hand = NOBODY;
    std::array<std::uint8_t, 2> entries{UNLIMITED, UNLIMITED};
    std::uint8_t ruffs = 0;
    Worlds possible;  // what the defenders' cards allow; SuitRules::possible works it out, `after` keeps it up

    std::uint16_t &hand(int seat) { return seat == NORTH ? north : south; }
    std::uint16_t hand(int seat) const { return seat == NORTH ? north : south; }
    int next_seat() const { return (trick[0].seat + played) % 4; }
};

// The plays at a table: few, so they take no memory of their own.
struct SuitMoves {
    std::array<SuitMove, 16> move;
    int count = 0;

    void add(int seat, int card) { move[count++] = {static_cast<std::uint8_t>(seat), static_cast<std::uint8_t>(card)}; }
    const SuitMove *begin() const { return move.data(); }
    const SuitMove *end() const { return move.data() + count; }
};

struct SuitKey {
    std::uint64_t hands, shown, rest;
    bool operator==(const SuitKey &) const = default;
};

struct SuitKeyHash {
    std::size_t operator()(const SuitKey &key) const;
};

struct SuitRules {
    int classes = 0;
    // How many cards of each class, and its highest rank; the highest class is the first.
    std::array<std::uint8_t, SUIT_CLASSES> size{}, top{};
    bool lean = true, free = true;
    Leader leader = DECLARER;
    int worlds = 0;
    Worlds all;
    // [class][n]: the worlds in which West, or East, holds at least n; [n]: in which West, or East, holds n in all.
    std::array<std::array<Worlds, 15>, SUIT_CLASSES> west_has{}, east_has{};
    std::array<Worlds, 15> west_total{}, east_total{};

    Worlds possible(const SuitTable &table) const;
    bool is_over(const SuitTable &table, bool counting) const;
    // Whether a defender plays next; between tricks, whether the defenders lead.
    bool defends(const SuitTable &table) const;
    // Between tricks: the most that one hand can cash, its cards being higher than all the defenders have left.
    int cashable(const SuitTable &table) const;
    SuitMoves options(const SuitTable &table) const;
    SuitTable after(const SuitTable &table, SuitMove move) const;
    // Tables with the same key have the same future; without `need`, what was won does not matter.
    SuitKey key(const SuitTable &table, bool need) const;
    // Whether something stands between two cards that makes them differ.
    bool parts(const SuitTable &table, int low, int high) const;

  private:
    bool can_lead(const SuitTable &table, int seat) const;
    void different(const SuitTable &table, int seat, SuitMoves &moves) const;
    SuitMoves follows(const SuitTable &table, int seat) const;
    SuitMoves defences(const SuitTable &table, int seat) const;
    SuitMoves defenders_leads(const SuitTable &table) const;
    void add_defences(const SuitTable &table, int seat, SuitMoves &moves) const;
    bool is_useful(const SuitTable &table, int card) const;
    void gather(SuitTable &table) const;
};

// Adds up worlds' weights, eight worlds at a time.
class Weights {
  public:
    explicit Weights(std::span<const std::int64_t> weights);
    std::int64_t operator()(const Worlds &worlds) const;

  private:
    std::array<std::array<std::int64_t, 256>, 8 * SUIT_WORDS> sums_{};
};

// What outcomes are worth: a row of worlds' weights for every number of tricks, or one row for all of them. The row of
// a trick says what it adds in each world to be won as well.
class Worth {
  public:
    Worth(std::span<const std::int64_t> weights, std::size_t worlds);
    std::int64_t operator()(int tricks, const Worlds &worlds) const {
        return rows_[std::min(static_cast<std::size_t>(tricks), rows_.size() - 1)](worlds);
    }
    // Of the tricks that come after those won.
    template <int L>
    std::int64_t operator()(const Outcome<L> &outcome, int won = 0) const {
        std::int64_t sum = 0;
        for (int i = 0; i < L; ++i)
            if (outcome.level[i].any()) sum += (*this)(won + i, outcome.level[i]);
        return sum;
    }

  private:
    std::vector<Weights> rows_;
};

// What makes a search for the outcome that is worth most feasible: only lines that beat what is known, or guessed, to
// be possible are looked for. `goals` holds, for every number of tricks, sets of worlds one of which has all that any
// line can win, the most that one can win there, and the least that it has to.
struct SuitBound {
    struct Goal {
        std::vector<Worlds> sets;
        std::int64_t most, least;
    };
    std::vector<Goal> goals;
    std::int64_t beat = -1;  // negative: nothing is known, and everything is looked for

    // Whether an outcome after no trick wins the least that it has to, for every number of tricks.
    template <int L>
    bool reached(const Outcome<L> &outcome, const Worth &worth) const {
        if (beat < 0) return true;
        for (int tricks = 0; tricks < static_cast<int>(goals.size()); ++tricks)
            if (goals[tricks].least > 0 && worth(tricks, outcome.level[tricks]) < goals[tricks].least) return false;
        return true;
    }
};

// The best outcome at a table by worth (of equals the last by the worlds' numbers, where they are all looked at), and
// all that any outcome wins. `sets` is the front if it is short, otherwise `any` alone: either way, every outcome is
// within one of them.
template <int L>
struct SuitSummary {
    Outcome<L> best, any;
    SuitFront<L> sets;
    std::int64_t weight = -1;

    void offer(const Outcome<L> &outcome, std::int64_t worth) {
        if (worth > weight || (worth == weight && best.below(outcome))) best = outcome, weight = worth;
    }
};

// How declarer means to play a trick: what he leads, and the other hand's card for every class of second hand's; the one
// after the classes is for a second hand that shows out.
struct SuitPlan {
    SuitMove lead;
    std::array<std::uint8_t, SUIT_CLASSES + 1> third{};
};

// A table between tricks, and the trick that led to it.
struct SuitEnd {
    SuitTable table;
    std::array<SuitMove, 4> last{};
};

constexpr double MOST_MEETS = 20000;         // as many meets as are made to find the best; beyond, it is searched for
constexpr std::size_t MANY_MEETS = 1 << 19;  // as many are held in memory
constexpr std::size_t MOST_SETS = 100;       // a front up to this is short

// The heaviest meet of one outcome from each of several fronts, without making the others: a choice from one front
// narrows all of them, and what is left after some choices bounds what can come of them.
template <int L>
class HeaviestMeet {
  public:
    HeaviestMeet(const Worth &worth, const SuitBound &bound, int won, const Watch &watch)
        : worth_(worth), bound_(bound), won_(won), watch_(watch) {}

    void add(SuitFront<L> front, const Worlds &inside);
    // Among those that the bound looks for; without one, the weight found stays what was to be beaten.
    SuitSummary<L> find(const Outcome<L> &everything);

  private:
    void search(std::vector<SuitFront<L>> members, Outcome<L> left);
    bool narrow(std::vector<SuitFront<L>> &members, Outcome<L> &left) const;
    bool is_wanted(const Outcome<L> &outcome) const {
        return worth_(outcome, won_) > found_.weight && bound_.reached(outcome, worth_);
    }

    const Worth &worth_;
    const SuitBound &bound_;
    int won_;
    const Watch &watch_;
    std::vector<SuitFront<L>> members_;  // each outcome with all the worlds that its front does not speak of
    SuitSummary<L> found_;
};

template <int L>
class SuitSolver {
  public:
    using Front = SuitFront<L>;

    SuitSolver(SuitRules rules, Worth worth, bool counting, int length, SuitBound bound)
        : rules_(std::move(rules)), worth_(std::move(worth)), counting_(counting), length_(length),
          bound_(std::move(bound)) {}

    // The front from a table on; worlds that the table excludes count as lost.
    Front at(SuitTable table, const Watch &watch) {
        table.possible = rules_.possible(table);
        Front room;
        return front(table, room, watch);
    }
    // What people ask first, after a lead: without its front, which may be too large to write down. Of several tables
    // with as many tricks to come, the defenders choose one.
    SuitSummary<L> summary(std::vector<SuitTable> tables, const Watch &watch);
    // Whether all of an outcome can be had from a table on. This needs no fronts: every defence must leave it, and at
    // every table some play, so a table is looked at once for each outcome.
    bool secures(SuitTable table, Outcome<L> wanted, const Watch &watch);
    // Whether a plan for the next trick keeps all of an outcome, which counts tricks from the first one on, and the
    // tables between tricks that it can lead to where something is still to be won. If `shown_out` ends it, tables at
    // which a defender has shown out are not followed: every card is known there.
    bool keeps(SuitTable table, const Outcome<L> &wanted, const SuitPlan &plan, bool shown_out,
               std::vector<SuitEnd> &ends, const Watch &watch);
    const SuitRules &rules() const { return rules_; }
    bool is_bounded() const { return bound_.beat >= 0; }
    bool is_counting() const { return counting_; }
    int length() const { return length_; }
    std::int64_t tables() const { return static_cast<std::int64_t>(known_.size()); }
    std::int64_t nodes = 0;

  private:
    // These two give a front that is known, or one made in `room`: most are looked at once, and need no copy.
    const Front &front(const SuitTable &table, Front &room, const Watch &watch);
    const Front &below(const SuitTable &table, const SuitTable &next, Front &room, const Watch &watch);
    Front best(const SuitTable &table, const Watch &watch);
    Front worst(const SuitTable &table, const Watch &watch);
    Front met(const Front &front, const Front &other, const Worlds &inside, const SuitTable &table, const Watch &watch);
    bool secured(const SuitTable &table, const Outcome<L> &wanted, const Watch &watch);
    bool some_play_secures(const SuitTable &table, const Outcome<L> &wanted, const Watch &watch);
    SuitMove third(const SuitTable &table, const SuitPlan &plan) const;
    bool matters(const Outcome<L> &outcome, const SuitTable &table) const;
    // Counting, what was won matters to the bound alone.
    SuitKey key(const SuitTable &table) const { return rules_.key(table, !counting_ || bound_.beat >= 0); }
    int won(const SuitTable &table) const { return counting_ ? length_ - table.need : 0; }

    SuitRules rules_;
    Worth worth_;
    bool counting_;
    int length_;
    SuitBound bound_;
    std::unordered_map<SuitKey, Front, SuitKeyHash> known_;
    std::unordered_map<SuitKey, std::vector<std::pair<Outcome<L>, bool>>, SuitKeyHash> secured_;
};

}  // namespace worldwise
