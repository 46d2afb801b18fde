"""CLIQUE is best defence in disguise: the reduction of FB01 section 6, both ways."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from worldwise.core.game import Side
from worldwise.errors import InputError
from worldwise.trees.world_tree import TreeBuilder, WorldTree

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

Vertex = TypeVar("Vertex", bound="Hashable")

SELECT, LEAVE = 0, 1
"""MAX's two moves at a vertex: FB01's left and right branch."""


def clique_tree(edges: Iterable[tuple[Vertex, Vertex]], vertices: Iterable[Vertex] = ()) -> WorldTree:
    """A tree in which MAX can win k worlds at once just when the graph has a clique of k vertices.

    MIN picks a vertex, MAX selects it or leaves it. Selecting wins in the worlds of the vertex and its neighbours,
    leaving wins in all worlds but the vertex's own. Vertices come in the order given, then as edges name them.
    ``networkx`` graphs fit: ``clique_tree(graph.edges, graph.nodes)``.

    >>> tree = clique_tree([(1, 2), (1, 3), (2, 3), (3, 4), (4, 5)])
    >>> tree.payoffs(2), tree.payoffs(3)
    ((1, 1, 1, 0, 0), (0, 1, 1, 1, 1))
    """
    pairs = list(edges)
    order = list(dict.fromkeys([*vertices, *(vertex for pair in pairs for vertex in pair)]))
    if not order:
        raise InputError("expected a graph with at least one vertex, found none")
    neighbours: dict[Vertex, set[Vertex]] = {vertex: {vertex} for vertex in order}
    for one, other in pairs:
        neighbours[one].add(other)
        neighbours[other].add(one)
    builder = TreeBuilder()
    builder.open(Side.MIN)
    for vertex in order:
        node = builder.open(Side.MAX)
        builder.names[node] = f"v{vertex}"
        builder.move_names[node] = ("select", "leave")
        builder.leaf(float(other in neighbours[vertex]) for other in order)
        builder.leaf(float(other != vertex) for other in order)
        builder.close()
    builder.close()
    return builder.tree((1,) * len(order), world_names=tuple(str(vertex) for vertex in order), title="CLIQUE")


def clique_of(tree: WorldTree, strategy: Mapping[int, int]) -> tuple[str, ...]:
    """The clique a strategy of a ``clique_tree`` wins with: the vertices whose worlds it wins.

    >>> tree = clique_tree([(1, 2), (1, 3), (2, 3), (3, 4), (4, 5)])
    >>> clique_of(tree, {1: SELECT, 4: SELECT, 7: SELECT, 10: LEAVE, 13: LEAVE})
    ('1', '2', '3')
    """
    won = set(range(tree.worlds))
    for node, move in strategy.items():
        payoffs = tree.payoffs(tree.play(node, move))
        won &= {world for world, payoff in enumerate(payoffs) if payoff}
    return tuple(tree.world_label(world) for world in sorted(won))
