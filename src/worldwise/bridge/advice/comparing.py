"""Two or more cards over the same layouts: in which of them each succeeds, and how many tricks it takes.

For declarer alpha-mu says in which layouts one plan that begins with the card makes the contract, and searches all
cards alike. For a defender every layout is solved face up, as PIMC does: declarer and both defenders play on double
dummy. The tricks are double dummy's too, but never enough for a contract that the plan does not make.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from worldwise.bridge.rules.deal import set_of
from worldwise.bridge.rules.goal import Aim, Goal
from worldwise.bridge.solvers.alphamu import BridgeAlphaMu
from worldwise.core.statistics import Estimate, weighted_difference
from worldwise.errors import LimitReachedError
from worldwise.search.alphamu_root import Root, ValueKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.bridge.layouts.drawing import WeightedWorlds
    from worldwise.bridge.rules.contract import Vulnerability
    from worldwise.bridge.rules.deal import Card, Deal
    from worldwise.bridge.rules.view import View
    from worldwise.bridge.solvers.pimc import SolverCache
    from worldwise.core.result import Limit

CONFIDENCE = 0.99
"""Of the intervals that a card is blamed by: there are some thirty choices on a board, and few of them are mistakes."""


@dataclass(frozen=True)
class CardOutcome:
    """What a card achieves in each layout: whether it succeeds, and declarer's tricks."""

    card: Card
    succeeds: tuple[int, ...] = field(repr=False)
    tricks: tuple[int, ...] = field(repr=False)
    kind: ValueKind
    depth: int

    @property
    def loses(self) -> tuple[int, ...]:
        """The layouts, by number, in which it does not succeed."""
        return tuple(world for world, won in enumerate(self.succeeds) if not won)


@dataclass(frozen=True)
class CardComparison:
    """Cards over the same layouts, as one player sees them."""

    view: View
    drawn: WeightedWorlds
    outcomes: tuple[CardOutcome, ...]

    @property
    def worlds(self) -> tuple[Deal, ...]:
        """The layouts."""
        return self.drawn.worlds

    @property
    def exact(self) -> bool:
        """Whether they are all there are."""
        return self.drawn.exact

    def chance(self, outcome: CardOutcome) -> float:
        """How often a card succeeds."""
        return self._average(outcome.succeeds)

    def score(self, outcome: CardOutcome, vulnerability: Vulnerability) -> float:
        """The points of the player's side on average."""
        goal = Goal.seen_by(self.view, Aim.SCORE, vulnerability)
        return self._average([goal.payoff(taken) for taken in outcome.tricks])

    def _average(self, payoffs: Sequence[int]) -> float:
        total = sum(weight * payoff for weight, payoff in zip(self.drawn.weights, payoffs, strict=True))
        return total / sum(self.drawn.weights)

    def gain(self, one: CardOutcome, other: CardOutcome) -> Estimate:
        """How much more often the one succeeds than the other; of all layouts there are, exactly."""
        pairs = [mine - its for mine, its in zip(one.succeeds, other.succeeds, strict=True)]
        found = weighted_difference(pairs, self.drawn.weights, CONFIDENCE)
        return Estimate(found.value, found.value, found.value, found.count, percent=True) if self.exact else found

    def odds(self, one: CardOutcome, other: CardOutcome, among: Sequence[bool] | None = None) -> tuple[int, int]:
        """What the layouts weigh in which only the one succeeds, and those in which only the other does.

        Of all layouts, or of those that ``among`` says.
        """
        counted = among or [True] * len(self.worlds)
        each = list(zip(self.drawn.weights, one.succeeds, other.succeeds, counted, strict=True))
        won, lost = (sum(weight for weight, mine, its, here in each if here and mine - its == sign) for sign in (1, -1))
        return won, lost


def compare_cards(
    view: View, drawn: WeightedWorlds, cards: Sequence[Card], depth: int, limit: Limit, solvers: SolverCache
) -> CardComparison:
    """Cards of a player over these layouts; declarer's plans look ``depth`` cards ahead, within the limit.

    >>> from worldwise.bridge.layouts.drawing import draw_worlds
    >>> from worldwise.bridge.layouts.sampler import Layouts
    >>> from worldwise.bridge.rules.deal import read_card
    >>> from worldwise.bridge.solvers.pimc import SolverCache
    >>> from worldwise.catalog import deal
    >>> from worldwise.core.result import NO_LIMIT
    >>> from random import Random
    >>> view = deal("deals/two-way-guess").view
    >>> drawn = draw_worlds(Layouts(view), 40, Random(1))
    >>> cards = [read_card("S3"), read_card("SA")]
    >>> found = compare_cards(view, drawn, cards, 3, NO_LIMIT, SolverCache(view.contract.strain))
    >>> [round(found.chance(outcome), 3) for outcome in found.outcomes]
    [0.677, 0.323]
    """
    tricks = [_tricks_after(view, drawn.worlds, card, solvers) for card in cards]
    goal = Goal.seen_by(view, Aim.MAKE)
    face_up = [tuple(map(goal.payoff, taken)) for taken in tricks]
    plans = _plans(view, drawn, cards, depth, limit, solvers) if goal.declares else None
    if plans is None:
        outcomes = [
            CardOutcome(card, made, taken, ValueKind.DEPTH, 1)
            for card, made, taken in zip(cards, face_up, tricks, strict=True)
        ]
    else:
        outcomes = [
            CardOutcome(card, made, _cap_tricks(taken, made, goal), kind, reached)
            for (card, made, kind, reached), taken in zip(plans, tricks, strict=True)
        ]
    return CardComparison(view, drawn, tuple(outcomes))


_Plan = tuple["Card", tuple[int, ...], ValueKind, int]


def _plans(
    view: View, drawn: WeightedWorlds, cards: Sequence[Card], depth: int, limit: Limit, solvers: SolverCache
) -> list[_Plan] | None:
    """In which layouts the best plan that begins with each card succeeds; None if the limit allows no search at all."""
    search = BridgeAlphaMu(depth, root=Root.COMPARE)
    try:
        found = search.evaluate(view, drawn.worlds, limit, weights=drawn.weights, solvers=solvers, among=cards)
    except LimitReachedError:
        return None
    plans = []
    for card in cards:
        value = found.found_of(card)
        made = max(value.front, key=lambda front: sum(map(int.__mul__, drawn.weights, front)))
        plans.append((card, tuple(made), value.kind, value.depth))
    return plans


def _tricks_after(view: View, worlds: Sequence[Deal], card: Card, solvers: SolverCache) -> tuple[int, ...]:
    """Declarer's tricks in all, in each layout, once a card is played and everything is seen."""
    declarer, gone = view.contract.declarer, set_of(view.played[: len(view.played) // 4 * 4])
    taken = []
    for world in worlds:
        after = view.position(world).play(card)
        taken.append(after.won[declarer & 1] + solvers(world, gone).tricks(after, declarer))
    return tuple(taken)


def _cap_tricks(tricks: Sequence[int], made: Sequence[int], goal: Goal) -> tuple[int, ...]:
    """Tricks of a plan: a contract that it does not make is at best one down."""
    most = goal.contract.tricks - 1
    return tuple(taken if won else min(taken, most) for taken, won in zip(tricks, made, strict=True))
