"""Advice at the table: for every card a player may choose, the chance that it succeeds and the tricks to expect.

``advise`` looks at layouts of the hidden hands, all of them if they are few and otherwise a sample, each weighed by the
cards that the hidden hands have played (``bridge.layouts.carding``). What each card takes in each layout with all cards
seen gives tricks, and PIMC's chances. For declarer alpha-mu then says which of those chances one plan can have: PIMC
counts on every later guess being right. It compares all cards alike, and every figure says what it is.

The best of several noisy figures flatters itself. So the card is tried on layouts that had no part in choosing it
(``Trial``): what it has there at most, and what it makes there when it is played out against defenders who see all
cards. How the plan goes on, alpha-mu says too, asked again after each card that a defender may play. ``deepening`` is
for who looks on meanwhile: a first answer from a few layouts, then better ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from worldwise.bridge.advice.plan import plan
from worldwise.bridge.advice.play_out import play_out
from worldwise.bridge.layouts.carding import Carding
from worldwise.bridge.layouts.drawing import ENDING, WeightedWorlds, draw_worlds
from worldwise.bridge.layouts.sampler import Layouts
from worldwise.bridge.rules.contract import Vulnerability
from worldwise.bridge.rules.deal import set_of
from worldwise.bridge.rules.goal import Aim, Goal
from worldwise.bridge.solvers.alphamu import BridgeAlphaMu
from worldwise.bridge.solvers.pimc import Pimc, Solvers, choices_of
from worldwise.core.result import NO_LIMIT, Clock, Limit
from worldwise.core.statistics import Estimate, paired_share, wilson_share
from worldwise.core.weights import effective_sample_size
from worldwise.errors import InputError, LimitReachedError, UnknownNameError
from worldwise.kernels import in_use
from worldwise.search.alphamu_root import Root, ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from worldwise.bridge.advice.plan import Chosen, Place
    from worldwise.bridge.layouts.constraints import Constraint
    from worldwise.bridge.rules.deal import Card, Deal
    from worldwise.bridge.rules.view import View
    from worldwise.bridge.solvers.alphamu import AlphaMuValues, CardValue
    from worldwise.bridge.solvers.pimc import CardValues

WORLDS = 40
"""How many layouts are looked at, unless one says otherwise."""

EFFORT = ((8, 4_000_000), (13, 1_000_000))
"""With at most so many cards a hand, so many nodes are for comparing the cards, unless one says otherwise: some seconds
at most. Early in the play a node takes longer, because more cards are left to solve."""

EFFORT_IN_PYTHON = 15_000
"""The same without kernels, in nodes times worlds."""

FOR_THE_PLAN, FOR_THE_TRIAL, AT_EACH_PLACE = 4, 4, 4
"""Of that effort, one part in so many is for the plan behind the card, and one for its trial; and at each place of the
plan, one part in so many of what is left."""

FOR_THE_CARD = 0.75
"""The share of the seconds that may go into choosing the card; what is left is for the plan."""

STAGES: tuple[tuple[int, int | None], ...] = ((6, 1), (20, 1), (20, 2), (40, 3), (40, 5), (60, None))
"""The worlds, and how many cards ahead, of one answer after the other; None is as far as the effort goes."""

TRIED = 40
"""On how many fresh layouts the card is tried that was chosen on others."""

PLAYED_OUT = ((11, 12), (9, 20), (0, TRIED))
"""With so many cards a hand, on so many of these it is played out."""

ADVISERS = ("alphamu", "pimc")
"""The algorithms by name; alpha-mu is for declarer, and gives a defender what PIMC gives."""


@dataclass(frozen=True)
class Choice:
    """Cards that are equal for the player, the highest first, and what becomes of them.

    ``chance`` is that of making the contract, for a defender of beating it. ``kind`` says what the figure is: final,
    exact for ``depth`` of his own cards ahead and never too little, or no more than a bound. That is over the layouts
    that were looked at; over all of them it lies in ``interval`` with 95 % confidence. ``loses`` are the worlds, by
    number, in which the best plan that begins so does not succeed, as far as was seen. ``pimc`` is the chance if every
    later guess were right. ``tricks`` are those of the player's side on average, all cards seen and the ones won
    already included, and ``score`` its points.
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

    @property
    def card(self) -> Card:
        """The one to play: the lowest, which tells the least."""
        return self.cards[-1]


