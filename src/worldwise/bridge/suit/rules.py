"""A single suit at bridge, against best defence (FB01 sections 2.3 and 5): the game that its searchers play.

Declarer (MAX) holds North and South and leads every trick from whichever hand he likes, or as entries allow; the
defenders (MIN) hold the other cards of the suit, see everything, and never lead it. Defenders' cards that touch, with
none of declarer's between them, are one *class*: it matters only how many of each West holds, so 2^n layouts shrink to
some ten to a hundred and fifty worlds. Of declarer's own cards that touch, he plays the lowest.

A ``SuitTable`` is all that everyone can see. Two ways of playing that lead to one table have the same future; a
position of the game holds the way too, because what is best may depend on what else could have happened (FB01's
non-locality).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb, inf, lcm, prod
from typing import TYPE_CHECKING, NamedTuple

from worldwise.bridge.rules.cards import Holding, Rank, holding_name, rank_name, read_holdings
from worldwise.core.game import Side
from worldwise.core.scale import Thermometer
from worldwise.core.vector import Number, exact_number
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

NORTH, EAST, SOUTH, WEST = range(4)
SEATS = "NESW"

OUT = 0
"""What a hand plays that has no card of the suit left."""


class SuitMove(NamedTuple):
    """A card, or ``OUT``, from a seat; a defender's card stands for its class."""

    seat: int
    card: Rank

    def __str__(self) -> str:
        return f"{SEATS[self.seat]}{rank_name(self.card) if self.card else '-'}"


class SuitTable(NamedTuple):
    """What everyone sees: declarer's cards left, how many of each class the defenders have shown, the trick so far."""

    north: Holding
    south: Holding
    west: tuple[int, ...]
    east: tuple[int, ...]
    west_out: bool
    east_out: bool
    tricks: int
    trick: tuple[SuitMove, ...]
    in_hand: int
    entries: tuple[float, float]


class SuitPosition(NamedTuple):
    """A table, and how it came about."""

    table: SuitTable
    history: tuple[SuitMove, ...]


World = tuple[int, ...]
"""How many cards of each class West holds."""

FREE = (inf, inf)
"""Entries to North and South without end."""

NOBODY = -1
"""Declarer is in neither hand: a defender won the trick, or there was none yet."""


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
    have been played already, and ``splits``, if given, says how likely West is to hold 0, 1, 2 ... cards.

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

    def __post_init__(self) -> None:
        if self.west_cards < 0 or self.east_cards < 0 or self.west_cards + self.east_cards < self.missing:
            room = f"{self.west_cards} + {self.east_cards} vacant places"
            raise InputError(f"expected room for the defenders' {self.missing} cards, found {room}")
        if not self.worlds:
            raise InputError(f"expected a way to deal the defenders' {self.missing} cards, found none")

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
    ) -> Suit:
        """The combination that people write so.

        >>> Suit.of("AQ", "2", splits={5: 0.5, 6: "1/2"}).splits
        ((5, Fraction(1, 2)), (6, Fraction(1, 2)))
        """
        hands = read_holdings(north, south, gone)
        return cls(hands[0], hands[1], west_cards, east_cards, hands[2], None if splits is None else _splits(splits))

    def __repr__(self) -> str:
        gone = f", gone={holding_name(self.gone)!r}" if self.gone else ""
        return f"Suit.of({holding_name(self.north)!r}, {holding_name(self.south)!r}{gone})"

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
        weights = {world: by_length[sum(world)] * self._ways(world) for world in every}
        return {world: weight for world, weight in weights.items() if weight}

    def _ways(self, world: World) -> int:
        """How many layouts are this world."""
        return prod(comb(len(cards), count) for cards, count in zip(self.classes, world, strict=True))

    def _layout_weight(self, west: int) -> int:
        """How likely each layout is in which West has so many cards, in whole numbers."""
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
        return Fraction(sum(self.weights[world] for world in worlds), sum(self.weights))


