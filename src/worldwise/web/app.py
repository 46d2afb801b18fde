"""The application: every page with its endpoints, the files, the description, and the guard before them all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from worldwise.web.answers import Answers
from worldwise.web.doors import DOORS
from worldwise.web.files import Frame, Kept, all_names, kept_json, packaged_files
from worldwise.web.guard import Guard, fault, names_of
from worldwise.web.openapi import description
from worldwise.web.pages import HOME, PAGES
from worldwise.web.refusal import RefusedError
from worldwise.web.searches import Searches

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

    from worldwise.web.answers import Handler
    from worldwise.web.endpoint import Page
    from worldwise.web.kept_games import KeptGames

LOOPBACK = "127.0.0.1"

FOR_PROGRAMS = ("/api", *(door.path for door in DOORS))
"""What begins like this is asked by programs, and answered with JSON whatever goes wrong, and not for other sites."""

ErrorHandler = Callable[["Request", Exception], Awaitable[Response]]


def create_app(
    host: str = LOOPBACK,
    pages: tuple[Page, ...] = PAGES,
    searches: Searches | None = None,
    token: str | None = None,
    games: KeptGames | None = None,
) -> Guard:
    """Everything that is served, for a server that listens on ``host``; with a token, to those who have it.

    Games are kept on disk if ``games`` are given, and in memory only if not.

    >>> sorted(create_app().names)
    ['127.0.0.1', '::1', 'localhost']
    """
    running = searches or Searches()
    frame = Frame(packaged_files(), pages)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with running:
            yield

    handlers = {HTTPException: _tell_in(frame), RefusedError: _refuse, Exception: _fail}
    routes = [*_page_routes(frame), *_api_routes(pages, Answers(running, games=games))]
    inside = Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)
    return Guard(inside, names_of(host), token, FOR_PROGRAMS)


def _page_routes(frame: Frame) -> list[Route]:
    pages = [Route(page.path, _respond_with(frame.page(page))) for page in (HOME, *frame.pages)]
    files = [Route(f"/static/{name}", _respond_with(frame.static[name])) for name in all_names(frame.static)]
    icon = Route("/favicon.ico", _respond_with(frame.static["icon.svg"]))
    return [icon, *pages, *files]


def _api_routes(pages: tuple[Page, ...], answers: Answers) -> list[Route]:
    endpoints = [*(endpoint for page in pages for endpoint in page.endpoints), *DOORS]
    described = Route("/api/openapi.json", _respond_with(kept_json(description(endpoints))))
    return [described, *(Route(one.path, answers.handler(one), methods=[one.method]) for one in endpoints)]


def _respond_with(kept: Kept) -> Handler:
    async def send(request: Request) -> Response:
        return kept.response(request)

    return send


# ---------------------------------------------------------------------- errors


async def _refuse(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RefusedError)
    return Response(error.body, error.status, {"Cache-Control": "no-store"}, "application/json")


async def _fail(request: Request, _error: Exception) -> Response:
    """Sent before the guard hears of it, which writes it down."""
    return await _refuse(request, fault(request.url.path))


def _tell_in(frame: Frame) -> ErrorHandler:
    """What is said of paths and methods that there are not: JSON for programs, a page for others."""

    async def tell(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        path = request.url.path
        if path.startswith(FOR_PROGRAMS):
            words = f"{error.detail}; /api/openapi.json says what there is"
            return await _refuse(request, RefusedError(error.status_code, words, path))
        page = frame.message(error.detail, "There is nothing here. The pages are named above.")
        return Response(page.content, error.status_code, media_type=page.media)

    return tell
