"""FB01 Fig 28: nine algorithms on single suits of Bridge, each line's chance against best defence beside the best."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from worldwise.bridge.suit.rules import Suit
from worldwise.bridge.suit.trees import suit_algorithms
from worldwise.core.statistics import mean
from worldwise.lab.experiment import Claim, Experiment
from worldwise.lab.papers.fb01 import suit_claims as claims
from worldwise.lab.papers.fb01.errors import NINE, TEN
from worldwise.lab.papers.fb01.suit_claims import DRAWN, FURTHER, PUBLIC, Lines
from worldwise.lab.papers.fb01.suit_problems import SuitProblem, drawn_problems, public_problems
from worldwise.lab.plotting import PALETTE, new_figure
from worldwise.lab.table import DataTable, published_numbers, side_by_side, table_of
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from worldwise.runs.rows import Row, Rows

PUBLISHED = published_numbers("worldwise.lab.published", "fb01-fig-28.csv")


def measure_lines(setting: Setting, seed: int) -> Row:
    """One problem: the best chance, how much of it each algorithm's line loses, and the seconds it took.

    Beyond the first 650, as many as the paper had, times are not kept.
    """
    suit = Suit.of(str(setting["north"]), str(setting["south"]))
    *others, exact = suit_algorithms(suit, cast("int", setting["tricks"]), (*TEN, "exact"), seed=seed % 2**63)
    row: dict[str, float] = {"worlds": len(suit.worlds), "chance": round(float(exact.chance), _DIGITS)}
    for result in others:
        row[f"{result.algorithm}.lost"] = round(float(exact.chance - result.chance), _DIGITS)
    if setting["origin"] != FURTHER:
        row |= {f"{result.algorithm}.seconds": float(f"{result.seconds:.2g}") for result in (*others, exact)}
    return row


_DIGITS = 9
"""No two lines of a suit have chances so near to each other: layouts are counted in whole numbers."""


def line_table(rows: Rows) -> DataTable:
    """Fig 28's columns: optimal lines, errors, the loss over all problems together, and mean seconds."""
    return table_of(
        (
            {
                "origin": origin,
                "algorithm": name,
                "problems": len(lines.rows),
                "optimal": int((~lines.wrong(name)).sum()),
                "error": lines.rate(name),
                "loss": round(float(lines.lost(name).sum()), 4),
                "seconds": mean(list(lines.column(f"{name}.seconds"))) if origin != FURTHER else None,
            }
            for origin in (DRAWN, FURTHER, PUBLIC)
            if (lines := Lines(rows, origin)).rows
            for name in TEN
        ),
        "lines that are not the best, and how many more problems the best ones would win",
    )


def _compare(summary: DataTable, published: DataTable) -> DataTable:
    return side_by_side(summary, published, ("algorithm",), "error")


# ---------------------------------------------------------------------- the picture


def line_picture(rows: Rows) -> Figure:
    """Errors, and the loss of chance, for every algorithm: the paper's beside ours."""
    figure, (left, right) = new_figure(9.8, 4.6, columns=2, sharey=True)
    paper = {str(record["algorithm"]): record for record in PUBLISHED.records()}
    rates = {name: 100 * cast("float", paper[name]["error"]) for name in NINE}
    losses = {name: 100 * cast("float", paper[name]["loss"]) / _AS_MANY for name in NINE}
    _dots(left, "the Encyclopedia's 650 (FB01)", rates, 0)
    _dots(right, "the Encyclopedia's 650 (FB01)", losses, 0)
    groups = {"problems drawn by a rule": (DRAWN, FURTHER), "problems others have solved": (PUBLIC,)}
    for place, (words, origins) in enumerate(groups.items(), 1):
        lines = Lines(rows, *origins)
        if lines.rows:
            label = f"{len(lines.rows):,} {words}"
            _dots(left, label, {name: 100 * lines.rate(name).value for name in TEN}, place)
            _dots(right, label, {name: 100 * float(lines.lost(name).mean()) for name in TEN}, place)
    left.set_yticks(range(len(TEN)), TEN)
    left.invert_yaxis()
    left.set_xlabel("lines that are not the best (%)")
    right.set_xlabel("chance lost, on average (%)")
    figure.legend(*left.get_legend_handles_labels(), loc="outside upper center", ncols=3, frameon=False)
    return figure


def _dots(axes: Axes, label: str, numbers: dict[str, float], place: int) -> None:
    """One mark for every algorithm, those of different problems a little below each other."""
    heights = [TEN.index(name) + 0.22 * (place - 1) for name in numbers]
    color, marker = PALETTE[(6, 0, 1)[place]], "Xos"[place]
    axes.plot(list(numbers.values()), heights, label=label, color=color, marker=marker, linestyle="none", markersize=6)


# ---------------------------------------------------------------------- the experiment

_AS_MANY = 650
"""As the paper had."""

_TINY = (SuitProblem("AQ", "2", 2), SuitProblem("AQ", "32", 2), SuitProblem("KJ", "32", 1))


def _settings(problems: Iterable[SuitProblem], origin: str) -> tuple[Setting, ...]:
    return tuple(Setting(origin=origin, **problem._asdict()) for problem in problems)


FIG_28 = Experiment(
    id="fb01/fig-28",
    title="The algorithms on single suits of Bridge",
    source="FB01 Fig 28, for the most tricks possible: 650 problems drawn by a rule, 6,500 more, and 92 public ones",
    claims=(
        Claim(
            "vector-mm is again more accurate than Monte Carlo",
            "FB01 section 8.2",
            claims.vector_mm_is_better,
            "sub-optimal lines on the same problems, Monte Carlo's less vector-mm's: holds above 0, fails wholly below "
            "1 in 100",
        ),
        Claim(
            "The nine algorithms stand in the order of Fig 28",
            "FB01 Fig 28",
            claims.in_the_papers_order,
            "sub-optimal lines on the same problems, each of the nine less the next of Fig 28, but for ivm-beta and "
            "iprm, level there: holds above 0, fails wholly below 1 in 100",
        ),
        Claim(
            "Payoff reduction is the best single heuristic",
            "FB01 section 8.2",
            claims.reduction_is_best,
            "sub-optimal lines on the same problems, vm-beta less prm and ivm less prm: holds above 0, fails wholly "
            "below 1 in 100",
        ),
        Claim(
            "iprm-beta is optimal in 99 % of problems or more",
            "FB01 Fig 28",
            claims.nearly_always_right,
            "its share of sub-optimal lines is at most 1 in 100",
        ),
    ),
    settings={
        "smoke": _settings(_TINY, DRAWN),
        "laptop": _settings(drawn_problems()[:_AS_MANY:8], DRAWN) + _settings(public_problems()[::4], PUBLIC),
        "paper": _settings(drawn_problems()[:_AS_MANY], DRAWN)
        + _settings(drawn_problems()[_AS_MANY:], FURTHER)
        + _settings(public_problems(), PUBLIC),
    },
    seeds={"smoke": 1, "laptop": 1, "paper": 1},
    measure=measure_lines,
    unit="problems",
    endless=False,
    revision=2,
    summary=line_table,
    plot=line_picture,
    published=PUBLISHED,
    compare=_compare,
    timed=True,
)
