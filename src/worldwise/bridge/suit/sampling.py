"""The layouts that Monte Carlo sampling wins in a single suit: from a kernel, or from ``MonteCarloLine``, its twin.

The line itself says which card is played where, and why. The kernel says only what it comes to, a hundred times as
fast: the atlas asks for every goal of every suit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from worldwise.bridge.suit.fronts import kernel_rules, kernel_table, read_sets
from worldwise.bridge.suit.monte_carlo import MonteCarloLine
from worldwise.bridge.suit.rules import FREE
from worldwise.kernels import native, pick, watch

if TYPE_CHECKING:
    from worldwise.bridge.suit.solver import SuitSolver
    from worldwise.bridge.suit.weighing import Mask


def won_by_sampling(solver: SuitSolver, tricks: int) -> Mask:
    """The worlds in which at least so many tricks are won by one who samples all layouts.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> solver = SuitSolver(Suit.of("AKQ9", "32"))
    >>> round(float(solver.chance(solver.weight(won_by_sampling(solver, 4)))), 4)
    0.0543
    """
    return pick(_compiled, _readable)(solver, tricks)


def _compiled(solver: SuitSolver, tricks: int) -> Mask:
    rules = kernel_rules(solver.suit, lean=True, free=solver.entries == FREE)
    weights = np.array(solver.suit.weights, dtype=np.int64)
    with watch(solver.clock) as most:
        (wins,) = read_sets(native.suit_sampling(rules, weights, kernel_table(solver.root, tricks), *most))
    return wins


def _readable(solver: SuitSolver, tricks: int) -> Mask:
    return MonteCarloLine(solver, tricks).wins(solver.root)
