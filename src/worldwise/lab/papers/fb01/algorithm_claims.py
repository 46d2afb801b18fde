"""What FB01 says of its algorithms on random trees, and what we add, as questions that rows answer.

All algorithms meet the same trees, so their differences are paired.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product
from typing import TYPE_CHECKING, NamedTuple, cast

from worldwise.core.statistics import CONFIDENCE, Estimate, clopper_pearson
from worldwise.lab.comparisons import MARGIN, ClaimCheck, all_of, at_least, at_most, more, sure, times_until
from worldwise.lab.experiment import Verdict
from worldwise.lab.papers.fb01.checks import ErrorPair, check_all, judge_all, mean_of, negative
from worldwise.lab.papers.fb01.errors import ErrorPoint, Errors
from worldwise.lab.table import published_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.lab.experiment import Judge
    from worldwise.lab.papers.fb01.checks import Test
    from worldwise.runs.rows import Rows

MC, VECTOR_MM = "monte-carlo", "vector-mm"

ALMOST_ALL = 0.9
"""The share of points at which what is said of "almost all" must hold."""

A_THIRD = (7 / 24, 5 / 12)
"""What is "around a third": nearer to it than to a quarter or a half."""

ABOUT = 5
"""Of nine worlds MIN knows this many where prm and vm-beta are to get better than the others."""

DEPTHS = range(3, 9)
"""The depths of Figs 27 and 30, without the one at which hardly anybody errs."""

_TOO_FEW = "it takes trees of every depth from 3 to 8"

MATCH = (0.65, 0.85)
"""Where q must lie to be "roughly" 0.75."""


# ---------------------------------------------------------------------- Fig 27


def vector_mm_is_better(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """At nine points of depth and knowledge in ten, beyond depth 2, vector-mm errs less than Monte Carlo."""
    errors = Errors(rows)
    places = [point for point in errors.points if point.algorithm == MC and point.depth > 2]
    pairs = [ErrorPair("", place, replace(place, algorithm=VECTOR_MM)) for place in places]
    checks = check_all(errors, pairs, confidence)
    better, worse = (sum(check.truth is truth for check in checks) for truth in (True, False))
    gains = [check.figure.value for check in checks]
    if not set(DEPTHS) <= set(errors.depths()):
        return Verdict.of(None, _TOO_FEW)
    words = f"fewer errors at {better} of {len(checks)} points, no fewer at {worse}"
    truth = _almost_all([check.truth for check in checks])
    return Verdict.of(truth, f"{words}; {min(gains):+.1%} to {max(gains):+.1%}", times_until(checks, _almost_all))


def _almost_all(truths: Sequence[bool | None]) -> bool | None:
    yes, no = truths.count(True), truths.count(False)
    return True if yes >= ALMOST_ALL * len(truths) else False if no > (1 - ALMOST_ALL) * len(truths) else None


def a_third(name: str) -> Judge:
    """Whether the error at depth 8, knowledge 1, is nearer to a third of Monte Carlo's than to a quarter or a half."""

    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        errors = Errors(rows)
        one, base = (ErrorPoint(algorithm, 8, errors.most_known()) for algorithm in (name, MC))
        rates = [rate.value for point in (one, base) if (rate := errors.rate(point))]
        low, high = (errors.excess(one, base, share, sure(2, confidence)) for share in A_THIRD)
        if not low or not high:
            return Verdict.of(None, "no trees of depth 8")
        checks = [ClaimCheck.of("", low, _not_less), ClaimCheck.of("", negative(high), _not_less)]
        words = f"{rates[0]:.1%} of trees against {rates[1]:.1%}: {rates[0] / rates[1]:.3f} of it"
        return replace(all_of(checks, ""), because=words)

    return verdict


def _not_less(figure: Estimate) -> bool | None:
    return at_least(figure, 0)


def crosses(name: str) -> Judge:
    """Whether an algorithm is worse than Monte Carlo at knowledge 0, and from 5/9 better than both simple ones."""

    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        errors = Errors(rows)
        most, depths = errors.most_known(), [depth for depth in errors.depths() if depth > 2]
        if most <= ABOUT:
            return Verdict.of(None, f"MIN knows at most {most} worlds")
        if not set(DEPTHS) <= set(depths):
            return Verdict.of(None, _TOO_FEW)
        at_first = [ErrorPair(f"depth {d}, knowledge 0", ErrorPoint(name, d, 0), ErrorPoint(MC, d, 0)) for d in depths]
        beyond = [
            ErrorPair(
                f"depth {d}, knowledge {k}/9, {other} less {name}", ErrorPoint(other, d, k), ErrorPoint(name, d, k)
            )
            for other, d, k in product((MC, VECTOR_MM), depths, range(ABOUT + 1, most + 1))
        ]
        each = sure(2, confidence)
        checks = [*check_all(errors, at_first + beyond, each), *_at_about(errors, name, depths, each)]
        return judge_all(checks, _TOO_FEW)

    return verdict


