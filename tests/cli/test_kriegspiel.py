"""The commands for games of kriegspiel: matches, playing through a pipe, boards."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from datetime import date, timedelta
from pathlib import Path
from xml.etree import ElementTree

import pytest

from interruption import command_that_hears, hearing_ctrl_c, interrupted
from worldwise.cli.kriegspiel import games as cli_kriegspiel_games
from worldwise.cli.kriegspiel import play as cli_kriegspiel_play
from worldwise.cli.kriegspiel.play import KriegspielConversation
from worldwise.cli.main import main
from worldwise.core.result import Limit
from worldwise.errors import InputError
from worldwise.kriegspiel.players.person_session import KriegspielSession, PersonMemory
from worldwise.kriegspiel.players.random_and_greedy import RandomTriesPlayer
from worldwise.kriegspiel.players.umpire_table import KriegspielChair, UmpireTable
from worldwise.kriegspiel.records.pgn_reader import read_pgn
from worldwise.kriegspiel.records.record import Record
from worldwise.kriegspiel.rules.board import START
from worldwise.kriegspiel.rules.fen import read_fen
from worldwise.kriegspiel.rules.squares import BLACK, uci
from worldwise.kriegspiel.rules.umpire import BERKELEY, WILD16

TINY = "rqkr/pppp/PPPP/RQKR w"
LADDER = "7k/R7/1R6/8/8/8/8/K7 w"
"""White mates by Rb8."""

DICE = ("match", "rand", "rand", "--fen", TINY, "--ply-limit", 30)


@pytest.fixture
def run(worldwise_command):
    return lambda *arguments, stdin="": worldwise_command("kriegspiel", *arguments, stdin=stdin)


def assert_in_order(text, *parts):
    place = 0
    for part in parts:
        place = text.index(part, place) + len(part)


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
        (("play", "--opponent", "deep"), "--opponent: unknown player 'deep'; known: rand, greedy"),
        (("play", "--you", "red"), "--you: expected white or black, found 'red'"),
        (("play", "--fen", "nonsense"), "--fen: expected men (PNBRQKpnbrqk)"),
        (("play", "--fen", "k7/8/8/8/8/8/8/K7 w"), "found one that is over"),
        (("play", "--rules", "mine"), "expected a rule set"),
        (("match", "rand", "rand", "--seconds", "inf"), "expected a budget of some seconds, above 0 and not endless"),
        (("play", "--seconds", "0"), "expected a budget of some seconds, above 0 and not endless, found 0.0"),
        (("play", "--rules", ""), "expected a rule set"),
        (("play", "--opponent", ""), "--opponent: unknown player ''; known: rand, greedy"),
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
        assert "rand, greedy, HS:D, overconfident:D, paranoid:D, mixed:D,CAUTION, with options" in " ".join(
            done.stdout.replace("│", " ").split()
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
    def interrupted(path, match_run, how, progress):
        complete(path, type(match_run)(match_run.match, 2, match_run.seed), how, progress)
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


# ---------------------------------------------------------------------- playing


def play(run, *arguments, stdin):
    return run("play", "--opponent", "rand", "--ascii", "--seed", 0, *arguments, stdin=stdin)


def test_mate_as_white(run, tmp_path):
    done = play(run, "--fen", LADDER, "--save", "end.pgn", stdin="tries b6\nKb9\nRb8\n")
    assert done.returncode == 0
    assert_in_order(
        done.stdout,
        "7  R . . . . . . .",
        "the enemy has 1 man left",
        "R b6: a6 b1 b2 b3 b4 b5 b7 b8 c6",
        "expected one of your tries (the command tries lists them) or a command (help lists them), found 'Kb9'",
        "white moves b6b8: check on the rank, mate, white wins",
        "the game is over: 1-0",
        "8  . R . . . . . k",
        "wrote end.pgn",
    )
    assert done.stdout.endswith("\nwrote end.pgn\n")
    assert "k" not in "".join(
        line for line in done.stdout.split("the true board")[0].splitlines() if line[:1].isdigit()
    )
    (record,) = read_pgn((tmp_path / "end.pgn").read_text())
    assert (record.white, record.black, record.result) == ("you", "rand", "1-0")
    over = run("play", "--resume", "end.pgn")
    assert (over.returncode, "found one that is over (1-0)" in over.stderr) == (2, True)


def test_mate_as_black_from_the_other_side(run):
    done = play(run, "--you", "black", "--fen", "k7/8/8/8/8/1r6/r7/7K b", stdin="Rb1\n")
    assert_in_order(
        done.stdout, "1  . . . . . . . .", "2  . . . . . . . r", "   h g f e d c b a", "mate, black wins", "0-1"
    )


@pytest.mark.parametrize("you", ["white", "black"])
def test_a_piped_game_to_its_end(run, you):
    """A player without ideas types every try in turn until it is accepted."""
    first = play(run, "--you", you, "--fen", TINY, "--json", stdin="")
    assert (first.returncode, first.json["result"]) == (0, "*")
    names = [f"{file}{rank}{to}{row}" for file in "abcd" for rank in "1234" for to in "abcd" for row in "1234"]
    typed = "\n".join([*names, *(f"{name}q" for name in names)] * 40)
    done = play(run, "--you", you, "--fen", TINY, "--json", stdin=typed)
    assert done.returncode == 0
    assert done.json["end"] is not None
    assert done.json["result"] != "*"


def test_what_can_be_asked(run, tmp_path):
    typed = "\nlog\ntries\ntries z9\ne4\nlog\nbelief\nbelief map.svg\nsave\nresign\n"
    done = play(run, "--seed", 4, stdin=typed)
    assert done.returncode == 0
    assert_in_order(
        done.stdout,
        "a move           e2e4",
        "nothing has been said",
        "N b1: a3 c3",
        "expected a square from a1 to h8, found 'z9'",
        "white moves e2e4: black has no pawn tries",
        "black moves: white has",
        "  1. white moves e2e4",
        "  1. black moves: ",
        "likeliest enemy",
        "boards fit, all there are; the king: e8",
        "wrote map.svg",
        "expected a file's name as in 'save game.pgn', found none",
        "you resign; the game is over: 0-1",
        "the true board:",
        "what rand tried (nothing was refused):\n1. ",
    )
    assert ElementTree.fromstring((tmp_path / "map.svg").read_text()).tag.endswith("svg")


def test_a_refusal_costs_nothing_and_is_not_repeated(run):
    fen = "4k3/8/8/8/8/4p3/4P3/4K3 w"
    done = play(run, "--fen", fen, stdin="e4\ne2e4\ntries e2\nKd1\nquit\n")
    assert_in_order(
        done.stdout,
        "white tries e2e4: refused",
        "expected another try, found 'e2e4', which has been refused",
        "P e2: e3",
        "white moves e1d1",
        "black moves",
        "stopped; the game is not finished",
    )


@pytest.mark.parametrize("name", ["game.pgn", "game.json"])
def test_saved_and_resumed(run, name, tmp_path):
    """What is saved goes on as if nothing had happened."""
    whole = play(run, "--you", "black", "--seed", 9, "--json", stdin="e5\nd5\nquit\n").json
    assert len([item for item in whole["tries"] if item["by"] == "black"]) == 2
    first = play(run, "--you", "black", "--seed", 9, stdin=f"e5\nsave {name}\nquit\n")
    assert f"wrote {name}" in first.stdout
    rest = run("play", "--resume", name, "--json", stdin="d5\nquit\n")
    assert rest.json == whole
    days = [f"{day:%Y.%m.%d}" for day in (date.today() - timedelta(days=1), date.today())]
    assert rest.json["tags"] in [{"Date": day, "Seed": "9"} for day in days]


def test_who_goes_on_has_the_colour_he_had(run):
    play(run, stdin="e4\nsave game.pgn\n")
    done = run("play", "--resume", "game.pgn", "--you", "black")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--you: expected white, for the game was saved with you as white, found black" in done.stderr


def test_who_goes_on_hears_the_last_again(run):
    play(run, stdin="e4\nd4\nsave game.pgn\n")
    done = run("play", "--resume", "game.pgn", "--ascii")
    heard = done.stdout.split("what you heard last:\n")[1].split("\n\n")[0].splitlines()
    assert [line[:18] for line in heard] == ["  2. white moves d", "  2. black moves: "]


def test_the_first_screen(run):
    done = play(run, "--you", "black", "--rules", "umd", stdin="board\n")
    assert done.stdout.startswith(
        "you play black against rand; help lists the commands\nthe rules are umd: Refused tries are heard."
    )
    assert "what you heard last" not in done.stdout
    assert done.stdout.count("1  . . . . . . . .\n") == 2


def test_who_saves_is_warned_of_what_is_in_the_file(run):
    spoiled = "(black's moves are in it: do not look into it before the game is over)"
    done = play(run, "--save", "end.pgn", stdin="e4\nsave half.pgn\n")
    assert_in_order(done.stdout, f"wrote half.pgn {spoiled}\n", f"wrote end.pgn {spoiled}\n")


def test_save_makes_the_folder(run, tmp_path):
    assert play(run, "--save", "kept/today/game.pgn", stdin="e4\n").returncode == 0
    assert len(read_pgn((tmp_path / "kept/today/game.pgn").read_text())) == 1
    assert [path.name for path in (tmp_path / "kept/today").iterdir()] == ["game.pgn"]


def test_save_is_refused_before_the_game(run, tmp_path):
    (tmp_path / "notes").write_text("mine")
    done = play(run, "--save", "notes/game.pgn", stdin="e4\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--save: expected a file that can be written, found notes" in done.stderr


def test_no_game_is_written_over_by_another(run, tmp_path):
    play(run, "--save", "game.pgn", stdin="e4\n")
    before = (tmp_path / "game.pgn").read_text()
    done = play(run, "--save", "game.pgn", stdin="d4\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--save: expected a new file, found game.pgn, which is there already: --resume game.pgn goes" in done.stderr
    within = play(run, stdin="d4\nsave game.pgn\nsave mine.pgn\ne4\nsave mine.pgn\n")
    assert "expected a new file or one of this game, found game.pgn, which is there already" in within.stdout
    assert within.stdout.count("wrote mine.pgn") == 2
    assert (tmp_path / "game.pgn").read_text() == before
    more = play(run, "--resume", "game.pgn", "--save", "game.pgn", stdin="d4\nsave game.pgn\n")
    assert (more.returncode, more.stdout.count("wrote game.pgn")) == (0, 2)
    assert len(read_pgn((tmp_path / "game.pgn").read_text())[0].events) > 2


LOST = "this game is not saved: 'save FILE' writes it, 'quit' again leaves without"
OFFER = "'save FILE' keeps this game, anything else leaves"


@pytest.mark.parametrize(
    ("typed", "warnings", "made"),
    [
        ("quit\ne4\n", 0, []),
        ("e4\n", 0, ["e2e4"]),
        ("e4\nquit\n", 1, ["e2e4"]),
        ("e4\nquit\nboard\nquit\nd4\n", 1, ["e2e4"]),
        ("e4\nquit\nd4\nquit\nquit\nh4\n", 2, ["e2e4", "d2d4"]),
        ("e4\nsave game.pgn\nquit\nd4\n", 0, ["e2e4"]),
        ("e4\nquit\nsave game.pgn\nquit\nd4\n", 1, ["e2e4"]),
        ("e4\nsave game.pgn\nd4\nquit\nquit\nh4\n", 1, ["e2e4", "d2d4"]),
    ],
)
def test_nobody_leaves_an_unsaved_game_unawares(run, typed, warnings, made):
    done = play(run, stdin=typed)
    assert (done.returncode, done.stdout.count(LOST)) == (0, warnings)
    assert [move for move in ("e2e4", "d2d4", "h2h4") if f"white moves {move}" in done.stdout] == made
    assert done.stdout.endswith("stopped; the game is not finished\n")


@pytest.mark.parametrize("option", [("--save", "game.pgn"), ("--json",)])
def test_who_has_the_record_anyhow_leaves_at_once(run, option):
    done = play(run, *option, stdin="e4\nquit\nd4\n")
    assert (LOST in done.stdout, "d2d4" in done.stdout) == (False, False)


def test_a_game_that_was_only_looked_at_is_left_at_once(run):
    play(run, stdin="e4\nsave game.pgn\n")
    assert LOST not in run("play", "--resume", "game.pgn", stdin="log\nquit\n").stdout


class Keyboard:
    """Somebody at a terminal; a ^C is an interrupt, and a ^D the end of the input."""

    def __init__(self, *lines):
        self._lines = iter(lines)

    def isatty(self):
        return True

    def readline(self):
        line = next(self._lines)
        if line == "^C":
            raise KeyboardInterrupt
        return "" if line == "^D" else f"{line}\n"


def talk(monkeypatch, *lines, rules=WILD16, first=START, **options):
    """A conversation with rand, White being at a terminal; where the game stands in the end."""
    monkeypatch.setattr(sys, "stdin", Keyboard(*lines))
    session = KriegspielSession.of(Record(rules, first, white="you", black="rand"))
    return KriegspielConversation(
        session, UmpireTable.of(session.game, session.state, {BLACK: RandomTriesPlayer()}), **options
    ).run()


@pytest.mark.parametrize("key", ["^C", "^D"])
def test_ctrl_c_and_ctrl_d_at_the_prompt_are_as_good_as_quit(monkeypatch, capsys, key):
    ended = talk(monkeypatch, "e4", key, "d4", key, key)
    shown = capsys.readouterr().out
    assert (shown.count(LOST), "white> \nthis game" in shown) == (2, True)
    assert shown.endswith("stopped; the game is not finished\n")
    assert [uci(event.move) for event in ended.latest if event.move] == ["d2d4"]


@pytest.mark.parametrize("leave", ["", "thanks", "^C", "^D"])
def test_a_game_that_is_over_can_be_kept(monkeypatch, capsys, tmp_path, leave):
    path = tmp_path / "game.pgn"
    talk(monkeypatch, "e4", "resign", "save", f"save {path}")
    assert_in_order(capsys.readouterr().out, OFFER, "white> expected a file's name", OFFER, f"white> wrote {path}")
    assert read_pgn(path.read_text())[0].result == "0-1"
    talk(monkeypatch, "e4", "resign", leave)
    assert capsys.readouterr().out.count(OFFER) == 1


def test_ctrl_c_while_the_opponent_thinks_saves_the_game(run, monkeypatch, tmp_path):
    def interrupted(chair, state):
        raise KeyboardInterrupt

    monkeypatch.setattr(KriegspielChair, "choose", interrupted)
    done = play(run, "--save", "half.pgn", stdin="e4\n")
    assert (done.returncode, "stopped; the game is not finished" in done.stdout) == (0, True)
    assert len(read_pgn((tmp_path / "half.pgn").read_text())[0].events) == 1


def moody(monkeypatch, *moods):
    """An opponent that is interrupted whenever its next mood is ^C."""
    choose, left = KriegspielChair.choose, iter(moods)

    def chosen(chair, state):
        if next(left, "") == "^C":
            raise KeyboardInterrupt
        return choose(chair, state)

    monkeypatch.setattr(KriegspielChair, "choose", chosen)
    return left


PAUSE = "black has not moved yet; an empty line lets it think on, help lists the commands"


def test_ctrl_c_while_the_opponent_thinks_is_a_pause(monkeypatch, capsys, tmp_path):
    """Everything but a move may be said, and an empty line lets it think on."""
    moods = moody(monkeypatch, "^C", "thinks", "^C", "^C", "thinks")
    path = tmp_path / "game.pgn"
    lines = ("e4", "board", "d4", "tries", "log", "help", f"save {path}", "", "d4", "", "", "quit", "quit")
    ended = talk(monkeypatch, *lines)
    shown = capsys.readouterr().out
    assert (shown.count(PAUSE), next(moods, None)) == (3, None)
    assert_in_order(
        shown,
        PAUSE,
        "the enemy has 16 men left",
        "expected a command, for it is black's turn, found 'd4'",
        "expected a command, for it is black's turn, found 'tries'",
        "  1. white moves e2e4",
        "a move           e2e4",
        f"wrote {path}",
        "black moves: ",
        PAUSE,
        PAUSE,
        "black moves: ",
        LOST,
        "stopped; the game is not finished",
    )
    assert [uci(event.move) for event in ended.latest if event.move] == ["d2d4"]


@pytest.mark.parametrize(
    ("lines", "end"),
    [
        (("resign", "no"), "you resign; the game is over: 0-1"),
        (("quit", "quit"), f"{LOST}\nwhite> stopped; the game is not finished"),
        (("^C", "^D"), f"{LOST}\nwhite> \nstopped; the game is not finished"),
    ],
)
def test_a_game_can_be_left_while_the_opponent_thinks(monkeypatch, capsys, lines, end):
    moody(monkeypatch, "^C")
    assert len(talk(monkeypatch, "e4", *lines).state.events) == 1
    assert end in capsys.readouterr().out


def test_ctrl_c_in_a_pipe_leaves(run, monkeypatch):
    """The next line is a move: nobody is there to be asked."""
    moody(monkeypatch, "^C")
    done = play(run, stdin="e4\nd4\n")
    assert (done.returncode, PAUSE in done.stdout, "d2d4" in done.stdout) == (0, False, False)
    assert done.stdout.endswith("stopped; the game is not finished\n")


def disturbed(monkeypatch, times):
    """An opponent that hears so many Ctrl-C whenever it is told something."""
    tell = UmpireTable.tell

    def disturbed_tell(table, event, state):
        for _ in range(times):
            signal.raise_signal(signal.SIGINT)
        tell(table, event, state)

    monkeypatch.setattr(UmpireTable, "tell", disturbed_tell)


@pytest.fixture
def ctrl_c_is_heard():
    with hearing_ctrl_c():
        yield


@pytest.mark.usefixtures("ctrl_c_is_heard")
def test_ctrl_c_while_the_opponent_listens_is_heard_when_he_has(monkeypatch, capsys):
    disturbed(monkeypatch, 1)
    ended = talk(monkeypatch, "e4", "", "quit", "quit")
    shown = capsys.readouterr().out
    assert (shown.count(PAUSE), len(ended.state.events)) == (1, 2)  # Black's own move ends with White's prompt anyhow


@pytest.mark.usefixtures("ctrl_c_is_heard")
def test_who_insists_leaves_and_may_save(monkeypatch, capsys, tmp_path):
    """A second Ctrl-C tears the opponent away from what it hears: it cannot go on, but the game can."""
    disturbed(monkeypatch, 2)
    path = tmp_path / "game.pgn"
    talk(monkeypatch, "e4", f"save {path}")
    assert_in_order(capsys.readouterr().out, "white moves e2e4", "stopped; the game is not finished", OFFER, "wrote")
    assert len(read_pgn(path.read_text())[0].events) == 1


def test_ctrl_c_while_a_belief_is_looked_for(monkeypatch, capsys):
    def interrupted(memory, session):
        raise KeyboardInterrupt

    monkeypatch.setattr(PersonMemory, "recall", interrupted)
    ended = talk(monkeypatch, "belief", "e4", "quit", "quit")
    assert_in_order(capsys.readouterr().out, "interrupted; the game goes on", "white moves e2e4", "black moves", LOST)
    assert len(ended.state.events) == 2


def test_a_belief_that_is_not_found_in_time(run, monkeypatch):
    recalled = PersonMemory.recall
    monkeypatch.setattr(PersonMemory, "recall", lambda memory, session: recalled(memory, session, Limit(seconds=0)))
    done = play(run, stdin="e4\nbelief\nd4\n")
    words = "the search for a board that explains all you have heard found no answer within 0 seconds"
    assert_in_order(done.stdout, "black moves", words, "white moves d2d4")


# ---------------------------------------------------------------------- what is kept of a game


def test_the_file_is_written_after_every_move(monkeypatch, capsys, tmp_path):
    kept = []
    keep = KriegspielConversation._keep

    def keeps(conversation):
        keep(conversation)
        kept.append(len(read_pgn(conversation.kept.read_text())[0].events))

    monkeypatch.setattr(KriegspielConversation, "_keep", keeps)
    talk(monkeypatch, "e4", "d4", "quit", kept=tmp_path / "game.pgn")
    assert kept == [1, 2, 3, 4, 4]
    assert LOST not in capsys.readouterr().out


@pytest.mark.skipif(sys.platform == "win32", reason="signals of terminals")
@pytest.mark.parametrize("number", ["SIGTERM", "SIGHUP", "SIGKILL"])
def test_who_is_killed_loses_no_move(tmp_path, number):
    path = tmp_path / "game.pgn"
    command = command_that_hears("kriegspiel", "play", "--opponent", "rand", "--save", path)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=os.environ) as process:
        try:
            process.stdin.write(b"e4\nd4\n")
            process.stdin.flush()
            end = time.monotonic() + 60
            while not (path.exists() and "2..." in path.read_text()):
                assert time.monotonic() < end, "no moves in the file"
                time.sleep(0.05)
            process.send_signal(getattr(signal, number))
            process.wait(60)
        finally:
            process.kill()
    assert len(read_pgn(path.read_text())[0].events) >= 4


class Fails:
    """A player that cannot play."""

    def hear(self, event):
        pass

    def choose(self, view):
        raise ValueError("no idea")


def test_a_player_that_fails_does_not_take_the_game_with_it(run, monkeypatch, tmp_path):
    monkeypatch.setattr(RandomTriesPlayer, "sit", lambda player, start: Fails())
    done = play(run, "--save", "game.pgn", stdin="e4\n")
    assert (done.returncode, "rand, move 1, black: ValueError: no idea" in done.stderr) == (1, True)
    assert_in_order(done.stdout, "white moves e2e4", "black has failed and cannot go on", "wrote game.pgn")
    assert len(read_pgn((tmp_path / "game.pgn").read_text())[0].events) == 1
    told = play(run, "--json", stdin="e4\n")
    assert (told.returncode, [item["move"] for item in told.json["tries"]]) == (1, ["e2e4"])


def test_a_game_whose_player_fails_can_be_kept(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(RandomTriesPlayer, "sit", lambda player, start: Fails())
    with pytest.raises(Exception, match="no idea"):
        talk(monkeypatch, "e4", f"save {tmp_path / 'game.pgn'}")
    assert_in_order(capsys.readouterr().out, "black has failed", OFFER, "wrote")


def test_a_full_disk_does_not_end_the_game(monkeypatch, capsys, tmp_path):
    save, other = cli_kriegspiel_play.save_record, tmp_path / "other.pgn"

    def full(path, record):
        if path != other:
            raise InputError(f"{path}: No space left on device")
        save(path, record)

    monkeypatch.setattr(cli_kriegspiel_play, "save_record", full)
    ended = talk(monkeypatch, "e4", "quit", f"save {other}", kept=tmp_path / "game.pgn")
    assert_in_order(capsys.readouterr().out, "white moves e2e4", "the game is not saved: ", OFFER, f"wrote {other}")
    assert len(ended.state.events) == 2
    with pytest.raises(InputError, match="No space left"):
        talk(monkeypatch, "e4", "quit", "", kept=tmp_path / "game.pgn")


def test_a_game_that_was_saved_and_then_resigned_is_offered_again(monkeypatch, capsys, tmp_path):
    path = tmp_path / "game.pgn"
    talk(monkeypatch, "e4", f"save {path}", "resign", f"save {path}")
    assert capsys.readouterr().out.count(OFFER) == 1
    assert read_pgn(path.read_text())[0].result == "0-1"
    assert '[Termination "white resigned"]' in path.read_text()


def test_a_folder_is_made_for_a_game_and_a_figure(run, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    done = play(run, stdin="e4\nsave new/game.pgn\nbelief maps/one.svg\nsave ~/game.pgn\n")
    assert done.returncode == 0
    assert all((tmp_path / name).is_file() for name in ("new/game.pgn", "maps/one.svg", "home/game.pgn"))


def test_a_figure_is_written_over_nothing_but_a_figure(run, monkeypatch, tmp_path):
    typed = "e4\nbelief a.svg\nbelief a.svg\nsave game.pgn\nbelief game.pgn\nbelief mine.svg\nquit\n"
    done = play(run, "--save", "mine.svg", stdin=typed)
    assert done.stdout.count("wrote a.svg") == 2
    refused = "expected a new file or one that ends in .svg, found game.pgn, which is there already"
    assert_in_order(done.stdout, refused, "ends in .svg, found mine.svg")
    for name in ("game.pgn", "mine.svg"):
        assert len(read_pgn((tmp_path / name).read_text())) == 1


# ---------------------------------------------------------------------- what is heard of the other


NARROW = "7k/8/8/8/8/8/P7/K5R1 w"
"""Black's king has one legal move, and by his view three."""


