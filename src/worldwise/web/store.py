"""What the server remembers between requests: secrets that may not go to the client, such as the umpire's board.

What is remembered are bytes, which only workers understand: the server hands them over and takes them back. There are
at most so many of them; what nobody has asked about for an hour is forgotten, and so is the eldest when there are too
many.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from secrets import token_urlsafe
from time import monotonic
from typing import TYPE_CHECKING, Any

from worldwise.web.refusal import RefusedError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from worldwise.web.searches import Tell

MOST = 64
IDLE = 3600.0
"""Seconds after which nobody will come back."""


@dataclass(frozen=True)
class Remembered:
    """A step of a search with a memory: what the client is told, and what is kept for the next request."""

    told: Any
    kept: object


@dataclass(eq=False)
class Place:
    """Where something is kept, by a name that cannot be guessed; one request at a time uses it."""

    name: str = field(default_factory=lambda: token_urlsafe(16))
    kept: bytes | None = None
    used: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def keeping(self, tell: Tell) -> Tell:
        """The same ears, but what is to be kept stays here."""

        async def hear(event: str, data: bytes) -> None:
            if event == "keep":
                self.kept = data
            else:
                await tell(event, data)

        return hear


class Store:
    """The places in use, the one used longest ago first.

    >>> async def used_twice():
    ...     store = Store()
    ...     async with store.opened(None) as place:
    ...         place.kept = b"a secret"
    ...     async with store.opened(place.name) as again:
    ...         return again.kept
    >>> asyncio.run(used_twice())
    b'a secret'
    """

    def __init__(self, most: int = MOST, idle: float = IDLE, clock: Callable[[], float] = monotonic) -> None:
        self.most, self.idle, self.clock = most, idle, clock
        self._places: dict[str, Place] = {}

    def __len__(self) -> int:
        return len(self._places)

    @asynccontextmanager
    async def opened(self, name: str | None) -> AsyncIterator[Place]:
        """The place of that name, or a new one; nobody else has it meanwhile. What was never filled is given up."""
        self._forget_idle()
        place = self._new() if name is None else self._found(name)
        async with place.lock:
            try:
                yield place
            finally:
                self._put_back(place)

    def _found(self, name: str) -> Place:
        if name not in self._places:
            raise RefusedError(404, "expected a game that is remembered, found none: it is kept for an hour", "game")
        return self._places[name]

    def _new(self) -> Place:
        if len(self._places) >= self.most:
            self._forget_one()
        place = Place(used=self.clock())
        self._places[place.name] = place
        return place

    def _put_back(self, place: Place) -> None:
        """As the one used last."""
        if self._places.pop(place.name, None) and place.kept is not None:
            place.used = self.clock()
            self._places[place.name] = place

    def _forget_idle(self) -> None:
        for place in self._free():
            if self.clock() - place.used > self.idle:
                del self._places[place.name]

    def _forget_one(self) -> None:
        eldest = next(iter(self._free()), None)
        if eldest is None:
            raise RefusedError(503, f"{self.most} games are under way at this moment: try again later", "")
        del self._places[eldest.name]

    def _free(self) -> list[Place]:
        return [place for place in self._places.values() if not place.lock.locked()]
