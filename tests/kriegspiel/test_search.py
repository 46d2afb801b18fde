"""Information-set search on kriegspiel boards: the kernel is the generic search, and KS is what it says."""

from dataclasses import replace
from math import isfinite
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kriegspiel_play import TINY, states
from worldwise.core.result import Limit
from worldwise.errors import InputError
from worldwise.kriegspiel.belief.exact import ExactBelief
from worldwise.kriegspiel.belief.last_message import LastMessage
from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
from worldwise.kriegspiel.rules.board import EMPTY, ChessBoard
from worldwise.kriegspiel.rules.fen import fen as fen_of
from worldwise.kriegspiel.rules.fen import read_fen
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.hidden_pieces import possible_boards
from worldwise.kriegspiel.rules.squares import BLACK, WHITE, uci
from worldwise.kriegspiel.rules.umpire import RULES, WILD16, CheckDirection, Message
from worldwise.kriegspiel.rules.view import PlayerView
from worldwise.kriegspiel.search.evaluation import CONTEST, KS, MATERIAL
from worldwise.kriegspiel.search.information_sets import BoardSearch
from worldwise.kriegspiel.search.minimax import BoardMinimax, mean_minimax

ENDINGS = [
    "8/8/8/8/1k6/8/3RK3/8 w",
    "4k3/P7/8/8/8/8/7p/4K3 w",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w",
    "7k/5Q2/8/8/8/8/8/K7 w",
]
"""Few pieces, so that the generic search can follow."""

FULL = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq",
]
"""Many, among whom everything happens."""

PAWNS = [
    "4k3/2p5/8/8/8/8/5P2/4K3 w",
    "8/8/5k2/1p6/6P1/8/2K5/8 w",
    "8/P5k1/8/3pP3/8/8/1K5p/8 w",
    "8/8/1p3k2/8/8/2N5/1P6/1K6 w",
]
"""Fewer still, for depth three."""

PAIRS = [
    *((1, fen) for fen in FULL + ENDINGS),
    *((2, fen) for fen in ENDINGS),
    *((3, fen) for fen in [ENDINGS[0], ENDINGS[5], *PAWNS]),
]
"""Depths, and boards on which it can go so deep in Python."""

MOST = {1: 12, 2: 3, 3: 1}
"""Boards of a belief that it can fold, by depth."""


ENDS = [(0.0, 1e-13), (1.0, 1 - 1e-13)]
"""All mean and all least, each with what is next to it."""

SELDOM = {
    "a reply mates": "r5k1/8/8/8/8/8/2P2PPP/6K1 w",
    "castling takes an attacked rook away": "4k2r/8/8/8/8/P7/8/1K5R w k",
    "a pawn is taken en passant": "4k3/8/8/8/3p4/8/P3P3/7K w",
    "a pawn becomes a queen": "4k3/2p5/8/8/4P3/6K1/p7/8 w",
    "a pawn becomes this or that in answer": "8/4P3/8/2p5/8/k7/8/4K3 w",
    "a reply stops the only pawn": "3b4/8/8/8/8/P5p1/5k2/7K w",
    "the only pawn that could step is stopped": "7k/p4K2/6P1/2B5/8/8/8/8 w",
    "a pawn could step, but it is mate": "6k1/5ppp/8/p7/8/8/8/1R2K3 w",
    "castling in answer": "4k3/2p5/8/8/8/8/7P/4K2R w K",
    "nobody can win once the pawn is taken": "4k3/8/8/8/8/p1K5/8/8 w",
}
"""What a reply may do, or an answer to it, without touching anything that is attacked."""


def beliefs(fen, rules, seed, plies=4):
    """A place in a game of tries at random: the boards that the player to move holds possible, and his view."""
    game, rng = Kriegspiel(rules, (read_fen(fen),)), Random(seed)
    state = game.deal(rng)
    player = rng.choice([WHITE, BLACK])
    belief = ExactBelief.start(player, rules, game.starts, most=3000)
    last = None
    for _ in range(plies + 40):
        if game.to_move(state) is None:
            break
        if state.board.turn is player and (state.plies or state.refused):
            last = belief.boards, state.view(player)
            if state.plies >= plies:
                break
        state = game.play(state, rng.choice(game.moves(state)))
        event = state.events[-1].heard_by(player, rules)
        if event and not (event.message and event.message.end):
            belief = belief.after(event)
    return last


