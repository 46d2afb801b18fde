"""Tricks and points in words, and what kind of figure they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.bridge.rules.goal import Aim
from worldwise.search.alphamu_root import ValueKind

if TYPE_CHECKING:
    from worldwise.bridge.advice.other_tables import OtherTables
    from worldwise.bridge.solvers.alphamu import CardValue

KIND_WORDS = {ValueKind.FINAL: "", ValueKind.DEPTH: "up to ", ValueKind.BOUND: "at most "}
"""What a figure is: searched to the end, as far as the search saw, or no more than a bound."""


def figure(aim: Aim, value: float) -> str:
    """Tricks or points, as a table has them.

    >>> figure(Aim.TRICKS, 8.846), figure(Aim.SCORE, 761.4)
    ('8.85', '761')
    """
    return f"{value:.2f}" if aim is Aim.TRICKS else f"{value:.0f}"


def amount_words(aim: Aim, value: float) -> str:
    """So many tricks, or points.

    >>> amount_words(Aim.TRICKS, 9), amount_words(Aim.SCORE, -50)
    ('9.00 tricks', '-50 points')
    """
    return f"{figure(aim, value)} {'tricks' if aim is Aim.TRICKS else 'points'}"


def worth_words(aim: Aim, worth: CardValue) -> str:
    """The same, with the kind of figure it is."""
    return KIND_WORDS[worth.kind] + amount_words(aim, worth.value)


UNITS = {"imps": "IMPs", "matchpoints": "matchpoints"}
"""What scores are compared in, for people."""


def beside_words(others: OtherTables, worth: float | None) -> str:
    """What a score is worth beside other tables.

    >>> from worldwise.bridge.advice.other_tables import FIELD, OtherTable
    >>> beside_words(FIELD, 0.547), beside_words(OtherTable(420), -1.24)
    ('54.7 %', '-1.24')
    """
    if worth is None:
        return ""
    return f"{100 * worth:.1f} %" if others.unit == "matchpoints" else f"{worth:+.2f}"
