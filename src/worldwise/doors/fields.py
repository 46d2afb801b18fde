"""A question as other programs ask it, an object of JSON: its fields are read one by one, and none is overlooked."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from worldwise.core.reading import LARGEST, shorten
from worldwise.errors import InputError, PlacedError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Json = dict[str, Any]


class QuestionFields:
    """The fields of a question; an error names the field. What is null counts as left out.

    >>> asked = QuestionFields({"deal": "N:- - - -", "worlds": 20, "sead": 1})
    >>> asked.text("deal"), asked.whole("worlds", 40, least=1), asked.flag("plan", True)
    ('N:- - - -', 20, True)
    >>> asked.refuse_others()
    Traceback (most recent call last):
    worldwise.errors.UnknownNameError: unknown field 'sead'; known: deal, worlds, plan
    """

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = {name: value for name, value in fields.items() if value is not None}
        self._known: dict[str, None] = {}

    def __contains__(self, name: str) -> bool:
        self._known[name] = None
        return name in self._fields

    def text(self, name: str, default: str = "") -> str:
        """A text."""
        value = self._take(name, default)
        return value if isinstance(value, str) else self._refuse(name, "a text", value)

    def one_of(self, name: str, options: Iterable[str], default: str) -> str:
        """One of some words."""
        value, known = self.text(name, default), list(options)
        if value not in known:
            raise UnknownNameError(name, value, known)
        return value

    def texts(self, name: str) -> list[str]:
        """A list of texts; one text alone will do."""
        value = self._take(name, [])
        found = [value] if isinstance(value, str) else value
        if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
            self._refuse(name, "a list of texts", value)
        return list(found)

    def flag(self, name: str, default: bool) -> bool:
        """True or false."""
        value = self._take(name, default)
        return value if isinstance(value, bool) else self._refuse(name, "true or false", value)

    def whole(self, name: str, default: int, *, least: int = 0, most: int = LARGEST) -> int:
        """A whole number within bounds."""
        value = self._take(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self._refuse(name, f"a whole number from {least} to {most}", value)
        return int(value)

    def whole_if_given(self, name: str, *, least: int = 0, most: int = LARGEST) -> int | None:
        """A whole number within bounds; None if it is left out."""
        return self.whole(name, least, least=least, most=most) if name in self else None

    def number_if_given(self, name: str) -> float | None:
        """A number from 0 on; None if it is left out."""
        return self._check_number(name, self._fields[name]) if name in self else None

    def numbers_if_given(self, name: str) -> list[float] | None:
        """A list of numbers from 0 on; None if it is left out."""
        if name not in self:
            return None
        value = self._fields[name]
        if not isinstance(value, list):
            self._refuse(name, "a list of numbers", value)
        return [self._check_number(name, one) for one in value]

    def rest(self, names: Sequence[str]) -> Json:
        """Those of some fields that are given, as they stand."""
        return {name: self._fields[name] for name in names if name in self}

    def refuse_others(self) -> None:
        """Once everything is read: a field that nobody asked for was meant to say something."""
        for name in self._fields:
            if name not in self._known:
                raise UnknownNameError("field", name, self._known)

    def _take(self, name: str, default: Any) -> Any:
        return self._fields[name] if name in self else default

    def _check_number(self, name: str, value: Any) -> float:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not is_number or not 0 <= value <= LARGEST or not isfinite(value):
            self._refuse(name, f"numbers from 0 to {LARGEST}", value)
        found: float = value
        return found

    def _refuse(self, name: str, wanted: str, value: Any) -> Any:
        found = shorten(value) if isinstance(value, str) else f"{value!r:.60}"
        raise PlacedError(f"expected {wanted}, found {found}", name)


def expect_object(value: Any) -> Json:
    """What was read from JSON, if it is an object."""
    if not isinstance(value, dict):
        raise InputError(f'expected an object such as {{"deal": "...", ...}}, found {f"{value!r:.60}"}')
    return value
