"""Rows on disk: one JSON-lines file a run, to which rows are only ever appended.

The first line says where the rows come from; every other line is a row. A row counts once its line is complete, so a
run may be killed at any moment: a half-written last line is cut off, and its row measured again. A damaged line is left
out and left alone: its row is measured again too, and ``repair`` takes the line out of the file.
"""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self

from worldwise.core.durable_files import check_regular, open_locked, sync_folder
from worldwise.errors import InputError
from worldwise.kernels import describe
from worldwise.runs.job import VERSION, Measured, OfMatch, Pair, Run, has_row
from worldwise.runs.row_lines import damage_words, open_seal, row_line, seal, sort_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path
    from types import TracebackType

    from worldwise.runs.rows import Row

FORMAT = 2
"""Of these files: every line has a checksum. Those of the first format have none and are read as well."""

KEY = "worldwise-lab"
"""Under which a file's first line has its format."""

Provenance = dict[str, Any]


@dataclass(frozen=True)
class Stored:
    """What a file holds: where its rows come from, and the rows; ``length`` is that of its complete lines in bytes.

    ``damage`` says in words which of its lines are damaged; it is empty if none is.
    """

    provenance: Provenance
    rows: Mapping[Pair, Row]
    length: int
    damage: str = ""


def provenance(run: Run) -> Provenance:
    """Where rows measured from now on come from."""
    return {
        KEY: FORMAT,
        **run.identity,
        "version": VERSION,
        "kernels": describe(),
        "machine": {"platform": platform.platform(), "cpus": os.cpu_count(), "python": platform.python_version()},
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }


# ---------------------------------------------------------------------- reading


def read_run(path: Path, run: Run) -> Stored | None:
    """What was measured so far, None if nothing was; a run under way can be read. ``InputError`` for a wrong file."""
    data = read_file(path)
    return None if data is None else _parse(data, path, run)


def read_file(path: Path) -> bytes | None:
    """All of a file; None if there is none."""
    check_regular(path)
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None


def _parse(data: bytes, path: Path, run: Run) -> Stored | None:
    lines = whole_lines(data)
    if not lines and HEAD.startswith(data[: len(HEAD)]):
        return None  # killed before its first line was complete
    first = read_provenance(lines[0] if lines else b"", path, run.name)
    check_provenance(first, path, run)
    found = sort_lines(lines[1:], sealed=first[KEY] == FORMAT)
    ours = {number: measured for number, measured in found.rows.items() if not _is_beyond(measured.pair, run)}
    _check_known(ours, path, run)
    damage = f"{damage_words(path, found.damaged)}; {_REPAIR}" if found.damaged else ""
    return Stored(first, dict(ours.values()), sum(len(line) + 1 for line in lines), damage)


_REPAIR = "'worldwise lab repair' takes damaged lines out"


HEAD = b'{"%s":' % KEY.encode()
"""How every file begins."""


def whole_lines(data: bytes) -> list[bytes]:
    """The lines that were written to their end; after a power cut the last may be full of zeros."""
    lines = data.split(b"\n")[:-1]
    if lines and b"\0" in lines[-1]:
        lines.pop()
    return lines


def _is_beyond(pair: Pair, run: Run) -> bool:
    """Whether a row is of a longer run of the same match: whoever asks for fewer games wants the first of them."""
    if not isinstance(run, OfMatch) or pair.number or pair.setting.keys() != run.pairs[0].setting.keys():
        return False
    (game,) = pair.setting.values()
    return isinstance(game, int) and game > len(run.pairs)


def _check_known(rows: Mapping[int, Measured], path: Path, run: Run) -> None:
    known = has_row(run)
    for number, (pair, _) in rows.items():
        if not known(pair):
            fault = f"{run.name} has no row at {pair} now"
            raise InputError(f"{path}, line {number}: {fault}; move the file away to start afresh")


