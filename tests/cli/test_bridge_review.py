"""The command that reviews played boards: text, JSON, a page, resuming, players, bad input."""

from dataclasses import replace
from functools import partial

import pytest

from worldwise import catalog
from worldwise.bridge.files.any_format import boards_text
from worldwise.bridge.rules.deal import read_card

needs_kernels = pytest.mark.usefixtures("needs_kernels")


@pytest.fixture
def run(worldwise_command, tmp_path):
    """In a folder with a whole deal that nobody has played."""
    (tmp_path / "whole.pbn").write_text(
        '[Board "7"]\n[Deal "N:K75.KQ3.AK5.AQ53 JT82.T9.JT963.74 AQ.A87.Q74.KJ982 9643.J6542.82.T6"]\n'
    )
    return partial(worldwise_command, "bridge")


@pytest.fixture
def played_board(run, tmp_path):
    """A board of which somebody has played the wrong card last."""
    guess = catalog.deal("deals/two-way-guess").board
    board = replace(guess, number=9, cards=(*guess.cards, read_card("SA")), tricks=None)
    (tmp_path / "played.pbn").write_text(boards_text([board], "pbn"))
    return "played.pbn"


REVIEW = ("--seat", "declarer", "--nodes", "2000", "--worlds", "12", "--processes", "1")


@needs_kernels
def test_a_review_names_the_decisive_moment(run, played_board, tmp_path):
    done = run("review", played_board, *REVIEW, "--html", "review.html")
    assert done.returncode == 0
    assert "Decisive moment: trick 9, South's ♠A." in done.stdout
    page = (tmp_path / "review.html").read_text()
    assert "Decisive moment: trick 9, South&#x27;s ♠A." in page
    told = run("review", played_board, "--board", 9, *REVIEW, "--json").json
    last = told["decisions"][-1]
    assert (last["card"], last["best"], last["verdict"], last["close"]) == ("SA", "S3", "mistake", False)
    assert told["decisive"] == last["place"]


@needs_kernels
def test_a_review_goes_on_where_it_stopped(run, played_board, tmp_path):
    whole = run("review", played_board, *REVIEW, "--json", "--out", "rows.jsonl")
    lines = (tmp_path / "rows.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "rows.jsonl").write_text("".join(lines[: len(lines) // 2]))
    again = run("review", played_board, *REVIEW, "--json", "--out", "rows.jsonl")
    assert again.json == whole.json
    assert (tmp_path / "rows.jsonl").read_text().splitlines(keepends=True) == lines
    assert run("review", played_board, *REVIEW, "--json").json == whole.json
    other = run("review", played_board, *REVIEW, "--seed", 1, "--out", "rows.jsonl")
    assert other.returncode == 2


@needs_kernels
def test_several_boards_have_a_summary_by_player(run, played_board, tmp_path):
    text = (tmp_path / played_board).read_text()
    other = text.replace('[Board "9"]', '[Board "10"]')
    (tmp_path / "two.pbn").write_text(text + "\n" + other)
    done = run("review", "two.pbn", *REVIEW, "--json")
    assert [board["board"] for board in done.json["boards"]] == [9, 10]
    (player,) = done.json["players"]
    assert (player["player"], player["boards"]) == ("South", 2)
    assert player["mistakes"] == sum(one["verdict"] == "mistake" for b in done.json["boards"] for one in b["decisions"])
    assert done.json["boards"][0]["decisions"] == done.json["boards"][1]["decisions"]  # the same board, the same answer
    assert "points lost" in run("review", "two.pbn", *REVIEW).stdout.replace("\n", " ")


@needs_kernels
@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("whole.pbn",), "expected a board with cards played, found none"),
        (("played.pbn", "--seat", "Q"), "expected a seat (N, E, S or W), found 'Q'"),
        (("played.pbn", "--board", "4"), "expected one of the boards 9, found no board 4"),
        (("nowhere.pbn",), "no such file"),
        (("played.pbn", "--constraints", "hcp(west) >="), "hcp(west) >="),
        (("played.pbn", "--out", "a", "--html", "a"), "expected another file than that of --out"),
    ],
)
def test_what_cannot_be_reviewed(run, played_board, arguments, error):
    done = run("review", *arguments, "--processes", 1)
    assert done.returncode == 2
    assert error in done.stderr
    assert "Traceback" not in done.stderr


# ---------------------------------------------------------------------- pasted hands, strict reading, claims

LITTLE = ("--seat", "declarer", "--nodes", "50", "--worlds", "2", "--processes", "1")
"""The ending is exact whatever the effort."""


@needs_kernels
def test_a_pasted_hand_is_a_board(run):
    guess = catalog.deal("deals/two-way-guess").board
    pasted = boards_text([replace(guess, number=9, cards=(*guess.cards, read_card("SA")), tricks=None)], "lin")
    last = run("review", pasted, *LITTLE, "--json").json["decisions"][-1]
    assert (last["card"], last["best"], last["verdict"]) == ("SA", "S3", "mistake")
    assert last["technique"] == {"name": "finesse", "seat": "E", "card": "SQ"}
    assert any("The S3 was a finesse against the SQ." in line for line in last["why"])


@needs_kernels
def test_strict_reading_costs_the_board_what_is_set_aside_otherwise(run, tmp_path, worldwise_command):
    guess = catalog.deal("deals/two-way-guess").board
    text = boards_text([guess], "pbn")
    (tmp_path / "bad.pbn").write_text(text.replace("[Play", '[Auction "S"]\n2C 1C\n[Play'))
    lenient = worldwise_command("advise", "bad.pbn")
    assert lenient.returncode == 0
    assert "set aside: bad.pbn, line" in lenient.stderr
    assert worldwise_command("advise", "bad.pbn", "--strict").returncode == 2
    assert run("review", "bad.pbn", *LITTLE, "--strict").returncode == 2
    shown = run("review", "bad.pbn", "--seat", "Q")
    assert "set aside: bad.pbn, line" in shown.stderr


@needs_kernels
def test_a_review_resumes_with_its_claim(run, tmp_path):
    guess = catalog.deal("deals/two-way-guess").board
    (tmp_path / "claimed.pbn").write_text(boards_text([replace(guess, number=9, tricks=12)], "pbn"))
    done = run("review", "claimed.pbn", *LITTLE, "--json", "--out", "rows.jsonl")
    assert done.json["claim"]["fails"] == 5
    assert not done.json["claim"]["good"]
    lines = (tmp_path / "rows.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "rows.jsonl").write_text("".join(lines[:-1]))
    assert run("review", "claimed.pbn", *LITTLE, "--json", "--out", "rows.jsonl").json == done.json
    text = run("review", "claimed.pbn", *LITTLE, "--out", "rows.jsonl").stdout
    assert "No line takes them in every layout." in text


@needs_kernels
def test_claims(run):
    assert run("claim", "deals/two-way-guess", "--json").json["chance"] == pytest.approx(0.677, abs=0.001)
    sure = run("claim", "deals/two-way-guess", "--tricks", 3)
    assert "The claim is good: one line takes them in all 15 layouts." in sure.stdout.replace("\n", " ")
    assert "expected a claim from 0 to 5 tricks, found 9" in run("claim", "deals/two-way-guess", "--tricks", 9).stderr
    assert "--after: expected at most the" in run("claim", "deals/two-way-guess", "--after", 51).stderr
