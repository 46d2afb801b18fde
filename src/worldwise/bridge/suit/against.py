"""What lines of play win against defenders who err, and what a line that is made for them would win.

The defenders are those of ``defenders``. A line is played out in every layout, card by card. A line *made for them* is
the best of all that know how these defenders play: since a card of theirs depends on nothing but what they see,
declarer has only to weigh the layouts that are left after what has been played. He plays no tricks on them himself: of
cards that touch he plays the lowest, and never a higher card than he needs.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from worldwise.bridge.suit.defenders import DEFENCES, DefenceName, Defenders, Honest, Seen, SingleDummy, card_bits
from worldwise.bridge.suit.open_cards import OpenSuit
from worldwise.bridge.suit.rules import EAST, FREE, WEST, SuitMove
from worldwise.core.game import Side
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldwise.bridge.suit.rules import SuitTable
    from worldwise.bridge.suit.solver import GoalAnswer, SuitLine, SuitSolver


@dataclass(frozen=True)
class WonAgainst:
    """What a line wins against some defence: the weight of all layouts in which it takes 0, 1, 2 ... tricks."""

    line: SuitLine
    defence: DefenceName
    weights: tuple[int, ...]

    @property
    def at_least(self) -> dict[int, Fraction]:
        """How likely it wins at least so many tricks, for every number of them."""
        total = sum(self.weights)
        return {tricks: Fraction(sum(self.weights[tricks:]), total) for tricks in range(1, len(self.weights))}

    @property
    def average(self) -> Fraction:
        """How many tricks it wins on average."""
        return sum(self.at_least.values(), Fraction(0))


@dataclass(frozen=True)
class GoalAgainst:
    """A goal, what its line wins against some defenders, and the best chance of a line that is made for them."""

    answer: GoalAnswer
    won: WonAgainst
    most: Fraction


class AgainstDefenders:
    """A suit against one kind of defenders.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> solver = SuitSolver(Suit.of("AJ98", "K32"))
    >>> honest = AgainstDefenders(solver, "honest")
    >>> float(solver.goal(3).chance), float(honest.won(solver.line(3)).at_least[3]), float(honest.most(3))
    (0.8546583850931677, 0.8546583850931677, 0.987888198757764)
    """

    def __init__(self, solver: SuitSolver, defence: DefenceName) -> None:
        if defence not in DEFENCES:
            raise InputError(f"expected one of {', '.join(DEFENCES)}, found {defence!r}")
        if defence != "best" and (not solver.suit.is_plain or solver.entries != FREE):
            raise InputError(
                f"{defence} defenders are for suits that declarer leads, with entries without end and no ruffs"
            )
        self.solver, self.defence = solver, defence
        self._defenders: Defenders = Honest() if defence == "honest" else SingleDummy(solver.suit, solver.clock)

    def goal(self, tricks: int) -> GoalAgainst:
        """All about a goal."""
        answer = self.solver.goal(tricks)
        return GoalAgainst(answer, self.won(answer.line), self.most(tricks))

    def won(self, line: SuitLine) -> WonAgainst:
        """What a line wins."""
        if self.defence != "best":
            return WonAgainst(line, self.defence, _PlayOut(line, self._defenders).weights)
        chances = [sum(self.solver.suit.weights), *map(self.solver.weight, line.levels), 0]
        return WonAgainst(line, "best", tuple(more - less for more, less in pairwise(chances)))

    def most(self, tricks: int) -> Fraction:
        """The best chance of at least so many tricks that any line has."""
        answer = self.solver.goal(tricks)
        most = answer.double_dummy if self._defenders.see_all else 1
        if self.defence == "best" or answer.chance == most:
            return answer.chance
        return self.solver.suit.share(_MadeForThem(self.solver, self._defenders, tricks).weight)


# ---------------------------------------------------------------------- playing it out


class _Deal(NamedTuple):
    """One layout: the defenders' cards left, and how likely it is."""

    west: int
    east: int
    weight: int

    def hand(self, seat: int) -> int:
        return self.west if seat == WEST else self.east

    def without(self, seat: int, card: int) -> _Deal:
        return self._replace(west=self.west & ~card) if seat == WEST else self._replace(east=self.east & ~card)


class _Scene(NamedTuple):
    """What everyone sees, and all layouts in which it has come to that."""

    table: SuitTable
    seen: Seen
    deals: tuple[_Deal, ...]

    @property
    def weight(self) -> int:
        return sum(deal.weight for deal in self.deals)


