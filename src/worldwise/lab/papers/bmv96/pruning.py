"""The experiments of BMV96: how much IMP-alpha-beta prunes on average, and how many strategies there are.

``imp_ratios`` measures the pruning, ``imp_claims`` judges it, ``imp_strategies`` is the other experiment; here are the
settings, the table and the picture.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from worldwise.lab.experiment import Claim, Experiment
from worldwise.lab.papers.bmv96 import claims
from worldwise.lab.papers.bmv96.ratios import MAIN, ModelPoint, Ratios, measure_pruning
from worldwise.lab.plotting import new_figure, styles
from worldwise.lab.table import DataTable, published_numbers, side_by_side, table_of
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from worldwise.runs.rows import Rows

OTHERS = (1, 2, 100, 10**6)
"""Other highest payoffs: win and loss, a third outcome, and payoffs that are hardly ever equal."""

_DEPTHS = range(2, 11)
_MOST_TREES = 1000
"""Trees in a row."""


class Size(NamedTuple):
    """How much a scale does: the values of k and b, the largest tree, leaves in a row, and its fewest trees."""

    values: Iterable[int]
    most_leaves: int
    work: int
    fewest: int

    def settings(self, highest: int) -> Iterator[Setting]:
        """Every k, b and d whose trees fit; the smaller a tree the more of them."""
        for k, b, d in product(self.values, self.values, _DEPTHS):
            leaves = ModelPoint(k, b, d).leaves
            if leaves <= self.most_leaves:
                trees = max(self.fewest, min(_MOST_TREES, self.work // leaves))
                yield Setting(k=k, b=b, d=d, highest=highest, trees=trees)


def _settings(main: Size, other: Size, others: Iterable[int] = OTHERS) -> tuple[Setting, ...]:
    found = [*main.settings(MAIN), *(setting for highest in others for setting in other.settings(highest))]
    return tuple(found)


# ---------------------------------------------------------------------- table and picture


def ratio_table(rows: Rows) -> DataTable:
    """Every ratio with its interval, and how many prunings of each kind there are in a tree."""
    ratios = Ratios(rows)
    return table_of(
        (
            {
                "k": point.k,
                "b": point.b,
                "d": point.d,
                "highest": point.highest,
                "leaves": point.leaves,
                "ratio": ratios.ratio(point),
                "nodes": ratios.visited_share(point),
                "immediate": ratios.prunings(point, "immediate"),
                "information set": ratios.prunings(point, "information_set"),
            }
            for point in ratios.points
        ),
        "the shares of leaves and nodes that IMP-alpha-beta examines, and its prunings in a tree",
    )


def two_cases(rows: Rows) -> DataTable:
    """The paper's two cases, whatever the payoffs: the share of leaves at each depth."""
    ratios = Ratios(rows)
    depths = sorted({point.d for point in ratios.points})
    return table_of(
        (
            {
                "k": like.k,
                "b": like.b,
                "payoffs": f"0 to {highest:,}",
                **{f"d = {d}": ratios.ratio(replace(like, d=d, highest=highest)) for d in depths if d <= _DEEPEST},
            }
            for like in (claims.FAVOURABLE, claims.UNFAVOURABLE)
            for highest in sorted(ratios.highest())
        ),
        "the share of leaves that IMP-alpha-beta examines where it is to examine least, and most",
    )


_DEEPEST = 6
"""Deeper trees with k or b of 10 do not fit."""


def ratio_picture(rows: Rows) -> Figure:
    """The ratio over depth; over k and b at one depth; and what other payoffs make of it."""
    ratios = Ratios(rows)
    figure, (left, middle, right) = new_figure(13, 4.6, columns=3)
    for (k, b), style in zip(((10, 2), (10, 10), (5, 5), (2, 2), (2, 5), (2, 10)), styles(), strict=False):
        _curve(left, ratios, ModelPoint(k, b, 2), f"k = {k}, b = {b}", style)
    left.set_title("payoffs 0 to 10; dotted: the paper")
    left.legend(frameon=False, fontsize="small")
    _map(figure, middle, ratios)
    for highest, style in zip(sorted(ratios.highest()), styles(), strict=False):
        _curve(right, ratios, replace(claims.FAVOURABLE, highest=highest), f"0 to {highest:,}", style)
        dashed = {**style, "linestyle": "--", "markerfacecolor": "white"}
        _curve(right, ratios, replace(claims.UNFAVOURABLE, highest=highest), "", dashed)
    right.set_title("k = 2, b = 10; dashed: k = 10, b = 2")
    right.legend(title="payoffs", loc="upper right", bbox_to_anchor=(1, 0.86), frameon=False, fontsize="small")
    return figure


