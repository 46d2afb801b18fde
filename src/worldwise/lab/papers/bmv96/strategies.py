"""BMV96 section 5.3: how many strategies a game has, and how little of it IMP-minimax looks at.

The class of games is the IMP-model with two branches and two parts, in which the last decision is fully informed. Its
trees are written out and measured; no formula is used.
"""

from __future__ import annotations

from itertools import islice
from math import log10
from typing import TYPE_CHECKING, cast

from worldwise.core.statistics import CONFIDENCE
from worldwise.extensive import ImpModel, write_out
from worldwise.extensive.compiled_imp import CompiledImpMinimax
from worldwise.extensive.imp_model import Uniform
from worldwise.extensive.size import measures
from worldwise.lab.experiment import Claim, Experiment, Verdict
from worldwise.lab.plotting import new_figure, styles
from worldwise.lab.table import DataTable, published_numbers, table_of
from worldwise.runs.rows import grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from worldwise.lab.table import Cell
    from worldwise.runs.rows import Row, Rows, Setting


def measure_strategies(setting: Setting, seed: int) -> Row:
    """Write a game out, measure it, and search it with payoffs drawn by the seed."""
    model = ImpModel(k=2, b=2, d=int(cast("int", setting["d"])), rule=Uniform(10**6, seed), unlearnt=0)
    game = write_out(model)
    sizes, found = measures(game), CompiledImpMinimax().search(game)
    (strategies,) = sizes.pure_strategies
    return {
        "nodes": sizes.nodes,
        "leaves": sizes.leaves,
        "information_sets": sizes.information_sets[0],
        "strategies": in_powers_of_ten(strategies),
        "strategies_log10": log10(strategies),
        "visited": found.stats.nodes,
        "examined": found.stats.leaves,
        "tried": in_powers_of_ten(strategies * model.draws),
        "value": float(found.value),
    }


def in_powers_of_ten(number: int) -> str:
    """A number that may be too large for floats, to two digits as the paper writes it.

    >>> in_powers_of_ten(2**5461), in_powers_of_ten(32), in_powers_of_ten(10**6 - 1)
    ('8.4 x 10^1643', '32', '1.0 x 10^6')
    """
    if number < 10_000:
        return str(number)
    power = int(log10(number))
    tenths = (10 * number + 10**power // 2) // 10**power  # in whole numbers: floats end at 10^308
    return f"{tenths / 10:.1f} x 10^{power}" if tenths < 100 else f"1.0 x 10^{power + 1}"


# ---------------------------------------------------------------------- table, verdicts, picture


def _by_depth(rows: Rows) -> list[Row]:
    return sorted(rows, key=lambda row: _int(row["d"]))


def strategies_table(rows: Rows) -> DataTable:
    """Sizes by depth; what brute force examines is one leaf for every draw of chance and every strategy."""
    return table_of(
        (
            {
                "d": row["d"],
                "nodes": row["nodes"],
                "strategies": row["strategies"],
                "leaves by IMP-minimax": row["examined"],
                "leaves by brute force": row["tried"],
            }
            for row in _by_depth(rows)
        ),
        "what there is to choose from, and what has to be looked at",
    )


def compare_sizes(summary: DataTable, published: DataTable) -> DataTable:
    """The paper's numbers beside ours: exact numbers, so they agree or differ."""
    ours = {record["d"]: record for record in summary.records()}
    return table_of(_compare_record(record, ours.get(record["d"], {})) for record in published.records())


def _compare_record(record: dict[str, Cell], ours: dict[str, Cell]) -> dict[str, Cell]:
    paper, number = record["number"], ours.get(str(record["measure"]))
    said = "not measured" if number is None else "agrees" if str(number) == str(paper) else "differs"
    return {"d": record["d"], "measure": record["measure"], "paper": paper, "ours": number, "note": said}


def as_the_paper_counts(rows: Rows, _confidence: float = CONFIDENCE) -> Verdict:
    """At depth 8: 16,321 nodes and 8.4 x 10^1643 strategies, to the digits given."""
    found = [row for row in rows if row["d"] == 8]
    if not found:
        return Verdict.of(None, "no game of depth 8")
    nodes, strategies = found[0]["nodes"], found[0]["strategies"]
    return Verdict.of((nodes, strategies) == (16_321, "8.4 x 10^1643"), f"{nodes:,} nodes, {strategies} strategies")


def one_visit_each(rows: Rows, _confidence: float = CONFIDENCE) -> Verdict:
    """At three depths or more, each leaf is examined once and there are no more visits than nodes."""
    ordered = _by_depth(rows)
    wrong = [
        f"d = {row['d']}: {row['visited']:,} visits to {row['nodes']:,} nodes, {row['examined']:,} leaves examined"
        for row in ordered
        if row["examined"] != row["leaves"] or _int(row["visited"]) > _int(row["nodes"])
    ]
    last = ordered[-1]
    words = f"d = {last['d']}: {last['visited']:,} visits to {last['nodes']:,} nodes; each leaf once at every depth"
    return Verdict.of(False if wrong else True if len(ordered) > 2 else None, "; ".join(wrong) or words)


def strategies_picture(rows: Rows) -> Figure:
    """The digits of each number over the nodes of the tree: the digits themselves grow with the tree."""
    ordered = _by_depth(rows)
    figure, (axes,) = new_figure(7, 4.6)
    nodes = [_int(row["nodes"]) for row in ordered]
    strategies = [float(cast("float", row["strategies_log10"])) for row in ordered]
    examined = [log10(_int(row["examined"])) for row in ordered]
    one, other = islice(styles(), 2)
    axes.plot(nodes, strategies, label="strategies that brute force tries", **one)
    axes.plot(nodes, examined, label="leaves that IMP-minimax examines", **other)
    axes.plot([16_321], [1643.92], "*", color="#000000", markersize=13, zorder=3, label="the paper, depth 8")
    axes.set(xscale="log", yscale="log", xlabel="nodes of the game tree", ylabel="how many, in powers of ten")
    axes.legend(frameon=False)
    return figure


def _int(value: object) -> int:
    return int(cast("int", value))


STRATEGIES = Experiment(
    id="bmv96/strategies",
    title="How many strategies a game has, and how few leaves IMP-minimax examines",
    source="BMV96 section 5.3: one player, two branches, perfect recall; depths 2 to 10",
    claims=(
        Claim(
            "At depth 8 the game tree has 16,321 nodes, and there are 8.4 x 10^1643 strategies",
            "BMV96 section 5.3",
            as_the_paper_counts,
            "the tree of depth 8, written out and counted: both numbers, to the digits given",
        ),
        Claim(
            "The work of IMP-minimax is linear in the number of nodes",
            "BMV96 section 5.3",
            one_visit_each,
            "at three depths or more each leaf is examined once, and no more nodes are visited than there are",
        ),
    ),
    settings={"smoke": grid(d=range(2, 6)), "laptop": grid(d=range(2, 9)), "paper": grid(d=range(2, 11))},
    seeds={"smoke": 1, "laptop": 1, "paper": 1},
    measure=measure_strategies,
    endless=False,
    summary=strategies_table,
    plot=strategies_picture,
    published=published_numbers("worldwise.lab.published", "bmv96-strategies.csv"),
    compare=compare_sizes,
)
