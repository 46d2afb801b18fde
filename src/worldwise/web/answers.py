"""A request's way from its inputs to its answer: as JSON, or step by step as server-sent events."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from starlette.responses import Response

from worldwise.core.reading import read_json
from worldwise.errors import InputError
from worldwise.web.fields import read_values
from worldwise.web.refusal import RefusedError
from worldwise.web.store import Store
from worldwise.web.worker import Search

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send

    from worldwise.web.endpoint import Endpoint
    from worldwise.web.kept_games import KeptGames
    from worldwise.web.searches import Searches, Tell

MOST_FIELDS = 32
MOST_KEPT, OVERHEAD = 32 * 1024 * 1024, 4096
"""Bytes of answers that are kept, and what each takes besides: people ask the same again while they look around."""

EVENTS, JSON = "text/event-stream", "application/json"
GONE = 499
"""The status of an answer to nobody."""

Handler = Callable[["Request"], Awaitable[Response]]


class Answers:
    """Answers what endpoints ask, from memory or by a search."""

    def __init__(self, searches: Searches, most_kept: int = MOST_KEPT, games: KeptGames | None = None) -> None:
        self.searches = searches
        self.recent = RecentAnswers(most_kept)
        self.store = Store(games=games)

    def handler(self, endpoint: Endpoint) -> Handler:
        """What a route calls."""

        async def handle(request: Request) -> Response:
            answer = self._way(endpoint, await _inputs(endpoint, request))
            if EVENTS in request.headers.get("accept", ""):
                return _Events(answer)
            found = await unless_gone(request.receive, answer(_nobody))
            if found is None:
                return Response(status_code=GONE)
            return Response(_content(endpoint, found), media_type=endpoint.media, headers={"Cache-Control": "no-cache"})

        return handle

    def _way(self, endpoint: Endpoint, inputs: dict[str, object]) -> Callable[[Tell], Coroutine[Any, Any, bytes]]:
        """From memory, by a search, or by one that remembers."""
        if endpoint.remembers:
            return partial(self.answer_from_memory, endpoint, inputs)
        search = _search(endpoint, inputs)
        return partial(self.answer if endpoint.method == "GET" else self.searches.run, search)

    async def answer_from_memory(self, endpoint: Endpoint, inputs: dict[str, object], tell: Tell) -> bytes:
        """The answer of a search that goes on from what an earlier one has left, and leaves something itself."""
        name = inputs.get("game")
        async with self.store.open(None if name is None else str(name)) as slot:
            given = {**inputs, "game": slot.name, "kept": slot.kept}
            search = replace(_search(endpoint, given), stretch=slot.stretch)
            return await self.searches.run(search, self.store.keep_and_tell(slot, tell))

    async def answer(self, search: Search, tell: Tell) -> bytes:
        """The answer as JSON, its steps told on the way; from memory there is but one."""
        found = self.recent.get(search)
        if found is not None:
            await tell("step", found)
            return found
        found = await self.searches.run(search, tell)
        self.recent.keep(search, found)
        return found


def _search(endpoint: Endpoint, inputs: dict[str, object]) -> Search:
    return Search(endpoint.work, tuple(inputs.items()), endpoint.seconds, endpoint.long, endpoint.pace)


class RecentAnswers:
    """The latest answers, up to so many bytes.

    >>> memory = RecentAnswers(most=5 + 2 * OVERHEAD)
    >>> search = Search(iter, (), 1.0)
    >>> memory.keep(search, b"1234"), memory.get(search)
    (None, b'1234')
    >>> memory.keep(Search(iter, (), 2.0), b"56"), memory.get(search)
    (None, None)
    """

    def __init__(self, most: int) -> None:
        self.most, self.size = most, 0
        self._answers: OrderedDict[Search, bytes] = OrderedDict()

    def get(self, search: Search) -> bytes | None:
        """An answer that is still there, which is now the last to go."""
        found = self._answers.get(search)
        if found is not None:
            self._answers.move_to_end(search)
        return found

    def keep(self, search: Search, answer: bytes) -> None:
        """Keep an answer, and forget others if need be."""
        if search not in self._answers:
            self._answers[search] = answer
            self.size += len(answer) + OVERHEAD
        while self.size > self.most:
            self.size -= len(self._answers.popitem(last=False)[1]) + OVERHEAD


# ---------------------------------------------------------------------- inputs


async def _inputs(endpoint: Endpoint, request: Request) -> dict[str, object]:
    """The inputs of a request, every one checked."""
    if endpoint.method == "POST":
        _check_kind(request.headers.get("content-type", ""))
        return read_values(endpoint.fields, _object(await request.body()))
    texts = _query(request.scope["query_string"])
    fields = {field.name: field for field in endpoint.fields}
    known = {name: fields[name].from_text(text) for name, text in texts.items() if name in fields and text}
    given = known | {name: text for name, text in texts.items() if name not in fields}
    return read_values(endpoint.fields, given)


def _check_kind(header: str) -> None:
    """A page elsewhere may send forms and plain text unasked, but no JSON."""
    if header.partition(";")[0].strip().lower() != JSON:
        raise RefusedError(415, f"expected a body of type {JSON}, found {header[:80]!r}", "Content-Type")


def _query(raw: bytes) -> dict[str, str]:
    try:
        pairs = parse_qsl(raw.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except ValueError:
        raise RefusedError(
            400, f"expected a query in UTF-8 of at most {MOST_FIELDS} inputs, found another", "query"
        ) from None
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise RefusedError(400, "expected every input once, found one twice", "query")
    return dict(pairs)


def _object(body: bytes) -> dict[str, object]:
    try:
        found = read_json(body)
    except InputError:
        found = None
    if not isinstance(found, dict):
        raise RefusedError(400, "expected a JSON object, found something else", "body")
    return found


def _content(endpoint: Endpoint, answer: bytes) -> bytes:
    """JSON as it stands; any other kind is a text that JSON was only the way of."""
    if endpoint.media == JSON:
        return answer
    return str(json.loads(answer)).encode()


# ---------------------------------------------------------------------- clients


async def _nobody(_event: str, _data: bytes) -> None:
    """Who does not listen."""


async def unless_gone(receive: Receive, work: Coroutine[Any, Any, bytes]) -> bytes | None:
    """What some work comes to; None if the client leaves first, and then the work is cancelled."""
    working, leaving = asyncio.create_task(work), asyncio.create_task(_wait_for_leaving(receive))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        for task in (working, leaving):
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task


async def _wait_for_leaving(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class _Events(Response):
    """An answer that comes in steps."""

    media_type = EVENTS

    def __init__(self, answer: Callable[[Tell], Coroutine[Any, Any, bytes]]) -> None:
        super().__init__(headers={"Cache-Control": "no-store"})
        del self.headers["content-length"]
        self.answer = answer

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        """Send every step as it comes; stop when the client leaves."""

        async def tell(event: str, data: bytes) -> None:
            line = b"event: %s\ndata: %s\n\n" % (event.encode(), data)
            await send({"type": "http.response.body", "body": line, "more_body": True})

        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        try:
            if await unless_gone(receive, self.answer(tell)) is not None:
                await tell("end", b"{}")
        except RefusedError as refusal:
            await tell("error", refusal.body)
        await send({"type": "http.response.body", "body": b""})
