"""The pictures of the random-tree experiments, drawn from rows."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from worldwise.extras import import_extra
from worldwise.lab.papers.fb01.algorithm_claims import BRIDGE, matching_q
from worldwise.lab.papers.fb01.errors import ErrorPoint, Errors
from worldwise.lab.plotting import new_figure, styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from worldwise.runs.rows import Rows

_KNOWLEDGE = "MIN's knowledge"
_ERROR = "trees with a sub-optimal strategy (%)"

LINE = 2.5
"""Percentage points that a line of the panels is about as wide as."""

_BASES = {
    "monte-carlo": ("#000000", "X"),
    "vector-mm": ("#0072b2", "o"),
    "vm-alphabeta": ("#56b4e9", "P"),
    "vm-beta": ("#009e73", "^"),
    "ivm-tiebreak": ("#999999", "v"),
    "prm": ("#d55e00", "s"),
    "prm-beta": ("#cc79a7", "D"),
    "exact": ("#e69f00", "*"),
}
_NEWCOMER = ("#f0027f", "h")
_ITERATED = {"ivm": "vector-mm", "ivm-beta": "vm-beta", "iprm": "prm", "iprm-beta": "prm-beta"}


def algorithm_style(name: str) -> dict[str, Any]:
    """How an algorithm is drawn, in every picture alike: iterated as what it iterates, but dashed and hollow.

    >>> algorithm_style("prm")["color"] == algorithm_style("iprm")["color"], algorithm_style("iprm")["linestyle"]
    (True, '--')
    """
    color, marker = _BASES.get(_ITERATED.get(name, name), _NEWCOMER)
    style = {"color": color, "marker": marker, "linestyle": "-", "markersize": 5}
    return {**style, "linestyle": "--", "markerfacecolor": "white"} if name in _ITERATED else style


def legend_beside(figure: Figure, axes: Axes) -> None:
    """The legend of one panel, for all of them, where no line can run through it."""
    figure.legend(*axes.get_legend_handles_labels(), loc="outside right center", frameon=False)


def error_surface(rows: Rows) -> Figure:
    """FB01 Fig 8 on the left, curves for the depths 2 to 8; Fig 7 on the right, all depths as a map."""
    errors = Errors(rows)
    figure, (left, right) = new_figure(10, 4.6, columns=2)
    _curves(left, errors, "monte-carlo", [depth for depth in errors.depths() if depth <= 8])
    left.set_title("Monte Carlo, depths 2 to 8")
    left.legend(title="depth", ncols=2, frameon=False)
    depths, known = errors.depths(), errors.most_known()
    shares = np.array([[_percent(errors, ErrorPoint("monte-carlo", d, k)) for k in range(known + 1)] for d in depths])
    picture = right.imshow(shares, origin="lower", aspect="auto", cmap="cividis", vmin=0, vmax=100)
    right.grid(visible=False)
    right.set(xlabel=_KNOWLEDGE, ylabel="depth", title="all depths")
    right.set_xticks(range(known + 1), [f"{k}/{known}" for k in range(known + 1)])
    right.set_yticks(range(len(depths)), [str(depth) for depth in depths])
    figure.colorbar(picture, ax=right, label=_ERROR)
    return figure


def error_panels(rows: Rows) -> Figure:
    """FB01 Figs 27 and 30: a panel for every algorithm."""
    errors = Errors(rows)
    q = errors.similarities()[0]
    figure: Figure = import_extra("matplotlib.figure", "plot").Figure(figsize=(9.8, 11), layout="constrained")
    panels = figure.subplots(4, 3, sharex=True, sharey=True).ravel()
    for panel, name in zip(panels, errors.algorithms(), strict=False):
        panel.grid(visible=True, color="#dddddd", linewidth=0.6)
        panel.spines[["top", "right"]].set_visible(False)
        _curves(panel, errors, name, errors.depths(), q)
        panel.set_title(name)
    for panel in panels[len(errors.algorithms()) :]:
        panel.set_axis_off()
    panels[0].set_ylim(0, _ceiling(errors))
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, [f"depth {label}" for label in labels], loc="outside upper center", ncols=7, frameon=False)
    return figure


def _ceiling(errors: Errors) -> float:
    """Where the axis of errors ends: a whole ten above all of them."""
    return min(102, 10 * ceil(max(_percent(errors, point) for point in errors.points) / 10 + 0.5))


def similarity_curves(rows: Rows) -> Figure:
    """FBM97 Fig 13: the deepest trees that every q has, a curve for every second q; and the error over q."""
    errors = Errors(rows)
    depth = 11 if 11 in errors.depths() else max(errors.depths())
    figure, (left, right) = new_figure(9.5, 5.4, columns=2)
    known = errors.most_known()
    for q, style in zip(errors.similarities()[::3], styles(), strict=False):
        shares = [_percent(errors, ErrorPoint("monte-carlo", depth, k, q)) for k in range(known + 1)]
        left.plot(np.arange(known + 1) / known, shares, label=f"{q:.2f}", **style, markersize=4)
    left.set(xlabel=_KNOWLEDGE, ylabel=_ERROR, ylim=(0, 102), title=f"depth {depth}")
    _legend_below(left, "similarity q")
    for one, style in zip(errors.depths()[::3], styles(), strict=False):
        shares = [_percent(errors, ErrorPoint("monte-carlo", one, known, q)) for q in errors.similarities()]
        right.plot(errors.similarities(), shares, label=str(one), **style, markersize=4)
    right.set(xlabel="similarity q", ylabel=_ERROR, ylim=(0, 102), title="MIN knows everything")
    _legend_below(right, "depth")
    return figure


def matching_curves(rows: Rows) -> Figure:
    """A panel for every second depth: the error of each algorithm over q, and a star where it is Bridge's."""
    errors = Errors(rows)
    depths, known = errors.depths()[1::2] or errors.depths(), errors.most_known()
    figure, panels = new_figure(3.1 * len(depths) + 1.4, 4.8, columns=len(depths), sharey=True)
    for panel, depth in zip(panels, depths, strict=True):
        for name in errors.algorithms():
            shares = [_percent(errors, ErrorPoint(name, depth, known, q)) for q in errors.similarities()]
            panel.plot(errors.similarities(), shares, label=name, **{**algorithm_style(name), "markersize": 3})
        for name, (wrong, problems) in BRIDGE.items():
            if (q := matching_q(errors, name, depth)) is not None:
                color = algorithm_style(name)["color"]
                panel.plot([q], [100 * wrong / problems], "*", color=color, markersize=13, zorder=3)
        panel.axvline(0.75, color="#888888", linestyle=":", linewidth=0.8, zorder=1)
        panel.set(xlabel="similarity q", ylim=(0, 102), title=f"depth {depth}; stars: as in Bridge")
    panels[0].set_ylabel(_ERROR)
    legend_beside(figure, panels[0])
    return figure


