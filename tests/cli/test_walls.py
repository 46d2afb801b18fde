"""What a command is given and cannot use ends in one line and exit code 2; what it prints obeys nobody."""

import gc
import io
import json
import os
import re
import socket
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from time import process_time
from unittest.mock import ANY

import pytest

from worldwise.lab.papers import load
from worldwise.lab.plan import Plan
from worldwise.runs.row_files import provenance
from worldwise.trees.generator import random_tree
from worldwise.trees.notation import write_tree

HUGE = "9" * 23
DEAL = '[Board "1"]\n[Deal "N:AKQ2.AKQ.AKQ.AKQ JT98.JT9.JT9.JT9 7654.876.876.876 3.5432.5432.5432"]\n'
GAME = 'EFG 2 R "bomb" {{ "Ann" }} c "" 1 "" {{ "a" {chance} "b" 1/2 }} 0 t "" 1 "" {{ 1 }} t "" 2 "" {{ 0 }}'

NUMBERS = {
    "nodes of a tree": ["tree", "solve", "fb01/fig-9", "--nodes", HUGE],
    "samples": ["tree", "solve", "fb01/fig-9", "--algorithm", "monte-carlo", "--samples", HUGE],
    "known": ["tree", "solve", "fb01/fig-9", "--known", "9" * 5000],
    "knowledge": ["tree", "solve", "fb01/fig-9", "--knowledge", "1e99999999"],
    "seed": ["tree", "solve", "fb01/fig-9", "--seed", HUGE],
    "depth of a tree": ["tree", "random", "--depth", HUGE],
    "worlds of a tree": ["tree", "random", "--worlds", HUGE],
    "branches of a tree": ["tree", "random", "--branching", HUGE],
    "nodes of a game": ["game", "solve", "bmv96/fig-2-g2", "--nodes", HUGE],
    "upper": ["game", "solve", "bmv96/fig-2-g2", "--upper", "1e9999999999"],
    "knowledge of a game": ["game", "show", "fb01/fig-9", "--knowledge", "1e99999999"],
    "samples of a game": ["game", "sampler", "openspiel:kuhn_poker", "--samples", HUGE],
    "games of a sampler": ["game", "sampler", "openspiel:kuhn_poker", "--games", HUGE],
    "model": ["game", "show", f"imp-model:k=2,b=2,d={HUGE}"],
    "partition": ["game", "show", f"three-partition:1,2,{'9' * 5000}"],
    "depth of advice": ["advise", "deals/discovery", "--depth", HUGE],
    "worlds of advice": ["advise", "deals/discovery", "--worlds", HUGE],
    "board": ["bridge", "show", "deals/discovery", "--board", HUGE],
    "deals": ["bridge", "match", "--deals", HUGE],
    "worlds of a player": ["bridge", "match", "--declarer", f"pimc:worlds={HUGE}"],
    "depth of a player": ["kriegspiel", "match", "rand", f"overconfident:{HUGE}"],
    "games": ["kriegspiel", "match", "rand", "rand", "--games", HUGE],
    "plies": ["kriegspiel", "match", "rand", "rand", "--ply-limit", HUGE],
    "moves to mate": ["kriegspiel", "mate", "8/7R/1K6/8/8/8/8/k7 w", "--moves", HUGE],
    "board of a review": ["bridge", "review", "deals/discovery", "--board", HUGE],
    "worlds of a review": ["bridge", "review", "deals/discovery", "--worlds", HUGE],
    "nodes of a review": ["bridge", "review", "deals/discovery", "--nodes", HUGE],
    "seed of a review": ["bridge", "review", "deals/discovery", "--seed", HUGE],
    "processes of a review": ["bridge", "review", "deals/discovery", "--processes", HUGE],
    "every so many": ["bridge", "auctions", "deals/discovery", "--every", HUGE],
    "worlds of a forecast": ["bridge", "calibration", "deals/discovery", "--worlds", HUGE],
    "worlds of a lead": ["bridge", "leads", "deals/discovery", "--worlds", HUGE],
    "endings": ["kriegspiel", "convert", "KQ", "--starts", HUGE],
    "moves of an ending": ["kriegspiel", "convert", "KQ", "--moves", HUGE],
    "ply of a game": ["kriegspiel", "show", "game.pgn", "--ply", HUGE],
    "deals of any game": ["match", "openspiel:kuhn_poker", "random", "random", "--deals", HUGE],
    "processes of any game": ["match", "openspiel:kuhn_poker", "random", "random", "--jobs", HUGE],
    "worlds of any player": ["match", "openspiel:kuhn_poker", f"pimc:worlds={HUGE}", "random"],
    "seconds of any game": ["play", "openspiel:kuhn_poker", "--seconds", "nan"],
    "seconds at a table": ["bridge", "table", "--seconds", "nan"],
    "most seconds at a table": ["bridge", "table", "--seconds", "1e10"],
    "seconds of a client": ["bridge", "client", "--seconds", "nan"],
    "ruffs": ["suit", "AKQ9", "32", "--ruffs", HUGE],
    "length": ["suit", "AKQ9", "32", "--west-length", HUGE],
    "value": ["suit", "AKQ9", "32", "--value", "3=1e999999999"],
    "tricks of a value": ["suit", "AKQ9", "32", "--value", f"{HUGE}=1"],
    "rounds": ["suit", "--drill", "--rounds", HUGE],
    "tricks": ["suit", "AKQ9", "32", "--tricks", HUGE],
    "splits": ["suit", "AKQ9", "32", "--splits", f"2={HUGE}e999999999"],
    "seed of a run": ["lab", "run", "bmv96/strategies", "--scale", "smoke", "--seed", HUGE],
}


