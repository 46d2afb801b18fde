"""Games of the user's own in place of FB01's random trees: the papers' algorithms play them, and are judged as there.

A game is searched as the tree it unrolls to. Each is made by a seed of its own, which breaks the ties too; a game that
takes no seed is the same every time, and only ties differ. Which worlds a MIN who knows some of them knows is drawn for
every game. What is lost is told as a share of the range of payoffs. Rows have the form of the papers' own, so pictures
and comparisons are theirs.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from random import Random
from typing import TYPE_CHECKING, cast

import numpy as np

from worldwise.core.statistics import CONFIDENCE
from worldwise.errors import InputError
from worldwise.lab.comparisons import ClaimCheck, all_of, more
from worldwise.lab.experiment import Claim
from worldwise.lab.newcomers import Contest
from worldwise.lab.papers.fb01.errors import TEN, ErrorPoint, Errors, count_losses, count_together, levels
from worldwise.lab.table import NOTHING, summary_alone, table_of
from worldwise.lab.user_code import ready_game
from worldwise.runs.rows import Setting
from worldwise.search.algorithms import algorithm
from worldwise.search.exact import Exact
from worldwise.search.knowledge import known_worlds
from worldwise.search.random_ties import Ties
from worldwise.search.strategy import evaluate
from worldwise.trees.compiled import compile_game
from worldwise.trees.preorder import LEAF
from worldwise.trees.world_tree import unroll

if TYPE_CHECKING:
    from worldwise.lab.experiment import Experiment, Judge, Verdict
    from worldwise.lab.newcomers import Newcomer
    from worldwise.lab.table import DataTable
    from worldwise.runs.rows import Row, Rows
    from worldwise.trees.world_tree import WorldTree

MOST_NODES = 1_000_000
"""A game that is larger is refused: a row has many of them, and each is searched eleven times and more."""

TREES = {"smoke": 20, "laptop": 100, "paper": 100}
"""Games in a row."""

SEEDS = {"smoke": 1, "laptop": 5, "paper": 50}

HAIR = 1e-9
"""What two sums of the same payoffs may differ by."""


# ---------------------------------------------------------------------- measuring


def measure_game(newcomer: Newcomer, setting: Setting, seed: int) -> Row:
    """Errors of the ten algorithms at every level of knowledge, and in how many games two of them err together."""
    rng = Random(seed)
    games = [_measure_losses(newcomer, setting, rng.getrandbits(63)) for _ in range(cast("int", setting["trees"]))]
    lost = {who: np.array([game[who] for game in games]) for who in games[0]}
    row = count_losses(lost)
    for known in {known for _, known in lost}:
        row |= count_together(lost, [who for who in lost if who[1] == known])
    return row


def _measure_losses(newcomer: Newcomer, setting: Setting, seed: int) -> dict[tuple[str, int], float]:
    """What each algorithm loses in one game at each level: in worlds, so that all of the range in each is the most."""
    tree = _tree(newcomer, seed)
    if tree.worlds != setting["worlds"]:
        raise InputError(
            f"{newcomer.place}: expected {setting['worlds']} worlds, as in the first game, found {tree.worlds}"
        )
    game, unit = compile_game(tree), tree.worlds / _range(tree)
    played = {name: algorithm(name, Ties(seed)).search(game).strategy for name in TEN}
    found = {}
    for known in levels(tree.worlds):
        seen = frozenset(known_worlds(tree.worlds, Fraction(known, tree.worlds - 1), seed))
        best = Exact(known=seen).search(game).value
        for name, strategy in played.items():
            lost = unit * (best - evaluate(game, strategy, seen).value)
            found[name, known] = float(lost) if lost > HAIR else 0.0
    return found


def _range(tree: WorldTree) -> float:
    payoffs = tree.payoffs_by_leaf
    return float(np.nanmax(payoffs) - np.nanmin(payoffs)) or 1.0


def _tree(newcomer: Newcomer, seed: int) -> WorldTree:
    with newcomer.blame():
        return unroll(ready_game(newcomer.place, seed), MOST_NODES)


# ---------------------------------------------------------------------- the experiment


def enter_game(experiment: Experiment, newcomer: Newcomer) -> Experiment:
    """An experiment on a game of the user's own, in place of the papers' trees."""
    first = _tree(newcomer, 0)
    if first.worlds < 2:
        raise InputError(f"{newcomer.place}: expected a game of two worlds or more, found {first.worlds}")
    size = {"depth": _depth(first), "worlds": first.worlds}
    return replace(
        experiment,
        source="measured as in FB01 Fig 27, on a game of your own",
        measure=partial(measure_game, newcomer),
        settings={scale: (Setting(**size, trees=TREES[scale]),) for scale in experiment.scales},
        seeds={scale: SEEDS[scale] for scale in experiment.scales},
        claims=_claims(newcomer.name),
        summary=_table,
        digest=None,
        published=NOTHING,
        compare=summary_alone,
    )


def _depth(tree: WorldTree) -> int:
    """How many moves the longest line has."""
    deepest, ends = 0, list[int]()
    for node, end in enumerate(tree.end.tolist()):
        while ends and ends[-1] <= node:
            ends.pop()
        if tree.kind[node] == LEAF:
            deepest = max(deepest, len(ends))
        else:
            ends.append(end)
    return deepest


def _claims(name: str) -> tuple[Claim, ...]:
    """FB01's order of the algorithms, and where it turns round."""
    told = (
        ("monte-carlo", "vector-mm", 1, "FB01 section 8.1"),
        ("vector-mm", "prm", 1, "FB01 section 8.1"),
        ("prm", "iprm", 1, "FB01 section 8.2"),
        ("prm", "monte-carlo", 0, "FB01 section 8.1"),
    )
    return tuple(_errs_more(name, *one) for one in told)


def _errs_more(game: str, worse: str, better: str, knowledge: int, source: str) -> Claim:
    who = "everything" if knowledge else "nothing"
    text = f"On {game}, against a MIN who knows {who}, {worse} errs more often than {better}"
    test = f"errors of {worse} less errors of {better} in the same games: holds above 0, fails wholly below 1 in 100"
    return Claim(text, source, _judge(worse, better, knowledge), test)


def _judge(worse: str, better: str, knowledge: int) -> Judge:
    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        errors, row = Errors(rows), rows[0]
        depth, worlds = cast("int", row["depth"]), cast("int", row["worlds"])
        one, two = (ErrorPoint(name, depth, knowledge * (worlds - 1), worlds=worlds) for name in (worse, better))
        gain = errors.difference(one, two, confidence)
        return all_of([ClaimCheck.of(f"{worlds} worlds:", gain, more)] if gain else [], "not measured")

    return verdict


def _table(rows: Rows) -> DataTable:
    errors = Errors(rows)
    return table_of(
        (
            {
                "algorithm": point.algorithm,
                "worlds": point.worlds,
                "knowledge": round(point.knowledge, 4),
                "error": errors.rate(point),
                "loss": errors.loss(point),
            }
            for point in errors.points
        ),
        "how often the strategy is worse than the best, and by how much of the range of payoffs on average",
    )


GAME = Contest(ready_game, enter_game)
"""How a game enters where algorithms meet random trees."""
