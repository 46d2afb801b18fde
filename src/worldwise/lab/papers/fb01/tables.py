"""The tables of the random-tree experiments: every rate with its interval, and shorter ones for the pages."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from worldwise.lab.papers.fb01.algorithm_claims import BRIDGE, matching_q
from worldwise.lab.papers.fb01.errors import ErrorPoint, Errors
from worldwise.lab.table import DataTable, Share, side_by_side, table_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from worldwise.lab.table import Cell
    from worldwise.runs.rows import Rows

_WHAT = "how often the strategy is worse than the best"


def error_table(rows: Rows) -> DataTable:
    """Every rate, with its interval, and the loss in expected payoff."""
    errors = Errors(rows)
    return table_of(
        (
            {
                "algorithm": point.algorithm,
                "similarity": point.similarity,
                "branching": point.branching,
                "worlds": point.worlds,
                "depth": point.depth,
                "knowledge": round(point.knowledge, 4),
                "error": errors.rate(point),
                "loss": errors.loss(point),
            }
            for point in errors.points
        ),
        f"{_WHAT}, and by how much on average",
    )


def compare_errors(summary: DataTable, published: DataTable) -> DataTable:
    """The paper's rates beside ours."""
    return side_by_side(summary, published, ("algorithm", "similarity", "depth", "knowledge"), "error")


# ---------------------------------------------------------------------- shorter ones


def _across(errors: Errors, columns: Iterable[tuple[str, ErrorPoint]]) -> dict[str, Cell]:
    """Rates side by side, without their intervals."""
    found = ((name, errors.rate(point)) for name, point in columns)
    return {name: None if rate is None else Share(rate.value) for name, rate in found}


def by_knowledge(least: int, similarity: float = 0.0) -> Callable[[Rows], DataTable]:
    """A row for every algorithm and depth, from so deep on, and a column for every level of knowledge."""

    def table(rows: Rows) -> DataTable:
        errors = Errors(rows)
        most, depths = errors.most_known(), [depth for depth in errors.depths() if depth >= least]
        return table_of(
            (
                {
                    "algorithm": name,
                    "depth": depth,
                    **_across(
                        errors,
                        ((f"{known}/{most}", ErrorPoint(name, depth, known, similarity)) for known in range(most + 1)),
                    ),
                }
                for name in errors.algorithms()
                for depth in depths
            ),
            f"{_WHAT}, by MIN's knowledge",
        )

    return table


def by_similarity(rows: Rows) -> DataTable:
    """A row for every q, and a column for every third depth, where MIN knows everything."""
    errors = Errors(rows)
    known, depths = errors.most_known(), [depth for depth in errors.depths() if depth in (2, 5, 8, 11, 13)]
    return table_of(
        (
            {
                "q": q,
                **_across(errors, ((f"depth {depth}", ErrorPoint("monte-carlo", depth, known, q)) for depth in depths)),
            }
            for q in errors.similarities()
        ),
        f"{_WHAT}, where MIN knows everything",
    )


def by_branching(rows: Rows) -> DataTable:
    """A row for every algorithm, and a column for every branching, at its greatest depth, MIN knowing everything."""
    errors = Errors(rows)
    deepest = {
        branching: max(point.depth for point in errors.points if point.branching == branching)
        for branching in sorted({point.branching for point in errors.points})
    }
    return _where_all_is_known(
        errors,
        {
            f"{branching} branches, depth {depth}": ErrorPoint("", depth, 9, 0.0, branching)
            for branching, depth in deepest.items()
        },
    )


def by_worlds(rows: Rows) -> DataTable:
    """A row for every algorithm, and a column for every number of worlds, at the greatest depth."""
    errors = Errors(rows)
    depth, counts = max(errors.depths()), sorted({point.worlds for point in errors.points})
    points = {f"{worlds} worlds": ErrorPoint("", depth, worlds - 1, worlds=worlds) for worlds in counts}
    return _where_all_is_known(errors, points)


def _where_all_is_known(errors: Errors, points: dict[str, ErrorPoint]) -> DataTable:
    return table_of(
        (
            {
                "algorithm": name,
                **_across(errors, ((words, replace(point, algorithm=name)) for words, point in points.items())),
            }
            for name in errors.algorithms()
        ),
        f"{_WHAT}, where MIN knows everything",
    )


# ---------------------------------------------------------------------- Fig 30


def matching_table(rows: Rows) -> DataTable:
    """The q at which each algorithm errs as often as in Bridge, by depth."""
    errors = Errors(rows)
    return table_of((_matching_row(errors, name) for name in BRIDGE), "the q at which each errs as often as in Bridge")


def _matching_row(errors: Errors, name: str) -> dict[str, Any]:
    found = {depth: matching_q(errors, name, depth) for depth in errors.depths()}
    wrong, problems = BRIDGE[name]
    told = {f"depth {depth}": "never" if q is None else f"{q:.2f}" for depth, q in found.items()}
    return {"algorithm": name, "in Bridge": Share(wrong / problems), **told}
