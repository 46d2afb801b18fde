"""The list of experiments and the scoreboard of claims, for people and for programs."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.table import Table as RichTable
from rich.text import Text

from worldwise.lab.experiment import ClaimOutcome
from worldwise.lab.views.report import CLASSES
from worldwise.lab.views.text import STYLES, Indented, row_counts, run_words, score_words, verdict_lines
from worldwise.views.estimates import count_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldwise.lab.experiment import Experiment, Verdict
    from worldwise.lab.results import Results, RunsFound
    from worldwise.lab.scoreboard import JudgedClaim

# ---------------------------------------------------------------------- the list


def list_text(experiments: Sequence[Experiment], runs: Sequence[Results | None]) -> RichTable:
    """The experiments, how their claims fare, and by which rows; an id is never broken."""
    shown = RichTable(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    shown.add_column("id", no_wrap=True)
    shown.add_column("title", overflow="fold", ratio=1)
    for name in CLASSES.values():
        shown.add_column(name, justify="right", no_wrap=True)
    shown.add_column("rows", no_wrap=True)
    for experiment, results in zip(experiments, runs, strict=True):
        counts = outcome_counts(results.verdicts) if results else {}
        marks = [str(counts.get(outcome) or "–") for outcome in CLASSES]
        shown.add_row(*map(Text, (experiment.id, experiment.title, *marks, _rows_words(results))))
    return shown


def outcome_counts(verdicts: Sequence[Verdict]) -> dict[ClaimOutcome, int]:
    """How many claims hold, fail and are open."""
    return {outcome: sum(verdict.outcome == outcome for verdict in verdicts) for outcome in ClaimOutcome}


def _rows_words(results: Results | None) -> str:
    """The rows in few words: how many, and whether they are shipped."""
    if results is None:
        return "not run yet"
    return f"{len(results.rows):,}" + (" shipped" if results.shipped else f" {results.plan.scale}")


def list_json(experiments: Sequence[Experiment], found: Sequence[RunsFound]) -> list[dict[str, Any]]:
    """The experiments with the keys that programs rely on."""
    return [
        {
            "id": experiment.id,
            "title": experiment.title,
            "source": experiment.source,
            "claims": [claim.text for claim in experiment.claims],
            "rows": row_counts(experiment),
            "run": _run_json(one.best) if one.best else None,
            "unreadable": list(one.faults),
        }
        for experiment, one in zip(experiments, found, strict=True)
    ]


def _run_json(results: Results) -> dict[str, Any]:
    counts = {outcome.value: count for outcome, count in outcome_counts(results.verdicts).items()}
    return {"scale": results.plan.scale, "rows": len(results.rows), "shipped": results.shipped, "verdicts": counts}


# ---------------------------------------------------------------------- the scoreboard


def scoreboard_text(claims: Sequence[JudgedClaim]) -> Iterator[Any]:
    """Every claim below its experiment, with the command that measures its rows again; the score comes last."""
    for _, some in groupby(claims, key=lambda one: one.experiment.id):
        judged = list(some)
        yield _experiment_text(judged[0])
        yield from map(_claim_text, judged)
        yield Text()
    yield Text(f"{count_words(len(claims), 'claim')}: {score_words([one.verdict for one in claims])}")


def _experiment_text(one: JudgedClaim) -> Group:
    where = run_words(one.results) if one.results else "not run yet"
    where += "" if one.results is None or one.results.shipped else f", {one.origin}"
    head = Text(f"{one.experiment.id}: {one.experiment.title}", style="bold")
    return Group(head, Text(where), Text(f"to measure them again: {one.command}"))


def _claim_text(one: JudgedClaim) -> Group:
    outcome = one.verdict.outcome
    head = Text(f"{outcome.value}: ", style=f"bold {STYLES[outcome]}").append(one.claim.text, style="none")
    lines = verdict_lines(one.claim, one.verdict, one.experiment.row_name)
    return Group(Indented(head, 2), *(Indented(Text(line), 4) for line in lines))


def scoreboard_json(claims: Sequence[JudgedClaim]) -> list[dict[str, Any]]:
    """Every claim with the keys that programs rely on."""
    return [
        {
            "experiment": one.experiment.id,
            "claim": one.claim.text,
            "source": one.claim.source,
            "test": one.claim.test,
            "verdict": one.verdict.outcome.value,
            "figures": one.verdict.because,
            "rows": len(one.results.rows) if one.results else 0,
            "needed": one.verdict.needed,
            "rows_from": one.origin,
            "command": one.command,
        }
        for one in claims
    ]
