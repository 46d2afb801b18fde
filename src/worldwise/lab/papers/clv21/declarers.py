"""CLV21 Table 4: alpha-mu and PIMC play the same deals; and beyond the paper, contracts in which a trick may be lost.

The rows with WBridge5, a closed program, cannot be measured again.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from worldwise.lab.experiment import Claim, Experiment
from worldwise.lab.figures import PALETTE, new_figure, styles
from worldwise.lab.papers.clv21 import claims
from worldwise.lab.papers.clv21.claims import Deals, declarers_of, on_deals
from worldwise.lab.papers.clv21.games import PLAYERS, numbers, papers_declarer, start_of
from worldwise.lab.papers.clv21.playouts import PlayOut
from worldwise.lab.table import NOTHING, DataTable, published_numbers, side_by_side, summary_alone, table_of
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from worldwise.core.statistics import Estimate
    from worldwise.runs.rows import Row, Rows


DEPTHS = (2, 3)
"""M of the declarers that are set against PIMC: the paper does not say which M its Table 4 is for."""


def measure_together(setting: Setting, seed: int) -> Row:
    """One deal, played by every declarer of the setting's ``depths`` and ``worlds``, with the same chances.

    ``made`` has a 1 or a 0 for each declarer, and ``parted``, for each number of worlds, how many cards had been played
    when two of its declarers first chose differently, or a dash. A row is short, because thousands of them are kept.
    """
    depths, samples = numbers(setting, "depths"), numbers(setting, "worlds")
    deal = PlayOut(start_of(setting, seed), PLAYERS[str(setting["defence"])], seed, max(samples))
    joint = [deal.play_together([papers_declarer(worlds, depth) for depth in depths]) for worlds in samples]
    made = {player: outcome for one in joint for player, outcome in one.made.items()}
    return {
        "made": "".join(str(int(made[papers_declarer(name.worlds, name.depth)])) for name in declarers_of(setting)),
        "parted": " ".join("-" if one.parted is None else str(one.parted) for one in joint),
    }


# ---------------------------------------------------------------------- Table 4


def duel_table(rows: Rows) -> DataTable:
    """For each M beyond PIMC's: the deals that differ from PIMC's, the share of them that alpha-mu made, its gain."""
    deals = Deals(rows)
    return table_of(
        (
            {
                "depth": name.depth,
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
            for name in deals.declarers
            if name != deals.pimc
        ),
        "contracts made; deals in which declarers part; deals that differ, and the share of these that alpha-mu made",
    )


def duel_picture(published: DataTable, rows: Rows) -> Figure:
    """The win rate for each M with its interval, and the paper's."""
    deals = Deals(rows)
    figure, (axes,) = new_figure(7, 2.8)
    for name, style in zip((name for name in deals.declarers if name != deals.pimc), styles(), strict=False):
        if rate := deals.winrate(name, deals.pimc):
            _mark(axes, rate, name.depth, style)
    papers = [(100 * float(str(record["winrate"])), record["depth"]) for record in published.records()]
    if papers:
        axes.plot(*zip(*papers, strict=True), label="CLV21", color=PALETTE[6], marker="X", linestyle="none")
        figure.legend(loc="outside upper center", frameon=False)
    axes.axvline(50, color="#888888", linestyle=":", linewidth=0.8)
    depths = [name.depth for name in deals.declarers if name != deals.pimc] or DEPTHS
    axes.set_yticks(depths, [f"M = {depth}" for depth in depths])
    ends = (min(depths) - 0.5, max(depths) + 0.5)
    axes.set(xlabel="deals made by alpha-mu, of those that differ from PIMC's (%)", xlim=(0, 100), ylim=ends)
    return figure


def _mark(axes: Axes, rate: Estimate, height: float, style: dict[str, Any]) -> None:
    """A rate and its interval."""
    ends = [[100 * (rate.value - rate.low)], [100 * (rate.high - rate.value)]]
    axes.errorbar([100 * rate.value], [height], xerr=ends, linestyle="none", **style)


