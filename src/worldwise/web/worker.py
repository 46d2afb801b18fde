"""A worker's side of a search: a process that is asked through a pipe, answers step by step, and may be killed."""

from __future__ import annotations

import json
import logging
import signal
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from worldwise.errors import InputError, PlacedError, WorldwiseError
from worldwise.web.refusal import RefusedError
from worldwise.web.store import Remembered

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection

    from worldwise.web.endpoint import Work

LOG = logging.getLogger("worldwise.web")

Inputs = tuple[tuple[str, object], ...]

Told = tuple[Literal["pace", "keep", "step", "end", "refused"], Any]
"""What a worker says: the pace of the next step, bytes to be kept with it for the next request, or its JSON; at last
that it is done, or a refusal's status, words and place."""


@dataclass(frozen=True)
class Search:
    """What is to be done, in how many seconds, in which lane and at which pace.

    It can be looked up, as inputs are hashable. ``stretch`` is by how much steps with a pace of their own are late.
    """

    work: Work
    inputs: Inputs
    seconds: float
    long: bool = False
    pace: float = 0.0
    stretch: int = 1

    @property
    def module(self) -> str:
        """Where the work is written down: it knows what to import."""
        return str(getattr(self.work, "func", self.work).__module__)


def live(pipe: Connection) -> None:
    """A worker's life: searches in, steps out, until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        while True:
            search = pipe.recv()
            for told in tell(search):
                pipe.send(told)


def tell(search: Search) -> Iterator[Told]:
    """Everything that a worker says about a search.

    >>> def halves(number):
    ...     while number := number // 2:
    ...         yield {"half": number}
    >>> list(tell(Search(halves, (("number", 5),), 1.0)))
    [('step', b'{"half": 2}'), ('step', b'{"half": 1}'), ('end', None)]
    """
    try:
        for step in search.work(**dict(search.inputs)):
            if isinstance(step, Remembered):
                yield "pace", step.pace
                yield "keep", step.kept
            yield "step", json.dumps(step.told if isinstance(step, Remembered) else step).encode()
        yield "end", None
    except Exception as error:
        yield "refused", _refusal(error)


def _refusal(error: Exception) -> tuple[int, str, str]:
    """What a client may know of an error: ours in full, of a fault only that there was one."""
    if isinstance(error, RefusedError):
        return error.status, str(error), error.where
    if isinstance(error, WorldwiseError):
        where = error.place if isinstance(error, PlacedError) else ""
        return 400 if isinstance(error, InputError) else 503, str(error), where
    LOG.error("a search failed", exc_info=error)
    return 500, f"a fault of the program: {type(error).__name__}; its log says more", ""
