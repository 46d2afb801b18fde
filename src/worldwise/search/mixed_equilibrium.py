"""Equilibria in mixed strategies of zero-sum games of two players who forget nothing, by linear programming.

Koller, Megiddo and von Stengel (1996): the first player looks for a plan whose worst answer is best. A variable for
each of his sequences says how likely it is, one for each set of the second player what he can hold the first to from
there. The programme's dual is the second player's plan, so one run of SciPy's HiGHS gives both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from worldwise.core.result import NO_LIMIT, Clock, Limit, Tally
from worldwise.core.solution import MixedSolution
from worldwise.errors import InputError, LimitReachedError
from worldwise.extras import import_extra
from worldwise.search.sequence_form import SequenceForm

if TYPE_CHECKING:
    from worldwise.core.game import AnyExtensiveForm
    from worldwise.search.sequence_form import Floats, PlayerSequences

TOLERANCE = 1e-9
"""How far HiGHS may miss a row of the programme."""

OUT_OF_TIME = 1
"""The status with which ``linprog`` reports a limit."""


@dataclass(frozen=True)
class MixedEquilibrium:
    """The value of a game and an equilibrium, from one linear programme; needs the extra ``mixed`` (SciPy).

    >>> from worldwise.catalog import game
    >>> answer = MixedEquilibrium().search(game("bmv96/fig-3"))
    >>> round(answer.value, 6), answer.nash_conv < 1e-6
    (17.0, True)
    """

    name = "mixed-equilibrium"

    def search(self, game: AnyExtensiveForm, limit: Limit = NO_LIMIT) -> MixedSolution:
        """Solve a game of two players with zero sum."""
        tally = Tally(Clock(limit, self.name))
        form = zero_sum_form(self.name, game, tally)
        first, second = _solve(form, self.name, limit, tally)
        return rate_profile(self.name, form, [first, second], tally)


def zero_sum_form(name: str, game: AnyExtensiveForm, tally: Tally) -> SequenceForm:
    """The sequence form, if it is that of a zero-sum game of two players."""
    if len(game.players) != 2:
        raise InputError(f"{name} expects two players, found {len(game.players)}")
    form = SequenceForm.of(game, tally)
    if not form.is_zero_sum:
        raise InputError(f"{name} expects zero sum, found payoffs that do not sum to nothing")
    return form


def rate_profile(
    name: str, form: SequenceForm, behaviours: list[Floats], tally: Tally, *, complete: bool = True
) -> MixedSolution:
    """A profile with its value, and what each side can do about it."""
    high, conceded = form.best_payoffs(behaviours)
    value, _ = form.expected(behaviours)
    return MixedSolution(name, value, -conceded, high, form.mixture(behaviours), tally.stats, complete)


def _solve(form: SequenceForm, name: str, limit: Limit, tally: Tally) -> tuple[Floats, Floats]:
    """Both players' behaviours."""
    optimize, sparse = import_extra("scipy.optimize", "mixed"), import_extra("scipy.sparse", "mixed")
    first, second = form.decisions
    rows, columns = second.sequences, first.sequences
    amounts = form.chance * form.payoffs[0]
    gains = sparse.csr_array((amounts, (form.at[1], form.at[0])), shape=(rows, columns))
    holds = _holds(sparse, second)
    tally.check()
    left = None if tally.clock is None else tally.clock.seconds_left
    found = optimize.linprog(
        -np.concatenate([gains[[0]].toarray()[0], -holds[[0]].toarray()[0]]),
        A_ub=sparse.hstack([-gains[1:], holds[1:]], format="csr"),
        b_ub=np.zeros(rows - 1),
        A_eq=sparse.hstack([_plan_rows(sparse, first), sparse.csr_array((len(first.sets) + 1, len(second.sets)))]),
        b_eq=np.concatenate([[1.0], np.zeros(len(first.sets))]),
        bounds=[(0, None)] * columns + [(None, None)] * len(second.sets),
        method="highs",
        options={
            "primal_feasibility_tolerance": TOLERANCE,
            "dual_feasibility_tolerance": TOLERANCE,
            **({} if left is None else {"time_limit": max(left, 0.0)}),
        },
    )
    if found.status == OUT_OF_TIME:
        raise LimitReachedError(name, limit)
    if found.x is None:
        raise InputError(f"{name}: HiGHS found no solution: {found.message}")
    answer = np.concatenate([[1.0], -found.ineqlin.marginals])
    return first.behaviour(found.x[:columns]), second.behaviour(answer)


def _holds(sparse: Any, own: PlayerSequences) -> Any:
    """Rows are sequences, columns sets: what a set is worth, less what the sets behind the sequence are worth."""
    sets = np.arange(len(own.sets))
    at_set = np.repeat(sets, np.diff(own.starts))
    entries = np.concatenate([np.ones(len(at_set)), -np.ones(len(sets))])
    rows = np.concatenate([np.arange(1, own.sequences), own.above])
    return sparse.csr_array((entries, (rows, np.concatenate([at_set, sets]))), shape=(own.sequences, len(sets)))


def _plan_rows(sparse: Any, own: PlayerSequences) -> Any:
    """What makes numbers a plan: 1 for having done nothing, and at each set as much goes out as comes in."""
    sets = np.arange(len(own.sets))
    at_set = np.repeat(sets, np.diff(own.starts))
    entries = np.concatenate([[1.0], np.ones(len(at_set)), -np.ones(len(sets))])
    rows = np.concatenate([[0], at_set + 1, sets + 1])
    columns = np.concatenate([[0], np.arange(1, own.sequences), own.above])
    return sparse.csr_array((entries, (rows, columns)), shape=(len(sets) + 1, own.sequences))
