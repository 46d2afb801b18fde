"""Patterns of auctions, as bridge players write them: ``1NT (P) 2C``, ``(1x) 2y, y > x``.

A pattern describes an auction from its first bid up to one call, the last. The calls of that player's opponents are in
brackets.

==============================  ==================================================================================
``1NT``, ``P``, ``X``, ``XX``   this call
``1M``, ``2m``                  a major, a minor; ``O`` is the other major, ``o`` the other minor
``1x``, ``2y``, ``3z``          any suits, all different
``?x``, ``?NT``                 at any level
``*``                           any call
``bid``                         any call but a pass
``...``                         any number of calls, also none; once in a pattern
==============================  ==================================================================================

After a comma conditions follow: ``y > x`` (the suit ranks higher), ``passed hand`` (the player passed before the first
bid), ``third seat`` and ``fourth seat`` (of the opening bid), and of the last bid ``jump``, ``double jump``,
``no jump``, ``raise`` (partner has bid the suit), ``own suit``, ``new suit`` (nobody has), ``their suit``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from worldwise.bridge.rules.auction import BIDS, PASS, bid_of, level_of, read_call, strain_of
from worldwise.bridge.rules.contract import Strain
from worldwise.core.reading import shorten
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from worldwise.bridge.rules.auction import Call

    Suits = dict[str, int]

SUIT_LETTERS = {"M": (0, 1), "O": (0, 1), "m": (2, 3), "o": (2, 3), "x": range(4), "y": range(4), "z": range(4)}
"""The suits a letter may stand for: spades are 0."""

MOST_WORDS = 40

_VARIABLE = re.compile(r"([1-7?])([MOmoxyz])|(\?)(NT)")
_COMPARED = re.compile(r"([MOmoxyz]) ?([<>]) ?([MOmoxyz])")


@dataclass(frozen=True)
class CallPlace:
    """A call in its auction: all calls from the first bid to it, and how many passes came before."""

    calls: tuple[Call, ...]
    passes: int = 0

    @classmethod
    def of(cls, calls: tuple[Call, ...], place: int) -> CallPlace:
        """The call at a place of an auction."""
        passes = next((number for number, call in enumerate(calls[: place + 1]) if call), place)
        return cls(calls[passes : place + 1], passes)

    @property
    def call(self) -> Call:
        """The call itself."""
        return self.calls[-1]

    @cached_property
    def jump(self) -> int:
        """How many levels higher it is than it had to be."""
        before = max((call for call in self.calls[:-1] if call in BIDS), default=PASS)
        strain = strain_of(self.call)
        lowest = next(level for level in range(1, 9) if level == 8 or bid_of(level, strain) > before)
        return level_of(self.call) - lowest

    def has_named(self, seats: int) -> bool:
        """Whether the player so many seats before this one has bid the strain already; four seats before is himself."""
        earlier = self.calls[len(self.calls) - 1 - seats :: -4] if len(self.calls) > seats else ()
        return any(call in BIDS and strain_of(call) == strain_of(self.call) for call in earlier)

    @property
    def passed_hand(self) -> bool:
        """Whether the player passed before anybody bid."""
        return (self.passes + len(self.calls) - 1) % 4 < self.passes


def _is_bid(place: CallPlace) -> bool:
    return place.call in BIDS


def _whose_suit(place: CallPlace) -> int | None:
    """Whether the player's own side named the strain first (0) or the opponents (1); None if nobody has."""
    strain, last = strain_of(place.call), len(place.calls) - 1
    named = [number for number, call in enumerate(place.calls[:-1]) if call in BIDS and strain_of(call) == strain]
    return (last - named[0]) & 1 if named else None


_CONDITIONS: dict[str, Callable[[CallPlace], bool]] = {
    "passed hand": lambda place: place.passed_hand,
    "third seat": lambda place: place.passes == 2,
    "fourth seat": lambda place: place.passes == 3,
    "jump": lambda place: _is_bid(place) and place.jump == 1,
    "double jump": lambda place: _is_bid(place) and place.jump == 2,
    "no jump": lambda place: _is_bid(place) and place.jump == 0,
    "raise": lambda place: _is_bid(place) and _whose_suit(place) == 0 and place.has_named(2),
    "own suit": lambda place: _is_bid(place) and _whose_suit(place) == 0 and place.has_named(4),
    "new suit": lambda place: _is_bid(place) and _whose_suit(place) is None,
    "their suit": lambda place: _is_bid(place) and _whose_suit(place) == 1,
}


