"""The commands for matches and boards of kriegspiel, and errors of all of them."""

import json
import sys

import pytest

from interruption import interrupted
from kriegspiel_talk import TINY, assert_in_order
from worldwise.cli.kriegspiel import games as cli_kriegspiel_games
from worldwise.kriegspiel.records.pgn_reader import read_pgn
from worldwise.kriegspiel.rules.squares import uci

DICE = ("match", "rand", "rand", "--fen", TINY, "--ply-limit", 30)


@pytest.fixture
def run(worldwise_command):
    return lambda *arguments, stdin="": worldwise_command("kriegspiel", *arguments, stdin=stdin)


# ---------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("match", "rand", "gredy"), "the second player: unknown player 'gredy' (did you mean 'greedy'?)"),
        (("match", "greedy:board=3", "rand"), "the first player: unknown option of greedy 'board'"),
        (("match", "rand", "rand", "--rules", "wild"), "expected a rule set (wild16, berkeley"),
        (("match", "rand", "rand", "--fen", "8/8 w"), "--fen: expected one king of each colour"),
        (("match", "rand", "rand", "--games", "0"), "expected at least one game, found 0"),
        (("match", "rand", "rand", "--jobs", "0"), "expected at least one job, found 0"),
        (("match", "rand", "rand", "--boards", "3", "--seconds", "1"), "expected a budget of boards or of seconds"),
        (
            ("match", "rand", "rand", "--boards", "0"),
            "expected a budget of some boards, above 0 and not endless, found 0",
        ),
        (("play", "--opponent", "deep"), "--opponent: unknown player 'deep'; known: rand, simple, greedy"),
        (("convert", "KX"), "expected pieces such as KQ, KR or KBB, found 'KX'"),
        (("convert", "KB"), "expected pieces that can mate a bare king, found KB"),
        (("convert", "KQ", "--player", "gredy"), "--player: unknown player 'gredy'"),
        (("convert", "KQ", "--seconds", "0"), "expected a budget of some seconds, above 0"),
        (("convert", "KQ", "--rules", "wild"), "expected a rule set (wild16, berkeley"),
        (("play", "--you", "red"), "--you: expected white or black, found 'red'"),
        (("play", "--fen", "nonsense"), "--fen: expected pieces (PNBRQKpnbrqk)"),
        (("play", "--fen", "k7/8/8/8/8/8/8/K7 w"), "found one that is over"),
        (("play", "--rules", "mine"), "expected a rule set"),
        (("match", "rand", "rand", "--seconds", "inf"), "expected a budget of some seconds, above 0 and not endless"),
        (("play", "--seconds", "0"), "expected a budget of some seconds, above 0 and not endless, found 0.0"),
        (("play", "--rules", ""), "expected a rule set"),
        (("play", "--opponent", ""), "--opponent: unknown player ''; known: rand, simple, greedy"),
        (("play", "--resume", "none.pgn"), "none.pgn: No such file"),
        (("play", "--resume", "none.pgn", "--rules", "umd"), "--resume: expected the rules and the board of the file"),
        (("show", "8/8/8 w"), "expected one king of each colour"),
        (("play", "--resume", "none.pgn", "--ply-limit", "9"), "of the file, found --ply-limit"),
        (("play", "--resume", "none.pgn", "--quiet-limit", "9"), "of the file, found --quiet-limit"),
        (("show", TINY, "--rules", "mine"), "expected a rule set (wild16, berkeley"),
        (("show", TINY, "--as", "grey"), "--as: expected white or black, found 'grey'"),
    ],
)
def test_errors(run, arguments, error):
    done = run(*arguments)
    assert (done.returncode, error in done.stderr, done.stdout) == (2, True, ""), done.stderr


def test_help_names_the_players(run):
    for command in ("match", "play"):
        done = run(command, "--help")
        assert done.returncode == 0
        assert (
            "rand, simple, greedy, HS:D, overconfident:D, paranoid:D, mixed:D,CAUTION, wary:D, vote:D, engine, with"
            in " ".join(done.stdout.replace("│", " ").split())
        )


