"""The random-tree experiments of FB01 and FBM97, and a few they could not make.

``tree_errors`` measures; here are the settings, the claims, the tables and the pictures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.lab.experiment import Claim, Experiment
from worldwise.lab.papers.fb01 import claims, pictures
from worldwise.lab.papers.fb01.errors import TREES, Errors, measure_monte_carlo, measure_nine
from worldwise.lab.table import DataTable, published_numbers, side_by_side, table_of
from worldwise.runs.rows import Setting, grid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.runs.rows import Rows

WORLDS = 10
_Q = tuple(round(0.05 * step, 2) for step in range(20))


def _settings(depths: Sequence[int], similarities: Sequence[float] = (0.0,)) -> tuple[Setting, ...]:
    return grid(similarity=similarities, depth=depths, worlds=(WORLDS,), trees=(TREES,))


def error_table(rows: Rows) -> DataTable:
    """Every rate, with Wilson's interval, and the loss in expected payoff."""
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
        "how often the strategy is worse than the best, and by how much on average",
    )


def _compare_errors(summary: DataTable, published: DataTable) -> DataTable:
    return side_by_side(summary, published, ("algorithm", "similarity", "depth", "knowledge"), "error")


FIG_7 = Experiment(
    id="fb01/fig-7",
    title="The error of Monte Carlo over depth and MIN's knowledge",
    source="FB01 Figs 7 and 8, FBM97 Figs 6 and 7: binary trees, 10 worlds, Last Player payoffs, 1,000 trees a point",
    claims=(
        Claim("The error approaches 100 % as the tree grows, whatever MIN knows", "FB01 section 4", claims.to_one),
        Claim("The loss in expected payoff approaches 0.1", "FB01 section 4", claims.loss_is_a_tenth),
        Claim("A: at depth 2, the better MIN is informed the smaller the error", "FB01 section 4.1", claims.region_a),
        Claim("B: against a MIN who knows nothing, the error grows with depth", "FB01 section 4.2", claims.region_b),
        Claim("C: at every depth but 2, the error grows with MIN's knowledge", "FB01 section 4.3", claims.region_c),
        Claim("D: odd depth d and d + 1 converge as MIN's knowledge grows", "FB01 section 4.4", claims.region_d),
    ),
    settings={
        "smoke": _settings((2, 3, 4)),
        "laptop": _settings(range(2, 12)),
        "paper": _settings(range(2, 14)),
    },
    seeds={"smoke": 1, "laptop": 3, "paper": 10},
    measure=measure_monte_carlo,
    unit="trees",
    summary=error_table,
    plot=pictures.error_surface,
    published=published_numbers("worldwise.lab.published", "fb01-fig-7.csv"),
    compare=_compare_errors,
)

FIG_27 = Experiment(
    id="fb01/fig-27",
    title="The error of nine algorithms over depth and MIN's knowledge",
    source="FB01 Fig 27 (six of the nine), depths 2 to 8; otherwise as Fig 7",
    claims=(
        Claim("vector-mm errs a little less than Monte Carlo", "FB01 section 8.1", claims.vector_mm_is_better),
        Claim(
            "At knowledge 1, depth 8, prm errs a third as often as Monte Carlo", "FB01 section 8.1", claims.third("prm")
        ),
        Claim(
            "At knowledge 1, depth 8, ivm errs a third as often as Monte Carlo", "FB01 section 8.1", claims.third("ivm")
        ),
        Claim(
            "prm is worse than Monte Carlo at knowledge 0, better from 5/9", "FB01 section 8.1", claims.crosses("prm")
        ),
        Claim("vm-beta is worse at knowledge 0, better from 5/9", "FB01 section 8.1", claims.crosses("vm-beta")),
        Claim("ivm is nowhere worse than vector-mm", "FB01 section 8.1", claims.ivm_never_worse),
        Claim("For vm-beta depths 7, 8 are easier than 5, 6", "FB01 section 8.1", claims.easier_deeper("vm-beta")),
        Claim("For prm-beta depths 7, 8 are easier than 5, 6", "FB01 section 8.1", claims.easier_deeper("prm-beta")),
    ),
    settings={
        "smoke": _settings((3, 4)),
        "laptop": _settings(range(2, 9)),
        "paper": _settings(range(2, 9)),
    },
    seeds={"smoke": 1, "laptop": 3, "paper": 10},
    measure=measure_nine,
    unit="trees",
    summary=error_table,
    plot=pictures.error_panels,
    published=published_numbers("worldwise.lab.published", "fb01-fig-27.csv"),
    compare=_compare_errors,
)

