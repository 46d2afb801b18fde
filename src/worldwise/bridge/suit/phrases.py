"""The words for a single suit: plans for a trick and facts about the play, and what can be seen at a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from worldwise.bridge.rules.cards import holding_name
from worldwise.bridge.suit.rules import EAST, FREE, NORTH, OUT, SOUTH, WEST, Move, Suit, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldwise.bridge.rules.cards import Holding, Rank
    from worldwise.bridge.suit.solver import Levels, SuitSolver
    from worldwise.bridge.suit.weighing import Mask

CARD_NAMES = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
"""What ranks are called, from 2."""

SEAT_NAMES = ("North", "East", "South", "West")

NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
)

TOP = "Play from the top"
"""A line for all that is left: the highest card of either hand is led, the other hand plays its lowest."""

LOW = 0
"""In place of a rank: the lowest card of the hand."""

BEAT = -1
"""In place of a rank: the lowest card that beats second hand's."""


def card_name(card: Rank) -> str:
    """A card with its article.

    >>> card_name(9), card_name(14)
    ('the nine', 'the ace')
    """
    return f"the {CARD_NAMES[card - 2]}"


class Situation(NamedTuple):
    """A table between tricks, and the trick that led to it."""

    table: Table
    last: tuple[Move, ...] = ()


class Plan(NamedTuple):
    """How to play a trick: who leads what, the card from opposite, and other cards on some of second hand's."""

    seat: int
    lead: Rank
    third: Rank | None
    instead: tuple[tuple[Rank, tuple[Rank, ...]], ...] = ()


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


# ---------------------------------------------------------------------- what is to be seen at a table


class Outlook:
    """What a line still has to win at a table, what the defenders can do about it, and which plays keep it."""

    def __init__(self, solver: SuitSolver, levels: Levels, goal: int | None) -> None:
        self.solver, self.levels, self.goal = solver, levels, goal
        self._possible: dict[tuple[object, ...], Mask] = {}
        self._secured: dict[Table, bool] = {}
        self._after: dict[tuple[Table, Move], Table] = {}
        self._defences: dict[Table, list[Move]] = {}

    def open(self, table: Table) -> Mask:
        """The worlds in which something is still to be won."""
        most = self.solver.suit.length if self.goal is None else self.goal
        if table.tricks >= most:
            return 0
        return self.possible(table) & self.levels[table.tricks if self.goal is None else self.goal - 1]

    def possible(self, table: Table) -> Mask:
        """The worlds that a table allows."""
        key = table[2:6]
        if key not in self._possible:
            self._possible[key] = self.solver.rules.possible(table)
        return self._possible[key]

    def secures(self, table: Table) -> bool:
        """Whether all that is to be won still can be."""
        if table not in self._secured:
            self._secured[table] = not self.open(table) or self.solver.secures(table, self.levels, self.goal)
        return self._secured[table]

    def after(self, table: Table, move: Move) -> Table:
        """The table after a card; kept, because plans that are compared share most of their tables."""
        key = table, move
        if key not in self._after:
            self._after[key] = self.solver.rules.after(table, move)
        return self._after[key]

    def defences(self, table: Table) -> list[Move]:
        """What the next defender can play where something is still to be won."""
        if table not in self._defences:
            seat = (table.trick[0].seat + len(table.trick)) % 4
            is_out = table.west_out if seat == WEST else table.east_out
            cards = (OUT,) if is_out else (*(cards[0] for cards in self.solver.suit.classes), OUT)
            moves = [Move(seat, card) for card in cards]
            self._defences[table] = [move for move in moves if self._leaves_something(table, move)]
        return self._defences[table]

    def _leaves_something(self, table: Table, move: Move) -> bool:
        return bool(self.open(self.after(table, move)._replace(tricks=table.tricks)))

    def is_winner(self, table: Table, card: Rank) -> bool:
        """Whether no defender has a higher card, on the table or off it."""
        return not self.is_between(table, card, 15)

    def is_between(self, table: Table, low: Rank, high: Rank) -> bool:
        """Whether a defender's card that is still out, or a card of the trick, lies between two cards."""
        classes = zip(self.solver.suit.classes, table.west, table.east, strict=True)
        still_out = any(low < cards[0] < high and west + east < len(cards) for cards, west, east in classes)
        return still_out or any(low < move.card < high for move in table.trick)

    # ------------------------------------------------------------------ how cards are called

    def lead_card(self, table: Table, move: Move) -> Rank:
        """Of cards that touch, people lead the highest; low is low."""
        return LOW if move.card == hand(table, move.seat)[-1] < 10 else max(self.touching(table, move))

    def third_card(self, table: Table, move: Move) -> Rank:
        """Winners are won with cheaply; of others that touch, people play the highest; low is low."""
        best = max(played.card for played in table.trick)
        if move.card == hand(table, move.seat)[-1] and (move.card < best or move.card < 7):
            return LOW
        return move.card if self.is_winner(table, move.card) else max(self.touching(table, move))

    def spoken(self, table: Table, move: Move) -> Move:
        """Of declarer's cards that touch, the one that is named."""
        card = self.third_card(table, move) if table.trick else self.lead_card(table, move)
        return Move(move.seat, card or move.card)

    def touching(self, table: Table, move: Move) -> list[Rank]:
        """A card, and those above it in the same hand that are as good."""
        if self.solver.entries != FREE:
            return [move.card]
        cards = [card for card in hand(table, move.seat) if card >= move.card]
        return [card for card in cards if not self.is_between(table, move.card, card)]


