"""A single suit with all four hands face up: how many tricks declarer takes if everybody plays as well as can be.

Hands are masks of cards, one for each seat in the order North, East, South, West; only the order of the cards counts,
so what is left after a trick is pushed together and each such position is worked out once. Declarer leads every trick
from whichever hand he likes; a defender who is out of the suit discards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Hands = tuple[int, int, int, int]
"""North's, East's, South's and West's cards, a bit for each."""

Trick = tuple[tuple[int, int], ...]
"""Who has played what to a trick: a seat, and a card's bit, 0 for a discard."""

NORTH, SOUTH = 0, 2


class OpenSuit:
    """Declarer's tricks with all cards seen; keeps what it has worked out.

    >>> suit = OpenSuit()
    >>> suit.tricks((0b10100, 0, 0b00001, 0b01010)), suit.tricks((0b10100, 0b01010, 0b00001, 0))
    (2, 1)
    """

    def __init__(self) -> None:
        self._known: dict[Hands, int] = {}

    def tricks(self, hands: Hands) -> int:
        """What declarer takes, on lead in either hand."""
        return self._tricks(push_together(hands, ())[0])

    def _tricks(self, hands: Hands) -> int:
        """The same for cards that are together."""
        found = self._known.get(hands)
        if found is None:
            north, east, south, west = hands
            leads = [self.after((north & ~card, east, south, west), ((NORTH, card),)) for card in run_ends(north)]
            leads += [self.after((north, east, south & ~card, west), ((SOUTH, card),)) for card in run_ends(south)]
            found = self._known[hands] = max(leads, default=0)
        return found

    def after(self, hands: Hands, trick: Trick) -> int:
        """What declarer still takes, this trick included, if there are no gaps but for the cards on the table."""
        if len(trick) == 4:
            winner, _ = max(trick, key=lambda played: played[1])
            return (winner in (NORTH, SOUTH)) + self._tricks(_squeeze(hands, [card for _, card in trick]))
        seat = (trick[0][0] + len(trick)) % 4
        cards = list(run_ends(hands[seat])) or [0]
        if len(trick) == 3:
            # Fourth hand, a defender, wins as cheaply as he can or plays low.
            highest = max(card for _, card in trick)
            cards = [cards[0], *[card for card in cards if card > highest][:1]]
        found = [self.after(_drop_card(hands, seat, card), (*trick, (seat, card))) for card in cards]
        return max(found) if seat in (NORTH, SOUTH) else min(found)


def run_ends(hand: int) -> Iterator[int]:
    """The lowest of every run of cards that touch, the lowest first."""
    runs = hand & ~(hand << 1)
    while runs:
        yield runs & -runs
        runs &= runs - 1


def push_together(hands: Sequence[int], trick: Trick) -> tuple[Hands, Trick]:
    """The same cards with no gaps between them but for those that are on the table."""
    table = sum(card for _, card in trick)
    packed, places, place = [0, 0, 0, 0], {0: 0}, 1
    left = table | hands[0] | hands[1] | hands[2] | hands[3]
    while left:
        card = left & -left
        left ^= card
        places[card] = place
        for seat in range(4):
            if hands[seat] & card:
                packed[seat] |= place
        place <<= 1
    north, east, south, west = packed
    return (north, east, south, west), tuple((seat, places[card]) for seat, card in trick)


def _drop_card(hands: Hands, seat: int, card: int) -> Hands:
    left = list(hands)
    left[seat] &= ~card
    return left[0], left[1], left[2], left[3]


def _squeeze(hands: Hands, gaps: list[int]) -> Hands:
    """The cards pushed together where these have gone."""
    north, east, south, west = hands
    for gap in sorted(gaps, reverse=True):
        if gap:
            below, above = gap - 1, ~(gap - 1)
            north = north & below | north >> 1 & above
            east = east & below | east >> 1 & above
            south = south & below | south >> 1 & above
            west = west & below | west >> 1 & above
    return north, east, south, west
