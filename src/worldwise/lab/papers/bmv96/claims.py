"""What BMV96 says of IMP-alpha-beta's average case, as questions that rows answer.

The verdicts go by leaves, and by payoffs drawn evenly from 0 to 10; what nodes and other payoffs give is said beside.
A claim that makes many comparisons widens its intervals, so that all of them together are right with the
confidence asked for (Bonferroni).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from worldwise.core.statistics import CONFIDENCE
from worldwise.lab.comparisons import sure
from worldwise.lab.experiment import Verdict
from worldwise.lab.papers.bmv96.ratios import MAIN, ModelPoint, Ratios

if TYPE_CHECKING:
    from collections.abc import Iterable

    from worldwise.core.statistics import Estimate
    from worldwise.lab.experiment import Judge
    from worldwise.runs.rows import Rows

FAVOURABLE = ModelPoint(k=2, b=10, d=2)
UNFAVOURABLE = ModelPoint(k=10, b=2, d=2)

_ABOUT = 0.03
"""How far from 96 % still is "about 96 %": three percentage points."""

_DEEP = 5
"""The paper does not say at which depth fewer than 20 % are examined; shallower trees cannot contradict it."""


# ---------------------------------------------------------------------- does the ratio rise or fall along a parameter


class Trend(NamedTuple):
    """On how many lines of points the ratio clearly moves as claimed, of how many, and which single steps clearly not.

    A line is clear if its ends are; a step in between may be too small to see, but must not go the other way.
    """

    clear: int
    lines: int
    against: tuple[str, ...]

    @property
    def truth(self) -> bool | None:
        """Whether all lines are clear; a single step against the claim refutes it."""
        return False if self.against else True if self.lines and self.clear == self.lines else None

    def __str__(self) -> str:
        words = f"{self.clear} of {self.lines} lines"
        more = f" and {len(self.against) - 1} more" if len(self.against) > 1 else ""
        return f"{words}, against it {self.against[0]}{more}" if self.against else words


def lines_of(points: Iterable[ModelPoint], along: str) -> list[list[ModelPoint]]:
    """Points that differ in one parameter only, in its order."""
    lines: defaultdict[ModelPoint, list[ModelPoint]] = defaultdict(list)
    for point in sorted(points, key=lambda point: int(getattr(point, along))):
        lines[replace(point, **{along: 0})].append(point)
    return [line for line in lines.values() if len(line) > 1]


def trend(ratios: Ratios, points: Iterable[ModelPoint], along: str, sign: int, confidence: float = CONFIDENCE) -> Trend:
    """Whether the ratio rises (or falls, for a negative sign) along a parameter, with the others fixed."""
    lines = lines_of(points, along)
    each = sure(sum(map(len, lines)), confidence)

    def gain(one: ModelPoint, two: ModelPoint) -> Estimate | None:
        return ratios.difference(two, one, each) if sign > 0 else ratios.difference(one, two, each)

    ends = [gain(line[0], line[-1]) for line in lines]
    against = [
        f"{_named(one, along)} to {getattr(two, along):,} ({sign * step.value:+.1%})"
        for line in lines
        for one, two in pairwise(line)
        if (step := gain(one, two)) and step.high < 0
    ]
    return Trend(sum(end is not None and end.low > 0 for end in ends), len(lines), tuple(against))


def moves(along: str, sign: int) -> Judge:
    """Whether the ratio rises or falls along k, b or d, for the main payoffs; the others are told beside."""

    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        ratios = Ratios(rows)
        found = {
            highest: trend(ratios, [one for one in ratios.points if one.highest == highest], along, sign, confidence)
            for highest in ratios.highest()
        }
        words = [f"payoffs 0 to {highest:,}: {one}" for highest, one in found.items() if one.lines]
        return Verdict.of(found[MAIN].truth if MAIN in found else None, "; ".join(words) or f"one {along} only")

    return verdict


def fewer_payoffs_more_pruning(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether the ratio rises with the number of different payoffs, at every point where several were tried."""
    ratios = Ratios(rows)
    found = trend(ratios, ratios.points, "highest", 1, confidence)
    at = _deepest_of_all(ratios, FAVOURABLE)
    shares = ((highest, ratios.ratio(replace(at, highest=highest))) for highest in sorted(ratios.highest()))
    examples = ", ".join(f"0 to {highest:,}: {ratio.value:.2%}" for highest, ratio in shares if ratio)
    words = f"{found}; {_named(at, 'd')}, payoffs {examples}" if examples else str(found)
    return Verdict.of(found.truth, words if found.lines else "one kind of payoffs only")


