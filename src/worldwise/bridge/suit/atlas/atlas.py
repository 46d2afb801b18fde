"""The atlas opened: what it has of one suit, and all of it as tables."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from worldwise.bridge.suit.atlas.columns import PLAYERS, AtlasFile, AtlasSection
from worldwise.bridge.suit.atlas.combinations import WHOLE, Form
from worldwise.bridge.suit.atlas.solving import runs
from worldwise.bridge.suit.atlas.tables import combination_table, goal_table, join
from worldwise.bridge.suit.rules import NORTH, SOUTH, Suit, SuitMove
from worldwise.errors import InputError
from worldwise.extras import import_extra

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from worldwise.bridge.suit.atlas.tables import Table

SHIPPED = cast("Path", files("worldwise.bridge.suit.atlas") / "atlas.npz")
"""The atlas that comes with the package."""


@dataclass(frozen=True)
class AtlasGoal:
    """What the atlas says of at least so many tricks, exactly.

    ``on_average`` is the chance that the line for tricks on average has, ``players`` are those of players without a
    plan: sampling, the natural finesse, and the drop.
    """

    tricks: int
    chance: Fraction
    double_dummy: Fraction
    on_average: Fraction
    first_plays: tuple[SuitMove, ...]
    players: Mapping[str, Fraction]

    @property
    def fusion_gap(self) -> Fraction:
        """What one would win more who saw all cards."""
        return self.double_dummy - self.chance

    @property
    def safety_gain(self) -> Fraction:
        """What the line for this goal wins more than the line for tricks on average."""
        return self.chance - self.on_average

    @property
    def sampling_loss(self) -> Fraction:
        """What sampling gives up."""
        return self.chance - self.players["sampling"]

    @property
    def hardness(self) -> Fraction:
        """What even the best of the players without a plan gives up."""
        return self.chance - max(self.players.values())


@dataclass(frozen=True)
class AtlasEntry:
    """What the atlas says of a suit; plays are of the suit's own cards.

    ``form`` is what stands for the suit in the atlas.

    >>> entry = open_atlas().entry(Suit.of("32", "AKQ9"))
    >>> entry.canonical, float(entry.average), [float(goal.chance) for goal in entry.goals]
    (Suit.of('AKQ9', '32'), 3.24, [1.0, 1.0, 1.0, 0.24])
    >>> [str(move) for move in entry.goals[-1].first_plays]
    ['N2']
    """

    suit: Suit
    form: Form
    average: Fraction
    double_dummy: Fraction
    goals: tuple[AtlasGoal, ...]

    @property
    def canonical(self) -> Suit:
        """The suit that stands for it."""
        return self.form.suit

    @property
    def uncertain(self) -> AtlasGoal | None:
        """The highest goal that is possible and not certain; None if there is none."""
        return self.goals[-1] if self.goals and self.goals[-1].chance < 1 else None


class Atlas:
    """Every suit combination, solved; what is asked for is unpacked.

    >>> atlas = open_atlas()
    >>> len(atlas.table), atlas.table.dtype.names[:3]
    (159093, ('north', 'south', 'cards'))
    """

    def __init__(self, file: AtlasFile) -> None:
        self.file, self.about = file, file.about
        self._sections: dict[int, AtlasSection] = {}

    def entry(self, suit: Suit) -> AtlasEntry:
        """What is known of a suit; ``InputError`` if it is not in the atlas."""
        if suit != Suit(suit.north, suit.south):
            raise InputError(f"expected a suit of which nothing is known but declarer's cards, found {suit}")
        form = Form.of(suit).canonical
        if form.missing not in self.file.missing:
            raise InputError(f"{self.file.path}: this atlas has no suits with {form.missing} cards missing")
        section = self._section(form.missing)
        place = int(np.searchsorted(section.combinations["code"], form.code))
        if section.combinations["code"][place : place + 1].tolist() != [form.code]:
            raise InputError(f"{self.file.path}: this atlas lacks {form.suit}")
        first, end = section.starts[place : place + 2].tolist()
        average = int(section.combinations["average"][place])
        goals = [
            _goal(suit, form, tricks, {name: int(column[at]) for name, column in section.goals.items()})
            for tricks, at in enumerate(range(first, end), 1)
        ]
        price = int(section.combinations["price"][place])
        return AtlasEntry(suit, form, Fraction(average, WHOLE), Fraction(average + price, WHOLE), tuple(goals))

    def _section(self, missing: int) -> AtlasSection:
        if missing not in self._sections:
            self._sections[missing] = self.file.section(missing)
        return self._sections[missing]

    # ------------------------------------------------------------------ tables

    @cached_property
    def whole(self) -> AtlasSection:
        """All sections as one: fewest missing cards first, codes rising."""
        return join([self._section(missing) for missing in self.file.missing])

    @cached_property
    def goals(self) -> Table:
        """A row for every goal, as a structured array; see ``tables.GOAL_FIELDS``."""
        return goal_table(self.whole)

    @cached_property
    def table(self) -> Table:
        """A row for every combination, as a structured array; see ``tables.COMBINATION_FIELDS``."""
        return combination_table(self.whole, self.goals)

    def to_pandas(self, *, goals: bool = False) -> Any:
        """The table of combinations, or of goals, as a data frame of pandas'."""
        return import_extra("pandas", "table").DataFrame(self.goals if goals else self.table)


def _goal(suit: Suit, form: Form, tricks: int, found: Mapping[str, int]) -> AtlasGoal:
    chance = found["chance"]
    return AtlasGoal(
        tricks,
        Fraction(chance, WHOLE),
        Fraction(chance + found["fusion"], WHOLE),
        Fraction(chance - found["safety"], WHOLE),
        first_plays(suit, form, found["plays"]),
        {name: Fraction(chance - found[name], WHOLE) for name in PLAYERS},
    )


def first_plays(suit: Suit, form: Form, plays: int) -> tuple[SuitMove, ...]:
    """The plays of a suit's own cards that bits of its form stand for: North's first."""
    turned = Form.of(suit) != form
    found = []
    for number, cards in enumerate(runs(suit)):
        for side, (seat, hand) in enumerate(((NORTH, suit.north), (SOUTH, suit.south))):
            held = [card for card in cards if card in hand]
            if held and plays >> (2 * number + (side ^ turned)) & 1:
                found.append(SuitMove(seat, min(held)))
    return tuple(sorted(found))


def open_atlas(path: Path | None = None) -> Atlas:
    """The atlas of the package, or one of your own making.

    >>> open_atlas().about["combinations"]
    159093
    """
    return Atlas(AtlasFile(path or SHIPPED))
