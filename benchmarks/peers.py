"""The algorithms as one would first write them: nested tuples, vectors as tuples of numbers, fronts as Python sets.

Benchmarks measure worldwise against these in the same run; tests use them as witnesses that share no code with it.
A node is ("max" | "min", [children]) or ("leaf", vector); undefined payoffs are None.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldwise.core.game import AnyWorldGame, Side

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Node = tuple[str, Any]
Vector = tuple[Any, ...]


def nested(game: AnyWorldGame, position: Any = None) -> Node:
    """A game as nested tuples."""
    position = game.root if position is None else position
    side = game.to_move(position)
    if side is None:
        return "leaf", tuple(game.payoffs(position))
    children = [nested(game, game.play(position, move)) for move in game.moves(position)]
    return ("max" if side is Side.MAX else "min"), children


def least(a: Any, b: Any) -> Any:
    """The minimum, undefined being ignored (FB01 section 2.3)."""
    return b if a is None else a if b is None else min(a, b)


def greatest(a: Any, b: Any) -> Any:
    """The maximum, undefined being ignored."""
    return b if a is None else a if b is None else max(a, b)


def mean(vector: Vector, weights: Sequence[Any]) -> Any:
    """FB01 equation 6."""
    return sum(weight * payoff for weight, payoff in zip(weights, vector, strict=True) if payoff is not None)


def minimum(vectors: Sequence[Vector]) -> Vector:
    """FB01 equation 3."""
    result = vectors[0]
    for vector in vectors[1:]:
        result = tuple(map(least, result, vector))
    return result


def monte_carlo(node: Node) -> Vector:
    """Single-pass Monte Carlo: FB01 equations 3 and 4."""
    kind, rest = node
    if kind == "leaf":
        return tuple(rest)
    vectors = [monte_carlo(child) for child in rest]
    if kind == "min":
        return minimum(vectors)
    result = vectors[0]
    for vector in vectors[1:]:
        result = tuple(map(greatest, result, vector))
    return result


def vector_mm(node: Node, weights: Sequence[Any]) -> tuple[Vector, list[int]]:
    """FB01 Fig 16: the vector backed up, and the branches chosen at MAX nodes below, in preorder."""
    kind, rest = node
    if kind == "leaf":
        return rest, []
    backed = [vector_mm(child, weights) for child in rest]
    if kind == "min":
        return minimum([vector for vector, _ in backed]), [move for _, moves in backed for move in moves]
    best = max(range(len(rest)), key=lambda branch: mean(backed[branch][0], weights))
    return backed[best][0], [best, *backed[best][1]]


def biased(node: Node, key: Callable[[Vector], Any]) -> Vector:
    """FB01 Fig 23: one biased pass, whose MAX takes the vector that comes first by a key, the earlier of equals."""
    kind, rest = node
    if kind == "leaf":
        return tuple(rest)
    vectors = [biased(child, key) for child in rest]
    return minimum(vectors) if kind == "min" else max(vectors, key=key)


def reduced(node: Node, cap: Vector) -> Node:
    """FB01 Fig 19, steps 1 and 2: every payoff reduced to the minimax values of its MIN ancestors."""
    kind, rest = node
    if kind == "leaf":
        return kind, tuple(p if p is None else least(p, c) for p, c in zip(rest, cap, strict=True))
    if kind == "min":
        cap = tuple(map(least, cap, monte_carlo(node)))
    return kind, [reduced(child, cap) for child in rest]


def vm_beta(node: Node, weights: Sequence[Any], alpha: Vector | None, beta: Vector, *, reduce: bool = True) -> Vector:
    """FB01 Fig 21 to the letter, pruning included, with leaves reduced as in equation 7; or not: then vm-alphabeta."""
    kind, rest = node
    if kind == "leaf":
        return tuple(p if p is None or not reduce else least(p, b) for p, b in zip(rest, beta, strict=True))
    for child in rest:
        value = vm_beta(child, weights, alpha, beta, reduce=reduce)
        if kind == "min":
            beta = tuple(map(least, beta, value))
        elif alpha is None or mean(value, weights) > mean(alpha, weights):
            alpha = value
        if alpha is not None and tuple(map(least, alpha, beta)) == beta:
            return alpha if kind == "min" else beta
    return beta if kind == "min" else alpha or ()


def exact_front(node: Node) -> set[Vector]:
    """FBM97's Appendix with sets of tuples: every undominated vector."""
    kind, rest = node
    if kind == "leaf":
        return {rest}
    fronts = [exact_front(child) for child in rest]
    result = fronts[0]
    for front in fronts[1:]:
        if kind == "max":
            result = thinned(result | front)
        else:
            result = thinned({tuple(map(least, a, b)) for a in result for b in front})
    return result


def thinned(vectors: set[Vector]) -> set[Vector]:
    """Without the dominated ones."""
    return {a for a in vectors if not any(a != b and no_better(a, b) for b in vectors)}


def no_better(a: Vector, b: Vector) -> bool:
    """Whether a is at most b in every world; undefined is best."""
    return all(y is None or (x is not None and x <= y) for x, y in zip(a, b, strict=True))
