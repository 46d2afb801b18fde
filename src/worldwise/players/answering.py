"""How far a player is from equilibrium at a game too large to walk: a lower bound of NashConv, with its interval.

Somebody who knows how the player plays takes one seat after another. What to answer him with is found out on deals of
its own: the usual players are tried, and then one who learns. The best of them plays fresh deals, and the player
himself the same seat of the same deals. What the answer gets more, in sum over the seats, is at most NashConv on
average, because there may be better answers. Where a game can be walked, ``extensive/exploiting.py`` is exact.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log, sqrt
from typing import TYPE_CHECKING, Any, ClassVar

from worldwise.core.mixing import splitmix
from worldwise.core.result import NO_LIMIT, Limit
from worldwise.core.statistics import Estimate, mean
from worldwise.errors import expect_whole
from worldwise.players.any_game import game_player
from worldwise.players.game_match import GameTable, seats_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from worldwise.core.game import AnyGame
    from worldwise.players.any_game import GamePlayer, Turn

ANSWERS = ("random", "pimc", "alphamu:depth=2", "overconfident:depth=3", "is-mcts:simulations=200")
"""Players who are tried as answers."""

LESSONS = 5
"""Games from which an answer is learnt, for each deal on which answers are compared."""

OFTEN = 10
"""Visits from which on a learner goes by what he has seen of a position."""

MOST_DEALS = 100_000


@dataclass
class Learner:
    """Learns against players who stay as they are: what pays at each information set that he comes to often.

    While he learns he chooses by UCB1; elsewhere, and where he has seen little, he plays as another does.
    """

    other: GamePlayer
    learns: bool = True
    seen: dict[Hashable, dict[Any, list[float]]] = field(default_factory=dict)
    path: list[list[float]] = field(default_factory=list)
    lowest: float = 0.0
    highest: float = 0.0
    name: ClassVar[str] = "learnt"

    def choose(self, turn: Turn) -> Any:
        """The move that has paid best, or while learning one of which too little is known."""
        known = turn.game.observe(turn.belief.histories[0][0], turn.player)
        arms = self.seen.get(known)
        if arms is None or not (self.learns or sum(visits for visits, _ in arms.values()) >= OFTEN * len(arms)):
            move = self.other.choose(turn)
            if arms is None and self.learns:
                arms = self.seen[known] = {one: [0.0, 0.0] for one in turn.moves}
        else:
            move = turn.pick(self._bounds(arms) if self.learns else _means(arms))
        if self.learns and arms is not None:
            self.path.append(arms[move])
        return move

    def _bounds(self, arms: dict[Any, list[float]]) -> dict[Any, float]:
        width, tries = self.highest - self.lowest, sum(visits for visits, _ in arms.values())
        return {
            move: total / visits + width * sqrt(log(tries + 1) / visits) if visits else float("inf")
            for move, (visits, total) in arms.items()
        }

    def hear(self, payoff: float) -> None:
        """What the game just played has brought."""
        self.lowest, self.highest = min(self.lowest, payoff), max(self.highest, payoff)
        for arm in self.path:
            arm[0] += 1
            arm[1] += payoff
        self.path.clear()


def _means(arms: dict[Any, list[float]]) -> dict[Any, float]:
    return {move: total / visits for move, (visits, total) in arms.items()}


@dataclass(frozen=True)
class SeatGain:
    """One seat: what the player gets there, what the ``answer`` gets, and the difference deal by deal."""

    seat: Hashable
    own: Estimate
    best: Estimate
    gain: Estimate
    answer: str


@dataclass(frozen=True)
class SampledGain:
    """What answers have gained, in sum over the seats: NashConv is at least that, as far as the interval tells."""

    name: str
    gain: Estimate
    seats: tuple[SeatGain, ...]


@dataclass(frozen=True)
class AnswerFinder:
    """Looks for answers to players at one game; ``deals`` to compare answers on, and as many to measure the best."""

    game: AnyGame
    deals: int = 100
    seed: int = 0
    limit: Limit = NO_LIMIT

    def __post_init__(self) -> None:
        expect_whole("deals", self.deals, 2, MOST_DEALS)

    def measure(self, name: str) -> SampledGain:
        """Answer the player of a text in every seat.

        >>> from worldwise.catalog import game
        >>> from worldwise.extensive import FormGame
        >>> found = AnswerFinder(FormGame(game("bmv96/fig-3")), deals=20).measure("random")
        >>> len(found.seats), found.gain.value > 0
        (2, True)
        """
        player = game_player(name)
        seats, gains = [], [0.0] * self.deals
        for seat in seats_of(self.game):
            answer, called = self._best_answer(player, seat)
            own, best = (self._payoffs(one, player, seat, "measured") for one in (player, answer))
            gain = [more - less for more, less in zip(best, own, strict=True)]
            gains = [total + one for total, one in zip(gains, gain, strict=True)]
            seats.append(SeatGain(seat, mean(own), mean(best), mean(gain), called))
        return SampledGain(name, mean(gains), tuple(seats))

    def _best_answer(self, player: GamePlayer, seat: Hashable) -> tuple[GamePlayer, str]:
        """Of the usual players and one who learns, beginning as the best of them plays; and what he is called."""
        tried = {name: game_player(name) for name in ANSWERS}
        scores = {name: sum(self._payoffs(one, player, seat, "compared")) for name, one in tried.items()}
        best = max(scores, key=lambda name: scores[name])
        learner = Learner(tried[best])
        for seed in self._seeds("learnt", self.deals * LESSONS):
            learner.hear(self._payoff(learner, player, seat, seed))
        learner.learns = False
        is_better = sum(self._payoffs(learner, player, seat, "compared")) > scores[best]
        return (learner, learner.name) if is_better else (tried[best], best)

    def _payoffs(self, one: GamePlayer, others: GamePlayer, seat: Hashable, part: str) -> list[float]:
        return [self._payoff(one, others, seat, seed) for seed in self._seeds(part, self.deals)]

    def _payoff(self, one: GamePlayer, others: GamePlayer, seat: Hashable, seed: int) -> float:
        sitting = {who: one if who == seat else others for who in seats_of(self.game)}
        return float(self.game.payoff(GameTable(self.game, sitting, seed, self.limit).play_out(), seat))

    def _seeds(self, part: str, count: int) -> Iterable[int]:
        """Deals of each part of the work that no other part has."""
        first = splitmix(splitmix(self.seed) + ("compared", "learnt", "measured").index(part))
        return (splitmix(first + number) for number in range(count))