# ---------------------------------------------------------------------- matches


def test_a_match_and_its_games(run, tmp_path):
    done = run(*DICE, "--games", 3, "--output", "match.jsonl", "--pgn", "match.pgn")
    assert (done.returncode, done.stderr) == (0, "")
    assert "wild16 ply_limit=30, 3 games" in done.stdout
    assert_in_order(
        done.stdout,
        "won by the second, rand",
        "won by White",
        "plies a game",
        "how games ended:",
        "wrote match.jsonl",
        "wrote match.pgn",
    )
    records = read_pgn((tmp_path / "match.pgn").read_text())
    assert [dict(record.tags)["Round"] for record in records] == ["1", "2", "3"]
    told = run(*DICE, "--games", 3, "--output", "match.jsonl", "--json").json
    assert [row["game"] for row in told["rows"]] == [1, 2, 3]
    assert [row["tries"].split() for row in told["rows"]] == [
        [uci(event.move, record.first.geometry) for event in record.events] for record in records
    ]
    other = run(*DICE, "--games", 3, "--seed", 1, "--output", "match.jsonl")
    assert (other.returncode, "expected seed 1, found 0" in other.stderr) == (2, True)


def test_a_file_of_games_is_not_written_over(run, tmp_path):
    """But by the same match, if that is resumed and all games that are in the file are in it."""
    path, kept = tmp_path / "match.pgn", ("--output", "match.jsonl", "--pgn", "match.pgn")
    run(*DICE, "--games", 2, *kept)
    before = path.read_text()
    for others in (("--pgn", "match.pgn"), ("--output", "new.jsonl", "--pgn", "match.pgn"), ("--games", 1, *kept)):
        done = run(*DICE, "--games", 2, *others)
        assert (done.returncode, done.stdout) == (2, "")
        assert "--pgn: expected a new file, or the one that this match was written to" in done.stderr
        assert path.read_text() == before
    assert not (tmp_path / "new.jsonl").exists()
    assert run(*DICE, "--games", 3, *kept).returncode == 0
    assert path.read_text().startswith(before)
    assert len(read_pgn(path.read_text())) == 3


def test_where_games_go_is_known_before_the_match(run, tmp_path):
    assert run(*DICE, "--games", 1, "--pgn", "new/match.pgn").returncode == 0
    (tmp_path / "notes").write_text("mine")
    done = run(*DICE, "--games", 1, "--output", "match.jsonl", "--pgn", "notes/match.pgn")
    assert (done.returncode, "--pgn: expected a file that can be written" in done.stderr) == (2, True)
    assert not (tmp_path / "match.jsonl").exists()


def test_without_a_file_nothing_is_left_behind(run, tmp_path):
    told = [run(*DICE, "--games", 2, "--seed", seed, "--json").json["rows"] for seed in (5, 5, 6)]
    assert told[0] == told[1] != told[2]
    assert list(tmp_path.iterdir()) == []


def test_budgets_reach_the_players(run):
    told = run(
        "match", "greedy:pool=10", "rand", "--fen", TINY, "--ply-limit", 8, "--boards", 2, "--games", 2, "--json"
    )
    assert (told.json["first"], told.json["games"]) == ("greedy:pool=10", 2)


def test_ctrl_c_keeps_what_is_done(run, monkeypatch):
    def interrupted(path, match_run, how, *rest):
        complete(path, type(match_run)(match_run.match, 2, match_run.seed), how, *rest)
        raise KeyboardInterrupt

    complete = cli_kriegspiel_games.complete_file
    monkeypatch.setattr(cli_kriegspiel_games, "complete_file", interrupted)
    done = run(*DICE, "--games", 4, "--output", "match.jsonl")
    assert done.returncode == 130
    assert "interrupted; 2 of 4 games are in match.jsonl; the same command resumes" in done.stderr
    assert "nothing is kept without --output" in run(*DICE, "--games", 4).stderr
    monkeypatch.setattr(cli_kriegspiel_games, "complete_file", complete)
    assert run(*DICE, "--games", 4, "--output", "match.jsonl", "--json").json["games"] == 4