def both(boards, view, rules, search):
    """What the kernel finds, and what the generic search finds."""
    plain = WeightedBoards.of(list(boards), kernel=False)
    plain = plain.select(np.arange(len(plain)), boards.weights)
    return search.search(boards, view, rules), search.search(plain, view, rules)


@pytest.mark.usefixtures("needs_kernels")
class TestTheKernel:
    """It does what the generic search does."""

    @given(
        pair=st.sampled_from(PAIRS),
        name=st.sampled_from(list(RULES)),
        seed=st.integers(0, 10**6),
        caution=st.sampled_from([0.0, 1.0, 0.3]),
        evaluation=st.sampled_from([KS, MATERIAL]),
        greed=st.sampled_from([0.0, 0.5, 10.0]),
    )
    def test_is_the_generic_search(self, pair, name, seed, caution, evaluation, greed):
        depth, fen = pair
        found = beliefs(fen, RULES[name], seed, plies=3 if fen in FULL else 4)
        assume(found is not None)
        boards, view = found
        some = boards.select(np.arange(min(len(boards), MOST[depth])))
        one, other = both(some, view, RULES[name], BoardSearch(depth, caution, evaluation, greed))
        assert one.values == pytest.approx(other.values, rel=1e-9, abs=1e-9)
        assert one.chances == pytest.approx(other.chances, abs=1e-12)
        assert one.worlds_searched == other.worlds_searched == len(some)
        assert list(one.values) == list(other.values) == list(view.tries)

    @pytest.mark.parametrize("caution", [0.0, 1.0, 0.3])
    @pytest.mark.parametrize(
        ("fen", "hidden"), [("8/7R/1K6/8/8/8/8/8 w", "k: a8 b8 c8"), ("8/8/8/8/8/K1P5/8/8 w", "k: c5 d4; p: b4")]
    )
    def test_is_the_generic_search_at_depth_three(self, fen, hidden, caution):
        boards = WeightedBoards.of(possible_boards(fen, hidden))
        view = PlayerView.of(boards[0], WHITE)
        one, other = both(boards, view, WILD16, BoardSearch(3, caution))
        assert one.values == pytest.approx(other.values, rel=1e-9, abs=1e-9)

    @pytest.mark.parametrize("depth", [2, 3])
    @pytest.mark.parametrize("fen", SELDOM.values(), ids=SELDOM)
    def test_is_the_generic_search_against_greed(self, fen, depth):
        boards = WeightedBoards.of([read_fen(fen)])
        view = PlayerView.of(boards[0], WHITE)
        one, other = both(boards, view, WILD16, BoardSearch(depth, greed=4.0))
        assert one.values == pytest.approx(other.values, rel=1e-9, abs=1e-9)

    @pytest.mark.parametrize("caution", [0.0, 1.0, 0.3])
    @pytest.mark.parametrize(("depth", "fen"), [*((1, fen) for fen in FULL), *((2, fen) for fen in SELDOM.values())])
    @pytest.mark.parametrize("pawn_tries", [None, 0, 1])
    def test_tries_what_the_view_does_not_rule_out(self, depth, fen, caution, pawn_tries):
        """Whatever the umpire would have said on this board of the pawns."""
        board = read_fen(fen)
        view = PlayerView.of(board, WHITE, pawn_tries)
        one, other = both(WeightedBoards.of([board]), view, WILD16, BoardSearch(depth, caution))
        assert one.values == pytest.approx(other.values, rel=1e-9, abs=1e-9)
        assert one.chances == other.chances == {move: board.is_legal(move) for move in view.tries}

    def test_boards_begin_alike_whatever_the_umpire_would_have_said(self):
        boards = WeightedBoards.of(possible_boards("8/8/8/8/8/K1P5/8/8 w", "k: c5 d8; p: b4 d4 h7"))
        for pawn_tries in (None, 0, 2):
            one, other = both(boards, PlayerView.of(boards[0], WHITE, pawn_tries), WILD16, BoardSearch(2, 0.3))
            assert one.values == pytest.approx(other.values, rel=1e-9, abs=1e-9)

    @given(
        fen=st.sampled_from(FULL + ENDINGS),
        name=st.sampled_from(list(RULES)),
        quiet=st.sampled_from([None, 2, 5]),
        seed=st.integers(0, 10**6),
        plies=st.integers(0, 90),
        depth=st.sampled_from([1, 2, 3]),
        ends=st.sampled_from(ENDS),
    )
    def test_skips_nothing_that_matters(self, fen, name, quiet, seed, plies, depth, ends):
        """Where all is mean or all is least, last boards are not heard and often not looked at; next to it all are."""
        rules = replace(RULES[name], quiet_limit=quiet)
        game = Kriegspiel(rules, (read_fen(fen),))
        state = [one for one in states(game, Random(seed), plies) if game.to_move(one) is not None][-1]
        self.assert_next_to_it_is_the_same(state.board, state.view(state.board.turn), rules, depth, ends)

    @pytest.mark.parametrize("ends", ENDS)
    @pytest.mark.parametrize("fen", SELDOM.values(), ids=SELDOM)
    def test_skips_nothing_that_seldom_matters(self, fen, ends):
        board = read_fen(fen)
        for depth in (2, 3):
            self.assert_next_to_it_is_the_same(board, PlayerView.of(board, WHITE), WILD16, depth, ends)

    def assert_next_to_it_is_the_same(self, board, view, rules, depth, ends):
        boards = WeightedBoards.of([board])
        one, other = (BoardSearch(depth, caution).search(boards, view, rules) for caution in ends)
        assert one.values == pytest.approx(other.values, rel=0, abs=1e-9)
        assert (one.stats.leaves, one.worlds_searched) == (other.stats.leaves, other.worlds_searched)
        assert one.chances == other.chances

    @pytest.mark.parametrize("caution", [0.0, 1.0, 0.3])
    @pytest.mark.parametrize("depth", [1, 2, 3])
    def test_a_guess_may_leave_nothing_to_try(self, caution, depth):
        """On the second board the rook is in the way of b1, the last try: it cannot be, and is searched no further."""
        boards = WeightedBoards.of([read_fen("7r/8/8/8/8/7k/8/K7 w"), read_fen("1r5k/8/8/8/8/8/8/K7 w")])
        refused = [move for move in PlayerView.of(boards[0], WHITE).tries if uci(move) in ("a1a2", "a1b2")]
        view = PlayerView.of(boards[0], WHITE, refused=frozenset(refused))
        one, other = both(boards, view, WILD16, BoardSearch(depth, caution))
        assert [uci(move) for move in view.tries] == ["a1b1"]
        assert one.values == pytest.approx(other.values, rel=1e-9, abs=1e-9)
        assert all(map(isfinite, one.values.values()))

    @given(seed=st.integers(0, 10**6))
    def test_evaluates_as_the_rules_do(self, seed):
        for state in list(states(Kriegspiel(), Random(seed), 30))[::10]:
            for player in (WHITE, BLACK):
                for evaluation in (KS, CONTEST):
                    found = evaluation.of(state.board, player)
                    assert found == pytest.approx(evaluation.readable(state.board, player))

    @given(
        fen=st.sampled_from(ENDINGS),
        seed=st.integers(0, 10**6),
        depth=st.sampled_from([1, 2]),
        captures=st.integers(0, 2),
        evaluation=st.sampled_from([KS, CONTEST]),
    )
    def test_sees_what_minimax_sees(self, fen, seed, depth, captures, evaluation):
        found = beliefs(fen, WILD16, seed)
        if found is None:
            return
        boards, view = found
        some = boards.select(np.arange(min(len(boards), 2)))
        plain = WeightedBoards.of(list(some), kernel=False).select(np.arange(len(some)), some.weights)
        one, other = (
            mean_minimax(boards, view, WILD16, depth, evaluation=evaluation, captures=captures)
            for boards in (some, plain)
        )
        assert one.values == pytest.approx(other.values)
        assert one.worlds_searched == other.worlds_searched == len(some)

    def test_counts_leaves(self):
        boards = WeightedBoards.of(possible_boards("8/7R/1K6/8/8/8/8/8 w", "k: a8 b8 c8 d8"))
        view = PlayerView.of(boards[0], WHITE)
        counts = [BoardSearch(depth).search(boards, view, WILD16).stats.leaves for depth in (1, 2, 3)]
        assert counts == [81, 226, 3245]

    def test_puts_men_as_the_rules_do(self):
        view = PlayerView.of(read_fen("4k3/8/8/8/8/8/PPPP4/4K2R w K"), WHITE)
        for said in (Message(tries=0), Message(taken=2, tries=1), Message(checks=(CheckDirection.RANK,), tries=0)):
            last = LastMessage(view, WILD16, said, pawns_lost=5, officers_lost=4)
            found = list(last.draw_guesses(Random(0), 20))
            assert len(found) == 20
            for board in found:
                assert last._fits(board)
                enemies = "".join(sorted(piece for _, piece in board.pieces_of(BLACK)))
                assert (len(enemies), enemies.count("k"), enemies.count("p")) == (7, 1, 3)
                assert [piece if WHITE.owns(piece) else EMPTY for piece in board.pieces] == list(view.pieces)


