"""All ways to deal the hidden cards, counted and numbered without going through them.

The cards of one suit are divided among the hidden hands in at most 3^13 ways. Ways that agree in all that matters
later (how many cards each hand received, and the features some constraint still asks for) are one *group*. Two suits
are joined group by group, then two pairs of suits, and constraints are applied as early as they can be decided: the
groups stay few. What is left at the end is every deal that fits; a number below their count finds one of them by
walking back down, so that drawing a number is drawing a deal.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from worldwise.bridge.layouts.expressions import Expression, Feature, bound_in, holding_bits
from worldwise.bridge.rules.deal import SUIT_CARDS, Cards, Seat, cards_in, rank_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    Numbers = NDArray[Any]
    Columns = dict[Hashable, Numbers]


TOO_MANY = 6_000_000
"""More pairs of groups than this are not joined."""


class TooManyError(Exception):
    """The constraints tell too many groups apart."""


@dataclass(frozen=True)
class Cell:
    """A hand that is not seen: the cards it is known to have been dealt, those it may have, and how many it misses."""

    seat: Seat
    known: Cards
    possible: Cards
    missing: int


@dataclass(frozen=True)
class Groups:
    """Items sorted into groups: each group's columns, and the ways it and its items can be dealt.

    ``ways``    the ways of each group
    ``before``  how many ways there are in the groups before
    ``upto``    how many ways there are before each item
    ``items``   the items' places, in order of the groups
    """

    columns: Columns
    ways: Numbers
    before: Numbers
    upto: Numbers
    items: Numbers

    @classmethod
    def of(cls, columns: Columns, ways: Numbers, places: Numbers | None = None) -> Groups:
        """Items that agree in all columns are one group; ``places`` are the items' own if they are not 0, 1, 2 ..."""
        key = _key(columns, len(ways))
        order = np.argsort(key, kind="stable")
        key, upto = key[order], np.concatenate([[0], np.cumsum(ways[order])])
        starts = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]])[: len(key)])
        before = upto[starts]
        total = np.diff(before, append=upto[-1])
        return cls(_rows(columns, order[starts]), total, before, upto, order if places is None else places[order])

    def find(self, groups: Numbers, numbers: Numbers) -> tuple[Numbers, Numbers]:
        """For numbered ways of groups: the item, and the number of the way among the item's."""
        numbers = self.before[groups] + numbers
        places = np.searchsorted(self.upto, numbers, side="right") - 1
        return self.items[places], numbers - self.upto[places]


def _key(columns: Columns, size: int) -> Numbers:
    """One number for all columns of an item; the first columns weigh most."""
    key, most = np.zeros(size, np.int64), 1
    for column in columns.values() if size else ():
        low = int(column.min())
        span = int(column.max()) - low + 1
        most *= span
        if most >= 1 << 62:
            raise TooManyError
        key = key * span + (column - low)
    return key.astype(np.uint16) if most <= 1 << 16 else key


def _rows(columns: Columns, rows: Numbers) -> Columns:
    """Some rows of all columns."""
    return {name: column[rows] for name, column in columns.items()}


def _which_fit(columns: Columns, decided: Sequence[Expression], size: int) -> Numbers:
    """Which items fit the expressions."""
    keep = np.ones(size, bool)
    for expression in decided:
        keep &= expression.value(columns.__getitem__) != 0
    return keep


@dataclass(frozen=True)
class DividedSuit:
    """The ways to divide one suit: ``received`` is a row of holdings for each hidden hand but the last."""

    suit: int
    received: Sequence[Numbers]
    groups: Groups

    def hands(self, groups: Numbers, numbers: Numbers) -> list[Numbers]:
        """The cards that each hidden hand but the last receives in these ways."""
        items, _ = self.groups.find(groups, numbers)
        return [holdings[items].astype(np.int64) << 16 * self.suit + 2 for holdings in self.received]


