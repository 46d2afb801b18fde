"""How hard a question of the drill is: how far sampling, the natural finesse and the drop fall behind the best line.

- Level 1: at least one of the three wins as often as the best line. The question is which.
- Level 2: all of them fall behind, the best of them by up to six points.
- Level 3: all of them fall behind by more.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from worldwise.bridge.suit.sampling import won_by_sampling
from worldwise.bridge.suit.thumb_players import won_by_rule

if TYPE_CHECKING:
    from worldwise.bridge.suit.solver import SuitSolver

LEVELS = (1, 2, 3)

LITTLE = Fraction(6, 100)
"""How far the best of the three falls behind at level 2 at most."""


def rivals(solver: SuitSolver, tricks: int) -> dict[str, Fraction]:
    """What others would win: sampling, the natural finesse and the drop.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> {name: round(float(chance), 4) for name, chance in rivals(SuitSolver(Suit.of("AKQ9", "32")), 4).items()}
    {'sampling': 0.0543, 'the natural finesse': 0.24, 'the drop': 0.1034}
    """
    wins = {
        "sampling": won_by_sampling(solver, tricks),
        "the natural finesse": won_by_rule(solver, tricks, "finesse"),
        "the drop": won_by_rule(solver, tricks, "drop"),
    }
    return {name: solver.chance(solver.weight(won)) for name, won in wins.items()}


def level_of(solver: SuitSolver, tricks: int) -> int:
    """The level of a combination and a goal."""
    behind = solver.goal(tricks).chance - max(rivals(solver, tricks).values())
    return 1 if not behind else 2 if behind <= LITTLE else 3
