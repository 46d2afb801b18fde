"""Matches at kriegspiel as long runs: they resume, and spread over processes."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from worldwise.kriegspiel.match import KriegspielMatch, MatchGame
from worldwise.runs.match import MatchRun

if TYPE_CHECKING:
    from worldwise.runs.rows import Row, Scalar


class KriegspielMatchRun(MatchRun[KriegspielMatch, MatchGame]):
    """So many games of a match.

    >>> from worldwise.kriegspiel.rules.fen import read_fen
    >>> from worldwise.kriegspiel.players.random_and_greedy import RandomTriesPlayer
    >>> match = KriegspielMatch(RandomTriesPlayer(), RandomTriesPlayer(), first_board=read_fen("rqkr/pppp/PPPP/RQKR w"))
    >>> run = KriegspielMatchRun(match, count=2)
    >>> sorted(run.task(run.pairs[1]).row)
    ['end', 'plies', 'tries', 'winner']
    """

    timed: ClassVar[bool] = False
    unit: ClassVar[str] = "game"
    column: ClassVar[str] = "game"

    @property
    def identity(self) -> dict[str, Scalar]:
        """All but the number of games: a match can be made longer."""
        return {"run": "kriegspiel match", **self.match.settings, "seed": self.seed}

    def play(self, number: int, seed: int) -> MatchGame:
        """One game."""
        return self.match.play(number, seed)

    def row_of(self, played: MatchGame) -> Row:
        """What is kept of a game."""
        return played.row

    def read(self, number: int, row: Row) -> MatchGame:
        """A game from what was kept of it."""
        return MatchGame.of(number, row)
