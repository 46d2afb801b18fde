"""Single-observer information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012): the field's baseline.

Every simulation draws a world and plays in it. There is one tree for all of them: a node is what the *observer* has
seen, so that he makes one choice for all worlds that look alike to him. A move that a world does not have is not chosen
in it, so moves are compared by how often they were chosen out of the times they were there (the subset-armed bandit).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, log, sqrt
from typing import TYPE_CHECKING, Any

from worldwise.core.game import CHANCE
from worldwise.core.result import Clock, Limit
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Hashable
    from random import Random

    from worldwise.core.belief import Belief
    from worldwise.core.game import AnyGame


@dataclass(slots=True)
class _Arm:
    """A move at a node: how often it was there, how often it was chosen, and what its mover got from it in all."""

    present: int = 0
    chosen: int = 0
    total: float = 0.0

    def bound(self, width: float) -> float:
        """UCB1 over the times that the move was there; ``width`` is how much one choice may be off."""
        if not self.chosen:
            return inf
        return self.total / self.chosen + width * sqrt(log(self.present) / self.chosen)


_Node = dict[Any, _Arm]


@dataclass(frozen=True)
class Ismcts:
    """The search; ``exploration`` is in units of the spread of the payoffs seen so far.

    >>> from random import Random
    >>> from worldwise.core import AllHistories
    >>> from worldwise.phantom import Phantom
    >>> game = Phantom(3, 1, 2)
    >>> belief = AllHistories.start(game, "x")
    >>> Ismcts(simulations=200).search(game, "x", belief, Random(1))[0]
    1
    """

    simulations: int = 1000
    exploration: float = 0.7
    name = "is-mcts"

    def __post_init__(self) -> None:
        if not isinstance(self.simulations, int) or self.simulations < 1:
            raise InputError(f"expected at least one simulation, found {self.simulations!r}")

    def search(
        self, game: AnyGame, player: Hashable, belief: Belief[Any], rng: Random, limit: Limit | None = None
    ) -> tuple[Any, dict[Any, int]]:
        """The move chosen most often, and how often each was."""
        tree, clock = _Tree(game, player, self.exploration, rng), Clock(limit or Limit())
        for done in range(self.simulations):
            if done and clock.ran_out(done):
                break
            tree.simulate(belief.sample(rng))
        visits = {move: arm.chosen for move, arm in tree.root.items()}
        return max(visits, key=lambda move: visits[move]), visits


@dataclass
class _Tree:
    game: AnyGame
    observer: Hashable
    exploration: float
    rng: Random
    nodes: dict[Hashable, _Node] = field(default_factory=dict)
    root: _Node = field(default_factory=dict)
    lowest: float = inf
    highest: float = -inf

    def simulate(self, position: Any) -> None:
        """Down the tree, one new node, at random to the end, and the payoffs back up."""
        path: list[tuple[Hashable, _Arm]] = []
        node, is_new = self.root, False
        while (mover := self.game.to_move(position)) is not None:
            moves = self.game.moves(position)
            if mover == CHANCE or is_new:
                position = self.game.play(position, self._draw(position, mover, moves))
                continue
            move, arm = self._select(node, moves)
            path.append((mover, arm))
            position = self.game.play(position, move)
            node, is_new = self._node(position)
        payoffs: dict[Hashable, float] = {}
        for mover, arm in path:
            if mover not in payoffs:
                payoffs[mover] = self.game.payoff(position, mover)
            arm.chosen += 1
            arm.total += payoffs[mover]
        self.lowest, self.highest = min(self.lowest, *payoffs.values()), max(self.highest, *payoffs.values())

    def _node(self, position: Any) -> tuple[_Node, bool]:
        key = self.game.to_move(position), self.game.observe(position, self.observer)
        is_new = key not in self.nodes
        return self.nodes.setdefault(key, {}), is_new

    def _select(self, node: _Node, moves: Any) -> tuple[Any, _Arm]:
        arms = [(move, node.setdefault(move, _Arm())) for move in moves]
        for _, arm in arms:
            arm.present += 1
        width = self.exploration * max(self.highest - self.lowest, 0)
        bounds = [arm.bound(width) for _, arm in arms]
        best = max(bounds)
        return self.rng.choice([one for one, bound in zip(arms, bounds, strict=True) if bound == best])

    def _draw(self, position: Any, mover: Hashable, moves: Any) -> Any:
        if mover != CHANCE:
            return self.rng.choice(moves)
        return self.rng.choices(moves, [float(share) for share in self.game.chances(position)])[0]  # type: ignore[attr-defined]
