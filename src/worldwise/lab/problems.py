"""Advice measured by problems: which adviser finds the right card, technique by technique."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from worldwise.bridge.advice.advise import advise
from worldwise.bridge.layouts.bidding_systems import NO_SYSTEM
from worldwise.core.result import Limit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from worldwise.bridge.advice.record import Advice
    from worldwise.bridge.rules.deal import Card
    from worldwise.catalog import Problem

    Adviser = Callable[..., Advice]

DEPTHS = range(1, 6)
"""How many cards ahead alpha-mu looks beside its default, which is as far as its effort goes."""

_card = partial(advise, planning=False, trying=False)

ADVISERS: dict[str, Adviser] = {
    "PIMC": partial(_card, algorithm="pimc"),
    **{f"M = {depth}": partial(_card, limit=Limit(depth=depth)) for depth in DEPTHS},
    "advise": _card,
}
"""Who is measured: sampling, alpha-mu so many cards ahead, and advice as anyone gets it."""

DEFENDERS: dict[str, Adviser] = {"no auction": partial(_card, system=NO_SYSTEM), "advise": _card}
"""The same for a defender, who is advised by sampling: one who has not heard the auction, and one who has."""


@dataclass(frozen=True)
class AdviserAnswer:
    """What an adviser plays in a problem, and how long that took."""

    problem: Problem
    adviser: str
    card: Card
    seconds: float

    @property
    def right(self) -> bool:
        """Whether that is right."""
        return self.card in self.problem.right


def answers(problems: Iterable[Problem], advisers: Sequence[str], *, seed: int = 0) -> Iterator[AdviserAnswer]:
    """Every problem put to every adviser.

    >>> from worldwise.catalog import problems
    >>> [answer.right for answer in answers(problems()[:1], ["advise"])]
    [True]
    """
    for problem in problems:
        for name in advisers:
            found = (ADVISERS | DEFENDERS)[name](problem.view, constraints=problem.constraints, seed=seed)
            yield AdviserAnswer(problem, name, found.card, found.seconds)


def right_by_technique(found: Sequence[AdviserAnswer]) -> dict[str, Counter[str]]:
    """For each technique, how many problems each adviser got right."""
    counted: dict[str, Counter[str]] = {}
    for answer in found:
        counted.setdefault(answer.problem.technique, Counter())[answer.adviser] += answer.right
    return counted
