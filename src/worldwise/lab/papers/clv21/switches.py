"""CLV21 Tables 1, 2 and 3: how long alpha-mu thinks with and without each of its five optimisations."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING

from worldwise.bridge.solvers.alphamu import BridgeAlphaMu
from worldwise.bridge.solvers.pimc import SolverCache
from worldwise.core.statistics import ratio_of_sums
from worldwise.lab.experiment import Claim, Experiment
from worldwise.lab.papers.clv21 import claims
from worldwise.lab.papers.clv21.claims import SWITCHES, Configurations
from worldwise.lab.papers.clv21.games import PLAYERS, number, papers_declarer, questions, start_of
from worldwise.lab.plotting import PALETTE, new_figure
from worldwise.lab.table import DataTable, published_numbers, side_by_side, table_of
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from worldwise.lab.papers.clv21.games import DeclarerQuestion
    from worldwise.runs.rows import Row, Rows


def measure_switches(setting: Setting, seed: int) -> Row:
    """One game, played by alpha-mu with all switches on: what each configuration needs for the same decisions.

    Each has double-dummy tables of its own, which it keeps from move to move, as it would in play.
    """
    depth, worlds = number(setting, "depth"), number(setting, "worlds")
    decides, defence = papers_declarer(worlds, depth), PLAYERS[str(setting["defence"])]
    asked = questions(start_of(setting, seed), decides, defence, seed)
    row: dict[str, float] = {"moves": len(asked)}
    for name, on in SWITCHES.items():
        useful, empty_entry, alpha, world_cuts, win = on
        papers = BridgeAlphaMu(depth, decides.aim, 1, useful, empty_entry, alpha, world_cuts, win, score=False)
        cost = _cost(papers, asked, 2 * worlds)
        row[f"{name}.seconds"], row[f"{name}.nodes"], row[f"{name}.leaves"] = cost
    return row


def _cost(search: BridgeAlphaMu, asked: Sequence[DeclarerQuestion], most: int) -> tuple[float, int, int]:
    """Processor time, nodes and leaves for all decisions of a game."""
    seconds, nodes, leaves, solvers = 0.0, 0, 0, None
    for view, worlds in asked:
        solvers = solvers or SolverCache(view.contract.strain, most)
        started = process_time()
        stats = search.evaluate(view, worlds, solvers=solvers).stats
        seconds += process_time() - started
        nodes, leaves = nodes + stats.nodes, leaves + stats.leaves
    return seconds, nodes, leaves


# ---------------------------------------------------------------------- table and picture


def switch_table(rows: Rows) -> DataTable:
    """Mean seconds and nodes of a move for every configuration, and its share of the time of none."""
    return table_of(
        (
            {
                "cards": games.cards,
                "worlds": games.worlds,
                "switches": name,
                "games": len(games.rows),
                "seconds": ratio_of_sums(games.column(f"{name}.seconds"), games.column("moves")),
                "nodes": ratio_of_sums(games.column(f"{name}.nodes"), games.column("moves")).value,
                "share": games.ratio(name, "none", percent=True),
            }
            for games in Configurations.of(rows)
            for name in SWITCHES
        ),
        "processor time of a decision by the switches that are on, and its share of the time with none",
    )


def _compare(summary: DataTable, published: DataTable) -> DataTable:
    return side_by_side(summary, published, ("cards", "worlds", "switches"), "share")


def switch_picture(rows: Rows) -> Figure:
    """Each configuration's share of the time of none: the paper's beside ours."""
    figure, (axes,) = new_figure(7, 4.6)
    games = Configurations.of(rows)[0]
    shares = [games.ratio(name, "none") for name in SWITCHES]
    middle = [100 * share.value for share in shares]
    ends = [[100 * (share.value - share.low), 100 * (share.high - share.value)] for share in shares]
    known = list(zip(*ends, strict=True)) if len(games.rows) > 1 else None
    axes.errorbar(middle, range(len(shares)), xerr=known, label="ours", color=PALETTE[0], marker="o", linestyle="none")
    theirs = [100 * share for share in _papers_shares(games)]
    axes.plot(theirs, range(len(theirs)), label="CLV21", color=PALETTE[6], marker="X", linestyle="none")
    axes.set_yticks(range(len(SWITCHES)), SWITCHES)
    axes.invert_yaxis()
    axes.set(xlabel="time (% of none)", title=str(games))
    axes.legend(frameon=False)
    return figure


def _papers_shares(games: Configurations) -> list[float]:
    """In the order of the configurations; nothing for games the paper did not play."""
    tables = [record for table in SWITCHED for record in table.published.records()]
    return [float(str(record["share"])) for record in tables if games.is_of(record)]


# ---------------------------------------------------------------------- the experiments


def _tiny(cards: int) -> Setting:
    return Setting(contract="3NT", cards=cards, worlds=4, depth=2, defence="random", opening="random")


def _experiment(table: int, cards: int, worlds: int, games: int, more: Sequence[Claim] = ()) -> Experiment:
    """One of the three tables; ``games`` is how many take about an hour, or the paper's hundred."""
    setting = Setting(contract="3NT", cards=cards, worlds=worlds, depth=3, defence="pimc")
    start = "3NT" if cards == 52 else "3NT after five tricks of double-dummy play"
    return Experiment(
        id=f"clv21/table-{table}",
        title=f"The time of alpha-mu by its optimisations, {cards} cards and {worlds} worlds",
        source=f"CLV21 Table {table}: M = 3, 100 games, defence PIMC with 20 worlds; ours {games} games of {start}",
        claims=(
            Claim(
                "All optimisations together are about three times as fast as none",
                "CLV21 conclusion",
                claims.three_times_as_fast,
                "the time of none by that of all, over the same games: holds within 13 % of 3, fails outside",
            ),
            *more,
        ),
        settings={"smoke": (_tiny(16 if cards == 52 else 12),), "laptop": (setting,), "paper": (setting,)},
        seeds={"smoke": 2, "laptop": 10, "paper": games},
        measure=measure_switches,
        unit="games",
        summary=switch_table,
        plot=switch_picture,
        published=published_numbers("worldwise.lab.published", f"clv21-table-{table}.csv"),
        compare=_compare,
        revision=2,
        timed=True,
    )


FASTEST = Claim(
    "All optimisations together are the fastest of the twelve configurations",
    "CLV21 Table 1, whose bold figure it is",
    claims.all_are_fastest,
    "the time of each of the others by that of all: holds if each is above 1, fails if one is wholly below 1.02",
)

TABLE_1 = _experiment(1, 52, 20, games=50, more=[FASTEST])
TABLE_2 = _experiment(2, 32, 20, games=100)
TABLE_3 = _experiment(3, 32, 40, games=100)

SWITCHED = (TABLE_1, TABLE_2, TABLE_3)