@pytest.mark.parametrize("case", NUMBERS)
def test_a_monstrous_number_is_one_clear_line(worldwise_command, case):
    done = worldwise_command(*NUMBERS[case])
    assert done.returncode == 2
    assert re.search(r"expected .*, found|Invalid value for '--", done.stderr), "the command is wrong somewhere else"
    assert len(done.stderr) < 1500, "an error quotes a monstrous number in full"


LARGEST = 2**63 - 1
"""What options let pass."""


@pytest.mark.parametrize(
    "command",
    [
        ["tree", "solve", "fb01/fig-9", "--algorithm", "monte-carlo", "--samples", LARGEST],
        ["game", "sampler", "openspiel:kuhn_poker", "--samples", LARGEST],
        ["game", "sampler", "openspiel:kuhn_poker", "--games", LARGEST],
        ["bridge", "match", "--declarer", "random", "--defence", "random", "--deals", LARGEST],
        ["kriegspiel", "match", "rand", "rand", "--games", LARGEST],
        ["tree", "random", "--depth", LARGEST],
        ["tree", "random", "--worlds", LARGEST],
        ["game", "show", f"imp-model:k=2,b=2,d={LARGEST}"],
        ["kriegspiel", "mate", "8/7R/1K6/8/8/8/8/k7 w", "--moves", LARGEST],
        ["advise", "deal.pbn", "--worlds", LARGEST],
        ["bridge", "review", "deals/discovery", "--worlds", LARGEST],
        ["bridge", "review", "deals/discovery", "--processes", LARGEST],
        ["kriegspiel", "match", "rand", "rand", "--jobs", LARGEST],
        ["kriegspiel", "ladder", "rand", "simple", "--games", LARGEST],
        ["kriegspiel", "ladder", "rand", "simple", "--jobs", LARGEST],
        ["lab", "run", "bmv96/strategies", "--scale", "smoke", "--jobs", LARGEST],
        ["bridge", "match", "--declarer", "random", "--defence", "random", "--processes", LARGEST],
        ["bridge", "leads", "deal.pbn", "--worlds", LARGEST],
        ["atlas", "find", "--count", LARGEST],
        ["atlas", "top", "--count", LARGEST],
    ],
)
def test_a_number_that_fits_a_word_may_still_be_too_large(worldwise_command, command):
    """A list of so many samples, deals or games used to grow until no memory was left."""
    Path("deal.pbn").write_text(f'{DEAL}[Dealer "N"]\n[Auction "N"]\n1NT Pass Pass Pass\n')
    done = worldwise_command(*command)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)


PLAYED = DEAL + (
    '[Dealer "N"]\n[Auction "N"]\n1NT Pass Pass Pass\n[Contract "1NT"]\n[Declarer "N"]\n[Result "7"]\n'
    '[Play "E"]\nSJ\n*\n'
)


