"""The atlas for other programs: its tables as CSV or Parquet."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from worldwise.core.durable_files import open_to_write
from worldwise.errors import InputError
from worldwise.extras import import_extra

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from worldwise.bridge.suit.atlas.atlas import Atlas
    from worldwise.bridge.suit.atlas.tables import Table

FORMATS = ("csv", "parquet")
"""By the endings of files."""

AT_ONCE = 10_000
"""Rows that are written together."""


def export(atlas: Atlas, path: Path, *, goals: bool = False) -> int:
    """Write the combinations, or all goals with their hands, to a file, in the format of its ending; how many rows."""
    if path.suffix.lower().lstrip(".") not in FORMATS:
        raise InputError(f"expected a file that ends in .csv or .parquet, found {str(path)!r}")
    columns = goal_columns(atlas) if goals else _columns(atlas.table)
    write = _write_csv if path.suffix.lower() == ".csv" else _write_parquet
    try:
        write(path, columns)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    return len(next(iter(columns.values())))


def _columns(table: Table) -> dict[str, Any]:
    return {name: table[name] for name in table.dtype.names or ()}


def goal_columns(atlas: Atlas) -> dict[str, Any]:
    """The columns of the goals, each with the hands in place of a row's number."""
    columns = _columns(atlas.goals)
    number = columns.pop("number")
    return {"north": atlas.table["north"][number], "south": atlas.table["south"][number], **columns}


def _write_csv(path: Path, columns: dict[str, Any]) -> None:
    size = len(next(iter(columns.values())))
    with open_to_write(path) as file:
        file.write(_lines([columns]))
        for start in range(0, size, AT_ONCE):
            parts = [column[start : start + AT_ONCE].tolist() for column in columns.values()]
            file.write(_lines(zip(*parts, strict=True)))


def _lines(rows: Iterable[Iterable[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _write_parquet(path: Path, columns: dict[str, Any]) -> None:
    arrow, parquet = import_extra("pyarrow", "table"), import_extra("pyarrow.parquet", "table")
    with open_to_write(path) as file:
        parquet.write_table(arrow.table({name: arrow.array(column) for name, column in columns.items()}), file)