def _compare(summary: DataTable, published: DataTable) -> DataTable:
    return side_by_side(summary, published, ("depth", "versus", "defence"), "winrate")


PAPER_DEALS = 10_000


def _published(defence: str) -> DataTable:
    """The paper's row for a defence, once for each M: it may be meant for either."""
    table = published_numbers("worldwise.lab.published", "clv21-table-4.csv")
    rows = [row for row, one in zip(table.rows, table.column("defence"), strict=True) if one == defence]
    return DataTable(("depth", *table.columns), tuple((depth, *row) for depth in DEPTHS for row in rows))


def _duels(
    name: str,
    contract: str,
    defence: str,
    deals: int,
    source: str,
    judged: Sequence[Claim],
    published: DataTable = NOTHING,
    depths: Sequence[int] = (1, *DEPTHS),
) -> Experiment:
    """PIMC and alpha-mu with 20 worlds on so many deals, at which verdicts fall."""
    ahead = " ".join(map(str, depths))
    setting = Setting(contract=contract, depths=ahead, worlds="20", defence=defence)
    tiny = Setting(contract="3NT", cards=20, depths=ahead, worlds="4", defence=defence)
    against = {"dds": "double dummy", "pimc": "PIMC"}[defence]
    return Experiment(
        id=f"clv21/{name}",
        title=f"alpha-mu and PIMC on the same deals at {contract} against {against}",
        source=f"{source}; ours {deals:,} deals, fixed beforehand, 20 worlds",
        claims=tuple(judged),
        settings={"smoke": (tiny,), "laptop": (setting,), "paper": (setting,)},
        seeds={"smoke": 3, "laptop": 200, "paper": deals},
        measure=measure_together,
        summary=duel_table,
        plot=partial(duel_picture, published),
        published=published,
        compare=_compare if published.rows else summary_alone,
        revision=2,
    )


def _papers_duels(name: str, defence: str, words: str, deals: int) -> Experiment:
    """One of the rows of Table 4."""
    published = _published(defence)
    differ = int(str(published.records()[0]["differ"]))
    judges = {f"alpha-mu with M = {depth} beats PIMC against {words}": claims.beats_pimc(depth) for depth in DEPTHS}
    for depth in DEPTHS:
        often = f"About {100 * differ / PAPER_DEALS:.2f} % of deals differ, with M = {depth}"
        judges[often] = claims.differs_as_often(depth, differ, PAPER_DEALS)
    return _duels(
        name,
        "7NT",
        defence,
        deals,
        f"CLV21 Table 4: {PAPER_DEALS:,} deals at 7NT",
        [Claim(text, "CLV21 Table 4", on_deals(deals, judge)) for text, judge in judges.items()],
        published,
    )


def _our_duels(contract: str, deals: int, depths: tuple[int, int] = DEPTHS, name: str | None = None) -> Experiment:
    """Where a trick may be lost, which the paper did not measure."""
    less, more = depths
    pairs = [(less, 1, "PIMC"), (more, 1, "PIMC"), (more, less, f"with M = {less}")]
    return _duels(
        name or contract.lower(),
        contract,
        "dds",
        deals,
        "ours",
        [
            Claim(
                f"alpha-mu with M = {depth} makes more contracts at {contract} than {words}",
                "ours",
                on_deals(deals, claims.makes_more(depth, than)),
            )
            for depth, than, words in pairs
        ],
        depths=(1, *depths),
    )


TABLE_4 = _papers_duels("table-4", "dds", "a double-dummy defence", deals=4000)
TABLE_4_PIMC = _papers_duels("table-4-pimc", "pimc", "a PIMC defence", deals=11_000)
GAME, SUIT_GAME, SLAM = (_our_duels(contract, deals=1000) for contract in ("3NT", "4S", "6NT"))
FURTHER = _our_duels("3NT", deals=1000, depths=(3, 7), name="3nt-further")

DUELS = (TABLE_4, TABLE_4_PIMC, GAME, FURTHER, SUIT_GAME, SLAM)
