"""CLV21 Table 4 and Figs 6 and 7: alpha-mu and PIMC play the same deals, over moves ahead and worlds.

WBridge5 is a closed program. Where the paper measures against it, PIMC with 20 worlds takes its place as the other
declarer, and double dummy or PIMC as the defence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldwise.lab import bridge_claims as claims
from worldwise.lab.bridge_claims import Deals, Declarer
from worldwise.lab.bridge_games import PLAYERS, numbers, played, start_of
from worldwise.lab.experiment import Claim, Experiment, Setting
from worldwise.lab.figures import new_figure, styles
from worldwise.lab.table import Table, published_numbers, side_by_side, table_of
from worldwise.players.bridge_players import AlphaMuPlayer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from worldwise.core.statistics import Estimate
    from worldwise.lab.experiment import Row, Rows


def measure_declarers(setting: Setting, seed: int) -> Row:
    """One deal, played by every declarer of the setting's ``depths`` and ``worlds``, with the same chances."""
    start, defence = start_of(setting, seed), PLAYERS[str(setting["defence"])]
    row: dict[str, float] = {}
    for worlds in numbers(setting, "worlds"):
        for depth in numbers(setting, "depths"):
            game, name = played(start, AlphaMuPlayer(worlds, depth), defence, seed), Declarer(depth, worlds)
            row |= {f"{name}.{key}": value for key, value in game._asdict().items()}
    return row


# ---------------------------------------------------------------------- Table 4


def duel_table(rows: Rows) -> Table:
    """The paper's columns, for each M beyond PIMC's: the deals that differ, and the share of them that alpha-mu won."""
    return table_of(
        (
            {
                "declarer": "alpha-mu" if name == claims.MAIN else str(name),
                "versus": "pimc",
                "defence": deals.defence,
                "deals": len(deals.rows),
                "made": deals.made(name),
                "PIMC made": deals.made(deals.pimc),
                "differ": sum(deals.duel(name, deals.pimc)),
                "winrate": deals.winrate(name, deals.pimc),
            }
            for deals in Deals.by_defence(rows)
            for name in deals.declarers
            if name != deals.pimc
        ),
        f"contracts made, and the share of the deals that differ that the declarer made (alpha-mu is {claims.MAIN})",
    )


def duel_picture(rows: Rows) -> Figure:
    """The win rate against either defence, with its interval: the paper's beside ours."""
    figure, (axes,) = new_figure(7, 3.6)
    records = TABLE_4_PUBLISHED.records()
    paper = [100 * float(str(record["winrate"])) for record in records]
    axes.plot(paper, range(len(paper)), label="CLV21", color="#000000", marker="X", linestyle="none")
    defences = [str(record["defence"]) for record in records]
    for shift, (depth, style) in enumerate(zip((2, 3), styles(), strict=False), 1):
        heights = [height + 0.15 * shift for height in range(len(defences))]
        _winrates(axes, [_winrate(rows, defence, depth) for defence in defences], heights, f"ours, M = {depth}", style)
    axes.axvline(50, color="#888888", linestyle=":", linewidth=0.8)
    axes.set_yticks(range(len(records)), [f"defence {defence}" for defence in defences])
    axes.set(xlabel="deals won by alpha-mu, of those that differ from PIMC's (%)", xlim=(0, 100), ylim=(-0.4, 1.7))
    figure.legend(loc="outside upper center", ncols=3, frameon=False)
    return figure


def _winrate(rows: Rows, defence: str, depth: int) -> Estimate | None:
    deals = Deals([row for row in rows if row["defence"] == defence])
    name = next((name for name in deals.declarers if name.depth == depth), None)
    return deals.winrate(name, deals.pimc) if name else None


def _winrates(
    axes: Axes, rates: Sequence[Estimate | None], heights: Sequence[float], label: str, style: dict[str, Any]
) -> None:
    """A mark and its interval for every win rate there is."""
    found = [(rate, height) for rate, height in zip(rates, heights, strict=True) if rate]
    middle = [100 * rate.value for rate, _ in found]
    ends = [[100 * (rate.value - rate.low) for rate, _ in found], [100 * (rate.high - rate.value) for rate, _ in found]]
    axes.errorbar(middle, [height for _, height in found], xerr=ends, label=label, linestyle="none", **style)


def _compare(summary: Table, published: Table) -> Table:
    return side_by_side(summary, published, ("declarer", "versus", "defence"), "winrate")


TABLE_4_PUBLISHED = published_numbers("worldwise.lab.published", "clv21-table-4.csv")

_DUELS = tuple(Setting(contract="7NT", cards=52, depths="1 2 3", worlds="20", defence=one) for one in ("dds", "pimc"))

