"""Beyond PNS06: between overconfidence and paranoia. What is the best mixture of the mean and the worst?

``mixed`` gives what may come a value of 1 - caution parts of its mean and caution parts of its minimum, wherever
equation 2 has the mean and equation 3 the minimum: 0 is overconfident, 1 is paranoid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from worldwise.core.statistics import CONFIDENCE, difference
from worldwise.lab.comparisons import ClaimCheck, above, all_of, at_most, sure
from worldwise.lab.experiment import Claim, Experiment, Verdict
from worldwise.lab.papers.pns06.claims import A_LITTLE, DEPTHS, LITTLE, MIXED, SHORT, any_of, beside, only
from worldwise.lab.papers.pns06.games import SAMPLES, measure_game, number_games
from worldwise.lab.papers.pns06.overconfidence import quick, score_table
from worldwise.lab.papers.pns06.pictures import caution_map
from worldwise.lab.papers.pns06.scores import Score, scores
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from collections.abc import Iterable

    from worldwise.core.statistics import Estimate
    from worldwise.lab.experiment import Judge
    from worldwise.lab.papers.pns06.scores import Key
    from worldwise.runs.rows import Rows

NAMES = ("against", "depth", "caution")

CAUTIONS = (0.0, 0.1, 0.3, 0.5, 0.7, 1.0)


# ---------------------------------------------------------------------- claims


def between_is_better(opponent: str) -> Judge:
    """Whether at some depth some caution between the ends has more EU than the better of the two ends.

    It fails if none can have more than a little.
    """

    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        found = scores(only(rows, against=opponent), "depth", "caution")
        lines = [_line(found, depth) for depth in DEPTHS]
        comparisons = sum(max(0, len(line) - 2) for line in lines)
        gained = [gain for line in lines for gain in _gains(line, sure(comparisons, confidence))]
        words = "; ".join(f"depth {depth}: {_best(line)}" for depth, line in zip(DEPTHS, lines, strict=True) if line)
        return any_of([ClaimCheck.of("", gain, _is_better) for gain in gained], _is_better, words or "not measured")

    return verdict


Line = dict[float, Score]


def _line(found: dict[Key, Score], depth: int) -> Line:
    """The scores of a depth by caution, if both ends were measured."""
    line = {cast("float", caution): score for (one, caution), score in found.items() if one == depth}
    return line if {0.0, 1.0} <= set(line) else {}


def _gains(line: Line, confidence: float) -> Iterable[Estimate]:
    """What each caution between gains on the better end."""
    if line:
        end = max((line[0.0], line[1.0]), key=lambda score: score.utility().value)
        yield from (score.gain(end, confidence) for caution, score in line.items() if 0 < caution < 1)


def _is_better(gain: Estimate) -> bool | None:
    return True if above(gain) else False if at_most(gain, LITTLE) else None


def _best(line: Line) -> str:
    best = max(line, key=lambda caution: line[caution].utility().value)
    ends = " and ".join(f"{line[end].utility().value:+.1%}" for end in (0.0, 1.0))
    return f"best {line[best].utility().value:+.1%} at caution {best:g}, at the ends {ends}"


def costs_less_against_hs(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether going from no caution to all of it takes less EU against HS than against rand, at each depth."""
    costs = {against: _costs(only(rows, against=against), confidence) for against in ("rand", "HS")}
    depths = [depth for depth in costs["rand"] if depth in costs["HS"]]
    found = {depth: difference(costs["rand"][depth], costs["HS"][depth]) for depth in depths}
    checks = [ClaimCheck.of(f"{depth}, against rand less against HS", cost, above) for depth, cost in found.items()]
    return all_of(checks, "not measured")


def _costs(rows: Rows, confidence: float) -> dict[str, Estimate]:
    """How much EU caution costs, by depth in words."""
    pairs = beside(rows, "caution", 0.0, 1.0, ("depth", "caution"))
    return {pair.what: pair.one.gain(pair.other, sure(len(pairs), confidence)) for pair in pairs}


# ---------------------------------------------------------------------- the experiment


def _cell(depth: int, caution: float, against: str) -> Setting:
    return Setting(player=MIXED, depth=depth, caution=caution, boards=SAMPLES[depth, SHORT], against=against)


def _map(depths: tuple[int, ...]) -> list[Setting]:
    return [_cell(depth, caution, against) for against in ("rand", "HS") for depth in depths for caution in CAUTIONS]


_TEST = f"EU of a caution between less EU of the better end: holds if one is above 0, fails if all are below {A_LITTLE}"

CAUTION = Experiment(
    id="pns06/caution",
    title="Depth and caution: what lies between overconfidence and paranoia",
    source="ours: mixed play with the 30-second boards of PNS06 Fig 4, against rand and HS",
    claims=(
        Claim("Against rand some caution is better than none and than all", "ours", between_is_better("rand"), _TEST),
        Claim("Against HS some caution is better than none and than all", "ours", between_is_better("HS"), _TEST),
        Claim(
            "Paranoia costs less against HS than against rand: what counts is how well the model fits",
            "PNS06, conclusion",
            costs_less_against_hs,
            "what EU full caution costs against rand less what it costs against HS, at each depth: holds above 0",
        ),
    ),
    settings={
        "smoke": number_games(
            [quick(player=MIXED, caution=caution, against="rand") for caution in (0.0, 0.5)], games=1
        ),
        "laptop": number_games(_map((1, 2)), games=16) + number_games(_map((3,)), games=10),
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
