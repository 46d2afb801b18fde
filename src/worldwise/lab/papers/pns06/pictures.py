"""The pictures of PNS06's experiments: expected utility with its interval, the paper's beside ours; and a map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from worldwise.lab.papers.pns06.scores import scores
from worldwise.lab.plotting import PALETTE, new_figure
from worldwise.lab.table import NOTHING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from worldwise.lab.papers.pns06.scores import Key, Score
    from worldwise.lab.table import DataTable
    from worldwise.runs.rows import Rows

EU = "expected utility: wins less losses (% of games)"

PAPERS_INTERVAL = 4
"""Percentage points: "the 95 % confidence interval is at most 4"."""

BELOW = 0.36
"""How far below our bar the paper's number is drawn, so that the two intervals are told apart."""

DARK = 65
"""EU from which on a field of the map is so dark that its number is white."""


def utility_bars(
    names: Sequence[str], label: Callable[[Key], str], published: DataTable = NOTHING
) -> Callable[[Rows], Figure]:
    """A picture with a bar for every cell, coloured by the first of the names, and a cross for the paper's."""

    def draw(rows: Rows) -> Figure:
        found = scores(rows, *names)
        figure, (axes,) = new_figure(8.2, 1.6 + 0.34 * len(found))
        for color, group in zip(PALETTE, dict.fromkeys(key[0] for key in found), strict=False):
            _bars(axes, {place: score for place, (key, score) in enumerate(found.items()) if key[0] == group}, color)
        _crosses(axes, list(found), names, published)
        axes.axvline(0, color="#888888", linewidth=0.8)
        axes.set_yticks(range(len(found)), [label(key) for key in found])
        axes.invert_yaxis()
        axes.set_xlabel(EU)
        if axes.get_legend_handles_labels()[0]:
            figure.legend(loc="outside upper center", ncols=2, frameon=False)
        return figure

    return draw


def _bars(axes: Axes, places: Mapping[int, Score], color: str) -> None:
    figures = [score.utility() for score in places.values()]
    ends = [[100 * (one.value - one.low) for one in figures], [100 * (one.high - one.value) for one in figures]]
    style: dict[str, Any] = {"color": color, "alpha": 0.75, "error_kw": {"elinewidth": 1.2, "capsize": 3}}
    axes.barh(list(places), [100 * one.value for one in figures], xerr=ends, height=0.44, **style)


def _crosses(axes: Axes, keys: Sequence[Key], names: Sequence[str], published: DataTable) -> None:
    """The paper's numbers with its interval, where it has any."""
    paper = {tuple(record[name] for name in names): record["EU"] for record in published.records()}
    places = [place for place, key in enumerate(keys) if key in paper]
    numbers = [100 * cast("float", paper[keys[place]]) for place in places]
    if numbers:
        style: dict[str, Any] = {
            "color": "#000000",
            "marker": "X",
            "linestyle": "none",
            "capsize": 2,
            "elinewidth": 0.8,
        }
        heights = [place + BELOW for place in places]
        axes.errorbar(numbers, heights, xerr=PAPERS_INTERVAL, label="PNS06 (at most ± 4)", **style)


def caution_map(rows: Rows) -> Figure:
    """A panel for every opponent: EU over caution and depth."""
    opponents = list(dict.fromkeys(str(row["against"]) for row in rows))
    figure, panels = new_figure(5.2 * len(opponents), 3.4, columns=len(opponents), sharey=True)
    for panel, opponent in zip(panels, opponents, strict=True):
        _panel(panel, [row for row in rows if row["against"] == opponent])
        panel.set_title(f"against {opponent}")
    panels[0].set_ylabel("depth")
    figure.colorbar(panels[0].images[0], ax=panels, label="expected utility (%)")
    return figure


def _panel(axes: Axes, rows: Rows) -> None:
    found = scores(rows, "depth", "caution")
    depths, cautions = (sorted({cast("float", key[place]) for key in found}) for place in (0, 1))
    shares = np.full((len(depths), len(cautions)), np.nan)
    for (depth, caution), score in found.items():
        place = depths.index(cast("float", depth)), cautions.index(cast("float", caution))
        shares[place] = value = 100 * score.utility().value
        color = "#ffffff" if abs(value) > DARK else "#000000"
        axes.text(place[1], place[0], f"{value:+.0f}", ha="center", va="center", color=color)
    axes.imshow(shares, origin="lower", aspect="auto", cmap="RdYlBu", vmin=-100, vmax=100)
    axes.grid(visible=False)
    axes.set(xlabel="caution (0 overconfident, 1 paranoid)")
    axes.set_xticks(range(len(cautions)), [f"{caution:g}" for caution in cautions])
    axes.set_yticks(range(len(depths)), [f"{depth:g}" for depth in depths])
