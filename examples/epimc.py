"""EPIMC as a declarer of your own: PIMC that lays all cards open some moves later (Arjonilla and others, 2024).

The moves before are a game of their own, and EPIMC solves it for an equilibrium. Declarer's layouts differ in the
defenders' hands alone, so each defender knows the layout from his own cards. One thing is then left that tells EPIMC
from alpha-mu: declarer may toss coins which the defenders do not see. The equilibrium is a linear programme (SciPy).

Run it: ``python examples/epimc.py``, or on a paper's deals:
``worldwise lab run clv21/table-4 --algorithm examples/epimc.py:Epimc --deals 100``
"""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import itemgetter
from random import Random
from typing import TYPE_CHECKING, ClassVar

from worldwise.bridge import Aim, BridgeAlphaMu, Goal, Layouts
from worldwise.bridge.layouts.carding import Carding, carding_weights
from worldwise.bridge.layouts.drawing import draw_worlds
from worldwise.bridge.players.searchers import AlphaMuPlayer
from worldwise.bridge.solvers.alphamu import DoubleDummyFaceUp
from worldwise.bridge.solvers.deal_game import DealGame
from worldwise.bridge.solvers.pimc import SolverCache
from worldwise.catalog import problems
from worldwise.core.game import Side
from worldwise.extras import import_extra
from worldwise.search.alphamu_root import Root

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from worldwise.bridge.rules.deal import Card, Deal
    from worldwise.bridge.rules.view import View
    from worldwise.bridge.solvers.deal_game import DealNode
    from worldwise.catalog import Problem

Row = dict[int, float]
"""A condition: unknowns, and how often each counts."""

TOLERANCE = 1e-7
"""Chances that differ by less are equal."""


@dataclass(frozen=True)
class Epimc(AlphaMuPlayer):
    """Plays the card of the best equilibrium, all cards face up after ``depth`` of declarer's."""

    carding: Carding = Carding.NONE

    name: ClassVar[str] = "EPIMC"

    def best(
        self,
        view: View,
        worlds: Sequence[Deal],
        goal: Goal,
        solvers: SolverCache,
        heard: Sequence[int] | None = None,
    ) -> Card:
        """The card that is best over these worlds; as declarer it leaves the auction alone."""
        if view.seat != view.contract.declarer:
            return super().best(view, worlds, goal, solvers, heard)
        game = DealGame(view, tuple(worlds), goal, tuple(carding_weights(view, worlds, self.carding)))
        return equilibrium_card(game, solvers, self.depth)


def equilibrium_card(game: DealGame, solvers: SolverCache, depth: int) -> Card:
    """The card whose equilibrium is best; of equals the one that PIMC likes better, then the lowest.

    A card's equilibrium lies between what one plan has and what PIMC hopes for, so few have to be solved.
    """
    search = BridgeAlphaMu(depth, root=Root.COMPARE)
    pure = search.evaluate(game.view, game.deals, weights=game.weights, goal=game.goal, solvers=solvers)
    sure = max(found.value for found in pure.found)
    ranked = []
    for choice, found, hoped in zip(pure.choices, pure.found, pure.pimc, strict=True):
        open_to_doubt = hoped > max(found.value, sure) + TOLERANCE
        value = equilibrium_value(game, solvers, choice[0], depth) if open_to_doubt else found.value
        ranked.append(((round(value, 7), hoped, -(choice[-1] & 15)), choice[-1]))
    return max(ranked, key=itemgetter(0))[1]


def equilibrium_value(game: DealGame, solvers: SolverCache, card: Card, depth: int, *, pure: bool = False) -> float:
    """What a card is worth if declarer may toss coins after it; ``pure`` is without, as alpha-mu has it."""
    programme = Programme(game, DoubleDummyFaceUp(game, solvers))
    return programme.solve(game.play(game.root, card), depth - 1, pure=pure)