def _legend_below(axes: Axes, title: str) -> None:
    """Where there is no room between the lines."""
    axes.legend(title=title, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=4, frameon=False)


def branching_curves(rows: Rows) -> Figure:
    """A panel for every branching: the error over depth against a MIN who knows everything."""
    errors = Errors(rows)
    kinds = sorted({point.branching for point in errors.points})
    figure, panels = new_figure(2.8 * len(kinds) + 1.4, 4.4, columns=len(kinds), sharey=True)
    for panel, branching in zip(panels, kinds, strict=True):
        depths = sorted({point.depth for point in errors.points if point.branching == branching})
        for name in errors.algorithms():
            shares = [_percent(errors, ErrorPoint(name, depth, 9, 0.0, branching)) for depth in depths]
            panel.plot(depths, shares, label=name, **algorithm_style(name))
        panel.set(xlabel="depth", ylim=(0, 102), title=f"{branching} branches", xticks=depths)
    panels[0].set_ylabel(_ERROR)
    legend_beside(figure, panels[0])
    return figure


def worlds_curves(rows: Rows) -> Figure:
    """A panel for every depth: the error over the number of worlds against a MIN who knows everything."""
    errors = Errors(rows)
    width = 2.8 * len(errors.depths()) + 1.4
    figure, panels = new_figure(width, 4.4, columns=len(errors.depths()), sharey=True)
    counts = sorted({point.worlds for point in errors.points})
    for panel, depth in zip(panels, errors.depths(), strict=True):
        for name in errors.algorithms():
            shares = [_percent(errors, ErrorPoint(name, depth, worlds - 1, 0.0, 2, worlds)) for worlds in counts]
            panel.plot(counts, shares, label=name, **algorithm_style(name))
        panel.set(xlabel="worlds", ylim=(0, 102), title=f"depth {depth}")
    panels[0].set_ylabel(_ERROR)
    legend_beside(figure, panels[0])
    return figure


def _curves(axes: Axes, errors: Errors, name: str, depths: list[int], q: float = 0.0) -> None:
    """A curve for every depth, with its interval as a band where that is wider than the line."""
    known = errors.most_known()
    levels = np.arange(known + 1) / max(known, 1)
    for depth, style in zip(depths, styles(), strict=False):
        rates = [errors.rate(ErrorPoint(name, depth, k, q)) for k in range(known + 1)]
        if all(rates):
            low, middle, high = ([100 * getattr(rate, side) for rate in rates] for side in ("low", "value", "high"))
            if max(np.subtract(high, low)) > LINE:
                axes.fill_between(levels, low, high, color=style["color"], alpha=0.15, linewidth=0)
            axes.plot(levels, middle, label=str(depth), **style, markersize=4)
    axes.set(xlabel=_KNOWLEDGE, ylabel=_ERROR, ylim=(0, 102), xlim=(-0.02, 1.02))


def _percent(errors: Errors, point: ErrorPoint) -> float:
    rate = errors.rate(point)
    return float("nan") if rate is None else 100 * rate.value
