"""What an experiment is: settings and seeds give rows, rows give tables, pictures and verdicts on the paper's claims.

A row depends on its setting and seed alone. That is why runs resume, spread over processes and clusters, and come out
the same bit for bit: nothing here knows how or where a row is measured.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from worldwise.errors import InputError, UnknownNameError
from worldwise.lab.table import NOTHING, Table, summary_alone

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from matplotlib.figure import Figure

    from worldwise.runs.rows import Row, Rows, Setting

SCALES = ("smoke", "laptop", "paper")
"""A second for tests, minutes on a laptop, as many as the paper had."""

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*(/[a-z0-9]+(-[a-z0-9]+)*)?")


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
