"""Bring the tables and pictures of docs/ up to the rows that the package ships: ``python docs/refresh.py``.

What is between an experiment's picture and the next heading is written anew, and so is the line that counts the rows.
What the figures mean is for people to say, above them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from worldwise.lab.papers import load_all
from worldwise.lab.results import Results, shipped_results
from worldwise.lab.views.report import judged_claims, picture, picture_name
from worldwise.lab.views.text import cell_words, needed_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from worldwise.lab.experiment import Claim, Verdict
    from worldwise.lab.table import DataTable

DOCS = Path(__file__).parent
PICTURES = DOCS / "images" / "lab"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """In Markdown."""
    lines = [f"| {' | '.join(row)} |" for row in (header, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(header), *lines[1:]])


def tables(results: Results) -> list[str]:
    """Claims with their verdicts, our figures beside the paper's if it has any, and ours, in short if they are many."""
    claims = [
        (claim.text, verdict.outcome.value, _figures(claim, verdict)) for claim, verdict in judged_claims(results)
    ]
    found = [table(("claim", "verdict", "figures"), claims)]
    if results.experiment.published.rows:
        found += [f"{_rate(results.experiment.published)}:", _beside(results)]
    digest = results.digest
    return [*found, table(digest.columns, (list(map(cell_words, row)) for row in digest.rows))]


def _figures(claim: Claim, verdict: Verdict) -> str:
    """What the verdict rests on, how the sentence became a test, and what would decide it."""
    test = f"*test:* {claim.test}" if claim.test else ""
    return "<br>".join(filter(None, (_spaced(verdict.because), test, needed_words(verdict))))


def _spaced(text: str) -> str:
    return re.sub(r"(?<=\d)%", " %", text)


def _rate(published: DataTable) -> str:
    """What the published numbers are: the column before their tolerance."""
    return published.columns[published.columns.index("tolerance") - 1]


def _beside(results: Results) -> str:
    names = results.comparison.columns[:3]
    rows = [
        [*(cell_words(record[name]) for name in (*names, "paper", "ours")), str(record["note"]).split(";")[0]]
        for record in results.comparison.records()
    ]
    return table((*names, "paper", "ours", " "), rows)


def run_line(results: Results) -> str:
    """How many rows of how many."""
    plan = results.plan
    of = "" if results.complete else f" (of {len(plan.pairs)})"
    return f"The run: {len(results.rows)} rows of scale {plan.scale}{of}, seed {plan.seed}."


def refreshed(text: str, results: Results) -> str:
    """A page's text as the rows of one experiment have it; unchanged if the page does not tell of it."""
    image = rf"\n\n```{{image}} \S*{re.escape(picture_name(results, 'svg'))}\n.*?\n```\n\n"
    place = re.compile(rf"The run: [^\n]*({image})(.*?)(?=^##|\Z)", re.M | re.S)
    part = "\n\n".join(tables(results)) + "\n\n"
    return place.sub(lambda found: run_line(results) + found[1] + part, text).rstrip() + "\n"


def refresh(page: Path, results: Results) -> None:
    """One experiment on its page, and its picture."""
    text = page.read_text("utf-8")
    new = refreshed(text, results)
    if new != text:
        page.write_text(new, "utf-8")
        (PICTURES / picture_name(results, "svg")).write_bytes(picture(results, "svg"))
        print(f"{page.name}: {results.experiment.id}")  # noqa: T201


if __name__ == "__main__":
    for experiment in load_all():
        if results := shipped_results(experiment):
            for page in sorted(DOCS.glob("**/*.md")):
                refresh(page, results)
