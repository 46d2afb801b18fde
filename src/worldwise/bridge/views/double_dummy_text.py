"""A double-dummy table and the par, for a terminal and for programs.

Rows and columns stand as bridge players print them: partners together, notrump first and then the suits downwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table

from worldwise.bridge.rules.contract import Strain
from worldwise.bridge.rules.deal import Seat

if TYPE_CHECKING:
    from worldwise.bridge.solvers.dds import DoubleDummyTable, Par, ParContract

ROWS = (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)
COLUMNS = (Strain.NOTRUMP, Strain.SPADES, Strain.HEARTS, Strain.DIAMONDS, Strain.CLUBS)


def double_dummy_table(table: DoubleDummyTable, *, ascii: bool = False) -> Table:  # noqa: A002
    """How many tricks each declarer takes in each strain, when everybody sees all cards.

    >>> from worldwise.bridge.solvers.dds import DoubleDummyTable
    >>> double_dummy_table(DoubleDummyTable(((7, 7, 7, 7, 7),) * 4)).row_count
    4
    """
    shown = Table(title="tricks double dummy", title_justify="left")
    shown.add_column("declarer", no_wrap=True)
    for strain in COLUMNS:
        shown.add_column(strain.letter if ascii else strain.symbol, justify="right", no_wrap=True)
    for seat in ROWS:
        shown.add_row(str(seat), *(str(table[seat, strain]) for strain in COLUMNS))
    return shown


def par_words(par: Par) -> str:
    """The par in a line.

    >>> from worldwise.bridge.solvers.dds import Par, ParContract
    >>> par_words(Par(-980, (ParContract(6, Strain.HEARTS, (Seat.EAST, Seat.WEST)),)))
    'par: 980 to East-West, 6H= by EW'
    >>> par_words(Par(0))
    'par: 0, all pass'
    """
    if not par.contracts:
        return "par: 0, all pass"
    side = "North-South" if par.score > 0 else "East-West"
    return f"par: {abs(par.score)} to {side}, {' or '.join(map(str, par.contracts))}"


def double_dummy_json(table: DoubleDummyTable, par: Par | None = None) -> dict[str, Any]:
    """The table, and the par if it is given; the score is North and South's.

    >>> from worldwise.bridge.solvers.dds import DoubleDummyTable
    >>> double_dummy_json(DoubleDummyTable(((7, 6, 8, 5, 9),) * 4))["tricks"]["E"]
    {'NT': 9, 'S': 7, 'H': 6, 'D': 8, 'C': 5}
    """
    tricks = {seat.letter: {strain.letter: table[seat, strain] for strain in COLUMNS} for seat in ROWS}
    return {"tricks": tricks} | ({} if par is None else {"par": par_json(par)})


def par_json(par: Par) -> dict[str, Any]:
    """The par: the score of North and South, and the contracts that reach it."""
    return {"score": par.score, "contracts": list(map(_contract_json, par.contracts))}


def _contract_json(contract: ParContract) -> dict[str, Any]:
    declarers = [seat.letter for seat in contract.declarers]
    return {"contract": contract.bid, "declarers": declarers, "result": contract.result}
