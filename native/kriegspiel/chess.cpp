#include "kriegspiel/chess.hpp"

#include <algorithm>
#include <vector>

#include "kriegspiel/attacks.hpp"

namespace worldwise::chess {

namespace {

// ---------------------------------------------------------------------- who may move where

// What our king's safety asks of the others.
struct Guard {
    int king = NO_SQUARE;
    Bits checkers = 0;
    Bits pinned = 0;     // may move on their line with the king only
    Bits allowed = ALL;  // taking the one that gives check, or coming between; nothing if there are two
};

template <int US>
Guard guard(const Board &board) {
    constexpr int THEM = 1 - US;
    Guard found;
    found.king = board.king(US);
    if (found.king == NO_SQUARE) return found;
    const Lines &from = TABLES.lines[found.king];
    Bits straight = board.men[ROOK] | board.men[QUEEN], slanting = board.men[BISHOP] | board.men[QUEEN];
    found.checkers = board.side[THEM] &
                     ((TABLES.pawn[US][found.king] & board.men[PAWN]) |
                      (TABLES.knight[found.king] & board.men[KNIGHT]) | (TABLES.king[found.king] & board.men[KING]));
    Bits snipers =
        board.side[THEM] & (((from.file | from.rank) & straight) | ((from.rising | from.falling) & slanting));
    for (; snipers; snipers = rest(snipers)) {
        Bits on_the_way = TABLES.between[found.king][first(snipers)] & board.occupied();
        if (!on_the_way)
            found.checkers |= bit(first(snipers));
        else if (!rest(on_the_way))
            found.pinned |= on_the_way & board.side[US];
    }
    if (found.checkers) {
        Bits checker = found.checkers;
        found.allowed = rest(checker) ? 0 : checker | TABLES.between[found.king][first(checker)];
    }
    return found;
}

// The line through two squares that are on one.
Bits line_through(int square, int other) {
    const Lines &from = TABLES.lines[square];
    Bits there = bit(other);
    if (from.file & there) return from.file;
    if (from.rank & there) return from.rank;
    return from.rising & there ? from.rising : from.falling;
}

// The pawn that may be taken en passant, or none.
int victim(const Board &board) {
    int target = board.en_passant, row = board.turn == WHITE ? 5 : 2;
    if (target >> 3 != row || board.occupied() & bit(target)) return NO_SQUARE;
    return board.of(1 - board.turn, PAWN) & bit(target ^ 8) ? target ^ 8 : NO_SQUARE;
}

// Two men leave a line at once when a pawn is taken en passant, which pins do not tell: look at the king afterwards.
bool is_safe_en_passant(const Board &board, int from, int gone) {
    int king = board.king(board.turn);
    if (king == NO_SQUARE) return true;
    Bits occupied = board.occupied() ^ bit(from) ^ bit(gone) ^ bit(board.en_passant);
    return !(attackers(board, king, 1 - board.turn, occupied) & ~bit(gone));
}

// Pawns that may legally take en passant.
Bits en_passant_takers(const Board &board) {
    int gone = victim(board);
    if (gone == NO_SQUARE) return 0;
    Bits found = 0;
    Bits ready = TABLES.pawn[1 - board.turn][board.en_passant] & board.of(board.turn, PAWN);
    for (; ready; ready = rest(ready))
        if (is_safe_en_passant(board, first(ready), gone)) found |= bit(first(ready));
    return found;
}

// Where pawns may take, by the side they go to: all but en passant.
struct PawnCaptures {
    Bits west, east;
};

// A pinned man is on one line with the king only, so pinned pawns may go where that line is their direction.
template <int US>
PawnCaptures captures_by_pawns(const Board &board, const Guard &guard) {
    Bits pawns = board.of(US, PAWN), enemies = board.side[1 - US] & guard.allowed;
    Bits westward = pawns, eastward = pawns;
    if (guard.pinned) {
        const Lines &from = TABLES.lines[guard.king];
        westward &= ~guard.pinned | (US == WHITE ? from.falling : from.rising);
        eastward &= ~guard.pinned | (US == WHITE ? from.rising : from.falling);
    }
    return {west<US>(westward) & enemies, east<US>(eastward) & enemies};
}

struct CastlingWay {
    std::uint8_t right, rook;
    std::uint8_t from, to;
    Bits empty, safe;  // `safe` is where the king stands and goes
    std::uint8_t rook_to;
};

constexpr std::array<CastlingWay, 4> CASTLINGS = {{
    {WHITE_SHORT, 7, 4, 6, bit(5) | bit(6), bit(4) | bit(5) | bit(6), 5},
    {WHITE_LONG, 0, 4, 2, bit(1) | bit(2) | bit(3), bit(2) | bit(3) | bit(4), 3},
    {BLACK_SHORT, 63, 60, 62, bit(61) | bit(62), bit(60) | bit(61) | bit(62), 61},
    {BLACK_LONG, 56, 60, 58, bit(57) | bit(58) | bit(59), bit(58) | bit(59) | bit(60), 59},
}};

// Rights that end when somebody leaves a square or comes to it.
constexpr std::array<std::uint8_t, 64> make_endings() {
    std::array<std::uint8_t, 64> found{};
    for (const CastlingWay &way : CASTLINGS) found[way.from] |= way.right, found[way.rook] |= way.right;
    return found;
}
constexpr std::array<std::uint8_t, 64> ENDED_RIGHTS = make_endings();

// But for attacks on the king's way.
bool may_castle(const Board &board, const CastlingWay &way) {
    return board.castling & way.right && !(board.occupied() & way.empty) && board.king(board.turn) == way.from &&
           board.of(board.turn, ROOK) & bit(way.rook);
}

// Tells a sink of all legal moves: `men(from, targets)`, and for pawns, that come together, `pawns(targets, back)` and
// `promotions(targets, back)` where `back` leads to the squares that they leave. It may say that it has heard enough.
template <int US, class Sink>
Sink generate(const Board &board, const Guard &safety, Sink sink) {
    constexpr int THEM = 1 - US, UP = US == WHITE ? 8 : -8;
    const Bits occupied = board.occupied(), own = board.side[US];
    if (safety.allowed) {
        Bits stepping = board.of(US, PAWN);
        if (safety.pinned) stepping &= ~safety.pinned | TABLES.lines[safety.king].file;
        Bits single = step<US>(stepping) & ~occupied;
        Bits twice = step<US>(single & rank(US == WHITE ? 2 : 5)) & ~occupied & safety.allowed;
        single &= safety.allowed;
        auto taken = captures_by_pawns<US>(board, safety);
        sink.pawns(single & ~LAST_RANKS, -UP);
        sink.pawns(twice, -2 * UP);
        sink.pawns(taken.west & ~LAST_RANKS, 1 - UP);
        sink.pawns(taken.east & ~LAST_RANKS, -1 - UP);
        if ((single | taken.west | taken.east) & LAST_RANKS) {
            sink.promotions(single & LAST_RANKS, -UP);
            sink.promotions(taken.west & LAST_RANKS, 1 - UP);
            sink.promotions(taken.east & LAST_RANKS, -1 - UP);
        }
        if (board.en_passant != NO_SQUARE)
            for (Bits pawns = en_passant_takers(board); pawns; pawns = rest(pawns))
                sink.men(first(pawns), bit(board.en_passant));
        if (sink.enough()) return sink;

        const Bits targets = ~own & safety.allowed;
        auto add_men = [&](Man kind, auto attacks) {
            for (Bits left = board.of(US, kind); left; left = rest(left)) {
                int from = first(left);
                Bits to = attacks(from) & targets;
                if (safety.pinned & bit(from)) to &= line_through(safety.king, from);
                sink.men(from, to);
                if (sink.enough()) return;
            }
        };
        add_men(KNIGHT, [](int from) { return TABLES.knight[from]; });
        add_men(BISHOP, [&](int from) { return bishop_attacks(from, occupied); });
        add_men(ROOK, [&](int from) { return rook_attacks(from, occupied); });
        add_men(QUEEN, [&](int from) { return bishop_attacks(from, occupied) | rook_attacks(from, occupied); });
    }
    if (safety.king == NO_SQUARE || sink.enough()) return sink;
    // What the enemy attacks is dear to find, so first see whether it matters.
    Bits steps = TABLES.king[safety.king] & ~own;
    const CastlingWay &brief = CASTLINGS[2 * US], &wide = CASTLINGS[2 * US + 1];
    bool may_brief = may_castle(board, brief), may_wide = may_castle(board, wide);
    if (!steps && !may_brief && !may_wide) return sink;
    Bits danger = attacked<THEM>(board, occupied ^ bit(safety.king));
    sink.men(safety.king, steps & ~danger);
    if (may_brief && !(danger & brief.safe)) sink.men(safety.king, bit(brief.to));
    if (may_wide && !(danger & wide.safe)) sink.men(safety.king, bit(wide.to));
    return sink;
}

struct Writer {
    Move *next, *end;

