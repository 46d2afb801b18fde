#include "kriegspiel/mates.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace worldwise::chess {

namespace {

constexpr std::uint64_t STIR[2] = {0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F};

constexpr std::uint64_t stir_digest(std::uint64_t word) {
    word = (word ^ word >> 33) * 0xFF51AFD7ED558CCD;
    word = (word ^ word >> 33) * 0xC4CEB9FE1A85EC53;
    return word ^ word >> 33;
}

// Black's men are what White's leave of all, so seven sets and the rest say everything. `salt` keeps two kinds apart.
// Each word is rotated between products, so that the order of the words counts. Not the mixer of common/hash.hpp:
// boards are searched in the order of their digests, so another would change what is counted.
Digest digest_of(const Board &board, std::uint64_t salt) {
    std::uint64_t other = std::uint64_t{board.turn} | std::uint64_t{board.castling} << 8 |
                          std::uint64_t{board.en_passant} << 16 | std::uint64_t{board.quiet} << 24;
    std::uint64_t lane[2] = {salt, ~salt};
    for (std::uint64_t word :
         {board.men[0], board.men[1], board.men[2], board.men[3], board.men[4], board.men[5], board.side[WHITE], other})
        for (int i : {0, 1}) lane[i] = std::rotl((lane[i] ^ word) * STIR[i], 31 + 2 * i);
    return {stir_digest(lane[0]), stir_digest(lane[1])};
}

// Of a set: the sums do not depend on an order, and two sets have the same only if their boards' digests add up alike
// in both lanes.
Digest digest_of(const Belief &belief) {
    Digest sum;
    for (const Placed &placed : belief) sum.one += placed.digest.one, sum.other += placed.digest.other;
    return sum;
}

struct Told {
    Message message;
    Placed placed;
};

// Puts boards with the same message together, in the order of their digests, each board once.
void sort_by_message(std::vector<Told> &told) {
    auto key = [](const Told &one) { return std::pair(one.message, one.placed.digest); };
    std::ranges::sort(told, {}, key);
    auto same = [&](const Told &one, const Told &other) { return key(one) == key(other); };
    told.erase(std::unique(told.begin(), told.end(), same), told.end());
}

std::vector<Belief> by_message(std::vector<Told> &told) {
    sort_by_message(told);
    std::vector<Belief> beliefs;
    for (std::size_t i = 0; i < told.size(); ++i) {
        if (i == 0 || told[i].message != told[i - 1].message) beliefs.emplace_back();
        beliefs.back().push_back(told[i].placed);
    }
    return beliefs;
}

}  // namespace

// ---------------------------------------------------------------------- what has been found out

namespace {
constexpr std::size_t FIRST_ENTRIES = 1 << 10, PROBES = 8;
}

MateTable::MateTable(std::size_t most_entries)
    : most_(std::max(std::bit_floor(most_entries), FIRST_ENTRIES)), entries_(FIRST_ENTRIES) {}

// The place of a digest's entry, or of an empty one for it, or of one to be overwritten.
std::size_t MateTable::place(const Digest &digest) const {
    std::size_t mask = entries_.size() - 1;
    for (std::size_t probe = 0; probe < PROBES; ++probe) {
        std::size_t at = (digest.one + probe) & mask;
        if (entries_[at].digest == digest || entries_[at].digest == Digest{}) return at;
    }
    return digest.one & mask;
}

const MateTable::Entry *MateTable::find(const Digest &digest) const {
    const Entry &entry = entries_[place(digest)];
    return entry.digest == digest ? &entry : nullptr;
}

// What mates in so many moves mates in more, and what does not, does not in fewer.
void MateTable::keep(const Digest &digest, int moves, bool is_mate) {
    if (2 * used_ > entries_.size() && entries_.size() < most_) grow();
    Entry &entry = entries_[place(digest)];
    if (entry.digest != digest) {
        used_ += entry.digest == Digest{};
        entry = {digest};
    }
    auto number = static_cast<std::uint8_t>(moves);
    if (is_mate)
        entry.enough = std::min(entry.enough, number);
    else
        entry.too_few = std::max(entry.too_few, number);
}

