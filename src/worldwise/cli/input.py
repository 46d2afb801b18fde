"""What other programs send to standard input."""

from __future__ import annotations

import sys

from worldwise.core.reading import decode_text


def read_input() -> str:
    """All of it, decoded as files are."""
    return decode_text(sys.stdin.buffer.read())
