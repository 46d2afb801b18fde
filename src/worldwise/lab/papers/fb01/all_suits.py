"""FB01's question over all suits there are: how often is each algorithm optimal, and where does it first go wrong?

The paper had 650 problems of an encyclopedia. The atlas has every suit combination, so a problem can be drawn from all
of them: each as likely as any other (``uniform``), or as likely as it is dealt (``dealt``). The goal is the highest
that is possible and not certain; combinations that have none are no problems. What the paper's nine algorithms get is
read off the whole tree of a problem, so the few problems whose trees are larger than ``MOST_NODES`` are counted, and
left out.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, partial
from random import Random
from typing import TYPE_CHECKING, cast

import numpy as np

from worldwise.bridge.suit.atlas.atlas import open_atlas
from worldwise.bridge.suit.first_error import begun_by_sampling, first_error
from worldwise.bridge.suit.rules import Suit
from worldwise.bridge.suit.sampling import won_by_sampling
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.trees import suit_algorithms
from worldwise.core.statistics import mean
from worldwise.errors import TreeError
from worldwise.lab.experiment import Claim, Experiment
from worldwise.lab.papers.fb01 import suit_claims as claims
from worldwise.lab.papers.fb01.errors import NINE
from worldwise.lab.papers.fb01.suit_claims import Lines
from worldwise.lab.papers.fb01.suit_problems import SuitProblem
from worldwise.lab.plotting import PALETTE, new_figure
from worldwise.lab.table import published_numbers, side_by_side, table_of
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from worldwise.lab.experiment import Judge, Verdict
    from worldwise.lab.table import DataTable
    from worldwise.runs.rows import Row, Rows

PUBLISHED = published_numbers("worldwise.lab.published", "fb01-fig-28.csv")

UNIFORM, DEALT = "uniform", "dealt"
"""How problems are drawn: all suits alike, or as often as they are dealt."""

DRAWN = 5000
"""Problems of either kind."""

MOST_NODES = 5_000_000
"""Larger trees are left out."""

PIMC = "pimc"
"""Sampling as programs play: the first of equals. Monte Carlo breaks its ties at random, as all of the nine do."""

PLACES = ("lead", "third hand", "later")
"""Where a line first errs."""


# ---------------------------------------------------------------------- problems


@cache
def problems(origin: str) -> tuple[SuitProblem, ...]:
    """The problems of an origin, drawn from the atlas; a suit that is dealt often comes more than once.

    >>> len(problems("dealt")), problems("uniform")[0]
    (5000, SuitProblem(north='...', south='...', tricks=...))
    """
    table = open_atlas().table
    rows = np.flatnonzero(table["goal"])
    weights = table["dealt"][rows] if origin == DEALT else np.ones(len(rows))
    drawn = table[Random(origin).choices(rows.tolist(), weights.tolist(), k=DRAWN)]
    return tuple(SuitProblem(*row) for row in drawn[["north", "south", "goal"]].tolist())


def measure_problem(setting: Setting, seed: int) -> Row:
    """One problem: the best chance, and of every algorithm how much of it its line loses, and where it first errs."""
    problem = problems(str(setting["origin"]))[cast("int", setting["number"])]
    solver, goal = SuitSolver(Suit.of(problem.north, problem.south)), problem.tricks
    best = solver.goal(goal).chance
    row = {**problem._asdict(), "chance": round(float(best), _DIGITS)}
    sampled = solver.chance(solver.weight(won_by_sampling(solver, goal)))
    row[f"{PIMC}.lost"] = round(float(best - sampled), _DIGITS)
    row[f"{PIMC}.errs"] = first_error(solver, goal, sampled, *begun_by_sampling(solver, goal))
    try:
        results = suit_algorithms(solver.suit, goal, NINE, seed=seed % 2**63, most_nodes=MOST_NODES)
    except TreeError:
        return row | {"small": False}
    for result in results:
        row[f"{result.algorithm}.lost"] = round(float(best - result.chance), _DIGITS)
        row[f"{result.algorithm}.errs"] = first_error(solver, goal, result.chance, result.move, result.begun)
    return row | {"small": True}


_DIGITS = 9
"""No two lines of a suit have chances so near to each other: layouts are counted in whole numbers."""


# ---------------------------------------------------------------------- what it comes to


def lines_of(rows: Rows, origin: str) -> Lines:
    """The lines of problems drawn so, without those whose trees are too large."""
    return Lines([row for row in rows if row["small"]], origin)


def universe_table(rows: Rows) -> DataTable:
    """For every origin and algorithm: how often its line is the best, what it loses, and where it first errs."""
    return table_of(
        (
            {
                "origin": origin,
                "algorithm": name,
                "problems": len(lines.rows),
                "optimal": int((~lines.wrong(name)).sum()),
                "error": lines.rate(name),
                "loss": mean(list(lines.lost(name))),
                **_places(lines, name),
            }
            for origin in (UNIFORM, DEALT)
            if (lines := lines_of(rows, origin)).rows
            for name in (*NINE, PIMC)
        ),
        "lines that are not the best over all suits, the chance they lose on average, and where they first err",
    )


def _places(lines: Lines, name: str) -> dict[str, int]:
    """At how many problems a line first errs where."""
    found = Counter(row[f"{name}.errs"] for row in lines.rows)
    return {f"errs at {place}": found[place] for place in PLACES}


def _compare(summary: DataTable, published: DataTable) -> DataTable:
    """The paper's 650 problems beside all suits, each once."""
    return side_by_side(summary, published, ("algorithm",), "error")


