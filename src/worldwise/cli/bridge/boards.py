"""Which boards a user means: every command about whole deals reads its source here."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated

import typer

from worldwise import catalog
from worldwise.bridge.files.any_format import boards_in, read_boards
from worldwise.bridge.files.bbo import is_link
from worldwise.bridge.rules.board import BoardFile
from worldwise.cli.input import read_input
from worldwise.errors import InputError, UnknownNameError

_PASTED = re.compile(r"(?i)\bmd\s*\|")
"""No file has such a name: a hand that was copied from Bridge Base Online."""

Strict = Annotated[
    bool, typer.Option("--strict", help="Skip a board if any part of it is wrong, instead of setting that part aside.")
]


def boards_of(source: str, number: int | None = None, *, strict: bool = False) -> BoardFile:
    """Those of standard input, a link, a LIN text, a shipped deal, or a file; or at least the one of a number."""
    if source == "-":
        return boards_in(read_input(), "stdin", number, strict=strict)
    if is_link(source):
        return boards_in(source, strict=strict)
    if _PASTED.search(source):
        return boards_in(source, number=number, strict=strict)
    if os.path.exists(source):  # unlike Path's, it takes a name that no file can have
        return read_boards(Path(source), number, strict=strict)
    try:
        return BoardFile((catalog.deal(source).board,))
    except UnknownNameError as error:
        raise InputError(f"no such file, and {error}") from None