def line_without(path: Path, name: str) -> int | None:
    """The first line whose row lacks a name that other rows have; None if there is none."""
    try:
        found = sort_lines(whole_lines(path.read_bytes())[1:], sealed=False).rows
    except OSError:
        return None
    there = {number: name in measured.row for number, measured in found.items()}
    return next((number for number, has in there.items() if not has), None) if any(there.values()) else None


def read_provenance(line: bytes, path: Path, what: str = "a run") -> Provenance:
    """What a file's first line says; ``InputError`` if it is damaged, of another program, or of a later version."""
    try:
        first, sealed = open_seal(line)
    except InputError as error:
        if line.startswith(HEAD):
            raise DamagedStartError(f"{path}, line 1: {error}; {_ASIDE}") from None
        first, sealed = None, False
    if not isinstance(first, dict) or KEY not in first:
        raise InputError(f"{path}: expected rows of {what}, found something else")
    if first[KEY] not in range(1, FORMAT + 1) or isinstance(first[KEY], bool):
        raise InputError(
            f"{path}: expected format {FORMAT} or older, found {first[KEY]!r:.40}: another version of worldwise wrote "
            "this file; move it away to start afresh, or write to another place"
        )
    if first[KEY] == FORMAT and not sealed:
        raise DamagedStartError(f"{path}, line 1: expected a line with its checksum, found none; {_ASIDE}")
    return first


_ASIDE = "'worldwise lab repair' sets the file aside"


class DamagedStartError(InputError):
    """A file of ours whose first line is damaged: nobody knows where its rows come from."""


def check_provenance(first: Provenance, path: Path, run: Run) -> None:
    """A file is of one run: all that identifies it is the same."""
    for name, wanted in run.identity.items():
        _same(name, wanted, first.get(name), path)
    ours = provenance(run)
    if lacking := _find_lacking(ours, first) or _find_lacking(ours["machine"], first["machine"]):
        raise InputError(f"{path}, line 1: expected where the rows come from, found no {', '.join(lacking)}")


def _find_lacking(wanted: Provenance, found: object) -> list[str]:
    return sorted(set(wanted) - set(found if isinstance(found, dict) else ()))


def _check_continued(first: Provenance, path: Path, run: Run) -> None:
    """Rows of two versions are not mixed; timings of two machines are not either."""
    wanted = provenance(run)
    for name in ("version", "kernels", "machine") if run.timed else ("version",):
        _same(name, wanted[name], first.get(name), path)


def _same(name: str, expected: object, found: object, path: Path) -> None:
    if expected != found:
        raise InputError(
            f"{path}: expected {name} {expected!r}, found {_found_words(found)}; move the file away to start afresh, "
            "or write to another place"
        )


def _found_words(found: object) -> str:
    return "none, as in files of earlier versions" if found is None else repr(found)


# ---------------------------------------------------------------------- writing


class RunFile:
    """A run's file, open for appending by one process at a time.

    ``rows`` is what was there when it was opened, ``damage`` which of its lines are damaged.
    """

    def __init__(self, path: Path, run: Run) -> None:
        self.path = path
        self._file = open_locked(path)
        try:
            self.rows, self.damage = self._resume(run)
        except BaseException:
            self._file.close()
            raise

    def _resume(self, run: Run) -> tuple[Mapping[Pair, Row], str]:
        stored = _parse(self._file.read(), self.path, run)
        if stored:
            _check_continued(stored.provenance, self.path, run)
            self._file.truncate(stored.length)
            return stored.rows, stored.damage
        self._file.truncate(0)
        self._write([seal(provenance(run))])
        sync_folder(self.path.parent)
        return {}, ""

    def tell_damage(self, warn: Callable[[str], None]) -> None:
        """Say which lines are damaged, if there are any."""
        if self.damage:
            warn(f"{self.damage}; what stood there is measured again")

    def append(self, rows: Iterable[Measured]) -> None:
        """Write rows; when this returns they are on the disk."""
        self._write(map(row_line, rows))

    def _write(self, lines: Iterable[bytes]) -> None:
        left = memoryview(b"".join(lines))
        try:
            while left:
                left = left[self._file.write(left) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            raise InputError(f"{self.path}: {error.strerror}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
