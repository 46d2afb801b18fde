"""One call for everything: run an algorithm, or all of them, on a game as fast as we can."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from math import isclose
from typing import TYPE_CHECKING, Literal

from worldwise.core.result import NO_LIMIT, Limit, SearchResult
from worldwise.errors import InputError, LimitReachedError
from worldwise.search.algorithms import ALGORITHMS, algorithm
from worldwise.search.alphamu import AlphaMu
from worldwise.search.exact import Exact
from worldwise.search.random_ties import Ties
from worldwise.search.strategy import evaluate
from worldwise.trees.compiled import compile_game

if TYPE_CHECKING:
    from collections.abc import Iterable

    from worldwise.core.game import AnyWorldGame
    from worldwise.core.result import Searcher
    from worldwise.search.face_up import FaceUp

OPTIMUM_LIMIT = Limit(seconds=10)
"""How long ``judge`` looks for the optimum if nobody asked for it, and nobody set a limit."""

Failure = Literal[
    "strategy fusion", "non-locality", "strategy fusion and non-locality", "a bad guess", "overrating MIN"
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
    """A result beside the optimum: ``optimal`` is None if that was out of reach, ``failure`` says what went wrong."""

    result: SearchResult
    optimal: bool | None
    failure: Failure | None


def judge(
    game: AnyWorldGame,
    searches: Iterable[str | Searcher] = ALGORITHMS,
    *,
    seed: int | None = None,
    known: Iterable[int] | None = None,
    limit: Limit = NO_LIMIT,
) -> list[Judgement]:
    """Run algorithms side by side and say which find the optimum, and what fails in the others.

    What has no answer when the limit runs out has no row; if nothing has, there is a ``LimitReachedError``. If it is
    the exact search, no result is called optimal or not. Where that is not asked for and there is no limit, it is given
    ``OPTIMUM_LIMIT``.

    >>> import worldwise
    >>> [verdict.failure for verdict in judge(worldwise.tree("fb01/fig-11"), ["monte-carlo", "vector-mm"])]
    ['strategy fusion', None]
    """
    worlds, wanted = None if known is None else frozenset(known), list(searches)
    best = _optimum(game, worlds, limit if "exact" in wanted or limit != NO_LIMIT else OPTIMUM_LIMIT)
    verdicts, late = [], LimitReachedError("the exact search", limit)
    for search in wanted:
        try:
            result = best if search == "exact" else solve(game, search, seed=seed, known=worlds, limit=limit)
        except LimitReachedError as error:
            result, late = None, error
        if result is None:
            continue
        optimal = None if best is None else result.value == best.value
        failure = _failure(game, result, best, seed, worlds, limit) if best and not optimal else None
        verdicts.append(Judgement(result, optimal, failure))
    if not verdicts:
        raise late
    return verdicts


def _optimum(game: AnyWorldGame, known: frozenset[int] | None, limit: Limit) -> SearchResult | None:
    with suppress(LimitReachedError):
        return solve(game, "exact", known=known, limit=limit)
    return None


def _failure(
    game: AnyWorldGame,
    result: SearchResult,
    best: SearchResult,
    seed: int | None,
    known: frozenset[int] | None,
    limit: Limit,
) -> Failure | None:
    """Why a strategy is not the best; None if there is no time to find out."""
    with suppress(LimitReachedError):
        return _diagnose(game, result, best, seed, known, limit)
    return None


def _diagnose(
    game: AnyWorldGame,
    result: SearchResult,
    best: SearchResult,
    seed: int | None,
    known: frozenset[int] | None,
    limit: Limit,
) -> Failure:
    """Why a strategy is not the best.

    If it is the best against best defence, the search took MIN for better informed than he is (FB01 section 4.1).
    If only Monte Carlo gets it wrong, MAX's strategies were fused (4.2). What vector minimaxing gets wrong too,
    choosing by direct subtrees alone, is non-locality (4.3); unless it is iterating that lost what one pass has. Where
    Monte Carlo believes in more than any strategy gets, it has fused some, whatever else it did.
    """
    if known is not None:
        ideal = _optimum(game, None, limit if limit != NO_LIMIT else OPTIMUM_LIMIT)
        if ideal and evaluate(compile_game(game), result.strategy).value == ideal.value:
            return "overrating MIN"
    if result.algorithm.startswith("monte-carlo"):
        if solve(game, "vector-mm", seed=seed, known=known, limit=limit).value > result.value:
            return "strategy fusion"
        # A sample may be lucky; only a belief about all worlds tells.
        whole = result if result.algorithm == "monte-carlo" else solve(game, "monte-carlo", limit=limit)
        return "strategy fusion and non-locality" if _is_more(whole.believed, best.value) else "non-locality"
    if result.algorithm.startswith("i"):
        one_pass = "vector-mm" if result.algorithm == "ivm" else result.algorithm[1:]
        if solve(game, one_pass, seed=seed, known=known, limit=limit).value > result.value:
            return "a bad guess"
    return "non-locality"


def _is_more(one: float, other: float) -> bool:
    """Not only by what rounding does to sums."""
    return one > other and not isclose(one, other)
