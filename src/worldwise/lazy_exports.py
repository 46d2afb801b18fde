"""Public names that are imported when they are first asked for: nobody waits for what he does not use."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def export(
    package: str, names: Mapping[str, Sequence[str]], rooms: Sequence[str] = ()
) -> tuple[list[str], Callable[[str], object], Callable[[], list[str]]]:
    """``__all__``, ``__getattr__`` and ``__dir__`` of a package whose ``names`` stand in modules below it.

    ``rooms`` are packages and modules that can be reached as attributes, without being imported first.
    """
    homes = {name: module for module, all_names in names.items() for name in all_names}
    public = sorted(homes)

    def find(name: str) -> object:
        if name == "__version__" and package == "worldwise":
            from importlib.metadata import version

            return version(package)
        if name in homes:
            return getattr(import_module(f"{package}.{homes[name]}"), name)
        if name in rooms:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def get(name: str) -> object:
        found = find(name)
        setattr(sys.modules[package], name, found)
        return found

    def list_names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *public, "__version__"})

    return public, get, list_names
