"""What is true of a game in extensive form and its solutions: who forgets what, and who gains by leaving a profile."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from worldwise.core.result import Limit, Stats
from worldwise.errors import GameError, LimitReachedError, TooDeepError
from worldwise.extensive.recall import Forgotten, agents, find_forgotten, kinds_of_forgetting
from worldwise.extensive.size import Measures, measures
from worldwise.search.equilibrium import Deviation, EquilibriumAnswer, deviation

if TYPE_CHECKING:
    from worldwise.core.game import Rational
    from worldwise.core.solution import Profile, Solution
    from worldwise.extensive.game import ExtensiveGame

DEVIATION_LIMIT = Limit(seconds=5)
"""How long a deviation is looked for if the algorithm itself promises nothing."""

MOST_SETS = 1000
"""Of a forgetful player for whom agents are sought: that takes the square of it."""


@dataclass(frozen=True)
class Recall:
    """A player who forgets: a witness of each kind of forgetting, and the agents he would have to be split into.

    ``agents`` is None if no split helps, or if there are too many sets to look for one (``many``).
    """

    kinds: tuple[Forgotten, ...]
    agents: tuple[tuple[int, ...], ...] | None
    many: bool = False

    @property
    def witness(self) -> Forgotten:
        """The first of them."""
        return self.kinds[0]


@dataclass(frozen=True)
class GameReport:
    """Everything ``worldwise game check`` says."""

    game: ExtensiveGame
    measures: Measures
    forgetful: tuple[Recall, ...]

    @property
    def perfect_recall(self) -> bool:
        """Whether nobody forgets anything."""
        return not self.forgetful


def report_on(game: ExtensiveGame) -> GameReport:
    """Measure a game and find out who forgets what.

    >>> from worldwise.catalog import game
    >>> report_on(game("bmv96/fig-2-g2")).forgetful[0].agents
    ((1, 3), (2,))
    """
    found = ((player, kinds_of_forgetting(game, player)) for player in range(len(game.players)))
    return GameReport(game, measures(game), tuple(_recall(game, player, kinds) for player, kinds in found if kinds))


def _recall(game: ExtensiveGame, player: int, kinds: tuple[Forgotten, ...]) -> Recall:
    if sum(1 for _ in game.information_sets(player)) > MOST_SETS:
        return Recall(kinds, None, many=True)
    try:
        return Recall(kinds, agents(game, player))
    except GameError:
        return Recall(kinds, None)


@dataclass(frozen=True)
class JudgedSolution:
    """A solution and what it is: an optimum or equilibrium (``holds``), none (with who gains how), or not known."""

    game: ExtensiveGame
    algorithm: str
    payoffs: tuple[Rational, ...] | None
    believed: tuple[Rational, ...] | None
    profile: Profile | None
    stats: Stats
    proven: bool
    holds: bool | None
    gain: Deviation | None = None
    answer: Literal["yes", "no", "unknown"] | None = None
    complete: bool = True
    source: str = ""

    @property
    def is_negative(self) -> bool:
        """Whether there is nothing to play."""
        return self.profile is None

    @cached_property
    def forgotten(self) -> Forgotten | None:
        """Something that a player of the game forgets."""
        return find_forgotten(self.game)


def judge_solution(
    game: ExtensiveGame, name: str, found: Solution | EquilibriumAnswer, patience: Limit = DEVIATION_LIMIT
) -> JudgedSolution:
    """A solution with its verdict; where the algorithm promises nothing, a deviation is looked for.

    >>> from worldwise.catalog import game
    >>> from worldwise.extensive.solving import solve_game
    >>> g2 = game("bmv96/fig-2-g2")
    >>> str(judge_solution(g2, "imp-minimax", solve_game(g2, "imp-minimax")).gain.gain)
    '50'
    """
    if isinstance(found, EquilibriumAnswer):
        yes = {"yes": True, "no": False, "unknown": None}[found.answer]
        return JudgedSolution(
            game,
            name,
            found.payoffs,
            None,
            found.profile,
            found.stats,
            yes is True,
            yes,
            answer=found.answer,
            source=found.source,
        )
    gain, known = (None, True) if found.proven else _gain(game, found.profile, patience)
    holds = (gain is None) if known else None
    return JudgedSolution(
        game,
        name,
        found.payoffs,
        found.believed,
        found.profile,
        found.stats,
        found.proven,
        holds,
        gain,
        complete=found.complete,
    )


def _gain(game: ExtensiveGame, profile: Profile, patience: Limit) -> tuple[Deviation | None, bool]:
    """Who gains by leaving a profile, and whether that is known."""
    try:
        return deviation(game, profile, patience), True
    except (LimitReachedError, TooDeepError, RecursionError):
        return None, False