    static constexpr bool enough() { return false; }
    bool has_room(Bits targets, int each = 1) const { return end - next >= each * std::popcount(targets); }
    void add(int from, int to, int promotion = PAWN) {
        *next++ = {static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to),
                   static_cast<std::uint8_t>(promotion)};
    }
    void men(int from, Bits targets) {
        if (!has_room(targets)) return;
        for (; targets; targets = rest(targets)) add(from, first(targets));
    }
    void pawns(Bits targets, int back) {
        if (!has_room(targets)) return;
        for (; targets; targets = rest(targets)) add(first(targets) + back, first(targets));
    }
    void promotions(Bits targets, int back) {
        if (!has_room(targets, 4)) return;
        for (; targets; targets = rest(targets))
            for (int kind = QUEEN; kind >= KNIGHT; --kind) add(first(targets) + back, first(targets), kind);
    }
};

struct Counter {
    int count = 0;

    static constexpr bool enough() { return false; }
    void men(int, Bits targets) { count += std::popcount(targets); }
    void pawns(Bits targets, int) { count += std::popcount(targets); }
    void promotions(Bits targets, int) { count += 4 * std::popcount(targets); }
};

struct Targets {
    std::array<Bits, 64> from{};

    static constexpr bool enough() { return false; }
    void men(int square, Bits targets) { from[square] |= targets; }
    void pawns(Bits targets, int back) {
        for (; targets; targets = rest(targets)) from[first(targets) + back] |= bit(first(targets));
    }
    void promotions(Bits targets, int back) { pawns(targets, back); }
};

struct Finder {
    Bits found = 0;

