"""Possible-world trees as figures: squares for MAX, circles for MIN, a column of payoffs below every leaf (FB01 Fig 1).

With a result, the branches MAX chooses are bold; with that of a traced search, the vectors backed up stand beside the
nodes (FB01 Fig 6). A figure is one SVG text that needs nothing else: no fonts, no style sheet, its own background.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from worldwise.errors import InputError
from worldwise.games.trees.world_tree import LEAF, MAX
from worldwise.views.tree_layout import GAP, LINE, MARGIN, NODE, ROW, SMALL, TEXT, Layout, shortened, text_width
from worldwise.views.wording import UNDEFINED, chosen_branches, result_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from worldwise.core.result import SearchResult
    from worldwise.games.trees.world_tree import WorldTree

MOST_LEAVES, MOST_WORLDS, MOST_DEPTH = 200, 40, 60
"""Of the largest tree that is drawn."""

INK, FAINT, PAPER = "#1a1a1a", "#767676", "#ffffff"
ACCENT, TINT = "#0072b2", "#eef3f7"
"""The blue of Okabe and Ito, which no kind of colour blindness confuses with black."""

_FONT = "'STIX Two Text', 'Times New Roman', 'Liberation Serif', Times, serif"
_LONGEST_LINE = 110
_WIDE = 12
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def tree_svg(tree: WorldTree, result: SearchResult | None = None) -> str:
    """The figure of a tree, and of what a search made of it; ``InputError`` if it is too large to draw.

    >>> from worldwise.catalog import tree
    >>> from worldwise.search.algorithms import algorithm
    >>> from worldwise.search.strategy import traced
    >>> fig = tree("fb01/fig-18")
    >>> tree_svg(fig, traced(algorithm("vector-mm"), fig)).count('class="branch chosen"')
    2
    """
    _check_size(tree)
    chosen = chosen_branches(tree, result)
    title, caption = tree.title or "", result_words(result) if result else ""
    layout = Layout(tree, result, shortened(title, _LONGEST_LINE), shortened(caption, _LONGEST_LINE))
    svg = _page(layout)
    _draw_branches(svg, layout, chosen)
    _draw_nodes(svg, layout)
    _draw_payoffs(svg, layout)
    _draw_vectors(svg, layout)
    _draw_captions(svg, layout)
    indent(svg)
    return tostring(svg, encoding="unicode")


def _check_size(tree: WorldTree) -> None:
    sizes = (("leaves", tree.leaves, MOST_LEAVES), ("worlds", tree.worlds, MOST_WORLDS))
    for noun, found, most in sizes:
        if found > most:
            raise InputError(f"expected a tree of at most {most} {noun} to draw, found {found}")
    if tree.depth > MOST_DEPTH:
        raise InputError(f"expected a tree at most {MOST_DEPTH} moves deep to draw, found {tree.depth}")


# ---------------------------------------------------------------------- the parts of the figure


def _page(layout: Layout) -> Element:
    """The empty page, with the words for those who cannot see it."""
    width, height = _px(layout.width), _px(layout.heights.end)
    svg = Element("svg", xmlns="http://www.w3.org/2000/svg", role="img", width=width, height=height)
    svg.set("viewBox", f"0 0 {width} {height}")
    svg.set("font-family", _FONT)
    _add(svg, "title", layout.title or "Game tree")
    _add(svg, "desc", _description(layout))
    _add(svg, "rect", fill=PAPER, width="100%", height="100%")
    return svg


def _description(layout: Layout) -> str:
    tree, result = layout.tree, layout.result
    words = f"A tree of {len(tree)} nodes and {tree.leaves} leaves, with a payoff for each of {tree.worlds} worlds."
    words += " Squares are MAX nodes, circles MIN nodes."
    return f"{words} Bold branches are those MAX chooses. {result_words(result)}" if result else words


def _draw_branches(svg: Element, layout: Layout, chosen: frozenset[int]) -> None:
    """Chosen branches last, so that they lie on top."""
    look = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round"}
    plain = _add(svg, "g", stroke=INK, stroke_width="1.1", **look)
    bold = _add(svg, "g", stroke=ACCENT, stroke_width="3.4", **look)
    for node in range(1, len(layout.tree)):
        kind, group = ("branch chosen", bold) if node in chosen else ("branch", plain)
        ends = {"data-from": str(layout.tree.parent[node]), "data-to": str(node)}
        _add(group, "path", d=_line(layout.branch(node)), class_=kind, **ends)
    _draw_leaders(svg, layout)
    names = _add(svg, "g", fill=INK, font_size=_px(SMALL), text_anchor="middle")
    for node, name in layout.branch_names.items():
        _draw_branch_name(names, layout, node, name)


def _draw_leaders(svg: Element, layout: Layout) -> None:
    """The dotted lines from leaves of earlier levels down to their payoffs."""
    dots = _add(svg, "g", fill="none", stroke=FAINT, stroke_width="1", stroke_dasharray="1.5 3")
    for line in filter(None, map(layout.leader, layout.leaves)):
        _add(dots, "path", d=_line(line), class_="leader")


def _draw_branch_name(group: Element, layout: Layout, node: int, name: str) -> None:
    """Halfway along the branch, on a piece of paper that interrupts it."""
    (_, _), (left, top), (right, bottom), _ = layout.branch(node)
    x, y, width = (left + right) / 2, (top + bottom) / 2, text_width(name, SMALL)
    _add(group, "rect", fill=PAPER, **_rectangle(x - width / 2 - 1, y - LINE / 2, width + 2, LINE))
    _write(group, name, x, y, SMALL, class_="move")


def _draw_nodes(svg: Element, layout: Layout) -> None:
    shapes = _add(svg, "g", fill=INK, font_size=_px(TEXT), font_style="italic", text_anchor="middle")
    for node, mark in enumerate(layout.marks):
        x, y = layout.x[node], layout.y(node)
        group = _add(shapes, "g", class_="node", data_node=str(node))
        _add(group, "title", layout.tree.label(node))
        if mark.kind != LEAF:
            _draw_shape(group, mark.kind, x, y)
        _write(group, mark.inside, x, y, TEXT)
        align = {} if mark.kind == LEAF else {"text_anchor": "end"}
        edge = x if mark.kind == LEAF else x - NODE - GAP
        _write_lines(group, mark.beside, edge, y, **align)


def _draw_shape(group: Element, kind: int, x: float, y: float) -> None:
    look = {"fill": PAPER, "stroke": INK, "stroke_width": "1.4"}
    if kind == MAX:
        _add(group, "rect", class_="max", **_rectangle(x - NODE, y - NODE, 2 * NODE, 2 * NODE), **look)
    else:
        _add(group, "circle", class_="min", cx=_px(x), cy=_px(y), r=_px(NODE), **look)


def _draw_payoffs(svg: Element, layout: Layout) -> None:
    """A column below every leaf, and the names of the worlds at the far left."""
    _draw_stripes(svg, layout)
    names = _add(svg, "g", fill=INK, font_size=_px(SMALL), font_style="italic", text_anchor="end")
    middles = [layout.heights.payoffs + ROW * (world + 0.5) for world in range(layout.tree.worlds)]
    for name, y in zip(layout.world_names, middles, strict=True):
        _write(names, name, layout.rows_left, y, SMALL, class_="world")
    columns = _add(svg, "g", fill=INK, font_size=_px(TEXT), text_anchor="middle")
    for leaf in layout.leaves:
        column = _add(columns, "g", class_="leaf", data_node=str(leaf))
        for (payoff, cut), y in zip(layout.cells(leaf), middles, strict=True):
            _draw_payoff(column, payoff, cut, layout.x[leaf], y)


def _draw_payoff(column: Element, payoff: str, cut: str, x: float, y: float) -> None:
    """A payoff; struck out if it was cut down, with what is left of it to its right."""
    faint = {"fill": FAINT} if cut or payoff == UNDEFINED else {}
    strike = {"text_decoration": "line-through"} if cut else {}
    _write(column, payoff, x, y, TEXT, class_="payoff", **faint, **strike)
    edge = x + text_width(payoff, TEXT) / 2 + GAP
    _write(column, cut, edge, y, TEXT, class_="cut", fill=ACCENT, text_anchor="start")


def _draw_stripes(svg: Element, layout: Layout) -> None:
    """Where the names of the worlds are far from the last payoffs, every other row is tinted to lead the eye."""
    if len(layout.leaves) < _WIDE:
        return
    left, right = layout.rows_left, layout.x[layout.leaves[-1]] + 2 * GAP
    stripes = _add(svg, "g", fill=TINT)
    for world in range(0, layout.tree.worlds, 2):
        top = layout.heights.payoffs + ROW * world
        _add(stripes, "rect", class_="stripe", **_rectangle(left + GAP, top, right - left - GAP, ROW))


def _draw_vectors(svg: Element, layout: Layout) -> None:
    """The vectors backed up, to the right of their nodes."""
    boxes = _add(svg, "g", fill=INK, font_size=_px(SMALL), text_anchor="middle")
    for node, mark in enumerate(layout.marks):
        if mark.vector:
            width, height = mark.box
            x, y = layout.x[node] + NODE + GAP + width / 2, layout.y(node)
            group = _add(boxes, "g", class_="vector", data_node=str(node))
            frame = _rectangle(x - width / 2, y - height / 2, width, height)
            _add(group, "rect", rx="4", fill=TINT, stroke=FAINT, stroke_width="0.8", **frame)
            _write_lines(group, mark.vector, x, y)


def _draw_captions(svg: Element, layout: Layout) -> None:
    words = _add(svg, "g", fill=INK, text_anchor="middle")
    middle = layout.width / 2
    _write(
        words, layout.title, middle, MARGIN + TEXT / 2, TEXT, class_="title", font_size=_px(TEXT), font_weight="bold"
    )
    bottom = layout.heights.end - MARGIN - SMALL / 2
    _write(words, layout.caption, middle, bottom, SMALL, class_="caption", font_size=_px(SMALL))


# ---------------------------------------------------------------------- pen and paper


def _add(parent: Element, tag: str, text: str = "", **attributes: str) -> Element:
    """A new element; ``stroke_width`` stands for ``stroke-width``, ``class_`` for ``class``."""
    clean = {name.rstrip("_").replace("_", "-"): _NOT_XML.sub("", value) for name, value in attributes.items()}
    element = SubElement(parent, tag, clean)
    element.text = _NOT_XML.sub("", text) or None
    return element


def _write(parent: Element, text: str, x: float, y: float, size: float, **attributes: str) -> None:
    """A line of text whose middle is at a height; most renderers know no better way than to shift the base line."""
    if text:
        _add(parent, "text", text, x=_px(x), y=_px(y + 0.34 * size), **attributes)


def _write_lines(parent: Element, lines: tuple[str, ...], x: float, y: float, **attributes: str) -> None:
    top = y - LINE * (len(lines) - 1) / 2
    for number, line in enumerate(lines):
        _write(parent, line, x, top + LINE * number, SMALL, font_size=_px(SMALL), **attributes)


def _line(corners: Iterable[tuple[float, float]]) -> str:
    """The path through some points, each named once."""
    points = dict.fromkeys(f"{_px(x)} {_px(y)}" for x, y in corners)
    return "M" + " L".join(points)


def _rectangle(x: float, y: float, width: float, height: float) -> dict[str, str]:
    return {"x": _px(x), "y": _px(y), "width": _px(width), "height": _px(height)}


def _px(length: float) -> str:
    """A length to a tenth of a pixel, which is finer than anybody sees."""
    return f"{length:.1f}".removesuffix(".0")
