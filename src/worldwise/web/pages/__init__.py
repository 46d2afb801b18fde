"""The first page, and the others in the order of the navigation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.lab.results import RESULTS
from worldwise.web.pages.atlas import ATLAS
from worldwise.web.pages.desk import DESK
from worldwise.web.pages.home import HOME
from worldwise.web.pages.kriegspiel import KRIEGSPIEL
from worldwise.web.pages.laboratory import laboratory
from worldwise.web.pages.suits import SUITS
from worldwise.web.pages.trees import TREES

if TYPE_CHECKING:
    from pathlib import Path

    from worldwise.web.endpoint import Page

__all__ = ["HOME", "LABORATORY", "PAGES", "pages_with"]

LABORATORY = laboratory(RESULTS)

PAGES: tuple[Page, ...] = (SUITS, ATLAS, DESK, KRIEGSPIEL, TREES, LABORATORY)


def pages_with(results: Path) -> tuple[Page, ...]:
    """The same pages, the laboratory with a folder of results.

    >>> [page.path for page in pages_with(RESULTS)] == [page.path for page in PAGES]
    True
    """
    return tuple(laboratory(results) if page is LABORATORY else page for page in PAGES)
