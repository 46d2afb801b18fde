"""Many boards at once: what a kriegspiel player holds possible, and what is left of it when he hears something.

Each board has a weight, how likely it is, and a story, one way in which the other player's moves may have led to it:
whoever doubts a board can play its story and hear what was heard. A kernel works on boards of 8 by 8; its twin here is
the umpire's own functions, board by board.
"""

from __future__ import annotations

import operator
from collections import Counter
from dataclasses import dataclass, replace
from math import frexp
from typing import TYPE_CHECKING, Any

import numpy as np

from worldwise.core.result import NO_LIMIT, Clock, Limit
from worldwise.errors import LimitReachedError, TooManyBoardsError
from worldwise.kernels import native, pick, watch
from worldwise.kriegspiel.rules.board import EMPTY
from worldwise.kriegspiel.rules.packing import (
    QUIET_SHIFT,
    pack_board,
    pack_boards,
    pack_message,
    pack_move,
    pack_rules,
    unpack_board,
    unpack_move,
)
from worldwise.kriegspiel.rules.umpire import End, message, pawn_tries
from worldwise.kriegspiel.rules.view import PlayerView

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.game import Event
    from worldwise.kriegspiel.rules.squares import ChessMove, Colour, Square
    from worldwise.kriegspiel.rules.umpire import Message, Rules

    Identity = tuple[str, Colour, str, int | None]

USUAL_MOVES = 20
"""Weights are multiplied by this at each move of the other's, which leaves most of them near what they were."""

NO_BOUND = 1 << 40

_COUNTED = (End.REPETITION, End.PLIES)
"""Ends that no board shows."""


REFUSED, MADE, OTHER_MADE = range(3)
"""What is heard, as the kernel has it."""

LATER = 0.7
"""What a turn later is worth less when boards are judged by what is heard later."""

LEAST_WORTH = 0.03
"""What counts for less is not looked at."""

WRONG_CAPTURE = 4.0
"""A capture or a check that a board cannot explain, against an answer to a try, of which there may be dozens."""


