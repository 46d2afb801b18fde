#include "kriegspiel/null_move.hpp"

#include <cstdlib>

namespace worldwise::chess {

namespace {

constexpr Bits ALL = ~Bits{0};

Bits ahead(Bits squares, int colour) { return colour == WHITE ? squares << 8 : squares >> 8; }

// Where somebody could be to attack a king, or to stand in the way of an attack on him.
Bits around(int king) { return lines(king).all() | knight_attacks(king); }

// Where pawns can step that are on no line with their king, so that nothing pins them.
Bits sure_steps(const Board &board, int colour) {
    int king = board.king(colour);
    if (king == NO_SQUARE) return 0;
    return ahead(board.of(colour, PAWN) & ~lines(king).all(), colour) & ~board.occupied();
}

bool is_castling(const Board &board, Move move) {
    return board.men[KING] & bit(move.from) && std::abs(move.to - move.from) == 2;
}

}  // namespace

Passed::Passed(const UmpireRules &rules, const Evaluation &evaluation, int player)
    : rules_(rules), evaluation_(evaluation), player_(player) {}

void Passed::start(const Board &board) {
    board_ = board, board_.turn = static_cast<std::uint8_t>(player_), board_.en_passant = NO_SQUARE;
    ++number_;
    reach_.emplace(board, player_);
    here_.reached = reach_->on(board);
    here_.worth = evaluated(board, player_, here_.reached, evaluation_);
    en_passant_ = board.en_passant;
    steps_ = board.quiet + 1 < rules_.quiet_limit ? sure_steps(board, player_) : 0;
    checking_ = steps_ ? around(board.king(player_)) : ALL;
}

// When is the board worth what it is worth if the other passes? What the player's men attack must stay: the reply
// leaves and reaches no square that they attack, so it neither opens nor closes a line of theirs, nor steps into one.
// Men must stay: nothing is taken, on the square or en passant, or promoted. And the game must go on: the player is not
// in check, since the reply touches no square from which his king could be attacked or uncovered, and he has a pawn
// that can step. Castling moves two men, and is left out.
const double *Passed::after_reply(Move reply) const {
    const Bits from = bit(reply.from), to = bit(reply.to);
    if ((from | to) & (here_.reached | checking_) || to & board_.side[player_] || reply.promotion != PAWN)
        return nullptr;
    if (!(steps_ & ~to) || reply.to == en_passant_ || is_castling(board_, reply)) return nullptr;
    return &here_.worth;
}

void Passed::reply(const Board &board) {
    if (moves_.empty()) moves_.resize(64 * 64);
    const int other = 1 - player_;
    en_passant_ = board.en_passant;
    others_steps_ = sure_steps(board, other);
    touched_ = (board.side[other] ^ board_.side[other]) | board.of(other, KING);
    is_plain_ = others_steps_ && board.side[player_] == board_.side[player_] &&
                std::popcount(board.men[PAWN]) == std::popcount(board_.men[PAWN]) &&
                board.quiet + 1 < rules_.quiet_limit;
}

// The same one move later, for the board after the reply and a move of the player's: his men attack what they would
// without the reply, unless it touched a square they attack then. The other is not in check, since his king's square is
// among those touched, and has a pawn that can step, neither taken nor stopped: the game goes on.
const double *Passed::after_move(Move move) {
    const Bits to = bit(move.to);
    if (!is_plain_ || touched_ & to || move.to == en_passant_ || move.promotion != PAWN) return nullptr;
    if (!(others_steps_ & ~to & ~ahead(to, 1 - player_))) return nullptr;
    const Known &found = known(move);
    return found.reached & touched_ ? nullptr : &found.worth;
}

const Passed::Known &Passed::known(Move move) {
    Known &found = moves_[64 * move.from + move.to];
    if (found.board == number_) return found;
    found.board = number_;
    const Board next = after(board_, move);
    found.reached = reach_->on(next);
    found.worth = evaluated(next, player_, found.reached, evaluation_);
    return found;
}

}  // namespace worldwise::chess