class InOrder:
    """A player that tries whatever comes first in the alphabet."""

    def hear(self, event):
        pass

    def choose(self, view):
        return min(view.tries, key=uci)


@pytest.fixture
def in_order(monkeypatch):
    monkeypatch.setattr(RandomTriesPlayer, "sit", lambda player, start: InOrder())


def test_refused_tries_of_the_other_are_one_line(run, in_order):
    """Live, in the log, and when a game goes on."""
    told = play(run, "--rules", "berkeley", "--fen", NARROW, stdin="a3\nlog\nsave game.pgn\n").stdout
    line = "black moves after 2 refused tries: nothing is said\n"
    assert_in_order(told, f"nothing is said\n{line}\n", f"  1. {line}")
    assert "tries something" not in told
    again = run("play", "--resume", "game.pgn", "--ascii").stdout
    assert f"what you heard last:\n  1. white moves a2a3: nothing is said\n  1. {line}\n" in again


def test_a_turn_that_is_interrupted_tells_of_its_refusals(monkeypatch, capsys, in_order):
    moody(monkeypatch, "", "", "^C")
    talk(monkeypatch, "a3", "log", "", "quit", "quit", rules=BERKELEY, first=read_fen(NARROW))
    told = capsys.readouterr().out
    assert_in_order(told, "white moves a2a3", "  1. black has had 2 tries refused so far", "black moves after 2")