@dataclass(frozen=True)
class SuitGame:
    """A combination with a goal, as a ``WorldGame``: win at least ``goal`` tricks, or without one, as many as you can.

    ``lean`` leaves out plays that cannot be better than others (tested, not assumed): with free entries, a card that
    does not change who wins the trick is the lowest. FB01 Fig 3 is drawn without.

    >>> game = SuitGame(Suit.of("AQ", "2"), goal=2)
    >>> [str(move) for move in game.moves(game.root)]
    ['NQ', 'NA', 'S2']
    """

    suit: Suit
    goal: int | None = None
    entries: tuple[float, float] = FREE
    lean: bool = True

    def __post_init__(self) -> None:
        if self.goal is not None and not 0 < self.goal <= self.suit.length:
            raise InputError(f"expected a goal from 1 to {self.suit.length} tricks, found {self.goal}")

    # ------------------------------------------------------------------ the game

    @property
    def worlds(self) -> int:
        """How many layouts there are that differ."""
        return len(self.suit.worlds)

    @property
    def weights(self) -> tuple[int, ...]:
        """In how many ways each world can be dealt."""
        return self.suit.weights

    @cached_property
    def root(self) -> SuitPosition:
        """Nothing played."""
        shown = (0,) * len(self.suit.classes)
        return SuitPosition(
            SuitTable(self.suit.north, self.suit.south, shown, shown, False, False, 0, (), NOBODY, self.entries), ()
        )

    def to_move(self, position: SuitPosition) -> Side | None:
        """Declarer leads and plays third; the defenders play second and fourth."""
        return self.side(position.table)

    def moves(self, position: SuitPosition) -> list[SuitMove]:
        """Cards that differ; defenders' are those that some layout still allows."""
        return self.options(position.table)

    def play(self, position: SuitPosition, move: SuitMove) -> SuitPosition:
        """The position after a card."""
        return SuitPosition(self.after(position.table, move), (*position.history, move))

    def payoffs(self, position: SuitPosition) -> list[int | None]:
        """1 or 0 with a goal, otherwise tricks; None in worlds that the play contradicts."""
        score = self.score(position.table)
        return [score if self.fits(position.table, world) else None for world in self.suit.worlds]

    @cached_property
    def scale(self) -> Thermometer:
        """Bits: a world is won or lost, or has a bit for every trick."""
        most = 1 if self.goal is not None else self.suit.length
        return Thermometer((tuple(range(most + 1)),) * self.worlds, self.weights)

    def code(self, position: SuitPosition) -> int:
        """The payoffs, coded."""
        return self.scale.code(self.payoffs(position))

    def move_label(self, _position: SuitPosition, move: SuitMove) -> str:
        """A seat and a card."""
        return str(move)

    # ------------------------------------------------------------------ tables

    def side(self, table: SuitTable) -> Side | None:
        """Who is to play; None when it is over."""
        if not table.trick:
            return None if self.is_over(table) else Side.MAX
        return Side.MIN if _next_seat(table) in (EAST, WEST) else Side.MAX

    def is_over(self, table: SuitTable) -> bool:
        """Whether the goal is reached or out of reach, or no trick is left; asked between tricks."""
        left = max(len(table.north), len(table.south))
        if self.goal is not None and not table.tricks < self.goal <= table.tricks + left:
            return True
        return not left or not self._leads(table)

    def score(self, table: SuitTable) -> int:
        """What declarer has got."""
        return table.tricks if self.goal is None else int(table.tricks >= self.goal)

    def options(self, table: SuitTable) -> list[SuitMove]:
        """The plays that differ."""
        if not table.trick:
            return self._leads(table)
        seat = _next_seat(table)
        return self._defences(table, seat) if seat in (EAST, WEST) else self._follows(table, seat)

    def after(self, table: SuitTable, move: SuitMove) -> SuitTable:
        """The table after a card; the fourth ends the trick."""
        table = self._without(table, move)._replace(trick=(*table.trick, move))
        if len(table.trick) == 1:
            table = self._spend_entry(table, move.seat)
        # A hand of declarer's that is void has nothing to choose.
        if (
            len(table.trick) in (1, 2, 3)
            and _next_seat(table) in (NORTH, SOUTH)
            and not _hand(table, _next_seat(table))
        ):
            table = table._replace(trick=(*table.trick, SuitMove(_next_seat(table), OUT)))
        return self._gather_trick(table) if len(table.trick) == 4 else table

    def possible(self, table: SuitTable) -> int:
        """The worlds that a table allows, a bit for each."""
        west, east = self.suit.held_by
        found = self.suit.every_world
        for number, (west_shown, east_shown) in enumerate(zip(table.west, table.east, strict=True)):
            found &= west.at_least[number][west_shown] & east.at_least[number][east_shown]
        if table.west_out:
            found &= west.in_all[sum(table.west)]
        return found & east.in_all[sum(table.east)] if table.east_out else found

    def fits(self, table: SuitTable, world: World) -> bool:
        """Whether a layout allows what the defenders have played."""
        west_left = east_left = 0
        for cards, has, west, east in zip(self.suit.classes, world, table.west, table.east, strict=True):
            if west > has or east > len(cards) - has:
                return False
            west_left += has - west
            east_left += len(cards) - has - east
        return not (table.west_out and west_left) and not (table.east_out and east_left)

    # ------------------------------------------------------------------ inside

    def _leads(self, table: SuitTable) -> list[SuitMove]:
        seats = [seat for seat in (NORTH, SOUTH) if _hand(table, seat) and self._can_lead(table, seat)]
        return [SuitMove(seat, card) for seat in seats for card in self._different(table, seat)]

    def _can_lead(self, table: SuitTable, seat: int) -> bool:
        return table.in_hand == seat or table.entries[seat // 2] > 0

    def _spend_entry(self, table: SuitTable, seat: int) -> SuitTable:
        if table.in_hand == seat:
            return table
        left = list(table.entries)
        left[seat // 2] -= 1
        return table._replace(entries=(left[0], left[1]))

    def _follows(self, table: SuitTable, seat: int) -> list[SuitMove]:
        cards = self._different(table, seat)
        if not self.lean or self.entries != FREE:
            return [SuitMove(seat, card) for card in cards]
        partner, defender = table.trick[0].card, table.trick[1].card
        useful = [
            card
            for card in cards
            if card > defender and (partner < defender or (partner < card and self._parts(table, partner, card)))
        ]
        return [SuitMove(seat, card) for card in dict.fromkeys([cards[0], *useful])]

    def _defences(self, table: SuitTable, seat: int) -> list[SuitMove]:
        """The classes that the defender can hold, highest first, and showing out, if some layout allows them."""
        if table.west_out if seat == WEST else table.east_out:
            return [SuitMove(seat, OUT)]
        found = []
        for number, cards in enumerate(self.suit.classes):
            if self._is_possible(self._show(table, seat, number)):
                found.append(SuitMove(seat, cards[0]))
        if self._is_possible(self._show(table, seat, None)):
            found.append(SuitMove(seat, OUT))
        return found

    def _is_possible(self, table: SuitTable) -> bool:
        return self.possible(table) != 0

    def _show(self, table: SuitTable, seat: int, number: int | None) -> SuitTable:
        if number is None:
            return table._replace(west_out=True) if seat == WEST else table._replace(east_out=True)
        counts = table.west if seat == WEST else table.east
        counts = (*counts[:number], counts[number] + 1, *counts[number + 1 :])
        return table._replace(west=counts) if seat == WEST else table._replace(east=counts)

    def _without(self, table: SuitTable, move: SuitMove) -> SuitTable:
        """The table with the card gone from its hand, or shown by its defender."""
        if move.seat in (EAST, WEST):
            return self._show(table, move.seat, self.suit.class_of[move.card] if move.card else None)
        hand = tuple(card for card in _hand(table, move.seat) if card != move.card)
        return table._replace(north=hand) if move.seat == NORTH else table._replace(south=hand)

    def _gather_trick(self, table: SuitTable) -> SuitTable:
        winner = max(table.trick, key=lambda move: move.card)
        won = winner.seat in (NORTH, SOUTH)
        in_hand = winner.seat if won and self.entries != FREE else NOBODY
        return table._replace(tricks=table.tricks + won, trick=(), in_hand=in_hand)

    def _different(self, table: SuitTable, seat: int) -> list[Rank]:
        """Of cards that touch, the lowest; the lowest of all first."""
        found: list[Rank] = []
        for card in reversed(_hand(table, seat)):
            if not found or self._parts(table, found[-1], card):
                found.append(card)
        return found

    def _parts(self, table: SuitTable, low: Rank, high: Rank) -> bool:
        """Whether something stands between two cards that makes them differ."""
        for cards, west, east in zip(self.suit.classes, table.west, table.east, strict=True):
            if low < cards[0] < high and west + east < len(cards):
                return True
        if any(low < move.card < high for move in table.trick):
            return True
        if self.entries == FREE:
            return False
        return any(low < card < high for card in (*table.north, *table.south))


def _splits(splits: Mapping[int, Number]) -> tuple[tuple[int, Fraction], ...]:
    given = tuple((cards, Fraction(exact_number(chance))) for cards, chance in sorted(splits.items()))
    if not given or min(chance for _, chance in given) < 0 or not sum(chance for _, chance in given):
        raise InputError(f"expected chances of splits that are not negative and not all zero, found {dict(splits)}")
    return given


def _hand(table: SuitTable, seat: int) -> Holding:
    return table.north if seat == NORTH else table.south


def _next_seat(table: SuitTable) -> int:
    return (table.trick[0].seat + len(table.trick)) % 4
