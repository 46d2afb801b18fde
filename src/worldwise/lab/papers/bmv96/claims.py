"""What BMV96 says of IMP-alpha-beta's average case, as questions that rows answer.

The verdicts go by leaves, and by payoffs drawn evenly from 0 to 10; what nodes and other payoffs give is said beside.
A claim that makes many comparisons widens its intervals, so that all of them together are right with the
confidence asked for (Bonferroni).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from worldwise.core.statistics import CONFIDENCE, Estimate
from worldwise.lab.comparisons import ClaimCheck, above, all_of, at_most, sure, within
from worldwise.lab.experiment import Verdict
from worldwise.lab.papers.bmv96.ratios import MAIN, ModelPoint, Ratios

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

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
    """Lines of points along which the ratio should move as claimed: the gain from end to end, and from step to step.

    A line is clear if its ends are; a step in between may be too small to see, but must not go the other way.
    """

    ends: tuple[ClaimCheck, ...]
    steps: tuple[ClaimCheck, ...]

    @property
    def verdict(self) -> Verdict:
        """Whether all lines are clear; a single step against the claim refutes it."""
        return replace(all_of([*self.ends, *self.steps], ""), because=str(self))

    def __str__(self) -> str:
        words = f"{sum(end.truth is True for end in self.ends)} of {len(self.ends)} lines"
        against = [step for step in self.steps if step.truth is False]
        more = f" and {len(against) - 1} more" if len(against) > 1 else ""
        return f"{words}, against it {against[0]}{more}" if against else words


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

    def check(one: ModelPoint, two: ModelPoint, judged: Callable[[Estimate], bool | None]) -> ClaimCheck:
        words = f"{_name_point(one, along)} to {getattr(two, along):,}: gain"
        gain = ratios.difference(*((two, one) if sign > 0 else (one, two)), each)
        return ClaimCheck.of(words, gain, judged) if gain else ClaimCheck(words, _UNKNOWN, None)

    ends = tuple(check(line[0], line[-1], above) for line in lines)
    steps = tuple(check(one, two, _is_not_against) for line in lines for one, two in pairwise(line))
    return Trend(ends, steps)


_UNKNOWN = Estimate(0.0, -inf, inf, 0, percent=True)


def _is_not_against(gain: Estimate) -> bool:
    return gain.high >= 0


def moves(along: str, sign: int) -> Judge:
    """Whether the ratio rises or falls along k, b or d, for the main payoffs; the others are told beside."""

    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        ratios = Ratios(rows)
        found = {
            highest: trend(ratios, [one for one in ratios.points if one.highest == highest], along, sign, confidence)
            for highest in ratios.highest()
        }
        words = [f"payoffs 0 to {highest:,}: {one}" for highest, one in found.items() if one.ends]
        if MAIN not in found or not words:
            return Verdict.of(None, f"one {along} only")
        return replace(found[MAIN].verdict, because="; ".join(words))

    return verdict


def fewer_payoffs_more_pruning(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether the ratio rises with the number of different payoffs, at every point where several were tried."""
    ratios = Ratios(rows)
    found = trend(ratios, ratios.points, "highest", 1, confidence)
    at = _deepest_of_all(ratios, FAVOURABLE)
    shares = ((highest, ratios.ratio(replace(at, highest=highest))) for highest in sorted(ratios.highest()))
    examples = ", ".join(f"0 to {highest:,}: {ratio.value:.2%}" for highest, ratio in shares if ratio)
    words = f"{found}; {_name_point(at, 'd')}, payoffs {examples}" if examples else str(found)
    return replace(found.verdict, because=words if found.ends else "one kind of payoffs only")


def _deepest_of_all(ratios: Ratios, like: ModelPoint) -> ModelPoint:
    """The greatest depth at which every kind of payoffs was tried."""
    depths = [{one.d for one in points_like(ratios, replace(like, highest=kind))} for kind in ratios.highest()]
    return replace(like, d=max(set.intersection(*depths), default=0))


def _name_point(point: ModelPoint, last: str) -> str:
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
    check = ClaimCheck.of("", last, lambda share: at_most(share, 0.2))
    return replace(all_of([check], ""), because=_by_depth(ratios, FAVOURABLE))


def about_96_percent(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether every depth is within three percentage points of 96 % where b = 2 and k = 10."""
    ratios = Ratios(rows)
    points = points_like(ratios, UNFAVOURABLE)
    found = [ratios.sure(point, sure(len(points), confidence)) for point in points]
    about = [ClaimCheck.of("", ratio or _UNKNOWN, _is_about_96) for ratio in found]
    words = _by_depth(ratios, UNFAVOURABLE) or "no trees with k = 10 and b = 2"
    return replace(all_of(about, ""), because=words)


def _is_about_96(share: Estimate) -> bool | None:
    return within(share, 0.96 - _ABOUT, 0.96 + _ABOUT)


def _by_depth(ratios: Ratios, like: ModelPoint) -> str:
    """The ratios at all depths for each kind of payoffs, and the share of nodes, of which the paper speaks."""
    rows = [_row(ratios, replace(like, highest=highest)) for highest in ratios.highest()]
    deepest = max(points_like(ratios, like), default=None)
    nodes = f"of all nodes {ratios.visited_share(deepest):.1%} at depth {deepest.d}" if deepest else ""
    return "; ".join(filter(None, (rows[0], nodes, *rows[1:])))


def _row(ratios: Ratios, like: ModelPoint) -> str:
    points = points_like(ratios, like)
    found = [(point.d, ratio.value) for point in points if (ratio := ratios.ratio(point))]
    shown = ", ".join(f"{value:.1%}" for _, value in found)
    return f"payoffs 0 to {like.highest:,}: {shown} at depths {found[0][0]} to {found[-1][0]}" if found else ""
