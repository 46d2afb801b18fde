r"""The first step of reading a ``.efg`` file: what its text consists of, every distinct piece of it once.

A large file repeats itself: thousands of nodes mention the same sets and outcomes in the same words. So *scanning*
only tells nodes apart and numbers the different mentions; what those mean is found out once for each, in ``efg``.
``scan`` is one regular expression a node. The compiled kernel gives the same ``Scanned``, and is many times faster.

Neither says what is wrong with a text: both stop where they do not understand. ``Complaint`` then walks the same text
step by step, and knows what was expected, what was found, and where.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from worldwise.core.game import CHANCE
from worldwise.errors import GameError
from worldwise.extensive.game import NONE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from numpy.typing import NDArray

_FLAGS = re.DOTALL | re.ASCII
QUOTED = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
BRACES = rf'\{{[^{{}}"]*+(?:{QUOTED}[^{{}}"]*+)*+\}}'
NUMBER = r"\d{1,18}+(?!\d)"
_MENTION = rf"{NUMBER}(?:\s*+{QUOTED})?+(?:\s*+{BRACES})?+"
# The name of a leaf, or the name and the set of a chance node or of a player's; then the outcome.
_NODE = re.compile(
    rf"\s*+(?:t\s*+({QUOTED})|c\s*+({QUOTED})\s*+({_MENTION})|p\s*+({QUOTED})\s*+({NUMBER}\s++{_MENTION}))"
    rf"\s*+({_MENTION})",
    _FLAGS,
)
_PARTS = re.compile(rf"(?:(\d+)\s+)?(\d+)\s*({QUOTED})?\s*({BRACES})?", _FLAGS)
_HEAD = re.compile(rf"\ufeff?\s*EFG\s+2\s+[RD]\s*({QUOTED})\s*({BRACES})(?:\s*({QUOTED}))?", _FLAGS)
_ESCAPE = re.compile(r'\\(["\\])')
_WHITE = " \t\n\r\f\v"


@dataclass(frozen=True)
class Mentions:
    """The different ways in which nodes mention their sets, or their outcomes: a row each, in the order of the text.

    ``player``   the player's number as in the file, from 1; ``CHANCE`` for chance, and for outcomes
    ``number``   the set's or the outcome's number
    ``name``     its name, "" if that is left out
    ``listed``   which of ``lists`` stands there, ``NONE`` if that is left out
    ``lists``    the different lists of actions, or of payoffs, each as it stands, from { to }
    """

    player: NDArray[np.int64]
    number: NDArray[np.int64]
    name: list[str]
    listed: NDArray[np.int32]
    lists: list[str]


@dataclass(frozen=True)
class Scanned:
    """The nodes of a text: the rows of the mentions of set (``NONE`` at a leaf) and outcome, and names that are not "".

    ``whole`` says whether the text has ended after them.
    """

    event: NDArray[np.int32]
    outcome: NDArray[np.int32]
    names: Mapping[int, str]
    sets: Mentions
    outcomes: Mentions
    whole: bool


if TYPE_CHECKING:
    Scanner = Callable[[str], Scanned]


def scan(text: str) -> Scanned:
    """The nodes of a text that begins after the head of the file.

    >>> scanned = scan('p "" 1 7 "" { "no" "yes" } 0  t "" 0  t "end" 3 "" { 1/2 }')
    >>> scanned.event.tolist(), scanned.outcome.tolist(), scanned.names, scanned.sets.lists
    ([0, -1, -1], [0, 0, 1], {2: 'end'}, ['{ "no" "yes" }'])
    """
    event: list[int] = []
    outcome: list[int] = []
    names: dict[int, str] = {}
    sets: dict[str, int] = {}
    outcomes: dict[str, int] = {}
    end = 0
    for node in nodes(text):
        leaf, chance, chance_set, mover, own_set, paid = node.groups()
        name = leaf or chance or mover
        if name != '""':
            names[len(event)] = plain(name)
        event.append(NONE if leaf else sets.setdefault(chance_set or own_set, len(sets)))
        outcome.append(outcomes.setdefault(paid, len(outcomes)))
        end = node.end()
    return Scanned(
        np.array(event, dtype=np.int32),
        np.array(outcome, dtype=np.int32),
        names,
        _mentions(sets),
        _mentions(outcomes),
        whole=not text[end:].strip(_WHITE),
    )


def nodes(text: str, start: int = 0) -> Iterator[re.Match[str]]:
    """A match for each node, until the text ends or is none; the last two groups are its set, if any, and outcome."""
    node = _NODE.match(text, start)
    while node:
        yield node
        node = _NODE.match(text, node.end())


def _mentions(texts: Iterable[str]) -> Mentions:
    player, number, name, listed = [], [], [], []
    lists: dict[str, int] = {}
    for text in texts:
        match = _PARTS.fullmatch(text)
        assert match, text
        player.append(int(match[1] or CHANCE))
        number.append(int(match[2]))
        name.append(plain(match[3]))
        listed.append(lists.setdefault(match[4], len(lists)) if match[4] else NONE)
    return Mentions(
        np.array(player, dtype=np.int64),
        np.array(number, dtype=np.int64),
        name,
        np.array(listed, dtype=np.int32),
        list(lists),
    )


def head(text: str) -> re.Match[str] | None:
    """The title, the players and the comment that a file begins with."""
    return _HEAD.match(text)


def plain(quoted: str | None) -> str:
    r"""What stands between quotes. A backslash escapes a quote or a backslash; before anything else it is one.

    >>> plain(r'"the \"best\" \alpha"')
    'the "best" \\alpha'
    """
    text = (quoted or '""')[1:-1]
    return _ESCAPE.sub(r"\1", text) if "\\" in text else text


# ---------------------------------------------------------------------- what is wrong


@dataclass
class Complaint:
    """Walks through text that does not fit and says where it stops fitting."""

    text: str
    name: str
    at: int = 0

    def of_head(self) -> GameError:
        """Why this is no beginning of a ``.efg`` file."""
        return self._first_lacking(
            (r"\ufeff?\s*EFG\b", "a file that begins with EFG 2 R"),
            (r"2\b", "version 2 of the format"),
            (r"[RD]\b", "R or D, the kind of numbers"),
            (QUOTED, "the title in quotes"),
            (BRACES, 'the players, as in { "Ann" "Bob" }'),
        )

    def of_rest(self) -> GameError:
        """Why nodes stop before the text does."""
        for node in nodes(self.text, self.at):
            self.at = node.end()
        self._skip(r"\s*")
        kind = self.text[self.at : self.at + 1]
        if not kind or kind not in "cpt":
            return self.expected(_INSTEAD_OF_NODE.get(kind, "a node, which begins with c, p or t"))
        self.at += 1
        return self._first_lacking(*_STEPS[kind])

    def of_set(self, node: int, message: str) -> GameError:
        """A fault of the set that a node mentions."""
        match = self._node(node)
        return self.error(message, max(match.start(3), match.start(5)))

    def of_outcome(self, node: int, message: str) -> GameError:
        """A fault of the outcome that a node mentions."""
        return self.error(message, self._node(node).start(6))

    def expected(self, what: str) -> GameError:
        """The fault at the place reached."""
        self._skip(r"\s*")
        found = self.text[self.at : self.at + 30].split("\n")[0]
        return self.error(f"expected {what}, found {found!r}" if found else f"expected {what}, found the end", self.at)

    def error(self, message: str, at: int) -> GameError:
        """A fault at a place."""
        line = self.text.count("\n", 0, at) + 1
        column = at - self.text.rfind("\n", 0, at)
        return GameError(message, f"{self.name or 'text'}:{line}:{column}")

    def _node(self, number: int) -> re.Match[str]:
        return next(node for count, node in enumerate(nodes(self.text, self.at)) if count == number)

    def _first_lacking(self, *steps: tuple[str, str]) -> GameError:
        """What the first step that does not fit expects; an optional one fits unless it begins and does not end."""
        for pattern, expected in steps:
            if not self._skip(r"\s*+" + pattern):
                return self.expected(expected)
        raise AssertionError(f"all of it fits: {self.text[: self.at]!r}")

    def _skip(self, pattern: str) -> bool:
        match = re.compile(pattern, _FLAGS).match(self.text, self.at)
        self.at = match.end() if match else self.at
        return match is not None


_NAME = (QUOTED, "the node's name in quotes")
_OF_PLAYER = (NUMBER, "the player's number")
_SET = (
    (NUMBER, "the number of the information set"),
    (rf'(?:{QUOTED}|(?!"))', "a name of the set that ends with a quote"),
    (rf"(?:{BRACES}|(?!\{{))", "a list of actions that ends with }"),
    (NUMBER, "the number of an outcome, 0 for none"),
)
_STEPS = {"t": (_NAME, _SET[-1]), "c": (_NAME, *_SET), "p": (_NAME, _OF_PLAYER, *_SET)}
# What follows a node that may end there, and yet goes on.
_INSTEAD_OF_NODE = {
    '"': "an outcome's name that ends with a quote, or a node, which begins with c, p or t",
    "{": "a list of payoffs that ends with }, or a node, which begins with c, p or t",
}
