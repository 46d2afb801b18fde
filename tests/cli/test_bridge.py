"""The commands for whole deals: diagrams, double dummy, conversions, matches, and playing through a pipe."""

import json
import sys
from functools import partial
from xml.etree import ElementTree

import pytest

from interruption import interrupted
from worldwise.bridge.files.any_format import read_boards
from worldwise.bridge.solvers import deal_tables, double_dummy
from worldwise.cli.bridge import commands as cli_bridge
from worldwise.kernels import SWITCH

ENDINGS = """\
[Board "1"]
[North "Ada"]
[Deal "N:AQ4... K53... 876... JT9..."]
[Contract "1NT"]
[Declarer "S"]

[Board "2"]
[Deal "N:AA... ..."]

[Board "3"]
[Deal "N:A2.K3.4. K4.QJ.5. 65.A2.6. 87.T9.7."]
[Auction "S"]
1NT Pass Pass Pass

[Board "4"]
[Deal "N:AQ4... K53... 876... JT9..."]
"""

WHOLE = '[Board "7"]\n[Deal "N:K75.KQ3.AK5.AQ53 JT82.T9.JT963.74 AQ.A87.Q74.KJ982 9643.J6542.82.T6"]\n'

DICE = ("match", "--declarer", "random", "--versus", "random", "--defence", "random")

FAULT = "board 2: expected a deal such as 'N:AK2.QJ4.T98.7654 ...' with four hands"


@pytest.fixture
def run(worldwise_command, tmp_path):
    """In a folder with a file of endings, and one of a whole deal."""
    (tmp_path / "endings.pbn").write_text(ENDINGS)
    (tmp_path / "whole.pbn").write_text(WHOLE)
    return partial(worldwise_command, "bridge")


@pytest.fixture
def without_dds(monkeypatch):
    for module in (double_dummy, deal_tables, cli_bridge):
        monkeypatch.setattr(module, "dds_found", lambda: False)


# ---------------------------------------------------------------------- show


def test_all_boards_and_what_is_wrong_with_others(run):
    done = run("show", "endings.pbn", "--ascii")
    assert done.returncode == 0
    assert [f"Board {number}" in done.stdout for number in (1, 2, 3, 4)] == [True, False, True, True]
    assert "North Ada" in done.stdout
    assert "S JT9" in done.stdout
    assert f"skipped: endings.pbn, line 8, {FAULT}" in done.stderr


def test_one_board_with_hands_hidden(run):
    done = run("show", "endings.pbn", "--board", 1, "--hide", "ew")
    assert "♠ AQ4" in done.stdout
    assert "JT9" not in done.stdout
    assert "K53" not in done.stdout
    told = run("show", "endings.pbn", "--board", 1, "--hide", "EW", "--json").json
    assert told["deal"] == {"north": "AQ4...", "east": None, "south": "876...", "west": None}


def test_json_of_a_file(run):
    told = run("show", "endings.pbn", "--json").json
    assert [board["board"] for board in told["boards"]] == [1, 3, 4]
    assert "board 2" in told["faults"][0]["place"]


def test_an_auction_is_shown(run):
    assert "Pass" in run("show", "endings.pbn", "--board", 3).stdout


def test_a_figure(run, tmp_path):
    done = run("show", "endings.pbn", "--board", 1, "--svg", "deal.svg")
    assert done.stdout == "wrote deal.svg\n"
    assert ElementTree.parse(tmp_path / "deal.svg").getroot().tag.endswith("svg")
    done = run("show", "endings.pbn", "--svg", "deal.svg")
    assert (done.returncode, "expected --board, found 3 boards" in done.stderr) == (2, True)


