"""Any game on the command line: matches that resume, a game in the terminal, one clear line on bad input."""

import json
from pathlib import Path

import pytest

from worldwise.runs.row_lines import open_seal, seal

EXAMPLES = Path(__file__).parents[2] / "examples"
WHIST = f"{EXAMPLES / 'mini_whist.py'}:MiniWhist"
SMALL = """
from mini_whist import MiniWhist
GAME = MiniWhist(cards=2, suits=2, ranks=3)

class Broken(MiniWhist):
    def moves(self, table):
        return 1 / 0
"""


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small_whist.py"
    path.write_text(f"import sys\nsys.path.append({str(EXAMPLES)!r})\n{SMALL}")
    return f"{path}:GAME"


def test_a_match_resumes_and_can_be_made_longer(worldwise_command, small, tmp_path):
    rows = tmp_path / "rows.jsonl"
    match = ("match", small, "pimc:worlds=3", "random", "--seed", "3", "--json")
    whole = json.loads(worldwise_command(*match, "--deals", "4").stdout)
    worldwise_command(*match, "--deals", "2", "--output", str(rows))
    before = rows.read_text()
    resumed = json.loads(worldwise_command(*match, "--deals", "4", "--output", str(rows)).stdout)
    assert rows.read_text().startswith(before)
    assert resumed["rows"] == whole["rows"]
    assert len(whole["rows"]) == 4
    assert whole["payoff"]["low"] <= whole["payoff"]["value"] <= whole["payoff"]["high"]
    assert sorted(whole["seats"]) == ["0", "1"]


def test_a_match_of_others_players_is_another_match(worldwise_command, small, tmp_path):
    rows = str(tmp_path / "rows.jsonl")
    worldwise_command("match", small, "random", "random", "--deals", "1", "--output", rows)
    done = worldwise_command("match", small, "pimc", "random", "--deals", "1", "--output", rows)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_in_words(worldwise_command, small):
    said = worldwise_command("match", small, "random", "random", "--deals", "3").stdout
    assert "random against random, 3 deals, 2 seats each" in said
    assert "as 0:" in said


@pytest.mark.parametrize("source", ["openspiel:kuhn_poker", "bmv96/fig-3", "worldwise.phantom:Phantom"])
def test_every_kind_of_game(worldwise_command, source):
    if source.startswith("openspiel"):
        pytest.importorskip("pyspiel")
    done = worldwise_command("match", source, "is-mcts:simulations=5", "random", "--deals", "1", "--json")
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["rows"]) == 1


ODD_ROWS = {"no seats": {}, "one seat": {"seat 1": 1.0}, "words": {"seat 1": "x", "seat 2": "y"}}
ODD_ROWS |= {"a payoff of 400 digits": {"seat 1": 10**400, "seat 2": 0}}


@pytest.mark.parametrize("row", ODD_ROWS.values(), ids=ODD_ROWS)
def test_rows_of_another_shape_are_refused(worldwise_command, small, tmp_path, row):
    """Rows with valid checksums that no match has written used to be averaged, as far as that was possible."""
    match = ("match", small, "random", "random", "--deals", "1", "--output", tmp_path / "rows.jsonl")
    assert worldwise_command(*match).returncode == 0
    first, line = (tmp_path / "rows.jsonl").read_bytes().splitlines()
    entry, _ = open_seal(line)
    (tmp_path / "rows.jsonl").write_bytes(first + b"\n" + seal({**entry, "row": row}))
    done = worldwise_command(*match)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "expected the row of a deal, found something else" in done.stderr


def test_a_match_is_not_resumed_with_a_game_that_has_changed(worldwise_command, small, tmp_path):
    match = ("match", small, "random", "random", "--output", tmp_path / "rows.jsonl")
    assert worldwise_command(*match, "--deals", "1").returncode == 0
    path = tmp_path / "small_whist.py"
    path.write_text(path.read_text().replace("cards=2", "cards=3"))
    done = worldwise_command(*match, "--deals", "2")
    assert (done.returncode, "fingerprint" in done.stderr) == (2, True)


