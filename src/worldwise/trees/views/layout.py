"""Where everything in the figure of a tree stands, in pixels; ``tree_svg`` adds the ink.

Each level of the tree is a band, high enough for all that stands at its nodes, and branches slant only between bands.
So nothing can overlap as long as neighbours in a band, or on the line of branch names halfway between two bands, keep
their distance; and as leaves are evenly spaced, one number does that: the space between two leaves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from textwrap import wrap
from typing import TYPE_CHECKING

from worldwise.trees.preorder import LEAF, children
from worldwise.trees.views.wording import branch_names, payoff_word, value_at, world_word
from worldwise.views.lettering import GAP, LINE, MARGIN, SMALL, TEXT, shorten, text_width

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.core.result import SearchResult
    from worldwise.core.vector import Vector
    from worldwise.trees.world_tree import WorldTree

NODE = 12.5
"""Half a node's width and height."""

ROW = 17.0
"""The height of a row of payoffs."""

APART = 11.0
"""Between neighbours."""

_LEAST_SPACE, _ROOMY_SPACE, _ROOMY_WIDTH = 24.0, 44.0, 480.0
_LEAST_RISE, _MOST_RISE, _RISE_PER_STEP, _NAME_RISE = 38.0, 110.0, 0.27, 18.0
_HEADING = 30.0
_LONGEST_NAME, _LONGEST_LINE, _LONGEST_ROW = 26, 14, 12


@dataclass(frozen=True)
class Mark:
    """What stands at a node: its shape, a short name in it, a long one to its left, its vector to its right.

    A leaf has no shape: its name stands alone.
    """

    kind: int
    inside: str = ""
    beside: tuple[str, ...] = ()
    vector: tuple[str, ...] = ()

    @property
    def box(self) -> tuple[float, float]:
        """The width and height of the box around the vector, if there is one."""
        if not self.vector:
            return 0.0, 0.0
        return _widest(self.vector) + 8, LINE * len(self.vector) + 4

    @property
    def left(self) -> float:
        """How far it reaches to the left of the node's middle."""
        names = _widest(self.beside)
        return names / 2 if self.kind == LEAF else NODE + names + GAP * bool(names)

    @property
    def right(self) -> float:
        """How far it reaches to the right."""
        return self.left if self.kind == LEAF else NODE + self.box[0] + GAP * bool(self.vector)

    @property
    def half(self) -> float:
        """How far it reaches up, and down."""
        names = len(self.beside) * LINE / 2 + 2 * bool(self.beside)
        return names if self.kind == LEAF else max(NODE, names, self.box[1] / 2)


@dataclass(frozen=True)
class Heights:
    """From the top down: the middle of every band, the upper edge of the payoffs, the end of the figure."""

    bands: tuple[float, ...]
    payoffs: float
    end: float


@dataclass(frozen=True)
class _Item:
    """Something in a line: where it stands, in leaves, and how far it reaches to both sides, in pixels."""

    at: float
    left: float = 0.0
    right: float = 0.0


