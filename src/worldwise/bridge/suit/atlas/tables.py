"""The atlas as two tables of numpy's: a row for every combination, and a row for every goal.

Tables are made of the columns by arithmetic on whole arrays: all 159,093 combinations take a tenth of a second.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from worldwise.bridge.rules.cards import RANKS
from worldwise.bridge.suit.atlas.columns import PLAYERS
from worldwise.bridge.suit.atlas.combinations import DEALS, WHOLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from worldwise.bridge.suit.atlas.columns import AtlasSection, Columns

    Table = NDArray[np.void]
    """A structured array."""

NORTH_DIGIT, SOUTH_DIGIT = 2, 1
"""What stands for the hands in a code."""

HONOURS = 5
"""A K Q J T."""

COMBINATION_FIELDS = [
    ("north", "U13"),
    ("south", "U13"),
    ("cards", "u1"),
    ("longer", "u1"),
    ("missing", "u1"),
    ("missing_honours", "U5"),
    ("average", "f8"),
    ("double_dummy", "f8"),
    ("certain", "u1"),
    ("possible", "u1"),
    ("goal", "u1"),
    ("chance", "f8"),
    ("fusion", "f8"),
    ("safety", "f8"),
    ("sampling", "f8"),
    ("hardness", "f8"),
    ("dealt", "f8"),
]
"""Of a combination: the hands; how many cards declarer has, in both hands and in the longer one; the defenders' cards
and honours; tricks on average, and with all cards seen; up to how many tricks are certain, and possible; the highest
goal that is neither, 0 if there is none, and its chance. Then the greatest over all goals: what seeing the cards would
add, what a safety play gains, what sampling gives up, and how hard it is. And the share of deals in which it comes
up."""

GOAL_FIELDS = [("number", "i4"), ("tricks", "u1"), ("plays", "u2")]
GOAL_FIELDS += [(name, "u4") for name in ("chance", "fusion", "safety", *PLAYERS, "hardness")]
"""Of a goal: the row of its combination, the tricks, and what ``columns`` says, chances in parts of ``WHOLE``. It is as
hard as the player without a plan who gives up least finds it."""


def goal_table(section: AtlasSection) -> Table:
    """A row for every goal."""
    counts = section.combinations["goals"]
    table = np.empty(len(section.goals["chance"]), dtype=GOAL_FIELDS)
    for name, column in section.goals.items():
        table[name] = column
    table["number"] = np.repeat(np.arange(len(counts)), counts)
    table["tricks"] = np.arange(len(table)) - section.starts[:-1][table["number"]] + 1
    table["hardness"] = np.min([table[name] for name in PLAYERS], axis=0)
    return table


def combination_table(section: AtlasSection, goals: Table) -> Table:
    """A row for every combination; ``goals`` are theirs."""
    digits = letters(section.combinations["code"])
    table = np.empty(len(digits), dtype=COMBINATION_FIELDS)
    hands = [digits == NORTH_DIGIT, digits == SOUTH_DIGIT]
    table["north"], table["south"] = map(names, hands)
    table["cards"] = (digits != 0).sum(axis=1)
    table["longer"] = hands[0].sum(axis=1)
    table["missing"] = 13 - table["cards"]
    table["missing_honours"] = names(digits[:, :HONOURS] == 0)
    table["average"] = section.combinations["average"] / WHOLE
    table["double_dummy"] = table["average"] + section.combinations["price"] / WHOLE
    table["possible"] = section.combinations["goals"]
    table["dealt"] = dealt(digits)
    _add_goals(table, goals)
    return table


def _add_goals(table: Table, goals: Table) -> None:
    """What a combination has from its goals."""
    number, count = goals["number"], len(table)
    certain = goals["chance"] == WHOLE
    table["certain"] = np.bincount(number[certain], minlength=count)
    table["goal"] = np.where(table["certain"] < table["possible"], table["possible"], 0)
    table["chance"] = 0
    last = (goals["tricks"] == table["goal"][number]) & ~certain
    table["chance"][number[last]] = goals["chance"][last] / WHOLE
    for name in ("fusion", "safety", "sampling", "hardness"):
        most = np.zeros(count, dtype=np.uint32)
        np.maximum.at(most, number, goals[name])
        table[name] = most / WHOLE


# ---------------------------------------------------------------------- cards


def letters(codes: NDArray[np.integer[Any]]) -> NDArray[np.uint8]:
    """The digits of codes, a row of thirteen each, the ace first."""
    return np.stack([codes // 3**power % 3 for power in range(12, -1, -1)], axis=1).astype(np.uint8)


def names(held: NDArray[np.bool_]) -> NDArray[np.str_]:
    """The cards that each row has, as people write them; a void is a dash.

    >>> names(np.array([[True, False, True], [False, False, False]])).tolist()
    ['AQ', '-']
    """
    width = held.shape[1]
    written = np.where(held, np.array([ord(RANKS[-1 - place]) for place in range(width)], dtype=np.uint32), 0)
    order = np.argsort(written == 0, axis=1, kind="stable")
    packed = np.ascontiguousarray(np.take_along_axis(written, order, axis=1)).astype(np.uint32)
    packed[~held.any(axis=1), 0] = ord("-")
    return packed.view(f"U{width}")[:, 0]


def dealt(digits: NDArray[np.uint8]) -> NDArray[np.float64]:
    """How often each combination is dealt, as a share of all deals: ``Form.deals`` for many."""
    north, south = (digits == hand for hand in (NORTH_DIGIT, SOUTH_DIGIT))
    ways = np.ones(len(digits))
    one, other = np.zeros((2, len(digits)), dtype=np.int64)
    same = np.ones(len(digits), dtype=bool)
    for place in range(13):
        first, second = north[:, place], south[:, place]
        same &= first | second | (one == other)
        one, other = np.where(first | second, (one + first, other + second), 0)
        ways *= np.where(first | second, (one + other) / np.maximum(np.where(first, one, other), 1), 1)
    same &= one == other
    return ways * np.where(same, 1, 2) * _other_cards(north.sum(axis=1), south.sum(axis=1)) / DEALS


def _other_cards(north: NDArray[np.int64], south: NDArray[np.int64]) -> NDArray[np.float64]:
    """In how many ways the hands are filled up from the other suits."""
    ways = [
        [float(comb(39, 13 - first) * comb(26 + first, 13 - second)) for second in range(14)] for first in range(14)
    ]
    found: NDArray[np.float64] = np.array(ways)[north, south]
    return found


def join(sections: Sequence[AtlasSection]) -> AtlasSection:
    """All sections as one."""
    parts: list[Columns] = []
    for place in (0, 1):
        every = [section[place] for section in sections]
        parts.append({name: np.concatenate([one[name] for one in every]) for name in every[0]})
    return type(sections[0])(*parts)
