"""3-PARTITION is a pure-strategy equilibrium in disguise: the reduction of BMV96 Theorem 2, both ways."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from worldwise.errors import InputError
from worldwise.extensive.building import GameBuilder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from worldwise.extensive.game import ExtensiveGame


def three_partition_game(sizes: Sequence[int]) -> ExtensiveGame:
    """A zero-sum game of two players with perfect recall, which has a pure equilibrium just if the sizes part evenly.

    Given are 3m sizes with sum mB, each above B/4 and below B/2; wanted are m triples, each of sum B. Chance names an
    element or one of m balancing nodes; player 1 puts the element into a set, which player 2 sees, and he guesses on
    which side of B the set comes out.

    >>> game = three_partition_game([6, 8, 7, 6, 7, 6])  # BMV96 Fig 4
    >>> len(game), sum(1 for _ in game.information_sets(0)), sum(1 for _ in game.information_sets(1))
    (51, 8, 2)
    """
    sets, target = _check(sizes)
    builder = GameBuilder(("player 1", "player 2"))
    first = [*(f"b{j + 1}" for j in range(sets)), *(f"a{i + 1}" for i in range(len(sizes)))]
    builder.chance(first, [Fraction(1, len(first))] * len(first))
    for j in range(sets):
        builder.decision(0, f"b{j + 1}", [f"set {j + 1}"])
        _guess(builder, j, target, name=f"b'{j + 1}")
    for i, size in enumerate(sizes):
        builder.decision(0, f"a{i + 1}", [f"set {j + 1}" for j in range(sets)])
        for j in range(sets):
            _guess(builder, j, -size, name=f"a{i + 1},{j + 1}")
    return builder.game(f"3-PARTITION of {', '.join(map(str, sizes))}")


def _guess(builder: GameBuilder, chosen: int, amount: int, name: str) -> None:
    builder.decision(1, f"I{chosen + 1}", ["left", "right"], name=name)
    for payoff in (-amount, amount):
        builder.leaf((payoff, -payoff))


def partition_of(game: ExtensiveGame, profile: Mapping[Any, int]) -> tuple[tuple[int, ...], ...]:
    """The triples of elements, numbered from 1, that an equilibrium of a ``three_partition_game`` puts together.

    >>> from worldwise.search.equilibrium import PureEquilibrium
    >>> game = three_partition_game([6, 8, 7, 6, 7, 6])
    >>> partition_of(game, PureEquilibrium().search(game).profile)
    ((1, 2, 4), (3, 5, 6))
    """
    chosen: dict[int, list[int]] = {}
    for number in game.information_sets(0):
        name = game.events[number].name
        if name.startswith("a"):
            chosen.setdefault(profile[number], []).append(int(name[1:]))
    return tuple(tuple(chosen[key]) for key in sorted(chosen))


def _check(sizes: Sequence[int]) -> tuple[int, int]:
    """The number of sets m and the bound B, if this is an instance of 3-PARTITION."""
    sets, rest = divmod(len(sizes), 3)
    if rest or not sets:
        raise InputError(f"3-PARTITION expects 3, 6, 9 ... sizes, found {len(sizes)}")
    target, rest = divmod(sum(sizes), sets)
    if rest:
        raise InputError(f"3-PARTITION expects sizes whose sum is a multiple of {sets}, found {sum(sizes)}")
    for size in sizes:
        if not target < 4 * size < 2 * target:
            raise InputError(f"3-PARTITION expects sizes above {target}/4 and below {target}/2, found {size}")
    return sets, target
