"""The papers' experiments: their ids are known at once, an experiment is imported when it is asked for.

An experiment brings its game, its players and thousands of settings with it. Nobody who asks for one should wait for
thirty.
"""

from __future__ import annotations

from pkgutil import resolve_name
from typing import TYPE_CHECKING

from worldwise.errors import UnknownNameError
from worldwise.lab.papers import bmv96, clv21, fb01, pns06

if TYPE_CHECKING:
    from collections.abc import Mapping

    from worldwise.lab.experiment import Experiment

PAPERS = (fb01, bmv96, clv21, pns06)
"""A folder a paper; its ``EXPERIMENTS`` say which it has. A new experiment is added there."""

EXPERIMENTS: Mapping[str, str] = {
    name: f"{paper.__name__}.{home}" for paper in PAPERS for name, home in paper.EXPERIMENTS.items()
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
    ['bmv96/average-case', 'bmv96/strategies', 'bmv96/two-players', 'bmv96/forgetting']
    """
    ids = [one for one in EXPERIMENTS if name in ("all", one, one.split("/")[0])]
    return tuple(map(load, ids or [name]))
