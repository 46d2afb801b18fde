// Chess boards, umpires and beliefs for Python.
#include <algorithm>
#include <limits>

#include "bindings/bind.hpp"
#include "bindings/chess_checks.hpp"
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
    Board board = checked_board(row.data());
    expect_within(depth, 0, MOST_PERFT, "a depth");
    nb::gil_scoped_release released;
    Watch watch = watch_of(-1, -1);
    return made ? perft_made(board, depth, watch) : perft(board, depth, watch);
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
    legal_moves(checked_board(row.data()), moves);
    return words_of(moves);
}

// Each board after the move that is legal on it.
Array<std::uint64_t> bind_chess_after(BoardRows rows, MoveWords moves) {
    expect_size(moves.size(), rows.shape(0), "moves");
    std::vector<std::uint64_t> next(rows.size());
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const Board board = checked_board(rows.data() + i * ROW_WORDS);
        const Move move = Move::unpacked(moves(i));
        check_legal(board, move);
        packed(after(board, move), next.data() + i * ROW_WORDS);
    }
    return rows_of(std::move(next), ROW_WORDS);
}

void bind_chess(nb::module_ &module) {
    module.def("chess_perft", &bind_chess_perft);
    module.def("chess_moves", &bind_chess_moves);
    module.def("chess_after", &bind_chess_after);
    module.def("chess_checkers", [](ChessRow row, int colour) {
        return checkers(checked_board(row.data()), checked_colour(colour));
    });
    module.def("chess_pawn_captures", [](ChessRow row) { return pawn_captures(checked_board(row.data())); });
    module.def("chess_any_legal", [](ChessRow row) { return any_legal(checked_board(row.data())); });
    module.def("chess_is_dead", [](ChessRow row) { return is_dead(checked_board(row.data())); });
    module.def("chess_key", [](ChessRow row) { return key(checked_board(row.data())); });
    module.def("chess_is_legal", [](ChessRow row, std::uint16_t move) {
        return is_legal(checked_board(row.data()), Move::unpacked(move));
    });
}

// ---------------------------------------------------------------------- umpires and beliefs

std::uint32_t bind_message(ChessRow row, std::uint16_t move, const UmpireRules &rules) {
    Board board = checked_board(row.data());
    Move made = Move::unpacked(move);
    check_legal(board, made);
    return message(board, made, after(board, made), rules);
}

Array<std::uint16_t> bind_tries(ChessRow row, const UmpireRules &rules) {
    Moves moves;
    tries(checked_board(row.data()), rules, moves);
    return words_of(moves);
}

std::vector<Board> boards_of(const BoardRows &rows) {
    std::vector<Board> boards;
    for (std::size_t i = 0; i < rows.shape(0); ++i) boards.push_back(checked_board(rows.data() + i * ROW_WORDS));
    return boards;
}

std::vector<Possible> possible_of(const BoardRows &rows, const In<double> &weights) {
    expect_size(weights.size(), rows.shape(0), "weights");
    expect_weights(weights.data(), weights.size());
    std::vector<Possible> boards(rows.shape(0));
    for (std::size_t i = 0; i < boards.size(); ++i)
        boards[i] = {checked_board(rows.data() + i * ROW_WORDS), weights.data()[i], 0, 0};
    return boards;
}