@dataclass(frozen=True)
class Joined:
    """The ways to divide several suits: pairs of a group on the left and a group on the right."""

    left: Part
    right: Part
    pairs: tuple[Numbers, Numbers]
    groups: Groups

    def hands(self, groups: Numbers, numbers: Numbers) -> list[Numbers]:
        """The cards that each hidden hand but the last receives in these ways."""
        items, numbers = self.groups.find(groups, numbers)
        one, two = self.pairs[0][items], self.pairs[1][items]
        lefts, rights = np.divmod(numbers, self.right.groups.ways[two])
        return [a | b for a, b in zip(self.left.hands(one, lefts), self.right.hands(two, rights), strict=True)]


@dataclass(frozen=True)
class Merged:
    """The groups of a part, gathered once more: by all that the suits on the other side leave open."""

    part: Joined
    groups: Groups

    def hands(self, groups: Numbers, numbers: Numbers) -> list[Numbers]:
        """The cards that each hidden hand but the last receives in these ways."""
        return self.part.hands(*self.groups.find(groups, numbers))


Part = DividedSuit | Joined | Merged


@dataclass(frozen=True)
class PairVerdict:
    """What an expression says of groups on the left with groups on the right.

    Groups that it treats alike are one class: ``left`` and ``right`` tell each group's, ``fits`` the answer for two.
    """

    left: Numbers
    right: Numbers
    fits: Numbers

    @classmethod
    def of(cls, expression: Expression, left: Columns, right: Columns) -> PairVerdict:
        """Ask once for every two that differ in a feature of the expression; then see who is treated alike."""
        (ones, left_of), (twos, right_of) = (_distinct_values(expression, columns) for columns in (left, right))
        if len(ones[0]) * len(twos[0]) > TOO_MANY:
            raise TooManyError
        features = _features(expression)
        sums = {name: one[:, None] + two for name, one, two in zip(features, ones, twos, strict=True)}
        answers: Numbers = expression.value(sums.__getitem__) != 0
        answers, rows = np.unique(answers, axis=0, return_inverse=True)
        answers, places = np.unique(answers, axis=1, return_inverse=True)
        return cls(rows[left_of], places[right_of], answers)


def _distinct_values(expression: Expression, columns: Columns) -> tuple[list[Numbers], Numbers]:
    """The values that the features of an expression take together, and which of them each group has."""
    own: Columns = {feature: columns[feature] for feature in _features(expression)}
    size = len(next(iter(own.values())))
    _, first, which = np.unique(_key(own, size), return_index=True, return_inverse=True)
    return [column[first] for column in own.values()], which


def _features(expression: Expression) -> list[Feature]:
    """The features of an expression in an order that does not change from run to run."""
    return sorted(expression.features, key=lambda feature: feature.name)


