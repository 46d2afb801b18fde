"""Rows and settings: what a long job measures, and what each row is measured at.

A row depends on its setting and seed alone. That is why runs resume, spread over processes and clusters, and come out
the same bit for bit.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import TypeAlias

from worldwise.errors import InputError

Scalar: TypeAlias = bool | int | float | str | None
Row: TypeAlias = Mapping[str, Scalar]
"""What was measured. Rows that are read back hold their setting's names and ``seed``, the seed's number, as well."""

Rows: TypeAlias = Sequence[Row]


class Setting(Mapping[str, Scalar]):
    """Names and values that a measurement is made at; hashable, and the same whatever the order of the names.

    >>> setting = Setting(depth=5, similarity=0.25)
    >>> setting["depth"], setting == Setting(similarity=0.25, depth=5)
    (5, True)
    >>> setting
    Setting(depth=5, similarity=0.25)
    """

    __slots__ = ("_items", "key")

    _items: dict[str, Scalar]
    key: str
    """The setting as canonical JSON: what equality, files and seeds go by."""

    def __init__(self, **items: Scalar) -> None:
        if "seed" in items:
            raise InputError("expected a setting without 'seed': seeds are numbered by the laboratory")
        object.__setattr__(self, "_items", {name: plain(value) for name, value in items.items()})
        object.__setattr__(self, "key", json.dumps(self._items, sort_keys=True, separators=(",", ":")))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a setting does not change: {name}")

    def __getitem__(self, name: str) -> Scalar:
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        return self.key == other.key if isinstance(other, Setting) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.key)

    def __reduce__(self) -> tuple[Callable[[dict[str, Scalar]], Setting], tuple[dict[str, Scalar]]]:
        return _setting, (self._items,)

    def __repr__(self) -> str:
        return f"Setting({', '.join(f'{name}={value!r}' for name, value in self.items())})"

    def __str__(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.items())


def _setting(items: dict[str, Scalar]) -> Setting:
    return Setting(**items)


def plain(value: object) -> Scalar:
    """A value as JSON will give it back: numpy's numbers become Python's; ``InputError`` if JSON cannot hold it.

    >>> import numpy as np
    >>> plain(np.int64(3)), plain(0.5), plain(None)
    (3, 0.5, None)
    """
    item = getattr(value, "item", None)
    found = item() if callable(item) else value
    if found is None or isinstance(found, bool | int | str) or (isinstance(found, float) and math.isfinite(found)):
        return found
    raise InputError(f"expected a finite number, a string, a truth value or None, found {value!r}")


def grid(**axes: Sequence[Scalar]) -> tuple[Setting, ...]:
    """Every combination of values, the last name varying fastest.

    >>> grid(depth=(2, 3), knowledge=(0.0, 1.0))[1]
    Setting(depth=2, knowledge=1.0)
    """
    return tuple(Setting(**dict(zip(axes, values, strict=True))) for values in product(*axes.values()))
