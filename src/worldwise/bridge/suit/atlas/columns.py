"""The atlas on disk: an ``.npz`` file of numpy's, whole numbers in columns, a section for each number of missing cards.

So a question about one suit unpacks one section, and whoever has numpy can read all of it without us. In the section of
five missing cards ``05/chance`` has the best chance of every goal, in parts of ``WHOLE``. Goals are 1, 2, 3 ... tricks,
as far as they are possible, of the first combination, then of the second, and so on: ``05/goals`` says how many each
has. What else is known about a goal is mostly a difference from its best chance, which is what people ask for, and
mostly zero, which packs well.

``about.json`` says how and when the atlas was made.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from worldwise.core.reading import read_json
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from worldwise.bridge.suit.atlas.players import Played
    from worldwise.bridge.suit.atlas.solving import SolvedSuit

FORMAT = 1
"""Of these files."""

ABOUT = "about.json"

MOST_BYTES = 1 << 28
"""No column is larger: what says so is not an atlas."""

Columns = Mapping[str, "NDArray[np.integer[Any]]"]

COMBINATION = {"code": np.int32, "average": np.uint32, "price": np.uint32, "goals": np.uint8}
"""Of every combination: its code, the most tricks on average, what seeing the defenders' cards would add to them, and
how many goals are possible."""

GOAL = {"chance": np.uint32, "fusion": np.uint32, "safety": np.uint32, "plays": np.uint16}
"""Of every goal: the best chance, what seeing the defenders' cards would add to it, what the line for tricks on average
gives up, and a bit for every first play that keeps the best chance."""

PLAYERS = ("sampling", "finesse", "drop")
"""Of every goal: what players without a plan give up; see ``players``."""


class AtlasSection(NamedTuple):
    """The combinations that miss as many cards: columns with an item for each, and with an item for each goal."""

    combinations: Columns
    goals: Columns

    @classmethod
    def of(cls, found: Iterable[tuple[int, SolvedSuit, Played]]) -> AtlasSection:
        """The columns of combinations by their codes, each solved and played."""
        ordered = sorted(found, key=lambda one: one[0])
        solved = [answer for _, answer, _ in ordered]
        goals = [pair for _, answer, played in ordered for pair in zip(answer.goals, played, strict=False)]
        lost = {name: [goal.chance - won[place] for goal, won in goals] for place, name in enumerate(PLAYERS)}
        return cls(
            _arrays(
                COMBINATION,
                code=[code for code, _, _ in ordered],
                average=[answer.average for answer in solved],
                price=[answer.double_dummy - answer.average for answer in solved],
                goals=[len(answer.goals) for answer in solved],
            ),
            _arrays(
                GOAL | dict.fromkeys(PLAYERS, np.uint32),
                chance=[goal.chance for goal, _ in goals],
                fusion=[goal.double_dummy - goal.chance for goal, _ in goals],
                safety=[goal.chance - goal.on_average for goal, _ in goals],
                plays=[goal.plays for goal, _ in goals],
                **lost,
            ),
        )

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where each combination's goals begin, and after the last, where they end."""
        return np.concatenate([[0], np.cumsum(self.combinations["goals"], dtype=np.int64)])


def _arrays(types: Mapping[str, Any], **numbers: Sequence[int]) -> Columns:
    return {name: np.array(numbers[name], dtype=kind) for name, kind in types.items()}


# ---------------------------------------------------------------------- files


def pack(about: Mapping[str, Any], sections: Mapping[int, AtlasSection]) -> bytes:
    """The bytes of an atlas; the same sections give the same bytes."""
    out = io.BytesIO()
    columns = {
        f"{missing:02}/{name}": column
        for missing, section in sections.items()
        for part in section
        for name, column in part.items()
    }
    np.savez_compressed(out, **cast("Any", columns))
    with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as file:
        told = json.dumps({"format": FORMAT, **about}, indent=2)
        file.writestr(zipfile.ZipInfo(ABOUT), told + "\n")
    return out.getvalue()


class AtlasFile:
    """An atlas on disk; what is asked for is unpacked. ``InputError`` where it is none."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = zipfile.ZipFile(io.BytesIO(path.read_bytes()))
            self.about: dict[str, Any] = read_json(self._file.read(ABOUT))
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}") from None
        except (zipfile.BadZipFile, KeyError, ValueError) as error:
            raise self._refusal(error) from None
        if not isinstance(self.about, dict) or self.about.get("format") != FORMAT:
            raise self._refusal(f"expected format {FORMAT}")

    def _refusal(self, why: object) -> InputError:
        return InputError(f"{self.path}: expected an atlas of suits, found something else ({why})")

    @property
    def missing(self) -> list[int]:
        """Of which numbers of missing cards there is a section."""
        names = {name.partition("/")[0] for name in self._file.namelist() if "/" in name}
        return sorted(int(name) for name in names if name.isdecimal())

    def section(self, missing: int) -> AtlasSection:
        """A section, unpacked."""
        types = GOAL | dict.fromkeys(PLAYERS, np.uint32)
        parts = [{name: self._column(missing, name, part[name]) for name in part} for part in (COMBINATION, types)]
        section = AtlasSection(*parts)
        sizes = {len(column) for column in section.combinations.values()}, {len(one) for one in section.goals.values()}
        if sizes != ({len(section.starts) - 1}, {section.starts[-1]}):
            raise self._refusal(f"columns of different lengths in section {missing}")
        return section

    def _column(self, missing: int, name: str, kind: Any) -> NDArray[np.integer[Any]]:
        member = f"{missing:02}/{name}.npy"
        try:
            if self._file.getinfo(member).file_size > MOST_BYTES:
                raise ValueError(f"{member} is too large")
            with self._file.open(member) as file:
                found = np.lib.format.read_array(file, allow_pickle=False)
        except (zipfile.BadZipFile, KeyError, ValueError, EOFError) as error:
            raise self._refusal(error) from None
        if found.dtype != kind or found.ndim != 1:
            raise self._refusal(f"{member} has other numbers")
        return found
