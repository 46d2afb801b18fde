"""An experiment at one scale, by one master seed: which rows make it up, in which order, and where they are kept.

Rows come in *rounds*. A round has one row at every setting, or one game of every pairing if settings number games. A
run is as many rounds as its scale says, or as somebody asks for; it can go on for ever, and however long it is, it
begins with the same rounds. So what the first rounds say does not depend on how a run was stopped, resumed or spread.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import count, islice
from typing import TYPE_CHECKING

from worldwise.errors import InputError, UnknownNameError
from worldwise.runs.job import Pair, Task
from worldwise.runs.runners import complete_file, warn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from worldwise.lab.experiment import Experiment
    from worldwise.runs.rows import Row, Scalar, Setting
    from worldwise.runs.runners import Runner

UNTIL_DECIDED = "until decided"
"""What a file's first line says under ``stopping``, if its run goes on until its claims are decided."""


@dataclass(frozen=True)
class Plan:
    """An experiment at one scale, by one master seed.

    ``length`` is how many rounds there are to be, if not as many as the scale has. A run ``until_decided`` is judged by
    the sequential rule, and its file says so from its first line on.
    """

    experiment: Experiment
    scale: str
    seed: int = 0
    length: int | None = None
    until_decided: bool = False

    def __post_init__(self) -> None:
        if self.scale not in self.experiment.scales:
            raise UnknownNameError(f"scale of {self.experiment.id}", self.scale, self.experiment.scales)
        if self.length is not None and self.length < 1:
            raise InputError(f"{self.name}: expected at least one round, found {self.length}")

    @property
    def name(self) -> str:
        """The experiment's id."""
        return self.experiment.id

    @property
    def identity(self) -> dict[str, Scalar]:
        """Experiment, revision, scale and seed; who has entered; and the stopping rule, if no number was fixed."""
        experiment = self.experiment
        entered = experiment.newcomer.identity if experiment.newcomer else {}
        stopping = {"stopping": UNTIL_DECIDED} if self.until_decided else {}
        return {
            "experiment": experiment.id,
            "revision": experiment.revision,
            "scale": self.scale,
            "seed": self.seed,
            **entered,
            **stopping,
        }

    @property
    def timed(self) -> bool:
        """Whether rows hold timings."""
        return self.experiment.timed

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """Every setting once, in the order of reports."""
        settings = tuple(self.experiment.settings[self.scale])
        if len(set(settings)) < len(settings):
            raise InputError(f"{self.name}: expected every setting once, found one twice at scale {self.scale}")
        return settings

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Every row there is to measure, in the order of reports."""
        if self.length is not None:
            rounds = islice(self.rounds(), self.length)
            return tuple(sorted((pair for pairs in rounds for pair in pairs), key=self.place))
        numbers = range(self.experiment.seeds[self.scale])
        return tuple(Pair(setting, number) for setting in self.settings for number in numbers)

    def knows(self, pair: Pair) -> bool:
        """Whether the row is of this run or of a longer one."""
        last = None if self.experiment.endless else self.experiment.seeds[self.scale]
        return pair.setting in self._places and pair.number >= 0 and (last is None or pair.number < last)

    def place(self, pair: Pair) -> tuple[int, int]:
        """Where a row stands in reports."""
        return self._places[pair.setting], pair.number

    @cached_property
    def _places(self) -> Mapping[Setting, int]:
        return {setting: place for place, setting in enumerate(self.settings)}

    @property
    def task(self) -> Task:
        """What measures a row."""
        return Task(self.experiment.measure, self.seed)

    @property
    def file_name(self) -> str:
        """Where its rows are kept."""
        return f"{self.experiment.file_name}.{self.scale}.{self.seed}.jsonl"

    # ------------------------------------------------------------------ rounds

    def rounds(self) -> Iterator[tuple[Pair, ...]]:
        """Rows to measure together, round after round: without end, if the experiment has none."""
        numbers = count() if self.experiment.endless else range(self.experiment.seeds[self.scale])
        for number in numbers:
            for settings in self._steps:
                yield tuple(Pair(setting, number) for setting in settings)

    @cached_property
    def _steps(self) -> tuple[tuple[Setting, ...], ...]:
        """The settings of a round; of those that number games, the first of all, then the second of all, and so on."""
        steps: dict[Scalar, list[Setting]] = {}
        for setting in self.settings:
            steps.setdefault(setting.get(self.experiment.counter), []).append(setting)
        return tuple(tuple(step) for _, step in sorted(steps.items(), key=lambda item: str(item[0]).zfill(12)))

    @property
    def units(self) -> int:
        """How many trees, deals or games a round has at each setting; where settings differ, the fewest."""
        return min(map(self.experiment.units, self.settings))

    def rows_in(self, rounds: int) -> int:
        """How many rows so many rounds have."""
        cycles, rest = divmod(rounds, len(self._steps))
        return cycles * len(self.settings) + sum(map(len, self._steps[:rest]))

    @property
    def longest(self) -> int | None:
        """How many rounds there can be; None if there is no end."""
        return None if self.experiment.endless else self.experiment.seeds[self.scale] * len(self._steps)


def row_with_name(pair: Pair, row: Row) -> Row:
    """A row as claims read it: it says its setting and its seed's number too."""
    return {**pair.setting, "seed": pair.number, **row}


def carry_out(
    plan: Plan,
    folder: Path,
    how: Runner,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
    warn: Callable[[str], None] = warn,
) -> int:
    """Measure what is missing of a plan, in its file in a folder; see ``complete_file``."""
    return complete_file(folder / plan.file_name, plan, how, progress, warn)