void MateTable::grow() {
    std::vector<Entry> old(entries_.size() * 2);
    old.swap(entries_);
    for (const Entry &entry : old)
        if (entry.digest != Digest{}) entries_[place(entry.digest)] = entry;
}

// ---------------------------------------------------------------------- the search

// A try, the places of the boards that accept it, and what speaks against it: a board on which it does not mate even if
// all is seen, or the number of boards for which it has failed.
struct Mates::Try {
    Move move;
    bool checks = false;
    std::vector<std::uint32_t> accepting{};
    int spoiler = -1;
    std::size_t failed = 0;
};

Mates::Mates(const UmpireRules &rules, std::size_t most_entries)
    : rules_(rules), beliefs_(most_entries), boards_(most_entries) {}

void Mates::count(std::size_t boards) { watch_->nodes(nodes, static_cast<std::int64_t>(boards)); }

// Quiet plies matter only if their limit is within reach; where it is not, boards that differ in them are the same.
Board Mates::after(const Board &board, Move move) const {
    Board next = chess::after(board, move);
    if (!counts_quiet_) next.quiet = 0;
    return next;
}

Belief Mates::belief_of(const std::vector<Board> &boards, int moves) {
    counts_quiet_ = std::ranges::any_of(
        boards, [&](const Board &board) { return board.quiet + 2 * moves - 2 >= rules_.quiet_limit; });
    Belief belief;
    for (Board board : boards) {
        if (!counts_quiet_) board.quiet = 0;
        belief.push_back({digest_of(board, counts_quiet_), board});
    }
    std::ranges::sort(belief, {}, &Placed::digest);
    auto twice = std::ranges::unique(belief, {}, &Placed::digest);
    belief.erase(twice.begin(), twice.end());
    return belief;
}

bool Mates::wins(const std::vector<Board> &boards, int moves, const Watch &watch) {
    watch_ = &watch;
    return wins(belief_of(boards, moves), moves);
}

// A set that is won is won whatever is refused, because a part of it remains. So a first move needs only to be won
// where it is accepted.
std::vector<Move> Mates::keys(const std::vector<Board> &boards, int moves, const Watch &watch) {
    watch_ = &watch;
    Belief belief = belief_of(boards, moves);
    std::vector<Move> found;
    if (!wins(belief, moves)) return found;
    const std::vector<bool> gone(belief.size(), false);
    for (Try &one : tries(belief))
        if (is_won(one, belief, gone, moves)) found.push_back(one.move);
    return found;
}

bool Mates::wins(const Belief &belief, int moves) {
    count(belief.size());
    if (moves <= 1) return moves == 1 && all_cleared(belief, moves);
    Digest digest = digest_of(belief);
    if (const auto *entry = beliefs_.find(digest)) {
        if (entry->enough <= moves) return true;
        if (entry->too_few >= moves) return false;
    }
    // Step 1. What is lost with all to be seen is lost in the dark: look at each board alone before looking at all.
    bool won = std::ranges::all_of(belief, [&](const Placed &placed) { return mates(placed.board, moves); }) &&
               all_cleared(belief, moves);
    beliefs_.keep(digest, moves, won);
    return won;
}

// Step 2. A strategy for a set of boards works for each of its parts, so being won is handed down to subsets. If a try
// is won on the boards that accept it, nothing is lost by making it first: whatever strategy there is for all boards
// still works for those that refuse. So no order of tries is ever taken back: while boards are left, make any try that
// is won where it is accepted, and go on with the others. If there is none, any strategy's first try that is accepted
// by some board would be one, so there is no strategy.
bool Mates::all_cleared(const Belief &belief, int moves) {
    std::vector<Try> open = tries(belief);
    std::vector<bool> gone(belief.size(), false);
    std::size_t left = belief.size();
    for (bool progress = true; progress;) {
        progress = false;
        for (Try &one : open) {
            if (one.spoiler >= 0 && !gone[one.spoiler]) continue;
            auto size =
                static_cast<std::size_t>(std::ranges::count_if(one.accepting, [&](auto i) { return !gone[i]; }));
            if (size == 0 || size == one.failed) continue;
            if (!is_won(one, belief, gone, moves)) {
                one.failed = size;
                continue;
            }
            for (std::uint32_t place : one.accepting) gone[place] = true;
            if ((left -= size) == 0) return true;
            progress = true;
        }
    }
    return false;
}

