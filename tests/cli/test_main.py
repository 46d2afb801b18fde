"""The command line as its users meet it: a process of its own, real files, exit codes, one clear line on bad input."""

import json
import os
import subprocess
import sys
from contextlib import suppress
from xml.etree import ElementTree

import pytest
from typer import Context
from typer.main import get_command
from typer.testing import CliRunner

from command_alone import run
from patience import PATIENCE
from worldwise import ALGORITHMS, random_tree, read_tree, tree, write_tree
from worldwise.cli.main import app

GOOD = '{"worlds": 2, "root": {"max": [{"payoff": [1, 0]}, {"payoff": [0, 1]}]}}'


def test_version_says_which_kernels_run():
    assert "pure Python, WORLDWISE_KERNELS=off" in run("--version", WORLDWISE_KERNELS="off").stdout or (
        "not built" in run("--version").stdout
    )


def test_solve_prints_the_keys_programs_rely_on():
    done = run("tree", "solve", "fb01/fig-18", "--algorithm", "prm", "--json")
    assert done.returncode == 0
    answer = json.loads(done.stdout)
    assert {"algorithm", "believed", "value", "vector", "strategy", "optimal", "stats"} <= set(answer)
    assert answer["strategy"] == {"a": "left", "e": "left"}
    assert (answer["vector"], answer["optimal"]) == ([1, 0, 0], True)


def test_solve_all_marks_what_fails_and_why():
    rows = json.loads(run("tree", "solve", "fb01/fig-10", "--algorithm", "all", "--json").stdout)
    assert [row["algorithm"] for row in rows] == list(ALGORITHMS)
    assert [(row["optimal"], row["failure"]) for row in rows[:2]] == [(False, "strategy fusion"), (True, None)]
    text = run("tree", "solve", "fb01/fig-10", "--algorithm", "all").stdout
    assert "strategy fusion" in text
    assert text.count("optimal") == len(ALGORITHMS) - 1


def test_both_engines_print_the_same():
    for name in ("all", "exact"):
        arguments = ("tree", "solve", "fb01/fig-15", "--algorithm", name, "--seed", 4, "--json")
        fast, slow = json.loads(run(*arguments).stdout), json.loads(run(*arguments, WORLDWISE_KERNELS="off").stdout)
        for row in [*(fast if name == "all" else [fast]), *(slow if name == "all" else [slow])]:
            del row["stats"]["seconds"]
        assert fast == slow


def test_knowledge_and_known_worlds():
    blind = json.loads(run("tree", "solve", "fb01/fig-9", "--knowledge", "0", "--json").stdout)
    assert (blind["value"], blind["strategy"]) == (0.5, {"a": "right"})
    third = [
        json.loads(run("tree", "solve", "fb01/fig-9", "--knowledge", "1/3", "--seed", s, "--json").stdout)
        for s in (1, 1)
    ]
    assert third[0]["value"] == third[1]["value"]
    assert json.loads(run("tree", "solve", "fb01/fig-9", "--known", "w1,2", "--json").stdout)["value"] == 0.25


def test_samples_are_drawn_by_the_seed():
    arguments = ("tree", "solve", "fb01/fig-11", "--algorithm", "monte-carlo", "--samples", "2", "--json", "--seed")
    one, again = json.loads(run(*arguments, 1).stdout), json.loads(run(*arguments, 1).stdout)
    assert one["believed"] == again["believed"]
    assert one["algorithm"] == "monte-carlo-2"


def test_standard_input_and_files(tmp_path):
    (tmp_path / "tree.json").write_text(GOOD)
    from_file = json.loads(run("tree", "solve", tmp_path / "tree.json", "--json").stdout)
    assert json.loads(run("tree", "solve", "-", "--json", stdin=GOOD).stdout)["value"] == from_file["value"] == 0.5


def test_random_trees_are_written_and_read_back(tmp_path):
    out = tmp_path / "random.json"
    options = ("--depth", 4, "--worlds", 7, "--similarity", 0.5, "--seed", 3)
    assert run("tree", "random", *options, "--out", out).returncode == 0
    assert read_tree(out.read_text()) == random_tree(4, 7, similarity=0.5, seed=3)
    assert run("tree", "random", *options).stdout == out.read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["random.json"]
    assert json.loads(run("tree", "random", *options, "--out", out, "--json").stdout)["leaves"] == 16


