"""A value for every card, over layouts of the hidden hands: what PIMC and alpha-mu have in common."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from worldwise.bridge.rules.deal import cards_in
from worldwise.bridge.rules.play import different_cards
from worldwise.core.move_values import MoveValues

if TYPE_CHECKING:
    from collections.abc import Iterable

    from worldwise.bridge.rules.deal import Card, Deal
    from worldwise.bridge.rules.goal import Goal
    from worldwise.bridge.rules.view import View

Choice = tuple["Card", ...]
"""Cards that are equal for the player, because they touch; the highest first."""


@dataclass(frozen=True, kw_only=True)
class CardValues(MoveValues["Card"]):
    """What each card is worth towards a ``goal``, over ``worlds`` that count for as much as ``weights`` say.

    Touching cards are one choice and have one value; ``averages`` has it once for each of the ``choices``.
    """

    best: Card
    goal: Goal
    choices: tuple[Choice, ...]
    worlds: tuple[Deal, ...] = field(repr=False)
    weights: tuple[int, ...] = field(repr=False)

    @property
    def averages(self) -> tuple[float, ...]:
        """Each choice's value."""
        return tuple(self.values[choice[0]] for choice in self.choices)


def value_of_each_card(choices: Iterable[Choice], averages: Iterable[float]) -> dict[Card, float]:
    """The value of a choice for each of its cards."""
    return {card: value for choice, value in zip(choices, averages, strict=True) for card in choice}


def choices_of(view: View, world: Deal) -> tuple[Choice, ...]:
    """The cards the player may choose between, equal ones together, the highest first; they are the same in any world.

    >>> from worldwise.bridge.rules.contract import Contract
    >>> from worldwise.bridge.rules.deal import Deal, Seat, card_name
    >>> from worldwise.bridge.rules.play import Play
    >>> from worldwise.bridge.rules.view import view_of
    >>> deal = Deal.read("N:AQ4... K53... 876... JT9...")
    >>> view = view_of(Play(deal, Contract.read("1NT by S")), Seat.WEST)
    >>> [[card_name(card) for card in choice] for choice in choices_of(view, deal)]
    [['SJ', 'ST', 'S9']]
    """
    position = view.position(world)
    tops = set(different_cards(position))
    groups: list[list[Card]] = []
    for card in cards_in(position.legal):
        if card in tops:
            groups.append([])
        groups[-1].append(card)
    return tuple(map(tuple, groups))
