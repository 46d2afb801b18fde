"""Solvers of the user's own on BMV96's small games: the same games, compared with IMP-minimax game by game."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from worldwise.core.statistics import CONFIDENCE, Estimate, Sums, paired_mean
from worldwise.lab.comparisons import ClaimCheck, all_of, more, sure
from worldwise.lab.experiment import Claim
from worldwise.lab.newcomers import Contest
from worldwise.lab.papers.bmv96.quality import (
    NEWCOMER,
    TOLD,
    Quality,
    quality_picture,
    quality_table,
)
from worldwise.lab.papers.bmv96.small_games import HIGHEST, TwoSecrets, guaranteed_payoff
from worldwise.lab.table import table_of
from worldwise.lab.user_code import ready_searcher
from worldwise.search.profiles import expected_payoffs

if TYPE_CHECKING:
    from collections.abc import Callable

    from worldwise.lab.experiment import Experiment, Verdict
    from worldwise.lab.newcomers import Newcomer
    from worldwise.lab.papers.bmv96.small_games import Judged
    from worldwise.lab.table import DataTable
    from worldwise.runs.rows import Row, Rows, Setting


def ready_solver(place: str) -> Any:
    """The solver of games in extensive form at a place; its answers have a ``profile``."""
    return ready_searcher(place)


def measure_solver(measure: Callable[..., Row], newcomer: Newcomer, setting: Setting, seed: int) -> Row:
    """A row of IMP-minimax, and what the newcomer loses on the same games."""
    return measure(setting, seed, partial(_add, newcomer))


def _add(newcomer: Newcomer, row: dict[str, float], game: Any, judged: Judged) -> None:
    with newcomer.blame():
        profile = ready_solver(newcomer.place).search(game).profile
        worth = guaranteed_payoff(game, profile) if isinstance(game, TwoSecrets) else expected_payoffs(game, profile)[0]
    lost, rival = (float(Fraction(judged.best - found) / HIGHEST) for found in (worth, judged.found))
    sums = {"wrong": worth < judged.best, "lost": lost, "lost_squares": lost * lost, "products": lost * rival}
    for name, amount in sums.items():
        row[NEWCOMER + name] += amount


def enter_solver(experiment: Experiment, newcomer: Newcomer) -> Experiment:
    """An experiment with a solver of the user's own beside IMP-minimax."""
    name = newcomer.name
    text = f"{name} loses less than IMP-minimax at every size"
    test = (
        f"what IMP-minimax loses less what {name} loses on the same games: holds above 0, fails wholly below 1 in 100"
    )
    return replace(
        experiment,
        measure=partial(measure_solver, experiment.measure, newcomer),
        claims=(Claim(text, "yours", _loses_less, test),),
        summary=partial(_table, name),
        plot=partial(quality_picture, told=(*TOLD, (f"{NEWCOMER}lost", f"by {name}"))),
    )


def _loses_less(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    kinds = Quality.of(rows)
    each = sure(len(kinds), confidence)
    return all_of([ClaimCheck.of(str(kind.sizes), _gain(kind, each), more) for kind in kinds], "nothing measured")


def _gain(kind: Quality, confidence: float) -> Estimate:
    rival, own = (Sums(kind.sums[f"{who}lost"], kind.sums[f"{who}lost_squares"]) for who in ("", NEWCOMER))
    found = paired_mean(rival, own, kind.sums[f"{NEWCOMER}products"], kind.games, confidence=confidence)
    return replace(found, percent=True)


def _table(name: str, rows: Rows) -> DataTable:
    """The table of IMP-minimax, with a column for what the newcomer loses."""
    table = quality_table(rows)
    lost = [kind.mean(f"{NEWCOMER}lost") for kind in Quality.of(rows)]
    records = ({**record, f"lost by {name}": one} for record, one in zip(table.records(), lost, strict=True))
    return table_of(records, table.caption)


CONTESTS = {"algorithm": Contest(ready_solver, enter_solver, ("imp-minimax", "IMP-minimax"))}
"""Who can enter where IMP-minimax meets small games."""
