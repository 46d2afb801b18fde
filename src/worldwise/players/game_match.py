"""Matches at any game: the same deals for both, seats exchanged, and an interval on what it comes to.

A *round* is one deal, played once for each seat: the first player sits there, the second in all others. What the first
player gets on average over the seats is the round's figure, so luck of the deal and of the seat cancels out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from worldwise.core.belief import AllHistories
from worldwise.core.game import CHANCE, Peopled
from worldwise.core.mixing import splitmix
from worldwise.core.result import NO_LIMIT, Limit
from worldwise.core.statistics import Estimate, mean
from worldwise.core.tracking import MOST_HISTORIES, TrackedBelief
from worldwise.errors import GameError, InputError
from worldwise.players.any_game import Turn

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from worldwise.core.game import AnyGame
    from worldwise.players.any_game import GamePlayer

MOST_MOVES = 10_000
"""A game that goes on longer is given up."""


LISTENING, LEAST_LISTENING = 20.0, 10.0
"""Seconds to keep a belief up to date, for each second that a move may take, and at least: in large games there may be
more histories than anybody can follow."""


def seats_of(game: AnyGame) -> tuple[Hashable, ...]:
    """Who plays; the game must say so."""
    players: Any = game.players if isinstance(game, Peopled) else ()
    if not players:
        raise InputError(f"expected a game that says who plays (players), found {type(game).__name__}")
    return tuple(players)


_NONE = AllHistories(None, None, ())  # type: ignore[arg-type]
"""The belief of who needs none."""


@dataclass
class GameTable:
    """A referee: he knows the position, asks whoever is to move, and tells everybody what they observe."""

    game: AnyGame
    players: Mapping[Hashable, GamePlayer]
    seed: int
    limit: Limit = NO_LIMIT
    most_histories: int = MOST_HISTORIES
    beliefs: dict[Hashable, TrackedBelief] = field(default_factory=dict)

    def play_out(self) -> Any:
        """One game; the last position."""
        position = self.game.deal(Random(self.seed))
        self.begin(position)
        for number in range(MOST_MOVES):
            if self.game.to_move(position) is None:
                return position
            position = self.step(position, number)
        raise GameError(f"expected a game of at most {MOST_MOVES:,} moves, found a longer one")

    def begin(self, position: Any) -> None:
        """Everybody sees what was dealt to him."""
        for number, (seat, player) in enumerate(self.players.items()):
            if not getattr(player, "believes", True):
                continue
            seen, seed = self.game.observe(position, seat), splitmix(self.seed + number + 1)
            self.beliefs[seat] = TrackedBelief.start(self.game, seat, seen, most=self.most_histories, seed=seed)

    def step(self, position: Any, number: int) -> Any:
        """Whoever is to move moves, and the others hear of it."""
        mover, rng = self.game.to_move(position), Random(f"{self.seed} {number}")
        if mover == CHANCE:
            shares = [float(one) for one in self.game.chances(position)]  # type: ignore[attr-defined]
            move = rng.choices(list(self.game.moves(position)), shares)[0]
        else:
            moves, belief = tuple(self.game.moves(position)), self.beliefs.get(mover, _NONE)
            move = self.players[mover].choose(Turn(self.game, mover, moves, belief, rng, self.limit))
        after = self.game.play(position, move)
        self.tell(after)
        return after

    def tell(self, position: Any) -> None:
        """Everybody observes what he may."""
        if self.game.to_move(position) is None:
            return
        for seat, belief in self.beliefs.items():
            self.beliefs[seat] = belief.after(self.game.observe(position, seat), self._listening)

    @property
    def _listening(self) -> Limit:
        """How long it may take to make something of an observation; where a move has no limit, this has none."""
        seconds = self.limit.seconds
        return NO_LIMIT if seconds is None else Limit(seconds=max(LEAST_LISTENING, LISTENING * seconds))


@dataclass(frozen=True)
class MatchSummary:
    """What the first player gets a round, on average, with its interval, and every round."""

    payoff: Estimate
    rounds: tuple[tuple[float, ...], ...]

    @classmethod
    def of(cls, rounds: Iterable[Iterable[float]]) -> MatchSummary:
        """From what the first player got in each seat of each round."""
        played = tuple(tuple(one) for one in rounds)
        return cls(mean([sum(one) / len(one) for one in played]), played)

    def by_seat(self, seat: int) -> Estimate:
        """What the first player got in one seat."""
        return mean([one[seat] for one in self.rounds])

    def __str__(self) -> str:
        low, high = self.payoff.low, self.payoff.high
        return f"{self.payoff.value:+.3f} a game, 95 % interval {low:+.3f} to {high:+.3f}, {len(self.rounds)} deals"


@dataclass(frozen=True)
class GameMatch:
    """Two players and a game; ``limit`` is for every move."""

    game: AnyGame
    first: GamePlayer
    second: GamePlayer
    limit: Limit = NO_LIMIT

    def play(self, seed: int) -> tuple[float, ...]:
        """One deal in every seat: what the first player gets there; it depends on the seed alone."""
        return tuple(self._in_seat(seat, seed) for seat in seats_of(self.game))

    def _in_seat(self, seat: Hashable, seed: int) -> float:
        sitting = {one: self.first if one == seat else self.second for one in seats_of(self.game)}
        return self.game.payoff(GameTable(self.game, sitting, seed, self.limit).play_out(), seat)

    def summary(self, deals: int, seed: int = 0) -> MatchSummary:
        """So many deals."""
        return MatchSummary.of(self.play(splitmix(splitmix(seed) + number)) for number in range(deals))
