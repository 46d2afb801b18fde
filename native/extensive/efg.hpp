// The first step of reading Gambit's .efg files: the nodes of a text, with every distinct piece of it once.
// The twin of `scan` in extensive/efg_scan.py, which says what the columns mean.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/hash.hpp"

namespace worldwise {

constexpr std::int32_t absent = -1;

// Numbers texts in the order in which they first appear.
class Distinct {
  public:
    std::int32_t number(std::string_view text);
    const std::vector<std::string_view> &texts() const { return texts_; }

  private:
    std::vector<std::string_view> texts_;
    OpenTable<NumberSlot> places_{64};
};

// A set or an outcome as a node mentions it; names and lists are without a character where they are left out.
struct Mention {
    std::int64_t player = absent;
    std::int64_t number = absent;
    std::string_view name, list, text;
};

// The distinct mentions, a row each.
class Mentions {
  public:
    std::int32_t row(const Mention &mention);
    const std::vector<std::string_view> &lists() const { return lists_.texts(); }

    std::vector<std::int64_t> player, number;
    std::vector<std::string_view> name;
    std::vector<std::int32_t> listed;

  private:
    Distinct texts_, lists_;
};

struct ScannedEfg {
    std::vector<std::int32_t> event, outcome;
    std::vector<std::int32_t> named;
    std::vector<std::string_view> names;
    Mentions sets, outcomes;
    bool whole = false;
};

// Reads nodes until the text ends or is none; names are views of what stands between quotes.
ScannedEfg scan_efg(std::string_view text);

// What stands between quotes, without its escapes.
std::string plain(std::string_view quoted);

}  // namespace worldwise
