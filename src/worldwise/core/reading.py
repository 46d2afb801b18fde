"""What readers of text share: numbers and JSON within bounds, bytes turned into text, and text that is safe to show.

Text comes from anybody. A number of a million digits, an exponent of nine digits or a hundred thousand brackets take a
few bytes to write and hours or gigabytes to understand; so every number and every piece of JSON is read here.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction
from math import isfinite
from typing import IO, Any

from worldwise.errors import InputError

MOST_DIGITS = 1000
"""The longest number, in characters; no game, deal or measurement needs as many."""

MOST_EXPONENT = 999
"""The largest exponent; one more digit, and a number could take gigabytes."""

MOST_NESTED = 100
"""How deep lists and objects of JSON may stand in one another. Trees, which may be deep, have a reader of their own."""

LARGEST = 2**63 - 1
"""The largest whole number that the kernels can be told."""

_WHOLE = re.compile(r"[-+]?[0-9]++")
_DECIMAL = re.compile(r"([-+]?[0-9]++)(?:\.([0-9]*+))?")
_EXACT = re.compile(r"[-+]?(?:[0-9]++(?:/[0-9]++|\.[0-9]*+)?|\.[0-9]++)(?:[eE]([-+]?[0-9]++))?")


# ---------------------------------------------------------------------- numbers


def read_whole(text: str, least: int = -LARGEST, most: int = LARGEST) -> int:
    """A whole number between two others.

    >>> read_whole("40"), read_whole("-3")
    (40, -3)
    >>> read_whole("9" * 5000, least=1)
    Traceback (most recent call last):
    worldwise.errors.InputError: expected a whole number from 1 to 9223372036854775807,
    found '999999999999999999999999999999...999999999999999999999999999999' (5,000 characters)
    """
    word = text.strip()
    is_number = _WHOLE.fullmatch(word) is not None
    number = int(word) if is_number and len(word) <= MOST_DIGITS else None
    if number is None or not least <= number <= most:
        bounds = f" from {least} to {most}" if is_number else ""
        raise InputError(f"expected a whole number{bounds}, found {shorten(text)}")
    return number


def read_exact(text: str) -> int | Fraction:
    """The exact number that a text stands for; whole numbers are ``int``, which is faster.

    >>> read_exact("1/3"), read_exact("0.1"), read_exact("2.0"), read_exact("1e-3")
    (Fraction(1, 3), Fraction(1, 10), 2, Fraction(1, 1000))
    >>> read_exact("1e999999999")
    Traceback (most recent call last):
    worldwise.errors.InputError: expected a number such as 3, 0.25 or 1/3, found '1e999999999'
    """
    word = text.strip()
    if len(word) > MOST_DIGITS:
        raise _not_exact(text)
    if found := _DECIMAL.fullmatch(word):  # what files are full of comes first: ``Fraction`` reads texts slowly
        whole, decimals = found.groups()
        return _simplify(Fraction(int(whole + decimals), 10 ** len(decimals))) if decimals else int(whole)
    other = _EXACT.fullmatch(word)
    if other is None or (other[1] is not None and abs(int(other[1])) > MOST_EXPONENT):
        raise _not_exact(text)
    try:
        return _simplify(Fraction(word))
    except (ValueError, ZeroDivisionError):  # a fraction with an exponent, or one of nothing
        raise _not_exact(text) from None


def _simplify(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value


def _not_exact(text: str) -> InputError:
    return InputError(f"expected a number such as 3, 0.25 or 1/3, found {shorten(text)}")


def read_real(text: str) -> float:
    """A number with a point and perhaps an exponent, as computers round it; it must be finite.

    >>> read_real("0.25"), read_real("1e-5")
    (0.25, 1e-05)
    """
    try:
        value = float(text) if len(text) <= MOST_DIGITS else None
    except ValueError:
        value = None
    if value is None or not isfinite(value):
        raise InputError(f"expected a finite number, found {shorten(text)}")
    return value


def read_duration(text: str) -> float:
    """Seconds of a time such as 90s, 30m or 2h.

    >>> read_duration("30m"), read_duration("1.5h")
    (1800.0, 5400.0)
    >>> read_duration("30")
    Traceback (most recent call last):
    worldwise.errors.InputError: expected a time such as 90s, 30m or 2h, found '30'
    """
    number, unit = text[:-1], text[-1:]
    try:
        seconds = read_real(number) * _SECONDS[unit]
    except (InputError, KeyError):
        seconds = 0.0
    if seconds <= 0:
        raise InputError(f"expected a time such as 90s, 30m or 2h, found {shorten(text)}")
    return seconds


_SECONDS = {"s": 1, "m": 60, "h": 3600}


# ---------------------------------------------------------------------- JSON


def read_json(text: str | bytes) -> Any:
    """What a text of JSON says; ``InputError`` if it is none, nests too deep or has numbers out of all proportion.

    >>> read_json('{"a": [1, 0.5, null]}')
    {'a': [1, 0.5, None]}
    >>> read_json("[" * 100_000)
    Traceback (most recent call last):
    worldwise.errors.InputError: expected JSON nested at most 100 deep, found it deeper
    """
    try:
        value = json.loads(text, parse_int=_json_whole, parse_float=read_real, parse_constant=read_real)
    except RecursionError:
        raise InputError(_TOO_DEEP) from None
    except ValueError as error:
        raise InputError(f"expected JSON, found {error}") from None
    _check_nesting(value)
    return value


_TOO_DEEP = f"expected JSON nested at most {MOST_NESTED} deep, found it deeper"


def _json_whole(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise InputError(f"expected a number of at most {MOST_DIGITS} digits, found {shorten(text)}")
    return int(text)


def _check_nesting(value: Any) -> None:
    """Level by level: to go down by calls would need the very stack that deep nesting takes."""
    level = [value]
    for _ in range(MOST_NESTED):
        level = [item for part in level for item in _items(part)]
    if any(isinstance(part, (dict, list)) for part in level):
        raise InputError(_TOO_DEEP)


def _items(part: Any) -> list[Any]:
    if isinstance(part, dict):
        return list(part.values())
    return part if isinstance(part, list) else []


# ---------------------------------------------------------------------- bytes to text, text to people


MOST_BYTES = 256 * 2**20
"""Of a file: more than any real one, and less than the memory of a small machine."""


def collect_bytes(file: IO[bytes], most: int = MOST_BYTES) -> bytes:
    """All of a file, or ``InputError``: some devices and pipes never end.

    >>> from io import BytesIO
    >>> collect_bytes(BytesIO(b"N:AK2"))
    b'N:AK2'
    >>> collect_bytes(BytesIO(bytes(5 * 2**20)), most=2**20)
    Traceback (most recent call last):
    worldwise.errors.InputError: expected at most 1 MiB, found more
    """
    found = bytearray()
    while piece := file.read(2**20):
        found += piece
        if len(found) > most:
            raise InputError(f"expected at most {most >> 20} MiB, found more")
    return bytes(found)


def decode_text(content: bytes) -> str:
    """Text in UTF-8 or, where it is none, in Latin-1, which older programs write.

    >>> decode_text("Žižkov".encode()), decode_text("Gösta".encode("latin-1"))
    ('Žižkov', 'Gösta')
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def shorten(text: str, most: int = 60) -> str:
    """A text in quotes as errors show it; of a long one the beginning, the end and its length.

    >>> shorten("1e5"), shorten("ab" * 500, most=8)
    ("'1e5'", "'abab...abab' (1,000 characters)")
    """
    if len(text) <= most:
        return repr(text)
    return f"{text[: most // 2] + '...' + text[-(most // 2) :]!r} ({len(text):,} characters)"


MOST_MESSAGE = 2000
"""Characters of an error that anybody is told: it repeats what it found, and that may be a whole file."""


def cut_middle(text: str, most: int = MOST_MESSAGE) -> str:
    """A text, or its two ends and how long it is.

    >>> cut_middle("expected", 8), cut_middle("expected 1, found 999999", 8)
    ('expected', 'expe ... 9999 (24 characters)')
    """
    if len(text) <= most:
        return text
    return f"{text[: most // 2]} ... {text[-(most // 2) :]} ({len(text):,} characters)"


# Those that move the cursor, colour, ring or rename the window; halves of characters, which no terminal can be sent;
# and those that turn the direction of writing: a line would read otherwise than it stands. Tabs and line ends are text.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def show_controls(text: str) -> str:
    r"""A text with its control characters written out, so that a terminal shows and does not obey them.

    >>> print(show_controls("\x1b]0;title\x07 Ann\n"), end="")
    \x1b]0;title\x07 Ann
    """
    return _CONTROLS.sub(_write_out, text)


def _write_out(control: re.Match[str]) -> str:
    return control[0].encode("unicode_escape").decode("ascii")
