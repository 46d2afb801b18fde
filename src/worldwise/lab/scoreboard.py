"""The scoreboard: every claim with its verdict, the rows that decided it, and the command that measures them again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from worldwise.lab.experiment import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.lab.experiment import Claim, Experiment
    from worldwise.lab.results import Results, RunsFound

SHIPPED = "shipped"
"""Where rows come from that nobody has measured here."""


@dataclass(frozen=True)
class JudgedClaim:
    """A claim, what the rows say of it, and which rows those are; None if there are none yet."""

    experiment: Experiment
    claim: Claim
    verdict: Verdict
    results: Results | None

    @property
    def origin(self) -> str | None:
        """Where the rows come from: shipped, or their file."""
        if self.results is None:
            return None
        return SHIPPED if self.results.shipped else str(self.results.path)

    @property
    def command(self) -> str:
        """What measures the rows again."""
        return run_command(self.experiment, self.results)


def run_command(experiment: Experiment, results: Results | None) -> str:
    """The command that measures a run, or the usual one of an experiment that has none.

    >>> from worldwise.lab.papers import load
    >>> from worldwise.lab.results import shipped_results
    >>> run_command(load("clv21/table-4"), shipped_results(load("clv21/table-4")))
    'worldwise lab run clv21/table-4 --scale paper'
    """
    plan = results.plan if results else None
    options = [experiment.newcomer.option] if experiment.newcomer else []
    options += [f"--scale {plan.scale}"] if plan else []
    options += [f"--seed {plan.seed}"] if plan and plan.seed else []
    options += ["--until-decided"] if results and results.until_decided else []
    return " ".join([f"worldwise lab run {experiment.handle}", *options])


def judge_claims(experiment: Experiment, found: RunsFound) -> Iterator[JudgedClaim]:
    """Every claim of an experiment, judged by the best of its runs.

    >>> from pathlib import Path
    >>> from worldwise.lab.papers import load
    >>> from worldwise.lab.results import find_runs
    >>> experiment = load("clv21/table-4")
    >>> [one.verdict.outcome.value for one in judge_claims(experiment, find_runs(experiment, Path("nowhere")))][:2]
    ['holds', 'holds']
    """
    best = found.best
    verdicts = best.verdicts if best else [Verdict.of(None, "not run yet")] * len(experiment.claims)
    for claim, verdict in zip(experiment.claims, verdicts, strict=True):
        yield JudgedClaim(experiment, claim, verdict, best)
