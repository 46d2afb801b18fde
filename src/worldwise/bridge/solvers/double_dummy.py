"""Double dummy for search: how many tricks can a side take, all four hands being seen?

``double_dummy(deal, trumps)`` is a solver for one deal. Ask it about any position that can arise from the deal: it
remembers what it has found out, so that the thousands of related questions of a search become cheap. Three kinds give
the same answers: the compiled solver, DDS where that is not built, and the readable solver where there is neither.

A single question about a deal nobody has asked about before is put to whoever answers it sooner: ``can_take`` and
``tricks`` of this module (see the documentation on speed for the measurement).

Several threads may use one solver: with kernels they take turns, a question each.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from worldwise.bridge.rules.deal import SEATS, Deal, cards_in
from worldwise.bridge.rules.play import Position, check_position
from worldwise.bridge.solvers import readable_double_dummy as readable
from worldwise.bridge.solvers.dds import Dds
from worldwise.core.result import NO_LIMIT, Clock, Limit
from worldwise.errors import InputError
from worldwise.kernels import native, pick, watch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from worldwise.bridge.rules.contract import Strain
    from worldwise.bridge.rules.deal import Card, Seat
    from worldwise.bridge.rules.play import Hands

ENTRIES = 1 << 18
"""How many facts the compiled solver keeps for a deal: at most 12 MiB; it forgets them all when they become more."""

READABLE_ENTRIES = 1 << 14
"""The same for the readable solver, which looks at it between two questions: some 6 MiB."""

MOST_TRICKS = 13

_NOT_UNDERSTOOD = (AttributeError, LookupError, OverflowError, TypeError, ValueError)
"""What comes of a position with something else in it than seats, strains and cards."""

FRESH = 12
"""From so many cards a hand on, DDS answers a single question about a new deal sooner than the compiled solver."""


class DoubleDummySolver(ABC):
    """Answers questions about the positions of one deal; what it says counts for the side of ``seat``."""

    @abstractmethod
    def north_south_take(self, positions: Sequence[Position], tricks: Sequence[int], limit: Limit) -> Iterable[bool]:
        """For each position, whether North and South can take so many of the tricks that are left."""

    @abstractmethod
    def north_south_tricks(self, positions: Sequence[Position], limit: Limit) -> Iterable[int]:
        """For each position, the most tricks North and South can still take."""

    def __deepcopy__(self, memo: object) -> DoubleDummySolver:
        """Itself: it only remembers, and what it remembers is true for every copy of whoever asks."""
        return self

    def can_take_all(
        self, positions: Sequence[Position], tricks: Sequence[int], seat: Seat, limit: Limit = NO_LIMIT
    ) -> list[bool]:
        """For each position, whether a side can take so many of the tricks that are left."""
        with _explain_refusals(positions):
            if seat & 1 == 0:
                return list(self.north_south_take(positions, tricks, limit))
            # East and West take them if North and South cannot take what would be too many.
            too_many = [position.tricks_left - wanted + 1 for position, wanted in zip(positions, tricks, strict=True)]
            return [not taken for taken in self.north_south_take(positions, too_many, limit)]

    def tricks_of_all(self, positions: Sequence[Position], seat: Seat, limit: Limit = NO_LIMIT) -> list[int]:
        """For each position, the most tricks a side can still take."""
        with _explain_refusals(positions):
            taken = list(self.north_south_tricks(positions, limit))
            if seat & 1 == 0:
                return taken
            return [position.tricks_left - theirs for position, theirs in zip(positions, taken, strict=True)]

    def can_take(self, position: Position, tricks: int, seat: Seat | None = None) -> bool:
        """Whether a side can take so many of the tricks that are left; without a seat, the side to move."""
        with _explain_refusals([position]):
            return self.can_take_all([position], [tricks], position.to_move if seat is None else seat)[0]

    def tricks(self, position: Position, seat: Seat | None = None) -> int:
        """The most tricks a side can still take; without a seat, the side to move."""
        with _explain_refusals([position]):
            return self.tricks_of_all([position], position.to_move if seat is None else seat)[0]


@contextmanager
def _explain_refusals(positions: Iterable[Position]) -> Iterator[None]:
    """Where something goes wrong with positions, what is wrong with them, in words."""
    try:
        yield
    except _NOT_UNDERSTOOD:
        for position in positions:
            check_position(position)
        raise


def double_dummy(deal: Deal | Hands, trumps: Strain, entries: int = ENTRIES) -> DoubleDummySolver:
    """A solver for the positions of one deal.

    >>> from worldwise.bridge.rules.contract import Strain
    >>> from worldwise.bridge.rules.deal import Seat
    >>> from worldwise.bridge.rules.play import Position
    >>> deal = Deal.read("N:AQ... 32... 54... KJ...")
    >>> solver = double_dummy(deal, Strain.NOTRUMP)
    >>> solver.tricks(Position(deal.hands, Strain.NOTRUMP, Seat.SOUTH))
    2
    """
    hands = deal.hands if isinstance(deal, Deal) else deal
    check_position(Position(hands, trumps, SEATS[0]))
    return pick(CompiledDoubleDummy, _solver_for_any_deal)(hands, trumps, entries)


def _solver_for_any_deal(_hands: Hands, _trumps: Strain, _entries: int = ENTRIES) -> DoubleDummySolver:
    """Who answers where there are no kernels: DDS, or else the readable solver. Neither is tied to one deal."""
    return DdsSolver() if dds_found() else ReadableDoubleDummy()


def can_take(position: Position, tricks: int, seat: Seat | None = None) -> bool:
    """Whether a side can take so many of the tricks that are left, asked about one position only.

    >>> from worldwise.bridge.rules.contract import Strain
    >>> from worldwise.bridge.rules.deal import Seat
    >>> from worldwise.bridge.rules.play import Position
    >>> position = Position(Deal.read("N:AQ... 32... 54... KJ...").hands, Strain.NOTRUMP, Seat.SOUTH)
    >>> can_take(position, 2), can_take(position, 1, Seat.WEST)
    (True, False)
    """
    try:
        fresh = position.hands[position.leader].bit_count() >= FRESH and dds_found()
        return pick(_compiled_can_take, _can_take, fits=not fresh)(position, tricks, seat)
    except _NOT_UNDERSTOOD:
        check_position(position)
        raise


def _can_take(position: Position, tricks: int, seat: Seat | None) -> bool:
    return _solver_for_one(position).can_take(position, tricks, seat)


def _compiled_can_take(position: Position, tricks: int, seat: Seat | None) -> bool:
    """The shortest way in: small endings take a few microseconds."""
    return native.can_take(*_row(position), position.trumps, -1 if seat is None else seat, tricks)


def tricks(position: Position, seat: Seat | None = None) -> int:
    """The most tricks a side can still take, asked about one position only."""
    check_position(position)
    return _solver_for_one(position).tricks(position, seat)


def card_tricks(solver: DoubleDummySolver, position: Position, limit: Limit = NO_LIMIT) -> dict[Card, int]:
    """For every legal card, the tricks its player's side can still take after it, the trick on the table included.

    With nearly all cards left DDS is asked where it is found: it is several times as fast at counting tricks there.

    >>> from worldwise.bridge.rules.contract import Strain
    >>> from worldwise.bridge.rules.deal import Seat, card_name
    >>> from worldwise.bridge.rules.play import Position
    >>> deal = Deal.read("N:AQ... 32... 54... KJ...")
    >>> position = Position(deal.hands, Strain.NOTRUMP, Seat.NORTH)
    >>> {card_name(card): n for card, n in card_tricks(double_dummy(deal, Strain.NOTRUMP), position).items()}
    {'SA': 1, 'SQ': 1}
    """
    if position.tricks_left >= FRESH and dds_found():
        return Dds().cards(position)
    seat = position.to_move
    cards = list(cards_in(position.legal))
    after = [position.play(card) for card in cards]
    now = [state.won[seat & 1] - position.won[seat & 1] for state in after]
    return dict(zip(cards, map(sum, zip(now, solver.tricks_of_all(after, seat, limit), strict=True)), strict=True))


@cache
def dds_found() -> bool:
    """Whether there is a DDS library."""
    try:
        return bool(Dds().version)
    except InputError:
        return False


def _solver_for_one(position: Position) -> DoubleDummySolver:
    """Whoever answers a single question sooner."""
    fresh = position.tricks_left >= FRESH and dds_found()
    return pick(CompiledDoubleDummy, _solver_for_any_deal, fits=not fresh)(position.dealt, position.trumps)


class CompiledDoubleDummy(DoubleDummySolver):
    """The solver of ``native/bridge/double_dummy.cpp``: the deal's table is kept from question to question."""

    def __init__(self, hands: Hands, trumps: Strain, entries: int = ENTRIES) -> None:
        self._hands = hands
        self._trumps = trumps
        self.kernel = native.DoubleDummy(*hands, int(trumps), entries)

    @property
    def nodes(self) -> int:
        """How many tricks were begun in the last call for many positions, and in all calls for one since."""
        return self.kernel.nodes

    @property
    def entries(self) -> int:
        """How many facts are remembered."""
        return self.kernel.entries

    def can_take(self, position: Position, tricks: int, seat: Seat | None = None) -> bool:
        """As every solver, but the shortest way in: small endings take a few microseconds."""
        try:
            return self.kernel.can_take(*_row(position), position.trumps, -1 if seat is None else seat, tricks)
        except (InputError, *_NOT_UNDERSTOOD):
            self._check(position)
            raise

    def north_south_take(self, positions: Sequence[Position], tricks: Sequence[int], limit: Limit) -> Iterable[bool]:
        """As every solver."""
        targets = np.array([max(0, min(wanted, MOST_TRICKS + 1)) for wanted in tricks], dtype=np.int32)
        taken: list[bool] = self._ask(
            positions, limit, lambda rows, most: self.kernel.can_take_all(rows, targets, *most)
        )
        return taken

    def north_south_tricks(self, positions: Sequence[Position], limit: Limit) -> Iterable[int]:
        """As every solver."""
        found: list[int] = self._ask(positions, limit, lambda rows, most: self.kernel.tricks_of_all(rows, *most))
        return found

    def _ask(self, positions: Sequence[Position], limit: Limit, question: Callable[..., NDArray[Any]]) -> list[Any]:
        """The kernel's answers. It checks every position; what it refuses is looked at again, for an error in words."""
        try:
            with watch(Clock(limit, "double dummy")) as most:
                answers: list[Any] = question(self._rows(positions), most).tolist()
        except (InputError, *_NOT_UNDERSTOOD):
            for position in positions:
                self._check(position)
            raise
        return answers

    def _rows(self, positions: Sequence[Position]) -> NDArray[np.uint64]:
        """The positions as the kernel reads them."""
        for position in positions:
            if position.trumps != self._trumps:
                self._check(position)
        return np.array([_row(position) for position in positions], dtype=np.uint64).reshape(-1, native.POSITION_WORDS)

    def _check(self, position: Position) -> None:
        """A position that the kernel would refuse, in words."""
        check_position(position)
        foreign = any(hand & ~dealt for hand, dealt in zip(position.dealt, self._hands, strict=True))
        if foreign or position.trumps != self._trumps:
            deal = f"{Deal(self._hands)} in {self._trumps.letter}"
            raise InputError(f"expected a position of the deal {deal}, found {position}")


