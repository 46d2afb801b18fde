"""Guaranteed mates in kriegspiel: mate in so many moves, whatever the other plays and whatever is hidden.

The answer is about a set of boards that look the same to the player to move: one board if everything is known at first,
or all that he holds possible. It counts on nothing but the umpire's messages from the first move on. Draws by the same
position for the third time, and by a limit on a game's plies, are the table's to count and not the boards'.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from worldwise.core.result import NO_LIMIT, Clock, Limit, Stats
from worldwise.errors import InputError, LimitReachedError
from worldwise.kernels import native, pick, watch
from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.packing import pack_rules, unpack_move
from worldwise.kriegspiel.rules.umpire import WILD16, Rules, board_end
from worldwise.kriegspiel.rules.view import PlayerView
from worldwise.search.guaranteed import find_guarantee

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.squares import ChessMove

ENTRIES = 1 << 20
"""How many sets of boards, and how many boards, the kernel remembers: at most 48 MiB."""

MOST_MOVES = 100


@dataclass(frozen=True)
class Mate:
    """The ``moves`` asked about, the ``shortest`` mate if it takes no more, and every first move that forces mate.

    ``soonest`` are those of them that mate in the fewest moves.
    """

    moves: int
    shortest: int | None
    keys: tuple[ChessMove, ...]
    stats: Stats
    soonest: tuple[ChessMove, ...] = ()

    @property
    def is_mate(self) -> bool:
        """Whether there is a guaranteed mate."""
        return self.shortest is not None


def guaranteed_mate(boards: Iterable[ChessBoard], moves: int, rules: Rules = WILD16, limit: Limit = NO_LIMIT) -> Mate:
    """Whether the player to move mates in at most so many moves on all boards, which look the same to him.

    >>> from worldwise.kriegspiel.rules.hidden_pieces import possible_boards
    >>> from worldwise.kriegspiel.rules.squares import uci
    >>> found = guaranteed_mate(possible_boards("8/7R/1K6/8/8/8/8/8 w", "k: a8 b8"), 2)
    >>> found.shortest, [uci(key) for key in found.keys]
    (1, ['h7h8'])
    """
    # The number of the move changes nothing that may happen, so boards that differ in it alone are one.
    given = tuple(dict.fromkeys(replace(board, number=1) for board in boards))
    _check(given, moves)
    if any(board_end(board, rules) for board in given):
        return Mate(moves, None, (), Stats())
    search = _search(WeightedBoards.of(given), rules, limit)
    shortest = _shortest(search, moves)
    if shortest is None:
        return Mate(moves, None, (), search.stats)
    keys = search.keys(moves)
    soonest = keys if shortest == moves else search.keys(shortest)
    return Mate(moves, shortest, keys, search.stats, soonest)


def tries_if_refused(
    boards: Iterable[ChessBoard], key: ChessMove, moves: int, rules: Rules = WILD16, limit: Limit = NO_LIMIT
) -> tuple[ChessMove, ...]:
    """What to try next, and next, in the same turn, if a key is refused, until a try cannot be.

    A key that is refused tells which boards are left, and on these another forces mate in as few moves as may be.

    >>> from worldwise.kriegspiel.rules.hidden_pieces import possible_boards
    >>> from worldwise.kriegspiel.rules.squares import read_uci, uci
    >>> boards = possible_boards("7k/1P6/6K1/8/8/8/8/8 w", "r: - c8")
    >>> [uci(move) for move in tries_if_refused(boards, read_uci("b7c8q"), 1)]
    ['b7b8q']
    """
    clock, found = Clock(limit), []
    left = [board for board in boards if not board.is_legal(key)]
    while left:
        following = shortest_mates(WeightedBoards.of(left), moves, rules, clock.rest)
        if not following:
            break
        found.append(min(following, key=lambda move: sum(not board.is_legal(move) for board in left)))
        left = [board for board in left if not board.is_legal(found[-1])]
    return tuple(found)


def shortest_mates(
    boards: WeightedBoards, moves: int, rules: Rules = WILD16, limit: Limit = NO_LIMIT
) -> tuple[ChessMove, ...]:
    """The first moves of the shortest guaranteed mate on the boards of a belief, which look the same; none if none is.

    >>> from worldwise.kriegspiel.rules.hidden_pieces import possible_boards
    >>> from worldwise.kriegspiel.rules.squares import uci
    >>> [uci(key) for key in shortest_mates(WeightedBoards.of(possible_boards("8/7R/1K6/8/8/8/8/8 w", "k: a8 b8")), 2)]
    ['h7h8']
    """
    search = _search(boards, rules, limit)
    shortest = _shortest(search, moves)
    return () if shortest is None else search.keys(shortest)


def _check(boards: Sequence[ChessBoard], moves: int) -> None:
    if not boards:
        raise InputError("expected at least one board")
    if not 1 <= moves <= MOST_MOVES:
        raise InputError(f"expected a mate in 1 to {MOST_MOVES} moves, found {moves}")
    colour = boards[0].turn
    if len({(board.turn, PlayerView.of(board, colour)) for board in boards}) > 1:
        raise InputError(f"expected boards that look the same to {colour}, who is to move, found different ones")


# ---------------------------------------------------------------------- the kernel and its twin


class _Search(Protocol):
    """What is asked of a search: may the player to move count on mate in so many moves, and which first moves force it.

    Both searches are asked about one move first, then about two, and so on: the kernel remembers what it has found out
    about fewer moves, and a mate in fewer moves is one in more.
    """

    def wins(self, moves: int) -> bool: ...

    def keys(self, moves: int) -> tuple[ChessMove, ...]: ...

    @property
    def stats(self) -> Stats: ...


def _search(boards: WeightedBoards, rules: Rules, limit: Limit) -> _Search:
    compiled: Callable[..., _Search] = _Compiled
    readable: Callable[..., _Search] = _Readable
    clock = Clock(limit, "the search for a guaranteed mate")
    return pick(compiled, readable, fits=boards.is_packed)(boards, rules, clock)


def _shortest(search: _Search, moves: int) -> int | None:
    # A mate in so many moves is one in more, so the first number that wins is the least.
    return next((number for number in range(1, moves + 1) if search.wins(number)), None)


class _Compiled:
    """The kernel of ``native/kriegspiel/mates.cpp``; what it finds out about few moves helps with more."""

    def __init__(self, boards: WeightedBoards, rules: Rules, clock: Clock) -> None:
        self.kernel = native.Mates(native.UmpireRules(*pack_rules(rules)), ENTRIES)
        self.rows, self.clock = boards.items, clock

    def wins(self, moves: int) -> bool:
        with watch(self.clock) as limit:
            return self.kernel.wins(self.rows, moves, *limit)

    def keys(self, moves: int) -> tuple[ChessMove, ...]:
        with watch(self.clock) as limit:
            found = self.kernel.keys(self.rows, moves, *limit)
        return tuple(sorted(unpack_move(int(word)) for word in found))

    @property
    def stats(self) -> Stats:
        return Stats(self.kernel.nodes, seconds=self.clock.seconds)


class _Readable:
    """The search that knows no game, on the game that knows no search."""

    def __init__(self, boards: WeightedBoards, rules: Rules, clock: Clock) -> None:
        game = Kriegspiel(replace(rules, repetition=False, ply_limit=None))
        first = boards[0]
        # What may have been said before is not counted on, so all states begin alike.
        starts = (game.start(board) for board in boards)
        self.game, self.player = game, first.turn
        self.states = [replace(state, pawn_tries=None, first=first) for state in starts]
        self.clock, self.nodes = clock, 0
        self.found: dict[int, tuple[ChessMove, ...]] = {}

    def wins(self, moves: int) -> bool:
        return bool(self.keys(moves))

    def keys(self, moves: int) -> tuple[ChessMove, ...]:
        if moves not in self.found:
            self.found[moves] = self._find_keys(moves)
        return self.found[moves]

    def _find_keys(self, moves: int) -> tuple[ChessMove, ...]:
        rest = self.clock.rest
        most = None if rest.nodes is None else rest.nodes - self.nodes
        try:
            found = find_guarantee(self.game, self.states, self.player, moves, replace(rest, nodes=most))
        except LimitReachedError:
            raise LimitReachedError(self.clock.search, self.clock.limit) from None
        self.nodes += found.stats.nodes
        return tuple(sorted(found.keys))

    @property
    def stats(self) -> Stats:
        return Stats(self.nodes, seconds=self.clock.seconds)