    bool enough() const { return found != 0; }
    void men(int, Bits targets) { found |= targets; }
    void pawns(Bits targets, int) { found |= targets; }
    void promotions(Bits targets, int) { found |= targets; }
};

template <class Sink>
Sink told(const Board &board, Sink sink) {
    return board.turn == WHITE ? generate<WHITE>(board, guard<WHITE>(board), sink)
                               : generate<BLACK>(board, guard<BLACK>(board), sink);
}

template <int US>
int count_pawn_captures(const Board &board, const Guard &safety) {
    auto taken = captures_by_pawns<US>(board, safety);
    int found = std::popcount(taken.west) + std::popcount(taken.east);
    return board.en_passant == NO_SQUARE ? found : found + std::popcount(en_passant_takers(board));
}

template <int US>
Prospects prospects(const Board &board) {
    const Guard safety = guard<US>(board);
    return {safety.checkers, generate<US>(board, safety, Finder{}).enough(), count_pawn_captures<US>(board, safety)};
}

template <int US>
bool surely_moves(const Board &board, Bits danger) {
    Bits king = board.of(US, KING), own = board.side[US];
    if (!king || king & danger) return false;
    Bits unpinned = ~TABLES.lines[first(king)].all();
    // Nothing that goes along lines attacks the king, so he uncovers nothing by going.
    return step<US>(board.of(US, PAWN) & unpinned) & ~board.occupied() || TABLES.king[first(king)] & ~own & ~danger ||
           all_knight_attacks(board.of(US, KNIGHT) & unpinned) & ~own;
}

// Where a pawn could go, its king's safety apart; en passant apart.
Bits pawn_targets(const Board &board, int from) {
    auto ahead = [&](Bits pawns) { return (board.turn == WHITE ? pawns << 8 : pawns >> 8) & ~board.occupied(); };
    Bits single = ahead(bit(from));
    return single | ahead(single & rank(board.turn == WHITE ? 2 : 5)) |
           (TABLES.pawn[board.turn][from] & board.side[1 - board.turn]);
}

bool is_legal_for_king(const Board &board, Move move) {
    int king = board.king(board.turn), them = 1 - board.turn;
    if (move.from != king) return false;
    Bits others = board.occupied() ^ bit(king);
    if (TABLES.king[king] & bit(move.to)) return !attackers(board, move.to, them, others);
    for (const CastlingWay &way : {CASTLINGS[2 * board.turn], CASTLINGS[2 * board.turn + 1]}) {
        if (move.from != way.from || move.to != way.to || !may_castle(board, way)) continue;
        for (Bits squares = way.safe; squares; squares = rest(squares))
            if (attackers(board, first(squares), them, others)) return false;
        return true;
    }
    return false;
}

constexpr int POLLED_DEPTH = 3;  // so many plies are counted before anybody looks up

std::uint64_t count_made(Board *line, int depth, const Watch &watch) {
    if (depth >= POLLED_DEPTH) watch.poll();
    Moves moves;
    legal_moves(line[0], moves);
    std::uint64_t found = 0;
    for (Move move : moves) {
        line[1] = after(line[0], move);
        found += depth == 1 ? 1 : count_made(line + 1, depth - 1, watch);
    }
    return found;
}

}  // namespace

