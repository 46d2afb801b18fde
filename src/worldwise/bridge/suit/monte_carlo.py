"""What Monte Carlo sampling plays in a single suit: FB01's algorithm on tables, all layouts being sampled."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from worldwise.bridge.suit.fixed_line import FixedLine
from worldwise.bridge.suit.most_wins import MostWins
from worldwise.bridge.suit.outlook import Outlook
from worldwise.core.game import Side

if TYPE_CHECKING:
    from fractions import Fraction

    from worldwise.bridge.suit.rules import SuitMove, SuitTable
    from worldwise.bridge.suit.solver import SuitSolver
    from worldwise.bridge.suit.weighing import Mask


class MonteCarloLine(FixedLine):
    """What Monte Carlo sampling plays, all layouts being sampled: FB01's algorithm on tables.

    It solves every layout with the cards face up, and takes the play that wins most of them; the first of equals.

    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> from worldwise.bridge.suit.rules import Suit
    >>> line = MonteCarloLine(SuitSolver(Suit.of("AKQ9", "32")), 4)
    >>> round(float(line.believed), 4), round(float(line.chance), 4)
    (0.3014, 0.0543)
    """

    def __init__(self, solver: SuitSolver, tricks: int) -> None:
        super().__init__(Outlook(solver, (solver.suit.every_world,) * tricks, tricks), tricks)
        self.most = MostWins(solver, tricks)
        self._face_up: dict[SuitTable, Mask] = {}

    def play(self, table: SuitTable) -> SuitMove:
        """Its play at a table."""
        return max(self.rules.options(table), key=lambda move: self.believes(self.view.after(table, move)))

    def believes(self, table: SuitTable) -> int:
        """How many layouts it expects to win from a table on."""
        return self.solver.weight(self.face_up(table))

    def face_up(self, table: SuitTable) -> Mask:
        """The worlds that are won from a table on by one who sees them."""
        if table not in self._face_up:
            self._face_up[table] = self._solve_face_up(table)
        return self._face_up[table]

    def _solve_face_up(self, table: SuitTable) -> Mask:
        """A front holds every world that some line wins; it may explode during a trick and at the beginning."""
        if not table.trick and table != self.solver.root:
            return reduce(or_, self.solver.front(table, self.tricks), 0)
        self.solver.clock.check()
        following = [self.view.after(table, move) for move in self.rules.options(table)]
        if self.rules.side(table) is Side.MIN:
            return self.won_by_all(table, following, self.face_up)
        return reduce(or_, map(self.face_up, following), 0)

    @property
    def believed(self) -> Fraction:
        """The chance that it expects."""
        root = self.solver.root
        return self.solver.chance(self.believes(self.view.after(root, self.play(root))))

    def is_hopeless(self, table: SuitTable) -> bool:
        """Whether it expects to win nowhere."""
        return not self.believes(table)
