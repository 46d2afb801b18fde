"""Players of kriegspiel: what they hear, what they try, their names, and the table they sit at."""

import pickle
import re
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kriegspiel_play import GARDNER, TINY, last_state, states
from worldwise.core.result import Limit
from worldwise.errors import InputError, LimitReachedError, WorldwiseError
from worldwise.kernels import in_use
from worldwise.kriegspiel.belief.sampled import SampledBelief
from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards, identity
from worldwise.kriegspiel.players.belief_tracking import GUESSES, DwindlingTracker, Tracker
from worldwise.kriegspiel.players.names import PLAYERS, player_name, read_player
from worldwise.kriegspiel.players.person_session import KriegspielSession, PersonMemory
from worldwise.kriegspiel.players.player import Believes, Budget, KriegspielPlayer, Start
from worldwise.kriegspiel.players.random_and_greedy import GreedyPlayer, RandomTriesPlayer
from worldwise.kriegspiel.players.umpire_table import UmpireTable
from worldwise.kriegspiel.records.record import Record
from worldwise.kriegspiel.records.san import plain_san
from worldwise.kriegspiel.records.try_reader import read_try
from worldwise.kriegspiel.rules.board import START, ChessBoard
from worldwise.kriegspiel.rules.compiled_board import fastest_board
from worldwise.kriegspiel.rules.fen import fen, read_fen
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.hidden_pieces import possible_boards
from worldwise.kriegspiel.rules.squares import BLACK, WHITE, ChessMove, read_uci, uci
from worldwise.kriegspiel.rules.umpire import RULES, WILD16, End
from worldwise.kriegspiel.rules.view import PlayerView
from worldwise.kriegspiel.search.evaluation import KS
from worldwise.kriegspiel.search.greedy import at_risk, worth, worths
from worldwise.kriegspiel.search.information_sets import BoardSearch, TryValues
from worldwise.kriegspiel.search.mates import guaranteed_mate

QUICK = GreedyPlayer(boards=5, pool=20)


def played(game, white, black, seed=0, budget=None):
    state = game.deal(Random(seed))
    table = UmpireTable.of(game, state, {WHITE: white, BLACK: black}, seed, budget or Budget())
    return table.play_out(state)


# ---------------------------------------------------------------------- names


@pytest.mark.parametrize(
    "text",
    [
        "rand",
        "greedy",
        "greedy:boards=50",
        "greedy: boards = 7 , pool = 9",
        "HS",
        "HS:1,boards=9",
        "HS:mates=off",
        "overconfident:2",
        "paranoid:1,boards=321,mates=off",
        "mixed:2,0.3",
        "mixed:caution=1,depth=3,pool=50",
        "overconfident:3,refill=off,again=0.07,leaf=material",
        "mixed:2,0.3333333333333333",
        "mixed:2,1e-05",
    ],
)
def test_names_and_back(text):
    player = read_player(text)
    assert isinstance(player, KriegspielPlayer)
    assert read_player(player_name(player)) == player


def test_every_kind_has_its_name():
    assert all(read_player(name).name == name for name in PLAYERS)
    assert "object" in player_name(object())


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("gredy", "unknown player 'gredy' (did you mean 'greedy'?); known: rand, greedy, HS, overconfident"),
        ("", "unknown player ''"),
        ("rand:boards=3", "unknown option of rand 'boards'; known: "),
        ("greedy:", "expected options as in greedy:boards=50, found '' in 'greedy:'"),
        ("greedy:boards", "expected options as in greedy:boards=50, found 'boards'"),
        ("greedy:boards=few", "greedy, boards: expected a whole number of up to six digits, found 'few'"),
        ("greedy:boards=0", "greedy: expected at least one for boards, found 0"),
        ("greedy:pool=0", "greedy: expected at least one for pool, found 0"),
        ("greedy:3", "expected options as in greedy:boards=50, found '3'"),
        ("HS:0", "HS: expected a depth of 1 to 6, found 0"),
        ("HS:99999", "HS: expected a depth of 1 to 6, found 99999"),
        ("overconfident:2,vary=1.5", "overconfident: expected 0 to 1 pawns for vary, found 1.5"),
        ("overconfident:9", "overconfident: expected a depth of 1 to 6, found 9"),
        ("overconfident:2,3", "expected options as in greedy:boards=50, found '3'"),
        ("paranoid:2,mates=maybe", "paranoid, mates: expected on or off, found 'maybe'"),
        ("paranoid:2,again=0", "paranoid: expected a part above 0 and up to 1 for again, found 0.0"),
        ("paranoid:2,leaf=materiel", "unknown evaluation 'materiel' (did you mean 'material'?); known: KS, material"),
        ("mixed:2,1.5", "mixed: expected a caution from 0 to 1, found 1.5"),
        ("mixed:2,much", "mixed, caution: expected a number from 0 to 1, found 'much'"),
    ],
)
def test_names_that_are_none(text, error):
    with pytest.raises(InputError) as found:
        read_player(text)
    assert error in str(found.value)