def _at_about(errors: Errors, name: str, depths: list[int], confidence: float) -> list[ClaimCheck]:
    """At 5/9 itself, of which the paper says "about": on average over depths."""
    checks = []
    for other in (MC, VECTOR_MM):
        pairs = [ErrorPair("", ErrorPoint(other, d, ABOUT), ErrorPoint(name, d, ABOUT)) for d in depths]
        found = [pair for pair in pairs if errors.rate(pair.more)]
        gains = [errors.difference(pair.more, pair.less, sure(2, confidence)) for pair in found]
        words = f"knowledge {ABOUT}/9, all depths, {other} less {name}"
        checks += [ClaimCheck.of(words, mean_of([gain for gain in gains if gain]), more)] if gains else []
    return checks


def never_worse(name: str) -> Judge:
    """Whether an algorithm errs at no point more than vector-mm: up to a point if that is in doubt."""

    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        errors = Errors(rows)
        places = [point for point in errors.points if point.algorithm == VECTOR_MM]
        pairs = [
            ErrorPair(f"depth {one.depth}, knowledge {one.known}/9: better by", one, replace(one, algorithm=name))
            for one in places
        ]
        return judge_all(check_all(errors, pairs, confidence, _no_worse), "nothing measured")

    return verdict


def _no_worse(gain: Estimate) -> bool | None:
    """No if it is below zero; yes if it is at most so little below that it is not worth speaking of."""
    return False if gain.high < 0 else True if gain.low > -MARGIN else None


def easier_deeper(name: str) -> Judge:
    """Whether depths 7 and 8 are both easier than 5 and than 6 at knowledge 1."""

    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        errors = Errors(rows)
        known = errors.most_known()
        pairs = [
            ErrorPair(f"depth {one} less {two}", ErrorPoint(name, one, known), ErrorPoint(name, two, known))
            for one, two in product((5, 6), (7, 8))
        ]
        checks = check_all(errors, pairs, confidence)
        return judge_all(checks if len(checks) == len(pairs) else [], "no trees of depth 5 to 8")

    return verdict


def ivm_is_bounded(rows: Rows, _confidence: float = CONFIDENCE) -> Verdict:
    """No tree in which ivm errs against a MIN who knows everything and the best strategy wins one world or none."""
    errors, told = Errors(rows), []
    for depth in errors.depths():
        ivm = ErrorPoint("ivm", depth, errors.most_known())
        rate, several = errors.rate(ivm), errors.several(replace(ivm, algorithm="optimum"))
        if rate is None:
            continue
        beyond = round(rate.value * rate.count) - errors.several(ivm)
        if beyond:
            return Verdict.of(False, f"depth {depth}: {beyond} errors where the best strategy wins one world or none")
        told.append(f"{rate.value:.1%} of at most {several / rate.count:.1%} at depth {depth}")
    return Verdict.of(True if told else None, ", ".join(told[-4:]) or "nothing measured")


