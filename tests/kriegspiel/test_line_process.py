"""Programs of others that hang, do not listen, never stop talking or leave others behind cost patience, and no more."""

import sys
import threading
from contextlib import suppress
from time import monotonic, sleep

import pytest

from patience import PATIENCE
from worldwise.kriegspiel.players import line_process
from worldwise.kriegspiel.players.line_process import LineProcess, ProcessDiedError


@pytest.fixture
def program(tmp_path):
    """Starts a program of these lines; in the end it is gone."""
    started = []

    def start(text, command="{python} {file}"):
        file = tmp_path / "program.py"
        file.write_text(text)
        process = LineProcess(command.format(python=sys.executable, file=file), "a program", "write one")
        started.append(process)
        process.start()
        return process

    yield start
    for process in started:
        process.stop()


ECHO = "import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)"
SILENT = "import time; time.sleep(600)"
LAST = "print('bye', flush=True)"


def test_a_program_is_spoken_to_line_by_line(program):
    process = program(ECHO)
    process.send("abc", "é", patience=PATIENCE)
    assert [process.read_line(PATIENCE).strip() for _ in range(2)] == ["cba", "é"]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no shell of that kind")
def test_what_a_program_has_started_does_not_outlive_it(program):
    """A shell's own program holds its pipes; whoever closed them waited until that had ended too."""
    process = program(f"print('here', flush=True)\n{SILENT}", command='sh -c "{python} {file}; true"')
    assert process.read_line(PATIENCE) == "here\n"
    begun = monotonic()
    ending = threading.Thread(target=process.stop, daemon=True)
    ending.start()
    ending.join(60)
    assert not ending.is_alive()
    assert monotonic() - begun < 60


def test_a_program_that_does_not_listen(program):
    """More than a pipe holds: to write it used to take for ever."""
    process = program(SILENT)
    with pytest.raises(ProcessDiedError):
        process.send("x" * 2**20, patience=0.3)


@pytest.mark.parametrize("flood", ["print('x' * 50)", "sys.stdout.write('x' * 10_000)"], ids=["lines", "no line end"])
def test_a_program_that_never_stops_talking_fills_no_memory(program, monkeypatch, flood):
    monkeypatch.setattr(line_process, "UNREAD_SECONDS", 0.1)
    process = program(f"import sys\nwhile True: {flood}")
    kept = process._said
    while process._process.poll() is None:  # it ends when nobody listens any more
        sleep(0.01)
    heard = []
    with suppress(ProcessDiedError):
        while True:
            heard.append(process.read_line(0.5))
    assert kept.maxsize == line_process.MOST_UNREAD >= len(heard)
    assert all(len(line) <= line_process.MOST_LINE for line in heard)


@pytest.mark.parametrize("text", ["import sys; sys.stdout.buffer.write(b'\\xff\\n')", f"{LAST}; raise SystemExit"])
def test_whatever_a_program_says_is_text(program, text):
    process = program(text)
    assert process.read_line(PATIENCE) in ("\ufffd\n", "bye\n")
    with pytest.raises(ProcessDiedError):
        process.read_line(PATIENCE)