@dataclass(frozen=True)
class Trial:
    """What became of the best card on ``layouts`` that had no part in choosing it.

    ``most`` is its share of them as the search sees it, never too little on average; ``least`` the share in which it
    made the contract when it was played out against defenders who see all cards, None if it was not played out. Of
    the layouts ``played`` out it made the contract in ``made``; ``least`` weighs them.
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
    card: what alpha-mu chooses, as deep, in the layouts that are left.
    """

    view: View
    aim: Aim
    algorithm: str
    choices: tuple[Choice, ...]
    worlds: tuple[Deal, ...] = field(repr=False)
    weights: tuple[int, ...] = field(repr=False)
    layouts: int
    exact: bool
    complete: bool
    seed: int
    seconds: float = field(compare=False)
    depth: int = 1
    close: tuple[Choice, ...] = ()
    trial: Trial | None = None
    plan: tuple[Place, ...] = ()

    @property
    def to_the_end(self) -> bool:
        """Whether nothing that the layouts hold can change the best choice's figure."""
        return self.best.kind is ValueKind.FINAL

    @property
    def effective(self) -> float:
        """How many worlds of equal weight tell as much."""
        return effective_sample_size(self.weights)

    def share(self, worlds: Iterable[int]) -> float:
        """What some worlds, by number, weigh of all."""
        return sum(self.weights[world] for world in worlds) / sum(self.weights)

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

    def seen(self, view: View, drawn: WeightedWorlds, limit: Limit) -> CardValues:
        """What each card takes in each world, all cards seen; worlds that are new are solved, until the limit."""
        new = [world for world in drawn.worlds if world not in self.rows]
        fresh = Pimc(Aim.TRICKS).evaluate(view, new or drawn.worlds[:1], limit, solvers=self.solvers)
        self.rows |= zip(fresh.worlds, fresh.matrix.tolist(), strict=True)
        known = [pair for pair in zip(drawn.worlds, drawn.weights, strict=True) if pair[0] in self.rows]
        worlds, weights = zip(*known, strict=True)
        return replace(fresh, worlds=worlds, weights=weights, matrix=np.array([self.rows[world] for world in worlds]))


