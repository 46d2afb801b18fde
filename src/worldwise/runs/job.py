"""A long job: rows by name, what tells it from any other, and what measures one of its rows, here or elsewhere."""

from __future__ import annotations

import json
import traceback
from collections.abc import Sized
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from itertools import islice
from math import ceil, inf
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, runtime_checkable

from worldwise.errors import InputError, WorldwiseError
from worldwise.runs.rows import Row, Scalar, Setting, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence

VERSION = version("worldwise")

BATCH = 0.5
"""Seconds of work, roughly, between two visits to the disk."""


Batches: TypeAlias = "Generator[list[Measured], None, None]"
"""Rows as they come in, in lists that are written to disk together; closing it stops the measuring.

While nothing comes in there is an empty list now and then, so that whoever listens can stop.
"""


class Pair(NamedTuple):
    """What names a row within a run: its setting, and its seed's number."""

    setting: Setting
    number: int

    def __str__(self) -> str:
        return f"{self.setting}, seed {self.number}" if self.setting else f"seed {self.number}"


class Measured(NamedTuple):
    """A row and its name."""

    pair: Pair
    row: Row


class Run(Protocol):
    """What can be carried out and kept in a file: rows by name, and what tells it from any other run."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def identity(self) -> Mapping[str, Scalar]:
        """What must be the same for rows to belong to one run."""

    @property
    def timed(self) -> bool:
        """Whether rows hold timings."""

    @property
    def pairs(self) -> Sequence[Pair]:
        """Every row there is to measure."""

    @property
    def task(self) -> Task:
        """What measures a row."""


@runtime_checkable
class OfMatch(Protocol):
    """An optional power of a run: its rows are games 1, 2, 3 ... of a match, and a longer run begins with the same."""

    @property
    def match(self) -> object:
        """Who plays, and what."""


@runtime_checkable
class Endless(Protocol):
    """An optional power of a run: it has rows beyond those that it must measure, and its file may hold them."""

    def knows(self, pair: Pair) -> bool:
        """Whether the row is one of its own."""


def has_row(run: Run) -> Callable[[Pair], bool]:
    """What tells whether a row is of a run."""
    return run.knows if isinstance(run, Endless) else frozenset(run.pairs).__contains__


def row_seed(master: int, pair: Pair) -> int:
    """The seed of a row: the same on every machine, 63 bits, and unlike any other row's.

    >>> row_seed(0, Pair(Setting(depth=5), 0))
    8150282145186411271
    """
    name = json.dumps([master, pair.setting.key, pair.number])
    return int.from_bytes(sha256(name.encode()).digest()[:8], "big") >> 1


@dataclass(frozen=True)
class Task:
    """All another process needs to measure rows: a function by its name, and the master seed."""

    measure: Callable[[Setting, int], Row]
    master: int
    version: str = VERSION

    def __call__(self, pair: Pair) -> Measured:
        """Measure a row; whatever goes wrong, the error says at which row."""
        try:
            return Measured(pair, _check(self.measure(pair.setting, row_seed(self.master, pair)), pair.setting))
        except InputError as error:
            raise InputError(f"measuring at {pair}: {error}") from error
        except Exception as error:
            wrapped = WorldwiseError(f"measuring at {pair} failed: {type(error).__name__}: {error}")
            wrapped.add_note(traceback.format_exc())  # the cause itself does not survive the way between processes
            raise wrapped from error

    def some(self, pairs: Sequence[Pair]) -> list[Measured]:
        """Measure as many of the first rows as fit a batch, at least one; an error waits for the rows before it."""
        if self.version != VERSION:
            raise InputError(f"expected workers with worldwise {self.version}, found one with {VERSION}")
        started, rows = monotonic(), list[Measured]()
        for pair in pairs:
            try:
                rows.append(self(pair))
            except WorldwiseError:
                if not rows:
                    raise
                break
            if monotonic() - started > BATCH:
                break
        return rows


def _check(row: Row, setting: Setting) -> Row:
    """A row as it will be read back; its names must not hide those of its setting."""
    if clash := sorted({*setting, "seed"} & set(row)):
        raise InputError(f"expected a row with names of its own, found {', '.join(clash)} of the setting")
    return {name: plain(value) for name, value in row.items()}


def chunks(missing: Iterable[Pair], workers: int) -> Iterator[list[Pair]]:
    """Rows to hand out together, of a run that may have no end.

    Few at first, so that the first rows are the first to come in; then many; and few at the end, if there is one, so
    that all workers end at about the same time.

    >>> [len(chunk) for chunk in chunks([Pair(Setting(), number) for number in range(24)], workers=2)]
    [1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1]
    """
    total = len(missing) if isinstance(missing, Sized) else inf
    source, given = iter(missing), 0
    while chunk := list(islice(source, _chunk_size(min(given + 1, total - given), workers))):
        yield chunk
        given += len(chunk)


def _chunk_size(rows: float, workers: int) -> int:
    """A part of these rows for each worker, so small that none waits for another."""
    return min(_MOST, max(1, ceil(min(rows, _MOST * 4 * workers) / (4 * workers))))


_MOST = 256
