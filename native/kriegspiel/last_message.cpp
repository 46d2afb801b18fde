#include "kriegspiel/last_message.hpp"

#include <algorithm>
#include <optional>
#include <random>
#include <utility>

namespace worldwise::chess {

namespace {

constexpr Bits END_RANKS = 0xFF000000000000FF;

class Guesser {
  public:
    Guesser(const Board &own, Message said, const std::vector<Move> &refused, const Army &army,
            const UmpireRules &rules, std::uint64_t seed)
        : own_(own), said_(said), refused_(refused), army_(army), rules_(rules), random_(seed) {}

    // Pawn tries and refusals are the hardest to meet by chance, so if nothing fits, what misses fewest of them will
    // do.
    std::optional<Board> guess() {
        std::optional<Board> nearest;
        std::ptrdiff_t fewest = 0;
        for (int attempt = 0; attempt < ATTEMPTS; ++attempt) {
            std::optional<Board> board = placed();
            if (!board || checkers(*board, 1 - board->turn)) continue;
            Message stands = standing(*board, rules_);
            if (end_of(stands) || (stands & CHECKS) != (said_ & CHECKS)) continue;
            std::ptrdiff_t misses = std::ranges::count_if(refused_, [&](Move move) { return is_legal(*board, move); });
            misses += (stands & PAWN_TRIES) != (said_ & PAWN_TRIES);
            if (!misses) return board;
            if (!nearest || misses < fewest) nearest = board, fewest = misses;
        }
        return nearest;
    }

  private:
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

    // std::shuffle may differ from one library to the next.
    void shuffle(std::vector<Man> &men) {
        for (std::size_t i = men.size(); i > 1; --i) std::swap(men[i - 1], men[below(i)]);
    }

    // The king first, then what is left of the others, those lost drawn at random where nobody said which.
    std::vector<Man> men_left() {
        std::vector<Man> men = army_.pieces;
        shuffle(men);
        drop(men, army_.pieces_lost);
        men.insert(men.end(), army_.pawns - std::min(army_.pawns_lost, army_.pawns), PAWN);
        shuffle(men);
        drop(men, army_.unknown_lost);
        men.insert(men.begin(), KING);
        return men;
    }

    static void drop(std::vector<Man> &men, std::size_t count) { men.resize(men.size() - std::min(count, men.size())); }

    static bool may_stand(Man man, int square) { return man != PAWN || !(END_RANKS & bit(square)); }

    static void put(Board &board, Man man, int square) {
        board.men[man] |= bit(square);
        board.side[1 - board.turn] |= bit(square);
    }

    // The enemy's men put at random, one of them where he has just taken.
    std::optional<Board> placed() {
        Board board = own_;
        std::vector<Man> men = men_left();
        int taken = taken_in(said_);
        if (taken >= 0 && !(board.occupied() & bit(taken))) {
            std::size_t which = below(men.size());
            Man man = men[which];
            men.erase(men.begin() + static_cast<std::ptrdiff_t>(which));
            if (!may_stand(man, taken)) return std::nullopt;
            put(board, man, taken);
        }
        for (Man man : men) {
            Bits free = ~board.occupied() & (man == PAWN ? ~END_RANKS : ~Bits{0});
            if (!free) return std::nullopt;
            for (std::size_t skip = below(static_cast<std::size_t>(std::popcount(free))); skip; --skip)
                free = rest(free);
            put(board, man, first(free));
        }
        return board;
    }

    Board own_;
    Message said_;
    std::vector<Move> refused_;
    Army army_;
    UmpireRules rules_;
    std::mt19937_64 random_;
};

}  // namespace

std::vector<Board> guesses(const Board &own, Message said, const std::vector<Move> &refused, const Army &army,
                           const UmpireRules &rules, int count, std::uint64_t seed, const Watch &watch) {
    Guesser guesser(own, said, refused, army, rules, seed);
    std::vector<Board> found;
    for (int i = 0; i < count; ++i) {
        watch.poll();
        if (std::optional<Board> board = guesser.guess()) found.push_back(*board);
    }
    return found;
}

}  // namespace worldwise::chess
