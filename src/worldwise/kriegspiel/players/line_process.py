"""Another program in a process of its own, spoken to line by line; started when it is needed, and again if it dies."""

from __future__ import annotations

import os
import shlex
import subprocess
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, Queue
from threading import Thread
from weakref import finalize

from worldwise.errors import SolverError

GAMES_FOLDER = "/usr/games"
"""Debian puts chess engines here, which is not on everybody's path."""


class ProcessDiedError(Exception):
    """The program has stopped, or says nothing any more."""


@dataclass
class LineProcess:
    """A program and its arguments; ``what`` it is expected to be and how to ``get`` one, for who has none."""

    command: str
    what: str
    get: str
    _process: subprocess.Popen[str] | None = field(default=None, init=False, repr=False)
    _said: Queue[str | None] = field(default_factory=Queue, init=False, repr=False)

    @property
    def is_running(self) -> bool:
        """Whether it was started and not stopped since; it may have died."""
        return self._process is not None

    def start(self) -> None:
        """Start it; ``SolverError`` if there is no such program."""
        self._process, self._said = self._started(), Queue()
        finalize(self, _end, self._process)
        Thread(target=_listen, args=(self._process, self._said), daemon=True).start()

    def stop(self) -> None:
        """End it."""
        if self._process is not None:
            _end(self._process)
            self._process = None

    def send(self, *lines: str) -> None:
        """Say something to it."""
        if self._process is None or self._process.stdin is None:
            raise ProcessDiedError
        try:
            self._process.stdin.write("".join(f"{line}\n" for line in lines))
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise ProcessDiedError from None

    def read_line(self, patience: float) -> str:
        """The next line that it says, within so many seconds."""
        try:
            line = self._said.get(timeout=patience)
        except Empty:
            line = None
        if line is None:
            raise ProcessDiedError
        return line

    def _started(self) -> subprocess.Popen[str]:
        path = os.pathsep.join([os.environ.get("PATH", os.defpath), GAMES_FOLDER])
        try:
            return subprocess.Popen(
                shlex.split(self.command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env={**os.environ, "PATH": path},
                start_new_session=True,
            )
        except (OSError, ValueError, IndexError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise SolverError(f"expected {self.what}, found none at {self.command!r} ({why}); {self.get}") from None


def _listen(process: subprocess.Popen[str], said: Queue[str | None]) -> None:
    """Pass on what a program says, line by line; at its end, None."""
    assert process.stdout is not None
    with suppress(OSError, ValueError):
        for line in process.stdout:
            said.put(line)
    said.put(None)


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError, ValueError):
                stream.close()