@dataclass
class Programme:
    """How much weight declarer puts on each of his plays, and in every world how much of it gets through."""

    game: DealGame
    face_up: DoubleDummyFaceUp
    shares: list[bool] = field(default_factory=list)
    """For each unknown, whether it is the weight of one of declarer's plays."""
    sums: list[Row] = field(default_factory=list)
    """What comes to nothing."""
    most: list[Row] = field(default_factory=list)
    """What comes to nothing or less."""

    def solve(self, position: DealNode, depth: int, *, pure: bool) -> float:
        """What gets through on average, all the weight being on this position."""
        whole = self.unknown(share=True)
        through = self.visit(position, depth, whole)
        if not through:
            return 0.0
        gains = [0.0] * len(self.shares)
        for world, unknown in through.items():
            gains[unknown] += self.game.weights[world] / sum(self.game.weights)
        return -self.least([-gain for gain in gains], whole, pure=pure)

    def least(self, costs: Sequence[float], whole: int, *, pure: bool) -> float:
        """The least cost; the unknown ``whole`` is 1, and if ``pure`` every weight is 0 or 1."""
        optimize = import_extra("scipy.optimize", "mixed")
        floor = [float(unknown == whole) for unknown in range(len(costs))]
        rows = [optimize.LinearConstraint(self.matrix(some), low, 0) for some, low in self.conditions() if some]
        return float(
            optimize.milp(
                costs,
                integrality=[int(pure and share) for share in self.shares],
                bounds=optimize.Bounds(floor, [1.0] * len(costs)),
                constraints=rows,
            ).fun
        )

    def conditions(self) -> list[tuple[list[Row], float]]:
        """All of them, each kind with the least that it may come to."""
        return [(self.sums, 0.0), (self.most, float("-inf"))]

    def matrix(self, rows: Sequence[Row]) -> Any:
        """Conditions as a matrix."""
        cells = [(row, column, value) for row, cells in enumerate(rows) for column, value in cells.items()]
        at_row, at_column, values = zip(*cells, strict=True)
        return import_extra("scipy.sparse", "mixed").csr_array(
            (values, (at_row, at_column)), shape=(len(rows), len(self.shares))
        )

    def unknown(self, *, share: bool = False) -> int:
        """One more."""
        self.shares.append(share)
        return len(self.shares) - 1

    def visit(self, position: DealNode, depth: int, weight: int) -> dict[int, int]:
        """For every world that can still be won, the unknown that says how much gets through."""
        side = self.game.to_move(position)
        if side is None or depth == 0:
            worth = self.game.scale.vector(self.face_up.code(position, position.open))
            return {world: weight for world in position.open if worth[world]}
        return self.at_max(position, depth, weight) if side is Side.MAX else self.at_min(position, depth, weight)

    def at_max(self, position: DealNode, depth: int, weight: int) -> dict[int, int]:
        """The weight is shared among the cards; what gets through is the sum."""
        shared: Row = {weight: -1.0}
        added: dict[int, Row] = {}
        for move in self.game.moves(position):
            share = self.unknown(share=True)
            shared[share] = 1.0
            for world, unknown in self.visit(self.game.play(position, move), depth - 1, share).items():
                added.setdefault(world, {})[unknown] = -1.0
        self.sums.append(shared)
        return {world: self.at_most([row]) for world, row in added.items()}

    def at_min(self, position: DealNode, depth: int, weight: int) -> dict[int, int]:
        """In every world no more gets through than after any card that the defender has there."""
        bounds: dict[int, list[Row]] = {world: [] for world in position.open}
        for move in self.game.moves(position):
            after = self.game.play(position, move)
            allowed = self.visit(after, depth, weight)
            for world in after.open & bounds.keys():
                if world in allowed:
                    bounds[world].append({allowed[world]: -1.0})
                else:
                    del bounds[world]
        return {world: self.at_most(rows) for world, rows in bounds.items()}

    def at_most(self, bounds: Sequence[Row]) -> int:
        """An unknown that is no more than any of these."""
        unknown = self.unknown()
        self.most += [{unknown: 1.0, **bound} for bound in bounds]
        return unknown


def main() -> None:
    """How many of the catalog's problems with five cards a hand or fewer EPIMC gets right."""
    small = [problem for problem in problems() if problem.view.cards_left <= 5]
    for depth in (1, 2, 3):
        right = sum(is_right(problem, depth) for problem in small)
        print(f"{depth} of declarer's cards ahead: EPIMC is right in {right} of {len(small)} problems")


def is_right(problem: Problem, depth: int) -> bool:
    """Whether EPIMC finds the right card, over the layouts that advice looks at."""
    view = problem.view
    drawn = draw_worlds(Layouts(view, problem.constraints), 40, Random(0))
    game = DealGame(view, drawn.worlds, Goal.seen_by(view, Aim.MAKE), tuple(drawn.weights))
    return equilibrium_card(game, SolverCache(view.contract.strain, len(drawn.worlds)), depth) in problem.right


if __name__ == "__main__":
    main()
