"""OpenSpiel's games in our hands and ours in OpenSpiel's, walked through side by side."""

import sys
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldwise import tree
from worldwise.core.game import CHANCE, ExtensiveForm, Labelled
from worldwise.errors import GameError, InputError, UnknownNameError
from worldwise.extensive import (
    FormGame,
    GameBuilder,
    chance,
    decision,
    efg_from_text,
    from_world_game,
    game_of,
    leaf,
    write_out,
)
from worldwise.extensive.sampling import check_sampler, contradiction
from worldwise.openspiel.games import (
    OpenSpielForm,
    OpenSpielSampler,
    load_open_spiel,
    meant_probabilities,
    to_open_spiel,
)

# Nodes, leaves and information sets, counted over OpenSpiel's own states; where all is seen, a set is a history.
SIZES = {
    "kuhn_poker": (58, 30, 12),
    "kuhn_poker(players=3)": (617, 312, 48),
    "leduc_poker": (9_457, 5_520, 936),
    "liars_dice": (294_883, 147_420, 24_576),
    "liars_dice(dice_sides=3)": (1_147, 567, 192),
    "matrix_rps": (13, 9, 2),
    "goofspiel(num_cards=3)": (418, 216, 114),
    "pig(winscore=5,horizon=4)": (390, 205, 162),
}
SMALL = [name for name in SIZES if name != "liars_dice"]


@pytest.fixture(scope="session")
def pyspiel():
    reason = "OpenSpiel is not installed: pip install 'worldwise[openspiel]'"
    return pytest.importorskip("pyspiel", reason=reason)


def in_turn(pyspiel, name):
    return pyspiel.load_game_as_turn_based(name)


def side_by_side(game, other):
    """Every node of ours with the state of OpenSpiel's that it should be."""
    waiting = [(game.root, other.new_initial_state())]
    while waiting:
        node, state = waiting.pop()
        yield node, state
        actions = state.legal_actions()
        assert len(actions) == len(game.moves(node)), game.place(node)
        waiting.extend((game.play(node, at), state.child(action)) for at, action in enumerate(actions))


def assert_alike(game, node, state):
    """The same turn, probabilities, payoffs; information sets are left to the caller."""
    where = game.place(node)
    if state.is_terminal():
        assert game.to_move(node) is None, where
        assert list(map(float, game.payoffs(node))) == pytest.approx(state.returns(), abs=1e-12), where
    else:
        assert game.to_move(node) == state.current_player(), where
    if state.is_chance_node():
        outcomes = dict(state.chance_outcomes())
        assert sum(game.chances(node)) == 1, where
        expected = [outcomes[action] for action in state.legal_actions()]
        assert list(map(float, game.chances(node))) == pytest.approx(expected, abs=1e-12), where


def is_one_to_one(pairs):
    found = set(pairs)
    return len({one for one, _ in found}) == len({other for _, other in found}) == len(found)


# ---------------------------------------------------------------------- theirs in our hands


@pytest.mark.parametrize("name", SMALL)
def test_a_game_written_out_is_openspiels_tree(pyspiel, name):
    game, other = load_open_spiel(name), in_turn(pyspiel, name)
    sets = []
    for node, state in side_by_side(game, other):
        assert_alike(game, node, state)
        if state.is_player_node():
            knows = state.history() if name.startswith("pig") else state.information_state_string()
            sets.append((game.information_set(node), (state.current_player(), str(knows))))
            labels = [state.action_to_string(action) for action in state.legal_actions()]
            assert [game.move_label(node, move) for move in game.moves(node)] == labels
    assert is_one_to_one(sets)


@pytest.mark.parametrize("name", SIZES)
def test_a_game_has_openspiels_size(pyspiel, name):
    game = load_open_spiel(name)
    assert (len(game), game.leaves, sum(1 for _ in game.information_sets())) == SIZES[name]


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "liars_dice(dice_sides=3)"])
def test_information_sets_are_as_many_as_openspiel_says(pyspiel, name):
    policy = pytest.importorskip("open_spiel.python.policy", reason="OpenSpiel's Python part is not installed")
    assert SIZES[name][2] == len(policy.TabularPolicy(pyspiel.load_game(name)).states)


