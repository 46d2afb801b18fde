"""What MIN knows: every level between nothing and everything (FB01 section 2.2).

MIN sees the outcome of the chance move in some *known* worlds and plays each of those as well as it can be played.
He cannot tell the other worlds apart, so there he makes one move for all of them, the worst for MAX on average.
Knowing i of n worlds is knowledge i / (n - 1); all but one is all.

If a move is open in some of the unknown worlds only, having it tells MIN something: worlds with different moves part,
and stay parted below. This is what information sets of an extensive form demand, and without undefined payoffs it
never happens.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import product
from operator import and_
from random import Random
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from worldwise.core.front import drop_dominated
from worldwise.core.game import AnyWorldGame, Side, as_coded
from worldwise.core.result import Tally
from worldwise.core.vector import exact_fraction, whole_weights
from worldwise.core.worlds import OpenWorlds
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction

    from worldwise.core.front import Watch
    from worldwise.core.result import Clock, Stats, Strategy
    from worldwise.core.scale import AnyScale
    from worldwise.core.vector import Payoff, Weight
    from worldwise.search.backup import Passes

Groups = tuple[frozenset[int], ...]
"""The unknown worlds, parted as far as MIN can part them."""


def known_worlds(worlds: int, knowledge: float | Fraction, seed: int = 0) -> tuple[int, ...]:
    """The worlds seen by a MIN of this level, drawn at random as in FB01.

    >>> known_worlds(10, 1), len(known_worlds(10, 5 / 9, seed=7))
    ((0, 1, 2, 3, 4, 5, 6, 7, 8, 9), 5)
    """
    count = exact_fraction(knowledge) * (worlds - 1)
    if not 0 <= knowledge <= 1 or count.denominator != 1:
        raise InputError(
            f"knowledge of {worlds} worlds is one of 0/{worlds - 1}, 1/{worlds - 1} ... 1, not {knowledge}"
        )
    if knowledge == 1:
        return tuple(range(worlds))
    return tuple(sorted(Random(seed).sample(range(worlds), int(count))))


@dataclass(frozen=True)
class Knowledge:
    """A MIN who knows these worlds of this game, and nothing else but his own moves.

    To see what he learns from his moves, the game is searched; a clock limits that.
    """

    game: AnyWorldGame
    known: frozenset[int]
    clock: Clock | None = None

    def __post_init__(self) -> None:
        if not self.known <= set(range(self.game.worlds)):
            raise InputError(f"known worlds are numbers from 0 to {self.game.worlds - 1}, not {sorted(self.known)}")

    @property
    def groups(self) -> Groups:
        """The unknown worlds, not parted yet; a single one is known, being none of the others."""
        unknown = frozenset(range(self.game.worlds)) - self.known
        return (unknown,) if len(unknown) > 1 else ()

    @cached_property
    def open_worlds(self) -> OpenWorlds:
        """For every position, the worlds in which it can be reached."""
        return OpenWorlds(self.game, Tally(self.clock))

    def split(self, children: Sequence[Any], groups: Groups) -> Groups:
        """Part the groups by which of these children are open to MIN."""
        parts: dict[tuple[int, tuple[bool, ...]], set[int]] = {}
        for number, group in enumerate(groups):
            for world in group:
                choice = tuple(world in self.open_worlds.at(child) for child in children)
                parts.setdefault((number, choice), set()).add(world)
        kept = (worlds for (_, choice), worlds in sorted(parts.items()) if any(choice) and len(worlds) > 1)
        return tuple(map(frozenset, kept))

    def meet(self, scale: AnyScale, values: Sequence[Any], children: Sequence[Any], groups: Groups) -> Any:
        """MIN's choice among his children's values: world by world if he knows it, group by group if not."""
        grouped = {world for group in groups for world in group}
        answer = reduce(and_, values) & scale.only(set(range(self.game.worlds)) - grouped)
        for group in groups:
            mask = scale.only(group)
            pairs = zip(values, children, strict=True)
            choices = [value & mask for value, child in pairs if group <= self.open_worlds.at(child)]
            answer |= min(choices, key=scale.score)
        return answer

    def best_strategy(self, walk: Passes, clock: Clock) -> tuple[Strategy, Stats]:
        """The best strategy against this MIN, by FBM97's Appendix: undominated outcomes, each with its moves.

        For games with undefined payoffs, where ``pool`` cannot help.
        """
        game, scale = self.game, walk.scale
        code, tally = as_coded(game).code, Tally(clock)

        def visit(position: Any, groups: Groups) -> dict[Any, Strategy]:
            tally.node()
            side = game.to_move(position)
            if side is None:
                tally.leaf()
                return {code(position): {}}
            moves = game.moves(position)
            children = [game.play(position, move) for move in moves]
            if side is Side.MAX:
                below = [visit(child, groups) for child in children]
                pairs = zip(moves, below, strict=True)
                return _drop_dominated(
                    ((outcome, {position: move, **rest}) for move, front in pairs for outcome, rest in front.items()),
                    tally.check,
                )
            split = self.split(children, groups)
            combined = product(*(visit(child, split).items() for child in children))
            return _drop_dominated(
                (
                    (self.meet(scale, [outcome for outcome, _ in pairs], children, split), _merge(pairs))
                    for pairs in combined
                ),
                tally.check,
            )

        front = visit(game.root, self.groups)
        return front[max(front, key=scale.score)], tally.stats


def _drop_dominated(pairs: Iterable[tuple[Any, Strategy]], watch: Watch) -> dict[Any, Strategy]:
    strategies: dict[Any, Strategy] = {}
    for outcome, strategy in pairs:
        watch()
        strategies[outcome] = strategy
    return {outcome: strategies[outcome] for outcome in drop_dominated(strategies, watch)}


def _merge(pairs: Iterable[tuple[Any, Strategy]]) -> Strategy:
    return {position: move for _, strategy in pairs for position, move in strategy.items()}


@runtime_checkable
class Poolable(Protocol):
    """An optional power: the game pools its own worlds."""

    def pool_worlds(self, known: Iterable[int]) -> AnyWorldGame | None:
        """See ``pool``."""


def pool(knowledge: Knowledge) -> AnyWorldGame | None:
    """The game in which the worlds MIN cannot tell apart are one; None if undefined payoffs forbid it."""
    game, known = knowledge.game, sorted(knowledge.known)
    if isinstance(game, Poolable):
        return game.pool_worlds(known)
    return Pooled(game, tuple(known)) if _is_defined(game, game.root, Tally(knowledge.clock)) else None


def _is_defined(game: AnyWorldGame, position: Any, tally: Tally) -> bool:
    """Whether every end below a position can be reached in every world."""
    tally.node()
    if game.to_move(position) is None:
        return None not in game.payoffs(position)
    return all(_is_defined(game, game.play(position, move), tally) for move in game.moves(position))


@dataclass(frozen=True)
class Pooled:
    """A game whose unknown worlds are one: best defence in it is a MIN of less knowledge in the original.

    The first worlds are the known ones, in order; the last pays the sum over the unknown, weighted. This is exact where
    every payoff is defined.
    """

    game: AnyWorldGame
    known: tuple[int, ...]

    @cached_property
    def _unknown(self) -> tuple[int, ...]:
        return tuple(world for world in range(self.game.worlds) if world not in self.known)

    @cached_property
    def _whole(self) -> tuple[int, ...]:
        return whole_weights(tuple(self.game.weights))

    @property
    def worlds(self) -> int:
        """The known worlds and one more."""
        return len(self.known) + 1

    @property
    def weights(self) -> Sequence[Weight]:
        """The last world's payoffs are weighted already."""
        return (*(self._whole[world] for world in self.known), 1)

    @property
    def root(self) -> Any:
        """The root of the game."""
        return self.game.root

    def to_move(self, position: Any) -> Side | None:
        """As in the game."""
        return self.game.to_move(position)

    def moves(self, position: Any) -> Sequence[Any]:
        """As in the game."""
        return self.game.moves(position)

    def play(self, position: Any, move: Any) -> Any:
        """As in the game."""
        return self.game.play(position, move)

    def payoffs(self, position: Any) -> Sequence[Payoff]:
        """The known worlds' payoffs, then the weighted sum of the others."""
        payoffs = self.game.payoffs(position)
        total = sum(self._whole[world] * (payoffs[world] or 0) for world in self._unknown)
        return (*(payoffs[world] for world in self.known), total)
