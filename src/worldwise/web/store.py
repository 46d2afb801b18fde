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
class Slot:
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
    """The slots in use, the one used longest ago first.

    >>> async def used_twice():
    ...     store = Store()
    ...     async with store.open(None) as slot:
    ...         slot.kept = b"a secret"
    ...     async with store.open(slot.name) as again:
    ...         return again.kept
    >>> asyncio.run(used_twice())
    b'a secret'
    """

    def __init__(self, most: int = MOST, idle: float = IDLE, clock: Callable[[], float] = monotonic) -> None:
        self.most, self.idle, self.clock = most, idle, clock
        self._slots: dict[str, Slot] = {}

    def __len__(self) -> int:
        return len(self._slots)

    @asynccontextmanager
    async def open(self, name: str | None) -> AsyncIterator[Slot]:
        """The slot of that name, or a new one; nobody else has it meanwhile. What was never filled is given up."""
        self._forget_idle()
        slot = self._new() if name is None else self._find(name)
        async with slot.lock:
            try:
                yield slot
            finally:
                self._put_back(slot)

    def _find(self, name: str) -> Slot:
        if name not in self._slots:
            raise RefusedError(404, "expected a game that is remembered, found none: it is kept for an hour", "game")
        return self._slots[name]

    def _new(self) -> Slot:
        if len(self._slots) >= self.most:
            self._forget_one()
        slot = Slot(used=self.clock())
        self._slots[slot.name] = slot
        return slot

    def _put_back(self, slot: Slot) -> None:
        """As the one used last."""
        if self._slots.pop(slot.name, None) and slot.kept is not None:
            slot.used = self.clock()
            self._slots[slot.name] = slot

    def _forget_idle(self) -> None:
        for slot in self._free():
            if self.clock() - slot.used > self.idle:
                del self._slots[slot.name]

    def _forget_one(self) -> None:
        eldest = next(iter(self._free()), None)
        if eldest is None:
            raise RefusedError(503, f"{self.most} games are under way at this moment: try again later", "")
        del self._slots[eldest.name]

    def _free(self) -> list[Slot]:
        return [slot for slot in self._slots.values() if not slot.lock.locked()]