# ---------------------------------------------------------------------- KS


def mirrored(board: ChessBoard) -> ChessBoard:
    """The same with colours and sides of the board exchanged."""
    ranks = [board.pieces[i : i + board.geometry.files] for i in range(0, len(board.pieces), board.geometry.files)]
    return ChessBoard("".join(reversed(ranks)).swapcase(), board.turn.other, "", geometry=board.geometry)


@given(seed=st.integers(0, 10**6))
def test_ks_is_the_same_for_both_colours(seed):
    for state in list(states(Kriegspiel(), Random(seed), 24))[::8]:
        for player in (WHITE, BLACK):
            assert KS.readable(state.board, player) == pytest.approx(KS.readable(mirrored(state.board), player.other))


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        ("k7/8/8/8/8/8/8/K7 w", 0),
        ("k7/8/8/8/8/8/8/K3N3 w", 2.5),
        ("k7/8/8/8/8/8/8/K3B3 w", 3.5),
        ("k7/8/8/8/8/8/4P3/K7 w", 1),
        ("k7/8/8/4P3/8/8/8/K7 w", 1 + 3 * 0.04),
        ("k7/8/8/8/8/8/P7/K7 w", 1.05),
        ("k7/8/8/8/8/8/8/K3r2R w", 0.03 * 5),
        ("k7/8/8/8/8/8/8/K6r w", -5),
        ("k6R/8/8/8/8/8/8/K7 b", 5 - 0.3),
    ],
    ids=["kings", "knight", "bishop", "pawn", "advanced", "protected", "threatened", "lost", "check"],
)
def test_what_ks_gives(kernels, fen, expected):
    assert KS.of(read_fen(fen), WHITE) == pytest.approx(expected)


