"""A game to go on with, as the text of a file: PGN or JSON with a format's number and a checksum.

Files of the first format have neither, and are read as well. A damaged file is refused, and it is said how much of its
game can be read; a file of a later format is refused, never misread.
"""

from __future__ import annotations

import json
import re
from typing import Any

from worldwise.core.durable_files import checksum
from worldwise.core.reading import read_json
from worldwise.errors import InputError
from worldwise.kriegspiel.records.json import read_json_beginning, read_record_json, record_json
from worldwise.kriegspiel.records.pgn import pgn
from worldwise.kriegspiel.records.pgn_reader import read_pgn, read_pgn_beginning
from worldwise.kriegspiel.records.record import RESULTS, Record

FORMAT = 2
"""Of these files."""

_TAG = re.compile(r'^\[Format "worldwise ([0-9]{1,9})"\]$', re.MULTILINE)
_SUM = re.compile(r'^\[Checksum "([^"]*)"\]\n', re.MULTILINE)


def game_text(record: Record, *, as_json: bool) -> str:
    """A game as a file has it.

    >>> print(game_text(Record(white="you"), as_json=False).splitlines()[-4:-2])
    ['[Format "worldwise 2"]', '[Checksum "c99b8357079cf61b"]']
    """
    if as_json:
        data = {"format": FORMAT, **record_json(record)}
        return json.dumps({**data, "checksum": _json_checksum(data)}, indent=2) + "\n"
    tags, _, moves = pgn(record).partition("\n\n")
    text = f'{tags}\n[Format "worldwise {FORMAT}"]\n\n{moves}'
    return text.replace("]\n\n", f']\n[Checksum "{checksum(text.encode())}"]\n\n', 1)


def read_game_text(text: str, *, as_json: bool) -> Record:
    """The one game of a file; ``InputError`` says what is wrong with it, and how much of it can be read.

    >>> text = game_text(Record(white="you", black="rand"), as_json=False)
    >>> read_game_text(text, as_json=False)
    Record(white='you', black='rand', 0 tries, '*')
    >>> read_game_text(text.replace("rand", "Rand"), as_json=False)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    worldwise.errors.InputError: expected a file that fits its checksum, found one that was damaged or changed ...
    """
    data = _load(text) if as_json else None
    _check_format(data, text)
    try:
        return _read_json(data) if as_json else _read_pgn(text)
    except InputError as error:
        beginning = read_json_beginning(data) if as_json else read_pgn_beginning(text)
        raise InputError(f"{error}; {_readable_words(beginning)}") from None


def _load(text: str) -> Any:
    try:
        return read_json(text)
    except InputError as error:
        raise InputError(f"{error}; nothing of it can be read") from None


def _check_format(data: Any, text: str) -> None:
    told = _TAG.search(text)
    found = data.get("format", 1) if isinstance(data, dict) else int(told[1]) if told else 1
    if found not in range(1, FORMAT + 1) or isinstance(found, bool):
        raise InputError(f"expected a game of format {FORMAT} or older, found {found!r:.20}: a later version saved it")


def _read_json(data: Any) -> Record:
    if not isinstance(data, dict) or "format" not in data:
        return read_record_json(data)
    data = dict(data)
    if data.pop("checksum", None) != _json_checksum(data):
        raise InputError(_CHANGED.format(advice="without its format and checksum it is read as it stands"))
    del data["format"]
    return read_record_json(data)


def _json_checksum(data: dict[str, Any]) -> str:
    return checksum(json.dumps(data, sort_keys=True).encode())


_CHANGED = "expected a file that fits its checksum, found one that was damaged or changed ({advice})"


def _read_pgn(text: str) -> Record:
    records = read_pgn(text)
    if len(records) != 1:
        raise InputError(f"expected one game, found {len(records)}")
    told = _SUM.search(text)
    if told and told[1] != checksum(_SUM.sub("", text, count=1).encode()):
        raise InputError(_CHANGED.format(advice="without its line Checksum it is read as it stands"))
    if not told and _TAG.search(text):
        raise InputError("expected a checksum, found none (without its line Format it is read as it stands)")
    if text.split()[-1] not in RESULTS:
        raise InputError("expected a result such as * after the last move, found the end: the file was cut short")
    return records[0]


def _readable_words(beginning: Record | None) -> str:
    if beginning is None:
        return "nothing of it can be read"
    players = " against ".join(name or "?" for name in (beginning.white, beginning.black))
    return f"what can be read is {players}, {len(beginning.events)} tries from the beginning"
