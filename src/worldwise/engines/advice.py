"""Advice at the table: for every card a player may choose, the chance that it succeeds and the tricks to expect.

``advise`` looks at layouts of the hidden hands, all of them if they are few and otherwise a sample. What each card
takes in each of them with all cards seen gives tricks, and PIMC's chances. For declarer alpha-mu then says which of
those chances can be had by one plan: PIMC counts on every later guess being right. How that plan goes on, alpha-mu
says too, asked again after each card that a defender may play. ``deepening`` is for who looks on meanwhile: a first
answer from a few layouts, then better ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from worldwise.core.result import NO_LIMIT, Clock, Limit
from worldwise.core.statistics import wilson
from worldwise.engines.alphamu import BridgeAlphaMu
from worldwise.engines.pimc import Pimc, Solvers, choices_of
from worldwise.engines.plan import plan
from worldwise.engines.trees import in_use
from worldwise.errors import InputError, LimitReachedError, UnknownNameError
from worldwise.games.bridge.contract import Vulnerability
from worldwise.games.bridge.deal import set_of
from worldwise.games.bridge.goal import Aim, Goal
from worldwise.games.bridge.sampler import Layouts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldwise.engines.alphamu import AlphaMuValues
    from worldwise.engines.pimc import CardValues
    from worldwise.engines.plan import Chosen, Place
    from worldwise.games.bridge.constraints import Constraint
    from worldwise.games.bridge.deal import Card, Deal
    from worldwise.games.bridge.view import View

WORLDS = 40
"""How many layouts are looked at, unless one says otherwise."""

ENDING, FEW = 5, 1000
"""With so few cards a hand, up to so many layouts are looked at one by one, even if a sample was asked for."""

EFFORT, EFFORT_IN_PYTHON = 4_000_000, 15_000
"""How far alpha-mu looks for the card, and as far again for the plan, unless one says otherwise, compiled and not: in
nodes times worlds, a second or two."""

FOR_THE_CARD = 0.75
"""The share of the seconds that may go into choosing the card; what is left is for the plan."""

STAGES: tuple[tuple[int, int | None], ...] = ((6, 1), (20, 1), (20, 2), (40, 3), (40, 5), (60, None))
"""The worlds, and how many cards ahead, of one answer after the other; None is as far as the effort goes."""

ADVISERS = ("alphamu", "pimc")
"""The algorithms by name; alpha-mu is for declarer, and gives a defender what PIMC gives."""


@dataclass(frozen=True)
class Choice:
    """Cards that are equal for the player, the highest first, and what becomes of them.

    ``chance`` is that of making the contract, for a defender of beating it, and lies in ``interval`` with 95 %
    confidence; ``loses`` are the worlds, by number, in which the contract is not made, or not beaten. They are those of
    the best plan that begins with the card, if alpha-mu is asked; ``pimc`` is the chance if every later guess were
    right. ``tricks`` are those of the player's side on average, all cards seen and the ones won already included, and
    ``score`` its points.
    """

    cards: tuple[Card, ...]
    chance: float
    interval: tuple[float, float]
    tricks: float
    score: float
    loses: tuple[int, ...]
    pimc: float = 0.0

    @property
    def card(self) -> Card:
        """The one to play: the lowest, which tells the least."""
        return self.cards[-1]


@dataclass(frozen=True)
class Advice:
    """What ``advise`` found; ``choices`` stand best first.

    ``layouts`` is how many layouts fit what the player knows. If ``exact``, the worlds are all of them, each once, and
    chances have no error of sampling: their intervals are points. ``complete`` is False if a limit left some of the
    worlds out. ``depth`` is how many cards of his own alpha-mu looked ahead; ``to_the_end`` says whether that was all.
    ``plan`` is how declarer plays on after the card: what alpha-mu chooses, as deep, in the layouts that are left.
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
    depth: int = 1
    to_the_end: bool = False
    plan: tuple[Place, ...] = ()

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


@dataclass
class Memory:
    """What is kept from one answer about a view to the next: solvers, and what each card takes in worlds seen."""

    solvers: Solvers
    rows: dict[Deal, list[int]] = field(default_factory=dict)

    def seen(self, view: View, worlds: Sequence[Deal], limit: Limit) -> CardValues:
        """What each card takes in each world, all cards seen; worlds that are new are solved, until the limit."""
        new = [world for world in worlds if world not in self.rows]
        fresh = Pimc(Aim.TRICKS).evaluate(view, new or worlds[:1], limit, solvers=self.solvers)
        self.rows |= zip(fresh.worlds, fresh.matrix.tolist(), strict=True)
        known = tuple(world for world in worlds if world in self.rows)
        return replace(fresh, worlds=known, matrix=np.array([self.rows[world] for world in known]))


