"""Kriegspiel played in a terminal or through a pipe: what is kept, what is heard, its limits, and the page."""

import os
import re
import signal
import stat
import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path

import pytest

from interruption import command_that_hears
from kriegspiel_talk import LADDER, LOST, OFFER, Keyboard, assert_in_order, moody, play, talk
from patience import PATIENCE
from worldwise.cli.kriegspiel import games as cli_kriegspiel_games
from worldwise.cli.kriegspiel.play import KriegspielConversation
from worldwise.cli.kriegspiel.saved_games import GameFiles
from worldwise.cli.main import main
from worldwise.errors import InputError
from worldwise.kriegspiel.players.random_and_greedy import RandomTriesPlayer
from worldwise.kriegspiel.records.pgn_reader import read_pgn
from worldwise.kriegspiel.records.record import Record
from worldwise.kriegspiel.rules.fen import read_fen
from worldwise.kriegspiel.rules.squares import uci
from worldwise.kriegspiel.rules.umpire import BERKELEY


@pytest.fixture
def run(worldwise_command):
    return lambda *arguments, stdin="": worldwise_command("kriegspiel", *arguments, stdin=stdin)


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
            end = time.monotonic() + PATIENCE
            while not (path.exists() and "2..." in path.read_text()):
                assert time.monotonic() < end, "no moves in the file"
                time.sleep(0.05)
            process.send_signal(getattr(signal, number))
            process.wait(PATIENCE)
        finally:
            process.kill()
    assert len(read_pgn(path.read_text())[0].events) >= 4


def _as_before(text):
    """A game as versions without a format and a checksum have saved it."""
    return re.sub(r'^(\[(Format|Checksum) .*\n|  "format".*\n)|,\n  "checksum".*(?=\n)', "", text, flags=re.MULTILINE)


@pytest.mark.parametrize("name", ["game.pgn", "game.json"])
def test_games_of_older_versions_go_on(run, name, tmp_path):
    play(run, stdin=f"e4\nd4\nsave {name}\n")
    path = tmp_path / name
    (tmp_path / "old").mkdir()
    older = tmp_path / "old" / name
    older.write_text(_as_before(path.read_text()))
    assert older.read_text() != path.read_text()
    assert "ormat" not in older.read_text()
    told = [run("play", "--resume", file, "--json", stdin="Nf3\n").json for file in (path, older)]
    assert told[0] == told[1]
    assert len(told[0]["tries"]) >= 6


@pytest.mark.parametrize(
    ("name", "damage", "words"),
    [
        ("game.pgn", lambda text: text.replace("rand", "randy"), "expected a file that fits its checksum"),
        ("game.pgn", lambda text: text.replace('[Seed "0"]', '[Seed "9"]'), "expected a file that fits its checksum"),
        ("game.pgn", lambda text: re.sub(r".Checksum.*\n", "", text), "expected a checksum, found none"),
        ("game.pgn", lambda text: text[:-40], "; what can be read is you against rand, 2 tries from the beginning"),
        ("game.pgn", lambda text: _as_before(text).rstrip("*\n"), "the file was cut short; what can be read is you"),
        ("game.pgn", lambda text: text.replace("d4", "d9"), "; what can be read is you against rand, 2 tries"),
        ("game.pgn", lambda text: "", "expected one game, found 0"),
        ("game.pgn", lambda text: "[" * 100_000, "expected tags, moves, comments and results, found '['"),
        ("game.pgn", lambda text: text.replace("worldwise 2", "worldwise 3"), "format 2 or older, found 3: a later"),
        ("game.json", lambda text: text.replace('"rand"', '"randy"'), "expected a file that fits its checksum"),
        ("game.json", lambda text: text.replace("d2d4", "d2d9"), "what can be read is you against rand, 2 tries"),
        ("game.json", lambda text: text.replace('"checksum"', '"chekcsum"'), "expected a file that fits its checksum"),
        ("game.json", lambda text: text[:-40], "expected JSON, found"),
        ("game.json", lambda text: "[" * 100_000, "expected JSON nested at most 100 deep, found it deeper"),
        ("game.json", lambda text: text.replace('"format": 2', '"format": 3'), "format 2 or older, found 3: a later"),
        ("game.json", lambda text: "17", "nothing of it can be read"),
    ],
)
def test_a_damaged_game_is_refused_in_words_and_left_alone(run, name, damage, words, tmp_path):
    play(run, stdin=f"e4\nd4\nsave {name}\n")
    path = tmp_path / name
    damaged = damage(path.read_text())
    assert damaged != path.read_text()
    path.write_text(damaged)
    done = run("play", "--resume", name, "--save", name, stdin="Nf3\n")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert words in done.stderr
    assert path.read_text() == damaged
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_of_two_who_go_on_with_a_game_the_second_is_told(run, monkeypatch, tmp_path):
    """And when the first has left, the second may: nothing of either is lost."""
    play(run, stdin="e4\nsave game.pgn\n")
    files = GameFiles()
    with files.hold(tmp_path / "game.pgn", tmp_path / "game.pgn"):
        before = (tmp_path / "game.pgn").read_bytes()
        for name in ("game.pgn", "link.pgn"):
            (tmp_path / "link.pgn").unlink(missing_ok=True)
            (tmp_path / "link.pgn").symlink_to("game.pgn")
            second = run("play", "--resume", name, "--save", name, stdin="d4\n")
            assert (second.returncode, second.stdout) == (2, "")
            assert f"--save: {name}: another process is writing to this file" in second.stderr
        assert "another process is writing" in run("play", "--resume", "game.pgn", stdin="d4\nsave game.pgn\n").stdout
        assert (tmp_path / "game.pgn").read_bytes() == before
    assert run("play", "--resume", "link.pgn", "--save", "link.pgn", stdin="d4\n").returncode == 0
    assert (tmp_path / "link.pgn").is_symlink()
    assert len(read_pgn((tmp_path / "game.pgn").read_text())[0].events) >= 4
    assert {file.name for file in tmp_path.iterdir()} == {"game.pgn", "link.pgn"}


