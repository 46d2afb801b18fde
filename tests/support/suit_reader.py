"""Reads a line of play for a single suit from its words, and plays it: the judge of what ``bridge.suit.words`` writes.

Every sentence is one trick. ``If`` and ``Otherwise`` look back at the trick just played, or at all that has been
played; the first condition that holds counts, and what is indented below it belongs to it. A paragraph's sentences are
played one after the other.

- *Finesse the nine*, *Lead low to the nine*: the lowest card is led from opposite the nine, which is then played.
- *Cash*, *Run* or *Lead the jack*, *Lead low from South*: the other hand plays its lowest.
- *but play the queen on the ten*, *but beat the king or jack* (as cheaply as one can): exceptions, by second hand's
  card. A low card is one of the defenders' lowest, below all that is not theirs or touching such.
- A card that cannot be beaten gets the lowest.
- *Play from the top*, for all that is left: the highest card of either hand is led, the other hand plays its lowest.

Where a sentence cannot be followed, or the text has ended, the line has given the layout up; it plays from the top.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from worldwise.bridge.suit.rules import EAST, FREE, NORTH, OUT, SOUTH, WEST, Suit, SuitGame, SuitMove, SuitTable
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.bridge.rules.cards import Holding, Rank
    from worldwise.bridge.suit.rules import SuitPosition

_NUMBERS = re.findall(r"\w+", "no one two three four five six seven eight nine ten eleven twelve thirteen")
_COUNTS = {name: count for count, name in enumerate(_NUMBERS)}
_RANKS = {name: rank for rank, name in enumerate([*_NUMBERS[2:11], "jack", "queen", "king", "ace"], start=2)}
_LETTERS = dict(zip("23456789TJQKA", range(2, 15), strict=True))
_SEATS = {"North": NORTH, "East": EAST, "South": SOUTH, "West": WEST}

_LOWEST = 0
_CHEAPEST = -1


# ---------------------------------------------------------------------- what the words mean


@dataclass(frozen=True)
class Instead:
    """Another card of third hand's, on some cards of second hand's (``OUT`` if that shows out)."""

    card: Rank
    on: frozenset[Rank]


@dataclass(frozen=True)
class Sentence:
    """One trick: the card led (or the lowest, from a seat or opposite third hand's card), and third hand's."""

    lead: Rank = _LOWEST
    seat: int | None = None
    third: Rank = _LOWEST
    exceptions: tuple[Instead, ...] = ()


FROM_THE_TOP = Sentence(seat=-1)


@dataclass(frozen=True)
class Fact:
    """Something that has happened: what kind of thing, to whom, with which cards, how often."""

    kind: str
    seat: int = -1
    cards: frozenset[Rank] = frozenset()
    count: int = 0


@dataclass(frozen=True)
class Paragraph:
    """Sentences, then branches: each has alternatives, of which all facts must hold; none at all is *otherwise*."""

    sentences: tuple[Sentence, ...]
    branches: tuple[tuple[tuple[tuple[Fact, ...], ...], Paragraph], ...]


# ---------------------------------------------------------------------- playing


@dataclass(frozen=True)
class ReadLine:
    """A line that has been read: it can say what to play in any position that follows it.

    >>> line = read_line(Suit.of("AQ", "32"), "Finesse the queen, but play the ace on the king. Cash the ace.")
    >>> game = SuitGame(Suit.of("AQ", "32"))
    >>> str(line.play(game.root))
    'S2'
    """

    suit: Suit
    paragraph: Paragraph
    entries: tuple[float, float] = FREE

    @cached_property
    def rules(self) -> SuitGame:
        """The game that is played."""
        return SuitGame(self.suit, None, self.entries)

    @property
    def start(self) -> Place:
        """The first word, with nothing played."""
        return Place(self, self.paragraph, 0, self.rules.root.table).settled()

    def play(self, position: SuitPosition) -> SuitMove:
        """Declarer's play: a card as the text names it, which may be any of those that touch."""
        place = self.start
        for move in position.history:
            place = place.after(move)
        return place.play()


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
        return self._third() if self.table.trick else self._lead()

    def after(self, move: SuitMove) -> Place:
        """The place after anyone's card."""
        table = self.line.rules.after(self.table, move)
        if table.trick:
            return Place(self.line, self.paragraph, self.number, table, self.last)
        number = self.number + (self.sentence != FROM_THE_TOP)
        return Place(self.line, self.paragraph, number, table, (*self.table.trick, move)).settled()

    def settled(self) -> Place:
        """The same, past all conditions."""
        if self.number < len(self.paragraph.sentences):
            return self
        for alternatives, paragraph in self.paragraph.branches:
            if not alternatives or any(all(map(self._holds, facts)) for facts in alternatives):
                return Place(self.line, paragraph, 0, self.table, self.last).settled()
        return self

    @property
    def sentence(self) -> Sentence:
        """What is played now."""
        sentences = self.paragraph.sentences
        return sentences[self.number] if self.number < len(sentences) else FROM_THE_TOP

    def _lead(self) -> SuitMove:
        sentence = self.sentence
        seat = sentence.seat
        if seat is None and sentence.lead:
            seat = _owner(self.table, sentence.lead)
        elif seat is None:
            owner = _owner(self.table, sentence.third)
            seat = None if owner is None else 2 - owner
        if seat in (NORTH, SOUTH) and _hand(self.table, seat):
            return SuitMove(seat, sentence.lead or _hand(self.table, seat)[-1])
        moves = [SuitMove(seat, card) for seat in (NORTH, SOUTH) for card in _hand(self.table, seat)]
        return max(moves, key=lambda move: move.card)

    def _third(self) -> SuitMove:
        lead, second = self.table.trick
        seat = 2 - lead.seat
        cards = _hand(self.table, seat)
        card = self._named(second.card)
        if card is None:
            card = _LOWEST if lead.card < second.card > cards[0] else self.sentence.third
        if card == _CHEAPEST:
            card = min((better for better in cards if better > second.card), default=_LOWEST)
        return SuitMove(seat, card if card in cards else cards[-1])

    def _named(self, second: Rank) -> Rank | None:
        """What an exception names for a card of second hand's."""
        for exception in self.sentence.exceptions:
            if self._is_one(second, exception.on):
                return exception.card
        return None

    def _is_one(self, card: Rank, cards: frozenset[Rank]) -> bool:
        """Whether a card, or one that touches it, is among some."""
        if card == OUT:
            return OUT in cards
        return not cards.isdisjoint(self.line.suit.classes[self.line.suit.class_of[card]])

    def _holds(self, fact: Fact) -> bool:
        table = self.table
        winner = max(self.last, key=lambda move: move.card, default=SuitMove(NORTH, OUT)).seat
        match fact.kind:
            case "out":
                return table.west_out if fact.seat == WEST else table.east_out
            case "plays":
                played = [move.card for move in self.last if move.seat == fact.seat]
                return any(card != OUT and self._is_one(card, fact.cards) for card in played)
            case "has":
                shown = table.west if fact.seat == WEST else table.east
                return shown[self.line.suit.class_of[min(fact.cards)]] >= fact.count
            case "tricks":
                return table.tricks == fact.count
            case "holds":
                return fact.cards <= frozenset(_hand(table, fact.seat))
            case "winner":
                return winner == fact.seat
        return (winner in (NORTH, SOUTH)) == (fact.kind == "won")


def _hand(table: SuitTable, seat: int) -> Holding:
    return table.north if seat == NORTH else table.south


def _owner(table: SuitTable, card: Rank) -> int | None:
    return NORTH if card in table.north else SOUTH if card in table.south else None


# ---------------------------------------------------------------------- reading


def read_line(suit: Suit, text: str, *, entries: tuple[float, float] = FREE) -> ReadLine:
    """The line that a text describes; ``InputError`` shows what cannot be understood."""
    reader = _Reader(suit)
    lines = [(len(line) - len(line.lstrip()), line.strip()) for line in text.splitlines() if line.strip()]
    paragraph, rest = reader.paragraph(lines, 0)
    if rest:
        raise _not_understood("a line of play", rest[0][1])
    return ReadLine(suit, paragraph, entries)


_Lines = list[tuple[int, str]]

_CARD = r"the (?:" + "|".join(_RANKS) + ")"
_SEAT = "(North|East|South|West)"


class _Reader:
    """Turns words into sentences and facts; the suit tells what a low card is."""

    def __init__(self, suit: Suit) -> None:
        self.low = frozenset(suit.classes[-1]) if suit.classes else frozenset()

    def paragraph(self, lines: _Lines, indent: int) -> tuple[Paragraph, _Lines]:
        """The paragraph that starts here, and the lines after it."""
        sentences: tuple[Sentence, ...] = ()
        if lines and not re.match("If |Otherwise:", lines[0][1]):
            sentences = tuple(self._sentences(lines[0][1]))
            lines = lines[1:]
        branches = []
        while lines and lines[0][0] == indent and (start := re.match(r"(?:If ([^:]*)|Otherwise):(.*)", lines[0][1])):
            conditions = tuple(map(self._facts, (start[1] or "").split(", or if "))) if start[1] else ()
            if rest := start[2].strip():
                below, lines = Paragraph(tuple(self._sentences(rest)), ()), lines[1:]
            else:
                below, lines = self.paragraph(lines[1:], indent + 2)
            branches.append((conditions, below))
        return Paragraph(sentences, tuple(branches)), lines

    def _sentences(self, text: str) -> Iterator[Sentence]:
        for sentence in re.split(r"\.\s*", text):
            if sentence and sentence != "Nothing can be done":
                yield self._sentence(sentence[0].upper() + sentence[1:])

    def _sentence(self, text: str) -> Sentence:
        start, *rest = text.split(", but ")
        exceptions = tuple(self._exception(part) for part in " and ".join(rest).split(" and ") if part)
        if start == "Play from the top":
            return FROM_THE_TOP
        if found := re.fullmatch(f"(?:Finesse|Lead low to) ({_CARD})", start):
            return Sentence(third=_card(found[1]), exceptions=exceptions)
        if found := re.fullmatch(f"Lead ({_CARD}) to ({_CARD})", start):
            return Sentence(lead=_card(found[1]), third=_card(found[2]), exceptions=exceptions)
        if found := re.fullmatch(f"Lead low from {_SEAT}(?: and duck)?", start):
            return Sentence(seat=_SEATS[found[1]], exceptions=exceptions)
        if found := re.fullmatch(f"(?:Cash|Run|Lead) ({_CARD})", start):
            return Sentence(lead=_card(found[1]), exceptions=exceptions)
        raise _not_understood("a sentence such as 'Finesse the nine'", start)

    def _exception(self, text: str) -> Instead:
        if found := re.fullmatch("beat (.*)", text):
            return Instead(_CHEAPEST, self._cards(found[1]))
        if found := re.fullmatch(f"play (low|{_CARD}) (?:on (.*?))?(?: or )?(?:if {_SEAT} shows out)?", text):
            on = self._cards(found[2]) if found[2] else frozenset()
            card = _LOWEST if found[1] == "low" else _card(found[1])
            return Instead(card, on | {OUT} if found[3] else on)
        raise _not_understood("an exception such as 'play the queen on the ten'", text)

    def _cards(self, text: str) -> frozenset[Rank]:
        names = re.split(", | or ", text.removeprefix("the "))
        return frozenset().union(*(self.low if name == "a low card" else {_card(name)} for name in names))

    def _facts(self, text: str) -> tuple[Fact, ...]:
        return tuple(map(self._fact, text.split(" and ")))

    def _fact(self, text: str) -> Fact:
        if text in ("the trick is won", "the trick is lost"):
            return Fact(text.split()[-1])
        if found := re.fullmatch("you have ([a-z]+) tricks?", text):
            return Fact("tricks", count=_COUNTS[found[1]])
        found = re.fullmatch(f"{_SEAT} (shows out|wins|plays|has played|still has) ?(.*)", text)
        if not found:
            raise _not_understood("a condition such as 'West plays the ten'", text)
        seat, cards = _SEATS[found[1]], found[3]
        if found[2] in ("shows out", "wins"):
            return Fact("out" if found[2] == "shows out" else "winner", seat)
        if found[2] == "has played":
            return Fact("has", seat, *self._counted(cards))
        return Fact("plays" if found[2] == "plays" else "holds", seat, self._cards(cards))

    def _counted(self, text: str) -> tuple[frozenset[Rank], int]:
        if found := re.fullmatch("([a-z]+) of ([2-9TJQKA]+)", text):
            return frozenset(_LETTERS[letter] for letter in found[2]), _COUNTS[found[1]]
        if found := re.fullmatch("([a-z]+) low cards", text):
            return self.low, _COUNTS[found[1]]
        return self._cards(text), 1


def _card(text: str) -> Rank:
    name = text.removeprefix("the ")
    if name not in _RANKS:
        raise _not_understood("a card such as 'the nine'", text)
    return _RANKS[name]


def _not_understood(expected: str, found: str) -> InputError:
    return InputError(f"expected {expected}, found {found!r}")
