"""Compiled IMP-minimax and IMP-alpha-beta: what ``search.imp`` does, on whole games and on the IMP-model.

The kernels count in whole numbers: probabilities and payoffs are multiplied by their common denominators, so that the
answers are exact. A game whose numbers would not fit into machine words runs in Python.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, cast

import numpy as np

from worldwise.core.result import NO_LIMIT, Clock, Limit
from worldwise.core.solution import Prunings
from worldwise.extensive.game import NONE, ChanceMove, ExtensiveGame
from worldwise.extensive.imp_model import ImpModel, Uniform
from worldwise.kernels import native, pick, watch
from worldwise.search.imp import ImpAlphaBeta, ImpMinimax, expect_players, make_solution, upper_bound
from worldwise.search.profiles import whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from worldwise.core.game import AnyExtensiveForm, Rational
    from worldwise.core.solution import Solution


@dataclass(frozen=True)
class CompiledImpMinimax:
    """``ImpMinimax``, compiled where that is possible: the same answers, the same counts."""

    name = ImpMinimax.name

    def search(self, game: AnyExtensiveForm, limit: Limit = NO_LIMIT) -> Solution:
        """Find a profile."""
        expect_players(self.name, game, 2)
        packed = _for_kernel(game, None)
        return ImpMinimax().search(game, limit) if packed is None else _run_kernel(self.name, packed, limit)


@dataclass(frozen=True)
class CompiledImpAlphaBeta:
    """``ImpAlphaBeta``, compiled where that is possible: the same answers, the same counts."""

    upper: Rational | None = None
    lower: Rational | None = None

    name = ImpAlphaBeta.name

    def search(self, game: AnyExtensiveForm, limit: Limit = NO_LIMIT) -> Solution:
        """Find an optimal strategy of a one-player game with perfect recall, or a profile for two."""
        if len(game.players) != 1:
            return ImpAlphaBeta(self.upper, self.lower).search(game, limit)
        upper = upper_bound(game, self.upper)
        packed = _for_kernel(game, upper)
        return ImpAlphaBeta(upper).search(game, limit) if packed is None else _run_kernel(self.name, packed, limit)


def imp_model_counts(model: ImpModel, *, prune: bool, limit: Limit = NO_LIMIT) -> tuple[Fraction, Prunings]:
    """The value of an IMP-model with ``Uniform`` payoffs and the leaves examined, nothing being written down.

    >>> model = ImpModel(k=2, b=10, d=4)
    >>> [imp_model_counts(model, prune=prune)[1].leaves for prune in (False, True)]
    [8000, 2389]
    """
    fits = isinstance(model.rule, Uniform) and model.unlearnt == 1
    return pick(_counts_by_size, _readable_counts, fits=fits)(model, prune, limit)


def _counts_by_size(model: ImpModel, prune: bool, limit: Limit) -> tuple[Fraction, Prunings]:
    """Compiled, unless the model is too large for the kernel: the search makes no more of it than it looks at."""
    highest = max(1, model.rule.upper)
    small = model.draws <= native.IMP_MOST_DRAWS and model.leaves * highest <= native.IMP_LARGEST
    return (_compiled_counts if small and model.d <= native.IMP_DEEPEST else _readable_counts)(model, prune, limit)


def _readable_counts(model: ImpModel, prune: bool, limit: Limit) -> tuple[Fraction, Prunings]:
    found = ImpAlphaBeta().search(model, limit) if prune else ImpMinimax().search(model, limit)
    assert isinstance(found.stats, Prunings)
    return Fraction(found.believed[0]), found.stats


def _compiled_counts(model: ImpModel, prune: bool, limit: Limit) -> tuple[Fraction, Prunings]:
    rule, clock = model.rule, Clock(limit, ImpAlphaBeta.name if prune else ImpMinimax.name)
    assert isinstance(rule, Uniform)
    with watch(clock) as limits:
        answer = native.imp_model(model.k, model.b, model.d, rule.highest, rule.seed % 2**64, prune, *limits)
    return Fraction(answer[0], model.draws), _stats(answer, clock)


@dataclass(frozen=True)
class _Packed:
    """A game in the arrays the kernel reads; worths are payoffs times ``prob_scale`` times ``payoff_scale``."""

    game: ExtensiveGame
    probs: NDArray[np.int64]
    worths: NDArray[np.int64]
    prob_scale: int
    payoff_scale: int
    upper: int | None


def _for_kernel(game: AnyExtensiveForm, upper: Rational | None) -> _Packed | None:
    """The game for the kernel; None if there is no kernel, or its numbers are too large or its tree too deep for it."""
    return pick(_pack, _leave, fits=isinstance(game, ExtensiveGame))(cast("ExtensiveGame", game), upper)


def _leave(_game: ExtensiveGame, _upper: Rational | None) -> None:
    """Nothing for the kernel: the readable search takes the game as it is."""


def _pack(game: ExtensiveGame, upper: Rational | None) -> _Packed | None:
    if game.depth > native.IMP_DEEPEST:
        return None  # the Python search refuses what is too deep with a clear error
    if len(game.players) == 2 and any(sum(payoffs) for payoffs in game.leaf_payoffs()):
        return None  # the Python search says what is wrong, and where
    fractions, which = _probabilities(game)
    prob_scale = lcm(*(fraction.denominator for fraction in fractions))
    payoffs = _payoffs(game)
    bounded = payoffs if upper is None else [*payoffs, upper]
    payoff_scale = lcm(*(number.denominator for number in bounded))
    highest = max(max(bounded), -min(bounded), 1)
    if prob_scale * payoff_scale * highest > native.IMP_LARGEST:
        return None
    probs = np.array([int(fraction * prob_scale) for fraction in fractions], dtype=np.int64)[which]
    scaled = np.array([int(number * payoff_scale) for number in payoffs], dtype=np.int64)
    worths = np.zeros(len(game), dtype=np.int64)
    leaves = game.event == NONE
    worths[leaves] = probs[leaves] * (scaled if game.has_inner_outcomes else scaled[game.outcome[leaves]])
    return _Packed(game, probs, worths, prob_scale, payoff_scale, None if upper is None else int(upper * payoff_scale))


def _probabilities(game: ExtensiveGame) -> tuple[list[Fraction], NDArray[np.int32]]:
    """The different probabilities of nodes, and which is each node's: in preorder a subtree is a stretch of nodes."""
    numbers = {Fraction(1): 0}
    which = np.zeros(len(game), dtype=np.int32)
    found = [Fraction(1)]
    for node, event in _chance_nodes(game):
        above = found[which[node]]
        children = game.children[game.offsets[node] : game.offsets[node + 1]].tolist()
        for child, chance in zip(children, event.probabilities, strict=True):
            below = above * chance
            if below not in numbers:
                numbers[below] = len(found)
                found.append(below)
            which[child : game.end[child]] = numbers[below]
    return found, which


