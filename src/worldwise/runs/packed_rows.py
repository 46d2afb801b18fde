"""Rows packed small: a file of results as columns, compressed, to be read and never added to.

A column of a thousand seeds, or of a thousand times the same depth, comes to a few bytes, and a setting is read once
and not with every row. The compressed file has a checksum of its own, so lines need none.
"""

from __future__ import annotations

import json
import lzma
from typing import TYPE_CHECKING, Any

from worldwise.core.reading import read_json
from worldwise.errors import InputError
from worldwise.runs.job import Pair, has_row
from worldwise.runs.row_files import Provenance, Stored, check_provenance
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from worldwise.runs.job import Run
    from worldwise.runs.rows import Row, Scalar

SUFFIX = ".json.xz"


def pack(provenance: Provenance, rows: Mapping[Pair, Row]) -> bytes:
    """Rows and where they come from; the same rows in the same order give the same bytes.

    >>> rows = {Pair(Setting(depth=2), seed): {"errors": seed} for seed in range(1000)}
    >>> len(pack({}, rows)) < 1000, unpack(pack({}, rows))[1] == rows
    (True, True)
    """
    tables: dict[tuple[tuple[str, ...], tuple[str, ...]], list[tuple[Scalar, ...]]] = {}
    for (setting, number), row in rows.items():
        tables.setdefault((tuple(setting), tuple(row)), []).append((*setting.values(), number, *row.values()))
    told = [
        {"setting": names, "row": measured, "columns": list(zip(*lines, strict=True))}
        for (names, measured), lines in tables.items()
    ]
    text = json.dumps({"provenance": provenance, "tables": told}, separators=(",", ":"), allow_nan=False)
    return lzma.compress(text.encode(), check=lzma.CHECK_SHA256, preset=9 | lzma.PRESET_EXTREME)


def unpack(data: bytes) -> tuple[Provenance, dict[Pair, Row]]:
    """What was packed; ``InputError`` if that cannot be read, in whole or in part."""
    try:
        told = read_json(lzma.decompress(data))
        return told["provenance"], dict(row for table in told["tables"] for row in _rows(table))
    except (lzma.LZMAError, EOFError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"expected packed rows, found something else ({error})") from None


def _rows(table: Any) -> Iterator[tuple[Pair, Row]]:
    names, measured = table["setting"], table["row"]
    settings: dict[tuple[object, ...], Setting] = {}
    for *values, number, row in _lines(table["columns"], len(names)):
        key = (*values, *map(type, values))  # 1, 1.0 and True are one key, and three settings
        if key not in settings:
            settings[key] = Setting(**dict(zip(names, values, strict=True)))
        yield Pair(settings[key], number), dict(zip(measured, row, strict=True))


def _lines(columns: list[list[Scalar]], names: int) -> Iterator[tuple[Any, ...]]:
    """The columns read across: the setting's values, the seed's number, and the row's values together."""
    for line in zip(*columns, strict=True):
        yield *line[: names + 1], line[names + 1 :]


def read_packed(data: bytes, path: Path, run: Run) -> Stored:
    """The rows of a run out of a packed file; ``InputError`` if they are of another one."""
    try:
        first, rows = unpack(data)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    check_provenance(first, path, run)
    known = has_row(run)
    if unknown := next((pair for pair in rows if not known(pair)), None):
        raise InputError(f"{path}: {run.name} has no row at {unknown} now")
    return Stored(first, rows, 0)
