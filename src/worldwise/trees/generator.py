"""Random trees as FB01 grows them: complete, MAX first, payoffs 0 or 1 (sections 4 and 8.3)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from worldwise.errors import InputError
from worldwise.trees.preorder import LEAF, MAX, MIN
from worldwise.trees.world_tree import WorldTree

if TYPE_CHECKING:
    from numpy.typing import NDArray


def random_tree(depth: int, worlds: int, *, branching: int = 2, similarity: float = 0.0, seed: int = 0) -> WorldTree:
    """A complete tree whose payoffs keep MAX's chances the same at every depth.

    With probability ``similarity``, each world is overwritten by one common dummy world (FB01 section 8.3).

    >>> random_tree(depth=2, worlds=3, seed=1)
    <WorldTree 'random tree, seed 1': 7 nodes, 4 leaves, 3 worlds>
    """
    _check(depth, worlds, branching, similarity)
    kind, end = complete_shape(depth, branching)
    rng = np.random.default_rng(seed)
    payoffs = random_payoffs(rng, depth, branching**depth, worlds, branching, similarity)
    return WorldTree(kind, end, payoffs, (1,) * worlds, title=f"random tree, seed {seed}")


def random_payoffs(
    rng: np.random.Generator, depth: int, leaves: int, worlds: int, branching: int, similarity: float
) -> NDArray[np.float64]:
    """A row of 0s and 1s for every leaf."""
    chance = last_player_chance(branching)
    chance = chance if depth % 2 else 1 - chance
    drawn = rng.random((leaves, worlds + 1)) < chance
    copied = rng.random(worlds) < similarity
    return np.where(copied, drawn[:, -1:], drawn[:, :-1]).astype(np.float64)


@cache
def last_player_chance(branching: int) -> float:
    """Nau's Last Player Theorem: the p with (1 - p)**branching = p; then levels do not change who wins.

    >>> round(last_player_chance(2), 5)
    0.38197
    """
    low, high = 0.0, 1.0
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if (1 - middle) ** branching > middle else (low, middle)
    return low


@cache
def complete_shape(depth: int, branching: int) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """The kinds and ends of a complete tree, MAX first and alternating."""
    kind, end = np.array([LEAF], dtype=np.uint8), np.array([1], dtype=np.int32)
    for height in range(1, depth + 1):
        side = MAX if (depth - height) % 2 == 0 else MIN
        starts = 1 + len(kind) * np.arange(branching, dtype=np.int32)
        end = np.concatenate([[1 + branching * len(kind)], (starts[:, None] + end).ravel()]).astype(np.int32)
        kind = np.concatenate([[side], np.tile(kind, branching)]).astype(np.uint8)
    return kind, end


_MOST_PAYOFFS = 2**28


def _check(depth: int, worlds: int, branching: int, similarity: float) -> None:
    for name, value, least in (("depth", depth, 0), ("worlds", worlds, 1), ("branching", branching, 1)):
        if value < least:
            raise InputError(f"expected {name} of at least {least}, found {value}")
    if not 0 <= similarity <= 1:
        raise InputError(f"expected similarity between 0 and 1, found {similarity}")
    if depth > 10_000 or branching**depth * worlds > _MOST_PAYOFFS:
        raise InputError(
            f"expected at most {_MOST_PAYOFFS:,} payoffs, found {branching}**{depth} leaves of {worlds} worlds"
        )
