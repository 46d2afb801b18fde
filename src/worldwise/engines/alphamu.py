"""alpha-mu at the bridge table: worlds in, a value for every card out.

``BridgeAlphaMu`` runs the compiled search of ``native/alphamu.cpp`` where it is built, and otherwise the readable one
of ``search/alphamu.py`` over ``DealGame``, with double dummy at its leaves: the same answers, node for node.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from worldwise.core.result import NO_LIMIT, Clock, Limit, Stats
from worldwise.engines.double_dummy import CompiledSolver
from worldwise.engines.pimc import Solvers, choices_of
from worldwise.engines.trees import BUILT, in_use, kernel_limit
from worldwise.errors import InputError, LimitReachedError
from worldwise.games.bridge.deal_game import DealGame
from worldwise.games.bridge.goal import Aim, Goal
from worldwise.search.alphamu import AlphaMu

if BUILT:
    import worldwise._kernels as _kernels

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from worldwise.games.bridge.deal import Card, Deal
    from worldwise.games.bridge.deal_game import DealNode
    from worldwise.games.bridge.view import View

    _ForKernel = tuple[NDArray[np.uint64], int, int, int, tuple[int, int, int], int, int, NDArray[np.int64]]

COUNTED = ("early", "root", "alpha", "worlds", "win", "empty entry")
"""The cuts, in the order the kernel counts them."""

MOST_BITS = 2048
"""The longest outcomes the kernel takes: worlds times tricks, or worlds if only the contract counts."""


@dataclass(frozen=True)
class AlphaMuValues:
    """What alpha-mu found: for each choice of equal cards its ``value``, its front, and PIMC's rosier ``pimc`` value.

    A front's outcomes are what each world is worth under one plan; a value is the average of the best of them.
    """

    algorithm: str
    goal: Goal
    choices: tuple[tuple[Card, ...], ...]
    worlds: tuple[Deal, ...]
    fronts: tuple[tuple[tuple[int, ...], ...], ...] = field(repr=False)
    pimc: tuple[float, ...]
    depth: int
    complete: bool
    cuts: Mapping[str, int]
    stats: Stats = field(compare=False)

    @property
    def averages(self) -> tuple[float, ...]:
        """Each choice's value."""
        return tuple(max(sum(outcome) for outcome in front) / len(self.worlds) for front in self.fronts)

    @property
    def values(self) -> dict[Card, float]:
        """Every card's value."""
        return {card: value for choice, value in zip(self.choices, self.averages, strict=True) for card in choice}

    @property
    def best(self) -> Card:
        """The card to play: of the best choices the one PIMC likes best, and of equals the lowest."""
        ranked = zip(self.averages, self.pimc, self.choices, strict=True)
        return max(ranked, key=lambda entry: (round(entry[0], 9), round(entry[1], 9), -(entry[2][-1] & 15)))[2][-1]


