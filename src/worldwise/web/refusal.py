"""What a client is told instead of an answer."""

from __future__ import annotations

import json

from worldwise.core.reading import cut_middle
from worldwise.errors import WorldwiseError

MOST_WHERE = 512
"""Characters of a place: a path may be as long as a body."""


class RefusedError(WorldwiseError):
    """A status of HTTP, what was expected and found, and where: an input's name, or a path.

    >>> RefusedError(400, "expected a number", "tricks").body
    b'{"error": "expected a number", "where": "tricks"}'
    >>> len(RefusedError(400, "expected a number, found " + 190_000 * "9", "tricks").body) < 2_200
    True
    """

    def __init__(self, status: int, error: str, where: str) -> None:
        super().__init__(cut_middle(error))
        self.status, self.where = status, cut_middle(where, MOST_WHERE)

    @property
    def body(self) -> bytes:
        """As every error of ``/api`` looks."""
        return json.dumps({"error": str(self), "where": self.where}).encode()
