"""Experiments and their results as tables for people and dictionaries for programs."""

from __future__ import annotations

import math
from contextlib import contextmanager
from dataclasses import asdict
from time import monotonic
from typing import TYPE_CHECKING, Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as RichTable
from rich.text import Text

from worldwise.core.statistics import Estimate
from worldwise.lab.experiment import ClaimOutcome
from worldwise.lab.table import DataTable, Share
from worldwise.views.estimates import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rich.console import Console

    from worldwise.lab.experiment import Claim, Experiment, Verdict
    from worldwise.lab.results import Results, RunsFound
    from worldwise.lab.table import Cell

STYLES = {ClaimOutcome.HOLDS: "green", ClaimOutcome.FAILS: "red", ClaimOutcome.UNDECIDED: "yellow"}


# ---------------------------------------------------------------------- words


def cell_words(cell: Cell) -> str:
    """A cell as people read it: rates in per cent, intervals in brackets, a dash for nothing.

    >>> from worldwise.core.statistics import wilson
    >>> cell_words(wilson(81, 263)), cell_words(0.123456), cell_words(None), cell_words(True), cell_words(80412)
    ('30.8 % [25.5, 36.6]', '0.1235', '–', 'yes', '80,412')
    """
    if cell is None:
        return "–"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, Estimate):
        return _estimate_words(cell)
    if isinstance(cell, Share):
        return f"{100 * cell:.1f} %"
    return cell if isinstance(cell, str) else _number_words(cell, 4)


def _number_words(number: float, digits: int) -> str:
    """So many digits, or all of a larger number; 8.04e+04 is hard to read."""
    if isinstance(number, int):
        return f"{number:,}" if abs(number) >= 10**digits else str(number)
    return f"{number:,.0f}" if abs(number) >= 10**digits - 0.5 else f"{number:.{digits}g}"


def _estimate_words(estimate: Estimate) -> str:
    figures = (estimate.value, estimate.low, estimate.high)
    if estimate.percent:
        value, low, high = (f"{100 * figure:.1f}" for figure in figures)
    else:
        value, low, high = (_number_words(figure, 3) for figure in figures)
    interval = f"[{low}, {high}]" if math.isfinite(estimate.low) else "[?]"
    return f"{value}{' %' * estimate.percent} {interval}"


def compact(table: DataTable) -> DataTable:
    """A table whose columns that say the same in every row are said once, in the caption.

    >>> from worldwise.lab.table import DataTable
    >>> compact(DataTable(("q", "depth"), ((0.5, 2), (0.5, 3)), "errors"))
    DataTable(columns=('depth',), rows=((2,), (3,)), caption='errors (q 0.5)')
    """
    constant = [name for name in table.columns if _constant(table, name)]
    kept = tuple(name for name in table.columns if name not in constant)
    said = ", ".join(f"{name} {cell_words(table.column(name)[0])}" for name in constant)
    rows = tuple(tuple(record[name] for name in kept) for record in table.records())
    return DataTable(kept, rows, f"{table.caption} ({said})".strip()) if said else table


def _constant(table: DataTable, name: str) -> bool:
    cells = table.column(name)
    return name != "note" and len(cells) > 1 and len(set(cells)) == 1 and not isinstance(cells[0], Estimate)


def run_words(results: Results) -> str:
    """Which run this is, and how much of it there is."""
    rows, total = len(results.rows), len(results.plan.pairs)
    there = counted(rows, "row") if results.complete else f"{rows:,} of {total:,} rows so far"
    source = results.provenance
    return f"scale {results.plan.scale}, seed {results.plan.seed}, {there}, worldwise {source['version']}"


def score_words(verdicts: Sequence[Verdict]) -> str:
    """How many claims hold, fail, and are open.

    >>> from worldwise.lab.experiment import Verdict
    >>> score_words([Verdict.of(True, ""), Verdict.of(None, ""), Verdict.of(True, "")])
    '2 hold, 0 fail, 1 not enough data'
    """
    counts = {outcome: sum(verdict.outcome == outcome for verdict in verdicts) for outcome in ClaimOutcome}
    names = {ClaimOutcome.HOLDS: "hold", ClaimOutcome.FAILS: "fail", ClaimOutcome.UNDECIDED: "not enough data"}
    return ", ".join(f"{counts[outcome]} {name}" for outcome, name in names.items())


# ---------------------------------------------------------------------- terminal