def _deepest_of_all(ratios: Ratios, like: ModelPoint) -> ModelPoint:
    """The greatest depth at which every kind of payoffs was tried."""
    depths = [{one.d for one in points_like(ratios, replace(like, highest=kind))} for kind in ratios.highest()]
    return replace(like, d=max(set.intersection(*depths), default=0))


def _named(point: ModelPoint, last: str) -> str:
    """Where a point is, the parameter that varies named last."""
    names = [name for name in ("k", "b", "d") if name != last]
    return ", ".join(f"{name} = {getattr(point, name):,}" for name in (*names, last))


# ---------------------------------------------------------------------- the two figures


def points_like(ratios: Ratios, like: ModelPoint) -> list[ModelPoint]:
    """The points that differ from this one in depth alone."""
    return [point for point in ratios.points if replace(point, d=like.d) == like]


def less_than_a_fifth(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether the greatest depth, 5 or more, is below 20 % beyond doubt where b = 10 and k = 2."""
    ratios = Ratios(rows)
    points = points_like(ratios, FAVOURABLE)
    deepest = max((point.d for point in points), default=0)
    last = ratios.sure(replace(FAVOURABLE, d=deepest), confidence)
    if last is None or deepest < _DEEP:
        return Verdict.of(None, f"no trees of depth {_DEEP} or more with k = 2 and b = 10")
    truth = True if last.high < 0.2 else False if last.low > 0.2 else None
    return Verdict.of(truth, _by_depth(ratios, FAVOURABLE))


def about_96_percent(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether every depth is within three percentage points of 96 % where b = 2 and k = 10."""
    ratios = Ratios(rows)
    points = points_like(ratios, UNFAVOURABLE)
    found = [ratios.sure(point, sure(len(points), confidence)) for point in points]
    known = [ratio for ratio in found if ratio]
    if any(ratio.high < 0.96 - _ABOUT or ratio.low > 0.96 + _ABOUT for ratio in known):
        return Verdict.of(False, _by_depth(ratios, UNFAVOURABLE))
    inside = [ratio.low >= 0.96 - _ABOUT and ratio.high <= 0.96 + _ABOUT for ratio in known]
    enough = bool(known) and len(known) == len(found) and all(inside)
    return Verdict.of(enough or None, _by_depth(ratios, UNFAVOURABLE) or "no trees with k = 10 and b = 2")


def _by_depth(ratios: Ratios, like: ModelPoint) -> str:
    """The ratios at all depths for each kind of payoffs, and the share of nodes, of which the paper speaks."""
    rows = [_row(ratios, replace(like, highest=highest)) for highest in ratios.highest()]
    deepest = max(points_like(ratios, like), default=None)
    nodes = f"of all nodes {ratios.visited(deepest):.1%} at depth {deepest.d}" if deepest else ""
    return "; ".join(filter(None, (rows[0], nodes, *rows[1:])))


def _row(ratios: Ratios, like: ModelPoint) -> str:
    points = points_like(ratios, like)
    found = [(point.d, ratio.value) for point in points if (ratio := ratios.ratio(point))]
    shown = ", ".join(f"{value:.1%}" for _, value in found)
    return f"payoffs 0 to {like.highest:,}: {shown} at depths {found[0][0]} to {found[-1][0]}" if found else ""
