"""The papers' experiments: their ids are known at once, an experiment is imported when it is asked for.

An experiment brings its game, its players and thousands of settings with it. Nobody who asks for one should wait for
thirty.
"""

from __future__ import annotations

from pkgutil import resolve_name
from typing import TYPE_CHECKING

from worldwise.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from worldwise.lab.experiment import Experiment

EXPERIMENTS: Mapping[str, str] = {
    "fb01/fig-7": "worldwise.lab.papers.fb01.random_trees:FIG_7",
    "fb01/fig-27": "worldwise.lab.papers.fb01.random_trees:FIG_27",
    "fb01/fig-29": "worldwise.lab.papers.fb01.random_trees:FIG_29",
    "fb01/fig-30": "worldwise.lab.papers.fb01.random_trees:FIG_30",
    "beyond/branching": "worldwise.lab.papers.fb01.random_trees:BRANCHING",
    "beyond/worlds": "worldwise.lab.papers.fb01.random_trees:MANY_WORLDS",
    "beyond/real-payoffs": "worldwise.lab.papers.fb01.costs:REAL_PAYOFFS",
    "beyond/cost": "worldwise.lab.papers.fb01.costs:COST",
    "fb01/fig-28": "worldwise.lab.papers.fb01.suit_play:FIG_28",
    "bmv96/average-case": "worldwise.lab.papers.bmv96.pruning:AVERAGE_CASE",
    "bmv96/strategies": "worldwise.lab.papers.bmv96.strategies:STRATEGIES",
    "clv21/table-1": "worldwise.lab.papers.clv21.switches:TABLE_1",
    "clv21/table-2": "worldwise.lab.papers.clv21.switches:TABLE_2",
    "clv21/table-3": "worldwise.lab.papers.clv21.switches:TABLE_3",
    "clv21/table-4": "worldwise.lab.papers.clv21.declarers:TABLE_4",
    "clv21/table-4-pimc": "worldwise.lab.papers.clv21.declarers:TABLE_4_PIMC",
    "clv21/3nt": "worldwise.lab.papers.clv21.declarers:GAME",
    "clv21/3nt-further": "worldwise.lab.papers.clv21.declarers:FURTHER",
    "clv21/4s": "worldwise.lab.papers.clv21.declarers:SUIT_GAME",
    "clv21/6nt": "worldwise.lab.papers.clv21.declarers:SLAM",
    "clv21/fig-6": "worldwise.lab.papers.clv21.curves:FIG_6",
    "clv21/fig-7": "worldwise.lab.papers.clv21.curves:FIG_7",
    "clv21/table-5": "worldwise.lab.papers.clv21.threads:TABLE_5",
    "pns06/fig-2": "worldwise.lab.papers.pns06.overconfidence:FIG_2",
    "pns06/fig-3": "worldwise.lab.papers.pns06.overconfidence:FIG_3",
    "pns06/fig-5": "worldwise.lab.papers.pns06.overconfidence:FIG_5",
    "pns06/fig-4": "worldwise.lab.papers.pns06.speed:FIG_4",
    "pns06/budgets": "worldwise.lab.papers.pns06.budgets:BUDGETS",
    "pns06/caution": "worldwise.lab.papers.pns06.caution:CAUTION",
    "pns06/choices": "worldwise.lab.papers.pns06.choices:CHOICES",
    "pns06/sampler": "worldwise.lab.papers.pns06.sampler:SAMPLER",
}
"""The module and the name of every experiment, by its id, in the order of lists."""


def load(name: str) -> Experiment:
    """The experiment of this id.

    >>> load("fb01/fig-7").title
    "The error of Monte Carlo over depth and MIN's knowledge"
    """
    if name not in EXPERIMENTS:
        raise UnknownNameError("experiment", name, EXPERIMENTS)
    experiment: Experiment = resolve_name(EXPERIMENTS[name])
    return experiment


def load_all(name: str = "all") -> tuple[Experiment, ...]:
    """Those of an id, of a paper (what stands before the slash of its ids), or all.

    >>> [experiment.id for experiment in load_all("bmv96")]
    ['bmv96/average-case', 'bmv96/strategies']
    """
    ids = [one for one in EXPERIMENTS if name in ("all", one, one.split("/")[0])]
    return tuple(map(load, ids or [name]))
