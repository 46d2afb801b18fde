"""The words for a single suit: chances and numbers, plans for a trick, and facts about the play."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from worldwise.bridge.rules.cards import holding_name
from worldwise.bridge.suit.outlook import BEAT, hand
from worldwise.bridge.suit.rules import EAST, FREE, NORTH, OUT, SOUTH, WEST, Suit, SuitMove, SuitTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from worldwise.bridge.rules.cards import Rank
    from worldwise.bridge.suit.outlook import Outlook, Situation, TrickPlan

CARD_NAMES = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
"""What ranks are called, from 2."""

SEAT_NAMES = ("North", "East", "South", "West")

NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
)

TOP = "Play from the top"
"""A line for all that is left: the highest card of either hand is led, the other hand plays its lowest."""


def percent(chance: Fraction | float) -> str:
    """A chance as bridge players read it, with two decimals.

    >>> percent(0.24)
    '24.00 %'
    """
    return f"{_in_percent(chance)} %"


def percent_difference(more: Fraction | float, less: Fraction | float) -> str:
    """How much more one chance is than another, as a reader works it out from the figures that are shown.

    >>> percent(0.27696), percent(0.22044), percent_difference(0.27696, 0.22044)
    ('27.70 %', '22.04 %', '5.66 %')
    """
    return f"{Decimal(_in_percent(more)) - Decimal(_in_percent(less))} %"


def _in_percent(chance: Fraction | float) -> str:
    return f"{100 * float(chance):.2f}"


def count_words(number: int, noun: str) -> str:
    """A number and its noun.

    >>> count_words(1, "trick"), count_words(2, "trick")
    ('1 trick', '2 tricks')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


_ASCII = str.maketrans({"–": "-", "×": "*"})


def signs(words: str, *, ascii: bool) -> str:  # noqa: A002
    """Words about layouts as they are, or for terminals that have not got their signs."""
    return words.translate(_ASCII) if ascii else words


def card_name(card: Rank) -> str:
    """A card with its article.

    >>> card_name(9), card_name(14)
    ('the nine', 'the ace')
    """
    return f"the {CARD_NAMES[card - 2]}"


Atom = tuple[object, ...]
"""A fact: its kind, and of whom and what it is true."""


@dataclass(frozen=True)
class Step:
    """One trick: the sentence, its short form, and what it costs to read it."""

    text: str
    short: str

    @property
    def cost(self) -> int:
        """Words."""
        return self.text.count(" ") + 1


# ---------------------------------------------------------------------- phrases


