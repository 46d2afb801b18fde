"""An experiment of your own: how many worlds must Monte Carlo sample before it errs no more often than with all?

Everything an experiment needs stands here: what a row measures, how rows are summed up, what they say of a claim, and
a picture. Any command of the laboratory takes it:

    worldwise lab run examples/own_experiment.py:SAMPLES --scale smoke
    worldwise lab run examples/own_experiment.py:SAMPLES --until-decided
    worldwise lab compare examples/own_experiment.py:SAMPLES

Run it: ``python examples/own_experiment.py``
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from worldwise import MonteCarlo, random_tree, solve
from worldwise.core.statistics import clopper_pearson, paired_difference
from worldwise.lab.comparisons import more
from worldwise.lab.experiment import Claim, Experiment, Verdict
from worldwise.lab.plotting import new_figure, styles
from worldwise.lab.table import DataTable, table_of
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from worldwise.core.statistics import Estimate
    from worldwise.runs.rows import Row, Rows

COUNTS = (1, 2, 5, 10)
"""How many of the ten worlds are looked at; the last is all of them."""

TREES = 20


def measure(setting: Setting, seed: int) -> Row:
    """Twenty trees: how often each sample errs, and how often it alone or all worlds alone do."""
    rng, row = random.Random(seed), dict.fromkeys(keys(), 0)
    for _ in range(TREES):
        tree = random_tree(depth=number(setting, "depth"), worlds=10, seed=rng.randrange(2**32))
        best = solve(tree).value
        wrong = {count: solve(tree, sampler(count, rng.randrange(2**32))).value < best for count in COUNTS}
        for count in COUNTS:
            row[f"{count}.errors"] += wrong[count]
            row[f"{count}.alone"] += wrong[count] and not wrong[10]
            row[f"{count}.spared"] += wrong[10] and not wrong[count]
    return row


def keys() -> list[str]:
    """The names that a row has."""
    return [f"{count}.{what}" for count in COUNTS for what in ("errors", "alone", "spared")]


def sampler(count: int, seed: int) -> MonteCarlo:
    """Monte Carlo on so many worlds, drawn by the seed; on all ten there is nothing to draw."""
    return MonteCarlo(None if count == 10 else count, seed)


def total(rows: Rows, key: str) -> int:
    """A number summed over rows."""
    return sum(number(row, key) for row in rows)


def number(row: Row, key: str) -> int:
    """A whole number of a row, or of a setting."""
    found = row[key]
    assert isinstance(found, int)
    return found


def error(rows: Rows, count: int) -> Estimate:
    """How often a sample errs."""
    return clopper_pearson(total(rows, f"{count}.errors"), TREES * len(rows))


def summary(rows: Rows) -> DataTable:
    """Errors by depth and sample."""
    return table_of(
        (
            {"depth": depth, "worlds": count, "error": error(some, count)}
            for depth, some in by_depth(rows).items()
            for count in COUNTS
        ),
        "how often Monte Carlo errs, by how many worlds it looks at",
    )


def by_depth(rows: Rows) -> dict[int, list[Row]]:
    """Rows of equal depth together."""
    found: dict[int, list[Row]] = {}
    for row in rows:
        found.setdefault(number(row, "depth"), []).append(row)
    return found


def five_are_enough(rows: Rows, confidence: float) -> Verdict:
    """Whether five worlds err no more often than ten, on the same trees: not if one in a hundred more."""
    gain = paired_difference(total(rows, "5.alone"), total(rows, "5.spared"), TREES * len(rows), confidence)
    worse = more(gain)
    return Verdict.of(None if worse is None else not worse, f"five less ten {gain.value:+.1%}")


def plot(rows: Rows) -> Figure:
    """A curve for every depth."""
    figure, (axes,) = new_figure()
    for (depth, some), style in zip(by_depth(rows).items(), styles(), strict=False):
        axes.plot(COUNTS, [100 * error(some, count).value for count in COUNTS], label=f"depth {depth}", **style)
    axes.set(xlabel="worlds sampled", ylabel="trees with a sub-optimal strategy (%)")
    axes.legend(frameon=False)
    return figure


SAMPLES = Experiment(
    id="own/samples",
    title="Monte Carlo on some of the worlds",
    source="mine: random trees of FB01, ten worlds",
    claims=(
        Claim(
            "Five worlds of ten are enough",
            "mine",
            five_are_enough,
            test="errors of five less errors of ten on the same trees: holds wholly below 1 in 100, fails above 0",
        ),
    ),
    settings={"smoke": (Setting(depth=3),), "laptop": (Setting(depth=3), Setting(depth=5))},
    seeds={"smoke": 2, "laptop": 25},
    measure=measure,
    summary=summary,
    plot=plot,
    unit="trees",
    per_row=TREES,
)


def main() -> None:
    """Two rows, and what they say; the command line does this, and keeps the rows."""
    rows = [{"depth": 3, **measure(Setting(depth=3), seed)} for seed in range(2)]
    for count in COUNTS:
        print(f"{count:2} worlds: {error(rows, count).value:.1%} of {error(rows, count).count} trees")
    print(SAMPLES.verdicts(rows)[0].outcome)


if __name__ == "__main__":
    main()
