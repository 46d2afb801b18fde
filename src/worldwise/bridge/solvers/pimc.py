"""Perfect information Monte Carlo for bridge: what is each card worth on average, if every world were seen?

For every sampled layout and every card the double-dummy solver says what follows; a card's value is its average, in
which one layout may count for more than another. Two things are wrong with it, and FB01 named them: it assumes that a
later guess will be right in every layout (strategy fusion), and it looks at each position alone (non-locality). It is
still how most programs play, and the yardstick.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from worldwise.bridge.rules.goal import Aim, Goal
from worldwise.bridge.solvers.card_values import CardValues, choices_of, value_of_each_card
from worldwise.bridge.solvers.double_dummy import ENTRIES, card_tricks, double_dummy
from worldwise.core.move_values import ROUNDING
from worldwise.core.result import NO_LIMIT, Clock, Limit, Stats
from worldwise.core.weights import integer_weights
from worldwise.errors import InputError, LimitReachedError, expect_at_least_one

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from worldwise.bridge.rules.contract import Strain
    from worldwise.bridge.rules.deal import Card, Cards, Deal
    from worldwise.bridge.rules.play import Position
    from worldwise.bridge.rules.view import View
    from worldwise.bridge.solvers.card_values import Choice
    from worldwise.bridge.solvers.double_dummy import DoubleDummySolver
    from worldwise.core.weights import Weight


Answer = TypeVar("Answer")

MOST_THREADS = 64
"""More are of no use to anybody."""


class SolverCache:
    """A double-dummy solver for every world, kept from move to move as long as the world comes back.

    At most ``most`` of them are kept; one that is full takes 6 MiB.
    """

    def __init__(self, trumps: Strain, most: int = 160) -> None:
        self._trumps = trumps
        self._most = most
        self._kept: dict[Deal, tuple[Cards, DoubleDummySolver]] = {}
        self._lock = Lock()

    def __call__(self, deal: Deal, played: Cards = 0) -> DoubleDummySolver:
        """The solver of a world in which these cards are played; it begins there, small if that is late in the play.

        The one not asked for longest is forgotten when there are too many.
        """
        with self._lock:
            return self._find(deal, played)

    def __deepcopy__(self, memo: object) -> SolverCache:
        """Itself: what is known of a deal is known to every copy of whoever asks."""
        return self

    def _find(self, deal: Deal, played: Cards) -> DoubleDummySolver:
        before, solver = self._kept.pop(deal, (-1, None))
        if solver is None or before & ~played:
            north, east, south, west = (hand & ~played for hand in deal.hands)
            before, solver = played, double_dummy((north, east, south, west), self._trumps, ENTRIES // 2)
        self._kept[deal] = before, solver
        for forgotten in list(islice(self._kept, max(0, len(self._kept) - self._most))):
            del self._kept[forgotten]
        return solver


@dataclass(frozen=True, kw_only=True)
class PimcValues(CardValues):
    """What PIMC found: ``matrix`` has what each choice is worth in each world, a row for every world.

    ``best`` is of the best choice, and of equals the lowest, which tells the least.
    """

    matrix: NDArray[np.int64] = field(repr=False, compare=False)

    def average_over(self, worlds: Sequence[Deal], weights: Sequence[int], matrix: NDArray[np.int64]) -> PimcValues:
        """The same cards over other worlds, in which they are worth what the matrix says."""
        averages = _averages(weights, matrix)
        return replace(
            self,
            values=value_of_each_card(self.choices, averages),
            best=_lowest_of_best(self.choices, averages),
            worlds=tuple(worlds),
            worlds_searched=len(worlds),
            weights=tuple(weights),
            matrix=matrix,
        )


def _averages(weights: Sequence[int], matrix: NDArray[np.int64]) -> list[float]:
    """Each choice's average over the worlds; the sum is one of whole numbers, so that equal cards are equal."""
    whole = sum(weights)
    return [total / whole for total in (np.array(weights) @ matrix).tolist()]


def _lowest_of_best(choices: Sequence[Choice], averages: Sequence[float]) -> Card:
    least = max(averages) - ROUNDING
    good = [choice[-1] for choice, mean in zip(choices, averages, strict=True) if mean > least]
    return min(good, key=lambda card: card & 15)