def universe_picture(rows: Rows) -> Figure:
    """Errors of every algorithm: the paper's problems, all suits alike, and as often as they are dealt."""
    figure, (axes,) = new_figure(7.2, 4.6)
    paper = {str(record["algorithm"]): record for record in PUBLISHED.records()}
    axes.plot([100 * cast("float", paper[name]["error"]) for name in NINE], _heights(-1), "X", color=PALETTE[6])
    labels = ["the Encyclopedia's 650 (FB01)"]
    for place, origin in enumerate((UNIFORM, DEALT)):
        lines = lines_of(rows, origin)
        if lines.rows:
            rates = [100 * lines.rate(name).value for name in NINE]
            axes.plot(rates, _heights(place), "os"[place], color=PALETTE[place])
            labels.append(f"{len(lines.rows):,} of all suits, {'each alike' if origin == UNIFORM else 'as dealt'}")
    axes.set_yticks(range(len(NINE)), NINE)
    axes.invert_yaxis()
    axes.set_xlabel("lines that are not the best (%)")
    figure.legend(labels, loc="outside upper center", ncols=3, frameon=False)
    return figure


def _heights(place: int) -> list[float]:
    return [height + 0.22 * place for height in range(len(NINE))]


# ---------------------------------------------------------------------- claims


def _on_all_suits(judge: Judge, rows: Rows, confidence: float) -> Verdict:
    """A claim about the paper's problems, judged on all suits alike."""
    return judge(lines_of(rows, UNIFORM).rows, confidence)


def _claim(text: str, source: str, judge: Judge) -> Claim:
    test = "as for fb01/fig-28, on problems drawn from all suit combinations, each as likely as any other"
    return Claim(text, source, partial(_on_all_suits, judge), test)


# ---------------------------------------------------------------------- the experiment


def _settings(numbers: range) -> tuple[Setting, ...]:
    """Both origins in turn, so that a run cut short has as many of either."""
    return tuple(Setting(origin=origin, number=number) for number in numbers for origin in (UNIFORM, DEALT))


ALL_SUITS = Experiment(
    id="fb01/all-suits",
    title="The nine algorithms over all suits there are",
    source="FB01 section 8.2's question, over all suits: up to 5,000 drawn alike, as many as they are dealt",
    claims=(
        _claim(
            "vector-mm is more accurate than Monte Carlo over all suits", "FB01 section 8.2", claims.vector_mm_is_better
        ),
        _claim("The nine stand in the order of Fig 28 over all suits", "FB01 Fig 28", claims.in_the_papers_order),
        _claim(
            "Payoff reduction is the best single heuristic over all suits", "FB01 section 8.2", claims.reduction_is_best
        ),
        _claim("iprm-beta is optimal in 99 % of all suits or more", "FB01 Fig 28", claims.nearly_always_right),
    ),
    settings={
        "smoke": _settings(range(2)),
        "laptop": _settings(range(0, DRAWN, 25)),
        "paper": _settings(range(DRAWN)),
    },
    seeds={"smoke": 1, "laptop": 1, "paper": 1},
    measure=measure_problem,
    unit="problems",
    counter="number",
    endless=False,
    summary=universe_table,
    plot=universe_picture,
    published=PUBLISHED,
    compare=_compare,
)