@pytest.mark.skipif(sys.platform == "win32", reason="signals of terminals")
def test_a_real_ctrl_c(tmp_path):
    command = ["kriegspiel", *DICE, "--games", 100_000, "--output", "match.jsonl"]
    code, errors = interrupted(command, tmp_path, "match.jsonl")
    assert code == 130
    assert "the same command resumes" in errors
    lines = (tmp_path / "match.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["setting"]["game"] for line in lines[1:]] == list(range(1, len(lines)))


# ---------------------------------------------------------------------- boards


def test_a_board_and_what_is_seen_of_it(run, tmp_path):
    assert run("show", TINY).stdout.splitlines()[0] == "4  r q k r"
    seen = run("show", TINY, "--as", "black", "--json").json
    assert (seen["fen"], seen["pieces"].count("."), "a3b2" in seen["tries"]) == (None, 8, True)
    whole = run("show", TINY, "--json").json
    assert (whole["fen"], whole["tries"]) == ("rqkr/pppp/PPPP/RQKR w - - 0 1", None)
    assert "P a2: a3 b3" in run("show", TINY, "--as", "white").stdout
    for name, options, pieces in (("all.svg", (), 16), ("white.svg", ("--as", "white"), 8)):
        assert run("show", TINY, *options, "--svg", name).stdout == f"wrote {name}\n"
        assert (tmp_path / name).read_text().count('class="piece"') == pieces


# ---------------------------------------------------------------------- endings


@pytest.mark.usefixtures("needs_kernels")
def test_endings_for_people_and_programs(run):
    told = run("convert", "KQR", "--starts", 2, "--seed", 3)
    assert told.returncode == 0
    assert told.stdout.startswith("vote:2 mates with KQR in 2 of 2 endings: 100.0 %")
    found = run("convert", "kqr", "--starts", 2, "--seed", 3, "--json")
    assert found.returncode == 0
    shown = json.loads(found.stdout)
    assert (shown["won"], shown["drawn"], shown["lost"]) == (2, 0, 0)
    assert [row["result"] for row in shown["rows"]] == ["won", "won"]
    assert shown["moves"]["value"] == sum(row["moves"] for row in shown["rows"]) / 2


def test_endings_that_are_not_won_are_a_no(run):
    told = run("convert", "KR", "--starts", 1, "--player", "rand", "--moves", 2)
    assert told.returncode == 1
    assert "in 0 of 1 endings" in told.stdout


# ---------------------------------------------------------------------- a game once more


def test_a_game_is_shown_once_more(run, tmp_path):
    path = tmp_path / "game.pgn"
    path.write_text("1. e4 {(K::P0)} d5 {(K::P1)} 2. exd5 {(K:e4f5:Td5=pawn,P0)} *\n")
    told = run("show", path)
    assert told.returncode == 0
    assert_in_order(told.stdout, "ply 1", "black believes: 20 boards fit", "ply 3", "white tries e4f5: refused")
    shown = json.loads(run("show", path, "--json").stdout)["plies"]
    assert [one["tries"] for one in shown] == [["e2e4"], ["d7d5"], ["e4f5", "e4d5"]]
    assert shown[0]["white"] == {"boards": 1, "exact": True, "king": {"e8": 1.0}}
    assert shown[2]["black"]["boards"] == 2
    one = run("show", path, "--ply", 2).stdout
    assert "likeliest enemy" in one
    assert "ply 1" not in one


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("--ply", 4), "--ply: expected a ply from 1 to 2, found 4"),
        (("--game", 3), "expected a game from 1 to 2, found 3"),
    ],
)
def test_what_a_file_has_not_is_not_shown(run, tmp_path, arguments, error):
    path = tmp_path / "game.pgn"
    path.write_text("1. e4 e5 *\n\n1. d4 d5 *\n")
    told = run("show", path, *(arguments if "--game" in arguments else ("--game", 2, *arguments)))
    assert told.returncode == 2
    assert error in told.stderr
    assert run("show", tmp_path / "none.pgn").returncode == 2