def test_a_form_is_an_extensive_form_with_names_for_its_moves(pyspiel):
    form = OpenSpielForm("kuhn_poker")
    assert isinstance(form, ExtensiveForm)
    assert isinstance(form, Labelled)
    assert form.players == ("player 0", "player 1")
    assert form.to_move(form.root) == CHANCE
    assert form.chances(form.root) == (Fraction(1, 3),) * 3
    assert form.move_label(form.root, 2) == "Deal:2"
    assert repr(form) == "OpenSpielForm('kuhn_poker')"


def test_a_game_that_openspiel_has_made(pyspiel):
    game = load_open_spiel(pyspiel.load_game("kuhn_poker", {"players": 3}))
    assert game.title == "kuhn_poker(players=3)"
    assert len(game) == SIZES[game.title][0]
    assert load_open_spiel(pyspiel.load_game("kuhn_poker")) == load_open_spiel("kuhn_poker")


def test_players_who_move_at_once_move_in_turn_unseen(pyspiel):
    game = load_open_spiel("matrix_rps")
    assert game.to_move(game.root) == 0
    assert len({game.information_set(game.play(game.root, move)) for move in game.moves(game.root)}) == 1


def test_a_label_may_say_more_than_the_player_knows(pyspiel):
    """An action of OpenSpiel's may be called differently in states that its player cannot tell apart."""

    class Telling(OpenSpielForm):
        def move_label(self, position, move):
            return f"{move} of {position.history()}"

    assert len(write_out(Telling("kuhn_poker"))) == 58


# ---------------------------------------------------------------------- what is seen, where nothing is told

WATCHED = [
    *("capture_the_flag", "coin_game", "coop_box_pushing", "coop_to_1p", "crazy_eights", "dark_chess", "deep_sea"),
    *("dou_dizhu", "gin_rummy", "hanabi", "laser_tag", "markov_soccer", "pathfinding", "phantom_go", "rbc", "skat"),
    *("snake", "spades"),
]


@pytest.mark.parametrize("name", WATCHED)
def test_games_that_only_show_what_is_to_be_seen_are_played(pyspiel, name):
    """What a player knows follows from what he has seen and done, and nothing else; so do his moves."""
    form, rng = OpenSpielForm(name), Random(3)
    game = FormGame(form)
    assert form.is_watched
    moves_at = {}
    for _ in range(2):
        position, seen = game.start(), [[] for _ in form.players]
        for player in range(len(form.players)):
            seen[player].append(position.node.observation_string(player))
        for _ in range(60):
            mover = game.to_move(position)
            if mover is None:
                break
            moves = game.moves(position)
            if mover != CHANCE:
                known = form.information_set(position.node)
                assert known.now == seen[mover][-1]
                story = (mover, tuple(seen[mover]))
                assert moves_at.setdefault(known, (story, moves)) == (story, moves)
            move = rng.choice(moves)
            position = game.play(position, move)
            for player in range(len(form.players)):
                now = position.node.observation_string(player)
                if player == mover:
                    seen[player] += [move, now]
                elif now != seen[player][-1]:
                    seen[player].append(now)


def test_what_is_seen_is_as_good_as_what_is_told(pyspiel):
    """Put together from observations, the information sets of a game that has both are the same."""

    class Watching(OpenSpielForm):
        is_watched = True

    for name in ("kuhn_poker", "leduc_poker", "matrix_rps"):
        told, seen = load_open_spiel(name), write_out(Watching(name))
        assert told.event.tolist() == seen.event.tolist()


def test_at_least_95_names_load_and_the_rest_is_refused_in_a_line(pyspiel):
    refused = {}
    for name in pyspiel.registered_names():
        try:
            form = OpenSpielForm(name)
            form.moves(form.root)
        except InputError as error:
            refused[name] = str(error)
    assert len(pyspiel.registered_names()) - len(refused) >= 95
    assert all("\n" not in words and "expected" in words for words in refused.values())


