"""What all commands print and write with."""

from __future__ import annotations

import json
import sys
from errno import EACCES, EISDIR
from io import TextIOWrapper
from os import W_OK, access, strerror
from typing import TYPE_CHECKING, Any

from rich.console import Console

from worldwise.core.durable_files import is_passed_through, make_folder, part_of
from worldwise.core.reading import cut_middle, show_controls
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from rich.console import ConsoleOptions, RenderableType
    from rich.segment import Segment


def print_json(value: Any) -> None:
    """A value as JSON, for programs and people."""
    print_text(json.dumps(value, indent=2))


def print_text(text: str) -> None:
    """A text, whatever the width of the terminal; control characters are shown."""
    sys.stdout.write(show_controls(text) + "\n")


def print_data(text: str) -> None:
    """A text for another program: as it stands, unless a person looks at it."""
    sys.stdout.write(show_controls(text) if sys.stdout.isatty() else text)


def warn(text: str) -> None:
    """One line on standard error; of what would fill the screen, the two ends."""
    sys.stderr.write(f"worldwise: {show_controls(cut_middle(text))}\n")


class SafeConsole(Console):
    """A console that shows control characters of names and comments, wherever they came from, and obeys none of them.

    Brackets in a name are no markup either.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, markup=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The pieces of what is printed; those that colour and move the cursor are the console's own."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=show_controls(segment.text))


def forgive_letters() -> None:
    """Letters that a terminal has not, and bytes that are no letters, are written out instead of ending the command."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say_left_out(fault: str) -> None:
    """Something could not be read, and the work goes on without it."""
    warn(f"left out: {fault}")


def speaks_unicode() -> bool:
    """Whether what is printed may have any letters and signs."""
    return (sys.stdout.encoding or "ascii").lower().replace("-", "").startswith("utf")


def check_writable(path: Path) -> None:
    """Find out before the work, not after it, whether a file can be written; its folder is made."""
    try:
        if is_passed_through(path):
            _check_takes_text(path)
        else:
            _try_beside(path.resolve())
    except OSError as error:
        raise InputError(f"expected a file that can be written, found {path} ({error.strerror})") from None


def _check_takes_text(path: Path) -> None:
    """Without opening it: a pipe would wait for its reader."""
    if path.is_dir():
        raise IsADirectoryError(EISDIR, strerror(EISDIR))
    if path.is_socket() or not access(path, W_OK):
        raise PermissionError(EACCES, strerror(EACCES))


def _try_beside(path: Path) -> None:
    part = part_of(path)
    make_folder(path.parent)
    part.touch()
    part.unlink()


def check_distinct(files: Mapping[str, Path | None]) -> None:
    """What the options of a command write must be different files: the last would destroy the others."""
    options: dict[Path, str] = {}
    for option, path in files.items():
        first = options.setdefault(path.resolve(), option) if path else option
        if first != option:
            raise InputError(f"{option}: expected another file than that of {first}, found {str(path)!r} for both")
