"""Errors get their places: where in a file something is wrong."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from worldwise.errors import InputError, PlacedError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def placed(place: str) -> Iterator[None]:
    """Say where an error is, in front of what it says itself.

    >>> with placed("line 7"):
    ...     raise InputError("expected a card, found 'H1'")
    Traceback (most recent call last):
    worldwise.errors.PlacedError: line 7: expected a card, found 'H1'
    """
    try:
        yield
    except InputError as error:
        raise PlacedError(str(error), place) from None