// ---------------------------------------------------------------------- moves

void legal_moves(const Board &board, Moves &moves) {
    Move *begin = moves.move.data();
    moves.count = static_cast<int>(told(board, Writer{begin, begin + moves.move.size()}).next - begin);
}

std::array<Bits, 64> legal_targets(const Board &board) { return told(board, Targets{}).from; }
int legal_count(const Board &board) { return told(board, Counter{}).count; }
bool any_legal(const Board &board) { return told(board, Finder{}).enough(); }

bool is_legal(const Board &board, Move move) {
    Bits from = bit(move.from), to = bit(move.to);
    if (!(board.side[board.turn] & from) || board.side[board.turn] & to) return false;
    Man kind = board.kind_at(move.from);
    bool promotes = kind == PAWN && to & LAST_RANKS;
    if (promotes ? move.promotion < KNIGHT || move.promotion > QUEEN : move.promotion != PAWN) return false;
    Bits reached = 0;
    switch (kind) {
        case PAWN:
            if (move.to == board.en_passant && TABLES.pawn[board.turn][move.from] & to) {
                int gone = victim(board);
                if (gone != NO_SQUARE) return is_safe_en_passant(board, move.from, gone);
            }
            reached = pawn_targets(board, move.from);
            break;
        case KNIGHT: reached = TABLES.knight[move.from]; break;
        case BISHOP: reached = bishop_attacks(move.from, board.occupied()); break;
        case ROOK: reached = rook_attacks(move.from, board.occupied()); break;
        case QUEEN:
            reached = bishop_attacks(move.from, board.occupied()) | rook_attacks(move.from, board.occupied());
            break;
        default: return is_legal_for_king(board, move);
    }
    if (!(reached & to)) return false;
    int king = board.king(board.turn);
    return king == NO_SQUARE || !(attackers(board, king, 1 - board.turn, (board.occupied() ^ from) | to) & ~to);
}

Board after(const Board &board, Move move) {
    Board next = board;
    int us = board.turn, them = 1 - us;
    Bits from = bit(move.from), to = bit(move.to);
    Man kind = board.kind_at(move.from);
    bool takes = board.side[them] & to;
    for (Bits &men : next.men) men &= ~(from | to);
    int becomes = move.promotion == PAWN ? static_cast<int>(kind) : move.promotion;
    next.men[std::min<int>(becomes, KING)] |= to;  // a move that is not legal does no worse than make a strange board
    next.side[us] = (board.side[us] ^ from) | to;
    next.side[them] &= ~to;
    next.turn = static_cast<std::uint8_t>(them);
    next.castling &= static_cast<std::uint8_t>(~(ENDED_RIGHTS[move.from] | ENDED_RIGHTS[move.to]));
    next.en_passant = NO_SQUARE;
    next.quiet = static_cast<std::uint8_t>(std::min(board.quiet + 1, MOST_QUIET));
    if (takes) next.quiet = 0;
    if (kind == PAWN) {
        next.quiet = 0;
        int passed = (move.from + move.to) / 2;
        if ((move.from ^ move.to) == 16 && TABLES.pawn[us][passed] & board.of(them, PAWN))
            next.en_passant = static_cast<std::uint8_t>(passed);
        if (move.to == board.en_passant && !takes && (move.from ^ move.to) & 1) {
            Bits gone = bit(move.to ^ 8);
            next.men[PAWN] &= ~gone;
            next.side[them] &= ~gone;
        }
    } else if (kind == KING && !(TABLES.king[move.from] & to)) {
        const CastlingWay &way = CASTLINGS[2 * us + (move.to < move.from)];
        Bits rook = bit(way.rook) | bit(way.rook_to);
        next.men[ROOK] ^= rook;
        next.side[us] ^= rook;
    }
    return next;
}

