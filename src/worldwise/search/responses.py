"""The best answer to the others' strategies, and the best strategy of all by trying every one."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any

from worldwise.core.result import NO_LIMIT, Clock, Limit, Tally
from worldwise.core.solution import Profile, Solution
from worldwise.errors import InputError, deep
from worldwise.search.imp import ImpMinimax, expect_players
from worldwise.search.profiles import Against, expected_payoffs, pure_strategies

if TYPE_CHECKING:
    from collections.abc import Hashable

    from worldwise.core.game import AnyExtensiveForm, Rational


def best_response(
    game: AnyExtensiveForm, player: int, profile: Profile, limit: Limit = NO_LIMIT
) -> tuple[Rational, Profile]:
    """The best a player can do while the others follow a profile, and how.

    IMP-minimax finds it in one pass, if the player remembers what he does; otherwise all his strategies are tried.

    >>> from worldwise.catalog import game
    >>> best_response(game("bmv96/fig-3"), 1, {0: 0, 2: 1})
    (-17, {3: 1})
    """
    left, clock = Against(game, player, profile), Clock(limit, ExtensiveBruteForce.name)
    answer = ImpMinimax().search(left, limit)
    if not answer.proven:
        answer = _best_alone(left, Tally(Clock(clock.rest, ExtensiveBruteForce.name)))
    return answer.value, answer.profile


@dataclass(frozen=True)
class ExtensiveBruteForce:
    """Every pure strategy of the first player, each judged by what it is worth: the definition, for small games.

    It is to games in extensive form what ``BruteForce`` is to possible-world games: one walks profiles over information
    sets and may meet chance and two players, the other follows MAX's strategies through vectors of payoffs.

    With one player that is its expected payoff, whatever he may forget. With two and zero sum, the second answers each
    strategy as well as he can: the best is the max-min pure strategy, the value of FB01's best defence.
    """

    name = "brute-force"

    def search(self, game: AnyExtensiveForm, limit: Limit = NO_LIMIT) -> Solution:
        """Try them all."""
        expect_players(self.name, game, 2)
        tally = Tally(Clock(limit, self.name))
        with deep():
            return _best_alone(game, tally) if len(game.players) == 1 else self._max_min(game, tally)

    def _max_min(self, game: AnyExtensiveForm, tally: Tally) -> Solution:
        best: tuple[Rational, ...] = ()
        profile: dict[Hashable, Any] = {}
        for strategy in pure_strategies(game, 0, tally.check):
            tally.node()
            _, answer = best_response(game, 1, strategy, tally.share(1))
            both = {**strategy, **answer}
            payoffs = expected_payoffs(game, both)
            if sum(payoffs):
                raise InputError(f"brute-force with two players expects zero sum, found payoffs {payoffs}")
            if not best or payoffs[0] > best[0]:
                best, profile = payoffs, both
        return Solution(self.name, best, best, profile, tally.stats, proven=True)


def _best_alone(game: AnyExtensiveForm, tally: Tally) -> Solution:
    best: Rational | float = -inf
    found: dict[Hashable, Any] = {}
    for strategy in pure_strategies(game, 0, tally.check):
        tally.node()
        (worth,) = expected_payoffs(game, strategy)
        if worth > best:
            best, found = worth, strategy
    assert not isinstance(best, float)
    return Solution(ExtensiveBruteForce.name, (best,), (best,), found, tally.stats, proven=True)
