"""Sizes of type, distances on paper, and about how wide a text is: what every figure measures by."""

from __future__ import annotations

from unicodedata import east_asian_width

TEXT, SMALL = 14.0, 11.5
"""Sizes of type: names in nodes and payoffs; everything else."""

LINE = 13.0
"""The height of a line of small type."""

GAP = 5.0
"""Between a thing and what belongs to it."""

MARGIN = 20.0
"""Around the whole figure."""


def text_width(text: str, size: float) -> float:
    """About how wide a text is; on the wide side, because fonts differ.

    >>> text_width("10", 10.0)
    10.8
    """
    return sum(map(_ems, text)) * size


def _ems(letter: str) -> float:
    if east_asian_width(letter) in "WF":
        return 1.0
    if letter.isupper() or letter in "mw%@⊥":
        return 0.75
    return 0.34 if letter in " ijlt.,:;'|!()" else 0.54


def shorten(text: str, longest: int) -> str:
    """A text cut to so many characters.

    >>> shorten("select", 6), shorten("discard", 6)
    ('select', 'disca…')
    """
    return text if len(text) <= longest else text[: longest - 1] + "…"