Bits attackers(const Board &board, int square, int by_colour, Bits occupied) {
    Bits queens = board.men[QUEEN];
    return ((TABLES.pawn[1 - by_colour][square] & board.men[PAWN]) | (TABLES.knight[square] & board.men[KNIGHT]) |
            (TABLES.king[square] & board.men[KING]) |
            (bishop_attacks(square, occupied) & (board.men[BISHOP] | queens)) |
            (rook_attacks(square, occupied) & (board.men[ROOK] | queens))) &
           board.side[by_colour];
}

Bits checkers(const Board &board, int colour) {
    int king = board.king(colour);
    return king == NO_SQUARE ? 0 : attackers(board, king, 1 - colour, board.occupied());
}

Bits attacked(const Board &board, int by_colour) {
    return by_colour == WHITE ? attacked<WHITE>(board, board.occupied()) : attacked<BLACK>(board, board.occupied());
}

Reach::Reach(const Board &board, int colour)
    : colour_(colour), occupied_(board.occupied()),
      slanting_(board.side[colour] & (board.men[BISHOP] | board.men[QUEEN])),
      straight_(board.side[colour] & (board.men[ROOK] | board.men[QUEEN])) {
    for (Bits men = slanting_; men; men = rest(men))
        sliders_[count_++] = {first(men), bishop_attacks(first(men), occupied_)};
    slants_ = count_;
    for (Bits men = straight_; men; men = rest(men))
        sliders_[count_++] = {first(men), rook_attacks(first(men), occupied_)};
}

Bits Reach::on(const Board &other) const {
    Bits found = colour_ == WHITE ? attacked_by_leaps<WHITE>(other) : attacked_by_leaps<BLACK>(other);
    const Bits occupied = other.occupied(), changed = occupied ^ occupied_;
    const Bits slanting = other.side[colour_] & (other.men[BISHOP] | other.men[QUEEN]);
    const Bits straight = other.side[colour_] & (other.men[ROOK] | other.men[QUEEN]);
    for (int i = 0; i < slants_; ++i) {
        const Slider &man = sliders_[i];
        if (!(slanting >> man.square & 1)) continue;
        found |= man.attacks & changed ? bishop_attacks(man.square, occupied) : man.attacks;
    }
    for (int i = slants_; i < count_; ++i) {
        const Slider &man = sliders_[i];
        if (!(straight >> man.square & 1)) continue;
        found |= man.attacks & changed ? rook_attacks(man.square, occupied) : man.attacks;
    }
    for (Bits men = slanting & ~slanting_; men; men = rest(men)) found |= bishop_attacks(first(men), occupied);
    for (Bits men = straight & ~straight_; men; men = rest(men)) found |= rook_attacks(first(men), occupied);
    return found;
}

bool surely_moves(const Board &board, Bits danger) {
    return board.turn == WHITE ? surely_moves<WHITE>(board, danger) : surely_moves<BLACK>(board, danger);
}

int pawn_captures(const Board &board) {
    return board.turn == WHITE ? count_pawn_captures<WHITE>(board, guard<WHITE>(board))
                               : count_pawn_captures<BLACK>(board, guard<BLACK>(board));
}

Prospects prospects(const Board &board) {
    return board.turn == WHITE ? prospects<WHITE>(board) : prospects<BLACK>(board);
}

std::uint64_t perft(const Board &board, int depth, const Watch &watch) {
    if (depth <= 0) return 1;
    if (depth >= POLLED_DEPTH) watch.poll();
    if (depth == 1) return static_cast<std::uint64_t>(legal_count(board));
    Moves moves;
    legal_moves(board, moves);
    std::uint64_t found = 0;
    for (Move move : moves) found += perft(after(board, move), depth - 1, watch);
    return found;
}

std::uint64_t perft_made(const Board &board, int depth, const Watch &watch) {
    if (depth <= 0) return 1;
    std::vector<Board> line(static_cast<std::size_t>(depth) + 1);
    line[0] = board;
    return count_made(line.data(), depth, watch);
}

// ---------------------------------------------------------------------- geometry

Bits pawn_attacks(int colour, int square) { return TABLES.pawn[colour][square]; }
Bits knight_attacks(int square) { return TABLES.knight[square]; }
Bits king_attacks(int square) { return TABLES.king[square]; }

Bits bishop_attacks(int square, Bits occupied) {
    const Lines &from = TABLES.lines[square];
    return slide(square, from.rising, occupied) | slide(square, from.falling, occupied);
}

Bits rook_attacks(int square, Bits occupied) {
    return slide(square, TABLES.lines[square].file, occupied) | along_ranks(square, occupied);
}

const Lines &lines(int square) { return TABLES.lines[square]; }

}  // namespace worldwise::chess
