"""Runs that go on until their claims are decided, by a rule that keeps the stated error whenever one stops.

Who looks at the data now and then, and stops when they please, finds what they look for too often. So looks are
rationed. The rule is alpha spending by the union bound. The first look comes after some fifty trees, deals or games at
each setting, and each other after twice as many as the one before. Look k judges with so much confidence that it spends
a share 1 / (k (k + 1)) of the error allowed. All shares together are 1: so the intervals of all looks are right
together with 95 % confidence, and a verdict from any of them is kept.

A verdict is computed from the first rounds of a run alone. It does not depend on when a run was stopped, killed or
resumed, on how many processes it had, or on who looked at it meanwhile.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from itertools import islice
from math import ceil
from time import monotonic
from typing import TYPE_CHECKING

from worldwise.core.statistics import CONFIDENCE
from worldwise.errors import InputError
from worldwise.lab.experiment import Verdict
from worldwise.lab.plan import UNTIL_DECIDED, row_with_name
from worldwise.runs.row_files import RunFile, read_run
from worldwise.runs.runners import keep_rows, warn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from worldwise.lab.plan import Plan
    from worldwise.runs.job import Pair
    from worldwise.runs.rows import Row
    from worldwise.runs.runners import Runner

FIRST = 50
"""Trees, deals or games at each setting before the first look: fewer seldom decide, and every look costs confidence."""


# ---------------------------------------------------------------------- the rule


def look_confidence(look: int, confidence: float = CONFIDENCE) -> float:
    """The confidence of each interval at a look, for those of all looks to be right together.

    >>> [round(look_confidence(look), 4) for look in (1, 2, 3, 10)]
    [0.975, 0.9917, 0.9958, 0.9995]
    """
    return 1 - (1 - confidence) / (look * (look + 1))


def look_sizes(first: int, longest: int | None = None) -> Iterator[int]:
    """After how many rounds the looks come: each after twice as many as the one before, the last at the end.

    >>> list(look_sizes(3, longest=30))
    [3, 6, 12, 24, 30]
    """
    size = first
    while longest is None or size < longest:
        yield size
        size *= 2
    yield longest


class Decisions:
    """What the looks at a run have said so far."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.look = 0
        self._seen: list[Row] = []
        self._rounds, self._verdicts = 0, [Verdict.of(None, "too few rows")] * len(plan.experiment.claims)
        self._coming, self._sizes = plan.rounds(), self._all_sizes()
        self._round, self._next_size = next(self._coming, None), next(self._sizes, None)

    def _all_sizes(self) -> Iterator[int]:
        return look_sizes(ceil(FIRST / self.plan.units), self.plan.longest)

    def see(self, rows: Mapping[Pair, Row]) -> None:
        """All rows there are, earlier ones too: whatever rounds they complete are counted, and looked at when due."""
        while self._round is not None and all(pair in rows for pair in self._round):
            self._seen += [row_with_name(pair, rows[pair]) for pair in self._round]
            self._rounds, self._round = self._rounds + 1, next(self._coming, None)
            if self._rounds == self._next_size:
                self._judge()
                self._next_size = next(self._sizes, None)

    def _judge(self) -> None:
        """A claim that is decided stays decided."""
        self.look += 1
        confidence = look_confidence(self.look)
        for place, (claim, before) in enumerate(zip(self.plan.experiment.claims, self._verdicts, strict=True)):
            if not before.decided:
                verdict = claim.judge(self._seen, confidence)
                self._verdicts[place] = replace(verdict, look=self.look) if verdict.decided else verdict

    @property
    def decided(self) -> int:
        """How many claims are."""
        return sum(verdict.decided for verdict in self._verdicts)

    @property
    def over(self) -> bool:
        """Whether no further look can change anything."""
        return self.decided == len(self._verdicts) or self._next_size is None

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """One for every claim; the words say at which look it was decided."""
        return tuple(self._with_look(verdict) for verdict in self._verdicts)

    def _with_look(self, verdict: Verdict) -> Verdict:
        if verdict.look is None and not self.look:
            words = f"the first look is after {self._size_words(self._next_size)}"
        elif verdict.look is None:
            words = f"open after look {self.look}, {self._size_words(self._size(self.look))}"
        else:
            words = f"decided at look {verdict.look}, {self._size_words(self._size(verdict.look))}"
        return replace(verdict, because=f"{verdict.because}; {words}")

    def _size(self, look: int) -> int:
        return next(islice(self._all_sizes(), look - 1, None))

    def _size_words(self, rounds: int | None) -> str:
        return f"{(rounds or 0) * self.plan.units:,} {self.plan.experiment.unit}"

    @property
    def rows_wanted(self) -> int:
        """How many rows there must be for the next look, or were for the last."""
        return self.plan.rows_in(self._next_size or self._rounds)

    def __str__(self) -> str:
        told = f"{self.decided} of {len(self._verdicts)} decided"
        told += f", look {self.look}" if self.look else ", no look yet"
        return told if self.over else f"{told}, next at {self._size_words(self._next_size)}"


def decisions_of(plan: Plan, rows: Mapping[Pair, Row]) -> Decisions:
    """All looks that rows allow: what they say depends on the rows alone."""
    decisions = Decisions(plan)
    decisions.see(rows)
    return decisions


# ---------------------------------------------------------------------- the run


def decide(
    plan: Plan,
    folder: Path,
    how: Runner,
    seconds: float | None = None,
    progress: Callable[[int, Decisions], None] = lambda _rows, _decisions: None,
    warn: Callable[[str], None] = warn,
) -> Decisions:
    """Measure round after round until every claim is decided, or the time is over; calling it again goes on.

    ``progress`` hears how many rows there are, and what was decided. Time only ends a run: no row depends on it.
    """
    end = None if seconds is None else monotonic() + seconds
    _refuse_fixed(plan, folder / plan.file_name)
    with RunFile(folder / plan.file_name, plan) as file:
        file.tell_damage(warn)
        rows, decisions = dict(file.rows), decisions_of(plan, file.rows)
        progress(len(rows), decisions)
        missing = (pair for pairs in plan.rounds() for pair in pairs if pair not in file.rows)
        if decisions.over:
            return decisions
        with closing(keep_rows(file, how.rows(plan.task, missing))) as arriving:
            for some in arriving:
                rows.update(some)
                decisions.see(rows)
                progress(len(rows), decisions)
                if decisions.over or (end is not None and monotonic() >= end):
                    break
    return decisions


def _refuse_fixed(plan: Plan, path: Path) -> None:
    """A run whose length was fixed may have been looked at with all the confidence there is: none is left to go on."""
    stored = read_run(path, replace(plan, until_decided=False))
    if stored and stored.provenance.get("stopping") != UNTIL_DECIDED:
        raise InputError(
            f"{path}: the number of its rows was fixed beforehand, and to go on because of what they say would bias "
            "the verdicts; begin afresh with another --seed or --out"
        )
