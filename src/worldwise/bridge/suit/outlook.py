"""What is to be seen at a table of a single suit: what a line has still to win, and which plays keep it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.bridge.suit.rules import FREE, OUT, WEST, SuitMove, SuitTable
from worldwise.bridge.suit.steps import LOW, hand

if TYPE_CHECKING:
    from worldwise.bridge.rules.cards import Rank
    from worldwise.bridge.suit.fronts import Levels
    from worldwise.bridge.suit.solver import SuitSolver
    from worldwise.bridge.suit.weighing import Mask


class Outlook:
    """What a line still has to win at a table, what the defenders can do about it, and which plays keep it."""

    def __init__(self, solver: SuitSolver, levels: Levels, goal: int | None) -> None:
        self.solver, self.levels, self.goal = solver, levels, goal
        self._possible: dict[tuple[object, ...], Mask] = {}
        self._secured: dict[SuitTable, bool] = {}
        self._after: dict[tuple[SuitTable, SuitMove], SuitTable] = {}
        self._defences: dict[SuitTable, list[SuitMove]] = {}

    def open(self, table: SuitTable) -> Mask:
        """The worlds in which something is still to be won."""
        most = self.solver.suit.length if self.goal is None else self.goal
        if table.tricks >= most:
            return 0
        return self.possible(table) & self.levels[table.tricks if self.goal is None else self.goal - 1]

    def possible(self, table: SuitTable) -> Mask:
        """The worlds that a table allows."""
        key = table[2:6]
        if key not in self._possible:
            self._possible[key] = self.solver.rules.possible(table)
        return self._possible[key]

    def secures(self, table: SuitTable) -> bool:
        """Whether all that is to be won still can be."""
        if table not in self._secured:
            self._secured[table] = not self.open(table) or self.solver.secures(table, self.levels, self.goal)
        return self._secured[table]

    def after(self, table: SuitTable, move: SuitMove) -> SuitTable:
        """The table after a card; kept, because plans that are compared share most of their tables."""
        key = table, move
        if key not in self._after:
            self._after[key] = self.solver.rules.after(table, move)
        return self._after[key]

    def defences(self, table: SuitTable) -> list[SuitMove]:
        """What the next defender can play where something is still to be won."""
        if table not in self._defences:
            seat = (table.trick[0].seat + len(table.trick)) % 4
            is_out = table.west_out if seat == WEST else table.east_out
            cards = (OUT,) if is_out else (*(cards[0] for cards in self.solver.suit.classes), OUT)
            moves = [SuitMove(seat, card) for card in cards]
            self._defences[table] = [move for move in moves if self._leaves_something(table, move)]
        return self._defences[table]

    def _leaves_something(self, table: SuitTable, move: SuitMove) -> bool:
        return bool(self.open(self.after(table, move)._replace(tricks=table.tricks)))

    def is_winner(self, table: SuitTable, card: Rank) -> bool:
        """Whether no defender has a higher card, on the table or off it."""
        return not self.is_between(table, card, 15)

    def is_between(self, table: SuitTable, low: Rank, high: Rank) -> bool:
        """Whether a defender's card that is still out, or a card of the trick, lies between two cards."""
        classes = zip(self.solver.suit.classes, table.west, table.east, strict=True)
        still_out = any(low < cards[0] < high and west + east < len(cards) for cards, west, east in classes)
        return still_out or any(low < move.card < high for move in table.trick)

    # ------------------------------------------------------------------ how cards are called

    def lead_card(self, table: SuitTable, move: SuitMove) -> Rank:
        """Of cards that touch, people lead the highest; low is low."""
        return LOW if move.card == hand(table, move.seat)[-1] < 10 else max(self.touching_cards(table, move))

    def third_card(self, table: SuitTable, move: SuitMove) -> Rank:
        """Winners are won with cheaply; of others that touch, people play the highest; low is low."""
        best = max(played.card for played in table.trick)
        if move.card == hand(table, move.seat)[-1] and (move.card < best or move.card < 7):
            return LOW
        return move.card if self.is_winner(table, move.card) else max(self.touching_cards(table, move))

    def spoken_move(self, table: SuitTable, move: SuitMove) -> SuitMove:
        """Of declarer's cards that touch, the one that is named."""
        card = self.third_card(table, move) if table.trick else self.lead_card(table, move)
        return SuitMove(move.seat, card or move.card)

    def touching_cards(self, table: SuitTable, move: SuitMove) -> list[Rank]:
        """A card, and those above it in the same hand that are as good."""
        if self.solver.entries != FREE:
            return [move.card]
        cards = [card for card in hand(table, move.seat) if card >= move.card]
        return [card for card in cards if not self.is_between(table, move.card, card)]
