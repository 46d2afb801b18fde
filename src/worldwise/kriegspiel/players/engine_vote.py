"""A chess engine harnessed for kriegspiel: it votes over boards that fit what was heard.

On each board the engine plays chess, as if nothing were hidden, and says what every move is worth; a try is worth the
mean over the boards on which it is legal. That is what HS of PNS06 was meant to be: "harness a chess program". It knows
tactics to the depth of the engine, and nothing of finding out or of hiding. Endings against a bare king, where that is
all that counts, and guaranteed mates are played as the searching players play them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, ClassVar

from worldwise.core.result import Clock
from worldwise.errors import InputError
from worldwise.kriegspiel.belief.sampled import POOL
from worldwise.kriegspiel.players.bare_king import ending_values, pieces_after, times_before
from worldwise.kriegspiel.players.belief_tracking import Tracker
from worldwise.kriegspiel.players.choosing import check_counts, one_of_best
from worldwise.kriegspiel.players.deciding import (
    AHEAD,
    REPEATED,
    boards_wanted,
    guaranteed_mates,
    opening_margin,
    time_limit,
    with_time,
)
from worldwise.kriegspiel.players.player import Budget
from worldwise.kriegspiel.players.uci_engine import UciEngine, engine_command
from worldwise.kriegspiel.rules.fen import fen
from worldwise.kriegspiel.rules.squares import uci

if TYPE_CHECKING:
    from worldwise.kriegspiel.belief.summary import BeliefSummary
    from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    from worldwise.kriegspiel.players.player import KriegspielSeat, Start
    from worldwise.kriegspiel.rules.game import Event
    from worldwise.kriegspiel.rules.squares import ChessMove
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

    def __post_init__(self) -> None:
        check_counts(self, "boards", "nodes", "pool")
        Budget(self.boards, self.seconds)
        if self.vary is not None and not 0 <= self.vary <= 1:
            raise InputError(f"{self.name}: expected 0 to 1 pawns for vary, found {self.vary}")

    def sit(self, start: Start) -> KriegspielSeat:
        """Take a seat; the engine is started when it is first asked."""
        start = with_time(start, self.seconds)
        return _SeatedEngine(start, self, Tracker.of(start, self.pool), UciEngine(engine_command(), self.nodes))


@dataclass
class _SeatedEngine:
    start: Start
    player: EnginePlayer
    tracker: Tracker
    engine: UciEngine

    def hear(self, event: Event) -> None:
        self.tracker.hear(event)

    def belief_summary(self) -> BeliefSummary | None:
        return self.tracker.belief_summary()

    def choose(self, view: PlayerView) -> ChessMove:
        dice, clock = self.tracker.dice, Clock(time_limit(self.player, self.start, view))
        if mates := guaranteed_mates(self.tracker, self.start, clock):
            return dice.choice(mates)
        boards = self.tracker.boards_to_decide_on(view, None, dice)
        if ending := ending_values(view, boards, self.tracker.events, self.start.rules):
            return one_of_best(ending, dice)
        most = boards_wanted(self.player.boards, self.start, VOTERS)
        some = self.tracker.boards_to_decide_on(view, most, dice)
        if not len(some):
            return dice.choice(view.tries)
        worth = self._less_repetitions(self._vote(some, view, clock), view)
        return one_of_best(worth, dice, opening_margin(self))

    def _vote(self, boards: WeightedBoards, view: PlayerView, clock: Clock) -> dict[ChessMove, float]:
        """The mean over the boards on which a try is legal: where it is refused, it costs nothing."""
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

    def _less_repetitions(self, worth: dict[ChessMove, float], view: PlayerView) -> dict[ChessMove, float]:
        """Who is ahead does not go back to where he has been."""
        if max(worth.values()) < AHEAD:
            return worth
        before = times_before(view, self.tracker.events)
        return {move: value - REPEATED * before[pieces_after(view, move)] for move, value in worth.items()}
