"""Reads a line of play for a single suit from its words, and plays it: the judge of what ``bridge.suit.words`` writes.

A sentence is a chain of steps, with *then* between them; each is done in turn, and after the last one everything is
played from the top. Then there may be exceptions, *If ..., ...*: they are looked at after every trick, the first one
that holds counts, and from then on only what it says. What is indented below one belongs to it.

- *Finesse the nine*, *lead low to the nine*: the lowest card is led from opposite the nine, which is then played.
- *Cash*, *run* or *lead the jack*: the other hand plays its lowest card.
- *Lead the ten to the king*: just that.
- All these are repeated until the card named last has been played, or can no longer be. Of *cash the ace and king* each
  is a step. A verb may be left out where it is the same as before: *finesse the ten, then the queen*.
- If second hand plays a card that is higher than both the lead and the card meant from opposite, that is beaten as
  cheaply as possible; if it cannot be beaten, the lowest card is played.
- *Duck a round*: low from both hands, whatever the defenders play. *Lead low*, from a hand opposite none. Once, or as
  often as it says: *duck two rounds*, *lead low twice*.
- *but play the queen on the jack*, *but duck the king*: exceptions, by second hand's card.
- *On the second round, ...*: once the first round has been played, whatever came of it.
- *Play from the top*: winners are cashed, as long as there are any, those of the shorter hand first; then the highest
  card of either hand is led. The other hand plays its lowest; it beats second hand's card, if that beats the lead.
- *If a defender shows out, the rest is marked*: every card is known, and is played as if it were seen.
- A *low card* is any of the defenders' below the ten that none of theirs above it touches, or if there is none such,
  any of the lowest that touch.

Where the text cannot be followed the line has given the layout up; it plays from the top.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from worldwise.bridge.suit.rules import EAST, FREE, NORTH, OUT, SOUTH, WEST, Suit, SuitGame, SuitMove, SuitTable
from worldwise.core.game import Side
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.bridge.rules.cards import Holding, Rank
    from worldwise.bridge.suit.rules import SuitPosition

_NUMBERS = re.findall(r"\w+", "no one two three four five six seven eight nine ten eleven twelve thirteen")
_COUNTS = {name: count for count, name in enumerate(_NUMBERS)}
_ORDINALS = re.findall(r"\w+", "first second third fourth fifth sixth seventh eighth ninth tenth")
_RANKS = {name: rank for rank, name in enumerate([*_NUMBERS[2:11], "jack", "queen", "king", "ace"], start=2)}
_LETTERS = dict(zip("23456789TJQKA", range(2, 15), strict=True))
_SEATS = {"North": NORTH, "East": EAST, "South": SOUTH, "West": WEST}

_LOWEST = 0

MARKED = "If a defender shows out, the rest is marked."


# ---------------------------------------------------------------------- what the words mean


@dataclass(frozen=True)
class Instead:
    """Another card of third hand's, on some cards of second hand's (``OUT`` if that shows out)."""

    card: Rank
    on: frozenset[Rank]


@dataclass(frozen=True)
class Sentence:
    """A step: the card led (or the lowest, from a seat or opposite third hand's card), and third hand's."""

    lead: Rank = _LOWEST
    third: Rank = _LOWEST
    seat: int | None = None
    exceptions: tuple[Instead, ...] = ()

    @property
    def names_a_card(self) -> bool:
        """Whether it is repeated until that has been played."""
        return bool(self.lead or self.third)


@dataclass(frozen=True)
class Fact:
    """Something that has happened: what kind of thing, to whom, with which cards, how often."""

    kind: str
    seat: int = -1
    cards: frozenset[Rank] = frozenset()
    count: int = 0


@dataclass(frozen=True)
class Paragraph:
    """Steps, then exceptions: each has alternatives, of which all facts must hold."""

    steps: tuple[Sentence, ...] = ()
    exceptions: tuple[tuple[tuple[tuple[Fact, ...], ...], Paragraph], ...] = ()


# ---------------------------------------------------------------------- playing


@dataclass(frozen=True)
class ReadLine:
    """A line that has been read: it can say what to play in any position that follows it.

    >>> line = read_line(Suit.of("AQ", "32"), "Finesse the queen.")
    >>> game = SuitGame(Suit.of("AQ", "32"))
    >>> str(line.play(game.root))
    'S2'
    """

    suit: Suit
    paragraph: Paragraph
    marked: bool = False
    entries: tuple[float, float] = FREE
    known: dict[SuitTable, int] = field(default_factory=dict, compare=False)

    @cached_property
    def rules(self) -> SuitGame:
        """The game that is played."""
        return SuitGame(self.suit, None, self.entries)

    @property
    def start(self) -> Place:
        """The first word, with nothing played."""
        return Place(self, self.paragraph, 0, self.rules.root.table).skip_what_is_done()

    def play(self, position: SuitPosition) -> SuitMove:
        """Declarer's play: a card as the text names it, which may be any of those that touch."""
        place = self.start
        for move in position.history:
            place = place.after(move)
        return place.play()

    def tricks(self, table: SuitTable) -> int:
        """How many tricks are won in the end where every card is known, both sides seeing them."""
        if table not in self.known:
            side = self.rules.side(table)
            after = [self.tricks(self.rules.after(table, move)) for move in self.rules.options(table) if side]
            self.known[table] = table.tricks if side is None else max(after) if side is Side.MAX else min(after)
        return self.known[table]


@dataclass(frozen=True)
class Place:
    """A place in the text, and what is on the table there."""

    line: ReadLine
    paragraph: Paragraph
    number: int
    table: SuitTable
    last: tuple[SuitMove, ...] = ()

    def play(self) -> SuitMove:
        """What the text says."""
        if self.line.marked and (self.table.west_out or self.table.east_out):
            moves = self.line.rules.options(self.table)
            return max(moves, key=lambda move: self.line.tricks(self.line.rules.after(self.table, move)))
        return self._third() if self.table.trick else self._lead()

    def after(self, move: SuitMove) -> Place:
        """The place after anyone's card."""
        table = self.line.rules.after(self.table, move)
        if table.trick:
            return Place(self.line, self.paragraph, self.number, table, self.last)
        once = self.step is not None and not self.step.names_a_card
        return Place(self.line, self.paragraph, self.number + once, table, (*self.table.trick, move)).look_back()

    def look_back(self) -> Place:
        """The same after a trick: the first exception that holds counts."""
        for alternatives, paragraph in self.paragraph.exceptions:
            if any(all(map(self._holds, facts)) for facts in alternatives):
                return Place(self.line, paragraph, 0, self.table, self.last).skip_what_is_done()
        return self.skip_what_is_done()

    def skip_what_is_done(self) -> Place:
        """The same, at a step that can be played, or past all of them."""
        number = self.number
        while number < len(self.paragraph.steps) and self._leader(self.paragraph.steps[number]) is None:
            number += 1
        return Place(self.line, self.paragraph, number, self.table, self.last)

    @property
    def step(self) -> Sentence | None:
        """What is played now; None is from the top."""
        return self.paragraph.steps[self.number] if self.number < len(self.paragraph.steps) else None

    def _leader(self, step: Sentence) -> int | None:
        """The seat that leads to a step, if that can be played."""
        table = self.table
        seat = _owner(table, step.lead) if step.lead else step.seat
        if step.third:
            owner = _owner(table, step.third)
            seat = None if owner is None or (step.lead and seat != 2 - owner) else 2 - owner
        if seat is None and not step.names_a_card:
            seat = next((seat for seat in (NORTH, SOUTH) if _hand(table, seat)), None)
        return seat if seat is not None and _hand(table, seat) else None

    def _lead(self) -> SuitMove:
        if self.step is None:
            return self._top()
        seat = self._leader(self.step)
        return SuitMove(seat, self.step.lead or _hand(self.table, seat)[-1])

    def _top(self) -> SuitMove:
        hands = [(seat, cards) for seat in (NORTH, SOUTH) if (cards := _hand(self.table, seat))]
        winning = [(seat, cards) for seat, cards in hands if self._is_winner(cards[0])]
        if winning:
            seat, cards = min(winning, key=lambda one: (len(one[1]), -one[1][0]))
        else:
            seat, cards = max(hands, key=lambda one: one[1][0])
        return SuitMove(seat, cards[0])

    def _is_winner(self, card: Rank) -> bool:
        shown = zip(self.line.suit.classes, self.table.west, self.table.east, strict=True)
        return not any(card < cards[0] and west + east < len(cards) for cards, west, east in shown)

    def _third(self) -> SuitMove:
        lead, second = self.table.trick
        seat = 2 - lead.seat
        cards, step = _hand(self.table, seat), self.step or Sentence(lead=lead.card)
        named = next((one.card for one in step.exceptions if self._is_one(second.card, one.on)), None)
        if named is not None and (named == _LOWEST or named in cards):
            return SuitMove(seat, named or cards[-1])
        if not step.names_a_card:
            return SuitMove(seat, cards[-1])
        if second.card > max(lead.card, step.third):
            return SuitMove(seat, min((card for card in cards if card > second.card), default=cards[-1]))
        return SuitMove(seat, step.third if step.third in cards else cards[-1])

    def _is_one(self, card: Rank, cards: frozenset[Rank]) -> bool:
        """Whether a card, or one that touches it, is among some."""
        if card == OUT:
            return OUT in cards
        return not cards.isdisjoint(self.line.suit.classes[self.line.suit.class_of[card]])

    def _holds(self, fact: Fact) -> bool:
        """Whether a fact is true: of the last trick, or of all that has been played."""
        winner = max(self.last, key=lambda move: move.card)
        played = [move for move in self.last if move.seat in (EAST, WEST) and fact.seat in (-1, move.seat)]
        match fact.kind:
            case "plays":
                return any(move.card != OUT and self._is_one(move.card, fact.cards) for move in played)
            case "both":
                return all(move.card != OUT and self._is_one(move.card, fact.cards) for move in played)
            case "winner":
                return winner.seat == fact.seat
            case "lost to":
                return winner.seat in (EAST, WEST) and self._is_one(winner.card, fact.cards)
            case "won" | "lost":
                return (winner.seat in (NORTH, SOUTH)) == (fact.kind == "won")
        return self._has_come_about(fact)

    def _has_come_about(self, fact: Fact) -> bool:
        table, suit = self.table, self.line.suit
        match fact.kind:
            case "out":
                return table.west_out if fact.seat == WEST else table.east_out
            case "has":
                shown = table.west if fact.seat == WEST else table.east
                return shown[suit.class_of[min(fact.cards)]] >= fact.count
            case "gone":
                place = suit.class_of[min(fact.cards)]
                return table.west[place] + table.east[place] == len(suit.classes[place])
            case "tricks":
                return table.tricks == fact.count
            case "round":
                return suit.length - max(len(table.north), len(table.south)) == fact.count
        assert fact.kind == "holds"
        return fact.cards <= frozenset(_hand(table, fact.seat))


def _hand(table: SuitTable, seat: int) -> Holding:
    return table.north if seat == NORTH else table.south


def _owner(table: SuitTable, card: Rank) -> int | None:
    return NORTH if card in table.north else SOUTH if card in table.south else None


# ---------------------------------------------------------------------- reading


def read_line(suit: Suit, text: str, *, entries: tuple[float, float] = FREE) -> ReadLine:
    """The line that a text describes; ``InputError`` shows what cannot be understood."""
    marked = text.endswith(MARKED)
    reader = _Reader(suit)
    lines = [(len(line) - len(line.lstrip()), line.strip()) for line in text.removesuffix(MARKED).splitlines()]
    paragraph, rest = reader.paragraph([line for line in lines if line[1]], 0)
    if rest:
        raise _not_understood("a line of play", rest[0][1])
    return ReadLine(suit, paragraph, marked, entries)


_Lines = list[tuple[int, str]]

_CARD = r"the (?:" + "|".join(_RANKS) + ")"
_SEAT = "(North|East|South|West)"
_VERBS = "cash|finesse|lead|run|duck|play"


class _Reader:
    """Turns words into steps and facts; the suit tells what a low card is."""

    def __init__(self, suit: Suit) -> None:
        self.suit = suit
        classes = suit.classes
        low = [cards for cards in classes if cards[0] < 10] or [cards for cards in classes[-1:] if cards[-1] < 10]
        self.low = frozenset(card for cards in low for card in cards)

    def paragraph(self, lines: _Lines, indent: int) -> tuple[Paragraph, _Lines]:
        """The paragraph that starts here, and the lines after it."""
        if not lines or lines[0][0] != indent:
            raise _not_understood("a line of play", lines[0][1] if lines else "")
        first, *more = re.findall(r"[^.]*\.", lines[0][1])
        lines = [*((indent, sentence.strip()) for sentence in more), *lines[1:]]
        exceptions = []
        while lines and lines[0][0] == indent:
            text, lines = lines[0][1], lines[1:]
            text = re.sub("^On the ([a-z]+) round", _round_over, text)
            if found := re.fullmatch("If (.*):", text):
                below, lines = self.paragraph(lines, indent + 2)
            elif found := re.fullmatch(rf"If (.*?), ((?:{_VERBS})\b.*)\.", text):
                below = Paragraph(tuple(self._steps(found[2])))
            else:
                raise _not_understood("a line of play", text)
            exceptions.append((tuple(map(self._facts, found[1].split(", or if "))), below))
        return Paragraph(tuple(self._steps(first.rstrip("."))), tuple(exceptions)), lines

    def _steps(self, text: str) -> Iterator[Sentence]:
        if text in ("Nothing can be done", "Play from the top", "play from the top"):
            return
        verb = ""
        for part in text.split(", then "):
            step, *rest = part.split(", but ")
            if found := re.fullmatch(f"(?:to )?({_CARD})", step):
                step = f"{verb} {found[1]}"
            exceptions = tuple(self._exception(one) for one in " and ".join(rest).split(" and ") if one)
            yield from self._step(step[0].lower() + step[1:], exceptions)
            verb = re.sub(f" {_CARD}.*", "", step) if step[:4].lower() != "lead" or "low to" in step else "lead"

    def _step(self, text: str, exceptions: tuple[Instead, ...]) -> Iterator[Sentence]:
        if found := re.fullmatch(f"(?:finesse|lead low to) ({_CARD})", text, re.IGNORECASE):
            yield Sentence(third=_card(found[1]), exceptions=exceptions)
        elif found := re.fullmatch(f"lead ({_CARD}) to ({_CARD})", text):
            yield Sentence(_card(found[1]), _card(found[2]), exceptions=exceptions)
        elif found := re.fullmatch("(?:cash|run|lead) (the .*)", text, re.IGNORECASE):
            names = re.split(", | and ", found[1])
            yield from (Sentence(lead=_card(name), exceptions=exceptions) for name in names)
        elif found := re.fullmatch("duck ([a-z]+) rounds|lead low (?:([a-z]+) times|twice)", text):
            yield from [Sentence(exceptions=exceptions)] * _COUNTS[found[1] or found[2] or "two"]
        elif found := re.fullmatch(f"duck a round|lead low|lead low from {_SEAT} and duck", text):
            yield Sentence(seat=_SEATS[found[1]] if found[1] else None, exceptions=exceptions)
        else:
            raise _not_understood("a step such as 'finesse the nine'", text)

    def _exception(self, text: str) -> Instead:
        if found := re.fullmatch("duck (.*)", text):
            return Instead(_LOWEST, self._cards(found[1]))
        if found := re.fullmatch(f"play (low|{_CARD}) (?:on (.*?))?(?: or )?(?:if {_SEAT} shows out)?", text):
            on = self._cards(found[2]) if found[2] else frozenset()
            card = _LOWEST if found[1] == "low" else _card(found[1])
            return Instead(card, on | {OUT} if found[3] else on)
        raise _not_understood("an exception such as 'play the queen on the ten'", text)

    def _cards(self, text: str) -> frozenset[Rank]:
        names = re.split(", | or ", text.removeprefix("the "))
        return frozenset().union(*(self.low if name in ("low", "a low card") else {_card(name)} for name in names))

    def _facts(self, text: str) -> tuple[Fact, ...]:
        facts: tuple[Fact, ...] = ()
        if found := re.fullmatch("(.*) (?:on|by) the ([a-z]+) round", text):
            text, facts = found[1], (Fact("round", count=_ORDINALS.index(found[2]) + 1),)
        told = re.split(" and (?!.* gone)", text)
        for place, fact in enumerate(told[1:], start=1):
            seat = told[place - 1].split(" ")[0]
            if found := re.fullmatch("now (plays .*)|((?:the|two|three) .*(?<! falls))", fact):
                told[place] = f"{seat} {found[1] or f'has played {found[2]}'}"
        return (*facts, *map(self._fact, told))

    def _fact(self, text: str) -> Fact:
        if text in ("it wins", "you win a trick"):
            return Fact("won")
        if text in ("it loses", "you lose a trick"):
            return Fact("lost")
        if found := re.fullmatch("(?:it loses|you lose a trick) to (.*)", text):
            return Fact("lost to", cards=self._cards(found[1]))
        if text == "both follow low":
            return Fact("both", cards=self.low)
        if found := re.fullmatch("(the .*) falls", text):
            return Fact("plays", cards=self._cards(found[1]))
        if found := re.fullmatch("the (.*) (?:has|have) gone", text):
            return Fact("gone", cards=frozenset(map(_card, re.split(", | and ", found[1]))))
        if found := re.fullmatch("you have ([a-z]+) tricks?", text):
            return Fact("tricks", count=_COUNTS[found[1]])
        if found := re.fullmatch("this is the ([a-z]+) round over", text):
            return Fact("round", count=_ORDINALS.index(found[1]) + 1)
        return self._fact_about_a_seat(text)

    def _fact_about_a_seat(self, text: str) -> Fact:
        found = re.fullmatch(f"{_SEAT} (shows out|wins|plays|has played|still has) ?(.*)", text)
        if not found:
            raise _not_understood("a condition such as 'West plays the ten'", text)
        seat, cards = _SEATS[found[1]], found[3]
        if found[2] in ("shows out", "wins"):
            return Fact("out" if found[2] == "shows out" else "winner", seat)
        if found[2] == "has played":
            return Fact("has", seat, *self._counted(cards))
        if but := re.fullmatch("anything but (.*)", cards):
            every = frozenset(card for group in self.suit.classes for card in group)
            return Fact("plays", seat, every - self._cards(but[1]))
        return Fact("plays" if found[2] == "plays" else "holds", seat, self._cards(cards))

    def _counted(self, text: str) -> tuple[frozenset[Rank], int]:
        if found := re.fullmatch("([a-z]+) of ([2-9TJQKA]+)", text):
            return frozenset(_LETTERS[letter] for letter in found[2]), _COUNTS[found[1]]
        if found := re.fullmatch("([a-z]+) low cards", text):
            return self.low, _COUNTS[found[1]]
        return self._cards(text), 1


def _round_over(found: re.Match[str]) -> str:
    return f"If this is the {_ORDINALS[_ORDINALS.index(found[1]) - 1]} round over"


def _card(text: str) -> Rank:
    name = text.removeprefix("the ")
    if name not in _RANKS:
        raise _not_understood("a card such as 'the nine'", text)
    return _RANKS[name]


def _not_understood(expected: str, found: str) -> InputError:
    return InputError(f"expected {expected}, found {found!r}")
