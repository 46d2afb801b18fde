"""Possible-world trees as text, a line for every node.

::

    □ a 11111
    ├─➤ left ○ b 11111
    │   ├── left □ c 11111
    │   │   ├─➤ left • 11100
    │   │   └── right • 00011

Squares are MAX nodes, circles MIN nodes, dots leaves; an arrow leads where MAX has chosen to go.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.text import Text

from worldwise.core.vector import Vector
from worldwise.errors import InputError
from worldwise.games.trees.world_tree import LEAF, MAX, MIN
from worldwise.views.wording import children, chosen_branches, value_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.core.result import SearchResult
    from worldwise.games.trees.world_tree import WorldTree

MOST_INDENT = 16
"""Nodes at deeper levels than this stand in one column and say their level instead."""


@dataclass(frozen=True)
class _Signs:
    """The characters of the drawing: symbols by kind of node, and guides, all of one width."""

    symbols: dict[int, str]
    branch: str
    last: str
    chosen: str
    chosen_last: str
    passing: str
    becomes: str
    more: str


_UNICODE = _Signs({MAX: "□", MIN: "○", LEAF: "•"}, "├── ", "└── ", "├─➤ ", "└─➤ ", "│   ", "→", "…")
_ASCII = _Signs({MAX: "[]", MIN: "()", LEAF: "."}, "|-- ", "`-- ", "|-> ", "`-> ", "|   ", "=>", "...")
_NO_GUIDE = "    "

_Styled = tuple[str, str]
"""A piece of a line, and its style."""


def tree_text(
    tree: WorldTree,
    result: SearchResult | None = None,
    *,
    most_nodes: int = 200,
    ascii: bool = False,  # noqa: A002
) -> Text:
    """The tree for a terminal, and what a search made of it: branches chosen bold, vectors beside the nodes.

    Of a larger tree the nodes nearest to the root are shown. ``ascii`` is for terminals that know no other characters.

    >>> from worldwise.catalog import tree
    >>> from worldwise.search.algorithms import algorithm
    >>> from worldwise.search.strategy import traced
    >>> fig = tree("fb01/fig-9")
    >>> print(tree_text(fig, traced(algorithm("exact"), fig), ascii=True))
    [] a 1000
    |-> left () b 1000
    |   |-- left . 1000
    |   `-- right . 1000
    `-- right () c
        |-- left . 0101
        `-- right . 1010
    """
    if most_nodes < 1:
        raise InputError(f"expected at least 1 node to show, found {most_nodes}")
    return Text("\n").join(_Drawing(tree, result, most_nodes, ascii).lines())


class _Drawing:
    """Everything that the lines of one tree are made from."""

    def __init__(self, tree: WorldTree, result: SearchResult | None, most_nodes: int, ascii_only: bool) -> None:
        self.tree, self.result, self.ascii_only = tree, result, ascii_only
        self.signs = _ASCII if ascii_only else _UNICODE
        self.chosen = chosen_branches(tree, result)
        self.places = _nearest(tree, most_nodes)
        self.last = {above: node for node, (above, _) in sorted(self.places.items())}

    def lines(self) -> Iterator[Text]:
        """A line for each node shown, in preorder, and one for all that are not."""
        open_nodes: list[int] = []
        for node in sorted(self.places):
            while open_nodes and self.tree.end[open_nodes[-1]] <= node:
                open_nodes.pop()
            yield Text.assemble(*self.guides(open_nodes, node), *self.words(node))
            open_nodes.append(node)
        if left_out := len(self.tree) - len(self.places):
            nodes = "1 node" if left_out == 1 else f"{left_out:,} nodes"
            yield Text(f"{self.signs.more} {nodes} of {len(self.tree):,} left out", style="dim")

    # ------------------------------------------------------------------ guides

    def guides(self, above: list[int], node: int) -> Iterator[_Styled]:
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

    # ------------------------------------------------------------------ words

    def words(self, node: int) -> Iterator[_Styled]:
        """What a node's line says of it."""
        words = [self.move_name(node), self.signs.symbols[int(self.tree.kind[node])], self.name(node)]
        yield " ".join(filter(None, words)), "bold" if node in self.chosen else ""
        yield "".join(f" {word}" for word in self.vectors(node)), "cyan"
        if self.hides_branches(node):
            yield f" {self.signs.more}", "dim"

    def move_name(self, node: int) -> str:
        """The name of the branch to a node, if it has one."""
        above, move = self.places[node]
        names = self.tree.move_names.get(above)
        return self.clean(names[move]) if names else ""

    def name(self, node: int) -> str:
        """A node's name; its number if it is an inner node without one."""
        known = self.tree.names.get(node, "" if self.tree.kind[node] == LEAF else str(node))
        return self.clean(known)

    def vectors(self, node: int) -> Iterator[str]:
        """A leaf's payoffs, and what the search backed up."""
        leaf, value = self.tree.kind[node] == LEAF, value_at(self.tree, node, self.result)
        if leaf:
            yield str(Vector(self.tree.payoffs(node)))
        if value is not None:
            yield f"{self.signs.becomes} {value}" if leaf else str(value)

    def hides_branches(self, node: int) -> bool:
        """Whether a branch of a node is not shown."""
        return any(child not in self.places for child in children(self.tree, node))

    def clean(self, name: str) -> str:
        """A name without anything that could move a terminal's cursor or colour its text."""
        name = "".join(letter if letter.isprintable() else "\ufffd" for letter in name)
        return name.encode("ascii", "backslashreplace").decode() if self.ascii_only else name


def _nearest(tree: WorldTree, most: int) -> dict[int, tuple[int, int]]:
    """The nodes nearest to the root, each with its parent and the number of the branch to it."""
    nodes, places = [0], {0: (-1, 0)}
    for node in nodes:  # the list grows while it is walked: level by level
        for move, child in enumerate(children(tree, node)):
            if len(nodes) == most:
                return places
            nodes.append(child)
            places[child] = node, move
    return places
