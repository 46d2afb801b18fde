"""Carrying out a run: what is missing is measured, one way or another, and every row is stored as it comes in."""

from __future__ import annotations

import warnings
from contextlib import closing
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from worldwise.errors import InputError
from worldwise.runs.cluster import Cluster
from worldwise.runs.job import BATCH, Batches, Measured, Pair, Task
from worldwise.runs.pool import Pool, cores
from worldwise.runs.row_files import RunFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from worldwise.runs.job import Run


MOST_JOBS = 128
"""Processes at once, where the machine has not the cores for more: each takes some 50 MB."""


class Runner(Protocol):
    """A way to measure rows."""

    def rows(self, task: Task, missing: Iterable[Pair]) -> Batches:
        """Every missing row once, nearly in order, in lists that are written to disk together."""
        ...


@dataclass(frozen=True)
class Serial:
    """One row after the other, in this process."""

    def rows(self, task: Task, missing: Iterable[Pair]) -> Batches:
        """Every missing row, in order."""
        rows, started = list[Measured](), monotonic()
        try:
            for pair in missing:
                rows.append(task(pair))
                if monotonic() - started > BATCH:
                    yield rows
                    rows, started = [], monotonic()
        except (Exception, KeyboardInterrupt):
            yield rows  # an error at one row, or Ctrl-C, is no reason to forget the rows before it
            raise
        yield rows


def runner(jobs: int | None = None, cluster: str | None = None) -> Runner:
    """The way a user asks for: so many processes (all cores if not said), ``local`` Dask, or a scheduler's address.

    >>> runner(jobs=1), runner(jobs=4)
    (Serial(), Pool(jobs=4))
    """
    check_jobs(jobs)
    if cluster is not None:
        return Cluster(cluster, jobs or cores())
    many = jobs or cores()
    return Serial() if many == 1 else Pool(many)


def check_jobs(jobs: int | None) -> None:
    """Refuse fewer processes than one, and more than a machine can bear; None is as many as there are cores."""
    most = max(MOST_JOBS, 4 * cores())
    if jobs is not None and jobs < 1:
        raise InputError(f"expected at least one job, found {jobs}")
    if jobs is not None and jobs > most:
        raise InputError(f"expected at most {most} jobs, found {jobs:,}")


def warn(damage: str) -> None:
    """Tell whoever calls from Python of damaged lines."""
    warnings.warn(damage, RuntimeWarning, stacklevel=3)


def complete_file(
    path: Path,
    run: Run,
    how: Runner,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
    warn: Callable[[str], None] = warn,
) -> int:
    """Measure what is missing of a run; how many rows that was. ``progress`` hears how many of how many are there.

    However this ends, every row that came in is on the disk, and calling it again does the rest. Rows in damaged lines
    are missing: they are measured again, and ``warn`` hears which lines those are.
    """
    with RunFile(path, run) as file:
        file.tell_damage(warn)
        # seed by seed, so that a run cut short has something to say about every setting
        missing = sorted((pair for pair in run.pairs if pair not in file.rows), key=lambda pair: pair.number)
        total = len(run.pairs)
        done = total - len(missing)
        progress(done, total)
        if not missing:
            return 0
        with closing(keep_rows(file, how.rows(run.task, missing))) as arriving:
            for rows in arriving:
                done += len(rows)
                progress(done, total)
    return len(missing)


def keep_rows(file: RunFile, arriving: Batches) -> Batches:
    """The same rows, each list of them once it is on the disk."""
    with closing(arriving):
        for rows in arriving:
            if rows:
                file.append(rows)
            yield rows
