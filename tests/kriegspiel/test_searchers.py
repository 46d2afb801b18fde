"""Players of kriegspiel that search, and how they keep track of the boards that they hold possible."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kriegspiel_play import GARDNER, TINY, last_state, play_game, seated, states
from worldwise.core.move_values import first_best
from worldwise.errors import InputError
from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
from worldwise.kriegspiel.players.belief_tracking import GUESSES, DwindlingTracker, Tracker
from worldwise.kriegspiel.players.names import player_name, read_player
from worldwise.kriegspiel.players.player import Budget, Start
from worldwise.kriegspiel.players.random_and_greedy import RandomTriesPlayer
from worldwise.kriegspiel.rules.board import START
from worldwise.kriegspiel.rules.compiled_board import fastest_board
from worldwise.kriegspiel.rules.fen import fen, read_fen
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.hidden_pieces import possible_boards
from worldwise.kriegspiel.rules.squares import BLACK, WHITE, read_uci, uci
from worldwise.kriegspiel.rules.umpire import RULES, WILD16, End
from worldwise.kriegspiel.rules.view import PlayerView
from worldwise.kriegspiel.search.evaluation import KS
from worldwise.kriegspiel.search.greedy import at_risk, worth
from worldwise.kriegspiel.search.information_sets import BoardSearch
from worldwise.kriegspiel.search.mates import guaranteed_mate
from worldwise.search.information_set import InformationSetValues

SEARCHERS = [
    "HS:1,boards=2,pool=9",
    "overconfident:1,boards=2,pool=9",
    "paranoid:1,boards=2,pool=9",
    "mixed:1,0.4,pool=4",
    "wary:1,boards=2,pool=9",
    "overconfident:1,boards=2,pool=9,refill=off,again=0.5,leaf=material",
]


@pytest.mark.parametrize("name", SEARCHERS)
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_searchers_play_on_small_boards_and_repeat_themselves(rules, name):
    game = Kriegspiel(replace(rules, ply_limit=6), (TINY,))
    for players in ((read_player(name), RandomTriesPlayer()), (RandomTriesPlayer(), read_player(name))):
        one, other = (play_game(game, *players, seed=3) for _ in range(2))
        assert one.end is not None
        assert one.events == other.events


@pytest.mark.usefixtures("needs_kernels")
@pytest.mark.parametrize("name", ["HS:2,boards=20,pool=50", "overconfident:2,boards=5,pool=50", "paranoid:1,boards=50"])
def test_searchers_get_the_better_of_chance(name):
    game = Kriegspiel(replace(WILD16, ply_limit=40), (fastest_board(START),))
    state = play_game(game, read_player(name), RandomTriesPlayer())
    assert state.end is End.MATE or KS.of(state.board, WHITE) > KS.of(state.board, BLACK)
    assert state.end is not End.MATE or state.board.turn is BLACK


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
    refused = [move for move, chance in found.chances.items() if not chance]
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


def found_nothing(tries):
    """The answer of a search to which all tries look alike."""
    return InformationSetValues(
        algorithm="none",
        values=dict.fromkeys(tries, 0.0),
        best=tries[0],
        depth=1,
        worlds_searched=1,
        value=0.0,
        chances=dict.fromkeys(tries, 1.0),
    )


def test_a_try_after_a_refused_one_has_less_time(monkeypatch):
    limits = []

    def noted(self, boards, view, rules, limit):
        limits.append(limit.seconds)
        return found_nothing(view.tries)

    monkeypatch.setattr(BoardSearch, "search", noted)
    view, start = PlayerView.of(TINY, WHITE), {"budget": Budget(seconds=3000)}
    refused = replace(view, refused=frozenset(view.tries[:1]))
    seated("overconfident:1,mates=off", [TINY], **start).choose(view)
    seated("overconfident:1,mates=off", [TINY], **start).choose(refused)
    seated("overconfident:1,mates=off,again=0.5", [TINY], **start).choose(refused)
    assert limits == pytest.approx([3000, 200, 1500], abs=60)


@pytest.mark.parametrize(("options", "is_free"), [("", False), ("boards=3,", True)])
@pytest.mark.parametrize("kind", ["overconfident", "HS"])
def test_who_has_boards_of_his_own_takes_the_time_they_need(monkeypatch, kind, options, is_free):
    limits = []

    def searched(*given):
        limits.append(given[-1].seconds)
        tries = PlayerView.of(TINY, WHITE).tries
        return found_nothing(tries)

    monkeypatch.setattr(BoardSearch, "search", searched)
    monkeypatch.setattr("worldwise.kriegspiel.players.searchers.mean_minimax", searched)
    seated(f"{kind}:1,{options}mates=off", [TINY], budget=Budget(seconds=30)).choose(PlayerView.of(TINY, WHITE))
    assert [seconds is None for seconds in limits] == [is_free]


def test_who_varies_tries_what_is_nearly_as_good(kernels):
    """In time he tries whatever is within the margin, and nothing else."""
    view = PlayerView.of(GARDNER, WHITE, pawn_tries=0)
    found = BoardSearch(1).search(WeightedBoards.of([GARDNER]), view, WILD16)
    for margin in (0.0, 0.3):
        good = {move for move, value in found.values.items() if value >= max(found.values.values()) - margin}
        name = f"overconfident:1,boards=1,mates=off,vary={margin}"
        assert {seated(name, [GARDNER], seed=seed).choose(view) for seed in range(40)} == good
        assert len(good) > 1 or not margin


def test_who_varies_does_so_in_the_opening_only(kernels, monkeypatch):
    margins = []
    monkeypatch.setattr(
        "worldwise.kriegspiel.players.searchers.one_of_best",
        lambda values, dice, margin: margins.append(margin) or first_best(values),
    )
    game = Kriegspiel(replace(WILD16, ply_limit=18), (GARDNER,))
    play_game(game, read_player("overconfident:1,boards=2,pool=9,mates=off,vary=0.1"), RandomTriesPlayer())
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
    assert not len(dwindling.boards_for_mate())
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


# ---------------------------------------------------------------------- wary


def thoughts(player, boards, events=(), value=0.0, rules=WILD16):
    view = PlayerView.of(boards[0], WHITE)
    weighted = WeightedBoards.of(boards)
    found = BoardSearch(1).search(weighted, view, WILD16)
    return view, read_player(player).second_thoughts(replace(found, value=value), weighted, view, events, rules)


def test_who_is_wary_counts_exchanges_on_every_board():
    boards = possible_boards("k7/8/8/8/8/8/8/K2Q4 w", "r: d8 h5")
    view, found = thoughts("wary:1,fear=0.5", boards)
    for move in view.tries:
        each = [worth(board, move) if board.is_legal(move) else -at_risk(board, WHITE) for board in boards]
        assert found[move] == pytest.approx(0.25 * sum(each))
    _, fearless = thoughts("wary:1,fear=0", boards)
    assert set(fearless.values()) == {0.0}


def test_who_is_wary_and_ahead_does_not_go_back_and_forth():
    game = Kriegspiel(WILD16, (read_fen("k6r/8/8/8/8/8/8/KQ5R w"),))
    state = game.start(game.starts[0])
    for text in ("b1c1", "a8a7", "c1b1", "a7a8", "b1c1", "a8a7"):
        state = game.play(state, read_uci(text))
    events = game.observe(state, WHITE).events
    (_, level), (_, ahead) = (thoughts("wary:1", [state.board], events, value) for value in (0.0, 3.0))
    again = {uci(move): level[move] - ahead[move] for move in level if level[move] != ahead[move]}
    assert again == pytest.approx({"c1b1": 0.5})


@pytest.mark.parametrize(
    ("rounds", "limit", "worth"), [(0, 100, 0), (12, 100, 0), (20, 100, 1.2), (12, 48, 2), (20, None, 0)]
)
def test_who_is_wary_and_ahead_moves_a_pawn_before_the_draw_is_counted(rounds, limit, worth):
    """Two moves a round, there and back: of a hundred plies 80 are gone after twenty."""
    rules = replace(WILD16, fifty=limit == 100, quiet_limit=limit if limit == 48 else None, repetition=False)
    game = Kriegspiel(replace(rules, fifty=False, quiet_limit=None), (read_fen("k6r/8/8/8/8/8/P7/KQ5R w"),))
    state = game.start(game.starts[0])
    for text in ("b1c1", "a8a7", "c1b1", "a7a8") * rounds:
        state = game.play(state, read_uci(text))
    events = game.observe(state, WHITE).events
    (_, level), (_, ahead) = (thoughts("wary:1", [state.board], events, value, rules) for value in (0.0, 3.0))
    assert ahead[read_uci("a2a3")] - level[read_uci("a2a3")] == pytest.approx(worth)
    assert ahead[read_uci("b1b7")] == level[read_uci("b1b7")]


def test_what_others_find_they_do_not_think_twice_about():
    assert thoughts("overconfident:1", possible_boards("k7/8/8/8/8/8/8/K2Q4 w"))[1] == {}


def depths_searched(monkeypatch, player, boards, most=None, **start):
    """How deep each search of a decision goes, and how cautiously; one that is to look at more boards than ``most`` has
    no time for all."""
    searched = []

    def noted(self, boards, view, rules, limit):
        searched.append((self.depth, self.caution))
        folded = len(boards) if most is None else min(most, len(boards))
        found = replace(found_nothing(view.tries), depth=self.depth, worlds_searched=folded)
        return replace(found, complete=folded == len(boards))

    monkeypatch.setattr(BoardSearch, "search", noted)
    seated(player, boards, **start).choose(PlayerView.of(boards[0], WHITE))
    return searched


def test_who_is_wary_looks_further_while_time_is_left(monkeypatch):
    hour = {"budget": Budget(seconds=3600)}
    assert depths_searched(monkeypatch, "wary:1", [TINY], **hour) == [(1, 0), *((depth, 0.5) for depth in range(2, 7))]
    assert depths_searched(monkeypatch, "wary:1", [TINY]) == [(1, 0)]
    assert depths_searched(monkeypatch, "wary:1,boards=4", [TINY], **hour) == [(1, 0)]
    assert depths_searched(monkeypatch, "overconfident:1", [TINY], **hour) == [(1, 0)]
    assert depths_searched(monkeypatch, "wary:2", [TINY], budget=Budget(seconds=1e-9)) == [(2, 0)]


def test_seconds_of_his_own_go_before_those_of_the_game(monkeypatch):
    assert depths_searched(monkeypatch, "wary:5,seconds=60", [TINY]) == [(5, 0), (6, 0.5)]
    assert depths_searched(monkeypatch, "wary:5,seconds=60", [TINY], budget=Budget(boards=1)) == [(5, 0), (6, 0.5)]
    with pytest.raises(InputError, match="expected a budget of boards or of seconds, found both"):
        read_player("wary:2,boards=3,seconds=1")
    with pytest.raises(InputError, match="expected a budget of some seconds"):
        read_player("engine:seconds=0")


def test_a_search_that_was_cut_short_goes_no_further(monkeypatch):
    boards = possible_boards("8/7R/1K6/8/8/8/8/8 w", "k: a8 b8 c8; n: f1 g1 h1")
    hour = {"budget": Budget(seconds=3600)}
    assert depths_searched(monkeypatch, "wary:1,mates=off", boards, most=8, **hour) == [(1, 0)]


def test_a_deeper_search_of_few_boards_does_not_count(monkeypatch):
    """The choice is that of the search that looked at all of them."""
    boards = possible_boards("8/7R/1K6/8/8/8/8/8 w", "k: a8 b8 c8; n: f1 g1 h1")
    view = PlayerView.of(boards[0], WHITE)

    def searched(self, boards, view, rules, limit):
        found = replace(found_nothing(view.tries), depth=self.depth, worlds_searched=len(boards) // self.depth)
        best = view.tries[self.depth]
        return replace(found, values={**found.values, best: 50.0}, complete=self.depth == 1)

    monkeypatch.setattr(BoardSearch, "search", searched)
    seat = seated("wary:1,mates=off,fear=0", boards, budget=Budget(seconds=3600))
    assert seat.choose(view) == view.tries[1]


@pytest.mark.parametrize(("seconds", "pool"), [(0.1, 9), (0.5, 9), (1, 18), (2, 36), (60, 36)])
def test_who_is_wary_carries_more_boards_the_more_time_there_is(seconds, pool):
    start = Start(WHITE, WILD16, budget=Budget(seconds=seconds))
    assert read_player("wary:2,pool=9").sit(start).tracker.belief.size == pool
    assert read_player("overconfident:2,pool=9").sit(start).tracker.belief.size == 9
    assert read_player("wary:2,pool=9").sit(replace(start, budget=Budget(boards=5))).tracker.belief.size == 9


def test_fear_is_a_share():
    with pytest.raises(InputError, match="from 0 to 1"):
        read_player("wary:2,fear=1.5")
    with pytest.raises(InputError, match=r"wary: expected a caution from 0 to 1, found 1\.5"):
        replace(read_player("wary:2"), caution=1.5)


def test_greed_is_an_option():
    assert read_player("wary:2,greed=2.5").greed == 2.5
    assert player_name(read_player("mixed:2,0.3,greed=4")).endswith(",greed=4.0")
    with pytest.raises(InputError, match="wary: expected a greed from 0 to 100, found 101"):
        read_player("wary:2,greed=101")
    with pytest.raises(InputError, match="expected a number from 0 to 999, found '-1'"):
        read_player("wary:2,greed=-1")
