"""A tree as text, a line for every node: guides, elbows and what is left out; what a line says is for others to say."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.text import Text

from worldwise.errors import InputError
from worldwise.trees.preorder import children
from worldwise.views.words import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.trees.preorder import Preorder

MOST_INDENT = 16
"""Nodes at deeper levels than this stand in one column and say their level instead."""

Styled = tuple[str, str]
"""A piece of a line, and its style."""


@dataclass(frozen=True)
class _Signs:
    """The characters of the drawing, the guides all of one width."""

    branch: str
    last: str
    chosen: str
    chosen_last: str
    passing: str
    becomes: str
    more: str


_UNICODE = _Signs("├── ", "└── ", "├─➤ ", "└─➤ ", "│   ", "→", "…")
_ASCII = _Signs("|-- ", "`-- ", "|-> ", "`-> ", "|   ", "=>", "...")
_NO_GUIDE = "    "


class Outline(ABC):
    """Everything that the lines of one tree are made from, but for the words.

    Branches are ``chosen`` by the nodes they lead to. Of a larger tree the nodes nearest to the root are shown.
    """

    def __init__(self, shape: Preorder, chosen: frozenset[int], most_nodes: int, ascii_only: bool) -> None:
        if most_nodes < 1:
            raise InputError(f"expected at least 1 node to show, found {most_nodes}")
        self.shape, self.chosen, self.ascii_only = shape, chosen, ascii_only
        self.signs = _ASCII if ascii_only else _UNICODE
        self.places = _find_nearest(shape, most_nodes)
        self.last = {above: node for node, (above, _) in sorted(self.places.items())}

    @abstractmethod
    def words(self, node: int) -> Iterator[Styled]:
        """What a node's line says of it."""

    def text(self) -> Text:
        """All lines."""
        return Text("\n").join(self.lines())

    def lines(self) -> Iterator[Text]:
        """A line for each node shown, in preorder, and one for all that are not."""
        open_nodes: list[int] = []
        for node in sorted(self.places):
            while open_nodes and self.shape.end[open_nodes[-1]] <= node:
                open_nodes.pop()
            more = [(f" {self.signs.more}", "dim")] if self.hides_branches(node) else []
            yield Text.assemble(*self.guides(open_nodes, node), *self.words(node), *more)
            open_nodes.append(node)
        if left_out := len(self.shape) - len(self.places):
            nodes = "1 node" if left_out == 1 else f"{left_out:,} nodes"
            yield Text(f"{self.signs.more} {nodes} of {len(self.shape):,} left out", style="dim")

    def guides(self, above: list[int], node: int) -> Iterator[Styled]:
        """The lines that lead to a node whose ancestors these are; capped, or deep trees would take quadratic space."""
        shown = above[1 : MOST_INDENT + 1]
        yield "".join(_NO_GUIDE if self.is_last(each) else self.signs.passing for each in shown), "dim"
        if len(above) > MOST_INDENT + 1:
            yield f"({len(above)}) ", "dim"
        if above:
            yield self.elbow(node), "bold" if node in self.chosen else "dim"

    def elbow(self, node: int) -> str:
        """The last piece of a branch."""
        if node in self.chosen:
            return self.signs.chosen_last if self.is_last(node) else self.signs.chosen
        return self.signs.last if self.is_last(node) else self.signs.branch

    def is_last(self, node: int) -> bool:
        """Whether no later branch of its parent is shown."""
        return self.last[self.places[node][0]] == node

    def hides_branches(self, node: int) -> bool:
        """Whether a branch of a node is not shown."""
        return any(child not in self.places for child in children(self.shape, node))

    def clean(self, name: str) -> str:
        """A name for this terminal."""
        name = printable(name)
        return name.encode("ascii", "backslashreplace").decode() if self.ascii_only else name


def _find_nearest(shape: Preorder, most: int) -> dict[int, tuple[int, int]]:
    """The nodes nearest to the root, each with its parent and the number of the branch to it."""
    nodes, places = [0], {0: (-1, 0)}
    for node in nodes:  # the list grows while it is walked: level by level
        for move, child in enumerate(children(shape, node)):
            if len(nodes) == most:
                return places
            nodes.append(child)
            places[child] = node, move
    return places
