"""The token without which a server that others can reach answers nothing.

A person brings it once, in the address that was printed; from then on the browser has it as a cookie that no script can
read and no other site can send. Programs send it with every request, as ``Authorization: Bearer TOKEN``.
"""

from __future__ import annotations

import re
from hmac import compare_digest
from html import escape
from secrets import token_urlsafe
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, urlencode

from worldwise.errors import InputError

if TYPE_CHECKING:
    from starlette.types import Scope

LEAST, MOST = 16, 200
"""Letters of a token that somebody chooses himself."""


def choose_token(given: str | None, is_open: bool) -> str | None:
    """The token that was given, or a new one if others can reach the server; otherwise none is needed.

    >>> choose_token(None, is_open=False), len(choose_token(None, is_open=True))
    (None, 43)
    >>> choose_token("1234", is_open=True)
    Traceback (most recent call last):
    worldwise.errors.InputError: --token: expected 16 to 200 letters, digits, - and _, found 4 characters
    """
    if given is None:
        return token_urlsafe(32) if is_open else None
    if not re.fullmatch(rf"[A-Za-z0-9_-]{{{LEAST},{MOST}}}", given):
        # What was given is not repeated: it may be a real secret with one odd letter.
        raise InputError(f"--token: expected {LEAST} to {MOST} letters, digits, - and _, found {len(given)} characters")
    return given


def carries_token(token: str, scope: Scope, headers: dict[bytes, str]) -> bool:
    """Whether a request has the token in a header of its own, or in the cookie.

    >>> scope = {"server": ("127.0.0.1", 8765)}
    >>> carries_token("abc", scope, {b"authorization": "Bearer abc"}), carries_token("abc", scope, {})
    (True, False)
    """
    kind, _, secret = headers.get(b"authorization", "").partition(" ")
    cookies = (one.strip().partition("=") for one in headers.get(b"cookie", "").split(";"))
    found = [value for name, _, value in cookies if name == cookie_name(scope)]
    return any(is_token(token, one) for one in (secret.strip() if kind.lower() == "bearer" else "", *found))


def is_token(token: str, found: str) -> bool:
    """Compared in a time that does not say how much of it is right."""
    return compare_digest(token.encode(), found.encode("utf-8", "surrogatepass"))


def cookie_name(scope: Scope) -> str:
    """Another one for every port: browsers do not tell cookies by it."""
    return f"worldwise-{scope['server'][1]}"


def cookie(token: str, scope: Scope) -> str:
    """What a browser is told to bring from now on, until it ends."""
    return f"{cookie_name(scope)}={token}; Path=/; HttpOnly; SameSite=Strict"


def token_in(scope: Scope) -> str | None:
    """The token in an address that is opened.

    >>> token_in({"method": "GET", "query_string": b"north=AQ&token=abc"})
    'abc'
    """
    if scope["method"] != "GET":
        return None
    return dict(_pairs(scope)).get("token")


def entrance(scope: Scope) -> bytes:
    """A page that leads to the same address without the token.

    It is no redirection: a browser that came from another site's link would follow one without its new cookie. The path
    begins with one slash, or it would lead to another site.

    >>> entrance({"path": "//evil.example/", "query_string": b"token=abc"}).count(b'href="/evil.example/"')
    1
    """
    rest = urlencode([pair for pair in _pairs(scope) if pair[0] != "token"])
    target = escape(f"/{quote(scope['path'].lstrip('/'))}{'?' if rest else ''}{rest}")
    head = f'<meta charset="utf-8"><meta http-equiv="refresh" content="0; url={target}"><title>worldwise</title>'
    return f'<!doctype html>{head}<p>Welcome. <a href="{target}">Go on to worldwise</a>.</p>'.encode()


def _pairs(scope: Scope) -> list[tuple[str, str]]:
    return parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
