"""Matches at kriegspiel as runs of the laboratory: they resume, and spread over processes, as experiments do."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from worldwise.errors import InputError
from worldwise.kriegspiel.match import Match, Played
from worldwise.kriegspiel.players.names import player_name
from worldwise.kriegspiel.records.record import rules_line
from worldwise.kriegspiel.rules.fen import fen
from worldwise.lab.experiment import Setting
from worldwise.runs.plan import Pair, Task
from worldwise.runs.store import read_run

if TYPE_CHECKING:
    from pathlib import Path

    from worldwise.lab.experiment import Row, Scalar


@dataclass(frozen=True)
class MatchRun:
    """So many games of a match.

    >>> from worldwise.kriegspiel.rules.fen import read_fen
    >>> from worldwise.kriegspiel.players.simple import RandomPlayer
    >>> match = Match(RandomPlayer(), RandomPlayer(), first_board=read_fen("rqkr/pppp/PPPP/RQKR w"))
    >>> run = MatchRun(match, games=2)
    >>> sorted(run.task(run.pairs[1]).row)
    ['end', 'plies', 'tries', 'winner']
    """

    match: Match
    games: int
    seed: int = 0

    timed: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.games < 1:
            raise InputError(f"expected at least one game, found {self.games}")

    @property
    def name(self) -> str:
        """What people call it."""
        return f"a match of {self.games} game{'s' * (self.games != 1)}"

    @property
    def identity(self) -> dict[str, Scalar]:
        """All but the number of games: a match can be made longer."""
        match = self.match
        return {
            "run": "kriegspiel match",
            "first": player_name(match.first),
            "second": player_name(match.second),
            "rules": rules_line(match.rules),
            "fen": fen(match.first_board),
            "boards": match.budget.boards,
            "seconds": match.budget.seconds,
            "seed": self.seed,
        }

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """A row for every game."""
        return tuple(Pair(Setting(game=number), 0) for number in range(1, self.games + 1))

    @property
    def task(self) -> Task:
        """What plays a game."""
        return Task(self.measure, self.seed)

    def measure(self, setting: Setting, seed: int) -> Row:
        """One game."""
        return self.match.played(_number(setting), seed).row

    def played(self, path: Path) -> list[Played]:
        """The games that a file holds, in order."""
        stored = read_run(path, self)
        rows = stored.rows if stored else {}
        return [Played.of(_number(pair.setting), rows[pair]) for pair in self.pairs if pair in rows]


def _number(setting: Setting) -> int:
    number = setting["game"]
    assert isinstance(number, int)
    return number
