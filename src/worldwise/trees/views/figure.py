"""What the figures of trees and of games have in common: branches, columns of payoffs, title and caption."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.trees.views.layout import ROW
from worldwise.trees.views.wording import UNDEFINED
from worldwise.views.lettering import GAP, LINE, MARGIN, SMALL, TEXT, text_width
from worldwise.views.svg import ACCENT, FAINT, INK, PAPER, TINT, add, path_through, px, rectangle, write

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from worldwise.trees.views.layout import TreeLayout

MOST_LEAVES, MOST_DEPTH = 200, 60
"""Of the largest tree that is drawn."""

LONGEST_LINE = 110
"""Of a title or a caption, in characters."""

_WIDE = 12


def draw_branches(svg: Element, layout: TreeLayout, chosen: frozenset[int]) -> None:
    """Chosen branches last, so that they lie on top."""
    look = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round"}
    plain = add(svg, "g", stroke=INK, stroke_width="1.1", **look)
    bold = add(svg, "g", stroke=ACCENT, stroke_width="3.4", **look)
    for node in range(1, len(layout.tree)):
        kind, group = ("branch chosen", bold) if node in chosen else ("branch", plain)
        ends = {"data-from": str(layout.tree.parent[node]), "data-to": str(node)}
        add(group, "path", d=path_through(layout.branch(node)), class_=kind, **ends)
    _draw_leaders(svg, layout)
    names = add(svg, "g", fill=INK, font_size=px(SMALL), text_anchor="middle")
    for node, name in layout.branch_names.items():
        _draw_branch_name(names, layout, node, name)


def _draw_leaders(svg: Element, layout: TreeLayout) -> None:
    """The dotted lines from leaves of earlier levels down to their payoffs."""
    dots = add(svg, "g", fill="none", stroke=FAINT, stroke_width="1", stroke_dasharray="1.5 3")
    for line in filter(None, map(layout.leader, layout.leaves)):
        add(dots, "path", d=path_through(line), class_="leader")


def _draw_branch_name(group: Element, layout: TreeLayout, node: int, name: str) -> None:
    """Halfway along the branch, on a piece of paper that interrupts it."""
    (_, _), (left, top), (right, bottom), _ = layout.branch(node)
    x, y, width = (left + right) / 2, (top + bottom) / 2, text_width(name, SMALL)
    add(group, "rect", fill=PAPER, **rectangle(x - width / 2 - 1, y - LINE / 2, width + 2, LINE))
    write(group, name, x, y, SMALL, class_="move")


def draw_payoffs(svg: Element, layout: TreeLayout) -> None:
    """A column below every leaf, and the names of the worlds at the far left."""
    _draw_stripes(svg, layout)
    names = add(svg, "g", fill=INK, font_size=px(SMALL), font_style="italic", text_anchor="end")
    middles = [layout.heights.payoffs + ROW * (world + 0.5) for world in range(layout.tree.worlds)]
    for name, y in zip(layout.world_names, middles, strict=True):
        write(names, name, layout.rows_left, y, SMALL, class_="world")
    columns = add(svg, "g", fill=INK, font_size=px(TEXT), text_anchor="middle")
    for leaf in layout.leaves:
        column = add(columns, "g", class_="leaf", data_node=str(leaf))
        for (payoff, cut), y in zip(layout.cells(leaf), middles, strict=True):
            _draw_payoff(column, payoff, cut, layout.x[leaf], y)


def _draw_payoff(column: Element, payoff: str, cut: str, x: float, y: float) -> None:
    """A payoff; struck out if it was cut down, with what is left of it to its right."""
    faint = {"fill": FAINT} if cut or payoff == UNDEFINED else {}
    strike = {"text_decoration": "line-through"} if cut else {}
    write(column, payoff, x, y, TEXT, class_="payoff", **faint, **strike)
    edge = x + text_width(payoff, TEXT) / 2 + GAP
    write(column, cut, edge, y, TEXT, class_="cut", fill=ACCENT, text_anchor="start")


def _draw_stripes(svg: Element, layout: TreeLayout) -> None:
    """Where the names of the worlds are far from the last payoffs, every other row is tinted to lead the eye."""
    if len(layout.leaves) < _WIDE:
        return
    left, right = layout.rows_left, layout.x[layout.leaves[-1]] + 2 * GAP
    stripes = add(svg, "g", fill=TINT)
    for world in range(0, layout.tree.worlds, 2):
        top = layout.heights.payoffs + ROW * world
        add(stripes, "rect", class_="stripe", **rectangle(left + GAP, top, right - left - GAP, ROW))


def draw_captions(svg: Element, layout: TreeLayout) -> None:
    """The title above, and what a search made of it below."""
    words = add(svg, "g", fill=INK, text_anchor="middle")
    middle = layout.width / 2
    write(words, layout.title, middle, MARGIN + TEXT / 2, TEXT, class_="title", font_size=px(TEXT), font_weight="bold")
    bottom = layout.heights.end - MARGIN - SMALL / 2
    write(words, layout.caption, middle, bottom, SMALL, class_="caption", font_size=px(SMALL))
