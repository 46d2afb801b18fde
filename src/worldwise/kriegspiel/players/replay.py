"""A recorded game once more, move by move: the true board, and what each player believed then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from worldwise.kriegspiel.belief.sampled import POOL
from worldwise.kriegspiel.players.belief_tracking import Tracker
from worldwise.kriegspiel.players.player import Start
from worldwise.kriegspiel.rules.compiled_board import fastest_board
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.squares import BLACK, WHITE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from worldwise.kriegspiel.belief.summary import BeliefSummary
    from worldwise.kriegspiel.records.record import Record
    from worldwise.kriegspiel.rules.game import Event, State
    from worldwise.kriegspiel.rules.squares import Colour


@dataclass(frozen=True)
class ReplayedPly:
    """A move with the tries refused before it, the state after it, and both beliefs; None for who has lost track."""

    events: tuple[Event, ...]
    state: State
    beliefs: Mapping[Colour, BeliefSummary | None]


def replay_plies(record: Record, pool: int = POOL) -> Iterator[ReplayedPly]:
    """Every move of a game; tries after the last are left out.

    >>> from worldwise.kriegspiel.records.pgn_reader import read_pgn
    >>> [ply.beliefs[BLACK].boards for ply in replay_plies(read_pgn("1. e4 e5 *")[0])]
    [20, 18]
    """
    game = Kriegspiel(record.rules, (record.first,))
    state = game.start(fastest_board(record.first))
    trackers = {colour: Tracker.of(Start(colour, record.rules, (record.first,)), pool) for colour in (WHITE, BLACK)}
    tried: list[Event] = []
    for event in record.events:
        assert event.move is not None
        state = game.play(state, event.move)
        tried.append(event)
        for colour, tracker in trackers.items():
            if heard := event.heard_by(colour, record.rules):
                tracker.hear(heard)
        if not event.is_refusal:
            yield ReplayedPly(tuple(tried), state, {colour: one.belief_summary() for colour, one in trackers.items()})
            tried = []