# ---------------------------------------------------------------------- the search


def test_a_guess_that_pays_on_average_is_not_for_the_paranoid(kernels):
    """A rook may be taken on one of two files; on the other board the king is mated."""
    boards = WeightedBoards.of(possible_boards("8/7R/1K6/8/8/8/8/8 w", "k: a8 b8 c8"))
    view = PlayerView.of(boards[0], WHITE)
    mean, least = (BoardSearch(1, caution).search(boards, view, WILD16) for caution in (0.0, 1.0))
    assert uci(mean.best) == "h7h8"
    assert least.values[least.best] < 10 < mean.values[mean.best]


def test_against_greed_a_piece_that_can_be_taken_is_likely_taken(kernels):
    """One reply of six takes the knight on d5: with greed 3 it comes with probability (1 + 3 * 2.5) / (5 + 8.5)."""
    boards = WeightedBoards.of([read_fen("k7/8/4p3/8/5N2/8/8/7K w")])
    view = PlayerView.of(boards[0], WHITE, pawn_tries=0)
    move = next(move for move in view.tries if uci(move) == "f4d5")
    worths = [BoardSearch(2, evaluation=MATERIAL, greed=greed).search(boards, view, WILD16) for greed in (0.0, 3.0)]
    replies = len(boards[0].after(move).legal_moves)
    chances = [1 / replies, 8.5 / (replies - 1 + 8.5)]
    # The knight is worth 2.5, and the pawn 1 against it; when it is taken, the pawn alone is left.
    assert [found.values[move] for found in worths] == pytest.approx([1.5 - 2.5 * chance for chance in chances])


