"""A single suit at bridge, against best defence (FB01 sections 2.3 and 5): the game that its searchers play.

Declarer (MAX) holds North and South and leads every trick from whichever hand he likes, or as entries allow; the
defenders (MIN) hold the other cards of the suit, see everything, and never lead it. Defenders' cards that touch, with
none of declarer's between them, are one *class*: it matters only how many of each West holds, so 2^n layouts shrink to
some ten to a hundred and fifty worlds. Of declarer's own cards that touch, he plays the lowest. A hand of his that is
out of the suit discards; play ends when both are.

Two things can be said otherwise (``Suit.ruffs``, ``Suit.defenders_lead``). A hand of declarer's that is out of the suit
may ruff, so many times in all: that wins the round, which counts as a trick, and nobody overruffs. And the defenders
may lead the first round, or every round while they have a card of the suit; they choose which of them leads, unless it
is said. Once they have none left, declarer leads what he has.

A ``SuitTable`` is all that everyone can see. Two ways of playing that lead to one table have the same future; a
position of the game holds the way too, because what is best may depend on what else could have happened (FB01's
non-locality).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import NamedTuple

from worldwise.bridge.rules.cards import Holding, Rank, rank_name
from worldwise.bridge.suit.combination import Suit, World
from worldwise.core.game import Side
from worldwise.core.scale import Thermometer
from worldwise.errors import InputError

__all__ = [
    "EAST",
    "FREE",
    "NOBODY",
    "NORTH",
    "OUT",
    "RUFF",
    "SEATS",
    "SOUTH",
    "WEST",
    "Suit",
    "SuitGame",
    "SuitMove",
    "SuitPosition",
    "SuitTable",
    "World",
]

NORTH, EAST, SOUTH, WEST = range(4)
SEATS = "NESW"

OUT = 0
"""What a hand plays that has no card of the suit left."""

RUFF = 15
"""What a hand of declarer's that has none left plays instead, if it ruffs: higher than the ace."""


class SuitMove(NamedTuple):
    """A card, or ``OUT`` (-) or ``RUFF`` (R), from a seat; a defender's card stands for its class."""

    seat: int
    card: Rank

    def __str__(self) -> str:
        return f"{SEATS[self.seat]}{ {OUT: '-', RUFF: 'R'}.get(self.card) or rank_name(self.card) }"


class RoundPlan(NamedTuple):
    """A lead, and the other hand's card for every class of second hand's; the last one is for showing out."""

    lead: SuitMove
    thirds: bytes


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
    ruffs: int = 0


class SuitPosition(NamedTuple):
    """A table, and how it came about."""

    table: SuitTable
    history: tuple[SuitMove, ...]


FREE = (inf, inf)
"""Entries to North and South without end."""

