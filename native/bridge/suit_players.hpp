// Players of a single suit who do not plan, and the worlds that they win against best defence: one who samples, and those
// who go by a rule of thumb. Their readable twins are bridge/suit/monte_carlo.py and bridge/suit/rules_of_thumb.py.
//
// Race policy: a player belongs to one call.
#pragma once

#include <unordered_map>

#include "bridge/suit.hpp"

namespace worldwise {

// A player who has a card for every table; what his line wins depends on the table alone. A table's `need` is the goal.
class SuitPlayer {
  public:
    explicit SuitPlayer(const SuitRules &rules) : rules_(rules) {}
    virtual ~SuitPlayer() = default;

    // The worlds that he wins from a table on.
    Worlds wins(SuitTable table, const Watch &watch) {
        table.possible = rules_.possible(table);
        return won(table, watch);
    }

  protected:
    virtual SuitMove play(const SuitTable &table, const Watch &watch) = 0;

    // The worlds of a table that are won whatever the defenders play.
    template <typename Wins>
    Worlds by_all(const SuitTable &table, Wins wins) const {
        Worlds left = table.possible;
        for (auto move : rules_.options(table)) {
            SuitTable next = rules_.after(table, move);
            left &= wins(next) | ~next.possible;
            if (!left.any()) break;
        }
        return left;
    }

    const SuitRules &rules_;
    std::int64_t nodes_ = 0;

  private:
    Worlds won(const SuitTable &table, const Watch &watch);

    std::unordered_map<SuitKey, Worlds, SuitKeyHash> known_;
};

// Solves every layout with the cards face up, and plays what wins most of them; the first of equals.
class SamplingPlayer : public SuitPlayer {
  public:
    SamplingPlayer(const SuitRules &rules, Weights weights) : SuitPlayer(rules), weights_(std::move(weights)) {}

  protected:
    SuitMove play(const SuitTable &table, const Watch &watch) override;

  private:
    Worlds face_up(const SuitTable &table, const Watch &watch);
    Worlds solve_face_up(const SuitTable &table, const Watch &watch);

    Weights weights_;
    std::unordered_map<SuitKey, Worlds, SuitKeyHash> solved_;
};

// Goes by a rule of thumb: the natural finesse, or the drop. Entries must be free.
class ThumbPlayer : public SuitPlayer {
  public:
    ThumbPlayer(const SuitRules &rules, bool finesses) : SuitPlayer(rules), finesses_(finesses) {}

  protected:
    SuitMove play(const SuitTable &table, const Watch &watch) override;

  private:
    SuitMove lead(const SuitTable &table) const;
    SuitMove lead_from(const SuitTable &table, int seat, int card) const;
    SuitMove lead_top(const SuitTable &table) const;
    SuitMove follow(const SuitTable &table) const;
    int tenace_seat(const SuitTable &table) const;
    bool has_gap(const SuitTable &table, int card, std::uint16_t hand) const;
    bool can_run(const SuitTable &table, int seat) const;
    bool wins_always(const SuitTable &table, int card) const { return !rules_.parts(table, card, RUFF); }

    bool finesses_;
};

}  // namespace worldwise
