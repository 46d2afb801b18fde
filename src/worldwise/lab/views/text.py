"""Experiments and their results as tables for people and dictionaries for programs."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.table import Table as RichTable
from rich.text import Text

from worldwise.core.statistics import Estimate
from worldwise.lab.experiment import ClaimOutcome
from worldwise.lab.table import DataTable, Share
from worldwise.views.estimates import count_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console, ConsoleOptions

    from worldwise.lab.experiment import Claim, Experiment, Verdict
    from worldwise.lab.results import Results
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
    version = f"worldwise {results.provenance['version']}" + (", shipped" if results.shipped else "")
    seeds = f"seeds {', '.join(map(str, results.seeds))}" if results.seeds else f"seed {results.plan.seed}"
    return f"scale {results.plan.scale}, {seeds}, {_rows_words(results)}, {version}"


def _rows_words(results: Results) -> str:
    rows, total = len(results.rows), max(1, len(results.seeds)) * len(results.plan.pairs)
    if results.until_decided:
        return f"{count_words(rows, 'row')} until decided: {results.decisions}"
    return count_words(rows, "row") if results.complete else f"{rows:,} of {total:,} rows so far"


def score_words(verdicts: Sequence[Verdict]) -> str:
    """How many claims hold, fail, and are open.

    >>> from worldwise.lab.experiment import Verdict
    >>> score_words([Verdict.of(True, ""), Verdict.of(None, ""), Verdict.of(True, "")])
    '2 hold, 0 fail, 1 undecided'
    """
    counts = {outcome: sum(verdict.outcome == outcome for verdict in verdicts) for outcome in ClaimOutcome}
    names = {ClaimOutcome.HOLDS: "hold", ClaimOutcome.FAILS: "fail", ClaimOutcome.UNDECIDED: "undecided"}
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


def verdict_text(claim: Claim, verdict: Verdict, rows: str = "rows") -> Group:
    """A claim and its verdict, how the sentence became a test, and the figures; wrapped lines keep their indent."""
    head = Text(f"{verdict.outcome.value}: ", style=f"bold {STYLES[verdict.outcome]}").append(claim.text, style="none")
    return Group(head, *(Indented(Text(line), 2) for line in verdict_lines(claim, verdict, rows)))


@dataclass(frozen=True)
class Indented:
    """A text so many columns from the left, every line of it."""

    text: Text
    by: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        for line in self.text.wrap(console, max(1, options.max_width - self.by)):
            line.rstrip()
            yield Text(" " * self.by) + line


def verdict_lines(claim: Claim, verdict: Verdict, rows: str = "rows") -> list[str]:
    """What stands below a verdict: the test, the figures and the source, and how many ``rows`` would decide it.

    >>> from worldwise.lab.experiment import Claim, Verdict
    >>> claim = Claim("It grows", "section 1", lambda rows, confidence: Verdict.of(None, ""), test="last less first")
    >>> verdict_lines(claim, Verdict.of(None, "+1.0% (-1.0% to +3.0%)"))
    ['test: last less first', '+1.0% (-1.0% to +3.0%) (section 1)']
    """
    test = [f"test: {claim.test}"] if claim.test else []
    needed = [needed_words(verdict, rows)] if verdict.needed else []
    return [*test, f"{verdict.because} ({claim.source})", *needed]


def needed_words(verdict: Verdict, rows: str = "rows") -> str:
    """How many ``rows``, or games or deals, would decide a claim, as far as anyone can tell; nothing if nobody can.

    >>> from worldwise.lab.experiment import ClaimOutcome, Verdict
    >>> needed_words(Verdict(ClaimOutcome.UNDECIDED, "", 2.5, 1234), "games"), needed_words(Verdict.of(True, ""))
    ('about 1,200 games in all would decide it', '')
    """
    if not verdict.needed:
        return ""
    digits = max(0, len(str(verdict.needed)) - 2)
    return f"about {round(verdict.needed, -digits):,} {rows} in all would decide it"


def results_text(results: Results, comparison: bool) -> Iterator[Any]:
    """What a run says: title, table and verdicts, one thing to print after the other."""
    yield Text(f"{results.experiment.id}: {results.experiment.title} ({results.experiment.source})", style="bold")
    yield Text(run_words(results))
    yield table_text(results.comparison if comparison else results.summary)
    for claim, verdict in zip(results.experiment.claims, results.verdicts, strict=True):
        yield verdict_text(claim, verdict, results.experiment.row_name)


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
        "seeds": list(results.seeds or (results.plan.seed,)),
        "file": str(results.path),
        "rows": len(results.rows),
        "complete": results.complete,
        "newcomer": results.experiment.newcomer.name if results.experiment.newcomer else None,
        "provenance": results.provenance,
        "shipped": results.shipped,
        "verdicts": [
            {
                "claim": claim.text,
                "source": claim.source,
                "test": claim.test,
                "outcome": verdict.outcome,
                "because": verdict.because,
                "needed": verdict.needed,
            }
            for claim, verdict in pairs
        ],
        "summary": table_json(results.summary),
    }
