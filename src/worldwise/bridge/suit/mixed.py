"""What a single suit is worth if declarer may toss a coin that the defenders cannot see.

Best defence knows declarer's strategy; against a *mixed* one it knows the odds, not the outcome. The value is that of a
linear programme (sequence form): how much weight declarer puts on each of his plays, and for every layout how much the
defenders let through. It hardly ever differs from the pure value, so this is a curiosity, and for small cases.

What makes it small: a table at which some continuation is best in every layout at once is a leaf, and so is one at
which nothing can be won any more. Both are read off the exact front.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from worldwise.core.game import Side
from worldwise.errors import InputError
from worldwise.extras import import_extra

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.bridge.suit.rules import SuitTable
    from worldwise.bridge.suit.solver import SuitSolver
    from worldwise.bridge.suit.weighing import Mask

MOST_VARIABLES = 200_000
"""The largest programme that is tried."""


def mixed_value(solver: SuitSolver, tricks: int) -> float:
    """The chance of at least so many tricks, with a mixed strategy; needs the extra ``mixed`` (SciPy).

    >>> from worldwise.bridge.suit.rules import Suit

    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> round(mixed_value(SuitSolver(Suit.of("AKQ9", "32")), 4), 6)
    0.24
    """
    answer = solver.goal(tricks)  # refuses a goal that is out of range
    if answer.chance == answer.double_dummy:
        return float(answer.chance)  # nothing can be better than knowing everything
    return _Programme(solver, tricks).solve()


@dataclass
class _Programme:
    """Maximise the sum of weights times what gets through; rows say what declarer and the defenders can do."""

    solver: SuitSolver
    tricks: int
    costs: list[float] = field(default_factory=list)
    equal: list[list[tuple[int, float]]] = field(default_factory=list)
    below: list[list[tuple[int, float]]] = field(default_factory=list)

    def solve(self) -> float:
        total = sum(self.solver.suit.weights)
        start = self._variable(0)
        through = self._table(self.solver.root, start)
        for world, variable in through.items():
            self.costs[variable] = -self.solver.suit.weights[world] / total
        optimize, sparse = import_extra("scipy.optimize", "mixed"), import_extra("scipy.sparse", "mixed")
        found = optimize.linprog(
            self.costs,
            A_ub=_matrix(sparse, self.below, len(self.costs)),
            b_ub=[0.0] * len(self.below) if self.below else None,
            A_eq=_matrix(sparse, [[(start, 1.0)], *self.equal], len(self.costs)),
            b_eq=[1.0] + [0.0] * len(self.equal),
            method="highs",
        )
        return -float(found.fun)

    def _variable(self, cost: float) -> int:
        if len(self.costs) >= MOST_VARIABLES:
            raise InputError(f"expected a programme of at most {MOST_VARIABLES:,} variables, found more")
        self.costs.append(cost)
        return len(self.costs) - 1

    def _table(self, table: SuitTable, weight: int) -> dict[int, int]:
        """For every world that can still be won, the variable that says how much gets through."""
        front = self.solver.front(table, self.tricks)
        if len(front) == 1:
            return dict.fromkeys(_worlds(front[0]), weight)
        side = self.solver.rules.side(table)
        return self._declarer(table, weight) if side is Side.MAX else self._defender(table, weight)

    def _declarer(self, table: SuitTable, weight: int) -> dict[int, int]:
        """The weight is shared among the plays; what gets through is the sum."""
        rules, shares = self.solver.rules, [(weight, -1.0)]
        sums: dict[int, list[int]] = {}
        for move in rules.options(table):
            share = self._variable(0)
            shares.append((share, 1.0))
            for world, variable in self._table(rules.after(table, move), share).items():
                sums.setdefault(world, []).append(variable)
        self.equal.append(shares)
        through = {}
        for world, variables in sums.items():
            through[world] = self._variable(0)
            self.equal.append([(through[world], -1.0), *((variable, 1.0) for variable in variables)])
        return through

    def _defender(self, table: SuitTable, weight: int) -> dict[int, int]:
        """In every world the defenders let through no more than any of their cards would."""
        rules = self.solver.rules
        through: dict[int, int] = {}
        lost: set[int] = set()
        for move in rules.options(table):
            after = rules.after(table, move)
            allowed = self._table(after, weight)
            for world in _worlds(self.solver.possible(after)):
                if world not in allowed:
                    lost.add(world)
                    continue
                if world not in through:
                    through[world] = self._variable(0)
                self.below.append([(through[world], 1.0), (allowed[world], -1.0)])
        return {world: variable for world, variable in through.items() if world not in lost}


def _worlds(mask: Mask) -> Iterator[int]:
    return (world for world in range(mask.bit_length()) if mask >> world & 1)


def _matrix(sparse: Any, rows: list[list[tuple[int, float]]], columns: int) -> Any:
    if not rows:
        return None
    entries = [(row, column, value) for row, cells in enumerate(rows) for column, value in cells]
    at_row, at_column, values = zip(*entries, strict=True)
    return sparse.csr_array((values, (at_row, at_column)), shape=(len(rows), columns))