@dataclass(frozen=True)
class TreeLayout:
    """The places of everything in the figure of a tree, each worked out when it is first asked for."""

    tree: WorldTree
    result: SearchResult | None
    title: str
    caption: str

    # ------------------------------------------------------------------ what there is

    @cached_property
    def marks(self) -> list[Mark]:
        """What stands at each node."""
        return [_mark(self.tree, node, self.result) for node in range(len(self.tree))]

    @cached_property
    def branch_names(self) -> dict[int, str]:
        """The names of branches, each by the node it leads to."""
        return {node: shorten(name, _LONGEST_LINE) for node, name in branch_names(self.tree).items()}

    @cached_property
    def world_names(self) -> list[str]:
        """The labels of the rows of payoffs."""
        return [shorten(world_word(self.tree, world), 2 * _LONGEST_LINE) for world in range(self.tree.worlds)]

    @cached_property
    def leaves(self) -> list[int]:
        """The leaves, from left to right."""
        return [node for node, mark in enumerate(self.marks) if mark.kind == LEAF]

    def cells(self, leaf: int) -> list[tuple[str, str]]:
        """A leaf's payoffs, each with what the search cut it down to, if it did (FB01 Fig 20)."""
        payoffs, value = self.tree.payoffs(leaf), value_at(self.tree, leaf, self.result)
        pairs = zip(payoffs, payoffs if value is None else value, strict=True)
        return [(payoff_word(was), "" if was is None or now == was else payoff_word(now)) for was, now in pairs]

    @cached_property
    def level(self) -> list[int]:
        """How many moves each node is from the root."""
        levels = [0]
        for above in self.tree.parent[1:].tolist():  # parents come first in preorder
            levels.append(levels[above] + 1)
        return levels

    # ------------------------------------------------------------------ across

    @cached_property
    def x(self) -> list[float]:
        """The middle of each node."""
        left, right = self._reach
        first = (self.width - left - right) / 2 + left
        return [first + self._space * at for at in self._at]

    @cached_property
    def rows_left(self) -> float:
        """Where the labels of the rows of payoffs end."""
        return self.x[self.leaves[0]] - self._column_item(self.leaves[0]).left - 3 * GAP

    @cached_property
    def width(self) -> float:
        """Of the figure."""
        return 2 * MARGIN + max(sum(self._reach), text_width(self.title, TEXT), text_width(self.caption, SMALL))

    @cached_property
    def _at(self) -> list[float]:
        """Where each node stands, counted in leaves: over the middle of its children."""
        places = [0.0] * len(self.tree)
        leaf = self.tree.leaves
        for node in reversed(range(len(self.tree))):
            below = list(children(self.tree, node))
            leaf -= not below
            places[node] = (places[below[0]] + places[below[-1]]) / 2 if below else float(leaf)
        return places

    @cached_property
    def _space(self) -> float:
        """Between two leaves: the least that keeps all neighbours apart."""
        lines = [sorted(line, key=lambda item: item.at) for line in self._lines()]
        needs = (_need(one, other) for line in lines for one, other in pairwise(line))
        roomy = min(_ROOMY_SPACE, _ROOMY_WIDTH / self.tree.leaves)
        return max(_LEAST_SPACE, roomy, max(needs, default=0.0))

    def _lines(self) -> Iterator[list[_Item]]:
        """Everything that must not overlap, line by line: nodes, names of branches, payoffs."""
        for level in range(self.tree.depth + 1):
            nodes = [node for node in range(len(self.tree)) if self.level[node] == level]
            # on its way down to the payoffs, the line below a leaf of an earlier level passes through
            passing = [_Item(self._at[leaf]) for leaf in self.leaves if self.level[leaf] < level]
            yield [self._node_item(node) for node in nodes] + passing
            yield [self._name_item(node) for node in nodes if node] + passing
        yield [self._column_item(leaf) for leaf in self.leaves]

    def _node_item(self, node: int) -> _Item:
        return _Item(self._at[node], self.marks[node].left, self.marks[node].right)

    def _name_item(self, node: int) -> _Item:
        """The name of the branch to a node, halfway along it."""
        half = text_width(self.branch_names.get(node, ""), SMALL) / 2
        return _Item((self._at[node] + self._at[self.tree.parent[node]]) / 2, half, half)

    def _column_item(self, leaf: int) -> _Item:
        """The payoffs of a leaf; what they are cut down to stands to their right."""
        widths = [(text_width(was, TEXT), text_width(now, TEXT)) for was, now in self.cells(leaf)]
        half = max(was for was, _ in widths) / 2
        cut = max(was / 2 + now + GAP * bool(now) for was, now in widths)
        return _Item(self._at[leaf], half, cut)

    @cached_property
    def _reach(self) -> tuple[float, float]:
        """How far the tree and the labels of its rows reach to the left and to the right of the first leaf."""
        items = [item for line in self._lines() for item in line]
        labels = self._column_item(self.leaves[0]).left + 3 * GAP + _widest(self.world_names)
        left = max(item.left - self._space * item.at for item in items)
        return max(left, labels), max(item.right + self._space * item.at for item in items)

    # ------------------------------------------------------------------ down

    @cached_property
    def heights(self) -> Heights:
        """Where every band stands, and everything below."""
        y = MARGIN + _HEADING * bool(self.title)
        bands = []
        for half, rise in zip(self.half, self._rises, strict=True):
            y += rise + half
            bands.append(y)
            y += half
        end = y + GAP + ROW * self.tree.worlds + _HEADING * bool(self.caption) + MARGIN
        return Heights(tuple(bands), y + GAP, end)

    @cached_property
    def half(self) -> list[float]:
        """Half the height of each band."""
        halves = [0.0] * (self.tree.depth + 1)
        for level, mark in zip(self.level, self.marks, strict=True):
            halves[level] = max(halves[level], mark.half)
        return halves

    @cached_property
    def _rises(self) -> list[float]:
        """The height of the branches above each band: more where they reach far, so that none is too flat."""
        steps = [0.0] * (self.tree.depth + 1)
        for node, above in enumerate(self.tree.parent.tolist()[1:], start=1):
            level = self.level[node]
            steps[level] = max(steps[level], self._space * abs(self._at[node] - self._at[above]))
        named = _NAME_RISE * bool(self.branch_names)
        rises = [min(max(_RISE_PER_STEP * step, _LEAST_RISE), _MOST_RISE) for step in steps[1:]]
        return [0.0, *(rise + named for rise in rises)]

    def y(self, node: int) -> float:
        """The middle of a node."""
        return self.heights.bands[self.level[node]]

    def branch(self, node: int) -> list[tuple[float, float]]:
        """The corners of the branch to a node: it leaves its parent's band, slants, and enters the node's own."""
        above, level = int(self.tree.parent[node]), self.level[node]
        band = self.half[level]
        stop = NODE if self.marks[node].kind != LEAF else self.marks[node].half or band
        return [
            (self.x[above], self.y(above) + NODE),
            (self.x[above], self.y(above) + self.half[level - 1]),
            (self.x[node], self.y(node) - (band if band > stop + GAP else stop)),
            (self.x[node], self.y(node) - stop),
        ]

    def leader(self, leaf: int) -> list[tuple[float, float]]:
        """The ends of the line from a leaf down to its payoffs; none if they are near."""
        x, half = self.x[leaf], self.marks[leaf].half or -self.half[self.level[leaf]]
        start, stop = self.y(leaf) + half, self.heights.payoffs - 2
        return [(x, start), (x, stop)] if stop > start + 2 * GAP else []


