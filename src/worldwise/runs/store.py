"""Rows on disk: one JSON-lines file a run, to which rows are only ever appended.

The first line says where the rows come from; every other line is a row. A row counts once its line is complete, so a
run may be killed at any moment: a half-written last line is cut off, and its row measured again.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO, TYPE_CHECKING, Any, Self

from worldwise.errors import InputError
from worldwise.kernels import describe
from worldwise.runs.job import VERSION, Measured, OfMatch, Pair, Run
from worldwise.runs.rows import Row, Setting

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

FORMAT = 1
"""Of these files; a file of another format is refused."""

FIRST_ROW = 2
"""The line that the first row stands in."""

Provenance = dict[str, Any]


@dataclass(frozen=True)
class Stored:
    """What a file holds: where its rows come from, and the rows; ``length`` is that of its complete lines in bytes."""

    provenance: Provenance
    rows: Mapping[Pair, Row]
    length: int


def provenance(run: Run) -> Provenance:
    """Where rows measured from now on come from."""
    return {
        "worldwise-lab": FORMAT,
        **run.identity,
        "version": VERSION,
        "kernels": describe(),
        "machine": {"platform": platform.platform(), "cpus": os.cpu_count(), "python": platform.python_version()},
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }


# ---------------------------------------------------------------------- reading


def read_run(path: Path, run: Run) -> Stored | None:
    """What was measured so far, None if nothing was; a run under way can be read. ``InputError`` for a wrong file."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    return _parse(data, path, run)


def _parse(data: bytes, path: Path, run: Run) -> Stored | None:
    lines = _whole_lines(data)
    if not lines and _HEAD.startswith(data[: len(_HEAD)]):
        return None  # killed before its first line was complete
    first = _load(lines[0]) if lines else None
    _check(first, path, run)
    rows, known = dict[Pair, Row](), frozenset(run.pairs)
    found = [_read_measured(line) for line in lines[1:]]
    for number, measured in enumerate(found, start=FIRST_ROW):
        if measured and _is_beyond(measured.pair, run):
            continue
        if measured is None or measured.pair not in known or measured.pair in rows:
            raise _refusal(path, number, _fault(measured, rows, run))
        rows[measured.pair] = measured.row
    if odd := _odd_value([measured.row for measured in found if measured]):
        raise _refusal(path, *odd)
    return Stored(first or {}, rows, sum(len(line) + 1 for line in lines))


def _refusal(path: Path, line: int, fault: str) -> InputError:
    return InputError(f"{path}, line {line}: {fault}; move the file away to start afresh")


_HEAD = b'{"worldwise-lab":'


def _whole_lines(data: bytes) -> list[bytes]:
    """The lines that were written to their end; after a power cut the last may have a line's end and no sense."""
    lines = data.split(b"\n")[:-1]
    if lines and _load(lines[-1]) is None:
        lines.pop()
    return lines


