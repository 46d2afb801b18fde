"""The papers' figures as trees, by name, with the answers the papers give: ``figures.json``.

Names are those of the papers, ``fb01/fig-18``; FBM97's names of the same trees are known too. Names that begin with
``ours/`` are no figures: they are the smallest trees we know on which a refinement does worse than what it refines.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from worldwise.catalog.shelf import data
from worldwise.core.vector import Vector
from worldwise.errors import UnknownNameError
from worldwise.trees import tree_from_dict
from worldwise.trees.reductions import clique_tree

if TYPE_CHECKING:
    from worldwise.trees.world_tree import WorldTree


@dataclass(frozen=True)
class FigureAnswer:
    """What an algorithm is known to do on a figure; ``choices`` are moves by the names of nodes."""

    algorithm: str
    choices: dict[str, str]
    vector: str | None = None
    believed: str | None = None
    knowledge: float = 1.0


@dataclass(frozen=True)
class Figure:
    """A published tree."""

    name: str
    caption: str
    tree: WorldTree
    answers: tuple[FigureAnswer, ...]
    aliases: tuple[str, ...] = ()


def figure_names() -> list[str]:
    """The first names of the figures; no tree is made.

    >>> "fb01/fig-24" in figure_names()
    True
    """
    return list(_entries())


def figures() -> dict[str, Figure]:
    """Every figure, by its first name.

    >>> figures()["fb01/fig-24"].tree.worlds
    5
    """
    return {name: _figure(name) for name in figure_names()}


def figure(name: str) -> Figure:
    """The figure of this name.

    >>> figure("fbm97/fig-10").name
    'fb01/fig-11'
    """
    for first, entry in _entries().items():
        if name == first or name in entry.get("aliases", ()):
            return _figure(first)
    raise UnknownNameError("figure", name, figure_names())


def tree(name: str) -> WorldTree:
    """The tree of a figure.

    >>> tree("fb01/fig-9").worlds
    4
    """
    return figure(name).tree


@cache
def _entries() -> dict[str, Any]:
    """What the file says of each figure, by its first name."""
    return {entry["name"]: entry for entry in json.loads(data("figures.json").read_text("utf-8"))}


@cache
def _figure(name: str) -> Figure:
    entry = _entries()[name]
    answers = tuple(FigureAnswer(**answer) for answer in entry["answers"])
    if "clique" in entry:
        shape = replace(clique_tree(map(tuple, entry["clique"])), title=name)
    else:
        shape = tree_from_dict({"title": name, "root": _node(entry["root"])})
    return Figure(name, entry["caption"], shape, answers, tuple(entry.get("aliases", ())))


def _node(node: Any) -> Any:
    """Figures are short: a leaf is a string of digits, branches are left and right unless named."""
    if isinstance(node, str):
        return {"payoff": [None if digit == "-" else int(digit) for digit in node]}
    side = "max" if "max" in node else "min" if "min" in node else "payoff"
    if side == "payoff":
        return {**_node(node["payoff"]), "name": node["name"]}
    children = [_node(child) for child in node[side]]
    moves = node.get("moves", ["left", "right"] if len(children) == 2 else None)
    return {**node, side: children, **({"moves": moves} if moves else {})}


def digits(vector: str) -> Vector:
    """The vector that a figure writes as a string of digits.

    >>> digits("10-")
    Vector(1, 0, None)
    """
    return Vector(None if digit == "-" else int(digit) for digit in vector)
