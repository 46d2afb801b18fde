"""A run read back: its rows in the order of reports, and what they say."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from worldwise.lab.experiment import SCALES, Experiment, Row, Verdict
from worldwise.lab.plan import Plan
from worldwise.lab.store import Provenance, provenance, read_run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.lab.table import Table


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
    def summary(self) -> Table:
        """Our figures."""
        return self.experiment.summary(self.rows)

    @cached_property
    def comparison(self) -> Table:
        """Our figures beside the paper's."""
        return self.experiment.compare(self.summary, self.experiment.published)

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """One for every claim."""
        return self.experiment.verdicts(self.rows)


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

    >>> from worldwise.lab.catalogue import EXPERIMENTS
    >>> from worldwise.lab.experiment import find
    >>> plan = Plan(find(EXPERIMENTS, "bmv96/strategies"), "smoke")
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
