"""What FB01 and FBM97 say of random trees, as questions that rows answer.

A claim holds if the data show it, fails if they show the opposite, and is otherwise undecided: an interval
that contains zero decides nothing.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, cast

from worldwise.core.statistics import CONFIDENCE, Estimate
from worldwise.lab.comparisons import above, points, sure, together
from worldwise.lab.experiment import Verdict
from worldwise.lab.papers.fb01.errors import ErrorPoint, Errors
from worldwise.lab.table import published_numbers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from worldwise.lab.experiment import Judge
    from worldwise.runs.rows import Rows

MC = "monte-carlo"

Check = tuple[bool | None, str]
"""Whether one comparison came out as claimed, and its figures in words."""


def _all(checks: Iterable[Check], wanted: str) -> Verdict:
    """All must hold; one that fails decides; ``wanted`` says what is missing if there are none."""
    found = list(checks)
    truth = together(truth for truth, _ in found)
    shown = [words for one, words in found if one is truth or truth is True]
    return Verdict.of(truth, "; ".join(shown[:6]) or wanted)


Points = tuple[ErrorPoint, ErrorPoint]


def _differences(errors: Errors, pairs: Iterable[Points], confidence: float) -> list[Estimate | None]:
    """How much more often the one errs than the other of each pair; all intervals are right together."""
    found = list(pairs)
    return [errors.difference(*pair, sure(len(found), confidence)) for pair in found]


def _positive(difference: Estimate | None, words: str) -> Check:
    """Whether a difference is above zero, beyond doubt."""
    if difference is None:
        return None, f"{words}: not measured"
    return above(difference), f"{words} {points(difference)}"


def _not_negative(difference: Estimate | None, words: str) -> Check:
    """Whether a difference is not below zero beyond doubt."""
    truth, figures = _positive(difference, words)
    return (None if difference is None else truth is not False), figures


# ---------------------------------------------------------------------- Figs 7 and 8


def to_one(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """At the greatest depth, 11 or more, the error is above 85 % at every level."""
    errors = Errors(rows)
    depth = max(errors.depths())
    if depth < 11:
        return Verdict.of(None, f"the deepest trees have depth {depth}")
    levels = range(errors.most_known() + 1)
    found = [errors.rate(ErrorPoint(MC, depth, known), sure(len(levels), confidence)) for known in levels]
    rates = [rate for rate in found if rate]
    least = min(rate.value for rate in rates)
    truth = together(above(rate, 0.85) for rate in rates)
    return Verdict.of(truth, f"depth {depth}: {least:.1%} at least, over all levels of knowledge")


def loss_is_a_tenth(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """At the greatest depth, for a MIN who knows everything."""
    errors = Errors(rows)
    depth, known = max(errors.depths()), errors.most_known()
    loss = errors.loss(ErrorPoint(MC, depth, known), confidence)
    blind = errors.loss(ErrorPoint(MC, depth, 0))
    if depth < 11 or loss is None or blind is None:
        return Verdict.of(None, f"the deepest trees have depth {depth}")
    words = f"depth {depth}: {loss.value:.3f} at knowledge 1, {blind.value:.3f} at knowledge 0"
    return Verdict.of(0.09 <= loss.value <= 0.11, words)


def region_a(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Depth 2: less error against a MIN who knows than against one who does not, and none at all at the end."""
    errors = Errors(rows)
    known = errors.most_known()
    last = errors.rate(ErrorPoint(MC, 2, known))
    difference = errors.difference(ErrorPoint(MC, 2, 0), ErrorPoint(MC, 2, known), confidence)
    checks = [_positive(difference, "knowledge 0 less knowledge 1")]
    if last:
        checks.append((last.value == 0, f"{last.value:.1%} at knowledge 1"))
    return _all(checks, "no trees of depth 2")


