"""Every suit combination there is, each once: what makes two of them the same, and the form that stands for both.

Write the thirteen cards of a suit from the ace down, a letter for each: N if North has it, S if South has it, ``-`` if
a defender has it. Three things make no difference to anybody's chances, as long as entries are free and nothing is
known of the defenders' hands:

- which of declarer's cards it is, if no defender's card lies between: with ``KQ`` opposite ``J`` or with ``KJ``
  opposite ``Q`` the same tricks are won. So only the numbers of North's and South's cards between two defenders' cards
  count. That goes for low cards too: below the defenders' lowest card all cards of declarer's touch.
- which hand is called North. East and West change places with them.
- which of the defenders' touching cards it is. That is so in the letters already.

The *canonical* form has North's cards above South's wherever they touch, the longer hand in North, and of hands as long
as each other the one in North that makes the greater code. The *code* reads the letters as digits of a number to base
three, the ace first: 0 for ``-``, 1 for S, 2 for N.

With m defenders' cards there are m + 1 places for 13 - m cards of declarer's, each North's or South's: C(14 + m,
2m + 1) ways. Summed over m these are the Fibonacci number 317,811; of them 377 look the same from both sides. Hence
159,094 forms up to an exchange of the hands, and one less, ``COMBINATIONS``, because declarer has at least one card.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb, prod
from typing import TYPE_CHECKING, NamedTuple

from worldwise.bridge.suit.combination import Suit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from worldwise.bridge.rules.cards import Holding

COMBINATIONS = 159_093
"""How many there are."""

Place = tuple[int, int]
"""How many cards North and South have between two of the defenders' cards."""

WHOLE = comb(26, 13)
"""The denominator of every chance, 10,400,600: in so many ways the defenders' 26 cards fall into two hands of 13, and
each layout of a suit is as likely as there are ways to fill up their hands."""

DEALS = comb(52, 13) * comb(39, 13)
"""In how many ways two hands can be dealt."""


class Form(NamedTuple):
    """A combination as counts: declarer's cards above the defenders' highest, between the first two, and so on.

    >>> form = Form.of(Suit.of("KJ9", "Q432"))
    >>> form.places
    ((0, 0), (2, 1), (1, 0), (0, 0), (0, 0), (0, 0), (0, 3))
    >>> form.canonical.suit
    Suit.of('K432', 'QJ9')
    """

    places: tuple[Place, ...]

    @classmethod
    def of(cls, suit: Suit) -> Form:
        """The form of a suit; only its hands count."""
        places = [[0, 0]]
        for rank in range(14, 1, -1):
            if rank in suit.north or rank in suit.south:
                places[-1][rank in suit.south] += 1
            else:
                places.append([0, 0])
        return cls(tuple((north, south) for north, south in places))

    @classmethod
    def of_code(cls, code: int) -> Form:
        """The form of a code.

        >>> Form.of_code(Form.of(Suit.of("AQ", "2")).code).suit
        Suit.of('AQ', '2')
        """
        hands: tuple[list[int], list[int]] = ([], [])
        for rank in range(2, 15):
            code, digit = divmod(code, 3)
            if digit:
                hands[2 - digit].append(rank)
        return cls.of(Suit(tuple(reversed(hands[0])), tuple(reversed(hands[1]))))

    @property
    def missing(self) -> int:
        """How many cards the defenders have."""
        return len(self.places) - 1

    @property
    def cards(self) -> tuple[int, int]:
        """How many cards North and South have."""
        return sum(north for north, _ in self.places), sum(south for _, south in self.places)

    @property
    def suit(self) -> Suit:
        """The suit of this form whose North has the higher ones of cards that touch."""
        return Suit(*self._hands)

    @property
    def _hands(self) -> tuple[Holding, Holding]:
        north, south, rank = list[int](), list[int](), 14
        for first, second in self.places:
            north += range(rank, rank - first, -1)
            south += range(rank - first, rank - first - second, -1)
            rank -= first + second + 1
        return tuple(north), tuple(south)

    @property
    def code(self) -> int:
        """The letters as a number to base three, the ace first."""
        letters = [digit for north, south in self.places for digit in (*[2] * north, *[1] * south, 0)][:-1]
        return sum(digit * 3**power for power, digit in enumerate(reversed(letters)))

    @property
    def exchanged(self) -> Form:
        """North and South the other way round."""
        return Form(tuple((south, north) for north, south in self.places))

    @property
    def canonical(self) -> Form:
        """The form that stands for this one and its exchange."""
        return max(self, self.exchanged, key=lambda form: (form.cards, form.code))

    @property
    def deals(self) -> int:
        """In how many of all ``DEALS`` two partners are dealt a suit of this form, or of its exchange.

        >>> Form.of(Suit.of("AKQJT98765432", "-")).deals == 2 * comb(39, 13)
        True
        """
        north, south = self.cards
        alike = prod(comb(first + second, first) for first, second in self.places)
        others = comb(39, 13 - north) * comb(26 + north, 13 - south)
        return alike * others * (1 if self == self.exchanged else 2)


def forms(missing: int) -> Iterator[Form]:
    """The canonical forms in which the defenders have so many cards, by rising codes.

    >>> [form.suit for form in forms(0)][:2], sum(1 for form in forms(2))
    ([Suit.of('AKQJT98', '765432'), Suit.of('AKQJT987', '65432')], 2184)
    """
    every = (Form(_places(chosen, missing)) for chosen in _choices(missing))
    yield from sorted((form for form in every if form == form.canonical), key=lambda form: form.code)


def _choices(missing: int) -> Iterator[tuple[int, ...]]:
    """For every way to place declarer's cards, the places of each: an even number is North's, an odd one South's."""
    return combinations_with_replacement(range(2 * missing + 2), 13 - missing)


def _places(chosen: Sequence[int], missing: int) -> tuple[Place, ...]:
    counts = [0] * (2 * missing + 2)
    for place in chosen:
        counts[place] += 1
    return tuple(zip(counts[::2], counts[1::2], strict=True))


def numerator(chance: Fraction) -> int:
    """A chance in parts of ``WHOLE``."""
    parts = chance * WHOLE
    assert parts.denominator == 1, f"expected a chance in parts of {WHOLE}, found {chance}"
    return parts.numerator