def test_two_processes_do_not_play_in_one_file(run, tmp_path):
    path = tmp_path / "game.pgn"
    command = command_that_hears("kriegspiel", "play", "--opponent", "rand", "--save", path)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=os.environ) as first:
        try:
            first.stdin.write(b"e4\n")
            first.stdin.flush()
            end = time.monotonic() + PATIENCE
            while not (path.exists() and "1..." in path.read_text()):
                assert time.monotonic() < end, "no moves in the file"
                time.sleep(0.05)
            second = run("play", "--resume", path, "--save", path, stdin="d4\n")
            first.communicate(b"h3\n", timeout=60)
        finally:
            first.kill()
    assert (second.returncode, "another process is writing to this file" in second.stderr) == (2, True)
    moves = [uci(event.move) for event in read_pgn(path.read_text())[0].events if not event.is_refusal]
    assert moves[::2] == ["e2e4", "h2h3"]
    assert run("play", "--resume", path, "--save", path, stdin="d4\n").returncode == 0


def test_what_a_kill_has_left_is_removed_by_the_next_who_plays(run, tmp_path):
    play(run, stdin="e4\nsave game.pgn\n")
    for name in (".game.pgn.0123abcd.part", ".other.pgn.0123abcd.part", ".game.pgn.lock"):
        (tmp_path / name).touch()
    assert run("play", "--resume", "game.pgn", "--save", "game.pgn", stdin="d4\n").returncode == 0
    assert {file.name for file in tmp_path.iterdir()} == {"game.pgn", ".other.pgn.0123abcd.part"}


@pytest.mark.skipif(sys.platform == "win32", reason="files have other permissions there")
def test_a_private_file_stays_private(tmp_path):
    files, path = GameFiles(), tmp_path / "game.pgn"
    files.write(path, Record())
    path.chmod(0o600)
    files.write(path, Record(white="Ann"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_somebody_else_has_written_meanwhile_is_not_written_over(run, tmp_path):
    files, path = GameFiles(), tmp_path / "game.pgn"
    play(run, stdin="e4\nsave game.pgn\n")
    record = files.read(path)
    files.write(path, record)
    run("play", "--resume", "game.pgn", "--save", "game.pgn", stdin="d4\nc4\n")
    longer = path.read_bytes()
    with pytest.raises(InputError, match="as this game has left it, found that somebody else has written to it"):
        files.write(path, record)
    assert path.read_bytes() == longer
    path.unlink()
    files.write(path, record)
    assert read_pgn(path.read_text())[0] == record


@pytest.mark.skipif(sys.platform == "win32", reason="folders cannot be synchronised there")
def test_a_saved_game_is_forced_to_the_disk(monkeypatch, tmp_path):
    """The file before it takes its name, the folder after that."""
    done, fsync, replaced = [], os.fsync, Path.replace

    def synced(handle):
        done.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        fsync(handle)

    def named(path, target):
        done.append("name")
        return replaced(path, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", named)
    GameFiles().write(tmp_path / "new" / "game.pgn", Record())
    assert done == ["folder", "file", "name", "folder"]


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
    save, other = GameFiles.write, tmp_path / "other.pgn"

    def full(files, path, record):
        if path != other:
            raise InputError(f"{path}: No space left on device")
        save(files, path, record)

    monkeypatch.setattr(GameFiles, "write", full)
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

    monkeypatch.setattr(KriegspielConversation, "_show_thinking", thinking)
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
        ("game.pgn", ('[Seed "0"]', '[Seed "x"]'), "--resume, the seed: expected a whole number, found 'x'"),
        ("game.pgn", ('[Event "?"]', '[Event "?"] * [Event "?"]'), "game.pgn: expected one game, found 2"),
        ("game.json", ('"tries": 0', '"tries": 3'), "game.json: move 1, white: expected the umpire to say"),
        ("game.json", ('"tries"', "tries"), "game.json: expected JSON, found"),
    ],
)
def test_files_that_contradict_the_umpire(run, name, change, error, tmp_path):
    play(run, stdin=f"e4\nsave {name}\n")
    path = tmp_path / name
    text = _as_before(path.read_text())
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
