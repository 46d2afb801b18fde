"""Many requests to a server of our own, at a rate that does not wait for answers, and what became of each.

::

    python benchmarks/web_load.py                       30,000 requests, 300 a second, on connections that are kept
    python benchmarks/web_load.py --close               a new connection for each
    python benchmarks/web_load.py --requests 3000 --rate 100

Asks suits that the server has in memory, at 127.0.0.1 only. Whatever is not an answer of 200 with its whole body is
counted by its kind, and the exit code is 1. Connections that wait are used again the latest first, as most clients do
it: those of a burst wait longest.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from time import perf_counter
from urllib.parse import urlencode

from worldwise.catalog import suit_combinations

MOST_REQUESTS, MOST_RATE = 100_000, 1_000
MOST_CONNECTIONS = 100
"""At once, as clients bound it: what is due while all are in use waits."""

PATIENCE = 30.0
"""Seconds for one answer."""

BURST, BURST_SECONDS = 40, 5.0
"""So many requests come at once every so many seconds, besides those that come evenly: as when a page is opened."""


@dataclass
class Load:
    """What one run does, and what it has seen so far."""

    port: int
    closing: bool
    outcomes: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = field(default_factory=list)
    opened: int = 0
    places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST_CONNECTIONS))

    async def ask(self, target: str) -> None:
        """One request, from the connection to the last byte."""
        start = perf_counter()
        try:
            async with self.places, asyncio.timeout(PATIENCE):
                outcome = await self._answer(target)
        except (TimeoutError, OSError, EOFError) as error:
            outcome = type(error).__name__
        self.outcomes[outcome] += 1
        self.seconds.append(perf_counter() - start)

    async def _answer(self, target: str) -> str:
        reader, writer = await self._connection()
        try:
            kind = "close" if self.closing else "keep-alive"
            writer.write(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: {kind}\r\n\r\n".encode())
            await writer.drain()
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            await reader.readexactly(int(re.search(r"content-length: (\d+)", head)[1]))
        except BaseException:
            writer.close()
            raise
        self._put_back(reader, writer, "connection: close" in head)
        return head.split(" ")[1]

    async def _connection(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """One that waits; like ``http.client``, without a look whether the other side has closed it meanwhile."""
        if self.idle:
            return self.idle.pop()
        self.opened += 1
        return await asyncio.open_connection("127.0.0.1", self.port)

    def _put_back(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, is_last: bool) -> None:
        if is_last:
            writer.close()
        else:
            self.idle.append((reader, writer))


def targets() -> list[str]:
    """A few questions; all but the first of each are answered from memory."""
    pairs = suit_combinations()[:20]
    return [f"/api/suit?{urlencode({'north': north, 'south': south})}" for north, south in pairs]


async def run(load: Load, requests: int, rate: float) -> float:
    """All requests at their times, and the seconds until the last answer."""
    questions = targets()
    for target in questions:
        await load.ask(target)
    load.outcomes.clear()
    load.seconds.clear()
    start, tasks = perf_counter(), []
    for number, due in enumerate(due_times(requests, rate)):
        await asyncio.sleep(max(0.0, start + due - perf_counter()))
        tasks.append(asyncio.create_task(load.ask(questions[number % len(questions)])))
    await asyncio.gather(*tasks)
    for _, writer in load.idle:
        writer.close()
    return perf_counter() - start


def due_times(requests: int, rate: float) -> list[float]:
    """When requests are sent: evenly, but some wait for the next burst."""
    per_burst = max(1, round(rate * BURST_SECONDS))
    evenly = [number / rate for number in range(requests)]
    return sorted(
        (number // per_burst + 1) * BURST_SECONDS if number % per_burst < BURST else due
        for number, due in enumerate(evenly)
    )


def main() -> int:
    """Start a server, load it, say what happened."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=30_000)
    parser.add_argument("--rate", type=float, default=300)
    parser.add_argument("--close", action="store_true")
    options = parser.parse_args()
    if not (0 < options.requests <= MOST_REQUESTS and 0 < options.rate <= MOST_RATE):
        parser.error(f"expected 1 to {MOST_REQUESTS:,} requests and up to {MOST_RATE:,} a second")
    command = [sys.executable, "-m", "worldwise", "web", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        port = int(re.search(r":(\d+)/", server.stdout.readline())[1])
        load = Load(port, options.close)
        took = asyncio.run(run(load, options.requests, options.rate))
        server.terminate()
    print(summary(load, took))
    return 0 if set(load.outcomes) == {"200"} else 1


def summary(load: Load, took: float) -> str:
    """What happened, in one line."""
    times, asked = sorted(load.seconds), sum(load.outcomes.values())
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in load.outcomes.most_common())
    half, most = (1000 * times[int(len(times) * part)] for part in (0.5, 0.99))
    told = f"{asked:,} requests in {took:.1f} s on {load.opened:,} connections: {kinds}; "
    return f"{told}median {half:.1f} ms, 99 % within {most:.0f} ms"


if __name__ == "__main__":
    sys.exit(main())
