"""Bring the tables and pictures of docs/ up to the rows that the package ships: ``python docs/refresh.py``.

What is between an experiment's picture and the next heading is written anew, and so is the line that counts the rows.
What the figures mean is for people to say, above them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from worldwise.lab.experiment import ClaimOutcome
from worldwise.lab.papers import load_all
from worldwise.lab.results import Results, shipped_results
from worldwise.lab.scoreboard import run_command
from worldwise.lab.views.report import judged_claims, picture, picture_name
from worldwise.lab.views.text import cell_words, needed_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from worldwise.lab.experiment import Claim, Verdict
    from worldwise.lab.table import DataTable

DOCS = Path(__file__).parent
README = DOCS.parent / "README.md"
PICTURES = DOCS / "images" / "lab"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """In Markdown."""
    lines = [f"| {' | '.join(row)} |" for row in (header, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(header), *lines[1:]])


def tables(results: Results) -> list[str]:
    """Claims with their verdicts, our figures beside the paper's if it has any, and ours, in short if they are many."""
    claims = [
        (claim.text, verdict.outcome.value, _figures(claim, verdict, results.experiment.row_name))
        for claim, verdict in judged_claims(results)
    ]
    found = [table(("claim", "verdict", "figures"), claims)]
    if results.experiment.published.rows:
        found += [f"{_rate(results.experiment.published)}:", _beside(results)]
    digest = results.digest
    return [*found, table(digest.columns, (list(map(cell_words, row)) for row in digest.rows))]


def _figures(claim: Claim, verdict: Verdict, rows: str) -> str:
    """What the verdict rests on, how the sentence became a test, and what would decide it."""
    test = f"*test:* {claim.test}" if claim.test else ""
    return "<br>".join(filter(None, (_spaced(verdict.because), test, needed_words(verdict, rows))))


def _spaced(text: str) -> str:
    return re.sub(r"(?<=\d)%", " %", text)


def _rate(published: DataTable) -> str:
    """What the published numbers are: the column before their tolerance, or the last if they are exact."""
    columns = published.columns
    return columns[columns.index("tolerance") - 1 if "tolerance" in columns else -1]


def _beside(results: Results) -> str:
    """The first columns of the published numbers, up to three, then theirs and ours."""
    published = results.experiment.published
    names = published.columns[: min(3, published.columns.index(_rate(published)))]
    rows = [
        [
            *(str(record[name]) for name in names),
            *(cell_words(beside[name]) for name in ("paper", "ours")),
            str(beside["note"]).split(";")[0],
        ]
        for record, beside in zip(published.records(), results.comparison.records(), strict=True)
    ]
    return table((*names, "paper", "ours", " "), rows)


def run_line(results: Results) -> str:
    """How many rows of how many, and the command that measures them again."""
    plan = results.plan
    of = "" if results.complete else f" of {len(plan.pairs):,}"
    again = f"To measure them again: `{run_command(results.experiment, results)}`."
    return f"The run: {len(results.rows):,}{of} rows at {plan.scale} scale, seed {plan.seed}. {again}"


def refreshed(text: str, results: Results) -> str:
    """A page's text as the rows of one experiment have it; unchanged if the page does not tell of it."""
    image = rf"\n\n```{{image}} \S*{re.escape(picture_name(results, 'svg'))}\n.*?\n```\n"
    place = re.compile(rf"The run: [^\n]*({image})(.*?)(?=^##|\Z)", re.M | re.S)
    return place.sub(lambda found: f"{run_line(results)}{found[1]}\n{_part(results)}\n\n", text).rstrip() + "\n"


def _part(results: Results) -> str:
    return "\n\n".join(tables(results))


def refresh(page: Path, results: Results) -> None:
    """One experiment on its page, and its picture."""
    text = page.read_text("utf-8")
    if picture_name(results, "svg") not in text:
        return
    target, drawn, new = PICTURES / picture_name(results, "svg"), picture(results, "svg"), refreshed(text, results)
    if new != text or drawn != target.read_bytes():
        page.write_text(new, "utf-8")
        target.write_bytes(drawn)
        print(f"{page.name}: {results.experiment.id}")  # noqa: T201


SCORE = re.compile(r"of\s+\d+\s+claims\s+\d+\s+hold,\s+\d+\s+fail,\s+and\s+\d+\s+are\s+undecided")
"""The sentence of the README that counts all claims, wherever its lines break."""


def with_score(text: str, outcomes: Sequence[ClaimOutcome]) -> str:
    """A text whose sentence about the score has these numbers."""
    numbers = iter([len(outcomes), *map(outcomes.count, ClaimOutcome)])
    return SCORE.sub(lambda found: re.sub(r"\d+", lambda _: str(next(numbers)), found[0]), text)


def main() -> None:
    """Every page and picture, then the score."""
    shipped = [results for experiment in load_all() if (results := shipped_results(experiment))]
    for results in shipped:
        for page in sorted(DOCS.glob("**/*.md")):
            refresh(page, results)
    outcomes = [verdict.outcome for results in shipped for verdict in results.verdicts]
    README.write_text(with_score(README.read_text("utf-8"), outcomes), "utf-8")


if __name__ == "__main__":
    main()
