// Double dummy: can a side take so many tricks when all four hands are seen?
//
// A search by depth with a table of what is known already. The table is the point: an entry is not one position but all
// positions that agree on who holds the cards that mattered (Ginsberg's partition search), with ranks counted among the
// cards still held, and it is kept from question to question, because a search asks thousands about one deal.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

#include "bridge/cards.hpp"
#include "common/hash.hpp"
#include "common/watch.hpp"

namespace worldwise {

// What a question is about: hands North first, who led, the cards on the table in order.
struct DealPosition {
    Hands hands;
    int leader;
    std::array<int, 3> trick;
    int played;

    // The hands with the cards on the table taken back.
    Hands dealt() const {
        Hands before = hands;
        for (int place = 0; place < played; ++place) before[(leader + place) & 3] |= card_bit(trick[place]);
        return before;
    }
};

class DoubleDummy {
  public:
    // All positions asked about must come from this deal; `trumps` is a suit, or 4 for none.
    DoubleDummy(const Hands &deal, int trumps, std::size_t most_entries);

    // Race policy: the table, the guess and the count of nodes belong to whoever asks, and threads take turns: one
    // question each (a sample may have the same world twice), or all positions of a call for many, whose nodes are
    // counted from zero. The deal and the trumps are never written to.

    // Whether North-South take at least `target` of the tricks that are left.
    bool can_take(const DealPosition &position, int target, Watch &watch);

    // The same for many positions, and how many tricks they take; the watch is for all of them together.
    std::vector<std::uint8_t> can_take_all(const std::vector<DealPosition> &positions, const std::int32_t *targets,
                                           Watch &watch);
    std::vector<std::uint8_t> tricks_of_all(const std::vector<DealPosition> &positions, Watch &watch);

    const Hands &deal() const { return deal_; }
    int trumps() const { return trumps_; }
    std::int64_t nodes() const;
    std::size_t entries() const;

  private:
    void forget();
    struct Answer {
        bool made;
        CardSet relevant;  // any other ranks below the lowest of these in each suit give the same answer
    };
    struct Known {
        std::uint64_t owners[2], mask[2];
        std::uint8_t least, most;  // tricks of North-South
        std::uint8_t depth[4];     // how many of the top cards of each suit matter
    };
    // One product is enough here, and this is asked at every trick: the high half has heard of all bits, and is folded
    // onto the low one, which chooses the place. Lengths are below 14, so the two top bits are free for the leader.
    static std::uint64_t slot_hash(std::uint64_t shape, int leader) {
        std::uint64_t hash = (shape ^ static_cast<std::uint64_t>(leader) << 62) * GOLDEN;
        return hash ^ hash >> 32;
    }
    struct Slot {
        std::uint64_t shape = 0;
        std::uint32_t first = 0;
        std::uint16_t size = 0, room = 0;
        std::uint8_t best = 0;  // the lead that settled it last: its card and one, or 0
        std::uint8_t oldest = 0;
        std::uint8_t leader = 0;
        bool used = false;

        bool is_used() const { return used; }
        std::uint64_t hash() const { return slot_hash(shape, leader); }
    };
    struct Trick {
        int led, best, winner;
        bool contested;  // the best card's suit was played twice
        CardSet start;   // all cards before the trick
        int target;
    };
    struct Suits {
        CardSet all;
        std::array<std::uint32_t, 4> owners;  // two bits a card, the highest first
        std::array<int, 4> count;
    };
    struct Choice {
        int card, lowest, score;
    };
    struct Choices {
        Choice list[13];
        int size = 0;
    };

    bool takes(const DealPosition &position, int target, Watch &watch);
    int tricks(const DealPosition &position, Watch &watch);
    Answer lead(int leader, int target);
    Answer search(int leader, int target, int *best);
    Answer follow(const Trick &trick, int place, int seat);
    Answer after(const Trick &trick, int place, int seat, int card);
    Answer try_all(Choices &choices, bool max, const auto &play, int *best);
    Trick joined(const Trick &trick, int seat, int card) const;
    void choices(int suit, CardSet from, CardSet start, Choices &found) const;
    void rank_leads(Choices &found, int leader, int best) const;
    void rank_follows(Choices &found, const Trick &trick, int place, int seat) const;
    bool quick(const Suits &suits, int leader, int target, Answer &answer) const;
    bool cashes(const Suits &suits, int leader, int need, CardSet &relevant) const;
    bool holds_trumps(const Suits &suits, int leader, int need, CardSet &relevant) const;
    bool gets_in(const Suits &suits, int leader, int need, CardSet &relevant) const;
    static bool ours(int seat) { return (seat & 1) == 0; }  // North-South, whose tricks are counted
    int length(int seat, int suit) const { return static_cast<int>(shape_ >> (16 * seat + 4 * suit) & 15); }
    void take(int seat, int card);
    void give_back(int seat, int card);
    Slot &slot_of(int leader);
    bool look_up(const Slot &slot, const std::uint64_t owners[2], int target, Answer &answer) const;
    void remember(Slot &slot, const std::uint64_t owners[2], int target, const Answer &answer);
    Suits suits_now() const;
    CardSet all() const { return hands_[0] | hands_[1] | hands_[2] | hands_[3]; }
    CardSet packed(CardSet cards) const;

    Hands deal_;
    int trumps_;
    std::array<std::array<std::uint8_t, 16>, 4> place_;     // a rank's place among the deal's cards of the suit
    std::array<std::vector<std::uint32_t>, 4> owner_list_;  // by the cards left in a suit: who holds them, from the top
    Hands hands_{};
    std::uint64_t shape_ = 0;  // four bits for the length of each suit in each hand
    int tricks_ = 0;
    std::int64_t nodes_ = 0;
    int guess_ = 0;  // the last answer for this deal
    OpenTable<Slot> slots_{16};
    std::vector<Known> known_;
    std::size_t most_entries_;
    Watch *watch_ = nullptr;
    mutable std::mutex asking_;
};

}  // namespace worldwise
