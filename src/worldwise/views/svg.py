"""Pen and paper: the pieces of SVG that every figure is made of, and the colours they share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from worldwise.views.lettering import LINE, SMALL

if TYPE_CHECKING:
    from collections.abc import Iterable

INK, FAINT, PAPER = "#1a1a1a", "#767676", "#ffffff"
ACCENT, TINT = "#0072b2", "#eef3f7"
"""The blue of Okabe and Ito, which no kind of colour blindness confuses with black."""

_FONT = "'STIX Two Text', 'Times New Roman', 'Liberation Serif', Times, serif"
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def page(width: float, height: float, title: str, description: str) -> Element:
    """The empty page, with the words for those who cannot see it."""
    across, down = px(width), px(height)
    svg = Element("svg", xmlns="http://www.w3.org/2000/svg", role="img", width=across, height=down)
    svg.set("viewBox", f"0 0 {across} {down}")
    svg.set("font-family", _FONT)
    add(svg, "title", title)
    add(svg, "desc", description)
    add(svg, "rect", fill=PAPER, width="100%", height="100%")
    return svg


def finish_svg(svg: Element) -> str:
    """The text of a page."""
    indent(svg)
    return tostring(svg, encoding="unicode")


def add(parent: Element, tag: str, text: str = "", **attributes: str) -> Element:
    """A new element; ``stroke_width`` stands for ``stroke-width``, ``class_`` for ``class``."""
    clean = {name.rstrip("_").replace("_", "-"): _NOT_XML.sub("", value) for name, value in attributes.items()}
    element = SubElement(parent, tag, clean)
    element.text = _NOT_XML.sub("", text) or None
    return element


def write(parent: Element, text: str, x: float, y: float, size: float, **attributes: str) -> None:
    """A line of text whose middle is at a height; most renderers know no better way than to shift the base line."""
    if text:
        add(parent, "text", text, x=px(x), y=px(y + 0.34 * size), **attributes)


def write_lines(parent: Element, lines: tuple[str, ...], x: float, y: float, **attributes: str) -> None:
    """Lines of small type whose middle, all in all, is at a height."""
    top = y - LINE * (len(lines) - 1) / 2
    for number, line in enumerate(lines):
        write(parent, line, x, top + LINE * number, SMALL, font_size=px(SMALL), **attributes)


def path_through(corners: Iterable[tuple[float, float]]) -> str:
    """The path through some points, each named once."""
    points = dict.fromkeys(f"{px(x)} {px(y)}" for x, y in corners)
    return "M" + " L".join(points)


def rectangle(x: float, y: float, width: float, height: float) -> dict[str, str]:
    """The attributes of a box."""
    return {"x": px(x), "y": px(y), "width": px(width), "height": px(height)}


def px(length: float) -> str:
    """A length to a tenth of a pixel, which is finer than anybody sees."""
    return f"{length:.1f}".removesuffix(".0")
