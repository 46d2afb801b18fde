"""A single suit before a card is played: declarer's two hands, and all that is known of the defenders' cards.

Defenders' cards that touch, with none of declarer's between them, are one *class*, and a *world* says how many of each
West holds. That holds for cards that are placed with a defender too: if West is known to have the nine of T98, it is
the card of these that he plays first, since it tells nobody anything; playing the ten instead shows the ten and leaves
him with the nine, which is as good and tells more. So nothing is split: worlds in which West has none of the class go,
and each of the others stands for as many layouts as there are ways to share out the cards that are not placed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import comb, lcm, prod
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from worldwise.bridge.rules.cards import Holding, Rank, holding_name, read_cards, read_holdings
from worldwise.core.vector import Number, exact_number
from worldwise.errors import InputError, PlacedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

World = tuple[int, ...]
"""How many cards of each class West holds."""

Lengths = tuple[int, int]
"""How many cards a defender holds: at least, and at most."""

ANY_LENGTH: Lengths = (0, 13)

DefendersLead = Literal["never", "first", "west", "east", "always"]
"""When the defenders lead the suit: never; the first round, one of them, or West, or East; or every round."""

DEFENDERS_LEAD: tuple[DefendersLead, ...] = get_args(DefendersLead)

MOST_RUFFS = 13


class Held(NamedTuple):
    """Sets of worlds, a bit for each, by what a defender holds: so many or more of a class, so many cards in all."""

    at_least: tuple[tuple[int, ...], ...]
    in_all: tuple[int, ...]

    @classmethod
    def of(cls, sizes: Sequence[int], hands: Sequence[World]) -> Held:
        """What the hands, one for every world, come to; one more card than there is is held in no world."""
        totals = list(map(sum, hands))
        return cls(
            tuple(
                tuple(_bits(hand[number] >= count for hand in hands) for count in range(size + 2))
                for number, size in enumerate(sizes)
            ),
            tuple(_bits(total == count for total in totals) for count in range(sum(sizes) + 2)),
        )


def _bits(flags: Iterable[bool]) -> int:
    return sum(1 << place for place, flag in enumerate(flags) if flag)


@dataclass(frozen=True)
class Suit:
    """A combination: declarer's two holdings, and the defenders' cards in classes, the highest first.

    ``west_cards`` and ``east_cards`` are the places vacant in the defenders' hands, ``gone`` are cards of the suit that
    have been played already, and ``splits``, if given, says how likely West is to hold 0, 1, 2 ... cards. Of all
    layouts that this allows, those remain in which West holds the cards ``west``, East holds ``east``, and West has as
    many cards in all as ``west_length`` allows; each keeps its share of what is left. So vacant places are counted
    before any card is placed, and a placed card takes one of them.

    ``discards`` are those of the cards gone that declarer had himself, and has thrown away elsewhere.
    ``ruffs`` is how often a hand of declarer's that is out of the suit can ruff; ``defenders_lead`` says who leads it.

    >>> suit = Suit.of("AQ", "2")
    >>> suit, suit.classes, len(suit.worlds)
    (Suit.of('AQ', '2'), ((13,), (11, 10, 9, 8, 7, 6, 5, 4, 3)), 20)
    """

    north: Holding
    south: Holding
    west_cards: int = 13
    east_cards: int = 13
    gone: Holding = ()
    splits: tuple[tuple[int, Fraction], ...] | None = None
    west: Holding = ()
    east: Holding = ()
    west_length: Lengths = ANY_LENGTH
    ruffs: int = 0
    defenders_lead: DefendersLead = "never"
    discards: Holding = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if self.west_cards < 0 or self.east_cards < 0 or self.west_cards + self.east_cards < self.missing:
            room = f"{self.west_cards} + {self.east_cards} vacant places"
            raise InputError(f"expected room for the defenders' {self.missing} cards, found {room}")
        if not 0 <= self.ruffs <= MOST_RUFFS:
            raise PlacedError(f"expected 0 to {MOST_RUFFS} ruffs, found {self.ruffs}", "ruffs")
        if self.defenders_lead not in DEFENDERS_LEAD:
            raise PlacedError(
                f"expected one of {', '.join(DEFENDERS_LEAD)}, found {self.defenders_lead!r}", "defenders_lead"
            )
        for placed, whose in ((self.west, "west"), (self.east, "east")):
            self._check_placed(placed, whose)
        if both := set(self.west) & set(self.east):
            raise InputError(f"expected every card with one defender, found {holding_name(both)} with both")
        if not self.worlds:
            raise InputError(
                f"expected a way to deal the defenders' {self.missing} cards, found none{self._conditions}"
            )

    def _check_placed(self, placed: Holding, whose: str) -> None:
        if others := [rank for rank in placed if rank not in self.class_of]:
            have = " ".join(map(holding_name, self.classes)) or "none"
            raise PlacedError(f"expected cards of the defenders' ({have}), found {holding_name(others)}", whose)

    @property
    def _conditions(self) -> str:
        """What has to be true of the layouts, for an error."""
        found = [
            f"{whose} has {holding_name(cards)}" for whose, cards in (("West", self.west), ("East", self.east)) if cards
        ]
        if self.lengths != ANY_LENGTH:
            least, most = self.lengths
            found.append(f"West has {least if least == most else f'{least} to {most}'} of them")
        return f" in which {' and '.join(found)}" if found else ""

    @classmethod
    def of(
        cls,
        north: str,
        south: str,
        *,
        west_cards: int = 13,
        east_cards: int = 13,
        gone: str = "-",
        splits: Mapping[int, Number] | None = None,
        west: str = "-",
        east: str = "-",
        west_length: str = "0+",
        east_length: str = "0+",
        discards: str = "-",
        ruffs: int = 0,
        defenders_lead: DefendersLead = "never",
    ) -> Suit:
        """The combination that people write so.

        >>> Suit.of("AQ", "2", splits={5: 0.5, 6: "1/2"}).splits
        ((5, Fraction(1, 2)), (6, Fraction(1, 2)))
        >>> suit = Suit.of("AQT9", "432", west="K", west_length="3+")
        >>> suit, [sum(world) for world in suit.worlds]
        (Suit.of('AQT9', '432', west='K', west_length='3-13'), [6, 5, 4, 3, 5, 4, 3])
        """
        hands = read_holdings(north, south, gone)
        thrown = _discards(discards, hands)
        own, dummy = (tuple(rank for rank in hand if rank not in thrown) for hand in hands[:2])
        return cls(
            own,
            dummy,
            west_cards,
            east_cards,
            tuple(sorted((*hands[2], *thrown), reverse=True)),
            None if splits is None else _splits(splits),
            read_cards(west, "west"),
            read_cards(east, "east"),
            _lengths(west_length, east_length, 13 - sum(map(len, hands))),
            ruffs,
            defenders_lead,
            thrown,
        )

    def __repr__(self) -> str:
        given = {"gone": self.gone, "west": self.west, "east": self.east}
        found = {name: holding_name(cards) for name, cards in given.items() if cards}
        if self.west_length != ANY_LENGTH:
            found["west_length"] = "{}-{}".format(*self.west_length)
        if self.defenders_lead != "never":
            found["defenders_lead"] = self.defenders_lead
        more = [f", {name}={value!r}" for name, value in found.items()] + [f", ruffs={self.ruffs}"] * bool(self.ruffs)
        return f"Suit.of({holding_name(self.north)!r}, {holding_name(self.south)!r}{''.join(more)})"

    @property
    def missing(self) -> int:
        """How many cards the defenders hold."""
        return 13 - len(self.north) - len(self.south) - len(self.gone)

    @cached_property
    def classes(self) -> tuple[tuple[Rank, ...], ...]:
        """The defenders' cards, those that touch together."""
        found: list[list[Rank]] = []
        touching = False
        for rank in range(14, 1, -1):
            if rank in self.north or rank in self.south:
                touching = False
            elif rank not in self.gone:
                if not touching:
                    found.append([])
                found[-1].append(rank)
                touching = True
        return tuple(map(tuple, found))

    @cached_property
    def worlds(self) -> tuple[World, ...]:
        """Every way the defenders' cards can lie, as counts of West's."""
        return tuple(self._weighed)

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """How likely each world is, in whole numbers: in how many ways it can be dealt, unless splits are given."""
        return tuple(self._weighed.values())

    @cached_property
    def _weighed(self) -> dict[World, int]:
        """Every world with its weight; those that cannot be dealt are left out."""
        every = product(*(range(len(cards), -1, -1) for cards in self.classes))
        by_length = [self._layout_weight(west) for west in range(self.missing + 1)]
        weights = {world: by_length[sum(world)] * prod(self.ways(world)) for world in every}
        return {world: weight for world, weight in weights.items() if weight}

    def deals(self) -> Iterator[tuple[Holding, int]]:
        """Every layout card by card: West's cards, and how likely it is, in whole numbers.

        >>> [(holding_name(west), weight) for west, weight in Suit.of("AQ", "J", gone="T98765432").deals()]
        [('K', 5200300), ('-', 5200300)]
        """
        cards = [rank for group in self.classes for rank in group if rank not in self.west and rank not in self.east]
        for count in range(len(cards), -1, -1):
            if weight := self._layout_weight(count + len(self.west)):
                yield from (
                    (tuple(sorted((*self.west, *more), reverse=True)), weight) for more in combinations(cards, count)
                )

    def ways(self, world: World) -> list[int]:
        """For each class, in how many ways its cards that are not placed can be shared out."""
        shared = zip(world, self._placed, strict=True)
        return [comb(free, has - west) if has >= west else 0 for has, (free, west) in shared]

    @cached_property
    def _placed(self) -> list[tuple[int, int]]:
        """How many cards of each class are placed with nobody, and how many with West."""
        if not self.west and not self.east:
            return [(len(cards), 0) for cards in self.classes]
        west, either = set(self.west), {*self.west, *self.east}
        return [(len(set(cards) - either), len(west.intersection(cards))) for cards in self.classes]

    @property
    def lengths(self) -> Lengths:
        """How many cards West can have; a defender who leads has one."""
        least, most = self.west_length
        leads, follows = (self.defenders_lead == seat and self.missing > 0 for seat in ("west", "east"))
        return max(least, int(leads)), min(most, self.missing - 1) if follows else most

    def _layout_weight(self, west: int) -> int:
        """How likely each layout is in which West has so many cards, in whole numbers."""
        least, most = self.lengths
        if not least <= west <= most:
            return 0
        if self.splits is None:
            others, room = self.west_cards + self.east_cards - self.missing, self.west_cards - west
            return comb(others, room) if 0 <= room <= others else 0
        chances = {cards: chance / comb(self.missing, cards) for cards, chance in self.splits if cards <= self.missing}
        common = lcm(*(chance.denominator for chance in chances.values()))
        return int(chances.get(west, Fraction(0)) * common)

    @property
    def length(self) -> int:
        """How many tricks there are at most: the longer hand's cards."""
        return max(len(self.north), len(self.south))

    @property
    def is_plain(self) -> bool:
        """Whether declarer leads every round and nobody ruffs: what sentences, drill and comparisons are made for."""
        return self.defenders_lead == "never" and not self.ruffs

    @cached_property
    def class_of(self) -> Mapping[Rank, int]:
        """The class of each of the defenders' cards."""
        return {rank: number for number, cards in enumerate(self.classes) for rank in cards}

    @property
    def every_world(self) -> int:
        """All worlds, a bit for each."""
        return (1 << len(self.worlds)) - 1

    @cached_property
    def held_by(self) -> tuple[Held, Held]:
        """In which worlds West, and East, holds what."""
        sizes = tuple(map(len, self.classes))
        easts = [tuple(size - has for size, has in zip(sizes, world, strict=True)) for world in self.worlds]
        return Held.of(sizes, self.worlds), Held.of(sizes, easts)

    def chance(self, worlds: Sequence[int]) -> Fraction:
        """How likely it is that one of these worlds, by number, is the true one."""
        return self.share(sum(self.weights[world] for world in worlds))

    def share(self, weight: int) -> Fraction:
        """How likely layouts of this weight are."""
        return Fraction(weight, sum(self.weights))


