"""How work grows with the size of a text: about as fast as the text, or faster.

Time is this process's own, so a busy machine hardly matters; where it might, the measurement is repeated, and one
repetition that shows linear work is proof enough, because quadratic work never does.
"""

from __future__ import annotations

import gc
from contextlib import suppress
from time import process_time
from typing import TYPE_CHECKING

from worldwise.errors import WorldwiseError

if TYPE_CHECKING:
    from collections.abc import Callable

TIMES = 4
"""How much longer the long text is."""

MOST = 10.0
"""How much longer it may take: linear work takes 4 times as long, quadratic work 16 times."""

UNFELT = 0.03
"""Seconds in which nothing is measured: whatever takes no longer is quick enough at this size."""

REPETITIONS = 5


def grows_too_fast(read: Callable[[bytes], object], make: Callable[[int], bytes], size: int) -> float:
    """By how much a text takes longer that is four times as long, if that is too much; otherwise 0."""
    long = make(TIMES * size)
    taken = seconds_of(read, long)
    if taken < UNFELT:
        return 0.0
    short = make(size)
    ratio = taken / max(seconds_of(read, short), 1e-9)
    for _ in range(REPETITIONS):
        if ratio <= MOST:
            return 0.0
        taken = min(taken, seconds_of(read, long))
        ratio = min(ratio, taken / max(seconds_of(read, short), 1e-9))
    return ratio


def seconds_of(read: Callable[[bytes], object], text: bytes) -> float:
    """The processor time that a reader takes for a text, whatever it makes of it."""
    gc.disable()
    try:
        start = process_time()
        with suppress(WorldwiseError):
            read(text)
        return process_time() - start
    finally:
        gc.enable()
