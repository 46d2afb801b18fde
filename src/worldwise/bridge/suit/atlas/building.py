"""The atlas as long runs: they resume, and spread over processes or a cluster.

There are two passes over all combinations. The first solves them, the second has players without a plan play them; so
other players can be tried without solving anything again. A row is a block of combinations that miss as many cards,
each written as one line of numbers under its code: that takes about half a second, which is what a visit to the disk is
worth.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, cached_property
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

from worldwise.bridge.suit.atlas.columns import AtlasSection, pack
from worldwise.bridge.suit.atlas.combinations import WHOLE, Form, forms
from worldwise.bridge.suit.atlas.players import Played, play
from worldwise.bridge.suit.atlas.solving import SolvedSuit, solve
from worldwise.core.durable_files import write_file
from worldwise.errors import InputError, refuse_failures, say_where
from worldwise.kernels import describe
from worldwise.runs.job import VERSION, Pair, Task
from worldwise.runs.row_files import read_run
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from worldwise.runs.rows import Row, Scalar

BLOCK = 64
"""Combinations of a row."""

EVERY = tuple(range(13))
"""All numbers of cards that can be missing: declarer has at least one."""

PassName = Literal["solved", "played"]

REVISIONS: Mapping[PassName, int] = {"solved": 1, "played": 1}
"""The passes, and the revisions of what they measure: raised when that comes to be something else."""

ATLAS = "atlas.npz"
"""What a finished atlas is called in its folder."""


@dataclass(frozen=True)
class AtlasRun:
    """One pass over every combination in which so many cards are missing.

    >>> run = AtlasRun("solved", missing=(0, 1))
    >>> run.combinations, len(run.pairs), len(run.task(run.pairs[0]).row)
    (238, 5, 7)
    """

    of: PassName
    missing: tuple[int, ...] = EVERY

    timed: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """What people call it."""
        return f"the atlas's combinations, {self.of}"

    @property
    def file_name(self) -> str:
        """What its file is called."""
        return f"{self.of}.jsonl"

    @property
    def identity(self) -> Mapping[str, Scalar]:
        """All but which cards are missing: an atlas can be made larger."""
        return {"run": f"suit atlas, {self.of}", "revision": REVISIONS[self.of], "block": BLOCK}

    @property
    def combinations(self) -> int:
        """How many there are."""
        return sum(map(count_forms, self.missing))

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """A row for every block."""
        return tuple(pair for missing in self.missing for pair in _blocks(missing))

    def knows(self, pair: Pair) -> bool:
        """Whether the row is one of some atlas."""
        missing = pair.setting.get("missing")
        return missing in EVERY and pair in _blocks(cast("int", missing))

    @property
    def task(self) -> Task:
        """What works at a block."""
        return Task({"solved": solve_block, "played": play_block}[self.of], 0)

    def read(self, folder: Path) -> dict[int, dict[int, str]]:
        """What a folder has of it, by missing cards and codes; ``InputError`` if something is not done yet."""
        path = folder / self.file_name
        stored = read_run(path, self)
        rows = stored.rows if stored else {}
        if lacking := sum(pair not in rows for pair in self.pairs):
            raise InputError(f"{path}: {lacking:,} of {len(self.pairs):,} blocks are not done yet")
        found: dict[int, dict[int, str]] = {missing: {} for missing in self.missing}
        with say_where(str(path)), refuse_failures("rows of an atlas"):
            for pair in self.pairs:
                texts = {int(code): str(text) for code, text in rows[pair].items()}
                found[cast("int", pair.setting["missing"])] |= texts
        return found


def count_forms(missing: int) -> int:
    """How many combinations miss so many cards; see ``combinations``."""
    alike = comb((13 - missing) // 2 + missing, missing) if missing % 2 else 0
    return (comb(14 + missing, 2 * missing + 1) + alike) // 2


@cache
def _blocks(missing: int) -> tuple[Pair, ...]:
    return tuple(Pair(Setting(missing=missing, block=block), 0) for block in range(-(-count_forms(missing) // BLOCK)))


@cache
def _forms(missing: int) -> tuple[Form, ...]:
    return tuple(forms(missing))


def _block(setting: Setting) -> Iterable[Form]:
    missing, block = cast("int", setting["missing"]), cast("int", setting["block"])
    return _forms(missing)[BLOCK * block : BLOCK * (block + 1)]


def solve_block(setting: Setting, _seed: int) -> Row:
    """Every combination of a block, solved."""
    return {str(form.code): str(solve(form.suit)) for form in _block(setting)}


def play_block(setting: Setting, _seed: int) -> Row:
    """Every combination of a block, played by those who do not plan."""
    return {str(form.code): str(play(form.suit)) for form in _block(setting)}


# ---------------------------------------------------------------------- the atlas of both


def put_together(folder: Path, missing: tuple[int, ...] = EVERY) -> dict[str, Any]:
    """Write the atlas of a folder's two passes; what it says about itself."""
    solved, played = (AtlasRun(name, missing).read(folder) for name in REVISIONS)
    sections = {cards: _section(solved[cards], played[cards]) for cards in missing}
    about = {
        "combinations": sum(len(section.combinations["code"]) for section in sections.values()),
        "goals": sum(len(section.goals["chance"]) for section in sections.values()),
        "denominator": WHOLE,
        "built": datetime.now(UTC).date().isoformat(),
        "version": VERSION,
        "how": f"every goal and the average solved exactly, {describe()}",
        **{f"{name}_revision": revision for name, revision in REVISIONS.items()},
    }
    write_file(folder / ATLAS, pack(about, sections))
    return about


def _section(solved: Mapping[int, str], played: Mapping[int, str]) -> AtlasSection:
    return AtlasSection.of((code, SolvedSuit.read(text), Played.read(played[code])) for code, text in solved.items())
