"""Statistics of the whole atlas: by length, by honours, by shape; and a map of chances over length and honours.

Suits count alike, or as often as they are dealt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from worldwise.bridge.suit.atlas.combinations import WHOLE
from worldwise.bridge.suit.atlas.tables import letters, names
from worldwise.errors import PlacedError, UnknownNameError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from worldwise.bridge.suit.atlas.atlas import Atlas

By = Literal["length", "honours", "shape"]

GROUPINGS: tuple[By, ...] = get_args(By)
"""What statistics are by: declarer's cards, the honours that are missing, or the lengths of the two hands."""

Weighing = Literal["alike", "dealt"]

WEIGHINGS: tuple[Weighing, ...] = get_args(Weighing)
"""Each combination once, or as often as it is dealt."""

HONOURS_ON_THE_MAP = 4
"""A K Q J."""


class GroupStatistics(NamedTuple):
    """Combinations that have something in common.

    ``uncertain`` is the share of those with a goal that is possible and not certain; ``sampling_right`` of those in
    which sampling gives nothing up for any goal. Losses and hardness are the greatest over goals, on average.
    """

    group: str
    combinations: int
    dealt: float
    average: float
    double_dummy: float
    uncertain: float
    sampling_right: float
    sampling_loss: float
    hardness: float


def group_statistics(atlas: Atlas, by: str, weighing: str = "alike") -> list[GroupStatistics]:
    """A row for every group, and a last one for all."""
    if by not in GROUPINGS:
        raise UnknownNameError("grouping", by, GROUPINGS)
    groups = _groups(atlas, by)
    every = [(name, groups == name) for name in sorted(set(groups.tolist()), key=_order)]
    weights = _weights(atlas, weighing)
    return [_statistics(atlas, *one, weights) for one in [*every, ("all", np.ones(len(groups), dtype=bool))]]


def _groups(atlas: Atlas, by: str) -> NDArray[np.str_]:
    table = atlas.table
    if by == "honours":
        return np.asarray(table["missing_honours"])
    if by == "length":
        return table["cards"].astype("U2")
    shorter = (table["cards"] - table["longer"]).astype("U2")
    return np.char.add(np.char.add(table["longer"].astype("U2"), "-"), shorter)


def _order(name: str) -> tuple[object, ...]:
    """Numbers by size, honours from none missing to all."""
    parts = name.split("-")
    if all(part.isdecimal() for part in parts):
        return sum(map(int, parts)), *map(int, parts)
    return len(name.strip("-")), *("AKQJT".index(letter) for letter in name.strip("-"))


def _weights(atlas: Atlas, weighing: str) -> NDArray[np.float64]:
    if weighing not in WEIGHINGS:
        raise UnknownNameError("weighing", weighing, WEIGHINGS)
    return np.ones(len(atlas.table)) if weighing == "alike" else atlas.table["dealt"]


def _statistics(atlas: Atlas, name: str, chosen: NDArray[np.bool_], weights: NDArray[np.float64]) -> GroupStatistics:
    table, weights = atlas.table[chosen], weights[chosen]

    def mean(values: NDArray[Any]) -> float:
        return float(np.average(values, weights=weights))

    return GroupStatistics(
        name,
        len(table),
        float(table["dealt"].sum()),
        mean(table["average"]),
        mean(table["double_dummy"]),
        mean(table["goal"] > 0),
        mean(table["sampling"] == 0),
        mean(table["sampling"]),
        mean(table["hardness"]),
    )


# ---------------------------------------------------------------------- the map


class MapCell(NamedTuple):
    """All combinations with so many cards of declarer's and these honours missing: the mean chance of a goal."""

    cards: int
    missing_honours: str
    combinations: int
    chance: float


def chance_map(atlas: Atlas, tricks: int, weighing: str = "dealt") -> list[MapCell]:
    """The chance of at least so many tricks over length and missing honours, A K Q J; cells without suits are left out.

    >>> from worldwise.bridge.suit.atlas.atlas import open_atlas
    >>> cell = next(cell for cell in chance_map(open_atlas(), 5) if (cell.cards, cell.missing_honours) == (9, "Q"))
    >>> round(cell.chance, 2)
    0.74
    """
    if not 1 <= tricks <= 13:
        raise PlacedError(f"expected 1 to 13 tricks, found {tricks}", "tricks")
    table, weights = atlas.table, _weights(atlas, weighing)
    chance = np.zeros(len(table))
    goals = atlas.goals[atlas.goals["tricks"] == tricks]
    chance[goals["number"]] = goals["chance"] / WHOLE
    honours = letters(atlas.whole.combinations["code"])[:, :HONOURS_ON_THE_MAP] == 0
    numbers = honours @ (1 << np.arange(HONOURS_ON_THE_MAP)) * 14 + table["cards"]
    counts = np.bincount(numbers, minlength=14 << HONOURS_ON_THE_MAP)
    weight = np.bincount(numbers, weights, minlength=len(counts))
    total = np.bincount(numbers, weights * chance, minlength=len(counts))
    return [
        MapCell(number % 14, honour_sets()[number // 14], int(counts[number]), float(total[number] / weight[number]))
        for number in np.flatnonzero(counts).tolist()
    ]


def honour_sets() -> list[str]:
    """The sets of honours on the map, by their numbers: a bit for each that is missing, the ace's the lowest."""
    flags = np.array([[number >> place & 1 for place in range(HONOURS_ON_THE_MAP)] for number in range(16)], dtype=bool)
    found: list[str] = names(flags).tolist()
    return found