def _chance_nodes(game: ExtensiveGame) -> Iterator[tuple[int, ChanceMove]]:
    chance = np.array([isinstance(event, ChanceMove) for event in game.events] + [False])
    for node in np.flatnonzero(chance[game.event]).tolist():
        event = game.events[game.event[node]]
        assert isinstance(event, ChanceMove)
        yield node, event


def _payoffs(game: ExtensiveGame) -> list[Rational]:
    """The first player's payoff by outcome, the last one none; or leaf by leaf, if something is paid on the way."""
    if game.has_inner_outcomes:
        return [game.payoffs(node)[0] for node in np.flatnonzero(game.event == NONE).tolist()]
    return [*(outcome.payoffs[0] for outcome in game.outcomes), 0]


def _run_kernel(name: str, packed: _Packed, limit: Limit) -> Solution:
    game, clock = packed.game, Clock(limit, name)
    players = np.array([event.player for event in game.events], dtype=np.int32)
    sizes = np.array([len(event.actions) for event in game.events], dtype=np.int32)
    chosen = np.full(len(sizes), NONE, dtype=np.int32)
    met = np.zeros(len(sizes), dtype=np.int32)
    tree = (game.event, game.offsets, game.children, packed.probs, packed.worths, players, sizes)
    with watch(clock) as limits:
        answer = native.imp_game(*tree, packed.upper, *limits, chosen, met)
    worth = whole(Fraction(answer[0], packed.prob_scale * packed.payoff_scale))
    believed = (worth,) if len(game.players) == 1 else (worth, -worth)
    profile = {int(number): int(chosen[number]) for number in np.flatnonzero(chosen != NONE)}
    return make_solution(name, game, believed, profile, _stats(answer, clock), once=bool((met < 2).all()))


def _stats(answer: tuple[int, int, int, int, int], clock: Clock) -> Prunings:
    _, nodes, leaves, immediate, information_set = answer
    return Prunings(nodes, leaves, immediate + information_set, clock.seconds, immediate, information_set)
