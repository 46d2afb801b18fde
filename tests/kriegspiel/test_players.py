"""Players of kriegspiel: what they hear, what they try, their names, and the table they sit at."""

import pickle
from dataclasses import replace
from itertools import count
from random import Random

import numpy as np
import pytest

from kriegspiel_play import GARDNER, TINY, play_game, seated, states
from worldwise.errors import InputError, WorldwiseError
from worldwise.kernels import in_use
from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
from worldwise.kriegspiel.players import random_and_greedy
from worldwise.kriegspiel.players.names import PLAYERS, player_name, read_player
from worldwise.kriegspiel.players.player import Believes, Budget, KriegspielPlayer, Start
from worldwise.kriegspiel.players.random_and_greedy import GreedyPlayer, RandomTriesPlayer
from worldwise.kriegspiel.players.umpire_table import UmpireTable
from worldwise.kriegspiel.rules.board import START
from worldwise.kriegspiel.rules.compiled_board import fastest_board
from worldwise.kriegspiel.rules.fen import read_fen
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.hidden_pieces import possible_boards
from worldwise.kriegspiel.rules.squares import BLACK, WHITE, ChessMove, read_uci, uci
from worldwise.kriegspiel.rules.umpire import RULES, WILD16
from worldwise.kriegspiel.rules.view import PlayerView
from worldwise.kriegspiel.search.greedy import at_risk, worth, worths

QUICK = GreedyPlayer(boards=5, pool=20)


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
        ("gredy", "unknown player 'gredy' (did you mean 'greedy'?); known: rand, simple, greedy, HS, overconfident"),
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


def test_greed_has_less_time_after_a_refused_try(kernels, monkeypatch):
    """By a clock that ticks whenever it is looked at, after every board: 30 seconds, then 2 of them."""
    monkeypatch.setattr(random_and_greedy, "CHUNK", 1)
    boards = possible_boards("8/7R/1K6/8/8/8/8/8 w", "k: a1-h5")
    seated = GreedyPlayer().sit(Start(WHITE, WILD16, boards, budget=Budget(seconds=30)))
    ticks = []
    for refused in (frozenset(), frozenset({read_uci("h7h8")})):
        clock = count()
        monkeypatch.setattr(random_and_greedy, "monotonic", clock.__next__)
        seated.choose(replace(PlayerView.of(boards[0], WHITE, 0), refused=refused))
        ticks.append(next(clock))
    assert (len(boards) > 31, ticks) == (True, [32, 4])


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
    ends = [play_game(game, GreedyPlayer(boards=20, pool=60), RandomTriesPlayer(), seed) for seed in (1, 2, 1)]
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
        state = play_game(game, *players)
        assert state.end
        assert play_game(game, *players).events == state.events


def test_seconds_are_a_budget_too():
    game = Kriegspiel(replace(WILD16, ply_limit=6), (TINY,))
    assert play_game(game, GreedyPlayer(pool=20), RandomTriesPlayer(), budget=Budget(seconds=1e-6)).end
    wide = Kriegspiel(replace(WILD16, ply_limit=4))
    assert play_game(wide, RandomTriesPlayer(), GreedyPlayer(pool=20), budget=Budget(seconds=1e-6)).plies == 4


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
    state = play_game(game, ears, RandomTriesPlayer(), seed=3)
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
        play_game(Kriegspiel(starts=(TINY,)), RandomTriesPlayer(), Faulty(fault))


def test_a_player_who_comes_later_hears_it_all():
    game = Kriegspiel(replace(WILD16, ply_limit=20), (TINY,))
    whole = play_game(game, QUICK, QUICK, seed=5)
    state = game.start(TINY)
    for event in whole.events[: len(whole.events) // 2]:
        state = game.play(state, event.move)
    rest = UmpireTable.of(game, state, {WHITE: QUICK, BLACK: QUICK}, 5).play_out(state)
    assert rest.events == whole.events
