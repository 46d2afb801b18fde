"""What inputs may be: one record checks a value and describes itself as a JSON schema, so the two cannot differ."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from worldwise.errors import InputError, UnknownNameError
from worldwise.web.refusal import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SHOWN = 40
"""Letters of a bad value that an error repeats."""


class Field(Protocol):
    """An input by name; without a value it is ``default``, unless it is required."""

    @property
    def name(self) -> str:
        """As it is written in queries and bodies."""

    @property
    def about(self) -> str:
        """What it means."""

    @property
    def required(self) -> bool:
        """Whether there is no answer without it."""

    @property
    def default(self) -> object:
        """What it is if nothing is said."""

    @property
    def schema(self) -> dict[str, Any]:
        """What it may be, as JSON schema."""

    def from_text(self, text: str) -> object:
        """The value that a query writes so."""

    def check(self, value: object) -> object:
        """The value, if it is one; otherwise ``InputError``."""


@dataclass(frozen=True)
class Text:
    """A text of bounded length.

    >>> Text("north", "North's cards", longest=40, required=True).schema
    {'type': 'string', 'minLength': 1, 'maxLength': 40}
    """

    name: str
    about: str
    longest: int
    default: str | None = None
    required: bool = False

    @property
    def schema(self) -> dict[str, Any]:
        """What it may be, as JSON schema."""
        return _with_default({"type": "string", "minLength": 1, "maxLength": self.longest}, self.default)

    def from_text(self, text: str) -> str:
        """As it stands."""
        return text

    def check(self, value: object) -> str:
        """The text, if it is one and not too long."""
        if not isinstance(value, str) or not 1 <= len(value) <= self.longest:
            raise InputError(f"expected a text of 1 to {self.longest} characters, found {_shorten_value(value)}")
        return value


@dataclass(frozen=True)
class Whole:
    """A whole number within bounds.

    >>> tricks = Whole("tricks", "the goal", least=1, most=13)
    >>> tricks.check(tricks.from_text("4"))
    4
    >>> tricks.check(14)
    Traceback (most recent call last):
    worldwise.errors.InputError: expected a whole number from 1 to 13, found 14
    """

    name: str
    about: str
    least: int
    most: int
    default: int | None = None
    required: bool = False

    @property
    def schema(self) -> dict[str, Any]:
        """What it may be, as JSON schema."""
        return _with_default({"type": "integer", "minimum": self.least, "maximum": self.most}, self.default)

    def from_text(self, text: str) -> object:
        """The number, or the text that is none."""
        return int(text) if re.fullmatch(r"-?[0-9]{1,15}", text) else text

    def check(self, value: object) -> int:
        """The number, if it is one and within bounds."""
        if not isinstance(value, int) or isinstance(value, bool) or not self.least <= value <= self.most:
            raise InputError(f"expected a whole number from {self.least} to {self.most}, found {_shorten_value(value)}")
        return value


@dataclass(frozen=True)
class OneOf:
    """One of some words.

    >>> OneOf("algorithm", "which one", ("exact", "prm"), default="exact").schema
    {'type': 'string', 'enum': ['exact', 'prm'], 'default': 'exact'}
    """

    name: str
    about: str
    options: tuple[str, ...]
    default: str | None = None
    required: bool = False

    @property
    def schema(self) -> dict[str, Any]:
        """What it may be, as JSON schema."""
        return _with_default({"type": "string", "enum": list(self.options)}, self.default)

    def from_text(self, text: str) -> str:
        """As it stands."""
        return text

    def check(self, value: object) -> str:
        """The word, if it is one of them."""
        if not isinstance(value, str) or value not in self.options:
            raise InputError(f"expected one of {', '.join(self.options)}, found {_shorten_value(value)}")
        return value


@dataclass(frozen=True)
class Amount:
    """One of some numbers; a text that writes one is as good, for that is what forms send.

    >>> seconds = Amount("seconds", "how long", (0.5, 1, 2), default=1)
    >>> seconds.check(2), seconds.check("0.5")
    (2, 0.5)
    >>> seconds.check(3)
    Traceback (most recent call last):
    worldwise.errors.InputError: expected one of 0.5, 1, 2, found 3
    """

    name: str
    about: str
    options: tuple[float, ...]
    default: float | None = None
    required: bool = False

    @property
    def schema(self) -> dict[str, Any]:
        """What it may be, as JSON schema."""
        allowed = [*self.options, *map(str, self.options)]
        return _with_default({"type": ["number", "string"], "enum": allowed}, self.default)

    def from_text(self, text: str) -> str:
        """As it stands."""
        return text

    def check(self, value: object) -> float:
        """The number, if it is one of them; True is none, though Python takes it for 1."""
        for option in self.options:
            if value in (option, str(option)) and not isinstance(value, bool):
                return option
        raise InputError(f"expected one of {', '.join(map(str, self.options))}, found {_shorten_value(value)}")


@dataclass(frozen=True)
class Several:
    """A list of texts, at most so many of at most so many characters.

    >>> worlds = Several("worlds", "the layouts", longest=100, most=2)
    >>> worlds.check(["N:A... K... Q... J..."])
    ('N:A... K... Q... J...',)
    >>> worlds.check(["a", "b", "c"])
    Traceback (most recent call last):
    worldwise.errors.InputError: expected a list of 1 to 2 texts, found 3
    """

    name: str
    about: str
    longest: int
    most: int
    default: None = None
    required: bool = False

    @property
    def schema(self) -> dict[str, Any]:
        """What it may be, as JSON schema."""
        item = {"type": "string", "minLength": 1, "maxLength": self.longest}
        return {"type": "array", "items": item, "minItems": 1, "maxItems": self.most}

    def from_text(self, text: str) -> object:
        """A query has one of them at most."""
        return [text]

    def check(self, value: object) -> tuple[str, ...]:
        """The texts, if they are so many, and none too long."""
        found = _check_length(value, self.most, "texts")
        one = Text(self.name, self.about, self.longest)
        return tuple(one.check(text) for text in found)


@dataclass(frozen=True)
class Numbers:
    """A list of numbers from 0 on.

    >>> Numbers("weights", "what each counts", most=3).check([1, 0.5])
    (1, 0.5)
    """

    name: str
    about: str
    most: int
    default: None = None
    required: bool = False

    @property
    def schema(self) -> dict[str, Any]:
        """What it may be, as JSON schema."""
        return {"type": "array", "items": {"type": "number", "minimum": 0}, "minItems": 1, "maxItems": self.most}

    def from_text(self, text: str) -> object:
        """A query has no lists."""
        return text

    def check(self, value: object) -> tuple[float, ...]:
        """The numbers, if they are some, and none is negative."""
        found = _check_length(value, self.most, "numbers")
        for number in found:
            if isinstance(number, bool) or not isinstance(number, (int, float)) or not number >= 0:
                raise InputError(f"expected numbers from 0 on, found {_shorten_value(number)}")
        return tuple(found)


def _check_length(value: object, most: int, what: str) -> list[Any]:
    if not isinstance(value, list) or not 1 <= len(value) <= most:
        found = len(value) if isinstance(value, list) else _shorten_value(value)
        raise InputError(f"expected a list of 1 to {most} {what}, found {found}")
    return value


def read_values(fields: Iterable[Field], given: Mapping[str, object]) -> dict[str, object]:
    """The value of every field; what is bad is refused by name.

    >>> read_values([Whole("tricks", "the goal", 1, 13, default=3)], {})
    {'tricks': 3}
    """
    known = {field.name: field for field in fields}
    for name in given:
        if name not in known:
            raise RefusedError(400, str(UnknownNameError("input", name[:SHOWN], known)), name[:SHOWN])
    return {name: _value(field, given) for name, field in known.items()}


def _value(field: Field, given: Mapping[str, object]) -> object:
    if field.name not in given:
        if field.required:
            raise RefusedError(400, f"expected {field.about}, found nothing", field.name)
        return field.default
    try:
        return field.check(given[field.name])
    except InputError as error:
        raise RefusedError(400, str(error), field.name) from None


def _with_default(schema: dict[str, Any], default: object) -> dict[str, Any]:
    return schema if default is None else {**schema, "default": default}


def _shorten_value(value: object) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
