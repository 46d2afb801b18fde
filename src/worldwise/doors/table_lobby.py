"""Those who have connected to a table and not yet said who they are: nobody waits for one of them alone."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from selectors import EVENT_READ, DefaultSelector
from time import monotonic
from typing import TYPE_CHECKING

from worldwise.doors.table_protocol import LineSocket, LostError

if TYPE_CHECKING:
    import socket

GREETING = 10.0
"""Seconds in which who connects must say who he is."""

MOST_WAITING = 64
"""Connections that may be silent at a time; for one more the eldest goes."""


class Lobby:
    """Listens to all of them at once."""

    def __init__(self, listening: socket.socket) -> None:
        self._listening, self._selector = listening, DefaultSelector()
        self._selector.register(listening, EVENT_READ)
        self._since: dict[LineSocket, float] = {}
        self._said: deque[tuple[LineSocket, str]] = deque()

    def next_line(self) -> tuple[LineSocket, str]:
        """Who has said a line first, and the line; he is in the lobby no longer."""
        while not self._said:
            for key, _ in self._selector.select(self._patience()):
                if key.fileobj is self._listening:
                    self._admit()
                else:
                    self._listen_to(key.data)
            self._send_away()
        return self._said.popleft()

    def close(self) -> None:
        """Send everybody away."""
        for client in [*self._since, *(client for client, _ in self._said)]:
            client.close()
        self._since.clear()
        self._said.clear()
        self._selector.close()

    def _patience(self) -> float | None:
        eldest = next(iter(self._since.values()), None)
        return None if eldest is None else max(eldest + GREETING - monotonic(), 0.0)

    def _admit(self) -> None:
        with suppress(OSError):  # whoever has gone again
            client = LineSocket(self._listening.accept()[0])
            self._since[client] = monotonic()
            self._selector.register(client, EVENT_READ, client)

    def _listen_to(self, client: LineSocket) -> None:
        try:
            line = client.take_what_came()
        except (LostError, TimeoutError):
            self._leave(client).close()
            return
        if line is not None:
            self._said.append((self._leave(client), line))

    def _send_away(self) -> None:
        """Those who have taken too long, and the eldest of too many."""
        late = [client for client, since in self._since.items() if since + GREETING <= monotonic()]
        for client in late or list(self._since)[: max(len(self._since) - MOST_WAITING, 0)]:
            self._leave(client).close()

    def _leave(self, client: LineSocket) -> LineSocket:
        self._selector.unregister(client)
        del self._since[client]
        return client