def test_the_sign_that_the_other_thinks_does_not_count_its_tries(monkeypatch, in_order):
    """By wild16's rules nobody hears how many were refused."""
    shown = []

    def thinking(conversation):
        shown.append(len(conversation.session.state.events))
        return nullcontext()

    monkeypatch.setattr(KriegspielConversation, "_thinking", thinking)
    ended = talk(monkeypatch, "a3", "quit", "quit", first=read_fen(NARROW))
    assert (shown, len(ended.state.events)) == ([1, 1], 4)


# ---------------------------------------------------------------------- limits and chances


@pytest.mark.parametrize(
    ("options", "words", "rules"),
    [
        ((), "The game is a draw after 600 plies.", "wild16 ply_limit=600"),
        (("--ply-limit", 4), "The game is a draw after 4 plies.", "wild16 ply_limit=4"),
        (
            ("--quiet-limit", 50),
            "a draw after 600 plies or after 50 without a capture or a pawn's move.",
            "wild16 ply_limit=600 quiet_limit=50",
        ),
    ],
)
def test_limits_are_said_and_kept(run, options, words, rules, tmp_path):
    begun = play(run, *options, stdin="e4\nsave game.pgn\n").stdout
    again = run("play", "--resume", "game.pgn", "--ascii", stdin="d4\nh3\n").stdout
    assert all(words in text.split("\n\n")[0] for text in (begun, again))
    assert f'[Rules "{rules}"]' in (tmp_path / "game.pgn").read_text()
    assert ("a draw, the limit of plies" in again) is (options == ("--ply-limit", 4))


