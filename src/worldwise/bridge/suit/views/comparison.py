"""Two lines of a single suit head to head, for people and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldwise.bridge.rules.cards import holding_name
from worldwise.bridge.suit.layouts import layouts_words, likeliest
from worldwise.bridge.suit.phrases import line_name, percent, percent_difference, signs
from worldwise.bridge.suit.views.json import at_least_json, winning_layouts_json
from worldwise.bridge.suit.words import line_words
from worldwise.views.tables import plain_table

if TYPE_CHECKING:
    from rich.table import Table

    from worldwise.bridge.suit.compare import HeadToHead
    from worldwise.bridge.suit.solver import SuitLine
    from worldwise.bridge.suit.weighing import Mask


def head_to_head_table(found: HeadToHead, *, ascii: bool = False) -> Table:  # noqa: A002
    """Which line takes more tricks, how often and where, and how they share the matchpoints."""
    table, score = plain_table(), percent(found.score)
    rows = {
        "first": _line_words(found.first),
        "second": _line_words(found.second),
        "more": f"{percent(found.more)} the first takes more{_where(found, found.first_more)}",
        "equal": f"{percent(found.equal)} both take as many",
        "fewer": f"{percent(found.fewer)} the second takes more{_where(found, found.second_more)}",
        "score": f"{score} of the matchpoints for the first, {percent_difference(1, found.score)} for the second",
    }
    for heading, words in rows.items():
        table.add_row(heading, signs(words, ascii=ascii))
    return table


def _line_words(line: SuitLine) -> str:
    words = f"{line_name(line)}, {float(line.average):.4f} tricks on average"
    return words if line.start else f"{words}: {line_words(line).summary}"


def _where(found: HeadToHead, worlds: Mask) -> str:
    return f": {layouts_words(likeliest(found.first.solver, worlds))}" if worlds else ""


def head_to_head_json(found: HeadToHead) -> dict[str, Any]:
    """The same as plain values."""
    suit = found.first.solver.suit
    return {
        "north": holding_name(suit.north),
        "south": holding_name(suit.south),
        "lines": list(map(_line_json, (found.first, found.second))),
        "first_takes_more": float(found.more),
        "equal": float(found.equal),
        "second_takes_more": float(found.fewer),
        "score": float(found.score),
        "first_takes_more_layouts": winning_layouts_json(suit, found.first_more),
        "second_takes_more_layouts": winning_layouts_json(suit, found.second_more),
    }


def _line_json(line: SuitLine) -> dict[str, Any]:
    begins = line.solver.rules.options(line.solver.root)
    return {
        "line": line_name(line),
        "tricks": line.goal,
        "first_play": str(line.play(line.solver.root)) if begins else None,
        "expected_tricks": float(line.average),
        "at_least": at_least_json(line),
    }
