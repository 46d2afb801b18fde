"""The figures of every card: chances, tricks and points, read from what was found in the layouts looked at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from worldwise.bridge.advice.record import CardChoice
from worldwise.bridge.layouts.leads import TEN
from worldwise.bridge.rules.goal import Aim, Goal
from worldwise.bridge.solvers.alphamu import CardValue
from worldwise.core.statistics import paired_share, weighted_difference, wilson_share
from worldwise.core.weights import effective_sample_size
from worldwise.search.alphamu_root import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from worldwise.bridge.advice.other_tables import OtherTables
    from worldwise.bridge.rules.contract import Vulnerability
    from worldwise.bridge.rules.deal import Card, Deal
    from worldwise.bridge.solvers.alphamu import AlphaMuValues
    from worldwise.bridge.solvers.pimc import PimcValues
    from worldwise.core.statistics import Estimate


@dataclass(frozen=True)
class Figures:
    """Reads chances, tricks and points from what was found."""

    values: PimcValues
    aim: Aim
    vulnerability: Vulnerability
    exact: bool
    conventional: frozenset[Card] = frozenset()
    """The cards that are led by convention, one of each suit."""

    others: OtherTables | None = None
    """The tables that the score is compared with, if it is."""

    @property
    def weights(self) -> tuple[int, ...]:
        """What the worlds count."""
        return self.values.weights

    def weights_of(self, worlds: Sequence[Deal]) -> list[int]:
        """What some of the worlds count."""
        return [self._weight_of[world] for world in worlds]

    @cached_property
    def _weight_of(self) -> dict[Deal, int]:
        return dict(zip(self.values.worlds, self.weights, strict=True))

    def choices(self, plans: AlphaMuValues | None) -> tuple[CardChoice, ...]:
        """All choices: the one to play first, then by what a plan can have, then by what PIMC hopes for."""
        columns = dict(zip(self.values.choices, self.values.matrix.T.tolist(), strict=True))
        planned = dict(zip(plans.choices, plans.found, strict=True)) if plans else {}

        def rank(cards: tuple[Card, ...]) -> tuple[Any, ...]:
            found = planned.get(cards)
            first = (plans.best not in cards, -round(found.value, 9)) if plans and found else ()
            return (*first, *self._rank(cards, columns[cards]))

        ranked = sorted(columns, key=rank)
        return self._lead_first([self._choice(cards, columns[cards], planned.get(cards)) for cards in ranked])

    def _lead_first(self, choices: Sequence[CardChoice]) -> tuple[CardChoice, ...]:
        """The choices; of the best suit to lead the card that is led by convention first, unless it is surely worse."""
        suited = [choice for choice in choices if choice.led and choice.card >> 4 == choices[0].card >> 4]
        first = next((choice for choice in suited if not self._is_worse(choice, choices[0])), choices[0])
        return tuple(map(self._top_of_honours, (first, *(choice for choice in choices if choice is not first))))

    def _top_of_honours(self, choice: CardChoice) -> CardChoice:
        """Touching honours are led from the top, where convention would lead another card of the suit too."""
        honours = self.conventional and choice.led is None and choice.cards[0] & 15 >= TEN
        return replace(choice, led=choice.cards[0]) if honours else choice

    def close(self, choices: Sequence[CardChoice]) -> tuple[CardChoice, ...]:
        """Those that a sample like this one cannot tell from the first: the rest of the layouts may turn it round."""
        if self.exact:
            return ()
        return tuple(choice for choice in choices[1:] if not self._is_worse(choice, choices[0]))

    def _is_worse(self, choice: CardChoice, best: CardChoice) -> bool:
        """Whether a choice is surely worse, by the layouts in which the two do not do equally well."""
        if self.aim is not Aim.MAKE or self.others is not None:
            return self._gain(best, choice).low > 0
        size = effective_sample_size(self.weights)
        won, lost = (
            sum(self.weights[world] for world in set(one.loses) - set(other.loses)) / sum(self.weights)
            for one, other in ((choice, best), (best, choice))
        )
        return paired_share(won, lost, size).low > 0

    def _gain(self, best: CardChoice, other: CardChoice) -> Estimate:
        """What one choice wins on average towards the aim, as a share of the most it wins or loses anywhere."""
        pairs = zip(self._outcome(best), self._outcome(other), strict=True)
        gains = [one - two for one, two in pairs]
        unit = max(map(abs, gains)) or 1
        return weighted_difference([gain / unit for gain in gains], self.weights)

    def _outcome(self, choice: CardChoice) -> Sequence[float]:
        """What a choice is worth towards the aim in each world: under one plan, or face up if none was looked for."""
        if self.others is not None:
            return self._beside[choice.cards]
        return max(choice.worth.front, key=self._sum)

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

    @cached_property
    def _beside(self) -> dict[tuple[Card, ...], list[float]]:
        """What each choice's score is worth in each world beside the other tables; nothing if there are none."""
        if self.others is None:
            return {}
        columns = self.values.matrix.T.tolist()
        points = np.array([self._payoffs(tricks, Aim.SCORE) for tricks in columns], np.int64).T
        return dict(zip(self.values.choices, self.others.worth(points).T.tolist(), strict=True))

    def _worth_beside(self, cards: tuple[Card, ...]) -> float | None:
        """The same on average."""
        if self.others is None:
            return None
        return float(np.average(self._beside[cards], weights=np.array(self.weights, float)))

    def _rank(self, cards: tuple[Card, ...], tricks: list[int]) -> tuple[float, ...]:
        """The aim first, then what else is good, then the lowest card: sums, so that a tie is a tie."""
        aims = dict.fromkeys((self.aim, Aim.MAKE, Aim.TRICKS))
        beside = self._worth_beside(cards)
        first = () if beside is None else (-round(beside, 9),)
        return (*first, *(-self._sum(self._payoffs(tricks, aim)) for aim in aims), cards[-1] & 15, cards[-1])

    def _sum(self, payoffs: Iterable[int]) -> int:
        return sum(weight * payoff for weight, payoff in zip(self.weights, payoffs, strict=True))

    def _average(self, payoffs: Iterable[int]) -> float:
        return self._sum(payoffs) / sum(self.weights)

    def _choice(self, cards: tuple[Card, ...], tricks: list[int], found: CardValue | None) -> CardChoice:
        """Chances are alpha-mu's if it played for the contract, and otherwise what is made face up."""
        worth = found or self._face_up(self._payoffs(tricks, self.aim))
        hoped = self._payoffs(tricks, Aim.MAKE)
        chances = worth if self.aim is Aim.MAKE else self._face_up(hoped)
        made, chance = max(chances.front, key=self._sum), chances.value
        sampled = wilson_share(chance, effective_sample_size(self.weights))
        interval = (chance, chance) if self.exact else (sampled.low, sampled.high)
        loses = tuple(world for world, won in enumerate(made) if not won)
        score = self._average(self._payoffs(tricks, Aim.SCORE))
        led = next((card for card in cards if card in self.conventional), None)
        return CardChoice(
            cards=cards,
            chance=chance,
            interval=interval,
            tricks=self._average(tricks),
            score=score,
            loses=loses,
            pimc=self._average(hoped),
            kind=chances.kind,
            depth=chances.depth,
            led=led,
            worth=worth,
            beside=self._worth_beside(cards),
        )

    def _face_up(self, payoffs: Sequence[int]) -> CardValue:
        """What all cards seen promise: one outcome, and no card further ahead than this one."""
        return CardValue(self._average(payoffs), ValueKind.DEPTH, 1, (tuple(payoffs),))
