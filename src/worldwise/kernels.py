"""The compiled kernels: whether they were built, whether they are in use, and the one way to pair one with its twin.

Every kernel has a readable twin in Python that gives the same answers, node counts included, and is its specification.
Callers meet neither by name: they call ``pick(compiled, readable)``. Nothing else imports the compiled module; whoever
writes the compiled side of a pair takes it from here, as ``native``.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeVar

from worldwise.core.result import NO_LIMIT, Clock, Limit
from worldwise.errors import LimitReachedError

BUILT = find_spec("worldwise._kernels") is not None
"""Whether the compiled kernels were built when worldwise was installed."""

if TYPE_CHECKING or BUILT:
    import worldwise._kernels as native
else:
    native = None  # only the compiled side of a pair touches it, and that is never picked here

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["BUILT", "SWITCH", "describe", "in_use", "kernel_limit", "native", "pick", "watch"]

SWITCH = "WORLDWISE_KERNELS"
"""Set this environment variable to ``off`` to run everything in Python."""

_MOST_NODES = 2**63 - 1
"""The highest limit of nodes that kernels can be given: nobody lives to see it run out."""

_Twin = TypeVar("_Twin")


def in_use() -> bool:
    """Whether the kernels are built and not switched off."""
    return BUILT and os.environ.get(SWITCH, "on") != "off"


def pick(compiled: _Twin, readable: _Twin, *, fits: bool = True) -> _Twin:
    """The compiled one of a pair where kernels are in use and the case ``fits`` it, otherwise its readable twin.

    >>> pick("compiled", "readable", fits=False)
    'readable'
    """
    return compiled if fits and in_use() else readable


def describe() -> str:
    """Which kernels run, in words.

    >>> describe().split(",")[0] in ("compiled kernels", "pure Python")
    True
    """
    if not BUILT:
        return "pure Python, the compiled kernels were not built"
    return "compiled kernels" if in_use() else f"pure Python, {SWITCH}=off"


# ---------------------------------------------------------------------- limits


@contextmanager
def watch(clock: Clock | None) -> Iterator[tuple[int, float]]:
    """What is left of a clock's limit, as kernels take it; when a kernel finds that it ran out, the clock's error."""
    try:
        yield kernel_limit(clock.rest if clock else NO_LIMIT)
    except TimeoutError:
        assert clock is not None  # without a limit none runs out
        raise LimitReachedError(clock.search, clock.limit) from None


def kernel_limit(limit: Limit) -> tuple[int, float]:
    """A limit as kernels take it, nodes and seconds: below zero is none, and time that has run out is no time.

    >>> kernel_limit(Limit(nodes=5)), kernel_limit(Limit(seconds=-0.2))
    ((5, -1.0), (-1, 0.0))
    """
    nodes = -1 if limit.nodes is None else min(limit.nodes, _MOST_NODES)
    return nodes, -1.0 if limit.seconds is None else max(limit.seconds, 0.0)
