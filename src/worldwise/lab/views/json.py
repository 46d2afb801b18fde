"""Experiments for a page that shows one at a time: words, a table of words, and the picture.

That is a PNG in base64: an SVG of matplotlib's has styles and images inside, which a strict page does not show.
"""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any

from worldwise.lab.scoreboard import run_command
from worldwise.lab.views.report import CLASSES, NO_PICTURE, can_plot, judged_claims, origin_words, picture
from worldwise.lab.views.scoreboard import outcome_counts
from worldwise.lab.views.text import cell_words, compact, needed_words, row_counts, run_words, score_words

if TYPE_CHECKING:
    from worldwise.lab.experiment import Experiment
    from worldwise.lab.results import Results
    from worldwise.lab.table import DataTable

Json = dict[str, Any]


def experiment_json(experiment: Experiment, results: Results | None) -> Json:
    """An experiment in a list: what it is, what has been run of it, and how its claims fare.

    >>> from worldwise.lab.papers import load
    >>> experiment_json(load("fb01/fig-7"), None)["counts"]
    {'holds': 0, 'fails': 0, 'open': 0}
    """
    counts = {CLASSES[outcome]: count for outcome, count in outcome_counts(results.verdicts if results else ()).items()}
    return {
        "id": experiment.id,
        "title": experiment.title,
        "source": experiment.source,
        "claims": len(experiment.claims),
        "rows": row_counts(experiment),
        "run": run_words(results) if results else None,
        "scale": results.plan.scale if results else None,
        "shipped": bool(results and results.shipped),
        "command": run_command(experiment, results),
        "counts": counts,
    }


def run_json(results: Results) -> Json:
    """A run in full: claims with their verdicts, our numbers beside the paper's, and the picture.

    >>> from worldwise.lab.papers import load
    >>> from worldwise.lab.plan import Plan
    >>> from worldwise.lab.results import rehearsal
    >>> *_, results = rehearsal(Plan(load("bmv96/strategies"), "smoke"))
    >>> run_json(results)["score"]
    '1 hold, 0 fail, 1 undecided'
    """
    claims = [
        {
            "claim": claim.text,
            "source": claim.source,
            "outcome": verdict.outcome.value,
            "kind": CLASSES[verdict.outcome],
            "test": claim.test,
            "because": verdict.because,
            "needed": needed_words(verdict, results.experiment.row_name),
        }
        for claim, verdict in judged_claims(results)
    ]
    drawn = can_plot()
    return {
        **experiment_json(results.experiment, results),
        "complete": results.complete,
        "origin": origin_words(results),
        "score": score_words(results.verdicts),
        "verdicts": claims,
        "table": _table_json(results.comparison),
        "picture": b64encode(picture(results, "png")).decode() if drawn else None,
        "no_picture": None if drawn else NO_PICTURE,
    }


def _table_json(table: DataTable) -> Json:
    shown = compact(table)
    rows = [list(map(cell_words, row)) for row in shown.rows]
    return {"caption": shown.caption, "columns": list(shown.columns), "rows": rows}
