"""What FB01 and FBM97 say of Monte Carlo on random trees, as questions that rows answer.

A claim holds if the data show it, fails if they show the opposite or that there is nothing worth speaking of, and is
otherwise undecided; ``lab.comparisons`` says how.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from worldwise.core.statistics import CONFIDENCE
from worldwise.lab.comparisons import ClaimCheck, above, all_of, at_least, sure, within
from worldwise.lab.experiment import Verdict
from worldwise.lab.papers.fb01.checks import ErrorPair, check_all, judge_all, mean_of, negative
from worldwise.lab.papers.fb01.errors import ErrorPoint, Errors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.lab.experiment import Judge
    from worldwise.runs.rows import Rows

MC = "monte-carlo"

DEEP = 11
"""From here on trees are as large as what is said of large ones needs."""

NEARLY = 0.95
"""Where an error that "approaches 100 %" must have come to."""

A_TENTH = (0.09, 0.11)
"""A loss that has come to 0.1."""

FIG_8 = range(2, 9)
"""The depths of Fig 8, on which the regions A to D are marked."""

SAME = 0.02
"""How near rates must come that "converge towards the same answer": two percentage points."""

FIG_13 = 11
"""The depth of FBM97 Fig 13."""

THIRD = 0.35
"""The error that FBM97 reads off there at q = 0.70."""


def _along(errors: Errors, depth: int, similarity: float = 0.0) -> list[ErrorPoint]:
    """All levels of knowledge at a depth."""
    return [ErrorPoint(MC, depth, known, similarity) for known in range(errors.most_known() + 1)]


# ---------------------------------------------------------------------- Figs 7 and 8


def to_one(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """At the greatest depth, 11 or more, the error is 95 % or more at every level."""
    errors = Errors(rows)
    depth = max(errors.depths())
    if depth < DEEP:
        return Verdict.of(None, f"the deepest trees have depth {depth}")
    points = _along(errors, depth)
    rates = [rate for point in points if (rate := errors.rate(point, sure(len(points), confidence)))]
    checks = [ClaimCheck.of("", rate, lambda rate: at_least(rate, NEARLY)) for rate in rates]
    words = f"depth {depth}: {min(rate.value for rate in rates):.1%} at least, over all levels of knowledge"
    return replace(all_of(checks, ""), because=words)


def loss_is_a_tenth(*, everywhere: bool) -> Judge:
    """At the greatest depth, for a MIN who knows everything, or at every level of his knowledge."""

    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        errors = Errors(rows)
        depth = max(errors.depths())
        if depth < DEEP:
            return Verdict.of(None, f"the deepest trees have depth {depth}")
        points = _along(errors, depth)
        asked = points if everywhere else points[-1:]
        losses = [loss for point in asked if (loss := errors.loss(point, sure(len(asked), confidence)))]
        checks = [ClaimCheck.of("", loss, lambda loss: within(loss, *A_TENTH)) for loss in losses]
        words = ", ".join(f"{loss.value:.3f}" for loss in losses)
        of = "knowledge 0 to 1" if everywhere else "knowledge 1"
        return replace(all_of(checks, ""), because=f"depth {depth}: {words} at {of}")

    return verdict


def region_a(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Depth 2: the error falls with every world more that MIN knows, and is gone at the end."""
    errors = Errors(rows)
    points = _along(errors, 2)
    steps = [ErrorPair(f"knowledge {one.known}/9 less {two.known}/9", one, two) for one, two in pairwise(points)]
    last = errors.rate(points[-1])
    if last and last.value > 0:
        return Verdict.of(False, f"{last.value:.1%} at knowledge 1, where depth 2 has nothing left to go wrong")
    return judge_all(check_all(errors, steps, confidence), "no trees of depth 2")


def region_b(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Knowledge 0, the depths of Fig 8: each level more errs more."""
    errors = Errors(rows)
    points = [ErrorPoint(MC, depth, 0) for depth in FIG_8]
    steps = [ErrorPair(f"depth {two.depth} less {one.depth}", two, one) for one, two in pairwise(points)]
    checks = check_all(errors, steps, confidence)
    return judge_all(checks if len(checks) == len(steps) else [], "it takes trees of every depth from 2 to 8")


def region_c(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Every depth but 2: knowledge 1 errs more than knowledge 0."""
    errors = Errors(rows)
    known, depths = errors.most_known(), [depth for depth in errors.depths() if depth != 2]
    ends = [ErrorPair(f"depth {depth}", ErrorPoint(MC, depth, known), ErrorPoint(MC, depth, 0)) for depth in depths]
    return judge_all(check_all(errors, ends, confidence), "no depth but 2")


def region_d(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Odd d: the error of d + 1 is another at knowledge 0, and the same up to two points at knowledge 1."""
    errors = Errors(rows)
    known, depths = errors.most_known(), errors.depths()
    odd = [depth for depth in depths if depth % 2 and depth + 1 in depths]
    each = sure(2, confidence)
    apart = [_next_depth(depth, 0) for depth in odd]
    near = [_next_depth(depth, known) for depth in odd]
    checks = check_all(errors, apart, each, lambda gap: above(gap, SAME))
    checks += check_all(errors, near, each, lambda gap: within(gap, -SAME, SAME))
    return judge_all(checks, "no odd depth with its even neighbour")


def _next_depth(depth: int, known: int) -> ErrorPair:
    words = f"depth {depth + 1} less {depth}, knowledge {known}/9"
    return ErrorPair(words, ErrorPoint(MC, depth + 1, known), ErrorPoint(MC, depth, known))


# ---------------------------------------------------------------------- Fig 29


def falls_with_similarity(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """At the depth of FBM97 Fig 13 and knowledge 1, each tenth of q lowers the error."""
    errors = Errors(rows)
    along = [ErrorPoint(MC, FIG_13, errors.most_known(), q) for q in errors.similarities()]
    tenths = [
        ErrorPair(f"q = {one.similarity:.2f} less {two.similarity:.2f}", one, two)
        for one in along
        for two in along
        if round(two.similarity - one.similarity, 6) == 0.1
    ]
    return judge_all(check_all(errors, tenths, confidence), f"no trees of depth {FIG_13} a tenth of q apart")


def third_at_seventy(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Depth 11, knowledge 1: between q = 0.675 and 0.725, halfway to the next curves, the error is 35 %."""
    errors = Errors(rows)
    points = [ErrorPoint(MC, FIG_13, errors.most_known(), q) for q in (0.65, 0.7, 0.75)]
    rates = [rate for point in points if (rate := errors.rate(point, sure(2, confidence)))]
    if len(rates) < len(points):
        return Verdict.of(None, f"no trees of depth {FIG_13} at q = 0.65, 0.70 and 0.75")
    low, high = mean_of(rates[:2]), mean_of(rates[1:])
    checks = [
        ClaimCheck.of("", low, lambda rate: above(rate, THIRD)),
        ClaimCheck.of("", negative(high), lambda rate: above(rate, -THIRD)),
    ]
    return replace(all_of(checks, ""), because=_about_seventy(errors, [rate.value for rate in rates]))


def _about_seventy(errors: Errors, rates: Sequence[float]) -> str:
    levels = [rate.value for point in _along(errors, FIG_13, 0.7) if (rate := errors.rate(point))]
    found = "knowledge 1: {:.1%} at q = 0.65, {:.1%} at 0.70, {:.1%} at 0.75".format(*rates)
    return f"{found}; q = 0.70 at other levels: {min(levels):.1%} to {max(levels):.1%}"