def no_third_for_ivm(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Depth 8: the bound of ivm's error is less than any third of Monte Carlo's."""
    errors = Errors(rows)
    base = ErrorPoint(MC, 8, errors.most_known())
    rate = errors.rate(base, sure(2, confidence))
    if rate is None:
        return Verdict.of(None, "no trees of depth 8")
    bound = clopper_pearson(errors.several(replace(base, algorithm="optimum")), rate.count, sure(2, confidence))
    least = A_THIRD[0] * rate.low
    truth = True if bound.high < least else False if bound.low > A_THIRD[0] * rate.high else None
    words = f"ivm errs in at most {bound.value:.1%} of trees; around a third of Monte Carlo's {rate.value:.1%}"
    return Verdict.of(truth, f"{words} is {A_THIRD[0] * rate.value:.1%} or more")


# ---------------------------------------------------------------------- Fig 30


class BridgeErrors(NamedTuple):
    """FB01 Fig 28: how many of 650 problems an algorithm got wrong."""

    wrong: int
    problems: int = 650


BRIDGE = {
    str(record["algorithm"]): BridgeErrors(650 - cast("int", record["optimal"]))
    for record in published_numbers("worldwise.lab.published", "fb01-fig-28.csv").records()
}
"""By algorithm, in the order of Fig 28."""


def bridge_order(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """At knowledge 1 and depth 8 each of the nine errs more than the next of Fig 28, but for one draw."""
    errors = Errors(rows)
    depth, known = DEPTHS[-1], errors.most_known()
    order = [pair for pair in pairwise(BRIDGE) if pair != ("ivm-beta", "iprm")]
    pairs = [
        ErrorPair(f"{one} less {two}", ErrorPoint(one, depth, known, 0.75), ErrorPoint(two, depth, known, 0.75))
        for one, two in order
    ]
    return judge_all(check_all(errors, pairs, confidence), f"no trees of depth {depth}")


def matching_q(errors: Errors, name: str, depth: int) -> float | None:
    """The q at which an algorithm errs as often as in Bridge, between those measured; None if it never does."""
    known, target = errors.most_known(), BRIDGE[name].wrong / BRIDGE[name].problems
    along = [
        (q, rate.value)
        for q in errors.similarities()
        if (rate := errors.rate(ErrorPoint(name, depth, known, q))) is not None
    ]
    for (low, above), (high, below) in reversed(list(pairwise(along))):  # from the right: there rates fall
        if above >= target >= below and above > below:
            return low + (high - low) * (above - target) / (above - below)
    return None


def bridge_q(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether at some depth every algorithm errs as often as in Bridge for a q from 0.65 to 0.85."""
    errors = Errors(rows)
    depths = errors.depths()
    each = sure(2 * len(BRIDGE) * len(depths), confidence)
    found = {depth: [check for name in BRIDGE for check in _matches(errors, name, depth, each)] for depth in depths}
    verdicts = {depth: all_of(checks, "q = 0.65 and 0.85 were not measured") for depth, checks in found.items()}
    outcomes = [verdict.outcome.value for verdict in verdicts.values()]
    everywhere_not = set(outcomes) == {"fails"} and set(DEPTHS) <= set(depths)
    truth = True if "holds" in outcomes else False if everywhere_not else None
    return Verdict.of(truth, _all_q(errors, depths[-1]))


def _matches(errors: Errors, name: str, depth: int, confidence: float) -> list[ClaimCheck]:
    """At 0.65 it errs at least as often as in Bridge, at 0.85 at most as often."""
    target = BRIDGE[name].wrong / BRIDGE[name].problems
    points = [ErrorPoint(name, depth, errors.most_known(), q) for q in MATCH]
    rates = [rate for point in points if (rate := errors.rate(point, confidence))]
    tests: tuple[Test, ...] = (lambda rate: at_least(rate, target), lambda rate: at_most(rate, target))
    found = zip(points, rates, tests, strict=True) if len(rates) == len(points) else ()
    return [ClaimCheck.of(f"{name} at {point.similarity}", rate, test) for point, rate, test in found]


def _all_q(errors: Errors, depth: int) -> str:
    found = {name: matching_q(errors, name, depth) for name in BRIDGE}
    told = ", ".join(f"{name} {'never' if q is None else f'{q:.2f}'}" for name, q in found.items())
    return f"depth {depth}: {told}"


# ---------------------------------------------------------------------- beyond the papers


def _full(name: str, depth: int, branching: int = 2, worlds: int = 10) -> ErrorPoint:
    """Where MIN knows everything."""
    return ErrorPoint(name, depth, worlds - 1, 0.0, branching, worlds)


def order_at_any_branching(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Against a MIN who knows everything, Monte Carlo > vector-mm > prm > iprm at each branching, at its deepest."""
    errors = Errors(rows)
    pairs = []
    for branching in sorted({point.branching for point in errors.points}):
        depth = max(point.depth for point in errors.points if point.branching == branching)
        pairs += [
            ErrorPair(
                f"branching {branching}: {one} less {two}", _full(one, depth, branching), _full(two, depth, branching)
            )
            for one, two in pairwise((MC, VECTOR_MM, "prm", "iprm"))
        ]
    return judge_all(check_all(errors, pairs, confidence), "nothing measured")


def more_worlds_more_error(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Against a MIN who knows everything, each algorithm errs more often at the most worlds than at the fewest."""
    errors = Errors(rows)
    depth, counts = max(errors.depths()), sorted({point.worlds for point in errors.points})
    few, many = counts[0], counts[-1]
    pairs = [
        ErrorPair(f"{name}, {many} worlds less {few}", _full(name, depth, worlds=many), _full(name, depth, worlds=few))
        for name in errors.algorithms()
    ]
    return judge_all(check_all(errors, pairs, confidence) if many > few else [], "one number of worlds only")
