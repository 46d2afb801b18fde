"""Fronts of a single suit's tables: from the kernel, or from ``search.transposed`` on the readable rules, its twin."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, reduce
from itertools import cycle
from operator import and_, or_
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

import numpy as np

from worldwise.bridge.suit.combination import DEFENDERS_LEAD
from worldwise.bridge.suit.rules import FREE, NOBODY, Suit, SuitGame, SuitTable
from worldwise.bridge.suit.weighing import Mask, Scales
from worldwise.core.result import Tally
from worldwise.kernels import native, watch
from worldwise.search.transposed import Fronts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from worldwise.bridge.suit.solver import SuitSolver

Levels = tuple[Mask, ...]
"""For 1, 2, 3 ... tricks, the worlds in which a line wins at least so many."""

Gains = Sequence[Sequence[int]]
"""For every trick, what it adds in each world to what the tricks before it are worth."""

Start = tuple[SuitTable, ...]
"""A way to begin: the tables of the first trick between which the defenders choose."""


Bound = tuple[bytes, int, int]
"""Of a number of tricks: packed sets of worlds one of which has all that any line wins, the most and least to win."""


class FrontSummary(NamedTuple):
    """A front in short: the best outcome, its weight, and all that any outcome has.

    Every outcome is within one of ``sets``, packed for the kernel: the front, or if it is long, one that has all.
    """

    best: Levels
    weight: int
    any: Levels
    sets: bytes = b""


class Wanted(NamedTuple):
    """Which outcomes matter to a search: those worth more than ``beat`` that win the least of every goal.

    ``goals`` are for 1, 2, 3 ... tricks.
    """

    goals: list[Bound]
    beat: int = -1
    gains: Gains | None = None


ANYTHING = Wanted([])


class FrontSource(Protocol):
    """Fronts of tables: outcomes of one level for a goal, of several for further tricks.

    A source that ``uses_bounds`` leaves out what is not wanted.
    """

    uses_bounds: ClassVar[bool]

    def __init__(self, solver: SuitSolver, levels: int, wanted: Wanted = ANYTHING) -> None: ...

    def summary(self, tables: Start, need: int) -> FrontSummary:
        """In short, the front where the defenders choose one of several tables of the first trick."""

    def secures(self, table: SuitTable, need: int, wanted: Sequence[Mask]) -> bool:
        """Whether all of an outcome can be had."""

    def front(self, table: SuitTable, need: int) -> list[Levels]:
        """The undominated outcomes from a table on, ``need`` tricks being wanted (or left, if tricks are counted)."""


class CompiledFronts:
    """The compiled solver; it keeps what it has found out about tables."""

    uses_bounds: ClassVar[bool] = True

    def __init__(self, solver: SuitSolver, levels: int, wanted: Wanted = ANYTHING) -> None:
        suit = solver.suit
        self.clock = solver.clock
        self.levels, self.size = levels, next(size for size in native.SUIT_LEVELS if size >= levels)
        rules = kernel_rules(suit, lean=True, free=solver.entries == FREE)
        weights = np.array(wanted.gains or [suit.weights], dtype=np.int64)
        make = getattr(native, f"SuitSolver{self.size}")
        self.kernel = make(rules, weights, levels > 1, suit.length, wanted.goals, wanted.beat)

    def summary(self, tables: Start, need: int) -> FrontSummary:
        """In short, the front where the defenders choose one of several tables of the first trick."""
        asked = [kernel_table(table, need) for table in tables]
        best, weight, anything, sets = self._ask(self.kernel.summary, asked)
        return FrontSummary(self._outcomes(best)[0], weight, self._outcomes(anything)[0], sets)

    def secures(self, table: SuitTable, need: int, wanted: Sequence[Mask]) -> bool:
        """Whether all of an outcome can be had."""
        levels = [*wanted, *[0] * (self.size - len(wanted))]
        won: bool = self._ask(self.kernel.secures, kernel_table(table, need), pack_sets(levels))
        return won

    def _ask(self, question: Callable[..., Any], *about: Any) -> Any:
        with watch(self.clock) as most:
            return question(*about, *most)

    def front(self, table: SuitTable, need: int) -> list[Levels]:
        """The front, each level a mask of worlds."""
        return self._outcomes(self._ask(self.kernel.front, kernel_table(table, need)))

    def _outcomes(self, data: bytes) -> list[Levels]:
        masks = read_sets(data)
        return [tuple(masks[start : start + self.levels]) for start in range(0, len(masks), self.size)]


class ReadableFronts:
    """The same from the readable rules: slower, without bounds, and what the kernel is compared with."""

    uses_bounds: ClassVar[bool] = False

    def __init__(self, solver: SuitSolver, levels: int, wanted: Wanted = ANYTHING) -> None:
        self.solver, self.levels, self.wanted = solver, levels, wanted
        self.fronts: dict[int | None, Fronts] = {}

    def front(self, table: SuitTable, need: int) -> list[Levels]:
        """The front, each level a mask of worlds."""
        goal = None if self.levels > 1 else table.tricks + need
        if goal is not None and goal <= 0:
            return [(self.solver.possible(table),)]
        if goal not in self.fronts:
            tables = _Tables(SuitGame(self.solver.suit, goal, self.solver.entries))
            self.fronts[goal] = Fronts(tables, Tally(self.solver.clock))
        here = self.solver.possible(table)
        fronts = self.fronts[goal]
        return [self._levels(fronts.coded.scale.vector(code), table.tricks, here) for code in fronts.at(table)]

    def summary(self, tables: Start, need: int) -> FrontSummary:
        """In short, the front where the defenders choose one of several tables of the first trick."""
        front = reduce(_meet, [self._count_excluded_as_won(table, need) for table in tables])
        inside = reduce(or_, map(self.solver.possible, tables))
        front = [tuple(mask & inside for mask in levels) for levels in front]
        worth = [(self._worth(levels), levels) for levels in front if self._is_enough(levels)]
        weight, best = max(worth, default=(-1, (0,) * self.levels))
        union = tuple(reduce(or_, masks) for masks in zip(*front, strict=True))
        return FrontSummary(best, weight, union)

    def _count_excluded_as_won(self, table: SuitTable, need: int) -> list[Levels]:
        """A table's front, in which worlds that it excludes count as won."""
        elsewhere = self.solver.suit.every_world & ~self.solver.possible(table)
        return [tuple(mask | elsewhere for mask in levels) for levels in self.front(table, need)]

    def _worth(self, levels: Levels) -> int:
        return sum(scales.weigh(mask) for scales, mask in zip(cycle(self._scales), levels, strict=False))

    def _is_enough(self, levels: Levels) -> bool:
        goals = zip(cycle(self._scales), levels, self.wanted.goals, strict=False)
        return all(scales.weigh(mask) >= least for scales, mask, (_, _, least) in goals)

    @cached_property
    def _scales(self) -> list[Scales]:
        return list(map(Scales, self.wanted.gains or [self.solver.suit.weights]))

    def secures(self, table: SuitTable, need: int, wanted: Sequence[Mask]) -> bool:
        """Whether all of an outcome can be had."""
        return any(_is_within(wanted, levels) for levels in self.front(table, need))

    def _levels(self, vector: Iterable[float | None], won: int, here: Mask) -> Levels:
        payoffs = [-1 if payoff is None else payoff for payoff in vector]
        first = 1 if self.levels == 1 else won + 1
        return tuple(
            here & sum(1 << world for world, payoff in enumerate(payoffs) if payoff >= first + level)
            for level in range(self.levels)
        )


