"""The double-dummy table of a deal by whoever is there: DDS, or our own solver, which takes longer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.bridge.rules.contract import Strain
from worldwise.bridge.rules.deal import PACK, SEATS
from worldwise.bridge.rules.play import Position
from worldwise.bridge.solvers.dds import Dds, DoubleDummyTable
from worldwise.bridge.solvers.double_dummy import dds_found, double_dummy
from worldwise.errors import InputError
from worldwise.kernels import pick

if TYPE_CHECKING:
    from worldwise.bridge.rules.board import Board
    from worldwise.bridge.rules.deal import Deal
    from worldwise.bridge.solvers.dds import Par

READABLE_CARDS = 6
"""The readable solver answers about endings of so many cards a hand."""

NEEDS_DDS = "DDS is not installed: pip install 'worldwise[bridge]'"


def table_of(deal: Deal) -> DoubleDummyTable:
    """Tricks for each declarer in each strain.

    >>> from worldwise.bridge.rules.deal import Deal, Seat
    >>> table_of(Deal.read("N:AQ... 32... 54... KJ..."))[Seat.NORTH, Strain.NOTRUMP]
    2
    """
    if not deal.complete:
        raise InputError(f"expected all four hands for a double-dummy table, found {deal}")
    if dds_found():
        return Dds().table(deal)
    check_strength(deal.cards.bit_count())
    columns = [_column(deal, strain) for strain in Strain]
    return DoubleDummyTable(tuple(zip(*columns, strict=True)))


def check_strength(cards: int) -> None:
    """Raise an error if nobody is there who can solve a deal of so many cards."""
    if cards > 4 * pick(13, 13 if dds_found() else READABLE_CARDS):
        found = f"found plain Python for {cards} cards"
        raise InputError(f"expected DDS or compiled kernels, {found}: {NEEDS_DDS}")


def _column(deal: Deal, strain: Strain) -> list[int]:
    """The tricks of each declarer in one strain."""
    solver = double_dummy(deal, strain)
    return [solver.tricks(Position(deal.hands, strain, seat.next), seat) for seat in SEATS]


def par_of(board: Board, table: DoubleDummyTable) -> Par | None:
    """The par of a board; None if there is no DDS to say, or fewer than 52 cards."""
    if board.deal.cards != PACK or not dds_found():
        return None
    return Dds().par_of(table, board.vulnerability, board.dealer)
