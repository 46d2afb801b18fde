"""What all commands print and write with."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from worldwise.errors import InputError


def print_json(value: Any) -> None:
    """A value as JSON, for programs and people."""
    print_text(json.dumps(value, indent=2))


def print_text(text: str) -> None:
    """A text as it stands, whatever the width of the terminal."""
    sys.stdout.write(text + "\n")


def speaks_unicode() -> bool:
    """Whether what is printed may have any letters and signs."""
    return (sys.stdout.encoding or "ascii").lower().replace("-", "").startswith("utf")


def write_file(path: Path, text: str) -> None:
    """Write a file whole or not at all, whatever interrupts it."""
    part = Path(f"{path}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
