"""A deal as declarer sees it, over some layouts of the defenders' cards: a ``WorldGame`` for every searcher."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from worldwise.core.game import Side
from worldwise.core.scale import Thermometer
from worldwise.errors import InputError
from worldwise.games.bridge.deal import SUIT_CARDS, Seat, card_name, cards_in, set_of
from worldwise.games.bridge.goal import Aim, Goal
from worldwise.games.bridge.play import Position, untouched, winning_place

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from worldwise.core.vector import Payoff
    from worldwise.games.bridge.deal import Card, Cards, Deal
    from worldwise.games.bridge.play import Hands
    from worldwise.games.bridge.view import View


@dataclass(frozen=True)
class DealNode:
    """The cards played since the search began, and what follows from them: who has played what, the trick on the table,
    what MAX has won since, and the worlds in which all that can happen."""

    history: tuple[Card, ...]
    gone: Hands
    leader: Seat
    trick: tuple[Card, ...]
    taken: int
    open: frozenset[int]

    @property
    def seat(self) -> Seat:
        """Whose card is next."""
        return self.leader.after(len(self.trick))


@dataclass(frozen=True)
class DealGame:
    """MAX is declarer, who plays dummy's cards too; MIN are the defenders, who see everything.

    ``deals`` are the worlds, layouts that fit the view; ``chances`` are their weights, and without any all are equally
    likely.
    """

    view: View
    deals: tuple[Deal, ...]
    goal: Goal
    chances: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.view.seat != self.view.contract.declarer or self.view.dummy is None:
            raise InputError(f"expected declarer's view once dummy is faced, found {self.view.seat}'s")
        if not self.deals:
            raise InputError("expected at least one world, found none")

    @property
    def worlds(self) -> int:
        """How many layouts there are."""
        return len(self.deals)

    @property
    def weights(self) -> tuple[int, ...]:
        """What each layout counts."""
        return self.chances or (1,) * len(self.deals)

    @cached_property
    def starts(self) -> tuple[Position, ...]:
        """Where the play stands in each world."""
        return tuple(map(self.view.position, self.deals))

    @cached_property
    def root(self) -> DealNode:
        """Where the play stands, as all see it."""
        start = self.starts[0]
        return DealNode((), (0, 0, 0, 0), start.leader, start.trick, 0, frozenset(range(self.worlds)))

    @property
    def gone(self) -> Cards:
        """What was played in whole tricks before."""
        return set_of(self.view.played[: len(self.view.played) // 4 * 4])

    @property
    def tricks(self) -> int:
        """How many tricks are left at the root."""
        return self.starts[0].tricks_left

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """What each number of tricks from here on is worth, from none to all."""
        won = self.starts[0].won[self.view.contract.declarer & 1]
        return tuple(self.goal.payoff(won + more) for more in range(self.tricks + 1))

    @cached_property
    def scale(self) -> Thermometer:
        """A lane a world, with a bit for every number of tricks that is worth more than one fewer."""
        levels = (0, 1) if self.goal.aim is Aim.MAKE else self.steps
        return Thermometer((levels,) * self.worlds, self.weights)

    def to_move(self, position: DealNode) -> Side | None:
        """MAX for declarer and dummy."""
        if position.gone[position.seat].bit_count() == self.starts[0].hands[position.seat].bit_count():
            return None
        return Side.MIN if (position.seat ^ self.view.contract.declarer) & 1 else Side.MAX

    def moves(self, position: DealNode) -> list[Card]:
        """What may be played in some world; of touching cards of MAX only the highest, they are equal."""
        seat = position.seat
        legal = 0
        for world in position.open:
            legal |= self.legal(position, world)
        cards = list(cards_in(legal))
        if self.to_move(position) is Side.MIN:
            return cards
        others = set_of(position.trick)
        for other in seat.next, seat.partner, seat.after(3):
            others |= self.hand(position, other, 0)
        return untouched(cards, others)

    def play(self, position: DealNode, move: Card) -> DealNode:
        """A card of MIN tells which worlds can be."""
        seat = position.seat
        open_ = position.open
        if (seat ^ self.view.contract.declarer) & 1:
            open_ = frozenset(world for world in open_ if self.legal(position, world) >> move & 1)
        north, east, south, west = (
            cards | (player == seat and 1 << move) for player, cards in enumerate(position.gone)
        )
        history, gone, trick = (*position.history, move), (north, east, south, west), (*position.trick, move)
        if len(trick) < 4:
            return DealNode(history, gone, position.leader, trick, position.taken, open_)
        winner = position.leader.after(winning_place(trick, self.view.contract.strain))
        ours = (winner ^ self.view.contract.declarer) & 1 == 0
        return DealNode(history, gone, winner, (), position.taken + ours, open_)

    def payoffs(self, position: DealNode) -> Sequence[Payoff]:
        """What the tricks taken are worth, the same in all worlds in which this can happen."""
        worth = self.steps[position.taken]
        return [worth if world in position.open else None for world in range(self.worlds)]

    def code(self, position: DealNode) -> int:
        """The payoffs, coded."""
        return self.scale.code(self.payoffs(position))

    def key(self, position: DealNode) -> Hashable:
        """What is left does not depend on the order in which it came about."""
        return position.gone, position.leader, position.trick, position.taken, position.open

    def move_label(self, position: DealNode, move: Card) -> str:  # noqa: ARG002
        """The card's name."""
        return card_name(move)

    # ------------------------------------------------------------------ one world

    def hand(self, position: DealNode, seat: Seat, world: int) -> Cards:
        """What a player holds in a world."""
        return self.starts[world].hands[seat] & ~position.gone[seat]

    def legal(self, position: DealNode, world: int) -> Cards:
        """What the player whose turn it is may play in a world."""
        hand = self.hand(position, position.seat, world)
        following = hand & SUIT_CARDS[position.trick[0] >> 4] if position.trick else 0
        return following or hand

    def in_world(self, position: DealNode, world: int) -> Position:
        """The position with all hands seen."""
        north, east, south, west = (self.hand(position, Seat(seat), world) for seat in range(4))
        return Position((north, east, south, west), self.view.contract.strain, position.leader, position.trick)
