"""Experiments by name, whoever has written them: a paper's by its id, one of the user's own by its place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from worldwise.errors import InputError
from worldwise.lab import papers
from worldwise.lab.experiment import Experiment
from worldwise.lab.user_code import absolute, blame, is_place, load_object

if TYPE_CHECKING:
    from collections.abc import Callable

    from worldwise.runs.rows import Row, Setting

P = ParamSpec("P")
T = TypeVar("T")


def find_experiment(name: str) -> Experiment:
    """The experiment of an id, or at a place such as ``mylab.py:EXPERIMENT``.

    >>> find_experiment("fb01/fig-7").id
    'fb01/fig-7'
    """
    return _own_experiment(name) if is_place(name) else papers.load(name)


def find_experiments(name: str = "all") -> tuple[Experiment, ...]:
    """The same, or all of a paper, or all there are.

    >>> len(find_experiments("fb01")) < len(find_experiments())
    True
    """
    return (_own_experiment(name),) if is_place(name) else papers.load_all(name)


def _own_experiment(place: str) -> Experiment:
    found = load_object(place)
    if not isinstance(found, Experiment):
        raise InputError(f"{place}: expected an Experiment, found {found!r:.80}")
    if found.id in papers.EXPERIMENTS:
        raise InputError(f"{place}: expected an id of its own, found {found.id!r}, which is a paper's")
    return replace(
        found,
        place=place,
        measure=MeasureAt(absolute(place)),
        claims=tuple(replace(claim, verdict=_with_blame(place, claim.verdict)) for claim in found.claims),
        summary=_with_blame(place, found.summary),
        plot=_with_blame(place, found.plot),
        compare=_with_blame(place, found.compare),
    )


def _with_blame(place: str, function: Callable[P, T]) -> Callable[P, T]:
    """A function of the user's, whose faults are told as such."""

    def call(*arguments: P.args, **options: P.kwargs) -> T:
        with blame(place):
            return function(*arguments, **options)

    return call


@dataclass(frozen=True)
class MeasureAt:
    """How the experiment at a place measures: a process that has never heard of its file finds it."""

    place: str

    def __call__(self, setting: Setting, seed: int) -> Row:
        """A row; whatever fails is the fault of the experiment's file."""
        experiment = load_object(self.place)
        with blame(self.place):
            row: Row = experiment.measure(setting, seed)
            return row
