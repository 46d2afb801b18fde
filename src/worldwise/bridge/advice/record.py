"""What advice says: the figures of every card a player may choose, how the best fared on a trial, and the plan."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from worldwise.bridge.advice.differences import Reasons, reasons_of
from worldwise.bridge.rules.goal import Aim, Goal
from worldwise.bridge.solvers.alphamu import CardValue
from worldwise.core.weights import effective_sample_size
from worldwise.errors import InputError
from worldwise.search.alphamu_root import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from worldwise.bridge.advice.other_tables import OtherTables
    from worldwise.bridge.advice.plan import PlanPlace
    from worldwise.bridge.layouts.auction import AuctionBelief
    from worldwise.bridge.rules.deal import Card, Deal
    from worldwise.bridge.rules.view import View
    from worldwise.core.statistics import Estimate


UNKNOWN = CardValue(0.0, ValueKind.DEPTH, 1, ())
"""What a choice is worth that nobody has looked at."""


@dataclass(frozen=True)
class CardChoice:
    """Cards that are equal for the player, the highest first, and what becomes of them.

    ``chance`` is that of making the contract, for a defender of beating it. ``kind`` says what the figure is: final,
    exact for ``depth`` of his own cards ahead and never too little, or no more than a bound. That is over the layouts
    that were looked at; over all of them it lies in ``interval`` with 95 % confidence. ``loses`` are the worlds, by
    number, in which the best plan that begins so does not succeed, as far as was seen. ``pimc`` is the chance if every
    later guess were right. ``tricks`` are those of the player's side on average, all cards seen and the ones won
    already included, and ``score`` its points. ``led`` is the one of the cards that is led by convention, if any.

    ``worth`` is what was found towards the aim, and orders the choices: the chance again, or the tricks or points of
    one plan, with a kind and a depth of their own. With another aim than ``make`` nobody looks for the plan that makes
    the contract most often, so ``chance`` is the one with all cards seen. ``beside`` is what the score is worth beside
    other tables, if it is compared with any, and then that orders the choices: IMPs, or a share of the matchpoints.
    """

    cards: tuple[Card, ...]
    chance: float
    interval: tuple[float, float]
    tricks: float
    score: float
    loses: tuple[int, ...]
    pimc: float = 0.0
    kind: ValueKind = ValueKind.DEPTH
    depth: int = 1
    led: Card | None = None
    worth: CardValue = UNKNOWN
    beside: float | None = None

    @property
    def card(self) -> Card:
        """The one to play: what is led by convention, if it is a lead, and otherwise the lowest, which tells least."""
        return self.cards[-1] if self.led is None else self.led


@dataclass(frozen=True)
class Trial:
    """What became of the best card on ``layouts`` that had no part in choosing it.

    ``most`` is its share of them as the search sees it, never too little on average; PIMC's, where nothing else was
    asked, is with all cards seen. ``least`` is the share in which it made the contract when it was played out against
    defenders who see all cards, None if it was not played out. Of the layouts ``played`` out it made the contract in
    ``made``; ``least`` weighs them.
    """

    layouts: int
    most: Estimate
    least: Estimate | None = None
    played: int = 0
    made: int = 0


@dataclass(frozen=True)
class Advice:
    """What ``advise`` found; ``choices`` stand best first, the first of them never a bound.

    ``layouts`` is how many layouts fit what the player knows. If ``exact``, the worlds are all of them, each once, and
    chances have no error of sampling: their intervals are points. ``weights`` are what the worlds count. ``complete``
    is False if a limit left some of the worlds out. ``depth`` is how many cards of his own alpha-mu looked ahead.
    ``close`` are choices that a sample like this cannot tell from the best. ``plan`` is how declarer plays on after the
    card: what alpha-mu chooses, as deep, in the layouts that are left. ``belief`` is what the auction says, and
    ``others`` the tables that the score is compared with, if it is.
    """

    view: View
    aim: Aim
    algorithm: str
    choices: tuple[CardChoice, ...]
    worlds: tuple[Deal, ...] = field(repr=False)
    weights: tuple[int, ...] = field(repr=False)
    layouts: int
    exact: bool
    complete: bool
    seed: int
    seconds: float = field(compare=False)
    depth: int = 1
    close: tuple[CardChoice, ...] = ()
    trial: Trial | None = None
    plan: tuple[PlanPlace, ...] = ()
    belief: AuctionBelief | None = None
    others: OtherTables | None = None

    def hoped(self, choice: CardChoice) -> float:
        """What a choice would be worth towards the aim if every later guess were right."""
        return {Aim.MAKE: choice.pimc, Aim.TRICKS: choice.tricks, Aim.SCORE: choice.score}[self.aim]

    @property
    def aims_elsewhere(self) -> bool:
        """Whether tricks or points count, and not the contract alone."""
        return self.aim is not Aim.MAKE

    @property
    def to_the_end(self) -> bool:
        """Whether nothing that the layouts hold can change the best choice's figure."""
        return self.best.kind is ValueKind.FINAL

    @cached_property
    def reasons(self) -> Reasons:
        """Why the best choice is the best."""
        return reasons_of(self)

    @property
    def effective(self) -> float:
        """How many worlds of equal weight tell as much."""
        return effective_sample_size(self.weights)

    def share(self, worlds: Iterable[int]) -> float:
        """What some worlds, by number, weigh of all."""
        return sum(self.weights[world] for world in worlds) / sum(self.weights)

    @property
    def best(self) -> CardChoice:
        """The first choice."""
        return self.choices[0]

    @property
    def card(self) -> Card:
        """The card to play."""
        return self.best.card

    @property
    def declares(self) -> bool:
        """Whether declarer is advised."""
        return Goal(self.aim, self.view.contract, self.view.seat).declares

    def choice_of(self, card: Card) -> CardChoice:
        """The choice that a card belongs to."""
        for choice in self.choices:
            if card in choice.cards:
                return choice
        raise InputError(f"expected a card that {self.view.to_move} may play, found {card!r}")
