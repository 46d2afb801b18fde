"""What an experiment is: settings and seeds give rows, rows give tables, pictures and verdicts on the paper's claims.

A row depends on its setting and seed alone. That is why runs resume, spread over processes and clusters, and come out
the same bit for bit: nothing here knows how or where a row is measured.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

from worldwise.errors import InputError, UnknownNameError
from worldwise.lab.table import NOTHING, Table, summary_alone

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Scalar: TypeAlias = bool | int | float | str | None
Row: TypeAlias = Mapping[str, Scalar]
"""What was measured. Rows that are read back hold their setting's names and ``seed``, the seed's number, as well."""

Rows: TypeAlias = Sequence[Row]

SCALES = ("smoke", "laptop", "paper")
"""A second for tests, minutes on a laptop, as many as the paper had."""

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*(/[a-z0-9]+(-[a-z0-9]+)*)?")


class Setting(Mapping[str, Scalar]):
    """Names and values that a measurement is made at; hashable, and the same whatever the order of the names.

    >>> setting = Setting(depth=5, similarity=0.25)
    >>> setting["depth"], setting == Setting(similarity=0.25, depth=5)
    (5, True)
    >>> setting
    Setting(depth=5, similarity=0.25)
    """

    __slots__ = ("_items", "key")

    _items: dict[str, Scalar]
    key: str
    """The setting as canonical JSON: what equality, files and seeds go by."""

    def __init__(self, **items: Scalar) -> None:
        if "seed" in items:
            raise InputError("expected a setting without 'seed': seeds are numbered by the laboratory")
        object.__setattr__(self, "_items", {name: plain(value) for name, value in items.items()})
        object.__setattr__(self, "key", json.dumps(self._items, sort_keys=True, separators=(",", ":")))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a setting does not change: {name}")

    def __getitem__(self, name: str) -> Scalar:
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        return self.key == other.key if isinstance(other, Setting) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.key)

    def __reduce__(self) -> tuple[Callable[[dict[str, Scalar]], Setting], tuple[dict[str, Scalar]]]:
        return _setting, (self._items,)

    def __repr__(self) -> str:
        return f"Setting({', '.join(f'{name}={value!r}' for name, value in self.items())})"

    def __str__(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.items())


def _setting(items: dict[str, Scalar]) -> Setting:
    return Setting(**items)


def plain(value: object) -> Scalar:
    """A value as JSON will give it back: numpy's numbers become Python's; ``InputError`` if JSON cannot hold it.

    >>> import numpy as np
    >>> plain(np.int64(3)), plain(0.5), plain(None)
    (3, 0.5, None)
    """
    item = getattr(value, "item", None)
    found = item() if callable(item) else value
    if found is None or isinstance(found, bool | int | str) or (isinstance(found, float) and math.isfinite(found)):
        return found
    raise InputError(f"expected a finite number, a string, a truth value or None, found {value!r}")


def grid(**axes: Sequence[Scalar]) -> tuple[Setting, ...]:
    """Every combination of values, the last name varying fastest.

    >>> grid(depth=(2, 3), knowledge=(0.0, 1.0))[1]
    Setting(depth=2, knowledge=1.0)
    """
    return tuple(Setting(**dict(zip(axes, values, strict=True))) for values in product(*axes.values()))


# ---------------------------------------------------------------------- claims


class Outcome(StrEnum):
    """What the rows say of a claim."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "not enough data"


@dataclass(frozen=True)
class Verdict:
    """An outcome, and the figures it rests on in words.

    >>> Verdict.of(True, "3.1 % against 9.4 %").outcome.value, Verdict.of(None, "no rows").outcome.value
    ('holds', 'not enough data')
    """

    outcome: Outcome
    because: str

    @classmethod
    def of(cls, truth: bool | None, because: str) -> Verdict:
        """Holds, fails, or for None: not enough data."""
        return cls(Outcome.UNDECIDED if truth is None else Outcome.HOLDS if truth else Outcome.FAILS, because)


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper that rows can contradict; ``verdict`` computes what they say."""

    text: str
    source: str
    verdict: Callable[[Rows], Verdict] = field(repr=False)

    def judged(self, rows: Rows) -> Verdict:
        """The verdict; without any row there is nothing to ask."""
        return self.verdict(rows) if rows else Verdict.of(None, "no rows")


# ---------------------------------------------------------------------- experiments


@dataclass(frozen=True)
class Experiment:
    """A published experiment that anyone can run again.

    ``measure(setting, seed)`` must be a function of a module, so that other processes find it, and must give the same
    flat row whenever it is called. ``revision`` is raised when it comes to measure something else: old rows are then
    refused. ``timed`` says that rows hold timings, the one thing that is not reproducible: such a run is not continued
    on another machine.
    """

    id: str
    title: str
    source: str
    claims: tuple[Claim, ...] = field(repr=False)
    settings: Mapping[str, Sequence[Setting]] = field(repr=False)
    seeds: Mapping[str, int] = field(repr=False)
    measure: Callable[[Setting, int], Row] = field(repr=False)
    summary: Callable[[Rows], Table] = field(repr=False)
    plot: Callable[[Rows], Figure] = field(repr=False)
    published: Table = field(default=NOTHING, repr=False)
    compare: Callable[[Table, Table], Table] = field(default=summary_alone, repr=False)
    revision: int = 1
    timed: bool = False

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            raise InputError(f"expected an experiment's id like 'fb01/fig-7', found {self.id!r}")
        if not self.settings or set(self.settings) - set(SCALES) or set(self.settings) != set(self.seeds):
            scales = f"{sorted(self.settings)} and {sorted(self.seeds)}"
            raise InputError(f"{self.id}: expected settings and seeds by scale ({', '.join(SCALES)}), found {scales}")

    def __hash__(self) -> int:
        return hash(self.id)

    @property
    def scales(self) -> tuple[str, ...]:
        """The scales there are, the smallest first."""
        return tuple(scale for scale in SCALES if scale in self.settings)

    def verdicts(self, rows: Rows) -> tuple[Verdict, ...]:
        """One for every claim."""
        return tuple(claim.judged(rows) for claim in self.claims)


def find_all(experiments: Sequence[Experiment], name: str) -> tuple[Experiment, ...]:
    """Those of an id, of a paper (what stands before the slash of its ids), or ``all``."""
    found = [experiment for experiment in experiments if name in ("all", experiment.id, experiment.id.split("/")[0])]
    return tuple(found or [find(experiments, name)])


def find(experiments: Sequence[Experiment], name: str) -> Experiment:
    """The experiment of this id; ``UnknownNameError`` if there is none."""
    by_id = {experiment.id: experiment for experiment in experiments}
    if name not in by_id:
        raise UnknownNameError("experiment", name, by_id)
    return by_id[name]
