"""The defence that the drill puts up: best, and of all that is best the hardest to stand up to.

A line is set on a *target*, the layouts that it wins. In these no defence beats it as long as it is followed, and a
defence that beats everybody who leaves it is as good as any. So the defenders of the drill look for those who leave it:
they go where careless players put most at risk. Careless are one who plays any of the cards that differ at random, and
those who follow a rule of thumb. Who plays a card after which the target cannot be had any more has put at risk all
that was left of it, counted by the ways it can be dealt, and is out. At each turn the defenders look at the answers
after which something of the target is left, add up what the careless players put at risk against this same defence from
there on, and give the answer where the sum is greatest; of equals, the first in the order of the rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from worldwise.bridge.suit.rules_of_thumb import RULES_OF_THUMB
from worldwise.core.game import Side

if TYPE_CHECKING:
    from worldwise.bridge.suit.outlook import Outlook
    from worldwise.bridge.suit.rules import SuitMove, SuitTable

RULES = tuple(RULES_OF_THUMB.values())

NOTHING = (0.0,) * (1 + len(RULES))


class Danger(NamedTuple):
    """What careless players put at risk from a table on, who plays at random first, and the answer that makes them."""

    risks: tuple[float, ...]
    answer: SuitMove | None = None

    @property
    def total(self) -> float:
        """All of it."""
        return sum(self.risks)


class SharpDefence:
    """Answers to one who follows, or should follow, a line that wins a target: ``view`` looks at it.

    >>> from worldwise.bridge.suit.outlook import Outlook
    >>> from worldwise.bridge.suit.rules import SOUTH, Suit, SuitMove
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> solver = SuitSolver(Suit.of("AKQ9", "32"))
    >>> defence = SharpDefence(Outlook(solver, (0, 0, 0, solver.goal(4).wins), 4))
    >>> str(defence.answer(solver.rules.after(solver.root, SuitMove(SOUTH, 2))))
    'WJ'
    """

    def __init__(self, view: Outlook) -> None:
        self.view, self.rules = view, view.solver.rules
        self._dangers: dict[SuitTable, Danger] = {}

    def answer(self, table: SuitTable) -> SuitMove:
        """What the next defender plays where something of the target is left."""
        answer = self.danger(table).answer
        assert answer is not None, "it is a defender's turn, and a layout of the target is possible"
        return answer

    def can_go_wrong(self, table: SuitTable) -> bool:
        """Whether against this defence some card that differs, here or later, gives up something of the target."""
        return self.danger(table).risks[0] > 0

    @property
    def tables(self) -> int:
        """How many tables it has looked at."""
        return len(self._dangers)

    def danger(self, table: SuitTable) -> Danger:
        """What careless players put at risk from a table on which keeps all of the target."""
        if table not in self._dangers:
            self._dangers[table] = self._find(table)
        return self._dangers[table]

    def _find(self, table: SuitTable) -> Danger:
        if not self.view.open(table) or self.rules.side(table) is None:
            return Danger(NOTHING)
        if self.rules.side(table) is Side.MAX:
            return self._of_choice(table)
        answers = [Danger(self.danger(self.view.after(table, move)).risks, move) for move in self.view.defences(table)]
        return max(answers, key=lambda danger: danger.total)

    def _of_choice(self, table: SuitTable) -> Danger:
        options = self.rules.options(table)
        if len(options) == 1:
            return Danger(self.danger(self.view.after(table, options[0])).risks)
        risks = {move: self._after(table, move) for move in options}
        at_random = sum(risk[0] for risk in risks.values()) / len(risks)
        by_rule = (risks[rule(self.view, table)][number] for number, rule in enumerate(RULES, 1))
        return Danger((at_random, *by_rule))

    def _after(self, table: SuitTable, move: SuitMove) -> tuple[float, ...]:
        """What is put at risk after a play: by the play itself, if it gives up something, all that is open."""
        after = self.view.after(table, move)
        if self.view.secures(after):
            return self.danger(after).risks
        stake = float(self.view.solver.weight(self.view.open(table)))
        return (stake,) * len(NOTHING)
