"""What alpha-mu's cards are worth, straight from the definition and as plainly as possible, to hold its search against.

A position's front is MAX's union over all his legal cards, and MIN's pairwise intersection over all cards that are
legal in some world. After so many cards of MAX every world that is still open counts double dummy, and a world in which
the position cannot arise counts as won. Nothing is left out: no touching cards, no claims, no cuts and no bounds.
"""

from fractions import Fraction

from worldwise.bridge.rules.deal import cards_in
from worldwise.bridge.rules.goal import Aim
from worldwise.bridge.solvers.double_dummy import double_dummy

TO_THE_END = 99
"""More cards of MAX than there are."""


class TooMuchError(Exception):
    """A front takes more steps than were allowed."""


class PlainAlphaMu:
    """The fronts of every card declarer may play, over some layouts.

    A front is a set of whole numbers with a lane of bits for each world: one bit for the contract, otherwise one for
    each trick. ``steps`` is how many cards are played, world by world, before it gives up.
    """

    def __init__(self, view, layouts, goal, weights=None, steps=None):
        self.goal, self.steps = goal, steps
        self.side, self.declarer = view.contract.declarer & 1, view.contract.declarer
        self.starts = tuple(enumerate(map(view.position, layouts)))
        self.weights = weights or (1,) * len(layouts)
        self.solvers = [double_dummy(start.dealt, view.contract.strain) for _, start in self.starts]
        first = self.starts[0][1]
        self.won, self.most = first.won[self.side], first.tricks_left
        self.lane = 1 if goal.aim is Aim.MAKE else self.most
        self.cards = tuple(cards_in(first.legal))
        self.known = {}

    def front(self, card, moves):
        """What a card offers so many cards of MAX ahead, itself the first."""
        return self._front(self._play(self.starts, card), moves - 1)

    def value(self, card, moves):
        """The best average of what a card offers."""
        return max(map(self.average, self.front(card, moves)))

    def average(self, code):
        """The average payoff of an outcome."""
        paid = zip(self.weights, self.payoffs(code), strict=True)
        return Fraction(sum(weight * payoff for weight, payoff in paid), sum(self.weights))

    def payoffs(self, code):
        """What an outcome pays in each world."""
        filled = [(code >> self.lane * world & (1 << self.lane) - 1).bit_count() for world, _ in self.starts]
        if self.goal.aim is Aim.MAKE:
            return tuple(filled)
        return tuple(self.goal.payoff(self.won + tricks) for tricks in filled)

    def face_up(self):
        """What each world pays with all cards seen."""
        return self.payoffs(self._face_up(self.starts))

    # ------------------------------------------------------------------ the definition

    def _front(self, worlds, moves):
        position = worlds[0][1]
        if moves == 0 or position.over:
            return [self._face_up(worlds)]
        # The worlds that are open and the cards that one of them has left say which cards are gone.
        key = tuple(world for world, _ in worlds), position, moves
        if key not in self.known:
            own = position.to_move & 1 == self.side
            self.known[key] = self._best(worlds, moves - 1) if own else self._worst(worlds, moves)
        return self.known[key]

    def _best(self, worlds, moves):
        """MAX's union."""
        return _undominated(
            code for card in cards_in(worlds[0][1].legal) for code in self._front(self._play(worlds, card), moves)
        )

    def _worst(self, worlds, moves):
        """MIN's intersection."""
        legal = 0
        for _, position in worlds:
            legal |= position.legal
        front = [(1 << self.lane * len(self.starts)) - 1]
        for card in cards_in(legal):
            able = [(world, position) for world, position in worlds if position.legal >> card & 1]
            offered = self._front(self._play(able, card), moves)
            front = _undominated(one & other for one in front for other in offered)
        return front

    def _face_up(self, worlds):
        code = (1 << self.lane * len(self.starts)) - 1
        for world, position in worlds:
            lost = self.lane - self._filled(world, position)
            code &= ~(((1 << lost) - 1) << self.lane * (world + 1) - lost)
        return code

    def _filled(self, world, position):
        """How many bits of a world's lane are won with all cards seen."""
        taken = position.won[self.side]
        if self.goal.aim is not Aim.MAKE:
            return taken - self.won + (0 if position.over else self.solvers[world].tricks(position, self.declarer))
        needed = self.goal.contract.tricks - taken
        return int(needed <= 0 or (not position.over and self.solvers[world].can_take(position, needed, self.declarer)))

    def _play(self, worlds, card):
        if self.steps is not None:
            self.steps -= len(worlds)
            if self.steps < 0:
                raise TooMuchError
        return [(world, position.play(card)) for world, position in worlds]


def _undominated(codes):
    """Those that are within no other."""
    kept = []
    for code in sorted(set(codes), key=int.bit_count, reverse=True):
        if not any(code & other == code for other in kept):
            kept.append(code)
    return kept
