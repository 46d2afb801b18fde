"""The sequence form of a game (von Stengel 1996): what mixed strategies, best responses and NashConv are reckoned with.

A *sequence* of a player is all that he himself has done on the way to a node. A player who forgets nothing has done the
same at all nodes of an information set, so a mixed strategy is no more than a number for each of his sequences: how
likely he is to do all of it if the others let him (his *plan*). An end of the game has one sequence of each player, and
what it pays on average is its chance times the product of the plans' numbers. Everything here is a sum over ends, or a
walk over one player's sets from the last to the first, in whole arrays.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from worldwise.core.game import CHANCE
from worldwise.core.result import Tally
from worldwise.errors import GameError, InputError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from worldwise.core.game import AnyExtensiveForm
    from worldwise.core.solution import Mixture, Profile

    Floats = NDArray[np.float64]
    Numbers = NDArray[np.intp]


MOST_PAYOFF = 10**12
"""What is larger leaves floats, and whoever solves linear programmes with them, nothing to tell small gains by."""


@dataclass(frozen=True, eq=False)
class PlayerSequences:
    """One player's information sets, those that come first in front, and his sequences.

    Sequence 0 is having done nothing. The moves of set s make the sequences from ``starts[s]`` to ``starts[s + 1]``;
    ``above[s]`` is the sequence that leads to it. ``levels`` parts the sets by how many of his own come before.
    """

    sets: tuple[Hashable, ...]
    moves: tuple[tuple[Any, ...], ...]
    starts: Numbers
    above: Numbers
    levels: tuple[slice, ...]

    @property
    def sequences(self) -> int:
        """How many there are."""
        return int(self.starts[-1])

    @property
    def uniform(self) -> Floats:
        """All moves equally likely."""
        return self.share_out(np.zeros(self.sequences))

    def share_out(self, amounts: Floats) -> Floats:
        """Amounts, none negative, as shares of their set; where all are 0 the moves share alike."""
        if not self.sets:
            return np.ones(1)
        counts, begins = np.diff(self.starts), self.starts[:-1] - 1
        sums = np.repeat(np.add.reduceat(amounts[1:], begins), counts)
        alike = np.repeat(1 / counts, counts)
        return np.concatenate([[1.0], np.divide(amounts[1:], sums, out=alike, where=sums > 0)])

    def plan(self, behaviour: Floats) -> Floats:
        """How likely each sequence is, from how likely each move is at its set."""
        plan = behaviour.copy()
        plan[0] = 1.0
        for sets in self.levels:
            first, last = self.starts[sets.start], self.starts[sets.stop]
            counts = np.diff(self.starts[sets.start : sets.stop + 1])
            plan[first:last] *= np.repeat(plan[self.above[sets]], counts)
        return plan

    def behaviour(self, plan: Floats) -> Floats:
        """The other way: how likely each move is at its set; where the set is never reached, all alike."""
        return self.share_out(np.maximum(plan, 0))

    def upwards(self, worths: Floats) -> Iterator[tuple[slice, Floats, Numbers]]:
        """Levels from the last to the first: sets, what their sequences are worth (a view), and where each set begins.

        Whoever walks is to ``pass_up`` what the sets are worth.
        """
        for sets in reversed(self.levels):
            first = self.starts[sets.start]
            yield sets, worths[first : self.starts[sets.stop]], self.starts[sets] - first

    def pass_up(self, worths: Floats, sets: slice, values: Floats) -> None:
        """What the sets are worth is worth to the sequences that lead to them."""
        np.add.at(worths, self.above[sets], values)

    def best(self, worths: Floats) -> tuple[float, Floats]:
        """The most a player can have, and how, if each of his sequences is worth so much at ends of the game."""
        worths, behaviour = worths.copy(), np.zeros(self.sequences)
        for sets, worth, begins in self.upwards(worths):
            counts = np.diff(np.append(begins, len(worth)))
            values = np.maximum.reduceat(worth, begins)
            behaviour[self.starts[sets.start] : self.starts[sets.stop]] = worth == np.repeat(values, counts)
            self.pass_up(worths, sets, values)
        return float(worths[0]), self._first_of(behaviour)

    def _first_of(self, marked: Floats) -> Floats:
        """Of the moves that are marked at a set the first, for certain."""
        hits = np.flatnonzero(marked[1:])
        at_set = np.repeat(np.arange(len(self.sets)), np.diff(self.starts))
        first = hits[np.unique(at_set[hits], return_index=True)[1]]
        behaviour = np.zeros(self.sequences)
        behaviour[0] = behaviour[1 + first] = 1
        return behaviour


@dataclass(frozen=True, eq=False)
class SequenceForm:
    """A whole game by its ends: the chance of each, every player's sequence there, and the payoffs.

    >>> from worldwise.catalog import game
    >>> form = SequenceForm.of(game("bmv96/fig-3"))
    >>> [decisions.sequences for decisions in form.decisions], form.is_zero_sum
    ([5, 3], True)
    >>> [round(best, 6) for best in form.best_payoffs(form.uniform)], round(form.nash_conv(form.uniform), 6)
    ([21.5, -6.5], 15.0)
    """

    decisions: tuple[PlayerSequences, ...]
    chance: Floats
    at: tuple[Numbers, ...]
    payoffs: tuple[Floats, ...]
    is_zero_sum: bool

    @classmethod
    def of(cls, game: AnyExtensiveForm, tally: Tally | None = None) -> SequenceForm:
        """Walk a game from end to end; ``GameError`` if a player forgets."""
        return _Walk(game, tally or Tally()).form()

    # ------------------------------------------------------------------ strategies

    @property
    def uniform(self) -> list[Floats]:
        """Behaviours: everybody moves at random."""
        return [decisions.uniform for decisions in self.decisions]

    def pure(self, profile: Profile) -> list[Floats]:
        """Behaviours that follow pure strategies; at random at sets of which the profile says nothing."""
        return [self._fill(own, lambda moves, move: _indicate(moves, move), profile) for own in self.decisions]

    def mixed(self, mixture: Mixture) -> list[Floats]:
        """Behaviours that follow a mixture; at random at sets of which it says nothing."""
        return [self._fill(own, _check_shares, mixture) for own in self.decisions]

    def mixture(self, behaviours: Sequence[Floats]) -> dict[Hashable, tuple[float, ...]]:
        """The other way: for every information set how likely each of its moves is."""
        return {
            known: tuple(behaviour[begin:end].tolist())
            for own, behaviour in zip(self.decisions, behaviours, strict=True)
            for known, (begin, end) in zip(own.sets, pairwise(own.starts.tolist()), strict=True)
        }

    @staticmethod
    def _fill(own: PlayerSequences, shares: Any, given: Mapping[Any, Any]) -> Floats:
        behaviour = own.uniform
        for known, moves, (begin, end) in zip(own.sets, own.moves, pairwise(own.starts.tolist()), strict=True):
            if known in given:
                behaviour[begin:end] = shares(moves, given[known])
        return behaviour

    # ------------------------------------------------------------------ what they are worth

    def plans(self, behaviours: Sequence[Floats]) -> list[Floats]:
        """How likely each player is to do what each of his sequences says."""
        return [own.plan(behaviour) for own, behaviour in zip(self.decisions, behaviours, strict=True)]

    def reached(self, plans: Sequence[Floats], but: int | None = None) -> Floats:
        """How likely each end of the game is; ``but`` for the doing of one player."""
        chance = self.chance
        for player, (plan, at) in enumerate(zip(plans, self.at, strict=True)):
            chance = chance if player == but else chance * plan[at]
        return chance

    def expected(self, behaviours: Sequence[Floats]) -> tuple[float, ...]:
        """What each player gets on average."""
        chance = self.reached(self.plans(behaviours))
        return tuple(float(chance @ payoff) for payoff in self.payoffs)

    def worths(self, player: int, plans: Sequence[Floats]) -> Floats:
        """What each sequence of a player brings at the ends where he has done just that, the others following plans."""
        amounts = self.reached(plans, but=player) * self.payoffs[player]
        sums = np.bincount(self.at[player], amounts, minlength=self.decisions[player].sequences)
        return sums.astype(np.float64, copy=False)

    def best_payoffs(self, behaviours: Sequence[Floats]) -> tuple[float, ...]:
        """The most each player can get while the others follow theirs."""
        plans = self.plans(behaviours)
        return tuple(own.best(self.worths(player, plans))[0] for player, own in enumerate(self.decisions))

    def best_response(self, player: int, behaviours: Sequence[Floats]) -> tuple[float, Floats]:
        """The same for one player, and how."""
        return self.decisions[player].best(self.worths(player, self.plans(behaviours)))

    def nash_conv(self, behaviours: Sequence[Floats]) -> float:
        """What all players together gain by each leaving alone: nothing at an equilibrium, and there only."""
        gains = zip(self.best_payoffs(behaviours), self.expected(behaviours), strict=True)
        return sum(best - payoff for best, payoff in gains)


def nash_conv(game: AnyExtensiveForm, mixture: Mixture) -> float:
    """How far a mixture is from an equilibrium: what the players gain by each leaving it alone, in all.

    >>> from worldwise.catalog import game
    >>> nash_conv(game("bmv96/fig-3"), {0: (1, 0), 2: (0, 1), 3: (0, 1)})
    0.0
    """
    form = SequenceForm.of(game)
    return form.nash_conv(form.mixed(mixture))


def _indicate(moves: tuple[Any, ...], move: Any) -> list[float]:
    if move not in moves:
        raise InputError(f"expected one of the moves {', '.join(map(repr, moves))}, found {move!r}")
    return [float(one == move) for one in moves]


def _check_shares(moves: tuple[Any, ...], shares: Sequence[float]) -> Sequence[float]:
    fit = len(shares) == len(moves) and all(share >= 0 for share in shares) and abs(sum(shares) - 1) < 1e-6
    if not fit:
        raise InputError(f"expected {len(moves)} probabilities that sum to 1, found {', '.join(map(str, shares))}")
    return shares


# ---------------------------------------------------------------------- the walk


class _Walk:
    """The whole tree, once: sets are numbered as they are met, and sequences with them."""

    def __init__(self, game: AnyExtensiveForm, tally: Tally) -> None:
        self.game, self.tally = game, tally
        self.people = [_Person() for _ in game.players]
        self.owner: dict[Hashable, int] = {}
        self.chance: list[float] = []
        self.at: list[tuple[int, ...]] = []
        self.payoffs: list[tuple[float, ...]] = []
        self.is_zero_sum = True

    def form(self) -> SequenceForm:
        waiting: list[tuple[Any, float, tuple[int, ...]]] = [(self.game.root, 1.0, (0,) * len(self.people))]
        while waiting:
            position, chance, at = waiting.pop()
            self.tally.node()
            mover = self.game.to_move(position)
            if mover is None:
                self._end(position, chance, at)
                continue
            moves = self.game.moves(position)
            after = [self.game.play(position, move) for move in moves]
            if mover == CHANCE:
                shares = map(float, self.game.chances(position))
                below = [(one, chance * share, at) for one, share in zip(after, shares, strict=True)]
            else:
                first = self._meet(mover, self.game.information_set(position), moves, at[mover])
                below = [(one, chance, (*at[:mover], first + n, *at[mover + 1 :])) for n, one in enumerate(after)]
            waiting.extend(reversed(below))
        decisions, orders = zip(*(person.decisions() for person in self.people), strict=True)
        at_ends = np.array(self.at, dtype=np.intp).T
        places = tuple(order[own] for order, own in zip(orders, at_ends, strict=True))
        payoffs = tuple(np.array(self.payoffs, dtype=np.float64).T)
        return SequenceForm(decisions, np.array(self.chance), places, payoffs, self.is_zero_sum)

    def _end(self, position: Any, chance: float, at: tuple[int, ...]) -> None:
        self.tally.leaf()
        payoffs = self.game.payoffs(position)
        if not all(-MOST_PAYOFF <= payoff <= MOST_PAYOFF for payoff in payoffs):
            raise GameError(
                f"expected payoffs between -1e12 and 1e12 to reckon with, found one beyond at {position!r:.80}"
            )
        self.is_zero_sum &= not sum(payoffs)
        self.chance.append(chance)
        self.at.append(at)
        self.payoffs.append(tuple(map(float, payoffs)))

    def _meet(self, player: int, known: Hashable, moves: Sequence[Any], above: int) -> int:
        if self.owner.setdefault(known, player) != player:
            raise GameError(f"expected information sets of one player each, found {known!r:.200} with two")
        return self.people[player].meet(known, tuple(moves), above)


class _Person:
    """A player's sets as they are met."""

    def __init__(self) -> None:
        self.numbers: dict[Hashable, int] = {}
        self.moves: list[tuple[Any, ...]] = []
        self.starts = [1]
        self.above: list[int] = []
        self.level: list[int] = []
        self.level_of = [-1]

    def meet(self, known: Hashable, moves: tuple[Any, ...], above: int) -> int:
        """The first sequence of a set."""
        number = self.numbers.setdefault(known, len(self.moves))
        if number == len(self.moves):
            self.moves.append(moves)
            self.above.append(above)
            self.level.append(self.level_of[above] + 1)
            self.level_of.extend([self.level[-1]] * len(moves))
            self.starts.append(self.starts[-1] + len(moves))
        elif self.above[number] != above:
            raise GameError(
                f"expected players who remember all they knew and did (perfect recall), found {known!r:.200} "
                "reached in two ways"
            )
        elif len(self.moves[number]) != len(moves):
            raise GameError(f"expected the same moves throughout an information set, found others at {known!r:.200}")
        return self.starts[number]

    def decisions(self) -> tuple[PlayerSequences, Numbers]:
        """The sets by level, and the new number of every sequence."""
        order = np.argsort(np.array(self.level, dtype=np.intp), kind="stable")
        counts = np.array([len(moves) for moves in self.moves], dtype=np.intp)
        starts = np.concatenate([[1], 1 + np.cumsum(counts[order])]).astype(np.intp)
        renumbered = np.zeros(self.starts[-1], dtype=np.intp)
        for place, number in enumerate(order.tolist()):
            renumbered[self.starts[number] : self.starts[number + 1]] = np.arange(starts[place], starts[place + 1])
        above = renumbered[np.array(self.above, dtype=np.intp)[order]] if self.above else np.zeros(0, dtype=np.intp)
        sizes = np.bincount(np.array(self.level, dtype=np.intp)) if self.level else np.zeros(0, dtype=np.intp)
        bounds = np.concatenate([[0], np.cumsum(sizes)]).tolist()
        known = list(self.numbers)
        sets, moves = (tuple(one[number] for number in order.tolist()) for one in (known, self.moves))
        return PlayerSequences(sets, moves, starts, above, tuple(map(slice, bounds, bounds[1:]))), renumbered