@dataclass(frozen=True, eq=False)
class WeightedBoards:
    """Boards with weights and stories.

    ``items`` holds rows for the kernel, or ``ChessBoard`` objects; a story is the other's moves, packed.

    >>> from worldwise.kriegspiel.rules.board import START
    >>> len(WeightedBoards.of([START]))
    1
    """

    items: NDArray[Any]
    weights: NDArray[np.float64]
    stories: NDArray[np.uint16]

    @classmethod
    def of(cls, boards: Sequence[ChessBoard], *, kernel: bool = True) -> WeightedBoards:
        """Boards of equal weight, before anything has happened; packed for the kernel if it may work on them."""
        fits = kernel and all(board.geometry.is_full for board in boards)
        return cls.of_items(pick(pack_boards, _objects, fits=fits)(boards))

    @classmethod
    def of_items(cls, items: NDArray[Any]) -> WeightedBoards:
        """The same from rows for the kernel, or from an array of ``ChessBoard`` objects."""
        return cls(items, np.ones(len(items)), np.zeros((len(items), 0), dtype=np.uint16))

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def is_packed(self) -> bool:
        """Whether the kernel can work on them."""
        return self.items.dtype == np.uint64

    def __getitem__(self, place: int) -> ChessBoard:
        """The board at a place; of the number of its move nothing is known."""
        return unpack_board(self.items[place]) if self.is_packed else self.items[place]

    def __iter__(self) -> Iterator[ChessBoard]:
        return (self[place] for place in range(len(self)))

    def story(self, place: int) -> tuple[ChessMove, ...]:
        """The other's moves that may have led to a board."""
        return tuple(unpack_move(int(word)) for word in self.stories[place])

    def select(self, places: NDArray[Any], weights: NDArray[np.float64] | None = None) -> WeightedBoards:
        """Some of them, with other weights if given."""
        return WeightedBoards(
            self.items[places], self.weights[places] if weights is None else weights, self.stories[places]
        )

    def scale(self, factor: float) -> WeightedBoards:
        """All weights multiplied."""
        return replace(self, weights=self.weights * factor)

    @property
    def towards_one(self) -> float:
        """The power of two that brings the heaviest board's weight to about one: it rounds nothing."""
        return 2.0 ** -frexp(self.weights.max(initial=0.0))[1]

    def normalise(self) -> WeightedBoards:
        """The same boards without stories, of weight one on average."""
        weights = self.weights * (len(self) / self.weights.sum()) if len(self) else self.weights
        return replace(WeightedBoards.of_items(self.items), weights=weights)

    def join(self, other: WeightedBoards) -> WeightedBoards:
        """These and others, which may have some in common."""
        return WeightedBoards(
            np.concatenate((self.items, other.items)),
            np.concatenate((self.weights, other.weights)),
            np.concatenate((self.stories, other.stories)),
        )

    def merge_duplicates(self) -> WeightedBoards:
        """The same boards, each with all its weight, the story and the fewest quiet plies that any of its like has."""
        _, into = np.unique(self._identities, return_inverse=True)
        order = np.lexsort((self._quiet, into))
        _, first = np.unique(into[order], return_index=True)
        return self.select(order[first], np.bincount(into, self.weights).astype(np.float64))

    @property
    def _identities(self) -> NDArray[Any]:
        """What makes boards the same: all but the quiet plies."""
        if not self.is_packed:
            numbers: dict[Identity, int] = {}
            return np.array([numbers.setdefault(identity(board), len(numbers)) for board in self.items])
        rows = self.items.copy()
        rows[:, 8] &= np.uint64((1 << QUIET_SHIFT) - 1)
        return rows.view(np.dtype((np.void, rows.shape[1] * 8))).ravel()

    @property
    def _quiet(self) -> NDArray[Any]:
        if not self.is_packed:
            return np.array([board.quiet for board in self.items])
        return self.items[:, 8] >> np.uint64(QUIET_SHIFT)

    # ------------------------------------------------------------------ what is left

    def after(
        self,
        event: Event,
        player: Colour,
        rules: Rules,
        *,
        refusals: int | None = None,
        most: int = NO_BOUND,
        limit: Limit = NO_LIMIT,
    ) -> WeightedBoards:
        """The boards that fit what a player hears; ``refusals`` of the other's tries came before his move, if heard.

        The other is taken to try whatever he may in a random order, so all his legal moves are equally likely. Boards
        that differ in their quiet plies only are one, with the fewest: it stays possible for as long as any of them.
        """
        if event.colour is not player and event.is_refusal:
            return self
        after = pick(self._compiled_after, self._readable_after, fits=self.is_packed)
        return after(event, player, rules, refusals, most, limit)

    def _compiled_after(
        self, event: Event, player: Colour, rules: Rules, refusals: int | None, most: int, limit: Limit
    ) -> WeightedBoards:
        said, mask = _pack_expected(event.message)
        what = _kind_of_event(event, player)
        heard = (what, _pack_event_move(event), said, mask, -1 if refusals is None else refusals)
        kernel = native.UmpireRules(*pack_rules(rules))
        try:
            with watch(Clock(limit, "the belief")) as (_, seconds):
                found = native.belief_after(self.items, self.weights, *heard, kernel, most, seconds)
        except OverflowError:
            raise TooManyBoardsError(most) from None
        rows, weights, parents, moves = found
        stories = self.stories[parents]
        if what == OTHER_MADE:
            stories = np.column_stack((stories, moves))
        return WeightedBoards(rows, weights, stories)

    def _readable_after(
        self, event: Event, player: Colour, rules: Rules, refusals: int | None, most: int, limit: Limit
    ) -> WeightedBoards:
        found: dict[Identity, _Found] = {}
        clock = Clock(Limit(limit.seconds))
        for board, weight, story in zip(self, self.weights, self.stories, strict=True):
            if clock.ran_out(0):
                raise LimitReachedError("the belief", limit)
            for next_board, factor, move in _successors(board, event, player, rules, refusals):
                longer = story if move is None else np.append(story, np.uint16(pack_move(move)))
                one = _Found(next_board, weight * factor, longer)
                same = found.get(identity(next_board))
                found[identity(next_board)] = one if same is None else same.merge(one)
                if len(found) > most:
                    raise TooManyBoardsError(most)
        return _gather(list(found.values()), self.stories.shape[1] + (event.colour is not player))

    def surprises(self, later: Sequence[Event], player: Colour) -> NDArray[np.float64]:
        """How badly each board, the other to move, agrees with what is heard later, as if the other only took."""
        return pick(self._compiled_surprises, self._readable_surprises, fits=self.is_packed)(later, player)

    def _readable_surprises(self, later: Sequence[Event], player: Colour) -> NDArray[np.float64]:
        return np.array([_surprise(board, later, player) for board in self])

    def _compiled_surprises(self, later: Sequence[Event], player: Colour) -> NDArray[np.float64]:
        answers = [
            (_kind_of_event(event, player), _pack_event_move(event), _pack_expected(event.message)[0])
            for event in later
        ]
        return native.belief_surprise(self.items, np.array(answers, dtype=np.int64).reshape(-1, 3))

    def differences(self, board: ChessBoard) -> NDArray[np.int64]:
        """On how many squares each of them differs from a board."""
        if not self.is_packed:
            counts = [sum(map(operator.ne, other.pieces, board.pieces)) for other in self.items]
            return np.array(counts, dtype=np.int64)
        differ: NDArray[np.uint64] = np.bitwise_or.reduce(self.items[:, :8] ^ pack_board(board)[:8], axis=1)
        return np.bitwise_count(differ).astype(np.int64)

    def rarities(self, colour: Colour) -> NDArray[np.float64]:
        """For each board, how much its pieces of a colour are where few boards have them.

        It is the sum over these pieces of one over the weight of all boards that have such a piece there; by weight,
        all of them add up to the number of different pieces and squares.
        """
        return pick(self._compiled_rarities, self._readable_rarities, fits=self.is_packed)(colour)

    def _compiled_rarities(self, colour: Colour) -> NDArray[np.float64]:
        return native.belief_rarities(self.items, self.weights, colour)

    def _readable_rarities(self, colour: Colour) -> NDArray[np.float64]:
        places = [list(board.pieces_of(colour)) for board in self]
        weights: Counter[tuple[Square, str]] = Counter()
        for pieces, weight in zip(places, self.weights, strict=True):
            weights.update(dict.fromkeys(pieces, weight))
        return np.array([sum(1 / weights[place] for place in pieces) for pieces in places])

    # ------------------------------------------------------------------ figures

    @property
    def effective(self) -> float:
        """How many boards of equal weight would say as much as these."""
        squares = float(np.square(self.weights).sum())
        return float(self.weights.sum()) ** 2 / squares if squares else 0.0