@pytest.mark.parametrize("greed", [-1.0, 100.5, float("nan")])
def test_greed_is_bounded(greed):
    with pytest.raises(InputError, match="expected a greed from 0 to 100"):
        BoardSearch(1, greed=greed)


def test_small_boards_are_searched_too():
    boards = WeightedBoards.of([TINY])
    found = BoardSearch(2).search(boards, PlayerView.of(TINY, TINY.turn), WILD16)
    assert all(map(isfinite, found.values.values()))


def test_limits_are_kept_and_one_board_is_always_looked_at(kernels):
    boards = WeightedBoards.of(possible_boards("8/7R/1K6/8/8/8/8/8 w", "k: a8 b8 c8 d8 e8"))
    view = PlayerView.of(boards[0], WHITE)
    assert BoardSearch(1).search(boards, view, WILD16, Limit(nodes=3)).worlds_searched == 3
    assert BoardSearch(2).search(boards, view, WILD16, Limit(seconds=0.0)).worlds_searched == 1
    assert BoardSearch(1).search(boards, view, WILD16).worlds_searched == 5


@pytest.fixture
def middle():
    """A board in the middle of a game on which much may be tried, and White's view of it."""
    board = read_fen("r2qk2r/ppp2ppp/2np1n2/2b1p1B1/2B1P1b1/2NP1N2/PPP2PPP/R2QK2R w KQkq")
    return WeightedBoards.of([board]), PlayerView.of(board, WHITE, pawn_tries=0)


def test_who_has_no_time_for_one_board_looks_less_far(middle, kernels):
    boards, view = WeightedBoards.of(list(middle[0])), middle[1]
    found = BoardSearch(6).search(boards, view, WILD16, Limit(seconds=0.2))
    assert found.depth < 6
    assert found.values == BoardSearch(found.depth).search(boards, view, WILD16).values


@pytest.mark.usefixtures("needs_kernels")
def test_who_has_no_room_for_one_board_looks_less_far(middle, monkeypatch):
    boards, view = middle
    monkeypatch.setattr("worldwise.kriegspiel.search.information_sets.MOST_SETS", 1000)
    assert BoardSearch(2).search(boards, view, WILD16).depth == 2
    found = BoardSearch(4).search(boards, view, WILD16)
    assert found.depth < 4
    assert found.values == BoardSearch(found.depth).search(boards, view, WILD16).values


@pytest.mark.usefixtures("needs_kernels")
def test_hs_without_time_for_one_board_looks_one_ply_ahead(middle):
    boards, view = middle
    found = mean_minimax(boards, view, WILD16, 6, Limit(seconds=0.05))
    assert (found.values, found.depth) == (mean_minimax(boards, view, WILD16, 1).values, 1)


def test_a_king_is_worth_nothing():
    with pytest.raises(InputError, match="expected a king, who is never taken, to be worth nothing, found 4"):
        replace(KS, values=(1, 2, 3, 5, 9, 4))


@pytest.mark.parametrize("quiet", [0, 256])
def test_quiet_limits_that_no_board_counts(quiet):
    with pytest.raises(InputError, match=f"expected a quiet limit of 1 to 255 plies, found {quiet}"):
        replace(WILD16, quiet_limit=quiet)


def test_what_the_umpire_has_ruled_out_may_be_in_a_view_and_is_refused(kernels):
    board = read_fen("4k3/8/8/8/8/8/4P3/4K3 w")
    found = BoardSearch(1).search(WeightedBoards.of([board]), PlayerView.of(board, WHITE), WILD16)
    chances = {uci(move): chance for move, chance in found.chances.items()}
    assert (chances["e2d3"], chances["e2e4"]) == (0, 1)


OTHERS = {
    "another is to move": "r3k2r/8/8/8/8/8/4P3/R3K2R b KQkq - 0 1",
    "a piece is elsewhere": "r3k2r/8/8/8/8/8/3P4/R3K2R w KQkq - 0 1",
    "a piece is another": "r3k2r/8/8/8/8/8/4P3/R3K2B w Qkq - 0 1",
    "one piece more": "r3k2r/8/8/8/8/8/4PP2/R3K2R w KQkq - 0 1",
    "one piece less": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "the other's piece": "r3k2r/8/8/8/8/8/4p3/R3K2R w KQkq - 0 1",
    "no castling": "r3k2r/8/8/8/8/8/4P3/R3K2R w Kkq - 0 1",
}


