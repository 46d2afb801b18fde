"""A value for every move: what each search answers that compares the moves of one player over what may be hidden."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isclose
from typing import TYPE_CHECKING, Generic, TypeVar

from worldwise.core.result import Stats

if TYPE_CHECKING:
    from collections.abc import Mapping

AnyMove = TypeVar("AnyMove")

ROUNDING = 1e-9
"""Moves whose values differ by less are equally good: sums of floats depend on their order."""


@dataclass(frozen=True, kw_only=True)
class MoveValues(Generic[AnyMove]):
    """What each move is worth, and how that was found.

    ``algorithm``        who says so
    ``values``           a value for every move, in the order in which the moves were given
    ``best``             the move to make; None where there is no move
    ``depth``            how many moves ahead were searched
    ``worlds_searched``  over how many worlds: layouts, boards or histories
    ``complete``         False if a limit cut the search short

    >>> MoveValues(algorithm="by hand", values={"pass": 0.0, "double": 1.5}, best="double", depth=1, worlds_searched=2)
    MoveValues(algorithm='by hand', values={'pass': 0.0, 'double': 1.5}, best='double', depth=1, worlds_searched=2)
    """

    algorithm: str
    values: Mapping[AnyMove, float]
    best: AnyMove | None
    depth: int
    worlds_searched: int
    complete: bool = field(default=True, repr=False)
    stats: Stats = field(default=Stats(), compare=False, repr=False)


def first_best(values: Mapping[AnyMove, float]) -> AnyMove:
    """The first of the moves that are worth the most, but for rounding.

    >>> first_best({"a": 0.3, "b": 0.1 + 0.2, "c": 0.2})
    'a'
    """
    most = max(values.values())
    return next(move for move, value in values.items() if isclose(value, most, rel_tol=ROUNDING, abs_tol=ROUNDING))
