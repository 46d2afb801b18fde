"""Bidding systems: files that say what calls mean, a line for each meaning; the first line that fits counts.

::

    # Five-card majors, strong notrump
    1NT             | 15-17, balanced             | sure   | strong notrump
    1NT (P) 2C      | 8+; 4+ hearts or 4+ spades  | sure   | Stayman
    (1x) 2y, y < x  | 9-17, 5+ y                  | sure   | overcall

The first column is a pattern of the auction (``call_patterns``), the second what the last call says (``meanings``), the
third how sure that is (``sure``, ``likely``, ``vague``), the fourth the call's name, which may be left out. What stands
after ``#`` is for people; the first such line is the system's title.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from worldwise.bridge.layouts.call_patterns import SUIT_LETTERS, CallPattern, CallPlace
from worldwise.bridge.layouts.meanings import Description, Sureness, read_description
from worldwise.core.reading import collect_bytes, decode_text, shorten
from worldwise.errors import InputError, UnknownNameError, say_where

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.bridge.layouts.call_patterns import Suits
    from worldwise.bridge.rules.auction import Call

DEFAULT_SYSTEM = "sayc"
"""The system that calls are read by, unless one says otherwise."""

NO_SYSTEM = "none"
"""The name under which a player leaves the auction alone."""

_SHIPPED = files("worldwise.bridge.layouts") / "systems"
_ENDING = ".system"
_OTHERS = {"M": "O", "O": "M", "m": "o", "o": "m"}


@dataclass(frozen=True)
class SystemLine:
    """A line of a system: what the last call of a pattern says."""

    pattern: CallPattern
    words: str
    sure: Sureness
    name: str

    def description(self, suits: Suits) -> Description:
        """What it says if the letters stand for these suits."""
        return _read_words(self.words, tuple(sorted(suits.items())))

    def all_suits(self) -> Iterator[Suits]:
        """Every way in which its letters may stand for suits."""
        letters = sorted(self.pattern.letters)
        for found in product(*(SUIT_LETTERS[letter] for letter in letters)):
            suits = dict(zip(letters, found, strict=True))
            if len(set(found)) == len(found) and self.pattern.compares(suits):
                yield suits


@lru_cache(maxsize=4096)
def _read_words(words: str, suits: tuple[tuple[str, int], ...]) -> Description:
    known = dict(suits)
    others = {_OTHERS[letter]: suit ^ 1 for letter, suit in suits if letter in _OTHERS}
    return read_description(words, others | known)


@dataclass(frozen=True, eq=False)
class BiddingSystem:
    """What calls mean, line by line.

    >>> sayc = bidding_system("sayc")
    >>> line, suits = sayc.line_of((14, 0, 15), 2)
    >>> str(line.pattern), line.name, str(line.description(suits))
    ('2NT (P) 3C', 'Stayman', '4+, 4+ hearts or 4+, 4+ spades')
    """

    name: str
    title: str
    lines: tuple[SystemLine, ...]

    @classmethod
    def read(cls, text: str, name: str = "system") -> BiddingSystem:
        """A system from its text; an error says which line cannot be read."""
        lines, title = [], ""
        for number, line in enumerate(text.splitlines(), 1):
            told, _, comment = line.partition("#")
            title = title or comment.strip()
            if told.strip():
                with say_where(f"{name}, line {number}"):
                    lines.append(_read_line(told))
        if not lines:
            raise InputError(f"{name}: expected lines such as '1NT | 15-17, balanced | sure', found none")
        return cls(name, title, tuple(lines))

    def line_of(self, calls: tuple[Call, ...], place: int) -> tuple[SystemLine, Suits] | None:
        """The line for a call of an auction, and what its letters stand for; None if no line fits."""
        at = CallPlace.of(calls, place)
        for line in self.lines:
            suits = line.pattern.match(at)
            if suits is not None:
                return line, suits
        return None


def _read_line(text: str) -> SystemLine:
    columns = [column.strip() for column in text.split("|")]
    if len(columns) not in (3, 4):
        raise InputError(f"expected 'auction | meaning | how sure | name', found {shorten(text.strip())}")
    if columns[2] not in list(Sureness):
        raise UnknownNameError("degree of sureness", columns[2], list(Sureness))
    line = SystemLine(CallPattern.read(columns[0]), columns[1], Sureness(columns[2]), "".join(columns[3:]))
    for suits in line.all_suits():
        line.description(suits)
    return line


def bidding_system(name: str) -> BiddingSystem:
    """The system of a name that is shipped, or of a file.

    >>> bidding_system("sayc").title
    'Natural: five-card majors, strong notrump, weak twos (much like the Standard American yellow card)'
    """
    if name in system_names():
        return _read_shipped(name)
    path = Path(name)
    if os.path.isfile(name):  # unlike Path's, it takes a name that no file can have
        try:
            return _in_file(path, path.stat().st_mtime_ns)
        except OSError as error:
            raise InputError(f"{name}: {error.strerror}") from None
    raise UnknownNameError("bidding system (and no such file)", name, system_names())


def system_identity(name: str) -> str:
    """A system's name and a digest of what it says, which changes when its file does.

    >>> system_identity("none")
    'none'
    """
    if name == NO_SYSTEM:
        return name
    told = "\n".join(f"{line.pattern}|{line.words}|{line.sure}" for line in bidding_system(name).lines)
    return f"{name} {sha256(told.encode()).hexdigest()[:12]}"


@lru_cache(maxsize=8)
def _in_file(path: Path, changed: int) -> BiddingSystem:  # noqa: ARG001 a file that was changed is read again
    with path.open("rb") as file, say_where(str(path)):
        content = collect_bytes(file)
    return BiddingSystem.read(decode_text(content), str(path))


@cache
def _read_shipped(name: str) -> BiddingSystem:
    return BiddingSystem.read((_SHIPPED / f"{name}{_ENDING}").read_text("utf-8"), name)


@cache
def system_names() -> tuple[str, ...]:
    """The systems that are shipped."""
    return tuple(sorted(file.name.removesuffix(_ENDING) for file in _SHIPPED.iterdir() if file.name.endswith(_ENDING)))
