"""A review as a page that stands alone: the diagram, every choice, every mistake and why, and the players."""

from __future__ import annotations

from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from worldwise.bridge.advice.review_record import CardVerdict
from worldwise.bridge.advice.review_summary import summarise
from worldwise.bridge.views.deal_svg import board_svg
from worldwise.bridge.views.deal_text import auction_text
from worldwise.bridge.views.review_text import choice_cells, review_lines, summary_rows
from worldwise.bridge.views.review_words import heading_words
from worldwise.views.html import page_html

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from worldwise.bridge.advice.review_record import BoardReview
    from worldwise.bridge.advice.review_summary import PlayerSummary

TITLE = "Review of played boards"


def review_html(reviews: Sequence[BoardReview]) -> str:
    """All boards on one page, and the players if there are several."""
    title = heading_words(reviews[0].board) if len(reviews) == 1 else TITLE
    headings = [f"<h2>{escape(heading_words(found.board))}</h2>" if len(reviews) > 1 else "" for found in reviews]
    sections = [line for found, heading in zip(reviews, headings, strict=True) for line in _section(found, heading)]
    players = list(_players(summarise(reviews))) if len(reviews) > 1 else []
    return page_html(title, "\n".join([f"<h1>{escape(title)}</h1>", *players, *sections]), _STYLE)


def _section(found: BoardReview, heading: str) -> Iterator[str]:
    yield f"<section>{heading}"
    picture = board_svg(found.board, dealt=True)
    yield f"<figure>{picture[picture.index('<svg') :]}</figure>"
    if found.board.auction is not None and found.board.auction.calls:
        yield f"<pre>{escape(auction_text(found.board.auction).plain)}</pre>"
    choices = [told for told in found.decisions if told.chosen]
    marked = ["mistake" if told.verdict is CardVerdict.MISTAKE else "" for told in choices]
    head = ("trick", "who", "card", "best", "before", "after", "cost", "points", "")
    yield _table(head, map(choice_cells, choices), marked)
    for empty, lines in groupby(review_lines(found), key=lambda line: not line):
        if not empty:
            yield f"<p>{'<br>'.join(map(escape, lines))}</p>"
    yield "</section>"


def _players(players: Sequence[PlayerSummary]) -> Iterator[str]:
    head, *rows = summary_rows(players)
    yield f"<section><h2>Players</h2>{_table(head, rows, [''] * len(rows))}</section>"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]], marks: Iterable[str]) -> str:
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join(
        f'<tr class="{mark}">{"".join(f"<td>{escape(cell)}</td>" for cell in row)}</tr>'
        for row, mark in zip(rows, marks, strict=True)
    )
    return f'<div class="wide"><table><tr>{top}</tr>{body}</table></div>'


_STYLE = """
.mistake td { color: var(--fails); font-weight: 600; }
figure svg { max-width: 32rem; height: auto; background: #fff; border-radius: 6px; }
"""
