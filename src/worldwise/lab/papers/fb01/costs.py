"""What accuracy costs: every algorithm tree by tree, its time beside its error; and trees with real payoffs."""

from __future__ import annotations

from dataclasses import replace
from time import thread_time
from typing import TYPE_CHECKING, cast

import numpy as np

from worldwise.core.statistics import CONFIDENCE, Estimate, clopper_pearson, mean, paired_difference, ratio_of_sums
from worldwise.extras import import_extra
from worldwise.lab.comparisons import ClaimCheck, above, all_of, sure, together
from worldwise.lab.experiment import Claim, Experiment, Verdict
from worldwise.lab.papers.fb01.pictures import algorithm_style, legend_beside
from worldwise.lab.plotting import new_figure
from worldwise.lab.table import DataTable, table_of
from worldwise.runs.rows import grid
from worldwise.search.algorithms import ALGORITHMS, algorithm
from worldwise.search.random_ties import Ties
from worldwise.trees.compiled import compile_game
from worldwise.trees.generator import complete_shape, random_payoffs
from worldwise.trees.world_tree import WorldTree

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from worldwise.runs.rows import Row, Rows, Setting

TREES = 20
"""Trees in a row."""

GOOD = "prm-beta"
"""What FB01 calls a good trade-off of accuracy against speed."""


def measure_cost(setting: Setting, seed: int) -> Row:
    """Win-or-lose trees: errors, those shared with prm-beta, and seconds of processor time for all trees of the row."""
    return _measure(setting, seed, real=False, timed=True)


def measure_real(setting: Setting, seed: int) -> Row:
    """Payoffs drawn evenly from 0 to 1: errors, and what is lost."""
    return _measure(setting, seed, real=True, timed=False)


def _measure(setting: Setting, seed: int, *, real: bool, timed: bool) -> Row:
    rng = np.random.default_rng(seed)
    depth, worlds = int(cast("int", setting["depth"])), int(cast("int", setting["worlds"]))
    kind, end = complete_shape(depth, 2)
    what = ("errors", "shared", "lost", "seconds")
    row: dict[str, float] = {f"{name}.{one}": 0 for name in ALGORITHMS for one in what}
    for _ in range(TREES):
        payoffs = rng.random((2**depth, worlds)) if real else random_payoffs(rng, depth, 2**depth, worlds, 2, 0.0)
        _add_tree(row, WorldTree(kind, end, payoffs, (1,) * worlds), int(rng.integers(2**63)))
    return {key: float(f"{value:.6g}") for key, value in row.items() if timed or not key.endswith("seconds")}


def _add_tree(row: dict[str, float], tree: WorldTree, seed: int) -> None:
    game = compile_game(tree)
    algorithm("monte-carlo").search(game)  # untimed: codes and arrays are made once, and belong to no algorithm
    values = {}
    for name in ALGORITHMS:
        start = thread_time()
        values[name] = algorithm(name, Ties(seed)).search(game).value
        row[f"{name}.seconds"] += thread_time() - start
    for name, value in values.items():
        row[f"{name}.errors"] += value < values["exact"]
        row[f"{name}.shared"] += value < values["exact"] and values[GOOD] < values["exact"]
        row[f"{name}.lost"] += values["exact"] - value


# ---------------------------------------------------------------------- tables, verdicts, pictures


def _depths(rows: Rows) -> list[int]:
    return sorted({int(cast("int", row["depth"])) for row in rows})


def _column(rows: Rows, depth: int, key: str) -> NDArray[np.float64]:
    return np.array([float(cast("float", row[key])) for row in rows if row["depth"] == depth])


def _error(rows: Rows, depth: int, name: str, confidence: float = CONFIDENCE) -> Estimate:
    errors = _column(rows, depth, f"{name}.errors")
    return clopper_pearson(int(errors.sum()), TREES * len(errors), confidence)


