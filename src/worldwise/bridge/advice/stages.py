"""Advice for those who look on while it is worked out: a first answer from a few layouts, then better ones."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from worldwise.bridge.advice.advise import AdviceMemory, advise
from worldwise.bridge.layouts.bidding_systems import DEFAULT_SYSTEM
from worldwise.bridge.layouts.carding import Carding
from worldwise.bridge.rules.contract import Vulnerability
from worldwise.bridge.rules.goal import Aim
from worldwise.bridge.solvers.pimc import SolverCache
from worldwise.core.result import Limit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldwise.bridge.advice.record import Advice
    from worldwise.bridge.layouts.constraints import Constraint
    from worldwise.bridge.rules.view import View

STAGES: tuple[tuple[int, int | None], ...] = ((6, 1), (20, 1), (20, 2), (40, 3), (40, 5), (60, None))
"""The worlds, and how many cards ahead, of one answer after the other; None is as far as the effort goes."""


def advise_in_stages(
    view: View,
    *,
    constraints: Sequence[Constraint] = (),
    aim: Aim = Aim.MAKE,
    vulnerability: Vulnerability = Vulnerability.NONE,
    carding: Carding = Carding.EQUAL,
    system: str = DEFAULT_SYSTEM,
    stages: Sequence[tuple[int, int | None]] = STAGES,
    seed: int = 0,
) -> Iterator[Advice]:
    """Advice that comes soon, and gets better: more worlds, and further ahead, until nothing is left to look at.

    The first answer has no plan yet, and only the last has a trial: they take longer than the figures. The worlds of
    one answer are among those of the next, and what was solved is kept.

    >>> from worldwise.catalog import deal
    >>> found = advise_in_stages(deal("deals/two-way-guess").view, stages=((3, 1), (5, 1)))
    >>> [(len(advice.worlds), advice.depth) for advice in found]
    [(15, 1), (15, 1)]
    """
    memory = AdviceMemory(SolverCache(view.contract.strain))
    asked = partial(advise, view, constraints=constraints, aim=aim, vulnerability=vulnerability)
    asked = partial(asked, carding=carding, system=system, memory=memory)
    found, planned = None, False
    for worlds, depth in stages:
        if found is not None and planned and _is_settled(found, worlds, depth):
            continue
        planned, last = found is not None, depth is None
        limit = Limit(depth=depth)
        found = asked(worlds=worlds, limit=limit, seed=seed, planning=planned, trying=last)
        yield found


def _is_settled(found: Advice, worlds: int, depth: int | None) -> bool:
    """Whether a stage can only say again what is known."""
    same = found.exact or len(found.worlds) >= worlds
    deep = found.to_the_end or (depth is not None and found.depth >= depth)
    return same and deep
