"""Every experiment run so far on one page, as HTML that needs nothing else and as Markdown: claim, verdict, picture,
and our numbers beside the paper's. The scoreboard comes first, and counts what fails like what holds.
"""

from __future__ import annotations

import io
from html import escape
from itertools import chain
from typing import TYPE_CHECKING

from worldwise.errors import InputError
from worldwise.extras import import_extra
from worldwise.lab.experiment import ClaimOutcome
from worldwise.lab.scoreboard import run_command
from worldwise.lab.views.text import cell_words, compact, run_words, score_words, verdict_lines
from worldwise.views.estimates import count_words
from worldwise.views.html import page_html

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from worldwise.lab.experiment import Claim, Verdict
    from worldwise.lab.results import Results
    from worldwise.lab.table import DataTable

TITLE = "The papers' claims, run again"
MOST_ROWS = 40
"""A longer table is folded away until it is asked for."""

CLASSES = {ClaimOutcome.HOLDS: "holds", ClaimOutcome.FAILS: "fails", ClaimOutcome.UNDECIDED: "open"}


def picture(results: Results, form: str) -> bytes:
    """The experiment's picture, ``svg`` or ``png``; the same rows give the same bytes."""
    matplotlib = import_extra("matplotlib", "plot")
    # names within a picture are made from the id, so that several pictures can share a page
    with matplotlib.rc_context({"svg.hashsalt": results.experiment.id}):
        with results.refuse_failures():
            drawn = results.experiment.plot(results.rows)
        file = io.BytesIO()
        drawn.savefig(file, format=form, dpi=200, metadata={"Date": None} if form == "svg" else None)
    return file.getvalue()


def picture_name(results: Results, form: str) -> str:
    """The file a picture is kept in."""
    return f"{results.experiment.file_name}.{form}"


def pictures(runs: Sequence[Results]) -> dict[str, bytes]:
    """An SVG picture of every run by its file's name; none where matplotlib is not installed: the page says so."""
    try:
        return {picture_name(results, "svg"): picture(results, "svg") for results in runs}
    except InputError:
        if can_plot():
            raise
        return {}


def can_plot() -> bool:
    """Whether there is what pictures are made with."""
    try:
        import_extra("matplotlib", "plot")
    except InputError:
        return False
    return True


UNREADABLE = "Files that cannot be read in full"
NO_PICTURE = "No picture: matplotlib is not installed (pip install 'worldwise[plot]')."


def judged_claims(results: Results) -> list[tuple[Claim, Verdict]]:
    """Every claim with what the rows say of it."""
    return list(zip(results.experiment.claims, results.verdicts, strict=True))


def _score(runs: Sequence[Results]) -> str:
    return score_words(list(chain.from_iterable(results.verdicts for results in runs)))


def _sizes(runs: Sequence[Results], faults: Sequence[str]) -> str:
    unread = f" {count_words(len(faults), 'file')} cannot be read in full." if faults else ""
    return f"{count_words(len(runs), 'experiment')}.{unread}"


def _heading(results: Results) -> str:
    return f"{results.experiment.id}: {results.experiment.title}"


def origin_words(results: Results) -> str:
    """Where the numbers come from."""
    source = results.provenance
    machine = source["machine"]
    return (
        f"{results.experiment.source}. Ours: {run_words(results)}, {source['kernels']}, Python {machine['python']}, "
        f"{machine['platform']}, started {source['started']}. {run_command(results.experiment, results)}"
    )


# ---------------------------------------------------------------------- Markdown


def report_markdown(runs: Sequence[Results], images: Mapping[str, bytes], faults: Sequence[str] = ()) -> str:
    """The page as Markdown; pictures are files beside it. ``faults`` says what is wrong with files left out."""
    head = [f"# {TITLE}", f"{_sizes(runs, faults)} Claims: {_score(runs)}.", _markdown_scoreboard(runs)]
    left_out = [f"## {UNREADABLE}", "\n".join(f"- {fault}" for fault in faults)] if faults else []
    sections = chain.from_iterable(_markdown_section(results, images) for results in runs)
    return "\n\n".join([*head, *left_out, *sections]) + "\n"


def _markdown_scoreboard(runs: Sequence[Results]) -> str:
    rows = [
        f"| {results.experiment.id} | {_cell(claim.text)} | {verdict.outcome.value} |"
        for results in runs
        for claim, verdict in judged_claims(results)
    ]
    return "\n".join(["| experiment | claim | verdict |", "|---|---|---|", *rows])


