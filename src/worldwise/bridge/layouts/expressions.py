"""What can be said about a deal: counts in its hands, and expressions of them.

Everything here is a sum over suits: a *measure* looks at one suit of one hand (its length, its points, whether it has
the ace), a *feature* adds a measure up over the suits it speaks of. That is what lets a sampler deal suit by suit and
count, instead of dealing at random and throwing away. An expression is evaluated with a ``look`` that tells what each
feature is worth: a number for one deal, or an array for many at once.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from worldwise.bridge.rules.deal import Card, Cards, Deal, Seat, card_name, suit_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Look = Callable[["Feature"], Any]

HOLDINGS = 1 << 13
"""How many holdings a suit can be: their bits are the ranks from 2."""


def holding_bits(cards: Cards, suit: int) -> int:
    """One suit of a hand as the place of its holding in a measure's table."""
    return cards >> 16 * suit + 2 & HOLDINGS - 1


class Measure(Protocol):
    """Something that is counted in one suit of one hand."""

    def __hash__(self) -> int: ...

    @property
    def table(self) -> NDArray[np.int64]:
        """What each of the 8192 holdings counts."""


@dataclass(frozen=True)
class Worth:
    """So much for each card, from the ace down; ranks that are not named are worth nothing.

    >>> int(Worth((4, 3, 2, 1)).table[0b1010000000001])
    6
    """

    ranks: tuple[int, ...]

    @property
    def table(self) -> NDArray[np.int64]:
        """The sum over the holding's cards."""
        return _worth(self.ranks)


@dataclass(frozen=True)
class Losers:
    """Losing tricks: the ace, king and queen that are missing, of as many as the suit is long."""

    @property
    def table(self) -> NDArray[np.int64]:
        """At most three, and at most the length."""
        length, ace, king, queen = (_worth(ranks) for ranks in ((1,) * 13, (1,), (0, 1), (0, 0, 1)))
        return np.minimum(length, 3) - ace - (length > 1) * king - (length > 2) * queen


@lru_cache(maxsize=64)
def _worth(ranks: tuple[int, ...]) -> NDArray[np.int64]:
    table = np.zeros(1, np.int64)
    for worth in reversed(ranks + (0,) * (13 - len(ranks))):
        table = np.concatenate([table, table + worth])
    return table


LENGTH = Worth((1,) * 13)
POINTS = Worth((4, 3, 2, 1))
MEASURES: dict[str, Measure] = {
    "hcp": POINTS,
    "controls": Worth((2, 1)),
    "losers": Losers(),
    "aces": Worth((1,)),
    "kings": Worth((0, 1)),
    "queens": Worth((0, 0, 1)),
    "jacks": Worth((0, 0, 0, 1)),
    "tens": Worth((0, 0, 0, 0, 1)),
    "top2": Worth((1,) * 2),
    "top3": Worth((1,) * 3),
    "top4": Worth((1,) * 4),
    "top5": Worth((1,) * 5),
    "c13": Worth((6, 4, 2, 1)),
}
"""What the functions of a hand, or of one suit of a hand, count: the names are dealer's."""

SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")


@dataclass(frozen=True)
class Feature:
    """A measure of one hand as dealt, added up over some suits.

    >>> from worldwise.bridge.rules.deal import Deal
    >>> Feature("hcp(West)", POINTS, Seat.WEST, (0, 1, 2, 3)).of(Deal.read("W:AK.Q.. - - -"))
    9
    """

    name: str
    measure: Measure
    seat: Seat
    suits: tuple[int, ...]

    def of(self, deal: Deal) -> int:
        """Its value in a deal."""
        table = self.measure.table
        return sum(int(table[holding_bits(deal[self.seat], suit)]) for suit in self.suits)


def length_of(seat: Seat, suit: int) -> Feature:
    """How many cards of a suit a hand was dealt."""
    return Feature(f"{SUIT_NAMES[suit]}({seat})", LENGTH, seat, (suit,))


def feature_of(name: str, seat: Seat, suit: int | None = None) -> Feature:
    """One of ``MEASURES``, of a hand or of one suit of it."""
    if suit is None:
        return Feature(f"{name}({seat})", MEASURES[name], seat, (0, 1, 2, 3))
    return Feature(f"{name}({seat}, {SUIT_NAMES[suit]})", MEASURES[name], seat, (suit,))


def card_held(seat: Seat, card: Card) -> Feature:
    """1 if a hand was dealt a card, otherwise 0."""
    ranks = tuple(int(rank == card & 15) for rank in range(14, 1, -1))
    return Feature(f"hascard({seat}, {card_name(card)})", Worth(ranks), seat, (suit_of(card),))


class Expression:
    """A number or a truth about a deal. Not zero is true."""

    @property
    def features(self) -> frozenset[Feature]:
        """All it asks about the deal."""
        raise NotImplementedError

    def value(self, look: Look) -> Any:
        """Its value, or an array of them, if ``look`` tells what the features are."""
        raise NotImplementedError

    @property
    def conjuncts(self) -> tuple[Expression, ...]:
        """What must all be true for this to be true."""
        return (self,)

    def __call__(self, deal: Deal) -> bool:
        """Whether it is true of a deal."""
        return bool(self.value(lambda feature: feature.of(deal)))


