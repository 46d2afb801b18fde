"""The commands for games in extensive form: real files, exit codes, one clear line on bad input."""

from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest

from command_alone import run as run_alone
from worldwise import random_tree, tree, write_tree
from worldwise.catalog import game, games
from worldwise.extensive import from_world_game, read_efg
from worldwise.extensive.recall import perfect_recall

COIN = """EFG 2 R "A coin" { "Ann" }
c "" 1 "" { "heads" 1/2 "tails" 1/2 } 0
p "" 1 1 "the stake" { "stop" "bet" } 0
t "" 1 "" { 0 }
t "" 2 "" { 3 }
p "" 1 1 "the stake" { "stop" "bet" } 0
t "" 1 "" { 0 }
t "" 3 "" { -1 }
"""
ABSENT = """EFG 2 R "The absent-minded driver" { "driver" }
p "" 1 1 "exit?" { "on" "off" } 0
p "" 1 1 "exit?" { "on" "off" } 0
t "" 1 "" { 1 }
t "" 2 "" { 4 }
t "" 3 "" { 0 }
"""


@pytest.fixture
def run(worldwise_command):
    return partial(worldwise_command, "game")


# ---------------------------------------------------------------------- answers


def test_list(run):
    assert [entry["name"] for entry in run("list", "--json").json] == list(games())
    assert "bmv96/footnote-21" in run("list").stdout


def test_check_says_who_forgets_what_and_whom_to_split(run):
    done = run("check", "bmv96/fig-2-g2")
    assert done.returncode == 1
    words = " ".join(done.stdout.split())
    assert "at set CD player cannot tell root/A/left from root/B/left, though the first follows left at A" in words
    assert "and the second never was at A" in words
    assert "player (1): A, B; player (2): CD" in words
    answer = run("check", "bmv96/fig-2-g2", "--json").json
    assert (answer["perfect_recall"], answer["forgetful"][0]["agents"]) == (False, [["A", "B"], ["CD"]])
    assert run("check", "bmv96/fig-2-g1").returncode == 0


def test_check_of_the_absent_minded(run):
    Path("absent.efg").write_text(ABSENT)
    done = run("check", "absent.efg")
    assert done.returncode == 1
    assert "no agents help" in done.stdout
    assert run("check", "absent.efg", "--json").json["forgetful"][0]["absent_minded"]
    refused = run("convert", "absent.efg", "-", "--split")
    assert (refused.returncode, refused.stdout) == (2, "")


def test_numbers_too_long_to_read(run):
    answer = run("check", "imp-model:k=4,b=3,d=5", "--json").json
    assert answer["pure_strategies"] == ["2.4e899"]
    assert "2.4e899 pure strategies" in run("check", "imp-model:k=4,b=3,d=5").stdout


def test_solve_says_what_it_is_worth_what_it_believed_and_why(run):
    done = run("solve", "bmv96/fig-2-g2")
    words = " ".join(done.stdout.split())
    assert done.returncode == 0
    assert "is worth -99/2 (-49.5) believed 1 because it takes for granted that nothing is forgotten" in words
    assert "not optimal: player gains 50 by right at CD, right at B" in words
    assert "6 of 6 leaves" in words
    best = run("solve", "bmv96/fig-2-g2", "--algorithm", "brute-force", "--json").json
    assert (best["value"], best["believed"], best["holds"]) == ("1/2", ["1/2"], True)
    assert best["profile"][0] == {"player": "player", "set": "A", "action": "left"}


def test_solve_prunes_below_an_exact_bound(run):
    for upper in ("10", "10.0", "20/2"):
        done = run("solve", "bmv96/fig-8", "--algorithm", "imp-alpha-beta", "--upper", upper)
        assert "20 of 38 leaves, 0 immediate and 3 information-set prunings" in done.stdout
    answer = run("solve", "bmv96/fig-8", "--algorithm", "imp-alpha-beta", "--json").json
    assert (answer["value"], answer["stats"]["information_set"]) == (8, 3)


