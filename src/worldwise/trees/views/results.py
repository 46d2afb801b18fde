"""Results of tree searches as tables for people and dictionaries for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table

from worldwise.trees.views.wording import branch_word, node_words, path_to, path_words, unique_names, worlds_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.core.result import SearchResult
    from worldwise.trees.blunders import Blunder
    from worldwise.trees.solving import Judgement
    from worldwise.trees.world_tree import WorldTree

MOST_STEPS = 1_000_000
"""Moves that the paths of a strategy may have in all."""

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
        "plan": _plan_json(tree, result),
        "optimal": verdict.optimal,
        "failure": verdict.failure,
        "why": _why_json(tree, verdict.blunder) if verdict.blunder else None,
        "complete": result.complete,
        "stats": vars(result.stats),
    }


def named_strategy(tree: WorldTree, result: SearchResult) -> dict[str, str | int]:
    """Moves by the names of nodes (their numbers where they have none, or share one); named where they have names."""
    names = unique_names(tree)

    def label(node: int) -> str:
        return names.get(node, str(node))

    def branch(node: int, move: int) -> str | int:
        return tree.move_names[node][move] if node in tree.move_names else move

    return {label(node): branch(node, move) for node, move in result.strategy.items()}


def _plan_json(tree: WorldTree, result: SearchResult) -> list[dict[str, Any]] | None:
    """The strategy by paths of moves; None where these would be very long."""
    if tree.depth * len(result.strategy) > MOST_STEPS:
        return None
    choices = result.strategy.items()
    return [{"after": path_to(tree, node), "play": branch_word(tree, node, move)} for node, move in choices]


def _why_json(tree: WorldTree, blunder: Blunder) -> dict[str, Any]:
    """A blunder by the names of nodes, branches and worlds."""
    lost, gained = ([tree.world_label(world) for world in worlds] for worlds in (blunder.lost, blunder.gained))
    return {
        "words": why_words(tree, blunder),
        "node": blunder.node,
        "after": path_to(tree, blunder.node) if tree.depth <= MOST_STEPS else None,
        "played": branch_word(tree, blunder.node, blunder.move),
        "better": branch_word(tree, blunder.node, blunder.better),
        "lost": lost,
        "gained": gained,
    }


def why_words(tree: WorldTree, blunder: Blunder) -> str:
    """Where a strategy goes wrong, in which worlds that costs something, and what it had counted on.

    >>> from worldwise.catalog import tree
    >>> from worldwise.trees.solving import judge
    >>> (verdict,) = judge(tree("fb01/fig-10"), "monte-carlo")
    >>> why_words(tree("fb01/fig-10"), verdict.blunder)
    'At a it plays left, but right gets more in w4. It counts on w4 and w5 too; at c, left gives them up.'
    """
    played, better = (branch_word(tree, blunder.node, move) for move in (blunder.move, blunder.better))
    less = f", and less in {worlds_words(tree, blunder.gained)}" if blunder.gained else ""
    more = f"{better} gets more in {worlds_words(tree, blunder.lost)}{less}"
    words = f"At {node_words(tree, blunder.node)} it plays {played}, but {more}."
    if (hoped := blunder.given_up) is None:
        return words
    gives_up = f"{branch_word(tree, hoped.node, hoped.move)} gives {'it' if len(hoped.worlds) == 1 else 'them'} up"
    return (
        f"{words} It counts on {worlds_words(tree, hoped.worlds)} too; at {node_words(tree, hoped.node)}, {gives_up}."
    )


def result_table(tree: WorldTree, verdict: Judgement, against: str) -> Table:
    """One result in full."""
    result, table = verdict.result, Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="bold")
    table.add_column()
    table.add_row("algorithm", result.algorithm)
    table.add_row("believes", _number(result.believed))
    table.add_row("is worth", f"{_number(result.value)} against {against}{_verdict(verdict)}")
    table.add_row("vector", str(result.vector))
    if verdict.blunder:
        table.add_row("why", why_words(tree, verdict.blunder))
    table.add_row("strategy", strategy_words(tree, result))
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


def reason_lines(tree: WorldTree, verdicts: Sequence[Judgement]) -> list[str]:
    """Why those fail that do, each reason once.

    >>> from worldwise.catalog import tree
    >>> from worldwise.trees.solving import judge
    >>> reason_lines(tree("fb01/fig-24"), judge(tree("fb01/fig-24"), ["vector-mm", "prm", "exact"]))
    ['vector-mm, prm: At c it plays left, but right gets more in w5.']
    """
    reasons: dict[str, list[str]] = {}
    for verdict in verdicts:
        if verdict.blunder:
            reasons.setdefault(why_words(tree, verdict.blunder), []).append(verdict.result.algorithm)
    return [f"{', '.join(names)}: {words}" for words, names in reasons.items()]


def _verdict(verdict: Judgement) -> str:
    if verdict.optimal:
        return ", the best there is"
    return f": not the best, because of {verdict.failure}" if verdict.failure else ""


def strategy_words(tree: WorldTree, result: SearchResult) -> str:
    """A strategy for people: what to play at each named node, or, a line each, after which moves.

    >>> from worldwise import random_tree, solve
    >>> from worldwise.catalog import tree
    >>> strategy_words(tree("fb01/fig-11"), solve(tree("fb01/fig-11")))
    'a: right'
    >>> fig = random_tree(depth=3, worlds=4, seed=1)
    >>> print(strategy_words(fig, solve(fig)))
    right
    after right, left: left
    after right, right: left
    """
    if not result.strategy:
        return "no choice to make"
    choices, names = list(result.strategy.items()), unique_names(tree)
    named = all(node in names for node, _ in choices)
    shown = [_choice_words(tree, node, move, named) for node, move in choices[:SHOWN_MOVES]]
    rest = len(choices) - len(shown)
    more = f"{' ' if named else chr(10)}and {rest:,} more (--json has all)" if rest else ""
    return (", " if named else "\n").join(shown) + more


def _choice_words(tree: WorldTree, node: int, move: int, named: bool) -> str:
    play = branch_word(tree, node, move)
    if named:
        return f"{tree.names[node]}: {play}"
    return f"after {path_words(tree, node)}: {play}" if node else play


def _number(value: float) -> str:
    return f"{value:.4g}"


def _short(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
