// Chess boards, umpires and beliefs for Python.
#include <limits>
#include <stdexcept>

#include "bindings/bind.hpp"
#include "kriegspiel/belief.hpp"
#include "kriegspiel/chess.hpp"
#include "kriegspiel/evaluation.hpp"
#include "kriegspiel/information_set.hpp"
#include "kriegspiel/last_message.hpp"
#include "kriegspiel/mates.hpp"
#include "kriegspiel/minimax.hpp"
#include "kriegspiel/umpire.hpp"

using namespace worldwise;
using namespace worldwise::chess;

namespace {

// A board as packed has it; moves are packed in 16 bits.
using ChessRow = nb::ndarray<const std::uint64_t, nb::shape<ROW_WORDS>, nb::c_contig, nb::device::cpu>;

std::uint64_t bind_chess_perft(ChessRow row, int depth, bool made) {
    Board board = unpacked(row.data());
    nb::gil_scoped_release released;
    return made ? perft_made(board, depth) : perft(board, depth);
}

using BoardRows = nb::ndarray<const std::uint64_t, nb::shape<-1, ROW_WORDS>, nb::c_contig, nb::device::cpu>;
using MoveWords = nb::ndarray<const std::uint16_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;

Array<std::uint16_t> words_of(const auto &moves) {
    std::vector<std::uint16_t> words;
    for (Move move : moves) words.push_back(move.packed());
    return array_of(std::move(words));
}

Array<std::uint16_t> bind_chess_moves(ChessRow row) {
    Moves moves;
    legal_moves(unpacked(row.data()), moves);
    return words_of(moves);
}

// Each board after the move that is legal on it.
Array<std::uint64_t> bind_chess_after(BoardRows rows, MoveWords moves) {
    if (moves.size() != rows.shape(0)) throw std::invalid_argument("rows and moves do not fit");
    std::vector<std::uint64_t> next(rows.size());
    for (std::size_t i = 0; i < moves.size(); ++i)
        packed(after(unpacked(rows.data() + i * ROW_WORDS), Move::unpacked(moves(i))), next.data() + i * ROW_WORDS);
    return rows_of(std::move(next), ROW_WORDS);
}

void bind_chess(nb::module_ &module) {
    module.def("chess_perft", &bind_chess_perft);
    module.def("chess_moves", &bind_chess_moves);
    module.def("chess_after", &bind_chess_after);
    module.def("chess_checkers", [](ChessRow row, int colour) { return checkers(unpacked(row.data()), colour & 1); });
    module.def("chess_pawn_captures", [](ChessRow row) { return pawn_captures(unpacked(row.data())); });
    module.def("chess_any_legal", [](ChessRow row) { return any_legal(unpacked(row.data())); });
    module.def("chess_is_dead", [](ChessRow row) { return is_dead(unpacked(row.data())); });
    module.def("chess_key", [](ChessRow row) { return key(unpacked(row.data())); });
    module.def("chess_is_legal",
               [](ChessRow row, std::uint16_t move) { return is_legal(unpacked(row.data()), Move::unpacked(move)); });
}

// ---------------------------------------------------------------------- umpires and beliefs

std::uint32_t bind_message(ChessRow row, std::uint16_t move, const UmpireRules &rules) {
    Board board = unpacked(row.data());
    Move made = Move::unpacked(move);
    return message(board, made, after(board, made), rules);
}

Array<std::uint16_t> bind_tries(ChessRow row, const UmpireRules &rules) {
    Moves moves;
    tries(unpacked(row.data()), rules, moves);
    return words_of(moves);
}

std::vector<Possible> possible_of(const BoardRows &rows, const In<double> &weights) {
    if (weights.size() != rows.shape(0)) throw std::invalid_argument("rows and weights do not fit");
    std::vector<Possible> boards(rows.shape(0));
    for (std::size_t i = 0; i < boards.size(); ++i)
        boards[i] = {unpacked(rows.data() + i * ROW_WORDS), weights.data()[i], 0, 0};
    return boards;
}

// Rows, weights, the places of the boards they came from, and the other's moves there.
nb::tuple bind_belief_after(BoardRows rows, In<double> weights, int what, std::uint16_t move, std::uint32_t said,
                            std::uint32_t mask, int refusals, const UmpireRules &rules, std::size_t most,
                            double seconds) {
    std::vector<Possible> before = possible_of(rows, weights), found;
    {
        nb::gil_scoped_release released;
        Heard heard{static_cast<Heard::What>(what), Move::unpacked(move), said, mask, refusals};
        found = after(before, heard, rules, most, watch_of(-1, seconds));
    }
    std::vector<std::uint64_t> boards(found.size() * ROW_WORDS);
    std::vector<double> likely(found.size());
    std::vector<std::uint32_t> parents(found.size());
    std::vector<std::uint16_t> moves(found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        packed(found[i].board, boards.data() + i * ROW_WORDS);
        likely[i] = found[i].weight, parents[i] = found[i].parent, moves[i] = found[i].move;
    }
    return nb::make_tuple(rows_of(std::move(boards), ROW_WORDS), array_of(std::move(likely)),
                          array_of(std::move(parents)), array_of(std::move(moves)));
}

// `later` has a row for each answer: what, move, said.
Array<double> bind_belief_surprise(BoardRows rows,
                                   nb::ndarray<const std::int64_t, nb::shape<-1, 3>, nb::c_contig> later) {
    std::vector<Heard> answers;
    for (std::size_t i = 0; i < later.shape(0); ++i)
        answers.push_back({static_cast<Heard::What>(later(i, 0)),
                           Move::unpacked(static_cast<std::uint16_t>(later(i, 1))), static_cast<Message>(later(i, 2))});
    std::vector<double> found(rows.shape(0));
    {
        nb::gil_scoped_release released;
        for (std::size_t i = 0; i < found.size(); ++i)
            found[i] = surprise(unpacked(rows.data() + i * ROW_WORDS), answers);
    }
    return array_of(std::move(found));
}

void bind_umpire(nb::module_ &module) {
    nb::class_<UmpireRules>(module, "UmpireRules")
        .def(nb::new_([](int captured, int pawn_tries, bool split_diagonals, int quiet_limit, bool quiet_is_fifty) {
            return UmpireRules{static_cast<UmpireRules::Captured>(captured),
                               static_cast<UmpireRules::PawnTries>(pawn_tries), split_diagonals, quiet_limit,
                               quiet_is_fifty};
        }));
    module.def("umpire_message", &bind_message);
    module.def("umpire_tries", &bind_tries);
    module.def("belief_after", &bind_belief_after);
    module.def("belief_surprise", &bind_belief_surprise);
    module.def("belief_rarities", [](BoardRows rows, In<double> weights, int colour) {
        return array_of(rarities(possible_of(rows, weights), colour & 1));
    });
}

// ---------------------------------------------------------------------- guaranteed mates

std::vector<Board> boards_of(const BoardRows &rows) {
    std::vector<Board> boards;
    for (std::size_t i = 0; i < rows.shape(0); ++i) boards.push_back(unpacked(rows.data() + i * ROW_WORDS));
    return boards;
}

bool bind_mates_wins(Mates &mates, BoardRows rows, int moves, std::int64_t most_nodes, double seconds) {
    std::vector<Board> boards = boards_of(rows);
    nb::gil_scoped_release released;
    return mates.wins(boards, moves, watch_of(most_nodes, seconds));
}

Array<std::uint16_t> bind_mates_keys(Mates &mates, BoardRows rows, int moves, std::int64_t most_nodes, double seconds) {
    std::vector<Board> boards = boards_of(rows);
    std::vector<Move> keys;
    {
        nb::gil_scoped_release released;
        keys = mates.keys(boards, moves, watch_of(most_nodes, seconds));
    }
    return words_of(keys);
}

void bind_mates(nb::module_ &module) {
    nb::class_<Mates>(module, "Mates")
        .def(
            nb::new_([](const UmpireRules &rules, std::size_t most_entries) { return new Mates(rules, most_entries); }))
        .def("wins", &bind_mates_wins)
        .def("keys", &bind_mates_keys)
        .def_ro("nodes", &Mates::nodes);
}

// ---------------------------------------------------------------------- information sets

std::vector<Move> moves_of(const MoveWords &words) {
    std::vector<Move> moves;
    for (std::size_t i = 0; i < words.size(); ++i) moves.push_back(Move::unpacked(words(i)));
    return moves;
}

bool ran_out(const Watch &watch) {
    try {
        watch.poll();
    } catch (const LimitReached &) {
        return true;
    }
    return false;
}

// Folds boards until time is out, at least one of them, unless that alone takes longer than the `patience`; how many.
std::size_t bind_sets_fold(InformationSets &sets, BoardRows rows, In<double> weights, double seconds, double patience) {
    if (weights.size() != rows.shape(0)) throw std::invalid_argument("rows and weights do not fit");
    nb::gil_scoped_release released;
    const Watch watch = watch_of(-1, seconds), first = watch_of(-1, patience), others = watch_of(-1, -1);
    for (std::size_t i = 0; i < rows.shape(0); ++i) {
        if (i && ran_out(watch)) return i;
        if (!sets.fold(unpacked(rows.data() + i * ROW_WORDS), weights.data()[i], i ? others : first)) return i;
    }
    return rows.shape(0);
}

// For each board that there is time for, and each try: what it is worth, no number if it is not legal.
Array<double> bind_minimax(BoardRows rows, MoveWords words, int plies, const UmpireRules &rules,
                           const Evaluation &evaluation, double seconds) {
    std::vector<Move> moves = moves_of(words);
    std::vector<double> found;
    nb::gil_scoped_release released;
    const Watch watch = watch_of(-1, seconds);
    std::size_t boards = 0;
    try {
        for (; boards < rows.shape(0); ++boards) {
            if (boards) watch.poll();
            Board board = unpacked(rows.data() + boards * ROW_WORDS);
            for (Move move : moves)
                found.push_back(is_legal(board, move) ? minimax_value(board, move, plies, rules, evaluation, watch)
                                                      : std::numeric_limits<double>::quiet_NaN());
        }
    } catch (const LimitReached &) {
        found.resize(boards * moves.size());
    }
    nb::gil_scoped_acquire held;
    return array_of<double>(std::move(found), {boards, moves.size()});
}

// `own` has the player's men only.
Array<std::uint64_t> bind_guesses(ChessRow own, std::uint32_t said, MoveWords refused, std::size_t pawns,
                                  In<std::uint8_t> pieces, std::size_t pawns_lost, std::size_t pieces_lost,
                                  std::size_t unknown_lost, const UmpireRules &rules, int count, std::uint64_t seed) {
    Army army{pawns, {}, pawns_lost, pieces_lost, unknown_lost};
    for (std::size_t i = 0; i < pieces.size(); ++i) army.pieces.push_back(static_cast<Man>(pieces.data()[i] % KING));
    const std::vector<Move> moves = moves_of(refused);
    std::vector<std::uint64_t> rows;
    {
        nb::gil_scoped_release released;
        for (const Board &board : guesses(unpacked(own.data()), said, moves, army, rules, count, seed)) {
            rows.resize(rows.size() + ROW_WORDS);
            packed(board, rows.data() + rows.size() - ROW_WORDS);
        }
    }
    return rows_of(std::move(rows), ROW_WORDS);
}

void bind_search(nb::module_ &module) {
    nb::class_<Evaluation>(module, "Evaluation")
        .def(nb::new_(
            [](In<double> values, double protected_man, double threatened, double advance, double check, double mate) {
                if (values.size() != 6) throw std::invalid_argument("six kinds of men have values");
                Evaluation evaluation{{}, protected_man, threatened, advance, check, mate};
                for (std::size_t i = 0; i < 6; ++i) evaluation.value[i] = values.data()[i];
                return evaluation;
            }));
    module.def("chess_evaluated", [](ChessRow row, int player, const Evaluation &evaluation) {
        return evaluated(unpacked(row.data()), player & 1, evaluation);
    });
    module.def("chess_minimax", &bind_minimax);
    module.def("kriegspiel_guesses", &bind_guesses);
    nb::class_<InformationSets>(module, "InformationSets")
        .def(nb::new_([](const UmpireRules &rules, const Evaluation &evaluation, int player, MoveWords tries, int depth,
                         double caution, std::size_t most) {
            return new InformationSets(rules, evaluation, player & 1, moves_of(tries), depth, caution, most);
        }))
        .def("fold", &bind_sets_fold)
        .def("values", [](const InformationSets &sets) { return array_of(sets.values()); })
        .def("chances", [](const InformationSets &sets) { return array_of(sets.chances()); })
        .def_ro("leaves", &InformationSets::leaves);
}

// ---------------------------------------------------------------------- what Python must agree on

void bind_forms(nb::module_ &module) {
    static_assert(PAWN == 0 && KNIGHT == 1 && BISHOP == 2 && ROOK == 3 && QUEEN == 4 && KING == 5);
    module.attr("PIECES") = "PNBRQK";
    module.attr("ROW_WORDS") = ROW_WORDS;
    module.attr("NO_SQUARE") = NO_SQUARE;
    module.attr("QUIET_SHIFT") = QUIET_SHIFT;
    module.attr("MOST_QUIET") = MOST_QUIET;
    module.attr("MESSAGE_SHIFTS") = nb::make_tuple(MAN_SHIFT, CHECKS_SHIFT, TRIES_SHIFT, END_SHIFT);
    module.attr("PAWN_TRIES") = PAWN_TRIES;
    module.attr("HEARD") = nb::make_tuple(int{Heard::REFUSED}, int{Heard::MADE}, int{Heard::OTHER_MADE});
    module.attr("USUAL_MOVES") = USUAL_MOVES;
    module.attr("LATER") = LATER;
    module.attr("LEAST_WORTH") = LEAST_WORTH;
    module.attr("WRONG_CAPTURE") = WRONG_CAPTURE;
    module.attr("ATTEMPTS") = ATTEMPTS;
}

}  // namespace

void bind_kriegspiel(nb::module_ &module) {
    bind_forms(module);
    bind_chess(module);
    bind_umpire(module);
    bind_mates(module);
    bind_search(module);
}
