"""What can be said of the play so far, so that a line of play can depend on it.

A fact is about the trick just played, or about all that has been played. Sets of facts are bits of one number, because
many situations are compared by theirs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.bridge.suit.rules import EAST, FREE, NORTH, OUT, SOUTH, WEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from worldwise.bridge.rules.cards import Rank
    from worldwise.bridge.suit.rules import Suit, SuitMove
    from worldwise.bridge.suit.situations import Situation

Fact = tuple[object, ...]
"""Its kind, and of whom and what it is true."""

Bits = int
"""A set of facts."""

COSTS = {
    "out": 3.0,
    "won": 2.5,
    "lost": 2.0,
    "winner": 3.0,
    "loses to": 4.0,
    "low": 3.0,
    "gone": 5.0,
    "round": 3.0,
    "tricks": 7.0,
}
"""How many words a fact is worth, more where it is hard to keep in mind; others depend on their cards."""


def low_classes(suit: Suit) -> tuple[Rank, ...]:
    """The defenders' classes that players call low, each by its highest card: what is below the ten, and the lowest.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> low_classes(Suit.of("AQ", "32")), low_classes(Suit.of("AK962", "J54"))
    ((11,), (8, 3))
    """
    tops = tuple(cards[0] for cards in suit.classes if cards[0] < 10)
    lowest = suit.classes[-1] if suit.classes else ()
    return tops or ((lowest[0],) if lowest and lowest[-1] < 10 else ())


def bits_of(facts: Bits) -> Iterator[Bits]:
    """The facts of a set, one by one."""
    while facts:
        bit = facts & -facts
        yield bit
        facts ^= bit


class Facts:
    """The facts of one suit, numbered as they are met.

    >>> from worldwise.bridge.suit.rules import FREE, Suit
    >>> facts = Facts(Suit.of("AQ", "32"), FREE)
    >>> facts.read(facts.bit(("lost",)) | facts.bit(("out", EAST)))
    [('lost',), ('out', 1)]
    """

    def __init__(self, suit: Suit, entries: tuple[float, float]) -> None:
        self.suit, self.entries, self.low = suit, entries, low_classes(suit)
        self.tops = [cards[0] for cards in suit.classes]
        self.all: list[Fact] = []
        self.weights: list[float] = []
        self._bits: dict[Fact, Bits] = {}
        self._parts: dict[tuple[object, ...], Bits] = {}
        self._costs: dict[Bits, float] = {}

    def bit(self, fact: Fact) -> Bits:
        """A fact's bit."""
        if fact not in self._bits:
            self._bits[fact] = 1 << len(self.all)
            self.all.append(fact)
            self.weights.append(self._cost(fact))
        return self._bits[fact]

    def read(self, bits: Bits) -> list[Fact]:
        """The facts of a set."""
        return [fact for number, fact in enumerate(self.all) if bits >> number & 1]

    def cost(self, bits: Bits) -> float:
        """How much there is to read, if all these facts are told."""
        if bits not in self._costs:
            numbers = [number for number in range(bits.bit_length()) if bits >> number & 1]
            # A round alone tells nothing of what has happened.
            bare = all(self.all[number][0] == "round" for number in numbers)
            self._costs[bits] = sum(self.weights[number] for number in numbers) + 6 * bare
        return self._costs[bits]

    def weight(self, bit: Bits) -> float:
        """How much a fact adds to others."""
        return self.weights[bit.bit_length() - 1]

    def whoever(self, bits: Bits) -> Bits:
        """The same facts, but for a card that a defender plays that it falls, whoever plays it."""
        facts = self.read(bits)
        fallen = [("falls", fact[2]) if fact[0] == "plays" else fact for fact in facts]
        known = [fact if fact in self._bits else told for told, fact in zip(facts, fallen, strict=True)]
        return sum(map(self.bit, dict.fromkeys(known)))

    def _cost(self, fact: Fact) -> float:
        match fact:
            case ("plays", _, tuple(tops)):
                return 3.0 if tops == self.low else 3.5 + len(tops) / 2
            case ("falls", tuple(tops)):
                return 2.5 + len(tops) / 2
            case ("has", _, _, int(count)):
                return 6.0 + count
            case ("holds", *_):
                return 9.0
        return COSTS[str(fact[0])]

    # ------------------------------------------------------------------ of a situation

    def of(self, here: Situation) -> Bits:
        """All that can be said of a situation; its three parts are often those of another."""
        table = here.table
        return (
            self._part(self._of_trick, here.last)
            | self._part(self._of_shown, table.west, table.east, table.west_out, table.east_out)
            | self._part(self._of_hands, table.north, table.south, table.tricks)
        )

    def _part(self, find: Callable[..., Iterator[Fact]], *about: object) -> Bits:
        if about not in self._parts:
            self._parts[about] = sum([self.bit(fact) for fact in dict.fromkeys(find(*about))])
        return self._parts[about]

    def _of_trick(self, last: tuple[SuitMove, ...]) -> Iterator[Fact]:
        if not last:
            return
        winner = max(last, key=lambda move: move.card)
        lost = winner.seat in (EAST, WEST)
        yield ("lost",) if lost else ("won",)
        if lost:
            yield "loses to", winner.card
        # With free entries it makes no difference which of declarer's hands has won.
        if lost or self.entries != FREE:
            yield "winner", winner.seat
        played = [move for move in last if move.seat in (EAST, WEST)]
        if all(move.card in self.low for move in played):
            yield ("low",)
        for move in played:
            yield from self._of_card(move)

    def _of_card(self, move: SuitMove) -> Iterator[Fact]:
        if move.card == OUT:
            return
        place = self.tops.index(move.card)
        for first in range(place + 1):
            for last in range(place + 1, len(self.tops) + 1):
                tops = tuple(self.tops[first:last])
                if len(tops) < len(self.tops):
                    yield "plays", move.seat, tops
                    if tops[-1] not in self.low:
                        yield "falls", tops

    def _of_shown(self, west: tuple[int, ...], east: tuple[int, ...], *outs: bool) -> Iterator[Fact]:
        for seat, shown, is_out in ((WEST, west, outs[0]), (EAST, east, outs[1])):
            if is_out:
                yield "out", seat
            yield from (("has", seat, number, n) for number, count in enumerate(shown) for n in range(1, count + 1))
        for number, cards in enumerate(self.suit.classes):
            if west[number] + east[number] == len(cards) and cards[0] not in self.low:
                yield "gone", cards[0]

    def _of_hands(self, north: tuple[int, ...], south: tuple[int, ...], tricks: int) -> Iterator[Fact]:
        yield "tricks", tricks
        yield "round", self.suit.length - max(len(north), len(south))
        yield from (("holds", seat, card) for seat, cards in ((NORTH, north), (SOUTH, south)) for card in cards)
