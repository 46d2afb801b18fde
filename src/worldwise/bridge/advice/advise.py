"""Advice at the table: for every card a player may choose, the chance that it succeeds and the tricks to expect.

``advise`` looks at layouts of the hidden hands, all of them if they are few and otherwise a sample, each weighed by the
cards that the hidden hands have played (``bridge.layouts.carding``) and by what their calls say
(``bridge.layouts.auction``). What each card takes in each layout with all cards seen gives tricks, and PIMC's chances.
For declarer alpha-mu then says which of those chances one plan can have: PIMC counts on every later guess being right.
It compares all cards alike, and every figure says what it is.

The best of several noisy figures flatters itself. So the card is tried on layouts that had no part in choosing it
(``Trial``): what it has there at most, and what it makes there when it is played out against defenders who see all
cards. How the plan goes on, alpha-mu says too, asked again after each card that a defender may play.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from worldwise.bridge.advice.figures import Figures
from worldwise.bridge.advice.plan import plan
from worldwise.bridge.advice.play_out import play_out
from worldwise.bridge.advice.record import Advice, Trial
from worldwise.bridge.layouts.bidding_systems import DEFAULT_SYSTEM
from worldwise.bridge.layouts.carding import Carding
from worldwise.bridge.layouts.drawing import ENDING, WeightedWorlds
from worldwise.bridge.layouts.evidence import Evidence
from worldwise.bridge.layouts.leads import LEADS, leads_by_convention
from worldwise.bridge.rules.contract import Vulnerability
from worldwise.bridge.rules.deal import set_of
from worldwise.bridge.rules.goal import Aim
from worldwise.bridge.solvers.alphamu import BridgeAlphaMu
from worldwise.bridge.solvers.card_values import choices_of
from worldwise.bridge.solvers.pimc import Pimc, SolverCache
from worldwise.core.result import NO_LIMIT, Clock, Limit
from worldwise.core.statistics import Estimate, wilson_share
from worldwise.core.weights import effective_sample_size
from worldwise.errors import LimitReachedError, UnknownNameError
from worldwise.kernels import in_use, pick
from worldwise.search.alphamu_root import Root

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.bridge.advice.other_tables import OtherTables
    from worldwise.bridge.advice.plan import Chosen, PlanPlace
    from worldwise.bridge.layouts.constraints import Constraint
    from worldwise.bridge.rules.deal import Card, Deal
    from worldwise.bridge.rules.view import View
    from worldwise.bridge.solvers.alphamu import AlphaMuValues
    from worldwise.bridge.solvers.pimc import PimcValues

WORLDS = 40
"""How many layouts are looked at, unless one says otherwise."""

LEAD_WORLDS = 160
"""The same for the opening lead, with all hands but one hidden and nothing to be searched beyond the card."""

EFFORT = ((8, 4_000_000), (13, 1_000_000))
"""With at most so many cards a hand, so many nodes are for comparing the cards, unless one says otherwise: some seconds
at most. Early in the play a node takes longer, because more cards are left to solve."""

READABLE_EFFORT = 15_000
"""The same without kernels, in nodes times worlds."""

FOR_THE_PLAN, FOR_THE_TRIAL, AT_EACH_PLACE = 4, 4, 4
"""Of that effort, one part in so many is for the plan behind the card, and one for its trial; and at each place of the
plan, one part in so many of what is left."""

FOR_THE_CARD, TO_TRY_IT = 0.6, 0.5
"""The share of the seconds that may go into choosing the card; of what is left, the share that may go into searching
fresh layouts, and again into playing them out. The rest is for the plan."""

LEAD_THREADS = 2
"""How many layouts are solved at a time for a lead."""

TRIED = 40
"""On how many fresh layouts the card is tried that was chosen on others."""

PLAYED_OUT = ((11, 12), (9, 20), (0, TRIED))
"""With so many cards a hand, on so many of these it is played out."""

ADVISERS = ("alphamu", "pimc")
"""The algorithms by name; alpha-mu is for declarer, and gives a defender what PIMC gives, and beside other tables."""


@dataclass
class AdviceMemory:
    """What is kept from one answer about a view to the next: solvers, and what each card takes in worlds seen."""

    solvers: SolverCache
    rows: dict[Deal, list[int]] = field(default_factory=dict)

    @classmethod
    def for_answer(cls, view: View, worlds: int) -> AdviceMemory:
        """For a single answer. After a lead no world comes back, and solvers of so many whole deals fill a gigabyte."""
        return cls(SolverCache(view.contract.strain, max(160, 2 * worlds) if view.played else LEAD_THREADS))

    def solve(self, view: View, drawn: WeightedWorlds, limit: Limit) -> PimcValues:
        """What each card takes in each world, all cards seen; worlds that are new are solved, until the limit."""
        new = [world for world in drawn.worlds if world not in self.rows]
        threads = 1 if view.played else LEAD_THREADS
        fresh = Pimc(Aim.TRICKS, threads).evaluate(view, new or drawn.worlds[:1], limit, solvers=self.solvers)
        self.rows |= zip(fresh.worlds, fresh.matrix.tolist(), strict=True)
        known = [pair for pair in zip(drawn.worlds, drawn.weights, strict=True) if pair[0] in self.rows]
        worlds, weights = zip(*known, strict=True)
        return fresh.average_over(worlds, weights, np.array([self.rows[world] for world in worlds]))


def advise(
    view: View,
    *,
    worlds: int | None = None,
    constraints: Sequence[Constraint] = (),
    aim: Aim = Aim.MAKE,
    others: OtherTables | None = None,
    vulnerability: Vulnerability = Vulnerability.NONE,
    algorithm: str = "alphamu",
    limit: Limit = NO_LIMIT,
    carding: Carding = Carding.EQUAL,
    system: str = DEFAULT_SYSTEM,
    seed: int = 0,
    planning: bool = True,
    trying: bool = True,
    memory: AdviceMemory | None = None,
    own: WeightedWorlds | None = None,
) -> Advice:
    """What to play, and how likely each card is to succeed, from what a player knows.

    If the view has heard an auction, the calls of the hidden hands are read by a bidding ``system``: a name, a file, or
    ``none``. ``worlds`` is how many layouts to look at, 40 if left out, 160 for an opening lead. ``others`` are other
    tables that play the board (``other_tables``): what the score is worth beside theirs is then what counts, with all
    cards taken as seen. ``planning`` is for the plan behind the card, and ``trying`` for a trial of it on fresh
    layouts; both take longer than the figures. Whoever has drawn layouts himself hands in his ``own``.

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
    evidence = Evidence(tuple(constraints), carding, system)
    drawn = own or evidence.draw(view, _number_asked(view) if worlds is None else worlds, Random(seed))
    memory = memory or AdviceMemory.for_answer(view, len(drawn.worlds))
    # A limit of nodes is for the search that was asked for.
    allowed = Limit(clock.seconds_left, limit.nodes if algorithm == "pimc" else None)
    seen = memory.solve(view, drawn, allowed)
    complete = len(seen.worlds) == len(drawn.worlds)
    led = leads_by_convention(view, LEADS["fourth-best"])
    figures = Figures(seen, aim, vulnerability, drawn.exact and complete, led, others)
    layouts = len(drawn.worlds) if figures.exact else evidence.layouts(view).count
    adviser = _Adviser(view, figures, layouts, complete, seed, clock, memory, evidence)
    plans = adviser.plans() if algorithm == "alphamu" and others is None else None
    advice = adviser.advice(plans)
    again = Random(f"{seed} fresh")
    fresh = evidence.draw_fresh(view, drawn.worlds, TRIED, again) if trying and not advice.exact else None
    trial = adviser.trial(advice, fresh, planned=plans is not None) if fresh else None
    follows = adviser.plan(advice.card, plans) if planning and plans else ()
    return replace(advice, plan=follows, trial=trial, seconds=clock.seconds)


