"""Where a strategy goes wrong: the node, the move, and the worlds that it costs.

A strategy's choices are gone through in the order of the tree. As long as some way to go on is still the best there is,
nothing is wrong. The *blunder* is the first choice after which none is, all choices before it being as they are. The
order matters: where a good move in one place depends on what is done in another, the second of two is to blame.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isclose
from typing import TYPE_CHECKING

import numpy as np

from worldwise.core.game import Side
from worldwise.core.result import Clock
from worldwise.search.exact import Exact
from worldwise.trees.compiled import compile_game
from worldwise.trees.preorder import LEAF, MAX
from worldwise.trees.world_tree import WorldTree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from worldwise.core.result import Limit, SearchResult, Strategy
    from worldwise.core.vector import Vector

LARGEST = 50_000
"""Nodes of a tree in which blunders are looked for."""


@dataclass(frozen=True)
class GivenUp:
    """Worlds that perfect information would win below a node, and that the strategy's move there gives up."""

    node: int
    move: int
    worlds: tuple[int, ...]


@dataclass(frozen=True)
class Blunder:
    """The first choice that cannot be made good: ``better`` is a move that could have been.

    ``lost`` are the worlds in which the best way to go on with ``better`` gets more than the strategy does, ``gained``
    those in which it gets less. ``given_up`` says where below ``move`` the strategy gives up worlds that one who saw
    the world would win: a search that fuses strategies has counted on them.
    """

    node: int
    move: int
    better: int
    lost: tuple[int, ...]
    gained: tuple[int, ...] = ()
    given_up: GivenUp | None = None


def find_blunder(
    tree: WorldTree, result: SearchResult, optimum: float, known: frozenset[int] | None, limit: Limit
) -> Blunder | None:
    """The blunder of a strategy that is worth less than the optimum; None in a tree that is too large.

    >>> from worldwise import Limit, solve
    >>> from worldwise.catalog import tree
    >>> fig = tree("fb01/fig-10")
    >>> find_blunder(fig, solve(fig, "monte-carlo"), 0.8, None, Limit(seconds=10))
    Blunder(node=0, move=0, better=1, lost=(3,), gained=(), given_up=GivenUp(node=2, move=0, worlds=(3, 4)))
    """
    if len(tree) > LARGEST:
        return None
    search, clock = Exact(known=known), Clock(limit, "the search for the blunder")
    choices = list(_choices(tree, result.strategy))
    good, bad = 0, len(choices)  # with so many choices made, the optimum can still be had; it cannot
    while bad - good > 1:
        middle = (good + bad) // 2
        found = search.search(compile_game(_Pruned.of(tree, choices[:middle]).tree), clock.rest)
        good, bad = (middle, bad) if isclose(found.value, optimum) else (good, middle)
    pruned = _Pruned.of(tree, choices[:good])
    best = search.search(compile_game(pruned.tree), clock.rest)
    node, move = choices[good]
    better = int(best.strategy[int(np.searchsorted(pruned.nodes, node))])
    lost, gained = _more(best.vector, result.vector), _more(result.vector, best.vector)
    return Blunder(node, move, better, lost, gained, _given_up(tree, choices[good:], result.vector))


def _choices(tree: WorldTree, strategy: Strategy) -> Iterator[tuple[int, int]]:
    """MAX's nodes that the strategy comes to, in the order of the tree, each with its move."""
    ahead = [0]
    while ahead:
        node = ahead.pop()
        side = tree.to_move(node)
        if side is Side.MAX:
            yield node, int(strategy[node])
            ahead.append(tree.play(node, strategy[node]))
        elif side is Side.MIN:
            ahead.extend(tree.play(node, move) for move in reversed(tree.moves(node)))


def _more(one: Vector, other: Vector) -> tuple[int, ...]:
    """The worlds in which the one has more."""
    pairs = enumerate(zip(one, other, strict=True))
    return tuple(world for world, (mine, theirs) in pairs if mine is not None and theirs is not None and mine > theirs)


@dataclass(frozen=True)
class _Pruned:
    """A tree without the branches that MAX has decided against; ``nodes`` are the numbers its nodes had before."""

    tree: WorldTree
    nodes: NDArray[np.int64]

    @classmethod
    def of(cls, tree: WorldTree, choices: Iterable[tuple[int, int]]) -> _Pruned:
        kept = np.ones(len(tree), dtype=np.bool_)
        for node, chosen in choices:
            for child in (tree.play(node, move) for move in tree.moves(node) if move != chosen):
                kept[child : tree.end[child]] = False
        number = np.concatenate([[0], np.cumsum(kept)]).astype(np.int32)
        payoffs = tree.payoffs_by_leaf[kept[tree.kind == LEAF]]
        return cls(WorldTree(tree.kind[kept], number[tree.end[kept]], payoffs, tree.weights), np.flatnonzero(kept))


# ---------------------------------------------------------------------- what was counted on


def _given_up(tree: WorldTree, choices: Sequence[tuple[int, int]], got: Vector) -> GivenUp | None:
    """Below the first of these choices, the first at which something is given up that had been counted on."""
    (first, taken), *later = choices
    seen = _perfect_information(tree)
    branch = tree.play(first, taken)
    hoped = [world for world, payoff in enumerate(got) if payoff is not None and seen[branch, world] > payoff]
    for node, move in later:
        if branch <= node < tree.end[branch]:
            child = tree.play(node, move)
            worlds = tuple(world for world in hoped if seen[child, world] < seen[node, world])
            if worlds:
                return GivenUp(node, move, worlds)
    return None


def _perfect_information(tree: WorldTree) -> NDArray[np.float64]:
    """What every node is worth in every world to players who see the world; NaN where it cannot be reached."""
    values = np.full((len(tree), tree.worlds), np.nan)
    values[tree.kind == LEAF] = tree.payoffs_by_leaf
    for node in range(len(tree) - 1, 0, -1):  # children come after their parents
        above = tree.parent[node]
        join = np.fmax if tree.kind[above] == MAX else np.fmin
        values[above] = join(values[above], values[node])
    return values