# ---------------------------------------------------------------------- reading


def _discards(discards: str, hands: Sequence[Holding]) -> Holding:
    """The cards that declarer throws away, which are in one of his hands."""
    thrown = read_cards(discards, "discards")
    if others := [rank for rank in thrown if rank not in (*hands[0], *hands[1])]:
        raise PlacedError(f"expected cards of North's or South's, found {holding_name(others)}", "discards")
    return thrown


def _splits(splits: Mapping[int, Number]) -> tuple[tuple[int, Fraction], ...]:
    given = tuple((cards, Fraction(exact_number(chance))) for cards, chance in sorted(splits.items()))
    if not given or min(chance for _, chance in given) < 0 or not sum(chance for _, chance in given):
        raise InputError(f"expected chances of splits that are not negative and not all zero, found {dict(splits)}")
    return given


def _lengths(west: str, east: str, missing: int) -> Lengths:
    """How many cards West can have, going by what is said of both defenders."""
    found, other = read_lengths(west, "west_length"), read_lengths(east, "east_length")
    if other == ANY_LENGTH:
        return found
    least, most = max(found[0], missing - other[1]), min(found[1], missing - other[0])
    if least > most:
        raise InputError(f"expected lengths that go together, found West {west} and East {east} of {missing} cards")
    return least, most


def read_lengths(text: str, whose: str) -> Lengths:
    """A number of cards as people write it.

    >>> [read_lengths(text, "west_length") for text in ("3", "3+", "3-", "2-4")]
    [(3, 3), (3, 13), (0, 3), (2, 4)]
    """
    found = re.fullmatch(r"(1[0-3]|[0-9])([+-]?)(1[0-3]|[0-9])?", text.strip(), re.ASCII)
    if not found or (found[3] and (found[2] != "-" or int(found[3]) < int(found[1]))):
        raise PlacedError(f"expected a number of cards such as 3, 3+, 3- or 2-4, found {text!r}", whose)
    number, sign, last = int(found[1]), found[2], found[3]
    if last:
        return number, int(last)
    return (0 if sign == "-" else number), (13 if sign == "+" else number)
