"""The random-tree experiments of FB01 and FBM97, and a few they could not make.

``errors`` measures; here are the settings, the claims, the tables and the pictures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.lab.experiment import Claim, Experiment
from worldwise.lab.papers.fb01 import algorithm_claims, monte_carlo_claims, pictures, tables
from worldwise.lab.papers.fb01.errors import (
    TREES,
    measure_all,
    measure_best_defence,
    measure_ends,
    measure_levels,
    measure_monte_carlo,
)
from worldwise.lab.papers.fb01.newcomers import CONTESTS
from worldwise.lab.papers.fb01.own_games import GAME
from worldwise.lab.table import published_numbers
from worldwise.runs.rows import Setting, grid

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WORLDS = 10
_Q = tuple(round(0.05 * step, 2) for step in range(20))


def _settings(
    depths: Sequence[int], similarities: Sequence[float] = (0.0,), trees: Callable[[int], int] = lambda _: TREES
) -> tuple[Setting, ...]:
    """Every depth at every similarity; how many trees a row has depends on the depth."""
    return tuple(
        Setting(similarity=similarity, depth=depth, worlds=WORLDS, trees=trees(depth))
        for similarity in similarities
        for depth in depths
    )


# ---------------------------------------------------------------------- Monte Carlo


def _by_size(depth: int) -> int:
    """The deeper the fewer: a row takes some seconds."""
    return 20_000 if depth <= 6 else 8_000 if depth <= 8 else 4_000 if depth <= 10 else 1_000


FIG_7 = Experiment(
    id="fb01/fig-7",
    title="The error of Monte Carlo over depth and MIN's knowledge",
    source="FB01 Figs 7 and 8, FBM97 Figs 6 and 7: binary trees, 10 worlds, Last Player payoffs; the papers have 1,000 "
    "trees a point, this 10,000 or more",
    claims=(
        Claim(
            "The error approaches 100 % as the tree grows, whatever MIN knows",
            "FB01 section 4",
            monte_carlo_claims.to_one,
            "the greatest depth, 11 or more, at every level of knowledge: 95 % or more",
        ),
        Claim(
            "The loss in expected payoff approaches 0.1 against a MIN who knows everything",
            "FB01 section 4",
            monte_carlo_claims.loss_is_a_tenth(everywhere=False),
            "the mean loss at the greatest depth, 11 or more, knowledge 1: between 0.09 and 0.11",
        ),
        Claim(
            "The loss in expected payoff approaches 0.1 whatever MIN knows",
            "FB01 section 4",
            monte_carlo_claims.loss_is_a_tenth(everywhere=True),
            "the mean loss at the greatest depth, 11 or more, at every level, since the paper names none: between "
            "0.09 and 0.11",
        ),
        Claim(
            "A: at depth 2, the better MIN is informed the smaller the error",
            "FB01 section 4.1",
            monte_carlo_claims.region_a,
            "each world more that MIN knows, same trees: the error falls (holds above 0, fails wholly below 1 in 100); "
            "at knowledge 1 there is none",
        ),
        Claim(
            "B: against a MIN who knows nothing, the error grows with depth",
            "FB01 section 4.2",
            monte_carlo_claims.region_b,
            "knowledge 0, each depth from 3 to 8, as Fig 8 has them, less the one before: holds above 0, fails wholly "
            "below 1 in 100",
        ),
        Claim(
            "C: at every depth but 2, the error grows with MIN's knowledge",
            "FB01 section 4.3",
            monte_carlo_claims.region_c,
            "knowledge 1 less knowledge 0 on the same trees, at each depth: holds above 0, fails wholly below 1 in 100",
        ),
        Claim(
            "D: odd depth d and d + 1 converge as MIN's knowledge grows",
            "FB01 section 4.4",
            monte_carlo_claims.region_d,
            "each odd d: the error of d + 1 is more than 2 in 100 above at knowledge 0, and within 2 in 100 at 1",
        ),
    ),
    settings={
        "smoke": _settings((2, 3, 4)),
        "laptop": _settings(range(2, 12), trees=lambda depth: 1000 if depth <= 8 else TREES),
        "paper": _settings(range(2, 14), trees=_by_size),
    },
    seeds={"smoke": 1, "laptop": 3, "paper": 10},
    measure=measure_levels,
    unit="trees",
    summary=tables.error_table,
    plot=pictures.error_surface,
    digest=tables.by_knowledge(2),
    published=published_numbers("worldwise.lab.published", "fb01-fig-7.csv"),
    compare=tables.compare_errors,
    revision=2,
)

FIG_29 = Experiment(
    id="fb01/fig-29",
    title="The error of Monte Carlo over the similarity of worlds",
    source="FB01 Fig 29, FBM97 Figs 12 and 13: similarity q = 0.00 to 0.95, 1,000 trees a point; the cross-section is "
    "depth 11, here with 10,000",
    claims=(
        Claim(
            "The error falls steadily as q grows",
            "FBM97 section 5",
            monte_carlo_claims.falls_with_similarity,
            "depth 11 as in FBM97 Fig 13, knowledge 1, every tenth of q: the error falls (holds above 0, fails wholly "
            "below 1 in 100)",
        ),
        Claim(
            "At depth 11 the error is about 35 % at q = 0.70",
            "FBM97 section 5",
            monte_carlo_claims.third_at_seventy,
            "knowledge 1, as in Bridge: above 35 % halfway from q = 0.70 to 0.65, below halfway to 0.75",
        ),
    ),
    settings={
        "smoke": _settings((3,), (0.0, 0.5, 0.9)),
        "laptop": _settings((2, 5, 8, 11), _Q[::2]),
        "paper": _settings(range(2, 14), _Q, lambda depth: 5000 if depth == monte_carlo_claims.FIG_13 else 500),
    },
    seeds={"smoke": 1, "laptop": 2, "paper": 2},
    measure=measure_monte_carlo,
    unit="trees",
    summary=tables.error_table,
    plot=pictures.similarity_curves,
    digest=tables.by_similarity,
    published=published_numbers("worldwise.lab.published", "fb01-fig-29.csv"),
    compare=tables.compare_errors,
    revision=2,
)

# ---------------------------------------------------------------------- all algorithms

_CROSSING = (
    "depths 3 to 8: more errors than Monte Carlo at knowledge 0; fewer than Monte Carlo and than vector-mm from 6/9 at "
    "each depth, and at 5/9 itself on average over depths; each difference holds above 0, fails wholly below 1 in 100"
)
_THIRD = "depth 8, knowledge 1, same trees: its rate is nearer to a third of Monte Carlo's than to a quarter or a half"
_NOWHERE = "each depth and level, same trees: fails if it errs more at one, holds if less than 1 in 100 more at all"
_EASIER = "knowledge 1, depths 5 and 6, each less 7 and 8: holds above 0, fails wholly below 1 in 100"

FIG_27 = Experiment(
    id="fb01/fig-27",
    title="The error of the algorithms over depth and MIN's knowledge",
    source="FB01 Fig 27 (six of its nine), depths 2 to 8, 1,000 trees a point, here 40,000; and our ivm-tiebreak",
    claims=(
        Claim(
            "vector-mm errs a little less than Monte Carlo at almost all depths and levels of knowledge",
            "FB01 section 8.1",
            algorithm_claims.vector_mm_is_better,
            "depths 3 to 8, ten levels, same trees, Monte Carlo less vector-mm: holds above 0 at 54 of 60 points, "
            "fails wholly below 1 in 100 at more than six; at depth 2 the two are the same",
        ),
        Claim(
            "At knowledge 1, depth 8, prm errs a third as often as Monte Carlo",
            "FB01 section 8.1",
            algorithm_claims.a_third("prm"),
            _THIRD,
        ),
        Claim(
            "At knowledge 1, depth 8, ivm errs a third as often as Monte Carlo",
            "FB01 section 8.1",
            algorithm_claims.a_third("ivm"),
            _THIRD,
        ),
        Claim(
            "prm is worse than Monte Carlo at knowledge 0, and from about 5/9 better than it and than vector-mm",
            "FB01 section 8.1",
            algorithm_claims.crosses("prm"),
            _CROSSING,
        ),
        Claim(
            "vm-beta is worse than Monte Carlo at knowledge 0, and from about 5/9 better than it and than vector-mm",
            "FB01 section 8.1",
            algorithm_claims.crosses("vm-beta"),
            _CROSSING,
        ),
        Claim("ivm is nowhere worse than vector-mm", "FB01 section 8.1", algorithm_claims.never_worse("ivm"), _NOWHERE),
        Claim(
            "For vm-beta depths 7, 8 are easier than 5, 6",
            "FB01 section 8.1",
            algorithm_claims.easier_deeper("vm-beta"),
            _EASIER,
        ),
        Claim(
            "For prm-beta depths 7, 8 are easier than 5, 6",
            "FB01 section 8.1",
            algorithm_claims.easier_deeper("prm-beta"),
            _EASIER,
        ),
        Claim(
            "ivm errs against a MIN who knows everything only where the best strategy wins two worlds or more",
            "ours, proved",
            algorithm_claims.ivm_is_bounded,
            "knowledge 1, every tree: one error where the best strategy wins one world or none refutes it",
        ),
        Claim(
            "So ivm as Definition 1 has it cannot err a third as often as Monte Carlo at depth 8",
            "ours",
            algorithm_claims.no_third_for_ivm,
            "the share of trees whose best strategy wins two worlds or more is below the least that is around a third",
        ),
        Claim(
            "ivm-tiebreak errs a third as often as Monte Carlo at knowledge 1, depth 8",
            "ours",
            algorithm_claims.a_third("ivm-tiebreak"),
            _THIRD,
        ),
        Claim(
            "ivm-tiebreak is nowhere worse than vector-mm",
            "ours",
            algorithm_claims.never_worse("ivm-tiebreak"),
            _NOWHERE,
        ),
    ),
    settings={
        "smoke": _settings((3, 4)),
        "laptop": _settings(range(2, 9), trees=lambda _: 1000),
        "paper": _settings(range(2, 9), trees=lambda _: 8000),
    },
    seeds={"smoke": 1, "laptop": 3, "paper": 5},
    measure=measure_all,
    unit="trees",
    summary=tables.error_table,
    plot=pictures.error_panels,
    digest=tables.by_knowledge(5),
    contests={**CONTESTS, "game": GAME},
    published=published_numbers("worldwise.lab.published", "fb01-fig-27.csv"),
    compare=tables.compare_errors,
    revision=2,
)

FIG_30 = Experiment(
    id="fb01/fig-30",
    title="The algorithms where worlds are similar, q = 0.75",
    source="FB01 Fig 30, beside the error rates of the Bridge problems of Fig 28",
    claims=(
        Claim(
            "The algorithms have the relative strengths that they have in Bridge",
            "FB01 section 8.3",
            algorithm_claims.bridge_order,
            "depth 8, knowledge 1, same trees, each of the nine less the next of Fig 28, but for ivm-beta and iprm, "
            "level there: holds above 0, fails wholly below 1 in 100",
        ),
    ),
    settings={
        "smoke": _settings((3, 4), (0.75,)),
        "laptop": _settings(range(2, 9), (0.75,), lambda _: 1000),
        "paper": _settings(range(2, 9), (0.75,), lambda _: 4000),
    },
    seeds={"smoke": 1, "laptop": 3, "paper": 5},
    measure=measure_all,
    unit="trees",
    summary=tables.error_table,
    plot=pictures.error_panels,
    digest=tables.by_knowledge(5, similarity=0.75),
    contests=CONTESTS,
    published=published_numbers("worldwise.lab.published", "fb01-fig-30.csv"),
    compare=tables.compare_errors,
    revision=2,
)


MATCHING_Q = Experiment(
    id="fb01/matching-q",
    title="The similarity of worlds at which each algorithm errs as often as in Bridge",
    source="FB01 section 8.3, of Fig 30: q = 0.00 to 0.95, depths 3 to 8, MIN knows everything, 4,000 trees a point",
    claims=(
        Claim(
            "Each algorithm errs as often as in Bridge at roughly the same q, about 0.75",
            "FB01 section 8.3",
            algorithm_claims.bridge_q,
            "some depth from 3 to 8 at which every one of the nine errs no less than in Fig 28 at q = 0.65 and no more "
            "at 0.85",
        ),
    ),
    settings={
        "smoke": _settings((3,), (0.65, 0.85)),
        "laptop": _settings((5, 8), _Q, lambda _: 500),
        "paper": _settings(range(3, 9), _Q, lambda _: 2000),
    },
    seeds={"smoke": 1, "laptop": 2, "paper": 2},
    measure=measure_best_defence,
    unit="trees",
    summary=tables.matching_table,
    plot=pictures.matching_curves,
)

# ---------------------------------------------------------------------- beyond the papers

_BRANCHING = {"smoke": ((2, 3), (3, 3)), "laptop": ((2, 6), (3, 5), (4, 4)), "paper": ((2, 8), (3, 6), (4, 5))}


def _branching(scale: str, trees: int) -> tuple[Setting, ...]:
    """Depths 2 to the deepest at each branching."""
    return tuple(
        Setting(branching=branching, depth=depth, similarity=0.0, worlds=WORLDS, trees=trees)
        for branching, deepest in _BRANCHING[scale]
        for depth in range(2, deepest + 1)
    )


BRANCHING = Experiment(
    id="beyond/branching",
    title="The algorithms on trees of two, three and four branches",
    source="beyond the papers: payoffs by the Last Player Theorem for each branching",
    claims=(
        Claim(
            "The algorithms keep their order at every branching",
            "ours",
            algorithm_claims.order_at_any_branching,
            "the deepest trees of each branching, knowledge 1, each of monte-carlo, vector-mm, prm and iprm less the "
            "next: holds above 0, fails wholly below 1 in 100",
        ),
    ),
    settings={
        "smoke": _branching("smoke", 100),
        "laptop": _branching("laptop", 500),
        "paper": _branching("paper", 1000),
    },
    seeds={"smoke": 1, "laptop": 2, "paper": 4},
    measure=measure_ends,
    unit="trees",
    summary=tables.error_table,
    plot=pictures.branching_curves,
    digest=tables.by_branching,
    contests=CONTESTS,
    revision=2,
)

MANY_WORLDS = Experiment(
    id="beyond/worlds",
    title="The algorithms over 5 to 50 worlds",
    source="beyond the papers: binary trees; MIN knows nothing or everything",
    claims=(
        Claim(
            "The more worlds, the more errors",
            "ours",
            algorithm_claims.more_worlds_more_error,
            "the greatest depth, knowledge 1, each algorithm at the most worlds less the fewest: holds above 0, fails "
            "wholly below 1 in 100",
        ),
    ),
    settings={
        "smoke": grid(worlds=(5, 12), depth=(3,), similarity=(0.0,), trees=(20,)),
        "laptop": grid(worlds=(5, 10, 20, 50), depth=(4, 6), similarity=(0.0,), trees=(TREES,)),
        "paper": grid(worlds=(5, 10, 20, 30, 40, 50), depth=(4, 6, 8), similarity=(0.0,), trees=(TREES,)),
    },
    seeds={"smoke": 1, "laptop": 3, "paper": 10},
    measure=measure_ends,
    unit="trees",
    summary=tables.error_table,
    plot=pictures.worlds_curves,
    digest=tables.by_worlds,
    contests=CONTESTS,
    revision=2,
)
