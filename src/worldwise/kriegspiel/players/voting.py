"""Players who let boards vote: each that fits what was heard says what tries are worth, as if nothing were hidden.

A try is worth the mean over the boards on which it is legal: where it is refused, it costs nothing. That is what HS of
PNS06 does. It knows the tactics of chess, and nothing of finding out or of hiding. Guaranteed mates are searched for by
themselves, and so are endings against a bare king, where finding out is all that counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from worldwise.core.result import Clock
from worldwise.kriegspiel.players.bare_king import ending_values
from worldwise.kriegspiel.players.choosing import one_of_best
from worldwise.kriegspiel.players.deciding import (
    AHEAD,
    guaranteed_mates,
    less_of_a_draw,
    opening_margin,
    time_limit,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from worldwise.kriegspiel.belief.summary import BeliefSummary
    from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    from worldwise.kriegspiel.players.belief_tracking import Tracker
    from worldwise.kriegspiel.players.player import Start
    from worldwise.kriegspiel.rules.game import Event
    from worldwise.kriegspiel.rules.squares import ChessMove
    from worldwise.kriegspiel.rules.umpire import Rules
    from worldwise.kriegspiel.rules.view import PlayerView


class _Voting(Protocol):
    """A player who lets boards vote."""

    @property
    def boards(self) -> int | None: ...

    @property
    def vary(self) -> float | None: ...

    @property
    def after_refusal(self) -> float: ...

    def voters(self, start: Start) -> int | None:
        """How many boards vote; None if time says."""


class Poll(Protocol):
    """How boards are asked."""

    def vote(self, boards: WeightedBoards, view: PlayerView, rules: Rules, clock: Clock) -> Mapping[ChessMove, float]:
        """What each try is worth, in pawns, on as many boards as there is time for, and on one at least."""


@dataclass
class SeatedVoter:
    """Such a player at the board."""

    start: Start
    player: _Voting
    tracker: Tracker
    poll: Poll

    def hear(self, event: Event) -> None:
        """An answer, or what is said about the other's try."""
        self.tracker.hear(event)

    def belief_summary(self) -> BeliefSummary | None:
        """What he believes."""
        return self.tracker.belief_summary()

    def choose(self, view: PlayerView) -> ChessMove:
        """A guaranteed mate, or what the ending asks for, or what the vote is for."""
        dice, rules = self.tracker.dice, self.start.rules
        clock = Clock(time_limit(self.player, self.start, view, self.player.after_refusal))
        if mates := guaranteed_mates(self.tracker, self.start, clock):
            return dice.choice(mates)
        boards = self.tracker.boards_to_decide_on(view, None, dice)
        if ending := ending_values(view, boards, self.tracker.events, rules):
            return one_of_best(ending, dice)
        voters = self.tracker.boards_to_decide_on(view, self.player.voters(self.start), dice)
        if not len(voters):
            return dice.choice(view.tries)
        worth = dict(self.poll.vote(voters, view, rules, clock))
        if max(worth.values()) >= AHEAD:
            worth = less_of_a_draw(worth, view, self.tracker.events, rules)
        return one_of_best(worth, dice, opening_margin(self))
