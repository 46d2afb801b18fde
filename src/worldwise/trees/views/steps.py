"""A search of a tree, told step by step: the vectors in the order in which they are backed up, and where it goes wrong.

Two things can be seen at a single node. A vector that no branch offers is fused: Monte Carlo has chosen another branch
for each world, as if MAX knew which one it is (FB01 section 4.2). A branch that the best strategy does not take, though
it comes to the same node, is where a search that looks at direct subtrees only is misled (section 4.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from worldwise.trees.preorder import LEAF, MAX, children
from worldwise.trees.views.wording import node_words, path_to, value_at, vector_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.core.result import SearchResult
    from worldwise.core.vector import Vector
    from worldwise.trees.world_tree import WorldTree

Fault = Literal["fused", "misled"]


@dataclass(frozen=True)
class BackupStep:
    """A vector that comes to stand at a node, what MAX chooses there, if it is MAX's, and what is wrong with it."""

    node: int
    vector: Vector
    words: str
    chosen: int | None = None
    fault: Fault | None = None


def backup_steps(tree: WorldTree, result: SearchResult, best: SearchResult | None = None) -> list[BackupStep]:
    """The steps of a traced search; ``best`` is the exact one, if the result is worse.

    >>> from worldwise.catalog import tree
    >>> from worldwise.search.algorithms import algorithm
    >>> from worldwise.search.strategy import trace
    >>> fig = tree("fb01/fig-10")
    >>> [step.words for step in backup_steps(fig, trace(algorithm("monte-carlo"), fig))][1]
    'At d, MAX takes left and expects the best of every world: 11111. No branch offers that: strategies are fused.'
    """
    told = _Told(tree, result, best)
    return [told.step(node) for node in result.values if tree.kind[node] != LEAF or value_at(tree, node, result)]


def summary_words(result: SearchResult, failure: str | None, best: SearchResult | None, why: str = "") -> str:
    """What comes of a search in the end, and why.

    >>> from worldwise import solve
    >>> from worldwise.catalog import tree
    >>> fig = tree("fb01/fig-10")
    >>> summary_words(solve(fig, "monte-carlo"), "strategy fusion", solve(fig))
    'monte-carlo believes in 1 and gets 0.6: the best is 0.8, missed because of strategy fusion.'
    """
    words = f"{result.algorithm} believes in {result.believed:.4g} and gets {result.value:.4g}"
    if result.believed == result.value:
        words = f"{result.algorithm} believes in {result.value:.4g} and gets it"
    if best is None:
        return f"{words}; whether that is the best took too long to find out."
    if failure is None:
        return f"{words}, the best there is."
    return f"{words}: the best is {best.value:.4g}, missed because of {failure}. {why}".rstrip()


@dataclass(frozen=True)
class _Told:
    """Everything that the words of one search are made from."""

    tree: WorldTree
    result: SearchResult
    best: SearchResult | None

    def step(self, node: int) -> BackupStep:
        vector = self.result.values[node]
        if self.tree.kind[node] == LEAF:
            return BackupStep(node, vector, f"At {self._path(node)}, payoffs are cut to {vector_word(vector)}.")
        name = self._name(node)
        if self.tree.kind[node] != MAX:
            return BackupStep(node, vector, f"At {name}, MIN leaves the least of every world: {vector_word(vector)}.")
        fault, chosen = self._fault(node), self._chosen_child(node)
        words = " ".join(filter(None, [f"At {name}, MAX {self._choice(node, chosen)}", self._why(node, fault)]))
        return BackupStep(node, vector, words, chosen, fault)

    def _chosen_child(self, node: int) -> int | None:
        """The branch that MAX takes, by the node it leads to; off its way it is the first that offers the vector."""
        if node in self.result.strategy:
            return self.tree.play(node, self.result.strategy[node])
        return next(self._children_offering(node), None)

    def _children_offering(self, node: int) -> Iterator[int]:
        values = self.result.values
        return (child for child in children(self.tree, node) if values.get(child) == values[node])

    def _fault(self, node: int) -> Fault | None:
        if self._is_monte_carlo and next(self._children_offering(node), None) is None:
            return "fused"
        here = self.result.strategy.get(node)
        return "misled" if self.best and here is not None and self.best.strategy.get(node, here) != here else None

    def _choice(self, node: int, chosen: int | None) -> str:
        vector = self.result.values[node]
        if self._is_monte_carlo:
            takes = f"takes {self._branch(chosen)} and " if chosen is not None else ""
            return f"{takes}expects the best of every world: {vector_word(vector)}."
        branch = "" if chosen is None else f"takes {self._branch(chosen)}: "
        mean = vector.expected(self.tree.weights)
        return f"{branch}{vector_word(vector)}, {mean:.3g} on average."

    def _why(self, node: int, fault: Fault | None) -> str:
        if fault == "fused":
            return "No branch offers that: strategies are fused."
        if fault == "misled" and self.best:
            better = self._branch(self.tree.play(node, self.best.strategy[node]))
            return f"The best strategy, which looks at the whole tree, takes {better} here."
        return ""

    def _name(self, node: int) -> str:
        return node_words(self.tree, node)

    def _branch(self, child: int) -> str:
        return path_to(self.tree, child)[-1]

    def _path(self, leaf: int) -> str:
        """A leaf by the branch that leads to it."""
        above = int(self.tree.parent[leaf])
        return f"the leaf {self._branch(leaf)} of {self._name(above)}" if leaf else "the only leaf"

    @property
    def _is_monte_carlo(self) -> bool:
        return self.result.algorithm.startswith("monte-carlo")