// Every move that is legal on some board; checks first, because mates are among them.
std::vector<Mates::Try> Mates::tries(const Belief &belief) const {
    std::vector<std::pair<std::uint16_t, std::uint32_t>> legal;
    for (std::uint32_t place = 0; place < belief.size(); ++place) {
        Moves moves;
        legal_moves(belief[place].board, moves);
        for (Move move : moves) legal.push_back({move.packed(), place});
    }
    std::ranges::sort(legal);
    std::vector<Try> found;
    for (auto [word, place] : legal) {
        if (found.empty() || found.back().move.packed() != word) {
            Board next = after(belief[place].board, Move::unpacked(word));
            found.push_back({Move::unpacked(word), checkers(next, next.turn) != 0});
        }
        found.back().accepting.push_back(place);
    }
    std::ranges::stable_partition(found, [](const Try &one) { return one.checks; });
    return found;
}

// Whether mate follows on all boards left that accept a try.
bool Mates::is_won(Try &one, const Belief &belief, const std::vector<bool> &gone, int moves) {
    std::vector<Told> made;
    for (std::uint32_t place : one.accepting) {
        if (gone[place]) continue;
        const Board &board = belief[place].board;
        Board next = after(board, one.move);
        if (!is_mated(next, moves - 1)) {
            one.spoiler = static_cast<int>(place);
            return false;
        }
        Message said = message(board, one.move, next, rules_);
        if (end_of(said) == GOES_ON)
            made.push_back({said, {digest_of(next, counts_quiet_), next}});
        else if (end_of(said) != MATE)
            return false;
    }
    count(made.size());
    return std::ranges::all_of(by_message(made), [&](const Belief &group) { return all_answered(group, moves - 1); });
}

// Whether every reply on these boards, told apart by what is said about it, leaves a set that is won.
bool Mates::all_answered(const Belief &belief, int moves) {
    std::vector<Told> made;
    for (const auto &[digest, board] : belief) {
        Moves replies;
        legal_moves(board, replies);
        for (Move reply : replies) {
            Board next = after(board, reply);
            Message said = message(board, reply, next, rules_);
            if (end_of(said) != GOES_ON) return false;
            made.push_back({said, {digest_of(next, counts_quiet_), next}});
        }
    }
    return std::ranges::all_of(by_message(made), [&](const Belief &group) { return wins(group, moves); });
}

// ---------------------------------------------------------------------- with all to be seen

// Whether the player to move mates in so many moves. Draws by the umpire's counting are left out: they only make it
// harder.
bool Mates::mates(const Board &board, int moves) {
    Digest digest;
    if (moves > 1) {
        digest = digest_of(board, counts_quiet_);
        if (const auto *entry = boards_.find(digest)) {
            if (entry->enough <= moves) return true;
            if (entry->too_few >= moves) return false;
        }
        count(1);
    }
    Moves legal;
    legal_moves(board, legal);
    bool found = std::ranges::any_of(legal, [&](Move move) { return is_mated(after(board, move), moves - 1); });
    if (moves > 1) boards_.keep(digest, moves, found);
    return found;
}

// Whether the player to move is mated, or will be in so many moves of the other's, whatever he does.
bool Mates::is_mated(const Board &board, int moves) {
    bool in_check = checkers(board, board.turn) != 0;
    if (moves == 0) return in_check && !any_legal(board);
    Moves replies;
    legal_moves(board, replies);
    if (replies.count == 0) return in_check;
    return std::ranges::all_of(replies, [&](Move reply) { return mates(after(board, reply), moves); });
}

}  // namespace worldwise::chess
