"""Boards from any file or text: PBN, LIN, lists of DDS and links to the hand viewer are told apart by what they hold.

A board that cannot be read never costs the others: ``read_boards`` gives the boards, the faults, and the warnings about
parts that were set aside, each with its file and line. Only what holds no board at all is an error.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from worldwise.bridge.files.bbo import hand_link, is_link, read_link
from worldwise.bridge.files.dds_list import is_list, read_dds_list
from worldwise.bridge.files.lin import read_lin
from worldwise.bridge.files.lin_writer import lin_text
from worldwise.bridge.files.pbn import pbn_text, read_pbn
from worldwise.bridge.rules.board import BoardFile
from worldwise.core.durable_files import write_file
from worldwise.core.reading import collect_bytes, decode_text
from worldwise.errors import InputError, PlacedError, say_where

if TYPE_CHECKING:
    from collections.abc import Iterable

    from worldwise.bridge.rules.board import Board

FORMS = {".pbn": "pbn", ".lin": "lin", ".txt": "links"}
"""How files are written, by how their names end."""

# Spaces before a tag end with their line: each line begins a search, which must not run through the others.
_PBN = re.compile(r'^[^\S\n]*+\[\s*+\w++\s*+"|^% *+PBN', re.MULTILINE)
_LIN = re.compile(r"(?i)\b(md|pn|mb|qx|vg)\s*\|")
_WANTED = "boards in PBN, in LIN, in a list of DDS, or links to the hand viewer"


def read_boards(source: str | Path, number: int | None = None, *, strict: bool = False) -> BoardFile:
    """The boards of a file, or of a text: a string is a path if it holds no sign of being a text.

    If you only want the board of a ``number``, say so: a PBN file with that board need not be read to its end. What
    makes no sense in a board, an auction say, is set aside with a warning; if ``strict``, that costs the board.

    >>> len(read_boards('[Board "1"]\\n[Deal "N:A2... K3... Q4... J5..."]'))
    1
    """
    if isinstance(source, str) and re.search(r"[|\[\n?]", source):
        return boards_in(source, number=number, strict=strict)
    path = Path(source)
    return boards_in(decode_text(_read_bytes(path)), path.name, number, strict=strict)


def boards_in(text: str, name: str = "", number: int | None = None, *, strict: bool = False) -> BoardFile:
    """The boards of a text; ``name`` is the file's, for errors; if a ``number`` is given, one board of it will do."""
    text = text.removeprefix("\ufeff")
    if is_link(text):
        found = _read_links(text, name)
    elif is_list(text):
        found = read_dds_list(text, name)
    elif _PBN.search(text):
        found = read_pbn(text, name, number, strict=strict)
    elif _LIN.search(text):
        found = read_lin(text, name, strict=strict)
    else:
        raise PlacedError(f"expected {_WANTED}, found {_opening(text)}", name)
    if not found.boards and not found.faults:
        raise PlacedError(f"expected {_WANTED}, found none", name)
    return found


def _opening(text: str) -> str:
    words = text.strip()
    return repr(words[:40] + "..." * (len(words) > 40)) if words else "nothing"


def _read_links(text: str, name: str) -> BoardFile:
    """A link on every line."""
    boards: list[Board] = []
    faults: list[PlacedError] = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            with say_where(", ".join(filter(None, (name, f"line {number}")))):
                boards += [read_link(line)] if line.strip() else []
        except PlacedError as fault:
            faults.append(fault)
    return BoardFile(tuple(boards), tuple(faults))


def _read_bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return collect_bytes(file)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"expected a file of {_WANTED}, found {str(path)!r}: {reason}") from None


def boards_text(boards: Iterable[Board], form: str) -> str:
    """Boards as text; the form is ``pbn``, ``lin`` or ``links``."""
    if form == "pbn":
        return pbn_text(boards)
    if form == "lin":
        return lin_text(boards) + "\n"
    if form == "links":
        return "".join(hand_link(board) + "\n" for board in boards)
    raise InputError(f"expected the form pbn, lin or links, found {form!r}")


def write_boards(path: str | Path, boards: Iterable[Board]) -> None:
    """Write a file whose form is in its name: ``.pbn``, ``.lin``, or ``.txt`` for links."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMS:
        raise InputError(f"expected a name that ends in .pbn, .lin or .txt, found {str(path)!r}")
    write_file(Path(path), boards_text(boards, FORMS[suffix]))
