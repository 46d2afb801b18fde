"""CLV21 Table 5: what a second thread at the leaves is worth."""

from __future__ import annotations

from itertools import product
from time import perf_counter, process_time
from typing import TYPE_CHECKING

import numpy as np

from worldwise.bridge.solvers.alphamu import BridgeAlphaMu
from worldwise.bridge.solvers.pimc import SolverCache
from worldwise.core.statistics import ratio_of_sums
from worldwise.lab.experiment import Claim, Experiment
from worldwise.lab.papers.clv21 import claims
from worldwise.lab.papers.clv21.claims import THREADS, Speedups
from worldwise.lab.papers.clv21.games import PLAYERS, number, numbers, papers_declarer, questions, start_of
from worldwise.lab.plotting import new_figure, styles
from worldwise.lab.table import DataTable, published_numbers, side_by_side, table_of
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from worldwise.lab.papers.clv21.games import DeclarerQuestion
    from worldwise.runs.rows import Row, Rows

PUBLISHED = published_numbers("worldwise.lab.published", "clv21-table-5.csv")


def measure_threads(setting: Setting, seed: int) -> Row:
    """One game, played by alpha-mu with M = 2: the time that one thread and two need for the same decisions."""
    decides, defence = papers_declarer(number(setting, "worlds"), 2), PLAYERS[str(setting["defence"])]
    asked = questions(start_of(setting, seed), decides, defence, seed)
    row: dict[str, float] = {"moves": len(asked)}
    for depth in numbers(setting, "depths"):
        times = _clock([BridgeAlphaMu(depth, decides.aim, threads) for threads in THREADS], asked, decides.worlds)
        for threads, (seconds, processor) in zip(THREADS, times, strict=True):
            row |= {f"{depth}.{threads}.seconds": seconds, f"{depth}.{threads}.processor": processor}
    return row


def _clock(searches: Sequence[BridgeAlphaMu], asked: Sequence[DeclarerQuestion], worlds: int) -> NDArray[np.float64]:
    """Seconds on the wall and of processors for each search; they take turns, so that other work slows them alike."""
    times = np.zeros((len(searches), 2))
    kept: dict[int, SolverCache] = {}
    for (view, layouts), (place, search) in product(asked, enumerate(searches)):
        solvers = kept.setdefault(place, SolverCache(view.contract.strain, 2 * worlds))
        started = perf_counter(), process_time()
        search.evaluate(view, layouts, solvers=solvers)
        times[place] += perf_counter() - started[0], process_time() - started[1]
    return times


# ---------------------------------------------------------------------- table and picture


def thread_table(rows: Rows) -> DataTable:
    """Seconds a move with one thread and with two, and the share of the first that the second is."""
    return table_of(
        (
            {
                "cards": games.cards,
                "depth": depth,
                "worlds": games.worlds,
                "games": len(games.rows),
                "one thread": ratio_of_sums(games.column(f"{depth}.1.seconds"), games.column("moves")).value,
                "two threads": ratio_of_sums(games.column(f"{depth}.2.seconds"), games.column("moves")).value,
                "share": games.share(depth),
            }
            for games in Speedups.of(rows)
            for depth in games.depths
        ),
        "seconds of a decision, on the wall, and the share of one thread's time that two need",
    )


def thread_picture(rows: Rows) -> Figure:
    """How many times as fast two threads are, over worlds; the paper's six beside."""
    figure, (axes,) = new_figure(7, 4.2)
    games = Speedups.of(rows)
    for depth, style in zip(sorted({depth for one in games for depth in one.depths}), styles(), strict=False):
        ours = [(one.worlds, one.speedup(depth).value) for one in games if depth in one.depths]
        axes.plot(*zip(*sorted(ours), strict=True), label=f"M = {depth}, two threads", **style)
        paper = [
            (record["worlds"], 1 / float(str(record["share"])))
            for record in PUBLISHED.records()
            if record["depth"] == depth
        ]
        dashed = {**style, "linestyle": "--", "markerfacecolor": "white"}
        axes.plot(*zip(*paper, strict=True), label=f"M = {depth}, six threads (CLV21)", **dashed)
    axes.set(xlabel="worlds", ylabel="times as fast as one thread", xscale="log", ylim=(0.5, None))
    axes.set_xticks(ticks := [20, 40, 80, 160], map(str, ticks))
    axes.minorticks_off()
    axes.legend(frameon=False)
    return figure


def _compare(summary: DataTable, published: DataTable) -> DataTable:
    return side_by_side(summary, published, ("cards", "depth", "worlds"), "share")


# ---------------------------------------------------------------------- the experiment


def _settings(*worlds: int) -> tuple[Setting, ...]:
    return tuple(Setting(contract="3NT", cards=52, worlds=one, depths="1 2", defence="dds") for one in worlds)


_PAPER = _settings(20, 40, 80, 160)

TABLE_5 = Experiment(
    id="clv21/table-5",
    title="The time alpha-mu takes with one thread and with two",
    source="CLV21 Table 5: 52 cards, 1 and 6 threads; ours 1 and 2 threads, at 3NT against double dummy",
    claims=(
        Claim(
            "With M = 2 and 80 worlds threads at the leaves make it about twice as fast",
            "CLV21 Table 5",
            claims.twice_as_fast,
            "one thread's time by two threads', over the same games: holds within 13 % of 2, fails outside; "
            "the paper has six threads",
        ),
    ),
    settings={
        "smoke": (
            Setting(contract="3NT", cards=16, worlds=4, depths="1 2", defence="dds", opening="random"),
            Setting(contract="3NT", cards=16, worlds=8, depths="1 2", defence="dds", opening="random"),
        ),
        "laptop": _PAPER,
        "paper": _PAPER,
    },
    seeds={"smoke": 1, "laptop": 3, "paper": 12},
    measure=measure_threads,
    unit="games",
    summary=thread_table,
    plot=thread_picture,
    published=PUBLISHED,
    compare=_compare,
    revision=2,
    timed=True,
)
