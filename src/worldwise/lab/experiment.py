"""What an experiment is: settings and seeds give rows, rows give tables, pictures and verdicts on the paper's claims.

A row depends on its setting and seed alone. That is why runs resume, spread over processes and clusters, and come out
the same bit for bit: nothing here knows how or where a row is measured.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import ceil
from typing import TYPE_CHECKING, TypeAlias

from worldwise.core.statistics import CONFIDENCE
from worldwise.errors import InputError
from worldwise.lab.table import NOTHING, DataTable, summary_alone

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from matplotlib.figure import Figure

    from worldwise.lab.newcomers import Contest, Newcomer
    from worldwise.runs.rows import Row, Rows, Setting

SCALES = ("smoke", "laptop", "paper")
"""A second for tests, minutes on a laptop, as many as the paper had."""

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*(/[a-z0-9]+(-[a-z0-9]+)*)?")


# ---------------------------------------------------------------------- claims


class ClaimOutcome(StrEnum):
    """What the rows say of a claim."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Verdict:
    """An outcome, and the figures it rests on in words.

    While it is undecided, ``times`` says how many times as many rows would decide it, and ``needed`` how many rows that
    is, where an interval tells: both are estimates, which take the figures for what they are now.

    >>> Verdict.of(True, "3.1 % against 9.4 %").outcome.value, Verdict.of(None, "no rows").outcome.value
    ('holds', 'undecided')
    """

    outcome: ClaimOutcome
    because: str
    times: float | None = None
    needed: int | None = None
    look: int | None = None
    """Of a run until decided: the look that decided it."""

    @classmethod
    def of(cls, truth: bool | None, because: str, times: float | None = None) -> Verdict:
        """Holds, fails, or for None: undecided."""
        if truth is None:
            return cls(ClaimOutcome.UNDECIDED, because, times)
        return cls(ClaimOutcome.HOLDS if truth else ClaimOutcome.FAILS, because)

    @property
    def decided(self) -> bool:
        """Whether the claim holds or fails."""
        return self.outcome is not ClaimOutcome.UNDECIDED


Judge: TypeAlias = "Callable[[Rows, float], Verdict]"
"""What rows say of a claim, with so much confidence: every interval it looks at must have it."""


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper that rows can contradict; ``verdict`` computes what they say.

    ``test`` says in one line how the sentence became a test: what is compared, where, and what decides.
    """

    text: str
    source: str
    verdict: Judge = field(repr=False)
    test: str = ""

    def judge(self, rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        """The verdict, which is wrong with a chance of 1 - ``confidence`` at most.

        >>> claim = Claim("Rows are many", "nowhere", lambda rows, confidence: Verdict.of(None, "too few", times=2.5))
        >>> claim.judge([{}, {}]).needed, claim.judge([]).because
        (5, 'no rows')
        """
        verdict = self.verdict(rows, confidence) if rows else Verdict.of(None, "no rows")
        return replace(verdict, needed=ceil(verdict.times * len(rows))) if verdict.times else verdict


# ---------------------------------------------------------------------- experiments


@dataclass(frozen=True)
class Experiment:
    """A published experiment that anyone can run again.

    ``measure(setting, seed)`` must be a function of a module, so that other processes find it, and must give the same
    flat row whenever it is called. ``revision`` is raised when it comes to measure something else: old rows are then
    refused. ``timed`` says that rows hold timings, the one thing that is not reproducible: such a run is not continued
    on another machine.

    ``unit`` is what is counted at each setting: trees, deals, games. A row holds as many as its setting says under that
    name, or ``per_row``. Seeds repeat every setting, and so does the ``counter``, if settings have one: the name under
    which they number games. An experiment that is not ``endless`` has no more rows than its settings and seeds say,
    because others would be the same once more.

    ``reads`` makes what measures the larger scales from a file that is not shipped, or refuses the file.

    ``contests`` says who can enter it, and as what; ``newcomer`` is who has. ``place`` is where an experiment of a
    user's own stands.
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
    digest: Callable[[Rows], DataTable] | None = field(default=None, repr=False)
    """A shorter table for pages to read, if the summary is long."""
    published: DataTable = field(default=NOTHING, repr=False)
    compare: Callable[[DataTable, DataTable], DataTable] = field(default=summary_alone, repr=False)
    revision: int = 1
    timed: bool = False
    unit: str = "rows"
    per_row: int = 1
    counter: str = ""
    endless: bool = True
    contests: Mapping[str, Contest] = field(default_factory=dict, repr=False)
    reads: Callable[[Path], Callable[[Setting, int], Row]] | None = field(default=None, repr=False)
    newcomer: Newcomer | None = None
    place: str = ""

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            raise InputError(f"expected an experiment's id like 'fb01/fig-7', found {self.id!r}")
        if not self.settings or set(self.settings) - set(SCALES) or set(self.settings) != set(self.seeds):
            scales = f"{sorted(self.settings)} and {sorted(self.seeds)}"
            raise InputError(f"{self.id}: expected settings and seeds by scale ({', '.join(SCALES)}), found {scales}")

    def __hash__(self) -> int:
        return hash(self.id)

    @property
    def file_name(self) -> str:
        """How files of it begin: those of a newcomer are apart from the paper's own."""
        entered = f"+{self.newcomer.file_name}" if self.newcomer else ""
        return f"{self.id.replace('/', '-')}{entered}"

    @property
    def handle(self) -> str:
        """What to call it on the command line."""
        return self.place or self.id

    @property
    def scales(self) -> tuple[str, ...]:
        """The scales there are, the smallest first."""
        return tuple(scale for scale in SCALES if scale in self.settings)

    def units(self, setting: Setting) -> int:
        """How many trees, deals or games a row at the setting holds."""
        found = setting.get(self.unit)
        return found if isinstance(found, int) else self.per_row

    def with_file(self, path: Path) -> Experiment:
        """The experiment on a file that is not shipped.

        >>> from pathlib import Path
        >>> from worldwise.lab.papers import load
        >>> load("fb01/fig-7").with_file(Path("finals.pbn"))
        Traceback (most recent call last):
        worldwise.errors.InputError: fb01/fig-7 reads no file
        """
        if self.reads is None:
            raise InputError(f"{self.id} reads no file")
        return replace(self, measure=self.reads(path))

    @property
    def row_name(self) -> str:
        """What to call rows in words: games, deals or problems, if a row is one of these.

        >>> from worldwise.lab.papers import load
        >>> load("clv21/table-4").row_name, load("fb01/fig-27").row_name
        ('deals', 'rows')
        """
        settings = (setting for settings in self.settings.values() for setting in settings)
        return self.unit if all(self.units(setting) == 1 for setting in settings) else "rows"

    def verdicts(self, rows: Rows, confidence: float = CONFIDENCE) -> tuple[Verdict, ...]:
        """One for every claim."""
        return tuple(claim.judge(rows, confidence) for claim in self.claims)
