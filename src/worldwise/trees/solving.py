"""One call for everything: run an algorithm, or all of them, on a game as fast as we can."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from math import isclose
from typing import TYPE_CHECKING, Any, Literal, cast

from worldwise.core.result import NO_LIMIT, Limit, SearchResult
from worldwise.errors import InputError, LimitReachedError
from worldwise.search.algorithms import ALGORITHMS, algorithm
from worldwise.search.alphamu import AlphaMu
from worldwise.search.exact import Exact
from worldwise.search.heuristics import AlphaBeta, VectorMinimax
from worldwise.search.monte_carlo import MonteCarlo
from worldwise.search.random_ties import Ties
from worldwise.search.strategy import evaluate
from worldwise.trees.blunders import find_blunder
from worldwise.trees.compiled import compile_game
from worldwise.trees.world_tree import WorldTree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.core.game import AnyWorldGame
    from worldwise.core.result import Searcher
    from worldwise.search.face_up import FaceUp
    from worldwise.trees.blunders import Blunder

OPTIMUM_LIMIT = Limit(seconds=10)
"""How long ``judge`` looks for the optimum if nobody asked for it, and nobody set a limit."""

BLUNDER_LIMIT = Limit(seconds=1)
"""How long it looks for the node at which a strategy goes wrong."""

Failure = Literal[
    "strategy fusion",
    "non-locality",
    "strategy fusion and non-locality",
    "a bad guess",
    "overrating MIN",
    "a worse choice",
]


def solve(
    game: AnyWorldGame,
    search: str | Searcher = "exact",
    *,
    seed: int | None = None,
    known: Iterable[int] | None = None,
    limit: Limit = NO_LIMIT,
    face_up: FaceUp | None = None,
) -> SearchResult:
    """Run an algorithm on a game; its strategy is judged against best defence, or a MIN who knows some worlds.

    ``seed`` breaks ties at random (the papers' rule); without it the first of equals is taken. When the limit runs out,
    the result is what was found by then, not ``complete``, or there is a ``LimitReachedError``. ``face_up`` is for
    ``AlphaMu``: what a position is worth with everything seen.

    >>> import worldwise
    >>> result = worldwise.solve(worldwise.tree("fb01/fig-10"), "monte-carlo")
    >>> result.believed, result.value, str(result.vector)
    (1.0, 0.6, '11100')
    """
    searcher = algorithm(search, Ties(seed)) if isinstance(search, str) else search
    fast = compile_game(game)
    if known is None:
        return _search(searcher, fast, limit, face_up)
    worlds = frozenset(known)
    if isinstance(searcher, Exact):
        return _search(replace(searcher, known=worlds), fast, limit, face_up)
    result = _search(searcher, fast, limit, face_up)
    worth = evaluate(fast, result.strategy, worlds)
    return replace(result, value=worth.value, vector=worth.vector)


def _search(searcher: Searcher, game: AnyWorldGame, limit: Limit, face_up: FaceUp | None) -> SearchResult:
    if face_up is None:
        return searcher.search(game, limit)
    if not isinstance(searcher, AlphaMu):
        raise InputError(f"face_up goes with alpha-mu, such as AlphaMu(3), found {searcher.name}, which never asks it")
    return searcher.search(game, limit, face_up)


@dataclass(frozen=True)
class Judgement:
    """A result beside the optimum: ``optimal`` is None if that was out of reach.

    ``failure`` says what went wrong: of an algorithm of ours by its name in FB01, of another that it has made a worse
    choice. In a tree ``blunder`` says where: at which node, and in which worlds; it is None in other games, and where
    there was no time to look for it.
    """

    result: SearchResult
    optimal: bool | None
    failure: Failure | None
    blunder: Blunder | None = None


def judge(
    game: AnyWorldGame,
    searches: str | Searcher | Iterable[str | Searcher] = ALGORITHMS,
    *,
    seed: int | None = None,
    known: Iterable[int] | None = None,
    limit: Limit = NO_LIMIT,
) -> list[Judgement]:
    """Run one algorithm, or several side by side, and say which find the optimum, and what fails in the others.

    An algorithm is one of ours by its name, or any searcher, also one that you have written. ``AlphaMu``, which names a
    move and no more, is judged by the best strategy that begins so.

    What has no answer when the limit runs out has no row; if nothing has, there is a ``LimitReachedError``. If it is
    the exact search, no result is called optimal or not. Where that is not asked for and there is no limit, it is given
    ``OPTIMUM_LIMIT``.

    >>> import worldwise
    >>> [verdict.failure for verdict in judge(worldwise.tree("fb01/fig-11"), ["monte-carlo", "vector-mm"])]
    ['strategy fusion', None]
    >>> (verdict,) = judge(worldwise.tree("fb01/fig-10"), "monte-carlo")
    >>> verdict.blunder.node, verdict.blunder.move, verdict.blunder.better, verdict.blunder.lost
    (0, 0, 1, (3,))
    """
    worlds, wanted = None if known is None else frozenset(known), _searches(searches)
    best = _optimum(game, worlds, limit if "exact" in wanted or limit != NO_LIMIT else OPTIMUM_LIMIT)
    verdicts, late = [], LimitReachedError("the exact search", limit)
    for search in wanted:
        searcher = algorithm(search, Ties(seed)) if isinstance(search, str) else search
        try:
            result = best if search == "exact" else _play(game, searcher, worlds, limit)
        except LimitReachedError as error:
            result, late = None, error
        if result is not None:
            verdicts.append(_judge(_Case(game, searcher, seed, worlds, limit), result, best))
    if not verdicts:
        raise late
    return verdicts


def _play(game: AnyWorldGame, searcher: Searcher, known: frozenset[int] | None, limit: Limit) -> SearchResult:
    """What a searcher's strategy is worth. Of alpha-mu, which names a move and no more, what that move can have."""
    if not isinstance(searcher, AlphaMu):
        return solve(game, searcher, known=known, limit=limit)
    result = solve(game, searcher, limit=limit)
    best = Exact(known=known).search(_FirstMove(game, result.move), limit)
    return replace(result, value=best.value, vector=best.vector, strategy=best.strategy)


class _FirstMove:
    """A game whose first move is decided."""

    def __init__(self, game: AnyWorldGame, move: Any) -> None:
        self.game, self.move = game, move
        self.worlds, self.weights, self.root = game.worlds, game.weights, game.root
        self.to_move, self.play, self.payoffs = game.to_move, game.play, game.payoffs

    def moves(self, position: Any) -> Sequence[Any]:
        """The move at the root; elsewhere as the game has them."""
        return (self.move,) if position == self.root else self.game.moves(position)


def _searches(searches: str | Searcher | Iterable[str | Searcher]) -> list[str | Searcher]:
    """One or several, as a list; ``InputError`` for what is neither a name nor a searcher."""
    several = isinstance(searches, Iterable) and not isinstance(searches, str)
    listed = list(cast("Iterable[str | Searcher]", searches)) if several else [cast("str | Searcher", searches)]
    for search in listed:
        if not (isinstance(search, str) or callable(getattr(search, "search", None))):
            raise InputError(f"expected an algorithm's name or a searcher, found {search!r:.80}")
    return listed


@dataclass(frozen=True)
class _Case:
    """What was asked of a searcher."""

    game: AnyWorldGame
    searcher: Searcher
    seed: int | None
    known: frozenset[int] | None
    limit: Limit

    def solve(self, search: str | Searcher, known: frozenset[int] | None) -> SearchResult:
        """The same question for another searcher."""
        return solve(self.game, search, seed=self.seed, known=known, limit=self.limit)


def _judge(case: _Case, result: SearchResult, best: SearchResult | None) -> Judgement:
    if best is None:
        return Judgement(result, None, None)
    if result.value == best.value:
        return Judgement(result, True, None)
    return Judgement(result, False, _failure(case, result, best), _blunder(case, result, best))


def _blunder(case: _Case, result: SearchResult, best: SearchResult) -> Blunder | None:
    """Where it went wrong, unless that would take longer than anyone wants to wait."""
    if not isinstance(case.game, WorldTree) or best.stats.seconds * _PROBES > (BLUNDER_LIMIT.seconds or 0):
        return None
    with suppress(LimitReachedError):
        return find_blunder(case.game, result, best.value, case.known, BLUNDER_LIMIT)
    return None


_PROBES = 16
"""About how many exact searches it takes to find a blunder."""


def _optimum(game: AnyWorldGame, known: frozenset[int] | None, limit: Limit) -> SearchResult | None:
    with suppress(LimitReachedError):
        return solve(game, "exact", known=known, limit=limit)
    return None


def _failure(case: _Case, result: SearchResult, best: SearchResult) -> Failure | None:
    """Why a strategy is not the best; None if there is no time to find out."""
    with suppress(LimitReachedError):
        return _diagnose(case, result, best)
    return None


def _diagnose(case: _Case, result: SearchResult, best: SearchResult) -> Failure:
    """Why a strategy is not the best.

    If it is the best against best defence, the search took MIN for better informed than he is (FB01 section 4.1).
    Otherwise it depends on how the search goes about it.
    """
    if case.known is not None:
        ideal = _optimum(case.game, None, case.limit if case.limit != NO_LIMIT else OPTIMUM_LIMIT)
        if ideal and evaluate(compile_game(case.game), result.strategy).value == ideal.value:
            return "overrating MIN"
    if isinstance(case.searcher, MonteCarlo):
        return _monte_carlo_failure(case, result, best)
    if isinstance(case.searcher, VectorMinimax):
        return _one_pass_failure(case, case.searcher, result)
    if isinstance(case.searcher, AlphaMu):
        return "strategy fusion"  # beyond its horizon everything is seen
    return "non-locality" if isinstance(case.searcher, AlphaBeta) else "a worse choice"


def _monte_carlo_failure(case: _Case, result: SearchResult, best: SearchResult) -> Failure:
    """If only Monte Carlo gets it wrong, MAX's strategies were fused (4.2); otherwise it is non-locality too (4.3).

    Where Monte Carlo believes in more than any strategy gets, it has fused some, whatever else it did.
    """
    if case.solve("vector-mm", case.known).value > result.value:
        return "strategy fusion"
    # A sample may be lucky; only a belief about all worlds tells.
    whole = result if result.algorithm == "monte-carlo" else case.solve("monte-carlo", None)
    return "strategy fusion and non-locality" if _is_more(whole.believed, best.value) else "non-locality"


def _one_pass_failure(case: _Case, searcher: VectorMinimax, result: SearchResult) -> Failure:
    """Choosing by direct subtrees alone is non-locality (4.3), unless it is iterating that lost what one pass has."""
    if (
        searcher.iterate
        and case.solve(replace(searcher, iterate=False, tiebreak=False), case.known).value > result.value
    ):
        return "a bad guess"
    return "non-locality"


def _is_more(one: float, other: float) -> bool:
    """Not only by what rounding does to sums."""
    return one > other and not isclose(one, other)
