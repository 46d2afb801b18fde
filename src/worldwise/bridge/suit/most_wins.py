"""The most that one line can win from tables of a single suit, without their fronts, which may explode.

Whatever the defenders choose, declarer has to choose too: a third card, or one outcome of the front after the trick.
A line is one option of every such *choice*, and wins what all of them leave. Fronts between tricks are short, so the
choices are kept apart and searched by branch and bound: what is left, met with all that any option of a choice leaves,
is more than can come of it.
"""

from __future__ import annotations

from functools import reduce
from math import prod
from operator import and_, or_
from typing import TYPE_CHECKING, NamedTuple

from worldwise.bridge.suit.weighing import Mask, Scales
from worldwise.core.game import Side
from worldwise.errors import LimitReachedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from worldwise.bridge.suit.rules import SuitTable
    from worldwise.bridge.suit.solver import SuitSolver

MOST_MEETS = 20_000
"""A table whose front comes from more meets than this is not asked for it: its choices are searched instead."""

MOST_TRIES = 500
"""After so many, lines that weigh as much as the best are no longer looked at: that they are liked is a nicety."""


class Option(NamedTuple):
    """What is left of all worlds if declarer chooses so, and what he has to choose then."""

    wins: Mask
    then: tuple[Choice, ...] = ()


Choice = tuple[Option, ...]


class MostWins:
    """Finds the heaviest set of worlds in which one line reaches a goal.

    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> from worldwise.bridge.suit.rules import Suit
    >>> solver = SuitSolver(Suit.of("AKQ9", "32"))
    >>> lead, *_ = solver.goal(4).first_plays
    >>> wins = MostWins(solver, 4).after([solver.rules.after(solver.root, lead)])
    >>> float(solver.chance(solver.weight(wins)))
    0.24
    """

    def __init__(self, solver: SuitSolver, tricks: int) -> None:
        self.solver, self.tricks, self.rules = solver, tricks, solver.rules
        self.every = solver.suit.every_world
        self._fronts: dict[SuitTable, Choice] = {}

    def after(self, tables: Iterable[SuitTable], among: Mask | None = None, liked: Mask = 0) -> Mask:
        """What the best line wins, of the worlds ``among``, whichever of the tables the defenders may choose.

        Worlds that none of the tables allows count as won. Of equals it is a line that wins most of what is ``liked``,
        as long as these are not too many (``MOST_TRIES``).
        """
        choices = [choice for table in tables for choice in self._choices(table)]
        left = reduce(and_, map(_union, choices), self.every if among is None else among & self.every)
        search = _Search(self.solver, liked)
        search.look(left, [(id(choice), choice) for choice in choices])
        return search.wins

    # ------------------------------------------------------------------ choices

    def _choices(self, table: SuitTable) -> tuple[Choice, ...]:
        """All that declarer has to choose from a table on, to the end of the trick."""
        if not table.trick or (len(table.trick) > 1 and self._meets(table) <= MOST_MEETS):
            return (self._front(table),)
        following = [self._choices(self.rules.after(table, move)) for move in self.rules.options(table)]
        if self.rules.side(table) is Side.MIN:
            return tuple(choice for choices in following for choice in choices)
        return (tuple(Option(reduce(and_, map(_union, choices), self.every), choices) for choices in following),)

    def _meets(self, table: SuitTable) -> int:
        """How many outcomes are met with each other to get a table's front."""
        if not table.trick:
            return len(self._front(table))
        counts = [self._meets(self.rules.after(table, move)) for move in self.rules.options(table)]
        return prod(counts) if self.rules.side(table) is Side.MIN else sum(counts)

    def _front(self, table: SuitTable) -> Choice:
        if table not in self._fronts:
            elsewhere = self.every & ~self.rules.possible(table)
            self._fronts[table] = tuple(Option(mask | elsewhere) for mask in self.solver.front(table, self.tricks))
        return self._fronts[table]


def _union(choice: Choice) -> Mask:
    """All that some option of a choice leaves."""
    return reduce(or_, (option.wins for option in choice), 0)


class _Search:
    """Branch and bound over choices; the name of one, its ``id``, is kept as options fall away that cannot be best."""

    def __init__(self, solver: SuitSolver, liked: Mask) -> None:
        self.clock, weights = solver.clock, solver.suit.weights
        # A world's weight in units; below these, where all weights together do not make one, whether it is liked.
        self.unit = sum(weights) + 1
        weights = tuple(weight * (self.unit + (liked >> world & 1)) for world, weight in enumerate(weights))
        self.weigh = Scales(weights).weigh
        self.wins, self.most, self.nodes = 0, -1, 0
        self.seen: set[tuple[Mask, frozenset[int]]] = set()

    def look(self, left: Mask, choices: Sequence[tuple[int, Choice]]) -> None:
        """Choose from all of these so that most is left; what has been found already is to be beaten."""
        place = left, frozenset(name for name, _ in choices)
        if place in self.seen:
            return
        self.seen.add(place)
        self._count()
        weighed = [(name, self._weigh_options(left, choice)) for name, choice in choices if not _is_free(left, choice)]
        if not all(options for _, options in weighed):
            return
        if not weighed:
            self._offer(left)
            return
        # The choice that costs most comes first; of equals the one with the fewest options.
        name, options = min(weighed, key=lambda one: (one[1][0][0], len(one[1])))
        others = [(other, tuple(option for _, option in rest)) for other, rest in weighed if other != name]
        for weight, option in options:
            if weight <= self.most:
                return
            self.look(option.wins, [*others, *((id(choice), choice) for choice in option.then)])

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes == MOST_TRIES:
            self._beat(self.most)
        if self.nodes % 64 == 0 and self.clock.ran_out(self.nodes):
            raise LimitReachedError("the search for a line's layouts", self.clock.limit)

    def _beat(self, weight: int) -> None:
        """Look for more than this from now on; what is no more but for being liked, not after too many tries."""
        self.most = weight if self.nodes < MOST_TRIES else weight - weight % self.unit + self.unit - 1

    def _weigh_options(self, left: Mask, choice: Choice) -> list[tuple[int, Option]]:
        """The options that may be better than what has been found, the best first."""
        options = {(left & option.wins, id(option.then)): option.then for option in choice}
        weighed = [(self.weigh(wins), Option(wins, then)) for (wins, _), then in options.items()]
        return _without_dominated(sorted((one for one in weighed if one[0] > self.most), key=lambda one: -one[0]))

    def _offer(self, wins: Mask) -> None:
        weight = self.weigh(wins)
        if weight > self.most:
            self.wins = wins
            self._beat(weight)


def _is_free(left: Mask, choice: Choice) -> bool:
    """Whether some option takes nothing away."""
    return any(not left & ~option.wins and not option.then for option in choice)


def _without_dominated(weighed: list[tuple[int, Option]]) -> list[tuple[int, Option]]:
    """Options, the heaviest first, without those that leave less than another after which nothing is to be chosen."""
    kept: list[tuple[int, Option]] = []
    final: list[Mask] = []
    for weight, option in weighed:
        if not any(not option.wins & ~mask for mask in final):
            kept.append((weight, option))
            final += [] if option.then else [option.wins]
    return kept