def _meet(one: list[Levels], other: list[Levels]) -> list[Levels]:
    return [tuple(map(and_, a, b)) for a in one for b in other]


class _Tables:
    """The game as a ``WorldGame`` over tables, which are their own keys."""

    def __init__(self, game: SuitGame) -> None:
        self.game = game
        self.scale, self.worlds, self.weights = game.scale, game.worlds, game.weights
        self.to_move, self.moves, self.play = game.side, game.options, game.after

    def key(self, table: SuitTable) -> SuitTable:
        """The table itself."""
        return table

    def payoffs(self, table: SuitTable) -> list[int | None]:
        """As the game has them."""
        score = self.game.score(table)
        return [score if self.game.fits(table, world) else None for world in self.game.suit.worlds]

    def code(self, table: SuitTable) -> int:
        """The payoffs, coded."""
        return self.scale.code(self.payoffs(table))


def kernel_rules(suit: Suit, *, lean: bool, free: bool) -> Any:
    """The rules as the kernels have them."""
    worlds = np.array(suit.worlds, dtype=np.uint8).reshape(len(suit.worlds), len(suit.classes))
    sizes = np.array([len(cards) for cards in suit.classes], dtype=np.uint8)
    tops = np.array([cards[0] for cards in suit.classes], dtype=np.uint8)
    return native.suit_rules(sizes, tops, worlds, lean, free, DEFENDERS_LEAD.index(suit.defenders_lead))


def kernel_table(table: SuitTable, need: int) -> Any:
    """A table as the kernels have it."""
    north_entries, south_entries = (
        native.SUIT_UNLIMITED if entries > 200 else int(entries) for entries in table.entries
    )
    return native.suit_table(
        sum([1 << card for card in table.north]),
        sum([1 << card for card in table.south]),
        bytes(table.west),
        bytes(table.east),
        table.west_out,
        table.east_out,
        need,
        bytes([value for move in table.trick for value in move]),
        native.SUIT_NOBODY if table.in_hand == NOBODY else table.in_hand,
        north_entries,
        south_entries,
        table.ruffs,
    )


def _is_within(wanted: Sequence[Mask], levels: Levels) -> bool:
    return all(want & ~mask == 0 for want, mask in zip(wanted, levels, strict=False))


def pack_sets(masks: Iterable[Mask]) -> bytes:
    """Sets of worlds as the kernels have them; nothing without kernels, which need none."""
    return b"".join(mask.to_bytes(8 * native.SUIT_WORDS, "little") for mask in masks)


def read_sets(data: bytes) -> list[Mask]:
    """The sets of worlds that are packed so."""
    word = 8 * native.SUIT_WORDS if data else 1
    return [int.from_bytes(data[at : at + word], "little") for at in range(0, len(data), word)]