def test_play_in_the_terminal(worldwise_command, small):
    cards = "\n".join(str(card) for card in [*range(6), *range(6)] * 4)
    done = worldwise_command("play", small, "--against", "pimc:worlds=3", "--seed", "2", "--as", "1", stdin=cards)
    assert done.returncode == 0, done.stderr
    assert "Your moves: " in done.stdout
    assert "The game is over: 0 gets " in done.stdout
    *_, last, _ = done.stdout.splitlines()
    assert last.startswith("You have observed: ")
    assert last.endswith("((0, 5), (1, 4), (0, 0), (1, 1)))"), "all four cards, the last one too"
    told = worldwise_command("play", small, "--against", "random", "--seed", "2", "--json", stdin=cards).stdout
    assert '"against": "random"' in told


def test_the_end_of_the_input_ends_the_game(worldwise_command, small):
    done = worldwise_command("play", small, "--seed", "1", stdin="nonsense\n")
    assert done.returncode == 2
    assert "expected one of your moves, found 'nonsense'" in done.stdout
    assert "expected a move, found the end of the input" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["match", "small", "nobody", "random"], "unknown player 'nobody'"),
        (["match", "small", "pimc:worlds=0", "random"], "worlds"),
        (["match", "nowhere.py:Game", "random", "random"], "nowhere.py: No such file"),
        (["match", "math:pi", "random", "random"], "expected a Game (with a method observe)"),
        (["match", "small", "random", "random", "--deals", "0"], "at least one deal"),
        (["play", "small", "--as", "North"], "expected one of 0, 1, found 'North'"),
        (["match", "broken", "random", "random"], "ZeroDivisionError"),
        (["match", "small", "random", "random", "--jobs", "100000"], "expected at most 128 jobs, found 100,000"),
        (["match", "small", "random", "random", "--deals", 2**63 - 1], "expected at most 1,000,000 deals"),
    ],
)
def test_bad_input_is_one_line(worldwise_command, small, arguments, said):
    given = {"small": small, "broken": small.replace("GAME", "Broken")}
    done = worldwise_command(*(given.get(word, word) for word in arguments))
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_game_of_ones_own_is_solved_as_any_other(worldwise_command, small):
    done = worldwise_command("game", "check", small, "--json")
    assert json.loads(done.stdout)["nodes"] == 1027
    refused = worldwise_command("game", "check", WHIST)
    assert refused.returncode == 2
    assert ":MiniWhist: expected a game of at most 200,000 deals, found more" in refused.stderr


def test_sets_are_called_by_what_is_observed(worldwise_command, small):
    told = worldwise_command("game", "solve", small, "--algorithm", "mixed-equilibrium", "--json").json
    assert "({0, 1}, ())" in {row["set"] for row in told["profile"]}


ENDLESS = """
class Endless:
    players = ("A",)
    def deal(self, rng): return 0
    def deals(self): return [(0, 1)]
    def to_move(self, number): return "A"
    def moves(self, number): return ("on",)
    def play(self, number, move): return number + 1
    def payoff(self, number, player): return 0
    def observe(self, number, player): return number
"""


def test_a_game_that_never_ends_is_refused(worldwise_command, tmp_path):
    (tmp_path / "endless.py").write_text(ENDLESS)
    done = worldwise_command("game", "check", f"{tmp_path / 'endless.py'}:Endless")
    assert (done.returncode, "expected a game of at most 300,000 nodes" in done.stderr) == (2, True)


def test_writing_the_tree_out_counts_as_time(worldwise_command, small):
    done = worldwise_command("game", "solve", small, "--algorithm", "imp-minimax", "--seconds", "0.001")
    assert (done.returncode, done.stderr) == (1, "worldwise: imp-minimax found no answer within 0.001 seconds\n")
