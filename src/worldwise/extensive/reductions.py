"""Hard problems as games: 3-PARTITION as a pure equilibrium (BMV96 Theorem 2), satisfiability as a forgetful player.

Theorem 1 is Koller and Megiddo's: one player who forgets is enough to make it NP-hard to play well.
"""

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


def satisfiability_game(clauses: Sequence[Sequence[int]]) -> ExtensiveGame:
    """A game of one forgetful player who is sure to win just if the clauses can all be true at once (BMV96 Theorem 1).

    A clause is a list of literals: 3 is variable 3, -3 its negation. Chance draws a clause. The player is asked for the
    values of its variables, one after another, and knows which variable he is asked for, but neither the clause nor
    what he has said. He wins as soon as the clause is true. So the value, times the number of clauses, is the most of
    them that can be true.

    >>> game = satisfiability_game([(1, 2), (-1, 2), (1, -2), (-1, -2)])
    >>> from worldwise.search import ExtensiveBruteForce
    >>> str(ExtensiveBruteForce().search(game).value)
    '3/4'
    """
    if not clauses:
        raise InputError("a game of clauses expects at least one, found none")
    for clause in clauses:
        variables = {abs(literal) for literal in clause}
        if not clause or 0 in variables or len(variables) < len(clause):
            raise InputError(f"expected literals of different variables, such as 1, -2, 3, found {list(clause)}")
    builder = GameBuilder(("player",))
    builder.chance([_clause_word(clause) for clause in clauses], [Fraction(1, len(clauses))] * len(clauses))
    for clause in clauses:
        for literal in clause:
            builder.decision(0, f"x{abs(literal)}", ["true", "false"])
            if literal > 0:
                builder.leaf((1,))
        builder.leaf((0,))
        for literal in reversed(clause):
            if literal < 0:
                builder.leaf((1,))
    return builder.game(f"clauses {', '.join(map(_clause_word, clauses))}", bounds=(1,))


def _clause_word(clause: Sequence[int]) -> str:
    return " or ".join(f"{'not ' * (literal < 0)}x{abs(literal)}" for literal in clause)


def assignment_of(game: ExtensiveGame, profile: Mapping[Any, int]) -> dict[int, bool]:
    """What a strategy of a ``satisfiability_game`` takes each variable for, where it is asked.

    >>> game = satisfiability_game([(1, 2), (-1,)])
    >>> from worldwise.search import ExtensiveBruteForce
    >>> assignment_of(game, ExtensiveBruteForce().search(game).profile)
    {1: False, 2: True}
    """
    return {int(game.events[number].name[1:]): not profile[number] for number in sorted(profile)}
