"""An experiment at one scale, by one master seed: which rows make it up, and where they are kept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from worldwise.errors import InputError, UnknownNameError
from worldwise.runs.job import Pair, Task
from worldwise.runs.runners import complete_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from worldwise.lab.experiment import Experiment
    from worldwise.runs.rows import Scalar
    from worldwise.runs.runners import Runner


@dataclass(frozen=True)
class Plan:
    """An experiment at one scale, by one master seed."""

    experiment: Experiment
    scale: str
    seed: int = 0

    def __post_init__(self) -> None:
        if self.scale not in self.experiment.scales:
            raise UnknownNameError(f"scale of {self.experiment.id}", self.scale, self.experiment.scales)

    @property
    def name(self) -> str:
        """The experiment's id."""
        return self.experiment.id

    @property
    def identity(self) -> dict[str, Scalar]:
        """Experiment, revision, scale and seed."""
        experiment = self.experiment
        return {"experiment": experiment.id, "revision": experiment.revision, "scale": self.scale, "seed": self.seed}

    @property
    def timed(self) -> bool:
        """Whether rows hold timings."""
        return self.experiment.timed

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Every row there is to measure, in the order of reports."""
        settings, numbers = tuple(self.experiment.settings[self.scale]), range(self.experiment.seeds[self.scale])
        if len(set(settings)) < len(settings):
            raise InputError(f"{self.name}: expected every setting once, found one twice at scale {self.scale}")
        return tuple(Pair(setting, number) for setting in settings for number in numbers)

    @property
    def task(self) -> Task:
        """What measures a row."""
        return Task(self.experiment.measure, self.seed)

    @property
    def file_name(self) -> str:
        """Where its rows are kept."""
        return f"{self.experiment.id.replace('/', '-')}.{self.scale}.{self.seed}.jsonl"


def carry_out(
    plan: Plan, folder: Path, how: Runner, progress: Callable[[int, int], None] = lambda _done, _total: None
) -> int:
    """Measure what is missing of a plan, in its file in a folder; see ``complete_file``."""
    return complete_file(folder / plan.file_name, plan, how, progress)