def hand(table: Table, seat: int) -> Holding:
    """A hand of declarer's."""
    return table.north if seat == NORTH else table.south


def is_hopeless(table: Table) -> bool:
    """Whether the third hand, to play, cannot beat a second hand that has beaten the lead."""
    lead, second = table.trick[0], table.trick[1]
    return lead.card < second.card > max(hand(table, 2 - lead.seat))


def beating_card(table: Table, seat: int) -> Rank:
    """The lowest card that beats the second hand's, if that beats the lead and can be beaten; otherwise ``OUT``."""
    lead, second = table.trick[0].card, table.trick[1].card
    return min((card for card in hand(table, seat) if card > second > lead), default=OUT)


def top_lead(table: Table) -> Move:
    """The highest card of either hand."""
    return max((Move(seat, card) for seat in (NORTH, SOUTH) for card in hand(table, seat)), key=lambda move: move.card)


# ---------------------------------------------------------------------- phrases


class Language:
    """How plans and facts are said of a combination."""

    def __init__(self, suit: Suit) -> None:
        self.suit = suit
        lowest = suit.classes[-1] if suit.classes else ()
        self.low = lowest[0] if lowest and lowest[-1] < 10 else None

    # ------------------------------------------------------------------ plans

    def step(self, tables: Sequence[Table], plan: Plan, view: Outlook) -> Step:
        """A trick in a sentence."""
        start = self._start(tables[0], plan, view)
        instead = [self._instead(plan.seat, card, on) for card, on in plan.instead]
        return Step(", but ".join([start, " and ".join(instead)]) if instead else start, start)

    def _instead(self, leader: int, card: Rank, on: Sequence[Rank]) -> str:
        if card == BEAT:
            return f"beat {self._cards(on)}"
        return f"play {card_name(card) if card else 'low'} {self._on(leader, on)}"

    def _start(self, table: Table, plan: Plan, view: Outlook) -> str:
        lead, third = plan.lead, plan.third
        if not third:
            return self._alone(table, plan, view)
        if lead:
            return f"Lead {card_name(lead)} to {card_name(third)}"
        if self._is_finesse(table, plan.seat, third, view):
            return f"Finesse {card_name(third)}"
        return f"Lead low to {card_name(third)}"

    def _alone(self, table: Table, plan: Plan, view: Outlook) -> str:
        """The other hand plays low, or nothing."""
        if not plan.lead:
            return f"Lead low from {SEAT_NAMES[plan.seat]}" + (" and duck" if plan.third is not None else "")
        if view.is_winner(table, plan.lead):
            return f"Cash {card_name(plan.lead)}"
        covered = any(card > plan.lead for card in hand(table, 2 - plan.seat))
        return f"{'Run' if covered else 'Lead'} {card_name(plan.lead)}"

    def _is_finesse(self, table: Table, seat: int, third: Rank, view: Outlook) -> bool:
        """Whether a card is played below a defender's that a higher one could beat."""
        return any(view.is_between(table, third, card) for card in hand(table, 2 - seat) if card > third)

    def _on(self, leader: int, cards: Sequence[Rank]) -> str:
        shown = [card for card in cards if card]
        parts = [f"on {self._cards(shown)}"] if shown else []
        if OUT in cards:
            parts.append(f"if {SEAT_NAMES[(leader + 1) % 4]} shows out")
        return " or ".join(parts)

    def played(self, move: Move) -> str:
        """A card that anyone has played."""
        if move.seat in (NORTH, SOUTH):
            return card_name(move.card)
        return self._cards([move.card]) if move.card else "shows out"

    def _cards(self, tops: Sequence[Rank]) -> str:
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
        winner = max(here.last, key=lambda move: move.card, default=Move(NORTH, OUT))
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
                return f"{SEAT_NAMES[seat]} plays {self._cards(tops)}"
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
        return self._cards(cards[:1]) if count == 1 else f"{NUMBERS[count]} of {holding_name(cards)}"