def _markdown_section(results: Results, images: Mapping[str, bytes]) -> Iterator[str]:
    yield f"## {_heading(results)}"
    yield origin_words(results)
    for claim, verdict in judged_claims(results):
        lines = [
            f"- **{verdict.outcome.value}**: {claim.text}",
            *verdict_lines(claim, verdict, results.experiment.row_name),
        ]
        yield "\\\n  ".join(lines)
    name = picture_name(results, "svg")
    yield f"![{_heading(results)}]({name})" if name in images else NO_PICTURE
    yield _markdown_table(results.comparison)


def _markdown_table(table: DataTable) -> str:
    table = compact(table)
    lines = [table.columns, ("---",) * len(table.columns), *(tuple(map(cell_words, row)) for row in table.rows)]
    caption = f"{table.caption}\n\n" if table.caption else ""
    return caption + "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


# ---------------------------------------------------------------------- HTML


def report_html(runs: Sequence[Results], images: Mapping[str, bytes], faults: Sequence[str] = ()) -> str:
    """The page as HTML, pictures and style included. ``faults`` says what is wrong with files left out."""
    body = [
        f"<h1>{escape(TITLE)}</h1>",
        f"<p>{_sizes(runs, faults)} Claims: <strong>{_score(runs)}</strong>.</p>",
        _html_scoreboard(runs),
        *_html_faults(faults),
        *chain.from_iterable(_html_section(results, images) for results in runs),
    ]
    return page_html(TITLE, "\n".join(body), _STYLE)


def _html_faults(faults: Sequence[str]) -> Iterator[str]:
    if faults:
        items = "".join(f"<li>{escape(fault)}</li>" for fault in faults)
        yield f"<section><h2>{UNREADABLE}</h2><ul>{items}</ul></section>"


def _html_scoreboard(runs: Sequence[Results]) -> str:
    rows = [
        f'<tr><td><a href="#{_anchor(results)}">{results.experiment.id}</a></td>'
        f"<td>{escape(claim.text)}</td><td>{_badge(verdict)}</td></tr>"
        for results in runs
        for claim, verdict in judged_claims(results)
    ]
    head = "<tr><th>experiment</th><th>claim</th><th>verdict</th></tr>"
    return f'<div class="wide"><table>{head}{"".join(rows)}</table></div>'


def _anchor(results: Results) -> str:
    return results.experiment.file_name


def _badge(verdict: Verdict) -> str:
    return f'<span class="badge {CLASSES[verdict.outcome]}">{verdict.outcome.value}</span>'


def _html_section(results: Results, images: Mapping[str, bytes]) -> Iterator[str]:
    yield f'<section id="{_anchor(results)}"><h2>{escape(_heading(results))}</h2>'
    yield f'<p class="origin">{escape(origin_words(results))}</p><ul>'
    for claim, verdict in judged_claims(results):
        lines = "<br>".join(map(escape, verdict_lines(claim, verdict, results.experiment.row_name)))
        yield f'<li>{_badge(verdict)} {escape(claim.text)}<br><span class="origin">{lines}</span></li>'
    yield "</ul>"
    image = images.get(picture_name(results, "svg"))
    yield f"<figure>{_inline(image, _heading(results))}</figure>" if image else f"<p>{escape(NO_PICTURE)}</p>"
    yield f"{_html_table(results.comparison, bool(results.experiment.published.rows))}</section>"


def _inline(image: bytes, label: str) -> str:
    """An SVG file as a part of a page: without its prologue, and named for those who cannot see it."""
    text = image.decode()
    return text[text.index("<svg") :].replace("<svg", f'<svg role="img" aria-label="{escape(label)}"', 1)


def _html_table(table: DataTable, beside: bool) -> str:
    """A table; ``beside`` says that it holds the paper's numbers too."""
    table = compact(table)
    head = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
    rows = ("".join(f"<td>{escape(cell_words(cell))}</td>" for cell in row) for row in table.rows)
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    caption = f"<caption>{escape(table.caption)}</caption>" if table.caption else ""
    whole = f'<div class="wide"><table class="figures">{caption}<tr>{head}</tr>{body}</table></div>'
    if len(table.rows) <= MOST_ROWS:
        return whole
    summary = f"All {len(table.rows):,} numbers" + (" beside the paper's" if beside else "")
    return f"<details><summary>{summary}</summary>{whole}</details>"


_STYLE = """
.origin { color: var(--faint); font-size: .85rem; overflow-wrap: anywhere; }
.badge { font-weight: 600; white-space: nowrap; }
.holds { color: var(--holds); } .fails { color: var(--fails); } .open { color: var(--open); }
.holds::before { content: "✓ "; } .fails::before { content: "✗ "; } .open::before { content: "? "; }
@media (min-width: 45rem) { .figures td:not(:last-child) { white-space: nowrap; } }
figure svg { width: 100%; height: auto; min-width: 36rem; background: #fff; border-radius: 6px; }
"""