@dataclass(frozen=True)
class Pimc:
    """Averages what double dummy says over the worlds it is given; ``threads`` solve one each, at most 64 at a time."""

    aim: Aim = Aim.MAKE
    threads: int = 1

    name = "pimc"

    def __post_init__(self) -> None:
        expect_at_least_one("a number of threads", self.threads)

    def evaluate(
        self,
        view: View,
        worlds: Sequence[Deal],
        limit: Limit = NO_LIMIT,
        *,
        weights: Sequence[Weight] | None = None,
        goal: Goal | None = None,
        solvers: SolverCache | None = None,
    ) -> PimcValues:
        """Every card's value in every world, or in as many as the limit allows, at least one.

        ``weights`` say how much each world counts: any numbers that are not negative.

        >>> from worldwise.bridge.rules.contract import Contract
        >>> from worldwise.bridge.rules.deal import Deal, Seat, card_name, read_card
        >>> from worldwise.bridge.rules.play import Play
        >>> from worldwise.bridge.layouts.sampler import Layouts
        >>> from worldwise.bridge.rules.view import view_of
        >>> deal = Deal.read("N:AQ4... K53... 876... JT9...")
        >>> view = view_of(Play(deal, Contract.read("1NT by S"), (read_card("SJ"),)), Seat.SOUTH)
        >>> values = Pimc(Aim.TRICKS).evaluate(view, Layouts(view).enumerate())
        >>> {card_name(card): round(value, 2) for card, value in values.values.items()}
        {'SA': 1.0, 'SQ': 1.4, 'S4': 1.4}
        """
        view.expect_turn()
        if not worlds:
            raise InputError("expected at least one world, found none")
        counts = integer_weights(weights, len(worlds))
        goal = goal or Goal.seen_by(view, self.aim)
        clock = Clock(limit)
        asked = _Question(view, goal, choices_of(view, worlds[0]), solvers or SolverCache(view.contract.strain))
        rows = list(self._rows(asked, worlds, clock))
        reached = counts[: len(rows)]
        if not any(reached):
            raise LimitReachedError(self.name, limit)
        matrix = np.array(rows)
        averages = _averages(reached, matrix)
        return PimcValues(
            algorithm=self.name,
            values=value_of_each_card(asked.choices, averages),
            best=_lowest_of_best(asked.choices, averages),
            depth=1,
            worlds_searched=len(rows),
            complete=len(rows) == len(worlds),
            stats=Stats(nodes=len(rows) * len(asked.choices), seconds=clock.seconds),
            goal=goal,
            choices=asked.choices,
            worlds=tuple(worlds[: len(rows)]),
            weights=tuple(reached),
            matrix=matrix,
        )

    def _rows(self, asked: _Question, worlds: Sequence[Deal], clock: Clock) -> Iterator[list[int]]:
        """The worlds' rows in order, until the clock runs out."""
        threads = min(self.threads, MOST_THREADS)
        with ThreadPoolExecutor(threads) as pool:
            begin = partial(_begin, pool if threads > 1 else None)  # nobody waits for a thread of his own
            for place in range(0, len(worlds), threads):
                answers = [begin(asked.row, world, clock) for world in worlds[place : place + threads]]
                try:
                    yield from (answer() for answer in answers)
                except LimitReachedError:
                    return
                if clock.ran_out(place):
                    return


def _begin(pool: ThreadPoolExecutor | None, ask: Callable[..., Answer], *question: object) -> Callable[[], Answer]:
    """Let a thread answer; without threads, or where the system gives no more of them, whoever wants the answer."""
    later = partial(ask, *question)
    try:
        return pool.submit(later).result if pool else later
    except RuntimeError:
        return later


@dataclass(frozen=True)
class _Question:
    """What is asked about every world: the cards to try, and what they are played for."""

    view: View
    goal: Goal
    choices: tuple[Choice, ...]
    solvers: SolverCache

    def row(self, world: Deal, clock: Clock) -> list[int]:
        """What each choice is worth in one world."""
        position, limit = self.view.position(world), Limit(seconds=clock.seconds_left)
        ask = self._which_make if self.goal.aim is Aim.MAKE else self._payoffs
        return ask(self.solvers(world, self.view.gone), position, limit)

    def _which_make(self, solver: DoubleDummySolver, position: Position, limit: Limit) -> list[int]:
        """Whether the contract is made, or beaten: questions with yes or no for an answer are the cheapest."""
        declarer = self.view.contract.declarer
        after = [position.play(choice[0]) for choice in self.choices]
        needed = [self.view.contract.tricks - state.won[declarer & 1] for state in after]
        return [int(made == self.goal.declares) for made in solver.can_take_all(after, needed, declarer, limit)]

    def _payoffs(self, solver: DoubleDummySolver, position: Position, limit: Limit) -> list[int]:
        """What the tricks are worth."""
        ours, declares = position.to_move & 1, (position.to_move ^ self.view.contract.declarer) & 1 == 0
        tricks = card_tricks(solver, position, limit)
        taken = [position.won[ours] + tricks[choice[0]] for choice in self.choices]
        return [self.goal.payoff(count if declares else self.goal.tricks - count) for count in taken]
