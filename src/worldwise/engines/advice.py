"""Advice at the table: for every card a player may choose, the chance that it succeeds and the tricks to expect.

``advise`` looks at layouts of the hidden hands, all of them if they are few and otherwise a sample, and lets an
algorithm say what each card takes in each of them. Algorithms stand in a table: whoever gives a card's tricks world by
world is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING

from worldwise.core.result import NO_LIMIT, Clock, Limit
from worldwise.engines.pimc import CardValues, Pimc
from worldwise.errors import InputError, UnknownNameError
from worldwise.games.bridge.contract import Vulnerability
from worldwise.games.bridge.deal import Deal
from worldwise.games.bridge.goal import Aim, Goal
from worldwise.games.bridge.sampler import Layouts
from worldwise.games.bridge.view import View

if TYPE_CHECKING:
    from collections.abc import Mapping

    from worldwise.games.bridge.constraints import Constraint
    from worldwise.games.bridge.deal import Card

WORLDS = 40
"""How many layouts are looked at, unless one says otherwise."""

ENDING, FEW = 5, 1000
"""With so few cards a hand, up to so many layouts are looked at one by one, even if a sample was asked for."""

Algorithm = Callable[[View, Sequence[Deal], Aim, Limit], CardValues]
"""Tells how many tricks the player's side takes with each card in each world; ``Aim`` is what it may play for."""


def _pimc(view: View, worlds: Sequence[Deal], aim: Aim, limit: Limit) -> CardValues:  # noqa: ARG001
    """The tricks of each world face up serve every aim."""
    return Pimc(Aim.TRICKS).evaluate(view, worlds, limit)


ADVISERS: Mapping[str, Algorithm] = MappingProxyType({"pimc": _pimc})
"""The algorithms by name."""


@dataclass(frozen=True)
class Choice:
    """Cards that are equal for the player, the highest first, and what becomes of them.

    ``chance`` is that of making the contract, for a defender of beating it, and lies in ``interval`` with 95 %
    confidence; ``tricks`` are those of the player's side on average, the ones won already included; ``score`` its
    points on average. ``loses`` are the worlds, by number, in which the contract is not made, or not beaten.
    """

    cards: tuple[Card, ...]
    chance: float
    interval: tuple[float, float]
    tricks: float
    score: float
    loses: tuple[int, ...]

    @property
    def card(self) -> Card:
        """The one to play: the lowest, which tells the least."""
        return self.cards[-1]


@dataclass(frozen=True)
class Advice:
    """What ``advise`` found; ``choices`` stand best first.

    ``layouts`` is how many layouts fit what the player knows. If ``exact``, the worlds are all of them, each once, and
    chances have no error of sampling: their intervals are points. ``complete`` is False if a limit left some of the
    worlds out.
    """

    view: View
    aim: Aim
    algorithm: str
    choices: tuple[Choice, ...]
    worlds: tuple[Deal, ...] = field(repr=False)
    layouts: int
    exact: bool
    complete: bool
    seed: int
    seconds: float = field(compare=False)

    @property
    def best(self) -> Choice:
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

    def choice_of(self, card: Card) -> Choice:
        """The choice that a card belongs to."""
        for choice in self.choices:
            if card in choice.cards:
                return choice
        raise InputError(f"expected a card that {self.view.to_move} may play, found {card!r}")


