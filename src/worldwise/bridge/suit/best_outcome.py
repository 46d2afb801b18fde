"""The outcome of a single suit that is worth most: tricks on average, after a goal, by a value or at matchpoints.

This is a search over outcomes with a level for every number of tricks, whose fronts explode. Two things tame it. No
line wins more for any number of tricks than the best line for that goal alone, nor other worlds than some line for that
goal: summed over goals, that bounds what can come of each outcome. And the sum is nearly reached, as a rule, so the
search first asks for no less, when hardly anything matters, and lowers its sights until a line is found: then it is the
best.
"""

from __future__ import annotations

from itertools import chain
from math import gcd
from typing import TYPE_CHECKING

from worldwise.bridge.suit.fronts import Wanted, pack_sets, read_sets
from worldwise.bridge.suit.weighing import Scales
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from worldwise.bridge.suit.fronts import Bound, FrontSummary, Gains, Levels, Start
    from worldwise.bridge.suit.solver import SuitSolver

LARGEST_WORTH = 2**58
"""What all tricks in all worlds add up to at most, so that kernels can."""

GUESSES = 6
"""How often the search lowers its sights before it looks for anything at all."""


def best_outcome(solver: SuitSolver, goals: Sequence[int] = (), starts: Iterable[Start] | None = None) -> Levels:
    """What to win: the best for a goal, of that the best for the next one, and so on; of that, most tricks on average.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> solver = SuitSolver(Suit.of("AK543", "J92"))
    >>> for goals in [3], [3, 4]:
    ...     print([round(float(solver.chance(solver.weight(mask))), 4) for mask in best_outcome(solver, goals)])
    [1.0, 1.0, 0.9804, 0.763, 0.2713]
    [1.0, 1.0, 0.9804, 0.8761, 0.0339]
    """
    starts = list(solver.leads.values() if starts is None else starts)
    least = {goal: max((solver.summary(start, goal).weight for start in starts), default=0) for goal in goals[:1]}
    found = None
    for goal in goals[1:]:
        found = _Search(solver, starts, least, _one_goal_first(solver, goal)).best()
        least[goal] = solver.weight(found[goal - 1])
    return _Search(solver, starts, least).best() if found is None else found


def most_gained(solver: SuitSolver, gains: Gains) -> Levels:
    """What to win for the most gains, and of that for the most tricks on average; gains are whole numbers.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> solver = SuitSolver(Suit.of("AK543", "J92"))
    >>> weights = solver.suit.weights
    >>> gains = [[points * weight for weight in weights] for points in (0, 0, 0, 10, 1)]
    >>> [round(float(solver.chance(solver.weight(mask))), 4) for mask in most_gained(solver, gains)]
    [1.0, 1.0, 0.9804, 0.8761, 0.0339]
    """
    weights, common = solver.suit.weights, gcd(*solver.suit.weights, *chain(*gains))
    unit = solver.suit.length * sum(weights) // common + 1  # more than all tricks together
    rows = [
        [unit * (gain // common) + weight // common for gain, weight in zip(row, weights, strict=True)] for row in gains
    ]
    if sum(map(sum, rows)) > LARGEST_WORTH:
        raise InputError("expected values and chances in smaller or rounder numbers, found what is too fine to add up")
    return _Search(solver, list(solver.leads.values()), {}, rows).best()


def _one_goal_first(solver: SuitSolver, goal: int) -> Gains:
    """Tricks as they count on average, but those that reach a goal for more than all together."""
    weights, length = solver.suit.weights, solver.suit.length
    unit = length * sum(weights) + 1
    return [[unit * weight for weight in weights] if tricks == goal else weights for tricks in range(1, length + 1)]


class _Search:
    """Looks for the best outcome of all starts, those first that promise most; each guess is what a line has to beat.

    Of some numbers of tricks a least weight has to be won. ``gains`` say what tricks add, a row for each; without them,
    and where there is a least weight, that is what worlds weigh.
    """

    def __init__(
        self, solver: SuitSolver, starts: Sequence[Start], least: Mapping[int, int], gains: Gains | None = None
    ) -> None:
        self.solver, self.least, self.gains, self.length = solver, least, gains, solver.suit.length
        self.bounds = {start: self._bounds(start) for start in starts if self._is_enough(start)}
        self.promise = {start: sum(most for _, most, _ in bounds) for start, bounds in self.bounds.items()}

    def best(self) -> Levels:
        """The outcome that is worth most; of equals the last by the worlds' numbers, where they are all looked at."""
        found = 0, (0,) * self.length
        for guess in self._guesses():
            for start in sorted(self.promise, key=lambda start: -self.promise[start]):
                beat = max(guess, found[0] - 1)
                if self.promise[start] > beat:
                    found = max([found, *self._after(start, beat)])
            if found[0] > guess:
                break
        return found[1]

    def _after(self, start: Start, beat: int) -> list[tuple[int, Levels]]:
        """The best outcome after a start, if it is worth more than is to be beaten."""
        source = self.solver.new_source(self.length, Wanted(self.bounds[start], beat, self.gains))
        found = source.summary(start, self.length)
        return [(found.weight, found.best)] if found.weight > beat else []

    def _guesses(self) -> list[int]:
        """From just below what is possible at most, further and further down to nothing."""
        if not self.solver.source_type.uses_bounds:
            return [0]
        most = max(self.promise.values(), default=0)
        unit = max(max(map(sum, self.gains or [self.solver.suit.weights])) // 1000, 1)
        steps = (1, *(unit * 4**power for power in range(GUESSES)))
        return [*(most - step for step in steps if most > step), 0]

    # ------------------------------------------------------------------ bounds

    def _is_enough(self, start: Start) -> bool:
        return all(self.solver.summary(start, tricks).weight >= least for tricks, least in self.least.items())

    def _bounds(self, start: Start) -> list[Bound]:
        """What can be won for each number of tricks after a start, and what has to be."""
        return [self._bound(tricks, self.solver.summary(start, tricks)) for tricks in range(1, self.length + 1)]

    def _bound(self, tricks: int, found: FrontSummary) -> Bound:
        if tricks in self.least:
            # An outcome that wins so much is within a set that does.
            least = self.least[tricks]
            enough = [mask for mask in read_sets(found.sets) if self.solver.weight(mask) >= least]
            return pack_sets(enough), found.weight, least
        return found.sets, self._most(tricks, found), 0

    def _most(self, tricks: int, found: FrontSummary) -> int:
        """The most that one line can gain by a trick: exactly if all worlds count as they weigh."""
        weights = self.solver.suit.weights
        row = weights if self.gains is None else self.gains[tricks - 1]
        if all(gain * weights[0] == weight * row[0] for gain, weight in zip(row, weights, strict=True)):
            return found.weight * row[0] // weights[0]
        return max(map(Scales(row).weigh, read_sets(found.sets) or found.any))
