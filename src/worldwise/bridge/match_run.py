"""Matches at bridge as long runs: they resume, and spread over processes."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, ClassVar

from worldwise.bridge.files.any_format import boards_text
from worldwise.bridge.match import BridgeMatch, Duel
from worldwise.bridge.players.names import player_name
from worldwise.runs.match import MatchRun

if TYPE_CHECKING:
    from worldwise.runs.rows import Row, Scalar


class BridgeMatchRun(MatchRun[BridgeMatch, Duel]):
    """So many deals of a match. The deals depend on the seed and the contract only: all matches can share them.

    >>> from worldwise.bridge.rules.contract import Contract
    >>> from worldwise.bridge.players.simple import RandomPlayer
    >>> match = BridgeMatch(RandomPlayer(), RandomPlayer(), RandomPlayer(), Contract.read("3NT by S"))
    >>> run = BridgeMatchRun(match, count=2)
    >>> run.task(run.pairs[1]).row["second.moves"]
    26
    """

    timed: ClassVar[bool] = True
    unit: ClassVar[str] = "deal"
    column: ClassVar[str] = "board"

    @property
    def identity(self) -> dict[str, Scalar]:
        """All but the number of deals: a match can be made longer."""
        match = self.match
        players = {"declarer": match.declarer, "versus": match.versus, "defence": match.defence}
        return {
            "run": "bridge match",
            "contract": match.contracts,
            **({"boards": sha256(boards_text(match.boards, "pbn").encode()).hexdigest()[:16]} if match.boards else {}),
            **{role: player_name(player) for role, player in players.items()},
            "seed": self.seed,
        }

    def play(self, number: int, seed: int) -> Duel:
        """The duel at a board."""
        return self.match.duel(number, seed)

    def row_of(self, played: Duel) -> Row:
        """What is kept of a duel."""
        return played.row

    def read(self, number: int, row: Row) -> Duel:
        """A duel from what was kept of it."""
        return self.match.duel_of(number, row)
