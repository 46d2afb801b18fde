"""What a client is told instead of an answer."""

from __future__ import annotations

import json

from worldwise.errors import WorldwiseError


class RefusedError(WorldwiseError):
    """A status of HTTP, what was expected and found, and where: an input's name, or a path.

    >>> RefusedError(400, "expected a number", "tricks").body
    b'{"error": "expected a number", "where": "tricks"}'
    """

    def __init__(self, status: int, error: str, where: str) -> None:
        super().__init__(error)
        self.status, self.where = status, where

    @property
    def body(self) -> bytes:
        """As every error of ``/api`` looks."""
        return json.dumps({"error": str(self), "where": self.where}).encode()
