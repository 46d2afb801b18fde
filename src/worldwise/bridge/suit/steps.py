"""What a player says of a trick: *cash the ace*, *finesse the ten*, *run the jack*, *duck a round*.

A ``Step`` names cards, not a position, so it means the same wherever it can still be done: it is repeated until the
card that it is about has been played. *Finesse the ten* against a West who covers it is to finesse the ten again. What
goes without saying is not in it: if second hand plays higher than the card that was meant, third hand beats that as
cheaply as it can, and plays its lowest if it cannot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from worldwise.bridge.suit.rules import FREE, NORTH, OUT, SOUTH, RoundPlan, SuitMove

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from worldwise.bridge.rules.cards import Holding, Rank
    from worldwise.bridge.suit.rules import Suit, SuitTable

LOW = 0
"""In place of a rank: the lowest card of the hand."""

EITHER = -1
"""In place of a seat: North, or South if North has no card."""

NAMED = 7
"""A lower card of third hand's is not spoken of by its name, but is low."""

TEN = 10
"""What is led is low below this."""


class Step(NamedTuple):
    """How to play a trick: who leads what, the card from opposite, and others on some cards of second hand's.

    ``third`` is ``LOW`` for the lowest card, also of a hand that has none. With a card led, that is what it says unless
    second hand beats the lead. With a low card led it is a duck, whatever second hand plays; then it makes no
    difference which hand leads, as long as entries are free (``EITHER``).
    """

    seat: int
    lead: Rank
    third: Rank = LOW
    instead: tuple[tuple[Rank, tuple[Rank, ...]], ...] = ()

    @property
    def is_repeated(self) -> bool:
        """Whether it is about a card, and repeated until that has been played."""
        return bool(self.lead or self.third)

    def leader(self, table: SuitTable) -> int:
        """The seat that leads."""
        return self.seat if self.seat != EITHER else NORTH if table.north else SOUTH

    def applies(self, table: SuitTable) -> bool:
        """Whether it can still be done."""
        seat = self.leader(table)
        own, other = hand(table, seat), hand(table, 2 - seat)
        if self.third and self.third not in other:
            return False
        return self.lead in own if self.lead else bool(own)

    def is_done(self, table: SuitTable) -> bool:
        """Whether, after it was played, there is nothing of it to be repeated."""
        return not self.is_repeated or not self.applies(table)

    def plan(self, table: SuitTable, suit: Suit) -> RoundPlan:
        """What it means at a table where it applies."""
        seat = self.leader(table)
        own, other = hand(table, seat), hand(table, 2 - seat)
        lead = self.lead or own[-1]
        if not other:
            return RoundPlan(SuitMove(seat, lead), bytes(len(suit.classes) + 1))
        thirds = bytes(self._third(second, lead, other) for second in (*(cards[0] for cards in suit.classes), OUT))
        return RoundPlan(SuitMove(seat, lead), thirds)

    def _third(self, second: Rank, lead: Rank, cards: Holding) -> Rank:
        for card, on in self.instead:
            if second in on and (card == LOW or card in cards):
                return card or cards[-1]
        if not self.is_repeated:
            return cards[-1]
        if second > max(lead, self.third):
            return min((card for card in cards if card > second), default=cards[-1])
        return self.third or cards[-1]


def hand(table: SuitTable, seat: int) -> Holding:
    """A hand of declarer's."""
    return table.north if seat == NORTH else table.south


# ---------------------------------------------------------------------- from the top


def top_step(table: SuitTable, suit: Suit) -> Step:
    """The next trick of one who plays from the top: winners, those of the shorter hand first; else the highest card."""
    best = max(_tops(table, highest_out(table, suit)))
    return Step(best[2], best[1])


def _tops(table: SuitTable, out: Rank) -> Iterator[tuple[int, Rank, int]]:
    for seat in (NORTH, SOUTH):
        if cards := hand(table, seat):
            yield (-len(cards) if cards[0] > out else -99), cards[0], seat


def highest_out(table: SuitTable, suit: Suit) -> Rank:
    """The highest card that the defenders may still have, as its class is called."""
    shown = zip(suit.classes, table.west, table.east, strict=True)
    return next((cards[0] for cards, west, east in shown if west + east < len(cards)), OUT)


def lowest_out(table: SuitTable, suit: Suit) -> Rank:
    """The lowest card that the defenders may still have, or that they had at first."""
    shown = zip(suit.classes, table.west, table.east, strict=True)
    return next((cards[-1] for cards, west, east in reversed(list(shown)) if west + east < len(cards)), OUT)


# ---------------------------------------------------------------------- which steps there are


def group_touching(table: SuitTable, suit: Suit, seat: int) -> list[Holding]:
    """A hand's cards, the highest first, in groups with none of the defenders' that are still out between them.

    Where entries are scarce it matters which of declarer's hands has which card, and every card is a group.
    """
    shown = zip(suit.classes, table.west, table.east, strict=True)
    outs = [cards[0] for cards, west, east in shown if west + east < len(cards)]
    groups: dict[int, list[Rank]] = {}
    for card in hand(table, seat):
        groups.setdefault(sum(out > card for out in outs) if table.entries == FREE else card, []).append(card)
    return [tuple(cards) for cards in groups.values()]


def possible_steps(table: SuitTable, suit: Suit, seats: Sequence[int]) -> Iterator[list[Step]]:
    """All that can be said of the next trick, without exceptions; what comes to the same stands together."""
    ducks = []
    out = suit.classes[-1][-1] if suit.classes else OUT
    for seat in seats:
        lowest, other = hand(table, seat)[-1], group_touching(table, suit, 2 - seat)
        useful = [cards for cards in other if cards[0] > max(NAMED - 1, lowest_out(table, suit))]
        for leads in group_touching(table, suit, seat):
            lead = LOW if leads[-1] == lowest < TEN else leads[0]
            # A spot card is run if it may win, and if the other hand has a lower one to play.
            below = not other or other[-1][-1] < leads[0]
            yield from _steps(seat, leads, lead, useful, may_run=leads[0] >= TEN or (below and leads[0] > out))
        if lowest < TEN and not (other and len(useful) == len(other)):
            ducks.append(Step(seat, LOW))
    if table.entries == FREE and ducks:
        yield [Step(EITHER, LOW)]
    elif ducks:
        yield from ([duck] for duck in ducks)


def _steps(seat: int, leads: Holding, lead: Rank, thirds: Iterable[Holding], *, may_run: bool) -> Iterator[list[Step]]:
    """The steps with one of some leads that touch; ``lead`` is what they are called in passing."""
    for cards in thirds:
        if cards[0] > leads[0]:
            # Nobody says "the six" if it touches the eight.
            yield [Step(seat, lead, third) for third in cards if third == cards[0] or third >= TEN - 1]
    if named := [card for card in leads if may_run and (card >= NAMED or lead)]:
        yield [Step(seat, card) for card in named]
