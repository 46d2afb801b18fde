"""What a player might have tried, for people: hints during a game, and a review of one that was played.

Everything comes from what the player could know: boards that fit all he has heard, rated as ``wary`` rates them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from worldwise.core.result import NO_LIMIT, Limit
from worldwise.errors import LimitReachedError
from worldwise.kriegspiel.belief.sampled import POOL
from worldwise.kriegspiel.players.bare_king import ending_values
from worldwise.kriegspiel.players.belief_tracking import Tracker, draw_some
from worldwise.kriegspiel.players.deciding import MATE_BOARDS, MATE_MOVES, MATE_NODES, SLOW_MATE_NODES
from worldwise.kriegspiel.players.player import Start
from worldwise.kriegspiel.players.searchers import WaryPlayer
from worldwise.kriegspiel.rules.compiled_board import fastest_board
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.search.bare_king import UNSAFE
from worldwise.kriegspiel.search.information_sets import BoardSearch
from worldwise.kriegspiel.search.mates import shortest_mates

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldwise.kriegspiel.belief.summary import BeliefSummary
    from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    from worldwise.kriegspiel.records.record import Record
    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.game import Event
    from worldwise.kriegspiel.rules.squares import ChessMove, Colour
    from worldwise.kriegspiel.rules.umpire import Rules
    from worldwise.kriegspiel.rules.view import PlayerView

BOARDS = 200
"""Boards that a rating rests on."""

MOST_COST = 10.0
"""In pawns: a try that misses a win costs no more than this, so that costs can be added up."""

WARY = WaryPlayer()


@dataclass(frozen=True)
class RatedTry:
    """A try, what it is worth in pawns, and on what part of the boards it is legal."""

    move: ChessMove
    worth: float
    chance: float


@dataclass(frozen=True)
class RatedTries:
    """All tries of a turn, the best first: ``boards`` is how many they are rated on.

    ``mates`` are those that force mate. In an ``ending`` against a bare king, worth is no matter of pawns: tries are in
    order, and those that risk a piece or a stalemate come after all that do not.
    """

    tries: tuple[RatedTry, ...]
    boards: int
    mates: frozenset[ChessMove] = frozenset()
    ending: bool = False

    @property
    def best(self) -> RatedTry:
        """The first."""
        return self.tries[0]

    @cached_property
    def by_move(self) -> dict[ChessMove, RatedTry]:
        """The same by what is tried."""
        return {one.move: one for one in self.tries}


def rate_tries(
    boards: WeightedBoards, view: PlayerView, events: Sequence[Event], rules: Rules, limit: Limit = NO_LIMIT
) -> RatedTries:
    """The tries of a view on boards that fit, rated.

    >>> from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    >>> from worldwise.kriegspiel.rules.hidden_pieces import possible_boards
    >>> from worldwise.kriegspiel.rules.squares import uci
    >>> from worldwise.kriegspiel.rules.umpire import WILD16
    >>> from worldwise.kriegspiel.rules.view import PlayerView
    >>> boards = possible_boards("8/8/8/8/8/8/8/K2Q4 w", "k: h8; r: d5 d8")
    >>> found = rate_tries(WeightedBoards.of(boards), PlayerView.of(boards[0], boards[0].turn), (), WILD16)
    >>> uci(found.best.move), found.best.chance
    ('d1d8', 0.5)
    """
    mates = _mates(boards, rules)
    if ending := ending_values(view, boards, events, rules):
        worths, chances = ending, legal_chances(boards, tuple(ending))
    else:
        found = BoardSearch(WARY.depth).search(boards, view, rules, limit)
        more = WARY.second_thoughts(found, boards, view, events, rules)
        chances = dict(found.chances)
        worths = {move: worth + more[move] for move, worth in found.values.items() if chances[move] > 0}
    rated = [RatedTry(move, worth, chances[move]) for move, worth in worths.items()]
    rated.sort(key=lambda one: (one.move not in mates, -one.worth))
    return RatedTries(tuple(rated), len(boards), mates, bool(ending))


def _mates(boards: WeightedBoards, rules: Rules) -> frozenset[ChessMove]:
    if len(boards) > MATE_BOARDS:
        return frozenset()
    try:
        nodes = MATE_NODES if boards.is_packed else SLOW_MATE_NODES
        return frozenset(shortest_mates(boards, MATE_MOVES, rules, Limit(nodes=nodes)))
    except LimitReachedError:
        return frozenset()


def legal_chances(boards: WeightedBoards, moves: Sequence[ChessMove]) -> dict[ChessMove, float]:
    """On what part of the boards, by weight, each move is legal."""
    legal = np.array([[board.is_legal(move) for move in moves] for board in boards])
    shares = boards.weights @ legal / boards.weights.sum()
    return dict(zip(moves, shares.tolist(), strict=True))


# ---------------------------------------------------------------------- a game that was played


@dataclass(frozen=True)
class ReviewedTry:
    """A try of a game: which move of the player's it was part of, and what it was beside the others.

    ``rated`` is None where no board was found that explains what had been heard. ``truth`` is what chance his belief
    gave, on average, to each enemy piece on the square where it really stood.
    """

    number: int
    move: ChessMove
    refused: bool
    rated: RatedTries | None
    truth: float | None

    @property
    def own(self) -> RatedTry | None:
        """How the try itself is rated; None if no board allows it, so that it could only be refused."""
        return None if self.rated is None else self.rated.by_move.get(self.move)

    @property
    def cost(self) -> float | None:
        """In pawns, against the best; None in an ending, and where nothing is known. What must be refused is free.

        It is ``MOST_COST`` at most.
        """
        if self.rated is None or self.rated.ending:
            return None
        return 0.0 if self.own is None else min(MOST_COST, max(0.0, self.rated.best.worth - self.own.worth))

    @property
    def misses_mate(self) -> bool:
        """Whether it does not force mate where others did."""
        return self.rated is not None and bool(self.rated.mates) and self.move not in self.rated.mates

    @property
    def is_rash(self) -> bool:
        """Whether it risked a piece or stalemate in an ending, and others did not."""
        if self.rated is None or not self.rated.ending or self.own is None:
            return False
        return self.rated.best.worth - self.own.worth > UNSAFE / 2


def review_tries(record: Record, colour: Colour, boards: int = BOARDS, pool: int = POOL) -> Iterator[ReviewedTry]:
    """Every try of one player in a game, rated on what he could know then."""
    game = Kriegspiel(record.rules, (record.first,))
    state, number = game.start(fastest_board(record.first)), 1
    tracker = Tracker.of(Start(colour, record.rules, (record.first,)), pool)
    for event in record.events:
        assert event.move is not None
        if event.colour is colour:
            view = state.view(colour)
            rated = None if tracker.behind else _rate(tracker, view, boards, record.rules)
            truth = _truth(tracker.belief_summary(), state.board, colour)
            yield ReviewedTry(number, event.move, event.is_refusal, rated, truth)
            number += not event.is_refusal
        state = game.play(state, event.move)
        if heard := event.heard_by(colour, record.rules):
            tracker.hear(heard)


def _rate(tracker: Tracker, view: PlayerView, boards: int, rules: Rules) -> RatedTries:
    some = draw_some(tracker.belief.boards, boards, tracker.dice)
    return rate_tries(some, view, tracker.events, rules)


def _truth(belief: BeliefSummary | None, board: ChessBoard, colour: Colour) -> float | None:
    if belief is None:
        return None
    enemies = list(board.pieces_of(colour.other))
    return sum(belief.chances[piece][square] for square, piece in enemies) / len(enemies)
