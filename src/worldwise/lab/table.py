"""Tables of typed cells: summaries of rows, the papers' numbers, and the two side by side."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeAlias

from worldwise.core.statistics import Estimate
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Share(float):
    """A number from 0 to 1 that people read as a percentage."""


FEW = 10
"""Observations; what is said of fewer says how many there are."""

FEWEST = 3
"""Observations; fewer say nothing, wherever the numbers lie."""

Cell: TypeAlias = bool | int | float | str | Estimate | None


@dataclass(frozen=True)
class DataTable:
    """Columns by name, and rows of cells.

    >>> table = DataTable(("depth", "error"), ((2, 0.0), (3, 0.11)), "error by depth")
    >>> table.column("error"), table.records()[1]
    ((0.0, 0.11), {'depth': 3, 'error': 0.11})
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise InputError(f"expected {len(self.columns)} cells {self.columns}, found {row!r}")

    def column(self, name: str) -> tuple[Cell, ...]:
        """The cells of a column."""
        return tuple(row[self.columns.index(name)] for row in self.rows)

    def records(self) -> list[dict[str, Cell]]:
        """The rows as dictionaries."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


NOTHING = DataTable((), ())
"""What is published about an experiment that no paper has made."""


def table_of(records: Iterable[dict[str, Cell]], caption: str = "") -> DataTable:
    """A table of dictionaries that share their keys.

    >>> table_of([{"depth": 2, "error": 0.1}]).columns
    ('depth', 'error')
    """
    listed = list(records)
    columns = tuple(listed[0]) if listed else ()
    return DataTable(columns, tuple(tuple(record[name] for name in columns) for record in listed), caption)


def published_numbers(package: str, name: str) -> DataTable:
    """The published numbers: a CSV file that lies in a package, its first line the columns' names.

    Cells become numbers where they read as numbers, None where they are empty. Lines that begin with # are remarks.
    """
    text = files(package).joinpath(name).read_text("utf-8")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    records = csv.DictReader(lines, strict=True)
    rows = [tuple(_cell(record[column]) for column in records.fieldnames or ()) for record in records]
    return DataTable(tuple(records.fieldnames or ()), tuple(rows))


def _cell(word: str | None) -> Cell:
    if not word:
        return None
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return word


# ---------------------------------------------------------------------- the paper's numbers and ours


def summary_alone(summary: DataTable, published: DataTable) -> DataTable:
    """The comparison of an experiment that no paper has made: our numbers."""
    del published
    return summary


def side_by_side(
    summary: DataTable, published: DataTable, on: Sequence[str], value: str, theirs: str = "", tolerance: float = 0.0
) -> DataTable:
    """Our numbers beside each published one, matched by the columns ``on``, with a note where they differ.

    ``value`` names our column, ``theirs`` the paper's if it is called something else. A published number agrees with
    ours if it lies in our interval widened by ``tolerance``, or by its own column ``tolerance``: how well a number
    could be read off a picture, say. Nearly every number lies in the interval of a few observations, so a note on less
    than ``FEW`` says of how many, and less than ``FEWEST`` do not tell.

    >>> from worldwise.core.statistics import wilson
    >>> ours = DataTable(("depth", "error"), ((2, wilson(0, 50)), (3, wilson(30, 50))))
    >>> paper = DataTable(("depth", "error", "note"), ((2, 0.01, "read off"), (3, 0.2, None), (4, 0.3, None)))
    >>> side_by_side(ours, paper, ["depth"], "error").column("note")
    ('agrees; read off', 'ours is higher', 'not measured')
    >>> few = DataTable(("depth", "error"), ((2, wilson(1, 4)), (3, wilson(0, 1))))
    >>> side_by_side(few, paper, ["depth"], "error").column("note")
    ('ours is higher, but of 4 only; read off', 'too few', 'not measured')
    """
    figures = [record[value] for record in summary.records()]
    percent = any(isinstance(figure, Estimate) and figure.percent for figure in figures)
    records = [(record, _match(summary, record, on)) for record in published.records()]
    rows = (
        _compare_record(record, ours.get(value), on, theirs or value, tolerance, percent) for record, ours in records
    )
    return DataTable((*on, "paper", "ours", "difference", "note"), tuple(rows), summary.caption)


def _match(summary: DataTable, record: dict[str, Cell], on: Sequence[str]) -> dict[str, Cell]:
    matches = (ours for ours in summary.records() if all(_same(ours[name], record[name]) for name in on))
    return next(matches, {})


def _same(ours: Cell, theirs: Cell) -> bool:
    if isinstance(ours, float) and isinstance(theirs, int | float):
        return math.isclose(ours, theirs, abs_tol=1e-9)
    return ours == theirs


def _compare_record(
    record: dict[str, Cell], ours: Cell, on: Sequence[str], theirs: str, tolerance: float, percent: bool
) -> tuple[Cell, ...]:
    paper, slack = record[theirs], record.get("tolerance")
    estimate = ours if isinstance(ours, Estimate) else _exactly(ours)
    difference: Cell = None
    if isinstance(paper, int | float) and estimate is not None:
        difference = estimate.value - paper
    said = _agreement(paper, estimate, slack if isinstance(slack, int | float) else tolerance)
    note = "; ".join(str(part) for part in (said, record.get("note")) if part)
    return (*(record[name] for name in on), _cell_text(paper, percent), ours, _cell_text(difference, percent), note)


def _exactly(ours: Cell) -> Estimate | None:
    # a count is no estimate, so there are not few observations behind it
    return Estimate(ours, ours, ours, FEW) if isinstance(ours, int | float) else None


def _agreement(paper: Cell, ours: Estimate | None, tolerance: float) -> str:
    if ours is None:
        return "not measured"
    if not isinstance(paper, int | float):
        return "not stated"
    if ours.count < FEWEST:
        return "too few"
    said = "ours is higher" if ours.value > paper else "ours is lower"
    if ours.low - tolerance <= paper <= ours.high + tolerance:
        said = "agrees"
    return said if ours.count >= FEW else f"{said}, but of {ours.count} only"


def _cell_text(number: Cell, percent: bool) -> Any:
    return Share(number) if percent and isinstance(number, int | float) else number