@pytest.mark.parametrize("command", ["leads", "calibration"])
def test_a_bar_that_an_error_ends_leaves_nothing_behind(worldwise_command, tmp_path, capsys, command):
    """It used to write a line whenever it was cleared away, to what was standard error by then."""
    (tmp_path / "deal.pbn").write_text(PLAYED)
    done = worldwise_command("bridge", command, "deal.pbn", "--worlds", LARGEST)
    gc.collect()
    assert (done.returncode, done.stderr.splitlines(), capsys.readouterr().err) == (2, [ANY], "")


@pytest.mark.parametrize("command", ["leads", "calibration"])
def test_where_nobody_looks_there_is_no_bar(needs_kernels, worldwise_command, tmp_path, command):
    (tmp_path / "deal.pbn").write_text(PLAYED)
    done = worldwise_command("bridge", command, "deal.pbn", "--worlds", 1)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("command", [["game", "show"], ["game", "solve"]])
def test_a_chance_with_a_monstrous_exponent(worldwise_command, tmp_path, command):
    (tmp_path / "bomb.efg").write_text(GAME.format(chance="1e999999999"))
    done = worldwise_command(*command, "bomb.efg")
    assert (done.returncode, "expected a number such as 3, 0.25 or 1/3, found '1e999999999'" in done.stderr) == (
        2,
        True,
    )


def test_a_move_whose_name_is_a_monstrous_number(worldwise_command, tmp_path):
    """Names of chance moves are compared with their chances."""
    (tmp_path / "bomb.efg").write_text(GAME.format(chance="1/2").replace('"a"', '"1e99999999"'))
    done = worldwise_command("game", "show", "bomb.efg")
    assert (done.returncode, "1e99999999" in done.stdout) == (0, True)


# ---------------------------------------------------------------------- nesting

DEEP = "[" * 100_000


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("tree.json", ["tree", "show"]),
        ("tree.json", ["game", "show"]),
        ("game.json", ["kriegspiel", "play", "--resume"]),
        ("deal.pbn", ["bridge", "show"]),
        ("deal.lin", ["bridge", "show"]),
        ("game.efg", ["game", "show"]),
    ],
)
@pytest.mark.parametrize("opening", ["[", "{", '{"a":', "("])
def test_deep_nesting_is_one_clear_line(worldwise_command, tmp_path, name, command, opening):
    (tmp_path / name).write_text(opening * 100_000)
    done = worldwise_command(*command, name)
    assert (done.returncode, done.stderr.splitlines()) == (2, [ANY])
    assert "expected" in done.stderr


def result_file(folder, change=lambda row: row):
    """The rows of an experiment, changed by somebody, without checksums as version 0.1 wrote them."""
    plan = Plan(load("fb01/fig-29"), "smoke")
    rows = [(pair, change(dict(plan.task(pair).row))) for pair in plan.pairs]
    entries = [{"setting": dict(pair.setting), "seed": pair.number, "row": row} for pair, row in rows]
    lines = [{**provenance(plan), "worldwise-lab": 1}, *entries]
    folder.mkdir()
    path = folder / plan.file_name
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_a_bomb_in_a_result_file_hides_no_other_experiment(worldwise_command, tmp_path):
    path = result_file(tmp_path / "results")
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], DEEP, *lines[1:]]) + "\n")
    done = worldwise_command("lab", "list", "--out", "results", "--json")
    assert done.returncode in (0, 2)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("level", ["2147483648", "99999999999999999999", "-1", "²"])
def test_an_index_in_the_name_of_a_row_is_possible_or_refused(worldwise_command, tmp_path, level):
    def rename(row):
        return {name.replace("monte-carlo.7.errors", f"monte-carlo.{level}.errors"): row[name] for name in row}

    path = result_file(tmp_path / "results", rename)
    for command in (["compare", "fb01/fig-29"], ["verdicts", "fb01/fig-29"]):
        done = worldwise_command("lab", *command, "--out", "results")
        assert done.returncode == {"compare": 2, "verdicts": 0}[command[0]]  # a scoreboard leaves it out
        assert "the number of worlds that MIN knows: expected a whole number" in done.stderr
        assert path.name in done.stderr


