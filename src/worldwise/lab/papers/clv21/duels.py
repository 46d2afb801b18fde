"""Declarers beside PIMC on the same deals, as a table and as a picture: alpha-mu's, and one of the user's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldwise.lab.papers.clv21.claims import NEWCOMER, Deals, Declarer, declarer_words
from worldwise.lab.plotting import PALETTE, new_figure, styles
from worldwise.lab.table import DataTable, table_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from worldwise.core.statistics import Estimate
    from worldwise.lab.papers.clv21.claims import AnyDeclarer
    from worldwise.lab.table import Cell
    from worldwise.runs.rows import Rows


def duel_table(rows: Rows, newcomer: str = "") -> DataTable:
    """For each M beyond PIMC's: the deals that differ from PIMC's, the share of them that alpha-mu made, its gain.

    The newcomer, if there is one, has a line of his own at each contract.
    """
    return table_of(
        (
            {
                "contract": deals.contract,
                **_who(name, newcomer),
                "versus": "pimc",
                "defence": deals.rows[0]["defence"],
                "deals": len(deals.rows),
                "made": deals.made(name),
                "PIMC made": deals.made(deals.pimc),
                "parted": deals.parted(),
                "differ": deals.differ(name, deals.pimc),
                "winrate": deals.winrate(name, deals.pimc),
                "gain": deals.gain(name, deals.pimc),
            }
            for deals, name in _duels(rows, newcomer)
        ),
        "contracts made; deals in which declarers part; deals that differ, and the share of these that the one made",
    )


def _duels(rows: Rows, newcomer: str) -> Iterator[tuple[Deals, AnyDeclarer]]:
    for deals in Deals.of(rows):
        yield from ((deals, name) for name in deals.declarers if name != deals.pimc)
        yield from [(deals, NEWCOMER)] if newcomer else []


def _who(name: AnyDeclarer, newcomer: str) -> dict[str, Cell]:
    if not newcomer and isinstance(name, Declarer):
        return {"depth": name.depth}
    return {"declarer": declarer_label(name, newcomer)}


def declarer_label(name: AnyDeclarer, newcomer: str) -> str:
    """What people call a declarer: by M, or by the newcomer's name."""
    return declarer_words(name.depth) if isinstance(name, Declarer) else newcomer


def duel_picture(published: DataTable, rows: Rows, newcomer: str = "") -> Figure:
    """The win rate of each M at each contract with its interval, the paper's, and the newcomer's."""
    duels = list(_duels(rows, newcomer))
    figure, (axes,) = new_figure(7, 1.6 + 0.5 * max(2, len(duels)))
    for height, ((deals, name), style) in enumerate(zip(duels, styles(), strict=False)):
        if rate := deals.winrate(name, deals.pimc):
            _mark(axes, rate, height, style)
    papers = [100 * float(str(record["winrate"])) for record in published.records()]
    if papers:
        axes.plot(papers, range(len(papers)), label="CLV21", color=PALETTE[6], marker="X", linestyle="none")
        figure.legend(loc="outside upper center", frameon=False)
    axes.axvline(50, color="#888888", linestyle=":", linewidth=0.8)
    axes.set_yticks(range(len(duels)), [f"{deals.contract}, {declarer_label(name, newcomer)}" for deals, name in duels])
    ends, who = (-0.5, max(1, len(duels) - 1) + 0.5), "the declarer" if newcomer else "alpha-mu"
    axes.set(xlabel=f"deals made by {who}, of those that differ from PIMC's (%)", xlim=(0, 100), ylim=ends)
    return figure


def _mark(axes: Axes, rate: Estimate, height: float, style: dict[str, Any]) -> None:
    """A rate and its interval."""
    ends = [[100 * (rate.value - rate.low)], [100 * (rate.high - rate.value)]]
    axes.errorbar([100 * rate.value], [height], xerr=ends, linestyle="none", **style)
