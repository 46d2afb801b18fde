"""``.efg`` files read with the compiled scanner: what ``extensive.efg`` reads, several times faster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.extensive import efg
from worldwise.extensive.efg_scan import Mentions, Scanned, scan
from worldwise.kernels import in_use, native

if TYPE_CHECKING:
    from os import PathLike

    from worldwise.extensive.efg_scan import Scanner
    from worldwise.extensive.game import ExtensiveGame


def read_efg(source: str | PathLike[str]) -> ExtensiveGame:
    """Read a game from a ``.efg`` file; see ``extensive.read_efg``."""
    return efg.read_efg(source, scanner())


def efg_from_text(text: str, name: str = "") -> ExtensiveGame:
    """Read a game from the text of a ``.efg`` file; ``name`` is what errors call it.

    >>> efg_from_text('EFG 2 R "A bet" { "Ann" } p "" 1 1 "" { "no" "yes" } 0  t "" 0  t "" 1 "" { 1/2 }').payoffs(2)
    (Fraction(1, 2),)
    """
    return efg.efg_from_text(text, name, scanner())


def scanner() -> Scanner:
    """The compiled scanner if it is in use, otherwise the Python one."""
    return compiled_scan if in_use() else scan


def compiled_scan(text: str) -> Scanned:
    """``efg_scan.scan``, compiled."""
    event, outcome, named, names, sets, outcomes, whole = native.scan_efg(text.encode("utf-8", "surrogatepass"))
    return Scanned(
        event, outcome, dict(zip(named.tolist(), names, strict=True)), Mentions(*sets), Mentions(*outcomes), whole
    )
