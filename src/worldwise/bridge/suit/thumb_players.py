"""The layouts that one wins who goes by a rule of thumb: from a kernel, or from ``ThumbLine``, its twin.

The line says which card is played where. The kernel says only what that comes to, hundreds of times as fast: the atlas
asks for every goal of every suit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from worldwise.bridge.suit.fronts import kernel_rules, kernel_table, read_sets
from worldwise.bridge.suit.rules import FREE
from worldwise.bridge.suit.rules_of_thumb import RULES_OF_THUMB, ThumbLine
from worldwise.kernels import native, pick, watch

if TYPE_CHECKING:
    from worldwise.bridge.suit.solver import SuitSolver
    from worldwise.bridge.suit.weighing import Mask

CompiledRule = Literal["finesse", "drop"]


def won_by_rule(solver: SuitSolver, tricks: int, rule: CompiledRule) -> Mask:
    """The worlds in which at least so many tricks are won by one who goes by a rule of thumb.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> solver = SuitSolver(Suit.of("AKQ9", "32"))
    >>> [round(float(solver.chance(solver.weight(won_by_rule(solver, 4, rule)))), 4) for rule in ("finesse", "drop")]
    [0.24, 0.1034]
    """
    fits = solver.entries == FREE and solver.suit.is_plain
    return pick(_compiled, _readable, fits=fits)(solver, tricks, rule)


def _compiled(solver: SuitSolver, tricks: int, rule: CompiledRule) -> Mask:
    rules, table = kernel_rules(solver.suit, lean=True, free=True), kernel_table(solver.root, tricks)
    with watch(solver.clock) as most:
        (wins,) = read_sets(native.suit_rule_of_thumb(rules, rule == "finesse", table, *most))
    return wins


def _readable(solver: SuitSolver, tricks: int, rule: CompiledRule) -> Mask:
    return ThumbLine(solver, tricks, RULES_OF_THUMB[rule]).wins(solver.root)
