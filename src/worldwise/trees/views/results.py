"""Results of tree searches as tables for people and dictionaries for programs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.core.result import SearchResult
    from worldwise.trees.solving import Judgement
    from worldwise.trees.world_tree import WorldTree

SHOWN_MOVES = 12
"""A longer strategy is cut in tables for people."""


def result_json(tree: WorldTree, verdict: Judgement) -> dict[str, Any]:
    """A result with the keys that programs rely on.

    >>> from worldwise.catalog import tree
    >>> from worldwise.trees.solving import judge
    >>> result_json(tree("fb01/fig-10"), judge(tree("fb01/fig-10"), ["exact"])[0])["strategy"]
    {'a': 'right'}
    """
    result = verdict.result
    return {
        "algorithm": result.algorithm,
        "believed": result.believed,
        "value": result.value,
        "vector": list(result.vector),
        "strategy": named_strategy(tree, result),
        "optimal": verdict.optimal,
        "failure": verdict.failure,
        "complete": result.complete,
        "stats": vars(result.stats),
    }


def named_strategy(tree: WorldTree, result: SearchResult) -> dict[str, str | int]:
    """Moves by the names of nodes (their numbers where they have none, or share one); named where they have names."""
    shared = Counter(tree.names.values())

    def label(node: int) -> str:
        return tree.names[node] if shared[tree.names.get(node, "")] == 1 else str(node)

    def branch(node: int, move: int) -> str | int:
        return tree.move_names[node][move] if node in tree.move_names else move

    return {label(node): branch(node, move) for node, move in result.strategy.items()}


def result_table(tree: WorldTree, verdict: Judgement, against: str) -> Table:
    """One result in full."""
    result, table = verdict.result, Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="bold")
    table.add_column()
    table.add_row("algorithm", result.algorithm)
    table.add_row("believes", _number(result.believed))
    table.add_row("is worth", f"{_number(result.value)} against {against}{_verdict(verdict)}")
    table.add_row("vector", str(result.vector))
    table.add_row("strategy", _moves(named_strategy(tree, result)))
    stats = result.stats
    cuts = f", {stats.cuts:,} cuts" if stats.cuts else ""
    table.add_row("searched", f"{stats.nodes:,} nodes, {stats.leaves:,} leaves{cuts} in {stats.seconds:.3g} s")
    if not result.complete:
        table.add_row("", "cut short by the limit: the best so far")
    return table


def comparison_table(tree: WorldTree, verdicts: Sequence[Judgement], against: str) -> Table:
    """All algorithms side by side: what each believes, what it gets, and why not more."""
    table = Table(title=f"{tree.title or 'tree'}: worth against {against}", title_justify="left")
    for heading in ("algorithm", "believes", "is worth", "vector", "verdict", "nodes", "ms"):
        table.add_column(heading, justify="right" if heading in ("believes", "is worth", "nodes", "ms") else "left")
    for verdict in verdicts:
        result, stats = verdict.result, verdict.result.stats
        table.add_row(
            result.algorithm,
            _number(result.believed),
            _number(result.value),
            _short(str(result.vector)),
            "optimal" if verdict.optimal else verdict.failure or "not known",
            f"{stats.nodes:,}",
            f"{1000 * stats.seconds:.2f}",
            style="bold" if verdict.optimal else None,
        )
    return table


def _verdict(verdict: Judgement) -> str:
    if verdict.optimal:
        return ", the best there is"
    return f": not the best, because of {verdict.failure}" if verdict.failure else ""


def _moves(strategy: dict[str, str | int]) -> str:
    if not strategy:
        return "no choice to make"
    shown = [f"{node}: {move}" for node, move in list(strategy.items())[:SHOWN_MOVES]]
    rest = len(strategy) - len(shown)
    return ", ".join(shown) + (f" and {rest:,} more (--json has all)" if rest else "")


def _number(value: float) -> str:
    return f"{value:.4g}"


def _short(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
