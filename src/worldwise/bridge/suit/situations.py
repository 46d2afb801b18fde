"""A table between two tricks and the trick that led to it, in a few bytes: a key that is quick to make and compare.

``TrickKeeper`` plays a trick as it is planned against every defence, and says where that can lead. The kernel takes
keys and gives keys; the readable twin below is its specification.
"""

from __future__ import annotations

from functools import cache
from math import inf
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple, Protocol

from worldwise.bridge.suit.fronts import CompiledFronts, pack_sets
from worldwise.bridge.suit.rules import EAST, NOBODY, SuitMove, SuitTable
from worldwise.core.result import NO_LIMIT
from worldwise.kernels import kernel_limit, watch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.bridge.rules.cards import Rank
    from worldwise.bridge.suit.fronts import Levels
    from worldwise.bridge.suit.rules import RoundPlan
    from worldwise.bridge.suit.solver import SuitSolver

Key = bytes
"""A situation, packed."""

Keys = frozenset[Key]

NONE: Keys = frozenset()

CLASSES = 7
"""The defenders' cards never fall into more classes than this."""

UNLIMITED = 255
"""Entries without end."""

NO_HAND = 4
"""In place of the hand that declarer is in."""

NO_TRICK = 255
"""In place of the seat that led, where nothing has been played."""

TABLE = Struct(f"<HH{CLASSES}s{CLASSES}s6B")
"""How a key begins: the table."""

LAST = Struct("<B4s")
"""How it ends: the trick that led there."""

SIZE = TABLE.size + LAST.size


