"""kill -9 at any moment of runs, matches, saved games and the page's games: nothing is lost, and nothing doubled.

``WORLDWISE_KILLS=200 pytest tests/test_kills.py`` kills that often, spread over the five; a few times if not said.
"""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import lru_cache
from http.client import HTTPException
from pathlib import Path

import psutil
import pytest

from lab_coin import COIN
from web_process import WebProcess
from worldwise.kriegspiel.players.game_so_far import Opponent, StoredGame
from worldwise.kriegspiel.players.names import read_opponent
from worldwise.kriegspiel.players.person_session import KriegspielSession
from worldwise.kriegspiel.players.player import Budget
from worldwise.kriegspiel.records.game_text import read_game_text
from worldwise.kriegspiel.rules.squares import BLACK, WHITE, uci
from worldwise.kriegspiel.rules.umpire import RULES
from worldwise.lab.plan import Plan, carry_out
from worldwise.lab.results import read_results
from worldwise.runs.row_lines import open_seal
from worldwise.runs.runners import Serial

KINDS = 5
KILLS = max(1, int(os.environ.get("WORLDWISE_KILLS", "5")) // KINDS)
"""Of each kind."""

PATIENCE = 600.0
"""Seconds until something counts as stuck: beside other work a process may wait long for its turn."""

SUPPORT = Path(__file__).parent / "support"
WORLDWISE = [sys.executable, "-m", "worldwise"]
LAPTOP = Plan(COIN, "laptop")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")


@pytest.fixture
def start():
    """Starts processes; none of them outlives its test."""
    environment, started = {**os.environ, "PYTHONPATH": str(SUPPORT), "COIN_MS": "4"}, []

    def begin(command, **options):
        process = subprocess.Popen(list(map(str, command)), env=environment, start_new_session=True, **options)
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.wait()


def kill_9(process):
    """As the system would in want of memory: only this one, and not those that it has started."""
    others = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
    process.send_signal(signal.SIGKILL)
    process.wait()
    _, alive = psutil.wait_procs(others, timeout=PATIENCE)
    assert alive == []


def until(condition, process):
    """Wait for something, or for the process to end; whether it did not."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if process.poll() is not None:
            return False
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.002)
    return True


# ---------------------------------------------------------------------- files of rows


def rows_of(path):
    """The complete lines after the first, each read; damage would raise."""
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    return [open_seal(line)[0] for line in lines[1:]]


def killed_runs(start, command, path, count, rng):
    """Kill a command that adds rows to a file, and run it again, until it was killed so often; yields whole files."""
    kills = 0
    while kills < count:
        before = rows_of(path)
        process = start([*command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wanted = len(before) + rng.randrange(12)  # none: before it has done anything, or while it cuts off a half line
        if until(lambda wanted=wanted: len(rows_of(path)) >= wanted, process):
            time.sleep(rng.random() / 20)
        if process.poll() is None:
            kill_9(process)
            kills += 1
        after = rows_of(path)
        assert after[: len(before)] == before
        names = [repr((row["setting"], row["seed"])) for row in after]
        assert len(set(names)) == len(names)
        if process.returncode == 0:
            yield after
            path.unlink()
    process = start([*command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert process.wait(PATIENCE * 2) == 0
    yield rows_of(path)


def by_name(rows):
    """Rows in order, without the times that moves took."""
    timeless = [
        {**row, "row": {name: value for name, value in row["row"].items() if not name.endswith("seconds")}}
        for row in rows
    ]
    return sorted(timeless, key=lambda row: repr((row["setting"], row["seed"])))


def test_a_run_of_the_laboratory(start, tmp_path):
    carry_out(LAPTOP, tmp_path / "undisturbed", Serial())
    expected = read_results(LAPTOP, tmp_path / "undisturbed").rows
    program = "import lab_coin; lab_coin.main()"
    options = ("lab", "run", "coin/fig-1", "--jobs", 2, "--quiet", "--out", tmp_path)
    path = tmp_path / LAPTOP.file_name
    for _ in killed_runs(start, [sys.executable, "-c", program, *options], path, KILLS, random.Random(1)):
        results = read_results(LAPTOP, tmp_path)
        assert (results.rows, results.damage) == (expected, "")


MATCHES = {
    "bridge": ("bridge", "match", "--declarer", "random", "--versus", "dds", "--defence", "random", "--deals", 24),
    "kriegspiel": ("kriegspiel", "match", "rand", "rand", "--games", 60, "--ply-limit", 30),
}
OUT = {"bridge": "--out", "kriegspiel": "--output"}


@pytest.mark.parametrize("game", MATCHES)
def test_a_match(start, tmp_path, game, request):
    if game == "bridge":
        request.getfixturevalue("needs_kernels")  # without them a deal takes seconds
    command, undisturbed = [*WORLDWISE, *MATCHES[game], "--quiet", OUT[game]], tmp_path / "undisturbed.jsonl"
    assert start([*command, undisturbed], stdout=subprocess.DEVNULL).wait(PATIENCE * 2) == 0
    expected, path = by_name(rows_of(undisturbed)), tmp_path / "match.jsonl"
    for rows in killed_runs(start, [*command, path], path, KILLS, random.Random(2)):
        assert by_name(rows) == expected


# ---------------------------------------------------------------------- a game in the terminal


class Player:
    """A person who plays through a pipe, and notes which moves he was told of."""

    def __init__(self, start, path, rng):
        self.path, self.rng, self.heard = path, rng, 0
        resume = ("--resume", path) if path.exists() else ("--seed", 7, "--ply-limit", 40)
        options = ("kriegspiel", "play", "--opponent", "rand", "--save", path, *resume)
        self.process = start([*WORLDWISE, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def close(self):
        """When the process has ended, or is to end by itself because nothing more is said."""
        with suppress(OSError):
            self.process.stdin.close()
        assert self.process.wait(PATIENCE) in (0, -signal.SIGKILL)
        self._listener.join()
        self.process.stdout.close()

    def _listen(self):
        for line in self.process.stdout:
            self.heard += line.startswith("white moves")

    def play(self, moves):
        """So many moves, each known to be in the file; then one more try, of which nothing is known."""
        for _ in range(moves):
            before = made(read(self.path))
            until(lambda before=before: self._tries(before), self.process)
        self._say()

    def _tries(self, before):
        """Any try, again and again until one is a move; a refusal is not in the file."""
        if made(read(self.path)) > before:
            return True
        self._say()
        time.sleep(0.02)
        return False

    def _say(self):
        tries = tries_after(read(self.path))
        with suppress(OSError):
            self.process.stdin.write(f"{self.rng.choice(tries)}\n")
            self.process.stdin.flush()


def read(path):
    return parse(path.read_text("utf-8")) if path.exists() else None


@lru_cache(4)
def parse(text):
    """The umpire says everything again, which takes its time."""
    return read_game_text(text, as_json=False)


@lru_cache(4)
def tries_after(record):
    """What White may try, or anything if that is nothing."""
    going_on = record is not None and record.result == "*"
    return [uci(move) for move in KriegspielSession.of(record, WHITE).tries()] if going_on else ["a2a3"]


def made(record):
    """White's moves."""
    return sum(event.colour is WHITE and not event.is_refusal for event in record.events) if record else 0


def test_a_saved_game(start, tmp_path):
    rng, kills, number = random.Random(3), 0, 0
    path, before = tmp_path / "game-0.pgn", None
    while kills < KILLS:
        player = Player(start, path, rng)
        player.play(rng.randrange(4))
        time.sleep(rng.random() / 10)
        known = made(before) + player.heard
        kills += player.process.poll() is None
        kill_9(player.process)
        player.close()
        record = read(path)
        assert made(record) >= known  # what the person was told is in the file
        assert is_continued(before, record)
        before = record
        if record and record.result != "*":
            number, before = number + 1, None
            path = tmp_path / f"game-{number}.pgn"
    player = Player(start, path, rng)
    player.play(1)
    player.close()
    assert is_continued(before, read(path))
    assert made(read(path)) > made(before)


def is_continued(before, after):
    """Whether a game has all that it had, in the same place."""
    return before is None or after.events[: len(before.events)] == before.events


# ---------------------------------------------------------------------- a game on the page


def undisturbed(moves, seed):
    """What the umpire would have said in the same game, had nothing happened."""
    opponent = Opponent("rand", read_opponent("rand"), BLACK, RULES["wild16"], seed, Budget(seconds=0.1))
    stored = StoredGame.of(opponent)
    for move in moves:
        stored = stored.after(stored.session.move(move))
        while not stored.session.over and not stored.session.yours:
            stored = stored.reply()
    return stored


def test_a_game_of_the_page(tmp_path):
    rng, server, kills, seed = random.Random(4), WebProcess(tmp_path / "games").start(), 0, 7
    try:
        while kills < KILLS:  # a game may be over before that
            _, table = server.ask("start", player="rand", seconds=0.1, seed=seed)
            while kills < KILLS and not table["over"]:
                table = _killed_and_asked_again(server, _with_moves(server, table, rng), rng)
                kills += 1
            if not table["over"]:
                server.ask("resign", game=table["game"])
            _, story = server.ask("story", game=table["game"])
            _expect_as_undisturbed(story["tries"], seed)
            seed += 1
    finally:
        server.kill()


def _with_moves(server, table, rng):
    """The table after a few moves, whose answers have come."""
    for _ in range(rng.randrange(3)):
        if table["yours"]:
            _, table = server.ask("go", game=table["game"], move=rng.choice(table["tries"]))
    return table


def _killed_and_asked_again(server, table, rng):
    """The table at the next server, the first having been killed during a try; all that was told is there."""
    game, tries = table["game"], table["tries"] or ["a2a3"]
    asking = threading.Thread(target=_try_once, args=(server, game, rng.choice(tries)))
    asking.start()
    time.sleep(rng.random() / 20)
    server.kill()
    asking.join()
    server.start()
    status, after = server.ask("go", game=game)
    assert status == 200
    assert after["log"][: len(table["log"])] == table["log"]
    return after


def _expect_as_undisturbed(tries, seed):
    """The opponent has replied as he does where nobody kills him."""
    moves = [line["move"] for line in tries if line["by"] == "white"]
    events = undisturbed(moves, seed).session.state.events
    assert [(line["by"], line["move"]) for line in tries] == [(str(event.colour), uci(event.move)) for event in events]


def _try_once(server, game, move):
    """A try whose answer may never come."""
    with suppress(OSError, HTTPException):
        server.ask("go", game=game, move=move)
