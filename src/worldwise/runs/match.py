"""A match as a run: games 1, 2, 3 ... between the same players. It resumes, spreads over processes, and can go on.

A game of cards or chess says what it plays in ``identity`` and ``play``; everything else is here, once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from worldwise.errors import InputError, say_where
from worldwise.runs.job import Pair, Task
from worldwise.runs.row_files import read_run
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from pathlib import Path

    from worldwise.runs.rows import Row, Scalar

MOST_GAMES = 1_000_000
"""Of one match: the plan of so many takes some 300 MiB."""

AnyMatch = TypeVar("AnyMatch")
Played = TypeVar("Played")


@dataclass(frozen=True)
class MatchRun(ABC, Generic[AnyMatch, Played]):
    """So many games of a match, by one seed; ``unit`` is what people call a game, ``column`` what a row numbers."""

    match: AnyMatch
    count: int
    seed: int = 0

    timed: ClassVar[bool]
    unit: ClassVar[str]
    column: ClassVar[str]

    def __post_init__(self) -> None:
        if self.count < 1:
            raise InputError(f"expected at least one {self.unit}, found {self.count}")
        if self.count > MOST_GAMES:
            raise InputError(f"expected at most {MOST_GAMES:,} {self.unit}s, found {self.count:,}")

    @property
    @abstractmethod
    def identity(self) -> dict[str, Scalar]:
        """What must be the same for rows to belong to one match: all but how long it is."""

    @abstractmethod
    def play(self, number: int, seed: int) -> Played:
        """One game."""

    @abstractmethod
    def row_of(self, played: Played) -> Row:
        """What is kept of a game."""

    @abstractmethod
    def read(self, number: int, row: Row) -> Played:
        """A game from what was kept of it."""

    @property
    def name(self) -> str:
        """What people call it."""
        return f"a match of {self.count} {self.unit}{'s' * (self.count != 1)}"

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """A row for every game."""
        return tuple(Pair(Setting(**{self.column: number}), 0) for number in range(1, self.count + 1))

    @property
    def task(self) -> Task:
        """What plays a game."""
        return Task(self.measure, self.seed)

    def measure(self, setting: Setting, seed: int) -> Row:
        """One game as a row."""
        return self.row_of(self.play(self._number(setting), seed))

    def read_games(self, path: Path) -> list[Played]:
        """The games that a file holds, in order."""
        stored = read_run(path, self)
        rows = stored.rows if stored else {}
        with say_where(str(path)):
            return [self.read(self._number(pair.setting), rows[pair]) for pair in self.pairs if pair in rows]

    def _number(self, setting: Setting) -> int:
        number = setting[self.column]
        assert isinstance(number, int)
        return number
