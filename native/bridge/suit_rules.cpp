// The rules of a single suit.
#include "bridge/suit.hpp"

#include <algorithm>
#include <bit>

#include "common/hash.hpp"

namespace worldwise {

namespace {

bool is_defender(int seat) { return seat == EAST || seat == WEST; }

int total(const std::array<std::uint8_t, SUIT_CLASSES> &counts) {
    int sum = 0;
    for (auto count : counts) sum += count;
    return sum;
}

}  // namespace

Worlds SuitRules::possible(const SuitTable &table) const {
    Worlds worlds = all;
    for (int c = 0; c < classes; ++c) {
        worlds &= west_has[c][table.west[c]];
        worlds &= east_has[c][table.east[c]];
    }
    if (table.west_out) worlds &= west_total[total(table.west)];
    if (table.east_out) worlds &= east_total[total(table.east)];
    return worlds;
}

bool SuitRules::is_over(const SuitTable &table, bool counting) const {
    int left = std::max(std::popcount(table.north), std::popcount(table.south));
    if (counting ? !left : table.need <= 0 || table.need > left) return true;
    return !defends(table) && !(table.north && can_lead(table, NORTH)) && !(table.south && can_lead(table, SOUTH));
}

bool SuitRules::defends(const SuitTable &table) const {
    if (table.played) return is_defender(table.next_seat());
    if (leader == DECLARER) return false;
    int shown = total(table.west) + total(table.east), cards = total(size);
    return shown < (leader == ALWAYS ? cards : std::min(cards, 1));
}

int SuitRules::cashable(const SuitTable &table) const {
    int c = 0;
    while (c < classes && table.west[c] + table.east[c] == size[c]) ++c;
    int above = c < classes ? top[c] + 1 : 0;
    return std::max(std::popcount(unsigned{table.north} >> above), std::popcount(unsigned{table.south} >> above));
}

bool SuitRules::can_lead(const SuitTable &table, int seat) const {
    return table.in_hand == seat || table.entries[seat / 2] > 0;
}

bool SuitRules::parts(const SuitTable &table, int low, int high) const {
    for (int c = 0; c < classes; ++c)
        if (low < top[c] && top[c] < high && table.west[c] + table.east[c] < size[c]) return true;
    for (int i = 0; i < table.played; ++i)
        if (low < table.trick[i].card && table.trick[i].card < high) return true;
    if (free) return false;
    for (int card = low + 1; card < high; ++card)
        if ((table.north | table.south) >> card & 1) return true;
    return false;
}

// Of cards that touch, the lowest; the lowest of all first.
void SuitRules::different(const SuitTable &table, int seat, SuitMoves &moves) const {
    int last = -1;
    for (std::uint64_t cards = table.hand(seat); cards; cards = rest(cards)) {
        int card = first(cards);
        if (last < 0 || parts(table, last, card)) moves.add(seat, last = card);
    }
}

SuitMoves SuitRules::options(const SuitTable &table) const {
    if (table.played) {
        int seat = table.next_seat();
        return is_defender(seat) ? defences(table, seat) : follows(table, seat);
    }
    if (defends(table)) return defenders_leads(table);
    SuitMoves moves;
    for (int seat : {NORTH, SOUTH})
        if (table.hand(seat) && can_lead(table, seat)) different(table, seat, moves);
    return moves;
}

SuitMoves SuitRules::follows(const SuitTable &table, int seat) const {
    SuitMoves cards;
    different(table, seat, cards);
    if (!cards.count) cards.add(seat, OUT);
    if (!table.hand(seat) && table.ruffs) cards.add(seat, RUFF);
    if (!lean || !free || table.played < 2) return cards;
    SuitMoves moves;
    for (auto [_, card] : cards)
        if (!moves.count || is_useful(table, card)) moves.add(seat, card);
    return moves;
}

// Whether a third or fourth hand's card may win the trick where partner's does not.
bool SuitRules::is_useful(const SuitTable &table, int card) const {
    int partner = table.trick[table.played - 2].card, defender = OUT;
    for (int i = table.played - 1; i >= 0; i -= 2) defender = std::max<int>(defender, table.trick[i].card);
    if ((partner < defender && defender < card) || table.played == 3) return partner < defender && defender < card;
    return defender < partner && partner < card && parts(table, partner, card);
}

SuitMoves SuitRules::defences(const SuitTable &table, int seat) const {
    bool west = seat == WEST;
    SuitMoves moves;
    if (west ? table.west_out : table.east_out) {
        moves.add(seat, OUT);
        return moves;
    }
    add_defences(table, seat, moves);
    if ((table.possible & (west ? west_total : east_total)[total(west ? table.west : table.east)]).any())
        moves.add(seat, OUT);
    return moves;
}

void SuitRules::add_defences(const SuitTable &table, int seat, SuitMoves &moves) const {
    const auto &shown = seat == WEST ? table.west : table.east;
    const auto &has = seat == WEST ? west_has : east_has;
    for (int c = 0; c < classes; ++c)
        if ((table.possible & has[c][shown[c] + 1]).any()) moves.add(seat, top[c]);
}

SuitMoves SuitRules::defenders_leads(const SuitTable &table) const {
    SuitMoves moves;
    if (leader != FIRST_EAST && !table.west_out) add_defences(table, WEST, moves);
    if (leader != FIRST_WEST && !table.east_out) add_defences(table, EAST, moves);
    return moves;
}

SuitTable SuitRules::after(const SuitTable &before, SuitMove move) const {
    SuitTable table = before;
    if (is_defender(move.seat)) {
        bool west = move.seat == WEST;
        auto &shown = west ? table.west : table.east;
        if (move.card == OUT) {
            (west ? table.west_out : table.east_out) = true;
            table.possible &= (west ? west_total : east_total)[total(shown)];
        } else {
            for (int c = 0; c < classes; ++c)
                if (top[c] == move.card) table.possible &= (west ? west_has : east_has)[c][++shown[c]];
        }
    } else if (move.card == RUFF) {
        --table.ruffs;
    } else if (move.card != OUT) {
        table.hand(move.seat) &= static_cast<std::uint16_t>(~(1u << move.card));
    }
    table.trick[table.played++] = move;
    if (table.played == 1 && !is_defender(move.seat) && table.in_hand != move.seat) {
        auto &entries = table.entries[move.seat / 2];
        if (entries != UNLIMITED) --entries;
    }
    if (table.played < 4) {
        int seat = table.next_seat();
        if (!is_defender(seat) && !table.hand(seat) && !table.ruffs)
            table.trick[table.played++] = {static_cast<std::uint8_t>(seat), OUT};
    }
    if (table.played == 4) gather(table);
    return table;
}

void SuitRules::gather(SuitTable &table) const {
    SuitMove winner = table.trick[0];
    for (const auto &move : table.trick)
        if (move.card > winner.card) winner = move;
    bool won = !is_defender(winner.seat);
    table.need = static_cast<std::int8_t>(table.need - (won ? 1 : 0));
    table.in_hand = won && !free ? winner.seat : static_cast<std::uint8_t>(NOBODY);
    table.trick = {};
    table.played = 0;
}

// Declarer's cards matter by what is left of the defenders' above them, so those between two such cards are counted,
// not named, unless entries are limited, when it matters which hand wins.
// Keys are compared in full: a hash that collides costs time, never an answer.
SuitKey SuitRules::key(const SuitTable &table, bool need) const {
    SuitKey key{0, 0, 0};
    // A card that a defender has led is still in the way, though it is no longer left.
    if (free && !(table.played && is_defender(table.trick[0].seat))) {
        unsigned north = table.north, south = table.south;
        int shift = 0;
        auto count = [&](int above) {
            key.hands += std::uint64_t(std::popcount(north >> above)) << shift |
                         std::uint64_t(std::popcount(south >> above)) << (32 + shift);
            north &= (1u << above) - 1, south &= (1u << above) - 1, shift += 4;
        };
        for (int c = 0; c < classes; ++c)
            if (table.west[c] + table.east[c] < size[c]) count(top[c] + 1);
        count(0);
    } else {
        key.hands = std::uint64_t{table.north} << 16 | table.south;
    }
    for (int c = 0; c < classes; ++c)
        key.shown |= std::uint64_t{table.west[c]} << 4 * c | std::uint64_t{table.east[c]} << (32 + 4 * c);
    key.rest = static_cast<std::uint8_t>(need ? table.need : 0) | std::uint64_t{table.west_out} << 8 |
               std::uint64_t{table.east_out} << 9 | std::uint64_t{table.ruffs} << 10 |
               std::uint64_t{table.in_hand} << 16 |
               std::uint64_t{table.entries[0]} << 24 | std::uint64_t{table.entries[1]} << 32;
    if (table.played) key.rest |= std::uint64_t{table.trick[0].card} << 40 | std::uint64_t{table.trick[0].seat} << 48;
    return key;
}

std::size_t SuitKeyHash::operator()(const SuitKey &key) const {
    return splitmix(splitmix(splitmix(key.hands) ^ key.shown) ^ key.rest);
}

}  // namespace worldwise
