"""FB01's heuristics: MAX keeps one vector at every node, and three switches fight non-locality.

=============  ======  ====  =======
algorithm      reduce  beta  iterate
=============  ======  ====  =======
vector-mm
prm            yes
vm-beta                yes
prm-beta       yes     yes
ivm                          yes
iprm           yes           yes
ivm-beta               yes   yes
iprm-beta      yes     yes   yes
=============  ======  ====  =======

All eight are ``VectorMinimax``; what the switches do inside a pass is in ``backup.ReadablePasses.choose``. A fourth
switch, ``tiebreak``, is ours: iterated algorithms then ask their guess only where averages are equal (ivm-tiebreak).
``AlphaBeta`` is the paper's stepping stone to beta-reduction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from worldwise.core.result import NO_LIMIT, Clock, Limit, SearchResult, Stats
from worldwise.errors import InputError, LimitReachedError
from worldwise.search.backup import Backup, Guess, PerfectInformation, passes
from worldwise.search.random_ties import FIRST, Ties
from worldwise.search.strategy import conclude

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.core.game import AnyWorldGame
    from worldwise.core.scale import AnyScale


@dataclass(frozen=True)
class VectorMinimax:
    """Vector minimaxing and its seven refinements.

    >>> VectorMinimax(reduce=True, beta=True, iterate=True).name
    'iprm-beta'
    """

    reduce: bool = False
    beta: bool = False
    iterate: bool = False
    ties: Ties = FIRST
    tiebreak: bool = False

    def __post_init__(self) -> None:
        if self.tiebreak and not self.iterate:
            raise InputError("expected tiebreak=True with iterate=True only: without guesses there is nothing to ask")

    @property
    def name(self) -> str:
        """The paper's name of this combination (FB01 Fig 25), and what it lacks if guesses only break ties."""
        plain = "prm" if self.reduce else "vm"
        if not (self.reduce or self.beta or self.iterate):
            return "vector-mm"
        switches = ("-beta" if self.beta else "") + ("-tiebreak" if self.tiebreak else "")
        return ("i" if self.iterate else "") + plain + switches

    def search(self, game: AnyWorldGame, limit: Limit = NO_LIMIT) -> SearchResult:
        """The best strategy over all guesses, or over those that the limit leaves time for.

        ``LimitReachedError`` if it runs out before the first of them has been tried.
        """
        walk, clock = passes(game), Clock(limit, self.name)
        minimax = walk.perfect_information(clock) if self.reduce or self.iterate else None
        bounds = minimax.bounds if minimax and self.reduce else None
        guesses = self._guesses(walk.scale, minimax) if minimax and self.iterate else [Guess.none(walk.scale)]
        best: Backup | None = None
        stats, complete = minimax.stats if minimax else Stats(), True
        try:
            for number, guess in enumerate(guesses):
                backup = walk.choose(bounds, self.beta, guess, self.ties.fork(number), clock.after(stats.nodes))
                stats += backup.stats
                best = _choose_better(walk.scale, best, backup)
        except LimitReachedError:
            complete = False
            if best is None:
                raise
        assert best is not None  # there is always a guess: some world has the greatest minimax value
        return conclude(walk, self.name, best, best.value, stats, clock, complete=complete)

    def _guesses(self, scale: AnyScale, minimax: PerfectInformation) -> Iterator[Guess]:
        """A guess for each world that perfect information wins (the end of FB01 section 7.4).

        "Wins" is: the world's minimax value is the greatest of any world's, which no strategy can pass.
        """
        values = list(scale.vector(minimax.value))
        greatest = max(value for value in values if value is not None)
        make = Guess.tiebreak if self.tiebreak else Guess.payoff
        return (make(scale, world, greatest) for world, value in enumerate(values) if value == greatest)


def _choose_better(scale: AnyScale, best: Backup | None, backup: Backup) -> Backup:
    """The pass whose value is the greater on average, the earlier of equals."""
    return backup if best is None or scale.score(backup.value) > scale.score(best.value) else best


@dataclass(frozen=True)
class AlphaBeta:
    """vm-alphabeta (FB01 Fig 21): alpha-beta pruning on vectors, which changes the answer, often for the better."""

    ties: Ties = FIRST

    @property
    def name(self) -> str:
        """The paper's name."""
        return "vm-alphabeta"

    def search(self, game: AnyWorldGame, limit: Limit = NO_LIMIT) -> SearchResult:
        """One pass; ``LimitReachedError`` if the limit runs out first."""
        walk, clock = passes(game), Clock(limit, self.name)
        backup = walk.alpha_beta(self.ties, clock)
        return conclude(walk, self.name, backup, backup.value, backup.stats, clock)