def test_a_row_says_nothing_of_its_own_setting(worldwise_command, tmp_path):
    """Otherwise what was measured at one depth could claim another, a monstrous one."""
    result_file(tmp_path / "results", lambda row: {**row, "depth": 2**31})
    done = worldwise_command("lab", "compare", "fb01/fig-29", "--out", "results")
    assert "expected a row that says nothing of its own setting" in done.stderr


# ---------------------------------------------------------------------- the terminal

TITLE = "\x1b]0;x\x07"
COLOUR = "\x1b[31m"


def obeyed(done):
    """The control characters that reach the terminal."""
    return {letter for letter in done.stdout + done.stderr if letter < " " and letter not in "\n\t"}


def test_names_of_players_do_not_speak_to_the_terminal(worldwise_command, tmp_path):
    (tmp_path / "deal.pbn").write_text(f'{DEAL}[North "{TITLE}Ann"]\n{{{COLOUR}comment}}\n')
    done = worldwise_command("bridge", "show", "deal.pbn")
    assert (done.returncode, obeyed(done)) == (0, set())
    assert "\\x1b]0;x" in done.stdout


def test_errors_do_not_speak_to_the_terminal(worldwise_command, tmp_path):
    (tmp_path / "deal.pbn").write_text(f'{DEAL}[Auction "N"]\n1NT {COLOUR}\n')
    (tmp_path / f"{COLOUR}.json").write_text("{")
    assert obeyed(worldwise_command("bridge", "show", "deal.pbn")) == set()
    assert obeyed(worldwise_command("tree", "show", f"{COLOUR}.json")) == set()


@pytest.mark.parametrize("command", ["show", "solve"])
def test_names_in_trees_do_not_speak_to_the_terminal(worldwise_command, tmp_path, command):
    names = {"name": f"{TITLE}root", "moves": [f"{COLOUR}left", "right\r"]}
    leaves = [{"payoff": [1, 0]}, {"payoff": [0, 1]}]
    tree = {"worlds": 2, "title": TITLE, "world_names": [f"w{COLOUR}", "v"], "root": {"max": leaves, **names}}
    (tmp_path / "tree.json").write_text(json.dumps(tree))
    done = worldwise_command("tree", command, "tree.json")
    assert (done.returncode, obeyed(done)) == (0, set())


@pytest.mark.parametrize("command", ["show", "solve"])
def test_names_in_games_do_not_speak_to_the_terminal(worldwise_command, tmp_path, command):
    text = GAME.format(chance="1/2").replace("bomb", TITLE).replace("Ann", f"{COLOUR}Ann").replace('"a"', f'"{TITLE}"')
    (tmp_path / "game.efg").write_text(text)
    done = worldwise_command("game", command, "game.efg")
    assert (done.returncode, obeyed(done)) == (0, set())


def test_halves_of_characters_are_written_out(worldwise_command, tmp_path):
    tree = {"worlds": 1, "root": {"max": [{"payoff": [1]}], "name": "\ud800"}}
    (tmp_path / "tree.json").write_text(json.dumps(tree))
    done = worldwise_command("tree", "show", "tree.json")
    assert (done.returncode, "\ud800" in done.stdout) == (0, False)


def test_brackets_in_a_name_are_no_markup(worldwise_command):
    done = worldwise_command("tree", "random", "--depth", "2", "--out", "x[bold].json")
    assert (done.returncode, done.stdout.startswith("wrote x[bold].json")) == (0, True)


@pytest.mark.parametrize("command", [["bridge", "show"], ["bridge", "convert"], ["bridge", "dd"]])
def test_latin_text_on_standard_input_is_read_as_from_a_file(request, worldwise_command, tmp_path, command):
    if command[-1] == "dd":
        request.getfixturevalue("needs_kernels")  # a whole deal
    content = f'{DEAL}[North "Gösta"]\n'.encode("latin-1")
    (tmp_path / "deal.pbn").write_bytes(content)
    out = ["-", "--to", "pbn"] if command[-1] == "convert" else []
    by_name = worldwise_command(*command, "deal.pbn", *out)
    on_input = worldwise_command(*command, "-", *out, stdin=content)
    assert (by_name.returncode, on_input.returncode) == (0, 0)
    assert by_name.stdout == on_input.stdout
    assert "Gösta" in on_input.stdout or command[-1] == "dd"


