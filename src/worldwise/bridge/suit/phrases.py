"""The words for a single suit: chances and numbers, cards, steps of a line, and facts about the play."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from worldwise.bridge.rules.cards import holding_name
from worldwise.bridge.suit.facts import low_classes
from worldwise.bridge.suit.rules import NORTH, OUT, SOUTH
from worldwise.bridge.suit.steps import EITHER, LOW, hand, highest_out
from worldwise.views.words import join_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction

    from worldwise.bridge.rules.cards import Rank
    from worldwise.bridge.suit.facts import Fact
    from worldwise.bridge.suit.rules import Suit, SuitMove, SuitTable
    from worldwise.bridge.suit.solver import SuitLine
    from worldwise.bridge.suit.steps import Step

CARD_NAMES = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
"""What ranks are called, from 2."""

SEAT_NAMES = ("North", "East", "South", "West")

NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
)

ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh"),
    *("eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth"),
)


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


def line_name(line: SuitLine) -> str:
    """What a line is for, and how it begins if that was asked for.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> line_name(SuitSolver(Suit.of("AKQ9", "32")).line(4))
    'the line for 4 tricks'
    """
    goal = line.aim if line.goal is None else count_words(line.goal, "trick")
    return f"the line for {goal}" if line.start is None else f"{line.play(line.solver.root)} and then for {goal}"


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


def capital(words: str) -> str:
    """Words as they begin a sentence."""
    return words[:1].upper() + words[1:]


# ---------------------------------------------------------------------- steps


class Phrase(NamedTuple):
    """A step in words: its verb, what the verb is done to, and exceptions for cards of second hand's."""

    verb: str
    object: str
    instead: str = ""

    def __str__(self) -> str:
        return f"{self.verb} {self.object}{self.instead}"


DUCK, LEAD_LOW = Phrase("duck", "a round"), Phrase("lead", "low")

TIMES = ("", "once", "twice", *(f"{number} times" for number in NUMBERS[3:]))


def join_phrases(phrases: Sequence[Phrase]) -> str:
    """Steps one after the other; a verb is not said twice.

    >>> join_phrases([Phrase("cash", "the ace"), Phrase("cash", "the king"), Phrase("finesse", "the jack")])
    'cash the ace and king, then finesse the jack'
    >>> join_phrases([Phrase("lead low to", "the king"), Phrase("lead low to", "the queen")])
    'lead low to the king, then to the queen'
    >>> join_phrases([Phrase("duck", "a round"), Phrase("duck", "a round"), Phrase("lead", "low")])
    'duck two rounds, then lead low'
    """
    words: list[str] = []
    for phrases_alike in _runs(phrases):
        first, *others = phrases_alike
        if first.verb == "cash":
            names = [first.object, *(phrase.object.removeprefix("the ") for phrase in others)]
            words.append(f"cash {join_words(names)}{phrases_alike[-1].instead}")
            continue
        if others and first in (DUCK, LEAD_LOW):
            times = len(phrases_alike)
            words.append(f"duck {NUMBERS[times]} rounds" if first == DUCK else f"lead low {TIMES[times]}")
            continue
        words.append(str(first))
        short = "to " if first.verb == "lead low to" else ""
        words += [f"{short}{phrase.object}{phrase.instead}" for phrase in others]
    return ", then ".join(words)


def _runs(phrases: Sequence[Phrase]) -> list[list[Phrase]]:
    """Neighbours with the same verb."""
    found: list[list[Phrase]] = []
    for phrase in phrases:
        before = found[-1][-1] if found else None
        alike = before and before.verb == phrase.verb and not before.instead
        if before and alike and (phrase == before or "the " in {before.object[:4]} & {phrase.object[:4]}):
            found[-1].append(phrase)
        else:
            found.append([phrase])
    return found


