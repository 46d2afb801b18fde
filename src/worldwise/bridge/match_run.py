"""Matches at bridge as runs of the laboratory: they resume, and spread over processes, as experiments do."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from worldwise.bridge.players.names import player_name
from worldwise.errors import InputError, placed
from worldwise.lab.experiment import Setting
from worldwise.runs.plan import Pair, Task
from worldwise.runs.store import read_run

if TYPE_CHECKING:
    from pathlib import Path

    from worldwise.bridge.match import Duel, Match
    from worldwise.lab.experiment import Row, Scalar


@dataclass(frozen=True)
class MatchRun:
    """So many deals of a match. The deals depend on the seed and the contract only: all matches can share them.

    >>> from worldwise.bridge.rules.contract import Contract
    >>> from worldwise.bridge.match import Match
    >>> from worldwise.bridge.players.kinds import RandomPlayer
    >>> run = MatchRun(Match(RandomPlayer(), RandomPlayer(), RandomPlayer(), Contract.read("3NT by S")), deals=2)
    >>> run.task(run.pairs[1]).row["second.moves"]
    26
    """

    match: Match
    deals: int
    seed: int = 0

    timed: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.deals < 1:
            raise InputError(f"expected at least one deal, found {self.deals}")

    @property
    def name(self) -> str:
        """What people call it."""
        return f"a match of {self.deals} deal{'s' * (self.deals != 1)}"

    @property
    def identity(self) -> dict[str, Scalar]:
        """All but the number of deals: a match can be made longer."""
        match = self.match
        players = {"declarer": match.declarer, "versus": match.versus, "defence": match.defence}
        return {
            "run": "bridge match",
            "contract": str(match.contract),
            **{role: player_name(player) for role, player in players.items()},
            "seed": self.seed,
        }

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """A row for every board."""
        return tuple(Pair(Setting(board=number), 0) for number in range(1, self.deals + 1))

    @property
    def task(self) -> Task:
        """What plays a board."""
        return Task(self.measure, self.seed)

    def measure(self, setting: Setting, seed: int) -> Row:
        """The duel at a board."""
        return self.match.duel(_number(setting), seed).row

    def duels(self, path: Path) -> list[Duel]:
        """The duels that a file holds, in the order of the boards."""
        stored = read_run(path, self)
        rows = stored.rows if stored else {}
        with placed(str(path)):
            return [self.match.duel_of(_number(pair.setting), rows[pair]) for pair in self.pairs if pair in rows]


def _number(setting: Setting) -> int:
    number = setting["board"]
    assert isinstance(number, int)
    return number
