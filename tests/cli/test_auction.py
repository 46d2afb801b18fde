"""Commands that hear the auction: they say what it shows, read a system of one's own, or leave the calls alone."""

import pytest

pytestmark = pytest.mark.usefixtures("needs_kernels")

BOARD = """
[Board "1"]
[Dealer "W"]
[Vulnerable "None"]
[Deal "N:AJ5.K5.K654.9654 T6.J987.QJ87.JT8 KQ432.432.A32.32 987.AQT6.T9.AKQ7"]
[Declarer "S"]
[Contract "2S"]
[Auction "W"]
1C Pass 1H 1S
2H 2S AP
[Play "W"]
CA
*
"""
SYSTEM = "1C | 16+ | sure | strong club\n1C (P) 1H | 5+ spades | sure\n1C (P) 1H (1S) 2H | 3+ diamonds | sure"
QUICK = ("advise", "board.pbn", "--algorithm", "pimc", "--worlds", "4")


@pytest.fixture
def run(worldwise_command, tmp_path):
    (tmp_path / "board.pbn").write_text(BOARD)
    (tmp_path / "own.system").write_text(SYSTEM)
    (tmp_path / "bad.system").write_text("1NT | 15-17, balance | sure")
    return worldwise_command


def test_advice_prints_what_the_calls_show(run):
    assert "West: 11-15, 3-4 hearts, 3+ clubs, 0-4 spades (from 1C, 2H)" in run(*QUICK).stdout


def test_a_system_of_ones_own(run):
    said = run(*QUICK, "--system", "own.system", "--json").json["auction"]
    assert said["system"] == "own.system"
    east, west = said["hands"]
    assert (east["seat"], east["lengths"]["S"], west["lengths"]["D"]) == ("E", [5, 13], [3, 13])
    assert [call["call"] for call in west["calls"]] == ["1C", "2H"]


def test_the_auction_can_be_left_alone(run):
    done = run(*QUICK, "--no-auction", "--json")
    assert done.json["auction"] is None
    assert done.json["layouts"] > 10**6
    assert "from 1C" not in run(*QUICK, "--no-auction").stdout


@pytest.mark.parametrize("command", [QUICK, ("bridge", "review", "board.pbn")])
@pytest.mark.parametrize(
    ("system", "words"),
    [("bad.system", "bad.system, line 1: expected points"), ("precision", "unknown bidding system")],
)
def test_a_system_that_cannot_be_read(run, command, system, words):
    done = run(*command, "--system", system)
    assert done.returncode == 2
    assert words in done.stderr


def test_rows_of_a_review_belong_to_a_system(run):
    """Otherwise a run that resumes would mix two beliefs."""
    asked = ("bridge", "review", "board.pbn", "--seat", "W", "--worlds", "2", "--out", "rows.jsonl", "--quiet")
    assert run(*asked, "--processes", "1").returncode == 0
    assert run(*asked, "--no-auction").returncode == 2


# ---------------------------------------------------------------------- how well calls describe hands


def test_calls_are_measured_by_the_hands_behind_them(run):
    told = run("bridge", "auctions", "board.pbn", "--json").json
    assert told["tables"] == 1
    assert set(told["bits"]) == {"leader", "declarer"}
    assert sum(group["calls"] for group in told["sure"]) == sum(group["calls"] for group in told["kinds"])
    said = run("bridge", "auctions", "board.pbn").stdout
    assert "1 tables" not in said
    assert "minor opening" in said


def test_one_half_of_the_events(run):
    answers = [run("bridge", "auctions", "board.pbn", "--half", half) for half in ("tuning", "judging")]
    assert sorted(answer.returncode for answer in answers) == [0, 2]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--half", "best"), "unknown half of the events 'best'"),
        (("--system", "nobody"), "unknown bidding system"),
        (("--system", "bad.system"), "bad.system, line 1"),
    ],
)
def test_what_cannot_be_measured(run, options, words):
    assert words in " ".join(run("bridge", "auctions", "board.pbn", *options).stderr.split())


def test_a_match_over_boards_as_they_were_bid(run):
    options = ("--declarer", "pimc:worlds=4", "--versus", "pimc:worlds=4,system=none", "--defence", "random")
    told = run("bridge", "match", "--file", "board.pbn", "--deals", "1", *options, "--json").json
    assert (told["contract"], told["deals"]) == ("contracts as bid", 1)
    assert told["versus"]["player"].endswith("system=none")
    said = run("bridge", "match", "--file", "board.pbn", "--deals", "2", *options).stderr
    assert "expected 2 boards with an auction" in " ".join(said.split())


def test_chances_against_results(run, tmp_path):
    (tmp_path / "played.pbn").write_text(BOARD.replace("[Auction", '[Result "8"]\n[Auction'))
    told = run("bridge", "calibration", "played.pbn", "--worlds", "4", "--json").json
    assert told["tables"] == 1
    assert [one["forecast"] for one in told["forecasts"]] == ["pimc", "pimc, no auction", "double dummy"]
    assert "Brier" in run("bridge", "calibration", "played.pbn", "--worlds", "4").stdout
    assert run("bridge", "calibration", "board.pbn").returncode == 2
