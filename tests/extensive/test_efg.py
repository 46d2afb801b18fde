"""``.efg`` files: Gambit's catalog, what we write and Gambit and OpenSpiel read, faults and their places."""

import io
import re
from dataclasses import fields, replace
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from strategies import extensive_games
from worldwise.core.game import CHANCE
from worldwise.errors import GameError, InputError
from worldwise.extensive import ChanceMove, GameBuilder, efg_text, write_efg
from worldwise.extensive.compiled_efg import compiled_scan
from worldwise.extensive.efg import efg_from_text, read_efg
from worldwise.extensive.efg_scan import head, scan
from worldwise.extensive.game import NONE
from worldwise.kernels import BUILT

SAMPLE = r"""EFG 2 R "A \"small\" bet" { "Ann" "Bob" }
"Chance, two sets,
an inner outcome."

c "deal" 7 "" { "red" 1/3, "black" 0.25 "é{" 5/12 } 0
p "" 1 3 "the stake" { "stop" "bet" } 0
t "" 1 "draw" { 0, 0 }
p "" 2 1 "" { "fold" "call" } 2 "ante" { 1/2 -1/2 }
t "" 3 "won" { 1, -1 }
t "" 4 "lost" { -1.5 1.5 }
p "again" 1 3 0
t "" 1
p "" 2 1 "" { "fold" "call" } 2
t "" 3 "won" { 1, -1 }
t "" 3
t "end" 0
"""

CATALOG = (
    sorted(Path(find_spec("pygambit").submodule_search_locations[0]).glob("catalog_data/**/*.efg"))
    if find_spec("pygambit")
    else []
)
NO_CATALOG = "Gambit's catalog comes with pygambit, which is not installed"


@pytest.fixture(params=["python", "compiled"], scope="session")
def scanner(request):
    """The Python scanner, and its compiled twin."""
    if request.param == "python":
        return scan
    if not BUILT:
        pytest.skip("the compiled kernels were not built on this machine")
    return compiled_scan


@pytest.fixture(params=CATALOG or [None], ids=lambda path: path and f"{path.parent.name}/{path.stem}", scope="session")
def catalog_file(request):
    if request.param is None:
        pytest.skip(NO_CATALOG)
    return request.param


def tree(game):
    """Everything about a game but its names: for each node whose it is, its set, its probabilities, its payoffs."""
    return [
        game.payoffs(node)
        if event == NONE
        else (game.events[event].player, game.nodes_of[event][0], getattr(game.events[event], "probabilities", None))
        for node, event in enumerate(game.event.tolist())
    ]


def same(one, other):
    """Whether two scanned texts are equal in everything."""
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.tolist() == other.tolist()
    if hasattr(one, "__dataclass_fields__"):
        return all(same(getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
    return one == other


def reading(text, scanner):
    """A game, or the error."""
    try:
        return efg_from_text(text, "a.efg", scanner)
    except GameError as error:
        return str(error), error.place


# ---------------------------------------------------------------------- what is read


def test_sample(scanner):
    game = efg_from_text(SAMPLE, scanner=scanner)
    assert (game.title, game.players) == ('A "small" bet', ("Ann", "Bob"))
    assert game.comment == "Chance, two sets,\nan inner outcome."
    assert game.events[0] == ChanceMove(("red", "black", "é{"), (Fraction(1, 3), Fraction(1, 4), Fraction(5, 12)))
    assert [game.set_label(number) for number in game.information_sets()] == ["the stake", "Bob 1"]
    assert game.nodes_of[1:] == ((1, 6), (3, 8))
    assert dict(game.names) == {0: "deal", 6: "again", 11: "end"}
    leaves = [game.payoffs(node) for node in range(len(game)) if game.to_move(node) is None]
    half = Fraction(1, 2)
    assert leaves == [
        (0, 0),
        (3 * half, -3 * half),
        (-1, 1),
        (0, 0),
        (3 * half, -3 * half),
        (3 * half, -3 * half),
        (0, 0),
    ]


def test_white_space_is_free(scanner):
    game = efg_from_text(SAMPLE, scanner=scanner)
    tight = re.sub(r"\s*\n\s*", " ", SAMPLE.replace("two sets,\nan", "two sets,@an")).replace("@", "\n")
    loose = SAMPLE.replace(" { ", "\n\t{\r\n").replace('" } ', '",,}\f\v')
    assert efg_from_text(tight, scanner=scanner) == game
    assert efg_from_text(loose, scanner=scanner) == game
    assert efg_from_text("\ufeff" + SAMPLE + " \n\n", scanner=scanner) == game
    windows = efg_from_text(SAMPLE.replace("\n", "\r\n"), scanner=scanner)
    assert windows == replace(game, comment=game.comment.replace("\n", "\r\n"))
    assert tree(efg_from_text('EFG 2 D""{"A"}p""1 2"a"{"x""y"}0t""1{3}t""2"b"{4}', scanner=scanner))[1:] == [(3,), (4,)]


def test_a_comment_may_be_left_out(scanner):
    text = 'EFG 2 R "" { "A" } t "" 1 "" { +2.50 }'
    assert efg_from_text(text, scanner=scanner).payoffs(0) == (Fraction(5, 2),)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("-3.0", -3),
        ("+7.", 7),
        (".5", "1/2"),
        ("-1/3", "-1/3"),
        ("-0.125", "-1/8"),
        ("25e-1", "5/2"),
        ("1E2", 100),
    ],
)
def test_numbers_are_exact(scanner, text, value):
    payoff = efg_from_text(f'EFG 2 R "" {{ "A" }} t "" 1 "" {{ {text} }}', scanner=scanner).payoffs(0)[0]
    assert payoff == Fraction(value)
    assert isinstance(payoff, int) == (payoff.denominator == 1)


