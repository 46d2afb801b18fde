"""CFR+ (Tammelin 2014): equilibria in mixed strategies where the linear programme is too large.

Both players play against each other again and again. At every information set a player keeps, for each move, how much
more it would have brought than what he did: his regrets, of which none may fall below 0. He then plays in proportion to
them. The plans on average, later ones weighing more, come near an equilibrium. The players change by turns, and one
round is a few operations on whole arrays (``sequence_form.py``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from worldwise.core.result import NO_LIMIT, Clock, Limit, Tally
from worldwise.errors import InputError, expect_at_least_one
from worldwise.search.mixed_equilibrium import rate_profile, zero_sum_form

if TYPE_CHECKING:
    from worldwise.core.game import AnyExtensiveForm
    from worldwise.core.solution import MixedSolution
    from worldwise.search.sequence_form import Floats, SequenceForm

ROUNDS_BETWEEN = 25
"""Rounds from one look at how near the plans have come to the next."""


@dataclass(frozen=True)
class CfrPlus:
    """An equilibrium to within ``gap``: NashConv, as a share of the difference between the best and the worst payoff.

    Any-time: where rounds or the limit run out first, what has been reached by then, with bounds that are exact.

    >>> from worldwise.catalog import game
    >>> answer = CfrPlus().search(game("bmv96/fig-3"))
    >>> round(answer.value, 1), answer.complete
    (17.0, True)
    """

    rounds: int = 100_000
    gap: float = 1e-4

    name = "cfr-plus"

    def __post_init__(self) -> None:
        expect_at_least_one("a number of rounds", self.rounds)
        if not self.gap >= 0:
            raise InputError(f"expected a gap of at least 0, found {self.gap!r}")

    def search(self, game: AnyExtensiveForm, limit: Limit = NO_LIMIT) -> MixedSolution:
        """Solve a game of two players with zero sum."""
        clock = Clock(limit, self.name)
        tally = Tally(clock)
        form = zero_sum_form(self.name, game, tally)
        tables = [_Table(form, player) for player in (0, 1)]
        wanted = self.gap * float(form.payoffs[0].max() - form.payoffs[0].min())
        for number in range(1, self.rounds + 1):
            for table in tables:
                table.improve(tables, number)
            last = number == self.rounds or clock.ran_out(tally.nodes)
            if last or number % ROUNDS_BETWEEN == 0:
                behaviours = [table.average for table in tables]
                is_near = form.nash_conv(behaviours) <= wanted
                if last or is_near:
                    return rate_profile(self.name, form, behaviours, tally, complete=is_near)
        raise AssertionError  # the last round returns


class _Table:
    """One player's regrets, his plan now, and the sum of his plans so far."""

    def __init__(self, form: SequenceForm, player: int) -> None:
        self.form, self.player, self.own = form, player, form.decisions[player]
        self.regrets: Floats = np.zeros(self.own.sequences)
        self.plan: Floats = self.own.plan(self.own.uniform)
        self.total: Floats = np.zeros(self.own.sequences)

    @property
    def average(self) -> Floats:
        """His behaviour over all rounds."""
        return self.own.behaviour(self.total)

    def improve(self, tables: list[_Table], number: int) -> None:
        """Regret what would have been better against the other's plan, and change one's own."""
        behaviour = self.own.share_out(self.regrets)
        worths = self.form.worths(self.player, [table.plan for table in tables])
        for sets, worth, begins in self.own.upwards(worths):
            first, last = self.own.starts[sets.start], self.own.starts[sets.stop]
            values = np.add.reduceat(worth * behaviour[first:last], begins)
            counts = np.diff(np.append(begins, len(worth)))
            self.regrets[first:last] += worth - np.repeat(values, counts)
            self.own.pass_up(worths, sets, values)
        np.maximum(self.regrets, 0, out=self.regrets)
        self.plan = self.own.plan(self.own.share_out(self.regrets))
        self.total += number * self.plan