class Language:
    """How plans and facts are said of a combination."""

    def __init__(self, suit: Suit) -> None:
        self.suit = suit
        lowest = suit.classes[-1] if suit.classes else ()
        self.low = lowest[0] if lowest and lowest[-1] < 10 else None

    # ------------------------------------------------------------------ plans

    def step(self, tables: Sequence[SuitTable], plan: TrickPlan, view: Outlook) -> Step:
        """A trick in a sentence."""
        start = self._start(tables[0], plan, view)
        instead = [self._instead(plan.seat, card, on) for card, on in plan.instead]
        return Step(", but ".join([start, " and ".join(instead)]) if instead else start, start)

    def _instead(self, leader: int, card: Rank, on: Sequence[Rank]) -> str:
        if card == BEAT:
            return f"beat {self.defenders_cards(on)}"
        return f"play {card_name(card) if card else 'low'} {self._on(leader, on)}"

    def _start(self, table: SuitTable, plan: TrickPlan, view: Outlook) -> str:
        lead, third = plan.lead, plan.third
        if not third:
            return self._alone(table, plan, view)
        if lead:
            return f"Lead {card_name(lead)} to {card_name(third)}"
        if self._is_finesse(table, plan.seat, third, view):
            return f"Finesse {card_name(third)}"
        return f"Lead low to {card_name(third)}"

    def _alone(self, table: SuitTable, plan: TrickPlan, view: Outlook) -> str:
        """The other hand plays low, or nothing."""
        if not plan.lead:
            return f"Lead low from {SEAT_NAMES[plan.seat]}" + (" and duck" if plan.third is not None else "")
        if view.is_winner(table, plan.lead):
            return f"Cash {card_name(plan.lead)}"
        covered = any(card > plan.lead for card in hand(table, 2 - plan.seat))
        return f"{'Run' if covered else 'Lead'} {card_name(plan.lead)}"

    def _is_finesse(self, table: SuitTable, seat: int, third: Rank, view: Outlook) -> bool:
        """Whether a card is played below a defender's that a higher one could beat."""
        return any(view.is_between(table, third, card) for card in hand(table, 2 - seat) if card > third)

    def _on(self, leader: int, cards: Sequence[Rank]) -> str:
        shown = [card for card in cards if card]
        parts = [f"on {self.defenders_cards(shown)}"] if shown else []
        if OUT in cards:
            parts.append(f"if {SEAT_NAMES[(leader + 1) % 4]} shows out")
        return " or ".join(parts)

    def played_words(self, move: SuitMove) -> str:
        """A card that anyone has played."""
        if move.seat in (NORTH, SOUTH):
            return card_name(move.card)
        return self.defenders_cards([move.card]) if move.card else "shows out"

    def defenders_cards(self, tops: Sequence[Rank]) -> str:
        """Defenders' classes, each by its highest card."""
        names = [CARD_NAMES[card - 2] for top in tops if top != self.low for card in self._class(top)]
        parts = [f"the {names[0]}", *names[1:]] if names else []
        if self.low in tops:
            parts.append("a low card")
        return " or ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]

    def _class(self, top: Rank) -> tuple[Rank, ...]:
        return self.suit.classes[self.suit.class_of[top]]

    # ------------------------------------------------------------------ facts

    def atoms(self, here: Situation) -> Iterator[Atom]:
        """All that can be said about a situation."""
        yield from self._of_trick(here)
        table = here.table
        for seat, is_out, shown in ((WEST, table.west_out, table.west), (EAST, table.east_out, table.east)):
            if is_out:
                yield "out", seat
            for number, count in enumerate(shown):
                yield from (("has", seat, number, most) for most in range(1, count + 1))
        yield "tricks", table.tricks
        yield from (("holds", seat, card) for seat in (NORTH, SOUTH) for card in hand(table, seat))

    def _of_trick(self, here: Situation) -> Iterator[Atom]:
        winner = max(here.last, key=lambda move: move.card, default=SuitMove(NORTH, OUT))
        yield ("won",) if winner.seat in (NORTH, SOUTH) else ("lost",)
        # With free entries it makes no difference which of declarer's hands has won.
        if winner.seat in (EAST, WEST) or here.table.entries != FREE:
            yield "winner", winner.seat
        tops = [cards[0] for cards in self.suit.classes]
        for move in here.last:
            if move.seat in (EAST, WEST) and move.card:
                place = tops.index(move.card)
                for first in range(place + 1):
                    for last in range(place + 1, len(tops) + 1):
                        if last - first < len(tops):
                            yield "plays", move.seat, tuple(tops[first:last])

    def condition(self, atoms: Sequence[Atom]) -> str:
        """Facts, all of which must hold."""
        return " and ".join(map(self._fact, atoms))

    def _fact(self, atom: Atom) -> str:
        match atom:
            case ("out", int(seat)):
                return f"{SEAT_NAMES[seat]} shows out"
            case ("plays", int(seat), tuple(tops)):
                return f"{SEAT_NAMES[seat]} plays {self.defenders_cards(tops)}"
            case ("winner", int(seat)):
                return f"{SEAT_NAMES[seat]} wins"
            case ("has", int(seat), int(number), int(count)):
                return f"{SEAT_NAMES[seat]} has played {self._count(number, count)}"
            case ("tricks", int(tricks)):
                return f"you have {NUMBERS[tricks]} trick{'' if tricks == 1 else 's'}"
            case ("holds", int(seat), int(card)):
                return f"{SEAT_NAMES[seat]} still has {card_name(card)}"
        return f"the trick is {atom[0]}"

    def _count(self, number: int, count: int) -> str:
        cards = self.suit.classes[number]
        if cards[0] == self.low:
            return "a low card" if count == 1 else f"{NUMBERS[count]} low cards"
        return self.defenders_cards(cards[:1]) if count == 1 else f"{NUMBERS[count]} of {holding_name(cards)}"
