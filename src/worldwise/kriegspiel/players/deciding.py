"""What players who look at boards share when they decide: how many boards, how long, mates, draws, and openings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from worldwise.core.result import Clock, Limit
from worldwise.errors import LimitReachedError
from worldwise.kriegspiel.players.bare_king import pieces_after, times_before
from worldwise.kriegspiel.players.player import AGAIN, Budget
from worldwise.kriegspiel.search.mates import shortest_mates

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from worldwise.kriegspiel.players.belief_tracking import KeepsTrack
    from worldwise.kriegspiel.players.player import Start
    from worldwise.kriegspiel.rules.game import Event
    from worldwise.kriegspiel.rules.squares import ChessMove
    from worldwise.kriegspiel.rules.umpire import Rules
    from worldwise.kriegspiel.rules.view import PlayerView

OPENING = 6
"""A player varies in so many moves of his own; later it costs more games than it is worth."""

MATE_MOVES, MATE_BOARDS, MATE_NODES, SLOW_MATE_NODES = 4, 300, 10_000, 100
"""Guaranteed mates are looked for in so many moves, on at most so many boards, looking at so many; or without kernels,
at so few."""

MATE_SHARE = 0.3
"""The part of the seconds of a decision that may go into that."""


AHEAD, REPEATED = 2.0, 0.5
"""In pawns: from when on he does not want a draw, and what it costs to stand as he has stood before, for each time."""


QUIET_PLIES, HURRY = 100, 2.0
"""A game without a capture or a pawn's move is a draw after so many plies; what a pawn's move is worth just before that
to who is ahead, in pawns."""


def guaranteed_mates(tracker: KeepsTrack, start: Start, clock: Clock) -> tuple[ChessMove, ...]:
    """The first moves of the shortest mate that is guaranteed on all boards held possible, if one is found.

    If seconds are given it may take part of them: what is left is for the search.
    """
    boards = tracker.boards_for_mate()
    if not 0 < len(boards) <= MATE_BOARDS:
        return ()
    seconds = None if clock.seconds_left is None else clock.seconds_left * MATE_SHARE
    limit = Limit(seconds, MATE_NODES if boards.is_packed else SLOW_MATE_NODES)
    try:
        return shortest_mates(boards, MATE_MOVES, start.rules, limit)
    except LimitReachedError:
        return ()


def less_of_a_draw(
    worth: Mapping[ChessMove, float], view: PlayerView, events: Sequence[Event], rules: Rules
) -> dict[ChessMove, float]:
    """What tries are worth to who is ahead: he does not go back to where he has been, and moves a pawn in time."""
    before, hurry = times_before(view, events), _hurry(view, events, rules)
    return {
        move: value - REPEATED * before[pieces_after(view, move)] + hurry * (view.pieces[move.origin] in "Pp")
        for move, value in worth.items()
    }


def _hurry(view: PlayerView, events: Sequence[Event], rules: Rules) -> float:
    """What a pawn's move is worth because it puts off the draw that is counted: nothing until half of it is gone.

    The other may have moved a pawn meanwhile, which nobody hears: the count may be too high, and never too low.
    """
    limit = rules.quiet_limit or (QUIET_PLIES if rules.fifty else None)
    if limit is None:
        return 0.0
    gone = 2 * times_before(view, events).total() / limit
    return HURRY * max(0.0, 2 * gone - 1)


def with_time(start: Start, seconds: float | None) -> Start:
    """The start of a player who may have seconds of his own."""
    return start if seconds is None else replace(start, budget=Budget(seconds=seconds))


class _Varies(Protocol):
    @property
    def vary(self) -> float | None: ...


class _SeatedToVary(Protocol):
    """A player at the board whose play in the opening may vary."""

    @property
    def start(self) -> Start: ...

    @property
    def player(self) -> _Varies: ...

    @property
    def tracker(self) -> KeepsTrack: ...


def opening_margin(seated: _SeatedToVary) -> float:
    """By how much a try may be worse than the best now."""
    own = (event for event in seated.tracker.events if event.colour is seated.start.colour)
    moves = sum(not event.is_refusal for event in own)
    return seated.player.vary or 0.0 if moves < OPENING else 0.0


def boards_wanted(own: int | None, start: Start, usual: int) -> int | None:
    """How many boards a player looks at: his own number, or the game's, or the usual one; None if seconds say."""
    if own is None and start.budget.seconds is not None:
        return None
    return own or start.budget.boards or usual


class _CountsBoards(Protocol):
    @property
    def boards(self) -> int | None: ...


def time_limit(player: _CountsBoards, start: Start, view: PlayerView, again: float | None = None) -> Limit:
    """None for who has boards of his own. As in the paper, a try after a refused one has 2 seconds where the first had
    30."""
    seconds = start.budget.seconds if player.boards is None else None
    return Limit(None if seconds is None else seconds * (again or AGAIN) if view.refused else seconds)