class Situation(NamedTuple):
    """A table between tricks, and the trick that led to it."""

    table: SuitTable
    last: tuple[SuitMove, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether a defender has shown out, so that every card is known."""
        return self.table.west_out or self.table.east_out


class Packing:
    """Situations of one suit as keys, and keys as situations.

    >>> from worldwise.bridge.suit.rules import Suit, SuitGame
    >>> packing = Packing(Suit.of("AQ", "32").length, 2)
    >>> start = Situation(SuitGame(Suit.of("AQ", "32")).root.table)
    >>> packing.unpack(packing.pack(start)) == start
    True
    """

    def __init__(self, length: int, classes: int) -> None:
        self.length, self.classes = length, classes
        self._tables: dict[bytes, SuitTable] = {}

    def pack(self, here: Situation) -> Key:
        """The key of a situation."""
        table, last = here
        north, south = (sum(1 << card for card in hand) for hand in (table.north, table.south))
        in_hand = NO_HAND if table.in_hand == NOBODY else table.in_hand
        entries = [UNLIMITED if count > 200 else int(count) for count in table.entries]
        leader, cards = (last[0].seat, bytes(move.card for move in last)) if last else (NO_TRICK, b"")
        left = self.length - table.tricks
        shown_out = (table.west_out, table.east_out)
        shown = bytes(table.west), bytes(table.east)
        return TABLE.pack(north, south, *shown, *shown_out, left, in_hand, *entries) + LAST.pack(leader, cards)

    def unpack(self, key: Key) -> Situation:
        """The situation that has a key."""
        table = key[: -LAST.size]
        if table not in self._tables:
            self._tables[table] = self._unpack_table(table)
        return Situation(self._tables[table], _unpack_trick(key[-LAST.size :]))

    def _unpack_table(self, key: bytes) -> SuitTable:
        north, south, west, east, west_out, east_out, left, in_hand, first, second = TABLE.unpack(key)
        entries = (inf if first == UNLIMITED else first, inf if second == UNLIMITED else second)
        return SuitTable(
            _cards(north),
            _cards(south),
            tuple(west[: self.classes]),
            tuple(east[: self.classes]),
            bool(west_out),
            bool(east_out),
            self.length - left,
            (),
            NOBODY if in_hand == NO_HAND else in_hand,
            entries,
        )


@cache
def _unpack_trick(last: bytes) -> tuple[SuitMove, ...]:
    leader, cards = LAST.unpack(last)
    return () if leader == NO_TRICK else tuple(SuitMove((leader + place) % 4, card) for place, card in enumerate(cards))


@cache
def _cards(bits: int) -> tuple[Rank, ...]:
    return tuple(card for card in range(14, 1, -1) if bits >> card & 1)


# ---------------------------------------------------------------------- a trick against every defence


class TrickKeeper(Protocol):
    """Plays tricks for a line that wins what ``levels`` say."""

    def __init__(self, solver: SuitSolver, levels: Levels) -> None: ...

    def ends(self, here: Key, plan: RoundPlan, *, shown_out: bool) -> list[Key] | None:
        """Where a plan for a trick can lead, as far as something is still to be won; None if it gives something up.

        If ``shown_out`` ends it, what comes after a defender has shown out is not followed: every card is known.
        """


class CompiledTricks:
    """The kernel; it knows what the solver's has found out."""

    def __init__(self, solver: SuitSolver, levels: Levels) -> None:
        source = solver.counting
        assert isinstance(source, CompiledFronts)
        self.clock, self.kernel = solver.clock, source.kernel
        self.wanted = pack_sets([*levels, *[0] * (source.size - len(levels))])

    def ends(self, here: Key, plan: RoundPlan, *, shown_out: bool) -> list[Key] | None:
        """Where a plan for a trick can lead; None if it gives something up."""
        (seat, card), thirds = plan
        found: bytes | None
        if self.clock.limit == NO_LIMIT:  # asked so often that looking at the clock would take half of the time
            found = self.kernel.ends(here, self.wanted, seat, card, thirds, shown_out, *kernel_limit(NO_LIMIT))
        else:
            with watch(self.clock) as most:
                found = self.kernel.ends(here, self.wanted, seat, card, thirds, shown_out, *most)
        return None if found is None else [found[at : at + SIZE] for at in range(0, len(found), SIZE)]


class ReadableTricks:
    """The same from the readable rules."""

    def __init__(self, solver: SuitSolver, levels: Levels) -> None:
        self.solver, self.rules, self.levels = solver, solver.rules, levels
        self.packing = Packing(solver.suit.length, len(solver.suit.classes))

    def ends(self, here: Key, plan: RoundPlan, *, shown_out: bool) -> list[Key] | None:
        """Where a plan for a trick can lead; None if it gives something up."""
        table = self.packing.unpack(here).table
        led, found = self.rules.after(table, plan.lead), []
        for seen in self._tables_after(led, table.tricks):
            known = shown_out and (seen.west_out or seen.east_out)
            if len(seen.trick) == 2 and not known:
                seen = self.rules.after(seen, self._third(seen, plan))
            if not self.solver.secures(seen, self.levels, None):
                return None
            found += [] if known else list(self._follow(seen, shown_out))
        return found

    def _follow(self, table: SuitTable, shown_out: bool) -> Iterator[Key]:
        """The ends after three cards."""
        for end in self._tables_after(table, table.tricks):
            if self._is_open(end, end.tricks) and not (shown_out and (end.west_out or end.east_out)):
                fourth = _card_played(self.solver, table, end)
                yield self.packing.pack(Situation(end, (*table.trick, fourth)))

    def _tables_after(self, table: SuitTable, won: int) -> Iterator[SuitTable]:
        """The tables after a defender's cards that leave something to be won."""
        after = (self.rules.after(table, move) for move in self.rules.options(table))
        return (seen for seen in after if self._is_open(seen, won))

    def _is_open(self, table: SuitTable, won: int) -> bool:
        return won < len(self.levels) and bool(self.rules.possible(table) & self.levels[won])

    def _third(self, table: SuitTable, plan: RoundPlan) -> SuitMove:
        second = table.trick[1].card
        return SuitMove(2 - plan.lead.seat, plan.thirds[self.solver.suit.class_of[second] if second else -1])


def _card_played(solver: SuitSolver, before: SuitTable, after: SuitTable) -> SuitMove:
    """The fourth card of a trick, by what its defender has shown more."""
    seat = (before.trick[0].seat + 3) % 4
    shown = zip(solver.suit.classes, *((t.east if seat == EAST else t.west) for t in (before, after)), strict=True)
    return SuitMove(seat, next((cards[0] for cards, less, more in shown if more > less), 0))


def new_keeper(solver: SuitSolver, levels: Levels) -> TrickKeeper:
    """The kernel's for a solver that uses it, otherwise the readable twin."""
    return (CompiledTricks if issubclass(solver.source_type, CompiledFronts) else ReadableTricks)(solver, levels)