def test_a_seed_is_drawn_and_kept(run, monkeypatch):
    seeds = iter((7, 8))
    monkeypatch.setattr(cli_kriegspiel_games, "randbits", lambda bits: next(seeds))
    rand = ("play", "--opponent", "rand", "--ascii")
    drawn = [run(*rand, "--json", stdin="e4\nd4\n").json for _ in range(2)]
    assert [game["tags"]["Seed"] for game in drawn] == ["7", "8"]
    again = run(*rand, "--seed", 7, "--json", stdin="e4\nd4\n").json
    assert again == drawn[0] != drawn[1]
    over = run(*rand, "--seed", 7, stdin="resign\n").stdout
    assert "the game is over: 0-1; --seed 7 gives the opponent the same chances again" in over


@pytest.mark.usefixtures("needs_kernels")
def test_against_people_players_vary(run):
    """Unless they are told not to: then all their games begin alike."""

    def begun(opponent, seed):
        options = ("--opponent", opponent, "--you", "black", "--seconds", 0.3, "--seed", seed, "--json")
        return run("play", *options, stdin="").json

    for name, varies in (("overconfident:2", True), ("overconfident:2,vary=0", False), ("HS:1", True)):
        games = [begun(name, seed) for seed in range(5)]
        assert (len({game["tries"][0]["move"] for game in games}) > 1) is varies
        assert all(("vary=0.05" in game["white"]) is varies for game in games)


