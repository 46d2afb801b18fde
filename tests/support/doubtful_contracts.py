"""Decisions of declarer's in contracts that are in doubt, for tests of alpha-mu at the bridge table."""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from random import Random

from plain_alphamu import PlainAlphaMu
from worldwise.bridge.layouts.sampler import Layouts
from worldwise.bridge.rules.contract import Contract, Strain
from worldwise.bridge.rules.deal import SEATS, Deal, cards_in
from worldwise.bridge.rules.goal import Aim, Goal
from worldwise.bridge.rules.play import Play
from worldwise.bridge.rules.view import View, view_of
from worldwise.bridge.solvers.alphamu import BridgeAlphaMu
from worldwise.bridge.solvers.double_dummy import double_dummy
from worldwise.bridge.solvers.pimc import SolverCache
from worldwise.core.result import NO_LIMIT

SWITCHES = list(product([True, False], repeat=5))
ALL_ON, NONE_ON = SWITCHES[0], SWITCHES[-1]


@dataclass(frozen=True)
class Situation:
    """A decision of declarer's, and everything it depends on."""

    view: View
    layouts: list[Deal]
    goal: Goal
    weights: list[int] | None
    depth: int

    def plainly(self, steps):
        """The definition, at this cost at most."""
        return PlainAlphaMu(self.view, self.layouts, self.goal, self.weights, steps)

    @cached_property
    def solvers(self):
        """What all searches share."""
        return SolverCache(self.view.contract.strain)

    def how(self, root, switches=ALL_ON, *, score=True):
        """alpha-mu of this depth and aim."""
        return BridgeAlphaMu(self.depth, self.goal.aim, 1, *switches, score, root)

    def searched(self, root, switches=ALL_ON, limit=NO_LIMIT, *, score=True):
        """What alpha-mu finds."""
        how = self.how(root, switches, score=score)
        return how.evaluate(self.view, self.layouts, limit, weights=self.weights, goal=self.goal, solvers=self.solvers)


def played_down(rng, size):
    """A deal played at random to a decision of declarer's with so many cards a hand, the trick on the table included.

    In half of them some suits are played before the others, so that few are left: suits block, and cards touch.
    """
    while True:
        play = Play(Deal.random(rng), Contract(1, rng.choice(list(Strain)), rng.choice(SEATS)))
        turns, few = rng.choice([1, 2]), rng.random() < 0.5
        first = rng.sample(range(4), 4)
        while turns and not play.position.over:
            legal = rng.sample(list(cards_in(play.position.legal)), play.position.legal.bit_count())
            play = play.then(min(legal, key=lambda card: first[card >> 4]) if few else legal[0])
            turns -= play.turn == play.contract.declarer and play.position.tricks_left == size
        if turns == 0:
            return view_of(play, play.contract.declarer)


def in_doubt(rng, size, worlds, aim):
    """A view and layouts; the contract needs what can be had in some of the layouts, but seldom in all of them."""
    while True:
        view = played_down(rng, size)
        layouts = Layouts(view).sample_different(rng, worlds)
        starts = list(map(view.position, layouts))
        tricks = [double_dummy(start.dealt, start.trumps).tricks(start, view.seat) for start in starts]
        needed = rng.choice(tricks)
        level = starts[0].won[view.seat & 1] + needed - 6
        if 1 <= level <= 7 and (min(tricks) < needed or rng.random() < 0.1):
            contract = replace(view.contract, level=level)
            return replace(view, contract=contract), layouts, Goal(aim, contract, view.seat)


def situation(number):
    """Every number is another one."""
    rng = Random(number)
    size, aim = rng.randint(3, 10), rng.choice([Aim.MAKE, Aim.MAKE, Aim.TRICKS, Aim.SCORE])
    view, layouts, goal = in_doubt(rng, size, rng.randint(5, 40 if aim is Aim.MAKE else 20), aim)
    weights = [rng.randint(0, 5) for _ in layouts] if rng.random() < 0.4 else None
    if weights is not None and not any(weights):
        weights = None
    return Situation(view, layouts, goal, weights, rng.choice([1, 2, 3, 3, 4, 4]))


def contested(seed, depth=4):
    """One that takes a search of hundreds or thousands of nodes: many cards, and deep; half of them with weights."""
    rng = Random(seed)
    aim, worlds = rng.choice([(Aim.MAKE, 20), (Aim.MAKE, 20), (Aim.TRICKS, 12)])
    view, layouts, goal = in_doubt(rng, rng.randint(7, 9), worlds, aim)
    weights = [rng.randint(1, 5) for _ in layouts] if seed % 2 else None
    return Situation(view, layouts, goal, weights, depth)