@dataclass(frozen=True)
class _Found:
    board: ChessBoard
    weight: float
    story: NDArray[np.uint16]

    def merge(self, other: _Found) -> _Found:
        best = other if other.board.quiet < self.board.quiet else self
        return replace(best, weight=self.weight + other.weight)


def _gather(found: list[_Found], length: int) -> WeightedBoards:
    stories = np.array([one.story for one in found], dtype=np.uint16).reshape(len(found), length)
    return WeightedBoards(_objects([one.board for one in found]), np.array([one.weight for one in found]), stories)


def identity(board: ChessBoard) -> Identity:
    """What makes boards one in a belief: all but the quiet plies and the number of the move."""
    return board.pieces, board.turn, board.castling, board.en_passant


def _objects(boards: Sequence[ChessBoard]) -> NDArray[Any]:
    items = np.empty(len(boards), dtype=object)
    items[:] = boards
    return items


def _kind_of_event(event: Event, player: Colour) -> int:
    if event.colour is not player:
        return OTHER_MADE
    return REFUSED if event.is_refusal else MADE


def _pack_event_move(event: Event) -> int:
    return pack_move(event.move) if event.move else 0


def _surprise(board: ChessBoard, later: Sequence[Event], player: Colour) -> float:
    wrong, worth = 0.0, 1.0
    for event in later:
        board = replace(board, turn=player, en_passant=None)
        taken = event.message.taken if event.message else None
        if event.colour is not player:
            if taken is not None:
                wrong += 0 if board.attackers(taken, player.other) else WRONG_CAPTURE * worth
                board = replace(board, pieces=board.pieces[:taken] + EMPTY + board.pieces[taken + 1 :])
            continue
        if worth < LEAST_WORTH:
            break
        assert event.move is not None
        wrong += worth if board.is_legal(event.move) is event.is_refusal else 0
        if not event.is_refusal:
            stands = player.other.owns(board.pieces[event.move.target])
            wrong += WRONG_CAPTURE * worth if stands is (taken is None) else 0
            board = board.after(event.move)
            said = bool(event.message and event.message.checks)
            if bool(board.checkers(player.other)) is not said:
                wrong += (WRONG_CAPTURE if said else 1) * worth
            worth *= LATER
    return wrong


def _pack_expected(said: Message | None) -> tuple[int, int]:
    """A message as the kernel hears it, and which parts of it are to be compared."""
    if said is None:
        return 0, 0
    if said.end in _COUNTED:
        return pack_message(replace(said, end=None)), 0xFFFFFFFF & ~native.PAWN_TRIES
    return pack_message(said), 0xFFFFFFFF


def _successors(
    board: ChessBoard, event: Event, player: Colour, rules: Rules, refusals: int | None
) -> Iterator[tuple[ChessBoard, float, ChessMove | None]]:
    """The boards that may come of one board, the factors of their weights, and the other's moves."""
    if event.colour is player:
        assert event.move is not None
        legal = board.is_legal(event.move)
        if event.message is None and not legal:
            yield board, 1.0, None
        if event.message is not None and legal:
            next_board = board.after(event.move)
            if _is_said(message(board, event.move, next_board, rules), event.message):
                yield next_board, 1.0, None
        return
    factor = USUAL_MOVES * _likelihood(board, rules, refusals)
    for move in board.legal_moves if factor else ():
        next_board = board.after(move)
        assert event.message is not None
        if _is_said(message(board, move, next_board, rules), event.message):
            yield next_board, factor, move


def _is_said(would_be: Message, said: Message) -> bool:
    if said.end in _COUNTED:
        return would_be.end is None and replace(would_be, tries=None) == replace(said, end=None)
    return would_be == said


def _likelihood(board: ChessBoard, rules: Rules, refusals: int | None) -> float:
    """How likely each legal move is, tries being made in a random order and so many of them refused before."""
    legal = len(board.legal_moves)
    if not legal:
        return 0.0
    if refusals is None:
        return 1 / legal
    tries = len(PlayerView.of(board, board.turn, pawn_tries(board, rules)).tries)
    if refusals > tries - legal:
        return 0.0
    chance = 1.0
    for i in range(refusals):
        chance *= (tries - legal - i) / (tries - i)
    return chance / (tries - refusals)