@dataclass(frozen=True)
class _Adviser:
    """Who has seen what each card takes in the worlds, and says what to play."""

    view: View
    figures: Figures
    layouts: int
    complete: bool
    seed: int
    clock: Clock
    memory: AdviceMemory
    evidence: Evidence

    @property
    def solvers(self) -> SolverCache:
        """What is kept about the layouts."""
        return self.memory.solvers

    def advice(self, plans: AlphaMuValues | None) -> Advice:
        """By alpha-mu's plans, if there are any, and otherwise by PIMC."""
        choices = self.figures.choices(plans)
        return Advice(
            view=self.view,
            aim=self.figures.aim,
            algorithm="alphamu" if plans else "pimc",
            choices=choices,
            worlds=self.figures.values.worlds,
            weights=self.figures.weights,
            layouts=self.layouts,
            exact=self.figures.exact,
            complete=self.complete,
            seed=self.seed,
            seconds=self.clock.seconds,
            depth=plans.depth if plans else 1,
            close=self.figures.close(choices),
            belief=self.evidence.belief(self.view),
            others=self.figures.others,
        )

    def plans(self) -> AlphaMuValues | None:
        """What alpha-mu finds in the time that is left, as deep as it gets; None if that is not even one move.

        It is for declarer, if no limit left out worlds; for a forced card too, or its figure would be PIMC's.
        """
        view, seen, limit = self.view, self.figures.values, self.clock.limit
        if view.seat != view.contract.declarer or not self.complete:
            return None
        seconds = None if limit.seconds is None else FOR_THE_CARD * limit.seconds - self.clock.seconds
        allowed = Limit(seconds, self._nodes(1))
        try:
            looked_at = WeightedWorlds(seen.worlds, self.figures.weights, self.figures.exact)
            return self._compare(limit.depth or _own_cards(view), looked_at, allowed)
        except LimitReachedError:
            return None

    def _compare(
        self, depth: int, worlds: WeightedWorlds, limit: Limit, among: Sequence[Card] | None = None
    ) -> AlphaMuValues:
        """Every card searched alike, or those asked for."""
        return BridgeAlphaMu(depth, root=Root.COMPARE).evaluate(
            self.view,
            worlds.worlds,
            limit,
            weights=worlds.weights,
            goal=self.figures.goal(self.figures.aim),
            solvers=self.solvers,
            among=among,
        )

    def plan(self, card: Card, plans: AlphaMuValues) -> tuple[PlanPlace, ...]:
        """How declarer plays on after his card."""
        if not in_use() and self.view.cards_left > ENDING:
            return ()  # the readable solver would take minutes
        worlds = self.figures.values.worlds
        chooser = _Chooser(self.figures, plans.depth, self.clock, self.solvers, self._nodes(FOR_THE_PLAN))
        return plan(self.view, worlds, card, chooser)

    def _nodes(self, part: int) -> int | None:
        """How many nodes a search may visit: what is asked for; without a limit, one part in so many of the usual."""
        limit, worlds = self.clock.limit, len(self.figures.values.worlds)
        if limit.nodes is not None:
            return limit.nodes
        if limit.seconds is not None:
            return None
        usual = next(nodes for cards, nodes in EFFORT if self.view.cards_left <= cards)
        return pick(usual, READABLE_EFFORT // worlds) // part

    def trial(self, advice: Advice, fresh: WeightedWorlds, *, planned: bool) -> Trial | None:
        """The card on layouts that had no part in choosing it; None if there is no time."""
        if self.figures.aim is not Aim.MAKE or not self.complete or not in_use():
            return None  # the readable solver would take minutes
        try:
            return self._try_plan(advice, fresh) if planned else self._try_face_up(advice.card, fresh)
        except LimitReachedError:
            return None

    @property
    def _seconds_to_try(self) -> float | None:
        """For the next part of the trial, so that something is left for what comes after it."""
        left = self.clock.seconds_left
        return None if left is None else TO_TRY_IT * left

    def _try_face_up(self, card: Card, fresh: WeightedWorlds) -> Trial:
        """What PIMC says of a card there: in how many it succeeds with all cards seen."""
        seen = self.memory.solve(self.view, fresh, Limit(self.clock.seconds_left))
        tried = replace(self.figures, values=seen, exact=False).choices(None)
        chance = next(choice.chance for choice in tried if card in choice.cards)
        return Trial(len(seen.worlds), wilson_share(chance, effective_sample_size(seen.weights)))

    def _try_plan(self, advice: Advice, fresh: WeightedWorlds) -> Trial:
        """What one plan can have there at most, and what is made when it is played out."""
        allowed = Limit(self._seconds_to_try, self._nodes(FOR_THE_TRIAL))
        tried = self._compare(advice.best.depth, fresh, allowed, among=[advice.card])
        most = wilson_share(tried.found_of(advice.card).value, fresh.effective)
        deals = fresh.worlds[: _number_played_out(self.view)]
        clock = Clock(Limit(self._seconds_to_try))
        made = play_out(self.view, advice.card, deals, self.seed, clock, self.evidence)
        least = _share(made, fresh.weights[: len(made)]) if made else None
        return Trial(len(fresh.worlds), most, least, len(made), sum(made))


def _share(made: Sequence[bool], weights: Sequence[int]) -> Estimate:
    """How often it was made, of layouts that count so much."""
    won = sum(weight for weight, one in zip(weights, made, strict=True) if one)
    return wilson_share(won / sum(weights), effective_sample_size(weights))


@dataclass
class _Chooser:
    """What alpha-mu plays later on, looking as far ahead as for the first card, while time and ``nodes`` last."""

    figures: Figures
    depth: int
    clock: Clock
    solvers: SolverCache
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
        goal, allowed = self.figures.goal(self.figures.aim), Limit(self.clock.seconds_left, nodes)
        weights = self.figures.weights_of(worlds)
        found = search.evaluate(view, worlds, allowed, weights=weights, goal=goal, solvers=self.solvers)
        if self.nodes is not None:
            self.nodes -= found.stats.nodes
        return found


def _number_asked(view: View) -> int:
    """How many layouts to look at if nobody says."""
    return WORLDS if view.played else LEAD_WORLDS


def _own_cards(view: View) -> int:
    """How many cards of his own and dummy's declarer has still to play."""
    return sum((hand & ~set_of(view.played)).bit_count() for hand in view.faced.values())


def _number_played_out(view: View) -> int:
    """On how many fresh layouts a card is played out: the later in the play, the more there is time for."""
    return next(number for cards, number in PLAYED_OUT if view.cards_left >= cards)
