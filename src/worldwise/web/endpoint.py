"""What a page and an endpoint are. The tables of the pages are all that routes, checks and descriptions are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from worldwise.web.fields import Field

Work = Callable[..., Iterator[Any]]
"""A generator function at the top of its module: every value it yields is a step, the last is the answer."""

SECONDS = 20.0
"""How long a search may take if its endpoint does not say."""


@dataclass(frozen=True)
class Endpoint:
    """A question that can be asked under ``/api``: in the query of a GET, or as the JSON object of a POST.

    The answer to a GET is kept for whoever asks the same again, so it must depend on its inputs alone; a POST is done
    every time.

    One that is ``long`` thinks as long as a person waits, or runs an experiment: such do not keep the others waiting.

    One that ``remembers`` is posted and has a memory on the server (``store``): ``work`` also gets ``kept``, what the
    last step of the request before has left, and yields ``Remembered``. Its field ``game`` says which; without such a
    field it begins a new one, and ``game`` is the name that it will have.

    If the time that the work takes could tell a secret, ``pace`` hides it: steps and errors wait for the next multiple
    of so many seconds, unless a step has a pace of its own.
    """

    path: str
    about: str
    fields: tuple[Field, ...]
    work: Work
    method: Literal["GET", "POST"] = "GET"
    media: str = "application/json"
    seconds: float = SECONDS
    remembers: bool = False
    long: bool = False
    pace: float = 0.0


@dataclass(frozen=True)
class Page:
    """A page of the navigation: where it is, what it is called, and its files ``NAME.html``, ``.css`` and ``.js``."""

    path: str
    title: str
    about: str
    files: str
    endpoints: tuple[Endpoint, ...]
