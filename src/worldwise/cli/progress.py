"""How far a long command has come: a bar on standard error, for those who look at a terminal.

A bar is ended by ``with``, before anything else is said. Rich's own ``track``, left by an error, ends whenever Python
clears it away, and writes an empty line then, wherever standard error goes by that time.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Protocol, TypeVar

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from worldwise.cli.output import SafeConsole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import RenderableType

_Item = TypeVar("_Item")


class Follow(Protocol):
    """What hears of progress: how much is done of how much, and how things stand in words."""

    def __call__(self, done: int, total: int, words: str = "", /) -> None:
        """Show it."""


@contextmanager
def progress_bar(
    name: str, what: str = "rows", *, quiet: bool = False, logged: bool = False, transient: bool = False
) -> Iterator[Follow]:
    """A bar with rate and time left; what is yielded hears how many rows, or what else, of how many there are.

    Where there is no terminal, only one that is to be ``logged`` is written: once, as it stands at the end.
    """
    if quiet or not (logged or sys.stderr.isatty()):
        yield lambda _done, _total, _words="": None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with _BarWithWords(*columns, console=SafeConsole(stderr=True), transient=transient) as progress:
        yield _follower(progress, name, what)


@contextmanager
def show_progress(items: Iterable[_Item], what: str, total: int) -> Iterator[Iterator[_Item]]:
    """Things one by one, below a bar that counts those done, and is gone when all are."""
    with progress_bar(what, what, transient=True) as follow:
        yield _count(items, total, follow)


def _count(items: Iterable[_Item], total: int, follow: Follow) -> Iterator[_Item]:
    for done, item in enumerate(items):
        follow(done, total)
        yield item


class _BarWithWords(Progress):
    """A bar, and below it what else there is to say: how verdicts stand."""

    def get_renderables(self) -> Iterator[RenderableType]:
        """The bars, then the words."""
        yield from super().get_renderables()
        yield from (Text(words) for task in self.tasks if (words := task.fields["words"]))


def _follower(progress: Progress, name: str, what: str) -> Follow:
    task = progress.add_task(name, rate="", words="", total=None)
    started, before = monotonic(), -1

    def follow(done: int, total: int, words: str = "") -> None:
        nonlocal before
        before = done if before < 0 else before  # rows of an earlier run say nothing about this one's speed
        rate = f"{(done - before) / max(monotonic() - started, 1e-9):,.1f} {what}/s" if done > before else ""
        progress.update(task, completed=done, total=total, rate=rate, words=words)

    return follow
