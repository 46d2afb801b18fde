"""The lines of a file of rows: each is sealed with a checksum, so that a damaged one is found and only that is lost.

Lines of the first format have no checksum. They are rows as they stand, if they make sense.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from worldwise.core.durable_files import checksum
from worldwise.core.reading import read_json
from worldwise.errors import InputError
from worldwise.runs.job import Measured, Pair
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

FIRST_ROW = 2
"""The line that the first row stands in."""

_SEAL = b',"check":"'


def seal(entry: Mapping[str, Any]) -> bytes:
    """A line that ends with the checksum of what stands before it.

    >>> seal({"seed": 3})
    b'{"seed":3,"check":"4d687b6437462c4d"}\\n'
    """
    text = json.dumps(entry, separators=(",", ":"), allow_nan=False).encode()
    return b'%s%s%s"}\n' % (text[:-1], _SEAL, checksum(text).encode())


def open_seal(line: bytes) -> tuple[Any, bool]:
    """What a line says, and whether it was sealed; ``InputError`` if it is damaged.

    >>> open_seal(seal({"seed": 3})), open_seal(b'{"seed":3}')
    (({'seed': 3}, True), ({'seed': 3}, False))
    >>> open_seal(seal({"seed": 3}).replace(b"3", b"4", 1))
    Traceback (most recent call last):
    worldwise.errors.InputError: expected a line that fits its checksum, found one that does not
    """
    body, sealed, rest = line.rstrip().rpartition(_SEAL)
    text = body + b"}" if sealed else rest
    if sealed and rest != checksum(text).encode() + b'"}':
        raise InputError("expected a line that fits its checksum, found one that does not")
    try:
        return read_json(text), bool(sealed)
    except InputError:
        raise InputError("expected a line of JSON, found something else") from None


def row_line(measured: Measured) -> bytes:
    """A row and its name, sealed."""
    pair, row = measured
    return seal({"setting": dict(pair.setting), "seed": pair.number, "row": row})


def read_row(line: bytes, *, sealed: bool) -> Measured:
    """A row and its name; ``InputError`` if the line is damaged, or has no checksum and must be ``sealed``."""
    entry, was_sealed = open_seal(line)
    if sealed and not was_sealed:
        raise InputError("expected a row with its checksum, found a line without one")
    try:
        pair, row = Pair(Setting(**entry["setting"]), entry["seed"]), entry["row"]
    except (ValueError, TypeError, KeyError, InputError):
        raise InputError("expected a row, found something else") from None
    if not (isinstance(pair.number, int) and isinstance(row, dict) and all(map(_is_finite, row.values()))):
        raise InputError("expected a row, found something else")
    if not row.keys().isdisjoint((*pair.setting, "seed")):  # rows that are read back take these from the setting
        raise InputError("expected a row that says nothing of its own setting, found one that does")
    return Measured(pair, row)


def _is_finite(value: object) -> bool:
    """JSON has numbers that no float holds."""
    return not isinstance(value, float) or math.isfinite(value)


# ---------------------------------------------------------------------- all lines of a file


@dataclass(frozen=True)
class SortedLines:
    """The rows of a file, and what is wrong with its other lines; both by the number of the line."""

    rows: Mapping[int, Measured]
    damaged: Mapping[int, str]


def sort_lines(lines: Sequence[bytes], *, sealed: bool) -> SortedLines:
    """Tell rows from damaged lines: one that cannot be read, one that is there twice, one whose values are odd."""
    rows, damaged = dict[int, Measured](), dict[int, str]()
    for number, line in enumerate(lines, start=FIRST_ROW):
        try:
            rows[number] = read_row(line, sealed=sealed)
        except InputError as error:
            damaged[number] = str(error)
    for find in (_odd_values, _find_repeated):  # what stood in an odd line may have been measured again
        found = dict(find(rows))
        damaged |= found
        rows = {number: measured for number, measured in rows.items() if number not in found}
    return SortedLines(rows, damaged)


def _find_repeated(rows: Mapping[int, Measured]) -> Iterator[tuple[int, str]]:
    """A row is measured once: the first counts."""
    seen = set[Pair]()
    for number, (pair, _) in rows.items():
        if pair in seen:
            yield number, f"the row at {pair} is there twice"
        seen.add(pair)


KINDS = {bool: "a number", int: "a number", float: "a number", str: "text"}
"""Of values; there may be nothing in place of either."""


def _odd_values(rows: Mapping[int, Measured]) -> Iterator[tuple[int, str]]:
    """The values that are of another kind than most under their name.

    A measurement has one kind of value under a name, or none; so a file that somebody has changed is found out.
    """
    values = ((name, value) for _, row in rows.values() for name, value in row.items() if value is not None)
    kinds = Counter((name, KINDS.get(type(value))) for name, value in values)
    usual: dict[str, str] = {}
    for (name, kind), _ in kinds.most_common():
        if kind:
            usual.setdefault(name, kind)
    if len(usual) < len(kinds):
        yield from _other_values(rows, usual)


def _other_values(rows: Mapping[int, Measured], usual: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    for line, (_, row) in rows.items():
        for name, value in row.items():
            wanted = usual.get(name, "a number or text")
            if value is not None and KINDS.get(type(value)) != wanted:
                yield line, f"expected {wanted} as {name}, found {value!r:.60}"
                break


MOST_NAMED = 8
"""Damaged lines of a file that are named by number."""


def damage_words(path: object, damaged: Mapping[int, str]) -> str:
    """In one sentence, which lines of a file are damaged; there is at least one.

    >>> damage_words("a.jsonl", {4: "expected a row, found something else", 7: "", 9: ""})
    'a.jsonl, line 4: expected a row, found something else (lines 7, 9 are damaged too)'
    """
    first, *others = sorted(damaged)
    named = ", ".join(map(str, others[:MOST_NAMED])) + (" ..." if len(others) > MOST_NAMED else "")
    them = f"lines {named} are" if len(others) > 1 else f"line {named} is"
    return f"{path}, line {first}: {damaged[first]}" + (f" ({them} damaged too)" if others else "")