def test_show_draws_in_the_terminal_and_as_svg(tmp_path):
    text = run("tree", "show", "fb01/fig-18", "--algorithm", "vector-mm").stdout
    assert "□ a" in text
    assert "011" in text
    out = tmp_path / "figure.svg"
    assert run("tree", "show", "fb01/fig-18", "--svg", out).returncode == 0
    picture = ElementTree.parse(out).getroot()
    assert picture.tag.endswith("svg")
    assert {"branch chosen", "vector"} <= {element.get("class") for element in picture.iter()}
    assert run("tree", "show", "fb01/fig-18", "--json").stdout.strip() == write_tree(tree("fb01/fig-18"))


def test_show_does_without_unicode():
    done = run("tree", "show", "fb01/fig-18", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert run("demo", PYTHONIOENCODING="ascii").returncode == 0


def test_list_and_demo():
    names = [entry["name"] for entry in json.loads(run("tree", "list", "--json").stdout)]
    assert "fb01/fig-24" in names
    assert "fbm97/fig-10" in run("tree", "list").stdout
    show = run("demo").stdout
    assert all(part in show for part in ("Non-locality", "Forgetting", "A suit at bridge", "A whole deal"))
    *trees, believing, best, hopeful, _, _, exact, advice = json.loads(run("demo", "--json").stdout)
    assert len(trees) == 2 * len(ALGORITHMS)
    assert (believing["believed"], believing["value"], best["value"]) == ([1], "-99/2", "1/2")
    assert (hopeful["optimal"], exact["probability"]) == (False, 0.24)
    assert advice["choices"][0]["pimc"] <= 1


def demo_at_a_terminal(typed, *options):
    """All that somebody sees who types this there."""
    pty = pytest.importorskip("pty", reason="this system has no terminals that a program can hold")
    terminal, its_end = pty.openpty()
    command = [sys.executable, "-m", "worldwise", "demo", *options]
    with subprocess.Popen(command, stdin=its_end, stdout=its_end, stderr=its_end) as process:
        os.close(its_end)
        os.write(terminal, typed)
        seen = b""
        with suppress(OSError):  # Linux's way to say that nobody is there any more
            while piece := os.read(terminal, 10_000):
                seen += piece
    os.close(terminal)
    assert process.returncode == 0
    return seen.decode()


def test_the_demo_waits_after_each_step_where_somebody_looks():
    """Enter goes on, q stops; without a terminal, and with --fast, nobody is asked."""
    assert "Enter" not in run("demo").stdout
    seen = demo_at_a_terminal(b"\nq\n")
    steps = ("A suit at bridge", "(4 left)", "A whole deal", "(3 left)", "Next:")
    assert sorted(steps, key=seen.index) == list(steps)
    assert "Strategy fusion" not in seen
    assert "Enter" not in demo_at_a_terminal(b"", "--fast")


def test_a_short_command_does_not_import_the_others():
    script = "import sys; from worldwise.cli.main import main; sys.argv[1:] = ['suit', 'AK', 'QJ', '--json']; main()"
    words = f"import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); {script}"
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    imported = set(done.stderr.split())
    assert "worldwise.cli.bridge.suit" in imported
    assert not {
        name for name in imported if name.startswith(("worldwise.kriegspiel", "worldwise.web", "worldwise.lab"))
    }


def commands(command, path=()):
    """Every command and group there is, by the words that call it."""
    yield path
    for name in getattr(command, "commands", {}):
        yield from commands(command.get_command(Context(command), name), (*path, name))


@pytest.mark.parametrize("path", list(commands(get_command(app))), ids=" ".join)
def test_help_of_every_command_shows_an_example_before_the_options_and_no_types_of_flags(path):
    helped = CliRunner().invoke(app, [*path, "--help"], prog_name="worldwise")
    assert helped.exit_code == 0
    before, options = helped.stdout.split("Options ─", 1)
    assert "Example: worldwise" in before
    assert "<bool>" not in options


def test_shells_can_complete_commands():
    shown = run(_WORLDWISE_COMPLETE="complete_bash", COMP_WORDS="worldwise su", COMP_CWORD="1").stdout
    assert shown.split() == ["suit"]


BAD = {
    "unknown name": (["tree", "solve", "fb01/fig-99"], "", "no such file, and unknown figure 'fb01/fig-99'"),
    "unknown algorithm": (["tree", "solve", "fb01/fig-9", "--algorithm", "prn"], "", "did you mean 'prm'?"),
    "wrong length": (
        ["tree", "solve", "-"],
        GOOD.replace("[1, 0]", "[1]"),
        "at root.max[0].payoff: expected 2 payoffs, found 1",
    ),
    "no children": (
        ["tree", "solve", "-"],
        '{"worlds": 1, "root": {"max": []}}',
        "at root.max: expected at least one child",
    ),
    "unknown key": (["tree", "solve", "-"], '{"worlds": 1, "root": {"mox": []}}', "mox"),
    "not a number": (["tree", "solve", "-"], GOOD.replace("0]", "NaN]", 1), "line 1"),
    "infinite": (["tree", "solve", "-"], GOOD.replace("0]", "1e999]", 1), "finite"),
    "negative weight": (
        ["tree", "solve", "-"],
        GOOD.replace('"root"', '"probabilities": [1, -1], "root"'),
        "probabilities[1]",
    ),
    "all-zero weights": (
        ["tree", "solve", "-"],
        GOOD.replace('"root"', '"probabilities": [0, 0], "root"'),
        "above zero",
    ),
    "unreachable world": (["tree", "solve", "-"], '{"worlds": 2, "root": {"payoff": [1, null]}}', "found none in w2"),
    "empty": (["tree", "solve", "-"], "", "found the end of the text"),
    "garbage": (["tree", "solve", "-"], b"\x80\x81\xff\x00", "expected UTF-8 text"),
    "a name too long for a file": (["tree", "solve", "x" * 5000], "", "no such file, and unknown figure 'xxx"),
    "a folder": (["tree", "solve", "/"], "", "Is a directory"),
    "bad knowledge": (["tree", "solve", "fb01/fig-9", "--knowledge", "much"], "", "expected a number such as"),
    "odd knowledge": (["tree", "solve", "fb01/fig-9", "--knowledge", "0.5"], "", "one of 0/3, 1/3 ... 1"),
    "bad world": (["tree", "solve", "fb01/fig-9", "--known", "w9"], "", "expected worlds from w1 to w4, found 'w9'"),
    "samples of prm": (
        ["tree", "solve", "fb01/fig-9", "--algorithm", "prm", "--samples", "3"],
        "",
        "--samples goes with",
    ),
    "depth below zero": (["tree", "random", "--depth", "-1"], "", "expected depth of at least 0, found -1"),
    "similarity": (["tree", "random", "--similarity", "2"], "", "between 0 and 1, found 2"),
    "too large": (["tree", "random", "--depth", "60"], "", "expected at most"),
    "nowhere to write": (
        ["tree", "show", "fb01/fig-9", "--svg", "/no/such/folder/x.svg"],
        "",
        "No such file or directory",
    ),
    "a folder to write": (["tree", "show", "fb01/fig-9", "--svg", "."], "", "worldwise: .: "),
    "a file for a folder": (["tree", "show", "fb01/fig-9", "--svg", "big.json/x.svg"], "", "Not a directory"),
    "too large to draw": (["tree", "show", "big.json", "--svg", "x.svg"], "", "expected"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_clear_line(case, tmp_path):
    arguments, stdin, message = BAD[case]
    (tmp_path / "big.json").write_text(write_tree(random_tree(9, 2)))
    done = run(*arguments, stdin=stdin, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_huge_file_is_refused_at_once(tmp_path):
    huge = tmp_path / "huge.json"
    with huge.open("wb") as file:
        file.truncate(2**30)
    done = run("tree", "solve", huge)
    assert done.returncode == 2
    assert "expected at most 256 MiB, found 1024" in done.stderr


def test_depth_100_000_is_answered_or_refused(tmp_path):
    deep = tmp_path / "deep.json"
    deep.write_text('{"worlds": 1, "root": ' + '{"max": [' * 100_000 + '{"payoff": [1]}' + "]}" * 100_000 + "}")
    for environment in ({}, {"WORLDWISE_KERNELS": "off"}):
        done = run("tree", "solve", deep, "--algorithm", "vector-mm", "--json", **environment)
        answered = done.returncode == 0 and json.loads(done.stdout)["value"] == 1
        assert answered or (done.returncode == 1 and "deeper than Python can recurse" in done.stderr)
    assert run("tree", "show", deep).returncode == 0


def test_a_limit_that_is_too_short_is_a_negative_answer(tmp_path):
    (tmp_path / "tree.json").write_text(write_tree(random_tree(10, 10)))
    done = run("tree", "solve", "tree.json", "--nodes", 10, cwd=tmp_path)
    assert done.returncode == 1
    assert "found no answer within 10 nodes" in done.stderr
    unknown = run("tree", "solve", "tree.json", "--nodes", 2000, "--algorithm", "vm-alphabeta", "--json", cwd=tmp_path)
    assert json.loads(unknown.stdout)["optimal"] is None


def test_a_reader_who_leaves_early_is_no_error():
    command = [sys.executable, "-m", "worldwise", "tree", "random", "--depth", "14"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as random:
        random.stdout.read(10)
        random.stdout.close()
        assert random.wait(timeout=PATIENCE) == 0
        assert random.stderr.read() == b""
