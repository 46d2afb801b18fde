"""A run read back: its rows in the order of reports, and what they say."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.resources import files
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from worldwise.errors import InputError, PlacedError, refuse_failures
from worldwise.lab.experiment import SCALES, Experiment, Verdict
from worldwise.lab.plan import UNTIL_DECIDED, Plan, row_with_name
from worldwise.lab.sequential import Decisions, decisions_of
from worldwise.runs.packed_rows import SUFFIX as PACKED
from worldwise.runs.packed_rows import read_packed
from worldwise.runs.row_files import Provenance, Stored, line_without, provenance, read_run
from worldwise.runs.rows import Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from worldwise.lab.table import DataTable
    from worldwise.runs.job import Pair


RESULTS = Path("lab-results")
"""The folder of results, if nobody says another."""


@dataclass(frozen=True)
class Results:
    """The rows of a run, which may still be incomplete, by setting and seed however they came in."""

    plan: Plan
    path: Path
    provenance: Provenance
    rows: tuple[Row, ...]
    damage: str = ""
    """Which lines of its file are damaged, and left out."""
    shipped: bool = False
    """Whether the rows came with the package, and were not measured here."""
    measured: Mapping[Pair, Row] = field(default_factory=dict, repr=False)
    """The rows by their names, if they come from a file."""
    seeds: tuple[int, ...] = ()
    """The master seeds, if several runs are pooled."""

    @property
    def experiment(self) -> Experiment:
        """What was run."""
        return self.plan.experiment

    @property
    def complete(self) -> bool:
        """Whether every row is there."""
        if self.until_decided:
            return self.decisions.over
        return len(self.rows) >= max(1, len(self.seeds)) * len(self.plan.pairs)

    @property
    def until_decided(self) -> bool:
        """Whether it goes on until its claims are decided, as its file says, and not for a fixed number of rows."""
        return self.provenance.get("stopping") == UNTIL_DECIDED

    @cached_property
    def decisions(self) -> Decisions:
        """What the looks of the sequential rule have said."""
        with self.refuse_failures():
            return decisions_of(self.plan, self.measured)

    @cached_property
    def summary(self) -> DataTable:
        """Our figures."""
        with self.refuse_failures():
            return self.experiment.summary(self.rows)

    @property
    def digest(self) -> DataTable:
        """The same for pages to read: a shorter table, if there is one."""
        if self.experiment.digest is None:
            return self.summary
        with self.refuse_failures():
            return self.experiment.digest(self.rows)

    @cached_property
    def comparison(self) -> DataTable:
        """Our figures beside the paper's."""
        summary = self.summary
        with self.refuse_failures():
            return self.experiment.compare(summary, self.experiment.published)

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """One for every claim: by all rows, or by the sequential rule if the run goes on until they are decided."""
        if self.until_decided:
            return self.decisions.verdicts
        with self.refuse_failures():
            return self.experiment.verdicts(self.rows)

    @contextmanager
    def refuse_failures(self) -> Iterator[None]:
        """Rows of which nothing can be made are their file's fault: the error names it, and the line if it can."""
        try:
            with refuse_failures(f"rows as {self.experiment.id} measures them"):
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
    if stored and stored.damage and not stored.rows:
        raise InputError(stored.damage)
    if stored is None or not stored.rows:
        return None
    return _results(plan, path, stored)


def _results(plan: Plan, path: Path, stored: Stored, *, shipped: bool = False) -> Results:
    """Rows by setting and seed, however they came in; who asks for so many rounds gets no others."""
    wanted = stored.rows if plan.length is None else [pair for pair in plan.pairs if pair in stored.rows]
    rows = tuple(row_with_name(pair, stored.rows[pair]) for pair in sorted(wanted, key=plan.place))
    return Results(plan, path, stored.provenance, rows, stored.damage, shipped, stored.rows)


def pool_results(runs: Sequence[Results]) -> Results:
    """Runs by several master seeds as one, whose rows are all of theirs; there is at least one."""
    first, *others = runs
    if not others:
        return first
    if undecided := next((run for run in runs if run.until_decided), None):
        fault = f"{undecided.path} goes on until decided, and pools with no other: run it on, or take its seed alone"
        raise InputError(f"expected runs whose number of rows was fixed beforehand; {fault}")
    if strange := next((run for run in others if run.plan.scale != first.plan.scale), None):
        raise InputError(f"expected runs of one scale, found {first.plan.scale} and {strange.plan.scale}")
    named = [(first.plan.place(pair), pair, row) for run in runs for pair, row in run.measured.items()]
    rows = tuple(row_with_name(pair, row) for _, pair, row in sorted(named, key=itemgetter(0)))
    seeds, damage = tuple(run.plan.seed for run in runs), "; ".join(run.damage for run in runs if run.damage)
    return replace(first, rows=rows, damage=damage, measured={}, seeds=seeds)