def region_b(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Knowledge 0: depth d + 2 errs more than depth d. (Odd and even depths differ, see region D.)"""
    errors = Errors(rows)
    depths = errors.depths()
    pairs = [(depth, depth + 2) for depth in depths if depth + 2 in depths]
    if not pairs:
        return Verdict.of(None, "no two depths of one parity")
    compared = [(ErrorPoint(MC, two, 0), ErrorPoint(MC, one, 0)) for one, two in [(depths[0], depths[-1]), *pairs]]
    ends, *steps = _differences(errors, compared, confidence)
    checks = [_not_negative(step, f"depth {two} less {one}") for (one, two), step in zip(pairs, steps, strict=True)]
    return _all([_positive(ends, "deepest less shallowest"), *checks], "one depth only")


def region_c(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Every depth but 2: knowledge 1 errs more than knowledge 0."""
    errors = Errors(rows)
    known, depths = errors.most_known(), [depth for depth in errors.depths() if depth != 2]
    compared = [(ErrorPoint(MC, depth, known), ErrorPoint(MC, depth, 0)) for depth in depths]
    found = zip(depths, _differences(errors, compared, confidence), strict=True)
    return _all([_positive(difference, f"depth {depth}") for depth, difference in found], "no depth but 2")


def region_d(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Odd d: the gap to d + 1 at knowledge 1 is less than half of that at knowledge 0, or next to nothing."""
    errors = Errors(rows)
    known = errors.most_known()
    checks: list[Check] = []
    for depth in (d for d in errors.depths() if d % 2 and d + 1 in errors.depths()):
        gaps = _differences(
            errors, [(ErrorPoint(MC, depth + 1, k), ErrorPoint(MC, depth, k)) for k in (0, known)], confidence
        )
        if gaps[0] and gaps[1]:
            words = f"depths {depth}, {depth + 1}: {gaps[0].value:+.1%} at knowledge 0, {gaps[1].value:+.1%} at 1"
            near = abs(gaps[1].value) < max(abs(gaps[0].value) / 2, 0.02)
            checks.append((near if gaps[0].count >= 1000 else None, words))
    return _all(checks, "no odd depth with its even neighbour")


# ---------------------------------------------------------------------- Fig 27


def vector_mm_is_better(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """At four points of depth and knowledge in five, beyond depth 2, vector-mm errs less than Monte Carlo."""
    errors = Errors(rows)
    known = errors.most_known()
    places = [(depth, k) for depth in errors.depths() for k in range(known + 1) if depth > 2]
    compared = [(ErrorPoint(MC, *place), ErrorPoint("vector-mm", *place)) for place in places]
    differences = _differences(errors, compared, confidence)
    better = sum(1 for difference in differences if difference and difference.value > 0)
    worse = sum(1 for difference in differences if difference and difference.high < 0)
    words = f"better at {better} of {len(differences)} points beyond depth 2, clearly worse at {worse}"
    if not differences or (differences[0] is not None and differences[0].count < 1000):
        return Verdict.of(None, words)
    return Verdict.of(better > 0.8 * len(differences), words)


def third(name: str) -> Judge:
    """Whether the error at depth 8 and knowledge 1 is between a quarter and two fifths of Monte Carlo's."""

    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        errors = Errors(rows)
        known = errors.most_known()
        rate, base = (errors.rate(ErrorPoint(one, 8, known), confidence) for one in (name, MC))
        if not rate or not base:
            return Verdict.of(None, "no trees of depth 8")
        words = f"{rate.value:.1%} of trees against {base.value:.1%}: {rate.value / base.value:.2f} of it"
        return Verdict.of(0.25 <= rate.value / base.value <= 0.42, words)

    return verdict


def crosses(name: str) -> Judge:
    """Whether the algorithm is worse than Monte Carlo at knowledge 0 and better at 6/9 and 9/9, at depths 5 to 8."""

    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        errors = Errors(rows)
        depths = [depth for depth in errors.depths() if depth >= 5]
        each = sure(3 * len(depths), confidence)
        below = [_gap(errors, ErrorPoint(name, depth, 0), -1, each) for depth in depths]
        beyond = [_gap(errors, ErrorPoint(name, depth, known), 1, each) for depth in depths for known in (6, 9)]
        return _all([*below, *beyond], "no trees of depth 5 or more")

    return verdict


def _gap(errors: Errors, point: ErrorPoint, sign: int, confidence: float) -> Check:
    pair = replace(point, algorithm=MC), point
    one, other = pair if sign > 0 else pair[::-1]
    words = f"depth {point.depth}, knowledge {point.known}/9 {'better' if sign > 0 else 'worse'} by"
    return _not_negative(errors.difference(one, other, confidence), words)


def ivm_never_worse(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """At no point does ivm err more than vector-mm beyond doubt."""
    errors = Errors(rows)
    places = [(depth, known) for depth in errors.depths() for known in range(errors.most_known() + 1)]
    compared = [(ErrorPoint("vector-mm", *place), ErrorPoint("ivm", *place)) for place in places]
    checks = [
        _not_negative(difference, f"depth {depth}, knowledge {known}/9: better by")
        for (depth, known), difference in zip(places, _differences(errors, compared, confidence), strict=True)
    ]
    return _all(checks, "nothing measured")


def easier_deeper(name: str) -> Judge:
    """Whether depths 7 and 8 are easier than 5 and 6 at knowledge 1."""

    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        errors = Errors(rows)
        known = errors.most_known()
        pairs = ((5, 7), (6, 8))
        compared = [(ErrorPoint(name, one, known), ErrorPoint(name, two, known)) for one, two in pairs]
        found = zip(pairs, _differences(errors, compared, confidence), strict=True)
        checks = [_positive(difference, f"depth {one} less {two}") for (one, two), difference in found]
        return _all(checks, "no trees of depth 5 to 8")

    return verdict


# ---------------------------------------------------------------------- Figs 29 and 30


def falls_with_similarity(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """At the greatest depth and knowledge 1, no step in q raises the error beyond doubt, and the ends differ."""
    errors = Errors(rows)
    depth, known, steps = max(errors.depths()), errors.most_known(), errors.similarities()
    along = [ErrorPoint(MC, depth, known, q) for q in steps]
    pairs = list(pairwise(along))
    ends, *differences = _differences(errors, [(along[0], along[-1]), *pairs], confidence)
    checks = [
        _not_negative(difference, f"q {one.similarity} less {two.similarity}")
        for (one, two), difference in zip(pairs, differences, strict=True)
    ]
    return _all([_positive(ends, "first less last"), *checks], "one similarity only")


def third_at_seventy(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """The error at depth 11 and q = 0.70, over the levels of knowledge: whether 35 % is among them."""
    errors = Errors(rows)
    known = errors.most_known()
    ends = [errors.rate(ErrorPoint(MC, 11, k, 0.7), confidence) for k in (0, known)]
    if not ends[0] or not ends[1]:
        return Verdict.of(None, "no trees of depth 11 at q = 0.70")
    words = f"{ends[0].value:.1%} at knowledge 0, {ends[1].value:.1%} at knowledge 1"
    low, high = sorted((ends[0].value, ends[1].value))
    return Verdict.of(low - 0.05 <= 0.35 <= high + 0.05, words)


BRIDGE = {
    str(record["algorithm"]): float(cast("float", record["error"]))
    for record in published_numbers("worldwise.lab.published", "fb01-fig-28.csv").records()
}
"""FB01 Fig 28: the share of sub-optimal strategies on 650 problems."""


def bridge_order(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """At knowledge 1 and the greatest depth: Monte Carlo > vector-mm > vm-beta > prm > prm-beta, as in Bridge."""
    errors = Errors(rows)
    depth, known = max(errors.depths()), errors.most_known()
    order = list(pairwise((MC, "vector-mm", "vm-beta", "prm", "prm-beta")))
    compared = [(ErrorPoint(one, depth, known, 0.75), ErrorPoint(two, depth, known, 0.75)) for one, two in order]
    found = zip(order, _differences(errors, compared, confidence), strict=True)
    checks = [_positive(difference, f"{one} less {two}") for (one, two), difference in found]
    return _all(checks, "nothing measured")


def bridge_rates(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """At knowledge 1, some depth has every rate within ten percentage points of Bridge's."""
    errors = Errors(rows)
    known = errors.most_known()
    worst: dict[int, tuple[float, str]] = {}
    for depth in errors.depths():
        rates = {name: errors.rate(ErrorPoint(name, depth, known, 0.75), confidence) for name in BRIDGE}
        gaps = [(abs(rate.value - BRIDGE[name]), name) for name, rate in rates.items() if rate]
        worst[depth] = max(gaps)
    depth = min(worst, key=lambda d: worst[d])
    gap, name = worst[depth]
    if depth < 5 and max(errors.depths()) < 7:
        return Verdict.of(None, "no trees of depth 7 or more")
    return Verdict.of(gap < 0.1, f"nearest at depth {depth}: the largest gap is {gap:.1%}, for {name}")


# ---------------------------------------------------------------------- beyond the papers


def _full(name: str, depth: int, branching: int = 2, worlds: int = 10) -> ErrorPoint:
    """Where MIN knows everything."""
    return ErrorPoint(name, depth, worlds - 1, 0.0, branching, worlds)


def order_at_any_branching(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Against a MIN who knows everything, Monte Carlo > vector-mm > prm > iprm at each branching, at its deepest."""
    errors = Errors(rows)
    compared: list[Points] = []
    for branching in sorted({point.branching for point in errors.points}):
        depth = max(point.depth for point in errors.points if point.branching == branching)
        order = pairwise((MC, "vector-mm", "prm", "iprm"))
        compared += [(_full(one, depth, branching), _full(two, depth, branching)) for one, two in order]
    found = zip(compared, _differences(errors, compared, confidence), strict=True)
    checks = [
        _positive(difference, f"branching {one.branching}: {one.algorithm} less {two.algorithm}")
        for (one, two), difference in found
    ]
    return _all(checks, "nothing measured")


def more_worlds_more_error(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Against a MIN who knows everything, each algorithm errs at least as often at the most worlds as at the fewest."""
    errors = Errors(rows)
    depth, counts = max(errors.depths()), sorted({point.worlds for point in errors.points})
    names = errors.algorithms()
    compared = [(_full(name, depth, worlds=counts[-1]), _full(name, depth, worlds=counts[0])) for name in names]
    found = zip(names, _differences(errors, compared, confidence), strict=True)
    checks = [_not_negative(less, f"{name}, {counts[-1]} worlds less {counts[0]}") for name, less in found]
    return _all(checks, "nothing measured") if len(counts) > 1 else Verdict.of(None, "one number of worlds only")
