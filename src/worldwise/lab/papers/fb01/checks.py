"""Comparisons of error rates that claims are made of, and how a claim that makes many of them tells what it found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from worldwise.core.statistics import CONFIDENCE, Estimate, joint_error
from worldwise.lab.comparisons import ClaimCheck, all_of, more, sure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from worldwise.lab.experiment import Verdict
    from worldwise.lab.papers.fb01.errors import ErrorPoint, Errors

    Test = Callable[[Estimate], bool | None]

SHOWN = 3
"""As many comparisons are told; of the others only how many there are."""


class ErrorPair(NamedTuple):
    """Two points: what is claimed is that the first errs more than the second."""

    words: str
    more: ErrorPoint
    less: ErrorPoint


def check_all(
    errors: Errors, pairs: Iterable[ErrorPair], confidence: float = CONFIDENCE, judged: Test = more
) -> list[ClaimCheck]:
    """All comparisons that were measured; their intervals are right together."""
    found = [pair for pair in pairs if errors.rate(pair.more) and errors.rate(pair.less)]
    each = sure(len(found), confidence)
    differences = [(pair.words, errors.difference(pair.more, pair.less, each)) for pair in found]
    return [ClaimCheck.of(words, figure, judged) for words, figure in differences if figure]


def judge_all(checks: Sequence[ClaimCheck], otherwise: str) -> Verdict:
    """Whether all are as claimed; told are the nearest to failing, or those that fail, or those that are open."""
    verdict = all_of(checks, otherwise)
    told = [check for check in checks if check.truth is _truth(verdict)]
    if len(checks) <= SHOWN or not told:
        return verdict
    nearest = sorted(told, key=lambda check: check.figure.value)[: 1 if verdict.decided and told == checks else SHOWN]
    rest = "the least is" if told == checks else "namely"
    return replace(verdict, because=f"{_count_words(verdict, told, checks)}, {rest} {'; '.join(map(str, nearest))}")


def _truth(verdict: Verdict) -> bool | None:
    return {"holds": True, "fails": False}.get(verdict.outcome.value)


def _count_words(verdict: Verdict, told: Sequence[ClaimCheck], checks: Sequence[ClaimCheck]) -> str:
    words = {"holds": "as claimed", "fails": "against it", "undecided": "open"}[verdict.outcome.value]
    return f"{len(told)} of {len(checks)} comparisons {words}"


def negative(figure: Estimate) -> Estimate:
    """The same figure with the other sign, so that what is asked of more can be asked of less."""
    return replace(figure, value=-figure.value, low=-figure.high, high=-figure.low)


def mean_of(figures: Sequence[Estimate]) -> Estimate:
    """The mean of independent figures.

    >>> mean = mean_of([Estimate(0.1, 0.07, 0.13, 10), Estimate(0.3, 0.26, 0.34, 20)])
    >>> f"{mean.value:.3f} [{mean.low:.3f}, {mean.high:.3f}] of {mean.count}"
    '0.200 [0.175, 0.225] of 30'
    """
    value = sum(figure.value for figure in figures) / len(figures)
    down = up = 0.0
    for figure in figures:
        down = joint_error(down, (figure.value - figure.low) / len(figures))
        up = joint_error(up, (figure.high - figure.value) / len(figures))
    return Estimate(value, value - down, value + up, sum(figure.count for figure in figures), figures[0].percent)
