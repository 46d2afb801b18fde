"""What people type, and other programs send, to standard input."""

from __future__ import annotations

import sys

from worldwise.core.reading import collect_bytes, decode_text
from worldwise.errors import InputError

LONGEST_LINE = 10_000
"""Characters of a line that is typed: some devices and pipes have lines that never end."""


def read_input() -> str:
    """All of it, decoded as files are."""
    return decode_text(collect_bytes(sys.stdin.buffer))


def read_line() -> str:
    """The next line with its end, empty if there is none."""
    line = sys.stdin.readline(LONGEST_LINE)
    if len(line) >= LONGEST_LINE:
        raise InputError(f"expected a line of fewer than {LONGEST_LINE:,} characters, found more")
    return line