def test_solve_two_players(run):
    done = run("solve", "bmv96/footnote-21", "--algorithm", "imp-minimax", "--json")
    answer = done.json
    assert (answer["payoffs"], answer["believed"], answer["holds"]) == (["-99/2", "99/2"], [1, -1], False)
    assert answer["gain"]["gain"] == "99/2"
    assert answer["gain"]["profile"][0] == {"player": "player 1", "set": "AB", "action": "right"}
    assert "player 1: left at A, right at CD" in run("solve", "bmv96/fig-3").stdout


def test_the_algorithm_follows_the_game(run):
    names = {"bmv96/fig-8": "imp-minimax", "openspiel:tiny_hanabi": "pure-equilibrium"}
    Path("open.efg").write_text(
        'EFG 2 R "" { "a" "b" } p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1, 2 } t "" 2 "" { 0, 0 }'
    )
    names["open.efg"] = "chance-minimax"
    for source, name in names.items():
        if source.startswith("openspiel"):
            pytest.importorskip("pyspiel")
        answer = run("solve", source, "--json").json
        assert (answer["algorithm"], answer["holds"]) == (name, True)


def test_no_equilibrium_is_a_negative_answer(run):
    pytest.importorskip("pyspiel")
    done = run("solve", "openspiel:kuhn_poker")
    assert done.returncode == 1
    assert "there is no equilibrium in pure strategies" in done.stdout
    assert run("solve", "openspiel:kuhn_poker", "--json").json["answer"] == "no"


def test_a_limit_that_is_too_short_is_a_negative_answer(run):
    unknown = run("solve", "bmv96/fig-4", "--nodes", 2)
    assert unknown.returncode == 1
    assert "not known whether there is an equilibrium" in unknown.stdout
    for algorithm in ("chance-minimax", "imp-minimax", "brute-force"):
        done = run("solve", "bmv96/fig-4", "--algorithm", algorithm, "--nodes", 2)
        assert (done.returncode, done.stdout) == (1, "")
        assert f"{algorithm} found no answer within 2 nodes" in done.stderr


def test_a_verdict_keeps_to_the_limit(run):
    """One player who forgets has 2^16 strategies to be tried, which the limit does not allow."""
    nodes = ['c "" 1 "" { ' + " ".join(f'"{number}" 1/16' for number in range(16)) + " } 0\n"]
    for number in range(16):
        below = "".join('p "" 1 99 "" { "l" "r" } 0\nt "" 1 "" { 1 }\nt "" 2 "" { 0 }\n' for _ in range(2))
        nodes.append(f'p "" 1 {number + 1} "" {{ "l" "r" }} 0\n{below}')
    Path("forgets.efg").write_text('EFG 2 R "" { "a" }\n' + "".join(nodes))
    answer = run("solve", "forgets.efg", "--nodes", 200, "--json").json
    assert (answer["proven"], answer["holds"]) == (False, None)
    assert "took too long" in answer["verdict"]


def test_show(run):
    text = run("show", "bmv96/fig-2-g2", "--solve", "imp-minimax").stdout
    assert "├─➤ left □ C {CD}" in text
    done = run("show", "bmv96/fig-4", "--solve", "pure-equilibrium", "--svg", "fig.svg")
    assert (done.returncode, done.stdout) == (0, "wrote fig.svg\n")
    picture = ElementTree.parse("fig.svg").getroot()
    assert {"chance", "player-1", "player-2", "set", "branch chosen"} <= {part.get("class") for part in picture.iter()}
    shown = run("show", "bmv96/fig-3", "--json").json
    assert (len(shown["nodes"]), shown["solution"]) == (11, None)
    assert run("show", "bmv96/fig-3", "--solve", "brute-force", "--json").json["solution"]["value"] == 17
    assert len(run("show", "imp-model:k=3,b=3,d=5").stdout.splitlines()) == 202


# ---------------------------------------------------------------------- sources


def test_every_source_is_a_game(run, tmp_path):
    Path("coin.efg").write_text(COIN)
    Path("coin").write_text(COIN)
    Path("tree.json").write_text(write_tree(random_tree(2, 3)))
    sizes = {
        "coin.efg": 7,
        "coin": 7,
        tmp_path / "coin.efg": 7,
        "bmv96/fig-4": 51,
        "three-partition:6,8,7,6,7,6": 51,
        "imp-model:k=2,b=2,d=3,highest=4,seed=7": 29,
        "tree.json": 1 + 3 * 7,
        "fb01/fig-9": 29,
        "fbm97/fig-10": len(from_world_game(tree("fb01/fig-11"))),
    }
    for source, size in sizes.items():
        assert run("check", source, "--json").json["nodes"] == size, source
    assert run("check", "-", "--json", stdin=COIN.encode()).json["nodes"] == 7
    assert run("check", "-", "--json", stdin=write_tree(random_tree(2, 3)).encode()).json["nodes"] == 22