@pytest.mark.parametrize(
    ("boards", "seconds"), [(0, None), (None, 0.0), (None, float("nan")), (None, float("inf")), (5, 1.0), (-1, None)]
)
def test_budgets_that_are_none(boards, seconds):
    with pytest.raises(InputError, match="expected a budget"):
        Budget(boards, seconds)


# ---------------------------------------------------------------------- the board with compiled moves


@pytest.mark.usefixtures("needs_kernels")
def test_compiled_boards_are_boards():
    for fast, plain in zip(
        states(Kriegspiel(starts=(fastest_board(START),)), Random(4)), states(Kriegspiel(), Random(4)), strict=True
    ):
        assert set(fast.board.legal_moves) == set(plain.board.legal_moves)
        assert (fast.board.pieces, fast.board.castling, fast.board.quiet, fast.end) == (
            plain.board.pieces,
            plain.board.castling,
            plain.board.quiet,
            plain.end,
        )
        assert fast.events == plain.events
    assert fast.end


def test_small_boards_stay_as_they_are():
    assert fastest_board(TINY) is TINY


# ---------------------------------------------------------------------- greed


@pytest.mark.parametrize(
    ("fen", "move", "expected"),
    [
        ("k7/8/8/3q4/4P3/8/8/K7 w", "e4d5", 9.02),
        ("k7/2p5/3q4/4P3/8/8/8/K7 w", "e5d6", 9.02 - 1),  # a pawn takes back, and nothing protects
        ("k7/8/8/3r4/8/8/8/K2Q4 w", "d1d5", 5.05),
        ("k7/8/2p5/3r4/8/8/8/K2Q4 w", "d1d5", 5 - 9),
        ("k7/8/2p5/3r4/3R4/8/8/K2Q4 w", "d4d5", 5 - (5 - 1)),  # the queen takes back
        ("7k/P7/8/8/8/8/8/K7 w", "a7a8q", 8.02 + 0.05),
        ("k7/7R/1K6/8/8/8/8/8 w", "h7h8", 100.0),
        ("k7/7R/1K6/8/8/8/8/8 w", "h7b7", -10.0),
        ("8/8/8/1k6/8/1R6/8/K7 b", "b5a4", -0.0),
        ("8/8/8/8/8/8/1r6/K2k4 w", "a1b2", 5.0),
        ("8/8/8/3pP3/8/8/8/K6k w - d6", "e5d6", 1.02),
        ("4k3/8/8/8/8/8/r7/4K2R w K", "e1g1", 0.0),
    ],
)
def test_what_moves_are_worth(kernels, fen, move, expected):
    board, move = read_fen(fen), read_uci(move)
    assert worth(board, move) == pytest.approx(expected)
    found, legal = worths(WeightedBoards.of([board]), [move])
    assert (found[0, 0], legal[0, 0]) == (pytest.approx(expected), True)


@pytest.mark.usefixtures("needs_kernels")
@pytest.mark.parametrize("seed", range(6))
def test_worths_of_rows_are_those_of_boards(seed):
    boards = [state.board for state in states(Kriegspiel(), Random(seed)) if not state.end and not state.refused]
    for board in boards[seed::12]:
        tries = PlayerView.of(board, board.turn).tries
        rows, legal = worths(WeightedBoards.of([board, board], kernel=True), tries)
        slow, allowed = worths(WeightedBoards.of([board, board], kernel=False), tries)
        assert (legal == allowed).all()
        assert np.allclose(rows, slow)
        assert [legal[0, at] for at in range(len(tries))] == [board.is_legal(move) for move in tries]


def test_a_refusal_is_worth_what_standing_still_is(kernels):
    board = read_fen("k7/8/8/8/8/3r4/8/K2R4 w")
    found, legal = worths(WeightedBoards.of([board]), [read_uci("d1d5")])
    assert (found[0, 0], legal[0, 0]) == (-at_risk(board, WHITE), False) == (-5.0, False)


def test_greed_sees_a_mate_on_all_boards_it_holds_possible(kernels):
    boards = possible_boards("8/7R/1K6/8/8/8/8/8 w", "k: a8 b8 c8")
    seated = GreedyPlayer().sit(Start(WHITE, WILD16, boards))
    view = PlayerView.of(boards[0], WHITE, 0)
    assert uci(seated.choose(view)) == "h7h8"
    assert isinstance(seated, Believes)
    assert seated.belief_summary().king[56:59] == pytest.approx((1 / 3, 1 / 3, 1 / 3))


