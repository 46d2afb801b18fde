"""Another program in a process of its own, spoken to line by line; started when it is needed, and again if it dies.

It may be anybody's: one that hangs, does not listen, never stops talking or leaves processes of its own behind costs
the patience of who asks it, and no more.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass, field
from io import BufferedReader
from queue import Empty, Full, Queue
from threading import Thread
from typing import TYPE_CHECKING
from weakref import finalize

from worldwise.errors import SolverError

if TYPE_CHECKING:
    from io import FileIO

GAMES_FOLDER = "/usr/games"
"""Debian puts chess engines here, which is not on everybody's path."""

MOST_LINE, MOST_UNREAD = 16 * 1024, 4096
"""Bytes of a line, and lines that wait to be read: far more than programs say that have something to say."""

UNREAD_SECONDS = 1.0
"""A program that has said too much waits so long for somebody to read it; then nobody listens any more."""


class ProcessDiedError(Exception):
    """The program has stopped, or says or hears nothing any more."""


@dataclass
class LineProcess:
    """A program and its arguments; ``what`` it is expected to be and how to ``get`` one, for who has none."""

    command: str
    what: str
    get: str
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False, repr=False)
    _said: Queue[str | None] = field(default_factory=Queue, init=False, repr=False)

    @property
    def is_running(self) -> bool:
        """Whether it was started and not stopped since; it may have died."""
        return self._process is not None

    def start(self) -> None:
        """Start it; ``SolverError`` if there is no such program."""
        self._process, self._said = self._start(), Queue(MOST_UNREAD)
        finalize(self, _end, self._process)
        Thread(target=_listen, args=(self._process.stdout, self._said), daemon=True).start()

    def stop(self) -> None:
        """End it."""
        if self._process is not None:
            _end(self._process)
            self._process = None

    def send(self, *lines: str, patience: float) -> None:
        """Say something to it, which it takes within so many seconds: a pipe that nobody reads is full one day."""
        if self._process is None:
            raise ProcessDiedError
        said = "".join(f"{line}\n" for line in lines).encode()
        taken: Queue[bool] = Queue()
        Thread(target=_write, args=(self._process.stdin, said, taken), daemon=True).start()
        with suppress(Empty):
            if taken.get(timeout=patience):
                return
        raise ProcessDiedError

    def read_line(self, patience: float) -> str:
        """The next line that it says, within so many seconds."""
        try:
            line = self._said.get(timeout=patience)
        except Empty:
            line = None
        if line is None:
            raise ProcessDiedError
        return line

    def _start(self) -> subprocess.Popen[bytes]:
        path = os.pathsep.join([os.environ.get("PATH", os.defpath), GAMES_FOLDER])
        try:
            return subprocess.Popen(
                shlex.split(self.command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,  # nothing to be flushed when it is ended, which might wait
                env={**os.environ, "PATH": path},
                start_new_session=True,
            )
        except (OSError, ValueError, IndexError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise SolverError(f"expected {self.what}, found none at {self.command!r} ({why}); {self.get}") from None


def _listen(stream: FileIO, said: Queue[str | None]) -> None:
    """Pass on what a program says, line by line; at its end, or after a line without an end, None."""
    with suppress(OSError, ValueError, Full), BufferedReader(stream) as lines:
        while (line := lines.readline(MOST_LINE)).endswith(b"\n"):
            said.put(line.decode("utf-8", "replace"), timeout=UNREAD_SECONDS)
        said.put(None, timeout=UNREAD_SECONDS)


def _write(stream: FileIO, said: bytes, taken: Queue[bool]) -> None:
    """Say something, and whether it was taken."""
    with suppress(OSError, ValueError):
        while said:
            said = said[stream.write(said) :]
    taken.put(not said)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program and what it has started itself, which may hold the pipes."""
    if process.returncode is None:  # otherwise its number may be another's by now
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.wait()
    if process.stdin is not None:
        with suppress(OSError):
            process.stdin.close()
