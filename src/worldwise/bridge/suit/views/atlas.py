"""The atlas for people and for programs.

In JSON a chance is a number from 0 to 1; where it is exact, ``numerator`` tells it in parts of ``denominator``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table

from worldwise.bridge.rules.cards import holding_name
from worldwise.bridge.suit.atlas.columns import PLAYERS
from worldwise.bridge.suit.atlas.combinations import DEALS, WHOLE, numerator
from worldwise.bridge.suit.atlas.finding import EXTREMES
from worldwise.bridge.suit.atlas.statistics import GROUPINGS
from worldwise.bridge.suit.phrases import percent
from worldwise.bridge.suit.views.text import combination_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from worldwise.bridge.suit.atlas.atlas import Atlas, AtlasEntry, AtlasGoal
    from worldwise.bridge.suit.atlas.finding import Found
    from worldwise.bridge.suit.atlas.statistics import GroupStatistics, MapCell

NOTHING = "-"
"""In place of a number that is zero, where most are."""

HEADINGS = {"fusion": "fusion", "safety": "safety", "sampling": "sampling", "hardness": "hard"}
"""What columns of goals are called."""


# ---------------------------------------------------------------------- one suit


def entry_table(entry: AtlasEntry) -> Table:
    """Every goal of a suit: its chance, how to begin, and what others get; of goals that nobody misses the highest."""
    table = _table("tricks", "chance", "begin with", "seeing all", "averaging", *PLAYERS)
    for goal in reversed(entry.goals[_easy(entry) :]):
        others = (goal.double_dummy, goal.on_average, *goal.players.values())
        plays = " ".join(map(str, goal.first_plays))
        table.add_row(str(goal.tricks), percent(goal.chance), plays, *map(percent, others))
    return table


def _easy(entry: AtlasEntry) -> int:
    """How many goals nobody misses, but the highest."""
    missed = (number for number, goal in enumerate(entry.goals) if min(goal.players.values()) < 1)
    return max(next(missed, len(entry.goals)) - 1, 0)


def entry_words(entry: AtlasEntry) -> list[str]:
    """The average, how hard the suit is, and how often it is dealt."""
    found = [f"{float(entry.average):.4f} tricks on average; {float(entry.double_dummy):.4f} if you saw all cards."]
    if not entry.goals:
        found = ["No trick is possible."]
    hardest = max(entry.goals, key=lambda goal: goal.hardness, default=None)
    if hardest and hardest.hardness:
        lost = percent(hardest.hardness)
        found.append(
            f"Hard for {hardest.tricks}: sampling, the natural finesse and the drop all give up {lost} or more."
        )
    found.append(f"You and your partner are dealt such a suit once in {DEALS / entry.form.deals / 4:,.0f} deals.")
    if entry.canonical != entry.suit:
        found.append(f"The atlas has it as {combination_name(entry.canonical)}.")
    return found


def entry_json(entry: AtlasEntry) -> dict[str, Any]:
    """All that the atlas has of a suit."""
    return {
        "north": holding_name(entry.suit.north),
        "south": holding_name(entry.suit.south),
        "canonical": {"north": holding_name(entry.canonical.north), "south": holding_name(entry.canonical.south)},
        "code": entry.form.code,
        "cards": 13 - entry.form.missing,
        "missing": entry.form.missing,
        "denominator": WHOLE,
        "expected_tricks": float(entry.average),
        "expected_tricks_numerator": numerator(entry.average),
        "double_dummy": float(entry.double_dummy),
        "dealt": entry.form.deals / DEALS,
        "highest_uncertain_goal": entry.uncertain.tricks if entry.uncertain else None,
        "goals": [goal_json(goal) for goal in entry.goals],
    }


def goal_json(goal: AtlasGoal) -> dict[str, Any]:
    """A goal of an entry."""
    return {
        "tricks": goal.tricks,
        **_exact(goal.chance),
        "double_dummy_chance": float(goal.double_dummy),
        "on_average_chance": float(goal.on_average),
        "first_plays": list(map(str, goal.first_plays)),
        "players": {name: float(chance) for name, chance in goal.players.items()},
        "fusion_gap": float(goal.fusion_gap),
        "safety_gain": float(goal.safety_gain),
        "pimc_loss": float(goal.sampling_loss),
        "hardness": float(goal.hardness),
    }


def _exact(chance: Fraction) -> dict[str, Any]:
    return {"chance": float(chance), "numerator": numerator(chance)}


# ---------------------------------------------------------------------- many suits


def found_table(atlas: Atlas, found: Found, by: str | None = None) -> Table:
    """A line for every goal that was found; ``by`` is what it was looked for."""
    columns = [EXTREMES[by]] if by else list(HEADINGS)
    table = _table("north", "south", "tricks", "chance", "average", *(HEADINGS[name] for name in columns), "once in")
    for row in found.rows:
        goal = atlas.goals[row]
        suit = atlas.table[goal["number"]]
        extremes = [percent(goal[name] / WHOLE) if goal[name] else NOTHING for name in columns]
        average, chance = f"{suit['average']:.4f}", percent(goal["chance"] / WHOLE)
        hands = str(suit["north"]), str(suit["south"]), str(goal["tricks"])
        table.add_row(*hands, chance, average, *extremes, f"{1 / suit['dealt'] / 4:,.0f}")
    return table


def found_json(atlas: Atlas, found: Found) -> list[dict[str, Any]]:
    """The goals that were found."""
    return [row_json(atlas, row) for row in found.rows]


def row_json(atlas: Atlas, row: int) -> dict[str, Any]:
    """A goal of the atlas's table, with its suit."""
    goal = atlas.goals[row]
    suit = atlas.table[goal["number"]]
    lost = {name: float(goal[column] / WHOLE) for name, column in EXTREMES.items() if name != "hardest"}
    return {
        "north": str(suit["north"]),
        "south": str(suit["south"]),
        "cards": int(suit["cards"]),
        "missing_honours": str(suit["missing_honours"]),
        "tricks": int(goal["tricks"]),
        "chance": float(goal["chance"] / WHOLE),
        "numerator": int(goal["chance"]),
        "expected_tricks": float(suit["average"]),
        **{name.replace("-", "_"): value for name, value in lost.items()},
        "hardness": float(goal["hardness"] / WHOLE),
        "dealt": float(suit["dealt"]),
    }


# ---------------------------------------------------------------------- statistics


def statistics_table(statistics: Sequence[GroupStatistics], by: str) -> Table:
    """A line for every group."""
    headings = ("suits", "dealt", "average", "seeing all", "open", "sampling right", "it loses", "hard")
    table = _table(by, *headings)
    for group, count, dealt, average, seen, *shares in statistics:
        table.add_row(group, f"{count:,}", percent(dealt), f"{average:.3f}", f"{seen:.3f}", *map(percent, shares))
    return table


def statistics_json(statistics: Sequence[GroupStatistics]) -> list[dict[str, Any]]:
    """The same as plain values."""
    return [group._asdict() for group in statistics]


def map_json(cells: Sequence[MapCell]) -> list[dict[str, Any]]:
    """The cells of a map."""
    return [cell._asdict() for cell in cells]


def about_words(about: Mapping[str, Any]) -> list[str]:
    """How and when an atlas was built."""
    return [
        f"{about['combinations']:,} suit combinations, {about['goals']:,} goals",
        f"built on {about['built']} with worldwise {about['version']}: {about['how']}",
        f"chances are whole numbers over {about['denominator']:,}",
    ]


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        words = heading in ("north", "south", "begin with", *GROUPINGS)
        table.add_column(heading, justify="left" if words else "right", no_wrap=heading != "begin with")
    return table