def advise(
    view: View,
    *,
    worlds: int = WORLDS,
    constraints: Sequence[Constraint] = (),
    aim: Aim = Aim.MAKE,
    vulnerability: Vulnerability = Vulnerability.NONE,
    algorithm: str = "pimc",
    limit: Limit = NO_LIMIT,
    seed: int = 0,
) -> Advice:
    """What to play, and how likely each card is to succeed, from what a player knows.

    >>> from worldwise.games.bridge.contract import Contract
    >>> from worldwise.games.bridge.deal import Deal, Seat, card_name, read_card
    >>> from worldwise.games.bridge.play import Play
    >>> from worldwise.games.bridge.view import view_of
    >>> deal = Deal.read("N:AQ4... K53... 876... JT9...")
    >>> view = view_of(Play(deal, Contract.read("1NT by S"), (read_card("SJ"),)), Seat.SOUTH)
    >>> advice = advise(view, aim=Aim.TRICKS)
    >>> advice.exact, advice.layouts, card_name(advice.card), advice.best.tricks
    (True, 10, 'S4', 1.4)
    """
    clock = Clock(limit)
    found = Layouts(view, constraints)
    drawn, exact = _worlds(found, worlds, seed)
    values = _adviser(algorithm)(view, drawn, aim, Limit(clock.seconds_left, limit.nodes, limit.depth))
    exact = exact and len(values.worlds) == len(drawn)
    choices = _Judge(values, aim, vulnerability, exact).choices
    layouts, complete = len(drawn) if exact else found.count, len(values.worlds) == len(drawn)
    return Advice(view, aim, values.algorithm, choices, values.worlds, layouts, exact, complete, seed, clock.seconds)


def _adviser(name: str) -> Algorithm:
    if name not in ADVISERS:
        raise UnknownNameError("algorithm", name, ADVISERS)
    return ADVISERS[name]


def _worlds(layouts: Layouts, number: int, seed: int) -> tuple[list[Deal], bool]:
    """The layouts to look at, and whether they are all there are."""
    if number < 1:
        raise InputError(f"expected at least one world, found {number}")
    cards_left = (layouts.view.pack.bit_count() - len(layouts.view.played) + 3) // 4
    most = max(number, FEW) if cards_left <= ENDING else number
    if 0 < layouts.count <= most and (every := layouts.enumerate()):
        return every, True
    return layouts.sample_different(Random(seed), number), False


@dataclass(frozen=True)
class _Judge:
    """Reads chances, tricks and points from what an algorithm found."""

    values: CardValues
    aim: Aim
    vulnerability: Vulnerability
    exact: bool

    @property
    def choices(self) -> tuple[Choice, ...]:
        """All choices, the best first."""
        columns = self.values.matrix.T.tolist()
        ranked = sorted(zip(self.values.choices, columns, strict=True), key=lambda pair: self._rank(*pair))
        return tuple(self._choice(cards, tricks) for cards, tricks in ranked)

    @cached_property
    def _goals(self) -> dict[Aim, Goal]:
        known = self.values.goal
        return {aim: Goal(aim, known.contract, known.seat, self.vulnerability, known.tricks) for aim in Aim}

    def _payoffs(self, tricks: list[int], aim: Aim) -> list[int]:
        """What the tricks of the player's side are worth in each world."""
        goal = self._goals[aim]
        return [goal.payoff(taken if goal.declares else goal.tricks - taken) for taken in tricks]

    def _rank(self, cards: tuple[Card, ...], tricks: list[int]) -> tuple[int, ...]:
        """The aim first, then what else is good, then the lowest card: sums, so that a tie is a tie."""
        aims = dict.fromkeys((self.aim, Aim.MAKE, Aim.TRICKS))
        return (*(-sum(self._payoffs(tricks, aim)) for aim in aims), cards[-1] & 15, cards[-1])

    def _choice(self, cards: tuple[Card, ...], tricks: list[int]) -> Choice:
        number = len(tricks)
        made = self._payoffs(tricks, Aim.MAKE)
        chance = sum(made) / number
        interval = (chance, chance) if self.exact else sampled_interval(sum(made), number)
        loses = tuple(world for world, won in enumerate(made) if not won)
        score = sum(self._payoffs(tricks, Aim.SCORE)) / number
        return Choice(cards, chance, interval, sum(tricks) / number, score, loses)


def sampled_interval(successes: int, trials: int) -> tuple[float, float]:
    """Wilson's 95 % interval for a rate, right also for rates near 0 and 1.

    >>> [round(bound, 3) for bound in sampled_interval(40, 40)]
    [0.912, 1.0]
    """
    z, rate = 1.96, successes / trials
    stretch = 1 + z * z / trials
    middle = (rate + z * z / (2 * trials)) / stretch
    half = z / stretch * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    return max(0.0, middle - half), min(1.0, middle + half)
