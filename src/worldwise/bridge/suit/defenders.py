"""Defenders who err: who never falsecard, or who do not see all the cards.

Everything else in this package is played against *best* defence: the defenders see all four hands, know declarer's
line, and falsecard whenever that beats it. Two other kinds of defenders are defined here. Neither knows the line, and a
card of theirs depends on nothing but what they see, so against them a line wins at least as much in every layout. What
that comes to, and what a line made for them would win, is in ``against``.

``honest``
    A defender sees all four hands and never tries to mislead. He plays a card after which declarer takes the fewest
    tricks if from then on all cards lie face up and everybody, declarer too, plays as well as can be. Of such cards he
    plays the lowest.

``single-dummy``
    A defender sees his own cards, dummy, which is North, and all that has been played. He goes through every way in
    which the cards that he does not see can lie with declarer and his partner, each as likely as the deal makes it with
    thirteen vacant places in declarer's hand and those of ``Suit`` in his partner's; ways that contradict a card played
    or a hand that has shown out are gone. For each of them he counts, face up as above, what declarer takes after each
    of his own cards, and plays a card with the lowest average; of such cards the lowest. He knows nothing of the
    bidding and draws no conclusions from declarer's play.

Both defend as Monte Carlo plays, with every layout in the sample: their faults are those of FB01 section 5, on the
other side. Declarer leads the suit, entries are free and nobody ruffs.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, Protocol, get_args

from worldwise.bridge.suit.open_cards import OpenSuit, push_together, run_ends
from worldwise.bridge.suit.rules import EAST, SOUTH, WEST

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from worldwise.bridge.suit.open_cards import Hands, Trick
    from worldwise.bridge.suit.rules import Suit
    from worldwise.core.result import Clock

DefenceName = Literal["best", "honest", "single-dummy"]

DEFENCES: tuple[DefenceName, ...] = get_args(DefenceName)

VACANT = 13
"""Places in declarer's hand, as far as a defender knows."""


class Seen(NamedTuple):
    """What everyone has seen: declarer's cards left, who has played what, who is out, and the trick; cards are bits.

    Declarer's hand is among it, for those who see it.
    """

    north: int
    south: int
    played: Hands
    out: tuple[bool, ...]
    trick: Trick

    def show(self, seat: int, card: int) -> Seen:
        """What is seen after a card, or after a discard."""
        north, east, south, west = (cards | card if one == seat else cards for one, cards in enumerate(self.played))
        out = tuple(flag or (one == seat and not card) for one, flag in enumerate(self.out))
        trick = (*self.trick, (seat, card))
        return Seen(self.north & ~card, self.south & ~card, (north, east, south, west), out, trick)


class Defenders(Protocol):
    """Two defenders who play alike; those who see all the cards give no trick away face up."""

    see_all: ClassVar[bool]

    def play(self, seat: int, own: int, other: int, seen: Seen) -> int:
        """The card from a hand that has some; ``other`` is the partner's hand, for those who see it."""


class Honest:
    """Sees everything, misleads nobody."""

    see_all: ClassVar[bool] = True

    def __init__(self) -> None:
        self._open = OpenSuit()

    def play(self, seat: int, own: int, other: int, seen: Seen) -> int:
        """The card after which declarer takes the fewest tricks face up; of equals the lowest."""
        counts = _counts(self._open, seat, own, _hands(seat, own, other, seen.north, seen.south), seen.trick)
        return min(counts, key=lambda card: (counts[card], card))


class SingleDummy:
    """Sees his own cards, dummy and what has been played."""

    see_all: ClassVar[bool] = False

    def __init__(self, suit: Suit, clock: Clock) -> None:
        self._open, self._clock = OpenSuit(), clock
        self._cards, self._dummy = card_bits({*range(2, 15)} - {*suit.gone}), card_bits(suit.north)
        self._vacant = {WEST: suit.west_cards, EAST: suit.east_cards}
        self._known: dict[tuple[int, int, Seen], int] = {}

    def play(self, seat: int, own: int, other: int, seen: Seen) -> int:  # noqa: ARG002
        """The card with the lowest average over all that can be; of equals the lowest."""
        blind = seen._replace(south=0)
        key = seat, own, blind
        if key not in self._known:
            self._known[key] = self._think(seat, own, blind)
        return self._known[key]

    def _think(self, seat: int, own: int, seen: Seen) -> int:
        totals: dict[int, int] = {}
        cards = self._in_sight(own, seen)
        for south, other, weight in self._ways(seat, own, seen):
            self._clock.check()
            hands = _hands(seat, own, other, seen.north, south)
            for card, tricks in _counts(self._open, seat, own, hands, seen.trick, cards).items():
                totals[card] = totals.get(card, 0) + weight * tricks
        return min(totals, key=lambda card: (totals[card], card))

    def _in_sight(self, own: int, seen: Seen) -> list[int]:
        """Of his cards that touch as far as he can see, the lowest."""
        gone = sum(seen.played) & ~sum(card for _, card in seen.trick)
        packed, _ = push_together((own, self._cards & ~own & ~gone, 0, 0), ())
        first = set(run_ends(packed[0]))
        return [card for card, place in zip(_each(own), _each(packed[0]), strict=True) if place in first]

    def _ways(self, seat: int, own: int, seen: Seen) -> Iterator[tuple[int, int, int]]:
        """Declarer's cards and the partner's that are left, and in how many ways they can be dealt so."""
        partner = WEST + EAST - seat
        unseen = self._cards & ~own & ~seen.played[seat] & ~self._dummy
        left = unseen & ~seen.played[SOUTH] & ~seen.played[partner]
        others = VACANT + self._vacant[partner] - unseen.bit_count()
        for south in _subsets(left):
            if (south and seen.out[SOUTH]) or (south != left and seen.out[partner]):
                continue
            room = VACANT - south.bit_count() - seen.played[SOUTH].bit_count()
            if 0 <= room <= others:
                yield south, left & ~south, comb(others, room)


def _counts(
    suit: OpenSuit, seat: int, own: int, hands: Hands, trick: Trick, cards: Sequence[int] | None = None
) -> dict[int, int]:
    """What declarer takes face up after each card that differs, or after each of some."""
    packed, table = push_together(hands, trick)
    places = dict(zip(_each(own), _each(packed[seat]), strict=True))
    if cards is None:
        first = set(run_ends(packed[seat]))
        cards = [card for card, place in places.items() if place in first]
    found = {}
    for card in cards:
        place = places[card]
        left = [hand & ~place for hand in packed]
        found[card] = suit.after((left[0], left[1], left[2], left[3]), (*table, (seat, place)))
    return found


def _hands(seat: int, own: int, other: int, north: int, south: int) -> Hands:
    return (north, own, south, other) if seat == EAST else (north, other, south, own)


def _each(cards: int) -> Iterator[int]:
    """The cards of a hand, the lowest first."""
    while cards:
        yield cards & -cards
        cards &= cards - 1


def _subsets(cards: int) -> Iterator[int]:
    """Every part of some cards."""
    part = cards
    while True:
        yield part
        if not part:
            return
        part = (part - 1) & cards


def card_bits(cards: Iterable[int]) -> int:
    """Cards as a mask."""
    return sum(1 << card for card in cards)
