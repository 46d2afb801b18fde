"""Files that come with the package, by name: only the one that is asked for is read."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def data(*path: str) -> Traversable:
    """A file or a folder of the catalog's data."""
    return files(__package__).joinpath("data", *path)


def names(folder: Traversable, suffix: str) -> list[str]:
    """The files of a kind below a folder, without their suffix.

    >>> names(data("games"), ".efg")[0]
    'bmv96/fig-2-g1'
    """
    found = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            found += [f"{entry.name}/{name}" for name in names(entry, suffix)]
        else:
            found.append(entry.name.removesuffix(suffix))
    return found
