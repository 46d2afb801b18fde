#include "kriegspiel/belief.hpp"

#include <array>
#include <bit>
#include <stdexcept>

#include "common/hash.hpp"

namespace worldwise::chess {

namespace {

// Boards found so far, each once.
class Collected {
  public:
    explicit Collected(std::size_t most) : most_(most) {}

    void add(const Possible &one) {
        const auto hash = static_cast<std::uint32_t>(key(one.board));
        auto is_it = [&](const NumberSlot &slot) {
            return slot.low_hash == hash && same_place(found[slot.number].board, one.board);
        };
        NumberSlot &slot = places_.find(hash, is_it);
        if (!slot.is_used()) {
            if (found.size() >= most_) throw std::overflow_error("too many boards");
            slot = {hash, static_cast<std::uint32_t>(found.size())};
            found.push_back(one);
            return;
        }
        Possible &same = found[slot.number];
        same.weight += one.weight;
        // The story kept is that of the lowest `quiet`, or it would not be a story of this board.
        if (one.board.quiet < same.board.quiet) same.board = one.board, same.parent = one.parent, same.move = one.move;
    }

    std::vector<Possible> found;

  private:
    static bool same_place(Board a, const Board &b) {
        a.quiet = b.quiet;
        return a == b;
    }

    std::size_t most_;
    OpenTable<NumberSlot> places_{1024};
};

// How likely it is that tries in a random order are refused so many times and then this legal one is made.
double likelihood(int legal, int tries, int refusals) {
    if (refusals < 0) return 1.0 / legal;
    double chance = 1;
    for (int i = 0; i < refusals; ++i) chance *= static_cast<double>(tries - legal - i) / (tries - i);
    return chance / (tries - refusals);
}

void add_replies(const Possible &one, std::uint32_t place, const Heard &heard, const UmpireRules &rules,
                 Collected &collected) {
    Moves moves;
    legal_moves(one.board, moves);
    int tries = heard.refusals < 0 ? 0 : try_count(one.board, rules);
    if (heard.refusals > tries - moves.count && heard.refusals >= 0) return;
    double weight = one.weight * USUAL_MOVES * likelihood(moves.count, tries, heard.refusals);
    for (Move move : moves) {
        Message taken = capture(one.board, move, rules);  // differs most often, and is told without making the move
        if ((taken ^ heard.said) & heard.mask & CAPTURE) continue;
        Board next = after(one.board, move);
        if (((taken | standing(next, rules)) ^ heard.said) & heard.mask) continue;
        collected.add({next, weight, place, move.packed()});
    }
}

}  // namespace

std::vector<Possible> after(const std::vector<Possible> &before, const Heard &heard, const UmpireRules &rules,
                            std::size_t most, const Watch &watch) {
    Collected collected(most);
    for (std::uint32_t place = 0; place < before.size(); ++place) {
        if (place % 256 == 0) watch.poll();
        const Possible &one = before[place];
        if (heard.what == Heard::OTHER_MADE) {
            add_replies(one, place, heard, rules, collected);
            continue;
        }
        bool legal = is_legal(one.board, heard.move);
        if (heard.what == Heard::REFUSED && !legal) collected.add({one.board, one.weight, place, 0});
        if (heard.what != Heard::MADE || !legal) continue;
        Board next = after(one.board, heard.move);
        if ((message(one.board, heard.move, next, rules) ^ heard.said) & heard.mask) continue;
        collected.add({next, one.weight, place, 0});
    }
    return std::move(collected.found);
}

std::vector<double> rarities(const std::vector<Possible> &boards, int colour) {
    std::array<double, 6 * 64> weights{};
    for (const Possible &one : boards)
        for (Bits men = one.board.side[colour]; men; men = rest(men))
            weights[64 * one.board.kind_at(first(men)) + first(men)] += one.weight;
    std::vector<double> found(boards.size());
    for (std::size_t i = 0; i < boards.size(); ++i)
        for (Bits men = boards[i].board.side[colour]; men; men = rest(men))
            found[i] += 1 / weights[64 * boards[i].board.kind_at(first(men)) + first(men)];
    return found;
}

double surprise(Board board, const std::vector<Heard> &later) {
    const std::uint8_t player = 1 - board.turn, other = board.turn;
    double wrong = 0, worth = 1;
    for (const Heard &heard : later) {
        board.turn = player, board.en_passant = NO_SQUARE;
        int taken = taken_in(heard.said);
        if (heard.what == Heard::OTHER_MADE) {
            if (taken < 0) continue;
            if (!attackers(board, taken, other, board.occupied())) wrong += WRONG_CAPTURE * worth;
            for (Bits &men : board.men) men &= ~bit(taken);
            board.side[player] &= ~bit(taken);
            continue;
        }
        if (worth < LEAST_WORTH) break;
        bool made = heard.what == Heard::MADE;
        if (is_legal(board, heard.move) != made) wrong += worth;
        if (!made) continue;
        if ((taken >= 0) != ((board.side[other] & bit(heard.move.to)) != 0)) wrong += WRONG_CAPTURE * worth;
        board = after(board, heard.move);
        bool checks = checkers(board, other), said = heard.said & CHECKS;
        if (checks != said) wrong += (said ? WRONG_CAPTURE : 1) * worth;
        worth *= LATER;
    }
    return wrong;
}

}  // namespace worldwise::chess
