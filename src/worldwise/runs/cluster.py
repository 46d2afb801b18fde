"""Rows measured on a Dask cluster: one started here for the run, or one that is running elsewhere."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from worldwise.errors import InputError, WorldwiseError
from worldwise.extras import import_extra
from worldwise.runs.job import Batches, Measured, Pair, Task, chunks
from worldwise.runs.signals import LISTEN, deaf_to_interrupts, remember_interrupts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

AHEAD = 2
"""Chunks in flight for every worker, so that none waits for the next."""

LOOPBACK = "127.0.0.1"
"""Where a cluster of our own listens. Whoever reaches a scheduler of Dask's can run programs there, and nobody is asked
for a password."""

CONNECT_TIMEOUT = "10s"
"""How long to try to reach a scheduler."""


@dataclass(frozen=True)
class Cluster:
    """Runs rows on Dask: ``local``, with so many processes, or at a scheduler's address."""

    address: str
    jobs: int

    def rows(self, task: Task, missing: Iterable[Pair]) -> Batches:
        """Every missing row, in the order in which they come in. Dask measures again what a dead worker was at."""
        distributed = import_extra("distributed", "cluster")
        with ExitStack() as stack:
            client = self._client(distributed, stack)
            heard = stack.enter_context(remember_interrupts())
            flight = _Flight(client, task, missing)
            try:
                while flight.futures and not heard():
                    yield from flight.collect(distributed)
                    yield []
                if flight.futures:
                    raise KeyboardInterrupt
            except KeyboardInterrupt:
                yield from flight.collect(distributed, waiting=False)
                raise
            except (OSError, distributed.CancelledError) as error:
                raise WorldwiseError(f"the cluster was lost ({error}); what was measured is kept") from None

    def _client(self, distributed: Any, stack: ExitStack) -> Any:
        address: Any = self.address
        if address == "local":
            options = {
                "n_workers": self.jobs,
                "threads_per_worker": 1,
                "host": LOOPBACK,
                "dashboard_address": f"{LOOPBACK}:0",
                "silence_logs": "CRITICAL",  # what goes wrong is raised; the rest is how it closes
            }
            with deaf_to_interrupts():
                address = stack.enter_context(distributed.LocalCluster(**options))
        try:
            return stack.enter_context(distributed.Client(address, timeout=CONNECT_TIMEOUT, set_as_default=False))
        except (OSError, ValueError) as error:
            raise InputError(f"--cluster: no Dask scheduler answers at {self.address!r}: {error}") from None


class _Flight:
    """What was sent to the cluster, and what is still to send."""

    def __init__(self, client: Any, task: Task, missing: Iterable[Pair]) -> None:
        self.client, self.task = client, task
        self._fresh = chunks(missing, self._workers())
        self._again: list[list[Pair]] = []
        self.futures: dict[Any, list[Pair]] = {}
        self._send()

    def _workers(self) -> int:
        """How many rows the cluster can measure at once; workers may come and go."""
        cores: dict[str, int] = self.client.ncores()
        return max(1, sum(cores.values()))

    def _send(self) -> None:
        room = AHEAD * self._workers() - len(self.futures)
        while room > 0 and (pairs := self._again.pop() if self._again else next(self._fresh, None)):
            room -= 1
            self.futures[self.client.submit(self.task.some, pairs, pure=False)] = pairs

    def collect(self, distributed: Any, waiting: bool = True) -> Iterator[list[Measured]]:
        """What has come in, a list for each chunk."""
        if waiting:
            self._wait(distributed)
        for future in [future for future in self.futures if future.done()]:
            pairs = self.futures.pop(future)
            rows = self._result(distributed, future, pairs)
            if rest := pairs[len(rows) :]:
                self._again.append(rest)
            yield rows
        if waiting:
            self._send()

    def _wait(self, distributed: Any) -> None:
        """Until something comes in, but never so long that an interrupt would seem not to be heard."""
        with self.client.as_current(), suppress(distributed.TimeoutError):
            distributed.wait(list(self.futures), timeout=LISTEN, return_when="FIRST_COMPLETED")

    def _result(self, distributed: Any, future: Any, pairs: list[Pair]) -> list[Measured]:
        try:
            rows: list[Measured] = future.result()
        except distributed.KilledWorker:
            raise WorldwiseError(
                f"several workers died on the rows from {pairs[0]}; out of memory? What was measured is kept"
            ) from None
        return rows
