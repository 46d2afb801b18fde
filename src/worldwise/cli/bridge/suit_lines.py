"""Lines of a single suit as the command line names them, and the aims that a line can be best for."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from worldwise.bridge.suit.aims import AimedLine, Match, Matchpoints, Stakes, Values, best_line
from worldwise.bridge.suit.drill import read_play
from worldwise.bridge.suit.phrases import line_name
from worldwise.bridge.suit.views.aims import aim_json, aim_table, aim_words
from worldwise.core.vector import exact_number
from worldwise.errors import InputError

if TYPE_CHECKING:
    from typing import Any

    from rich.table import Table

    from worldwise.bridge.suit.aims import Scoring
    from worldwise.bridge.suit.solver import GoalAnswer, SuitLine, SuitSolver
    from worldwise.core.vector import Number

VALUE = "3=0,4=10,5=11"
"""How ``--value`` is written."""

AIMS = ("average", "matchpoints", "imps")
CONTRACT = "3NT"
FIELD = "field"


def most_tricks(solver: SuitSolver, tricks: int | None) -> GoalAnswer:
    """The goal asked for, or the most tricks that are possible at all, which is FB01's question."""
    if tricks is not None:
        return solver.goal(tricks)
    return next((answer for answer in reversed(solver.goals) if answer.chance), solver.goal(1))


def named_line(solver: SuitSolver, option: str, name: str, tricks: int | None) -> SuitLine:
    """The line for a goal, for the average, at matchpoints, or with a first play for the goal asked for."""
    if name.lower() == "average":
        return solver.line()
    if name.lower() == "matchpoints":
        return replace(best_line(solver, Match.against_the_field(solver, Matchpoints())).line, aim="matchpoints")
    try:
        if re.fullmatch(r"\d{1,3}", name, re.ASCII):
            return solver.line(solver.goal(int(name)).tricks)
        answer = most_tricks(solver, tricks)
        return solver.line(answer.tricks, solver.leads[read_play(name, solver.suit, answer.plays)])
    except InputError as error:
        raise InputError(f"{option}: {error}") from None


# ---------------------------------------------------------------------- aims


@dataclass(frozen=True)
class AimAsked:
    """What a line is to be best for, as the options say it; refuses those that would be ignored."""

    aim: str | None
    value: str | None
    against: str | None
    contract: str | None
    vulnerable: bool

    def __post_init__(self) -> None:
        if self.aim not in (None, *AIMS):
            raise InputError(f"--aim: expected one of {', '.join(AIMS)}, found {self.aim!r}")
        if self.aim and self.value:
            raise InputError("expected one aim, found --aim and --value")
        if self.against and self.aim not in ("matchpoints", "imps"):
            raise InputError("--against goes with --aim matchpoints or --aim imps")
        if (self.contract or self.vulnerable) and self.aim != "imps":
            raise InputError(f"{'--contract' if self.contract else '--vulnerable'} goes with --aim imps")

    @property
    def option(self) -> str | None:
        """The option that asks for an aim, if any does."""
        return "--aim" if self.aim else "--value" if self.value else None

    def find(self, solver: SuitSolver, tricks: int | None) -> AimFound:
        """The best line for the aim."""
        stakes = self._stakes(solver, tricks) if self.aim == "imps" else None
        if self.aim == "average":
            tricks_count = Values(tuple(map(Fraction, range(solver.suit.length + 1))))
            return AimFound(AimedLine(tricks_count, solver.line()), self.aim, "the most tricks on average", None)
        if self.aim is None or (self.aim == "imps" and not self.against):
            values = Values.in_imps(stakes, solver.suit.length) if stakes else self._values(solver)
            found = best_line(solver, values)
            return AimFound(found, self.aim or "value", aim_words(found, stakes, ""), stakes)
        return self._in_match(solver, tricks, stakes)

    def _in_match(self, solver: SuitSolver, tricks: int | None, stakes: Stakes | None) -> AimFound:
        scoring: Scoring = stakes or Matchpoints()
        if (self.against or FIELD) == FIELD:
            match = Match.against_the_field(solver, scoring)
            count = len(match.others)
            against = f"the field of {count} sensible lines" if count > 1 else "the field: one sensible line"
        else:
            other = named_line(solver, "--against", self.against or "", tricks)
            match, against = Match((other,), scoring), line_name(other)
        found = best_line(solver, match)
        return AimFound(found, self.aim or "value", aim_words(found, stakes, against), stakes)

    def _stakes(self, solver: SuitSolver, tricks: int | None) -> Stakes:
        makes = most_tricks(solver, tricks).tricks
        try:
            return Stakes.of(self.contract or CONTRACT, vulnerable=self.vulnerable, makes=makes)
        except InputError:
            raise InputError(f"--contract: expected one such as 3NT, 4S or 6HX, found {self.contract!r}") from None

    def _values(self, solver: SuitSolver) -> Values:
        given: dict[int, Number] = {}
        for key, value in split_pairs("--value", self.value or "", VALUE):
            if not re.fullmatch(r"\d|1[0-3]", key, re.ASCII) or not re.fullmatch(
                r"[+-]?[\d.]{1,20}(/\d{1,20})?", value, re.ASCII
            ):
                raise InputError(f"--value: expected tricks and what they are worth as in {VALUE}, found {key}={value}")
            given[int(key)] = exact_value("--value", value)
        try:
            return Values.of(given, solver.suit.length)
        except InputError as error:
            raise InputError(f"--value: {error}") from None


@dataclass(frozen=True)
class AimFound:
    """The best line for an aim, what that is in words, and the contract if it is about IMPs."""

    found: AimedLine
    name: str
    words: str
    stakes: Stakes | None

    @property
    def table(self) -> Table:
        """For people."""
        return aim_table(self.found, self.words, self.stakes)

    @property
    def json(self) -> dict[str, Any]:
        """For programs."""
        return aim_json(self.found, self.name, self.words, self.stakes)


# ---------------------------------------------------------------------- numbers


def exact_value(option: str, value: str) -> Number:
    """A number as it is written, neither rounded nor monstrous."""
    try:
        return exact_number(value)
    except InputError as error:
        raise InputError(f"{option}: {error}") from None


def split_pairs(option: str, text: str, example: str) -> list[tuple[str, str]]:
    """What stands left and right of each equals sign."""
    pairs = [part.strip().partition("=") for part in text.split(",")]
    keys = [key.strip().upper() for key, _, _ in pairs]
    if not all(key and equals and value for key, equals, value in pairs) or len(set(keys)) < len(keys):
        raise InputError(f"{option}: expected each once as in {example}, found {text!r}")
    return [(key.strip(), value.strip()) for key, _, value in pairs]