def deepest_cost(rows: Rows) -> DataTable:
    """The same at the greatest depth alone."""
    return cost_table([row for row in rows if row["depth"] == _depths(rows)[-1]])


def cost_table(rows: Rows) -> DataTable:
    """Milliseconds a tree, and errors, by depth."""
    return table_of(
        {
            "depth": depth,
            "algorithm": name,
            "error": _error(rows, depth, name),
            "loss": mean(list(_column(rows, depth, f"{name}.lost") / TREES)),
            **_milliseconds(rows, depth, name),
        }
        for depth in _depths(rows)
        for name in ALGORITHMS
    )


def _milliseconds(rows: Rows, depth: int, name: str) -> dict[str, Estimate]:
    if f"{name}.seconds" not in rows[0]:
        return {}
    return {"ms a tree": mean(list(1000 * _column(rows, depth, f"{name}.seconds") / TREES))}


def trade_off(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """FB01 section 8.2: prm-beta is a good trade-off. At the greatest depth each other one is slower or errs more."""
    depth, others = _depths(rows)[-1], [name for name in ALGORITHMS if name != GOOD]
    each = sure(2 * len(others), confidence)
    slower = {name: _slower(rows, depth, name, each) for name in others}
    worse = {name: ClaimCheck.of("", _more_errors(rows, depth, name, each), above) for name in others}
    truths = {name: _either(slower[name].truth, worse[name].truth) for name in others}
    against = [name for name, truth in truths.items() if truth is not True]
    told = ", ".join(f"{name} takes {slower[name].figure.value:.2f} times its time" for name in against)
    errors = _error(rows, depth, GOOD).value
    words = f"depth {depth}: {GOOD} errs in {errors:.1%}; neither slower nor worse: {told or 'none'}"
    open_ones = [max(check.times or 1 for check in (slower[name], worse[name])) for name in against]
    truth = together(truths.values())
    return Verdict.of(truth, words, max(open_ones) if truth is None and open_ones else None)


def _either(one: bool | None, other: bool | None) -> bool | None:
    """Whether one of two is so; not if neither is."""
    return True if True in (one, other) else None if None in (one, other) else False


def _slower(rows: Rows, depth: int, name: str, confidence: float) -> ClaimCheck:
    """Whether an algorithm takes more time than prm-beta on the same trees, if there are rows enough to tell."""
    times = [_column(rows, depth, f"{one}.seconds").tolist() for one in (name, GOOD)]
    ratio = ratio_of_sums(times[0], times[1], confidence)
    return ClaimCheck.of("", ratio, lambda ratio: above(ratio, 1) if ratio.count >= _ENOUGH else None)


_ENOUGH = 10
"""The fewest rows whose ratio of times decides anything."""


def _more_errors(rows: Rows, depth: int, name: str, confidence: float) -> Estimate:
    """How much more often an algorithm errs than prm-beta on the same trees."""
    wrong, good, shared = (
        int(_column(rows, depth, key).sum()) for key in (f"{name}.errors", f"{GOOD}.errors", f"{name}.shared")
    )
    trees = TREES * len(_column(rows, depth, f"{name}.errors"))
    return paired_difference(wrong - shared, good - shared, trees, confidence)


def reals_are_harder(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """With real payoffs even the best heuristic at the greatest depth errs in more than half of the trees."""
    depth = _depths(rows)[-1]
    errors = {name: int(_column(rows, depth, f"{name}.errors").sum()) for name in ALGORITHMS if name != "exact"}
    best = min(errors, key=lambda name: errors[name])
    trees = TREES * len(_column(rows, depth, "exact.errors"))
    half = clopper_pearson(errors[best], trees, confidence)
    lost = float(_column(rows, depth, f"{best}.lost").sum()) / trees
    words = f"depth {depth}: {best} errs in {errors[best] / trees:.1%} of trees and loses {lost:.4f} on average"
    return replace(all_of([ClaimCheck.of("", half, lambda rate: above(rate, 0.5))], ""), because=words)


def cost_picture(rows: Rows) -> Figure:
    """Accuracy against time, a panel for every depth: nearer to the lower left corner is better."""
    depths = _depths(rows)
    figure, panels = new_figure(2.8 * len(depths) + 1.4, 4.4, columns=len(depths), sharex=True, sharey=True)
    ticker = import_extra("matplotlib.ticker", "plot")
    for panel, depth in zip(panels, depths, strict=True):
        for name in ALGORITHMS:
            time = 1000 * _column(rows, depth, f"{name}.seconds").mean() / TREES
            style = {**algorithm_style(name), "linestyle": "none", "markersize": 8}
            panel.plot([time], [100 * _error(rows, depth, name).value], label=name, **style)
        panel.set(xscale="log", xlabel="milliseconds a tree", ylim=(-2, 102), title=f"depth {depth}")
        panel.margins(x=0.2)
        panel.xaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
        panel.xaxis.set_major_formatter(lambda time, _: f"{time:g}")
        panel.xaxis.set_minor_locator(ticker.NullLocator())
    panels[0].set_ylabel("trees with a sub-optimal strategy (%)")
    legend_beside(figure, panels[0])
    return figure


def real_picture(rows: Rows) -> Figure:
    """Errors and losses over depth."""
    figure, (left, right) = new_figure(9.8, 4.6, columns=2)
    depths = _depths(rows)
    for name in ALGORITHMS[:-1]:
        style = algorithm_style(name)
        left.plot(depths, [100 * _error(rows, depth, name).value for depth in depths], label=name, **style)
        lost = [_column(rows, depth, f"{name}.lost").mean() / TREES for depth in depths]
        right.plot(depths, lost, label=name, **style)
    left.set(xlabel="depth", ylabel="trees with a sub-optimal strategy (%)", ylim=(0, 102))
    right.set(xlabel="depth", ylabel="expected payoff lost, of 1")
    legend_beside(figure, left)
    return figure


def _plain_grid(depths: range | tuple[int, ...], worlds: int) -> tuple[Setting, ...]:
    return grid(depth=tuple(depths), worlds=(worlds,))


COST = Experiment(
    id="beyond/cost",
    title="What accuracy costs: time of each algorithm against its error",
    source="beyond FB01 Fig 28's time column: random binary trees, 10 worlds, MIN knows everything",
    claims=(
        Claim(
            "prm-beta is a good trade-off of accuracy against speed",
            "FB01 section 8.2",
            trade_off,
            "the greatest depth, same trees: each other one takes more processor time than prm-beta, or errs more",
        ),
    ),
    settings={"smoke": _plain_grid((3,), 10), "laptop": _plain_grid((6, 8), 10), "paper": _plain_grid((6, 8, 10), 10)},
    seeds={"smoke": 1, "laptop": 10, "paper": 50},
    measure=measure_cost,
    unit="trees",
    per_row=TREES,
    summary=cost_table,
    plot=cost_picture,
    timed=True,
    revision=3,
)

REAL_PAYOFFS = Experiment(
    id="beyond/real-payoffs",
    title="Ten algorithms where payoffs are real numbers",
    source="beyond the papers: payoffs drawn evenly from 0 to 1, 5 worlds, binary trees, MIN knows everything",
    claims=(
        Claim(
            "With real payoffs even the best heuristic errs in most trees",
            "ours",
            reals_are_harder,
            "the greatest depth: the algorithm with the fewest errors is wrong in more than half of the trees",
        ),
    ),
    settings={
        "smoke": _plain_grid((2, 3), 5),
        "laptop": _plain_grid(range(2, 8), 5),
        "paper": _plain_grid(range(2, 9), 5),
    },
    seeds={"smoke": 1, "laptop": 10, "paper": 50},
    measure=measure_real,
    unit="trees",
    per_row=TREES,
    summary=cost_table,
    plot=real_picture,
    digest=deepest_cost,
    revision=2,
)