@dataclass(frozen=True)
class Number(Expression):
    """A number that stands there."""

    number: int

    @property
    def features(self) -> frozenset[Feature]:
        """None."""
        return frozenset()

    def value(self, look: Look) -> Any:  # noqa: ARG002
        """The number."""
        return self.number

    def __str__(self) -> str:
        return str(self.number)


@dataclass(frozen=True)
class Count(Expression):
    """The value of a feature."""

    feature: Feature

    @property
    def features(self) -> frozenset[Feature]:
        """The one."""
        return frozenset([self.feature])

    def value(self, look: Look) -> Any:
        """What it counts."""
        return look(self.feature)

    def __str__(self) -> str:
        return self.feature.name


Pattern = tuple[bool, tuple[int | None, ...]]
"""Whether the shapes are added or taken away, and the lengths of the four suits, None being any."""


@dataclass(frozen=True)
class Shape(Expression):
    """Whether a hand's lengths fit patterns, added and taken away in order; ``text`` is how they were written.

    >>> shape = Shape(Seat.NORTH, ((True, (None, None, None, 4)), (False, (4, None, None, None))), "xxx4 - 4xxx")
    >>> str(shape), shape(Deal.read("N:32.5432.432.5432 - - -")), shape(Deal.read("N:5432.5432.2.5432 - - -"))
    ('shape(North, xxx4 - 4xxx)', True, False)
    """

    seat: Seat
    patterns: tuple[Pattern, ...]
    text: str

    @property
    def lengths(self) -> tuple[Feature, ...]:
        """The features that make a shape."""
        return tuple(length_of(self.seat, suit) for suit in range(4))

    @property
    def features(self) -> frozenset[Feature]:
        """The four lengths."""
        return frozenset(self.lengths)

    @cached_property
    def _fits(self) -> NDArray[np.bool_]:
        """For each four lengths whether they fit."""
        fits = np.zeros((14,) * 4, bool)
        for added, pattern in self.patterns:
            fits[tuple(slice(None) if length is None else length for length in pattern)] = added
        return fits

    def value(self, look: Look) -> Any:
        """Whether the lengths fit."""
        return self._fits[tuple(look(length) for length in self.lengths)]

    def __str__(self) -> str:
        return f"shape({self.seat}, {self.text})"


BINDING = {"||": 1, "&&": 2, "!": 3, "<": 4, "<=": 4, ">": 4, ">=": 4, "==": 4, "!=": 4, "+": 5, "*": 6, "neg": 7}
"""The operators, the loosest first."""

_MEANING: dict[str, Callable[..., Any]] = {
    "||": lambda *parts: reduce(operator.or_, [part != 0 for part in parts]),
    "&&": lambda *parts: reduce(operator.and_, [part != 0 for part in parts]),
    "!": lambda part: part == 0,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "+": lambda *parts: reduce(operator.add, [1 * part for part in parts]),
    "*": lambda *parts: reduce(operator.mul, [1 * part for part in parts]),
    "neg": lambda part: -1 * part,
}


@dataclass(frozen=True)
class Operation(Expression):
    """An operator on expressions: two for a comparison, one for ``!`` and ``neg``, any number for the others.

    >>> strong = Operation(">=", (Count(feature_of("hcp", Seat.WEST)), Number(12)))
    >>> str(Operation("!", (Operation("||", (strong, strong)),)))
    '!(hcp(West) >= 12 || hcp(West) >= 12)'
    """

    symbol: str
    parts: tuple[Expression, ...]

    @cached_property
    def features(self) -> frozenset[Feature]:
        """Those of all parts."""
        return frozenset().union(*(part.features for part in self.parts))

    def value(self, look: Look) -> Any:
        """The operator on the values."""
        return _MEANING[self.symbol](*(part.value(look) for part in self.parts))

    @property
    def conjuncts(self) -> tuple[Expression, ...]:
        """The parts of ``&&``."""
        if self.symbol != "&&":
            return (self,)
        return tuple(conjunct for part in self.parts for conjunct in part.conjuncts)

    def __str__(self) -> str:
        if len(self.parts) == 1:
            return ("-" if self.symbol == "neg" else "!") + self._inner(self.parts[0])
        return self._inner(self.parts[0]) + "".join(map(self._continue, self.parts[1:]))

    def _continue(self, part: Expression) -> str:
        """A part after the first, with the operator before it; a negative one is taken away."""
        if self.symbol == "+" and isinstance(part, Operation) and part.symbol == "neg":
            return f" - {part._inner(part.parts[0])}"
        return f" {self.symbol} {self._inner(part)}"

    def _inner(self, part: Expression) -> str:
        """A part in brackets, unless it binds more."""
        looser = isinstance(part, Operation) and BINDING[part.symbol] <= BINDING[self.symbol]
        return f"({part})" if looser else str(part)


def bound_in(expression: Expression) -> int | None:
    """The number that a feature is compared with, if that is all an expression does.

    >>> bound_in(Operation(">=", (Count(feature_of("hcp", Seat.WEST)), Number(12)))), bound_in(Number(3))
    (12, None)
    """
    compared = isinstance(expression, Operation) and BINDING[expression.symbol] == BINDING["<"]
    parts = expression.parts if compared and isinstance(expression, Operation) else ()
    numbers = [part.number for part in parts if isinstance(part, Number)]
    counted = any(isinstance(part, Count) for part in parts)
    return numbers[0] if counted and numbers else None
