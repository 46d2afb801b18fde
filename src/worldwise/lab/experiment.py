"""What an experiment is: settings and seeds give rows, rows give tables, pictures and verdicts on the paper's claims.

A row depends on its setting and seed alone. That is why runs resume, spread over processes and clusters, and come out
the same bit for bit: nothing here knows how or where a row is measured.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from worldwise.errors import InputError
from worldwise.lab.table import NOTHING, DataTable, summary_alone

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from matplotlib.figure import Figure

    from worldwise.runs.rows import Row, Rows, Setting

SCALES = ("smoke", "laptop", "paper")
"""A second for tests, minutes on a laptop, as many as the paper had."""

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*(/[a-z0-9]+(-[a-z0-9]+)*)?")


# ---------------------------------------------------------------------- claims


class ClaimOutcome(StrEnum):
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

    outcome: ClaimOutcome
    because: str

    @classmethod
    def of(cls, truth: bool | None, because: str) -> Verdict:
        """Holds, fails, or for None: not enough data."""
        return cls(
            ClaimOutcome.UNDECIDED if truth is None else ClaimOutcome.HOLDS if truth else ClaimOutcome.FAILS, because
        )


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper that rows can contradict; ``verdict`` computes what they say."""

    text: str
    source: str
    verdict: Callable[[Rows], Verdict] = field(repr=False)

    def judge(self, rows: Rows) -> Verdict:
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
    summary: Callable[[Rows], DataTable] = field(repr=False)
    plot: Callable[[Rows], Figure] = field(repr=False)
    published: DataTable = field(default=NOTHING, repr=False)
    compare: Callable[[DataTable, DataTable], DataTable] = field(default=summary_alone, repr=False)
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
        return tuple(claim.judge(rows) for claim in self.claims)