def test_openspiel_games(run):
    pytest.importorskip("pyspiel")
    assert run("check", "openspiel:kuhn_poker", "--json").json["nodes"] == 58
    assert run("check", "openspiel:liars_dice(dice_sides=2)", "--json").json["zero_sum"] is True


def test_knowledge_of_a_tree(run):
    full, blind = (
        run("check", "fb01/fig-11", "--knowledge", level, "--json").json["information_sets"] for level in ("1", "0")
    )
    assert (full, blind) == ([3, 5], [3, 1])
    draws = [run("convert", "fb01/fig-11", "-", "--knowledge", "1/4", "--seed", seed).stdout for seed in (1, 1, 2)]
    assert draws[0] == draws[1] != draws[2]


def test_convert(run):
    done = run("convert", "fb01/fig-11", "out.efg", "--knowledge", "0")
    assert done.returncode == 0
    assert "wrote out.efg: 46 nodes, 25 leaves, 2 players" in done.stdout
    expected = from_world_game(tree("fb01/fig-11"), known=(), title="fb01/fig-11")
    assert read_efg("out.efg") == expected
    assert run("convert", "out.efg", "-").stdout == Path("out.efg").read_text()
    assert run("convert", "bmv96/fig-3", "out.efg", "--json").json["nodes"] == 11  # a file is replaced
    assert read_efg("out.efg") == game("bmv96/fig-3")
    assert [path.name for path in Path().iterdir()] == ["out.efg"]
    Path("odd.efg").write_text(COIN.replace("coin", "日本"), "utf-8")
    assert '"A 日本"' in run("convert", "odd.efg", "-").stdout


def test_convert_splits_the_forgetful_and_writes_for_others(run):
    assert run("convert", "bmv96/fig-2-g2", "split.efg", "--split", "--portable").returncode == 0
    assert read_efg("split.efg").players == ("player (1)", "player (2)")
    assert perfect_recall(read_efg("split.efg"))


def test_sampler(run):
    pytest.importorskip("pyspiel")
    good = run("sampler", "openspiel:kuhn_poker", "--games", 3, "--seed", 1)
    assert good.returncode == 0
    assert "consistent (100.0 %)" in good.stdout
    bad = run("sampler", "openspiel:hearts", "--games", 1, "--samples", 2, "--json")
    assert bad.returncode == 1
    assert (bad.json["good"], bad.json["games"]) == (False, 1)


# ---------------------------------------------------------------------- bad input


def broken(old, new):
    return COIN.replace(old, new, 1)


