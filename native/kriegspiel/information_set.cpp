#include "kriegspiel/information_set.hpp"

#include <algorithm>
#include <new>

namespace worldwise::chess {

namespace {

constexpr Message REFUSED = (1u << 27) - 1;  // no message has all these bits
constexpr std::uint16_t NONE = 0xFFFF;
constexpr std::size_t KEPT_REPLIES = 256;

// The key of (node, try, message): messages take 27 bits, tries 9, which leaves 28 for nodes.
constexpr std::uint64_t key_of(std::uint64_t node, std::uint64_t number, Message said) {
    return node << 36 | (number & 511) << 27 | said;
}

// Whether a try is legal, given where everybody may go: who tries a move at the root may promote what cannot be.
bool is_among(const std::array<Bits, 64> &targets, const Board &board, Move move) {
    const bool promotes = board.men[PAWN] & bit(move.from) && (move.to < 8 || move.to >= 56);
    const bool fits = promotes ? move.promotion >= KNIGHT && move.promotion <= QUEEN : move.promotion == PAWN;
    return fits && targets[move.from] & bit(move.to);
}

// What may be attacked by the side that has just moved, as far as a look at the king tells: all but a king who is not.
Bits feared(const Board &board) { return checkers(board, board.turn) ? ~Bits{0} : ~board.of(board.turn, KING); }

}  // namespace

// ---------------------------------------------------------------------- the tree

InformationSets::InformationSets(const UmpireRules &rules, const Evaluation &evaluation, int player,
                                 std::vector<Move> tries, int depth, double caution, double greed,
                                 std::size_t most)
    : rules_(rules), evaluation_(evaluation), player_(player), depth_(depth), caution_(caution), greed_(greed),
      most_(most), is_blend_(caution > 0 && caution < 1), nodes_(1), heaps_(1), tries_(std::move(tries)),
      made_(static_cast<std::size_t>(depth) + 1), replies_(KEPT_REPLIES), passed_(rules, evaluation, player) {
    nodes_[0].count = static_cast<std::uint16_t>(tries_.size());
    made_weight_.resize(tries_.size());
}

std::uint32_t InformationSets::child(std::uint32_t node, unsigned number, Message said) {
    const std::uint64_t key = key_of(node, number, said);
    SetSlot &found = table_.find(stir(key), [key](const SetSlot &slot) { return slot.key == key; });
    if (!found.is_used()) {
        check_size();
        found = {key, static_cast<std::uint32_t>(nodes_.size())};
        Node next;
        next.sibling = nodes_[node].child;
        next.number = static_cast<std::uint16_t>(number);
        nodes_[node].child = found.node;
        nodes_.push_back(next);
    }
    return found.node;
}

void InformationSets::check_size() const {
    if (nodes_.size() + heaps_.size() > 2 * most_) throw std::bad_alloc();
}

void InformationSets::give_tries(std::uint32_t node, const Board &board) {
    Moves moves;
    tries(board, rules_, moves);
    nodes_[node].tries = static_cast<std::uint32_t>(tries_.size());
    nodes_[node].count = static_cast<std::uint16_t>(moves.count);
    tries_.insert(tries_.end(), moves.begin(), moves.end());
}

// What is at the end of the search below a try, where it makes no difference what the umpire says: a mean of means by
// weight is the mean of all, and the least of the least is the least of all. Between the two, in a blend, it does.
InformationSets::Mix &InformationSets::heap(std::uint32_t node, unsigned number) {
    if (!nodes_[node].heaps) {
        check_size();
        nodes_[node].heaps = static_cast<std::uint32_t>(heaps_.size());
        heaps_.resize(heaps_.size() + std::max<std::size_t>(nodes_[node].count, 1));
    }
    return heaps_[nodes_[node].heaps + number];
}

void InformationSets::add_leaf(std::uint32_t node, unsigned number, Message said, double weight, double worth) {
    nodes_[child(node, number, said)].add(weight, worth);
}

// At the end of the search: told apart by what is said if that makes a difference.
void InformationSets::add_last(std::uint32_t node, unsigned number, Message said, double weight, double worth) {
    if (is_blend_)
        add_leaf(node, number, said, weight, worth);
    else
        heap(node, number).add(weight, worth);
}

double InformationSets::worth(const Board &board) {
    ++leaves;
    return evaluated(board, player_, evaluation_);
}

double InformationSets::utility(Message said, bool his) const {
    if (end_of(said) != MATE) return 0;
    return his ? evaluation_.mate : -evaluation_.mate;
}

// ---------------------------------------------------------------------- folding

bool InformationSets::fold(const Board &board, double weight, const Watch &watch) {
    if (nodes_.size() + heaps_.size() > most_) return false;
    if (weight <= 0) return true;
    watch_ = &watch;
    nodes_[0].weight += weight;
    his_turn(0, board, weight, depth_);
    auto note = [&](const auto &tries) {
        for (const Last &one : tries)
            if (one.legal) made_weight_[one.number] += weight;
    };
    depth_ == 1 ? note(last_) : note(made_[static_cast<std::size_t>(depth_)]);
    return true;
}

// What becomes of each try; what comes after is looked at later.
const std::vector<InformationSets::Made> &InformationSets::make_all(std::uint32_t node, const Board &board, int depth) {
    std::vector<Made> &made = made_[static_cast<std::size_t>(depth)];
    made.clear();
    const std::array<Bits, 64> targets = legal_targets(board);
    for (std::uint16_t number = 0; number < nodes_[node].count; ++number) {
        Move move = tries_[nodes_[node].tries + number];
        made.push_back({{number, is_among(targets, board, move), REFUSED, 0}, {}});
        Made &one = made.back();
        if (!one.legal) continue;
        one.board = after(board, move);
        one.said = message(board, move, one.board, rules_);
        one.worth = utility(one.said, true);
    }
    return made;
}

// The same where nothing comes after.
const std::vector<InformationSets::Last> &InformationSets::last_tries(std::uint32_t node, const Board &board,
                                                                      bool answers) {
    last_.clear();
    const double now = worth(board);  // of all that is refused
    const Reach reach(board, player_);
    const std::array<Bits, 64> targets = legal_targets(board);
    for (std::uint16_t number = 0; number < nodes_[node].count; ++number) {
        Move move = tries_[nodes_[node].tries + number];
        bool legal = is_among(targets, board, move);
        const double *plain = legal && answers ? passed_.after_move(move) : nullptr;
        auto [said, worth] = plain ? plainly(*plain) : legal ? last_board(board, move, reach) : Reply{REFUSED, now};
        last_.push_back({number, legal, said, worth});
    }
    return last_;
}

// A board whose worth is known, and that the game goes on.
InformationSets::Reply InformationSets::plainly(double worth) {
    ++leaves;
    return {ending(GOES_ON), worth};
}

// What a move is worth that nothing comes after; `reach` is that of his men before it.
InformationSets::Reply InformationSets::last_board(const Board &before, Move move, const Reach &reach) {
    const Board next = after(before, move);
    const bool his = before.turn == player_;
    const Bits reached = reach.on(next);
    // Nobody hears the umpire any more, but for a blend: whether the game is over is all that counts.
    const Message said =
        is_blend_ ? message(before, move, next, rules_) : ending(over(next, his ? reached : feared(next), rules_));
    if (end_of(said)) return {said, utility(said, his)};
    ++leaves;
    return {said, evaluated(next, player_, reached, evaluation_)};
}

void InformationSets::add_leaves(std::uint32_t node, const std::vector<Last> &last, double weight,
                                 std::uint16_t except) {
    for (const Last &one : last) {
        if (one.number == except) continue;
        // A refused child has one try less than its parent: its numbers go on without a gap.
        unsigned number = one.number - (one.number > except);
        add_last(node, number, one.said, weight, one.worth);
    }
}

void InformationSets::his_turn(std::uint32_t node, const Board &board, double weight, int depth) {
    if (depth == 1) return add_leaves(node, last_tries(node, board, false), weight, NONE);
    if (depth > 2) watch_->poll();
    const std::vector<Made> &made = make_all(node, board, depth);
    refuse(node, made, board, weight, depth);
    for (std::size_t i = 0; i < made.size(); ++i) {
        const Made &one = made[i];
        if (!one.legal) continue;
        if (end_of(one.said)) {
            add_leaf(node, one.number, one.said, weight, one.worth);
            continue;
        }
        std::uint32_t next = child(node, one.number, one.said);
        nodes_[next].weight += weight;
        other_turn(next, one.board, weight, depth - 1);
    }
}

// The tries that are refused: it is his turn still, on the same board, with one try less.
void InformationSets::refuse(std::uint32_t node, const std::vector<Made> &made, const Board &board, double weight,
                             int depth) {
    const std::vector<Last> *last = nullptr;  // at the last ply all these see the same
    for (const Made &one : made) {
        if (one.legal) continue;
        if (nodes_[node].count == 1) {  // nothing is left to try: no such board can be, but a guess may be wrong
            add_leaf(node, one.number, REFUSED, weight, worth(board));
            continue;
        }
        std::uint32_t next = child(node, one.number, REFUSED);
        nodes_[next].weight += weight;
        if (!nodes_[next].count) {
            std::uint32_t from = nodes_[node].tries, to = static_cast<std::uint32_t>(tries_.size());
            nodes_[next].tries = to, nodes_[next].count = nodes_[node].count - 1;
            for (std::uint32_t i = 0; i < nodes_[node].count; ++i) {
                Move move = tries_[from + i];
                if (i != one.number) tries_.push_back(move);
            }
        }
        if (depth > 2) {
            his_turn(next, board, weight, depth - 1);
            continue;
        }
        if (!last) last = &last_tries(node, board, false);
        add_leaves(next, *last, weight, one.number);
    }
}

// What a move wins at once: who is taken, and what a pawn becomes.
double InformationSets::gain(const Board &board, Move move) const {
    const int taken = taken_at(board, move);
    const double won = taken == NO_SQUARE ? 0 : evaluation_.value[board.kind_at(taken)];
    return won + (move.promotion == PAWN ? 0 : evaluation_.value[move.promotion] - evaluation_.value[PAWN]);
}

// What wins something at once is likelier than what does not (BoardSearch.likelihood in Python).
void InformationSets::give_chances(const Board &board, const Moves &moves, std::vector<double> &chances) const {
    chances.assign(static_cast<std::size_t>(moves.count), 1.0);
    double sum = 0;
    for (std::size_t i = 0; i < chances.size(); ++i) {
        if (greed_ > 0) chances[i] += greed_ * std::max(0.0, gain(board, moves.move[i]));
        sum += chances[i];
    }
    for (double &chance : chances) chance /= sum;
}

// Boards are compared whole, `quiet` included, so a board whose hash is another's is worked out again, not mistaken for
// it.
const InformationSets::Replies &InformationSets::replies(const Board &board) {
    Replies &kept = replies_[key(board) % KEPT_REPLIES];
    if (kept.each.empty() || !(kept.board == board)) {
        kept.board = board, kept.each.clear();
        Moves moves;
        legal_moves(board, moves);
        const Reach reach(board, player_);
        if (!is_blend_) passed_.start(board);
        for (Move move : moves) {
            const double *plain = is_blend_ ? nullptr : passed_.after_reply(move);
            kept.each.push_back(plain ? plainly(*plain) : last_board(board, move, reach));
        }
        give_chances(board, moves, kept.chances);
    }
    return kept;
}

void InformationSets::other_turn(std::uint32_t node, const Board &board, double weight, int depth) {
    if (depth == 1) {
        const Replies &last = replies(board);
        for (std::size_t i = 0; i < last.each.size(); ++i)
            add_last(node, 0, last.each[i].said, weight * last.chances[i], last.each[i].worth);
        return;
    }
    const bool answers = depth == 2 && !is_blend_;  // what he answers is last: much of it is as if the other had passed
    if (answers) passed_.start(board);
    Moves moves;
    legal_moves(board, moves);
    std::vector<double> chances;
    give_chances(board, moves, chances);
    for (std::size_t i = 0; i < chances.size(); ++i) {
        const Move move = moves.move[i];
        const double likely = weight * chances[i];
        Board next = after(board, move);
        Message said = message(board, move, next, rules_);
        if (end_of(said)) {
            add_leaf(node, 0, said, likely, utility(said, false));
            continue;
        }
        std::uint32_t below = child(node, 0, said);
        nodes_[below].weight += likely;
        if (!nodes_[below].count) give_tries(below, next);
        if (answers) {
            passed_.reply(next);
            add_leaves(below, last_tries(below, next, true), likely, NONE);
        } else {
            his_turn(below, next, likely, depth - 1);
        }
    }
}

// ---------------------------------------------------------------------- reading it off

void InformationSets::Mix::add(double more, double worth) {
    weight += more, sum += more * worth, least = std::min(least, worth);
}

double InformationSets::blend(const Mix &mix) const {
    return (1 - caution_) * (mix.sum / mix.weight) + caution_ * mix.least;
}

std::vector<InformationSets::Mix> InformationSets::by_try(std::uint32_t node) const {
    std::vector<Mix> found(std::max<std::size_t>(nodes_[node].count, 1));
    for (std::uint32_t next = nodes_[node].child; next; next = nodes_[next].sibling)
        if (nodes_[next].weight > 0) found[nodes_[next].number].add(nodes_[next].weight, value(next));
    for (std::size_t number = 0; nodes_[node].heaps && number < found.size(); ++number)
        if (const Mix &last = heaps_[nodes_[node].heaps + number]; last.weight > 0)
            found[number].add(last.weight, blend(last));
    return found;
}

double InformationSets::value(std::uint32_t node) const {
    const Node &here = nodes_[node];
    if (!here.child && !here.heaps) return blend(here);
    double best = -std::numeric_limits<double>::infinity();
    for (const Mix &mix : by_try(node))
        if (mix.weight > 0) best = std::max(best, blend(mix));
    return best;
}

std::vector<double> InformationSets::values() const {
    std::vector<double> found;
    for (const Mix &mix : by_try(0)) found.push_back(mix.weight > 0 ? blend(mix) : 0);
    return found;
}

std::vector<double> InformationSets::chances() const {
    std::vector<double> found;
    for (double made : made_weight_) found.push_back(nodes_[0].weight > 0 ? made / nodes_[0].weight : 0);
    return found;
}

}  // namespace worldwise::chess
