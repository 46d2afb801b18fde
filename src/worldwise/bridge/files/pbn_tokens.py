"""Portable Bridge Notation taken apart: games, their tags and the words of their sections, each with its place.

A file is cut into games by empty lines and by tags that are repeated, so that one broken game does not spoil its
neighbours; what the words mean is told in ``pbn``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from worldwise.errors import PlacedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.bridge.files.leniency import SetAside

IDENTIFICATION = (
    *("Event", "Site", "Date", "Board", "West", "North", "East", "South"),
    *("Dealer", "Vulnerable", "Deal", "Scoring", "Declarer", "Contract", "Result"),
)
"""The tags that every game of the export format has, in this order."""

_OPENING = frozenset(IDENTIFICATION[:12])
"""Tags that stand before everything that happened at the table."""

_OF_THE_DEAL = _OPENING - {"West", "North", "East", "South"}
"""Those of them that are the same at every table."""

_AT_THE_TABLE = frozenset(IDENTIFICATION[12:]) | {"Auction", "Play"}
"""Tags of what happened there: where one comes again, another table has played the deal."""

FIELDS = frozenset(IDENTIFICATION) - {"Event", "Site", "Date", "Scoring"} | {"Auction", "Play", "Note"}
"""Tags that have a field of their own in a board."""


MOST_LASTING = 100
"""Tags that may have a value for all games that follow: every one of those games gets them all."""


@dataclass
class PbnGame:
    """The lines of one game, the number of the first, and the names of its tags."""

    first: int
    lines: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)

    def take(self, line: str) -> None:
        """One line more."""
        self.lines.append(line)
        self.names |= {_name_in(line)}

    def ends_before(self, names: set[str]) -> bool:
        """Whether a paragraph with these tags belongs to the next game: the standard parts games by empty lines."""
        opening = names & _OPENING
        if opening - self.names:
            return not self.names.isdisjoint({"Deal", *_AT_THE_TABLE})
        return bool(opening or names & self.names & _AT_THE_TABLE)

    def may_have_number(self, number: int) -> bool:
        """Whether the board may have a number: a tag says so, or says something that is not plainly another number."""
        values = _BOARD_TAG.findall("\n".join(self.lines))
        return any(not PLAIN_NUMBER.fullmatch(value) or int(value) == number for value in values)


PLAIN_NUMBER = re.compile(r"[0-9]{1,9}")
"""A board's number that is one."""

_BOARD_TAG = re.compile(r'\[\s*board\s*"([^"\n]*)', re.IGNORECASE)
_TAG_LINE = re.compile(r"\s*\[\s*(\w+)")


def _name_in(line: str) -> str:
    """The tag that a line begins with, empty if there is none."""
    tag = _TAG_LINE.match(line)
    return _usual_name(tag[1]) if tag else ""


def games_in(text: str) -> Iterator[PbnGame]:
    """The games of a text; some writers leave no empty lines, so a new event or board begins a game anyway."""
    game, number = PbnGame(1), 1
    for paragraph in _paragraphs(text):
        ended = game.ends_before({_name_in(line) for line in paragraph})
        for line in paragraph:
            if ended or _name_in(line) in game.names & {"Event", "Board"}:
                yield game
                game, ended = PbnGame(number), False
            game.take(line)
            number += 1
    yield game


def _paragraphs(text: str) -> Iterator[list[str]]:
    """Lines up to an empty one, and that."""
    paragraph: list[str] = []
    for line in re.split(r"\r\n?|\n", text):
        paragraph.append(line)
        if not line.strip():
            yield paragraph
            paragraph = []
    yield paragraph


def _usual_name(name: str) -> str:
    """A tag's name with the standard's capitals."""
    return next((usual for usual in (*IDENTIFICATION, *FIELDS) if usual.lower() == name.lower()), name)


_TOKEN = re.compile(
    r"""^%.*$
      | ;.*$
      | \{(?P<comment>[^}]*+)\}
      | \[\s*+(?P<name>\w++)\s*+"(?P<value>(?:\\.|[^\\\n])*?)"\s*+\]
      | (?P<bare>\[[^\S\n]*+(?P<bare_name>\w++)[^\S\n]++(?P<bare_value>[^"\]\n]++)\])
      | (?P<broken>[\[{].*$)
      | (?P<word>"[^"\n]*"|[^\s\[{;]+)""",
    re.VERBOSE | re.MULTILINE,
)


@dataclass(frozen=True)
class Word:
    """A word of a section, or a tag's value."""

    text: str
    place: str


