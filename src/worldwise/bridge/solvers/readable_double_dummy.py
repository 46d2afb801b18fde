"""The readable double dummy: alpha-beta over the rules, with a table of the positions it has met.

It is what the faster solvers are compared with, and what answers when neither of them is there: up to six or seven
cards a hand in a moment, a whole deal hardly ever. What is said about a position counts for the side whose turn it is,
with the trick on the table included.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.bridge.rules.deal import Seat, cards_in
from worldwise.bridge.rules.play import different_cards

if TYPE_CHECKING:
    from worldwise.bridge.rules.contract import Strain
    from worldwise.bridge.rules.deal import Card
    from worldwise.bridge.rules.play import Hands, Position

Bounds = dict[tuple["Hands", tuple["Card", ...], Seat, "Strain"], tuple[int, int]]
"""For hands, the cards on the table, who led, and trumps: how many tricks North and South take at least and at most."""


def tricks(position: Position, known: Bounds | None = None) -> int:
    """The most tricks the side to move can still take; what is found on the way is added to what is ``known``.

    >>> from worldwise.bridge.rules.contract import Strain
    >>> from worldwise.bridge.rules.deal import Deal
    >>> from worldwise.bridge.rules.play import Position
    >>> hands = Deal.read("N:AQ... 32... 54... KJ...").hands
    >>> tricks(Position(hands, Strain.NOTRUMP, Seat.SOUTH)), tricks(Position(hands, Strain.NOTRUMP, Seat.NORTH))
    (2, 1)
    """
    bounds = {} if known is None else known
    return sum(_can_take(position, target, bounds) for target in range(1, position.tricks_left + 1))


def can_take(position: Position, target: int, known: Bounds | None = None) -> bool:
    """Whether the side to move can take so many tricks."""
    return _can_take(position, target, {} if known is None else known)


def cards(position: Position) -> dict[Card, int]:
    """For every legal card, the most tricks the side to move can still take after it."""
    return {card: _after(position, position.play(card)) for card in cards_in(position.legal)}


def _after(before: Position, after: Position) -> int:
    """What the side that moved takes, from before its move."""
    side = before.to_move & 1
    best = tricks(after)
    return after.won[side] - before.won[side] + (best if after.to_move & 1 == side else after.tricks_left - best)


def _can_take(position: Position, target: int, bounds: Bounds) -> bool:
    """The question is put about North and South: East and West take ``target`` if those do not take the rest."""
    if position.to_move & 1 == 0:
        return _north_south_take(position, target, bounds)
    return not _north_south_take(position, position.tricks_left - target + 1, bounds)


def _north_south_take(position: Position, target: int, bounds: Bounds) -> bool:
    left = position.tricks_left
    if not 0 < target <= left:
        return target <= 0
    key = position.hands, position.trick, position.leader, position.trumps
    low, high = bounds.get(key, (0, left))
    if low < target <= high:
        take = _by_some_card(position, target, bounds)
        low, high = (target, high) if take else (low, target - 1)
        bounds[key] = low, high
    return target <= low


def _by_some_card(position: Position, target: int, bounds: Bounds) -> bool:
    """Whose turn it is needs one card that does it: North and South to take the target, the others to prevent it."""
    ours = position.to_move & 1 == 0
    children = map(position.play, different_cards(position))
    return ours == any(
        ours == _north_south_take(after, target - after.won[0] + position.won[0], bounds) for after in children
    )
