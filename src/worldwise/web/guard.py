"""Who may ask, how much at a time, and what every answer says about itself.

The server is for the person before this machine. A web page elsewhere could make a browser ask it: by a name that
suddenly leads here (DNS rebinding), which the ``Host`` header gives away, or by a plain link from another site, which
browsers mark. Both are refused. A page of ours may load nothing but our own files, and runs no script but these. If
others can reach the server, it asks them for a token (``access``).
"""

from __future__ import annotations

import asyncio
import logging
import socket
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect

from worldwise.web.access import carries_token, cookie, entrance, is_token, token_in
from worldwise.web.refusal import RefusedError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOG = logging.getLogger("worldwise.web")

MOST_QUERY = 4_096
MOST_PATH = 512
MOST_BODY = 256 * 1024
"""Bytes."""

BODY_SECONDS = 10.0
"""How long a body may take to come, however small its pieces."""

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_REFUSAL_HEADERS = {401: [(b"www-authenticate", b"Bearer")], 408: [(b"connection", b"close")]}
_RAW = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]


def names_of(host: str) -> frozenset[str]:
    """What this server may be called if it listens on a host.

    >>> sorted(names_of("127.0.0.1"))
    ['127.0.0.1', '::1', 'localhost']
    """
    if host in LOOPBACK:
        return LOOPBACK
    return LOOPBACK | {host.lower(), socket.gethostname().lower()}


def host_name(header: str) -> str:
    """The name in a ``Host`` header, without its port.

    >>> host_name("Localhost:8765"), host_name("[::1]:8765"), host_name("::1")
    ('localhost', '::1', '')
    """
    name, colon, port = header.strip().lower().rpartition(":")
    if not colon or header.endswith("]"):
        name, port = header.strip().lower(), "0"
    if not port.isdecimal() or (":" in name) != (name.startswith("[") and name.endswith("]")):
        return ""
    return name.strip("[]")


@dataclass(frozen=True)
class Guard:
    """Stands before an application that goes by some names, and may ask for a token.

    Paths that begin as ``interface`` says are for our own pages and for programs; any site may lead to the others.
    """

    app: ASGIApp
    names: frozenset[str]
    token: str | None = None
    interface: tuple[str, ...] = ("/api",)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or say why not; whatever goes wrong inside, the answer is a clean one."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        answer = GuardedAnswer(send)
        try:
            headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
            self._check(scope, headers)
            if self.token is None or carries_token(self.token, scope, headers):
                await self.app(scope, _bound_body(receive), answer)
            else:
                await answer.welcome(scope, self._check_token(scope))
        except RefusedError as refusal:
            await answer.refuse(refusal)
        except ClientDisconnect:
            return  # in the middle of a body: there is nobody to answer
        except Exception as error:
            LOG.error("a request failed", exc_info=error)
            await answer.refuse(fault(scope["path"]))

    def _check(self, scope: Scope, headers: dict[bytes, str]) -> None:
        self._check_host(headers.get(b"host", ""))
        _check_sizes(scope, headers)
        if scope["path"].startswith(self.interface):
            _check_site(scope, headers)

    def _check_token(self, scope: Scope) -> str:
        """The token in the address of who comes for the first time."""
        found = token_in(scope)
        if self.token is None or found is None or not is_token(self.token, found):
            words = "the token of this server, in the address that it printed at its start or as Authorization: Bearer"
            raise RefusedError(401, f"expected {words}, found {'none' if found is None else 'another'}", "token")
        return self.token

    def _check_host(self, header: str) -> None:
        name = host_name(header)
        if name not in self.names and not (self._is_open and _is_address(name)):
            raise RefusedError(421, f"expected this server's own name, found {header[:80]!r}", "Host")

    @property
    def _is_open(self) -> bool:
        """Whether others may ask: then by any address, which cannot be rebound, but not by any name."""
        return self.names != LOOPBACK


def _check_sizes(scope: Scope, headers: dict[bytes, str]) -> None:
    for what, size, most in (
        ("path", len(scope.get("raw_path") or scope["path"]), MOST_PATH),
        ("query", len(scope["query_string"]), MOST_QUERY),
    ):
        if size > most:
            raise RefusedError(414, f"expected at most {most:,} bytes, found {size:,}", what)
    length = headers.get(b"content-length", "0")
    if not length.isdecimal() or int(length[:20]) > MOST_BODY:
        raise _too_much()


def _check_site(scope: Scope, headers: dict[bytes, str]) -> None:
    """Browsers say where a request comes from. An origin is a scheme, a name and a port; ours are those by which the
    request has come.
    """
    site = headers.get(b"sec-fetch-site", "none")
    origin = headers.get(b"origin", "")
    ours = not origin or origin.lower() == f"{scope['scheme']}://{headers.get(b'host', '')}".lower()
    if site not in ("same-origin", "none") or not ours:
        raise RefusedError(
            403, f"expected a request from our own pages, found one from {origin[:80] or site!r}", "Origin"
        )


def fault(path: str) -> RefusedError:
    """What a client may know of a fault of ours."""
    return RefusedError(500, "a fault of the program; its log says more", path)


def _is_address(name: str) -> bool:
    try:
        return bool(ip_address(name))
    except ValueError:
        return False


def _too_much() -> RefusedError:
    return RefusedError(413, f"expected at most {MOST_BODY:,} bytes", "body")


def _bound_body(receive: Receive) -> Receive:
    """The same, up to so many bytes and seconds: a body may come without saying how long it is, or hardly come."""
    seen, until = 0, asyncio.get_running_loop().time() + BODY_SECONDS
    is_whole = False

    async def receive_bounded() -> Message:
        nonlocal seen, is_whole
        message = await receive() if is_whole else await _in_time(receive, until)
        is_whole = not message.get("more_body", False)
        seen += len(message.get("body", b""))
        if seen > MOST_BODY:
            raise _too_much()
        return message

    return receive_bounded


async def _in_time(receive: Receive, until: float) -> Message:
    try:
        async with asyncio.timeout_at(until):
            return await receive()
    except TimeoutError:
        raise RefusedError(408, f"expected the whole body within {BODY_SECONDS:g} seconds", "body") from None


class GuardedAnswer:
    """Sends with our headers, and knows whether it is too late to say anything else."""

    def __init__(self, send: Send) -> None:
        self.send, self.started = send, False

    async def __call__(self, message: Message) -> None:
        """Send a part of the answer."""
        if message["type"] == "http.response.start":
            self.started = True
            message = {**message, "headers": [*message["headers"], *_RAW]}
        await self.send(message)

    async def refuse(self, refusal: RefusedError) -> None:
        """Say why there is no answer."""
        if self.started:
            return
        more = _REFUSAL_HEADERS.get(refusal.status, [])
        await self._send_whole(refusal.status, [(b"content-type", b"application/json"), *more], refusal.body)

    async def welcome(self, scope: Scope, token: str) -> None:
        """Who has brought the token in the address has it from now on as a cookie."""
        headers = [(b"content-type", b"text/html; charset=utf-8"), (b"set-cookie", cookie(token, scope).encode())]
        await self._send_whole(200, headers, entrance(scope))

    async def _send_whole(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
        always = [(b"cache-control", b"no-store"), (b"content-length", str(len(body)).encode())]
        await self({"type": "http.response.start", "status": status, "headers": [*headers, *always]})
        await self({"type": "http.response.body", "body": body})
