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

from typing import TYPE_CHECKING

from worldwise.core.vector import Vector
from worldwise.trees.preorder import LEAF, MAX, MIN
from worldwise.trees.views.outline import Outline
from worldwise.trees.views.wording import chosen_branches, value_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

    from worldwise.core.result import SearchResult
    from worldwise.trees.views.outline import Styled
    from worldwise.trees.world_tree import WorldTree

_SYMBOLS = {False: {MAX: "□", MIN: "○", LEAF: "•"}, True: {MAX: "[]", MIN: "()", LEAF: "."}}
"""By kind of node; Unicode or not."""


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
    >>> from worldwise.search.strategy import trace
    >>> fig = tree("fb01/fig-9")
    >>> print(tree_text(fig, trace(algorithm("exact"), fig), ascii=True))
    [] a 1000
    |-> left () b 1000
    |   |-- left . 1000
    |   `-- right . 1000
    `-- right () c
        |-- left . 0101
        `-- right . 1010
    """
    return _TreeOutline(tree, result, most_nodes, ascii).text()


class _TreeOutline(Outline):
    """The words of a possible-world tree."""

    def __init__(self, tree: WorldTree, result: SearchResult | None, most_nodes: int, ascii_only: bool) -> None:
        super().__init__(tree, chosen_branches(tree, result), most_nodes, ascii_only)
        self.tree, self.result = tree, result

    def words(self, node: int) -> Iterator[Styled]:
        """The branch, the node and its vectors."""
        symbol = _SYMBOLS[self.ascii_only][int(self.tree.kind[node])]
        words = [self.move_name(node), symbol, self.name(node)]
        yield " ".join(filter(None, words)), "bold" if node in self.chosen else ""
        yield "".join(f" {word}" for word in self.vectors(node)), "cyan"

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
