"""CLV21 Figs 6 and 7: contracts made, and the time of a move, over the number of worlds and of moves ahead.

In the paper WBridge5 is the other side, a closed program; ours is double dummy, and what counts is contracts made. The
first comes from declarers who play together, the second from declarers who play alone: a shared solver has no time of
its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.lab.experiment import Claim, Experiment
from worldwise.lab.papers.clv21 import claims
from worldwise.lab.papers.clv21.claims import NEWCOMER, Deals, Declarer, Times, declarers_of, on_deals
from worldwise.lab.papers.clv21.declarers import measure_together
from worldwise.lab.papers.clv21.games import PLAYERS, papers_declarer, play_game, start_of
from worldwise.lab.papers.clv21.newcomers import declarer_contests, faster, more_contracts
from worldwise.lab.plotting import PALETTE, new_figure, styles
from worldwise.lab.table import DataTable, table_of
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from worldwise.bridge.players.seats import AnyPlayer
    from worldwise.lab.papers.clv21.claims import AnyDeclarer
    from worldwise.lab.table import Cell
    from worldwise.runs.rows import Row, Rows


def measure_alone(setting: Setting, seed: int, defence: AnyPlayer | None = None) -> Row:
    """One deal by the clock: every declarer has double-dummy tables of his own, as warm as they are in play."""
    start, defenders = start_of(setting, seed), defence or PLAYERS[str(setting["defence"])]
    row: dict[str, float] = {}
    for name in declarers_of(setting):
        game = play_game(start, papers_declarer(name.worlds, name.depth), defenders, seed)
        row |= {f"{name}.moves": game.moves, f"{name}.seconds": game.seconds}
    return row


# ---------------------------------------------------------------------- tables and pictures


def curve_table(rows: Rows, newcomer: str = "") -> DataTable:
    """Contracts made, for every number of moves ahead and worlds; the newcomer has worlds of his own, or none."""
    deals = Deals(rows)
    return table_of(
        (
            {
                **_who(name, newcomer),
                "deals": len(deals.rows),
                "made": deals.made(name),
                "gain on PIMC": deals.gain(name, Declarer(1, worlds)) if (worlds := _worlds_of_rival(name)) else None,
                "gain on PIMC(20)": deals.gain(name, deals.pimc) if name != deals.pimc else None,
            }
            for name in _everybody(deals.declarers, newcomer)
        ),
        "contracts made; how many more than PIMC with as many worlds, and than PIMC with the fewest",
    )


def _everybody(declarers: Sequence[Declarer], newcomer: str) -> list[AnyDeclarer]:
    return [*sorted(declarers), *([NEWCOMER] if newcomer else [])]


def _who(name: AnyDeclarer, newcomer: str) -> dict[str, Cell]:
    depth, worlds = name if isinstance(name, Declarer) else (newcomer, None)
    return {"depth": depth, "worlds": worlds}


def _worlds_of_rival(name: AnyDeclarer) -> int | None:
    """With how many worlds PIMC is a fair match; PIMC itself needs none."""
    return name.worlds if isinstance(name, Declarer) and name.depth > 1 else None


def time_table(rows: Rows, newcomer: str = "") -> DataTable:
    """Processor seconds a move, for every number of moves ahead and worlds."""
    times = Times(rows)
    fewest = min(times.declarers).worlds
    return table_of(
        (
            {
                **_who(name, newcomer),
                "deals": len(times.rows),
                "seconds": times.seconds(name),
                "times PIMC": times.ratio(
                    name, Declarer(1, name.worlds if isinstance(name, Declarer) else fewest)
                ).value,
            }
            for name in _everybody(times.declarers, newcomer)
        ),
        "processor time a move, and how many times that of PIMC with as many worlds",
    )


def curve_picture(rows: Rows, newcomer: str = "") -> Figure:
    """Fig 6: contracts made over worlds, a curve for each M."""
    deals = Deals(rows)
    figure, (axes,) = new_figure()
    _curves(axes, deals.declarers, lambda name: 100 * deals.made(name).value, newcomer)
    axes.set(ylabel="contracts made (%)", ylim=(0, 100))
    return figure


def time_picture(rows: Rows, newcomer: str = "") -> Figure:
    """Fig 7: seconds a move over worlds, a curve for each M."""
    times = Times(rows)
    figure, (axes,) = new_figure()
    _curves(axes, times.declarers, lambda name: times.seconds(name).value, newcomer)
    axes.set(ylabel="processor seconds a move", ylim=(0, None))
    return figure


def _curves(axes: Axes, declarers: Sequence[Declarer], height: Callable[[AnyDeclarer], float], newcomer: str) -> None:
    for depth, style in zip(sorted({name.depth for name in declarers}), styles(), strict=False):
        names = sorted(name for name in declarers if name.depth == depth)
        label = "PIMC (M = 1)" if depth == 1 else f"M = {depth}"
        axes.plot([name.worlds for name in names], list(map(height, names)), label=label, **style)
    if newcomer:
        axes.axhline(height(NEWCOMER), label=newcomer, color=PALETTE[6], linestyle="--")
    axes.set(xlabel="worlds", xscale="log")
    axes.set_xticks(ticks := sorted({name.worlds for name in declarers}), map(str, ticks))
    axes.minorticks_off()
    if declarers:
        axes.legend(frameon=False)


# ---------------------------------------------------------------------- the experiments


def _grid(depths: str, worlds: str) -> tuple[Setting, ...]:
    return (Setting(contract="7NT", depths=depths, worlds=worlds, defence="dds"),)


_TINY = (Setting(contract="3NT", cards=20, depths="1 2", worlds="3 6", defence="dds"),)
_LAPTOP, _PAPER = _grid("1 2 3", "20 40 80 160"), _grid("1 2 3 4", "20 40 80 160")

CURVE_DEALS = 200

FIG_6 = Experiment(
    id="clv21/fig-6",
    title="Contracts made over the number of worlds, for each M",
    source="CLV21 Fig 6: M = 1 to 4, 20 to 320 worlds, against WBridge5; ours to 160, against double dummy, 200 deals",
    claims=tuple(
        Claim(text, "CLV21 Fig 6", on_deals(CURVE_DEALS, judge), test)
        for text, judge, test in (
            (
                "The curves are asymptotic: beyond 80 worlds little is gained",
                claims.levels_off,
                "160 worlds less 80, on average over M: holds within 2 in 100 either way, fails outside",
            ),
            (
                "The asymptote of PIMC is below that of alpha-mu",
                claims.higher_asymptote,
                "160 worlds, M = 2, 3 and 4 on average less PIMC: holds above 0, fails wholly below 1 in 100",
            ),
        )
    ),
    settings={"smoke": _TINY, "laptop": _LAPTOP, "paper": _PAPER},
    seeds={"smoke": 3, "laptop": 50, "paper": CURVE_DEALS},
    measure=measure_together,
    unit="deals",
    summary=curve_table,
    plot=curve_picture,
    revision=2,
    contests=declarer_contests(more_contracts, curve_table, curve_picture),
)

FIG_7 = Experiment(
    id="clv21/fig-7",
    title="The time of a move over the number of worlds, for each M",
    source="CLV21 Fig 7: M = 1 to 4, 20 to 320 worlds; ours to 160, against double dummy, 200 deals, each alone",
    claims=(
        Claim(
            "alpha-mu's time with M = 2 is close to PIMC's",
            "CLV21 Fig 7",
            claims.close_in_time,
            "the ratio of both times over the same deals, at each number of worlds: at most 4, the paper's own largest",
        ),
    ),
    settings={"smoke": _TINY, "laptop": _LAPTOP, "paper": _PAPER},
    seeds={"smoke": 2, "laptop": 10, "paper": CURVE_DEALS},
    measure=measure_alone,
    unit="deals",
    summary=time_table,
    plot=time_picture,
    timed=True,
    contests=declarer_contests(faster, time_table, time_picture),
)
