"""The packaged files: read once, when the application is made, so that no request ever touches the disk."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from starlette.responses import Response

import worldwise

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.requests import Request

    from worldwise.web.endpoint import Page

MEDIA = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True)
class Kept:
    """Something to send again and again: a client that has it already is told so."""

    content: bytes
    media: str

    @property
    def tag(self) -> str:
        """Another one for other content."""
        return f'"{sha256(self.content).hexdigest()[:16]}"'

    def response(self, request: Request) -> Response:
        """The whole, or that nothing has changed."""
        headers = {"ETag": self.tag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == self.tag:
            return Response(status_code=304, headers=headers)
        return Response(self.content, headers=headers, media_type=self.media)


def packaged_files() -> dict[str, Kept]:
    """Every file of ``static`` that pages link to, by name.

    >>> packaged_files()["base.css"].media
    'text/css; charset=utf-8'
    """
    found = [file for file in files("worldwise.web").joinpath("static").iterdir() if file.is_file()]
    kinds = {file: f".{file.name.rpartition('.')[2]}" for file in found}
    return {file.name: Kept(file.read_bytes(), MEDIA[kind]) for file, kind in kinds.items() if kind in MEDIA}


def kept_json(value: object) -> Kept:
    """A value as JSON."""
    return Kept(json.dumps(value).encode(), MEDIA[".json"])


@dataclass(frozen=True)
class Frame:
    """What stands around every page: the head, the navigation, the switches."""

    static: dict[str, Kept]
    pages: tuple[Page, ...]

    def page(self, page: Page) -> Kept:
        """A page in its frame."""
        return self._frame(page.title, page.about, self._text(f"{page.files}.html"), page)

    def message(self, title: str, words: str) -> Kept:
        """A page that only says something."""
        main = f'<div class="message"><h1>{escape(title)}</h1><p>{escape(words)}</p></div>'
        return self._frame(title, words, main, None)

    def _frame(self, title: str, about: str, main: str, page: Page | None) -> Kept:
        names = {"title": escape(title), "about": escape(about), "version": worldwise.__version__}
        parts = {"nav": self._navigation(page), "head": _links(page) if page else "", "main": main}
        text = Template(self._text("frame.html")).substitute(**names, **parts)
        return Kept(text.encode(), MEDIA[".html"])

    def _navigation(self, here: Page | None) -> str:
        return "\n".join(_nav_link(page, page is here) for page in self.pages)

    def _text(self, name: str) -> str:
        return self.static[name].content.decode()


def _nav_link(page: Page, current: bool) -> str:
    mark = ' aria-current="page"' if current else ""
    return f'<li><a href="{page.path}"{mark}>{escape(page.title)}</a></li>'


def _links(page: Page) -> str:
    style = f'<link rel="stylesheet" href="/static/{page.files}.css">'
    return f'{style}\n<script type="module" src="/static/{page.files}.js"></script>'


def all_names(static: Iterable[str]) -> list[str]:
    """The files that may be linked to: the parts of pages are not."""
    return [name for name in static if not name.endswith(".html")]