def test_escapes(scanner):
    names = [r"a \"b\"", r"\alpha", r"\\", r"\\\"", "{", "}", "", "棋♠"]
    listed = " ".join(f'"{name}"' for name in names)
    text = f'EFG 2 R "" {{ "A" }} p "" 1 1 "" {{ {listed} }} 0 ' + 't "" 0 ' * len(names)
    actions = efg_from_text(text, scanner=scanner).events[0].actions
    assert actions == ('a "b"', "\\alpha", "\\", '\\"', "{", "}", "", "棋♠")


def test_outcome_0_with_payoffs_is_one_of_its_own(scanner):
    text = 'EFG 2 R "" { "A" } p "" 1 1 "" { "a" "b" "c" } 0 t "" 0 "" { 5 } t "" 0 t "" 0 { 5.0 }'
    assert tree(efg_from_text(text, scanner=scanner))[1:] == [(5,), (0,), (5,)]


def test_catalog_against_gambit(catalog_file, scanner):
    """Gambit's own counts; and what Gambit makes of the file when it writes it."""
    gambit = pytest.importorskip("pygambit", reason=NO_CATALOG)
    theirs, ours = gambit.read_efg(str(catalog_file)), read_efg(catalog_file, scanner)
    assert (ours.title, ours.comment) == (theirs.title, theirs.description)
    assert ours.players == tuple(theirs.players)
    histories = theirs.get_histories(gambit.H.after())
    assert len(ours) == len(histories)
    for player, name in enumerate(ours.players):
        assert len(list(ours.information_sets(player))) == len(theirs.get_infosets(name))
    assert sum(event.player == CHANCE for event in ours.events) == len(theirs.get_events())
    assert tree(ours) == tree(efg_from_text(theirs.to_efg(), scanner=scanner))
    assert paths(ours) == [[(step.player, step.action) for step in history] for history in histories]


def paths(game):
    """For every node, who did what on the way to it, in Gambit's words."""
    below = [[]]
    for node in range(1, len(game)):
        above = int(game.parent[node])
        event = game.events[game.information_set(above)]
        player = "Chance" if event.player == CHANCE else game.players[event.player]
        below.append([*below[above], (player, numbered(event.actions)[game.action_to(node)])])
    return below


def numbered(actions):
    """Actions as Gambit calls them: those that share a name are numbered."""
    return [
        f"{action}_{actions[: at + 1].count(action)}" if actions.count(action) > 1 or not action else action
        for at, action in enumerate(actions)
    ]


def test_catalog_round_trip(catalog_file, scanner, tmp_path):
    game = read_efg(catalog_file, scanner)
    assert efg_from_text(efg_text(game), scanner=scanner) == game
    write_efg(game, tmp_path / "game.efg")
    assert read_efg(tmp_path / "game.efg", scanner) == game