TABLE_4 = Experiment(
    id="clv21/table-4",
    title="alpha-mu against PIMC on the same deals at 7NT",
    source="CLV21 Table 4: 10,000 deals; ours 2,000, which is an hour; 20 worlds, M = 2 and 3 (verdicts go by M = 2)",
    claims=(
        Claim("alpha-mu beats PIMC against a double-dummy defence", "CLV21 Table 4", claims.beats_pimc("dds")),
        Claim("alpha-mu beats PIMC against a PIMC defence", "CLV21 Table 4", claims.beats_pimc("pimc")),
    ),
    settings={
        "smoke": (
            Setting(contract="3NT", cards=16, depths="1 2", worlds="4", defence="dds", opening="random"),
            Setting(contract="3NT", cards=12, depths="1 2", worlds="4", defence="random", opening="random"),
        ),
        "laptop": _DUELS,
        "paper": _DUELS,
    },
    seeds={"smoke": 2, "laptop": 100, "paper": 2000},
    measure=measure_declarers,
    summary=duel_table,
    plot=duel_picture,
    published=TABLE_4_PUBLISHED,
    compare=_compare,
    timed=True,
)


# ---------------------------------------------------------------------- Figs 6 and 7


def curve_table(rows: Rows) -> Table:
    """Contracts made and seconds a move, for every number of moves ahead and worlds."""
    deals = Deals(rows)
    return table_of(
        (
            {
                "depth": name.depth,
                "worlds": name.worlds,
                "deals": len(deals.rows),
                "made": deals.made(name),
                "against PIMC(20)": deals.winrate(name, deals.pimc),
                "seconds": deals.seconds(name),
                "times PIMC": deals.times(name, Declarer(1, name.worlds)).value,
            }
            for name in sorted(deals.declarers)
        ),
        "contracts made, the share of deals that differ from PIMC with the fewest worlds, and processor time a move",
    )


def curve_picture(rows: Rows) -> Figure:
    """Fig 6: contracts made over worlds; Fig 7: seconds a move; a curve for each M."""
    deals = Deals(rows)
    figure, (left, right) = new_figure(9.8, 4.4, columns=2)
    for depth, style in zip(sorted({name.depth for name in deals.declarers}), styles(), strict=False):
        names = sorted(name for name in deals.declarers if name.depth == depth)
        worlds, label = [name.worlds for name in names], "PIMC (M = 1)" if depth == 1 else f"M = {depth}"
        left.plot(worlds, [100 * deals.made(name).value for name in names], label=label, **style)
        right.plot(worlds, [deals.seconds(name).value for name in names], label=label, **style)
    left.set(xlabel="worlds", ylabel="contracts made (%)", xscale="log", ylim=(0, 100))
    right.set(xlabel="worlds", ylabel="processor seconds a move", xscale="log", ylim=(0, None))
    for axes in (left, right):
        axes.set_xticks(ticks := sorted({name.worlds for name in deals.declarers}), map(str, ticks))
        axes.minorticks_off()
    left.legend(frameon=False)
    return figure


def _curves(depths: str, worlds: str) -> tuple[Setting, ...]:
    return (Setting(contract="7NT", cards=52, defence="dds", depths=depths, worlds=worlds),)


FIG_6 = Experiment(
    id="clv21/fig-6",
    title="Contracts made and time over the number of worlds, for each M",
    source="CLV21 Figs 6 and 7: M = 1 to 4, 20 to 320 worlds, against WBridge5; ours 7NT against DDS, 200 deals",
    claims=(
        Claim("Going from M = 2 to 3 or 4 adds little", "CLV21 Fig 6", claims.more_moves_add_little),
        Claim("The curves are asymptotic: beyond 80 worlds little is gained", "CLV21 Fig 6", claims.levels_off),
        Claim("The asymptote of PIMC is below that of alpha-mu", "CLV21 Fig 6", claims.higher_asymptote),
        Claim("alpha-mu's time with M = 2 is close to PIMC's", "CLV21 Fig 7", claims.close_in_time),
    ),
    settings={
        "smoke": (Setting(contract="3NT", cards=16, depths="1 2", worlds="3 6", defence="dds", opening="random"),),
        "laptop": _curves("1 2 3", "20 40 80 160"),
        "paper": _curves("1 2 3 4", "20 40 80 160 320"),
    },
    seeds={"smoke": 2, "laptop": 20, "paper": 200},
    measure=measure_declarers,
    summary=curve_table,
    plot=curve_picture,
    timed=True,
)

DECLARERS = (TABLE_4, FIG_6)