def test_a_figure_obeys_a_limit(worldwise_command, tmp_path):
    (tmp_path / "large.json").write_text(write_tree(random_tree(9, 40, similarity=0.1)))
    done = worldwise_command("tree", "show", "large.json", "--algorithm", "exact", "--seconds", "0.0001")
    assert (done.returncode, "found no answer within 0.0001 seconds" in done.stderr) == (1, True)
    done = worldwise_command("game", "show", "large.json", "--solve", "brute-force", "--seconds", "0.0001")
    assert (done.returncode, "found no answer within 0.0001 seconds" in done.stderr) == (1, True)


# ---------------------------------------------------------------------- reviews, suits and shells


@pytest.mark.parametrize(
    "command",
    [
        ["bridge", "review", "deal.pbn"],
        ["bridge", "review", "junk.pbn"],
        ["bridge", "review", "."],
        ["bridge", "review", "nowhere.pbn"],
        ["bridge", "review", "deals/discovery", "--seat", "x"],
        ["bridge", "review", "deals/discovery", "--html", "."],
        ["bridge", "review", "deals/discovery", "--out", "."],
        ["bridge", "review", "deals/discovery", "--out", "same", "--html", "same"],
        ["suit", "AQ", "32", "--why", "a " * 30_000],
        ["suit", "A" * 100_000, "32"],
        ["suit", "AQ", "32", "--aim", "x"],
        ["suit", "AQ", "32", "--defence", "x"],
        ["suit", "AQ", "32", "--against", "x"],
    ],
)
def test_what_cannot_be_reviewed_or_solved_is_one_clear_line(worldwise_command, tmp_path, command):
    (tmp_path / "deal.pbn").write_text(DEAL)
    (tmp_path / "junk.pbn").write_bytes(bytes(range(256)) * 10)
    done = worldwise_command(*command)
    assert (done.returncode, done.stderr.count("\n"), len(done.stderr) < 2500) == (2, 1, True)
    assert done.stderr.startswith("worldwise: ")


@pytest.mark.parametrize("options", [[], ["--aim", "matchpoints"], ["--defence", "single-dummy"], ["--tree"]])
@pytest.mark.parametrize("hands", [("T9743", "QJ6"), ("QT8642", "-"), ("J8", "KT5432")])
def test_a_suit_and_its_words_obey_their_time(worldwise_command, hands, options):
    """Some of these once took nine seconds for their words; ten times the limit is not load, but a loop without it."""
    began = process_time()
    done = worldwise_command("suit", *hands, "--seconds", 0.5, *options)
    assert process_time() - began < 5
    assert done.returncode in (0, 1)
    assert done.returncode == 0 or "within 0.5 seconds" in done.stderr


@pytest.mark.parametrize(
    "environment", [{}, {"COMP_WORDS": "worldwise"}, {"COMP_WORDS": "worldwise", "COMP_CWORD": "x"}]
)
def test_a_shell_that_does_not_say_what_to_complete(worldwise_command, monkeypatch, environment):
    for name, value in {"_WORLDWISE_COMPLETE": "complete_bash", **environment}.items():
        monkeypatch.setenv(name, value)
    done = worldwise_command()
    assert (done.returncode, done.stderr.count("\n"), "COMP_CWORD" in done.stderr) == (2, 1, True)


# ---------------------------------------------------------------------- what is typed


class EndlessLine(io.RawIOBase):
    """Some megabytes of a line; whoever wants more would never be satisfied."""

    def __init__(self):
        self.left = 4 * 2**20

    def readable(self):
        return True

    def readinto(self, room):
        assert self.left > 0, "it is read without end"
        self.left -= len(room)
        room[:] = b"a" * len(room)
        return len(room)


