"""Pictures in one style: colours that no kind of colour blindness confuses, labelled axes, no global state."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Any

from worldwise.extras import import_extra

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Okabe and Ito's colours, the most distinct first; their yellow is too faint on paper."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "<")


def new_figure(width: float = 7.0, height: float = 4.6, columns: int = 1, **options: Any) -> tuple[Figure, list[Axes]]:
    """An empty figure and its axes, side by side; ``options`` go to ``Figure.subplots``."""
    figure: Figure = import_extra("matplotlib.figure", "plot").Figure(figsize=(width, height), layout="constrained")
    axes = list(figure.subplots(1, columns, squeeze=False, **options)[0])
    for one in axes:
        one.grid(visible=True, color="#dddddd", linewidth=0.6)
        one.set_axisbelow(True)
        one.spines[["top", "right"]].set_visible(False)
    return figure, axes


def styles() -> Iterator[dict[str, Any]]:
    """A colour and a marker for every line: even in grey, lines are told apart by their markers.

    >>> lines = styles()
    >>> next(lines), next(lines)["marker"]
    ({'color': '#0072b2', 'marker': 'o'}, 's')
    """
    for color, marker in zip(cycle(PALETTE), cycle(MARKERS), strict=False):
        yield {"color": color, "marker": marker}
