"""What is not installed with worldwise itself: imported when it is needed, with an error that names the extra."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from worldwise.errors import InputError


def import_extra(module: str, extra: str) -> Any:
    """A module of an extra; ``InputError`` if it is not installed.

    >>> import_extra("no_such_module", "plot")
    Traceback (most recent call last):
    worldwise.errors.InputError: no_such_module is not installed: pip install 'worldwise[plot]'
    """
    try:
        return import_module(module)
    except ImportError:
        name = module.partition(".")[0]
        raise InputError(f"{name} is not installed: pip install 'worldwise[{extra}]'") from None
