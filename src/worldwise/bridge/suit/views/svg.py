"""A single suit as a figure: declarer's cards around the compass, and a tile for every layout of the defenders'.

Tiles stand in rows by how the cards are split, and are coloured by what the best line wins there: a goal or not, or so
many tricks. Their text says it too, for those who see no colours.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from textwrap import wrap
from typing import TYPE_CHECKING

from worldwise.bridge.rules.cards import rank_name
from worldwise.bridge.suit.layouts import SuitLayout, layouts_of
from worldwise.bridge.suit.phrases import count_words, percent
from worldwise.bridge.suit.views.text import combination_name, defenders_words, spots_words
from worldwise.views.lettering import GAP, LINE, MARGIN, SMALL, TEXT, text_width
from worldwise.views.svg import ACCENT, FAINT, INK, PAPER, add, finish_svg, page, px, rectangle, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

    from worldwise.bridge.rules.cards import Holding
    from worldwise.bridge.suit.rules import Suit
    from worldwise.bridge.suit.solver import SuitSolver

_CARD, _TALL, _COMPASS = 25.0, 36.0, 78.0
_TILE, _BETWEEN, _LABEL = 33.0, 6.0, 74.0
_ACROSS = 7
"""Tiles in a row; more go on below."""

_HEADING, _LEGEND = 46.0, 26.0
_LOST, _DULL = PAPER, "#c9ced3"
_BLUES = ("#e3eef6", "#c3dcee", "#9cc6e3", "#74aed6", "#4c95c7")
"""From few tricks to many, all of them light enough for black type."""


def suit_svg(solver: SuitSolver, goal: int | None, line: str) -> str:
    """The figure for a goal, or for the most tricks on average; ``line`` says how to play.

    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> from worldwise.bridge.suit.rules import Suit
    >>> suit_svg(SuitSolver(Suit.of("AKQ9", "32")), 4, "...").count('class="won"')
    6
    """
    figure = _Figure(solver, goal, line)
    svg = page(figure.width, figure.height, figure.title, figure.description)
    write(svg, figure.title, MARGIN, MARGIN + TEXT / 2, TEXT, font_size=px(TEXT + 1), font_weight="bold", fill=INK)
    _draw_hands(svg, figure)
    for tile in figure.tiles:
        _draw_tile(svg, tile, figure.tile_width)
    for split, x, y in figure.labels:
        _draw_label(svg, split, x, y)
    _draw_legend(svg, figure)
    for number, words in enumerate(figure.caption):
        y = figure.caption_top + LINE * 1.15 * (number + 0.5)
        write(svg, words, MARGIN, y, SMALL, font_size=px(SMALL), fill=INK)
    return finish_svg(svg)


@dataclass(frozen=True)
class Tile:
    """A layout, where it stands, its colours, and what the line wins there."""

    layout: SuitLayout
    won: bool
    words: str
    fill: str
    x: float
    y: float


@dataclass(frozen=True)
class _Figure:
    """Where everything stands."""

    solver: SuitSolver
    goal: int | None
    line: str

    @property
    def suit(self) -> Suit:
        return self.solver.suit

    @cached_property
    def title(self) -> str:
        name = combination_name(self.suit)
        if self.goal is None:
            return f"{name}: {float(self.solver.expected.tricks):.4f} tricks on average"
        return f"{name}, {count_words(self.goal, 'trick')}: {percent(self.solver.goal(self.goal).chance)}"

    @property
    def description(self) -> str:
        return f"{self.title}. {self.line}"

    # ------------------------------------------------------------------ what is won where

    @cached_property
    def tricks(self) -> list[int]:
        """For every world what the line wins: tricks, or with a goal 1 or 0."""
        levels = self.solver.expected.levels if self.goal is None else (self.solver.goal(self.goal).wins,)
        return [sum(mask >> world & 1 for mask in levels) for world in range(len(self.suit.worlds))]

    @cached_property
    def fills(self) -> dict[int, str]:
        """A colour for everything that can be won."""
        if self.goal is not None:
            return {1: _BLUES[1], 0: _LOST}
        found = sorted(set(self.tricks))
        step = (len(_BLUES) - 1) / max(len(found) - 1, 1)
        return {tricks: _BLUES[int(number * step)] for number, tricks in enumerate(found)}

    def outcome(self, tricks: int) -> str:
        """What is won, in words."""
        if self.goal is None:
            return count_words(tricks, "trick")
        return "won" if tricks else "lost"

    # ------------------------------------------------------------------ places

    @cached_property
    def hands_width(self) -> float:
        """Of the diagram on the left."""
        return max(self.suit.length * (_CARD + 3), _COMPASS, text_width(defenders_words(self.suit), SMALL))

    @property
    def left(self) -> float:
        """Where the tiles begin, labels included."""
        return MARGIN + self.hands_width + 2 * MARGIN

    @cached_property
    def tile_width(self) -> float:
        """Wide enough for every layout's name."""
        names = [layout.name() for layout in layouts_of(self.suit)]
        return max(54.0, *(text_width(name, TEXT) + 3 * GAP for name in names))

    @cached_property
    def grid(self) -> list[list[int]]:
        """The worlds of each row of tiles, by how the cards are split."""
        counts = [sum(world) for world in self.suit.worlds]
        rows = []
        for held in sorted(set(counts), reverse=True):
            worlds = [world for world, count in enumerate(counts) if count == held]
            rows += [worlds[start : start + _ACROSS] for start in range(0, len(worlds), _ACROSS)]
        return rows

    @cached_property
    def tiles(self) -> list[Tile]:
        """All layouts."""
        return list(self._tiles())

    def _tiles(self) -> Iterator[Tile]:
        layouts = layouts_of(self.suit)
        for row, worlds in enumerate(self.grid):
            for column, world in enumerate(worlds):
                x = self.left + _LABEL + column * (self.tile_width + _BETWEEN)
                y = MARGIN + _HEADING + row * (_TILE + _BETWEEN)
                tricks, layout = self.tricks[world], layouts[world]
                won = bool(tricks) if self.goal is not None else True
                words = f"{percent(layout.chance)}, {self.outcome(tricks)}"
                yield Tile(layout, won, words, self.fills[tricks], x, y)

    @property
    def labels(self) -> Iterator[tuple[tuple[int, int], float, float]]:
        """Each split, and where its first row is."""
        seen = set()
        for tile in self.tiles:
            if tile.layout.cards not in seen:
                seen.add(tile.layout.cards)
                yield tile.layout.cards, self.left, tile.y

    @property
    def width(self) -> float:
        """Of the whole figure."""
        most = max(map(len, self.grid))
        legend = max(text_width(words, SMALL) for words, _ in self.legend) * len(self.legend)
        tiles = max(most * (self.tile_width + _BETWEEN), legend + 60 * len(self.legend))
        return max(self.left + _LABEL + tiles, text_width(self.title, TEXT + 1) + MARGIN) + MARGIN

    @property
    def legend(self) -> list[tuple[str, str]]:
        """What the colours say."""
        return [(self.outcome(tricks), fill) for tricks, fill in self.fills.items()]

    @property
    def body_end(self) -> float:
        """Below the tiles and the hands."""
        hands = 2 * _TALL + _COMPASS + 2 * MARGIN + 2 * LINE
        return MARGIN + _HEADING + max(len(self.grid) * (_TILE + _BETWEEN), hands)

    @property
    def caption_top(self) -> float:
        """Where the words begin."""
        return self.body_end + _LEGEND

    @cached_property
    def caption(self) -> list[str]:
        """How to play, and what the signs mean."""
        letters = int((self.width - 2 * MARGIN) / (SMALL * 0.46))
        texts = (self.line, spots_words(self.suit))
        return [line for text in texts for line in wrap(text, letters)]

    @property
    def height(self) -> float:
        """Of the whole figure."""
        return self.caption_top + LINE * 1.15 * len(self.caption) + MARGIN