class Language:
    """How steps and facts are said of a combination."""

    def __init__(self, suit: Suit) -> None:
        self.suit, self.low = suit, low_classes(suit)

    # ------------------------------------------------------------------ steps

    def chain(self, steps: Sequence[Step], table: SuitTable) -> str:
        """Steps one after the other from a table on; without any, everything is played from the top."""
        if not steps:
            return "play from the top"
        phrases = []
        for step in steps:
            phrases.append(self.step(step, table))
            table = _drop_step(table, step)
        return join_phrases(phrases)

    def step(self, step: Step, table: SuitTable) -> Phrase:
        """A step as it is said at a table."""
        instead = [self._instead(step.seat, card, on) for card, on in step.instead]
        verb, what = self._verb(step, table)
        return Phrase(verb, what, f", but {' and '.join(instead)}" if instead else "")

    def _verb(self, step: Step, table: SuitTable) -> tuple[str, str]:
        other = hand(table, 2 - step.leader(table))
        if step.lead and step.third:
            return f"lead {card_name(step.lead)} to", card_name(step.third)
        if step.third:
            return "finesse" if self._is_finesse(table, step.third, other) else "lead low to", card_name(step.third)
        if step.lead:
            if step.lead > highest_out(table, self.suit):
                return "cash", card_name(step.lead)
            return "run" if other and other[0] > step.lead else "lead", card_name(step.lead)
        if step.seat != EITHER:
            return f"lead low from {SEAT_NAMES[step.seat]}", "and duck"
        return DUCK[:2] if other else LEAD_LOW[:2]

    def _is_finesse(self, table: SuitTable, third: Rank, cards: Iterable[Rank]) -> bool:
        """Whether a card is played below a defender's that a higher one could beat."""
        shown = zip(self.suit.classes, table.west, table.east, strict=True)
        outs = [out[0] for out, west, east in shown if west + east < len(out)]
        return any(third < out < card for card in cards for out in outs)

    def _instead(self, leader: int, card: Rank, on: Sequence[Rank]) -> str:
        shown = [top for top in on if top]
        if card == LOW and OUT not in on:
            return f"duck {self.defenders_cards(shown)}"
        where = [f"on {self.defenders_cards(shown)}"] if shown else []
        if OUT in on:
            where.append(f"if {SEAT_NAMES[(leader + 1) % 4]} shows out")
        return f"play {card_name(card) if card else 'low'} {' or '.join(where)}"

    # ------------------------------------------------------------------ defenders' cards

    def played_words(self, move: SuitMove) -> str:
        """A card that anyone has played."""
        if move.seat in (NORTH, SOUTH):
            return card_name(move.card)
        return self.defenders_cards([move.card]) if move.card else "shows out"

    def defenders_cards(self, tops: Sequence[Rank]) -> str:
        """Defenders' classes, each by its highest card; a low card is any that is low."""
        low = self._is_low(tops)
        names = [CARD_NAMES[card - 2] for top in tops if not (low and top in self.low) for card in self._class(top)]
        parts = [f"the {names[0]}", *names[1:]] if names else []
        return join_words([*parts, *["a low card"] * low], "or")

    def _is_low(self, tops: Sequence[Rank]) -> bool:
        """Whether all low classes are among some, and are more than a single card, which has a name."""
        several = sum(len(self._class(top)) for top in self.low) > 1
        return several and set(self.low) <= set(tops)

    def _class(self, top: Rank) -> tuple[Rank, ...]:
        return self.suit.classes[self.suit.class_of[top]]

    # ------------------------------------------------------------------ facts

    def condition(self, facts: Iterable[Fact], *, single: bool) -> str:
        """Facts, all of which must hold; ``single`` if they are about one step, so that *it* is clear."""
        ordered = sorted(facts, key=lambda fact: (fact[0] == "round", str(fact[0]) in ("won", "lost"), repr(fact)))
        rounds = [ORDINALS[int(str(fact[1])) - 1] for fact in ordered if fact[0] == "round"]
        told = [self._fact(fact, "it" if single else "a trick") for fact in ordered if fact[0] != "round"]
        if not told:
            return f"this is the {rounds[0]} round over"
        when = "by" if any(fact[0] == "has" for fact in ordered) else "on"
        return _join_deeds(told) + (f" {when} the {rounds[0]} round" if rounds else "")

    def _fact(self, fact: Fact, what: str) -> str:
        match fact:
            case ("out" | "winner" | "plays" | "has" | "holds", int(seat), *about):
                return f"{SEAT_NAMES[seat]} {self._deed(fact[0], about)}"
            case ("falls", tuple(tops)):
                return f"{self.defenders_cards(tops)} falls"
            case ("low",):
                return "both follow low"
            case ("gone", int(card)):
                return f"{self._all_of(card)} gone"
            case ("tricks", int(tricks)):
                return f"you have {NUMBERS[tricks]} trick{'' if tricks == 1 else 's'}"
            case ("won",):
                return "it wins" if what == "it" else "you win a trick"
        lost = "it loses" if what == "it" else "you lose a trick"
        return f"{lost} to {self.defenders_cards([int(str(fact[1]))])}" if fact[0] == "loses to" else lost

    def _deed(self, kind: object, about: Sequence[Any]) -> str:
        """What a hand has done."""
        match kind, *about:
            case "plays", tops:
                return f"plays {self._name_tops(tops)}"
            case "has", number, count:
                return f"has played {self._count(number, count)}"
            case "holds", card:
                return f"still has {card_name(card)}"
        return "wins" if kind == "winner" else "shows out"

    def _name_tops(self, tops: Sequence[Rank]) -> str:
        if self._is_low(tops):
            others = [cards[0] for cards in self.suit.classes if cards[0] not in tops]
            return "low" if len(tops) == len(self.low) else f"anything but {self.defenders_cards(others)}"
        return self.defenders_cards(tops)

    def _all_of(self, top: Rank) -> str:
        cards = [CARD_NAMES[card - 2] for card in self._class(top)]
        return f"the {join_words(cards)} {'has' if len(cards) == 1 else 'have'}"

    def _count(self, number: int, count: int) -> str:
        cards = self.suit.classes[number]
        if (cards[0],) == self.low and len(cards) > 1:
            return "a low card" if count == 1 else f"{NUMBERS[count]} low cards"
        return self.defenders_cards(cards[:1]) if count == 1 else f"{NUMBERS[count]} of {holding_name(cards)}"


def _join_deeds(told: Sequence[str]) -> str:
    """Facts of which all hold; whose they are is said once.

    >>> _join_deeds(["West has played the eight", "West has played the two", "West plays the queen", "it wins"])
    'West has played the eight and the two and now plays the queen and it wins'
    """
    words = list(told[:1])
    for before, fact in pairwise(told):
        seat, deed = fact.split(" ", 1)
        if seat in SEAT_NAMES and before.startswith(f"{seat} has played"):
            fact = f"now {deed}" if deed.startswith("plays") else deed.removeprefix("has played ")
        words.append(fact)
    return " and ".join(words)


def _drop_step(table: SuitTable, step: Step) -> SuitTable:
    """A table without the cards that a step is about, so that what comes after it is said rightly."""
    gone = {step.lead, step.third}
    north, south = (tuple(card for card in cards if card not in gone) for cards in (table.north, table.south))
    return table._replace(north=north, south=south)