@dataclass(frozen=True)
class Dealing:
    """All deals of the hidden cards that fit every one of the expressions.

    ``cells``  the hands that are not seen, ``seen`` those that are, ``unseen`` the cards to deal

    >>> from worldwise.bridge.rules.deal import hand_name, read_hand
    >>> cards = read_hand("AK.Q..")
    >>> west, east = Cell(Seat.WEST, known=0, possible=cards, missing=1), Cell(Seat.EAST, 0, cards, 2)
    >>> dealing = Dealing((west, east), (), cards)
    >>> dealing.count, [hand_name(hand) for hand in dealing.hands(range(3))[Seat.WEST]]
    (3, ['.Q..', 'K...', 'A...'])
    """

    cells: tuple[Cell, ...]
    seen: tuple[tuple[Seat, Cards], ...]
    unseen: Cards
    wanted: tuple[Expression, ...] = ()

    @property
    def count(self) -> int:
        """How many there are."""
        return int(self._all.groups.ways.sum())

    def hands(self, numbers: Sequence[int]) -> dict[Seat, list[Cards]]:
        """The hidden hands as dealt, in the deals of these numbers, which are below ``count``."""
        chosen = np.array(numbers, np.int64)
        received = self._all.hands(np.zeros(len(chosen), np.int64), chosen)
        received.append(np.full(len(chosen), self.unseen) & ~sum(received, np.zeros(len(chosen), np.int64)))
        pairs = zip(self.cells, received, strict=True)
        return {cell.seat: (cards | cell.known).tolist() for cell, cards in pairs}

    @cached_property
    def _all(self) -> Joined:
        suits = [self._suit(suit) for suit in range(4)]
        majors, minors = (self._pair(suits[place], suits[place + 1], (place, place + 1)) for place in (0, 2))
        left, right = majors.groups.columns, minors.groups.columns
        verdicts = [PairVerdict.of(expression, left, right) for expression in self._decided_by((0, 1, 2, 3))]
        one = self._merge(majors, [(verdict.left, np.logical_or.reduce(verdict.fits, axis=1)) for verdict in verdicts])
        two = self._merge(minors, [(verdict.right, np.logical_or.reduce(verdict.fits, axis=0)) for verdict in verdicts])
        return self._match(one, two, [verdict.fits for verdict in verdicts])

    def _suit(self, suit: int) -> DividedSuit:
        """Divide one suit in all ways that voids allow."""
        received = _divisions(self.unseen, suit, self.cells)
        size = len(received[0])
        shares = zip(self.cells[:-1], received, strict=False)
        columns: Columns = {cell.seat: np.bitwise_count(holdings).astype(np.int64) for cell, holdings in shares}
        features = {feature: None for expression in self.wanted for feature in _features(expression)}
        columns |= {feature: self._cap(feature, self._feature(feature, suit, received)) for feature in features}
        keep = _which_fit(columns, self._decided_by((suit,)), size)
        columns = _rows(self._columns_needed(columns, (suit,)), keep)
        return DividedSuit(suit, received[:-1], Groups.of(columns, np.ones(keep.sum(), np.int64), np.flatnonzero(keep)))

    def _feature(self, feature: Feature, suit: int, received: Sequence[Numbers]) -> Numbers:
        """What a feature counts in one suit, for each division."""
        size, table = len(received[0]), feature.measure.table
        if suit not in feature.suits:
            return np.zeros(size, np.int64)
        for cell, holdings in zip(self.cells, received, strict=True):
            if cell.seat == feature.seat:
                return np.take(table, holdings | holding_bits(cell.known, suit))
        return np.full(size, table[holding_bits(dict(self.seen)[feature.seat], suit)])

    def _cap(self, name: Hashable, column: Numbers) -> Numbers:
        """A column in which all values above every bound that is asked for are one."""
        return np.minimum(column, self._caps[name]) if name in self._caps else column

    @cached_property
    def _caps(self) -> dict[Hashable, int]:
        """The features that are only compared with numbers, each with the largest of these and one more.

        No measure is negative: what is above a bound in some suits remains above it.
        """
        caps: dict[Hashable, int] = {}
        free: set[Hashable] = set()
        for expression in self.wanted:
            bound = bound_in(expression)
            for feature in expression.features:
                caps[feature] = max(caps.get(feature, 0), (bound or 0) + 1)
                free |= {feature} if bound is None else set()
        return {feature: cap for feature, cap in caps.items() if feature not in free}

    def _pair(self, left: Part, right: Part, suits: tuple[int, ...]) -> Joined:
        """Join two suits, with no more cards for a hand than it misses."""
        ones, twos = len(left.groups.ways), len(right.groups.ways)
        if ones * twos > TOO_MANY:
            raise TooManyError
        one, two = np.divmod(np.arange(ones * twos), max(1, twos))
        a, b = left.groups, right.groups
        keep = np.ones(len(one), bool)
        for cell in self.cells[:-1]:
            keep &= a.columns[cell.seat][one] + b.columns[cell.seat][two] <= cell.missing
        one, two = one[keep], two[keep]
        columns = {name: self._cap(name, column[one] + b.columns[name][two]) for name, column in a.columns.items()}
        keep = _which_fit(columns, self._decided_by(suits), len(one))
        one, two = one[keep], two[keep]
        columns = _rows(self._columns_needed(columns, suits), keep)
        return Joined(left, right, (one, two), Groups.of(columns, a.ways[one] * b.ways[two]))

    def _merge(self, part: Joined, classes: Sequence[tuple[Numbers, Numbers]]) -> Merged:
        """Gather the groups by their classes, but for those of a class that fits nothing."""
        ways = part.groups.ways
        columns: Columns = {cell.seat: part.groups.columns[cell.seat] for cell in self.cells[:-1]}
        columns |= {f"class {number}": found for number, (found, _) in enumerate(classes)}
        keep = reduce(operator.and_, (hope[found] for found, hope in classes), np.ones(len(ways), bool))
        return Merged(part, Groups.of(_rows(columns, keep), ways[keep], np.flatnonzero(keep)))

    def _match(self, left: Merged, right: Merged, verdicts: Sequence[Numbers]) -> Joined:
        """Join what gives every hand its cards, and what the verdicts let pass: one group."""
        one, two = self._matching_pairs(left.groups.columns, right.groups.columns)
        for number, fits in enumerate(verdicts):
            name = f"class {number}"
            keep = fits[left.groups.columns[name][one], right.groups.columns[name][two]]
            one, two = one[keep], two[keep]
        return Joined(left, right, (one, two), Groups.of({}, left.groups.ways[one] * right.groups.ways[two]))

    def _matching_pairs(self, left: Columns, right: Columns) -> tuple[Numbers, Numbers]:
        """The pairs of groups that give every hand as many cards as it misses."""
        lengths = [np.concatenate([cell.missing - left[cell.seat], right[cell.seat]]) for cell in self.cells[:-1]]
        key = _key(dict(enumerate(lengths)), len(lengths[0])).astype(np.int64)
        wanted, found = np.split(key, [len(left[self.cells[0].seat])])
        first, last = np.searchsorted(found, wanted, side="left"), np.searchsorted(found, wanted, side="right")
        if (last - first).sum() > TOO_MANY:
            raise TooManyError
        one = np.repeat(np.arange(len(wanted)), last - first)
        start = np.cumsum(last - first) - (last - first)
        return one, np.arange(len(one)) - np.repeat(start - first, last - first)

    def _decided_by(self, suits: tuple[int, ...]) -> list[Expression]:
        """The expressions that these suits decide, and no part of them."""
        return [expression for expression in self.wanted if _home(expression) == suits]

    def _columns_needed(self, columns: Columns, suits: tuple[int, ...]) -> Columns:
        """The columns that are asked for once more suits are known: the hands' lengths, and features."""
        later = [expression.features for expression in self.wanted if set(_home(expression)) > set(suits)]
        asked = frozenset().union(*later)
        return {name: column for name, column in columns.items() if isinstance(name, Seat) or name in asked}


_PARTS = ((0,), (1,), (2,), (3,), (0, 1), (2, 3), (0, 1, 2, 3))


def _home(expression: Expression) -> tuple[int, ...]:
    """The fewest suits, of those that are ever joined, that decide an expression."""
    suits = {suit for feature in expression.features for suit in feature.suits}
    return next(part for part in _PARTS if suits <= set(part))


def _divisions(cards: Cards, suit: int, cells: Sequence[Cell]) -> list[Numbers]:
    """All ways to divide the cards of a suit among hands that may have them: a row of holdings for each cell."""
    received: list[Numbers] = [np.zeros(1, np.int32) for _ in cells]
    for card in cards_in(cards & SUIT_CARDS[suit]):
        takers = [place for place, cell in enumerate(cells) if cell.possible >> card & 1]
        received = [
            np.concatenate([hand | (taker == place) << rank_of(card) - 2 for taker in takers] or [hand[:0]])
            for place, hand in enumerate(received)
        ]
    return received