FILES = {
    "binary.efg": b"\x80\x81\xff\x00",
    "empty.efg": b"",
    "early.efg": COIN[:-20].rsplit("\n", 1)[0],
    "late.efg": COIN + 't "" 1 "" { 0 }',
    "node.efg": broken("\np ", "\nq "),
    "player.efg": broken("1 1", "2 1"),
    "chances.efg": broken("1/2", "1/3"),
    "payoffs.efg": broken("{ 3 }", "{ 3, 4 }"),
    "actions.efg": broken('t "" 1 "" { 0 }', 'p "" 1 1 "" { "other" } 0'),
    "bad.json": '{"worlds": 2, "root": {"max": [{"payoff": [1]}]}}',
}
BAD = {
    "no such file": (["check", "nowhere.efg"], "nowhere.efg: cannot read it: No such file"),
    "no such tree": (["check", "nowhere.json"], "no such file, and unknown game 'nowhere.json'"),
    "a folder": (["check", "."], "Is a directory"),
    "a folder named .json": (["check", "folder.json"], "folder.json: Is a directory"),
    "binary": (["check", "binary.efg"], "binary.efg: expected text in UTF-8, found the byte 0x80"),
    "empty": (["check", "empty.efg"], "expected a file that begins with EFG 2 R"),
    "ends early": (["check", "early.efg"], "the tree ends early"),
    "ends late": (["check", "late.efg"], "expected the tree to end"),
    "no node": (["check", "node.efg"], "node.efg:3:1: expected a node, which begins with c, p or t, found 'q"),
    "unknown player": (["check", "player.efg"], "player.efg:3:6: expected a player from 1 to 1, found player 2"),
    "chances": (["check", "chances.efg"], "chances.efg:2:6: expected probabilities that are not negative and sum to 1"),
    "payoffs": (["check", "payoffs.efg"], "payoffs.efg:5:"),
    "actions": (["check", "actions.efg"], "actions.efg:4:"),
    "bad tree": (["check", "bad.json"], "bad.json: line 1"),
    "unknown game": (["solve", "bmv96/fig-44"], "unknown game 'bmv96/fig-44' (did you mean 'bmv96/fig-4'?)"),
    "unknown algorithm": (["solve", "bmv96/fig-4", "--algorithm", "imp-minmax"], "did you mean 'imp-minimax'?"),
    "unknown algorithm to show": (["show", "bmv96/fig-4", "--solve", "x"], "unknown algorithm 'x'"),
    "upper too low": (
        ["solve", "bmv96/fig-8", "--algorithm", "imp-alpha-beta", "--upper", "19/2"],
        "expected payoffs of at most the upper bound 19/2, found 10",
    ),
    "upper of another": (["solve", "bmv96/fig-8", "--upper", "10"], "imp-minimax expects none, found 10"),
    "upper no number": (["solve", "bmv96/fig-8", "--upper", "ten"], "--upper: expected a number such as 3, 0.25"),
    "upper infinite": (["solve", "bmv96/fig-8", "--upper", "inf"], "--upper: expected a number"),
    "not paid alike": (
        ["solve", "bmv96/fig-4", "--algorithm", "branch-and-bound"],
        "players who are paid alike, found",
    ),
    "lower too high": (
        ["solve", "bmv96/fig-4", "--algorithm", "imp-alpha-beta", "--lower", "0"],
        "expected payoffs of at least the lower bound 0, found -",
    ),
    "all of another": (["solve", "bmv96/fig-4", "--all", "--algorithm", "imp-minimax"], "--all lists what pure-equ"),
    "mixed to show": (["show", "bmv96/fig-4", "--solve", "mixed-equilibrium"], "unknown algorithm 'mixed-equilibrium'"),
    "mixed for one": (["solve", "bmv96/fig-8", "--algorithm", "cfr-plus"], "cfr-plus expects two players, found 1"),
    "mixed and forgetful": (
        ["solve", "bmv96/fig-2-g2", "--algorithm", "mixed-equilibrium"],
        "expects players who forget nothing, but",
    ),
    "no team": (["convert", "bmv96/fig-4", "-", "--merge", "1,2"], "expected a team that is paid alike"),
    "team of nobody": (["convert", "bmv96/fig-4", "-", "--merge", "3"], "expected players from 0 to 1"),
    "no clauses": (["check", "clauses:1,1"], "clauses: expected literals of different variables"),
    "exploit nobody": (["exploit", "bmv96/fig-4", "nobody"], "unknown player 'nobody'"),
    "knowledge of a game": (
        ["check", "bmv96/fig-4", "--knowledge", "0"],
        "--knowledge goes with a possible-world tree",
    ),
    "knowledge": (["check", "fb01/fig-9", "--knowledge", "much"], "--knowledge: expected a number"),
    "odd knowledge": (["check", "fb01/fig-9", "--knowledge", "0.5"], "one of 0/3, 1/3 ... 1"),
    "model lacks d": (["check", "imp-model:k=2,b=2"], "imp-model: expected k=2,b=2,d=3, found no d"),
    "model key": (["check", "imp-model:k=2,b=2,depth=3"], "found 'depth=3'"),
    "model value": (["check", "imp-model:k=2,b=x,d=3"], "imp-model: expected a whole number, found 'x'"),
    "model zero": (["check", "imp-model:k=0,b=2,d=3"], "imp-model: expected k to be a whole number from 1 to"),
    "model payoffs": (["check", "imp-model:k=2,b=2,d=3,highest=-1"], "expected the highest payoff to be"),
    "model too large": (["check", "imp-model:k=9,b=9,d=999"], "expected at most 5,000,000 nodes"),
    "model too deep": (["check", "imp-model:k=9,b=9,d=999999999"], "expected d to be a whole number from 2"),
    "partition": (["check", "three-partition:6,8,7,6,7,7"], "3-PARTITION expects sizes whose sum is a multiple of 2"),
    "partition words": (["check", "three-partition:a,b"], "three-partition: expected a whole number, found 'a'"),
    "partition too large": (["check", "three-partition:" + "1," * 2999 + "1"], "expected a game of at most 5,000,000"),
    "nowhere to write": (["convert", "fb01/fig-9", "no/such/x.efg"], "no/such/x.efg: No such file or directory"),
    "nowhere to draw": (["show", "fb01/fig-9", "--svg", "no/such/x.svg"], "No such file or directory"),
    "onto a folder": (["convert", "fb01/fig-9", "folder.json"], "folder.json: Is a directory"),
    "json to stdout": (["convert", "fb01/fig-9", "-", "--json"], "expected a file, found - for stdout"),
    "too large to draw": (
        ["show", "imp-model:k=2,b=2,d=6", "--svg", "x.svg"],
        "at most 200 leaves to draw, found 1,024",
    ),
    "no name of a file": (["check", "x" * 5000], "no such file, and unknown game"),
    "sampler of no game": (["sampler", "bmv96/fig-4"], "expected openspiel:NAME, whose sampler can be checked"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_clear_line(case, run):
    arguments, message = BAD[case]
    for name, content in FILES.items():
        Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    Path("folder.json").mkdir()
    before = sorted(Path().iterdir())
    done = run(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert (done.stderr.count("\n"), done.stdout) == (1, "")
    assert sorted(Path().iterdir()) == before


@pytest.mark.parametrize("case", ["kuhn_pokr", "hearts", "chess"])
def test_bad_games_of_openspiel(case, run):
    pytest.importorskip("pyspiel")
    done = run("check", f"openspiel:{case}")
    assert done.returncode == 2
    if case == "kuhn_pokr":  # which other two are near depends on what games have been registered in this process
        assert "did you mean 'kuhn_poker' or " in done.stderr
        assert done.stderr.count(" or '") == 2
    else:
        assert "at most 5,000,000 nodes, found far more" in done.stderr


@pytest.mark.parametrize("command", [["convert", "bmv96/fig-4", "out"], ["show", "bmv96/fig-4", "--svg", "out"]])
@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_an_interrupted_write_leaves_nothing(command, error, run, monkeypatch):
    Path("out").write_text("before")

    def interrupt(*_):
        raise error

    monkeypatch.setattr(Path, "replace", interrupt)
    assert run(*command).returncode != 0
    assert [(path.name, path.read_text()) for path in Path().iterdir()] == [("out", "before")]


def test_deep_games_are_answered_or_refused(run):
    nodes = [f'p "" 1 {number + 1} "" {{ "on" "off" }} 0\n' for number in range(3000)]
    Path("deep.efg").write_text('EFG 2 R "deep" { "a" }\n' + "".join(nodes) + 't "" 1 "" { 1 }\n' * 3001)
    assert run("check", "deep.efg").returncode == 0
    assert run("show", "deep.efg").returncode == 0
    for algorithm in ("chance-minimax", "imp-minimax", "brute-force", "pure-equilibrium"):
        done = run("solve", "deep.efg", "--algorithm", algorithm, "--seconds", 2)
        assert done.returncode == 0 or (done.returncode, done.stderr.count("\n")) == (1, 1)


# ---------------------------------------------------------------------- in a process of its own


def test_terminals_without_unicode(tmp_path):
    (tmp_path / "odd.efg").write_text(COIN.replace("coin", "日本").replace("stop", "é"), "utf-8")
    for command in ("show", "solve"):
        done = run_alone("game", command, "odd.efg", cwd=tmp_path, PYTHONIOENCODING="ascii")
        assert done.returncode == 0
        assert done.stdout.isascii()
