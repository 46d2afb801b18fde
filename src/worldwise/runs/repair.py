"""Files of rows mended: damaged lines are moved to a file beside, and what is left is a run to go on with."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from worldwise.core.durable_files import open_locked, sync_folder, write_file
from worldwise.errors import InputError
from worldwise.runs.row_files import (
    FORMAT,
    HEAD,
    KEY,
    DamagedStartError,
    read_file,
    read_provenance,
    whole_lines,
)
from worldwise.runs.row_lines import open_seal, sort_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

SUFFIX = ".damaged"


@dataclass(frozen=True)
class Repair:
    """What was done to a damaged file: the numbers of the lines that are now in the file beside it.

    ``whole`` says that all of it is there, because nobody knows where its rows come from; ``fault``, if it is not
    empty, why nothing was done.
    """

    path: Path
    lines: tuple[int, ...] = ()
    whole: bool = False
    fault: str = ""

    @property
    def beside(self) -> Path:
        """Where damaged lines are kept."""
        return self.path.with_name(self.path.name + SUFFIX)


def repair_folder(folder: Path) -> Iterator[Repair]:
    """Repair every damaged file of rows in a folder; what is whole, or not ours, is left alone."""
    for path in sorted(folder.iterdir()):
        try:
            if _may_be_ours(path) and (done := repair_file(path)):
                yield done
        except (InputError, OSError) as error:
            fault = f"{path}: {error.strerror}" if isinstance(error, OSError) else str(error)
            yield Repair(path, fault=fault)


def _may_be_ours(path: Path) -> bool:
    """By its name, or by its beginning: matches are kept under any name."""
    if not path.is_file() or path.suffix == SUFFIX:
        return False
    with path.open("rb") as file:
        return path.suffix == ".jsonl" or file.read(len(HEAD)) == HEAD


def repair_file(path: Path) -> Repair | None:
    """Repair a file; None if nothing in it is damaged."""
    if _find_damage(path, read_file(path) or b"") is None:
        return None
    with open_locked(path) as file:
        data = file.read()
        found = _find_damage(path, data)  # as it is now that nobody else writes to it
        if found is None:
            return None
        if sys.platform == "win32":
            file.close()  # there nobody can replace what is open
        _move_lines(found, whole_lines(data))
        return found


def _find_damage(path: Path, data: bytes) -> Repair | None:
    lines = whole_lines(data)
    if not lines or not _is_ours(lines):
        return None
    try:
        first = read_provenance(lines[0], path)
    except DamagedStartError:
        return Repair(path, tuple(range(1, len(lines) + 1)), whole=True)
    damaged = sort_lines(lines[1:], sealed=first[KEY] == FORMAT).damaged
    return Repair(path, tuple(sorted(damaged))) if damaged else None


def _is_ours(lines: Sequence[bytes]) -> bool:
    """Whether a file begins as ours do, or did so before its first line was damaged."""
    try:
        first, _ = open_seal(lines[0])
    except InputError:
        return lines[0].startswith(HEAD) or bool(sort_lines(lines[1:], sealed=False).rows)
    return isinstance(first, dict) and KEY in first


def _move_lines(done: Repair, lines: Sequence[bytes]) -> None:
    """First they are in the file beside, then they are gone from this one: killed in between, none is lost."""
    with open_locked(done.beside) as beside:
        beside.write(b"".join(lines[number - 1] + b"\n" for number in done.lines))
        os.fsync(beside.fileno())
    if done.whole:
        done.path.unlink()
        sync_folder(done.path.parent)
        return
    moved = frozenset(done.lines)
    write_file(done.path, b"".join(line + b"\n" for number, line in enumerate(lines, 1) if number not in moved))