def test_who_goes_on_with_another_seed_keeps_that(run, tmp_path):
    play(run, stdin="e4\nsave game.pgn\n")
    for options in (("--seed", 5), ()):
        run("play", "--resume", "game.pgn", "--save", "game.pgn", *options, stdin="d4\n")
        assert '[Seed "5"]' in (tmp_path / "game.pgn").read_text()


# ---------------------------------------------------------------------- the page


def test_the_game_on_the_page(monkeypatch, capsys):
    """What docs/games/kriegspiel.md shows is what a person at a terminal sees."""
    page = (Path(__file__).parents[2] / "docs/games/kriegspiel.md").read_text("utf-8")
    (shown,) = re.findall(r"^```text\n\$ worldwise kriegspiel play(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    options, screen = shown.split("\n", 1)
    typed = re.findall("^white> (.*)$", screen, re.MULTILINE)
    monkeypatch.setattr(sys, "argv", ["worldwise", "kriegspiel", "play", *options.split()])
    monkeypatch.setattr(sys, "stdin", Keyboard(*typed, "quit", "quit"))
    with pytest.raises(SystemExit):
        main()
    # what is typed is not printed, and neither is the line's end
    pattern = re.escape(re.sub("^white> .*\n", "white> ", screen, flags=re.MULTILINE)).replace(r"\.\.\.", ".*")
    assert re.match(pattern, capsys.readouterr().out)


@pytest.mark.parametrize(
    ("name", "change", "error"),
    [
        ("game.pgn", ("(K::P0)", "(K::P3)"), "game.pgn: game 1: move 1, white: expected"),
        ("game.pgn", ('"rand"', '"Bob"'), "--opponent: unknown player 'Bob'"),
        ("game.pgn", ('"you"', '"Ann"'), "expected a game that you play, found 'Ann' against 'rand'; say --you"),
        ("game.pgn", ('[Seed "0"]', '[Seed "x"]'), "--resume: expected a whole number as the seed, found 'x'"),
        ("game.pgn", ('[Event "?"]', '[Event "?"] * [Event "?"]'), "game.pgn: expected one game, found 2"),
        ("game.json", ('"tries": 0', '"tries": 3'), "game.json: move 1, white: expected the umpire to say"),
        ("game.json", ('"tries"', "tries"), "game.json: expected text, found"),
    ],
)
def test_files_that_contradict_the_umpire(run, name, change, error, tmp_path):
    play(run, stdin=f"e4\nsave {name}\n")
    path = tmp_path / name
    text = path.read_text()
    assert change[0] in text
    path.write_text(text.replace(*change, 1))
    done = run("play", "--resume", name)
    assert (done.returncode, error in done.stderr, done.stdout) == (2, True, ""), done.stderr


def test_the_opponent_tells_what_it_believed(run):
    done = run("play", "--opponent", "greedy:boards=5,pool=20", "--ascii", stdin="e4\nd4\nresign\n")
    assert_in_order(
        done.stdout,
        "you resign; the game is over: 0-1",
        "the true board:",
        "what greedy:boards=5,pool=20 believed when you resigned:",
        "the king: e1",
    )


def test_the_belief_is_shown_as_of_before_the_last_move(run):
    """Nobody takes in the message that ends a game: White's king is on a2 by then, and Black has lost his queen."""
    done = run("play", "--opponent", "greedy", "--ascii", "--fen", "7k/8/8/8/8/8/q7/K7 w", stdin="Kxa2\n")
    assert_in_order(
        done.stdout,
        "the game is over: 1/2-1/2",
        "2  K . . . . . . .",
        "believed before the last move, white's a1a2:",
        "8     .    .    .    .    .    .    .    k",
        "2     q    .    .    .    .    .    .    .",
        "1  K100    .    .    .    .    .    .    .",
        "      a    b    c    d    e    f    g    h",
        "1 board fits, all there are; the king: a1 100 %",
    )


def test_what_the_opponent_tried_has_a_heading(run):
    nothing = play(run, "--fen", LADDER, stdin="Rb8\n")
    assert "\nrand tried nothing\n" in nothing.stdout
    assert "()" not in nothing.stdout
    blocked = "7k/8/8/8/8/8/P7/K5R1 w"
    told = [play(run, "--fen", blocked, "--seed", seed, stdin="a3\nresign\n").stdout for seed in range(6)]
    refused = [text for text in told if "refused, in parentheses):\n1. (h8" in text]
    assert refused
    assert all("what rand tried (nothing was refused):\n1. h8" in text for text in told if text not in refused)


@pytest.mark.parametrize("rules", ["berkeley", "cincinnati", "umd"])
def test_other_rules(run, rules):
    done = play(run, "--rules", rules, "--seed", 2, stdin="e4\nd4\nNf3\nlog\n")
    assert done.returncode == 0
    assert "black moves" in done.stdout
    assert ("pawn tries" in done.stdout) is (rules == "cincinnati")


# ---------------------------------------------------------------------- boards


def test_a_board_and_what_is_seen_of_it(run, tmp_path):
    assert run("show", TINY).stdout.splitlines()[0] == "4  r q k r"
    seen = run("show", TINY, "--as", "black", "--json").json
    assert (seen["fen"], seen["men"].count("."), "a3b2" in seen["tries"]) == (None, 8, True)
    whole = run("show", TINY, "--json").json
    assert (whole["fen"], whole["tries"]) == ("rqkr/pppp/PPPP/RQKR w - - 0 1", None)
    assert "P a2: a3 b3" in run("show", TINY, "--as", "white").stdout
    for name, options, pieces in (("all.svg", (), 16), ("white.svg", ("--as", "white"), 8)):
        assert run("show", TINY, *options, "--svg", name).stdout == f"wrote {name}\n"
        assert (tmp_path / name).read_text().count('class="man"') == pieces
