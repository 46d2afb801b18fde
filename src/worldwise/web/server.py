"""The server: a socket, uvicorn, and a browser if one is wanted."""

from __future__ import annotations

import socket
import sys
import webbrowser
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import uvicorn

from worldwise.errors import InputError
from worldwise.web.app import create_app
from worldwise.web.pages import pages_with

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SHUTDOWN_SECONDS = 1
"""Seconds that open connections have when the server ends."""

MOST_CONNECTIONS = 256


def serve(host: str, port: int, *, results: Path, browser: bool, say: Callable[[str], None]) -> None:
    """Serve until interrupted, the laboratory with a folder of results; ``say`` is told where."""
    listening = listen(host, port)
    address = address_of(host, listening)

    def started() -> None:
        say(f"worldwise is at {address} (Ctrl-C ends it)")
        if browser:
            webbrowser.open(address)

    config = uvicorn.Config(
        create_app(host, pages_with(results)),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        lifespan="on",
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    with suppress(KeyboardInterrupt):
        _Server(config, started).run([listening])


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; ``InputError`` if the address is not to be had."""
    try:
        return _bind(*socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)[0])
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"expected an address to listen on, found {host!r} port {port}: {reason}") from None


def _bind(family: int, kind: int, protocol: int, _name: str, address: Any) -> socket.socket:
    """Its protocol is named: only then does asyncio send small answers without waiting for more (``TCP_NODELAY``)."""
    listening = socket.socket(family, kind, protocol)
    try:
        if sys.platform != "win32":  # there it would let two servers have one port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
    except OSError:
        listening.close()
        raise
    return listening


def address_of(host: str, listening: socket.socket) -> str:
    """What a browser is given: a server that listens everywhere is also here."""
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    shown = f"[{here}]" if ":" in here else here
    return f"http://{shown}:{listening.getsockname()[1]}/"


class _Server(uvicorn.Server):
    """Says so when it has started."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._say_started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so."""
        await super().startup(sockets)
        if self.started:
            self._say_started()
