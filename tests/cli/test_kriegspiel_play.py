"""Kriegspiel played in a terminal or through a pipe: what may be typed, and how a game is left."""

import signal
from datetime import date, timedelta
from xml.etree import ElementTree

import pytest

from interruption import hearing_ctrl_c
from kriegspiel_talk import LADDER, LOST, OFFER, TINY, assert_in_order, moody, play, talk
from worldwise.core.result import Limit
from worldwise.kriegspiel.players.person_session import PersonMemory
from worldwise.kriegspiel.players.umpire_table import KriegspielChair, UmpireTable
from worldwise.kriegspiel.records.pgn_reader import read_pgn
from worldwise.kriegspiel.rules.squares import uci


@pytest.fixture
def run(worldwise_command):
    return lambda *arguments, stdin="": worldwise_command("kriegspiel", *arguments, stdin=stdin)


def test_mate_as_white(run, tmp_path):
    done = play(run, "--fen", LADDER, "--save", "end.pgn", stdin="tries b6\nKb9\nRb8\n")
    assert done.returncode == 0
    assert_in_order(
        done.stdout,
        "7  R . . . . . . .",
        "the enemy has only the king left",
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
        "the enemy has 16 pieces and pawns left",
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
