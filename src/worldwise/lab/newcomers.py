"""Newcomers: an algorithm, an opponent or a game of the user's own enters a paper's experiment.

A newcomer meets the trees, deals or opponents that the paper's players meet, by the same seeds. Table and picture have
one line more, and the claims are about the newcomer. A game takes the place of the paper's trees, and the paper's
algorithms play it. The rows are kept in a file of their own, so the verdicts on the paper's claims never rest on them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from worldwise.errors import InputError, say_where
from worldwise.lab.user_code import absolute, blame, fingerprint_of, split_place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from worldwise.lab.experiment import Experiment
    from worldwise.runs.rows import Scalar

_AS = {"algorithm": "", "opponent": "against-", "game": "on-"}
"""As what one can enter, and how files say so."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _+-]{0,39}")


@dataclass(frozen=True)
class Newcomer:
    """Who enters an experiment: as what, where it stands, what tables call it, and a fingerprint of its code.

    It crosses to other processes as it is, and is loaded there.
    """

    role: str
    place: str
    name: str
    code: str

    @property
    def identity(self) -> dict[str, Scalar]:
        """What must be the same for rows to belong together; code that has changed measures something else."""
        return {self.role: self.name, "object": split_place(self.place)[1], "code": self.code}

    @property
    def file_name(self) -> str:
        """The part that files of its rows have in their names."""
        return _AS[self.role] + re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")

    @property
    def title(self) -> str:
        """What it adds to the experiment's title."""
        return f"{'on' if self.role == 'game' else 'with'} {self.name}"

    @property
    def option(self) -> str:
        """As it is entered on the command line."""
        return f"--{self.role} {self.place}"

    def blame(self) -> AbstractContextManager[None]:
        """Whatever fails within is the newcomer's fault, and said to be."""
        return blame(self.place)


@dataclass(frozen=True)
class Contest:
    """What it takes to enter an experiment in one role.

    ``ready(place)`` gives what stands there, ready to be measured, or an ``InputError`` that says what was expected;
    ``enter`` makes the experiment with the newcomer in it; ``taken`` are the names that it cannot have.
    """

    ready: Callable[[str], Any]
    enter: Callable[[Experiment, Newcomer], Experiment]
    taken: Iterable[str] = ()


def enter(experiment: Experiment, places: Mapping[str, str | None]) -> Experiment:
    """An experiment with a newcomer, who stands at a place for his role; the experiment itself if there is none.

    >>> from worldwise.lab.papers import load
    >>> enter(load("clv21/table-1"), {"algorithm": "own.py:Own"})
    Traceback (most recent call last):
    worldwise.errors.PlacedError: --algorithm: nobody can enter clv21/table-1
    """
    asked = {role: place for role, place in places.items() if place is not None}
    if len(asked) > 1:
        raise InputError(f"expected one newcomer, found {' and '.join(f'--{role}' for role in asked)}")
    for role, place in asked.items():
        with say_where(f"--{role}"):
            return _enter_as(role, place, experiment)
    return experiment


def enter_all(experiments: Sequence[Experiment], places: Mapping[str, str | None]) -> tuple[Experiment, ...]:
    """The same for several experiments: those that take such a newcomer; the only one must.

    >>> from worldwise.lab.papers import load_all
    >>> len(enter_all(load_all("bmv96"), {})) == len(load_all("bmv96"))
    True
    """
    roles = [role for role, place in places.items() if place is not None]
    taking = [one for one in experiments if all(role in one.contests for role in roles)]
    return tuple(enter(one, places) for one in taking or experiments[:1])


def _enter_as(role: str, place: str, experiment: Experiment) -> Experiment:
    contest = experiment.contests.get(role)
    if contest is None:
        others = " or ".join(f"--{one}" for one in experiment.contests)
        said = f"{experiment.id} takes {others}" if others else f"nobody can enter {experiment.id}"
        raise InputError(said)
    newcomer = _newcomer(role, absolute(place), contest)
    entered = contest.enter(experiment, newcomer)
    return replace(entered, newcomer=newcomer, contests={}, title=f"{experiment.title}, {newcomer.title}")


def _newcomer(role: str, place: str, contest: Contest) -> Newcomer:
    name = str(getattr(contest.ready(place), "name", "") or split_place(place)[1])
    if not _NAME.fullmatch(name):
        raise InputError(f"{place}: expected a name of up to 40 letters, digits, spaces and -, found {name!r:.60}")
    if name in contest.taken:
        raise InputError(f"{place}: expected a name of its own, found {name!r}, which the experiment has already")
    return Newcomer(role, place, name, fingerprint_of(place))