def _load(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _read_measured(line: bytes) -> Measured | None:
    try:
        entry = json.loads(line)
        pair, row = Pair(Setting(**entry["setting"]), entry["seed"]), entry["row"]
    except (ValueError, TypeError, KeyError, InputError):
        return None
    return Measured(pair, row) if isinstance(pair.number, int) and isinstance(row, dict) else None


def _is_beyond(pair: Pair, run: Run) -> bool:
    """Whether a row is of a longer run of the same match: whoever asks for fewer games wants the first of them."""
    if not isinstance(run, OfMatch) or pair.number or pair.setting.keys() != run.pairs[0].setting.keys():
        return False
    (game,) = pair.setting.values()
    return isinstance(game, int) and game > len(run.pairs)


def _fault(measured: Measured | None, rows: Mapping[Pair, Row], run: Run) -> str:
    if measured is None:
        return "expected a row, found something else"
    if measured.pair in rows:
        return f"the row at {measured.pair} is there twice"
    return f"{run.name} has no row at {measured.pair} now"


KINDS = {bool: "a number", int: "a number", float: "a number", str: "text"}
"""Of values; there may be nothing in place of either."""


def _odd_value(rows: Sequence[Row]) -> tuple[int, str] | None:
    """The line of a value that is of another kind than most under its name, and what is wrong with it.

    A measurement has one kind of value under a name, or none; so a file that somebody has changed is found out.
    """
    kinds = Counter((name, KINDS.get(type(value))) for row in rows for name, value in row.items() if value is not None)
    usual: dict[str, str] = {}
    for (name, kind), _ in kinds.most_common():
        if kind:
            usual.setdefault(name, kind)
    return next(_odd_values(rows, usual), None) if len(usual) < len(kinds) else None


def _odd_values(rows: Iterable[Row], usual: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    for line, row in enumerate(rows, start=FIRST_ROW):
        for name, value in row.items():
            wanted = usual.get(name, "a number or text")
            if value is not None and KINDS.get(type(value)) != wanted:
                yield line, f"expected {wanted} as {name}, found {value!r}"


def line_without(path: Path, name: str) -> int | None:
    """The first line whose row lacks a name that other rows have; None if there is none."""
    try:
        found = [_read_measured(line) for line in _whole_lines(path.read_bytes())[1:]]
    except OSError:
        return None
    there = [measured is not None and name in measured.row for measured in found]
    return there.index(False) + FIRST_ROW if any(there) and not all(there) else None


def _check(first: Any, path: Path, run: Run) -> None:
    """A file is of one run: all that identifies it is the same."""
    if not isinstance(first, dict) or "worldwise-lab" not in first:
        raise InputError(f"{path}: expected rows of {run.name}, found something else")
    for name, wanted in {"worldwise-lab": FORMAT, **run.identity}.items():
        _same(name, wanted, first.get(name), path)
    ours = provenance(run)
    if lacking := _lacking(ours, first) or _lacking(ours["machine"], first["machine"]):
        raise InputError(f"{path}, line 1: expected where the rows come from, found no {', '.join(lacking)}")


def _lacking(wanted: Provenance, found: object) -> list[str]:
    return sorted(set(wanted) - set(found if isinstance(found, dict) else ()))


def _check_continued(first: Provenance, path: Path, run: Run) -> None:
    """Rows of two versions are not mixed; timings of two machines are not either."""
    wanted = provenance(run)
    for name in ("version", "kernels", "machine") if run.timed else ("version",):
        _same(name, wanted[name], first.get(name), path)


def _same(name: str, expected: object, found: object, path: Path) -> None:
    if expected != found:
        what = "format" if name == "worldwise-lab" else name
        raise InputError(
            f"{path}: expected {what} {expected!r}, found {found!r}; move the file away to start afresh, "
            "or write to another place"
        )


# ---------------------------------------------------------------------- writing


class RunFile:
    """A run's file, open for appending by one process at a time. ``rows`` is what was there when it was opened."""

    def __init__(self, path: Path, run: Run) -> None:
        self.path = path
        self._file = _open(path)
        try:
            _lock(self._file, path)
            self.rows = self._resume(run)
        except BaseException:
            self._file.close()
            raise

    def _resume(self, run: Run) -> Mapping[Pair, Row]:
        stored = _parse(self._file.read(), self.path, run)
        if stored:
            _check_continued(stored.provenance, self.path, run)
        self._file.truncate(stored.length if stored else 0)
        if not stored:
            self._write([provenance(run)])
            _sync_folder(self.path.parent)
        return stored.rows if stored else {}

    def append(self, rows: Iterable[Measured]) -> None:
        """Write rows; when this returns they are on the disk."""
        self._write({"setting": dict(pair.setting), "seed": pair.number, "row": row} for pair, row in rows)

    def _write(self, entries: Iterable[Mapping[str, Any]]) -> None:
        lines = (json.dumps(entry, separators=(",", ":"), allow_nan=False) + "\n" for entry in entries)
        try:
            left = memoryview("".join(lines).encode())
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


def _open(path: Path) -> IO[bytes]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a+b", buffering=0)  # what is interrupted is not written later, out of turn
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    file.seek(0)
    return file


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes], path: Path) -> None:
        """Lock a byte far behind the end, so that others can read meanwhile."""
        file.seek(2**40)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            raise InputError(_TAKEN.format(path=path)) from None
        file.seek(0)

    def _sync_folder(folder: Path) -> None:
        """Folders cannot be synchronised here."""

else:
    import fcntl

    def _lock(file: IO[bytes], path: Path) -> None:
        """Lock the file itself: the lock goes with the process, however that ends."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(_TAKEN.format(path=path)) from None

    def _sync_folder(folder: Path) -> None:
        """A new file is only safe once the folder that names it is."""
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


_TAKEN = "{path}: another process is writing to this file; wait for it, or write to another place"


def write_whole(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise InputError(f"{path}: {error.strerror}") from None