@pytest.mark.parametrize("colour", [WHITE, BLACK], ids=str)
@pytest.mark.parametrize("fen", OTHERS.values(), ids=OTHERS)
def test_boards_must_look_like_the_view(kernels, fen, colour):
    board, other = read_fen("r3k2r/8/8/8/8/8/4P3/R3K2R w KQkq"), read_fen(fen)
    if colour is BLACK:
        board, other = (
            replace(mirrored(one), castling="".join(sorted(one.castling.swapcase()))) for one in (board, other)
        )
    view = PlayerView.of(board, colour)
    with pytest.raises(
        InputError, match=f"expected boards with {colour} to move and the view's pieces and castling"
    ) as told:
        BoardSearch(1).search(WeightedBoards.of([board, other]), view, WILD16)
    assert str(told.value).endswith(f"found {fen_of(other)}")
    assert BoardSearch(1).search(WeightedBoards.of([board, other]), view, WILD16, Limit(nodes=1)).worlds_searched == 1


def test_what_is_the_others_may_differ(kernels):
    fens = [
        "r3k2r/8/8/8/8/8/4P3/R3K2R w KQkq",
        "r3k2r/8/8/8/8/8/4P3/R3K2R w KQk",
        "8/2k4b/8/8/8/8/4P3/R3K2R w KQ - 7 9",
    ]
    boards = [read_fen(fen) for fen in fens]
    assert (
        BoardSearch(1).search(WeightedBoards.of(boards), PlayerView.of(boards[0], WHITE), WILD16).worlds_searched == 3
    )


@pytest.mark.parametrize("limit", [None, 5])
def test_a_limit_is_a_limit(limit):
    with pytest.raises(InputError, match=f"expected a Limit, .* found {limit}"):
        BoardSearch(1).search(WeightedBoards.of([TINY]), PlayerView.of(TINY, TINY.turn), WILD16, limit)


@pytest.mark.parametrize(("depth", "caution"), [(0, 0.0), (7, 0.0), (1.5, 0.0), (1, 1.5), (1, -0.1)])
def test_bad_parameters(depth, caution):
    with pytest.raises(InputError, match="expected a"):
        BoardSearch(depth, caution)


def test_nothing_to_search():
    view = PlayerView.of(TINY, TINY.turn)
    with pytest.raises(InputError, match="expected at least one board"):
        BoardSearch(1).search(WeightedBoards.of([]), view, WILD16)


def test_minimax_sees_a_recapture():
    board = read_fen("k7/8/2p5/3p4/4Q3/8/8/K7 w")
    takes = next(move for move in board.legal_moves if uci(move) == "e4d5")
    search = BoardMinimax(WHITE, WILD16)
    assert search.value(board, takes, 0) > 0 > search.value(board, takes, 1)


def test_captures_are_followed_beyond_the_depth_as_far_as_they_pay(kernels):
    """The queen takes a pawn and is taken back; the rook behind her takes once more, which needs a third capture."""
    board = read_fen("k7/8/2p5/3p4/4Q3/8/8/K7 w")
    takes = next(move for move in board.legal_moves if uci(move) == "e4d5")
    level = MATERIAL.of(board, WHITE)
    for captures, lost in ((0, -1), (1, 8), (3, 8)):
        found = mean_minimax(
            WeightedBoards.of([board]), PlayerView.of(board, WHITE), WILD16, 1, evaluation=MATERIAL, captures=captures
        )
        assert level - found.values[takes] == lost


def test_nobody_has_to_take_what_is_protected(kernels):
    board = read_fen("k7/8/8/8/2p5/1p6/8/K2Q4 w")
    quiet = mean_minimax(
        WeightedBoards.of([board]), PlayerView.of(board, WHITE), WILD16, 1, evaluation=MATERIAL, captures=4
    )
    assert quiet.values[quiet.best] == MATERIAL.of(board, WHITE)


def test_what_one_side_gains_by_contest_the_other_loses(kernels):
    board = read_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq")
    assert CONTEST.of(board, WHITE) == pytest.approx(-CONTEST.of(board, BLACK))
    with pytest.raises(InputError, match="does not look at what the enemy attacks"):
        BoardSearch(1, evaluation=CONTEST)
