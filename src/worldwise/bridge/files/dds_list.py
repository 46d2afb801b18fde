"""Lists of deals as the double-dummy solver DDS keeps them for its tests: ``NUMBER``, then a few lines for each deal.

``PBN dealer vulnerability strain leader "deal"`` begins a deal, its numbers counting seats from North and strains from
spades; ``TABLE`` has the tricks of every declarer and ``PAR`` the par score. Both are kept as the tags that PBN has for
them. A list names no contract, so the cards of its ``PLAY`` lines are left out, and so is what DDS found about them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from worldwise.bridge.rules.board import Board, BoardFile, Tag, check_hands
from worldwise.bridge.rules.contract import Vulnerability
from worldwise.bridge.rules.deal import SEATS, Deal
from worldwise.errors import InputError, PlacedError, say_where

if TYPE_CHECKING:
    from collections.abc import Iterator

_DEAL = re.compile(r'PBN ([0-3]) ([0-3]) [0-4] [0-3] "([^"]*)"')
_VULNERABLE = (Vulnerability.NONE, Vulnerability.BOTH, Vulnerability.NORTH_SOUTH, Vulnerability.EAST_WEST)
_STRAINS = ("S", "H", "D", "C", "NT")


def is_list(text: str) -> bool:
    """Whether a text is such a list.

    >>> is_list('NUMBER 100 \\nPBN 0 0 0 0 "N:QJ6.K652.J85.T98 ..."'), is_list("NUMBER")
    (True, False)
    """
    return re.match(r"\s*+NUMBER [0-9]{1,9}\s", text) is not None


def read_dds_list(text: str, name: str = "") -> BoardFile:
    """The deals of a list, numbered from 1 on; ``name`` is the file's, for errors.

    >>> found = read_dds_list('NUMBER 1\\nPBN 1 2 4 1 "N:A2... K3... Q4... J5..."\\nPAR "NS -110" "EW 110"\\n')
    >>> board = found.board(1)
    >>> board.dealer, board.vulnerability, board.tag("OptimumScore")
    (Seat.EAST, Vulnerability.NORTH_SOUTH, 'NS -110')
    """
    boards: list[Board] = []
    faults: list[PlacedError] = []
    for number, (place, lines) in enumerate(_deals(text, name), 1):
        try:
            with say_where(f"{place}, board {number}"):
                boards.append(_board(number, lines))
        except PlacedError as fault:
            faults.append(fault)
    return BoardFile(tuple(boards), tuple(faults))


def _deals(text: str, name: str) -> Iterator[tuple[str, list[str]]]:
    """The lines of each deal, and where they begin."""
    lines: list[str] = []
    begins = 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("PBN"):
            if lines:
                yield _place(name, begins), lines
            lines, begins = [], number
        if begins:
            lines.append(line.strip())
    if lines:
        yield _place(name, begins), lines


def _place(name: str, line: int) -> str:
    return ", ".join(filter(None, (name, f"line {line}")))


def _board(number: int, lines: list[str]) -> Board:
    found = _DEAL.fullmatch(lines[0])
    if found is None:
        raise InputError(f"expected a deal such as PBN 0 0 0 0 'N:...' with double quotes, found {lines[0]!r}")
    deal = Deal.read(found[3])
    check_hands(deal)
    tags = tuple(tag for line in lines[1:] for tag in _tags(line))
    return Board(deal, number, SEATS[int(found[1])], _VULNERABLE[int(found[2])], tags=tags)


def _tags(line: str) -> Iterator[Tag]:
    """What PBN has a tag for."""
    word, _, rest = line.partition(" ")
    if word == "PAR" and (score := re.match(r'"([^"]*)"', rest)):
        yield Tag("OptimumScore", score[1])
    if word == "TABLE" and re.fullmatch(r"([0-9]{1,2} ){19}[0-9]{1,2}", rest):
        tricks = iter(rest.split())
        rows = tuple(f"{seat.letter} {strain} {next(tricks)}" for strain in _STRAINS for seat in SEATS)
        yield Tag("OptimumResultTable", r"Declarer;Denomination\2R;Result\2R", rows)