@pytest.mark.parametrize("name", ["greedy", "HS", "overconfident:1", "paranoid:1", "mixed:1"])
def test_whoever_holds_boards_possible_says_so(name):
    boards = possible_boards("8/7R/1K6/8/8/8/8/8 w", "k: a8 b8 c8")
    player = seated(name, boards)
    assert isinstance(player, Believes)
    assert player.belief_summary().king[56:59] == pytest.approx((1 / 3, 1 / 3, 1 / 3))


def test_greed_beats_chance_and_repeats_itself():
    if not in_use():
        pytest.skip("slow without kernels")
    game = Kriegspiel(replace(WILD16, ply_limit=160), (fastest_board(START),))
    ends = [played(game, GreedyPlayer(boards=20, pool=60), RandomTriesPlayer(), seed) for seed in (1, 2, 1)]
    assert ends[0].events == ends[2].events != ends[1].events
    assert all(
        sum(piece.islower() for piece in end.board.pieces) < sum(piece.isupper() for piece in end.board.pieces)
        for end in ends
    )


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("first", [TINY, GARDNER], ids=["4x4", "5x5"])
def test_games_on_small_boards(rules, first):
    game = Kriegspiel(replace(rules, ply_limit=20), (first,))
    for players in ((QUICK, RandomTriesPlayer()), (RandomTriesPlayer(), QUICK)):
        state = played(game, *players)
        assert state.end
        assert played(game, *players).events == state.events


def test_seconds_are_a_budget_too():
    game = Kriegspiel(replace(WILD16, ply_limit=6), (TINY,))
    assert played(game, GreedyPlayer(pool=20), RandomTriesPlayer(), budget=Budget(seconds=1e-6)).end
    wide = Kriegspiel(replace(WILD16, ply_limit=4))
    assert played(wide, RandomTriesPlayer(), GreedyPlayer(pool=20), budget=Budget(seconds=1e-6)).plies == 4


@pytest.mark.parametrize(("first", "elsewhere"), [(TINY, "kq1r/pppp/PPPP/RQKR w"), (START, "k7/8/8/8/8/8/8/7K w")])
def test_who_has_lost_track_guesses(first, elsewhere):
    """What he hears fits no board that he can think of; his guesses have the pieces he believes the game began with."""
    game, rng = Kriegspiel(starts=(first,)), Random(1)
    state, seated = game.start(first), QUICK.sit(Start(BLACK, WILD16, (read_fen(elsewhere),)))
    while seated.belief_summary() is not None or state.board.turn is WHITE:
        state = game.play(state, rng.choice(game.moves(state)))
        if heard := state.events[-1].heard_by(BLACK, WILD16):
            seated.hear(heard)
    view = state.view(BLACK)
    assert seated.choose(view) in view.tries
    assert len(seated.tracker.fitting_boards(view))
    seated.hear(state.events[-1].heard_by(BLACK, WILD16))
    assert seated.belief_summary() is None


@pytest.mark.usefixtures("needs_kernels")
def test_who_has_no_time_to_listen_guesses():
    game = Kriegspiel(replace(WILD16, ply_limit=14))
    first = game.start(START)
    table = UmpireTable.of(
        game, first, {WHITE: GreedyPlayer(pool=2), BLACK: RandomTriesPlayer()}, 0, Budget(seconds=1e-9)
    )
    assert table.play_out(first).plies == 14
    assert table.chairs[WHITE].seated.belief_summary() is None


def test_players_survive_the_way_to_another_process():
    assert pickle.loads(pickle.dumps(QUICK)) == QUICK


# ---------------------------------------------------------------------- chance


def test_chance_tries_everything():
    view = PlayerView.of(START, WHITE, 0)
    found = {RandomTriesPlayer().sit(Start(WHITE, WILD16, seed=seed)).choose(view) for seed in range(400)}
    assert found == set(view.tries)


# ---------------------------------------------------------------------- the table


class Eavesdropper:
    """Writes down what it hears and tries what comes first."""

    def __init__(self):
        self.heard = []

    def sit(self, start):
        self.start = start
        return self

    def hear(self, event):
        self.heard.append(event)

    def choose(self, view):
        self.view = view
        return view.tries[0]


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_players_hear_what_they_may_and_no_more(rules):
    game, ears = Kriegspiel(replace(rules, ply_limit=12), (TINY,)), Eavesdropper()
    state = played(game, ears, RandomTriesPlayer(), seed=3)
    assert tuple(ears.heard) == game.observe(state, WHITE).events
    assert all(event.move is None for event in ears.heard if event.colour is BLACK)
    assert set(ears.view.pieces) <= set("RQKP.NB")


def test_several_first_boards_are_told_apart_by_what_a_player_sees():
    boards = possible_boards("8/7R/1K6/8/8/8/8/8 w", "k: a8 b8 c8")
    game, white, black = Kriegspiel(replace(WILD16, ply_limit=2), boards), Eavesdropper(), Eavesdropper()
    UmpireTable.of(game, game.start(boards[1]), {WHITE: white, BLACK: black})
    assert (white.start.boards, black.start.boards) == (boards, (boards[1],))