def advise(
    view: View,
    *,
    worlds: int = WORLDS,
    constraints: Sequence[Constraint] = (),
    aim: Aim = Aim.MAKE,
    vulnerability: Vulnerability = Vulnerability.NONE,
    algorithm: str = "alphamu",
    limit: Limit = NO_LIMIT,
    carding: Carding = Carding.EQUAL,
    seed: int = 0,
    planning: bool = True,
    trying: bool = True,
    memory: Memory | None = None,
) -> Advice:
    """What to play, and how likely each card is to succeed, from what a player knows.

    ``planning`` is for the plan behind the card, and ``trying`` for a trial of it on fresh layouts; both take longer
    than the figures.

    >>> from worldwise.bridge.rules.contract import Contract
    >>> from worldwise.bridge.rules.deal import Deal, Seat, card_name, read_card
    >>> from worldwise.bridge.rules.play import Play
    >>> from worldwise.bridge.rules.view import view_of
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
    drawn = draw_worlds(found, worlds, Random(seed), carding)
    memory = memory or Memory(Solvers(view.contract.strain, max(160, 2 * len(drawn.worlds))))
    # A limit of nodes is for the search that was asked for.
    allowed = Limit(clock.seconds_left, limit.nodes if algorithm == "pimc" else None)
    seen = memory.seen(view, drawn, allowed)
    complete = len(seen.worlds) == len(drawn.worlds)
    judge = _Judge(seen, aim, vulnerability, drawn.exact and complete)
    layouts = len(drawn.worlds) if judge.exact else found.count
    adviser = _Adviser(view, judge, layouts, complete, seed, clock, memory.solvers, constraints, carding)
    plans = adviser.plans() if algorithm == "alphamu" else None
    advice = adviser.advice(plans)
    if plans is None:
        return advice
    follows = adviser.plan(advice.card, plans) if planning else ()
    fresh = _fresh(found, drawn, seed, carding) if trying and not advice.exact else None
    trial = adviser.trial(advice, fresh) if fresh else None
    return replace(advice, plan=follows, trial=trial, seconds=clock.seconds)


def _fresh(layouts: Layouts, drawn: WeightedWorlds, seed: int, carding: Carding) -> WeightedWorlds | None:
    """Layouts that were not looked at, drawn as those that were; None if there are hardly any."""
    again = draw_worlds(layouts, TRIED, Random(f"{seed} fresh"), carding)
    known = set(drawn.worlds)
    pairs = [pair for pair in zip(again.worlds, again.weights, strict=True) if pair[0] not in known]
    if len(pairs) < TRIED // 2:
        return None
    worlds, weights = zip(*pairs, strict=True)
    return WeightedWorlds(worlds, weights, exact=False)


def deepening(
    view: View,
    *,
    constraints: Sequence[Constraint] = (),
    aim: Aim = Aim.MAKE,
    vulnerability: Vulnerability = Vulnerability.NONE,
    carding: Carding = Carding.EQUAL,
    stages: Sequence[tuple[int, int | None]] = STAGES,
    seed: int = 0,
) -> Iterator[Advice]:
    """Advice that comes soon, and gets better: more worlds, and further ahead, until nothing is left to look at.

    The first answer has no plan yet, and only the last has a trial: they take longer than the figures. The worlds of
    one answer are among those of the next, and what was solved is kept.

    >>> from worldwise.catalog import deal
    >>> found = deepening(deal("deals/two-way-guess").view, stages=((3, 1), (5, 1)))
    >>> [(len(advice.worlds), advice.depth) for advice in found]
    [(15, 1), (15, 1)]
    """
    memory = Memory(Solvers(view.contract.strain))
    asked = partial(advise, view, constraints=constraints, aim=aim, vulnerability=vulnerability, carding=carding)
    found, planned = None, False
    for worlds, depth in stages:
        if found is not None and planned and _settled(found, worlds, depth):
            continue
        planned, last = found is not None, depth is None
        limit = Limit(depth=depth)
        found = asked(worlds=worlds, limit=limit, seed=seed, planning=planned, trying=last, memory=memory)
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
    constraints: Sequence[Constraint]
    carding: Carding

    def advice(self, plans: AlphaMuValues | None) -> Advice:
        """By alpha-mu's plans, if there are any, and otherwise by PIMC."""
        choices = self.judge.choices(plans)
        return Advice(
            view=self.view,
            aim=self.judge.aim,
            algorithm="alphamu" if plans else "pimc",
            choices=choices,
            worlds=self.judge.values.worlds,
            weights=self.judge.weights,
            layouts=self.layouts,
            exact=self.judge.exact,
            complete=self.complete,
            seed=self.seed,
            seconds=self.clock.seconds,
            depth=plans.depth if plans else 1,
            close=self.judge.close(choices),
        )

    def plans(self) -> AlphaMuValues | None:
        """What alpha-mu finds in the time that is left, as deep as it gets; None if that is not even one move.

        It is for declarer, if no limit left out worlds; for a forced card too, or its figure would be PIMC's.
        """
        view, seen, limit = self.view, self.judge.values, self.clock.limit
        if view.seat != view.contract.declarer or not self.complete:
            return None
        seconds = None if limit.seconds is None else FOR_THE_CARD * limit.seconds - self.clock.seconds
        allowed = Limit(seconds, self._nodes(1))
        try:
            looked_at = WeightedWorlds(seen.worlds, self.judge.weights, self.judge.exact)
            return self._compared(limit.depth or _own_cards(view), looked_at, allowed)
        except LimitReachedError:
            return None

    def _compared(
        self, depth: int, worlds: WeightedWorlds, limit: Limit, among: Sequence[Card] | None = None
    ) -> AlphaMuValues:
        """Every card searched alike, or those asked for."""
        return BridgeAlphaMu(depth, root=Root.COMPARE).evaluate(
            self.view,
            worlds.worlds,
            limit,
            weights=worlds.weights,
            goal=self.judge.goal(self.judge.aim),
            solvers=self.solvers,
            among=among,
        )

    def plan(self, card: Card, plans: AlphaMuValues) -> tuple[Place, ...]:
        """How declarer plays on after his card."""
        if not in_use() and self.view.cards_left > ENDING:
            return ()  # plain Python would take minutes
        worlds = self.judge.values.worlds
        chooser = _Chooser(self.judge, plans.depth, self.clock, self.solvers, self._nodes(FOR_THE_PLAN))
        return plan(self.view, worlds, card, chooser)

    def _nodes(self, part: int) -> int | None:
        """How many nodes a search may visit: what is asked for; without a limit, one part in so many of the usual."""
        limit, worlds = self.clock.limit, len(self.judge.values.worlds)
        if limit.nodes is not None:
            return limit.nodes
        if limit.seconds is not None:
            return None
        usual = next(nodes for cards, nodes in EFFORT if self.view.cards_left <= cards)
        return (usual if in_use() else EFFORT_IN_PYTHON // worlds) // part

    def trial(self, advice: Advice, fresh: WeightedWorlds) -> Trial | None:
        """The card on layouts that had no part in choosing it."""
        if self.judge.aim is not Aim.MAKE or not in_use():
            return None  # plain Python would take minutes
        allowed = Limit(self.clock.seconds_left, self._nodes(FOR_THE_TRIAL))
        try:
            tried = self._compared(advice.best.depth, fresh, allowed, among=[advice.card])
        except LimitReachedError:
            return None
        most = wilson_share(tried.found_of(advice.card).value, fresh.effective)
        deals = fresh.worlds[: _played_out(self.view)]
        made = play_out(self.view, advice.card, deals, self.seed, self.clock, self.constraints, self.carding)
        least = _share(made, fresh.weights[: len(made)]) if made else None
        return Trial(len(fresh.worlds), most, least, len(made), sum(made))


def _share(made: Sequence[bool], weights: Sequence[int]) -> Estimate:
    """How often it was made, of layouts that count so much."""
    won = sum(weight for weight, one in zip(weights, made, strict=True) if one)
    return wilson_share(won / sum(weights), effective_sample_size(weights))


@dataclass
class _Chooser:
    """What alpha-mu plays later on, looking as far ahead as for the first card, while time and ``nodes`` last."""

    judge: _Judge
    depth: int
    clock: Clock
    solvers: Solvers
    nodes: int | None

    def __call__(self, view: View, worlds: Sequence[Deal]) -> Chosen | None:
        choices = choices_of(view, worlds[0])
        if len(choices) == 1:
            return choices[0][-1], False
        try:
            plans = self._plans(view, worlds)
        except LimitReachedError:
            return None
        return plans.best, len(set(plans.fronts)) > 1

    def _plans(self, view: View, worlds: Sequence[Deal]) -> AlphaMuValues:
        nodes = None if self.nodes is None else max(1, self.nodes // AT_EACH_PLACE)
        search = BridgeAlphaMu(min(self.depth, _own_cards(view)), root=Root.COMPARE)
        goal, allowed = self.judge.goal(self.judge.aim), Limit(self.clock.seconds_left, nodes)
        weights = self.judge.weights_of(worlds)
        found = search.evaluate(view, worlds, allowed, weights=weights, goal=goal, solvers=self.solvers)
        if self.nodes is not None:
            self.nodes -= found.stats.nodes
        return found


def _own_cards(view: View) -> int:
    """How many cards of his own and dummy's declarer has still to play."""
    return sum((hand & ~set_of(view.played)).bit_count() for hand in view.faced.values())


def _played_out(view: View) -> int:
    """On how many fresh layouts a card is played out: the later in the play, the more there is time for."""
    return next(number for cards, number in PLAYED_OUT if view.cards_left >= cards)


@dataclass(frozen=True)
class _Judge:
    """Reads chances, tricks and points from what was found."""

    values: CardValues
    aim: Aim
    vulnerability: Vulnerability
    exact: bool

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """What the worlds count."""
        return self.values.weights or (1,) * len(self.values.worlds)

    def weights_of(self, worlds: Sequence[Deal]) -> list[int]:
        """What some of the worlds count."""
        return [self._weight_of[world] for world in worlds]

    @cached_property
    def _weight_of(self) -> dict[Deal, int]:
        return dict(zip(self.values.worlds, self.weights, strict=True))

    def choices(self, plans: AlphaMuValues | None) -> tuple[Choice, ...]:
        """All choices: the one to play first, then by what a plan can have, then by what PIMC hopes for."""
        columns = dict(zip(self.values.choices, self.values.matrix.T.tolist(), strict=True))
        planned = dict(zip(plans.choices, plans.found, strict=True)) if plans else {}

        def rank(cards: tuple[Card, ...]) -> tuple[Any, ...]:
            found = planned.get(cards)
            first = (plans.best not in cards, -round(found.value, 9)) if plans and found else ()
            return (*first, *self._rank(cards, columns[cards]))

        ranked = sorted(columns, key=rank)
        return tuple(self._choice(cards, columns[cards], planned.get(cards)) for cards in ranked)

    def close(self, choices: Sequence[Choice]) -> tuple[Choice, ...]:
        """Those that a sample like this one cannot tell from the first: the rest of the layouts may turn it round."""
        if self.exact or self.aim is not Aim.MAKE:
            return ()
        return tuple(choice for choice in choices[1:] if not self._worse(choice, choices[0]))

    def _worse(self, choice: Choice, best: Choice) -> bool:
        """Whether a choice is surely worse, by the layouts in which only one of the two succeeds."""
        size = effective_sample_size(self.weights)
        won, lost = (
            sum(self.weights[world] for world in set(one.loses) - set(other.loses)) / sum(self.weights)
            for one, other in ((choice, best), (best, choice))
        )
        return paired_share(won, lost, size).low > 0

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
        return (*(-self._sum(self._payoffs(tricks, aim)) for aim in aims), cards[-1] & 15, cards[-1])

    def _sum(self, payoffs: Iterable[int]) -> int:
        return sum(weight * payoff for weight, payoff in zip(self.weights, payoffs, strict=True))

    def _average(self, payoffs: Iterable[int]) -> float:
        return self._sum(payoffs) / sum(self.weights)

    def _choice(self, cards: tuple[Card, ...], tricks: list[int], found: CardValue | None) -> Choice:
        """Chances are alpha-mu's if it played for the contract, and otherwise what is made face up."""
        made = hoped = self._payoffs(tricks, Aim.MAKE)
        chance, kind, depth = self._average(hoped), ValueKind.DEPTH, 1
        if found is not None and self.aim is Aim.MAKE:
            made = list(max(found.front, key=self._sum))
            chance, kind, depth = found.value, found.kind, found.depth
        sampled = wilson_share(chance, effective_sample_size(self.weights))
        interval = (chance, chance) if self.exact else (sampled.low, sampled.high)
        loses = tuple(world for world, won in enumerate(made) if not won)
        score = self._average(self._payoffs(tricks, Aim.SCORE))
        return Choice(cards, chance, interval, self._average(tricks), score, loses, self._average(hoped), kind, depth)