def table_text(table: DataTable) -> RichTable:
    """A table for the terminal."""
    table = compact(table)
    shown = RichTable(title=table.caption or None, title_justify="left")
    for name in table.columns:
        numbers = all(not isinstance(cell, str) for cell in table.column(name))
        shown.add_column(name, justify="right" if numbers else "left", overflow="fold")
    for row in table.rows:
        shown.add_row(*(Text(cell_words(cell)) for cell in row))
    return shown


def verdict_text(claim: Claim, verdict: Verdict) -> Text:
    """A claim, its verdict, and why."""
    text = Text(f"{verdict.outcome.value}: ", style=f"bold {STYLES[verdict.outcome]}")
    return text.append(claim.text, style="none").append(f"\n  {verdict.because} ({claim.source})", style="none")


def results_text(results: Results, comparison: bool) -> Iterator[Any]:
    """What a run says: title, table and verdicts, one thing to print after the other."""
    yield Text(f"{results.experiment.id}: {results.experiment.title} ({results.experiment.source})", style="bold")
    yield Text(run_words(results))
    yield table_text(results.comparison if comparison else results.summary)
    for claim, verdict in zip(results.experiment.claims, results.verdicts, strict=True):
        yield verdict_text(claim, verdict)


def list_text(experiments: Sequence[Experiment], runs: Sequence[Results | None]) -> RichTable:
    """The experiments, how large they are, and what has been run of them."""
    shown = RichTable()
    for name in ("id", "title", "rows at each scale", "claims", "best run so far"):
        shown.add_column(name, overflow="fold")
    for experiment, results in zip(experiments, runs, strict=True):
        sizes = ", ".join(f"{scale} {size:,}" for scale, size in row_counts(experiment).items())
        run = run_words(results) if results else "–"
        shown.add_row(*map(Text, (experiment.id, experiment.title, sizes, str(len(experiment.claims)), run)))
    return shown


def row_counts(experiment: Experiment) -> dict[str, int]:
    """How many rows an experiment has at each scale."""
    return {scale: len(experiment.settings[scale]) * experiment.seeds[scale] for scale in experiment.scales}


# ---------------------------------------------------------------------- JSON


def table_json(table: DataTable) -> list[dict[str, Any]]:
    """A table's rows; an estimate is an object, an unknown bound null."""
    return [{name: _cell_json(cell) for name, cell in record.items()} for record in table.records()]


def _cell_json(cell: Cell) -> Any:
    if not isinstance(cell, Estimate):
        return cell
    return {name: None if value in (math.inf, -math.inf) else value for name, value in asdict(cell).items()}


def results_json(results: Results) -> dict[str, Any]:
    """A run with the keys that programs rely on."""
    pairs = zip(results.experiment.claims, results.verdicts, strict=True)
    return {
        "experiment": results.experiment.id,
        "scale": results.plan.scale,
        "seed": results.plan.seed,
        "file": str(results.path),
        "rows": len(results.rows),
        "complete": results.complete,
        "provenance": results.provenance,
        "verdicts": [
            {"claim": claim.text, "source": claim.source, "outcome": verdict.outcome, "because": verdict.because}
            for claim, verdict in pairs
        ],
        "summary": table_json(results.summary),
    }


def list_json(experiments: Sequence[Experiment], found: Sequence[RunsFound]) -> list[dict[str, Any]]:
    """The experiments with the keys that programs rely on."""
    return [
        {
            "id": experiment.id,
            "title": experiment.title,
            "source": experiment.source,
            "claims": [claim.text for claim in experiment.claims],
            "rows": row_counts(experiment),
            "run": {"scale": one.best.plan.scale, "rows": len(one.best.rows)} if one.best else None,
            "unreadable": list(one.faults),
        }
        for experiment, one in zip(experiments, found, strict=True)
    ]


# ---------------------------------------------------------------------- progress


@contextmanager
def progress_bar(console: Console, name: str, quiet: bool, what: str = "rows") -> Iterator[Callable[[int, int], None]]:
    """A bar with rate and time left; what is yielded hears how many rows, or what else, of how many there are."""
    if quiet:
        yield lambda _done, _total: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as progress:
        yield _follower(progress, name, what)


def _follower(progress: Progress, name: str, what: str) -> Callable[[int, int], None]:
    task = progress.add_task(name, rate="", total=None)
    started, before = monotonic(), -1

    def follow(done: int, total: int) -> None:
        nonlocal before
        before = done if before < 0 else before  # rows of an earlier run say nothing about this one's speed
        rate = f"{(done - before) / max(monotonic() - started, 1e-9):,.1f} {what}/s" if done > before else ""
        progress.update(task, completed=done, total=total, rate=rate)

    return follow
