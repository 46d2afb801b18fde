"""Possible-world trees as figures: squares for MAX, circles for MIN, a column of payoffs below every leaf (FB01 Fig 1).

With a result, the branches MAX chooses are bold; with that of a traced search, the vectors backed up stand beside the
nodes (FB01 Fig 6). A figure is one SVG text that needs nothing else: no fonts, no style sheet, its own background.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.errors import InputError
from worldwise.trees.preorder import LEAF, MAX
from worldwise.trees.views.figure import (
    LONGEST_LINE,
    MOST_DEPTH,
    MOST_LEAVES,
    draw_branches,
    draw_captions,
    draw_payoffs,
)
from worldwise.trees.views.layout import NODE, TreeLayout
from worldwise.trees.views.wording import chosen_branches, result_words
from worldwise.views.lettering import GAP, SMALL, TEXT, shorten
from worldwise.views.svg import FAINT, INK, PAPER, TINT, add, finish_svg, page, px, rectangle, write, write_lines

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from worldwise.core.result import SearchResult
    from worldwise.trees.world_tree import WorldTree

MOST_WORLDS = 40
"""Of the largest tree that is drawn."""


def tree_svg(tree: WorldTree, result: SearchResult | None = None) -> str:
    """The figure of a tree, and of what a search made of it; ``InputError`` if it is too large to draw.

    >>> from worldwise.catalog import tree
    >>> from worldwise.search.algorithms import algorithm
    >>> from worldwise.search.strategy import trace
    >>> fig = tree("fb01/fig-18")
    >>> tree_svg(fig, trace(algorithm("vector-mm"), fig)).count('class="branch chosen"')
    2
    """
    _check_size(tree)
    chosen = chosen_branches(tree, result)
    title, caption = tree.title or "", result_words(result) if result else ""
    layout = TreeLayout(tree, result, shorten(title, LONGEST_LINE), shorten(caption, LONGEST_LINE))
    svg = page(layout.width, layout.heights.end, layout.title or "Game tree", _description(layout))
    draw_branches(svg, layout, chosen)
    _draw_nodes(svg, layout)
    draw_payoffs(svg, layout)
    _draw_vectors(svg, layout)
    draw_captions(svg, layout)
    return finish_svg(svg)


def _check_size(tree: WorldTree) -> None:
    sizes = (("leaves", tree.leaves, MOST_LEAVES), ("worlds", tree.worlds, MOST_WORLDS))
    for noun, found, most in sizes:
        if found > most:
            raise InputError(f"expected a tree of at most {most} {noun} to draw, found {found}")
    if tree.depth > MOST_DEPTH:
        raise InputError(f"expected a tree at most {MOST_DEPTH} moves deep to draw, found {tree.depth}")


# ---------------------------------------------------------------------- the parts of the figure


def _description(layout: TreeLayout) -> str:
    tree, result = layout.tree, layout.result
    words = f"A tree of {len(tree)} nodes and {tree.leaves} leaves, with a payoff for each of {tree.worlds} worlds."
    words += " Squares are MAX nodes, circles MIN nodes."
    return f"{words} Bold branches are those MAX chooses. {result_words(result)}" if result else words


def _draw_nodes(svg: Element, layout: TreeLayout) -> None:
    shapes = add(svg, "g", fill=INK, font_size=px(TEXT), font_style="italic", text_anchor="middle")
    for node, mark in enumerate(layout.marks):
        x, y = layout.x[node], layout.y(node)
        group = add(shapes, "g", class_="node", data_node=str(node))
        add(group, "title", layout.tree.label(node))
        if mark.kind != LEAF:
            _draw_shape(group, mark.kind, x, y)
        write(group, mark.inside, x, y, TEXT)
        align = {} if mark.kind == LEAF else {"text_anchor": "end"}
        edge = x if mark.kind == LEAF else x - NODE - GAP
        write_lines(group, mark.beside, edge, y, **align)


def _draw_shape(group: Element, kind: int, x: float, y: float) -> None:
    look = {"fill": PAPER, "stroke": INK, "stroke_width": "1.4"}
    if kind == MAX:
        add(group, "rect", class_="max", **rectangle(x - NODE, y - NODE, 2 * NODE, 2 * NODE), **look)
    else:
        add(group, "circle", class_="min", cx=px(x), cy=px(y), r=px(NODE), **look)


def _draw_vectors(svg: Element, layout: TreeLayout) -> None:
    """The vectors backed up, to the right of their nodes."""
    boxes = add(svg, "g", fill=INK, font_size=px(SMALL), text_anchor="middle")
    for node, mark in enumerate(layout.marks):
        if mark.vector:
            width, height = mark.box
            x, y = layout.x[node] + NODE + GAP + width / 2, layout.y(node)
            group = add(boxes, "g", class_="vector", data_node=str(node))
            frame = rectangle(x - width / 2, y - height / 2, width, height)
            add(group, "rect", rx="4", fill=TINT, stroke=FAINT, stroke_width="0.8", **frame)
            write_lines(group, mark.vector, x, y)