@dataclass(frozen=True)
class BridgeAlphaMu:
    """alpha-mu(M = ``depth``) for declarer; the switches are those of ``AlphaMu``, ``threads`` solve worlds at leaves.

    >>> BridgeAlphaMu(depth=2).name
    'alpha-mu-2'
    """

    depth: int = 2
    aim: Aim = Aim.MAKE
    threads: int = 1
    useful: bool = True
    empty_entry: bool = True
    alpha: bool = True
    world_cuts: bool = True
    win: bool = True

    @property
    def name(self) -> str:
        """With the number of moves ahead."""
        return f"alpha-mu-{self.depth}"

    @property
    def switches(self) -> tuple[bool, bool, bool, bool, bool]:
        """In the paper's order: U, E, alpha, W, Win."""
        return self.useful, self.empty_entry, self.alpha, self.world_cuts, self.win

    def evaluate(
        self,
        view: View,
        worlds: Sequence[Deal],
        limit: Limit = NO_LIMIT,
        *,
        goal: Goal | None = None,
        solvers: Solvers | None = None,
    ) -> AlphaMuValues:
        """Every card's value over these worlds; when the limit runs out, what was found by then."""
        view.expect_turn()
        goal = goal or Goal.seen_by(view, self.aim)
        game = DealGame(view, tuple(worlds), goal)
        kept = solvers or Solvers(view.contract.strain, most=max(160, len(worlds)))
        compiled = in_use() and game.scale.bits <= MOST_BITS
        return (self._compiled if compiled else self._in_python)(game, kept, limit)

    def _in_python(self, game: DealGame, solvers: Solvers, limit: Limit) -> AlphaMuValues:
        face_up = DoubleDummyFaceUp(game, solvers)
        result = AlphaMu(self.depth, *self.switches).search(game, limit, face_up)
        found = {}
        for move, front in result.fronts.items():
            seen = face_up.code(game.play(game.root, move), game.root.open)
            found[move] = [_ints(vector) for vector in front], _ints(game.scale.vector(seen))
        return self._values(game, found, result.depth, result.complete, dict(result.cuts), result.stats)

    def _compiled(self, game: DealGame, solvers: Solvers, limit: Limit) -> AlphaMuValues:
        clock = Clock(limit)
        kernels = [_kernel_of(solvers(deal, game.gone)) for deal in game.deals]
        deepest = min(self.depth, limit.depth or self.depth)
        try:
            moves, words, reached, whole, counts = _kernels.alpha_mu(
                *_for_kernel(game), self.switches, kernels, deepest, self.threads, *kernel_limit(limit)
            )
        except TimeoutError:
            raise LimitReachedError(self.name, limit) from None
        payoffs = game.scale.vector
        found = {
            card: ([_ints(payoffs(code)) for code in _codes(front, words)], _ints(payoffs(_codes(pimc, words)[0])))
            for card, front, pimc in moves
        }
        cuts = {name: count for name, count in zip(COUNTED, counts[3:], strict=True) if count}
        stats = Stats(counts[0], counts[1], sum(counts[3:]), clock.seconds)
        return self._values(game, found, reached, whole, cuts, stats)

    def _values(
        self,
        game: DealGame,
        found: Mapping[Card, Any],
        depth: int,
        complete: bool,
        cuts: Mapping[str, int],
        stats: Stats,
    ) -> AlphaMuValues:
        choices = choices_of(game.view, game.deals[0])
        fronts = tuple(tuple(sorted(found[choice[0]][0], reverse=True)) for choice in choices)
        pimc = tuple(sum(found[choice[0]][1]) / game.worlds for choice in choices)
        return AlphaMuValues(self.name, game.goal, choices, game.deals, fronts, pimc, depth, complete, cuts, stats)


class DoubleDummyFaceUp:
    """Double dummy at the leaves of the readable search."""

    def __init__(self, game: DealGame, solvers: Solvers) -> None:
        self.game = game
        self.solvers = [solvers(deal, game.gone) for deal in game.deals]

    def open(self, position: DealNode) -> frozenset[int]:
        """The worlds in which the position can arise."""
        return position.open

    def code(self, position: DealNode, worlds: frozenset[int]) -> int:
        """What each of these worlds is worth double dummy."""
        return self.game.scale.code(
            self._worth(position, world) if world in worlds else None for world in range(self.game.worlds)
        )

    def _worth(self, position: DealNode, world: int) -> int:
        steps, declarer = self.game.steps, self.game.view.contract.declarer
        solver, seen = self.solvers[world], self.game.in_world(position, world)
        if self.game.goal.aim is not Aim.MAKE:
            return steps[position.taken + solver.tricks(seen, declarer)]
        if 1 not in steps:
            return 0
        return int(solver.can_take(seen, steps.index(1) - position.taken, declarer))


def _for_kernel(game: DealGame) -> _ForKernel:
    """A game as the kernel takes it: hands, trumps, the trick on the table, and what the tricks to come are worth."""
    start, declarer = game.starts[0], game.view.contract.declarer
    make = game.goal.aim is Aim.MAKE
    steps = (0, 1) if make else game.steps
    one, two, three, *_ = (*start.trick, 0, 0, 0)
    return (
        np.array([position.hands for position in game.starts], dtype=np.uint64),
        int(start.trumps),
        int(start.leader),
        declarer & 1,
        (one, two, three),
        len(start.trick),
        game.view.contract.tricks - start.won[declarer & 1] if make else 1,
        np.array([high - low for low, high in pairwise(steps)], dtype=np.int64),
    )


def _kernel_of(solver: Any) -> Any:
    """The compiled part of a solver."""
    if not isinstance(solver, CompiledSolver):
        raise InputError("expected compiled double-dummy solvers")
    return solver.kernel


def _ints(vector: Any) -> tuple[int, ...]:
    return tuple(map(int, vector))


def _codes(content: bytes, words: int) -> list[int]:
    """The outcomes as whole numbers."""
    size = 8 * words
    return [int.from_bytes(content[place : place + size], "little") for place in range(0, len(content), size)]