class _Walk:
    """Goes through a suit against defenders in all layouts at once; those that look alike go on together."""

    def __init__(self, solver: SuitSolver, defenders: Defenders) -> None:
        self.defenders, self.rules, self.clock = defenders, solver.rules, solver.clock
        suit = solver.suit
        missing = card_bits(suit.class_of)
        deals = [(card_bits(west), weight) for west, weight in suit.deals()]
        seen = Seen(card_bits(suit.north), card_bits(suit.south), (0, 0, 0, 0), (False,) * 4, ())
        self.root = _Scene(solver.root, seen, tuple(_Deal(west, missing & ~west, weight) for west, weight in deals))

    def defend(self, scene: _Scene) -> Iterator[_Scene]:
        """What comes of the defenders' cards, one for each layout."""
        seat = (scene.table.trick[0].seat + len(scene.table.trick)) % 4
        follow: dict[int, list[_Deal]] = {}
        for deal in scene.deals:
            own, other = deal.hand(seat), deal.hand(WEST + EAST - seat)
            card = self.defenders.play(seat, own, other, scene.seen) if own else 0
            follow.setdefault(card, []).append(deal.without(seat, card))
        for card, deals in follow.items():
            yield self._after(scene, self._as_class(seat, card), card, tuple(deals))

    def play(self, scene: _Scene, move: SuitMove) -> _Scene:
        """What comes of one of declarer's cards."""
        return self._after(scene, move, 1 << move.card, scene.deals)

    def _as_class(self, seat: int, card: int) -> SuitMove:
        suit = self.rules.suit
        return SuitMove(seat, suit.classes[suit.class_of[card.bit_length() - 1]][0] if card else 0)

    def _after(self, scene: _Scene, move: SuitMove, card: int, deals: tuple[_Deal, ...]) -> _Scene:
        """After a card, and after the discard of a hand of declarer's that has none, which the rules leave out."""
        table, seen = self.rules.after(scene.table, move), scene.seen.show(move.seat, card)
        while 0 < len(seen.trick) < 4 and len(table.trick) != len(seen.trick):
            seen = seen.show((move.seat + 1) % 4, 0)
        return _Scene(table, seen if len(seen.trick) < 4 else seen._replace(trick=()), deals)


class _PlayOut(_Walk):
    """One line in every layout."""

    def __init__(self, line: SuitLine, defenders: Defenders) -> None:
        super().__init__(line.solver, defenders)
        self.line, self.won = line, [0] * (line.solver.suit.length + 1)
        self._go(self.root)

    @property
    def weights(self) -> tuple[int, ...]:
        """The weight of all layouts in which the line takes 0, 1, 2 ... tricks."""
        return tuple(self.won)

    def _go(self, scene: _Scene) -> None:
        self.clock.check()
        side = self.rules.side(scene.table)
        if side is None:
            self.won[scene.table.tricks] += scene.weight
        elif side is Side.MAX:
            self._go(self.play(scene, self.line.play(scene.table)))
        else:
            for after in self.defend(scene):
                self._go(after)


class _MadeForThem(_Walk):
    """The best of all lines for a goal."""

    def __init__(self, solver: SuitSolver, defenders: Defenders, goal: int) -> None:
        super().__init__(solver, defenders)
        self.goal, self.open = goal, OpenSuit()
        self.known: dict[_Scene, int] = {}
        self.weight = self._best(self.root)

    def _best(self, scene: _Scene) -> int:
        """The weight of the layouts in which the goal is reached."""
        self.clock.check()
        if scene.table.tricks >= self.goal:
            return scene.weight
        side = self.rules.side(scene.table)
        if side is Side.MIN:
            return sum(map(self._best, self.defend(scene)))
        if side is None or scene.table.trick:
            return max((self._best(self.play(scene, move)) for move in self._moves(scene)), default=0)
        if scene not in self.known:
            self.known[scene] = self._best_lead(scene)
        return self.known[scene]

    def _best_lead(self, scene: _Scene) -> int:
        """A lead after which nothing more can be won need not be compared with others."""
        best, most = 0, self._most(scene)
        for move in self._moves(scene):
            if best == most:
                break
            best = max(best, self._best(self.play(scene, move)))
        return best

    def _moves(self, scene: _Scene) -> Sequence[SuitMove]:
        return self.rules.options(scene.table) if self.rules.side(scene.table) is Side.MAX else ()

    def _most(self, scene: _Scene) -> int:
        """All that can be won: face up, if they never give a trick away that way."""
        if not self.defenders.see_all:
            return scene.weight
        need, north, south = self.goal - scene.table.tricks, scene.seen.north, scene.seen.south
        return sum(
            deal.weight for deal in scene.deals if self.open.tricks((north, deal.east, south, deal.west)) >= need
        )
