"""FB01's algorithms on a single suit: its whole tree, and what each algorithm's line is worth (FB01 sections 5, 8.2).

The tree is ``unroll(SuitGame(...))`` node for node, made by a kernel where there is one. A leaf is two sets of bits,
not a row of numbers: which worlds the play allows, and whether the goal was reached. So a million nodes with their
leaves take some 30 MB, and a search of ``MOST_NODES`` stays below 2 GiB.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from worldwise.bridge.suit.fronts import kernel_rules, kernel_table
from worldwise.bridge.suit.rules import FREE, Suit, SuitGame, SuitMove
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.core.game import Side
from worldwise.core.result import NO_LIMIT
from worldwise.errors import LimitReachedError, TreeError
from worldwise.kernels import native, pick
from worldwise.search.algorithms import ALGORITHMS, algorithm
from worldwise.search.random_ties import Ties
from worldwise.trees.compiled import compile_game
from worldwise.trees.preorder import LEAF, children
from worldwise.trees.world_tree import WorldTree, unroll

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from fractions import Fraction

    from numpy.typing import NDArray

    from worldwise.bridge.suit.fronts import Start
    from worldwise.bridge.suit.rules import SuitTable
    from worldwise.core.game import AnyWorldGame
    from worldwise.core.result import Limit, Searcher, Strategy
    from worldwise.core.scale import AnyScale
    from worldwise.core.vector import Payoff

MOST_NODES = 20_000_000
"""Larger trees are refused: with all that a search adds they would take more than 2 GiB."""

MOST_PAYOFFS = 2**27
"""As many payoffs, a number for every world of every leaf, are written out at most: a gigabyte."""


def suit_tree(
    suit: Suit, goal: int, entries: tuple[float, float] = FREE, lean: bool = True, most_nodes: int = MOST_NODES
) -> WorldTree:
    """The tree of a combination played for at least ``goal`` tricks; ``TreeError`` if it has too many nodes.

    >>> tree = suit_tree(Suit.of("AQ", "2"), goal=2)
    >>> tree, [tree.move_label(0, move) for move in tree.moves(0)]
    (<WorldTree: 169 nodes, 68 leaves, 20 worlds>, ['NQ', 'NA', 'S2'])
    """
    return _tree_of(SuitGame(suit, goal, entries, lean), most_nodes)


def _tree_of(game: SuitGame, most_nodes: int) -> WorldTree:
    return pick(_compiled_tree, _readable_tree)(game, most_nodes)


def _readable_tree(game: SuitGame, most_nodes: int) -> WorldTree:
    return unroll(game, most_nodes)


if TYPE_CHECKING:
    _Arrays = tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.uint8], NDArray[np.uint64], NDArray[np.bool_]]
    """Kinds, ends, moves, open worlds of leaves, and whether the goal is reached there."""


class SuitTree(WorldTree):
    """A tree that keeps its leaves as bits; ``payoffs_by_leaf`` is written out if somebody asks for it."""

    def __init__(self, game: SuitGame, arrays: _Arrays) -> None:
        kind, end, moves, opened, won = arrays
        self.__dict__.update(
            kind=kind,
            end=end,
            weights=game.weights,
            names={},
            move_names=_MoveNames(kind, end, moves),
            world_names=None,
            title=None,
            scale=game.scale,
            _open=opened,
            _won=won,
        )

    scale: AnyScale
    _open: NDArray[np.uint64]
    _won: NDArray[np.bool_]

    @property
    def worlds(self) -> int:
        """How many worlds there are."""
        return len(self.weights)

    @property
    def leaves(self) -> int:
        """How many leaves there are."""
        return len(self._won)

    # Strategies are looked at in a handful of nodes only: the index of all children, which other trees keep, would take
    # longer to make than many a search takes.

    def moves(self, position: int) -> range:
        """The numbers of the branches, from 0."""
        return range(sum(1 for _ in children(self, position)))

    def play(self, position: int, move: int) -> int:
        """The node a branch leads to."""
        return next(islice(children(self, position), move, None))

    @cached_property
    def has_undefined(self) -> bool:
        """Whether the play contradicts some world somewhere."""
        return bool((self._open != self._every_world).any())

    @cached_property
    def masks(self) -> NDArray[np.uint64]:
        """Every leaf's code: a world is won if the goal is reached, or cannot be at all."""
        return np.where(self._won[:, None], self._every_world, ~self._open & self._every_world)

    def payoffs(self, position: int) -> tuple[Payoff, ...]:
        """A leaf's payoffs."""
        leaf = self._leaf_number[position]
        won = int(self._won[leaf])
        return tuple(won if is_open else None for is_open in self._bits(self._open[leaf : leaf + 1])[0].tolist())

    @cached_property
    def payoffs_by_leaf(self) -> NDArray[np.float64]:
        """A row for every leaf, NaN for undefined."""
        if self.leaves * self.worlds > MOST_PAYOFFS:
            raise TreeError(
                f"expected at most {MOST_PAYOFFS} payoffs, found {self.leaves} leaves of {self.worlds} worlds"
            )
        return np.where(self._bits(self._open), self._won[:, None].astype(np.float64), np.nan)

    @cached_property
    def _every_world(self) -> NDArray[np.uint64]:
        words = ((1 << self.worlds) - 1).to_bytes(8 * self._open.shape[1], "little")
        return np.frombuffer(words, dtype=np.uint64)

    def _bits(self, rows: NDArray[np.uint64]) -> NDArray[np.bool_]:
        flags = np.unpackbits(rows.view(np.uint8), axis=1, count=self.worlds, bitorder="little")
        return flags.view(np.bool_)


