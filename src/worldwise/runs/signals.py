"""Ctrl-C reaches every process of a terminal; only the one that writes rows to disk should hear it."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType


LISTEN = 0.2
"""Seconds between two looks at whether a run was interrupted."""


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Processes started within never see Ctrl-C: the parent hears it, once, when this is left."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it would be started with the first process, and unblock what is blocked here
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def remember_interrupts() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was heard meanwhile; the first one interrupts nothing, a second one does.

    For code that must not be torn in the middle, Dask's above all: it asks now and then, and stops where it can.
    """
    heard = False

    def hear(number: int, frame: FrameType | None) -> None:
        nonlocal heard
        if heard:
            signal.default_int_handler(number, frame)
        heard = True

    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield lambda: False
        return
    signal.signal(signal.SIGINT, hear)
    try:
        yield lambda: heard
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
