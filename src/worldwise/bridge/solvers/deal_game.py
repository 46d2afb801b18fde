"""A deal as declarer sees it, over some layouts of the defenders' cards: a ``WorldGame`` for every searcher."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from worldwise.bridge.rules.deal import SUIT_CARDS, Seat, card_name, cards_in, set_of
from worldwise.bridge.rules.goal import Aim, Goal
from worldwise.bridge.rules.play import Position, drop_touching, winning_place
from worldwise.core.game import Side
from worldwise.core.scale import Thermometer
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from worldwise.bridge.rules.deal import Card, Cards, Deal
    from worldwise.bridge.rules.play import Hands
    from worldwise.bridge.rules.view import View
    from worldwise.core.vector import Payoff


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
        """MAX for declarer and dummy; nobody once the cards are played, or the contract is decided."""
        if self.outcome(position) is not None:
            return None
        return Side.MAX if self.is_max(position.seat) else Side.MIN

    def is_max(self, seat: Seat) -> bool:
        """Whether declarer plays this hand."""
        return (seat ^ self.view.contract.declarer) & 1 == 0

    def outcome(self, position: DealNode) -> int | None:
        """The tricks that MAX has taken in the end, as far as they matter; None while something is open."""
        leader = position.leader
        held = self.starts[0].hands[leader].bit_count() - position.gone[leader].bit_count()
        tricks_left = held + bool(position.trick)
        if tricks_left == 0:
            return position.taken
        if self.goal.aim is not Aim.MAKE:
            return None
        needed = self.view.contract.tricks - self.starts[0].won[self.view.contract.declarer & 1]
        if position.taken + tricks_left < needed:
            return position.taken
        return needed if position.taken + self._sure(position) >= needed else None

    def _sure(self, position: DealNode) -> int:
        """Tricks that a hand of MAX which is on lead can cash whatever the layout: a claim.

        A suit is cashed from the top until partner would have to overtake. One such trick can be had as the last.
        """
        leader = position.leader
        if position.trick or not self.is_max(leader):
            return 0
        hand, partner = (self.hand(position, seat, 0) for seat in (leader, leader.partner))
        out = self._cards_left(position, (leader.next, leader.after(3)), 0)
        trumps = self.view.contract.strain
        trumps_out = trumps < 4 and out & SUIT_CARDS[trumps] != 0
        tricks, blocked = 0, False
        for suit, cards in enumerate(SUIT_CARDS):
            if suit == trumps or not trumps_out:
                winners = _winners(hand & cards, out & cards)
                cashed = _cashable(hand & cards, partner & cards, winners)
                tricks, blocked = tricks + cashed, blocked or cashed < winners
        return tricks + blocked

    def moves(self, position: DealNode) -> list[Card]:
        """What may be played in some world, but for what is no better than a card that touches it.

        Of touching cards of MAX only the highest counts: they are equal. A card of MIN's need not be tried if he has
        one that touches it in every world in which he has it: after that the same cards are left, but MAX knows less.
        """
        can: dict[Card, set[int]] = {}
        for world in sorted(position.open):
            for card in cards_in(self.legal(position, world)):
                can.setdefault(card, set()).add(world)
        cards = sorted(can, key=lambda card: (card >> 4, -card))
        if self.is_max(position.seat):
            return drop_touching(cards, self._others(position, [0]))
        kept: list[Card] = []
        for card in cards:
            last = kept[-1] if kept and kept[-1] >> 4 == card >> 4 else None
            if last is not None and can[card] <= can[last] and self._touch(position, last, card, can[card]):
                continue
            if last is not None and can[last] <= can[card] and self._touch(position, last, card, can[last]):
                kept.pop()
            kept.append(card)
        return kept

    def _others(self, position: DealNode, worlds: Iterable[int]) -> Cards:
        """The cards of the three other hands in some worlds, and those on the table."""
        seat = position.seat
        others = set_of(position.trick)
        for world in worlds:
            others |= self._cards_left(position, (seat.next, seat.partner, seat.after(3)), world)
        return others

    def _cards_left(self, position: DealNode, seats: Iterable[Seat], world: int) -> Cards:
        """What some hands had in a world and nobody has played."""
        north, east, south, west = position.gone
        held = 0
        for seat in seats:
            held |= self.starts[world].hands[seat]
        return held & ~(north | east | south | west)

    def _touch(self, position: DealNode, higher: Card, lower: Card, worlds: Iterable[int]) -> bool:
        """Whether nobody else has a card between two in any of these worlds."""
        return self._others(position, worlds) & ((1 << higher) - (1 << lower)) == 0

    def play(self, position: DealNode, move: Card) -> DealNode:
        """A card of MIN tells which worlds can be."""
        seat = position.seat
        open_ = position.open
        if not self.is_max(seat):
            open_ = frozenset(world for world in open_ if self.legal(position, world) >> move & 1)
        north, east, south, west = (
            cards | (player == seat and 1 << move) for player, cards in enumerate(position.gone)
        )
        history, gone, trick = (*position.history, move), (north, east, south, west), (*position.trick, move)
        if len(trick) < 4:
            return DealNode(history, gone, position.leader, trick, position.taken, open_)
        winner = position.leader.after(winning_place(trick, self.view.contract.strain))
        return DealNode(history, gone, winner, (), position.taken + self.is_max(winner), open_)

    def payoffs(self, position: DealNode) -> Sequence[Payoff]:
        """What the tricks taken are worth, the same in all worlds in which this can happen."""
        taken = self.outcome(position)
        worth = self.steps[position.taken if taken is None else taken]
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


def _winners(own: Cards, out: Cards) -> int:
    """How many tricks a hand can cash in a suit; once nobody else can have a card left, every card is one.

    >>> _winners(0b1100_0001, 0b0001_0000), _winners(0b1000_0001, 0b0001_1000)
    (3, 1)
    """
    top = (own >> out.bit_length()).bit_count()
    return own.bit_count() if top >= out.bit_count() else top


def _cashable(own: Cards, partner: Cards, winners: int) -> int:
    """How many winners of a suit a hand can cash from the top before its partner has to overtake one.

    Partner plays the highest card that does not. If he has to throw some of the suit away first, he throws the highest,
    which never makes it worse.

    >>> _cashable(0b0110, 0b1000, 2), _cashable(0b1001, 0b0110, 2), _cashable(0b1010, 0b0101, 2)
    (0, 1, 2)
    """
    for number in range(winners):
        highest = own.bit_length() - 1
        under = partner & ((1 << highest) - 1)
        if partner and not under:
            return number
        own ^= 1 << highest
        partner ^= under and 1 << under.bit_length() - 1
    return winners