class Faulty:
    """Tries what is not in the list, or fails."""

    def __init__(self, fault):
        self.fault = fault

    def sit(self, start):
        return self

    def hear(self, event):
        if self.fault == "hear":
            raise ZeroDivisionError("deaf")

    def choose(self, view):
        if self.fault == "choose":
            raise ValueError("no idea")
        return ChessMove(0, 5)

    def __repr__(self):
        return f"Faulty({self.fault})"


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("choose", r"Faulty\(choose\), move 1, black: ValueError: no idea"),
        ("hear", r"Faulty\(hear\), move 1, black: ZeroDivisionError: deaf"),
        ("try", r"Faulty\(try\), move 1, black: expected one of its tries, found a1b2"),
    ],
)
def test_faults_name_the_player(fault, error):
    with pytest.raises(WorldwiseError, match=error):
        played(Kriegspiel(starts=(TINY,)), RandomTriesPlayer(), Faulty(fault))


def test_a_player_who_comes_later_hears_it_all():
    game = Kriegspiel(replace(WILD16, ply_limit=20), (TINY,))
    whole = played(game, QUICK, QUICK, seed=5)
    state = game.start(TINY)
    for event in whole.events[: len(whole.events) // 2]:
        state = game.play(state, event.move)
    rest = UmpireTable.of(game, state, {WHITE: QUICK, BLACK: QUICK}, 5).play_out(state)
    assert rest.events == whole.events


# ---------------------------------------------------------------------- sessions


def session(first=START, rules=WILD16):
    return KriegspielSession.of(Record(rules, first, white="you", black="rand"))


@pytest.mark.parametrize(
    ("fen", "text", "expected"),
    [
        (None, "e4", "e2e4"),
        (None, "e2e4", "e2e4"),
        (None, "Nf3+!", "g1f3"),
        (None, "Ng1f3", "g1f3"),
        ("4k3/8/8/8/8/2N3N1/8/4K2R w K", "Nge4", "g3e4"),
        ("4k3/8/8/8/8/2N3N1/8/4K2R w K", "O-O", "e1g1"),
        ("4k3/8/8/8/8/2N3N1/8/4K2R w K", "0-0", "e1g1"),
        ("4k3/8/8/8/8/2N3N1/8/4K2R w K", "Rxh8", "h1h8"),
        ("4k3/P7/8/8/3p4/4P3/8/4K3 w", "a8=R", "a7a8r"),
        ("4k3/P7/8/8/3p4/4P3/8/4K3 w", "a7a8n", "a7a8n"),
        ("4k3/P7/8/8/3p4/4P3/8/4K3 w", "exd4", "e3d4"),
        ("4k3/P7/8/8/3p4/4P3/8/4K3 w", "ed4", "e3d4"),
        (None, "e2-e4", "e2e4"),
        (None, "E2E4", "e2e4"),
        (None, "B2-B4", "b2b4"),
        (None, "Ng1-f3", "g1f3"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ", "o-o", "e1g1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ", "0-0-0", "e1c1"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq", "o-o-o", "e8c8"),
        ("4k3/P7/8/8/8/8/8/4K3 w", "a7a8Q", "a7a8q"),
        ("4k3/P7/8/8/8/8/8/4K3 w", "a7a8=Q", "a7a8q"),
        ("4k3/P7/8/8/8/8/8/4K3 w", "a8=q", "a7a8q"),
        ("4k3/P7/8/8/8/8/8/4K3 w", "A7A8Q", "a7a8q"),
        ("4k3/8/8/8/8/2p5/1P6/B3K3 w", "bxc3", "b2c3"),
        ("4k3/8/8/8/1B6/2p5/1P6/4K3 w", "Bxc3", "b4c3"),
        ("4k3/8/8/8/8/8/8/1B2KB2 w", "Bbd3", "b1d3"),
        (None, "1. e4", "e2e4"),
        (None, "1.e4!", "e2e4"),
        (None, "12. Nf3 !?", "g1f3"),
        ("4k3/8/8/8/8/8/8/4K3 b", "3... Kd7", "e8d7"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ", "9. 0-0+", "e1g1"),
    ],
)
def test_what_people_type(fen, text, expected):
    first = read_fen(fen) if fen else START
    assert uci(read_try(PlayerView.of(first, first.turn), text)) == expected


@pytest.mark.parametrize(
    "first",
    ["r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq", "7k/P1P5/8/8/1Q3Q2/8/8/1Q2K3 w"],
)
def test_every_try_is_understood_by_each_of_its_names(first):
    view = PlayerView.of(read_fen(first), WHITE)
    for move in view.tries:
        takes = view.pieces[move.origin] == "P" and (move.target - move.origin) % 8 != 0
        for text in (uci(move), uci(move).upper(), plain_san(ChessBoard(view.pieces, WHITE), move, view.tries, takes)):
            assert read_try(view, text) == move


@pytest.mark.parametrize("text", ["hello", "", "!", "1.", "xe4", "bb4", "2e4", "e9", "Kb9", "e2 e4 e5"])
def test_what_nobody_can_mean(text):
    with pytest.raises(InputError, match=r"expected one of your tries \(.*\) or a command \(help lists them\), found"):
        session().move(text)


@pytest.mark.parametrize(
    ("fen", "text", "fault"),
    [
        ("4k3/8/8/8/8/8/4N3/1N2K3 w", "Nc3", "expected one of Nbc3, Nec3, found 'Nc3', which may be any of them"),
        ("4k3/8/8/8/8/8/8/1B2KB2 w", "B1d3", "expected one of Bbd3, Bfd3, found 'B1d3', which may be any of them"),
        ("4k3/P7/8/8/8/8/8/4K3 w", "a8", "expected what the pawn becomes, as in a8=Q, found 'a8'"),
        ("4k3/P7/8/8/8/8/8/4K3 w", "axb8", "expected what the pawn becomes, as in axb8=Q, found 'axb8'"),
        ("4k3/P7/8/8/8/8/8/4K3 w", "a7a8", "expected what the pawn becomes, as in a8=Q, found 'a7a8'"),
    ],
)
def test_what_is_wrong_with_a_text(fen, text, fault):
    with pytest.raises(InputError, match=f"^{re.escape(fault)}$"):
        read_try(PlayerView.of(read_fen(fen), WHITE), text)


CASTLES = "4k3/8/8/8/8/8/8/RN2K2R w Q"


@pytest.mark.parametrize(
    ("fen", "text", "why"),
    [
        (None, "exd3", "the umpire has said that your pawns can take nothing"),
        (None, "e2d3", "the umpire has said that your pawns can take nothing"),
        (None, "exd4", "no pawn of yours can take on d4"),
        (None, "Nd2", "your own pawn stands there"),
        (None, "Ke2", "your own pawn stands there"),
        (None, "Bb5", "your own pawn on e2 is in the way"),
        (None, "a1a5", "your own pawn on a2 is in the way"),
        ("4k3/8/8/8/8/4N3/4P3/4K3 w", "e4", "your own knight on e3 is in the way"),
        ("4k3/8/8/8/8/4K3/4PP2/8 w", "e3", "your own king stands there"),
        (None, "O-O", "your own bishop on f1 is in the way"),
        (None, "e1c1", "your own knight on b1 is in the way"),
        (CASTLES, "O-O", "you cannot castle on that side any more"),
        (CASTLES, "Ke1g1", "you cannot castle on that side any more"),
        (CASTLES, "0-0-0", "your own knight on b1 is in the way"),
        ("rnbqkbnr/8/8/8/8/8/8/4K3 b kq", "O-O", "your own bishop on f8 is in the way"),
        (None, "e5", "no pawn of yours can go to e5"),
        (None, "Nf4", "no knight of yours can go to f4"),
        (None, "Rxa5", "your own pawn on a2 is in the way"),
        (None, "Qh6", "no queen of yours can go to h6"),
        (None, "e2e5", "your pawn on e2 cannot go to e5"),
        (None, "e2xe4", "your pawn on e2 cannot take on e4"),
        (None, "e4e5", "you have no man on e4"),
        (None, "Ne2e4", "you have no knight on e2"),
        (None, "e4=Q", "nothing becomes a queen there"),
        ("rqkr/pppp/PPPP/RQKR w", "e4", "this board has no e4"),
        ("rqkr/pppp/PPPP/RQKR w", "g7a4", "this board has no g7"),
        ("rqkr/pppp/PPPP/RQKR w", "O-O", "this board has no e1"),
    ],
)
def test_why_a_move_cannot_be_tried(fen, text, why):
    first = read_fen(fen) if fen else START
    view = PlayerView.of(first, first.turn, 0)
    with pytest.raises(InputError, match=f"^{re.escape(f'expected one of your tries, found {text!r}: {why}')}$"):
        read_try(view, text)


def test_why_not_tells_nothing_of_the_enemy():
    """Whatever is typed, the answer is the same whoever stands where nobody sees him."""
    names = [f"{file}{rank}" for file in "abcdefgh" for rank in "12345678"]
    texts = [f"{kind}{name}" for kind in ("", "N", "B", "R", "Q", "K", "dx", "e2", "O-O", "e1") for name in names]
    enemies = "rnbqkbnr/pppppppp/8/8/8/8", "4k3/8/8/q2n4/1r4r1/3p1p2"
    views = [PlayerView.of(read_fen(f"{pieces}/PPPPPPPP/RNBQKBNR w KQ"), WHITE, 0) for pieces in enemies]
    assert [_answer(views[0], text) for text in texts] == [_answer(views[1], text) for text in texts]


def _answer(view, text):
    try:
        return uci(read_try(view, text))
    except InputError as error:
        return str(error)


def test_a_try_that_was_refused():
    found = session(read_fen("4k3/8/8/8/8/4p3/4P3/4K3 w"))
    refused = replace(found, state=found.game.play(found.state, found.move("e4")))
    assert refused.yours
    for text in ("e2e4", "e4", "e2-e4"):
        with pytest.raises(InputError, match=f"found '{text}', which has been refused in this turn"):
            refused.move(text)


def test_whose_game_it_is():
    assert KriegspielSession.of(Record(white="rand", black="you")).you is BLACK
    assert KriegspielSession.of(Record(white="rand", black="greedy"), WHITE).opponent == "greedy"
    with pytest.raises(InputError, match="expected white, for the game was saved with you as white, found black"):
        KriegspielSession.of(Record(white="you", black="rand"), BLACK)
    with pytest.raises(InputError, match="expected a game that you play, found 'Ann' against 'Bob'; say --you"):
        KriegspielSession.of(Record(white="Ann", black="Bob"))
    with pytest.raises(InputError, match=r"expected a game to go on with, found one that is over \(0-1\)"):
        KriegspielSession.of(Record(white="you", black="rand", result="0-1"))


def test_what_is_taken_and_what_is_left():
    found = session(read_fen("4k3/8/8/3p4/4P3/8/8/4K3 w"))
    assert (found.enemies, dict(found.taken)) == (2, {})
    after = replace(found, state=found.game.play(found.state, found.move("exd5")))
    assert (after.enemies, dict(after.taken)) == (1, {"pawn": 1})
    assert after.state.end is None
    assert replace(after, resigned=True).record.result == "0-1"


def test_a_person_remembers(kernels):
    game, now = Kriegspiel(starts=(TINY,)), session(TINY)
    memory = PersonMemory.of(now)
    for number in range(4):
        now = replace(now, state=game.play(now.state, Random(number).choice(game.moves(now.state))))
        if number % 2:
            found = memory.recall(now)
            king = now.state.board.king(BLACK)
            assert found.king[king] > 0
    assert identity(now.state.board) in map(identity, memory.belief.boards)


def test_a_person_who_asks_again_has_it_looked_for_further(kernels):
    """What was heard by then is not gone through again, and what was missed is explained with what came after."""
    game, now = Kriegspiel(starts=(TINY,)), session(TINY)
    memory = PersonMemory.of(now)
    for number in range(4):
        now = replace(now, state=game.play(now.state, Random(number).choice(game.moves(now.state))))
        with pytest.raises(LimitReachedError, match="a board that explains all you have heard found no answer within"):
            memory.recall(now, Limit(seconds=0))
    assert memory.missed
    found = memory.recall(now)
    assert found.king[now.state.board.king(BLACK)] > 0
    assert (memory.missed, len(memory.belief.events)) == (False, len(now.observed.events))


def test_what_no_board_was_found_for_is_no_fault_of_the_person(monkeypatch):
    """The true board explains everything, whatever a sample has come to."""

    def lost(belief, event, limit):
        raise InputError("expected what was heard to fit some board, found none")

    now = session()
    now = replace(now, state=now.game.play(now.state, now.move("e4")))
    monkeypatch.setattr(SampledBelief, "after", lost)
    with pytest.raises(LimitReachedError, match="explains all you have heard found no answer within 10 seconds"):
        PersonMemory.of(now).recall(now)


# ---------------------------------------------------------------------- players that search

SEARCHERS = [
    "HS:1,boards=2,pool=9",
    "overconfident:1,boards=2,pool=9",
    "paranoid:1,boards=2,pool=9",
    "mixed:1,0.4,pool=4",
    "overconfident:1,boards=2,pool=9,refill=off,again=0.5,leaf=material",
]


@pytest.mark.parametrize("name", SEARCHERS)
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_searchers_play_on_small_boards_and_repeat_themselves(rules, name):
    game = Kriegspiel(replace(rules, ply_limit=6), (TINY,))
    for players in ((read_player(name), RandomTriesPlayer()), (RandomTriesPlayer(), read_player(name))):
        one, other = (played(game, *players, seed=3) for _ in range(2))
        assert one.end is not None
        assert one.events == other.events


@pytest.mark.usefixtures("needs_kernels")
@pytest.mark.parametrize("name", ["HS:2,boards=20,pool=50", "overconfident:2,boards=5,pool=50", "paranoid:1,boards=50"])
def test_searchers_get_the_better_of_chance(name):
    game = Kriegspiel(replace(WILD16, ply_limit=40), (fastest_board(START),))
    state = played(game, read_player(name), RandomTriesPlayer())
    assert state.end is End.MATE or KS.of(state.board, WHITE) > KS.of(state.board, BLACK)
    assert state.end is not End.MATE or state.board.turn is BLACK


def seated(name, boards, **start):
    """A player who has White before boards that he holds possible."""
    return read_player(name).sit(Start(WHITE, WILD16, tuple(boards), **start))


@pytest.mark.usefixtures("needs_kernels")
@pytest.mark.parametrize("player", ["overconfident:1", "paranoid:1", "mixed:1,0.5", "HS:1"])
def test_a_guaranteed_mate_is_played_if_wanted(player):
    """Two rooks against a king who is on one of six squares: no search to depth 1 sees the mate in four."""
    boards = possible_boards("8/R7/1R6/8/8/8/8/4K3 w", "k: c8 d8 e8 f8 g8 h8")
    view, keys = PlayerView.of(boards[0], WHITE), guaranteed_mate(boards, 4).keys
    assert len(keys) < len(view.tries) / 2
    assert all(seated(player, boards, seed=seed).choose(view) in keys for seed in range(5))
    unaware = {seated(f"{player},mates=off", boards, seed=seed).choose(view) for seed in range(5)}
    assert not unaware <= set(keys)


def test_what_every_board_refuses_is_not_tried(kernels):
    """To stand still looks fine to a search that stops after it: black's pawn is then not seen to take the queen."""
    boards = [read_fen("7k/8/8/8/8/2p5/1Q6/K7 w")]
    view = PlayerView.of(boards[0], WHITE)
    found = BoardSearch(2, 1.0).search(WeightedBoards.of(boards), view, WILD16)
    refused = [move for move, chance in zip(found.tries, found.chances, strict=True) if not chance]
    chosen = seated("paranoid:2,mates=off", boards).choose(view)
    assert refused
    assert chosen not in refused


def test_who_has_lost_track_finds_it_again(monkeypatch):
    game, rng = Kriegspiel(WILD16, (GARDNER,)), Random(4)
    states_seen = list(states(game, rng, 40))
    tracker = Tracker.of(Start(BLACK, WILD16, (GARDNER,)), pool=1)
    heard = [event for event in states_seen[-1].events if event.heard_by(BLACK, WILD16)]
    events = [event.heard_by(BLACK, WILD16) for event in heard]
    monkeypatch.setattr("worldwise.kriegspiel.players.belief_tracking.MOST_BOARDS", 0)
    lost = False
    for event in events[:-1]:
        tracker.hear(event)
        lost = lost or tracker.belief_summary() is None
    assert lost
    view = states_seen[-1].view(BLACK)
    guesses = tracker.fitting_boards(view)
    assert tracker.behind
    assert len(guesses)
    for board in guesses:
        assert [piece if BLACK.owns(piece) else "." for piece in board.pieces] == list(view.pieces)
    monkeypatch.setattr("worldwise.kriegspiel.players.belief_tracking.MOST_BOARDS", 10**6)
    while tracker.behind and game.to_move(states_seen[-1]) is not None:
        states_seen.append(game.play(states_seen[-1], rng.choice(game.moves(states_seen[-1]))))
        if event := states_seen[-1].events[-1].heard_by(BLACK, WILD16):
            tracker.hear(event)
    assert tracker.belief_summary() is not None


def test_a_try_after_a_refused_one_has_less_time(monkeypatch):
    limits = []

    def noted(self, boards, view, rules, limit):
        limits.append(limit.seconds)
        return TryValues(view.tries, np.zeros(len(view.tries)), np.ones(len(view.tries)), 1, 1, 1)

    monkeypatch.setattr(BoardSearch, "search", noted)
    view, start = PlayerView.of(TINY, WHITE), {"budget": Budget(seconds=30)}
    refused = replace(view, refused=frozenset(view.tries[:1]))
    seated("overconfident:1,mates=off", [TINY], **start).choose(view)
    seated("overconfident:1,mates=off", [TINY], **start).choose(refused)
    seated("overconfident:1,mates=off,again=0.5", [TINY], **start).choose(refused)
    assert limits == pytest.approx([30, 2, 15], abs=1)


@pytest.mark.parametrize(("options", "is_free"), [("", False), ("boards=3,", True)])
@pytest.mark.parametrize("kind", ["overconfident", "HS"])
def test_who_has_boards_of_his_own_takes_the_time_they_need(monkeypatch, kind, options, is_free):
    limits = []

    def searched(*given):
        limits.append(given[-1].seconds)
        tries = PlayerView.of(TINY, WHITE).tries
        values = np.zeros(len(tries))
        return values if kind == "HS" else TryValues(tries, values, values + 1, 1, 1, 1)

    monkeypatch.setattr(BoardSearch, "search", searched)
    monkeypatch.setattr("worldwise.kriegspiel.players.searchers.mean_minimax", searched)
    seated(f"{kind}:1,{options}mates=off", [TINY], budget=Budget(seconds=30)).choose(PlayerView.of(TINY, WHITE))
    assert [seconds is None for seconds in limits] == [is_free]


def test_who_varies_tries_what_is_nearly_as_good(kernels):
    """In time he tries whatever is within the margin, and nothing else."""
    view = PlayerView.of(GARDNER, WHITE, pawn_tries=0)
    found = BoardSearch(1).search(WeightedBoards.of([GARDNER]), view, WILD16)
    for margin in (0.0, 0.3):
        good = {
            move for move, value in zip(found.tries, found.values, strict=True) if value >= max(found.values) - margin
        }
        name = f"overconfident:1,boards=1,mates=off,vary={margin}"
        assert {seated(name, [GARDNER], seed=seed).choose(view) for seed in range(40)} == good
        assert len(good) > 1 or not margin


def test_who_varies_does_so_in_the_opening_only(kernels, monkeypatch):
    margins = []
    monkeypatch.setattr(
        "worldwise.kriegspiel.players.searchers.one_of_best",
        lambda tries, values, dice, margin: margins.append(margin) or tries[int(np.argmax(values))],
    )
    game = Kriegspiel(replace(WILD16, ply_limit=18), (GARDNER,))
    played(game, read_player("overconfident:1,boards=2,pool=9,mates=off,vary=0.1"), RandomTriesPlayer())
    assert set(margins[:6]) == {0.1}
    assert margins[-1] == 0


def test_a_try_after_a_refused_one_may_rest_on_fewer_boards():
    view, start = PlayerView.of(TINY, WHITE), Start(WHITE, WILD16, (TINY,))
    refused = replace(view, refused=frozenset(view.tries[:1]))
    for name, boards in (("overconfident:2", (321, 321)), ("overconfident:2,again=0.067", (321, 22))):
        player = read_player(name)
        assert (player.sample(start, view), player.sample(start, refused)) == boards
    assert read_player("overconfident:2,boards=3,again=0.1").sample(start, refused) == 1


def test_without_refill_boards_run_out_and_the_last_message_is_all_there_is():
    """Forty tries on a small board; a pool of one board is not enough to explain what is heard."""
    game, rng = Kriegspiel(WILD16, (GARDNER,)), Random(4)
    last = last_state(game, rng, 40)
    events = [heard for event in last.events if (heard := event.heard_by(BLACK, WILD16))]
    filled, dwindling = (kind.of(Start(BLACK, WILD16, (GARDNER,)), pool=1) for kind in (Tracker, DwindlingTracker))
    assert dwindling.belief_summary() == filled.belief_summary()
    for event in events:
        filled.hear(event)
        dwindling.hear(event)
    assert filled.belief_summary() is not None
    assert dwindling.belief_summary() is None
    assert not len(dwindling.held())
    view = last.view(BLACK)
    guesses = dwindling.boards_to_decide_on(view, 7, Random(1))
    assert len(guesses) == 7
    left = sum(map(WHITE.owns, last.board.pieces))
    assert [sum(map(WHITE.owns, board.pieces)) for board in guesses] == [left] * 7
    assert len(dwindling.boards_to_decide_on(view, None, Random(1))) == GUESSES


@given(st.integers(0, 10**6))
def test_boards_that_are_never_thinned_are_the_exact_belief(seed):
    game, rng = Kriegspiel(WILD16, (TINY,)), Random(seed)
    last = last_state(game, rng, 5)
    start = Start(WHITE, WILD16, (TINY,))
    trackers = [kind.of(start, pool=10**5) for kind in (Tracker, DwindlingTracker)]
    for event in last.events:
        if heard := event.heard_by(WHITE, WILD16):
            for tracker in trackers:
                tracker.hear(heard)
    filled, dwindling = (sorted(map(fen, tracker.boards_for_mate())) for tracker in trackers)
    assert filled == dwindling
    assert trackers[0].belief_summary() == trackers[1].belief_summary()


def test_what_a_board_is_worth_can_be_material_alone(kernels):
    """A pawn that could go on: to KS it is worth more there, and of material there is as much either way."""
    boards = [read_fen("7k/8/8/8/8/8/P7/K7 w")]
    view = PlayerView.of(boards[0], WHITE, pawn_tries=0)
    names = ("overconfident:1", "overconfident:1,leaf=material")
    chosen = {name: {uci(seated(name, boards, seed=seed).choose(view)) for seed in range(12)} for name in names}
    assert chosen[names[0]] == {"a2a4"}
    assert len(chosen[names[1]]) > 1
