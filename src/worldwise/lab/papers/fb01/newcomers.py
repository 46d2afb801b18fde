"""Searchers of the user's own on FB01's random trees: the same trees, with ties broken by the same seeds.

A searcher is asked tree by tree, and what its strategies are worth is counted as for the papers' algorithms. Rows say
on how many trees it errs together with each of the others, so differences are paired.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from worldwise.core.statistics import CONFIDENCE
from worldwise.errors import InputError
from worldwise.lab.comparisons import ClaimCheck, all_of, more
from worldwise.lab.experiment import Claim
from worldwise.lab.newcomers import Contest
from worldwise.lab.papers.fb01.errors import TEN, ErrorPoint, Errors, RandomTrees, count_losses
from worldwise.lab.table import NOTHING, summary_alone
from worldwise.lab.user_code import ready_searcher
from worldwise.search.algorithms import ALGORITHMS
from worldwise.search.random_ties import Ties
from worldwise.trees.batches import BatchPlay, worths
from worldwise.trees.compiled import compile_game
from worldwise.trees.preorder import MAX, MIN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from worldwise.core.result import Strategy
    from worldwise.lab.experiment import Experiment, Judge, Verdict
    from worldwise.lab.newcomers import Newcomer
    from worldwise.runs.rows import Row, Rows, Setting
    from worldwise.trees.world_tree import WorldTree


def measure_searcher(measure: Callable[[Setting, int], Row], newcomer: Newcomer, setting: Setting, seed: int) -> Row:
    """A row of the papers' algorithms, and what the newcomer does on the same trees."""
    row, trees = dict(measure(setting, seed)), RandomTrees.of(setting, seed)
    optima = trees.optima(sorted({int(key.split(".")[1]) for key in row if key.endswith(".errors")}))
    played = _play(trees, newcomer)
    lost = {
        (newcomer.name, known): optima[known] - won
        for known, won in zip(optima, worths(trees.batch, played, optima), strict=True)
    }
    rivals = trees.lost(TEN, optima)
    row |= count_losses(lost)
    for (rival, known), worlds in rivals.items():
        both = int(((worlds > 0) & (lost[newcomer.name, known] > 0)).sum())
        row[f"{rival}.{known}&{newcomer.name}.{known}.both"] = both
    return row


def _play(trees: RandomTrees, newcomer: Newcomer) -> BatchPlay:
    """What the newcomer does on every tree of a batch; where its strategies do not lead, anything."""
    batch, seeds = trees.batch, trees.ties.seeds
    chosen: NDArray[np.int8] = np.zeros((len(batch.kind), batch.trees), dtype=np.int8)
    assert seeds is not None
    for number in range(batch.trees):
        tree = batch.tree(number)
        with newcomer.blame():
            strategy = ready_searcher(newcomer.place, Ties(int(seeds[number]))).search(compile_game(tree)).strategy
            for node, move in _choices(tree, strategy):
                chosen[node, number] = move
    return BatchPlay(np.zeros(batch.trees, dtype=np.uint64), chosen)


def _choices(tree: WorldTree, strategy: Strategy) -> Iterator[tuple[int, int]]:
    """The moves of a strategy where it leads; ``InputError`` if one is missing, or is none."""
    ahead = [0]
    for node in ahead:
        if tree.kind[node] == MAX:
            move, moves = strategy.get(node), tree.moves(node)
            if move is None or move not in moves:
                raise InputError(f"expected a move at node {node}, one of {list(moves)}, found {move!r:.40}")
            yield node, int(move)
            ahead.append(tree.play(node, int(move)))
        elif tree.kind[node] == MIN:
            ahead += [tree.play(node, move) for move in tree.moves(node)]


def enter_searcher(experiment: Experiment, newcomer: Newcomer) -> Experiment:
    """An experiment with a searcher of the user's own beside the papers'."""
    return replace(
        experiment,
        measure=partial(measure_searcher, experiment.measure, newcomer),
        claims=tuple(_errs_less(newcomer.name, rival) for rival in TEN),
        published=NOTHING,
        compare=summary_alone,
    )


def _errs_less(name: str, rival: str) -> Claim:
    text = f"Against a MIN who knows everything, {name} errs less often than {rival} on the deepest trees"
    test = f"errors of {rival} less errors of {name} on the same trees: holds above 0, fails wholly below 1 in 100"
    return Claim(text, "yours", _judge(name, rival), test)


def _judge(name: str, rival: str) -> Judge:
    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        errors = Errors(rows)
        own = [point for point in errors.points if point.algorithm == name]
        last = max(own, key=lambda point: (point.depth, point.branching, point.worlds, point.known), default=None)
        gain = errors.difference(replace(last, algorithm=rival), last, confidence) if last else None
        if last is None or gain is None:
            return all_of([], "not measured")
        return all_of([ClaimCheck.of(_where(last), gain, more)], "")

    return verdict


def _where(point: ErrorPoint) -> str:
    more_branches = f", {point.branching} branches" if point.branching != 2 else ""
    return f"depth {point.depth}{more_branches}, {point.worlds} worlds:"


CONTESTS = {"algorithm": Contest(ready_searcher, enter_searcher, ALGORITHMS)}
"""Who can enter where algorithms meet random trees."""
