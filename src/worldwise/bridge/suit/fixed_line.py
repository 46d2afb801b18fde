"""A line whose every card is fixed, however good or bad: what it wins in a single suit against best defence."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from worldwise.core.game import Side

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from fractions import Fraction

    from worldwise.bridge.suit.outlook import Outlook
    from worldwise.bridge.suit.rules import SuitMove, SuitTable
    from worldwise.bridge.suit.weighing import Mask


class FixedLine(ABC):
    """A line that says what it plays at every table; ``view`` looks at the tables on the way to a goal."""

    def __init__(self, view: Outlook, tricks: int) -> None:
        self.view, self.solver, self.rules, self.tricks = view, view.solver, view.solver.rules, tricks
        self._wins: dict[SuitTable, Mask] = {}

    @abstractmethod
    def play(self, table: SuitTable) -> SuitMove:
        """Its play at a table."""

    @abstractmethod
    def is_hopeless(self, table: SuitTable) -> bool:
        """Whether the goal is out of reach in every world."""

    @property
    def chance(self) -> Fraction:
        """The chance that its line has against best defence."""
        return self.solver.chance(self.solver.weight(self.wins(self.solver.root)))

    def wins(self, table: SuitTable) -> Mask:
        """The worlds that its line wins from a table on."""
        if table not in self._wins:
            self._wins[table] = self._follow(table)
        return self._wins[table]

    def _follow(self, table: SuitTable) -> Mask:
        if table.tricks >= self.tricks:
            return self.view.possible(table)
        if self.is_hopeless(table):
            return 0
        if self.rules.side(table) is Side.MAX:
            return self.wins(self.view.after(table, self.play(table)))
        return self.won_by_all(table, (self.view.after(table, move) for move in self.view.defences(table)), self.wins)

    def won_by_all(self, table: SuitTable, following: Iterable[SuitTable], wins: Callable[[SuitTable], Mask]) -> Mask:
        """The worlds of a table that are won whichever of the tables that allow them comes next."""
        here = self.view.possible(table)
        for after in following:
            here &= wins(after) | ~self.view.possible(after)
        return here
