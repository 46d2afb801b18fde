"""Limits, statistics and results: the records every search takes and gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from math import inf
from numbers import Integral, Real
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from worldwise.core.reading import LARGEST
from worldwise.errors import InputError, LimitReachedError

if TYPE_CHECKING:
    from worldwise.core.front import Front
    from worldwise.core.game import AnyWorldGame
    from worldwise.core.vector import Vector


Strategy = Mapping[Any, Any]
"""A move for every MAX position that can be reached while following it."""


@dataclass(frozen=True)
class Limit:
    """How long a search may take; None is no limit. ``depth`` is in moves, for searches that deepen.

    Seconds without end are no limit either; seconds below 0 have run out, as they do for the rest of a task.

    >>> Limit(seconds=float("inf"))
    Limit(seconds=None, nodes=None, depth=None)
    >>> str(Limit(seconds=-0.5, nodes=10))
    '0 seconds, 10 nodes'
    """

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        for name, least in (("nodes", 0), ("depth", 1)):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, Integral) and int(value) >= least):
                raise InputError(f"expected {name} as a whole number from {least}, or None, found {value!r}")
            if value is not None and int(value) > LARGEST:
                raise InputError(f"expected at most {LARGEST} as {name}, found more")
        if self.seconds is None:
            return
        if not (isinstance(self.seconds, Real) and self.seconds > -inf):
            raise InputError(f"expected seconds as a number, or None, found {self.seconds!r}")
        if self.seconds == inf:
            object.__setattr__(self, "seconds", None)

    def __str__(self) -> str:
        given = {name: value for name, value in vars(self).items() if value is not None}
        return ", ".join(f"{max(value, 0):g} {name}" for name, value in given.items()) or "no limit"


NO_LIMIT = Limit()


@dataclass(frozen=True)
class Stats:
    """What a search did: positions and ends of the game visited, cuts made, seconds taken."""

    nodes: int = 0
    leaves: int = 0
    cuts: int = 0
    seconds: float = field(default=0.0, compare=False)

    def __add__(self, other: Stats) -> Stats:
        return Stats(
            self.nodes + other.nodes,
            self.leaves + other.leaves,
            self.cuts + other.cuts,
            self.seconds + other.seconds,
        )


class Clock:
    """A limit that has started to run, and for which search."""

    def __init__(self, limit: Limit, search: str = "the search") -> None:
        if not isinstance(limit, Limit):
            raise InputError(f"expected a Limit, such as Limit() or Limit(seconds=1), found {limit!r}")
        self.limit, self.search = limit, search
        self.start = monotonic()
        self.spent = 0

    @property
    def seconds(self) -> float:
        """Since the start."""
        return monotonic() - self.start

    @property
    def seconds_left(self) -> float | None:
        """Until the limit; None if there is none."""
        return None if self.limit.seconds is None else self.limit.seconds - self.seconds

    @property
    def rest(self) -> Limit:
        """The limit for what remains to be done: the same, with the seconds and nodes that are left."""
        nodes = None if self.limit.nodes is None else max(self.limit.nodes - self.spent, 0)
        return Limit(self.seconds_left, nodes, self.limit.depth)

    def after(self, nodes: int) -> Clock:
        """This clock for the next pass of a search, the passes before having visited so many nodes.

        >>> Clock(Limit(nodes=10)).after(4).rest
        Limit(seconds=None, nodes=6, depth=None)
        """
        later = copy(self)
        later.spent += nodes
        return later

    def ran_out(self, nodes: int) -> bool:
        """Whether the limit is reached, this many nodes having been visited."""
        if self.limit.nodes is not None and self.spent + nodes >= self.limit.nodes:
            return True
        left = self.seconds_left
        return left is not None and left <= 0

    def check(self, nodes: int = 0) -> None:
        """Raise ``LimitReachedError`` if the limit is reached."""
        if self.ran_out(nodes):
            raise LimitReachedError(self.search, self.limit)


@dataclass
class Tally:
    """Counts what a pass visits, and stops it when a limit runs out; a node's number is the count before it."""

    clock: Clock | None = None
    nodes: int = 0
    leaves: int = 0
    cuts: int = 0

    def node(self) -> int:
        """Count a position and return its number."""
        self.nodes += 1
        self.check()
        return self.nodes - 1

    def check(self) -> None:
        """Raise ``LimitReachedError`` if the limit is reached; for long work at one position."""
        if self.clock:
            self.clock.check(self.nodes)

    def share(self, parts: int) -> Limit:
        """One part in so many of what the limit leaves."""
        rest = self.clock.after(self.nodes).rest if self.clock else NO_LIMIT
        seconds = None if rest.seconds is None else rest.seconds / parts
        return Limit(seconds, None if rest.nodes is None else rest.nodes // parts, rest.depth)

    def leaf(self) -> None:
        """Count an end of the game."""
        self.leaves += 1

    @property
    def stats(self) -> Stats:
        """What has been counted."""
        return Stats(self.nodes, self.leaves, self.cuts, self.clock.seconds if self.clock else 0.0)


class Later(Mapping[Any, Any]):
    """A mapping whose values are made when they are asked for: a root may have a million moves.

    >>> Later({"a": 1}, lambda value: value + 1) == {"a": 2}
    True
    """

    def __init__(self, values: Mapping[Any, Any], make: Callable[[Any], Any]) -> None:
        self._values, self._make = values, make

    def __getitem__(self, key: Any) -> Any:
        return self._make(self._values[key])

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return repr(dict(self))


@dataclass(frozen=True)
class SearchResult:
    """What a search answers.

    ``believed`` is the expected payoff the algorithm itself expects of its strategy; ``vector`` and ``value`` are what
    the strategy is truly worth against best defence. ``front`` holds every undominated outcome if the algorithm
    knows it, and ``fronts`` what each first move of MAX offers. ``complete`` is False if a limit cut the search short.
    ``values`` is filled by a traced search only: the vector backed up at each position.
    """

    algorithm: str
    believed: float
    value: float
    vector: Vector
    strategy: Strategy
    stats: Stats
    move: Any = None
    front: Front[Vector] | None = None
    fronts: Mapping[Any, Front[Vector]] = field(default_factory=dict)
    complete: bool = True
    values: Mapping[Any, Vector] = field(default_factory=dict, repr=False)


class Searcher(Protocol):
    """An algorithm with its parameters: a frozen dataclass whose repr is what experiments log."""

    @property
    def name(self) -> str:
        """What the papers call it."""

    def search(self, game: AnyWorldGame, limit: Limit = NO_LIMIT) -> SearchResult:
        """Find a strategy for MAX from the root of a game."""