# ---------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("khun_poker", UnknownNameError, "unknown OpenSpiel game 'khun_poker' (did you mean 'kuhn_poker' or "),
        ("", UnknownNameError, "unknown OpenSpiel game ''"),
        ("kuhn_poker(cards=5)", InputError, "cannot load 'kuhn_poker(cards=5)': Unknown parameter 'cards'"),
        ("kuhn_poker(players=99)", InputError, "cannot load 'kuhn_poker(players=99)'"),
        ("kuhn_poker(players=two)", InputError, "Wrong type for parameter players"),
        ("kuhn_poker(", InputError, "Missing closing bracket"),
        ("misere", InputError, "Missing parameter game"),
        ("mfg_garnet", GameError, "OpenSpiel's mfg_garnet: expected a game of players, found a mean-field game"),
        ("crossword", GameError, "expected moves with numbers, found a game whose moves are structures only"),
        ("tarok", GameError, "expected chance moves with probabilities, found a game that draws them unseen"),
        ("nfg_game", InputError, "cannot load 'nfg_game': map::at; expected nfg_game(filename=...)"),
        ("start_at", InputError, "expected start_at(game=..., history=...)"),
        (7, InputError, "expected the name of an OpenSpiel game, or a pyspiel.Game, found 7"),
    ],
)
def test_what_is_refused(pyspiel, name, kind, words):
    with pytest.raises(kind) as error:
        load_open_spiel(name)
    assert words in str(error.value)


def test_an_unknown_name_is_refused_without_openspiels_page_about_it(pyspiel, capfd):
    with pytest.raises(UnknownNameError):
        OpenSpielForm("no_such_game")
    assert capfd.readouterr() == ("", "")


def test_a_game_too_large_to_write_down(pyspiel):
    with pytest.raises(GameError, match="expected a game of at most 1,000 nodes, found more, or an infinite one"):
        load_open_spiel("bridge(use_double_dummy_result=false)", most_nodes=1000)


def test_without_openspiel_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    words = r"pyspiel is not installed: pip install 'worldwise\[openspiel\]'"
    with pytest.raises(InputError, match=words):
        load_open_spiel("kuhn_poker")
    with pytest.raises(InputError, match=words):
        to_open_spiel(game_of(leaf(1), ["Ann"]))


# ---------------------------------------------------------------------- exact probabilities


@given(st.lists(st.integers(1, 400), min_size=1, max_size=60))
def test_the_fractions_that_were_meant_are_found(weights):
    meant = tuple(Fraction(weight, sum(weights)) for weight in weights)
    assert meant_probabilities(tuple(map(float, meant))) == meant


@given(st.integers(1, 500))
def test_equal_chances(count):
    assert meant_probabilities((1 / count,) * count) == (Fraction(1, count),) * count


def test_chances_that_were_rounded_on_the_way():
    third = 1.0 - 1 / 3 - 1 / 3  # not the float nearest to one third
    assert third != 1 / 3
    assert meant_probabilities((1 / 3, 1 / 3, third)) == (Fraction(1, 3),) * 3
    assert meant_probabilities((1.0, 0.0)) == (1, 0)


@pytest.mark.parametrize(
    "floats", [(0.5, 0.4), (), (1.5, -0.5), (0.3333, 0.3333, 0.3333), (float("nan"),), (float("inf"),)]
)
def test_what_are_no_probabilities(floats):
    with pytest.raises(GameError, match="expected probabilities that sum to 1, found"):
        meant_probabilities(floats)


# ---------------------------------------------------------------------- ours in theirs


def our_games():
    coin = {side: ("1/3", decision("Ann", {"stop": leaf(0), "bet": leaf(win)}, knows="s")) for side, win in [("h", 3)]}
    coin["t"] = ("2/3", decision("Ann", {"stop": leaf("1/4"), "bet": leaf(-1)}, knows="s"))
    yield "a coin", game_of(chance(coin), ["Ann"])
    quoted = {'say "hi"': leaf(1, "-1/3"), "back\\slash": decision("B ob", {"b": leaf(2, 0), "a": leaf(0, 2)})}
    yield "odd names", game_of(decision("Ann", quoted), ["Ann", "B ob"], title='a "title"')
    builder = GameBuilder(["Ann"])
    builder.chance(["", " "], ["1/3", "2/3"])
    for _ in range(2):
        builder.decision(0, "set", ["x", "x"])
        builder.leaf([1])
        builder.leaf([2])
    yield "names that tell nothing apart", builder.game()
    inner = 'EFG 2 R "" { "A" } p "" 1 1 "" { "a" "b" } 1 "" { 1 } t "" 2 "" { 3 } t "" 0'
    yield "paid before the end", efg_from_text(inner)
    for figure in ("fb01/fig-3", "fb01/fig-18"):
        yield figure, from_world_game(tree(figure))