# ---------------------------------------------------------------------- the rows that came with the package


SHIPPED = files("worldwise.lab.shipped")
"""Packed files: the rows behind the verdicts of the documentation."""


def read_shipped(plan: Plan) -> Results | None:
    """The results of a run whose rows are shipped; None if they are not."""
    file = SHIPPED.joinpath(packed_name(plan))
    if not file.is_file():
        return None
    path = Path(str(file))
    stored = read_packed(file.read_bytes(), path, plan)
    return _results(plan, path, stored, shipped=True)


def shipped_results(experiment: Experiment) -> Results | None:
    """The run of an experiment that is shipped; None if there is none.

    >>> from worldwise.lab.papers import load
    >>> shipped_results(load("clv21/table-4")).plan.scale
    'paper'
    """
    names = [file.name for file in SHIPPED.iterdir()]
    plans = (plan for scale in experiment.scales for plan in _plans(experiment, scale, names, packed_name))
    return next(filter(None, map(read_shipped, plans)), None)


def packed_name(plan: Plan) -> str:
    """The packed file of a run."""
    return plan.file_name.removesuffix(".jsonl") + PACKED


# ---------------------------------------------------------------------- a run kept nowhere


def rehearsal(plan: Plan) -> Iterator[Results]:
    """A run that leaves nothing behind: its results after every row, measured in this process and kept in no file.

    >>> from worldwise.lab.papers import load
    >>> plan = Plan(load("bmv96/strategies"), "smoke")
    >>> [len(results.rows) for results in rehearsal(plan)]
    [1, 2, 3, 4]
    """
    origin, rows = provenance(plan), list[Row]()
    for pair in plan.pairs:
        rows.append(row_with_name(*plan.task(pair)))
        yield Results(plan, Path(plan.file_name), origin, tuple(rows))


# ---------------------------------------------------------------------- all runs there are


@dataclass(frozen=True)
class RunsFound:
    """The runs of an experiment that can be read, the best first, and what is left out: files and damaged lines."""

    runs: tuple[Results, ...]
    faults: tuple[str, ...]

    @property
    def best(self) -> Results | None:
        """The run that says most: one of this machine before a shipped one, a complete one before others, then the
        largest scale, then most rows."""
        return self.runs[0] if self.runs else None

    def best_readable(self) -> Results | None:
        """The same, but ``InputError`` if there are files and none can be read."""
        if self.faults and not self.runs:
            raise InputError("; ".join(self.faults))
        return self.best

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


def find_runs(experiment: Experiment, folder: Path, scale: str | None = None, seed: int | None = None) -> RunsFound:
    """The runs of an experiment, all or of one scale or seed: a file that is old, foreign or damaged hides no other."""
    runs, faults = list[Results](), list[str]()
    for plan, read in _files(experiment, folder, scale):
        if seed not in (None, plan.seed):
            continue
        try:
            results = read(plan)
        except InputError as error:
            faults.append(str(error))
        else:
            runs += [results] if results else []
    faults += [results.damage for results in runs if results.damage]
    return RunsFound(tuple(sorted(runs, key=_weight, reverse=True)), tuple(faults))


def _files(
    experiment: Experiment, folder: Path, scale: str | None
) -> Iterator[tuple[Plan, Callable[[Plan], Results | None]]]:
    """The runs that have a file, by scale and seed, and how to read it: those of the folder, then those shipped."""
    local = [file.name for file in folder.iterdir()] if folder.is_dir() else []
    shipped = [file.name for file in SHIPPED.iterdir()]
    for chosen in [Plan(experiment, scale).scale] if scale else experiment.scales:
        yield from ((plan, lambda plan: read_results(plan, folder)) for plan in _plans(experiment, chosen, local))
        yield from ((plan, read_shipped) for plan in _plans(experiment, chosen, shipped, packed_name))


def _plans(
    experiment: Experiment,
    scale: str,
    names: Iterable[str],
    name_of: Callable[[Plan], str] = attrgetter("file_name"),
) -> Iterator[Plan]:
    """The runs at a scale that are kept in one of the files, by seed."""
    prefix, suffix = name_of(Plan(experiment, scale, 0)).rsplit(".0.", 1)
    ours = (name for name in names if name.startswith(f"{prefix}.") and name.endswith(f".{suffix}"))
    middles = (name[len(prefix) + 1 : -len(suffix) - 1] for name in ours)
    return (Plan(experiment, scale, seed) for seed in sorted(int(name) for name in middles if _is_seed(name)))


def _is_seed(name: str) -> bool:
    return name.removeprefix("-").isdecimal()


def _weight(results: Results) -> tuple[bool, bool, int, int]:
    """What was run here comes before what was shipped."""
    return not results.shipped, results.complete, SCALES.index(results.plan.scale), len(results.rows)
