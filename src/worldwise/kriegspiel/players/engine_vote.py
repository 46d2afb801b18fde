"""A chess engine harnessed for kriegspiel: it votes over boards that fit what was heard (``players.voting``).

That is what HS of PNS06 was meant to be: "harness a chess program".
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, ClassVar

from worldwise.kriegspiel.belief.sampled import POOL
from worldwise.kriegspiel.players.belief_tracking import Tracker
from worldwise.kriegspiel.players.choosing import check_counts, check_vary
from worldwise.kriegspiel.players.deciding import boards_wanted, with_time
from worldwise.kriegspiel.players.player import AGAIN, Budget
from worldwise.kriegspiel.players.uci_engine import UciEngine, engine_command
from worldwise.kriegspiel.players.voting import SeatedVoter
from worldwise.kriegspiel.rules.fen import fen
from worldwise.kriegspiel.rules.squares import uci

if TYPE_CHECKING:
    from collections.abc import Mapping

    from worldwise.core.result import Clock
    from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    from worldwise.kriegspiel.players.player import KriegspielSeat, Start
    from worldwise.kriegspiel.rules.squares import ChessMove
    from worldwise.kriegspiel.rules.umpire import Rules
    from worldwise.kriegspiel.rules.view import PlayerView

VOTERS, NODES = 16, 3_000
"""Boards that vote if nobody says, and positions that the engine looks at on each."""


@dataclass(frozen=True)
class EnginePlayer:
    """A vote of a chess engine over boards that are possible.

    ``boards``  how many vote; without it the budget of the game says, or ``VOTERS``
    ``nodes``   how many positions the engine looks at on each
    ``pool``    how many boards it carries from move to move
    ``seconds`` what he has for a try, whatever the budget of the game is
    ``vary``    by how many pawns a try in the opening may be worse than the best and still be as good
    """

    boards: int | None = None
    nodes: int = NODES
    pool: int = POOL
    vary: float | None = None
    seconds: float | None = None

    name: ClassVar[str] = "engine"
    after_refusal: ClassVar[float] = AGAIN

    def __post_init__(self) -> None:
        check_counts(self, "boards", "nodes", "pool")
        Budget(self.boards, self.seconds)
        check_vary(self)

    def sit(self, start: Start) -> KriegspielSeat:
        """Take a seat; the engine is started when it is first asked."""
        start = with_time(start, self.seconds)
        poll = EnginePoll(UciEngine(engine_command(), self.nodes))
        return SeatedVoter(start, self, Tracker.of(start, self.pool), poll)

    def voters(self, start: Start) -> int | None:
        """How many boards vote; None if time says."""
        return boards_wanted(self.boards, start, VOTERS)


@dataclass
class EnginePoll:
    """The engine plays chess on one board after another."""

    engine: UciEngine

    def vote(
        self,
        boards: WeightedBoards,
        view: PlayerView,
        rules: Rules,  # noqa: ARG002
        clock: Clock,
    ) -> Mapping[ChessMove, float]:
        """The mean over the boards on which a try is legal."""
        tries = {uci(move, view.geometry): move for move in view.tries}
        total, weight = dict.fromkeys(view.tries, 0.0), dict.fromkeys(view.tries, 0.0)
        for number, (board, share) in enumerate(zip(boards, boards.weights.tolist(), strict=True)):
            if number and clock.ran_out(0):
                break
            for text, worth in self.engine.scores(fen(board)).items():
                if move := tries.get(text):
                    total[move] += share * worth
                    weight[move] += share
        return {move: total[move] / weight[move] if weight[move] else -inf for move in view.tries}