OUR_GAMES = dict(our_games())


@pytest.mark.parametrize("name", [*OUR_GAMES, "kuhn_poker", "leduc_poker", "goofspiel(num_cards=3)"])
def test_what_we_write_is_the_same_game_in_openspiel(pyspiel, name):
    game = OUR_GAMES[name] if name in OUR_GAMES else load_open_spiel(name)
    other = to_open_spiel(game)
    sets = []
    for node, state in side_by_side(game, other):
        assert_alike(game, node, state)
        if state.is_player_node():
            sets.append((game.information_set(node), (state.current_player(), state.information_state_string())))
    assert is_one_to_one(sets)


def test_fractions_too_long_for_openspiel(pyspiel):
    rare = {"a": (Fraction(1, 3 * 10**9), leaf(1)), "b": (1 - Fraction(1, 3 * 10**9), leaf(0))}
    with pytest.raises(GameError, match="rare: OpenSpiel does not take it: "):
        to_open_spiel(game_of(chance(rare), ["Ann"], title="rare"))


def test_there_and_back(pyspiel):
    game = load_open_spiel("leduc_poker")
    back = load_open_spiel(to_open_spiel(game))
    assert (len(back), back.leaves) == (len(game), game.leaves)
    assert back.event.tolist() == game.event.tolist()
    assert [back.payoffs(node) for node in range(len(back)) if back.to_move(node) is None] == [
        game.payoffs(node) for node in range(len(game)) if game.to_move(node) is None
    ]


# ---------------------------------------------------------------------- OpenSpiel's samplers


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "oh_hell(num_suits=2,num_cards_per_suit=4)"])
def test_samplers_of_openspiel_that_are_right(pyspiel, name):
    form = OpenSpielForm(name)
    report = check_sampler(form, OpenSpielSampler(form), games=5)
    assert report.is_good, report


@pytest.mark.parametrize("name", ["hearts", "euchre"])
def test_samplers_of_openspiel_whose_worlds_contradict_the_play(pyspiel, name):
    """Players there hold cards that they should have played to an earlier trick; the information states match."""
    form = OpenSpielForm(name)
    report = check_sampler(form, OpenSpielSampler(form), games=3, samples=3)
    assert 0 < report.consistent < report.samples
    assert set(report.faults) == {"illegal move"}
    assert "cannot make the move" in report.example.fault.words
    assert (report.varied, report.reproducible, report.peeks) == (True, True, False)


def test_a_contradiction_that_the_information_states_hide(pyspiel):
    """The first contradiction in euchre, by hand: the sampled state's string is the true one, its history illegal."""
    form, rng = OpenSpielForm("euchre"), Random(1)
    for _ in range(50):
        position = form.root
        while form.to_move(position) is not None:
            player = form.to_move(position)
            if player != CHANCE:
                sampled = position.resample_from_infostate(player, rng.random)
                assert sampled.information_state_string(player) == position.information_state_string(player)
                words = contradiction(form, player, position.history(), sampled.history())
                if words:
                    assert "cannot make the move" in words
                    return
            position = form.play(position, rng.choice(form.moves(position)))
    pytest.fail("no contradiction found in 50 games")


@pytest.mark.parametrize("name", ["liars_dice", "matrix_rps", "kriegspiel"])
def test_games_without_a_sampler(pyspiel, name, capfd):
    form = OpenSpielForm(name)
    report = check_sampler(form, OpenSpielSampler(form), games=2, most_moves=20, most_positions=100)
    assert report.samples == 0 < report.unavailable
    assert str(report).startswith("no samples at ")
    assert capfd.readouterr().err.count("not implemented") == 1
