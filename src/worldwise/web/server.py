"""The server: a socket, uvicorn, and a browser if one is wanted."""

from __future__ import annotations

import socket
import sys
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

import uvicorn

from worldwise.errors import InputError
from worldwise.web.access import choose_token
from worldwise.web.app import create_app
from worldwise.web.connections import IDLE_SECONDS, PatientProtocol, allow_files
from worldwise.web.kept_games import open_games
from worldwise.web.pages import pages_with

if TYPE_CHECKING:
    from pathlib import Path

    from worldwise.web.guard import Guard

SHUTDOWN_SECONDS = 1
"""Seconds that open connections have when the server ends."""

WARNING = """\
WARNING: worldwise listens on {host}, where other machines can reach it.
Whoever has the token below can use it; nobody else gets an answer. Nothing is encrypted: on a network that you do not
trust, others can read along, and then they have the token too. The safer way is to leave out --host, and to reach this
machine from another one with: ssh -L {port}:127.0.0.1:{port} THIS-MACHINE
"""

Say = Callable[[str], None]


def serve(
    host: str,
    port: int,
    *,
    results: Path,
    browser: bool,
    say: Say,
    warn: Say,
    token: str | None = None,
    games: Path | None = None,
) -> None:
    """Serve until interrupted, the laboratory with a folder of results; ``say`` is told where.

    A server that others can reach asks for a token: the one that is given, or a new one. ``warn`` hears of that.
    Kriegspiel games are kept in the folder ``games``, or in memory only.
    """
    allow_files()
    with listen(host, port) as listening:
        is_open = not is_loopback(listening)
        secret = choose_token(token, is_open)
        addresses = [with_token(address, secret) for address in addresses_of(host, listening)]

        def announce() -> None:
            if is_open:
                warn(WARNING.format(host=host, port=listening.getsockname()[1]))
            say(
                "\n".join(
                    [f"worldwise is at {addresses[0]} (Ctrl-C ends it)", *(f"and at {one}" for one in addresses[1:])]
                )
            )
            if browser:
                webbrowser.open(addresses[0])

        with suppress(KeyboardInterrupt), open_games(games, say) as kept:
            app = create_app(host, pages_with(results), token=secret, games=kept)
            _Server(config_of(app), announce).run([listening])


def config_of(app: Guard) -> uvicorn.Config:
    """How an application is served."""
    return uvicorn.Config(
        app,
        http=PatientProtocol,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        lifespan="on",
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )


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


# ---------------------------------------------------------------------- where it is

EVERYWHERE = {"0.0.0.0": ("0.0.0.0",), "::": ("::", "0.0.0.0")}
"""Addresses that mean all of a machine's; the later kind includes the earlier on most systems."""

ELSEWHERE = {"0.0.0.0": (socket.AF_INET, "192.0.2.1"), "::": (socket.AF_INET6, "2001:db8::1")}
"""Addresses that are nobody's: which of its own a machine would use to reach them tells how others reach it."""

HERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}


def is_loopback(listening: socket.socket) -> bool:
    """Whether only this machine can reach a socket."""
    return ip_address(listening.getsockname()[0].partition("%")[0]).is_loopback


def addresses_of(host: str, listening: socket.socket) -> list[str]:
    """What a browser may be given, those first that others can use; a server that listens everywhere has several."""
    bound, port = listening.getsockname()[:2]
    kinds = EVERYWHERE.get(bound, ())
    others = list(filter(None, map(_own_address, kinds))) or [socket.gethostname()]
    names = [*others, *(HERE[kind] for kind in kinds)] if kinds else [host]
    return [f"http://{f'[{name}]' if ':' in name else name}:{port}/" for name in names]


def _own_address(kind: str) -> str | None:
    """This machine's address on its network, if it is on one. To connect a datagram socket sends nothing."""
    family, elsewhere = ELSEWHERE[kind]
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
        asking.connect((elsewhere, 9))
        return str(asking.getsockname()[0])
    return None


def with_token(address: str, token: str | None) -> str:
    """The address to open.

    >>> with_token("http://127.0.0.1:8765/", "abc")
    'http://127.0.0.1:8765/?token=abc'
    """
    return address if token is None else f"{address}?token={token}"


class _Server(uvicorn.Server):
    """Says so when it has started."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._say_started = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so."""
        await super().startup(sockets)
        if self.started:
            self._say_started()
