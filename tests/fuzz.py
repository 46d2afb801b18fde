"""Fuzzing the readers: ``make fuzz SECONDS=60``.

Every case spoils a valid text (``spoilt_texts``) and gives it to its reader (``fuzzed_readers``). There must be an
answer or an error of the project's own, within 2 seconds of processor time and 1 GiB of memory. A case is determined by
the seed and its number, so a run can go on where another stopped (``--start``), and any case can be looked at again
(``--only``).

Cases run in a process of their own: even one that brings the interpreter down is found, saved and passed over.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import signal
import sys
import traceback
from collections import Counter
from pathlib import Path
from random import Random
from time import monotonic, process_time
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent / "support"))

from fuzzed_readers import readers
from spoilt_texts import mutate
from worldwise.errors import WorldwiseError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.sharedctypes import Synchronized
    from types import FrameType

SECONDS_A_CASE = 2.0
BYTES_A_CASE = 2**30
CASES_A_REPORT = 1000
PAGE, STATUS = resource.getpagesize(), Path("/proc/self/statm")


class TooSlowError(BaseException):
    """A case that has taken its time; not one of the exceptions that a reader might take for its own."""


def make_case(seed: int, number: int) -> tuple[int, bytes]:
    """The reader of a case, by its place, and the text."""
    rng = Random(seed << 48 | number)
    place = rng.randrange(len(READERS))
    return place, mutate(rng, READERS[place].corpus)


READERS = readers()


def run_case(place: int, text: bytes) -> tuple[str, str]:
    """How a case ended: answer, error, or the fault with its traceback."""
    signal.setitimer(signal.ITIMER_PROF, SECONDS_A_CASE)
    try:
        READERS[place].read(text)
    except WorldwiseError:
        return "error", ""
    except (Exception, TooSlowError) as error:
        return type(error).__name__, traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return "answer", ""


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise TooSlowError


def limit_process() -> None:
    """A case that takes too long is interrupted, one that takes too much memory is refused it."""
    signal.signal(signal.SIGPROF, _stop)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    if STATUS.exists():  # elsewhere than on Linux nobody tells how much a process has
        pages = int(STATUS.read_text().split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * PAGE + BYTES_A_CASE,) * 2)


def work(seed: int, start: int, end: int, parent: Connection, at: Synchronized[int]) -> None:
    """Case after case, with a report of every thousand and of every fault."""
    limit_process()
    counts, slowest = Counter[str](), (0.0, start)
    for number in range(start, end):
        at.value = number
        case, begun = make_case(seed, number), process_time()
        kind, fault = run_case(*case)
        counts[kind] += 1
        slowest = max(slowest, (process_time() - begun, number))
        if fault or number % CASES_A_REPORT == CASES_A_REPORT - 1 or number == end - 1:
            parent.send((number, fault, counts, slowest))
            counts, slowest = Counter(), (0.0, number)
    parent.close()


class Fuzzing:
    """A run: its counts, its finds, and where it stands."""

    def __init__(self, seed: int, start: int, seconds: float, cases: int, folder: Path) -> None:
        self.seed, self.number, self.end, self.folder = seed, start, start + cases, folder
        self.began, self.seconds = monotonic(), seconds
        self.counts: Counter[str] = Counter()
        self.finds: Counter[str] = Counter()
        self.slowest = (0.0, start)
        self.told = 0.0

    @property
    def time_is_up(self) -> bool:
        return monotonic() - self.began >= self.seconds

    def run(self) -> None:
        """Until the time is up or the cases are; a process that dies is followed by another."""
        while self.number < self.end and not self.time_is_up:
            receiver, sender = multiprocessing.Pipe(duplex=False)
            at = multiprocessing.Value("q", self.number)
            worker = multiprocessing.Process(target=work, args=(self.seed, self.number, self.end, sender, at))
            worker.start()
            sender.close()
            self.listen(receiver, worker)
            worker.join()
            if worker.exitcode not in (0, -signal.SIGTERM):
                self.save(at.value, f"the process ended with {worker.exitcode}")
                self.number = at.value + 1

    def listen(self, receiver: Connection, worker: multiprocessing.Process) -> None:
        """Take reports until there are no more, or it is time."""
        while not self.time_is_up:
            if not receiver.poll(0.5):
                if not worker.is_alive():
                    return
                continue
            try:
                number, fault, counts, slowest = receiver.recv()
            except EOFError:
                return
            self.number, self.counts = number + 1, self.counts + counts
            self.slowest = max(self.slowest, slowest)
            if fault:
                self.save(number, fault)
            self.tell()
        worker.terminate()

    def save(self, number: int, fault: str) -> None:
        """Keep a find: its text, and what happened."""
        place, text = make_case(self.seed, number)
        name = READERS[place].name
        last = fault.strip().splitlines()[-1]
        self.finds[f"{name}: {last[:100]}"] += 1
        stem = f"{name.replace(' ', '-').replace(',', '')}-{self.seed}-{number}"
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / f"{stem}.input").write_bytes(text)
        (self.folder / f"{stem}.txt").write_text(fault, errors="backslashreplace")

    def tell(self, force: bool = False) -> None:
        """The state of things, every five seconds."""
        now = monotonic() - self.began
        if force or now - self.told >= 5:
            self.told = now
            done = self.counts.total()
            answers, errors, finds = self.counts["answer"], self.counts["error"], self.finds.total()
            say(
                f"{done:,} cases in {now:.0f} s ({done / max(now, 0.1):,.0f} a second): {answers:,} answers, "
                f"{errors:,} errors of ours, {finds} finds; the slowest, case {self.slowest[1]}, took "
                f"{self.slowest[0]:.2f} s; next case {self.number}"
            )


def say(words: str) -> None:
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


def look_at(seed: int, number: int) -> None:
    """One case, with all there is to see."""
    place, text = make_case(seed, number)
    signal.signal(signal.SIGPROF, _stop)
    say(f"{READERS[place].name}: {text!r}")
    start = process_time()
    kind, fault = run_case(place, text)
    say(f"{kind} after {process_time() - start:.3f} s\n{fault}")


def main() -> int:
    """0 if nothing was found."""
    parser = argparse.ArgumentParser(description="Spoilt texts for every reader: an answer, or an error of ours.")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--cases", type=int, default=10**12, help="at most so many")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=int, default=0, help="the first case: where the last run stopped")
    parser.add_argument("--only", type=int, help="look at this case")
    parser.add_argument("--folder", type=Path, default=Path("fuzz-finds"), help="where finds are saved")
    asked = parser.parse_args()
    if asked.only is not None:
        look_at(asked.seed, asked.only)
        return 0
    run = Fuzzing(asked.seed, asked.start, asked.seconds, asked.cases, asked.folder)
    run.run()
    run.tell(force=True)
    for find, times in run.finds.most_common():
        say(f"{times:6} {find}")
    if run.finds:
        say(f"the texts are in {asked.folder}; look at one with --seed {asked.seed} --only NUMBER")
    return 1 if run.finds else 0


if __name__ == "__main__":
    sys.exit(main())
