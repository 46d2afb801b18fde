"""Questions to the whole atlas: suits that fit a description, the extremes, statistics, a map, and one at random.

An answer is made of rows of the two tables. Where a combination has several goals that fit, each is a row; where the
extreme is asked for, the goal in which it is greatest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np

from worldwise.bridge.rules.cards import read_cards
from worldwise.bridge.suit.atlas.combinations import WHOLE
from worldwise.bridge.suit.atlas.tables import letters
from worldwise.bridge.suit.drill_levels import LEVELS, LITTLE
from worldwise.core.reading import read_real
from worldwise.errors import InputError, PlacedError, UnknownNameError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from worldwise.bridge.rules.cards import Holding
    from worldwise.bridge.suit.atlas.atlas import Atlas

Extreme = Literal["fusion-gap", "pimc-loss", "safety-gain", "hardest"]

EXTREMES = {"fusion-gap": "fusion", "pimc-loss": "sampling", "safety-gain": "safety", "hardest": "hardness"}
"""By what suits are ranked, and the column of it: what seeing all cards would add, what sampling gives up, what a
safety play gains, and what even the best player without a plan gives up."""

NAMED_HONOURS = 4
"""A K Q J: of these, whoever says which are missing says all."""

Chances = tuple[float, float]
"""From, and to; shares of one."""


@dataclass(frozen=True)
class AtlasQuery:
    """A description of suits and goals; what is None may be anything.

    Of A, K, Q and J exactly those of ``missing`` are the defenders'; the ten and lower cards are theirs if they are
    named, and anybody's if not. ``length`` counts declarer's cards in both hands, ``shape`` in each, the longer first.

    >>> AtlasQuery.of(missing="K J", length="8", chance="45..55")
    AtlasQuery(missing=(13, 11), length=(8, 8), shape=None, goal=None, chance=(0.45, 0.55))
    """

    missing: Holding | None = None
    length: tuple[int, int] | None = None
    shape: tuple[int, int] | None = None
    goal: int | None = None
    chance: Chances | None = None

    @classmethod
    def of(
        cls,
        *,
        missing: str | None = None,
        length: str | None = None,
        shape: str | None = None,
        goal: int | None = None,
        chance: str | None = None,
    ) -> AtlasQuery:
        """A description as people write it."""
        if goal is not None and not 1 <= goal <= 13:
            raise PlacedError(f"expected 1 to 13 tricks, found {goal}", "goal")
        return cls(
            None if missing is None else read_cards(missing, "missing"),
            None if length is None else read_length(length),
            None if shape is None else read_shape(shape),
            goal,
            None if chance is None else read_chances(chance),
        )

    def combinations(self, atlas: Atlas) -> NDArray[np.bool_]:
        """Which combinations fit."""
        table = atlas.table
        fits = np.ones(len(table), dtype=bool)
        if self.missing is not None:
            fits &= _lack(letters(atlas.whole.combinations["code"]), self.missing)
        if self.length is not None:
            fits &= (self.length[0] <= table["cards"]) & (table["cards"] <= self.length[1])
        if self.shape is not None:
            longer, shorter = self.shape
            fits &= (table["longer"] == longer) & (table["cards"] == longer + shorter)
        return fits

    def goals(self, atlas: Atlas) -> NDArray[np.bool_]:
        """Which goals fit, of combinations that do; without a goal and a chance, the highest uncertain ones."""
        goals = atlas.goals
        fits = self.combinations(atlas)[goals["number"]]
        if self.goal is not None:
            fits &= goals["tricks"] == self.goal
        if self.chance is not None:
            low, high = (limit * WHOLE for limit in self.chance)
            fits &= (low <= goals["chance"]) & (goals["chance"] <= high)
        if self.goal is None and self.chance is None:
            fits &= goals["tricks"] == atlas.table["goal"][goals["number"]]
        return np.asarray(fits)


def _lack(digits: NDArray[np.uint8], missing: Holding) -> NDArray[np.bool_]:
    """Where the defenders have what is named, and declarer the honours that are not."""
    fits = np.ones(len(digits), dtype=bool)
    for place in range(13):
        rank = 14 - place
        if rank in missing:
            fits &= digits[:, place] == 0
        elif place < NAMED_HONOURS:
            fits &= digits[:, place] != 0
    return fits


# ---------------------------------------------------------------------- finding


Order = Literal["dealt", "chance", "fusion-gap", "pimc-loss", "safety-gain", "hardest"]

ORDERS: tuple[Order, ...] = get_args(Order)
"""How found goals are put in order: the most often dealt first, or the greatest of something."""


class Found(NamedTuple):
    """Goals that were found, as rows of ``Atlas.goals``, the first of them; and how many there are in all."""

    rows: list[int]
    total: int


def find(atlas: Atlas, wanted: AtlasQuery, *, order: str = "dealt", count: int = 20, skip: int = 0) -> Found:
    """Goals that fit, in order; of equals the suit that is dealt most often comes first."""
    if order not in ORDERS:
        raise UnknownNameError("order", order, ORDERS)
    rows = np.flatnonzero(wanted.goals(atlas))
    return Found(_sort(atlas, rows, order)[skip : skip + count].tolist(), len(rows))


def top(atlas: Atlas, by: str, wanted: AtlasQuery | None = None, *, count: int = 10) -> Found:
    """The extreme combinations, each with the goal in which it is extreme; those with nothing of it are left out."""
    if by not in EXTREMES:
        raise UnknownNameError("order", by, EXTREMES)
    asked = wanted or AtlasQuery()
    fits = asked.combinations(atlas)[atlas.goals["number"]] if not _names_goals(asked) else asked.goals(atlas)
    rows = _sort(atlas, np.flatnonzero(fits & (atlas.goals[EXTREMES[by]] > 0)), by)
    _, first = np.unique(atlas.goals["number"][rows], return_index=True)
    chosen = rows[np.sort(first)]
    return Found(chosen[:count].tolist(), len(chosen))


def _names_goals(wanted: AtlasQuery) -> bool:
    return wanted.goal is not None or wanted.chance is not None


def _sort(atlas: Atlas, rows: NDArray[np.int64], order: str) -> NDArray[np.int64]:
    goals = atlas.goals[rows]
    keys = [-atlas.table["dealt"][goals["number"]]]
    if order != "dealt":
        keys.append(-goals[EXTREMES.get(order, order)].astype(np.int64))
    return rows[np.lexsort(keys)]


def draw(atlas: Atlas, seed: int, level: int = max(LEVELS), wanted: AtlasQuery | None = None) -> int:
    """An uncertain goal of a level of the drill, drawn at random as often as its suit is dealt: a row of the goals."""
    if level not in LEVELS:
        raise PlacedError(f"expected a level from {min(LEVELS)} to {max(LEVELS)}, found {level}", "level")
    goals, little = atlas.goals, float(LITTLE * WHOLE)
    least, most = {1: (0.0, 0.0), 2: (1.0, little), 3: (little + 1, float(WHOLE))}[level]
    fits = (least <= goals["hardness"]) & (goals["hardness"] <= most) & (goals["chance"] < WHOLE)
    fits &= (wanted or AtlasQuery()).combinations(atlas)[goals["number"]]
    rows = np.flatnonzero(fits)
    if not len(rows):
        raise InputError(f"expected suits of level {level} that fit, found none")
    weights = atlas.table["dealt"][goals["number"][rows]]
    return int(Random(seed).choices(rows.tolist(), weights.tolist())[0])


# ---------------------------------------------------------------------- reading


def read_length(text: str) -> tuple[int, int]:
    """How many cards declarer has in both hands: 8, or 7..9."""
    found = re.fullmatch(r"(\d{1,2})(?:\.\.(\d{1,2}))?", text.strip(), re.ASCII)
    low, high = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 1 <= low <= high <= 13:
        raise PlacedError(f"expected a number of cards from 1 to 13, or two as in 7..9, found {text!r}", "length")
    return low, high


def read_shape(text: str) -> tuple[int, int]:
    """How many cards each hand has: 4-3."""
    found = re.fullmatch(r"(\d{1,2})-(\d{1,2})", text.strip(), re.ASCII)
    if not found or not 1 <= int(found[1]) + int(found[2]) <= 13:
        raise PlacedError(f"expected the lengths of two hands as in 4-3, found {text!r}", "shape")
    shorter, longer = sorted((int(found[1]), int(found[2])))
    return longer, shorter


def read_chances(text: str) -> Chances:
    """From so many per cent to so many: 45..55, or one number.

    >>> read_chances("45..55"), [round(chance, 5) for chance in read_chances("50 %")]
    ((0.45, 0.55), [0.49995, 0.50005])
    """
    first, dots, last = text.replace("%", "").partition("..")
    try:
        low, high = read_real(first.strip()), read_real((last if dots else first).strip())
    except InputError:
        low, high = 1.0, 0.0
    if not 0 <= low <= high <= 100:
        raise PlacedError(f"expected per cents from 0 to 100 as in 45..55, found {text!r}", "chance")
    spare = 0.0 if dots else 0.005  # one number is as people round it
    return (low - spare) / 100, (high + spare) / 100
