"""Kriegspiel as figures: a board, and what a player believes as a map of chances."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from worldwise.kriegspiel.rules.board import EMPTY
from worldwise.kriegspiel.rules.fen import placement
from worldwise.kriegspiel.rules.squares import WHITE
from worldwise.views.lettering import MARGIN, SMALL
from worldwise.views.svg import ACCENT, FAINT, INK, PAPER, TINT, add, finish_svg, page, px, rectangle, write

if TYPE_CHECKING:
    from collections.abc import Sequence
    from xml.etree.ElementTree import Element

    from worldwise.kriegspiel.belief.summary import BeliefSummary
    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.squares import Colour, Geometry, Square
    from worldwise.kriegspiel.rules.view import PlayerView

FIGURES = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True))

_SQUARE, _PIECE, _NAMES = 44.0, 30.0, 18.0


class _Cell(NamedTuple):
    """What is drawn on a square: a piece, how surely it is there, and words below it."""

    piece: str = EMPTY
    chance: float = 1.0
    words: str = ""
    heat: float = 0.0


def board_svg(board: ChessBoard, side: Colour = WHITE) -> str:
    """The true board, seen from a side.

    >>> from worldwise.kriegspiel.rules.board import START
    >>> board_svg(START).count('class="piece"')
    32
    """
    return _figure(board.geometry, side, [("", [_Cell(piece) for piece in board.pieces])], board.pieces)


def view_svg(view: PlayerView) -> str:
    """A player's own pieces."""
    return _figure(view.geometry, view.colour, [("", [_Cell(piece) for piece in view.pieces])], view.pieces)


def belief_svg(belief: BeliefSummary, view: PlayerView) -> str:
    """Two boards: the likeliest enemy piece on every square with its chance, and where the king may be.

    >>> from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    >>> from worldwise.kriegspiel.belief.summary import summary
    >>> from worldwise.kriegspiel.rules.board import START
    >>> from worldwise.kriegspiel.rules.view import PlayerView
    >>> belief_svg(summary(WeightedBoards.of([START]), WHITE), PlayerView.of(START, WHITE)).count("100 %")
    17
    """
    squares = range(view.geometry.squares)
    pieces = [_piece_cell(belief, view, square) for square in squares]
    king = [_king_cell(belief, view, square) for square in squares]
    boards = [("the likeliest enemy pieces", pieces), ("the enemy's king", king)]
    return _figure(view.geometry, view.colour, boards, view.pieces)


def _piece_cell(belief: BeliefSummary, view: PlayerView, square: Square) -> _Cell:
    found = belief.likeliest(square)
    if view.pieces[square] != EMPTY or found is None or not _percent(found[1]):
        return _Cell(view.pieces[square])
    return _Cell(*found, _percent(found[1]), belief.occupied[square])


def _king_cell(belief: BeliefSummary, view: PlayerView, square: Square) -> _Cell:
    chance = belief.king[square]
    return _Cell(view.pieces[square], words=_percent(chance), heat=chance)


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f} %" if chance >= 0.005 else ""


# ---------------------------------------------------------------------- ink


def _figure(geometry: Geometry, side: Colour, boards: Sequence[tuple[str, Sequence[_Cell]]], pieces: str) -> str:
    """Boards beside each other, each with its heading if it has one."""
    wide, high = geometry.files * _SQUARE + _NAMES, geometry.ranks * _SQUARE + _NAMES
    top = MARGIN + (_NAMES if boards[0][0] else 0)
    width = 2 * MARGIN + len(boards) * wide + (len(boards) - 1) * MARGIN
    svg = page(width, top + high + MARGIN, "A kriegspiel board", placement(pieces, geometry))
    for number, (heading, cells) in enumerate(boards):
        left = MARGIN + number * (wide + MARGIN)
        write(svg, heading, left + _NAMES, MARGIN + SMALL / 2, SMALL, font_size=px(SMALL), fill=INK)
        _draw_board(add(svg, "g", class_="board"), geometry, side, cells, left + _NAMES, top)
    return finish_svg(svg)


def _draw_board(
    group: Element, geometry: Geometry, side: Colour, cells: Sequence[_Cell], left: float, top: float
) -> None:
    for square, cell in enumerate(cells):
        file, rank = geometry.place(square)
        across, down = (geometry.files - 1 - file, rank) if side else (file, geometry.ranks - 1 - rank)
        dark = (file + rank) % 2 == 0
        _draw_square(group, cell, left + across * _SQUARE, top + down * _SQUARE, dark=dark)
    _draw_names(group, geometry, side, left, top)


def _draw_square(group: Element, cell: _Cell, x: float, y: float, *, dark: bool) -> None:
    box = rectangle(x, y, _SQUARE, _SQUARE)
    add(group, "rect", fill=TINT if dark else PAPER, stroke=FAINT, stroke_width="0.5", **box)
    if cell.heat >= 0.005:
        add(group, "rect", class_="heat", fill=ACCENT, fill_opacity=f"{0.75 * min(1.0, cell.heat):.3f}", **box)
    middle = x + _SQUARE / 2
    if cell.piece != EMPTY:
        height, opacity = y + _SQUARE / 2 - (5 if cell.words else 0), f"{0.25 + 0.75 * cell.chance:.2f}"
        ink = {"class_": "piece", "fill": INK, "fill_opacity": opacity, "text_anchor": "middle"}
        write(group, FIGURES[cell.piece], middle, height, _PIECE, font_size=px(_PIECE), **ink)
    size = SMALL - 3
    write(group, cell.words, middle, y + _SQUARE - 7, size, font_size=px(size), fill=INK, text_anchor="middle")


def _draw_names(group: Element, geometry: Geometry, side: Colour, left: float, top: float) -> None:
    ink = {"font_size": px(SMALL), "fill": FAINT, "text_anchor": "middle"}
    for rank in range(geometry.ranks):
        down = rank if side else geometry.ranks - 1 - rank
        write(group, str(rank + 1), left - _NAMES / 2, top + (down + 0.5) * _SQUARE, SMALL, **ink)
    for file in range(geometry.files):
        across = geometry.files - 1 - file if side else file
        below = top + geometry.ranks * _SQUARE + _NAMES / 2
        write(group, "abcdefgh"[file], left + (across + 0.5) * _SQUARE, below, SMALL, **ink)
