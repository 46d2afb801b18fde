"""Questions answered on all cores while more of them arrive: texts in, texts out, in the order of the questions.

A thread reads the questions, so that one who asks, waits for the answer and asks again is served as well as a file of
thousands. At most so many are open at a time: whoever reads slowly makes the reading of questions wait.
"""

from __future__ import annotations

from collections import deque
from contextlib import closing, suppress
from dataclasses import dataclass
from math import ceil
from multiprocessing import Pipe
from threading import Event, Semaphore, Thread
from typing import TYPE_CHECKING

from worldwise.runs.job import Pair, Task
from worldwise.runs.pool import Pool
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from worldwise.runs.rows import Row

MOST_OPEN = 1024
"""Questions that are read and not yet answered."""

MOST_TOGETHER = 16
"""Questions that a process is handed at a time."""


def answer_in_order(
    answer: Callable[[str], str],
    questions: Iterable[str],
    jobs: int,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[str]:
    """An answer to every question, by so many processes; it ends early once it is ``cancelled``.

    ``answer`` travels to the processes by its name. Those that are at work when it is cancelled are stopped at once.
    """
    feed, held, wanted = _Feed(questions, jobs), dict[int, str](), 0
    with closing(feed), closing(Pool(jobs).rows_as_asked(Task(_Ask(answer), 0), feed.chunks(), feed.bell)) as arriving:
        for rows in arriving:
            held |= {pair.number: str(row["answer"]) for pair, row in rows}
            while wanted in held:
                yield held.pop(wanted)
                feed.release()
                wanted += 1
            if cancelled():
                return
    feed.complain()


@dataclass(frozen=True)
class _Ask:
    """A question as the row of a run."""

    answer: Callable[[str], str]

    def __call__(self, setting: Setting, _seed: int) -> Row:
        return {"answer": self.answer(str(setting["question"]))}


class _Feed:
    """What is asked, as it arrives; whoever waits for it hears the bell."""

    def __init__(self, questions: Iterable[str], jobs: int) -> None:
        self._questions, self._jobs = questions, jobs
        self._waiting: deque[Pair] = deque()
        self._room, self._closed, self._ended = Semaphore(MOST_OPEN), Event(), Event()
        self._error: BaseException | None = None
        self.bell, self._ring = Pipe(duplex=False)
        # It may wait for a question for ever; nobody waits for it.
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with suppress(OSError):  # the bell is gone: nobody listens any more
            try:
                for number, question in enumerate(self._questions):
                    self._room.acquire()
                    if self._closed.is_set():
                        return
                    self._waiting.append(Pair(Setting(question=question), number))
                    self._ring.send_bytes(b"!")
            except BaseException as error:
                self._error = error
            self._ended.set()
            self._ring.send_bytes(b"!")

    def chunks(self) -> Iterator[list[Pair]]:
        """What waits, in portions; an empty one if nothing does yet."""
        while True:
            ended = self._ended.is_set()  # looked at first: whatever was asked before is waiting by now
            size = min(MOST_TOGETHER, ceil(len(self._waiting) / (2 * self._jobs)))
            if size == 0 and ended:
                break
            yield [self._waiting.popleft() for _ in range(size)]

    def complain(self) -> None:
        """Raise what went wrong where the questions come from."""
        if self._error is not None:
            raise self._error

    def release(self) -> None:
        """One of the open questions is answered."""
        self._room.release()

    def close(self) -> None:
        """Take no more questions."""
        self._closed.set()
        self._room.release()
        self._ring.close()
        self.bell.close()