FIG_29 = Experiment(
    id="fb01/fig-29",
    title="The error of Monte Carlo over the similarity of worlds",
    source="FB01 Fig 29, FBM97 Figs 12 and 13: similarity q = 0.00 to 0.95; the cross-section is depth 11",
    claims=(
        Claim("The error falls steadily as q grows", "FBM97 section 5", claims.falls_with_similarity),
        Claim("At depth 11 the error is about 35 % at q = 0.70", "FBM97 section 5", claims.third_at_seventy),
    ),
    settings={
        "smoke": _settings((3,), (0.0, 0.5, 0.9)),
        "laptop": _settings((2, 5, 8, 11), _Q[::2]),
        "paper": _settings(range(2, 14), _Q),
    },
    seeds={"smoke": 1, "laptop": 2, "paper": 10},
    measure=measure_monte_carlo,
    unit="trees",
    summary=error_table,
    plot=pictures.similarity_curves,
    published=published_numbers("worldwise.lab.published", "fb01-fig-29.csv"),
    compare=_compare_errors,
)

FIG_30 = Experiment(
    id="fb01/fig-30",
    title="Nine algorithms where worlds are similar, q = 0.75",
    source="FB01 Fig 30, beside the error rates of the Bridge problems of Fig 28",
    claims=(
        Claim("The algorithms stand in the order they have in Bridge", "FB01 section 8.3", claims.bridge_order),
        Claim("Their error rates are roughly those of Bridge", "FB01 section 8.3", claims.bridge_rates),
    ),
    settings={
        "smoke": _settings((3, 4), (0.75,)),
        "laptop": _settings(range(2, 9), (0.75,)),
        "paper": _settings(range(2, 9), (0.75,)),
    },
    seeds={"smoke": 1, "laptop": 5, "paper": 10},
    measure=measure_nine,
    unit="trees",
    summary=error_table,
    plot=pictures.error_panels,
    published=published_numbers("worldwise.lab.published", "fb01-fig-30.csv"),
    compare=_compare_errors,
)

_BRANCHING = {"smoke": ((2, 3), (3, 3)), "laptop": ((2, 6), (3, 5), (4, 4)), "paper": ((2, 8), (3, 6), (4, 5))}


def _branching(scale: str) -> tuple[Setting, ...]:
    """Depths 2 to the deepest at each branching."""
    return tuple(
        Setting(branching=branching, depth=depth, similarity=0.0, worlds=WORLDS, trees=TREES)
        for branching, deepest in _BRANCHING[scale]
        for depth in range(2, deepest + 1)
    )


BRANCHING = Experiment(
    id="beyond/branching",
    title="Nine algorithms on trees of two, three and four branches",
    source="beyond the papers: payoffs by the Last Player Theorem for each branching",
    claims=(Claim("The algorithms keep their order at every branching", "ours", claims.order_at_any_branching),),
    settings={scale: _branching(scale) for scale in _BRANCHING},
    seeds={"smoke": 1, "laptop": 3, "paper": 10},
    measure=measure_nine,
    unit="trees",
    summary=error_table,
    plot=pictures.branching_curves,
)

MANY_WORLDS = Experiment(
    id="beyond/worlds",
    title="Nine algorithms over 5 to 50 worlds",
    source="beyond the papers: binary trees; MIN knows nothing or everything",
    claims=(Claim("The more worlds, the more errors", "ours", claims.more_worlds_more_error),),
    settings={
        "smoke": grid(worlds=(5, 12), depth=(3,), similarity=(0.0,), trees=(20,)),
        "laptop": grid(worlds=(5, 10, 20, 50), depth=(4, 6), similarity=(0.0,), trees=(TREES,)),
        "paper": grid(worlds=(5, 10, 20, 30, 40, 50), depth=(4, 6, 8), similarity=(0.0,), trees=(TREES,)),
    },
    seeds={"smoke": 1, "laptop": 3, "paper": 10},
    measure=measure_nine,
    unit="trees",
    summary=error_table,
    plot=pictures.worlds_curves,
)
