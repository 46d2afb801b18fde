"""Who is connected: how long a connection may keep silent, and which one goes when there are too many.

A client that connects and says nothing, half a request, or nothing more after its answer costs a place. Places are
bounded; a newcomer gets the one that has been idle longest, so whoever holds many of them shuts nobody out. A
connection is idle unless it has sent a whole request, that is being answered, and the client takes the answer.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from worldwise.web.guard import GuardedAnswer
from worldwise.web.refusal import RefusedError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_CONNECTIONS = 512
"""Far more than people need: who comes with many requests at once, before we have read them, should lose none."""

FILES = 2 * MOST_CONNECTIONS
"""So many files a process should be able to open: some systems give it 256 unless it asks for more."""

IDLE_SECONDS = 75
"""How long a connection may wait for its next request.

Clients keep connections and use them again; one that is closed at the moment at which it is used again costs a request.
So this is longer than clients are used to wait.
"""

HEADER_SECONDS = 10.0
"""From the first byte of a request to the end of its headers."""

SEND_SECONDS = 30.0
"""How long a client may take nothing of what it is sent."""


class PatientProtocol(H11Protocol):
    """HTTP on one connection, with an end to patience."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.answering, self.idle_since = 0, self.loop.time()
        self._is_begun = False
        self._timer: asyncio.TimerHandle | None = None
        self._app, self.app = self.app, self._answer

    @property
    def is_idle(self) -> bool:
        """Whether we wait for the client, and not the client for us."""
        return not self.answering or self.conn.their_state is h11.SEND_BODY or self.flow.write_paused

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A place, if need be that of another."""
        _make_room(self.connections)
        super().connection_made(transport)
        self._wait(IDLE_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody waits any longer."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """The clock of a request runs from its first byte, and no later byte sets it back."""
        if not self.answering and not self._is_begun:
            self._is_begun = True
            self._wait(HEADER_SECONDS)
        super().data_received(data)

    def drop(self) -> None:
        """Close without waiting for a client that may take nothing any more."""
        self.connections.discard(self)
        self.transport.abort()

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pipelined requests overlap by a moment, so they are counted."""
        self._stop_waiting()
        self.answering += 1
        try:
            await self._app_or_refusal()(scope, receive, self._limit_seconds(send))
        finally:
            self.answering -= 1
            self.idle_since, self._is_begun = self.loop.time(), False
            if not self.answering:
                self._wait(IDLE_SECONDS)

    def _app_or_refusal(self) -> ASGIApp:
        """Nobody was idle: one more is told to come again."""
        return self._app if len(self.connections) <= MOST_CONNECTIONS else _refuse

    def _limit_seconds(self, send: Send) -> Send:
        async def hurry(message: Message) -> None:
            try:
                async with asyncio.timeout(SEND_SECONDS):
                    await send(message)
            except TimeoutError:
                self.drop()

        return hurry

    def _wait(self, seconds: float) -> None:
        self._stop_waiting()
        if not self.transport.is_closing():
            self._timer = self.loop.call_later(seconds, self.drop)

    def _stop_waiting(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None


async def _refuse(_scope: Scope, _receive: Receive, send: Send) -> None:
    words = f"{MOST_CONNECTIONS} connections are being answered already: try again later"
    await GuardedAnswer(send).refuse(RefusedError(503, words, ""))


def allow_files(wanted: int = FILES) -> None:
    """Ask the system for so many files, where it has such a limit and lets us; a connection is one."""
    with suppress(ImportError, OSError, ValueError):
        from resource import RLIM_INFINITY, RLIMIT_NOFILE, getrlimit, setrlimit

        soft, hard = getrlimit(RLIMIT_NOFILE)
        if RLIM_INFINITY != soft < wanted:
            setrlimit(RLIMIT_NOFILE, (wanted if hard == RLIM_INFINITY else min(wanted, hard), hard))


def _make_room(connections: set[Any]) -> None:
    """For one more: the one that has been idle longest goes, if any is idle."""
    idle = [one for one in connections if one.is_idle]
    if len(connections) >= MOST_CONNECTIONS and idle:
        min(idle, key=lambda one: one.idle_since).drop()
