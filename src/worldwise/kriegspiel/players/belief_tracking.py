"""What players of kriegspiel make of all they have heard: boards that explain it, carried from move to move.

``Tracker`` loses no possibility for good: what it sets aside it takes up again. ``DwindlingTracker`` has only the
boards that it drew once, so they grow fewer, as those of HS do; PNS06 does not say which of the two its players are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np

from worldwise.core.result import Limit
from worldwise.errors import InputError, LimitReachedError
from worldwise.kriegspiel.belief.drawing import draw_sample
from worldwise.kriegspiel.belief.last_message import LastMessage
from worldwise.kriegspiel.belief.sampled import SampledBelief
from worldwise.kriegspiel.belief.summary import summary
from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from worldwise.kriegspiel.belief.summary import BeliefSummary
    from worldwise.kriegspiel.players.player import Start
    from worldwise.kriegspiel.rules.game import Event
    from worldwise.kriegspiel.rules.view import PlayerView


class KeepsTrack(Protocol):
    """What a player asks of his memory."""

    @property
    def events(self) -> Sequence[Event]:
        """All that was heard."""

    @property
    def dice(self) -> Random:
        """Chances for what is decided now."""

    def hear(self, event: Event) -> None:
        """Take in what is said."""

    def belief_summary(self) -> BeliefSummary | None:
        """What he believes; None if no board is left that explains everything."""

    def boards_for_mate(self) -> WeightedBoards:
        """The boards that a mate must work on to be played; none once they are not worth going by."""

    def boards_to_decide_on(self, view: PlayerView, most: int | None, dice: Random) -> WeightedBoards:
        """Boards to decide on, so many or all, in any order; none if nothing fits even the last message."""


def draw_some(boards: WeightedBoards, most: int | None, dice: Random) -> WeightedBoards:
    """So many boards drawn by their weights, or all of them in any order."""
    rng = np.random.default_rng(dice.getrandbits(64))
    if most is not None and len(boards) > most:
        return draw_sample(boards, most, rng)[0]
    return boards.select(rng.permutation(len(boards)))


# ---------------------------------------------------------------------- with what was set aside

EXACT_POOLS = 5
"""How many pools' worth of boards a belief may have without becoming a sample."""

GUESSES = 50
"""Boards that a player goes on with who has lost track."""

MOST_BOARDS = 1_000_000
"""Boards that are brought forward for one answer before track is lost, if no seconds are given: half a minute."""


@dataclass
class Tracker:
    """What a player at the board makes of all he has heard: boards that explain it, while he keeps track.

    ``behind`` are answers that he could not explain in time. Whenever the other has moved he tries again; until he
    succeeds he goes on with boards that explain the last message alone, as HS does in PNS06.
    """

    start: Start
    belief: SampledBelief
    events: list[Event] = field(default_factory=list)
    behind: list[Event] = field(default_factory=list)

    @classmethod
    def of(cls, start: Start, pool: int) -> Tracker:
        """Before the first move."""
        exact = EXACT_POOLS * pool
        belief = SampledBelief.start(start.colour, start.rules, start.boards, size=pool, exact=exact, seed=start.seed)
        return cls(start, belief)

    @property
    def dice(self) -> Random:
        """Chances for what is decided now."""
        return self.start.dice(len(self.events))

    def hear(self, event: Event) -> None:
        """Take in what is said."""
        self.events.append(event)
        if event.message and event.message.end:
            return
        self.behind.append(event)
        others = event.colour is not self.start.colour and not event.is_refusal
        if len(self.behind) == 1 or others:
            self._catch_up()

    def _catch_up(self) -> None:
        seconds = self.start.budget.seconds
        limit = Limit(nodes=MOST_BOARDS) if seconds is None else Limit(seconds / 2)
        try:
            if len(self.behind) == 1:
                self.belief = self.belief.after(self.behind[0], limit)
            else:
                self.belief = self.belief.catch_up(self.behind, limit)
        except (InputError, LimitReachedError):
            return  # no board explains all that was heard, or none was found in time
        self.behind.clear()

    def belief_summary(self) -> BeliefSummary | None:
        """What he believes."""
        if self.behind:
            return None
        return summary(self.belief.boards, self.start.colour, exact=self.belief.is_exact)

    def fitting_boards(self, view: PlayerView) -> WeightedBoards:
        """The boards that fit; once track is lost, a few that fit the last message, or none."""
        if not self.behind:
            return self.belief.boards
        return LastMessage.of(view, self.start.rules, self.events, self.start.boards[0]).draw_guesses(
            self.dice, GUESSES
        )

    def boards_for_mate(self) -> WeightedBoards:
        """The boards that fit, while track is kept: all, or a sample of all."""
        return WeightedBoards.of([]) if self.behind else self.belief.boards

    def boards_to_decide_on(self, view: PlayerView, most: int | None, dice: Random) -> WeightedBoards:
        """Some of the possible ones."""
        return draw_some(self.fitting_boards(view), most, dice)


# ---------------------------------------------------------------------- with what is left


@dataclass
class DwindlingTracker:
    """A pool of boards that explain all that was heard, with no way to fill it up again.

    Once it was ``is_thinned`` and runs short, boards that explain the last message alone make up for it.
    """

    start: Start
    size: int
    boards: WeightedBoards
    events: list[Event] = field(default_factory=list)
    refusals: int = 0
    is_thinned: bool = False

    @classmethod
    def of(cls, start: Start, pool: int) -> DwindlingTracker:
        """Before the first move."""
        return cls(start, pool, WeightedBoards.of(start.boards))

    @property
    def dice(self) -> Random:
        """Chances for what is decided now."""
        return self.start.dice(len(self.events))

    def hear(self, event: Event) -> None:
        """Take in what is said."""
        dice = self.dice
        self.events.append(event)
        if event.message and event.message.end:
            return
        colour, rules = self.start.colour, self.start.rules
        if len(self.boards) > self.size and event.colour is not colour:
            self.boards, self.is_thinned = draw_some(self.boards, self.size, dice), True
        refusals = self.refusals if rules.refusals_heard else None
        boards = self.boards.after(event, colour, rules, refusals=refusals)
        self.boards = boards.scale(boards.towards_one)
        self.refusals = self.refusals + 1 if event.is_refusal and event.colour is not colour else 0

    def belief_summary(self) -> BeliefSummary | None:
        """What he believes."""
        if not len(self.boards):
            return None
        return summary(self.boards, self.start.colour, exact=not self.is_thinned)

    def boards_for_mate(self) -> WeightedBoards:
        """The whole pool, until it was thinned: what is left after that is no sample of anything."""
        return WeightedBoards.of([]) if self.is_thinned else self.boards

    def boards_to_decide_on(self, view: PlayerView, most: int | None, dice: Random) -> WeightedBoards:
        """From the pool, and if there are too few, boards that explain the last message alone."""
        some = draw_some(self.boards, most, dice)
        wanted = GUESSES if most is None else most
        if len(some) >= wanted or not self.is_thinned:
            return some
        last = LastMessage.of(view, self.start.rules, self.events, self.start.boards[0])
        return some.normalise().join(last.draw_guesses(dice, wanted - len(some)))