@dataclass(frozen=True)
class _Word:
    """One call of a pattern; ``theirs`` if it is the opponents'."""

    text: str
    theirs: bool

    @cached_property
    def call(self) -> Call | None:
        """The call it names, if it names one."""
        return None if self.text in ("*", "bid") or self.variable else read_call(self.text)

    @cached_property
    def variable(self) -> tuple[str, str] | None:
        """The level and the letter of a suit, if it is written so."""
        match = _VARIABLE.fullmatch(self.text)
        return (match[1] or match[3], match[2] or match[4]) if match else None

    def bind(self, call: Call, suits: Suits) -> Suits | None:
        """The suits that letters stand for if the word is to mean this call; None if it cannot."""
        if self.variable:
            return self._bind_bid(call, suits, *self.variable)
        means = self.text == "*" or (call != PASS if self.text == "bid" else call == self.call)
        return suits if means else None

    def _bind_bid(self, call: Call, suits: Suits, level: str, letter: str) -> Suits | None:
        if call not in BIDS or level not in ("?", str(level_of(call))):
            return None
        strain = strain_of(call)
        if letter == "NT" or strain == Strain.NOTRUMP:
            return suits if letter == "NT" and strain == Strain.NOTRUMP else None
        if letter in suits:
            return suits if suits[letter] == strain else None
        free = strain in SUIT_LETTERS[letter] and int(strain) not in suits.values()
        return suits | {letter: int(strain)} if free else None


_ANY_CALLS = "..."


@dataclass(frozen=True)
class CallPattern:
    """A pattern, read; ``match`` says what its letters stand for.

    >>> pattern = CallPattern.read("1M (P) 2y, y < M")
    >>> pattern.match(CallPlace.of((0, 8, 0, 10), 3))
    {'y': 3, 'M': 0}
    """

    text: str
    words: tuple[_Word, ...]
    conditions: tuple[str, ...]

    def __str__(self) -> str:
        return self.text

    @classmethod
    def read(cls, text: str) -> CallPattern:
        """A pattern from its text."""
        auction, *conditions = (part.strip() for part in text.split(","))
        words = auction.split()
        if not 0 < len(words) <= MOST_WORDS:
            raise InputError(f"expected an auction such as '1NT (P) 2C', found {shorten(text)}")
        found = cls(text, tuple(map(_read_word, words)), tuple(conditions))
        found.check()
        return found

    def check(self) -> None:
        """Raise an error if the pattern cannot be one."""
        if self.words[-1].theirs or self.words[-1].text == _ANY_CALLS:
            raise InputError(f"expected the last call outside brackets, found {shorten(self.text)}")
        if sum(word.text == _ANY_CALLS for word in self.words) > 1:
            raise InputError(f"expected three dots once, found {shorten(self.text)}")
        for one, two in zip(self.words, self.words[1:], strict=False):
            if _ANY_CALLS not in (one.text, two.text) and one.theirs == two.theirs:
                raise InputError(f"expected the opponents' calls in brackets between ours, found {shorten(self.text)}")
        for condition in self.conditions:
            compared = _COMPARED.fullmatch(condition)
            if not (compared and {compared[1], compared[3]} <= self.letters) and condition not in _CONDITIONS:
                known = ", ".join(_CONDITIONS)
                raise InputError(f"expected a condition such as y > x, or one of {known}, found {shorten(condition)}")

    @cached_property
    def letters(self) -> set[str]:
        """The letters that stand for suits."""
        return {word.variable[1] for word in self.words if word.variable} - {"NT"}

    def match(self, place: CallPlace) -> Suits | None:
        """The suits that its letters stand for in an auction; None if it does not describe it."""
        for suits in self._bindings(place.calls, len(self.words), len(place.calls), {}):
            if self.compares(suits) and all(_CONDITIONS[one](place) for one in self.conditions if one in _CONDITIONS):
                return suits
        return None

    def compares(self, suits: Suits) -> bool:
        """Whether the suits rank as the pattern wants them."""
        return all(_ranks(match, suits) for match in map(_COMPARED.fullmatch, self.conditions) if match)

    def _bindings(self, calls: tuple[Call, ...], words: int, left: int, suits: Suits) -> Iterator[Suits]:
        """All ways to read the first so many calls as the first so many words, the last of each first."""
        if not words:
            yield from [suits] if not left else []
            return
        word = self.words[words - 1]
        if word.text == _ANY_CALLS:
            for fewer in range(left, -1, -1) if words > 1 else [0]:
                yield from self._bindings(calls, words - 1, fewer, suits)
        elif left and word.theirs == bool((len(calls) - left) & 1):
            bound = word.bind(calls[left - 1], suits)
            if bound is not None:
                yield from self._bindings(calls, words - 1, left - 1, bound)


def _read_word(text: str) -> _Word:
    theirs = text.startswith("(") and text.endswith(")")
    word = _Word(text[1:-1] if theirs else text, theirs)
    if word.text != _ANY_CALLS and not word.variable and word.text not in ("*", "bid"):
        read_call(word.text)
    return word


def _ranks(compared: re.Match[str], suits: Suits) -> bool:
    one, two = suits[compared[1]], suits[compared[3]]
    return one < two if compared[2] == ">" else one > two  # spades, the highest suit, are 0