def _need(one: _Item, other: _Item) -> float:
    """How far apart leaves must be for these two neighbours."""
    return (one.right + other.left + APART) / (other.at - one.at)


def _mark(tree: WorldTree, node: int, result: SearchResult | None) -> Mark:
    kind, name = int(tree.kind[node]), tree.names.get(node, "")
    if kind == LEAF:
        return Mark(kind, beside=name_lines(name))
    value = value_at(tree, node, result)
    vector = () if value is None else vector_lines(value)
    if text_width(name, TEXT) <= 2 * NODE - 4:
        return Mark(kind, inside=name, vector=vector)
    return Mark(kind, beside=name_lines(name), vector=vector)


def name_lines(name: str) -> tuple[str, ...]:
    """A long name in at most two short lines.

    >>> name_lines("East after discard")
    ('East after', 'discard')
    """
    return tuple(wrap(shorten(name, _LONGEST_NAME), _LONGEST_LINE, max_lines=2, placeholder="…"))


def vector_lines(vector: Vector) -> tuple[str, ...]:
    """A vector as the lines of a box: digits in a row, many in rows of five, and longer numbers in a column.

    >>> from worldwise.core.vector import Vector
    >>> vector_lines(Vector([1, 0, 0])), vector_lines(Vector([10, 0]))
    (('100',), ('10', '0'))
    """
    words = [payoff_word(payoff) for payoff in vector]
    if any(len(word) > 1 for word in words):
        return tuple(words)
    step = len(words) if len(words) <= _LONGEST_ROW else 5
    return tuple("".join(words[start : start + step]) for start in range(0, len(words), step))


def _widest(lines: tuple[str, ...] | list[str]) -> float:
    return max((text_width(line, SMALL) for line in lines), default=0.0)