def advise(
    view: View,
    *,
    worlds: int = WORLDS,
    constraints: Sequence[Constraint] = (),
    aim: Aim = Aim.MAKE,
    vulnerability: Vulnerability = Vulnerability.NONE,
    algorithm: str = "alphamu",
    limit: Limit = NO_LIMIT,
    seed: int = 0,
    planning: bool = True,
    memory: Memory | None = None,
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
    if algorithm not in ADVISERS:
        raise UnknownNameError("algorithm", algorithm, ADVISERS)
    clock = Clock(limit)
    found = Layouts(view, constraints)
    drawn, every = _worlds(found, worlds, seed)
    memory = memory or Memory(Solvers(view.contract.strain, max(160, len(drawn))))
    # A limit of nodes is for the search that was asked for.
    allowed = Limit(clock.seconds_left, limit.nodes if algorithm == "pimc" else None)
    seen = memory.seen(view, drawn, allowed)
    complete = len(seen.worlds) == len(drawn)
    judge = _Judge(seen, aim, vulnerability, every and complete)
    layouts = len(drawn) if judge.exact else found.count
    adviser = _Adviser(view, judge, layouts, complete, seed, clock, memory.solvers)
    return adviser.advice(adviser.plans() if algorithm == "alphamu" else None, planning=planning)


def deepening(
    view: View,
    *,
    constraints: Sequence[Constraint] = (),
    aim: Aim = Aim.MAKE,
    vulnerability: Vulnerability = Vulnerability.NONE,
    stages: Sequence[tuple[int, int | None]] = STAGES,
    seed: int = 0,
) -> Iterator[Advice]:
    """Advice that comes soon, and gets better: more worlds, and further ahead, until nothing is left to look at.

    The first answer has no plan yet, which takes longer than the figures. The worlds of one answer are among those of
    the next, and what was solved is kept.

    >>> from worldwise.catalog import deal
    >>> found = deepening(deal("deals/two-way-guess").view, stages=((3, 1), (5, 1)))
    >>> [(len(advice.worlds), advice.depth) for advice in found]
    [(15, 1), (15, 1)]
    """
    memory = Memory(Solvers(view.contract.strain))
    asked = partial(advise, view, constraints=constraints, aim=aim, vulnerability=vulnerability, seed=seed)
    found, planned = None, False
    for worlds, depth in stages:
        if found is not None and planned and _settled(found, worlds, depth):
            continue
        planned = found is not None
        found = asked(worlds=worlds, limit=Limit(depth=depth), planning=planned, memory=memory)
        yield found


def _settled(found: Advice, worlds: int, depth: int | None) -> bool:
    """Whether a stage can only say again what is known."""
    same = found.exact or len(found.worlds) >= worlds
    deep = found.to_the_end or (depth is not None and found.depth >= depth)
    return same and deep


@dataclass(frozen=True)
class _Adviser:
    """Who has seen what each card takes in the worlds, and says what to play."""

    view: View
    judge: _Judge
    layouts: int
    complete: bool
    seed: int
    clock: Clock
    solvers: Solvers

    def advice(self, plans: AlphaMuValues | None, *, planning: bool) -> Advice:
        """By alpha-mu's plans, if there are any, and otherwise by PIMC."""
        depth = plans.depth if plans else 1
        choices = self.judge.choices(plans)
        follows = self._plan(choices[0].card, plans) if plans and planning else ()
        return Advice(
            view=self.view,
            aim=self.judge.aim,
            algorithm="alphamu" if plans else "pimc",
            choices=choices,
            worlds=self.judge.values.worlds,
            layouts=self.layouts,
            exact=self.judge.exact,
            complete=self.complete,
            seed=self.seed,
            seconds=self.clock.seconds,
            depth=depth,
            to_the_end=depth >= _own_cards(self.view),
            plan=follows,
        )

    def plans(self) -> AlphaMuValues | None:
        """What alpha-mu finds in the time that is left, as deep as it gets; None if that is not even one move.

        It is for declarer, if no limit left out worlds; for a forced card too, or its figure would be PIMC's.
        """
        view, seen, limit = self.view, self.judge.values, self.clock.limit
        if view.seat != view.contract.declarer or not self.complete:
            return None
        effort = _effort(limit, len(seen.worlds))
        seconds = None if limit.seconds is None else FOR_THE_CARD * limit.seconds - self.clock.seconds
        allowed = Limit(seconds, None if effort is None else effort // len(seen.worlds))
        search, goal = BridgeAlphaMu(limit.depth or _own_cards(view)), self.judge.goal(self.judge.aim)
        try:
            return search.evaluate(view, seen.worlds, allowed, goal=goal, solvers=self.solvers)
        except LimitReachedError:
            return None

    def _plan(self, card: Card, plans: AlphaMuValues) -> tuple[Place, ...]:
        """How declarer plays on after his card."""
        if not in_use() and _cards_left(self.view) > ENDING:
            return ()  # plain Python would take minutes
        worlds = self.judge.values.worlds
        effort = _effort(self.clock.limit, len(worlds))
        return plan(self.view, worlds, card, _Chooser(self.judge, plans.depth, self.clock, self.solvers, effort))


def _effort(limit: Limit, worlds: int) -> int | None:
    """How much alpha-mu may do, in nodes times worlds: what is asked for, and without a limit what is usual."""
    if limit.nodes is not None:
        return limit.nodes * worlds
    usual = EFFORT if in_use() else EFFORT_IN_PYTHON
    return usual if limit.seconds is None else None


@dataclass
class _Chooser:
    """What alpha-mu plays later on, looking as far ahead as for the first card, while time and ``effort`` last."""

    judge: _Judge
    depth: int
    clock: Clock
    solvers: Solvers
    effort: int | None

    def __call__(self, view: View, worlds: Sequence[Deal]) -> Chosen | None:
        choices = choices_of(view, worlds[0])
        if len(choices) == 1:
            return choices[0][-1], False
        try:
            seen = Pimc(Aim.TRICKS).evaluate(view, worlds, Limit(self.clock.seconds_left), solvers=self.solvers)
            plans = self._plans(view, worlds)
        except LimitReachedError:
            return None
        if len(seen.worlds) < len(worlds) or not plans.complete:
            return None
        best = replace(self.judge, values=seen).choices(plans)[0]
        return best.card, len(set(plans.fronts)) > 1

    def _plans(self, view: View, worlds: Sequence[Deal]) -> AlphaMuValues:
        nodes = None if self.effort is None else max(1, self.effort // len(worlds))
        search = BridgeAlphaMu(min(self.depth, _own_cards(view)))
        goal, allowed = self.judge.goal(self.judge.aim), Limit(self.clock.seconds_left, nodes)
        found = search.evaluate(view, worlds, allowed, goal=goal, solvers=self.solvers)
        if self.effort is not None:
            self.effort -= found.stats.nodes * len(worlds)
        return found


def _own_cards(view: View) -> int:
    """How many cards of his own and dummy's declarer has still to play."""
    return sum((hand & ~set_of(view.played)).bit_count() for hand in view.faced.values())


def _cards_left(view: View) -> int:
    """How many cards each hand has, the trick on the table included."""
    return (view.pack.bit_count() - len(view.played) + 3) // 4


def _worlds(layouts: Layouts, number: int, seed: int) -> tuple[list[Deal], bool]:
    """The layouts to look at, and whether they are all there are."""
    if number < 1:
        raise InputError(f"expected at least one world, found {number}")
    most = max(number, FEW) if _cards_left(layouts.view) <= ENDING else number
    if 0 < layouts.count <= most and (every := layouts.enumerate()):
        return every, True
    return layouts.sample_different(Random(seed), number), False


@dataclass(frozen=True)
class _Judge:
    """Reads chances, tricks and points from what was found."""

    values: CardValues
    aim: Aim
    vulnerability: Vulnerability
    exact: bool

    def choices(self, plans: AlphaMuValues | None) -> tuple[Choice, ...]:
        """All choices, the best first: by what a plan can have, then by what PIMC hopes for."""
        columns = self.values.matrix.T.tolist()
        planned = plans.averages if plans else [0.0] * len(columns)
        found = zip(self.values.choices, columns, planned, strict=True)
        ranked = sorted(found, key=lambda entry: (-round(entry[2], 9), *self._rank(entry[0], entry[1])))
        return tuple(self._choice(cards, tricks, self._plan(plans, cards)) for cards, tricks, _ in ranked)

    def goal(self, aim: Aim) -> Goal:
        """The player's goal if he plays for this."""
        return self._goals[aim]

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

    def _plan(self, plans: AlphaMuValues | None, cards: tuple[Card, ...]) -> list[int] | None:
        """In which worlds the best plan makes the contract; None if that is not what was searched for."""
        if plans is None or self.aim is not Aim.MAKE:
            return None
        return list(max(plans.fronts[plans.choices.index(cards)], key=sum))

    def _choice(self, cards: tuple[Card, ...], tricks: list[int], plan: list[int] | None) -> Choice:
        number = len(tricks)
        hoped = self._payoffs(tricks, Aim.MAKE)
        made = hoped if plan is None else plan
        chance = sum(made) / number
        sampled = wilson(sum(made), number)
        interval = (chance, chance) if self.exact else (sampled.low, sampled.high)
        loses = tuple(world for world, won in enumerate(made) if not won)
        score = sum(self._payoffs(tricks, Aim.SCORE)) / number
        return Choice(cards, chance, interval, sum(tricks) / number, score, loses, sum(hoped) / number)