NOBODY = -1
"""Declarer is in neither hand: a defender won the trick, or there was none yet."""


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
        table = SuitTable(self.suit.north, self.suit.south, shown, shown, False, False, 0, (), NOBODY, self.entries)
        return SuitPosition(table._replace(ruffs=self.suit.ruffs), ())

    def to_move(self, position: SuitPosition) -> Side | None:
        """Declarer leads and plays third, the defenders second and fourth; the other way round where they lead."""
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
            if self.is_over(table):
                return None
            return Side.MIN if self._defenders_lead(table) else Side.MAX
        return Side.MIN if _next_seat(table) in (EAST, WEST) else Side.MAX

    def is_over(self, table: SuitTable) -> bool:
        """Whether the goal is reached or out of reach, or no trick is left; asked between tricks."""
        left = max(len(table.north), len(table.south))
        if self.goal is not None and not table.tricks < self.goal <= table.tricks + left:
            return True
        return not left or not (self._defenders_lead(table) or self._leads(table))

    def score(self, table: SuitTable) -> int:
        """What declarer has got."""
        return table.tricks if self.goal is None else int(table.tricks >= self.goal)

    def options(self, table: SuitTable) -> list[SuitMove]:
        """The plays that differ."""
        if not table.trick:
            return self._defenders_leads(table) if self._defenders_lead(table) else self._leads(table)
        seat = _next_seat(table)
        return self._defences(table, seat) if seat in (EAST, WEST) else self._follows(table, seat)

    def after(self, table: SuitTable, move: SuitMove) -> SuitTable:
        """The table after a card; the fourth ends the trick."""
        table = self._drop_card(table, move)._replace(trick=(*table.trick, move))
        if len(table.trick) == 1 and move.seat in (NORTH, SOUTH):
            table = self._spend_entry(table, move.seat)
        if len(table.trick) < 4 and self._only_discards(table, _next_seat(table)):
            table = table._replace(trick=(*table.trick, SuitMove(_next_seat(table), OUT)))
        return self._gather_trick(table) if len(table.trick) == 4 else table

    def _only_discards(self, table: SuitTable, seat: int) -> bool:
        """Whether it is the turn of a hand of declarer's that has nothing to choose."""
        return seat in (NORTH, SOUTH) and not _hand(table, seat) and not table.ruffs

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
        return [SuitMove(seat, card) for seat in seats for card in self._lowest_of_touching(table, seat)]

    def _defenders_lead(self, table: SuitTable) -> bool:
        """Whether the defenders lead to the next trick: never, the first only, or as long as they have a card."""
        if self.suit.defenders_lead == "never":
            return False
        shown = sum(table.west) + sum(table.east)
        return shown < (self.suit.missing if self.suit.defenders_lead == "always" else min(self.suit.missing, 1))

    def _defenders_leads(self, table: SuitTable) -> list[SuitMove]:
        seats = {"west": (WEST,), "east": (EAST,)}.get(self.suit.defenders_lead, (WEST, EAST))
        return [move for seat in seats for move in self._defences(table, seat) if move.card != OUT]

    def _can_lead(self, table: SuitTable, seat: int) -> bool:
        return table.in_hand == seat or table.entries[seat // 2] > 0

    def _spend_entry(self, table: SuitTable, seat: int) -> SuitTable:
        if table.in_hand == seat:
            return table
        left = list(table.entries)
        left[seat // 2] -= 1
        return table._replace(entries=(left[0], left[1]))

    def _follows(self, table: SuitTable, seat: int) -> list[SuitMove]:
        cards = self._lowest_of_touching(table, seat) or [OUT, RUFF][: 1 + (table.ruffs > 0)]
        if self.lean and self.entries == FREE and len(table.trick) > 1:
            cards = list(dict.fromkeys([cards[0], *(card for card in cards if self._is_useful(table, card))]))
        return [SuitMove(seat, card) for card in cards]

    def _is_useful(self, table: SuitTable, card: Rank) -> bool:
        """Whether a third or fourth hand's card may win the trick where partner's does not."""
        partner, defender = table.trick[-2].card, max(move.card for move in table.trick if move.seat in (EAST, WEST))
        if partner < defender < card or len(table.trick) == 3:
            return partner < defender < card
        return defender < partner < card and self._parts(table, partner, card)

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

    def _drop_card(self, table: SuitTable, move: SuitMove) -> SuitTable:
        """The table with the card gone from its hand, or shown by its defender."""
        if move.seat in (EAST, WEST):
            return self._show(table, move.seat, self.suit.class_of[move.card] if move.card else None)
        if move.card in (OUT, RUFF):
            return table._replace(ruffs=table.ruffs - (move.card == RUFF))
        hand = tuple(card for card in _hand(table, move.seat) if card != move.card)
        return table._replace(north=hand) if move.seat == NORTH else table._replace(south=hand)

    def _gather_trick(self, table: SuitTable) -> SuitTable:
        winner = max(table.trick, key=lambda move: move.card)
        won = winner.seat in (NORTH, SOUTH)
        in_hand = winner.seat if won and self.entries != FREE else NOBODY
        return table._replace(tricks=table.tricks + won, trick=(), in_hand=in_hand)

    def _lowest_of_touching(self, table: SuitTable, seat: int) -> list[Rank]:
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


def _hand(table: SuitTable, seat: int) -> Holding:
    return table.north if seat == NORTH else table.south


def _next_seat(table: SuitTable) -> int:
    return (table.trick[0].seat + len(table.trick)) % 4
