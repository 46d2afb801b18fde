"""What the server remembers between requests: secrets that may not go to the client, such as the umpire's board.

What is remembered are bytes, which only workers understand: the server hands them over and takes them back. There are
at most so many of them in memory; what nobody has asked about for an hour is forgotten, and so is the eldest when there
are too many. If games are kept on disk (``kept_games``), each step is there before a client hears of it, and what was
forgotten, or was there when the server started, is read again.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from secrets import token_urlsafe
from time import monotonic
from typing import TYPE_CHECKING, Any

from worldwise.web.refusal import RefusedError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from worldwise.web.kept_games import KeptGames
    from worldwise.web.searches import Tell

MOST = 64
FORGET_SECONDS = 3600.0
"""Seconds after which nobody will come back."""


@dataclass(frozen=True)
class Remembered:
    """A step of a search with a memory: what the client is told, and what is kept for the next request.

    With a ``pace`` both wait until so many seconds after the search began, so that the time of the answer does not tell
    how long the work took.
    """

    told: Any
    kept: bytes
    pace: float = 0.0


@dataclass(eq=False)
class Slot:
    """Where something is kept, by a name that cannot be guessed; one request at a time uses it."""

    name: str = field(default_factory=lambda: token_urlsafe(16))
    kept: bytes | None = None
    used: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    stretch: int = 1


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

    def __init__(
        self,
        most: int = MOST,
        idle: float = FORGET_SECONDS,
        clock: Callable[[], float] = monotonic,
        games: KeptGames | None = None,
    ) -> None:
        self.most, self.idle, self.clock, self.games = most, idle, clock, games
        self._slots: dict[str, Slot] = {}
        self._writer = ThreadPoolExecutor(1)  # one, so that files are written in the order of the steps

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

    def keep_and_tell(self, slot: Slot, tell: Tell) -> Tell:
        """The same ears, but what is to be kept stays here, and is on disk before anything else is heard."""

        async def hear(event: str, data: bytes) -> None:
            if event == "keep":
                slot.kept = data
                await self._write(slot)
            elif event == "stretch":
                slot.stretch = int(data)
            else:
                await tell(event, data)

        return hear

    async def _write(self, slot: Slot) -> None:
        """Onto the disk, if games are kept there."""
        if self.games and slot.kept is not None:
            loop = asyncio.get_running_loop()
            writing = loop.run_in_executor(self._writer, self.games.write, slot.name, slot.kept)
            await asyncio.shield(writing)  # whoever leaves meanwhile has played nevertheless

    def _find(self, name: str) -> Slot:
        return self._slots.get(name) or self._read(name)

    def _read(self, name: str) -> Slot:
        """What is on disk; nothing is waited for, so that two requests at once find the same slot."""
        kept = self.games.read(name) if self.games else None
        if kept is None:
            time = f"{self.games.days:g} days" if self.games else "an hour"
            raise RefusedError(404, f"expected a game that is remembered, found none: it is kept for {time}", "game")
        return self._add(Slot(name, kept))

    def _new(self) -> Slot:
        return self._add(Slot())

    def _add(self, slot: Slot) -> Slot:
        if len(self._slots) >= self.most:
            self._forget_one()
        slot.used = self.clock()
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
