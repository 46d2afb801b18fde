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
import lzma
import math
import re
import zipfile
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from worldwise.bridge.suit.atlas.combinations import WHOLE
from worldwise.core.reading import collect_bytes, read_json
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

TOLD = {"combinations": int, "goals": int, "denominator": int, "built": str, "version": str, "how": str}
"""What is said there, at least."""

MOST_ABOUT = 1 << 16
"""Bytes of it."""

MOST_BYTES = 1 << 22
"""Of a column: five times the largest of all combinations."""

_NOT_PACKED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, OSError, EOFError, KeyError, ValueError, RuntimeError)
"""What unpacking may end in: damage, a part that is not there, a password, a method of packing that is not known."""

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
    """An atlas on disk; what is asked for is unpacked. ``InputError`` where it is none.

    A few bytes can be packed that unpack into gigabytes, or claim to: of no part is more unpacked than it may hold.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with path.open("rb") as file:
                self._file = zipfile.ZipFile(io.BytesIO(collect_bytes(file)))
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}") from None
        except (*_NOT_PACKED, InputError) as error:
            raise self._refusal(error) from None
        self.about = self._read_about()

    def _refusal(self, why: object) -> InputError:
        return InputError(f"{self.path}: expected an atlas of suits, found something else ({why})")

    def _read_about(self) -> dict[str, Any]:
        content = self._unpack(ABOUT, MOST_ABOUT)
        try:
            about = read_json(content)
        except InputError as error:
            raise self._refusal(error) from None
        if not isinstance(about, dict) or about.get("format") != FORMAT:
            raise self._refusal(f"expected format {FORMAT}")
        if any(type(about.get(name)) is not kind for name, kind in TOLD.items()):
            raise self._refusal(f"expected {', '.join(TOLD)} in {ABOUT}")
        return about

    def _unpack(self, member: str, most: int) -> bytes:
        """A part of the file, of at most so many bytes."""
        try:
            with self._file.open(member) as file:
                content = file.read(most + 1)
        except _NOT_PACKED as error:
            raise self._refusal(error) from None
        if len(content) > most:
            raise self._refusal(f"{member} is too large")
        return content

    @property
    def missing(self) -> list[int]:
        """Of which numbers of missing cards there is a section."""
        names = {name.partition("/")[0] for name in self._file.namelist() if "/" in name}
        return sorted(int(name) for name in names if re.fullmatch("[0-9]{2}", name))

    def section(self, missing: int) -> AtlasSection:
        """A section, unpacked."""
        types = GOAL | dict.fromkeys(PLAYERS, np.uint32)
        parts = [{name: self._column(missing, name, part[name]) for name in part} for part in (COMBINATION, types)]
        section = AtlasSection(*parts)
        sizes = {len(column) for column in section.combinations.values()}, {len(one) for one in section.goals.values()}
        if sizes != ({len(section.starts) - 1}, {section.starts[-1]}):
            raise self._refusal(f"columns of different lengths in section {missing}")
        if not _is_sound(section, missing):
            raise self._refusal(f"impossible numbers in section {missing}")
        return section

    def _column(self, missing: int, name: str, kind: Any) -> NDArray[np.integer[Any]]:
        member = f"{missing:02}/{name}.npy"
        file = io.BytesIO(self._unpack(member, MOST_BYTES))
        try:
            np.lib.format.read_magic(file)
            shape, _, found = np.lib.format.read_array_header_1_0(file)
        except ValueError as error:
            raise self._refusal(error) from None
        rest = file.read()
        if found != kind or (math.prod(shape), len(shape)) != (len(rest) // found.itemsize, 1):
            raise self._refusal(f"{member} has other numbers")
        return np.frombuffer(rest, kind, *shape)


def _is_sound(section: AtlasSection, missing: int) -> bool:
    """Whether combinations lack as many cards and are in order, as they are looked up, and every chance is one."""
    codes, goals = section.combinations["code"], section.goals
    lacking = sum(codes // 3**place % 3 == 0 for place in range(13))
    chance = goals["chance"].astype(np.int64)
    losses = [goals[name] for name in ("safety", *PLAYERS)]
    return bool(
        np.all(codes[:-1] < codes[1:])
        and np.all((codes >= 0) & (codes < 3**13) & (lacking == missing))
        and np.all(chance + goals["fusion"] <= WHOLE)
        and all(np.all(loss <= chance) for loss in losses)
    )
