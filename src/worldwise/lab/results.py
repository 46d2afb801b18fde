"""A run read back: its rows in the order of reports, and what they say."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from worldwise.errors import InputError, PlacedError, understood
from worldwise.lab.experiment import SCALES, Experiment, Verdict
from worldwise.lab.plan import Plan
from worldwise.runs.rows import Row
from worldwise.runs.store import Provenance, line_without, provenance, read_run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.lab.table import DataTable


RESULTS = Path("lab-results")
"""The folder of results, if nobody says another."""


@dataclass(frozen=True)
class Results:
    """The rows of a run, which may still be incomplete, by setting and seed however they came in."""

    plan: Plan
    path: Path
    provenance: Provenance
    rows: tuple[Row, ...]

    @property
    def experiment(self) -> Experiment:
        """What was run."""
        return self.plan.experiment

    @property
    def complete(self) -> bool:
        """Whether every row is there."""
        return len(self.rows) == len(self.plan.pairs)

    @cached_property
    def summary(self) -> DataTable:
        """Our figures."""
        with self.understood():
            return self.experiment.summary(self.rows)

    @cached_property
    def comparison(self) -> DataTable:
        """Our figures beside the paper's."""
        summary = self.summary
        with self.understood():
            return self.experiment.compare(summary, self.experiment.published)

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """One for every claim."""
        with self.understood():
            return self.experiment.verdicts(self.rows)

    @contextmanager
    def understood(self) -> Iterator[None]:
        """Rows of which nothing can be made are their file's fault: the error names it, and the line if it can."""
        try:
            with understood(f"rows as {self.experiment.id} measures them"):
                yield
        except InputError as error:
            raise PlacedError(str(error), self._place(error.__cause__)) from error

    def _place(self, cause: BaseException | None) -> str:
        line = line_without(self.path, str(cause.args[0])) if isinstance(cause, KeyError) and cause.args else None
        return f"{self.path}, line {line}" if line else str(self.path)


def read_results(plan: Plan, folder: Path) -> Results | None:
    """The results of a run; None if it has no row yet."""
    path = folder / plan.file_name
    stored = read_run(path, plan)
    if stored is None or not stored.rows:
        return None
    there = (pair for pair in plan.pairs if pair in stored.rows)
    rows = tuple({**pair.setting, "seed": pair.number, **stored.rows[pair]} for pair in there)
    return Results(plan, path, stored.provenance, rows)


def rehearsal(plan: Plan) -> Iterator[Results]:
    """A run that leaves nothing behind: its results after every row, measured in this process and kept in no file.

    >>> from worldwise.lab.papers import load
    >>> plan = Plan(load("bmv96/strategies"), "smoke")
    >>> [len(results.rows) for results in rehearsal(plan)]
    [1, 2, 3, 4]
    """
    origin, rows = provenance(plan), list[Row]()
    for pair in plan.pairs:
        rows.append({**pair.setting, "seed": pair.number, **plan.task(pair).row})
        yield Results(plan, Path(plan.file_name), origin, tuple(rows))


def best_results(
    experiment: Experiment, folder: Path, scale: str | None = None, seed: int | None = None
) -> Results | None:
    """The run that says most: a complete one before others, then the largest scale, then most rows."""
    plans = _plans(experiment, folder, scale)
    found = (read_results(plan, folder) for plan in plans if seed is None or plan.seed == seed)
    return max(filter(None, found), key=_weight, default=None)


@dataclass(frozen=True)
class RunsFound:
    """The runs of an experiment that can be read, the best first, and what is wrong with its other files."""

    runs: tuple[Results, ...]
    faults: tuple[str, ...]

    @property
    def best(self) -> Results | None:
        """The run that says most."""
        return self.runs[0] if self.runs else None

    def judge_best(self) -> RunsFound:
        """Only the best run whose rows give tables and verdicts; a better one that gives none is at fault too."""
        faults = list(self.faults)
        for results in self.runs:
            try:
                _ = results.comparison, results.verdicts
            except InputError as error:
                faults.append(str(error))
            else:
                return RunsFound((results,), tuple(faults))
        return RunsFound((), tuple(faults))


def find_runs(experiment: Experiment, folder: Path) -> RunsFound:
    """All runs of an experiment: one file that is old, foreign or damaged hides no other."""
    runs, faults = list[Results](), list[str]()
    for plan in _plans(experiment, folder, None):
        try:
            results = read_results(plan, folder)
        except InputError as error:
            faults.append(str(error))
        else:
            runs += [results] if results else []
    return RunsFound(tuple(sorted(runs, key=_weight, reverse=True)), tuple(faults))


def _plans(experiment: Experiment, folder: Path, scale: str | None) -> Iterator[Plan]:
    """The runs that have a file, by seed."""
    for chosen in [Plan(experiment, scale).scale] if scale else experiment.scales:
        prefix, suffix = Plan(experiment, chosen, 0).file_name.rsplit(".0.", 1)
        names = (path.name[len(prefix) + 1 : -len(suffix) - 1] for path in folder.glob(f"{prefix}.*.{suffix}"))
        yield from (Plan(experiment, chosen, seed) for seed in sorted(int(name) for name in names if _is_seed(name)))


def _is_seed(name: str) -> bool:
    return name.removeprefix("-").isdecimal()


def _weight(results: Results) -> tuple[bool, int, int]:
    return results.complete, SCALES.index(results.plan.scale), len(results.rows)
