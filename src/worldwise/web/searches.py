"""Searches in processes of their own, a bounded number at once; the others wait for their turn and are told so.

There are two lanes. A search that thinks as long as a person waits takes the long one; whatever ends when it knows its
answer takes the quick one, where it never waits behind the former. Which it is, its endpoint says.

A search is only ever stopped by ending its process: then it does not matter what it is doing, in Python or in a kernel,
nor how much memory it has. Where the system can, workers are forked from a server process that has imported everything,
so a new one is there in milliseconds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import cache
from multiprocessing import get_all_start_methods, get_context
from typing import TYPE_CHECKING, Any, Self

from worldwise.web.refusal import RefusedError
from worldwise.web.worker import live

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from multiprocessing.context import BaseContext

    from worldwise.web.worker import Search, Told

AT_ONCE = 2
MOST_WAITING = 32
"""In each lane. A worker takes some 100 MiB at most, so all of them together take little."""

Tell = Callable[[str, bytes], Awaitable[None]]
"""Hears of events: ``waiting`` and ``step``, with JSON, and what no client may have: ``keep``, with bytes, and
``stretch``, with a number."""

PRELOADED = ("worldwise.web.pages", "worldwise.cli.main")
"""What every worker needs: imported once, before it forks. One that is missing would be skipped without a word."""


class Searches:
    """The workers, and the two lanes before them.

    >>> from worldwise.web.worker import Search
    >>> async def nobody(event, data): ...
    >>> async def first_step():
    ...     async with Searches(at_once=1) as searches:
    ...         return await searches.run(Search(enumerate, (("iterable", "a"),), 20.0), nobody)
    >>> asyncio.run(first_step())
    b'[0, "a"]'
    """

    def __init__(self, at_once: int = AT_ONCE, most_waiting: int = MOST_WAITING) -> None:
        self.at_once = at_once
        self.quick, self.long = Lane(at_once, most_waiting), Lane(at_once, most_waiting)
        self._idle: list[_Worker] = []

    @property
    def running(self) -> int:
        """How many searches there are at this moment."""
        return self.quick.running + self.long.running

    @property
    def queue(self) -> list[asyncio.Event]:
        """Everybody who waits."""
        return self.quick.queue + self.long.queue

    async def __aenter__(self) -> Self:
        self._idle = [_Worker() for _ in range(self.at_once)]
        return self

    async def __aexit__(self, *_: object) -> None:
        while self._idle:
            self._idle.pop().end()

    async def run(self, search: Search, tell: Tell) -> bytes:
        """The last step of a search, when it was its turn; cancelled, the search ends with its process."""
        async with (self.long if search.long else self.quick).turn(tell):
            return await self._run_on(self._hire(search), search, tell)

    async def _run_on(self, worker: _Worker, search: Search, tell: Tell) -> bytes:
        try:
            return await worker.run(search, tell)
        finally:
            if worker.busy:
                worker.end()
            else:
                self._idle.append(worker)

    def _hire(self, search: Search) -> _Worker:
        """One that is idle and has not died meanwhile, or a new one; best one that has imported what is needed."""
        # The sort is stable: of those that know as much, the one that worked last is at the end.
        self._idle.sort(key=lambda worker: search.module in worker.knows)
        while self._idle:
            worker = self._idle.pop()
            if worker.process.is_alive():
                return worker
            worker.end()
        return _Worker()


class Lane:
    """So many at once, and the queue of the others.

    >>> async def alone():
    ...     async with Lane(at_once=1, most_waiting=1).turn(print):
    ...         return "nobody is waiting"
    >>> asyncio.run(alone())
    'nobody is waiting'
    """

    def __init__(self, at_once: int, most_waiting: int) -> None:
        self.at_once, self.most_waiting = at_once, most_waiting
        self.running = 0
        self.queue: list[asyncio.Event] = []

    @asynccontextmanager
    async def turn(self, tell: Tell) -> AsyncIterator[None]:
        """What is done in here, is done when it is its turn."""
        await self._come(tell)
        try:
            yield
        finally:
            self.running -= 1
            self._wake()

    async def _come(self, tell: Tell) -> None:
        """Wait until nobody is ahead and not too many run."""
        if len(self.queue) >= self.most_waiting:
            raise RefusedError(503, f"{self.most_waiting} searches are waiting already: try again later", "")
        ticket = asyncio.Event()
        self.queue.append(ticket)
        try:
            while self.running >= self.at_once or self.queue[0] is not ticket:
                ticket.clear()
                await tell("waiting", b'{"ahead": %d}' % self.queue.index(ticket))
                await ticket.wait()
            self.running += 1
        finally:
            self.queue.remove(ticket)
            self._wake()

    def _wake(self) -> None:
        """Everybody who waits looks again."""
        for ticket in self.queue:
            ticket.set()


class _Worker:
    """A process, and a thread that listens to it: pipes can be waited for in threads on every system."""

    def __init__(self) -> None:
        self.pipe, theirs = _context().Pipe()
        # Only contexts by name have their own type of process, and all of them have one.
        self.process = _context().Process(target=live, args=(theirs,), daemon=True)  # type: ignore[attr-defined]
        self.process.start()
        theirs.close()
        self.busy = False
        self.knows: set[str] = set()
        self._thread = ThreadPoolExecutor(1)

    async def run(self, search: Search, tell: Tell) -> bytes:
        """The last step of a search, each told as it comes in."""
        self.busy = True
        self.knows.add(search.module)
        try:
            release = _Release(search)
            self.pipe.send(search)
            async with asyncio.timeout(search.seconds):
                return await self._follow(tell, release)
        except TimeoutError:
            raise RefusedError(503, f"expected an answer within {search.seconds:g} seconds, found none", "") from None
        except (EOFError, OSError):
            raise RefusedError(503, "the search ended before its answer: perhaps it took too much memory", "") from None

    async def _follow(self, tell: Tell, release: _Release) -> bytes:
        last = b"null"
        while True:
            kind, data = await asyncio.wrap_future(self._thread.submit(self._hear))
            if kind == "pace":
                release.step_pace = data
            elif kind == "keep":
                release.kept = data
            elif kind == "step":
                last = data
                await release.tell_step(tell, data)
            else:
                return await self._finish(kind, data, last, release)

    async def _finish(self, kind: str, data: Any, last: bytes, release: _Release) -> bytes:
        self.busy = False
        if kind == "refused":
            await release.wait()
            raise RefusedError(*data)
        return last

    def _hear(self) -> Told:
        told: Told = self.pipe.recv()
        return told

    def end(self) -> None:
        """Whatever it is doing; the pipe is closed after the thread has heard of it."""
        self.process.kill()
        self._thread.submit(self._close)
        self._thread.shutdown(wait=False)

    def _close(self) -> None:
        self.process.join()
        self.process.close()
        self.pipe.close()


class _Release:
    """When a step is told: at once, or so long after the search was begun as its pace says.

    What is kept waits with it: else whoever left early and came back would see whether it was there already. Work that
    takes longer than that is told after twice the time, or four times; and so is everything after it in the same game,
    so that this shows at most once.
    """

    def __init__(self, search: Search) -> None:
        self.pace, self.step_pace, self.stretch = search.pace, 0.0, search.stretch
        self.longest = search.seconds / 2
        self.kept: bytes | None = None
        self.loop = asyncio.get_running_loop()
        self.began = self.loop.time()

    async def tell_step(self, tell: Tell, data: bytes) -> None:
        """What is kept, and the step."""
        await self.wait()
        if self.step_pace:
            await tell("stretch", b"%d" % self.stretch)
        if self.kept is not None:
            await tell("keep", self.kept)
        await tell("step", data)
        self.step_pace, self.kept = 0.0, None

    async def wait(self) -> None:
        """Until it is time for what is told next."""
        took = self.loop.time() - self.began
        # One stall of the machine may not make every later turn of the game longer than a search may take.
        while self.step_pace and self.step_pace * self.stretch < min(took, self.longest / 2):
            self.stretch *= 2
        pace = self.step_pace * self.stretch or self.pace
        if pace:
            await asyncio.sleep(pace - took % pace)


@cache
def _context() -> BaseContext:
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    context = get_context("forkserver")
    # A new process runs the main script again, up to its guard: with the command line imported that takes no time.
    context.set_forkserver_preload(list(PRELOADED))
    return context