# ---------------------------------------------------------------------- ink


def _draw_hands(svg: Element, figure: _Figure) -> None:
    middle = MARGIN + figure.hands_width / 2
    top = MARGIN + _HEADING
    compass = top + _TALL + MARGIN / 2
    _draw_cards(svg, figure.suit.north, middle, top)
    _draw_compass(svg, middle, compass)
    south = compass + _COMPASS + MARGIN / 2
    _draw_cards(svg, figure.suit.south, middle, south)
    words = defenders_words(figure.suit)
    y = south + _TALL + LINE * 1.5
    write(svg, words, middle, y, SMALL, font_size=px(SMALL), fill=FAINT, text_anchor="middle")


def _draw_cards(svg: Element, cards: Holding, middle: float, top: float) -> None:
    left = middle - len(cards) * (_CARD + 3) / 2 + 1.5
    for number, card in enumerate(cards):
        box = rectangle(left + number * (_CARD + 3), top, _CARD, _TALL)
        add(svg, "rect", rx="3", fill=PAPER, stroke=INK, stroke_width="0.8", class_="card", **box)
        x = left + number * (_CARD + 3) + _CARD / 2
        name = "10" if card == 10 else rank_name(card)
        write(svg, name, x, top + 12, TEXT, font_size=px(TEXT + 1), font_weight="bold", fill=INK, text_anchor="middle")
        write(svg, "♠", x, top + 26, TEXT, font_size=px(TEXT - 1), fill=INK, text_anchor="middle")
    if not cards:
        write(svg, "void", middle, top + _TALL / 2, TEXT, font_size=px(TEXT), fill=FAINT, text_anchor="middle")


