"""The best that one player, or a team with one aim, can do: branch and bound for those who forget or cannot talk.

A team is one player who never knows all that he knows: bridge's declarer side, the players of Hanabi. Finding its best
pure strategy is NP-hard (Koller and Megiddo; BMV96 Theorem 1). But what IMP-minimax *believes* is never too little: it
lets every part of an information set decide for itself. So the search takes the set that IMP-minimax decides twice,
settles its move, and asks again. Where no set is decided in two ways IMP-minimax is right, and no branch is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from worldwise.core.result import NO_LIMIT, Clock, Limit, Tally
from worldwise.core.solution import Solution
from worldwise.errors import InputError, LimitReachedError, deep
from worldwise.search.imp import believe
from worldwise.search.profiles import complete_profile, expected_payoffs, whole

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from fractions import Fraction

    from worldwise.core.game import AnyExtensiveForm, Rational
    from worldwise.core.solution import Profile


@dataclass(frozen=True)
class TeamOptimum:
    """The best profile of pure strategies of players who are all paid alike; of one player, whatever he forgets.

    Any-time: if a limit comes first, the best so far (``complete`` is False).

    >>> from worldwise.catalog import game
    >>> answer = TeamOptimum().search(game("bmv96/fig-2-g2"))
    >>> answer.value, answer.proven
    (Fraction(1, 2), True)
    """

    name = "branch-and-bound"

    def search(self, game: AnyExtensiveForm, limit: Limit = NO_LIMIT) -> Solution:
        """Find the best profile."""
        walk = _BranchAndBound(game, AsOne(game), Tally(Clock(limit, self.name)))
        complete = True
        try:
            with deep():
                walk.branch({})
        except LimitReachedError:
            if walk.best is None:
                raise
            complete = False
        assert walk.best is not None
        payoffs = (whole(walk.best),) * len(game.players)
        return Solution(self.name, payoffs, payoffs, walk.profile, walk.tally.stats, complete, complete)


class _BranchAndBound:
    """A depth-first search over what is settled at the sets that IMP-minimax decides in several ways."""

    def __init__(self, game: AnyExtensiveForm, team: AsOne, tally: Tally) -> None:
        self.game, self.team, self.tally = game, team, tally
        self.best: Rational | None = None
        self.profile: Profile = {}

    def branch(self, settled: Profile) -> None:
        """Look for something better than the best, with these moves settled."""
        belief = believe(Settled(self.team, settled), self.tally)
        if self.best is not None and belief.value <= self.best:
            self.tally.cuts += 1
            return
        profile = complete_profile(self.team, {**belief.profile, **settled})
        (worth,) = expected_payoffs(self.team, profile)
        if self.best is None or worth > self.best:
            self.best, self.profile = worth, profile
        if worth == belief.value:
            return  # nothing here is better
        known, moves = next(iter(belief.torn.items()))
        for move in sorted(moves, key=lambda move: move != belief.profile[known]):
            self.branch({**settled, known: move})


@dataclass(frozen=True)
class AsOne:
    """A game of players with one aim, as that of one player who sees with their eyes."""

    game: AnyExtensiveForm

    @property
    def players(self) -> Sequence[str]:
        """The team."""
        return (" and ".join(self.game.players),)

    @property
    def root(self) -> Any:
        """The same."""
        return self.game.root

    def to_move(self, position: Any) -> int | None:
        """Whoever of the team moves, the team does."""
        player = self.game.to_move(position)
        return player if player is None else min(player, 0)

    def moves(self, position: Any) -> Sequence[Any]:
        """The same."""
        return self.game.moves(position)

    def play(self, position: Any, move: Any) -> Any:
        """The same."""
        return self.game.play(position, move)

    def chances(self, position: Any) -> Sequence[Fraction]:
        """The same."""
        return self.game.chances(position)

    def information_set(self, position: Any) -> Hashable:
        """What the player of the team who moves knows."""
        return self.game.information_set(position)

    def payoffs(self, position: Any) -> tuple[Rational, ...]:
        """What each of them gets."""
        payoffs = self.game.payoffs(position)
        if len(set(payoffs)) != 1:
            raise InputError(
                f"branch-and-bound expects one player, or players who are paid alike, found an end that pays {payoffs}"
            )
        return (payoffs[0],)


@dataclass(frozen=True)
class Settled(AsOne):
    """The same with some moves settled: at those sets there is nothing to choose."""

    settled: Profile

    def moves(self, position: Any) -> Sequence[Any]:
        """The move that is settled, or all."""
        moves = self.game.moves(position)
        if self.to_move(position) != 0 or not self.settled:
            return moves
        known = self.game.information_set(position)
        return (self.settled[known],) if known in self.settled else moves