# ---------------------------------------------------------------------- what is written


@given(extensive_games(labels=True, inner_outcomes=True))
def test_round_trip(game):
    assert efg_from_text(efg_text(game)) == game
    assert efg_from_text(efg_text(game), scanner=scan) == game


@given(extensive_games(labels=True, inner_outcomes=True))
def test_portable_games_are_the_same_game(game):
    assert tree(efg_from_text(efg_text(game, portable=True))) == tree(game)


@given(extensive_games(inner_outcomes=True))
def test_gambit_reads_what_we_write(game):
    gambit = pytest.importorskip("pygambit", reason="what Gambit reads can be tried where pygambit is installed")
    theirs = gambit.read_efg(io.BytesIO(efg_text(game).encode()))
    assert len(theirs.players) == len(game.players)
    assert tree(efg_from_text(theirs.to_efg())) == tree(game)


@given(extensive_games(labels=True, inner_outcomes=True))
def test_gambit_reads_what_is_portable(game):
    gambit = pytest.importorskip("pygambit", reason="what Gambit reads can be tried where pygambit is installed")
    text = efg_text(game, portable=True)
    assert tree(efg_from_text(gambit.read_efg(io.BytesIO(text.encode())).to_efg())) == tree(game)


def spiel_tree(spiel, state, sets):
    """OpenSpiel's view of a game in our terms; chance nodes by their probabilities, sets by their first node."""
    node = len(sets["nodes"])
    sets["nodes"].append(state)
    if state.is_terminal():
        return [tuple(state.returns())]
    if state.is_chance_node():
        rows = [("chance", tuple(chance for _, chance in state.chance_outcomes()))]
    else:
        key = state.current_player(), state.information_state_string()
        rows = [(state.current_player(), sets.setdefault(key, node))]
    for action in state.legal_actions():
        rows += spiel_tree(spiel, state.child(action), sets)
    return rows


def in_spiels_terms(game):
    """The same of one of our games."""
    rows = []
    for node, event in enumerate(game.event.tolist()):
        if event == NONE:
            rows.append(tuple(map(float, game.payoffs(node))))
        elif game.events[event].player == CHANCE:
            rows.append(("chance", tuple(map(float, game.events[event].probabilities))))
        else:
            rows.append((game.events[event].player, game.nodes_of[event][0]))
    return rows


@given(extensive_games(labels=True, inner_outcomes=True))
def test_open_spiel_reads_what_is_portable(game):
    spiel = pytest.importorskip("pyspiel", reason="what OpenSpiel reads can be tried where open_spiel is installed")
    theirs = spiel.load_efg_game(efg_text(game, portable=True))
    assert theirs.num_players() == len(game.players)
    assert spiel_tree(spiel, theirs.new_initial_state(), {"nodes": []}) == in_spiels_terms(game)


def test_open_spiel_reads_the_catalog_made_portable(catalog_file):
    spiel = pytest.importorskip("pyspiel", reason="what OpenSpiel reads can be tried where open_spiel is installed")
    game = read_efg(catalog_file)
    theirs = spiel.load_efg_game(efg_text(game, portable=True))
    assert spiel_tree(spiel, theirs.new_initial_state(), {"nodes": []}) == in_spiels_terms(game)


def test_portable_names():
    builder = GameBuilder(["}", "\tBob  B. "])
    builder.decision(0, "first", ['the "best"', 'say "no"\\'], set_name="a\nset", name="C:\\\\dir\\")
    builder.decision(0, "second", ["\\alpha", "", "2", "\\alpha"], set_name="a set")
    for name in ("here", "here", "", "here (2)"):
        builder.leaf([1, 2], name=name)
    builder.leaf([3, 4], outcome="\x07")
    text = efg_text(builder.game('"', "two\nlines"), portable=True)
    assert text.splitlines()[:3] == ['EFG 2 R "“" { ")" "Bob B." }', '"two', 'lines"']
    assert text.splitlines()[4:] == [
        'p "C:/\\dir/" 1 1 "a set" { "the “best”" "say “no”/" } 0',
        'p "" 1 2 "a set (2)" { "\\alpha" "2" "2 (2)" "\\alpha (2)" } 0',
        't "here" 1 "" { 1, 2 }',
        't "here (2)" 1 "" { 1, 2 }',
        't "" 1 "" { 1, 2 }',
        't "here (2) (2)" 1 "" { 1, 2 }',
        't "" 2 "" { 3, 4 }',
    ]


