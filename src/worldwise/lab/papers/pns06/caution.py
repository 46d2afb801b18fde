"""Beyond PNS06: between overconfidence and paranoia. What is the best mixture of the mean and the worst?

``mixed`` gives what may come a value of 1 - caution parts of its mean and caution parts of its minimum, wherever
equation 2 has the mean and equation 3 the minimum: 0 is overconfident, 1 is paranoid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from worldwise.core.statistics import CONFIDENCE, difference
from worldwise.lab.comparisons import ClaimCheck, above, all_of
from worldwise.lab.experiment import Claim, Experiment, Verdict
from worldwise.lab.papers.pns06.claims import (
    DEPTHS,
    MIXED,
    ON_AVERAGE,
    SHORT,
    USUALLY,
    beside,
    helps,
    only,
    overall_gain,
)
from worldwise.lab.papers.pns06.games import SAMPLES, measure_game, number_games
from worldwise.lab.papers.pns06.overconfidence import quick, score_table
from worldwise.lab.papers.pns06.pictures import caution_map
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from worldwise.lab.experiment import Judge
    from worldwise.runs.rows import Rows

NAMES = ("against", "depth", "caution")

CAUTIONS = (0.0, 0.1, 0.3, 0.5, 0.7, 1.0)


# ---------------------------------------------------------------------- claims


def some_is_better(opponent: str) -> Judge:
    """Whether some caution, neither none nor all, has more EU than none: all that was measured together, by depth."""

    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        some = [{**row, "caution": "some" if 0 < cast("float", row["caution"]) < 1 else row["caution"]} for row in rows]
        pairs = beside(only(some, against=opponent), "caution", "some", 0.0, ("depth", "caution"))
        return all_of(overall_gain(pairs, helps, confidence), "not measured")

    return verdict


def costs_less_against_hs(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether going from no caution to all of it takes less EU against HS than against rand, on average over depths."""
    costs = {against: _costs(only(rows, against=against), confidence) for against in ("rand", "HS")}
    if not all(costs.values()):
        return Verdict.of(None, "not measured")
    less = difference(*(check.figure for found in costs.values() for check in found))
    told = "; ".join(f"against {against} {check}" for against, found in costs.items() for check in found)
    return all_of([ClaimCheck.of(f"{told}; against rand less against HS", less, above)], "")


def _costs(rows: Rows, confidence: float) -> list[ClaimCheck]:
    """How much EU caution costs on average over depths, if it was measured."""
    return overall_gain(beside(rows, "caution", 0.0, 1.0, ("depth", "caution")), above, confidence)


# ---------------------------------------------------------------------- the experiment


def _cell(depth: int, caution: float, against: str) -> Setting:
    return Setting(player=MIXED, depth=depth, caution=caution, boards=SAMPLES[depth, SHORT], against=against)


def _map(depths: tuple[int, ...]) -> list[Setting]:
    return [_cell(depth, caution, against) for against in ("rand", "HS") for depth in depths for caution in CAUTIONS]


_TEST = f"EU of cautions from 0.1 to 0.7 together less EU of none, {USUALLY}"

CAUTION = Experiment(
    id="pns06/caution",
    title="Depth and caution: what lies between overconfidence and paranoia",
    source="ours: mixed play with the 30-second boards of PNS06 Fig 4, against rand and HS",
    claims=(
        Claim("Against rand some caution is better than none", "ours", some_is_better("rand"), _TEST),
        Claim("Against HS some caution is better than none", "ours", some_is_better("HS"), _TEST),
        Claim(
            "Paranoia costs less against HS than against rand: what counts is how well the model fits",
            "PNS06, conclusion",
            costs_less_against_hs,
            f"what EU full caution costs against rand less what it costs against HS, {ON_AVERAGE}: holds above 0",
        ),
    ),
    settings={
        "smoke": number_games(
            [quick(player=MIXED, caution=caution, against="rand") for caution in (0.0, 0.5)], games=1
        ),
        "laptop": number_games(_map((1, 2)), games=16)
        + number_games(_map((3,)), games=10)
        + number_games([_cell(depth, 0.0, "rand") for depth in DEPTHS], games=24, first=17),
        "paper": number_games(_map(DEPTHS), games=500),
    },
    seeds={"smoke": 1, "laptop": 1, "paper": 1},
    measure=measure_game,
    unit="games",
    counter="game",
    summary=score_table(*NAMES),
    plot=caution_map,
    revision=2,
)
