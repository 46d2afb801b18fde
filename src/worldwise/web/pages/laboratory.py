"""The laboratory: what rows say of the papers' claims, those that are shipped or those run here, and smoke runs.

The folder of results is given when the server starts, never by a request, and is only read. A smoke run is kept in no
file: it goes to the page that asked for it, row by row, and is gone when that is closed.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from worldwise.errors import InputError, UnknownNameError
from worldwise.lab import papers
from worldwise.lab.plan import Plan
from worldwise.lab.results import find_runs, rehearsal
from worldwise.lab.views.json import experiment_json, run_json
from worldwise.web.endpoint import Endpoint, Page
from worldwise.web.fields import Text
from worldwise.web.refusal import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from worldwise.lab.experiment import Experiment
    from worldwise.lab.results import RunsFound

Json = dict[str, Any]

SECONDS = 120.0
"""A report of a paper's scale has many rows to read."""


def _find(name: str) -> Experiment:
    try:
        return papers.load(name)
    except UnknownNameError as error:
        raise RefusedError(400, str(error), "experiment") from None


def listing(*, folder: Path) -> Iterator[Json]:
    """Every experiment and what has been run of it, as the files are read."""
    told: list[Json] = []
    for name in papers.EXPERIMENTS:
        told.append(_entry(papers.load(name), folder))
        yield {"folder": str(folder), "total": len(papers.EXPERIMENTS), "experiments": list(told)}


def _entry(experiment: Experiment, folder: Path) -> Json:
    """An experiment of the list; a file that cannot be read is no reason to hide the others."""
    found = find_runs(experiment, folder).judge_best()
    return {**experiment_json(experiment, found.best), "fault": _fault(found)}


def _fault(found: RunsFound) -> str | None:
    return "; ".join(found.faults) or None


def report(*, experiment: str, folder: Path) -> Iterator[Json]:
    """The best run of an experiment that can be read, and what is wrong with its other files."""
    chosen = _find(experiment)
    found = find_runs(chosen, folder).judge_best()
    if found.faults and not found.best:
        raise InputError(_fault(found))
    told = run_json(found.best) if found.best else {**experiment_json(chosen, None), "verdicts": None}
    yield {**told, "fault": _fault(found)}


def smoke(*, experiment: str) -> Iterator[Json]:
    """A smoke run: how many rows of how many are measured, and in the end what they say."""
    plan = Plan(_find(experiment), "smoke")
    yield {"done": 0, "total": len(plan.pairs), "run": None}
    for results in rehearsal(plan):
        done = {"done": len(results.rows), "total": len(plan.pairs)}
        yield {**done, "run": None}
    yield {**done, "run": run_json(results)}


EXPERIMENT = Text("experiment", "an experiment's id: fb01/fig-7", longest=60, required=True)


def laboratory(folder: Path) -> Page:
    """The page for a folder of results.

    >>> from pathlib import Path
    >>> laboratory(Path("lab-results")).path
    '/laboratory'
    """
    # What is in the folder may change, and a POST is answered anew every time.
    posted: dict[str, Any] = {"method": "POST", "seconds": SECONDS}
    listed, told = partial(listing, folder=folder), partial(report, folder=folder)
    return Page(
        path="/laboratory",
        title="Laboratory",
        about="The papers' claims, run again: verdicts, pictures and numbers.",
        files="laboratory",
        endpoints=(
            Endpoint("/api/lab", "Every experiment, and what has been run of it.", (), listed, **posted),
            Endpoint("/api/lab/report", "The best run of an experiment.", (EXPERIMENT,), told, **posted),
            Endpoint("/api/lab/smoke", "A smoke run, kept in no file.", (EXPERIMENT,), smoke, long=True, **posted),
        ),
    )
