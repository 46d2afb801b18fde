"""The atlas as a long run: it resumes, and spreads over processes or a cluster.

A row is a block of combinations that miss as many cards, each solved and written as one word of text under its code: so
a row takes about half a second, which is what a visit to the disk is worth.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from math import comb
from typing import TYPE_CHECKING, ClassVar, cast

from worldwise.bridge.suit.atlas.combinations import Form, forms
from worldwise.bridge.suit.atlas.solving import SolvedSuit, solve
from worldwise.runs.job import Pair, Task
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from worldwise.runs.rows import Row, Scalar

BLOCK = 64
"""Combinations of a row."""

REVISION = 1
"""Of what is measured: raised when the atlas comes to have something else."""

EVERY = tuple(range(13))
"""All numbers of cards that can be missing: declarer has at least one."""


@dataclass(frozen=True)
class AtlasRun:
    """Solves every combination in which so many cards are missing.

    >>> run = AtlasRun(missing=(0, 1))
    >>> run.combinations, len(run.pairs), len(run.task(run.pairs[0]).row)
    (238, 5, 7)
    """

    missing: tuple[int, ...] = EVERY

    name: ClassVar[str] = "the atlas"
    timed: ClassVar[bool] = False

    @property
    def identity(self) -> Mapping[str, Scalar]:
        """All but which cards are missing: an atlas can be made larger."""
        return {"run": "suit atlas", "revision": REVISION, "block": BLOCK}

    @property
    def combinations(self) -> int:
        """How many are to be solved."""
        return sum(map(count_forms, self.missing))

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """A row for every block."""
        return tuple(pair for missing in self.missing for pair in _blocks(missing))

    def knows(self, pair: Pair) -> bool:
        """Whether the row is one of some atlas."""
        return pair in _blocks(cast("int", pair.setting.get("missing", 13)))

    @property
    def task(self) -> Task:
        """What solves a block."""
        return Task(solve_block, 0)


def count_forms(missing: int) -> int:
    """How many combinations miss so many cards; see ``combinations``."""
    alike = comb((13 - missing) // 2 + missing, missing) if missing % 2 else 0
    return (comb(14 + missing, 2 * missing + 1) + alike) // 2


@cache
def _blocks(missing: int) -> tuple[Pair, ...]:
    blocks = -(-count_forms(missing) // BLOCK) if missing in EVERY else 0
    return tuple(Pair(Setting(missing=missing, block=block), 0) for block in range(blocks))


@cache
def _forms(missing: int) -> tuple[Form, ...]:
    return tuple(forms(missing))


def solve_block(setting: Setting, _seed: int) -> Row:
    """Every combination of a block."""
    missing, block = cast("int", setting["missing"]), cast("int", setting["block"])
    chosen = _forms(missing)[BLOCK * block : BLOCK * (block + 1)]
    return {str(form.code): str(solve(form.suit)) for form in chosen}


def solved_by_code(rows: Mapping[Pair, Row]) -> Iterator[tuple[int, SolvedSuit]]:
    """All combinations of rows, by code."""
    for row in rows.values():
        for code, text in row.items():
            yield int(code), SolvedSuit.read(cast("str", text))
