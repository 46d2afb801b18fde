"""What a client is told instead of an answer."""

from __future__ import annotations

import json

from worldwise.errors import WorldwiseError

MOST_WORDS, MOST_WHERE = 2_000, 512
"""Letters that an error may have: it repeats what it found, and that may be as long as a body."""


class RefusedError(WorldwiseError):
    """A status of HTTP, what was expected and found, and where: an input's name, or a path.

    >>> RefusedError(400, "expected a number", "tricks").body
    b'{"error": "expected a number", "where": "tricks"}'
    >>> len(RefusedError(400, "expected a number, found " + 190_000 * "9", "tricks").body) < 2_200
    True
    """

    def __init__(self, status: int, error: str, where: str) -> None:
        super().__init__(shorten(error, MOST_WORDS))
        self.status, self.where = status, shorten(where, MOST_WHERE)

    @property
    def body(self) -> bytes:
        """As every error of ``/api`` looks."""
        return json.dumps({"error": str(self), "where": self.where}).encode()


def shorten(text: str, most: int) -> str:
    """A text, or its beginning and how much there is of it.

    >>> shorten("expected", 8), shorten("12345", 3)
    ('expected', '123... (5 characters)')
    """
    return text if len(text) <= most else f"{text[:most]}... ({len(text):,} characters)"
