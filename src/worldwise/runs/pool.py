"""Rows measured by processes of this machine.

Each worker has a pipe of its own. If it dies, its pipe closes, which tells the parent exactly which rows are to be
measured again; if the parent dies, the same pipe tells the worker to stop.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Sized
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, cast

from worldwise.errors import WorldwiseError
from worldwise.runs.job import Batches, Measured, Pair, Task, chunks
from worldwise.runs.signals import LISTEN, deaf_to_interrupts, remember_interrupts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

MOST_DEATHS = 3
"""A chunk that this many workers have died of is given up."""


def cores() -> int:
    """How many processes can run at once here."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


@dataclass(frozen=True)
class Pool:
    """Runs rows on processes of this machine."""

    jobs: int

    def rows(self, task: Task, missing: Iterable[Pair]) -> Batches:
        """Every missing row, in the order in which they come in."""
        size = min(self.jobs, len(missing)) if isinstance(missing, Sized) else self.jobs
        return self._carry_out(_Crew(task, chunks(missing, size)), size)

    def rows_as_asked(self, task: Task, asked: Iterable[list[Pair]], bell: Connection) -> Batches:
        """Rows that are named while others are measured: an empty list is none yet, ``bell`` rings for more."""
        return self._carry_out(_Crew(task, asked, bell), self.jobs)

    def _carry_out(self, crew: _Crew, size: int) -> Batches:
        with remember_interrupts() as heard:
            try:
                crew.hire(size)
                while crew.at_work and not heard():
                    yield from crew.collect(timeout=LISTEN)
                    yield []
                if crew.at_work:
                    raise KeyboardInterrupt
            except KeyboardInterrupt:
                yield from crew.collect(timeout=0)
                raise
            finally:
                crew.dismiss()


@dataclass
class _Chunk:
    pairs: list[Pair]
    deaths: int = 0


class _Crew:
    """The workers, what each is doing, and what is still to do."""

    def __init__(self, task: Task, todo: Iterable[list[Pair]], bell: Connection | None = None) -> None:
        self.task = task
        self._fresh = iter(todo)
        self._bell = bell
        self._again: list[_Chunk] = []
        self.workers: dict[Connection, SpawnProcess] = {}
        self.busy: dict[Connection, _Chunk] = {}

    @property
    def at_work(self) -> bool:
        """Whether something is being done, or may still be asked for."""
        return bool(self.busy) or self._bell is not None

    def hire(self, size: int) -> None:
        """So many new workers, at work as far as there is any."""
        for _ in range(size):
            with deaf_to_interrupts():
                ours, theirs = _CONTEXT.Pipe()
                worker = _CONTEXT.Process(target=_work, args=(theirs, self.task), daemon=True)
                worker.start()
                theirs.close()
                self.workers[ours] = worker
            self._employ(ours)

    def _employ(self, pipe: Connection) -> None:
        if chunk := self._next():
            self.busy[pipe] = chunk
            with suppress(OSError):  # a worker that has died is noticed when its answer is read
                pipe.send(chunk.pairs)

    def _employ_idle(self) -> None:
        for pipe in [pipe for pipe in self.workers if pipe not in self.busy]:
            self._employ(pipe)

    def _next(self) -> _Chunk | None:
        """What was handed out before and is not done comes first: rows should come in nearly in order."""
        if self._again:
            return self._again.pop()
        pairs = next(self._fresh, None)
        if pairs is None:
            self._bell = None  # nothing more will be asked
        return _Chunk(pairs) if pairs else None

    def collect(self, timeout: float) -> Iterator[list[Measured]]:
        """What has come in, a list for each worker."""
        bell = self._bell
        for pipe in cast("list[Connection]", wait([*self.busy, *filter(None, [bell])], timeout)):
            if pipe is bell:
                pipe.recv_bytes()
                self._employ_idle()
                continue
            chunk = self.busy.pop(pipe)
            try:
                answer = pipe.recv()
            except (EOFError, OSError):
                self._replace(pipe, chunk)
                continue
            if isinstance(answer, BaseException):
                raise answer
            if rest := chunk.pairs[len(answer) :]:
                self._again.append(_Chunk(rest))
            self._employ(pipe)
            yield answer

    def _replace(self, pipe: Connection, chunk: _Chunk) -> None:
        """A worker has died: another does its work, unless the work itself is deadly."""
        pipe.close()
        worker = self.workers.pop(pipe)
        worker.join()
        if chunk.deaths + 1 >= MOST_DEATHS:
            raise WorldwiseError(
                f"{MOST_DEATHS} workers died (exit code {worker.exitcode}) on the rows from {chunk.pairs[0]}; "
                "out of memory? Try fewer --jobs; what was measured is kept"
            )
        self._again.append(_Chunk(chunk.pairs, chunk.deaths + 1))
        self.hire(1)

    def dismiss(self) -> None:
        """Stop every worker at once: what was measured and not collected is measured again when the run resumes."""
        for worker in self.workers.values():
            worker.kill()
        for pipe, worker in self.workers.items():
            worker.join()
            worker.close()
            pipe.close()


_CONTEXT = get_context("spawn")
"""The start method that works everywhere, and inherits no locks."""


def _work(pipe: Connection, task: Task) -> None:
    """A worker's life: rows in, rows out, until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        while True:
            pairs = pipe.recv()
            try:
                answer: list[Measured] | BaseException = task.some(pairs)
            except Exception as error:
                answer = error
            pipe.send(answer)
