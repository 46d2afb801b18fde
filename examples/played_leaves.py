"""alpha-mu whose leaves are played out instead of laid open: what a declarer makes of a line, not what could be had.

At the horizon alpha-mu takes every card as seen, which is too good to be true. Here each layout is played on to the end
instead, by a declarer who samples a few layouts at every card and asks PIMC, or alpha-mu, against defenders who see
everything. That is never more than the face-up value. It is no bound of a deeper search either, so none of alpha-mu's
cuts is sound, and every card is searched without them.

Run it: ``python examples/played_leaves.py``, or with more cards a hand and further ahead
``python examples/played_leaves.py 8 2``
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import reduce
from operator import and_, itemgetter, or_
from random import Random
from typing import TYPE_CHECKING

from worldwise.bridge import Aim, BridgeAlphaMu, Goal, Layouts, Pimc, Play
from worldwise.bridge.advice.play_out import SeeingDefence
from worldwise.bridge.layouts.drawing import draw_worlds
from worldwise.bridge.layouts.evidence import Evidence
from worldwise.bridge.solvers.deal_game import DealGame
from worldwise.bridge.solvers.pimc import SolverCache
from worldwise.catalog import problems
from worldwise.core import Front
from worldwise.core.game import Side
from worldwise.search.alphamu_root import Root

if TYPE_CHECKING:
    from worldwise.bridge.rules.deal import Card
    from worldwise.bridge.solvers.deal_game import DealNode
    from worldwise.catalog import Problem

LAYOUTS, SAMPLED = 20, 10
"""How many layouts a card is judged by, and how many declarer samples at every card while a layout is played on."""


@dataclass(frozen=True)
class PlayedLeaves:
    """Looks so many of declarer's cards ahead in ``game``, and plays on from there at ``table``."""

    game: DealGame
    table: SeeingDefence

    def value(self, card: Card, depth: int) -> float:
        """What a card is worth on average."""
        front = self.front(self.game.play(self.game.root, card), depth - 1)
        return max(map(self.game.scale.score, front)) / self.game.scale.score(self.game.scale.top)

    def front(self, position: DealNode, depth: int) -> Front[int]:
        """MAX's union, MIN's intersection, and at the leaves one outcome."""
        side = self.game.to_move(position)
        if side is None or depth == 0:
            return Front([self.game.code(position) if side is None else self.played_on(position)])
        rest = depth - (side is Side.MAX)
        below = (self.front(self.game.play(position, move), rest) for move in self.game.moves(position))
        return reduce(or_ if side is Side.MAX else and_, below)

    def played_on(self, position: DealNode) -> int:
        """The layouts in which declarer makes his contract from here."""
        view = self.game.view
        cards = (*view.played, *position.history)
        plays = {world: Play(self.game.deals[world], view.contract, cards) for world in position.open}
        made = {world: int(self.table.play_to_the_end(play)) for world, play in plays.items()}
        return self.game.scale.code(made.get(world) for world in range(self.game.worlds))


def played_card(problem: Problem, depth: int, later: Pimc | BridgeAlphaMu, seed: int = 0) -> Card:
    """The card that is worth the most when it is played on; of equals the one alpha-mu likes better, then PIMC's.

    Nobody can do better than alpha-mu says, so the cards that it likes best are tried first, and few have to be.
    ``later`` is asked while a layout is played on.
    """
    view = problem.view
    drawn = draw_worlds(Layouts(view, problem.constraints), LAYOUTS, Random(seed))
    game = DealGame(view, drawn.worlds, Goal.seen_by(view, Aim.MAKE), tuple(drawn.weights))
    solvers = SolverCache(view.contract.strain, 3 * SAMPLED + 2 * len(drawn.worlds))
    table = SeeingDefence(solvers, seed, Evidence(problem.constraints), None, later, SAMPLED)
    search = BridgeAlphaMu(depth, root=Root.COMPARE)
    seen = search.evaluate(view, drawn.worlds, weights=drawn.weights, goal=game.goal, solvers=solvers)
    tried = zip(seen.choices, (found.value for found in seen.found), seen.pimc, strict=True)
    best, card = -1.0, seen.best
    for choice, most, _ in sorted(tried, key=itemgetter(1, 2), reverse=True):
        if most > best:
            value = PlayedLeaves(game, table).value(choice[0], depth)
            best, card = max((best, card), (value, choice[-1]), key=itemgetter(0))
    return card


def main(cards: int = 5, depth: int = 1) -> None:
    """How many of the catalog's problems with so many cards a hand or fewer are right when leaves are played out."""
    small = [problem for problem in problems() if problem.view.cards_left <= cards]
    for later in (Pimc(), BridgeAlphaMu(2)):
        right = sum(played_card(problem, depth, later) in problem.right for problem in small)
        print(f"M = {depth}, then played out by {later.name}: right in {right} of {len(small)} problems")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