// Rows, weights, the places of the boards they came from, and the other's moves there.
nb::tuple bind_belief_after(BoardRows rows, In<double> weights, int what, std::uint16_t move, std::uint32_t said,
                            std::uint32_t mask, int refusals, const UmpireRules &rules, std::size_t most,
                            double seconds) {
    std::vector<Possible> before = possible_of(rows, weights), found;
    const Heard heard{checked_what(what), Move::unpacked(move), said, mask, refusals};
    check_message(said);
    expect(refusals >= -1, "a number of refusals, or -1 if none are heard");
    {
        nb::gil_scoped_release released;
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
                                   nb::ndarray<const std::int64_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>
                                       later) {
    std::vector<Heard> answers;
    for (std::size_t i = 0; i < later.shape(0); ++i) {
        expect_within(later(i, 1), 0, 0xFFFF, "a move");
        expect_within(later(i, 2), 0, 0xFFFFFFFF, "a message");
        answers.push_back({checked_what(later(i, 0)), Move::unpacked(static_cast<std::uint16_t>(later(i, 1))),
                           static_cast<Message>(later(i, 2))});
        check_message(answers.back().said);
    }
    const std::vector<Board> boards = boards_of(rows);
    std::vector<double> found(boards.size());
    {
        nb::gil_scoped_release released;
        for (std::size_t i = 0; i < found.size(); ++i) found[i] = surprise(boards[i], answers);
    }
    return array_of(std::move(found));
}

void bind_umpire(nb::module_ &module) {
    nb::class_<UmpireRules>(module, "UmpireRules")
        .def(nb::new_([](int captured, int pawn_tries, bool split_diagonals, int quiet_limit, bool quiet_is_fifty) {
            expect_within(captured, UmpireRules::NOTHING, UmpireRules::TYPE, "what is said of captures");
            expect_within(pawn_tries, UmpireRules::UNSAID, UmpireRules::COUNT, "what is said of pawn tries");
            expect_within(quiet_limit, 1, MOST_QUIET + 1, "a limit of quiet plies");
            return UmpireRules{static_cast<UmpireRules::Captured>(captured),
                               static_cast<UmpireRules::PawnTries>(pawn_tries), split_diagonals, quiet_limit,
                               quiet_is_fifty};
        }));
    module.def("umpire_message", &bind_message);
    module.def("umpire_tries", &bind_tries);
    module.def("belief_after", &bind_belief_after);
    module.def("belief_surprise", &bind_belief_surprise);
    module.def("belief_rarities", [](BoardRows rows, In<double> weights, int colour) {
        return array_of(rarities(possible_of(rows, weights), checked_colour(colour)));
    });
}

// ---------------------------------------------------------------------- guaranteed mates

std::vector<Board> boards_to_mate(const BoardRows &rows, int moves) {
    expect_within(moves, 1, MOST_MATE_MOVES, "a mate in so many moves");
    std::vector<Board> boards = boards_of(rows);
    check_same_turn(boards);
    return boards;
}

bool bind_mates_wins(Shared<Mates> &mates, BoardRows rows, int moves, std::int64_t most_nodes, double seconds) {
    const std::vector<Board> boards = boards_to_mate(rows, moves);
    return mates.ask([&](Mates &kernel) { return kernel.wins(boards, moves, watch_of(most_nodes, seconds)); });
}

Array<std::uint16_t> bind_mates_keys(Shared<Mates> &mates, BoardRows rows, int moves, std::int64_t most_nodes,
                                     double seconds) {
    const std::vector<Board> boards = boards_to_mate(rows, moves);
    return words_of(
        mates.ask([&](Mates &kernel) { return kernel.keys(boards, moves, watch_of(most_nodes, seconds)); }));
}

void bind_mates(nb::module_ &module) {
    nb::class_<Shared<Mates>>(module, "Mates", "Several threads may use it: they take turns.")
        .def(nb::new_([](const UmpireRules &rules, std::size_t most_entries) {
            return new Shared<Mates>(rules, most_entries);
        }))
        .def("wins", &bind_mates_wins)
        .def("keys", &bind_mates_keys)
        .def_prop_ro("nodes", [](Shared<Mates> &mates) {
            return mates.ask([](Mates &kernel) { return kernel.nodes; });
        });
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
std::size_t fold_all(InformationSets &sets, const std::vector<Board> &boards, const double *weights, double seconds,
                     double patience) {
    const Watch watch = watch_of(-1, seconds), first = watch_of(-1, patience), others = watch_of(-1, -1);
    for (std::size_t i = 0; i < boards.size(); ++i) {
        if (i && ran_out(watch)) return i;
        if (!sets.fold(boards[i], weights[i], i ? others : first)) return i;
    }
    return boards.size();
}

std::size_t bind_sets_fold(Shared<InformationSets> &sets, BoardRows rows, In<double> weights, double seconds,
                           double patience) {
    expect_size(weights.size(), rows.shape(0), "weights");
    expect_weights(weights.data(), weights.size());
    const std::vector<Board> boards = boards_of(rows);
    return sets.ask([&](InformationSets &kernel) {
        for (const Board &board : boards)
            expect(board.turn == kernel.player(), "boards on which it is the player's turn");
        return fold_all(kernel, boards, weights.data(), seconds, patience);
    });
}

double value_of_try(const Board &board, Move move, int plies, int captures, const UmpireRules &rules,
                    const Evaluation &evaluation, const Watch &watch) {
    return is_legal(board, move) ? minimax_value(board, move, plies, captures, rules, evaluation, watch)
                                 : std::numeric_limits<double>::quiet_NaN();
}

// For each board that there is time for, and each try: what it is worth, no number if it is not legal.
Array<double> bind_minimax(BoardRows rows, MoveWords words, int plies, int captures, const UmpireRules &rules,
                           const Evaluation &evaluation, double seconds) {
    const std::vector<Move> moves = moves_of(words);
    const std::vector<Board> boards = boards_of(rows);
    expect_within(plies, 0, MOST_PLIES, "a number of plies");
    expect_within(captures, 0, MOST_PLIES, "a number of captures");
    std::vector<double> found;
    std::size_t done = 0;
    {
        nb::gil_scoped_release released;
        const Watch watch = watch_of(-1, seconds);
        try {
            for (; done < boards.size(); ++done) {
                if (done) watch.poll();
                for (Move move : moves)
                    found.push_back(value_of_try(boards[done], move, plies, captures, rules, evaluation, watch));
            }
        } catch (const LimitReached &) {
            found.resize(done * moves.size());
        }
    }
    return array_of<double>(std::move(found), {done, moves.size()});
}

// `own` has the player's pieces only.
Array<std::uint64_t> bind_guesses(ChessRow own, std::uint32_t said, MoveWords refused, std::size_t pawns,
                                  In<std::uint8_t> pieces, std::size_t pawns_lost, std::size_t pieces_lost,
                                  std::size_t unknown_lost, const UmpireRules &rules, int count, std::uint64_t seed) {
    const Board seen = checked_board(own.data());
    expect(seen.side[1 - seen.turn] == 0, "a board with the pieces of the player to move only");
    check_message(said);
    expect_within(count, 0, MOST_GUESSES, "a number of boards");
    expect(pawns <= MOST_ARMY && pieces.size() <= MOST_ARMY, "an army that fits on the board");
    Army army{pawns, {}, pawns_lost, pieces_lost, unknown_lost};
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        expect_within(pieces.data()[i], KNIGHT, QUEEN, "kinds of the enemy's pieces");
        army.pieces.push_back(static_cast<Man>(pieces.data()[i]));
    }
    const std::vector<Move> moves = moves_of(refused);
    std::vector<std::uint64_t> rows;
    {
        nb::gil_scoped_release released;
        for (const Board &board : guesses(seen, said, moves, army, rules, count, seed, watch_of(-1, -1))) {
            rows.resize(rows.size() + ROW_WORDS);
            packed(board, rows.data() + rows.size() - ROW_WORDS);
        }
    }
    return rows_of(std::move(rows), ROW_WORDS);
}

Shared<InformationSets> *new_information_sets(const UmpireRules &rules, const Evaluation &evaluation, int player,
                                              MoveWords tries, int depth, double caution, double greed,
                                              std::size_t most) {
    expect(tries.size() <= MOST_TRIES, "at most 511 tries");
    expect_within(depth, 1, MOST_SET_DEPTH, "a depth");
    expect(caution >= 0 && caution <= 1, "a caution from 0 to 1");
    expect(greed >= 0 && greed <= MOST_GREED, "a greed from 0 to 1000");
    expect(!evaluation.is_two_sided(), "an evaluation that does not look at what the enemy attacks");
    return new Shared<InformationSets>(rules, evaluation, checked_colour(player), moves_of(tries), depth, caution, greed,
                                       std::min(most, MOST_INFORMATION_SETS));
}

void bind_search(nb::module_ &module) {
    nb::class_<Evaluation>(module, "Evaluation")
        .def(nb::new_(
            [](In<double> values, double protected_man, double threatened, double advance, double check, double mate,
               double reach, double siege) {
                expect_size(values.size(), 6, "values of pieces");
                expect_finite(values.data(), 6, "a man's value");
                for (double weight : {protected_man, threatened, advance, check, mate, reach, siege})
                    expect_finite(weight, "a weight");
                Evaluation evaluation{{}, protected_man, threatened, advance, check, mate, reach, siege};
                for (std::size_t i = 0; i < 6; ++i) evaluation.value[i] = values.data()[i];
                return evaluation;
            }));
    module.def("chess_evaluated", [](ChessRow row, int player, const Evaluation &evaluation) {
        return evaluated(checked_board(row.data()), checked_colour(player), evaluation);
    });
    module.def("chess_minimax", &bind_minimax);
    module.def("kriegspiel_guesses", &bind_guesses);
    using Sets = Shared<InformationSets>;
    nb::class_<Sets>(module, "InformationSets", "Several threads may use it: they take turns.")
        .def(nb::new_(&new_information_sets))
        .def("fold", &bind_sets_fold)
        .def("values", [](Sets &sets) { return array_of(sets.ask([](auto &kernel) { return kernel.values(); })); })
        .def("chances", [](Sets &sets) { return array_of(sets.ask([](auto &kernel) { return kernel.chances(); })); })
        .def_prop_ro("leaves", [](Sets &sets) { return sets.ask([](auto &kernel) { return kernel.leaves; }); });
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
