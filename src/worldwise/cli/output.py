"""What all commands print and write with."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping


def print_json(value: Any) -> None:
    """A value as JSON, for programs and people."""
    print_text(json.dumps(value, indent=2))


def print_text(text: str) -> None:
    """A text as it stands, whatever the width of the terminal."""
    sys.stdout.write(text + "\n")


def speaks_unicode() -> bool:
    """Whether what is printed may have any letters and signs."""
    return (sys.stdout.encoding or "ascii").lower().replace("-", "").startswith("utf")


def check_writable(path: Path) -> None:
    """Find out before the work, not after it, whether a file can be written; its folder is made."""
    part = _part(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.touch()
        part.unlink()
    except OSError as error:
        raise InputError(f"expected a file that can be written, found {path} ({error.strerror})") from None


def _part(path: Path) -> Path:
    return Path(f"{path}.part")


def check_distinct(files: Mapping[str, Path | None]) -> None:
    """What the options of a command write must be different files: the last would destroy the others."""
    options: dict[Path, str] = {}
    for option, path in files.items():
        first = options.setdefault(path.resolve(), option) if path else option
        if first != option:
            raise InputError(f"{option}: expected another file than that of {first}, found {str(path)!r} for both")


def write_file(path: Path, text: str) -> None:
    """Write a file whole or not at all, whatever interrupts it."""
    part = _part(path)
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