@pytest.mark.parametrize(
    "command",
    [
        ["drill"],
        ["suit", "AKQ9", "32", "--drill"],
        ["bridge", "play", "deals/discovery"],
        ["kriegspiel", "play"],
        ["play", "bmv96/fig-2-g2"],
    ],
)
def test_a_line_that_never_ends_is_refused(request, worldwise_command, command):
    if command[:2] == ["bridge", "play"]:
        request.getfixturevalue("needs_kernels")  # a whole deal
    done = worldwise_command(*command, stdin=io.BufferedReader(EndlessLine()))
    assert (done.returncode, "expected a line of fewer than 10,000 characters, found more" in done.stderr) == (2, True)


# ---------------------------------------------------------------------- what is written to

WHOLE_DEALS = "boards of a match"

WRITERS = {
    "a tree's figure": ["tree", "show", "fb01/fig-9", "--svg"],
    "a tree": ["tree", "random", "--out"],
    "a game's figure": ["game", "show", "bmv96/fig-2-g2", "--svg"],
    "a game": ["game", "convert", "bmv96/fig-2-g2"],
    "a diagram": ["bridge", "show", "deals/discovery", "--svg"],
    "boards": ["bridge", "convert", "deals/discovery", "--to", "pbn"],
    "a suit's figure": ["suit", "AQ", "32", "--svg"],
    WHOLE_DEALS: ["bridge", "match", "--declarer", "random", "--defence", "random", "--deals", 1, "--pbn"],
    "games of a match": ["kriegspiel", "match", "rand", "rand", "--games", 1, "--ply-limit", 10, "--pgn"],
}


@pytest.mark.skipif(sys.platform == "win32", reason="pipes have no names there")
@pytest.mark.parametrize("case", WRITERS)
def test_a_pipe_is_written_to_and_never_replaced(request, worldwise_command, tmp_path, case):
    """A device in its place, such as the terminal, would be gone for everybody."""
    if case == WHOLE_DEALS:
        request.getfixturevalue("needs_kernels")
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    done = worldwise_command(*WRITERS[case], "pipe")
    got = os.read(reader, 50)
    os.close(reader)
    assert (done.returncode, done.stderr, len(got)) == (0, "", 50)
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


@pytest.mark.skipif(sys.platform == "win32", reason="sockets have no names there")
@pytest.mark.parametrize("case", WRITERS)
def test_a_socket_is_refused_and_never_replaced(request, worldwise_command, tmp_path, case):
    if case == WHOLE_DEALS:
        request.getfixturevalue("needs_kernels")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        done = worldwise_command(*WRITERS[case], "socket")
    assert (done.returncode, done.stderr.count("\n"), "socket" in done.stderr) == (2, 1, True)
    assert stat.S_ISSOCK((tmp_path / "socket").stat().st_mode)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes have no names there")
@pytest.mark.parametrize(
    "command",
    [
        ["bridge", "match", "--declarer", "random", "--defence", "random", "--deals", 1, "--out", "pipe"],
        ["kriegspiel", "match", "rand", "rand", "--games", 1, "--output", "pipe"],
        ["bridge", "review", "deals/discovery", "--out", "pipe"],
        ["kriegspiel", "play", "--save", "pipe"],
    ],
)
def test_what_is_resumed_is_not_kept_in_a_pipe(worldwise_command, tmp_path, command):
    """Nobody writes to it: a command that reads it first would wait for ever."""
    os.mkfifo(tmp_path / "pipe")
    done = worldwise_command(*command)
    assert (done.returncode, done.stderr.count("\n"), "Traceback" in done.stderr) == (2, 1, False)
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


# ---------------------------------------------------------------------- what is read from


def pour(path):
    """Write to a pipe for as long as somebody reads."""
    with suppress(BrokenPipeError), path.open("wb", buffering=0) as pipe:
        while True:
            pipe.write(bytes(2**20))


@pytest.mark.skipif(sys.platform == "win32", reason="pipes have no names there")
@pytest.mark.parametrize(
    "command", [["bridge", "show"], ["game", "show"], ["tree", "show"], ["kriegspiel", "play", "--resume"]]
)
def test_what_never_ends_is_refused(worldwise_command, tmp_path, command):
    """As a device may: it would be read until no memory is left."""
    pipe = tmp_path / "endless.efg"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as writer:
        writer.submit(pour, pipe)
        done = worldwise_command(*command, "endless.efg")
    assert (done.returncode, done.stderr.count("\n"), "expected at most" in done.stderr) == (2, 1, True)