def test_writing_is_all_or_nothing(tmp_path):
    game = efg_from_text(SAMPLE)
    target = tmp_path / "game.efg"
    write_efg(game, target)
    with pytest.raises(GameError, match="names that UTF-8 can write"):
        write_efg(replace(game, comment="\ud800"), target)
    assert read_efg(target) == game
    with pytest.raises(InputError, match="director"):
        write_efg(game, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["game.efg"]


# ---------------------------------------------------------------------- faults

HEAD = 'EFG 2 R "" { "Ann" "Bob" }\n'
MOVE = 'p "" 1 1 "" { "a" "b" } 0\n'

FAULTS = {
    "": ("1:1", "begins with EFG 2 R, found the end"),
    "NFG 1 R": ("1:1", "begins with EFG 2 R, found 'NFG 1 R'"),
    "EFG 1 R": ("1:5", "version 2"),
    "EFG 2 X": ("1:7", "R or D"),
    "EFG 2 R title": ("1:9", "the title in quotes"),
    'EFG 2 R "a" "b"': ("1:13", "the players"),
    'EFG 2 R "a" { }': ("1:13", "expected names in quotes"),
    'EFG 2 R "a" { Ann }': ("1:13", "expected names in quotes"),
    HEAD: ("2:1", "a node, which begins with c, p or t, found the end"),
    HEAD + "\n  x": ("3:3", "a node, which begins with c, p or t, found 'x'"),
    HEAD + "t 1": ("2:3", "the node's name in quotes"),
    HEAD + 't "é" x': ("2:7", "the number of an outcome"),
    HEAD + 't "" 1234567890123456789': ("2:6", "the number of an outcome"),
    HEAD + 'p "" "a"': ("2:6", "the player's number"),
    HEAD + 'p "" 1': ("2:7", "the number of the information set"),
    HEAD + 'p "" 1 1 "': ("2:10", "ends with a quote"),
    HEAD + 'p "" 1 1 "" { "a" 0': ("2:13", "a list of actions that ends with }"),
    HEAD + 'p "" 1 1 "" { "a" }': ("2:20", "the number of an outcome"),
    HEAD + 't "" 1 "': ("2:8", "an outcome's name that ends with a quote"),
    HEAD + 't "" 1 "" { 1, 2': ("2:11", "a list of payoffs that ends with }"),
    HEAD + 't "" 1 "" { 1 }': ("2:6", "expected 2 payoffs, one a player, found { 1 }"),
    HEAD + 't "" 1 "" { 1, x }': ("2:6", "a number such as 3, 0.25 or 1/3, found 'x'"),
    HEAD + 't "" 1 "" { 1, 1_0 }': ("2:6", "found '1_0'"),
    HEAD + 't "" 1 "" { 1, ٣ }': ("2:6", "found '٣'"),
    HEAD + 't "" 1 "" { 1, +-2 }': ("2:6", "found '+-2'"),
    HEAD + 't "" 1 "" { 1, 1/0 }': ("2:6", "found '1/0'"),
    HEAD + 't "" 1 "" { 1, 1e1000000000 }': ("2:6", "found '1e1000000000'"),
    HEAD + 't "" 1': ("2:6", "the payoffs of outcome 1, which is met here first"),
    HEAD + 'p "" 1 1 0': ("2:6", "the actions of set 1, which is met here first"),
    HEAD + 'p "" 3 1 "" { "a" } 0 t "" 0': ("2:6", "a player from 1 to 2, found player 3"),
    HEAD + 'p "" 0 1 "" { "a" } 0 t "" 0': ("2:6", "a player from 1 to 2, found player 0"),
    HEAD + 'p "" 1 1 "" { a } 0 t "" 0': ("2:6", "expected names in quotes"),
    HEAD + 'p "" 1 1 "" { } 0': ("2:6", "expected names in quotes"),
    HEAD + 'c "" 1 "" { "a" 1/2 "b" 1/3 } 0': ("2:6", "sum to 1"),
    HEAD + 'c "" 1 "" { "a" 3/2 "b" -1/2 } 0': ("2:6", "not negative"),
    HEAD + 'c "" 1 "" { "a" "b" } 0': ("2:6", "actions with probabilities"),
    HEAD + 'c "" 1 "" { "a" 1 2 } 0': ("2:6", "actions with probabilities"),
    HEAD + 'c "" 1 "" { "a" one } 0': ("2:6", "found 'one'"),
    HEAD + MOVE + 'p "é棋" 1 1 "" { "a" "c" } 0': ("3:8", 'the actions that set 1 had before, found { "a" "c" }'),
    HEAD + MOVE + 't "" 1 "" { 1, 2 } t "" 1 "" { 1 3 }': (
        "3:25",
        "the payoffs that outcome 1 had before, found { 1 3 }",
    ),
    HEAD + MOVE + 't "" 1 t "" 1 "" { 1 3 }': ("3:6", "the payoffs of outcome 1, which is met here first"),
    HEAD + MOVE + 't "" 0': ("", "lacks 1 child"),
    HEAD + 't "" 0 t "" 0': ("", "expected the tree to end after 1 node"),
}


@pytest.mark.parametrize("text", FAULTS, ids=range(len(FAULTS)))
def test_a_fault_says_what_and_where(text, scanner):
    place, message = FAULTS[text]
    with pytest.raises(GameError, match=re.escape(message)) as error:
        efg_from_text(text, "bet.efg", scanner)
    assert error.value.place == f"bet.efg:{place}".rstrip(":")


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(GameError, match="No such file"):
        read_efg(tmp_path / "nothing.efg")
    (tmp_path / "latin.efg").write_bytes('EFG 2 R "é"'.encode("latin-1"))
    with pytest.raises(GameError, match="expected text in UTF-8, found the byte 0xe9"):
        read_efg(tmp_path / "latin.efg")


def test_every_truncation_is_a_fault_with_a_place(scanner):
    game = efg_from_text(SAMPLE, scanner=scanner)
    for length in range(len(SAMPLE)):
        cut = reading(SAMPLE[:length], scanner)
        assert cut == game if not SAMPLE[length:].strip() else cut[1].startswith("a.efg"), SAMPLE[:length]


PIECES = st.sampled_from(
    [*'"{}\\,0127cpt/.-é\n\x00\xa0٣\ud800', '""', '\\"', "{ }", "{ 1 }", ' 0\nt "" 0\n', "{ 1, 1 }", "c"]
)


@st.composite
def mutated(draw):
    """The sample with some of its text taken out, and other text put in."""
    text = SAMPLE
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        text = text[:start] + draw(PIECES | st.just("")) + text[start + draw(st.integers(0, 4)) :]
    return text


@given(mutated())
@example(SAMPLE.replace("1/3", "1/" + "3" * 5000))
@example(SAMPLE.replace(" 7 ", " " + "7" * 5000))
def test_mutations_are_read_or_refused_alike(text):
    """Nothing but ``GameError`` is raised, and the kernel reads, or refuses, as Python does."""
    assert reading(text, scan) == reading(text, None)


@given(mutated() | extensive_games(labels=True, inner_outcomes=True).map(efg_text))
def test_both_scanners_say_the_same(text):
    if not BUILT:
        pytest.skip("the compiled kernels were not built on this machine")
    start = head(text)
    body = text[start.end() :] if start else text
    assert same(scan(body), compiled_scan(body))


def test_kernels_can_be_switched_off(monkeypatch):
    monkeypatch.setenv("WORLDWISE_KERNELS", "off")
    monkeypatch.setattr("worldwise.extensive.efg.compiled_scan", None)
    assert efg_from_text(SAMPLE) == efg_from_text(SAMPLE, scanner=scan)


def test_chances_without_a_sensible_denominator_are_refused():
    """Adding them up would take numbers of a million digits."""
    chances = " ".join(f'"{number}" 1/{10**60 + number}' for number in range(1, 200))
    with pytest.raises(GameError, match="expected probabilities with a common denominator below"):
        efg_from_text(f'EFG 2 R "" {{ "Ann" }} c "" 1 "" {{ {chances} }} 0 ' + 't "" 0 ' * 199)
