"""A deal as a figure: four hands around the table, the trick on it, the facts in the corners."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from worldwise.bridge.rules.cards import rank_name
from worldwise.bridge.rules.deal import SEATS, Seat, rank_of, suit_of
from worldwise.bridge.views.deal_picture import SYMBOLS, DealPicture, holding_words, symbols_in
from worldwise.views.lettering import MARGIN, SMALL, TEXT, text_width
from worldwise.views.svg import FAINT, INK, PAPER, TINT, add, finish_svg, page, px, rectangle, write

if TYPE_CHECKING:
    from collections.abc import Collection
    from xml.etree.ElementTree import Element

    from worldwise.bridge.rules.board import Board
    from worldwise.bridge.rules.deal import Card

_RED = "#c1272d"
"""Hearts and diamonds; their shapes tell them apart for those who see no colours."""

_ROW, _SIGN = 19.0, 17.0
_HAND = 5 * _ROW
_TABLE, _BETWEEN = 118.0, 22.0
_CARD, _TALL = 27.0, 34.0


def board_svg(board: Board, *, seen: Collection[Seat] = SEATS, dealt: bool = False) -> str:
    """The diagram of a board as it stands, or as it was ``dealt``; hands of other seats than ``seen`` are blank.

    >>> from worldwise.bridge.rules.board import Board
    >>> from worldwise.bridge.rules.deal import Deal
    >>> board_svg(Board(Deal.read("N:A2... K3... - J5..."))).count('class="hand')
    3
    """
    figure = _Figure(DealPicture.of(board, seen=seen, dealt=dealt))
    svg = page(figure.width, figure.height, figure.title, figure.picture.words())
    for seat in SEATS:
        _draw_hand(svg, figure, seat)
    _draw_table(svg, figure)
    _draw_words(svg, figure.picture.facts, MARGIN, bold=True)
    _draw_words(svg, figure.picture.standing, figure.places[Seat.SOUTH][1], bold=False)
    return finish_svg(svg)


@dataclass(frozen=True)
class _Figure:
    """Where everything stands."""

    picture: DealPicture

    @property
    def title(self) -> str:
        return ", ".join(map(symbols_in, self.picture.facts))

    @cached_property
    def side(self) -> float:
        """The width of the column on the left."""
        words = (*self.picture.facts, *self.picture.standing)
        return max(*(text_width(text, SMALL) + 10 for text in words), self.hand_width(Seat.WEST))

    def hand_width(self, seat: Seat) -> float:
        """How wide a hand is, its player's name included."""
        name, hand = text_width(self.picture.names[seat], SMALL), self.picture.hands[seat]
        if hand is None:
            return name
        return max(name, *(_SIGN + text_width(holding_words(hand, suit), TEXT) for suit in range(4)))

    @property
    def middle(self) -> float:
        """Where the table begins, from the left."""
        return MARGIN + self.side + _BETWEEN

    @cached_property
    def places(self) -> dict[Seat, tuple[float, float]]:
        """The upper left corner of each hand."""
        level = MARGIN + _HAND + _BETWEEN
        across = level + (_TABLE - _HAND) / 2
        inset = self.middle + 12
        return {
            Seat.NORTH: (inset, MARGIN),
            Seat.EAST: (self.middle + _TABLE + _BETWEEN, across),
            Seat.SOUTH: (inset, level + _TABLE + _BETWEEN),
            Seat.WEST: (MARGIN, across),
        }

    @property
    def width(self) -> float:
        """Of the whole figure; North's and South's hands may be wider than the table."""
        ends = (self.places[seat][0] + self.hand_width(seat) for seat in (Seat.NORTH, Seat.EAST, Seat.SOUTH))
        return max(ends) + MARGIN

    @property
    def height(self) -> float:
        """Of the whole figure."""
        return 2 * MARGIN + 2 * _HAND + _TABLE + 2 * _BETWEEN


# ---------------------------------------------------------------------- ink


def _draw_hand(svg: Element, figure: _Figure, seat: Seat) -> None:
    """A name and four suits; the name alone if the hand is hidden."""
    x, y = figure.places[seat]
    hand = figure.picture.hands[seat]
    write(svg, figure.picture.names[seat], x, y + _ROW / 2, SMALL, font_size=px(SMALL), fill=FAINT)
    if hand is None:
        return
    group = add(svg, "g", class_=f"hand {str(seat).lower()}")
    for suit, symbol in enumerate(SYMBOLS):
        middle = y + _ROW * (suit + 1.5)
        write(group, symbol, x, middle, TEXT, font_size=px(TEXT), fill=_colour(suit))
        write(group, holding_words(hand, suit).replace("-", "–"), x + _SIGN, middle, TEXT, font_size=px(TEXT), fill=INK)


def _colour(suit: int) -> str:
    return _RED if suit in (1, 2) else INK


def _draw_table(svg: Element, figure: _Figure) -> None:
    """The table, and on it the trick; letters where no card lies."""
    left, top = figure.middle, MARGIN + _HAND + _BETWEEN
    add(svg, "rect", rx="5", fill=TINT, stroke="none", **rectangle(left, top, _TABLE, _TABLE))
    away = _TABLE / 2 - 22
    across = {Seat.NORTH: (0.0, -away), Seat.EAST: (away, 0.0), Seat.SOUTH: (0.0, away), Seat.WEST: (-away, 0.0)}
    for seat, (x, y) in across.items():
        place = (left + _TABLE / 2 + x, top + _TABLE / 2 + y)
        if seat in figure.picture.trick:
            _draw_card(svg, figure.picture.trick[seat], *place)
        else:
            write(svg, seat.letter, *place, TEXT, font_size=px(TEXT), fill=FAINT, text_anchor="middle")


def _draw_card(svg: Element, card: Card, x: float, y: float) -> None:
    group = add(svg, "g", class_="card")
    box = rectangle(x - _CARD / 2, y - _TALL / 2, _CARD, _TALL)
    add(group, "rect", rx="3", fill=PAPER, stroke=INK, stroke_width="0.8", **box)
    colour = _colour(suit_of(card))
    rank = rank_name(rank_of(card))
    write(group, rank, x, y - 7, TEXT, font_size=px(TEXT), font_weight="bold", fill=colour, text_anchor="middle")
    write(group, SYMBOLS[suit_of(card)], x, y + 8, TEXT, font_size=px(TEXT - 1), fill=colour, text_anchor="middle")


def _draw_words(svg: Element, words: tuple[str, ...], y: float, *, bold: bool) -> None:
    """Lines in a corner, the first one perhaps as a heading."""
    for number, text in enumerate(map(symbols_in, words)):
        weight = "bold" if bold and number == 0 else "normal"
        place = (MARGIN, y + _ROW * (number + 0.5), SMALL)
        write(svg, text, *place, font_size=px(SMALL), fill=INK, font_weight=weight)
