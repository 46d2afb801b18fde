"""The defenders' cards, one by one: which of a class they have shown, and hands that fit all that was played.

Cards that touch are equals, so which of them is shown means nothing: it is the lowest that has not been seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.bridge.suit.rules import EAST, NORTH, OUT, SOUTH, WEST, Suit, SuitMove

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from worldwise.bridge.rules.cards import Holding, Rank
    from worldwise.bridge.suit.solver import SuitSolver
    from worldwise.bridge.suit.weighing import Mask


def deal_rounds(solver: SuitSolver, moves: Sequence[SuitMove]) -> tuple[tuple[SuitMove, ...], ...]:
    """The cards played, by rounds, of which the last may be unfinished; discards of declarer's are put in.

    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> solver = SuitSolver(Suit.of("AKQ9", "-"))
    >>> [str(card) for card in deal_rounds(solver, [SuitMove(NORTH, 14), SuitMove(EAST, 11), SuitMove(WEST, OUT)])[0]]
    ['NA', 'ET', 'S-', 'W-']
    """
    found: list[list[SuitMove]] = []
    shown: set[Rank] = set()
    table = solver.root
    for move in moves:
        if not table.trick:
            found.append([])
        card = _shown_card(solver.suit, move, shown)
        shown.add(card)
        found[-1].append(SuitMove(move.seat, card))
        table = solver.rules.after(table, move)
        if len(found[-1]) < (len(table.trick) or 4):
            found[-1].append(SuitMove((move.seat + 1) % 4, OUT))
    return tuple(map(tuple, found))


def _shown_card(suit: Suit, move: SuitMove, shown: Collection[Rank]) -> Rank:
    """The card that a defender shows of a class: one that is placed with him, or the lowest that is not shown yet."""
    if move.seat in (NORTH, SOUTH) or not move.card:
        return move.card
    own, others = (suit.west, suit.east) if move.seat == WEST else (suit.east, suit.west)
    left = [card for card in suit.classes[suit.class_of[move.card]] if card not in shown and card not in others]
    return min(left, key=lambda card: (card not in own, card))


def deal_layout(suit: Suit, worlds: Mask, cards: Sequence[SuitMove]) -> tuple[Holding, Holding]:
    """West's and East's cards in the likeliest of some worlds, such that each has had the cards that he played.

    >>> suit = Suit.of("AKQ9", "32")
    >>> deal_layout(suit, 1, [SuitMove(WEST, 10)])
    ((11, 10, 8, 7, 6, 5, 4), ())
    """
    number = max((place for place in range(len(suit.worlds)) if worlds >> place & 1), key=suit.weights.__getitem__)
    west: list[Rank] = []
    for count, members in zip(suit.worlds[number], suit.classes, strict=True):
        west += sorted(members, key=lambda card: _west_first(suit, card, cards))[:count]
    east = [card for members in suit.classes for card in members if card not in west]
    return tuple(sorted(west, reverse=True)), tuple(sorted(east, reverse=True))


def _west_first(suit: Suit, card: Rank, cards: Sequence[SuitMove]) -> tuple[bool, bool, Rank]:
    """Cards of a class in the order in which West has them: those he must have, others from the top, East's never."""
    west = card in suit.west or SuitMove(WEST, card) in cards
    return (not west, card in suit.east or SuitMove(EAST, card) in cards, -card)
