"""How slow this machine is now, so that promises in seconds mean the same on every machine and beside other work.

The measure is a plain Python search that shares no code with what is measured. A promise of a tenth of a second is one
on the machine of ``docs/speed.md`` when it has nothing else to do; where the measure takes twice as long, so may all
else.
"""

from time import process_time

import peers
from worldwise import random_tree

REFERENCE = 0.03
"""Seconds of the processor that the measure takes there."""


def slowness() -> float:
    """How many times as long as there everything takes here; never below one, because a promise is a promise."""
    plain = peers.nested(random_tree(11, 10, seed=1))
    return max(1.0, min(_seconds(plain) for _ in range(5)) / REFERENCE)


def _seconds(plain: peers.Node) -> float:
    start = process_time()
    peers.exact_front(plain)
    return process_time() - start