def _row(position: Position) -> tuple[int, int, int, int, int, int, int, int, int]:
    """A position as the kernel reads it: the hands, who led, how many cards are on the table, and these."""
    first, second, third, *_ = (*position.trick, 0, 0, 0)
    return (*position.hands, position.leader, len(position.trick), first, second, third)


class DdsSolver(DoubleDummySolver):
    """The DDS library, which remembers nothing of what it was asked before."""

    def __init__(self, dds: Dds | None = None) -> None:
        self._dds = dds or Dds()

    def north_south_take(self, positions: Sequence[Position], tricks: Sequence[int], limit: Limit) -> Iterable[bool]:
        """As every solver."""
        return _by_north_south(positions, tricks, self._dds.can_take, limit)

    def north_south_tricks(self, positions: Sequence[Position], limit: Limit) -> Iterable[int]:
        """As every solver."""
        return _tricks_by_north_south(positions, self._dds.tricks, limit)


class ReadableDoubleDummy(DoubleDummySolver):
    """Alpha-beta that is easy to read, and remembers what it found for the questions to come."""

    def __init__(self) -> None:
        self._known: readable.Bounds = {}

    def north_south_take(self, positions: Sequence[Position], tricks: Sequence[int], limit: Limit) -> Iterable[bool]:
        """As every solver."""
        return _by_north_south(positions, tricks, self._can_take, limit)

    def north_south_tricks(self, positions: Sequence[Position], limit: Limit) -> Iterable[int]:
        """As every solver."""
        return _tricks_by_north_south(positions, self._tricks, limit)

    def _can_take(self, position: Position, tricks: int) -> bool:
        return readable.can_take(position, tricks, self._with_room())

    def _tricks(self, position: Position) -> int:
        return readable.tricks(position, self._with_room())

    def _with_room(self) -> readable.Bounds:
        if len(self._known) > READABLE_ENTRIES:
            self._known.clear()
        return self._known


def _by_north_south(
    positions: Sequence[Position], tricks: Sequence[int], can_take: Callable[[Position, int], bool], limit: Limit
) -> Iterator[bool]:
    """What a solver that speaks for the side to move says about North and South."""
    clock = Clock(limit, "double dummy")
    for number, (position, wanted) in enumerate(zip(positions, tricks, strict=True)):
        _check(clock, number)
        check_position(position)
        if not 0 < wanted <= position.tricks_left:
            yield wanted <= 0
        elif position.to_move & 1 == 0:
            yield can_take(position, wanted)
        else:
            yield not can_take(position, position.tricks_left - wanted + 1)


def _tricks_by_north_south(
    positions: Sequence[Position], tricks: Callable[[Position], int], limit: Limit
) -> Iterator[int]:
    clock = Clock(limit, "double dummy")
    for number, position in enumerate(positions):
        _check(clock, number)
        check_position(position)
        if position.over:
            yield 0
        else:
            yield tricks(position) if position.to_move & 1 == 0 else position.tricks_left - tricks(position)


def _check(clock: Clock, answered: int) -> None:
    """The first question is always answered."""
    if answered:
        clock.check(answered)