def _curve(axes: Axes, ratios: Ratios, like: ModelPoint, label: str, style: dict[str, Any]) -> None:
    points = claims.points_like(ratios, like)
    shares = [100 * ratio.value for point in points if (ratio := ratios.ratio(point))]
    axes.plot([point.d for point in points], shares, label=label or None, markersize=5, **style)
    for share in (20, 96):
        axes.axhline(share, color="#888888", linestyle=":", linewidth=0.8, zorder=1)
    axes.set(xlabel="depth d", ylabel="leaves examined (%)", ylim=(0, 102))
    axes.locator_params(axis="x", integer=True)


def _map(figure: Figure, axes: Axes, ratios: Ratios, depth: int = 4) -> None:
    """All k and b at one depth: a greater one does not fit for all of them."""
    found = {point: ratios.ratio(point) for point in ratios.points if point.highest == MAIN}
    depth = min(depth, max((point.d for point in found), default=depth))
    ks, bs = (sorted({getattr(point, name) for point in found}) for name in ("k", "b"))
    ratio = [[found.get(ModelPoint(k, b, depth)) for b in bs] for k in ks]
    shares = np.array([[100 * cell.value if cell else np.nan for cell in row] for row in ratio])
    picture = axes.imshow(shares, origin="lower", aspect="auto", cmap="cividis", vmin=0, vmax=100)
    axes.grid(visible=False)
    axes.set(xlabel="branches b", ylabel="parts k", title=f"leaves examined (%): depth {depth}, payoffs 0 to {MAIN}")
    axes.set_xticks(range(len(bs)), map(str, bs))
    axes.set_yticks(range(len(ks)), map(str, ks))
    figure.colorbar(picture, ax=axes)


def _compare_ratios(summary: DataTable, published: DataTable) -> DataTable:
    return side_by_side(summary, published, ("k", "b", "d", "highest"), "ratio")


AVERAGE_CASE = Experiment(
    id="bmv96/average-case",
    title="The share of leaves that IMP-alpha-beta examines, over k, b and d",
    source="BMV96 section 7: the IMP-model with random payoffs; k, b and d from 2 to 10, as far as trees fit",
    claims=(
        Claim(
            "alpha-beta/mm falls as the depth d grows",
            "BMV96 section 7",
            claims.moves("d", -1),
            "payoffs 0 to 10, for all k and b: less at the greatest depth than at the least; one step up refutes it",
        ),
        Claim(
            "For fixed k and d, alpha-beta/mm falls as b grows",
            "BMV96 section 7",
            claims.moves("b", -1),
            "payoffs 0 to 10, for all k and d: less at the greatest b than at the least; one step up refutes it",
        ),
        Claim(
            "For fixed b and d, alpha-beta/mm grows as k grows",
            "BMV96 section 7",
            claims.moves("k", 1),
            "payoffs 0 to 10, for all b and d: more at the greatest k than at the least; one step down refutes it",
        ),
        Claim(
            "Less than 20 % of leaves are examined in the more favourable cases (b = 10, k = 2)",
            "BMV96 section 7",
            claims.less_than_a_fifth,
            "payoffs 0 to 10, the greatest depth, 5 or more, because the paper gives none: the share is below 20 %",
        ),
        Claim(
            "About 96 % of leaves are examined in the least favourable case (b = 2, k = 10)",
            "BMV96 section 7",
            claims.about_96_percent,
            "payoffs 0 to 10, at every depth, because the paper gives none: between 93 and 99 %",
        ),
        Claim(
            "The fewer different payoffs there are, the more is pruned",
            "ours",
            claims.fewer_payoffs_more_pruning,
            "for all k, b and d: less with the fewest payoffs than with the most; one step the other way refutes it",
        ),
    ),
    settings={
        "smoke": _settings(Size((2, 3), 100, 500, 3), Size((2, 3), 40, 200, 3), (1,)),
        "laptop": _settings(Size(range(2, 11), 10**6, 10**6, 5), Size((2, 5, 10), 10**5, 2 * 10**5, 5), (1, 10**6)),
        "paper": _settings(Size(range(2, 11), 2 * 10**7, 5 * 10**6, 3), Size((2, 3, 5, 10), 4 * 10**6, 5 * 10**6, 3)),
    },
    seeds={"smoke": 1, "laptop": 4, "paper": 10},
    measure=measure_pruning,
    unit="trees",
    summary=ratio_table,
    plot=ratio_picture,
    digest=two_cases,
    published=published_numbers("worldwise.lab.published", "bmv96-average-case.csv"),
    compare=_compare_ratios,
)
