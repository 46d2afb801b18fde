"""Guaranteed mates in kriegspiel: mate in so many moves, whatever the other plays and whatever is hidden.

The answer is about a set of boards that look the same to the player to move: one board if everything is known at first,
or all that he holds possible. It counts on nothing but the umpire's messages from the first move on. Draws by the same
position for the third time, and by a limit on a game's plies, are the table's to count and not the boards'.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from worldwise.core.result import NO_LIMIT, Clock, Limit, Stats
from worldwise.errors import InputError, LimitReachedError
from worldwise.kernels import in_use, kernel_limit, native
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.packed_boards import kernel_rules, rows_of, unpacked_move
from worldwise.kriegspiel.rules.umpire import WILD16, Rules, board_end
from worldwise.kriegspiel.rules.view import View
from worldwise.search.guaranteed import guaranteed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from worldwise.kriegspiel.belief.boards import Boards
    from worldwise.kriegspiel.rules.board import Board
    from worldwise.kriegspiel.rules.squares import Move

ENTRIES = 1 << 20
"""How many sets of boards, and how many boards, the kernel remembers: at most 48 MiB."""

MOST_MOVES = 100


@dataclass(frozen=True)
class Mate:
    """The ``moves`` asked about, the ``shortest`` mate if it takes no more, and every first move that forces mate."""

    moves: int
    shortest: int | None
    keys: tuple[Move, ...]
    stats: Stats

    @property
    def is_mate(self) -> bool:
        """Whether there is a guaranteed mate."""
        return self.shortest is not None


def guaranteed_mate(boards: Iterable[Board], moves: int, rules: Rules = WILD16, limit: Limit = NO_LIMIT) -> Mate:
    """Whether the player to move mates in at most so many moves on all boards, which look the same to him.

    >>> from worldwise.kriegspiel.rules.hidden_pieces import possible_boards
    >>> from worldwise.kriegspiel.rules.squares import uci
    >>> found = guaranteed_mate(possible_boards("8/7R/1K6/8/8/8/8/8 w", "k: a8 b8"), 2)
    >>> found.shortest, [uci(key) for key in found.keys]
    (1, ['h7h8'])
    """
    given = tuple(dict.fromkeys(replace(board, number=1) for board in boards))
    _check(given, moves)
    if any(board_end(board, rules) for board in given):
        return Mate(moves, None, (), Stats())
    compiled = in_use() and given[0].geometry.is_full
    search = _Compiled(rows_of(given), rules, Clock(limit)) if compiled else _Plain(given, rules, Clock(limit))
    shortest = next((number for number in range(1, moves + 1) if search.wins(number)), None)
    keys = () if shortest is None else search.keys(moves)
    return Mate(moves, shortest, keys, search.stats)


def shortest_mates(boards: Boards, moves: int, rules: Rules = WILD16, limit: Limit = NO_LIMIT) -> tuple[Move, ...]:
    """The first moves of the shortest guaranteed mate on the boards of a belief, which look the same; none if none is.

    >>> from worldwise.kriegspiel.belief.boards import Boards
    >>> from worldwise.kriegspiel.rules.hidden_pieces import possible_boards
    >>> from worldwise.kriegspiel.rules.squares import uci
    >>> [uci(key) for key in shortest_mates(Boards.of(possible_boards("8/7R/1K6/8/8/8/8/8 w", "k: a8 b8")), 2)]
    ['h7h8']
    """
    clock = Clock(limit)
    search = _Compiled(boards.items, rules, clock) if boards.is_packed else _Plain(tuple(boards), rules, clock)
    shortest = next((number for number in range(1, moves + 1) if search.wins(number)), None)
    return () if shortest is None else search.keys(shortest)


def _check(boards: Sequence[Board], moves: int) -> None:
    if not boards:
        raise InputError("expected at least one board")
    if not 1 <= moves <= MOST_MOVES:
        raise InputError(f"expected a mate in 1 to {MOST_MOVES} moves, found {moves}")
    colour = boards[0].turn
    if len({(board.turn, View.of(board, colour)) for board in boards}) > 1:
        raise InputError(f"expected boards that look the same to {colour}, who is to move, found different ones")


class _Compiled:
    """The kernel of ``native/kriegspiel/mates.cpp``; what it finds out about few moves helps with more."""

    def __init__(self, rows: NDArray[np.uint64], rules: Rules, clock: Clock) -> None:
        self.kernel = native.Mates(native.UmpireRules(*kernel_rules(rules)), ENTRIES)
        self.rows, self.clock = rows, clock

    def wins(self, moves: int) -> bool:
        try:
            return self.kernel.wins(self.rows, moves, *kernel_limit(self.clock.rest))
        except TimeoutError:
            raise _out_of(self.clock.limit) from None

    def keys(self, moves: int) -> tuple[Move, ...]:
        try:
            found = self.kernel.keys(self.rows, moves, *kernel_limit(self.clock.rest))
        except TimeoutError:
            raise _out_of(self.clock.limit) from None
        return tuple(sorted(unpacked_move(int(word)) for word in found))

    @property
    def stats(self) -> Stats:
        return Stats(self.kernel.nodes, seconds=self.clock.seconds)


class _Plain:
    """The search that knows no game, on the game that knows no search."""

    def __init__(self, boards: Sequence[Board], rules: Rules, clock: Clock) -> None:
        game = Kriegspiel(replace(rules, repetition=False, ply_limit=None))
        # What may have been said before is not counted on, so all states begin alike.
        starts = (game.start(board) for board in boards)
        self.game, self.player = game, boards[0].turn
        self.states = [replace(state, pawn_tries=None, first=boards[0]) for state in starts]
        self.clock, self.nodes = clock, 0
        self.found: dict[int, tuple[Move, ...]] = {}

    def wins(self, moves: int) -> bool:
        return bool(self.keys(moves))

    def keys(self, moves: int) -> tuple[Move, ...]:
        if moves not in self.found:
            self.found[moves] = self._searched(moves)
        return self.found[moves]

    def _searched(self, moves: int) -> tuple[Move, ...]:
        rest = self.clock.rest
        most = None if rest.nodes is None else rest.nodes - self.nodes
        try:
            found = guaranteed(self.game, self.states, self.player, moves, replace(rest, nodes=most))
        except LimitReachedError:
            raise _out_of(self.clock.limit) from None
        self.nodes += found.stats.nodes
        return tuple(sorted(found.keys))

    @property
    def stats(self) -> Stats:
        return Stats(self.nodes, seconds=self.clock.seconds)


def _out_of(limit: Limit) -> LimitReachedError:
    return LimitReachedError("the search for a guaranteed mate", limit)
