"""Strategies: what they are worth against a MIN of any knowledge, and all of them, one by one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any, cast

from worldwise.core.front import Front, iterate_watched
from worldwise.core.game import Side
from worldwise.core.result import NO_LIMIT, Clock, Later, Limit, SearchResult, Stats, Strategy
from worldwise.core.vector import Vector
from worldwise.core.worlds import OpenWorlds
from worldwise.errors import InputError, LimitReachedError
from worldwise.search.backup import ReadablePasses, passes
from worldwise.search.knowledge import Knowledge

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from worldwise.core.front import Watch
    from worldwise.core.game import AnyWorldGame
    from worldwise.core.result import Searcher
    from worldwise.core.scale import AnyScale
    from worldwise.search.backup import Backup, Passes


@dataclass(frozen=True)
class StrategyWorth:
    """What a strategy earns: its payoff in every world, and on average."""

    vector: Vector
    value: float


def evaluate(game: AnyWorldGame, strategy: Strategy, known: Iterable[int] | None = None) -> StrategyWorth:
    """What a strategy is worth against best defence, or against a MIN who knows only some worlds.

    >>> from worldwise.catalog import tree
    >>> evaluate(tree("fb01/fig-9"), {0: 1}).value, evaluate(tree("fb01/fig-9"), {0: 1}, known=()).value
    (0.0, 0.5)
    """
    walk = passes(game)
    knowledge = None if known is None else Knowledge(game, frozenset(known))
    if knowledge and not knowledge.groups:
        knowledge = None
    try:
        followed = walk.follow(strategy, knowledge)
    except KeyError as missing:
        raise InputError(f"the strategy has no move at position {missing.args[0]!r}, which it can reach") from None
    vector = walk.scale.vector(followed.code)
    return StrategyWorth(vector, vector.expected(walk.scale.weights))


def strategies(game: AnyWorldGame, watch: Watch | None = None) -> Iterator[dict[Any, Any]]:
    """Every strategy of MAX, a move at every position it can reach: doubly exponentially many in the depth.

    So many take long, even before the first is known: ``watch`` is called now and then, and may raise.
    """

    def below(position: Any) -> Iterator[dict[Any, Any]]:
        side = game.to_move(position)
        if side is None:
            yield {}
        elif side is Side.MAX:
            for move in game.moves(position):
                for rest in below(game.play(position, move)):
                    yield {position: move, **rest}
        else:
            children = [list(below(game.play(position, move))) for move in game.moves(position)]
            for parts in product(*children):
                if watch:
                    watch()
                yield {position: move for part in parts for position, move in part.items()}

    return below(game.root)


@dataclass(frozen=True)
class BruteForce:
    """The optimum by trying every strategy: slow, obviously right, and so the judge of everything else."""

    known: frozenset[int] | None = None

    @property
    def name(self) -> str:
        """How results are labelled."""
        return "brute-force"

    def search(self, game: AnyWorldGame, limit: Limit = NO_LIMIT) -> SearchResult:
        """The first of the best strategies, or of those that the limit leaves time for; each counts as a node."""
        clock, tried = Clock(limit, self.name), list[tuple[Strategy, StrategyWorth]]()
        complete = self._try_all(game, clock, tried)
        strategy, best = max(tried, key=lambda pair: pair[1].value)
        return SearchResult(
            algorithm=self.name,
            believed=best.value,
            value=best.value,
            vector=best.vector,
            strategy=strategy,
            stats=Stats(nodes=len(tried), seconds=clock.seconds),
            move=strategy.get(game.root),
            front=Front(evaluation.vector for _, evaluation in tried) if complete else None,
            complete=complete,
        )

    def _try_all(self, game: AnyWorldGame, clock: Clock, tried: list[tuple[Strategy, StrategyWorth]]) -> bool:
        """Evaluate strategies until the limit runs out, one at least; whether all were tried."""
        try:
            for number, strategy in enumerate(strategies(game, clock.check), start=1):
                clock.check(number)
                tried.append((strategy, evaluate(game, strategy, self.known)))
        except LimitReachedError:
            if not tried:
                raise
            return False
        return True


def conclude(
    walk: Passes,
    algorithm: str,
    backup: Backup,
    believed: Any,
    stats: Stats,
    clock: Clock,
    *,
    scale: AnyScale | None = None,
    front: Front[Any] | None = None,
    fronts: Mapping[Any, Front[Any]] | None = None,
    complete: bool = True,
) -> SearchResult:
    """The result of a search: the moves of its best pass followed to find out what they are truly worth."""
    vector = walk.scale.vector
    followed = walk.follow(backup.chosen, None)
    offered = Later(backup.first, lambda code: Front([code])) if fronts is None else fronts
    return SearchResult(
        algorithm=algorithm,
        believed=vector(believed).expected((scale or walk.scale).weights),
        value=vector(followed.code).expected(walk.scale.weights),
        vector=vector(followed.code),
        strategy=followed.strategy,
        stats=replace(stats, seconds=clock.seconds),
        move=next(iter(followed.strategy.values()), None) if offered else None,
        front=None if front is None else Front.of_undominated(map(vector, iterate_watched(front, clock.check))),
        fronts=Later(offered, lambda codes: Front.of_undominated(map(vector, codes))),
        complete=complete,
        values={position: vector(code) for position, code in (backup.values or followed.values).items()},
    )


def trace(searcher: Searcher, game: AnyWorldGame, limit: Limit = NO_LIMIT) -> SearchResult:
    """The searcher's result with the vector it backs up at every position it saw: what the papers' figures show.

    >>> from worldwise.catalog import tree
    >>> from worldwise.search.algorithms import algorithm
    >>> trace(algorithm("monte-carlo"), tree("fb01/fig-10")).values[1]
    Vector(1, 1, 1, 1, 1)
    """
    result = searcher.search(cast("AnyWorldGame", ReadablePasses(game, trace=True)), limit)
    worlds = OpenWorlds(game)
    values = {position: _undefine_others(vector, worlds.at(position)) for position, vector in result.values.items()}
    return replace(result, values=values)


def _undefine_others(vector: Vector, worlds: frozenset[int]) -> Vector:
    """The vector with every other world undefined: a code does not tell undefined from the best payoff."""
    return Vector(payoff if world in worlds else None for world, payoff in enumerate(vector))