class _MoveNames(Mapping[int, tuple[str, ...]]):
    """The names of the moves at every node that is no leaf, made when they are asked for."""

    def __init__(self, kind: NDArray[np.uint8], end: NDArray[np.int32], moves: NDArray[np.uint8]) -> None:
        self._kind, self._end, self._moves = kind, end, moves

    def __getitem__(self, node: int) -> tuple[str, ...]:
        if self._kind[node] == LEAF:
            raise KeyError(node)
        names, child = [], node + 1
        while child < self._end[node]:
            names.append(str(_move(int(self._moves[child]))))
            child = int(self._end[child])
        return tuple(names)

    def __iter__(self) -> Iterator[int]:
        return iter(np.flatnonzero(self._kind != LEAF).tolist())

    def __len__(self) -> int:
        return int(np.count_nonzero(self._kind != LEAF))


def _move(coded: int) -> SuitMove:
    return SuitMove(*divmod(coded, 16))


def _words(worlds: int) -> int:
    return -(-worlds // 64)


def _compiled_tree(game: SuitGame, most_nodes: int) -> WorldTree:
    rules = kernel_rules(game.suit, lean=game.lean, free=game.entries == FREE)
    table = kernel_table(game.root.table, game.goal or 0)
    try:
        return SuitTree(game, native.suit_tree(rules, table, _words(game.worlds), most_nodes))
    except TimeoutError:
        raise TreeError(f"the game has more than {most_nodes} nodes") from None


# ---------------------------------------------------------------------- the algorithms


@dataclass(frozen=True)
class SuitResult:
    """What an algorithm's line is worth against best defence: how likely it wins, in which worlds, and its first play.

    ``believed`` is the chance that the algorithm itself expects. ``move`` is None if there is none: entries may leave
    no hand to lead from. ``seconds`` are those of the search: the tree, or what the exact solver needs instead, is made
    before. ``complete`` is False if a limit kept an iterated algorithm from all its tries. ``begun`` are the tables
    between which the defenders choose once declarer has played his cards to the first trick; the exact solver has none.
    """

    algorithm: str
    chance: Fraction
    wins: tuple[int, ...]
    move: SuitMove | None
    believed: float
    seconds: float
    complete: bool = True
    begun: Start = field(default=(), repr=False, compare=False)


def suit_algorithms(
    suit: Suit,
    goal: int,
    names: Iterable[str] = ALGORITHMS,
    *,
    entries: tuple[float, float] = FREE,
    seed: int | None = None,
    limit: Limit = NO_LIMIT,
    most_nodes: int = MOST_NODES,
) -> list[SuitResult]:
    """Run algorithms on one combination; ``seed`` breaks ties at random, without it the first of equals is taken.

    The exact chance is the suit solver's, which needs no tree. Monte Carlo looks at every layout, none twice. Iterated
    algorithms guess each layout in which the goal could be reached if the cards were seen (FB01 section 8.2). Each
    algorithm has the whole ``limit``: an iterated one shows the best of its tries by then, and one that has nothing to
    show has no result. If none has, there is a ``LimitReachedError``.

    >>> for result in suit_algorithms(Suit.of("AKQ9", "32"), 4, ["monte-carlo", "exact"]):
    ...     print(result.algorithm, result.move, round(float(result.chance), 4))
    monte-carlo S2 0.0543
    exact S2 0.24
    """
    game = SuitGame(suit, goal, entries)
    tree = cache(lambda: compile_game(_tree_of(game, most_nodes)))  # the exact solver alone needs none
    results: list[SuitResult] = []
    late: LimitReachedError | None = None
    for searcher in [algorithm(name, Ties(seed)) for name in names]:
        try:
            exact = searcher.name == "exact"
            results.append(_exact(game, limit) if exact else _heuristic(game, tree(), searcher, limit))
        except LimitReachedError as error:
            late = error
    if late and not results:
        raise late
    return results


def _heuristic(game: SuitGame, searched: AnyWorldGame, searcher: Searcher, limit: Limit) -> SuitResult:
    found = searcher.search(searched, limit)
    wins = tuple(world for world, payoff in enumerate(found.vector) if payoff)
    leads = game.to_move(game.root) is Side.MAX and found.move is not None
    first = game.moves(game.root)[found.move] if leads else None
    chance, seconds = game.suit.chance(wins), found.stats.seconds
    begun = tuple(_begin(game, searched, found.strategy)) if first else ()
    return SuitResult(searcher.name, chance, wins, first, found.believed, seconds, found.complete, begun)


def _begin(game: SuitGame, tree: AnyWorldGame, strategy: Strategy) -> Iterator[SuitTable]:
    """The tables after a strategy's lead, each of second hand's cards, and the card from third hand, if it has any."""
    lead = strategy[tree.root]
    led, here = game.after(game.root.table, game.moves(game.root)[lead]), tree.play(tree.root, lead)
    for number, second in enumerate(game.options(led)):
        table, place = game.after(led, second), tree.play(here, number)
        if game.side(table) is Side.MAX:
            table = game.after(table, game.options(table)[strategy[place]])
        yield table


def _exact(game: SuitGame, limit: Limit) -> SuitResult:
    start = perf_counter()
    answer = SuitSolver(game.suit, entries=game.entries, limit=limit).goal(game.goal or 0)
    seconds = perf_counter() - start
    wins = tuple(world for world in range(game.worlds) if answer.wins >> world & 1)
    first = next(iter(answer.first_plays), None)
    return SuitResult("exact", answer.chance, wins, first, float(answer.chance), seconds)
