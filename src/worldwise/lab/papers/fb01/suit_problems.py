"""Problems of single-suit play: combinations drawn by a rule, and the public ones that others have solved too.

FB01 took 650 problems from the *Official Encyclopedia of Bridge*, which is not public. Ours are drawn in its manner.
A stratum is a number of cards, 5 to 10, and how many of them are *high*, 1 to 6 of A K Q J T 9 8; the others, six at
most, are the lowest there are. The longer hand has six at most, and neither is void. The goal is the greatest number of
tricks that declarer has a chance of. A combination counts if that chance is not a certainty, if the tree has at most
``MOST_NODES`` nodes, and if it was not drawn before. Strata give one each in turn; one that gives none in
``MOST_DRAWS`` draws is used up. The first 650 are as many as the paper had; there are eleven times as many, because
among the best algorithms errors are so rare that 650 problems do not tell them apart.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, NamedTuple, cast

from worldwise.bridge.rules.cards import holding_name
from worldwise.bridge.suit.rules import Suit
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.trees import suit_tree
from worldwise.catalog import suit_facts
from worldwise.errors import TreeError
from worldwise.lab.table import published_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator

HIGH = (14, 13, 12, 11, 10, 9, 8)
STRATA = tuple((cards, high) for cards in range(5, 11) for high in range(1, 7) if high <= cards <= high + 6)
LONGEST = 6
MOST_NODES = 3_000_000
MOST_DRAWS = 100


class SuitProblem(NamedTuple):
    """Two hands and a goal."""

    north: str
    south: str
    tricks: int


def drawn_problems() -> tuple[SuitProblem, ...]:
    """The first 7,150 that ``draw`` gives for seed 0; they lie in a file because drawing them takes a minute.

    >>> len(drawn_problems()), drawn_problems()[0]
    (7150, SuitProblem(north='Q532', south='4', tricks=1))
    """
    records = published_numbers("worldwise.lab", "suit_problems.csv").records()
    return tuple(
        SuitProblem(str(record["north"]), str(record["south"]), cast("int", record["tricks"])) for record in records
    )


def public_problems() -> tuple[SuitProblem, ...]:
    """Those of ``catalog.suit_facts`` that have a goal and no certain answer."""
    return tuple(
        SuitProblem(fact.north, fact.south, fact.tricks)
        for fact in suit_facts()
        if fact.tricks is not None and fact.percent is not None and 0 < fact.percent < 100
    )


def draw(seed: int) -> Iterator[SuitProblem]:
    """Problems without end, stratum by stratum, until every stratum is used up."""
    seen: set[SuitProblem] = set()
    strata = {stratum: Random(f"{seed} {stratum}") for stratum in STRATA}
    while strata:
        for stratum, rng in list(strata.items()):
            problem = _next(rng, *stratum, seen)
            if problem is None:
                del strata[stratum]
            else:
                seen.add(problem)
                yield problem


def _next(rng: Random, cards: int, high: int, seen: set[SuitProblem]) -> SuitProblem | None:
    for _ in range(MOST_DRAWS):
        problem = _problem(_combination(rng, cards, high))
        if problem and problem not in seen and _is_small(problem):
            return problem
    return None


def _combination(rng: Random, cards: int, high: int) -> Suit:
    """High cards and hands at random; of hands as long as each other, the one with the highest card is North."""
    held = sorted([*rng.sample(HIGH, high), *range(2, 2 + cards - high)], reverse=True)
    longer = set(rng.sample(held, rng.randint((cards + 1) // 2, min(cards - 1, LONGEST))))
    hands = [tuple(card for card in held if (card in longer) == chosen) for chosen in (True, False)]
    north, south = sorted(hands, key=lambda hand: (len(hand), hand), reverse=True)
    return Suit(north, south)


def _problem(suit: Suit) -> SuitProblem | None:
    """The greatest number of tricks there is a chance of; None if that is certain, or there is no chance of any."""
    solver = SuitSolver(suit)
    chances = {tricks: solver.goal(tricks).chance for tricks in range(1, suit.length + 1)}
    most = max((tricks for tricks, chance in chances.items() if chance), default=0)
    if not most or chances[most] == 1:
        return None
    return SuitProblem(holding_name(suit.north), holding_name(suit.south), most)


def _is_small(problem: SuitProblem) -> bool:
    try:
        suit_tree(Suit.of(problem.north, problem.south), problem.tricks, most_nodes=MOST_NODES)
    except TreeError:
        return False
    return True
