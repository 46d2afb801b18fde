"""Duplicate scoring: points for a contract, IMPs for a difference."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from worldwise.bridge.rules.contract import Strain
from worldwise.errors import InputError

if TYPE_CHECKING:
    from worldwise.bridge.rules.contract import Contract, Vulnerability

_IMP_STEPS = (
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
    *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
)
"""The least difference that is worth 1 IMP, 2 IMPs and so on (law 78B)."""


def score(contract: Contract | None, tricks: int, vulnerability: Vulnerability) -> int:
    """Points for declarer's side with so many tricks; a deal that was passed out scores nothing.

    >>> from worldwise.bridge.rules.contract import Contract, Vulnerability
    >>> score(Contract.read("3NT by S"), 10, Vulnerability.BOTH)
    630
    >>> score(Contract.read("4HX by W"), 8, Vulnerability.EAST_WEST)
    -500
    """
    if contract is None:
        return 0
    if not 0 <= tricks <= 13:
        raise InputError(f"expected from 0 to 13 tricks, found {tricks!r}")
    vulnerable = vulnerability.includes(contract.declarer)
    over = tricks - contract.tricks
    return _score_made(contract, over, vulnerable) if over >= 0 else -_penalty(contract.doubled, -over, vulnerable)


def north_south_score(contract: Contract | None, tricks: int, vulnerability: Vulnerability) -> int:
    """The same points as North-South read them.

    >>> from worldwise.bridge.rules.contract import Contract, Vulnerability
    >>> north_south_score(Contract.read("4H by W"), 10, Vulnerability.NONE)
    -420
    """
    points = score(contract, tricks, vulnerability)
    return -points if contract is not None and contract.declarer & 1 else points


def _score_made(contract: Contract, over: int, vulnerable: bool) -> int:
    """The laws' table for a contract made (law 77)."""
    promised = _trick_points(contract) << contract.doubled
    game = (500 if vulnerable else 300) if promised >= 100 else 50
    slam = {6: 500, 7: 1000}.get(contract.level, 0) * (3 if vulnerable else 2) // 2
    return promised + game + slam + 50 * contract.doubled + over * _overtrick(contract, vulnerable)


def _trick_points(contract: Contract) -> int:
    """What the tricks promised are worth, undoubled."""
    each = 20 if contract.strain in (Strain.CLUBS, Strain.DIAMONDS) else 30
    return each * contract.level + (10 if contract.strain == Strain.NOTRUMP else 0)


def _overtrick(contract: Contract, vulnerable: bool) -> int:
    if contract.doubled:
        return 100 * contract.doubled * (2 if vulnerable else 1)
    return 20 if contract.strain in (Strain.CLUBS, Strain.DIAMONDS) else 30


def _penalty(doubled: int, down: int, vulnerable: bool) -> int:
    """What so many undertricks cost."""
    if not doubled:
        return down * (100 if vulnerable else 50)
    first = 300 * down - 100 if vulnerable else 200 * down - 100 + 100 * max(0, down - 3)
    return first * doubled


def imps(difference: int) -> int:
    """International match points for a difference of points.

    >>> [imps(points) for points in (10, 20, 420, -430, 4000)]
    [0, 1, 9, -10, 24]
    """
    won = bisect_right(_IMP_STEPS, abs(difference))
    return won if difference >= 0 else -won
