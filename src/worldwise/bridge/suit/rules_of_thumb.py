"""Rules of thumb for a single suit: the natural finesse, the drop, and a low card from the weaker hand.

They look at declarer's cards and at what is still out, and at nothing else: which is why they go wrong. A rule is a
function from a table to one of declarer's plays there, and ``ThumbLine`` is the line of who follows it to the end.

``finesse``
    Lead low towards the highest card that has a gap above it and a higher card of the same hand above that, and play
    it. Without such a tenace run an honour that has a friend beside it towards a higher one, lead low towards a lone
    honour, and otherwise play from the top.
``drop``
    Lead the highest card of both hands, every time.
``low``
    Lead the lowest card from the weaker hand, and play third hand high; from the top once a hand has none left.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import TYPE_CHECKING

from worldwise.bridge.suit.fixed_line import FixedLine
from worldwise.bridge.suit.outlook import Outlook
from worldwise.bridge.suit.rules import NORTH, SOUTH, SuitMove, SuitTable
from worldwise.bridge.suit.steps import LOW, hand

if TYPE_CHECKING:
    from collections.abc import Mapping

    from worldwise.bridge.rules.cards import Holding, Rank
    from worldwise.bridge.suit.solver import SuitSolver

Rule = Callable[[Outlook, SuitTable], SuitMove]
"""What a rule of thumb plays at a table where it is declarer's turn."""

HONOUR = 10
"""From this rank on a card is run, not led low."""


class ThumbLine(FixedLine):
    """The line of one who follows a rule of thumb.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> solver = SuitSolver(Suit.of("AKQ9", "32"))
    >>> {name: round(float(ThumbLine(solver, 4, rule).chance), 4) for name, rule in RULES_OF_THUMB.items()}
    {'finesse': 0.24, 'drop': 0.1034, 'low': 0.1034}
    """

    def __init__(self, solver: SuitSolver, tricks: int, rule: Rule) -> None:
        super().__init__(Outlook(solver, (solver.suit.every_world,) * tricks, tricks), tricks)
        self.rule = rule

    def play(self, table: SuitTable) -> SuitMove:
        """What the rule says."""
        return self.rule(self.view, table)

    def is_hopeless(self, table: SuitTable) -> bool:
        """Whether there are too few tricks left."""
        left = max(len(table.north), len(table.south))
        return not table.trick and (table.tricks + left < self.tricks or self.rules.is_over(table))


# ---------------------------------------------------------------------- the rules


def finesse(view: Outlook, table: SuitTable) -> SuitMove:
    """The natural finesse."""
    if table.trick:
        return _finesse_or_win(view, table)
    if tenaces := _tenaces(view, table):
        _, seat = max(tenaces)
        return _lead(view, table, 2 - seat)
    if runners := [seat for seat in _leaders(view, table) if _can_run(view, table, seat)]:
        return _lead(view, table, runners[0], hand(table, runners[0])[0])
    weaker = _weaker_hand(view, table)
    opposite = hand(table, 2 - weaker)
    if opposite and not view.is_winner(table, opposite[0]):
        return _lead(view, table, weaker)
    return drop(view, table)


def drop(view: Outlook, table: SuitTable) -> SuitMove:
    """From the top."""
    if table.trick:
        return _win(view, table)
    seat, card = max(((seat, hand(table, seat)[0]) for seat in _leaders(view, table)), key=lambda top: top[1])
    return _lead(view, table, seat, card)


def low(view: Outlook, table: SuitTable) -> SuitMove:
    """A low card from the weaker hand, and third hand high."""
    weaker = None if table.trick else _weaker_hand(view, table)
    return drop(view, table) if weaker is None or not hand(table, 2 - weaker) else _lead(view, table, weaker)


RULES_OF_THUMB: Mapping[str, Rule] = MappingProxyType({"finesse": finesse, "drop": drop, "low": low})


# ---------------------------------------------------------------------- leads


def _leaders(view: Outlook, table: SuitTable) -> list[int]:
    """The hands that can lead."""
    return list(dict.fromkeys(move.seat for move in view.solver.rules.options(table)))


def _lead(view: Outlook, table: SuitTable, seat: int, card: Rank = LOW) -> SuitMove:
    """A card, or that of those that touch it which stands for all; the lowest if none is named."""
    options = [move for move in view.solver.rules.options(table) if move.seat == seat]
    return max((move for move in options if move.card <= card), default=options[0])


def _weaker_hand(view: Outlook, table: SuitTable) -> int:
    """The hand with fewer points, or lower cards, of those that can lead."""
    return min(_leaders(view, table), key=lambda seat: _strength(hand(table, seat)))


def _strength(cards: Holding) -> tuple[int, int]:
    return sum(max(0, card - 10) for card in cards), sum(cards)


def _tenaces(view: Outlook, table: SuitTable) -> list[tuple[Rank, int]]:
    """Cards below a gap that a higher card of their hand covers, and their hands, if they can be led to."""
    return [
        (card, seat)
        for seat in (NORTH, SOUTH)
        if 2 - seat in _leaders(view, table)
        for card in hand(table, seat)
        if card > hand(table, 2 - seat)[-1] and _has_gap(view, table, card, hand(table, seat))
    ]


def _has_gap(view: Outlook, table: SuitTable, card: Rank, cards: Holding) -> bool:
    """Whether a defender's card may be caught between a card and a higher one."""
    return any(view.is_between(table, card, higher) for higher in cards if higher > card)


def _can_run(view: Outlook, table: SuitTable, seat: int) -> bool:
    """Whether a hand's best card is an honour with a friend that touches it, below a gap that partner covers."""
    cards = hand(table, seat)
    has_friend = len(cards) > 1 and not view.is_between(table, cards[1], cards[0])
    return has_friend and cards[0] >= HONOUR and _has_gap(view, table, cards[0], hand(table, 2 - seat))


# ---------------------------------------------------------------------- third hand


def _winning_plays(view: Outlook, table: SuitTable) -> list[SuitMove]:
    """Third hand's plays that beat all that lies there, the lowest first."""
    best = max(move.card for move in table.trick)
    return [move for move in view.solver.rules.options(table) if move.card > best]


def _low(view: Outlook, table: SuitTable) -> SuitMove:
    return view.solver.rules.options(table)[0]


def _is_good(view: Outlook, table: SuitTable) -> bool:
    """Whether partner's lead is an honour, or a winner, that second hand has not beaten."""
    lead = table.trick[0].card
    is_best = lead == max(move.card for move in table.trick)
    return is_best and (lead >= HONOUR or view.is_winner(table, lead))


def _win(view: Outlook, table: SuitTable) -> SuitMove:
    """Third hand high, unless partner's card is good."""
    if _is_good(view, table):
        return _low(view, table)
    return (_winning_plays(view, table) or [_low(view, table)])[-1]


def _finesse_or_win(view: Outlook, table: SuitTable) -> SuitMove:
    """The highest card that has a gap above it which the hand covers; without one, third hand high."""
    if _is_good(view, table):
        return _low(view, table)
    cards = hand(table, (table.trick[0].seat + 2) % 4)
    covered = [move for move in _winning_plays(view, table) if _has_gap(view, table, move.card, cards)]
    return covered[-1] if covered else _win(view, table)