@dataclass
class Section:
    """The words after a tag, and the notes after those."""

    words: list[Word] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)


@dataclass
class Told:
    """All that a game says: tags by name, sections by the tag they follow, commentary."""

    place: str
    values: dict[str, Word] = field(default_factory=dict)
    sections: dict[str, Section] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)
    last: str = ""
    """The tag whose section we are in."""

    @property
    def is_board(self) -> bool:
        """Whether there is more than a heading."""
        return not {"Board", "Deal", "Auction", "Play"}.isdisjoint(self.values)

    def __getitem__(self, name: str) -> str:
        return self.values[name].text if name in self.values else ""

    def at(self, name: str) -> str:
        """Where a tag stands."""
        return self.values[name].place if name in self.values else self.place

    def take(self, token: re.Match[str], place: str, strict: bool) -> None:
        """Write one thing down: a tag, a comment, or a word of a section; a tag without quotes if one is not strict."""
        if broken := token["broken"] or (strict and token["bare"]):
            wanted = "a comment closed by '}'" if broken[0] == "{" else 'a tag such as [Dealer "N"]'
            raise PlacedError(f"expected {wanted}, found {broken!r}", place)
        if token["bare"]:
            self._take_tag(_usual_name(token["bare_name"]), token["bare_value"].strip(), place)
        if token["comment"]:
            self.comments.append(token["comment"].strip())
        if token["word"]:
            self._take_word(Word(token["word"], place))
        if token["name"]:
            self._take_tag(_usual_name(token["name"]), re.sub(r"\\(.)", r"\1", token["value"]).strip(), place)

    def _take_word(self, word: Word) -> None:
        if not self.last or self.last in IDENTIFICATION:
            raise PlacedError(f'expected a tag such as [Dealer "N"], found {word.text!r}', word.place)
        self.sections[self.last].words.append(word)

    def _take_tag(self, name: str, value: str, place: str) -> None:
        """One that has occurred already is ignored, with its section, as the standard wants."""
        if name == "Note":
            number, _, note = value.partition(":")
            self.section(self.last).notes[number.strip()] = note.strip()
            return
        self.last = name if name not in self.values else f"{name} again"
        self.values.setdefault(name, Word(value, place))
        self.sections[self.last] = Section()

    def inherit(self, inherited: dict[str, str], lasting: dict[str, str]) -> Told:
        """With ``#`` replaced by the last game's value; ``##value`` is also meant for games without that tag."""
        for name, value in self.values.items():
            if value.text.startswith("##"):
                lasting[name] = value.text[2:]
            text = inherited.get(name, "") if value.text == "#" else value.text.removeprefix("##")
            self.values[name] = Word(text, value.place)
        if len(lasting) > MOST_LASTING:
            raise PlacedError(f"expected at most {MOST_LASTING} tags with values for all games, found more", self.place)
        for name, text in lasting.items():
            self.values.setdefault(name, Word(text, self.place))
        inherited.clear()
        inherited.update((name, value.text) for name, value in self.values.items())
        return self

    def as_other_table(self, before: Told | None) -> Told:
        """With the deal of the record before, if this one has none and tells of the same board."""
        if before is None or "Deal" in self.values or not self.is_played or self["Board"] not in ("", before["Board"]):
            return self
        for name in _OF_THE_DEAL & before.values.keys():
            self.values.setdefault(name, Word(before[name], self.place))
        return self

    @property
    def is_played(self) -> bool:
        """Whether it tells what happened at a table."""
        return not {"Auction", "Play", "Contract"}.isdisjoint(self.values)

    def section(self, name: str) -> Section:
        """What follows a tag, perhaps nothing."""
        return self.sections.get(name, Section())


def take_apart(game: PbnGame, name: str, aside: SetAside) -> Told:
    """A game's tags, sections and comments; ``name`` is the file's."""
    text = "\n".join(game.lines)
    number = re.search(r'\[\s*+Board\s*+"\s*+([0-9]{1,9}+)\s*+"', text, re.IGNORECASE)
    told = Told(place_of(name, game.first, number))
    line, counted = game.first, 0
    for token in _TOKEN.finditer(text):
        line, counted = line + text.count("\n", counted, token.start()), token.start()
        with aside.part():
            told.take(token, place_of(name, line, number), aside.strict)
    return told


def place_of(name: str, line: int, number: re.Match[str] | None) -> str:
    """Where something stands, in words."""
    words = (name, f"line {line}", f"board {number[1]}" if number else "")
    return ", ".join(filter(None, words))