def test_boards_from_a_pipe(run):
    assert "Board 1" in run("show", "-", "--board", 1, stdin=ENDINGS).stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("show", "nowhere.pbn"), "no such file, and unknown deal 'nowhere.pbn'"),
        (("show", "endings.pbn", "--board", 2), FAULT),
        (("show", "whole.pbn", "--board", 9), "expected one of the boards 7, found no board 9"),
        (("show", "whole.pbn", "--hide", "NX"), "expected a seat (N, E, S or W), found 'X'"),
        (("dd", "endings.pbn", "--board", 2), FAULT),
        (("convert", "endings.pbn", "boards.doc"), "expected a name that ends in .pbn, .lin or .txt"),
        (("convert", "endings.pbn", "boards.doc", "--to", "doc"), "expected the form pbn, lin or links, found 'doc'"),
        (("match", "--declarer", "alphamo"), "--declarer: unknown player 'alphamo'"),
        (("match", "--defence", "pimc:world=3"), "--defence: unknown option of pimc 'world'"),
        (("match", "--contract", "8NT"), "--contract: expected a contract such as '3NT by S'"),
        ((*DICE, "--deals", "0"), "expected at least one deal, found 0"),
        ((*DICE, "--processes", "0"), "expected at least one job, found 0"),
        (("play", "endings.pbn", "--board", 2), FAULT),
        (
            ("play", "endings.pbn", "--board", 4),
            "expected a board with a contract, found none; give one with --contract",
        ),
        (("play", "endings.pbn", "--you", "X"), "expected N, E, S, W, declarer or none, found 'X'"),
        (("play", "endings.pbn", "--others", "me"), "--others: unknown player 'me'"),
        (("play", "endings.pbn", "--json"), "playing is a conversation"),
        (("play", "endings.pbn", "--board", 4, "--contract", "9S by N"), "--contract: expected a contract"),
    ],
)
def test_bad_input(run, arguments, words):
    done = run(*arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stdout == ""


# ---------------------------------------------------------------------- double dummy and conversion


def test_a_table_by_our_own_solver(run, kernels, without_dds):
    done = run("dd", "endings.pbn", "--board", 1, "--json")
    assert done.json["tricks"]["S"] == {"NT": 1, "S": 1, "H": 1, "D": 1, "C": 1}
    assert done.json["tricks"]["N"]["NT"] == 2
    assert "par" not in done.json
    text = run("dd", "endings.pbn", "--board", 1)
    assert "South" in text.stdout
    assert "no par: DDS is not installed: pip install 'worldwise[bridge]'" in text.stderr


def test_neither_kernels_nor_dds(run, worldwise_command, monkeypatch, without_dds):
    monkeypatch.setenv(SWITCH, "off")
    asked = [
        run(*words) for words in (("dd", "whole.pbn"), ("match",), ("play", "whole.pbn", "--contract", "7NT by S"))
    ]
    asked.append(worldwise_command("advise", "deals/avoidance"))
    for done, cards in zip(asked, (52, 52, 52, 46), strict=True):
        assert done.returncode == 2
        assert f"expected DDS or compiled kernels, found plain Python for {cards} cards" in done.stderr
        assert "pip install 'worldwise[bridge]'" in done.stderr


@pytest.mark.skipif(not double_dummy.dds_found(), reason="no DDS library on this machine (worldwise[bridge])")
def test_table_and_par_by_dds(run):
    done = run("dd", "whole.pbn")
    assert "par: " in done.stdout
    assert done.stderr == ""
    told = run("dd", "whole.pbn", "--json").json
    assert told[0]["board"] == 7
    assert told[0]["par"]["score"] > 1000


def test_there_and_back(run, tmp_path):
    assert run("convert", "whole.pbn", "whole.lin").stdout == "wrote whole.lin: 1 board\n"
    assert run("convert", "whole.lin", "links.txt", "--json").json == {
        "out": "links.txt",
        "boards": 1,
        "faults": [],
        "warnings": [],
    }
    link = run("convert", "whole.pbn", "-", "--to", "links").stdout
    assert link == (tmp_path / "links.txt").read_text()
    run("convert", "links.txt", "again.pbn")
    assert read_boards(tmp_path / "again.pbn").boards[0].deal == read_boards(tmp_path / "whole.pbn").boards[0].deal


# ---------------------------------------------------------------------- matches


def test_a_match_and_its_boards(run, tmp_path):
    done = run(*DICE, "--contract", "7NT", "--deals", 3, "--out", "match.jsonl", "--pbn", "match.pbn")
    assert done.returncode == 0
    assert "0 of 3 deals differ" in done.stdout
    assert done.stderr == ""
    boards = read_boards(tmp_path / "match.pbn").boards
    assert [board.number for board in boards] == [1, 1, 2, 2, 3, 3]
    assert all(len(board.cards) == 52 and str(board.contract) == "7NT by S" for board in boards)
    assert len((tmp_path / "match.jsonl").read_text().splitlines()) == 4
    told = run(*DICE, "--contract", "7NT", "--deals", 3, "--out", "match.jsonl", "--json").json
    assert [row["board"] for row in told["boards"]] == [1, 2, 3]
    assert told["make_rates"]["declarer"] == told["make_rates"]["versus"]
    other = run(*DICE, "--contract", "6NT", "--deals", 3, "--out", "match.jsonl")
    assert (other.returncode, "expected contract '6NT by S', found '7NT by S'" in other.stderr) == (2, True)


def test_kept_boards_are_not_written_over_by_their_pbn(run, tmp_path):
    done = run(*DICE, "--deals", 1, "--out", "match.jsonl", "--pbn", "./match.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--pbn: expected another file than that of --out, found 'match.jsonl' for both" in done.stderr
    assert not (tmp_path / "match.jsonl").exists()


def test_one_deal_is_not_several(run):
    assert "3NT by S, 1 deal, defence" in run(*DICE, "--deals", 1).stdout


def test_without_a_file_nothing_is_left_behind(run, tmp_path):
    told = [run(*DICE, "--deals", 2, "--seed", seed, "--json").json for seed in (5, 5, 6)]
    cards = [[row["first_cards"] for row in match["boards"]] for match in told]
    assert cards[0] == cards[1] != cards[2]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["endings.pbn", "whole.pbn"]


def test_ctrl_c_keeps_what_is_done(run, monkeypatch, tmp_path):
    def interrupted(path, match_run, how, *rest):
        complete(path, type(match_run)(match_run.match, 2, match_run.seed), how, *rest)
        raise KeyboardInterrupt

    complete = cli_bridge.complete_file
    monkeypatch.setattr(cli_bridge, "complete_file", interrupted)
    done = run(*DICE, "--deals", 4, "--out", "match.jsonl")
    assert done.returncode == 130
    assert "interrupted; 2 of 4 boards are in match.jsonl; the same command resumes" in done.stderr
    assert "nothing is kept without --out" in run(*DICE, "--deals", 4).stderr
    monkeypatch.setattr(cli_bridge, "complete_file", complete)
    assert run(*DICE, "--deals", 4, "--out", "match.jsonl", "--json").json["deals"] == 4


@pytest.mark.skipif(sys.platform == "win32", reason="signals of terminals")
def test_a_real_ctrl_c(tmp_path):
    code, errors = interrupted(["bridge", *DICE, "--deals", 100_000, "--out", "match.jsonl"], tmp_path, "match.jsonl")
    assert code == 130
    assert "the same command resumes" in errors
    lines = (tmp_path / "match.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["setting"]["board"] for line in lines[1:]] == list(range(1, len(lines)))


# ---------------------------------------------------------------------- playing


def test_a_session_with_undo_and_claim(run, kernels):
    done = run(
        "play", "endings.pbn", "--others", "dds", "--ascii", stdin="q\n4\nundo\nundo\nA\nclaim 3\nclaim x\nclaim 1\n"
    )
    assert done.returncode == 0
    assert "dds sees all four hands: the reference ceiling, not a player" in done.stdout
    wanted = [
        "West plays S9",
        "you play North's card, dummy's",
        "East plays SK",
        "expected one of S8, S7, S6, found '4'",
        "you play North's card, dummy's",
        "expected a card of yours to take back, found none",
        "East plays S3",
        "expected a claim that holds against best defence, found 3 of 3 tricks",
        "expected a number of tricks as in 'claim 3', found 'x'",
        "the claim is accepted",
        "1NT by South: 6 down, 1 trick",
    ]
    place = 0
    for line in wanted:
        place = done.stdout.index(line, place) + 1
    assert done.stdout.count("you play North's card") == 2
    before, after = done.stdout.split("the claim is accepted")
    assert "S JT9" not in before  # hidden until it is over
    assert "S JT9" in after


def test_a_session_to_the_last_card_saved_and_resumed(run, tmp_path):
    first = run("play", "endings.pbn", "--others", "dds", "--ascii", stdin="q\nsave half.pbn\nsave\nquit\n")
    assert "wrote half.pbn" in first.stdout
    assert "expected a file's name as in 'save board.pbn'" in first.stdout
    assert "stopped; the board is not finished" in first.stdout
    half = read_boards(tmp_path / "half.pbn").boards[0]
    assert (half.number, len(half.cards), half.tricks, half.names[0]) == (1, 3, None, "Ada")
    rest = run("play", "half.pbn", "--others", "dds", "--ascii", "--out", "end.pbn", stdin="6\n" + "8\nA\n7\n4\n" * 2)
    assert "1NT by South: 6 down, 1 trick" in rest.stdout
    end = read_boards(tmp_path / "end.pbn").boards[0]
    assert (len(end.cards), end.tricks) == (12, 1)
    over = run("play", "end.pbn")
    assert (over.returncode, "--again plays it from the lead" in over.stderr) == (2, True)
    assert run("play", "end.pbn", "--again", "--others", "random", stdin="quit\n").returncode == 0


def test_a_defender_and_a_hint(run):
    done = run("play", "endings.pbn", "--board", 3, "--you", "E", "--others", "random", "--ascii", stdin="hint\nhelp\n")
    assert done.returncode == 0
    assert "a player who samples worlds would play" in done.stdout
    assert "claim N" in done.stdout
    assert "S 87" not in done.stdout.split("East to play")[0]  # West's hand
    assert "S 65" not in done.stdout  # declarer's


def test_players_among_themselves(run, tmp_path):
    told = run("play", "endings.pbn", "--you", "none", "--others", "pimc:worlds=3", "--declarer", "dds", "--json").json
    assert len(told["play"]) == 12
    assert told["tricks"] in (1, 2)
    seeds = [
        run("play", "endings.pbn", "--board", 3, "--you", "none", "--others", "random", "--seed", seed, "--json").json
        for seed in (1, 1, 2)
    ]
    assert seeds[0] == seeds[1] != seeds[2]
    shown = run("play", "endings.pbn", "--you", "none", "--others", "dds", "--ascii").stdout
    assert shown.count(" plays ") == 12


def test_another_contract(run):
    alone = ("--others", "random", "--you", "none", "--json")
    told = run("play", "endings.pbn", "--board", 4, "--contract", "1S by E", *alone).json
    assert told["contract"]["declarer"] == "E"
    assert told["play"][0]["seat"] == "S"
    assert (
        run("play", "endings.pbn", "--board", 3, "--contract", "2C by N", *alone).json["contract"]["contract"] == "2C"
    )
