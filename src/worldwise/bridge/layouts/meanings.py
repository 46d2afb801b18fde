"""What a call says about the hand behind it: points, lengths, shape; perhaps one of several hand types; and how sure.

A meaning is a soft belief. A hand inside it weighs 1. Outside, every *step* costs: a step is a point, half a card of
length, half an ace. Nobody is fenced in, because people upgrade, downgrade and misbid; how much a step costs depends on
how sure the meaning is (``Sureness``), and there is a floor below which no hand falls.

The words are those of a convention card, and the same wherever they are read or printed::

    15-17, balanced                     points and a shape
    11-21, 5+ hearts, 0-4 spades        points and lengths
    8+; 4+ hearts or 4+ spades          what stands between semicolons must all be true
    0-12; not 6-10, 6+ spades           a type that would have bid something else
    1 ace or 4 aces                     also kings
    7+ longest                          in a suit that is not told
    anything
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, cached_property, lru_cache, reduce
from itertools import product
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from worldwise.bridge.layouts.constraints import HandRange, Interval, read_constraint
from worldwise.bridge.layouts.expressions import SUIT_NAMES
from worldwise.bridge.rules.deal import SUIT_CARDS, Deal, card_of, set_of
from worldwise.core.reading import shorten
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from worldwise.bridge.layouts.constraints import Constraint
    from worldwise.bridge.rules.deal import Seat

    Numbers = NDArray[np.int64]

ALL_POINTS: Interval = (0, 37)
ANY_LENGTH: Interval = (0, 13)
ANY_NUMBER: Interval = (0, 4)

STEPS_A_CARD = 2
"""How many steps a card too many or too few is, an ace or a king, and a shape or a type that does not fit."""

MOST_TYPES = 64
"""A meaning of more hand types than this, or one that excludes more, is refused."""


class Sureness(StrEnum):
    """How sure a meaning is."""

    SURE = "sure"
    LIKELY = "likely"
    VAGUE = "vague"

    @property
    def step(self) -> float:
        """What a hand one step outside weighs; two steps weigh the square of it, and so on."""
        return _SOFTNESS[self][0]

    @property
    def floor(self) -> float:
        """What a hand weighs at least."""
        return _SOFTNESS[self][1]


_SOFTNESS = {Sureness.SURE: (0.3, 0.03), Sureness.LIKELY: (0.6, 0.08), Sureness.VAGUE: (0.7, 0.2)}


class HandFeatures(NamedTuple):
    """What meanings ask about hands, one number for each hand: lengths come by suit, spades first."""

    points: Numbers
    lengths: Numbers
    aces: Numbers
    kings: Numbers

    @classmethod
    def of(cls, hands: Iterable[int]) -> HandFeatures:
        """Those of some hands as dealt."""
        cards = np.array(list(hands), np.int64)
        aces, kings, queens, jacks = (_count(cards, honours) for honours in _HONOURS)
        lengths = np.array([_count(cards, suit) for suit in SUIT_CARDS])
        return cls(4 * aces + 3 * kings + 2 * queens + jacks, lengths, aces, kings)

    @property
    def balanced(self) -> NDArray[np.bool_]:
        """4-3-3-3, 4-4-3-2 or 5-3-3-2."""
        found: NDArray[np.bool_] = (self.lengths.min(0) > 1) & ((self.lengths == 2).sum(0) < 2)
        found &= self.lengths.max(0) < 6
        return found


_HONOURS = tuple(set_of(card_of(suit, rank) for suit in range(4)) for rank in (14, 13, 12, 11))


def _count(cards: Numbers, among: int) -> Numbers:
    found: Numbers = np.bitwise_count(cards & among).astype(np.int64)
    return found


def _distance_to(values: Numbers, interval: Interval) -> Numbers:
    """By how much values miss an interval."""
    least, most = interval
    found: Numbers = np.maximum(0, np.maximum(least - values, values - most))
    return found


@dataclass(frozen=True)
class HandType:
    """One type of hand: intervals of points, of the four lengths, of aces and kings; perhaps balanced, or just not.

    >>> HandType(points=(11, 21)).with_length(1, (5, 13))
    11-21, 5+ hearts
    """

    points: Interval = ALL_POINTS
    lengths: tuple[Interval, Interval, Interval, Interval] = (ANY_LENGTH,) * 4
    balanced: bool | None = None
    longest: Interval = ANY_LENGTH
    aces: Interval = ANY_NUMBER
    kings: Interval = ANY_NUMBER

    def with_length(self, suit: int, interval: Interval) -> HandType:
        """The same with a length, which must also be what it was before."""
        lengths = list(self.lengths)
        lengths[suit] = _intersect(lengths[suit], interval)
        spades, hearts, diamonds, clubs = lengths
        return replace(self, lengths=(spades, hearts, diamonds, clubs))

    def steps(self, hands: HandFeatures) -> Numbers:
        """How many steps hands are outside."""
        cards = sum(_distance_to(hands.lengths[suit], interval) for suit, interval in enumerate(self.lengths))
        cards = cards + _distance_to(hands.lengths.max(0), self.longest)
        cards = cards + _distance_to(hands.aces, self.aces) + _distance_to(hands.kings, self.kings)
        if self.balanced is not None:
            cards = cards + (hands.balanced != self.balanced)
        return _distance_to(hands.points, self.points) + STEPS_A_CARD * cards

    def __and__(self, other: HandType) -> HandType:
        """Hands of both types; ``possible`` says whether there are any."""
        one, two, three, four = (_intersect(a, b) for a, b in zip(self.lengths, other.lengths, strict=True))
        same = self.balanced if other.balanced in (None, self.balanced) else other.balanced
        odd = None not in (self.balanced, other.balanced) and self.balanced != other.balanced
        return HandType(
            _intersect(self.points, other.points) if not odd else (1, 0),
            (one, two, three, four),
            same,
            _intersect(self.longest, other.longest),
            _intersect(self.aces, other.aces),
            _intersect(self.kings, other.kings),
        )

    def widen(self, slack: int) -> HandType:
        """The type with so many points more at both ends, half as many cards, and nothing about aces and kings."""
        spades, hearts, diamonds, clubs = (_widen(length, slack // 2, ANY_LENGTH) for length in self.lengths)
        balanced = self.balanced or None if not slack else None
        return HandType(_widen(self.points, slack, ALL_POINTS), (spades, hearts, diamonds, clubs), balanced)

    def constraints(self, seat: Seat) -> Iterator[Constraint]:
        """Points, lengths and a balanced shape as a sampler takes them."""
        yield HandRange(seat, self.points, *self.lengths)
        if self.balanced:
            yield read_constraint(f"shape({seat.letter}, any 4333 + any 4432 + any 5332)")

    @property
    def possible(self) -> bool:
        """Whether a hand of 13 cards can be of this type."""
        least, most = (sum(interval[end] for interval in self.lengths) for end in (0, 1))
        return least <= 13 <= most and all(a <= b for a, b in (self.points, *self.lengths, self.aces, self.kings))

    @property
    def terms(self) -> Iterator[str]:
        """What it says, in words."""
        yield from _interval_words(self.points, ALL_POINTS[1])
        for suit, interval in sorted(enumerate(self.lengths), key=lambda length: -length[1][0]):
            yield from (f"{term} {SUIT_NAMES[suit]}" for term in _interval_words(interval, ANY_LENGTH[1]))
        yield from (f"{term} longest" for term in _interval_words(self.longest, ANY_LENGTH[1]))
        if self.balanced is not None:
            yield "balanced" if self.balanced else "unbalanced"
        for name in ("aces", "kings"):
            interval = getattr(self, name)
            yield from (f"{term} {name[: -1 if interval == (1, 1) else None]}" for term in _interval_words(interval, 4))

    def __str__(self) -> str:
        return ", ".join(self.terms) or "anything"

    __repr__ = __str__


ANY_HAND = HandType()


def _widen(interval: Interval, by: int, bounds: Interval) -> Interval:
    return max(bounds[0], interval[0] - by), min(bounds[1], interval[1] + by)


def _intersect(one: Interval, two: Interval) -> Interval:
    return max(one[0], two[0]), min(one[1], two[1])


def _interval_words(interval: Interval, highest: int) -> Iterator[str]:
    """An interval in words, if it says anything."""
    least, most = interval
    if least == most:
        yield str(least)
    elif most >= highest and least > 0:
        yield f"{least}+"
    elif most < highest:
        yield f"{least}-{most}"


def hull_of(types: Iterable[HandType]) -> HandType:
    """The narrowest single type that all hands of some types belong to."""
    return reduce(_around, types)


def _around(one: HandType, two: HandType) -> HandType:
    spades, hearts, diamonds, clubs = (_widest(a, b) for a, b in zip(one.lengths, two.lengths, strict=True))
    return HandType(
        _widest(one.points, two.points),
        (spades, hearts, diamonds, clubs),
        one.balanced if one.balanced == two.balanced else None,
        _widest(one.longest, two.longest),
        _widest(one.aces, two.aces),
        _widest(one.kings, two.kings),
    )


def _widest(one: Interval, two: Interval) -> Interval:
    return min(one[0], two[0]), max(one[1], two[1])


@dataclass(frozen=True)
class Description:
    """Hand types, of which a hand is one, and types it is not.

    >>> str(read_description("8+; 4+ hearts or 4+ spades; not 15-17, balanced"))
    '8+, 4+ hearts or 8+, 4+ spades'
    """

    types: tuple[HandType, ...] = (ANY_HAND,)
    excluded: tuple[HandType, ...] = ()

    def steps(self, hands: HandFeatures) -> Numbers:
        """How many steps hands are outside: of the nearest type, and at least those of a type that is excluded."""
        found = reduce(np.minimum, (one.steps(hands) for one in self.types))
        for other in self.excluded:
            found = np.where(other.steps(hands) == 0, np.maximum(found, STEPS_A_CARD), found)
        return found

    def weights(self, hands: HandFeatures, sure: Sureness) -> NDArray[np.float64]:
        """What hands weigh: 1 inside, less for every step outside, never below the floor."""
        found: NDArray[np.float64] = np.maximum(sure.floor, sure.step ** self.steps(hands))
        return found

    def __and__(self, other: Description) -> Description:
        """Both; without a type if they contradict each other."""
        types = [one & two for one, two in product(self.types, other.types)]
        kept = tuple(dict.fromkeys(one for one in types if one.possible))
        return Description(kept[:MOST_TYPES], self.excluded + other.excluded)

    @cached_property
    def hull(self) -> HandType:
        """The narrowest single type around all of them."""
        return hull_of(self.types)

    @property
    def says_something(self) -> bool:
        """Whether not every hand fits."""
        return ANY_HAND not in self.types or bool(self.excluded)

    def __str__(self) -> str:
        few = len(self.types) <= 3
        return " or ".join(map(str, self.types)) if few else str(self.hull)


ANYTHING = Description()


RANDOM_HANDS = 4000
"""So many random hands stand for all."""


@lru_cache(maxsize=4096)
def share_outside(description: Description) -> float:
    """The share of random hands that do not fit.

    >>> round(share_outside(read_description("15-17, balanced")), 2)
    0.96
    """
    return float((description.steps(_random_hands()) > 0).mean())


@cache
def _random_hands() -> HandFeatures:
    rng = Random(1)
    return HandFeatures.of(hand for _ in range(RANDOM_HANDS // 4) for hand in Deal.random(rng).hands)


# ---------------------------------------------------------------------- words

_RANGE = re.compile(r"([0-9]{1,2})(?:\s?(\+|-|=)\s?([0-9]{1,2})?)?")
_SUIT_WORDS = {
    word: suit
    for suit, (name, sign) in enumerate(zip(SUIT_NAMES, "♠♥♦♣", strict=True))
    for word in (name, name[:-1], name[0].upper(), f"!{name[0].upper()}", sign)
}
_SHAPES = {"balanced": True, "unbalanced": False}


def read_description(text: str, suits: Mapping[str, int] | None = None) -> Description:
    """What words say; ``suits`` are the suits that letters stand for.

    >>> read_description("11-21, 5+ M", {"M": 1}).types
    (11-21, 5+ hearts,)
    >>> read_description("15-17, balance")
    Traceback (most recent call last):
    worldwise.errors.InputError: expected points, a length such as 5+ hearts, or balanced, found 'balance'
    """
    found = ANYTHING
    for part in text.split(";"):
        words = part.strip()
        refused = words.startswith("not ")
        types = tuple(_read_type(one, suits or {}) for one in words.removeprefix("not ").split(" or "))
        if (len(types) + len(found.excluded) if refused else len(types) * len(found.types)) > MOST_TYPES:
            raise InputError(f"expected at most {MOST_TYPES} types of hand, found more in {shorten(text)}")
        found &= Description(excluded=types) if refused else Description(types)
    if not found.types:
        raise InputError(f"expected words that some hand fits, found {shorten(text)}")
    return found


def _read_type(text: str, suits: Mapping[str, int]) -> HandType:
    return reduce(lambda found, term: found & _read_term(term.strip(), suits), text.split(","), ANY_HAND)


def _read_term(term: str, suits: Mapping[str, int]) -> HandType:
    if term in _SHAPES:
        return HandType(balanced=_SHAPES[term])
    if term == "anything":
        return ANY_HAND
    match = _RANGE.match(term)
    found = match and _about(term[match.end() :].strip(), match, suits)
    if not found:
        raise InputError(f"expected points, a length such as 5+ hearts, or balanced, found {shorten(term)}")
    return found


def _about(noun: str, match: re.Match[str], suits: Mapping[str, int]) -> HandType | None:
    """A range of what the noun names; None if that is nothing."""
    suit = suits.get(noun, _SUIT_WORDS.get(noun))
    if suit is not None:
        return ANY_HAND.with_length(suit, _interval(match, ANY_LENGTH))
    if noun in ("", "points", "hcp", "HCP"):
        return HandType(points=_interval(match, ALL_POINTS))
    if noun == "longest":
        return HandType(longest=_interval(match, ANY_LENGTH))
    if noun in ("ace", "aces"):
        return HandType(aces=_interval(match, ANY_NUMBER))
    return HandType(kings=_interval(match, ANY_NUMBER)) if noun in ("king", "kings") else None


def _interval(match: re.Match[str], all_of_them: Interval) -> Interval:
    """``5``, ``5+``, ``5-7``, ``5-`` and ``5=``."""
    first, sign, last = int(match[1]), match[2], match[3]
    if last:
        least, most = first, int(last)
    else:
        least, most = 0 if sign == "-" else first, all_of_them[1] if sign == "+" else first
    if least > most or least > all_of_them[1]:
        raise InputError(f"expected the least first, and at most {all_of_them[1]}, found {match[0]!r}")
    return least, min(most, all_of_them[1])


# ---------------------------------------------------------------------- what players explain

_EXPLAINED_LENGTH = re.compile(
    r"(?<![\w-])([0-9]{1,2})\s?(\+|-|=)?\s?([0-9]{1,2})?\s{0,2}(![SHDC]|[♠♥♦♣]|[SHDC]\b|(?i:spade|heart|diamond|club)s?\b)"
)
_EXPLAINED_POINTS = re.compile(
    r"(?<![\w-])([0-9]{1,2})\s?(\+|-)?\s?([0-9]{1,2})?\s{0,2}(?:(?i:hcp\b|points?\b|pts?\b))"
)
_EXPLAINED_SHAPE = re.compile(r"(?i)\b(un)?bal(?:anced)?\b")
MOST_EXPLAINED = 500
"""So many characters of an explanation are read."""


def read_explanation(text: str) -> Description:
    """What an explanation of a call tells of points and lengths; whatever else it says is left alone.

    >>> read_explanation("NT style -- 2-6!C; 2-6!D; 2-5!H; 2-5!S; 15-17 HCP").types
    (15-17, 2-5 spades, 2-5 hearts, 2-6 diamonds, 2-6 clubs,)
    >>> read_explanation("multi").says_something
    False
    """
    try:
        found = reduce(lambda one, two: one & two, _explained_types(text[:MOST_EXPLAINED]), ANY_HAND)
    except InputError:  # a range that runs backwards
        return ANYTHING
    return Description((found,)) if found.possible else ANYTHING


def _explained_types(text: str) -> Iterator[HandType]:
    for match in _EXPLAINED_LENGTH.finditer(text):
        yield ANY_HAND.with_length(_SUIT_WORDS[_suit_word(match[4])], _interval(match, ANY_LENGTH))
    for match in _EXPLAINED_POINTS.finditer(text):
        yield HandType(points=_interval(match, ALL_POINTS))
    shape = _EXPLAINED_SHAPE.search(text)
    if shape:
        yield HandType(balanced=not shape[1])


def _suit_word(word: str) -> str:
    return word if len(word) < 3 else word.lower()