def _draw_compass(svg: Element, middle: float, top: float) -> None:
    box = rectangle(middle - _COMPASS / 2, top, _COMPASS, _COMPASS)
    add(svg, "rect", rx="4", fill="#eef3f7", stroke="none", **box)
    away = _COMPASS / 2 - 12
    for name, x, y in (("N", 0.0, -away), ("S", 0.0, away), ("W", -away, 0.0), ("E", away, 0.0)):
        colour = INK if name in "NS" else FAINT
        place = (middle + x, top + _COMPASS / 2 + y, TEXT)
        write(svg, name, *place, font_size=px(TEXT), fill=colour, text_anchor="middle")


def _draw_tile(svg: Element, tile: Tile, width: float) -> None:
    group = add(svg, "g", class_="won" if tile.won else "lost")
    stroke = ACCENT if tile.won else _DULL
    box = rectangle(tile.x, tile.y, width, _TILE)
    rect = add(group, "rect", rx="3", fill=tile.fill, stroke=stroke, stroke_width="0.8", **box)
    add(rect, "title", f"{tile.layout.name()}: {tile.words}")
    x, colour = tile.x + width / 2, INK if tile.won else FAINT
    write(group, tile.layout.name(), x, tile.y + 11, TEXT, font_size=px(TEXT - 1), fill=colour, text_anchor="middle")
    chance = percent(tile.layout.chance)
    write(group, chance, x, tile.y + 25, SMALL, font_size=px(SMALL - 1.5), fill=colour, text_anchor="middle")


def _draw_label(svg: Element, split: tuple[int, int], x: float, y: float) -> None:
    words = f"{split[0]}–{split[1]}"
    write(svg, words, x + _LABEL - 12, y + _TILE / 2, TEXT, font_size=px(TEXT), fill=INK, text_anchor="end")


def _draw_legend(svg: Element, figure: _Figure) -> None:
    """Above the tiles: what the colours say, and whose cards stand first."""
    x, y = figure.left + _LABEL, MARGIN + _HEADING - 14
    write(svg, "West–East", x - 12, y, SMALL, font_size=px(SMALL), fill=FAINT, text_anchor="end")
    for words, fill in figure.legend:
        stroke = _DULL if fill == _LOST else ACCENT
        add(svg, "rect", rx="2", fill=fill, stroke=stroke, stroke_width="0.8", **rectangle(x, y - 5, 16, 10))
        write(svg, words, x + 21, y, SMALL, font_size=px(SMALL), fill=INK)
        x += 21 + text_width(words, SMALL) + 18
