"""The ways the defenders' cards of a single suit can lie, written as players write them."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from worldwise.bridge.rules.cards import holding_name
from worldwise.bridge.suit.phrases import count_words, percent, signs

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from worldwise.bridge.rules.cards import Holding, Rank
    from worldwise.bridge.suit.rules import Suit, World
    from worldwise.bridge.suit.solver import SuitSolver
    from worldwise.bridge.suit.weighing import Mask

VOID = "void"


MOST_SHOWN = 4
"""How many layouts are listed before the rest is summed up."""


@dataclass(frozen=True)
class SuitLayout:
    """One way the defenders' cards can lie, up to cards that touch; ``many`` counts those that are no ``x``."""

    west: str
    east: str
    cards: tuple[int, int]
    ways: int
    many: int
    chance: Fraction

    def name(self, *, ascii: bool = False) -> str:  # noqa: A002
        """West's cards and East's."""
        return signs(f"{self.west}–{self.east}" + (f" ×{self.many}" if self.many > 1 else ""), ascii=ascii)


def layouts_of(suit: Suit, mask: Mask | None = None) -> list[SuitLayout]:
    """The layouts of a set of worlds, or all.

    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> from worldwise.bridge.suit.rules import Suit
    >>> solver = SuitSolver(Suit.of("AKQ9", "32"))
    >>> [layout.name() for layout in layouts_of(solver.suit, solver.goal(4).wins)]
    ['JTxxxxx–void', 'JTxxxx–x', 'JTxxx–xx', 'JTxx–xxx', 'JTx–xxxx', 'JT–xxxxx']
    """
    every = enumerate(suit.worlds)
    return [_layout(suit, number, world) for number, world in every if mask is None or mask >> number & 1]


def _layout(suit: Suit, number: int, world: World) -> SuitLayout:
    shared = [(cards, _west_of(suit, cards, has)) for cards, has in zip(suit.classes, world, strict=True)]
    west = "".join(_cards(suit, cards, held) for cards, held in shared)
    east = "".join(_cards(suit, cards, set(cards) - held) for cards, held in shared)
    ways = suit.ways(world)
    held = sum(world)
    named = ways[:-1] if has_spots(suit) else ways
    split = (held, suit.missing - held)
    return SuitLayout(west or VOID, east or VOID, split, prod(ways), prod(named), suit.chance([number]))


def likeliest(solver: SuitSolver, mask: Mask) -> tuple[SuitLayout, ...]:
    """The layouts of a set of worlds, the likeliest first."""
    return tuple(sorted(layouts_of(solver.suit, mask), key=lambda layout: -layout.chance))


def layouts_words(layouts: Sequence[SuitLayout], most: int = MOST_SHOWN) -> str:
    """The likeliest layouts with their chances, and how much the rest comes to."""
    shown = layouts if len(layouts) <= most + 1 else layouts[:most]
    parts = [f"{layout.name()} {percent(layout.chance)}" for layout in shown]
    if rest := layouts[len(shown) :]:
        parts.append(f"and {count_words(len(rest), 'other')} {percent(sum(layout.chance for layout in rest))}")
    return ", ".join(parts)


def has_spots(suit: Suit) -> bool:
    """Whether the lowest cards that touch are several, and so are written ``x``."""
    return bool(suit.classes) and len(suit.classes[-1]) > 1


def _west_of(suit: Suit, cards: Holding, has: int) -> set[Rank]:
    """Which cards of a class West has: those that are placed with him, and of the others the highest."""
    placed = [rank for rank in cards if rank in suit.west]
    free = [rank for rank in cards if rank not in suit.west and rank not in suit.east]
    return {*placed, *free[: has - len(placed)]}


def _cards(suit: Suit, cards: Holding, held: set[Rank]) -> str:
    """The cards of a class that a defender has; the lowest are any of their class, but for those that are placed."""
    spots = has_spots(suit) and cards == suit.classes[-1]
    named = held & {*suit.west, *suit.east} if spots else held
    return (holding_name(named) if named else "") + "x" * (len(held) - len(named))
