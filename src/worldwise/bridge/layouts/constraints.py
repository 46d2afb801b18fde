"""What is known about the hidden hands: from the auction, from the opening lead, from anywhere.

The language is that of the programs ``dealer`` and ``deal``: ``hcp(west) >= 12 && spades(west) >= 5``. Seats, suits and
functions may be written in any case, seats and suits as letters. Everything is about the hand *as dealt*, the cards
played since included.

=====================================  ================================================================
``spades(west)``, ``hearts`` ...       the length of a suit
``hcp(west)``, ``hcp(west, spades)``   points of a hand, of a suit: A 4, K 3, Q 2, J 1
``controls`` ``losers`` ``c13``        A 2, K 1; losing tricks; A 6, K 4, Q 2, J 1
``aces`` ``kings`` ... ``tens``        how many of them; ``top2`` to ``top5`` count the highest so many
``hascard(east, AS)``                  1 if the hand has the card
``shape(north, any 4333 + 5xxx)``      whether the shape is among those added (+) and not taken away again (-)
``+ - *``                              numbers
``< <= > >= == !=``                    comparisons, also in a row: ``12 <= hcp(west) <= 14``
``! && ||`` or ``not and or``          ``!`` binds less than comparisons, more than ``&&``
=====================================  ================================================================

>>> from worldwise.bridge.rules.deal import Deal
>>> opening = read_constraint("12 <= hcp(w) <= 14 and shape(west, any 4333 + any 4432 + any 5332 - 5xxx - x5xx)")
>>> opening(Deal.read("W:AK32.K32.Q32.432 - - -"))
True
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, NoReturn

from worldwise.bridge.layouts.expressions import (
    MEASURES,
    SUIT_NAMES,
    Count,
    Expression,
    Feature,
    Number,
    Operation,
    Pattern,
    Shape,
    card_held,
    feature_of,
    length_of,
)
from worldwise.bridge.layouts.leads import LeadConvention
from worldwise.bridge.rules.deal import Deal, Seat, read_card
from worldwise.errors import InputError, PlacedError

if TYPE_CHECKING:
    from collections.abc import Iterator

Interval = tuple[int, int]
"""The least and the most."""

Predicate = Callable[[Deal], bool]

FUNCTIONS = (*SUIT_NAMES, *MEASURES, "hascard", "shape")
"""All functions of the language."""

_WORD = re.compile(r"(?:\s++|#.*+)*+(\w++|[♠♥♦♣]|&&|\|\||[<>=!]=|.|$)")
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_SAME = {"and": "&&", "or": "||", "not": "!", "=": "=="}
_DEEPEST = 50
_MOST_COPIED = 10_000
"""Words between two comparisons, which count twice: in brackets inside brackets they would double again and again."""


@dataclass(frozen=True)
class HandRange:
    """Points and lengths of one hand as dealt, each from the least to the most.

    >>> str(HandRange(Seat.WEST, hcp=(12, 14), spades=(5, 13)).expression)
    'hcp(West) >= 12 && hcp(West) <= 14 && spades(West) >= 5'
    """

    seat: Seat
    hcp: Interval = (0, 37)
    spades: Interval = (0, 13)
    hearts: Interval = (0, 13)
    diamonds: Interval = (0, 13)
    clubs: Interval = (0, 13)

    def __post_init__(self) -> None:
        for name in ("hcp", *SUIT_NAMES):
            least, most = getattr(self, name)
            if least > most:
                raise InputError(f"expected the least first in {self.seat}'s {name}, found {least} to {most}")

    @property
    def expression(self) -> Expression:
        """The same in words of the language."""
        points = _within(feature_of("hcp", self.seat), self.hcp, 37)
        lengths = [_within(length_of(self.seat, suit), getattr(self, name), 13) for suit, name in enumerate(SUIT_NAMES)]
        parts = [part for parts in (points, *lengths) for part in parts]
        return _several("&&", parts) if parts else Number(1)


def _within(feature: Feature, interval: Interval, highest: int) -> list[Expression]:
    """The bounds of a feature that say something."""
    least, most = interval
    bounds = [(">=", least)] * (least > 0) + [("<=", most)] * (most < highest)
    return [Operation(symbol, (Count(feature), Number(bound))) for symbol, bound in bounds]


Constraint = str | Expression | HandRange | LeadConvention | Predicate
"""All that a sampler takes: text, what text means, ranges, a convention for the opening lead, or any test of a deal."""


def read_constraint(text: str) -> Expression:
    """What a text says; the whole of it is one expression.

    >>> read_constraint("hcp(wst) > 3")
    Traceback (most recent call last):
    worldwise.errors.PlacedError: column 5: expected a seat (N, E, S or W), found 'wst' in 'hcp(wst) > 3'
    """
    return _Reader(text).whole()


class _Reader:
    """Reads a text from left to right, a method for each level of the grammar."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = [(match[1].lower(), match.start(1)) for match in _WORD.finditer(text)]
        self.place = 0
        self.depth = 0
        self.copied = 0

    # ------------------------------------------------------------------ words

    @property
    def word(self) -> str:
        """The next word; the end of the text is empty."""
        word = self.words[self.place][0]
        return _SAME.get(word, word)

    def take_any(self, *wanted: str) -> bool:
        """Take the next word, if it is one of these."""
        found = self.word in wanted
        self.place += found
        return found

    def take(self) -> str:
        """Take the next word."""
        self.place += 1
        return self.words[self.place - 1][0]

    def need(self, word: str, also: str = "") -> None:
        """Take this word, and complain about any other."""
        if not self.take_any(word):
            self.complain(f"{word!r}{also}")

    def complain(self, expected: str) -> NoReturn:
        """Say what was expected instead of the next word."""
        start = self.words[self.place][1]
        stop = self.words[self.place + 1][1] if self.word else start
        found = repr(self.text[start:stop].split()[0]) if self.word else "the end"
        raise PlacedError(f"expected {expected}, found {found} in {self.text!r}", place_in(self.text, start))

    # ------------------------------------------------------------------ grammar

    def whole(self) -> Expression:
        """Everything."""
        expression = self.either()
        if self.word:
            self.complain("an operator such as && or >=, or the end")
        return expression

    def either(self) -> Expression:
        """Parts with ``||`` between."""
        return _several("||", [self.both(), *self.more("||", self.both)])

    def both(self) -> Expression:
        """Parts with ``&&`` between."""
        return _several("&&", [self.negation(), *self.more("&&", self.negation)])

    def more(self, symbol: str, part: Callable[[], Expression]) -> Iterator[Expression]:
        """Parts, as long as the operator follows."""
        while self.take_any(symbol):
            yield part()

    def negation(self) -> Expression:
        """A comparison, perhaps after ``!``."""
        turns = sum(1 for _ in iter(lambda: self.take_any("!"), False))
        part = self.comparison()
        for _ in range(turns and 2 - turns % 2):
            part = Operation("!", (part,))
        return part

    def comparison(self) -> Expression:
        """A sum, or several with comparisons between: each must hold."""
        left, size = self.sum(), 0
        found: list[Expression] = []
        while self.word in _COMPARISONS:
            self.copy(size)
            symbol = self.word
            self.place += 1
            before = self.place + self.copied
            right = self.sum()
            size = self.place + self.copied - before
            found.append(Operation(symbol, (left, right)))
            left = right
        return _several("&&", found) if found else left

    def copy(self, size: int) -> None:
        """Use a part of so many words a second time, within bounds."""
        self.copied += size
        if self.copied > _MOST_COPIED:
            self.complain("fewer comparisons in a row, or in each other's brackets")

    def sum(self) -> Expression:
        """Products with ``+`` or ``-`` between."""
        parts = [self.product()]
        while self.word in ("+", "-"):
            sign = self.take()
            part = self.product()
            parts.append(Operation("neg", (part,)) if sign == "-" else part)
        return _several("+", parts)

    def product(self) -> Expression:
        """Single things with ``*`` between."""
        return _several("*", [self.single(), *self.more("*", self.single)])

    def single(self) -> Expression:
        """A number, a function, a negative, or something in brackets."""
        if self.take_any("-"):
            return self.nest(lambda: Operation("neg", (self.single(),)))
        if self.take_any("("):
            inner = self.nest(self.either)
            self.need(")", " or an operator")
            return inner
        if self.word.isascii() and self.word.isdigit() and len(self.word) < 5:
            return Number(int(self.take()))
        return self.function()

    def nest(self, part: Callable[[], Expression]) -> Expression:
        """Something one level deeper, within bounds."""
        self.depth += 1
        if self.depth > _DEEPEST:
            self.complain(f"at most {_DEEPEST} brackets in each other")
        found = part()
        self.depth -= 1
        return found

    def function(self) -> Expression:
        """A function of a hand."""
        name = self.word if self.word in FUNCTIONS else f"{self.word}s"
        if name not in FUNCTIONS:
            self.complain(f"a number, '(' or one of {', '.join(FUNCTIONS)}")
        self.place += 1
        self.need("(")
        seat = self.seat()
        expression = self.about(name, seat)
        self.need(")")
        return expression

    def about(self, name: str, seat: Seat) -> Expression:
        """The rest of a function, after the seat."""
        if name == "shape":
            self.need(",")
            return self.shape(seat)
        if name == "hascard":
            self.need(",")
            return Count(card_held(seat, self.card()))
        if name in SUIT_NAMES:
            return Count(length_of(seat, SUIT_NAMES.index(name)))
        return Count(feature_of(name, seat, self.suit() if self.take_any(",") else None))

    def seat(self) -> Seat:
        """A seat's letter or name."""
        found = [seat for seat in Seat if self.word in (seat.name.lower(), seat.letter.lower())]
        if not found:
            self.complain("a seat (N, E, S or W)")
        self.place += 1
        return found[0]

    def suit(self) -> int:
        """A suit's letter, symbol or name."""
        names = [(name, name[:-1], name[0], symbol) for name, symbol in zip(SUIT_NAMES, "♠♥♦♣", strict=True)]
        found = [suit for suit, known in enumerate(names) if self.word in known]
        if not found:
            self.complain("a suit (spades, hearts, diamonds or clubs)")
        self.place += 1
        return found[0]

    def card(self) -> int:
        """A card."""
        try:
            card = read_card(self.word)
        except InputError:
            self.complain("a card such as AS")
        self.place += 1
        return card

    def shape(self, seat: Seat) -> Expression:
        """Patterns, each after a sign, the first perhaps without."""
        patterns: list[Pattern] = []
        texts: list[str] = []
        while not patterns or self.word in ("+", "-"):
            sign = self.take() if self.word in ("+", "-") else "+"
            some, text = self.patterns()
            patterns += [(sign == "+", pattern) for pattern in some]
            texts += [sign, text]
        return Shape(seat, tuple(patterns), " ".join(texts).removeprefix("+ "))

    def patterns(self) -> tuple[list[tuple[int | None, ...]], str]:
        """The lengths of one pattern, in all orders if ``any`` stands there; and its text."""
        orders = self.take_any("any")
        word = self.word
        if not re.fullmatch(r"[0-9x]{4}", word):
            self.complain("a shape such as 4432, 5xxx or any 4333")
        lengths = tuple(None if letter == "x" else int(letter) for letter in word)
        total = sum(length or 0 for length in lengths)
        if total > 13 or (total < 13 and None not in lengths):
            self.complain("lengths that make 13 cards")
        self.place += 1
        every = sorted(set(permutations(word))) if orders else [tuple(word)]
        return [tuple(None if letter == "x" else int(letter) for letter in order) for order in every], (
            f"any {word}" if orders else word
        )


def _several(symbol: str, parts: list[Expression]) -> Expression:
    """An operator, where there is more than one part."""
    return Operation(symbol, tuple(parts)) if len(parts) > 1 else parts[0]


def place_in(text: str, place: int) -> str:
    """Where something stands in a text, counted from 1.

    >>> place_in("ab", 1), place_in("a" + chr(10) + "bc", 3)
    ('column 2', 'line 2, column 2')
    """
    line, column = text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
    return f"line {line}, column {column}" if "\n" in text else f"column {column}"
